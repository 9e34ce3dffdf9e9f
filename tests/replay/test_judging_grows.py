"""Judging a text takes time and memory in proportion to its bytes, whatever it contains.

Calls and memory are counted, not seconds; the search for a slip counts what it reads.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from growth import Cost, assert_linear, memory_of

from claimlog.notation.sheet import Sheet
from claimlog.replay import slip
from claimlog.replay.judge import Judge
from claimlog.replay.validate import judge_block

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.no_cover

DATA = Path(__file__).parents[2] / "data"
HEAD = b'[Deck "GKUWX"]\n\n'
FIRST = HEAD + b"1. U7: G5 G8 /W2\n"
LOST = b"1. U7: G5\n2. X3: K4 U1 /G0\n"
"""A trick without its second play: after it nobody knows who plays."""

TEXTS: dict[str, Callable[[int], bytes]] = {
    "plays": lambda n: FIRST + b"G5 " * (n // 3),
    "plays after a trick that is cut short": lambda n: HEAD + LOST + b"G5 " * (n // 3),
    "cards that do not exist": lambda n: FIRST + b"Q5 " * (n // 3),
    "cards that are not in the deck": lambda n: FIRST + b"V5 " * (n // 3),
    "upcards": lambda n: HEAD + b"U7: " * (n // 4),
    "draws": lambda n: FIRST + b"/W2 " * (n // 4),
    "tricks": lambda n: HEAD + b"U7: G5 G8 /W2\n" * (n // 14),
    "numbers": lambda n: HEAD + b"7. " * (n // 3),
    "numbered tricks": lambda n: HEAD + b"3. U7: G5 G8 /W2\n" * (n // 17),
    "words": lambda n: FIRST + b"$ " * (n // 2),
    "marks": lambda n: FIRST + b"G5+ + + " * (n // 8),
    "bytes that are no text": lambda n: FIRST + b"G5\xff" * (n // 3),
    "lines": lambda n: FIRST + b"\n" * n + b"Q5",
    "comments": lambda n: HEAD + b"{x} " * (n // 4) + b"*",
    "a name": lambda n: b'[Player1 "%s"]\n' % (b"x" * n) + FIRST,
    "tags": lambda n: b"".join(b'[T%d "x"]\n' % i for i in range(n // 10)) + FIRST,
    "a tag again and again": lambda n: b'[Event "x"]\n' * (n // 12) + FIRST,
    "an unknown tag again and again": lambda n: b'[T "x"]\n' * (n // 8) + FIRST,
    "cards of a hand": lambda n: b'[Hand1 "%s"]\n' % (b"G5 " * (n // 3)) + FIRST,
    "cards of a hand and of the table": lambda n: (
        b'[Hand1 "%s"]\n' % (b"G5 " * (n // 6)) + HEAD + LOST + b"K5 " * (n // 6)
    ),
}
SIZE = 4_000
A_BYTE = 40
"""The most bytes of memory per byte of text."""
REPORT = 2_500_000
"""The most bytes that a report takes, however long the text: some thousand errors are kept."""


@pytest.mark.parametrize("kind", TEXTS)
def test_judging_grows_with_the_bytes(kind: str) -> None:
    def of(size: int) -> Callable[[], object]:
        text = TEXTS[kind](size)
        return lambda: judge_block(text, 1, everything=True, slips=True)

    four = assert_linear(of, SIZE, Cost(2000, 200_000))
    assert four.memory < A_BYTE * 4 * SIZE + REPORT


def test_all_errors_are_counted_and_few_are_kept() -> None:
    text = FIRST + b"Q5 " * 4_000
    (report,) = judge_block(text, 1, everything=True).reports
    assert len(report.errors) == 100
    assert "3,9" in report.errors[-1].message
    text = FIRST + b"Q5$ " * 4_000
    (report,) = judge_block(text, 1, everything=True).reports
    assert "7,9" in report.errors[-1].message


@pytest.mark.parametrize(
    "text",
    [
        HEAD + b"{x}" + b"Q5 " * 2_100,
        b'[Id1""]\n' * 2_100,
        b'[A""]\n' * 2_100,
        ('[A"' + "\u0301" * 31 + '"]\n').encode() * 2_100,
        b'[Pile "' + b"x " * 2_100 + b'"]\n',
        b'[Hand1 "' + b"G5 " * 2_100 + b'"]\n' + HEAD,
    ],
    ids=["plays", "tags", "unknown tags", "marks", "cards of a tag", "cards of a hand"],
)
def test_of_errors_without_limit_so_many_are_kept(text: bytes) -> None:
    sheet, judge = Sheet(), Judge()
    sheet.read(text, 0, True)
    judge.judge(sheet)
    assert 2_000 <= len(judge.findings) < 2_010
    assert judge.unsaid > 0


def test_a_text_full_of_comments_takes_little_memory() -> None:
    text = TEXTS["comments"](100_000)
    assert memory_of(lambda: judge_block(text, 1, everything=True)) < 12 * len(text)


def test_the_search_for_a_slip_judges_only_so_many_tags(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each try judges all tags: with many of them fewer tries are left."""
    tags, movetext = (DATA / "sample.clm").read_bytes().split(b"\n\n", 1)
    # Cards of two tricks, in an order that no single slip explains.
    broken = movetext.replace(b"U8+ U0", b"U8+ K9").replace(b"G3 G5+", b"W1 G5+")
    assert broken.count(b"U8+ K9") == broken.count(b"W1 G5+") == 1
    tags += b"".join(b'\n[T%d "x"]' % i for i in range(20_000))
    work = 0
    judged = slip._Search._judge

    def judging(search: slip._Search) -> bool:
        nonlocal work
        work += search.sheet.tag_at[6 * search.sheet.tags - 1]
        return judged(search)

    monkeypatch.setattr(slip._Search, "_judge", judging)
    slip.find_slip(tags + b"\n\n" + broken)
    assert 0 < work < 25_000_000
