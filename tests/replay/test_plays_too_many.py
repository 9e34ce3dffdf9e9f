"""A play too many is a problem of the trick that contains it (docs/notation.md, "Problems").

Cards after the last play of a trick could be an unnumbered next one: in Phase 2, and from its
border on, only the next number tells.
"""

import re
from pathlib import Path

import pytest

from claimlog.replay.recorder import replay_text

DATA = Path(__file__).parents[2] / "data"
SAMPLE = re.sub(r" ?\{[^}]*\}", "", (DATA / "sample.clm").read_text(encoding="utf-8"))
EVENING = (DATA / "thursday-evening.clm").read_text(encoding="utf-8").split("\n\n[CLM")[0]


def with_plays(text: str, trick: int, plays: str) -> str:
    """The record with further plays after those of a trick."""
    line = re.compile(rf"^({trick}\.(?: \S+:)?(?: [A-Z]\d+\S*)+)", re.MULTILINE)
    changed, number = line.subn(rf"\1 {plays}", text)
    assert number == 1
    return changed


def problems(text: str) -> list[tuple[str, int | None, str]]:
    return [(p.code, p.trick, p.message) for p in next(replay_text(text)).errors]


@pytest.mark.parametrize("plays", ["X9", "X9 X8"])
@pytest.mark.parametrize("trick", [1, 12, 13, 14, 20, 25, 26])
def test_two_players(trick: int, plays: str) -> None:
    listed = problems(with_plays(SAMPLE, trick, plays))
    first = f"trick {trick}: one play too many: the trick already has its 2 plays"
    assert listed[0] == ("play-count", trick, first)
    assert {problem[:2] for problem in listed} == {("play-count", trick)}


@pytest.mark.parametrize("trick", [7, 12, 13, 24])
def test_three_players(trick: int) -> None:
    listed = problems(with_plays(EVENING, trick, "U9"))
    first = f"trick {trick}: one play too many: the trick already has its 3 plays"
    assert listed[0] == ("play-count", trick, first)


def test_a_numbered_trick_after_the_last_is_none() -> None:
    listed = problems(re.sub(r"^0-1$", "27. X9 X8\n0-1", SAMPLE, flags=re.MULTILINE))
    assert [(code, trick) for code, trick, _ in listed] == [("play-count", 27)]
    assert "the game is over after 26 tricks" in listed[0][2]


def test_without_numbers_a_whole_trick_after_the_last_is_none() -> None:
    text = re.sub(r"^\d+\. ", "", SAMPLE, flags=re.MULTILINE)
    one = problems(text.replace("\n0-1", " X9\n0-1"))
    assert [(code, trick) for code, trick, _ in one] == [("play-count", 26)]
    two = problems(text.replace("\n0-1", " X9 X8\n0-1"))
    assert [(code, trick) for code, trick, _ in two] == [("play-count", 27)]


def test_an_upcard_after_the_border_is_no_number() -> None:
    """The Knight 6 has the number 14 among the cards; it is not mistaken for a trick's number."""
    text = SAMPLE[: SAMPLE.index("14. ")] + "X9 K6: X8\n*\n"
    text = text.replace('[Result "0-1"]\n', "")
    assert "a play too many" not in " ".join(message for _, _, message in problems(text))


@pytest.mark.parametrize("seats", ["", '[Player1 "a"]\n[Player2 "b"]\n[Player3 "c"]\n'])
@pytest.mark.parametrize("choices", ["/G2,G3", "/_,_", "/G2,G3,W4"])
def test_draws_too_many_in_a_trick_cut_short(seats: str, choices: str) -> None:
    deck, plays = ("GKUWX", "U7: G5") if not seats else ("GKUWXAS", "U7,X1: G5 G6")
    record = f'{seats}[Deck "{deck}"]\n\n1. {plays} {{}}\n*\n'
    number = choices.count(",") + 1
    message = f"trick 1: 1 hidden card is drawn in this trick, not {number}"
    assert problems(record.format(choices)) == [("play-count", 1, message)]
    assert problems(record.format("/W5")) == []
