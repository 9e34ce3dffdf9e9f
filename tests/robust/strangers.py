"""Strangers who exhaust a server: everybody else still gets answers.

A server is started as if on the internet: it has a token, so nobody on this machine is trusted.
Strangers at some addresses overload it in a dozen ways: they never read, read or send one byte at a
time, open more than they need, ask expensive questions.  Meanwhile `/health`, requests with a token
and the scorer of a table must be answered; afterwards all their resources are free again.

    cd tests; python -m robust.strangers --times 50 --connections 300
"""

from __future__ import annotations

import argparse
import contextlib
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

import httpx
from forked import Claimlog
from games import game

from claimlog.api.tokens import tokens_at
from claimlog.link import encode
from claimlog.replay.recorder import replay_text
from claimlog.store import Archive
from claimlog.web import assets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WORLD = ("--rate", "50", "--no-log-requests")
"""The options of a server that listens to the world."""
ADDRESSES = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
PATIENCE = 60.0
"""Seconds after which a question counts as not answered."""


class Target(NamedTuple):
    """What the strangers attack."""

    port: int
    game: str
    code: str
    table: str
    chance: random.Random


class Crowd:
    """The strangers' connections, which end together."""

    def __init__(self, target: Target, number: int) -> None:
        self.target = target
        self.number = number
        self.stop = threading.Event()
        self.open = contextlib.ExitStack()
        self.threads: list[threading.Thread] = []

    def connect(self) -> socket.socket:
        """Connect from one of the strangers' addresses, with a small receive buffer."""
        sock = self.open.enter_context(socket.socket())
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.settimeout(2)
        sock.bind((self.target.chance.choice(ADDRESSES), 0))
        sock.connect(("127.0.0.1", self.target.port))
        return sock

    def asked(self, *requests: bytes) -> Iterator[socket.socket]:
        """Open `number` connections, skipping failures, and send the requests on each."""
        for _ in range(self.number):
            with contextlib.suppress(OSError):
                sock = self.connect()
                for request in requests:
                    sock.sendall(request)
                yield sock

    def until_the_end(self, act: Callable[[], None]) -> None:
        """Repeat an action in several threads."""

        def run() -> None:
            while not self.stop.is_set():
                with contextlib.suppress(OSError, httpx.HTTPError):
                    act()

        for _ in range(min(self.number, 12)):
            thread = threading.Thread(target=run, daemon=True)
            thread.start()
            self.threads.append(thread)

    def asking(self, path: Callable[[], str], **headers: str) -> None:
        """Request paths, each on a separate connection, and read the answers."""

        def ask() -> None:
            with self.from_somewhere() as http:
                for _ in range(20):
                    if self.stop.is_set():
                        return
                    http.get(path(), headers=headers)

        self.until_the_end(ask)

    def from_somewhere(self) -> httpx.Client:
        """A client with one of the strangers' addresses."""
        transport = httpx.HTTPTransport(local_address=self.target.chance.choice(ADDRESSES))
        return httpx.Client(
            base_url=f"http://127.0.0.1:{self.target.port}", transport=transport, timeout=5
        )

    def end(self) -> None:
        """Leave, all at once."""
        self.stop.set()
        self.open.close()
        for thread in self.threads:
            thread.join(30)


def get(path: str, *headers: str) -> bytes:
    """A GET request."""
    lines = [f"GET {path} HTTP/1.1", "Host: localhost", *headers, "", ""]
    return "\r\n".join(lines).encode()


def largest() -> str:
    """The address of the largest file of the pages."""
    tree = assets.vendor()
    return tree.address(max(tree.files, key=lambda name: len(tree.files[name].body)))


# What strangers do ------------------------------------------------------------------------------


def never_read(crowd: Crowd) -> None:
    """Ask for long answers, again and again, and read nothing."""
    for _ in crowd.asked(get("/v1/games?limit=1000") * 20):
        pass


def never_read_files(crowd: Crowd) -> None:
    """Ask for the largest file uncompressed, and read nothing."""
    for _ in crowd.asked(get(largest(), "Accept-Encoding: identity") * 4):
        pass


def never_read_exports(crowd: Crowd) -> None:
    """Ask for all games, and read nothing."""
    for _ in crowd.asked(get("/v1/games", "Accept: application/x-ndjson")):
        pass


