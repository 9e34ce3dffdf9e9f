"""Results as a director types them."""

import pytest

from claimlog.directing.model import TableResult
from claimlog.directing.typed import Unreadable, read_line, result_at

SHARED = TableResult(result="1/2-1/2", votes=(2, 2))


@pytest.mark.parametrize(
    ("text", "sides", "result"),
    [
        ("7 1-0", 2, TableResult(result="1-0")),
        ("  7   2", 2, TableResult(result="0-1")),
        ("7 =", 2, TableResult(result="1/2-1/2")),
        ("7 =", 3, TableResult(result="1/3-1/3-1/3")),
        ("7 0-½-½ 2-3-2", 3, TableResult(result="0-1/2-1/2", votes=(2, 3, 2))),
        ("7 ⅓-⅓-⅓", 3, TableResult(result="1/3-1/3-1/3")),
        *((f"7 {shared} 2-2", 2, SHARED) for shared in ("½-½", "1/2–1/2", "0.5:0.5", "0,5-0,5")),
        ("7 forfeit 2", 2, TableResult(result="1-0", forfeit=(2,))),
        ("7 kampflos 1", 2, TableResult(result="0-1", forfeit=(1,))),
        ("7 ff 1 3", 3, TableResult(result="0-1-0", forfeit=(1, 3))),
        ("7 forfeit", 2, TableResult(result="0-0", forfeit=(1, 2))),
        ("7 -", 2, None),
    ],
)
def test_a_line_is_a_result(text: str, sides: int, result: TableResult | None) -> None:
    line = read_line(text)
    assert (line.table, result_at(line, sides)) == (7, result)


@pytest.mark.parametrize(
    "text",
    ["", "x", "0 1", "-1 1", "7", "7 2-0", "7 1-0 3", "7 1-0 3-2 1", "7 ff 4", "7 ff 1 2 3", "7 9"],
)
def test_what_is_no_result(text: str) -> None:
    with pytest.raises(Unreadable):
        read_line(text)


def test_who_plays_on_among_three_is_not_known() -> None:
    with pytest.raises(Unreadable, match="either none or all but one are absent"):
        result_at(read_line("7 forfeit 1"), 3)


@pytest.mark.parametrize("text", ["7 3", "7 3 3-2", "7 forfeit 3", "7 forfeit 1 3"])
def test_a_table_of_two_has_no_third_side(text: str) -> None:
    with pytest.raises(Unreadable, match="table 7 has 2 sides"):
        result_at(read_line(text), 2)
