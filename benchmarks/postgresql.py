"""An archive in PostgreSQL with a lake, compared with the same archive in a file.

The file is served by one server, the archive in PostgreSQL by two, with one ``claimlog index``;
everything runs on one machine.  Each question is asked once of every archive, after the servers
have computed what they prepare for visitors, so that no answer is cached.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Final

import harness
import tournaments
import web
from archive import filters, joined

# The tests also start a PostgreSQL.
sys.path.insert(0, str(harness.ROOT / "tests"))

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GAMES: Final = 1_200_000
WRITERS: Final = 4
DIGESTS: Final = 2_000_000
BLOCK: Final = 20_000
PUTS: Final = 2.0
"""How many files of the lake a game that comes alone may take."""
ROLLED: Final = 50.0
"""Milliseconds that a statistic of all games may take from the sums beside the tables."""

QUESTIONS: Final = (
    ("page of a player", "/v1/games?limit=50", "a player"),
    ("page of an event", "/v1/games?limit=50", "an event"),
    ("page of a month", "/v1/games?limit=50", "a month"),
    ("seats, an event", "/v1/stats/results?by=seat", "an event"),
    ("seats, all games", "/v1/stats/results?by=seat", "all games"),
    ("cards, an event", "/v1/stats/cards?", "an event"),
    ("cards, a year", "/v1/stats/cards?", "a year"),
)
SUMMED: Final = ("cards", "upcards", "factions", "leads")


def main() -> None:
    """Run the benchmark."""

    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=GAMES, help="number of games")

    options = harness.arguments(__doc__.split("\n")[0], add)
    import backends

    harness.heading(
        options, {}, f"statistics of all games within {ROLLED:.0f} ms, whatever their number"
    )
    if reason := backends.why_not():
        print(f"Not run: {reason}.")
        return
    games = 300 if options.smoke else options.games
    with harness.scratch() as folder:
        # PostgreSQL runs as another user.
        folder.chmod(0o755)
        with backends.server(folder / "postgres") as postgres:
            postgres.stop()
            postgres.start(durable=True)
            postgres.execute("CREATE DATABASE claim", "CREATE DATABASE digests")
            rate = digests(postgres.address("digests"), 2_000 if options.smoke else DIGESTS)
            print(f"PostgreSQL alone stores {rate:,.0f} unique digests a second.\n")
            measure(folder, postgres.address("claim"), games, options)


def digests(address: str, number: int) -> float:
    """How many digests a second PostgreSQL takes into a unique index, if it does nothing else."""
    import psycopg

    with psycopg.connect(address) as connection:
        connection.execute("CREATE TABLE digests (digest bytea PRIMARY KEY)")
        connection.execute("CREATE TEMP TABLE new (digest bytea)")
        connection.commit()
        begin = time.perf_counter()
        for _ in range(0, number, BLOCK):
            with connection.cursor().copy("COPY new FROM STDIN (FORMAT binary)") as copy:
                copy.set_types(["bytea"])
                for _ in range(min(BLOCK, number)):
                    copy.write_row([os.urandom(32)])
            connection.execute("INSERT INTO digests TABLE new ON CONFLICT DO NOTHING")
            connection.execute("TRUNCATE new")
            connection.commit()
        return number / (time.perf_counter() - begin)


def measure(folder: Path, address: str, games: int, options: argparse.Namespace) -> None:
    """Fill both archives, measure questions and writes, and print the figures."""
    text, db, lake = folder / "games.clm", folder / "games.duckdb", folder / "lake"
    harness.progress(f"writing and importing {games} games")
    tournaments.write(text, games, folder, options.seed)
    imported = harness.run(harness.claimlog("import", "--db", db, text)).wall
    text.unlink()
    harness.progress("moving them into PostgreSQL and a lake")
    moved = harness.run(harness.claimlog("db", "move", db, address, "--lake", lake)).wall
    print(
        f"{games:,} games: imported into the file in {imported:.0f} s, moved from there into "
        f"PostgreSQL and the lake in {moved:.0f} s.\n"
    )
    print_sizes(address, db, lake, games)
    number = 40 if options.smoke else 2000
    new = [
        record.encode() for record in tournaments.records(2 * number, folder, options.seed, part=1)
    ]
    measured: dict[str, dict[str, float]] = {}
    for name, own in (("file", ["--db", db]), ("PostgreSQL", ["--db", address])):
        harness.progress(f"querying {name}")
        with serving(own, 1 if name == "file" else 2, folder) as servers:
            measured[name] = ask(servers, games, options)
            harness.progress(f"writing to {name}")
            half = new[:number] if name == "file" else new[number:]
            alone = half[: len(half) // 8]
            if name == "PostgreSQL":
                written = files_written(servers, lake, alone)
            measured[name] |= write(servers, half[len(alone) :])
    rows = [
        [question, *(f"{figures[question]:.1f}" for figures in measured.values())]
        for question in next(iter(measured.values()))
    ]
    harness.title(options, f"{games:,} games; milliseconds unless the row says otherwise")
    harness.table(options, ["query", *measured], rows)
    harness.goal(
        options,
        f"{PUTS:.0f} files of the lake for a game that comes alone",
        written <= PUTS,
        f"{written:.2f}",
    )
    slow = {name: measured["PostgreSQL"][all_games(name)] for name in SUMMED}
    latencies = ", ".join(f"{name} {value:.0f} ms" for name, value in slow.items())
    reached = max(slow.values()) <= ROLLED
    harness.goal(options, f"statistics of all games within {ROLLED:.0f} ms", reached, latencies)


def print_sizes(address: str, db: Path, lake: Path, games: int) -> None:
    """Print how many bytes a game takes."""
    import psycopg

    with psycopg.connect(address) as connection:
        row = connection.execute(
            "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c "
            "WHERE relnamespace = 'claimlog'::regnamespace AND relkind = 'r'"
        ).fetchone()
    assert row is not None
    tables = sum(path.stat().st_size for path in lake.rglob("*.parquet"))
    sizes = ", ".join(
        f"{name} {size / games:,.0f}"
        for name, size in (
            ("the file", db.stat().st_size),
            ("PostgreSQL", int(row[0])),
            ("the lake", tables),
        )
    )
    print(f"Bytes a game: {sizes}.\n")


def all_games(name: str) -> str:
    """The name of the question for a statistic of all games."""
    return f"{name}, all games"


@contextlib.contextmanager
def serving(own: list[str | Path], number: int, folder: Path) -> Iterator[list[web.Server]]:
    """This number of servers of an archive; if several, with a `claimlog index` for the lake.

    Each keeps its own data in `folder`.
    """
    with contextlib.ExitStack() as stack:
        if number > 1:
            indexer = subprocess.Popen(
                [str(word) for word in harness.claimlog("index", *own)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=harness.environment(),
            )
            stack.callback(indexer.wait)
            stack.callback(indexer.terminate)
        servers = []
        for one in range(number):
            port = web.free_port()
            words = ("serve", *own, "--port", str(port), "--no-log-requests")
            env = {"XDG_DATA_HOME": str(folder / f"data-{one}")}
            servers.append(stack.enter_context(web.Server(harness.claimlog(*words), port, env)))
        yield servers


def ask(servers: list[web.Server], games: int, options: argparse.Namespace) -> dict[str, float]:
    """Milliseconds by question."""
    for server in servers:
        server.rest()
    server = servers[0]
    figures = {}
    kinds = filters(tournaments.make_world(games, options.seed), 3 if options.smoke else 10)
    for question, path, kind in QUESTIONS:
        figures[question] = web.millis(server, [joined(path, word) for word in kinds[kind]])[0]
    for name in SUMMED:
        paths = [f"/v1/stats/{name}?seats={seats}" for seats in ("2", "3", "4")]
        figures[all_games(name)] = web.millis(server, [f"/v1/stats/{name}", *paths])[0]
    return figures


def write(servers: list[web.Server], new: list[bytes]) -> dict[str, float]:
    """How fast games are stored one at a time, and how far the lists lag behind then."""
    half = len(new) // 4
    alone = [servers[0].post("/v1/games", body, "text/x-claim")[0] for body in new[:half]]
    before = count(servers[-1])
    rate, median = web.together(servers, "/v1/games", new[half:], "text/x-claim", WRITERS)
    end = time.perf_counter()
    wait_for(servers[-1], before + len(new) - half)
    return {
        "store a game, one writer": 1000 * harness.median(alone),
        f"store a game, {WRITERS} writers": median,
        f"games/s, {WRITERS} writers": rate,
        "lists behind after that": 1000 * (time.perf_counter() - end),
    }


def files_written(servers: list[web.Server], lake: Path, new: list[bytes]) -> float:
    """How many files of the lake each game takes that comes when the lists have the one before."""
    before = len([*lake.rglob("*.parquet")])
    for body in new:
        # All are asked, because they close connections on which nothing is asked for long.
        known = [count(server) for server in servers]
        servers[0].post("/v1/games", body, "text/x-claim")
        wait_for(servers[0], known[0] + 1)
    return (len([*lake.rglob("*.parquet")]) - before) / len(new)


def wait_for(server: web.Server, games: int) -> None:
    """Wait until the lists have this number of games."""
    end = time.perf_counter() + web.PATIENCE
    while count(server) < games:
        if time.perf_counter() > end:
            raise harness.BenchmarkError("the lists do not catch up with the stored games")
        time.sleep(0.02)


def count(server: web.Server) -> int:
    """How many games the lists have."""
    return int(json.loads(server.get("/v1/stats/count")[1])["games"])


if __name__ == "__main__":
    main()
