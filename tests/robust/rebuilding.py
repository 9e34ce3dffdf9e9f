"""Kill a rebuild at random moments, many times: the next one goes on, and nothing is lost.

A child rebuilds an archive in small pieces and is killed (SIGKILL).  Then games are stored,
corrected and deleted here, the tables in use must agree with the records, and another child goes
on.  When one has come to its end, its tables must equal those of a rebuild in one piece, row by
row, and everything acknowledged must be stored.

    cd tests; python -m robust.rebuilding --rounds 100
    cd tests; python -m robust.rebuilding --rounds 100 --lake
"""

from __future__ import annotations

import argparse
import io
import os
import random
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from backends import server
from store.random_games import record

from claimlog.store import Archive
from claimlog.store.intake import rebuilding, remaking
from claimlog.store.model import schema
from claimlog.store.questions.rollups import ROLLUPS

TESTS = Path(__file__).parent.parent
GAMES = 300
PIECE, CHUNK = 40, 15
"""The number of revisions that a child makes together."""


def child(where: str) -> None:
    """Rebuild in small pieces; say when it begins, and whether it went on."""
    rebuilding.PIECE = PIECE  # type: ignore[misc]
    remaking.CHUNK = CHUNK  # type: ignore[misc]
    with Archive.open(where, create=False) as archive:
        print("open", flush=True)
        print("continued" if archive.rebuild().continued else "begun", flush=True)


def killed(where: str, longest: float) -> str:
    """Start a child, and kill it unless it ends before; return what it said at its end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "robust.rebuilding", "--child", where],
        stdout=subprocess.PIPE,
        cwd=TESTS,
        text=True,
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    assert first == "open\n", "the child did not open the archive"
    try:
        process.wait(random.random() * longest)
    except subprocess.TimeoutExpired:
        os.kill(process.pid, signal.SIGKILL)
    with process.stdout as pipe:
        said = pipe.read().strip()
    if process.wait() not in (0, -signal.SIGKILL):
        raise AssertionError(f"the child ended with {process.returncode}")
    return said


class Kept:
    """The acknowledged revision of each game, by its id, and whether it is deleted."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[int, bool]] = {}

    def store(self, archive: Archive, chance: random.Random, number: int) -> None:
        """Store so many games."""
        text = "\n".join(record(chance, tables=10_000_000) for _ in range(number))
        for batch in archive.import_games(io.BytesIO(text.encode()).read, doubtful="beside"):
            for outcome in batch:
                self.known[str(outcome.id)] = outcome.revision or 0, False

    def change(self, archive: Archive, chance: random.Random) -> None:
        """Store, correct, delete or undelete a few games."""
        self.store(archive, chance, chance.randrange(5))
        why = {"by": "parent", "why": "chance"}
        for id in chance.sample(sorted(self.known), 4):
            if self.known[id][1]:
                self.known[id] = archive.undelete(id, **why, beside=True).revision, False
            elif chance.random() < 0.4:
                self.known[id] = archive.delete(id, **why).revision, True
            else:
                new = record(chance, tables=10_000_000)
                outcome = archive.correct(id, new, **why, beside=True)
                self.known[id] = outcome.revision or 0, False

    def missing(self, archive: Archive) -> list[str]:
        """Acknowledged changes that are not there."""
        faults = []
        for id, (revision, deleted) in self.known.items():
            last = archive.revisions(id)[-1]
            if (last.revision, last.deleted) != (revision, deleted):
                faults.append(f"{id} is {last.revision}, not {revision}")
        return faults


def contents(archive: Archive) -> dict[str, list[Any]]:
    """All rows of all derived tables."""
    names = (*schema.DERIVED, *(ROLLUPS if archive.postgres is not None else ()))
    return {name: archive._backend.rows(f"SELECT * FROM {name} ORDER BY ALL") for name in names}


def bring(archive: Archive) -> None:
    """Bring everything to the tables."""
    if archive.postgres is not None:
        archive.index(once=True)
    archive.count()


def run(where: str, lake: str | None, rounds: int, longest: float) -> list[str]:
    """Kill so many rebuilds; return the faults."""
    chance = random.Random(random.random())
    faults = []
    kept = Kept()
    with Archive.open(where, lake=lake) as archive:
        kept.store(archive, chance, GAMES)
        bring(archive)
    kills = ends = went_on = 0
    while kills < rounds or not ends:
        said = killed(where, longest)
        kills += not said
        ends += bool(said)
        went_on += said == "continued"
        with Archive.open(where, create=False) as archive:
            bring(archive)
            report = archive.check()
            faults += [f"{fault.what} {fault.id}: {fault.message}" for fault in report.faults]
            faults += kept.missing(archive)
            if said:
                made = contents(archive)
                archive.rebuild(afresh=True)
                again = contents(archive)
                faults += [f"{name} differs" for name in made if made[name] != again[name]]
            kept.change(archive, chance)
            bring(archive)
        if said or kills % 20 == 0:
            print(
                f"{kills} kills, {ends} ends, {went_on} continued, {len(faults)} faults", flush=True
            )
    return faults


def main() -> int:
    """Run the rounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--longest", type=float, default=1.0, help="seconds until the kill")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lake", action="store_true")
    parser.add_argument("--child")
    options = parser.parse_args()
    if options.child:
        child(options.child)
        return 0
    random.seed(options.seed)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="claimlog-rebuilt-")))
        folder.chmod(0o755)
        where, lake = str(folder / "games.duckdb"), None
        if options.lake:
            postgres = stack.enter_context(server(folder / "postgres"))
            postgres.execute("CREATE DATABASE games")
            where, lake = postgres.address("games"), str(folder / "lake")
        faults = run(where, lake, options.rounds, options.longest)
    for fault in faults[:20]:
        print(fault)
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
