"""The interpreted kernel: as fast as plain Python can be, and with the same reports.

The same files are validated compiled and with CLAIMLOG_PURE=1, and python-chess, which is plain
Python too, reads chess games.  claimlog is timed as a whole process; python-chess times itself.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

import harness

GOAL: Final = 5_000
"""The goal: games per second on one core, two players, interpreted."""


def main() -> None:
    """Run the benchmark."""

    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=10_000, help="games of Claim to validate")

    options = harness.arguments(__doc__.split("\n")[0], add)
    games = 100 if options.smoke else options.games
    rounds = options.rounds or (1 if options.smoke else 5)
    peers = harness.find_peers(options, "chess")
    harness.heading(
        options, peers, f"interpreted, claimlog validates at least {GOAL} games a second"
    )
    with harness.scratch() as folder:
        path = folder / "two.clm"
        harness.simulate(path, games, 2, options.seed)
        reports = harness.claimlog("validate", "-j", "1", "--format", "json", path)
        same = (
            harness.run(reports, env={"CLAIMLOG_PURE": "1"}).out
            == harness.run(reports, env={"CLAIMLOG_PURE": "0"}).out
        )
        command = harness.claimlog("validate", "-j", "1", "--summary", path)

        def validate(pure: str) -> tuple[float, float]:
            done = harness.run(command, env={"CLAIMLOG_PURE": pure})
            return done.wall, done.cpu

        jobs = {"interpreted": lambda: validate("1"), "compiled": lambda: validate("0")}
        plays = {name: games * harness.plays_of(2) for name in jobs}
        counts = dict.fromkeys(jobs, games)
        chess = peers["chess"]
        if chess.present:
            try:
                add_chess(chess, folder, options, jobs, plays, counts)
            except harness.BenchmarkError as error:
                print(f"{chess.label} failed: {error}\n")
        runs = harness.alternate(jobs, rounds)
    rows = []
    base = counts["interpreted"] / harness.median([wall for wall, _ in runs["interpreted"]])
    for name, times in runs.items():
        wall = harness.median([wall for wall, _ in times])
        cpu = harness.median([cpu for _, cpu in times])
        rows.append(
            [
                name,
                harness.number(counts[name]),
                harness.number(wall),
                harness.spread([wall for wall, _ in times]),
                harness.number(counts[name] / wall),
                harness.number(counts[name] / cpu),
                harness.number(plays[name] / wall),
                harness.number(counts[name] / wall / base) + " ×",
            ]
        )
    harness.title(options, f"One core, median of {rounds} alternating rounds")
    head = ["kernel", "games", "s", "spread", "games/s", "games/CPU s", "plays/s", "interpreted"]
    harness.table(options, head, rows)
    verdict = "the same, byte for byte" if same else "DIFFERENT"
    print(f"JSON reports of both kernels on these {games} legal games: {verdict}")
    harness.goal(options, f"{GOAL} games/s interpreted", base >= GOAL, harness.number(base))


def add_chess(
    chess: harness.Peer,
    folder: Path,
    options: argparse.Namespace,
    jobs: dict[str, object],
    plays: dict[str, int],
    counts: dict[str, int],
) -> None:
    """Add python-chess to the measurement."""
    path = folder / "games.pgn"
    counts[chess.label] = 5 if options.smoke else 500
    size = ["--games", str(counts[chess.label]), "--seed", str(options.seed)]
    chess.ask("generate", path, *size)
    plays[chess.label] = chess.ask("read", path)["plays"]

    def read() -> tuple[float, float]:
        answer = chess.ask("read", path)
        return answer["seconds"], answer["cpu"]

    jobs[chess.label] = read


if __name__ == "__main__":
    main()
