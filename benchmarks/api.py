"""The API compared with a quick alternative: FastAPI or Flask with SQLite.

The same games, the same questions at the same addresses.  The peers validate nothing, know two
filters and three statistics, and were loaded from claimlog's export; they have the indexes that
these questions need.  Each server runs alone while it is measured.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import harness
import tournaments
import web
from archive import filters, joined

PAGE: Final = "/v1/games?limit=50"
CLIENTS: Final = 32
QUESTIONS: Final = (
    ("page of a player", PAGE, "a player"),
    ("page of an event", PAGE, "an event"),
    ("page of a month", PAGE, "a month"),
    ("seats, all games", "/v1/stats/results?by=seat", "all games"),
    ("seats, a player", "/v1/stats/results?by=seat", "a player"),
    ("seats, an event", "/v1/stats/results?by=seat", "an event"),
    ("seats, a month", "/v1/stats/results?by=seat", "a month"),
    ("seats, a year", "/v1/stats/results?by=seat", "a year"),
    ("factions, all games", "/v1/stats/factions?", "all games"),
    ("factions, a player", "/v1/stats/factions?", "a player"),
    ("factions, an event", "/v1/stats/factions?", "an event"),
    ("factions, a month", "/v1/stats/factions?", "a month"),
    ("factions, a year", "/v1/stats/factions?", "a year"),
)


def main() -> None:
    """Run the benchmark."""

    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=100_000, help="number of games")

    options = harness.arguments(__doc__.split("\n")[0], add)
    rounds = options.rounds or (1 if options.smoke else 3)
    games = 500 if options.smoke else options.games
    peers = harness.find_peers(options, "fastapi", "flask")
    claim = "compared with a small custom API: slower for few games, faster for many"
    harness.heading(options, peers, claim)
    with harness.scratch() as folder:
        rows, more = prepare(folder, games, rounds * (40 if options.smoke else 600), options)
        commands, built = build(folder, peers, games, rows)
        results: dict[str, list[dict[str, float]]] = {name: [] for name in commands}
        ids = sample(rows, options)
        for turn in range(rounds):
            for name, command in commands.items():
                harness.progress(f"querying {name}, round {turn + 1}")
                port = web.free_port()
                with web.Server(command(port), port) as server:
                    new = more[turn::rounds]
                    results[name].append(ask(server, name, games, ids, new, folder, options))
    print_all(options, results, built, games, rounds)


def prepare(
    folder: Path, games: int, later: int, options: argparse.Namespace
) -> tuple[Path, list[tuple[str, str]]]:
    """Write the games and import them.

    Returns claimlog's export, and `later` games to store later: as CLM and as a line of an export.
    """
    harness.progress(f"writing {games} games")
    tournaments.write(folder / "games.clm", games, folder, options.seed)
    # Each play occurs once: the same play with other players would be checked as a possible
    # duplicate.
    plays = {
        record.partition("\n\n")[2]: record
        for record in tournaments.records(2 * later, folder, options.seed, part=1)
    }
    records = list(plays.values())[:later]
    (folder / "more.clm").write_text("".join(records))
    for name in ("games", "more"):
        db = folder / f"{name}.duckdb"
        harness.progress(f"importing {name}")
        harness.run(harness.claimlog("import", "--db", db, folder / f"{name}.clm"))
        out = folder / f"{name}.ndjson"
        words = ("export", "--db", db, "--format", "ndjson", "--output", out)
        harness.run(harness.claimlog(*words))
    lines = (folder / "more.ndjson").read_text().splitlines()
    return folder / "games.ndjson", list(zip(records, lines, strict=True))


def build(
    folder: Path, peers: dict[str, harness.Peer], games: int, rows: Path
) -> tuple[dict[str, Callable[[int], list[str | Path]]], dict[str, tuple[float, int]]]:
    """Fill all databases; return how each server is started, and seconds and bytes."""
    db = folder / "again.duckdb"
    harness.progress("importing again")
    done = harness.run(harness.claimlog("import", "--db", db, folder / "games.clm"))
    built = {"claimlog": (done.wall, db.stat().st_size)}
    words = ("serve", "--db", db, "--no-log-requests", "--port")
    commands: dict[str, Callable[[int], list[str | Path]]] = {
        "claimlog": lambda port: harness.claimlog(*words, str(port))
    }
    for peer in peers.values():
        if peer.present:
            harness.progress(f"filling the database of {peer.label}")
            file = folder / f"{peer.name}.sqlite"
            answer = peer.ask("build", file, rows)
            built[peer.label] = (answer["seconds"], file.stat().st_size)
            commands[peer.label] = lambda port, peer=peer, file=file: peer.command(
                "serve", file, str(port)
            )
    return commands, built


def sample(rows: Path, options: argparse.Namespace) -> list[str]:
    """The ids of some games."""
    with rows.open(encoding="utf-8") as lines:
        # The first member of a line is the row, whose first member is the id.
        ids = [line[len('{"row":{"id":"') :].split('"', 1)[0] for line in lines]
    return random.Random(options.seed).sample(ids, min(len(ids), 300))


def ask(
    server: web.Server,
    name: str,
    games: int,
    ids: list[str],
    new: list[tuple[str, str]],
    folder: Path,
    options: argparse.Namespace,
) -> dict[str, float]:
    """Measure a server; return milliseconds by question, and the figures under load."""
    figures = {"start": 1000 * server.start}
    server.rest()
    own = name == "claimlog"
    bodies = [(record if own else row).encode() for record, row in new]
    kind = "text/x-claim" if own else "application/json"
    alone = len(bodies) // 7
    times = [1000 * server.post("/v1/games", body, kind)[0] for body in bodies[:alone]]
    figures["store a game"] = harness.median(times)
    figures["store a game, 95 %"] = sorted(times)[int(len(times) * 0.95)]
    lists = []
    for body in bodies[alone : 2 * alone]:
        server.post("/v1/games", body, kind)
        lists.append(1000 * server.get(PAGE)[0])
    figures["list right after that"] = harness.median(lists)
    rate, _ = web.together([server], "/v1/games", bodies[2 * alone :], kind, CLIENTS)
    figures["together"] = rate
    paths = [f"/v1/games/{id}" for id in ids]
    figures["game, first time"] = web.millis(server, paths)[0]
    figures["game, again"] = web.millis(server, paths)[0]
    load = web.load(server, paths[:100], 1 if options.smoke else 5, folder)
    figures["rate"], figures["micros"] = load.rate, load.micros
    world = tournaments.make_world(games, options.seed)
    kinds = filters(world, 3 if options.smoke else 10)
    for question, path, kind in QUESTIONS:
        figures[question] = web.millis(server, [joined(path, word) for word in kinds[kind]])[0]
    step = max(1, len(world.events) // 10)
    events = [quote(event.name) for event in world.events[::step]]
    standings = [f"/v1/events/{event}/standings" for event in events]
    figures["standings"] = web.millis(server, standings)[0]
    check(server, kinds)
    return figures


def check(server: web.Server, kinds: dict[str, list[str]]) -> None:
    """Check that answers are not empty."""
    for kind in ("all games", "a player", "an event", "a year"):
        path = joined("/v1/stats/results?by=seat", kinds[kind][0])
        answer: Any = json.loads(server.get(path)[1])
        groups = answer["groups"] if isinstance(answer, dict) else answer
        if not groups or not groups[0]["result"]["count"]:
            raise harness.BenchmarkError(f"{path}: no games were counted")


def print_all(
    options: argparse.Namespace,
    results: dict[str, list[dict[str, float]]],
    built: dict[str, tuple[float, int]],
    games: int,
    rounds: int,
) -> None:
    """Print the tables."""
    harness.title(options, f"{harness.number(games)} games in the database")
    rows = []
    for name, (seconds, size) in built.items():
        work = "validated, stored" if name == "claimlog" else "rows of an export stored"
        rows.append([name, work, harness.number(games / seconds), harness.number(size / games)])
    harness.table(options, ["server", "work", "games/s", "B/game"], rows)
    names = list(results)
    middle = {
        name: {key: harness.median([turn[key] for turn in turns]) for key in turns[0]}
        for name, turns in results.items()
    }
    others = names[1:]
    rows = []
    for key in middle["claimlog"]:
        label = {
            "together": f"store games, {CLIENTS} clients, games/s",
            "rate": "the same 100 games, requests/s",
            "micros": "… server CPU µs a request",
        }
        row = [label.get(key, key + ", ms")]
        row += [harness.number(middle[name][key]) for name in names]
        for name in others:
            ratio = middle[name][key] / middle["claimlog"][key] if middle["claimlog"][key] else 0
            upwards = key in ("rate", "together")
            row.append(harness.number(1 / ratio if upwards and ratio else ratio) + " ×")
        rows.append(row)
    title = f"Median of {rounds} rounds; load by {web.load_tool()}; × is claimlog's advantage"
    harness.title(options, title)
    harness.table(options, ["query", *names, *(f"{name} ×" for name in others)], rows)


if __name__ == "__main__":
    main()
