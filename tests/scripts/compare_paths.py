"""Compare the compiled and the interpreted path: they must report exactly the same.

    python tests/scripts/compare_paths.py [--games 100000]

Judges the records in data/ and many randomly damaged games (made by `lawbook`, which shares nothing
with claimlog), once with the compiled modules and once, in other processes, with CLAIMLOG_PURE=1.
Reports must be equal in everything: codes, messages, lines, columns, tricks, seats, cards, results.
Prints the first game that differs and exits with 1, otherwise with 0.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

import lawbook  # noqa: E402

FAMILY = 50
"""Damaged games made from one legal game."""
BITS = (b"G5 ", b"+", b" =U7", b"~_", b"{", b"\n\n", b"2. ", b"^", b"\xff")


def damaged(number: int) -> bytes:
    """The damaged game with this number, always the same."""
    data = bytearray(_legal(number // FAMILY))
    rng = random.Random(f"damage {number}")
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        at = rng.randrange(len(data))
        how = rng.randrange(6)
        if how == 0:
            del data[at : at + rng.choice([1, 1, 3, 10, 80])]
        elif how == 1:
            data[at] = rng.choice([*b"GKUWXR0123456789+", rng.randrange(256)])
        elif how == 2:
            data[at:at] = rng.choice(BITS)
        elif how == 3:
            start = rng.randrange(len(data))
            data[at:at] = data[start : start + rng.choice([1, 3, 20])]
        else:  # most often: a card becomes another one
            end = at
            while end < len(data) and not chr(data[end]).isupper():
                end += 1
            data[end : end + 2] = f"{rng.choice('GKUWXRAST')}{rng.randrange(10)}".encode()
    return bytes(data)


_last: dict[int, bytes] = {}


def _legal(family: int) -> bytes:
    if family not in _last:
        _last.clear()
        rng = random.Random(f"base {family}")
        rules = lawbook.random_rules(rng, rng.choice([2, 2, 3, 4]))
        _last[family] = lawbook.random_record(rng, rules, draws=rng.random() < 0.7).encode()
    return _last[family]


def records(start: int, stop: int) -> Iterator[bytes]:
    """The records with these numbers; those below 0 are from data/."""
    if start < 0:
        yield from (path.read_bytes() for path in sorted((ROOT / "data").rglob("*.clm")))
    yield from (damaged(number) for number in range(max(start, 0), stop))


def reports(text: bytes) -> str:
    """Everything that both ways of reading report about a text, as JSON."""
    from claimlog.replay.recorder import replays
    from claimlog.replay.validate import judge_block

    block = judge_block(text, 1, False)
    return json.dumps(
        [
            [game.report() for game in replays(io.BytesIO(text).read)],
            [report.report("") for report in block.reports],
            [block.games, block.completes],
        ]
    )


def work(start: int, stop: int, full: bool) -> None:
    """Print one line per record: its report or a digest of it."""
    from claimlog import compiled

    print("compiled" if compiled() else "interpreted")
    for text in records(start, stop):
        report = reports(text)
        print(report if full else hashlib.sha256(report.encode()).hexdigest()[:16])


def run(start: int, stop: int, pure: bool, full: bool = False) -> list[str]:
    """Let another process judge; return its lines, the first of which says how it ran."""
    done = subprocess.run(
        [sys.executable, __file__, "--work", str(start), str(stop), *(["--full"] if full else [])],
        env=os.environ | {"CLAIMLOG_PURE": "1" if pure else "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def compare(games: int) -> str:
    """Compare all; return the first difference, or ""."""
    size = max(1, min(2500, games // 4))
    shards = [(-1, 0)] + [(at, min(at + size, games)) for at in range(0, games, size)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        fast = list(pool.map(lambda shard: run(*shard, pure=False), shards))
        slow = list(pool.map(lambda shard: run(*shard, pure=True), shards))
    ways = {lines[0] for lines in fast}, {lines[0] for lines in slow}
    if ways != ({"compiled"}, {"interpreted"}):
        return f"nothing to compare: the two paths ran {ways[0]} and {ways[1]}"
    for (start, stop), one, two in zip(shards, fast, slow, strict=True):
        if one[1:] == two[1:]:
            continue
        texts = list(records(start, stop))
        place = next(i for i in range(len(texts)) if one[i + 1] != two[i + 1])
        reports = [run(start, stop, pure, full=True)[place + 1] for pure in (False, True)]
        return f"{texts[place].decode(errors='replace')}\n" + "\n".join(reports)
    return ""


def main() -> None:
    """Run the comparison from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--work", type=int, nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--full", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.work:
        work(*arguments.work, arguments.full)
        return
    difference = compare(arguments.games)
    print(difference or f"{arguments.games:,} damaged games and data/: identical on both paths")
    raise SystemExit(1 if difference else 0)


if __name__ == "__main__":
    main()
