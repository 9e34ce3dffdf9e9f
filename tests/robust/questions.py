"""Ask an archive random questions, and count the answers again in plain Python.

Random games are stored; then questions with random conditions are asked: which games, how many,
statistics, standings, one player against another.  Each answer is counted again over the replayed
games, without SQL and without the rows of the archive.

    cd tests; python -m robust.questions --number 10000
"""

from __future__ import annotations

import argparse
import io
import random
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from store.naive import Game, seats_in_order
from store.random_games import records

from claimlog.cards import NAMES
from claimlog.game import Trick
from claimlog.replay.recorder import replay_text
from claimlog.store import Archive, BadQuery, Context, Filter, Rate

Condition = Callable[[Game], bool]
Counts = dict[Any, Any]
"""Number and points by key."""

GAMES = 300
PLAYERS = [f"Player Nr {number}" for number in range(1, 12, 2)]
"""Players who never have an Id: they are identified by name alone."""
LETTERS = sorted({name[0] for name in NAMES})
TERMINATIONS = ("normal", "resignation", "time")
GROUPS = ("seat", "side", "leader", "deck", "faction", "seats", "termination", "event", "year")


# Conditions ------------------------------------------------------------------------------


def seats_of(game: Game, name: str) -> list[int]:
    """The seats of the player with this name."""
    return [seat for seat in range(1, game.seats + 1) if game.name(seat) == name]


def how(game: Game, seat: int) -> str:
    """How a game went for a seat."""
    points = game.points(seat)
    return "none" if points is None else {1.0: "won", 0.0: "lost"}.get(points, "shared")


def other_side(game: Game, one: int, two: int) -> bool:
    """Whether two seats are on different sides."""
    return (one - two) % game.sides != 0


def partners(game: Game, one: int, two: int) -> bool:
    """Whether two of four seats are partners."""
    return game.seats == 4 and (one - two) % 4 == 2


def whose(chance: random.Random) -> tuple[dict[str, Any], Condition]:
    """A player, perhaps at a seat, with a partner, against an opponent, with an outcome."""
    name, other = chance.sample(PLAYERS, 2)
    asked: dict[str, Any] = {"player": name}
    more = chance.choice(("", "", "seat", "partner", "opponent", "outcome"))
    if more == "seat":
        asked["seat"] = chance.randrange(1, 5)
    elif more == "outcome":
        asked["outcome"] = chance.choice(("won", "lost", "shared"))
    elif more:
        asked[more] = other

    def holds(game: Game) -> bool:
        return any(
            asked.get("seat", seat) == seat
            and asked.get("outcome", how(game, seat)) == how(game, seat)
            and ("partner" not in asked or any(partners(game, seat, s) for s in theirs))
            and ("opponent" not in asked or any(other_side(game, seat, s) for s in theirs))
            for theirs in [seats_of(game, other)]
            for seat in seats_of(game, name)
        )

    return asked, holds


def date_between(chance: random.Random) -> tuple[dict[str, Any], Condition]:
    """From a date on, or up to one; a year, a month or a day."""
    year, month, day = (
        chance.randrange(2010, 2027),
        chance.randrange(1, 13),
        chance.randrange(1, 29),
    )
    text = f"{year}-{month:02}-{day:02}"[: chance.choice((4, 7, 10))]
    if chance.random() < 0.5:
        return {"since": text}, lambda game: game.tags["Date"] >= text
    return {"until": text}, lambda game: game.tags["Date"][: len(text)] <= text


def in_deck(chance: random.Random) -> tuple[dict[str, Any], Condition]:
    """Factions that are in the deck, or are not."""
    letters = set(chance.sample(LETTERS, chance.choice((1, 1, 2))))
    if chance.random() < 0.5:
        return {"factions": "".join(letters)}, lambda game: letters <= game.deck
    return {"without": "".join(letters)}, lambda game: not letters & game.deck


def cards_of(kind: str, trick: Trick) -> list[str | None]:
    """The cards of a trick that a condition on cards refers to."""
    if kind == "upcard":
        return list(trick.upcards)
    if trick.auto:
        return []
    if kind == "played":
        return [play.card for play in trick.plays]
    if kind == "led":
        return [play.card for play in trick.plays[:1]]
    return [play.card for play in trick.plays if play.seat == trick.winner]


def is_meant(text: str, card: str | None) -> bool:
    """Whether a card is the requested one, or of the requested faction."""
    return card is not None and (card == text or (len(text) == 1 and card[0] == text))


