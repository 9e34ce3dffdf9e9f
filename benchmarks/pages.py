"""The server's pages on an archive of a million games, compared with the JSON behind them.

They are requested after the server has computed what it prepares for visitors.  Each address is
requested once, so that no answer is cached (except the first page, which never is); then a game is
stored and the same addresses are requested again, as on a server to which somebody writes all the
time.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
from pathlib import Path
from typing import TYPE_CHECKING, Final

import harness
import tournaments
import web

if TYPE_CHECKING:
    from collections.abc import Iterator

GAMES: Final = 1_000_000
PAGE_GOAL, STATISTIC_GOAL = 50.0, 150.0
HTML: Final = "text/html"
STATISTICS: Final = ("factions", "upcards", "cards", "results", "leads", "lead-lengths", "times")


def addresses(server: web.Server, number: int) -> dict[str, list[str]]:
    """Addresses of pages, by content."""

    def found(path: str, name: str) -> list[dict[str, str]]:
        rows: list[dict[str, str]] = json.loads(server.get(path)[1])[name]
        return rows

    games = found(f"/v1/games?sort=date&limit={number}", "games")
    players = found("/v1/players?limit=1000", "players")
    players = players[:: max(1, len(players) // number)][:number]
    events = found("/v1/events?limit=1000", "events")
    events = events[:: max(1, len(events) // number)][:number]
    years = range(2019, 2019 + min(number, 8))
    return {
        "first page": ["/"] * number,
        "search, all games": [f"/games?sort={sort}" for sort in ("newest", "date", "event")],
        "search, a player": [f"/games?player={one['id']}" for one in players],
        "search, a year": [f"/games?since={year}&until={year}&seats=2" for year in years],
        "game": [f"/games/{one['id']}" for one in games],
        "players": [f"/players?sort={sort}" for sort in ("games", "rate", "name")],
        "player": [f"/players/{one['id']}" for one in players],
        "events": [f"/events?sort={sort}" for sort in ("last", "games", "name")],
        "event": [f"/events/{one['id']}" for one in events],
        "wall": [f"/events/{one['id']}/wall" for one in events],
        "faction": [f"/factions/{letter}" for letter in "GKNIMPABDF"[:number]],
        "statistics, all games": [f"/stats/{kind}" for kind in STATISTICS],
        "statistics, an event": [
            f"/stats/{kind}?event={one['id']}" for one in events[:3] for kind in STATISTICS
        ],
        "explorer": ["/explorer?trick=1", "/explorer?after=K5", "/explorer?phase=2&after=G"],
    }


@contextlib.contextmanager
def archive(given: Path | None, games: int, seed: int) -> Iterator[Path]:
    """The given archive, or a new one."""
    if given is not None:
        yield given
        return
    with harness.scratch() as folder:
        text, db = folder / "games.clm", folder / "games.duckdb"
        harness.progress(f"writing and importing {games} games")
        tournaments.write(text, games, folder, seed)
        harness.run(harness.claimlog("import", "--db", db, text))
        text.unlink()
        yield db


def main() -> None:
    """Run the benchmark."""

    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--db", type=Path, help="an archive to query; one game is stored in it")
        parser.add_argument("--games", type=int, default=GAMES, help="number of games without --db")

    options = harness.arguments(__doc__.split("\n")[0], add)
    games = 300 if options.smoke else options.games
    claim = "a page within 50 ms, a statistic within 150 ms"
    harness.heading(options, {}, claim)
    with archive(options.db, games, options.seed) as db, harness.scratch() as folder:
        port = web.free_port()
        words = ("serve", "--db", db, "--port", str(port), "--no-log-requests")
        with web.Server(harness.claimlog(*words), port) as server:
            measure(server, folder, options)


def measure(server: web.Server, folder: Path, options: argparse.Namespace) -> None:
    """Request the pages, and print how long they took."""
    ahead = server.rest()
    kinds = addresses(server, 1 if options.smoke else 10)
    first = asked(server, kinds)
    record = next(iter(tournaments.records(1, folder, options.seed, part=1)))
    server.post("/v1/games?doubtful=beside", record.encode(), "text/x-claim")
    again = asked(server, kinds)
    rows, medians = [], {}
    for kind, paths in kinds.items():
        data = [
            1000 * server.get(f"/v1{path}")[0]
            for path in paths
            if path != "/" and not path.endswith("/wall") and not path.startswith("/factions")
        ]
        sizes = [size for _, size in first[kind]]
        one, two = ([1000 * seconds for seconds, _ in figures[kind]] for figures in (first, again))
        medians[kind] = statistics.median(one), statistics.median(two)
        rows.append(
            [
                kind,
                f"{medians[kind][0]:.1f} ({max(one):.0f})",
                f"{medians[kind][1]:.1f} ({max(two):.0f})",
                f"{statistics.median(data):.1f}" if data else "",
                f"{max(sizes) / 1000:.0f}",
            ]
        )
    harness.title(
        options,
        f"Pages, ms: median (longest) after the server has warmed up ({ahead:.1f} s of processor "
        "time); the API's JSON; the largest page",
    )
    harness.table(options, ["page", "first", "after a game was stored", "JSON", "kB"], rows)
    statistic = [kind for kind in kinds if kind.startswith(("statistics", "explorer"))]
    for goal, those in (
        (PAGE_GOAL, [kind for kind in kinds if kind not in statistic]),
        (STATISTIC_GOAL, statistic),
    ):
        for which, name in ((0, "first"), (1, "after a game was stored")):
            slow = {kind: medians[kind][which] for kind in those if medians[kind][which] > goal}
            latencies = ", ".join(f"{kind} {value:.0f} ms" for kind, value in slow.items()) or "all"
            harness.goal(options, f"pages within {goal:.0f} ms, {name}", not slow, latencies)


def asked(server: web.Server, kinds: dict[str, list[str]]) -> dict[str, list[tuple[float, int]]]:
    """How long each page took, in seconds, and how many bytes it has."""
    latencies = {}
    for kind, paths in kinds.items():
        answers = [server.get(path, HTML) for path in paths]
        latencies[kind] = [(seconds, len(body)) for seconds, body in answers]
    return latencies


if __name__ == "__main__":
    main()
