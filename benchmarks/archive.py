"""The archive from ten thousand games to a million: import, size, and answers over HTTP.

Games of several years of tournaments are imported by `claimlog import` and served by `claimlog
serve`.  Each question is asked about several players, events and months, once each, so that no
answer is cached; only the load test asks for the same games again and again.
"""

from __future__ import annotations

import argparse
import json
import random
from calendar import monthrange
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import quote_plus

import harness
import tournaments
import web

SIZES: Final = (10_000, 100_000, 1_000_000)

PAGES: Final = {
    "page, newest first": "/v1/games?limit=50",
    "page, by date": "/v1/games?limit=50&sort=-date",
}
STATISTICS: Final = {
    "count": "/v1/stats/count?",
    "results by seat": "/v1/stats/results?by=seat",
    "results by faction": "/v1/stats/results?by=faction",
    "results by event": "/v1/stats/results?by=event",
    "factions": "/v1/stats/factions?",
    "cards": "/v1/stats/cards?",
    "upcards": "/v1/stats/upcards?",
    "leads": "/v1/stats/leads?",
    "lengths of leads": "/v1/stats/lead-lengths?",
    "explorer: first leads": "/v1/explorer?trick=1",
    "explorer: after a card": "/v1/explorer?after=K5",
    "explorer: upcard and lead": "/v1/explorer?phase=1&turned=U&after=G",
}
LISTS: Final = {"players": "/v1/players?limit=50", "events": "/v1/events?limit=50"}
COMBINATIONS: Final = (
    "player={player}&opponent={other}&outcome=won",
    "player={player}&seats=2&factions=U&since=2021&led=K",
    "event={event}&won=W9&played=T",
    "led=K9@1",
    "played=K",
    "played=K&played=U&won=X&upcard=R",
    "upcard=R@1-5&leader=1&seats=3",
    "deck=GKUWX&rules=LE2023&since=2022-06",
    "min_rating=1800&complete=true&votes=3:2",
    "text=keller+zurich&termination=normal",
)

START_GOAL, GAME_GOAL, RATE_GOAL, IMPORT_GOAL = 1.0, 5.0, 8_000, 30_000
PAGE_GOAL, STATISTIC_GOAL, COMBINATION_GOAL = 30.0, 150.0, 1000.0


@dataclass
class Measured:
    """The measurements of one size; times are in milliseconds."""

    games: int
    text: int
    imports: list[harness.Run] = field(default_factory=list)
    size: int = 0
    starts: list[float] = field(default_factory=list)
    game: tuple[float, float] = (0, 0)
    store: tuple[float, float] = (0, 0)
    kept: web.Load | None = None
    answers: dict[str, dict[str, tuple[float, float]]] = field(default_factory=dict)
    combinations: list[tuple[str, int, str, float]] = field(default_factory=list)