def with_card(chance: random.Random) -> tuple[dict[str, Any], Condition]:
    """A card or a faction played, led, winning or turned up; perhaps in certain tricks."""
    kind = chance.choice(("played", "led", "won", "upcard"))
    text = chance.choice(NAMES)[: chance.choice((1, 3))]
    first, last = 1, 26
    asked = text
    if chance.random() < 0.5:
        first = chance.randrange(1, 27)
        last = chance.choice((first, min(26, first + chance.randrange(9))))
        asked = f"{text}@{first}" if first == last else f"{text}@{first}-{last}"

    def holds(game: Game) -> bool:
        return any(
            is_meant(text, card)
            for trick in game.tricks()
            if first <= trick.number <= last
            for card in cards_of(kind, trick)
        )

    return {kind: (asked,)}, holds


def one_of(name: str, values: tuple[Any, ...], of: Callable[[Game], Any]) -> Any:
    """A condition that something has one of these values."""

    def make(chance: random.Random) -> tuple[dict[str, Any], Condition]:
        value = chance.choice(values)
        return {name: value}, lambda game: of(game) == value

    return make


def length(chance: random.Random) -> tuple[dict[str, Any], Condition]:
    """At least or at most a number of tricks."""
    number = chance.randrange(27)
    if chance.random() < 0.5:
        return {"min_tricks": number}, lambda game: len(game.tricks()) >= number
    return {"max_tricks": number}, lambda game: len(game.tricks()) <= number


def rated(chance: random.Random) -> tuple[dict[str, Any], Condition]:
    """Everybody has at least this rating."""
    least = 1200 + 10 * chance.randrange(12)
    return {"min_rating": least}, lambda game: all(
        float(game.tags.get(f"Rating{seat}", 0)) >= least for seat in range(1, game.seats + 1)
    )


def votes(chance: random.Random) -> tuple[dict[str, Any], Condition]:
    """Factions won, by side or in any order."""
    numbers = [chance.randrange(6) for _ in range(chance.choice((2, 2, 3)))]
    if chance.random() < 0.5:
        return {"votes": "-".join(map(str, numbers))}, lambda game: game.votes == numbers
    numbers.sort()
    return {"votes": ":".join(map(str, numbers))}, lambda game: sorted(game.votes or []) == numbers


CONDITIONS: tuple[Callable[[random.Random], tuple[dict[str, Any], Condition]], ...] = (
    whose,
    whose,
    date_between,
    in_deck,
    with_card,
    with_card,
    length,
    rated,
    votes,
    one_of("event", ("Open 0", "Open 1", "Open 2"), lambda game: game.tags["Event"]),
    one_of("site", ("Z\u00fcrich", "Bern"), lambda game: game.tags["Site"]),
    one_of("round", tuple(map(str, range(1, 12))), lambda game: game.tags["Round"]),
    one_of("seats", (2, 3, 4), lambda game: game.seats),
    one_of("leader", (1, 2, 3, 4), lambda game: game.replay.leader),
    one_of("complete", (True, False), lambda game: game.replay.complete),
    one_of("result", ("1-0", "0-1", "*", "1/2-1/2", "1-0-0"), lambda game: game.replay.result),
    one_of("termination", TERMINATIONS, lambda game: game.tags.get("Termination", "normal")),
)


def condition(chance: random.Random) -> tuple[Filter, Condition]:
    """A filter of up to three conditions, and a function that says whether it matches a game."""
    asked: dict[str, Any] = {}
    holding: list[Condition] = []
    for make in chance.sample(CONDITIONS, chance.choice((0, 1, 1, 2, 2, 3))):
        more, holds = make(chance)
        if not asked.keys() & more.keys():
            asked |= more
            holding.append(holds)
    return Filter(**asked), lambda game: all(holds(game) for holds in holding)


# Questions -------------------------------------------------------------------------------


class Tally:
    """Counts and points by key."""

    def __init__(self) -> None:
        self.counts: Counter[Any] = Counter()
        self.points: defaultdict[Any, float] = defaultdict(float)

    def add(self, key: Any, points: float | None) -> None:
        """Count an item with its points; None: it has no points."""
        if points is not None:
            self.counts[key] += 1
            self.points[key] += points

    def totals(self) -> Counts:
        """The values to compare: how often, and the points."""
        return {key: (count, round(self.points[key], 3)) for key, count in self.counts.items()}


def of_rates(rates: dict[Any, Rate]) -> Counts:
    """The same values from an answer of the archive."""
    return {key: (rate.count, round(rate.points, 3)) for key, rate in rates.items() if rate.count}


def which(archive: Archive, filter: Filter, games: list[Game], _: random.Random) -> Iterator[Any]:
    """Which games, and how many."""
    rows = archive.games(filter, sort="oldest", limit=1000).games
    yield [row.id for row in rows], [game.id for game in games]
    yield archive.count(filter), len(games)


