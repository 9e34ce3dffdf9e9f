"""The first problem of a large file is reported at once.

Measures the time from starting the command to its first byte of output, with a file whose first,
hundredth or last game is invalid; in the same rounds pgn-extract and python-chess read the same
number of chess games.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import harness

GOAL: Final = 0.5
"""Seconds until a problem near the beginning of a file is reported, after a warm start."""


def first_output(command: Sequence[str | Path], mark: bytes) -> float:
    """Return the seconds until `command` has written `mark` to a stream; then end it."""
    read, write = os.pipe()
    start = time.perf_counter()
    process = subprocess.Popen(
        [str(word) for word in command],
        stdin=subprocess.DEVNULL,
        stdout=write,
        stderr=write,
        env=harness.environment(),
        start_new_session=True,
    )
    os.close(write)
    seen = b""
    while mark not in seen:
        data = os.read(read, 1 << 16)
        if not data:
            break
        seen += data
    taken = time.perf_counter() - start
    process.terminate()
    os.close(read)
    process.wait()
    if mark not in seen:
        raise harness.BenchmarkError(f"{command[0]}: no problem was reported: {seen[-200:]!r}")
    return taken


def claimlog_job(path: Path, extra: Sequence[str]) -> Callable[[], float]:
    """A job that validates a file until its problem is written."""
    return lambda: first_output(harness.claimlog("validate", *extra, path), b"G99")


def spoil_claim(path: Path, game: int) -> None:
    """Put a card that does not exist into the game with this number (from 0)."""
    data = path.read_bytes()
    start = [match.start() for match in re.finditer(rb"^\[CLM ", data, re.MULTILINE)][game]
    hit = re.compile(rb"^5\. .*?: ([A-Z]\d+)", re.MULTILINE).search(data, start)
    if hit is None:
        raise harness.BenchmarkError("a simulated game has no trick 5")
    path.write_bytes(data[: hit.start(1)] + b"G99" + data[hit.end(1) :])


def spoil_chess(path: Path, game: int) -> None:
    """Put an impossible move into the game with this number (from 0)."""
    data = path.read_bytes()
    start = [match.start() for match in re.finditer(rb"^\[Event ", data, re.MULTILINE)][game]
    hit = re.compile(rb"\b2\. (\S+)").search(data, start)
    if hit is None:
        raise harness.BenchmarkError("a chess game has no second move")
    path.write_bytes(data[: hit.start(1)] + b"Kd5" + data[hit.end(1) :])


READ_PGN: Final = """
import sys, chess.pgn
with open(sys.argv[1]) as file:
    while (game := chess.pgn.read_game(file)) is not None:
        for error in game.errors:
            print("illegal", error, flush=True)
"""


def main() -> None:
    """Run the benchmark."""

    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--games", type=int, default=100_000, help="number of games in the file"
        )

    options = harness.arguments(__doc__.split("\n")[0], add)
    games = 300 if options.smoke else options.games
    rounds = options.rounds or (1 if options.smoke else 7)
    peers = harness.find_peers(options, "chess", "pgn-extract")
    harness.heading(options, peers, "the first problem of a file is reported within 0.5 s")
    rows = []
    figures = []
    with harness.scratch() as folder:
        clean = folder / "clean.clm"
        harness.progress(f"simulating {games} games")
        harness.simulate(clean, games, 2, options.seed)
        chess = peers["chess"]
        pgn_games = min(games, 30 if options.smoke else 1000)
        if chess.present:
            chess.ask("generate", folder / "few.pgn", "--games", str(pgn_games))
        for label, place in (("first", 0), ("hundredth", 99), ("last", games - 1)):
            harness.progress(f"the {label} game is invalid")
            bad = folder / "bad.clm"
            bad.write_bytes(clean.read_bytes())
            spoil_claim(bad, place)
            jobs: dict[str, Callable[[], float]] = {
                f"claimlog {' '.join(extra) or '(default)'}": claimlog_job(bad, extra)
                for extra in (["-j", "1"], [], ["--format", "json"])
            }
            if chess.present and place < games - 1:
                pgn = folder / "bad.pgn"
                harness.repeat(folder / "few.pgn", pgn, max(1, games // pgn_games))
                spoil_chess(pgn, min(place, pgn_games - 1))
                words = [str(chess.python), "-c", READ_PGN, pgn]
                jobs[chess.label] = lambda words=words: first_output(words, b"illegal")
                if peers["pgn-extract"].present:
                    extract = peers["pgn-extract"].command("-s", "-r", pgn)
                    jobs["pgn-extract"] = lambda words=extract: first_output(words, b"Line number")
            for name, times in harness.alternate(jobs, rounds).items():
                seconds = harness.median(times)
                if name.startswith("claimlog") and place < games - 1:
                    figures.append(seconds)
                rows.append(
                    [
                        f"{label} of {harness.number(games)}",
                        name,
                        f"{1000 * seconds:.0f}",
                        f"{1000 * min(times):.0f}",
                        f"{1000 * max(times):.0f}",
                    ]
                )
    harness.title(
        options, f"Time until the problem is written, median of {rounds} alternating rounds"
    )
    harness.table(options, ["invalid game", "command", "ms", "best ms", "worst ms"], rows)
    text = "0.5 s for a problem near the beginning of the file"
    harness.goal(options, text, max(figures) < GOAL, f"{max(figures):.2f} s at most")
    print("JSON reports valid games too: a problem is written only after all games before it.")


if __name__ == "__main__":
    main()
