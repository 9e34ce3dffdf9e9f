"""Kill the writer at random moments, many times: nothing acknowledged may be lost.

A child imports and stores games, and corrects and deletes some, printing every outcome once it is
acknowledged.  It is killed after a random time (SIGKILL); then the archive is opened here, every
acknowledged game must be stored in the acknowledged revision, and everything must agree. Every
fourth child imports thousands of games at a time, whose rows take another way into the file than
those of a few.

    cd tests; python -m robust.killing --rounds 200
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
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

from store.random_games import record

from claimlog.store import Archive, Doubtful, NotFound, Outcome

TESTS = Path(__file__).parent.parent
LARGE_ROUNDS = 4
PLAYS, VARIANTS = 80, 80
"""The number of plays in a large import, and the number of times each is repeated under other tags.
"""
LARGE_ENOUGH = 50_000
"""Games after which the large imports go into a new archive."""
SLOW_CHECKS = 10
"""Every this many rounds all records are judged again and everything ever acknowledged is checked;
in the other rounds only the counts and the round's games are."""


def large(chance: random.Random) -> Iterator[bytes]:
    """Endless texts of many games each, all different."""
    plays = [record(chance) for _ in range(PLAYS)]
    while True:
        part = chance.randrange(1 << 32)
        yield "\n".join(
            f'[Scenario "{part}-{variant}"]\n{play}'
            for variant in range(VARIANTS)
            for play in plays
        ).encode()


def say(*words: object) -> None:
    """Write a line to the parent."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def has(*outcomes: Outcome) -> None:
    """Tell the parent about games that are stored now."""
    lines = [
        f"has {each.id} {each.revision} {each.digest}\n"
        for each in outcomes
        if each.status != "doubtful"
    ]
    os.write(1, "".join(lines).encode())


def child(path: str, seed: int) -> None:
    """Write games endlessly; report what has been written."""
    chance = random.Random(seed)
    if seed % LARGE_ROUNDS == 0:
        texts = large(chance)
        text = next(texts)
        with Archive.open(path) as archive:
            say("open")
            while True:
                for batch in archive.import_games(io.BytesIO(text).read, doubtful="beside"):
                    has(*batch)
                text = next(texts)
    with Archive.open(path) as archive:
        say("open")
        ids: list[str] = []
        while True:
            doubtful: Doubtful = chance.choice(("replace", "beside"))
            if doubtful == "replace":
                say("replacing")
            if chance.random() < 0.3:
                text = "\n".join(record(chance) for _ in range(chance.randrange(1, 300)))
                for batch in archive.import_games(
                    io.BytesIO(text.encode()).read, doubtful=doubtful
                ):
                    for outcome in batch:
                        has(outcome)
                        if outcome.status == "stored":
                            ids.append(str(outcome.id))
            elif ids and chance.random() < 0.3:
                id = ids.pop(chance.randrange(len(ids)))
                if chance.random() < 0.3:
                    say("deleting", id)
                    say("gone", id, archive.delete(id, by="child", why="chance").revision)
                else:
                    say("changing", id)
                    outcome = archive.correct(
                        id, record(chance), by="child", why="chance", beside=True
                    )
                    has(outcome)
                    ids.append(id)
            else:
                outcome = archive.store(record(chance), doubtful=doubtful)
                has(outcome)
                if outcome.status == "stored":
                    ids.append(str(outcome.id))
            if doubtful == "replace":
                say("replaced")


class Ledger:
    """The acknowledged state of each game: by id its revision and digest, None if deleted."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[int, str | None]] = {}
        self.open: set[str] = set()
        self.fresh: set[str] = set()
        self.replacing = False
        """Whether records were being stored that may be new revisions of any games."""

    def read(self, lines: list[str]) -> None:
        """Read a child's report."""
        self.open = set()
        self.fresh = set()
        self.replacing = False
        for line in lines:
            what, *words = line.split()
            self.fresh.update(words[:1])
            if what in ("replacing", "replaced"):
                self.replacing = what == "replacing"
            if what == "has":
                revision = int(words[1])
                if revision >= self.known.get(words[0], (0, None))[0]:
                    self.known[words[0]] = (revision, words[2])
                self.open.discard(words[0])
            elif what == "gone":
                self.known[words[0]] = (int(words[1]), None)
                self.open.discard(words[0])
            elif what in ("deleting", "changing"):
                self.open.add(words[0])

    def compare(self, archive: Archive, *, everything: bool) -> list[str]:
        """Return acknowledged changes, of the last round or all, that are missing."""
        faults = []
        there = current(archive)
        for id in list(self.known if everything else self.fresh & set(self.known)):
            revision, digest = self.known[id]
            if there.get(id) == (revision, digest):
                continue
            try:
                found = archive.record(id).revision
            except NotFound:
                faults.append(f"{id} is lost")
                continue
            if (found.revision, found.digest) == (revision, digest):
                continue
            # The change may have been written just before the child was killed.
            if (id in self.open and found.revision == revision + 1) or (
                self.replacing
                and found.revision > revision
                and (revision, digest) in [(r.revision, r.digest) for r in archive.revisions(id)]
            ):
                self.known[id] = (found.revision, found.digest)
                continue
            faults.append(f"{id} is {found.revision} {found.digest}, not {revision} {digest}")
        return faults


