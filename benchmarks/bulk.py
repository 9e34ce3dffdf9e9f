"""Bulk imports: into a file, into PostgreSQL, by two Dask workers directly into the lake.

PostgreSQL (durable), scheduler and workers run on this machine during the measurement.  Games count
as stored only when their rows are in the lists, too.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import harness
import tournaments

sys.path.insert(0, str(harness.HERE.parent / "tests"))

GOAL: Final = 6_000
WORKERS: Final = 2


def missing() -> str:
    """Why nothing can be measured here, "" if it can."""
    try:
        import distributed  # noqa: F401
        from backends import why_not
    except ImportError:
        return "the extra claimlog[cluster] or pytest is not installed"
    return why_not()


@contextmanager
def servers() -> Iterator[tuple[Callable[[], str], str]]:
    """A function that creates a database and returns its address; the address of a scheduler."""
    from backends import server
    from distributed import LocalCluster

    folder = Path("/tmp") / f"claimlog-bulk-{os.getpid()}"
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        postgres = stack.enter_context(server(folder / "postgres"))
        postgres.stop()
        postgres.start(durable=True)
        cluster = stack.enter_context(
            LocalCluster(
                n_workers=WORKERS,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
            )
        )
        made: list[str] = []

        def database() -> str:
            made.append(f"bulk{len(made)}")
            postgres.execute(f"CREATE DATABASE {made[-1]}")
            return postgres.address(made[-1])

        yield database, cluster.scheduler_address


def main() -> None:
    """Run the benchmark."""

    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=200_000, help="number of games to store")

    options = harness.arguments(__doc__.split("\n")[0], add)
    if why := missing():
        print(f"skipped: {why}")
        return
    games = 300 if options.smoke else options.games
    rounds = options.rounds or (1 if options.smoke else 3)
    harness.heading(options, {}, f"at least {GOAL} games/s by {WORKERS} workers, into the lake")
    with harness.scratch() as folder, servers() as (database, scheduler):
        text = folder / "games.clm"
        harness.progress(f"writing {games} games")
        tournaments.write(text, games, folder, options.seed)

        def seconds(*commands: list[str | Path]) -> float:
            return sum(harness.run(command).wall for command in commands)

        def to_file() -> float:
            for old in folder.glob("games.duckdb*"):
                old.unlink()
            return seconds(harness.claimlog("import", text, "--db", folder / "games.duckdb"))

        def new() -> tuple[str, ...]:
            return "--db", database(), "--lake", str(folder / "lake")

        def to_postgres() -> float:
            where = new()
            return seconds(
                harness.claimlog("import", text, *where),
                harness.claimlog("index", "--once", *where),
            )

        cluster = ("--cluster", scheduler)
        far = "import --cluster"
        jobs: dict[str, Callable[[], float]] = {
            "import, into a file": to_file,
            "import, into PostgreSQL; index": to_postgres,
            far: lambda: seconds(harness.claimlog("import", text, *cluster, *new())),
            "validate": lambda: seconds(harness.claimlog("validate", text)),
            "validate --cluster": lambda: seconds(harness.claimlog("validate", *cluster, text)),
        }
        runs = harness.alternate(jobs, rounds)
    harness.title(options, f"Whole commands, median of {rounds} alternating rounds")
    rows = [
        [
            name,
            harness.number(games),
            harness.number(harness.median(times)),
            harness.spread(times),
            harness.number(games / harness.median(times)),
        ]
        for name, times in runs.items()
    ]
    harness.table(options, ["command", "games", "s", "spread", "games/s"], rows)
    rate = games / harness.median(runs[far])
    harness.goal(options, f"{GOAL} games/s with --cluster", rate >= GOAL, f"{rate:.0f}")


if __name__ == "__main__":
    main()
