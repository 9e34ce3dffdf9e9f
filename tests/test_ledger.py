"""The file of a table: any damage by a disk is noticed, and old files can still be read."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from claimlog.recording.entries import Table
from claimlog.recording.ledger import Ledger, LedgerError, damaged

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ("U7", "G5", "W8", "X3", "U4")


def lines() -> list[dict[str, Any]]:
    """The lines that a server writes for a table."""
    text = Table({"deck": "GKUWX", "players": ["Anna", "Ben"], "event": "Zürich"}).setup
    head = {"created": "2026-11-23T10:00:00+00:00", "by": "Ruth", "delay": 0, "text": text}
    made: list[dict[str, Any]] = [{"table": head, "tokens": []}]
    for number, word in enumerate(WORDS):
        entry = {"id": f"e{number}", "kind": "enter", "word": word}
        at = f"2026-11-23T10:0{number}:00+00:00"
        made.append({"device": "d1", "at": at, "by": "Ruth", "entries": [entry]})
    return made


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    made = Ledger(tmp_path, "t1")
    first, *more = lines()
    made.create(first)
    for line in more:
        made.append(line)
    return made


def test_what_was_written_is_read(ledger: Ledger) -> None:
    assert ledger.lines() == lines()
    assert ledger.ends() == (lines()[0], lines()[-1])
    assert ledger.table().number == len(WORDS)
    assert list(damaged(ledger.path.parent)) == []


def test_any_bit_that_is_another_one_is_noticed(ledger: Ledger) -> None:
    """Many bits of the first and the last line, and some of those between."""
    good = ledger.path.read_bytes()
    first, last = good.index(b"\n") + 1, good.rindex(b"\n", 0, -1)
    places = {*range(0, 8 * first, 31), *range(8 * last, 8 * len(good), 3)}
    places |= set(random.Random(1).sample(range(8 * len(good)), 200))
    for place in places:
        data = bytearray(good)
        data[place // 8] ^= 1 << place % 8
        ledger.path.write_bytes(data)
        with pytest.raises(LedgerError):
            ledger.table()
        if place // 8 > last or place // 8 < first - 1:
            with pytest.raises(LedgerError):
                ledger.ends()


@pytest.mark.parametrize("line", range(len(WORDS)))
def test_a_line_that_is_missing_or_there_twice_is_noticed(ledger: Ledger, line: int) -> None:
    whole = ledger.path.read_bytes().splitlines(keepends=True)
    for made in (whole[:line] + whole[line + 1 :], whole[: line + 1] + whole[line:]):
        ledger.path.write_bytes(b"".join(made))
        with pytest.raises(LedgerError, match="damaged: line"):
            ledger.lines()
    ledger.path.write_bytes(b"".join(whole))
    assert ledger.lines() == lines()


def test_half_a_line_at_the_end_is_what_a_crash_leaves(ledger: Ledger) -> None:
    good = ledger.path.read_bytes()
    last = good.rindex(b"\n", 0, -1) + 1
    for end in range(last, len(good)):
        ledger.path.write_bytes(good[:end])
        assert ledger.lines() == lines()[:-1]
    ledger.append(lines()[-1])
    assert ledger.path.read_bytes() == good


def test_a_ledger_from_before_there_were_checksums_is_read_and_goes_on(tmp_path: Path) -> None:
    old = Ledger(tmp_path, "old")
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines()[:3])
    old.path.write_text(text, encoding="utf-8")
    assert old.lines() == lines()[:3]
    for line in lines()[3:]:
        old.append(line)
    assert old.lines() == lines()
    assert old.ends() == (lines()[0], lines()[-1])
    data = old.path.read_bytes()
    old.path.write_bytes(data.replace(b'"word":"X3"', b'"word":"X4"'))
    with pytest.raises(LedgerError, match="line 5 is not what was written"):
        old.lines()
    assert [name for name, _ in damaged(tmp_path)] == ["old"]


@pytest.mark.parametrize(
    "text", ["", "\n", "nonsense\n", "[]\n", "{}\n", '{"table":3}\n', '{"table":{"text":3}}\n',
             '{"table":{"text":"[Deck \\"GKUWX\\"]"},"entries":3}\n', "[" * 100_000 + "\n"],
)  # fmt: skip
def test_what_is_no_ledger(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.jsonl").write_text(text)
    ((name, message),) = damaged(tmp_path)
    assert name == "x"
    assert message