def results(
    archive: Archive, filter: Filter, games: list[Game], chance: random.Random
) -> Iterator[Any]:
    """Results by a group."""
    by = chance.choice(GROUPS)
    number: Counter[str] = Counter()
    tally = Tally()
    for game in games:
        leader = game.replay.leader
        keys: list[tuple[str, int]] = {
            "seat": [(str(seat), seat) for seat in range(1, game.seats + 1)],
            "side": [(str(side), side) for side in range(1, game.sides + 1)],
            "leader": [(str(leader), leader)] if game.tricks() else [],
            "deck": [(game.tags["Deck"], leader)],
            "faction": [(letter, leader) for letter in game.deck],
            "seats": [(str(game.seats), leader)],
            "termination": [(game.tags.get("Termination", "normal"), leader)],
            "event": [(game.tags["Event"], leader)],
            "year": [(game.tags["Date"][:4], leader)],
        }[by]
        for key, seat in keys:
            number[key] += 1
            led = bool(game.tricks()) or by in ("seat", "side")
            tally.add(key, game.points(seat) if led else None)
    stats = archive.result_stats(by, filter)  # type: ignore[arg-type]
    yield {group.key: group.games for group in stats.groups}, dict(number)
    yield of_rates({group.key: group.result for group in stats.groups}), tally.totals()


def cards(
    archive: Archive, filter: Filter, games: list[Game], chance: random.Random
) -> Iterator[Any]:
    """Cards led, followed, discarded, and what they won."""
    phase = chance.choice((None, 1, 2))
    kinds: dict[str, Tally] = defaultdict(Tally)
    plays: Counter[str] = Counter()
    for game in games:
        for trick in game.tricks():
            if phase not in (None, trick.phase):
                continue
            for place, play in enumerate(trick.plays):
                if play.card is None:
                    continue
                kind = "discarded" if trick.auto else "followed" if place else "led"
                plays[play.card] += 1
                kinds[kind].add(play.card, game.points(play.seat))
                if not trick.auto and trick.winner is not None:
                    kinds[f"won_{kind}"].add(play.card, float(play.seat == trick.winner))
    stats = archive.card_stats(filter, phase=phase)
    yield {entry.card: entry.plays for entry in stats}, dict(plays)
    for kind in ("led", "followed", "discarded", "won_led", "won_followed"):
        yield of_rates({entry.card: getattr(entry, kind) for entry in stats}), kinds[kind].totals()


def upcards(archive: Archive, filter: Filter, games: list[Game], _: random.Random) -> Iterator[Any]:
    """Upcards shown, and how it went for the seat that took them and for the trick's winner."""
    shown: Counter[str] = Counter()
    winner = Tally()
    for game in games:
        for trick in game.tricks():
            shown.update(trick.upcards)
            if trick.winner is not None:
                for card in trick.upcards:
                    winner.add(card, game.points(trick.winner))
    stats = archive.upcard_stats(filter)
    yield {entry.card: entry.shown for entry in stats}, dict(shown)
    yield of_rates({entry.card: entry.winner for entry in stats}), winner.totals()


def factions(
    archive: Archive, filter: Filter, games: list[Game], _: random.Random
) -> Iterator[Any]:
    """Factions: how often in the deck of complete games, and what winning them was worth."""
    there: Counter[str] = Counter()
    worth = Tally()
    for game in games:
        if not game.replay.complete or game.replay.score is None:
            continue
        there.update(game.deck)
        for letter in game.deck:
            winner = game.replay.score.factions[letter].winner
            if winner is not None:
                worth.add(letter, game.points(winner))
    stats = archive.faction_stats(filter)
    yield {entry.faction: round(entry.in_deck.points) for entry in stats}, dict(there)
    yield of_rates({entry.faction: entry.worth for entry in stats}), worth.totals()


def lengths(
    archive: Archive, filter: Filter, games: list[Game], chance: random.Random
) -> Iterator[Any]:
    """The lengths of leads."""
    phase = chance.choice((None, 1, 2))
    number: Counter[int] = Counter()
    for game in games:
        for wanted in (1, 2) if phase is None else (phase,):
            before = None
            run = 0
            for trick in [*game.tricks(), None]:
                here = trick.leader if trick is not None and trick.phase == wanted else None
                if here is not None and here == before:
                    run += 1
                    continue
                number[run] += bool(run)
                before, run = here, int(here is not None)
    stats = archive.lead_lengths(filter, phase=phase)
    yield (
        {entry.length: entry.count for entry in stats.lengths},
        {k: n for k, n in number.items() if n},
    )


