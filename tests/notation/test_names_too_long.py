"""How long names may be, and that the cost of comparing them is linear."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from claimlog.notation.names import LONGEST, MARKS, composed, excess, stream_safe
from claimlog.replay.recorder import replay_text

DIAERESIS = "\N{COMBINING DIAERESIS}"
CEDILLA = "\N{COMBINING CEDILLA}"
TIBETAN = "\u0f73"  # its class is not that of a mark, but it decomposes into two
DECK = '[Deck "GKUWX"]\n'


def problems(tags: str) -> list[tuple[str, int, int, str]]:
    (replay,) = replay_text(f"{tags}{DECK}\n*\n")
    errors = [one for one in replay.problems if one.severity == "error"]
    return [(one.code, one.line, one.column, one.message) for one in errors]


def row_of_marks(text: str) -> int:
    """The most combining marks in a row when a text is decomposed."""
    longest = row = 0
    for letter in unicodedata.normalize("NFKD", text):
        row = row + 1 if unicodedata.combining(letter) else 0
        longest = max(longest, row)
    return longest


def test_a_value_has_500_characters_at_most() -> None:
    assert problems(f'[Event "{"ä" * LONGEST}"]\n') == []
    assert problems(f'[Event "{chr(92) * 2 * LONGEST}"]\n') == []  # an escape is one character
    assert problems(f'[Site "x"]\n[Event "{"ä" * (LONGEST + 1)}"]\n') == [
        ("bad-tag", 2, 1, "Event has 501 characters; a value has at most 500")
    ]


def test_a_tag_of_any_name_is_within_the_limits() -> None:
    assert problems(f'[Zebra "{"x" * 501}"]\n')[0][0] == "bad-tag"
    name = "Z" * 501
    message = f"the name {'Z' * 20}… has 501 characters; a name has at most 500"
    assert problems(f'[{name} "x"]\n') == [("bad-tag", 1, 1, message)]


def test_30_marks_may_follow_each_other() -> None:
    assert problems(f'[Event "e{CEDILLA * MARKS}"]\n') == []
    assert problems(f'[Event "{f"e{CEDILLA * MARKS}" * 15}"]\n') == []
    message = "Player1 has more than 30 combining marks in a row"
    assert problems(f'[Player1 "e{CEDILLA * 31}"]\n[Player2 "B"]\n') == [("bad-tag", 1, 1, message)]
    assert excess(TIBETAN * 15) == ""
    assert excess(TIBETAN * 16) == "marks"


def test_comments_may_be_long() -> None:
    (replay,) = replay_text(f"{DECK}\n{{{'ä' * 5000}}} *\n")
    assert replay.legal


MARKED = st.text(st.sampled_from(["e", "é", DIAERESIS, CEDILLA, TIBETAN, "\u0344", "한", "\uff9e"]))


@given(MARKED, st.integers(0, 40), st.sampled_from([DIAERESIS, CEDILLA, TIBETAN, "\u0344"]), MARKED)
def test_what_is_normalised_has_no_long_rows(one: str, many: int, mark: str, two: str) -> None:
    text = one + mark * many + two
    safe = stream_safe(text)
    # The trailing mark of a precomposed letter is not counted.
    assert row_of_marks(safe) <= MARKS + 2
    assert safe.replace("\u034f", "") == text
    assert stream_safe(safe) == safe
    assert composed(composed(text)) == composed(text)
    if row_of_marks(text) <= MARKS:
        assert safe == text
        assert composed(text) == unicodedata.normalize("NFC", text)