def filters(world: tournaments.World, number: int) -> dict[str, list[str]]:
    """Arguments by kind: none, players from the most active on, events, months, years."""
    entered = sorted({player for event in world.events for player in event.players})
    ranks = sorted({entered[int(len(entered) * (i / number) ** 2)] for i in range(number)})
    step = max(1, len(world.events) // number)
    events = world.events[::step][:number]
    months = [
        (f"{2019 + i % 8}-{1 + i % 12:02}", monthrange(2019 + i % 8, 1 + i % 12)[1])
        for i in range(number)
    ]
    years = range(2019, 2019 + min(number, 8))
    return {
        "all games": [""],
        "a player": [f"player={quote_plus(world.players[rank])}" for rank in ranks],
        "an event": [f"event={quote_plus(event.name)}" for event in events],
        "a month": [f"since={month}-01&until={month}-{last}" for month, last in months],
        "a year": [f"since={year}-01-01&until={year}-12-31" for year in years],
    }


def joined(path: str, argument: str) -> str:
    """A path with one more argument."""
    return path + ("" if path.endswith("?") or not argument else "&") + argument


def measure(folder: Path, games: int, options: argparse.Namespace, rounds: int) -> Measured:
    """Build an archive of `games` games and measure it."""
    text, db = folder / "games.clm", folder / "games.duckdb"
    harness.progress(f"writing {games} games")
    tournaments.write(text, games, folder, options.seed)
    measured = Measured(games, text.stat().st_size)
    for _ in range(rounds):
        harness.progress(f"importing {games} games")
        for path in folder.glob("games.duckdb*"):
            path.unlink()
        measured.imports.append(harness.run(harness.claimlog("import", "--db", db, text)))
    text.unlink()
    measured.size = db.stat().st_size
    if options.imports:
        return measured
    for _ in range(rounds + 1):
        with serve(db) as server:
            measured.starts.append(server.start)
    del measured.starts[0]
    harness.progress(f"querying {games} games")
    with serve(db) as server:
        ask(server, measured, folder, options)
    return measured


def serve(db: Path) -> web.Server:
    """A running `claimlog serve`."""
    port = web.free_port()
    words = ("serve", "--db", db, "--port", str(port), "--no-log-requests")
    return web.Server(harness.claimlog(*words), port)


def ask(server: web.Server, measured: Measured, folder: Path, options: argparse.Namespace) -> None:
    """Measure the answers."""
    world = tournaments.make_world(measured.games, options.seed)
    kinds = filters(world, 1 if options.smoke else 10)
    ids = []
    for argument in kinds["a year"]:
        page = json.loads(server.get(joined("/v1/games?limit=1000", argument))[1])
        ids += [game["id"] for game in page["games"]]
    random.Random(options.seed).shuffle(ids)
    paths = [f"/v1/games/{id}" for id in ids[: 20 if options.smoke else 300]]
    measured.game = web.millis(server, paths)
    measured.kept = web.load(server, paths[:100], 1 if options.smoke else 5, folder)
    for name, path in {**PAGES, **STATISTICS, **LISTS}.items():
        measured.answers[name] = {
            kind: web.millis(server, [joined(path, argument) for argument in arguments])
            for kind, arguments in kinds.items()
        }
    middle = world.events[len(world.events) // 2]
    for combination in COMBINATIONS:
        argument = combination.format(
            player=quote_plus(world.players[0]),
            other=quote_plus(world.players[1]),
            event=quote_plus(middle.name),
        )
        count = json.loads(server.get(joined("/v1/stats/count?", argument))[1])["games"]
        slowest, name = max(
            (server.get(joined(path, argument))[0], name)
            for name, path in {**PAGES, **STATISTICS}.items()
        )
        measured.combinations.append((argument, count, name, 1000 * slowest))
    more = tournaments.records(10 if options.smoke else 100, folder, options.seed, part=1)
    times = sorted(
        1000 * server.post("/v1/games", record.encode(), "text/x-claim")[0] for record in more
    )
    measured.store = times[len(times) // 2], times[-1]


def main() -> None:
    """Run the benchmark."""

    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--largest", type=int, default=SIZES[-1], help="number of games in the largest archive"
        )
        parser.add_argument("--imports", action="store_true", help="measure only imports")

    options = harness.arguments(__doc__.split("\n")[0], add)
    sizes = (300,) if options.smoke else [n for n in SIZES if n <= options.largest]
    rounds = options.rounds or (1 if options.smoke else 3)
    claim = "an archive of a million games is built in about a minute and answers at once"
    harness.heading(options, {}, claim)
    measured = []
    for games in sizes:
        with harness.scratch() as folder:
            measured.append(measure(folder, games, options, rounds))
    print_imports(options, measured, rounds)
    if not options.imports:
        print_answers(options, measured)


def print_imports(options: argparse.Namespace, measured: list[Measured], rounds: int) -> None:
    """Print the table of imports."""
    rows = []
    for m in measured:
        wall = harness.median([run.wall for run in m.imports])
        cpu = harness.median([run.cpu for run in m.imports])
        rows.append(
            [
                harness.number(m.games),
                harness.number(m.text / m.games),
                harness.number(wall),
                harness.number(m.games / wall),
                harness.number(m.games / min(run.wall for run in m.imports)),
                harness.number(1e6 * cpu / m.games),
                harness.number(m.size / m.games),
                harness.peak_text([run.peak for run in m.imports]),
            ]
        )
    harness.title(options, f"Import, median of {rounds}")
    head = ["games", "CLM B/game", "s", "games/s", "best", "CPU µs/game", "archive B/game"]
    harness.table(options, [*head, "peak MB"], rows)
    most = measured[-1]
    rate = most.games / harness.median([run.wall for run in most.imports])
    text = f"import of {IMPORT_GOAL} games/s"
    harness.goal(options, text, rate >= IMPORT_GOAL, harness.number(rate))


def print_answers(options: argparse.Namespace, measured: list[Measured]) -> None:
    """Print the other tables and goals."""
    rows = []
    for m in measured:
        assert m.kept is not None
        rows.append(
            [
                harness.number(m.games),
                f"{1000 * harness.median(m.starts):.0f}",
                f"{m.game[0]:.1f}",
                f"{m.game[1]:.1f}",
                harness.number(m.kept.rate),
                f"{m.kept.micros:.0f}",
                f"{m.store[0]:.1f}",
                f"{m.store[1]:.1f}",
            ]
        )
    harness.title(options, f"The server; load by {web.load_tool()}")
    head = ["games", "start ms", "game ms", "most", "cached games/s", "server CPU µs", "store ms"]
    harness.table(options, [*head, "most"], rows)
    for m in measured:
        harness.title(
            options, f"Answers from {harness.number(m.games)} games, ms: median (longest)"
        )
        kinds = list(next(iter(m.answers.values())))
        rows = [
            [name, *(f"{middle:.1f} ({most:.0f})" for middle, most in answer.values())]
            for name, answer in m.answers.items()
        ]
        harness.table(options, ["query", *kinds], rows)
    last = measured[-1]
    harness.title(options, f"Combinations of filters, {harness.number(last.games)} games")
    rows = [
        [f"`{text}`" if options.markdown else text, harness.number(count), name, f"{most:.0f}"]
        for text, count, name, most in last.combinations
    ]
    harness.table(options, ["filter", "games", "slowest page or statistic", "ms"], rows)
    goals(options, last)


def goals(options: argparse.Namespace, m: Measured) -> None:
    """Say which goals the largest archive reaches."""
    start = harness.median(m.starts)
    harness.goal(options, "start below 1 s", start < START_GOAL, f"{start:.2f} s")
    harness.goal(options, "a game below 5 ms", m.game[0] < GAME_GOAL, f"{m.game[0]:.1f} ms")
    assert m.kept is not None
    text = f"{RATE_GOAL} cached games a second"
    harness.goal(options, text, m.kept.rate >= RATE_GOAL, harness.number(m.kept.rate))
    narrow = ("a player", "an event", "a month", "a year")
    page = max(m.answers[name][kind][0] for name in PAGES for kind in narrow)
    harness.goal(options, "a filtered page below 30 ms", page < PAGE_GOAL, f"{page:.0f} ms")
    most = max(m.answers[name][kind][0] for name in STATISTICS for kind in narrow)
    text = "a filtered statistic below 150 ms"
    harness.goal(options, text, most < STATISTIC_GOAL, f"{most:.0f} ms")
    most = max(combination[3] for combination in m.combinations)
    text = "any combination of filters below 1 s"
    harness.goal(options, text, most < COMBINATION_GOAL, f"{most:.0f} ms")


if __name__ == "__main__":
    main()
