"""Kill a director's process at random moments: no acknowledged act may be lost.

A child types results, corrects and undoes them, and prints the number of each acknowledged act with
the resulting table.  It is killed after a random time (SIGKILL); then the archive is opened here,
and its acts must be those acknowledged, with at most one more.

    cd tests; python -m robust.directing --rounds 200
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from claimlog.directing import acts
from claimlog.directing.model import Entrant, Table, TableResult
from claimlog.store import Archive, ArchiveError

TESTS = Path(__file__).parent.parent
TABLES = 20
RESULTS = tuple(TableResult(result=text) for text in ("1-0", "0-1", "1/2-1/2"))


def begin(path: Path) -> int:
    """Create an event whose first round is being played; return the number of its last act."""
    with Archive.open(path) as archive:
        archive.create_event("Cup", by="Ruth")
        archive.enter("Cup", [Entrant(name=f"P{n}") for n in range(2 * TABLES)], by="Ruth")
        tables = tuple(Table(number=n, players=(2 * n - 1, 2 * n)) for n in range(1, TABLES + 1))
        archive.direct("Cup", acts.Paired(round=1, tables=tables), by="Ruth")
        return archive.start_round("Cup", 1, by="Ruth").desk.act


def child(path: str, seed: int) -> None:
    """Work at the desk; print what was acknowledged."""
    chance = random.Random(seed)
    with Archive.open(path) as archive:
        os.write(1, b"open\n")
        while True:
            table = chance.randint(1, TABLES)
            result = chance.choice((None, *RESULTS))
            kind = chance.choice((acts.ResultTyped, acts.Corrected, None))
            if kind is None:
                board = archive.undo_act("Cup", by="child")
            else:
                try:
                    act = kind(round=1, table=table, result=result)
                    board = archive.direct("Cup", act, by="child")
                except ArchiveError:
                    continue  # the director has set it
            os.write(1, f"{board.act}\n".encode())


def round_of(path: Path, seed: int, before: int, longest: float) -> tuple[int, list[str]]:
    """Start a child, kill it, and check; return the number of the last act, and the faults."""
    process = subprocess.Popen(
        [sys.executable, "-m", "robust.directing", "--child", str(path), str(seed)],
        stdout=subprocess.PIPE,
        cwd=TESTS,
    )
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(random.random() * longest)
    process.send_signal(signal.SIGKILL)
    told = process.stdout.read().rpartition(b"\n")[0].split()
    process.wait()
    last = int(told[-1]) if told else before
    faults = []
    with Archive.open(path) as archive:
        entries = archive.desk_acts("Cup")
        if [entry.number for entry in entries] != list(range(1, len(entries) + 1)):
            faults.append("the acts are not numbered from 1")
        if not last <= len(entries) <= last + 1:
            faults.append(f"{last} acts were acknowledged, but {len(entries)} are stored")
        if archive.desk("Cup").act != len(entries):
            faults.append("the event is not in the state after its last act")
        faults += [f"{fault.what}: {fault.message}" for fault in archive.check().faults]
    return len(entries), faults


def main() -> int:
    """Run the rounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--child", nargs=2)
    options = parser.parse_args()
    if options.child:
        child(options.child[0], int(options.child[1]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.duckdb"
        number = begin(path)
        for seed in range(options.rounds):
            number, faults = round_of(path, seed, number, 1.0)
            if faults:
                print(f"round {seed}: {faults}")
                return 1
    print(f"{options.rounds} rounds, {number} acts, none lost")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
