"""Kill a server at random moments while tables are scored: nothing acknowledged may be lost.

Devices score tables over HTTP, with possible and impossible entries, and open and abandon tables;
the server is killed (SIGKILL) after a random time and started again.  Then each table must have
exactly the acknowledged entries, perhaps with those of the request that was never answered, and the
record that they make, and the devices go on.

    cd tests; python -m robust.tables --rounds 100
"""

from __future__ import annotations

import argparse
import contextlib
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx
from forked import Claimlog
from waiting import PATIENCE, wait_until

from claimlog.recording import Table
from claimlog.state import State

DEVICES = 6


class Device:
    """Scores one table after another, and remembers what was acknowledged."""

    def __init__(self, number: int, chance: random.Random) -> None:
        self.name = f"device-{number}"
        self.chance = chance
        self.path = ""
        self.begin = ""
        self.confirmed: list[dict[str, object]] = []
        self.sent: list[dict[str, object]] = []
        self.made = 0
        self.acknowledged = 0

    def score(self, url: str) -> None:
        """Score until the server is gone."""
        with (
            httpx.Client(base_url=url, timeout=PATIENCE) as http,
            contextlib.suppress(httpx.HTTPError),
        ):
            while True:
                if not self.path or self.chance.random() < 0.01:
                    self._open(http)
                self._send(http)

    def _open(self, http: httpx.Client) -> None:
        answer = http.post("/v1/tables", json={"deck": "GKUWX", "players": ["A", "B"]})
        table = answer.raise_for_status().json()
        self.path, self.begin = f"/v1/tables/{table['id']}", table["begin"]
        self.confirmed, self.sent = [], []

    def _send(self, http: httpx.Client) -> None:
        if not self.sent:
            self.sent = [self._entry() for _ in range(self.chance.randint(1, 4))]
        body = {"device": self.name, "after": len(self.confirmed), "entries": self.sent}
        answer = http.post(f"{self.path}/actions", json=body).raise_for_status().json()
        assert answer["number"] == len(self.confirmed) + len(self.sent)
        self.confirmed += self.sent
        self.acknowledged += len(self.sent)
        self.sent = []

    def _entry(self) -> dict[str, object]:
        self.made += 1
        entry: dict[str, object] = {"id": f"{self.name}-{self.made}", "kind": "enter"}
        if self.chance.random() < 0.2:
            return {**entry, "kind": self.chance.choice(["undo", "redo"])}
        state = State.dealt("GKUWX", seed=self.chance.random())
        word = state.turn_up().card
        return {**entry, "word": word}

    def check(self, url: str) -> list[str]:
        """Return the faults after a kill; note entries that were kept but not acknowledged."""
        if not self.path:
            return []
        found = httpx.get(f"{url}{self.path}", params={"after": 0}, timeout=PATIENCE).json()
        entries = [{k: v for k, v in entry.items() if k != "number"} for entry in found["entries"]]
        both = self.confirmed + self.sent
        if entries not in (self.confirmed, both):
            return [
                f"{self.path} has {len(entries)} entries, {len(self.confirmed)} were acknowledged"
            ]
        table = Table(self.begin)
        for entry in entries:
            table.add(entry)
        return [] if table.record == found["view"]["record"] else [f"{self.path}: another record"]


def acknowledged(devices: list[Device]) -> int:
    """The number of acknowledged entries, of all tables."""
    return sum(device.acknowledged for device in devices)


def rounds(path: Path, number: int, *, seed: int, longest: float) -> tuple[int, list[str]]:
    """Kill this number of times; return how many entries were acknowledged, and the faults."""
    chance = random.Random(seed)
    devices = [Device(one, random.Random(seed * 1000 + one)) for one in range(DEVICES)]
    faults: list[str] = []
    for kill in range(number + 1):
        process = Claimlog(
            ["serve", "--db", path, "--port", "0", "--no-log-requests"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert process.stdout is not None
        line = process.stdout.readline().decode()
        place = re.search(r"http://\S+", line)
        assert place, line
        try:
            for device in devices:
                faults += device.check(place[0])
            if kill < number:
                threads = [threading.Thread(target=one.score, args=(place[0],)) for one in devices]
                for thread in threads:
                    thread.start()
                wanted = acknowledged(devices) + 4
                # Not before something was acknowledged, however slow the machine is.
                wait_until(lambda wanted=wanted: acknowledged(devices) >= wanted)
                time.sleep(chance.random() * longest)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
        if kill < number:
            for thread in threads:
                thread.join()
    return acknowledged(devices), faults


def main() -> int:
    """Run the rounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--longest", type=float, default=1.0, help="seconds until the kill")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        number, faults = rounds(
            Path(folder) / "games.duckdb",
            options.rounds,
            seed=options.seed,
            longest=options.longest,
        )
    print(*faults, sep="\n")
    print(f"{options.rounds} kills, {number} entries acknowledged, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
