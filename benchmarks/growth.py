"""How cost grows: time and peak memory from a thousand games to a million.

claimlog on one core, compared with python-chess and pgn-extract.  A peer's file has a thousand
chess games, repeated; sizes that would take a peer too long are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Final

import harness

SIZES: Final = (1_000, 10_000, 100_000, 1_000_000)
GOAL: Final = 250 * harness.MB
"""The peak memory that no file may exceed."""


def main() -> None:
    """Run the benchmark."""

    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--largest", type=int, default=SIZES[-1], help="number of games in the largest file"
        )
        parser.add_argument(
            "--limit",
            type=float,
            default=30,
            help="processor seconds allowed for one run of a peer",
        )

    options = harness.arguments(__doc__.split("\n")[0], add)
    rounds = options.rounds or (1 if options.smoke else 3)
    sizes = (50, 500) if options.smoke else [n for n in SIZES if n <= options.largest]
    peers = harness.find_peers(options, "chess", "pgn-extract")
    claim = "time grows with the games, memory does not and stays under 250 MB"
    harness.heading(options, peers, claim)
    rows = []
    worst = 0
    before: dict[str, float] = {}
    with harness.scratch() as folder:
        thousand = folder / "thousand.pgn"
        if peers["chess"].present:
            harness.progress("generating chess games")
            peers["chess"].ask("generate", thousand, "--games", str(min(sizes[0], 1000)))
        for games in sizes:
            harness.progress(f"{games} games")
            path = folder / "games.clm"
            harness.simulate(path, games, 2, options.seed)
            pgn = folder / "games.pgn"
            jobs: dict[str, Callable[[], harness.Run]] = {
                "claimlog": validation(path),
            }
            sizes_of = {"claimlog": path.stat().st_size}
            for name, peer in peers.items():
                if not (peer.present and thousand.exists()):
                    continue
                expected = before.get(name, 0) * 10
                if expected > options.limit:
                    rows.append([harness.number(games), peer.label, "not run: over the limit"])
                    before[name] = expected
                    continue
                harness.repeat(thousand, pgn, games // sizes[0])
                sizes_of[peer.label] = pgn.stat().st_size
                words = ("read", pgn) if name == "chess" else ("-s", "-r", pgn)
                jobs[peer.label] = lambda peer=peer, words=words: harness.run(peer.command(*words))
            runs = harness.alternate(jobs, rounds)
            for name, done in runs.items():
                wall = harness.median([run.wall for run in done])
                peak = max(run.peak for run in done)
                for key, peer in peers.items():
                    if peer.label == name:
                        before[key] = harness.median([run.cpu for run in done])
                if name == "claimlog":
                    worst = max(worst, peak)
                rows.append(
                    [
                        harness.number(games),
                        name,
                        harness.number(wall),
                        harness.number(harness.median([run.cpu for run in done])),
                        harness.number(games / wall),
                        harness.number(1e6 * wall / games),
                        harness.number(sizes_of[name] / wall / harness.MB),
                        harness.peak_text([run.peak for run in done]),
                    ]
                )
            path.unlink()
            pgn.unlink(missing_ok=True)
        largest = memory_of_all(folder, options, sizes[-1])
    harness.title(options, f"One core, median of {rounds} alternating rounds")
    head = ["games", "program", "s", "CPU s", "games/s", "µs/game", "MB/s", "peak MB"]
    harness.table(options, head, [[*row, *[""] * (len(head) - len(row))] for row in rows])
    figure = f"{worst / harness.MB:.0f} MB"
    harness.goal(options, "250 MB on one core", worst < GOAL, figure)
    if largest is not None:
        figure = f"{largest / harness.MB:.0f} MB"
        text = f"250 MB by default, all processes together, {harness.number(sizes[-1])} games"
        harness.goal(options, text, largest < GOAL, figure)


def validation(path: Path) -> Callable[[], harness.Run]:
    """A job that validates a file on one core."""
    return lambda: harness.run(harness.claimlog("validate", "-j", "1", "--summary", path))


def memory_of_all(folder: Path, options: argparse.Namespace, games: int) -> int | None:
    """The peak memory of all processes of `claimlog validate` together."""
    path = folder / "games.clm"
    harness.simulate(path, games, 2, options.seed)
    return harness.tree_peak(harness.claimlog("validate", "--summary", path))


if __name__ == "__main__":
    main()
