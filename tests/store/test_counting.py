"""The order of standings, counted from games alone."""

from __future__ import annotations

import pytest

from claimlog.results import RESULTS
from claimlog.store.questions.standings import Counting, Played


def game(number: int, one: int, two: int, result: str) -> Played:
    values: dict[str, object] = dict.fromkeys(Played._fields)
    values |= {
        "game": number, "gid": number, "complete": True, "seats": 2, "result": RESULTS[result],
        "p1": one, "p2": two, "n1": f"player {one}", "n2": f"player {two}",
    }  # fmt: skip
    return Played(**values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("order", "values"),
    [
        # 1 beat 2 and 3, 2 beat 4, 3 beat nobody: what opponents have, by player.
        (["buchholz"], {1: [1.0], 2: [2.0], 3: [2.0], 4: [1.0]}),
        (["sonneborn-berger"], {1: [1.0], 2: [0.0], 3: [0.0], 4: [0.0]}),
        (["points", "buchholz"], {1: [2.0, 1.0], 2: [1.0, 2.0], 3: [0.0, 2.0], 4: [0.0, 1.0]}),
    ],
)
def test_each_tie_break_is_weighed_without_the_others(
    order: list[str], values: dict[int, list[float]]
) -> None:
    counting = Counting({})
    counting.add([game(1, 1, 2, "1-0"), game(2, 1, 3, "1-0"), game(3, 2, 4, "1-0")])
    assert {line.who[0]: line.values for line in counting.ranked(order)} == values