def drip_read(crowd: Crowd) -> None:
    """Read the largest file byte by byte."""
    socks = list(crowd.asked(get(largest(), "Accept-Encoding: identity")))

    def read() -> None:
        for sock in socks:
            with contextlib.suppress(OSError):
                sock.recv(1)
        crowd.stop.wait(0.1)

    crowd.until_the_end(read)


def slow_heads(crowd: Crowd) -> None:
    """Send heads that do not end."""
    socks = list(crowd.asked(get("/v1/games", "X: x")[:-2]))

    def write() -> None:
        for sock in socks:
            with contextlib.suppress(OSError):
                sock.sendall(b"X: x\r\n")
        crowd.stop.wait(0.2)

    crowd.until_the_end(write)


def slow_bodies(crowd: Crowd) -> None:
    """Send bodies that do not end."""
    head = b"POST /v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n"
    socks = list(crowd.asked(head))

    def write() -> None:
        for sock in socks:
            with contextlib.suppress(OSError):
                sock.sendall(b"x")
        crowd.stop.wait(0.2)

    crowd.until_the_end(write)


def idle(crowd: Crowd) -> None:
    """Connect and send nothing."""
    for _ in crowd.asked():
        pass


def files(crowd: Crowd) -> None:
    """Read the largest file, uncompressed."""
    crowd.asking(largest, **{"Accept-Encoding": "identity"})


def streams(crowd: Crowd) -> None:
    """Open far more event streams than allowed."""
    for _ in crowd.asked(get(f"/v1/tables/{crowd.target.table}/events")):
        pass


def pictures(crowd: Crowd) -> None:
    """Ask for a picture of another moment each time."""
    chance, game = crowd.target.chance, crowd.target.game
    crowd.asking(lambda: f"/pictures/{game}?t={chance.randint(1, 26)}&x={chance.random()}")


def explorer(crowd: Crowd) -> None:
    """Ask the explorer and the statistics for answers that are not cached."""
    chance = crowd.target.chance
    crowd.asking(
        lambda: chance.choice(
            [
                f"/v1/explorer?min_rating={chance.random()}",
                f"/v1/stats/leads?min_rating={chance.random()}",
                f"/stats/cards?min_rating={chance.random()}",
            ]
        ),
        Accept="text/html, application/json;q=0.9",
    )


def links(crowd: Crowd) -> None:
    """Ask for the page of a code with another name each time."""
    chance, code = crowd.target.chance, crowd.target.code
    crowd.asking(lambda: f"/r/{code}?p1={chance.random()}", Accept="text/html")


def names(crowd: Crowd) -> None:
    """Ask for players with names of many letters and combining marks."""
    marks = quote("e" + "\u0327\u0308" * 80)
    crowd.asking(lambda: f"/v1/games?player={marks}{crowd.target.chance.random()}")


def floods(crowd: Crowd) -> None:
    """Connect, send many requests at once, and leave."""

    def flood() -> None:
        with socket.create_connection(("127.0.0.1", crowd.target.port), timeout=2) as sock:
            sock.sendall(get(f"/v1/games?limit={crowd.target.chance.randint(1, 900)}") * 20)
        # A larger flood would mostly load this machine, which also has to generate it.
        crowd.stop.wait(0.5)

    crowd.until_the_end(flood)


WAYS: dict[str, Callable[[Crowd], None]] = {
    way.__name__.replace("_", "-"): way
    for way in (never_read, never_read_files, never_read_exports, drip_read, slow_heads,
                slow_bodies, idle, files, streams, pictures, explorer, links, names, floods)
}  # fmt: skip


# What must go on --------------------------------------------------------------------------------


