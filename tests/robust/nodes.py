"""Kill nodes, writers, indexers and PostgreSQL itself: nothing acknowledged is lost or doubled.

Writers post games to two servers of one archive in PostgreSQL, some of them the same games to both,
and note what was acknowledged; two `claimlog index` run beside them.  They are killed (SIGKILL) and
restarted one after another, and now and then all of PostgreSQL is.  At the end every acknowledged
game is stored once, and the lake equals the records.

    cd tests; python -m robust.nodes --rounds 200
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from backends import Server, server
from ports import Port
from store.random_games import record

from claimlog.store import Archive, ArchiveError

TESTS = Path(__file__).parent.parent
CLAIMLOG = Path(sys.executable).with_name("claimlog")
PATIENCE = 60.0
"""Seconds within which everything that was killed must work again."""


def write(ports: list[int], seed: int, notes: Path) -> None:
    """A writer: post games to any of the nodes, and note what they acknowledge."""
    chance = random.Random(seed)
    shared = random.Random(7)
    with notes.open("a", buffering=1) as noted:
        while True:
            which = shared if chance.random() < 0.3 else chance
            # With so many tables hardly any occurs twice: most games are new.
            text = record(which, tables=10_000_000).encode()
            where = f"http://127.0.0.1:{chance.choice(ports)}/v1/games"
            request = urllib.request.Request(where, text, {"Content-Type": "text/x-claim"})
            try:
                with urllib.request.urlopen(request, timeout=20) as answer:
                    outcome = json.load(answer)
            except urllib.error.HTTPError as error:
                noted.write(f"{error.code} - -\n")
            except (OSError, ValueError):
                time.sleep(0.1)
            else:
                noted.write(f"{outcome['status']} {outcome['id']} {outcome['digest']}\n")


class Crowd:
    """The running processes, by name, each of which can be killed and started again."""

    def __init__(self, address: str, folder: Path, writers: int) -> None:
        self.folder = folder
        self._kept = Port(), Port()
        self.ports = [port.number for port in self._kept]
        base = [str(CLAIMLOG)]
        self.commands = {
            f"node {port}": [
                *base, "serve", "--db", address, "--port", str(port), "--local-writing",
                "--no-log-requests",
            ]
            for port in self.ports
        }  # fmt: skip
        self.commands |= {f"indexer {n}": [*base, "index", "--db", address] for n in (1, 2)}
        self.seeds = iter(range(1, 1_000_000))
        self.writers = [f"writer {n}" for n in range(writers)]
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str) -> None:
        """Start one."""
        command = self.commands.get(name)
        if command is None:
            ports = ",".join(map(str, self.ports))
            notes = self.folder / f"{name.replace(' ', '')}.notes"
            command = [
                sys.executable, "-m", "robust.nodes", "--write", ports,
                "--seed", str(next(self.seeds)), "--notes", str(notes),
            ]  # fmt: skip
        with (self.folder / "log").open("ab") as log:
            self.running[name] = subprocess.Popen(
                command,
                cwd=TESTS,
                stdout=log,
                stderr=log,
                env=os.environ | {"XDG_DATA_HOME": str(self.folder / name.replace(" ", ""))},
            )

    def kill(self, name: str) -> None:
        """Kill one."""
        process = self.running.pop(name)
        process.send_signal(signal.SIGKILL)
        process.wait()

    def names(self) -> list[str]:
        """All names."""
        return [*self.commands, *self.writers]

    def stop(self) -> None:
        """Kill all."""
        for name in list(self.running):
            self.kill(name)


def acknowledged(folder: Path) -> tuple[dict[str, str], Counter[str]]:
    """What was noted: the digests of games by id, and how often each answer came."""
    games: dict[str, str] = {}
    answers: Counter[str] = Counter()
    for notes in folder.glob("*.notes"):
        for line in notes.read_text().splitlines():
            words = line.split(" ")
            if len(words) == 3:
                answers[words[0]] += 1
                if words[0] in ("stored", "known", "corrected"):
                    games[words[2]] = words[1]
    return games, answers


def faults_of(address: str, folder: Path) -> list[str]:
    """Return the faults after all writers have stopped."""
    faults = []
    games, answers = acknowledged(folder)
    with Archive.open(address) as archive:
        archive.index(once=True)
        for digest, id in games.items():
            there = archive.find_digest(digest)
            if there is None or there.id != id:
                faults.append(f"lost: {id} {digest}")
        report = archive.check()
        faults += [f"{fault.what}: {fault.message}" for fault in report.faults]
        assert archive.postgres is not None
        twice = archive.postgres.ask_ledger(
            "SELECT digest FROM records GROUP BY digest HAVING count(*) > 1"
        )
        faults += [f"doubled: {bytes(row[0]).hex()}" for row in twice if row[0] is not None]
        print(
            f"{len(games)} acknowledged, {report.games} games in the lake, answers {dict(answers)}"
        )
    return faults


def run(postgres: Server, folder: Path, rounds: int, writers: int, pause: float) -> list[str]:
    """Let all work, and kill one after another; return the faults at the end."""
    folder.mkdir(parents=True, exist_ok=True)
    postgres.execute("CREATE DATABASE nodes")
    address = postgres.address("nodes")
    Archive.open(address, lake=str(folder / "lake")).close()
    crowd = Crowd(address, folder, writers)
    killed: Counter[str] = Counter()
    try:
        for name in crowd.names():
            crowd.start(name)
        time.sleep(min(PATIENCE, 8 * pause))
        for number in range(1, rounds + 1):
            time.sleep(random.uniform(0.2, 1) * pause)
            if number % 10 == 0:
                postgres.stop(signal.SIGKILL)
                postgres.start(durable=True)
                killed["postgresql"] += 1
                continue
            name = random.choice(crowd.names())
            crowd.kill(name)
            crowd.start(name)
            killed[name.split(" ")[0]] += 1
        time.sleep(2 * pause)
    finally:
        crowd.stop()
    print(f"killed {dict(killed)}")
    return settled(address, folder)


def settled(address: str, folder: Path) -> list[str]:
    """The faults, once PostgreSQL is up and the locks of the killed processes are gone."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return faults_of(address, folder)
        except ArchiveError as error:
            if time.monotonic() > end:
                return [str(error)]
            time.sleep(1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--writers", type=int, default=4)
    parser.add_argument("--pause", type=float, default=3.0, help="seconds between kills")
    parser.add_argument("--write", help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--notes", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.write:
        write([int(port) for port in asked.write.split(",")], asked.seed, asked.notes)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="claimlog-nodes-")))
        folder.chmod(0o755)
        postgres = stack.enter_context(server(folder / "postgres"))
        postgres.stop(signal.SIGINT)
        postgres.start(durable=True)
        faults = run(postgres, folder / "work", asked.rounds, asked.writers, asked.pause)
    for fault in faults[:20]:
        print(fault)
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
