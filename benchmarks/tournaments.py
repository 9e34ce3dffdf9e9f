"""The games of several years of tournaments, as CLM, for the benchmarks of the archive.

The play is simulated (2, 3 and 4 seats, random decks); players, times and places are invented.  A
large file uses each play several times under different headings, so that every record is different.
``python benchmarks/tournaments.py GAMES FILE`` writes one.
"""

from __future__ import annotations

import random
import sys
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate
from pathlib import Path
from typing import Final

import harness

DISTINCT: Final = 60_000
"""At most this many different plays are simulated."""

MIX: Final = {2: 3, 3: 1, 4: 1}
"""The frequency of each number of seats."""

_FIRST: Final = (
    "Anna Ben Clara David Elena Felix Greta Hans Ines Jonas Katja Lukas Mara Nils Olga Paul "
    "Rosa Simon Tanja Urs Vera Walter Yara Zoe Aline Bruno Carla Dario Esther Fabian"
)
_LAST: Final = (
    "Keller Roth Meier Huber Schmid Weber Fischer Wagner Becker Hoffmann Koch Bauer Richter "
    "Klein Wolf Neumann Schwarz Zimmermann Braun Krüger Hartmann Lange Werner Krause Lehmann "
    "Köhler Maier Mayer Huguenin Frei Baumann Graf Suter Gerber Brunner Moser Widmer "
    "Zaugg Lüthi"
)
_SITES: Final = (
    "Zurich Bern Basel Geneva Vienna Graz Berlin Hamburg Munich Cologne Essen Prague Lyon "
    "Milan Utrecht Ghent"
)
_KINDS: Final = ("Open", "Championship", "Cup", "League", "Masters", "Rapid")


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament: its name, where and when it began, its entrants."""

    name: str
    site: str
    first: date
    players: list[int]


@dataclass(frozen=True, slots=True)
class Play:
    """The simulated part of a record: its tags and its movetext."""

    seats: int
    tags: str
    moves: str


@dataclass(frozen=True, slots=True)
class World:
    """What can be asked for: names of players by how often they play, and of events."""

    players: list[str]
    events: list[Event]


def make_world(games: int, seed: int = 1) -> World:
    """The players and events of an archive of `games` games."""
    chance = random.Random(seed)
    people = min(2_000, max(20, games // 10))
    pairs = [(first, last) for last in _LAST.split() for first in _FIRST.split()]
    names = [f"{first} {last}" for first, last in pairs]
    # More people than names: the others have a second initial.
    names += [f"{first} {letter}. {last}" for letter in "AB" for first, last in pairs]
    chance.shuffle(names)
    names = names[:people]
    # Few people play often, many play rarely.
    weights = list(accumulate(1 / (30 + rank) for rank in range(people)))
    events = []
    sites = _SITES.split()
    number = min(600, max(3, games // 500))
    for i in range(number):
        entered: set[int] = set()
        wanted = min(people // 2, chance.choice((12, 24, 40, 80, 160)))
        while len(entered) < wanted:
            entered.add(bisect(weights, chance.random() * weights[-1]))
        # One in five was handed in long after it was played.
        place = i if chance.random() < 0.8 else chance.randrange(number)
        site = sites[i % len(sites)]
        year = 2019 + 8 * place // number
        first = date(2019, 1, 5) + timedelta(days=8 * 364 * place // number)
        kind = _KINDS[i // len(sites) % len(_KINDS)]
        events.append(Event(f"{site} {kind} {year} No. {i + 1}", site, first, sorted(entered)))
    return World(names, events)


def plays(folder: Path, number: int, seed: int) -> list[Play]:
    """Simulate `number` plays."""
    made = []
    for seats, share in MIX.items():
        path = folder / f"plays-{seats}-{number}-{seed}.clm"
        count = max(1, number * share // sum(MIX.values()))
        if not path.exists():
            words = ["-n", str(count), "--seats", str(seats), "--seed", str(seed)]
            words += ["--deck", "random", "--policy", "random", "--output", str(path)]
            harness.run(harness.claimlog("simulate", *words))
        for text in path.read_text().split('[CLM "1"]\n')[1:]:
            head, moves = text.split("\n\n", 1)
            kept = [line for line in head.split("\n") if not line.startswith(("[Event", "[Player"))]
            made.append(Play(seats, "\n".join(kept), moves.strip()))
    random.Random(seed).shuffle(made)
    return made


def records(games: int, folder: Path, seed: int = 1, part: int = 0) -> Iterator[str]:
    """Yield `games` different records, event by event; another `part` has other records."""
    world = make_world(games, seed)
    chance = random.Random(seed + part)
    stock = plays(folder, min(games, DISTINCT), seed + part)
    dealt: set[tuple[int, ...]] = set()
    ratings = [1200 + chance.randrange(900) for _ in world.players]
    left = games
    for i, event in enumerate(world.events):
        number = left // (len(world.events) - i)
        left -= number
        tables = max(1, len(event.players) // 3)
        met: set[tuple[int, ...]] = set()
        for k in range(number):
            # In order: none repeats before all others have come.
            number_of_play = (games - left - number + k) % len(stock)
            play = stock[number_of_play]
            rounds, table = divmod(k, tables)
            day = event.first + timedelta(days=rounds // 6)
            tags = [
                '[CLM "1"]',
                f'[Event "{event.name}"]',
                f'[Site "{event.site}"]',
                f'[Date "{day}"]',
                f'[Round "{rounds + 1 + 1000 * part}"]',
                f'[Table "{table + 1}"]',
            ]
            # The same people in a round, or the same play by the same people, would be one game.
            while True:
                seated = chance.sample(event.players, play.seats)
                who = sorted(seated)
                if (rounds, *who) not in met and (number_of_play, *who) not in dealt:
                    break
            met.add((rounds, *who))
            dealt.add((number_of_play, *who))
            tags += [f'[Player{s} "{world.players[p]}"]' for s, p in enumerate(seated, 1)]
            tags += [f'[Rating{s} "{ratings[p]}"]' for s, p in enumerate(seated, 1)]
            if part:
                tags.append(f'[Recorder "{part}"]')
            moves = play.moves
            known = play.tags
            if chance.random() < 0.02:
                # Stopped before its end.
                lines = moves.split("\n")
                moves = "\n".join([*lines[: chance.randrange(1, len(lines) - 1)], "*"])
                known = "\n".join(
                    line for line in known.split("\n") if not line.startswith(("[Votes", "[Result"))
                )
            yield "\n".join([*tags, known, "", moves, "", ""])


def write(path: Path, games: int, folder: Path, seed: int = 1, part: int = 0) -> None:
    """Write `games` records to `path`; the simulated games stay in `folder`."""
    with path.open("w", encoding="utf-8", newline="\n") as out:
        waiting = []
        for record in records(games, folder, seed, part):
            waiting.append(record)
            if len(waiting) == 1000:
                out.write("".join(waiting))
                waiting.clear()
        out.write("".join(waiting))


def main() -> None:
    """Write a file of games."""
    with harness.scratch() as folder:
        write(Path(sys.argv[2]), int(sys.argv[1]), folder)


if __name__ == "__main__":
    main()
