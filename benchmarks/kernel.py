"""One stage of validating a file, timed in this process; started by `stages.py`.

python benchmarks/kernel.py STAGE FILE
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

from claimlog.notation.reader import blocks, sheets_of
from claimlog.notation.sheet import Sheet
from claimlog.replay.judge import Judge
from claimlog.replay.validate import judge_block


def cut(path: str) -> int:
    """Cut the file into blocks of whole games."""
    with open(path, "rb") as file:
        return sum(block.text.count(b"[CLM ") for block in blocks(file.read))


def read(path: str) -> int:
    """Parse every game: tags, tokens, comments."""
    games = 0
    sheet = Sheet()
    with open(path, "rb") as file:
        for block in blocks(file.read):
            at = 0
            while at < len(block.text):
                at = sheet.read(block.text, at, True)
                games += sheet.found()
    return games


def judge(path: str) -> int:
    """Parse every game and judge it, with one Python call per game."""
    games = 0
    sheet, bench = Sheet(), Judge()
    with open(path, "rb") as file:
        for block in blocks(file.read):
            for game, _ in sheets_of(block, sheet):
                bench.judge(game)
                games += 1
    return games


def validate(path: str) -> int:
    """Judge block by block, as the command does."""
    games = 0
    with open(path, "rb") as file:
        for block in blocks(file.read):
            games += judge_block(block.text, block.line, False).games
    return games


STAGES: dict[str, Callable[[str], int]] = {
    "cut": cut,
    "read": read,
    "judge": judge,
    "validate": validate,
}

if __name__ == "__main__":
    stage = STAGES[sys.argv[1]]
    start = time.perf_counter(), time.process_time()
    games = stage(sys.argv[2])
    seconds = time.perf_counter() - start[0]
    cpu = time.process_time() - start[1]
    print(json.dumps({"games": games, "seconds": seconds, "cpu": cpu}))