class Served:
    """A server under attack by strangers."""

    def __init__(self, folder: Path, games: list[str], seed: int) -> None:
        path = folder / "games.duckdb"
        with Archive.open(path) as archive:
            for record in games:
                assert archive.store(record, by="strangers").status == "stored"
            game = archive.games(limit=1).games[0].id
        tokens = tokens_at(path)
        self.reader = tokens.create("reader", "read")[0]
        self.writer = tokens.create("writer", "record")[0]
        self.log = (folder / "log").open("wb")
        self.process = Claimlog(
            ["serve", "--db", path, "--port", "0", *WORLD],
            stdout=subprocess.PIPE, stderr=self.log,
        )  # fmt: skip
        assert self.process.stdout is not None
        place = re.search(r"http://\S+:([0-9]+)", self.process.stdout.readline().decode())
        assert place, (folder / "log").read_text()
        self.url = place[0]
        with self._client(self.writer) as http:
            opened = http.post("/v1/tables", json={"deck": "GKUWX", "players": ["A", "B"]}).json()
        self.table, self.scorer = opened["id"], opened["token"]
        self.entries = 0
        code = encode(next(replay_text(games[0])))
        self.target = Target(int(place[1]), game, code, self.table, random.Random(seed))

    def _client(self, token: str = "") -> httpx.Client:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx.Client(base_url=self.url, headers=headers, timeout=PATIENCE)

    def faults(self) -> list[str]:
        """Return the requests that must be answered but are not, each on a separate connection."""
        faults = []
        for what, token, act in (
            ("/health", "", lambda http: http.get("/health")),
            ("a reader", self.reader, lambda http: http.get("/v1/stats/count")),
            ("a writer", self.writer, lambda http: http.get("/v1/games?limit=5")),
            ("a scorer", self.scorer, self._score),
            ("a scorer who watches", self.scorer, self._watch),
        ):
            try:
                with self._client(token) as http:
                    answer = act(http)
                if answer.status_code != 200:
                    faults.append(f"{what}: {answer.status_code} {answer.text[:200]}")
            except httpx.HTTPError as error:
                faults.append(f"{what}: {error!r}")
        return faults

    def _score(self, http: httpx.Client) -> httpx.Response:
        entry = {"id": f"e{self.entries}", "kind": "enter", "word": "U7"}
        actions = {"device": "phone", "after": self.entries, "entries": [entry]}
        answer = http.post(f"/v1/tables/{self.table}/actions", json=actions)
        self.entries += answer.status_code == 200
        return answer

    def _watch(self, http: httpx.Client) -> httpx.Response:
        with http.stream("GET", f"/v1/tables/{self.table}/events") as answer:
            if answer.status_code == 200:
                next(answer.iter_lines())
                return httpx.Response(200)
            answer.read()
            return answer

    def round_of(self, way: str, connections: int, times: int) -> list[str]:
        """Let the strangers do one thing, and check repeatedly that the others are answered."""
        crowd = Crowd(self.target, connections)
        try:
            WAYS[way](crowd)
            return [f"{way}: {fault}" for _ in range(times) for fault in self.faults()]
        finally:
            crowd.end()

    def left(self) -> list[str]:
        """What strangers still hold after leaving; the server takes a moment to notice."""
        wanted = {"claimlog_watchers 0", "claimlog_streams 0"}
        lines: set[str] = set()
        for _ in range(100):
            with self._client(self.writer) as http:
                lines = set(http.get("/metrics").text.splitlines())
            if wanted <= lines:
                return []
            threading.Event().wait(0.2)
        return [line for line in lines if line.startswith(("claimlog_watchers ", "claimlog_stre"))]

    def memory(self) -> int:
        """The server's peak memory in bytes; 0 if the system does not report it."""
        with contextlib.suppress(OSError):
            status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
            return int(re.findall(r"VmHWM:\s+([0-9]+)", status)[0]) << 10
        return 0

    def close(self) -> None:
        """Stop it; raise if it does not stop."""
        self.process.terminate()
        self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.log.close()


def main() -> int:
    """Let strangers try all attacks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=300)
    parser.add_argument(
        "--times", type=int, default=20, help="number of checks while strangers are there"
    )
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--ways", nargs="*", default=list(WAYS), choices=list(WAYS))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        served = Served(Path(folder), [game(n) for n in range(options.games)], options.seed)
        try:
            for way in options.ways:
                new = served.round_of(way, options.connections, options.times)
                memory = served.memory() >> 20
                print(f"{way}: {len(new)} of {5 * options.times} not answered, {memory} MB")
                faults += new
            faults += served.left()
        finally:
            served.close()
    print(*faults[:50], sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
