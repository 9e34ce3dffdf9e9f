"""The pages of an event of 3,000 games: 150 players, 40 rounds of 75 tables.

Each page is requested repeatedly, as by spectators in a hall, and once right after a game was
stored.  Besides the time until it is complete, the server's processor time is measured.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from typing import TYPE_CHECKING, Final

import harness
import web

if TYPE_CHECKING:
    from collections.abc import Iterator

GOAL: Final = 50.0
"""Milliseconds."""
PLAYERS, ROUNDS = 150, 40
AGAIN: Final = 20


def records(texts: list[str], players: int, rounds: int, seed: int) -> Iterator[str]:
    """Games of an event, made from other games with its own players, date, round and table."""
    dice = random.Random(seed)
    names = [f"Player {number:03}" for number in range(1, players + 1)]
    games = iter(texts)
    for number in range(1, rounds + 1):
        dice.shuffle(names)
        for table in range(players // 2):
            about = {
                "Event": "Masters",
                "Date": f"2026-10-{number % 28 + 1:02}",
                "Round": number,
                "Table": table + 1,
                "Player1": names[2 * table],
                "Player2": names[2 * table + 1],
            }
            text = re.sub(r'^\[(Event|Player[12]) ".*"\]\n', "", next(games), flags=re.M)
            tags = "".join(f'[{name} "{value}"]\n' for name, value in about.items())
            yield text.replace('[CLM "1"]\n', f'[CLM "1"]\n{tags}', 1)


def main() -> None:
    """Run the benchmark."""
    options = harness.arguments(__doc__.split("\n")[0])
    harness.heading(options, {}, f"a page of an event of 3,000 games within {GOAL:.0f} ms")
    players, rounds = (10, 3) if options.smoke else (PLAYERS, ROUNDS)
    with harness.scratch() as folder:
        text, db = folder / "games.clm", folder / "games.duckdb"
        number = players // 2 * rounds
        harness.simulate(text, number + 1, 2, options.seed)
        texts = re.split(r"\n(?=\[CLM )", text.read_text())
        made = list(records(texts, players, rounds, options.seed))
        text.write_text("\n".join(made))
        harness.run(harness.claimlog("import", "--db", db, text))
        port = web.free_port()
        words = ("serve", "--db", db, "--port", str(port), "--no-log-requests")
        with web.Server(harness.claimlog(*words), port) as server:
            measure(server, texts[number], options)


def measure(server: web.Server, another: str, options: argparse.Namespace) -> None:
    """Measure the pages."""
    event = json.loads(server.get("/v1/events?limit=1")[1])["events"][0]["id"]
    again = 2 if options.smoke else AGAIN
    rows, slowest = [], 0.0
    for name, path in (
        ("event", f"/events/{event}"),
        ("last round, for the wall", f"/events/{event}/round"),
        ("wall", f"/events/{event}/wall"),
        ("printable standings", f"/events/{event}/print/standings"),
    ):
        server.get(path, "text/html")
        before = server.cpu()
        times = [1000 * server.get(path, "text/html")[0] for _ in range(again)]
        processor = 1000 * (server.cpu() - before) / again
        slowest = max(slowest, processor)
        rows.append([name, f"{harness.median(times):.1f}", f"{max(times):.0f}", f"{processor:.1f}"])
    record = re.sub(r'(?m)^\[Event ".*"\]\n', '[Event "Masters"]\n', another)
    server.post("/v1/games?doubtful=beside", record.encode(), "text/x-claim")
    before = server.cpu()
    taken = 1000 * server.get(f"/events/{event}", "text/html")[0]
    processor = 1000 * (server.cpu() - before)
    rows.append(["event, after a game was stored", f"{taken:.1f}", "", f"{processor:.0f}"])
    harness.title(options, "Pages of the event, ms: median, longest; processor time")
    harness.table(options, ["page", "median", "longest", "processor"], rows)
    figure = f"{max(slowest, processor):.0f} ms of processor time"
    harness.goal(options, f"pages within {GOAL:.0f} ms", max(slowest, processor) <= GOAL, figure)


if __name__ == "__main__":
    main()
