"""Both cores: the gain from a second process, for claimlog and for pgn-extract.

claimlog divides a file among its processes by itself; pgn-extract is run on two halves of its file
at once.  Keeps all cores busy while it runs.
"""

from __future__ import annotations

import argparse
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import harness


def together(commands: list[list[str | Path]]) -> float:
    """Run the commands at the same time; return the seconds until the last has ended."""
    start = time.perf_counter()
    running = [
        subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=harness.environment(),
        )
        for command in commands
    ]
    codes = [process.wait() for process in running]
    if any(codes):
        raise harness.BenchmarkError(f"{commands[0][0]}: exit codes {codes}")
    return time.perf_counter() - start


def main() -> None:
    """Run the benchmark."""

    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=300_000, help="games of Claim to validate")

    options = harness.arguments(__doc__.split("\n")[0], add)
    games = 300 if options.smoke else options.games
    rounds = options.rounds or (1 if options.smoke else 5)
    peers = harness.find_peers(options, "chess", "pgn-extract")
    harness.heading(options, peers, "claimlog uses all cores by default")
    counts: dict[str, int] = {}
    jobs: dict[str, Callable[[], float]] = {}
    with harness.scratch() as folder:
        path = folder / "games.clm"
        harness.progress(f"simulating {games} games")
        harness.simulate(path, games, 2, options.seed)
        for name, extra in (("-j 1", ["-j", "1"]), ("-j 2", ["-j", "2"]), ("(default)", [])):
            words = harness.claimlog("validate", "--summary", *extra, path)
            jobs[f"claimlog {name}"] = lambda words=words: together([words])
            counts[f"claimlog {name}"] = games
        chess, extract = peers["chess"], peers["pgn-extract"]
        if chess.present and extract.present:
            few = folder / "few.pgn"
            some = 10 if options.smoke else 500
            chess.ask("generate", few, "--games", str(some), "--seed", str(options.seed))
            half, whole = folder / "half.pgn", folder / "whole.pgn"
            harness.repeat(few, half, 20)
            harness.repeat(few, whole, 40)
            one = extract.command("-s", "-r", whole)
            two = extract.command("-s", "-r", half)
            jobs["pgn-extract, 1 process"] = lambda: together([one])
            jobs["pgn-extract, 2 processes"] = lambda: together([two, two])
            counts |= dict.fromkeys(
                ("pgn-extract, 1 process", "pgn-extract, 2 processes"), some * 40
            )
        runs = harness.alternate(jobs, rounds)
    rows = []
    for name, times in runs.items():
        seconds = harness.median(times)
        alone = next(one for one in runs if one.split()[0].strip(",") == name.split()[0].strip(","))
        rows.append(
            [
                name,
                harness.number(counts[name]),
                harness.number(seconds),
                harness.spread(times),
                harness.number(counts[name] / seconds),
                f"{harness.median(runs[alone]) / seconds:.2f} ×",
            ]
        )
    harness.title(options, f"Whole processes, median of {rounds} alternating rounds")
    head = ["command", "games", "s", "spread", "games/s", "one process"]
    harness.table(options, head, rows)


if __name__ == "__main__":
    main()
