"""Shared by the peers' scripts: their command line, and files with seeded corruptions.

Each script runs in a separate environment, with one peer and nothing of claimlog, and prints one
JSON object on its last line:

    generate FILE --games N --seed S   write seeded random legal games
    read FILE                          read them back, checking every play; time that
    corrupt FOLDER --count N --seed S  write corrupted files, and cases.json about them
    inspect FOLDER                     read those, and return the reports about each
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Corrupted:
    """A record with one fault: its text, the lines (from 0) and the word concerned."""

    text: str | bytes
    lines: tuple[int, ...]
    word: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """A reader's report: the game in the file (from 0), the place (from 1), and the message."""

    message: str
    game: int | None = None
    line: int | None = None
    column: int | None = None
    play: bool = False
    """The play is named (by its number or its card), though not its place in the file."""
    ours: bool = False
    """The program returned a value or a yes or no; the script adds the comparison and the words."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """The result of reading one file: the reports, and how many games were read at all."""

    games: int
    reports: list[Report] = field(default_factory=list)


Corruptor = Callable[[str, random.Random], Corrupted | None]
"""Puts a fault into a record, or returns None if this record has no suitable place."""


@dataclass(frozen=True, slots=True)
class Format:
    """A peer's records: how they are generated, joined in a file, read, corrupted."""

    suffix: str
    generate: Callable[[int], Iterator[str]]
    """Yields legal records for a seed, endlessly."""
    join: Callable[[list[str]], str]
    """Makes a file of records; every record must be in it unchanged."""
    read: Callable[[Path], dict[str, Any]]
    """Reads a file, checking every play, and returns counts."""
    inspect: Callable[[list[Path]], list[Inspection]]
    """Reads files one by one, and returns the reports about each."""
    corruptors: Mapping[str, Corruptor]


def replace_line(text: str, line: int, new: str) -> str:
    """Return `text` with the line (from 0) replaced."""
    lines = text.split("\n")
    lines[line] = new
    return "\n".join(lines)


def line_with(text: str, part: str) -> int:
    """The first line (from 0) that contains `part`, or -1."""
    return next((i for i, line in enumerate(text.split("\n")) if part in line), -1)


def write_cases(form: Format, folder: Path, count: int, seed: int) -> int:
    """Write `count` files of each kind: a good record, a corrupted one, a good one."""
    folder.mkdir(parents=True, exist_ok=True)
    cases = []
    pool = form.generate(seed)
    records = [next(pool) for _ in range(20 + 20 * count)]
    for kind, corrupt in form.corruptors.items():
        rng = random.Random(f"{seed} {kind}")
        made = 0
        for _ in range(200 * count):
            if made == count:
                break
            before, record, after = rng.sample(records, 3)
            bad = corrupt(record, rng)
            if bad is None or bad.text == record:
                continue
            # The corrupted text may contain bytes that are not text: insert it as bytes.
            whole = form.join([before, "\0\0", after]).encode()
            head, _, tail = whole.partition(b"\0\0")
            text = bad.text if isinstance(bad.text, bytes) else bad.text.encode()
            name = f"{kind}-{made}{form.suffix}"
            (folder / name).write_bytes(head + text + tail)
            first = head.count(b"\n") + 1
            cases.append(
                {
                    "kind": kind,
                    "file": name,
                    "first": first,
                    "last": first + text.count(b"\n"),
                    "lines": [first + line for line in bad.lines],
                    "word": bad.word,
                }
            )
            made += 1
    (folder / "cases.json").write_text(json.dumps(cases))
    return len(cases)


def inspect_cases(form: Format, folder: Path) -> list[dict[str, Any]]:
    """Read every corrupted file; return one result for each."""
    cases = json.loads((folder / "cases.json").read_text())
    inspections = form.inspect([folder / case["file"] for case in cases])
    return [
        {**case, **asdict(inspection)} for case, inspection in zip(cases, inspections, strict=True)
    ]


def one_by_one(
    inspect: Callable[[Path], Inspection],
) -> Callable[[list[Path]], list[Inspection]]:
    """Turn a reader of one file into a reader of many."""
    return lambda paths: [inspect(path) for path in paths]


def main(form: Format) -> None:
    """Run a peer's script."""
    parser = argparse.ArgumentParser()
    parser.add_argument("action", choices=["generate", "read", "corrupt", "inspect"])
    parser.add_argument("path", type=Path)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    answer: dict[str, Any]
    if options.action == "generate":
        games = form.generate(options.seed)
        records = [next(games) for _ in range(options.games)]
        options.path.write_text(form.join(records), encoding="utf-8")
        answer = {"games": len(records)}
    elif options.action == "read":
        start = time.perf_counter(), time.process_time()
        answer = form.read(options.path)
        answer["seconds"] = time.perf_counter() - start[0]
        answer["cpu"] = time.process_time() - start[1]
    elif options.action == "corrupt":
        answer = {"cases": write_cases(form, options.path, options.count, options.seed)}
    else:
        answer = {"cases": inspect_cases(form, options.path)}
    print(json.dumps(answer))