def explored(
    archive: Archive, filter: Filter, games: list[Game], chance: random.Random
) -> Iterator[Any]:
    """What was played in a context."""
    played = [chance.choice(NAMES)[:1] for _ in range(chance.choice((0, 0, 1, 2)))]
    context = Context(
        trick=chance.choice((None, None, 1, 2, 14)),
        played=played,
        upcard=chance.choice((None, None, *LETTERS)),
    )
    number: Counter[str] = Counter()
    tally = Tally()
    for game in games:
        for trick in game.tricks():
            if (
                trick.auto
                or len(trick.plays) <= len(played)
                or context.trick not in (None, trick.number)
                or (context.upcard and not any(is_meant(context.upcard, c) for c in trick.upcards))
                or not all(map(is_meant, played, (play.card for play in trick.plays)))
            ):
                continue
            play = trick.plays[len(played)]
            assert play.seat == seats_in_order(trick, game.seats)[len(played)]
            if play.card is not None:
                number[play.card] += 1
                tally.add(play.card, game.points(play.seat))
    answer = archive.explore(context, filter)
    yield {move.card: round(move.share.points) for move in answer.moves}, dict(number)
    yield of_rates({move.card: move.result for move in answer.moves}), tally.totals()


@cache
def named(archive: Archive, player: int) -> tuple[str, bool]:
    """A player's name, and whether the records give an Id."""
    names = archive.player(player).player
    return names.name, any(name.startswith("id-") for name in names.names)


def standings(
    archive: Archive, filter: Filter, games: list[Game], chance: random.Random
) -> Iterator[Any]:
    """Everybody's games and points in an event; a player with an Id is a different one."""
    event = f"Open {chance.randrange(3)}"
    tally = Tally()
    for game in games:
        if game.tags["Event"] == event:
            for seat in range(1, game.seats + 1):
                tally.add((game.name(seat), f"Id{seat}" in game.tags), game.points(seat))
    answer = archive.standings(event, filter)
    counted = Tally()
    for line in answer.lines:
        who = named(archive, line.player)
        counted.counts[who] += line.games
        counted.points[who] += line.points
    yield {key: total for key, total in counted.totals().items() if total[0]}, tally.totals()


def meetings(
    archive: Archive, filter: Filter, games: list[Game], chance: random.Random
) -> Iterator[Any]:
    """Two players against each other and together."""
    one, two = chance.sample(PLAYERS, 2)
    tally = Tally()
    for game in games:
        for mine in seats_of(game, one):
            for theirs in seats_of(game, two):
                against = other_side(game, mine, theirs)
                tally.add("against" if against else "together", game.points(mine))
    answer = archive.head_to_head(one, two, filter)
    yield of_rates({"against": answer.against, "together": answer.together}), tally.totals()


IMPOSSIBLE = ("question.no-deck", "question.no-sides")
"""Why conditions are refused that no game can meet together."""
KINDS = (
    which, which, results, cards, upcards, factions, lengths, explored, standings, meetings,
)  # fmt: skip


def ask(archive: Archive, games: list[Game], seed: int) -> str | None:
    """Ask one question; return None if the count agrees, otherwise the question."""
    chance = random.Random(seed)
    filter, holds = condition(chance)
    kind = chance.choice(KINDS)
    chosen = [game for game in games if holds(game)]
    asked = f"seed {seed}: {kind.__name__} {msgspec.json.encode(filter).decode()}"
    try:
        for answered, counted in kind(archive, filter, chosen, chance):
            if answered != counted:
                return f"{asked}: answered {answered}, counted {counted}"
    except BadQuery as error:
        if error.message.key not in IMPOSSIBLE or chosen:
            return f"{asked}: {error}, counted {len(chosen)} games"
    return None


def fill(archive: Archive, number: int, seed: int) -> list[Game]:
    """Store random games; return their replays."""
    texts = records(number, seed)
    data = io.BytesIO("\n".join(texts).encode())
    ids = [o.id for batch in archive.import_games(data.read, workers=1) for o in batch]
    assert all(ids)
    return [Game(next(replay_text(text)), id) for text, id in zip(texts, ids, strict=True) if id]


def main() -> int:
    """Ask many questions."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--number", type=int, default=10_000)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    wrong = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        Archive.open(Path(folder) / "games.duckdb", threads=1) as archive,
    ):
        games = fill(archive, arguments.games, arguments.seed)
        for seed in range(arguments.seed, arguments.seed + arguments.number):
            fault = ask(archive, games, seed)
            if fault is not None:
                wrong += 1
                print(fault)
    print(f"{arguments.number} questions about {len(games)} games, {wrong} wrong answers")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