def current(archive: Archive) -> dict[str, tuple[int, str | None]]:
    """The revision and the digest of every game that is not deleted, by id."""
    revisions: dict[str, tuple[int, str | None]] = {}
    cursor = None
    while True:
        page = archive.games(limit=1000, cursor=cursor)
        revisions.update((row.id, (row.revision, row.digest)) for row in page.games)
        cursor = page.cursor
        if cursor is None:
            return revisions


def round_of(path: Path, seed: int, ledger: Ledger, longest: float) -> list[str]:
    """Start a child, kill it, and check."""
    process = subprocess.Popen(
        [sys.executable, "-m", "robust.killing", "--child", str(path), str(seed)],
        stdout=subprocess.PIPE,
        cwd=TESTS,
        start_new_session=True,
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    heard: list[bytes] = []
    # Somebody must read the pipe, because the child stops when it is full.
    ear = Thread(target=lambda pipe: heard.append(pipe.read()), args=[process.stdout])
    ear.start()
    time.sleep(random.random() * longest)
    # Kill the whole group: the workers of a large import die with it, as they would by themselves.
    os.killpg(process.pid, signal.SIGKILL)
    ear.join()
    process.wait()
    complete = heard[0].rpartition(b"\n")[0]
    ledger.read((first + complete).decode().splitlines())
    with Archive.open(path) as archive:
        thorough = seed % SLOW_CHECKS == 0
        faults = ledger.compare(archive, everything=thorough or ledger.replacing)
        report = archive.check(full=thorough)
        faults += [f"{fault.what} {fault.id}: {fault.message}" for fault in report.faults]
    return faults


def main() -> int:
    """Run the rounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--longest", type=float, default=1.5, help="seconds until the kill")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", nargs=2)
    options = parser.parse_args()
    if options.child:
        child(options.child[0], int(options.child[1]))
        return 0
    random.seed(options.seed)
    bad = acknowledged = 0
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder) / "games.duckdb", Path(folder) / "large.duckdb"
        ledgers = {small: Ledger(), large: Ledger()}
        for number in range(1, options.rounds + 1):
            seed = options.seed * 100_000 + number
            path, longest = small, options.longest
            if seed % LARGE_ROUNDS == 0:
                path, longest = large, 2 * options.longest
            ledger = ledgers[path]
            before = len(ledger.known)
            faults = round_of(path, seed, ledger, longest)
            acknowledged += len(ledger.known) - before
            for fault in faults:
                print(f"round {number}: {fault}", flush=True)
            bad += bool(faults)
            if number % 20 == 0:
                print(f"{number} rounds, {acknowledged} games, {bad} bad", flush=True)
            last = number == options.rounds
            if last or (path == large and len(ledger.known) > LARGE_ENOUGH):
                for each in ledgers if last else [large]:
                    if each.exists() and not whole(each, ledgers[each]):
                        print(f"round {number}: {each.name} does not agree", flush=True)
                        bad += 1
                large.unlink(missing_ok=True)
                ledgers[large] = Ledger()
    print(f"{options.rounds} rounds, {acknowledged} games acknowledged, {bad} rounds with faults")
    return 1 if bad else 0


def whole(path: Path, ledger: Ledger) -> bool:
    """Whether everything ever acknowledged is stored, and everything agrees."""
    with Archive.open(path) as archive:
        return archive.check().good and not ledger.compare(archive, everything=True)


if __name__ == "__main__":
    sys.exit(main())
