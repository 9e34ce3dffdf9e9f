"""A comment that a page puts into a record is where the notation puts it."""

from __future__ import annotations

import pytest

from claimlog import loads
from claimlog.notation.writer import canonical
from claimlog.simulate import simulate_games
from claimlog.web.comments import record_to_comment


def put(record: dict, place: str, comment: str) -> str:
    """The record with a comment, as a script makes it."""
    start, end, before, after = record["places"][place]
    units = record["text"].encode("utf-16-le")
    parts = units[: 2 * start].decode("utf-16-le"), units[2 * end :].decode("utf-16-le")
    return f"{parts[0]}{before}{{{comment}}}{after}{parts[1]}"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_is_the_canonical_record_with_the_comment(seats: int) -> None:
    """At every moment, beside other comments, with letters of any plane in the names."""
    (game,) = simulate_games(1, seats=seats, seed=3, tags={"Player1": "Zoë 🙂"})
    game.comments_at(2, 1).append("there already")
    game.comments_at(3, 2).append("with a } inside")
    game.comments_at(game.tricks[-1].number, seats).append("the end")
    text = canonical(game)
    record = record_to_comment(game)
    assert record is not None
    assert record["text"] == text == canonical(game)
    assert len(record["places"]) == 1 + sum(len(trick.plays) for trick in game.tricks)
    for place in record["places"]:
        trick, played = [*map(int, place.split(".")), 0][:2]
        there = game.comments_at(trick, played)
        there.append("new")
        assert put(record, place, "new") == canonical(game), place
        there.pop()


def test_a_record_with_errors_takes_none() -> None:
    (game,) = loads('[Deck "GKUWX"]\n1. U7: G5 W8 2. G9 *')
    assert not game.legal
    assert record_to_comment(game) is None
