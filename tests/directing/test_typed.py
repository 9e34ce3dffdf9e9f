"""Results and settings as a director types them."""

import pytest

from claimlog.directing.model import Plan, TableResult
from claimlog.directing.planning import NAMES, Unplannable, changed, settings
from claimlog.directing.typed import Unreadable, lines_of, read_line, result_at
from claimlog.language.messages import Message

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
        ("7 1-0-0 forfeit 2", 3, TableResult(result="1-0-0", forfeit=(2,))),
        (
            "7 ½-0-½ 2-0-2 kampflos 2",
            3,
            TableResult(result="1/2-0-1/2", votes=(2, 0, 2), forfeit=(2,)),
        ),
        ("7 -", 2, None),
    ],
)
def test_a_line_is_a_result(text: str, sides: int, result: TableResult | None) -> None:
    line = read_line(text)
    assert (line.table, result_at(line, sides)) == (7, result)


@pytest.mark.parametrize("shares", [("0,5", "0,5", "0"), ("0,5", "0", "0,5"), ("0", "0,5", "0,5")])
def test_two_of_three_share_a_win_in_german_halves(shares: tuple[str, str, str]) -> None:
    typed = "-".join(shares)
    (first, second) = lines_of(f"7 {typed}, 8 1-0-0")
    share = {"0,5": "1/2", "0": "0"}
    result = "-".join(share[one] for one in shares)
    assert result_at(read_line(first[1]), 3) == TableResult(result=result)
    assert second == (1, "8 1-0-0")


@pytest.mark.parametrize(
    "text",
    ["", "x", "0 1", "-1 1", "7", "7 2-0", "7 1-0 3", "7 1-0 3-2 1", "7 ff 4", "7 ff 1 2 3", "7 9"],
)
def test_what_is_no_result(text: str) -> None:
    with pytest.raises(Unreadable):
        read_line(text)


def test_who_plays_on_among_three_is_not_known() -> None:
    with pytest.raises(Unreadable, match="write their result, too: 7 1-0-0 forfeit 3"):
        result_at(read_line("7 forfeit 3"), 3)
    with pytest.raises(Unreadable, match="forfeit is followed by the number"):
        read_line("7 1-0-0 forfeit")
    with pytest.raises(Unreadable, match="table 7 has 2 sides"):
        result_at(read_line("7 1-0 forfeit 3"), 2)


@pytest.mark.parametrize("text", ["7 3", "7 3 3-2", "7 forfeit 3", "7 forfeit 1 3"])
def test_a_table_of_two_has_no_third_side(text: str) -> None:
    with pytest.raises(Unreadable, match="table 7 has 2 sides"):
        result_at(read_line(text), 2)


@pytest.mark.parametrize(
    ("word", "english", "german"),
    [
        ("runden=0", "rounds: must be at least 1", "runden: muss mindestens 1 sein"),
        (
            "runden=viele",
            "rounds: must be a whole number, or - for none",
            "runden: muss eine ganze Zahl sein, oder - für keine Angabe",
        ),
        ("verzug=-", "delay: must be a whole number", "verzug: muss eine ganze Zahl sein"),
        ("gruppen=" + 5000 * "9", "groups: must be a whole", "gruppen: muss eine ganze"),
        ("plätze=9", "seats: must be at most 4", "plätze: darf höchstens 4 sein"),
        ("deck=" + 501 * "G", "deck: must have at most 500", "deck: darf höchstens 500"),
        ("punkte=win=9999", "points: win: must be at", "punkte: win: darf höchstens"),
        ("auslosen=vielleicht", "vielleicht is neither yes nor no", "weder ja noch nein"),
        (
            "runde=7",
            "the settings are system, rounds, seats",
            "möglich sind system, runden, plätze",
        ),
    ],
)
def test_a_setting_that_cannot_be_is_named_in_the_language(
    word: str, english: str, german: str
) -> None:
    with pytest.raises(Unplannable) as caught:
        changed(Plan(), settings([word]))
    assert english in caught.value.message.worded("en")
    assert german in caught.value.message.worded("de")


def test_a_site_may_look_like_a_number() -> None:
    assert changed(Plan(), settings(["ort=1010"])).site == "1010"


def test_settings_have_the_same_names_in_messages_as_in_a_line() -> None:
    for field in set(NAMES.values()):
        for language in ("en", "de"):
            assert NAMES[Message(f"plan.name.{field}").worded(language)] == field
