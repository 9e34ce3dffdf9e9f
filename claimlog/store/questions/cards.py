"""Factions, cards and upcards: how frequent they are, and how their players did."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, get_args

import msgspec
from msgspec import Meta

from claimlog.cards import CARDS, FACTION_OF, FACTIONS, LETTERS, NAMES
from claimlog.store.model.codes import (
    BY_LEADER,
    DECIDED,
    FACE_DOWN,
    POINTS,
    THREE_SIDES,
    WON,
)
from claimlog.store.model.filter import Filter
from claimlog.store.model.types import Rate
from claimlog.store.questions.arguments import ORDER, Least, Phase, Whose
from claimlog.store.questions.expected import Averages, exact_rate, expecting
from claimlog.store.questions.intervals import RateCounter, rate
from claimlog.store.questions.order import ordered
from claimlog.store.questions.question import EVERYTHING, OfPlayer, question
from claimlog.store.questions.where import in_phase, tricks_sql

if TYPE_CHECKING:
    from claimlog.store.questions.games import Games

# fmt: off
CardSort = Literal[
    "card", "-card", "plays", "-plays",
    "led", "-led", "led_low", "-led_low", "followed", "-followed", "followed_low", "-followed_low",
    "discarded", "-discarded", "discarded_low", "-discarded_low",
    "won_led", "-won_led", "won_led_low", "-won_led_low",
    "won_followed", "-won_followed", "won_followed_low", "-won_followed_low",
]
UpcardSort = Literal[
    "card", "-card", "shown", "-shown", "worth", "-worth",
    "taker", "-taker", "taker_low", "-taker_low", "winner", "-winner", "winner_low", "-winner_low",
]
# fmt: on


class FactionStat(msgspec.Struct, frozen=True, kw_only=True):
    """A faction in complete games; `worth_margin` compares its winners with the other sides."""

    faction: str
    name: str
    in_deck: Annotated[Rate, Meta(description="How often it is in the deck.")]
    decided: Annotated[Rate, Meta(description="Of those games, how often somebody won it.")]
    by_leader: Annotated[
        Rate, Meta(description="Of those decided, how often the side that led trick 1 won it.")
    ]
    margin: Annotated[float | None, Meta(description="The mean lead of the winner, in cards.")]
    worth: Annotated[Rate, Meta(description="The points of the side that won it.")]
    worth_margin: Annotated[
        float | None,
        Meta(description="The rate of `worth` minus that of a side that did not win it."),
    ]


@lru_cache(4096)
def _factions_of(deck: int) -> list[int]:
    """The numbers of a deck's factions."""
    return [f for f in range(len(FACTIONS)) if deck >> f & 1]


@question("/stats/factions", "Factions")
def faction_stats(games: Games, filter: Filter = EVERYTHING) -> list[FactionStat]:
    """Factions: how often in the deck, won, by how much, and what winning one is worth."""
    present = [0] * len(FACTIONS)
    rows: list[list[tuple[int, int, int]]] = [[] for _ in FACTIONS]
    total = 0
    winners = Averages()
    for number, code, count, lead in games.factions(filter):
        if number is None:
            total += count
            for f in _factions_of(code):
                present[f] += count
            continue
        rows[number].append((code, count, lead))
        points = POINTS[code & 7]
        if code & DECIDED and points is not None:
            winners.add(number, code & THREE_SIDES, points * count, count)
    stats = []
    for f, faction in enumerate(FACTIONS):
        if not present[f]:
            continue
        decided, by_leader, worth, without = (
            RateCounter(),
            RateCounter(),
            RateCounter(),
            RateCounter(),
        )
        margin = 0
        for code, count, lead in rows[f]:
            won = bool(code & DECIDED)
            decided.add(count if won else 0, count)
            if not won:
                continue
            by_leader.add(count if code & BY_LEADER else 0, count)
            margin += lead
            points = POINTS[code & 7]
            if points is not None:
                worth.add(points * count, count)
                sides = 3 if code & THREE_SIDES else 2
                without.add((1 - points) * count, (sides - 1) * count)
        own, others = expecting(exact_rate(worth), winners.of(f)), exact_rate(without)
        stats.append(
            FactionStat(
                faction=LETTERS[f],
                name=faction.name,
                in_deck=rate(total, present[f]),
                decided=decided.rate(),
                by_leader=by_leader.rate(),
                margin=margin / by_leader.count if by_leader.count else None,
                worth=own,
                worth_margin=None
                if own.rate is None or others.rate is None
                else own.rate - others.rate,
            )
        )
    return stats


class CardStat(msgspec.Struct, frozen=True, kw_only=True):
    """A card in all judged tricks: how often, and how the game went for its player.

    `led`, `followed` and `discarded` (face down) are disjoint.
    """

    RATES: ClassVar[tuple[str, ...]] = ("led", "followed", "discarded", "won_led", "won_followed")

    card: str
    faction: str
    plays: Annotated[int, Meta(description="How often it was played or discarded.")]
    led: Annotated[Rate, Meta(description="The points of the player who led it.")]
    followed: Annotated[Rate, Meta(description="The points of the player who followed with it.")]
    discarded: Annotated[
        Rate, Meta(description="The points of the player who discarded it face down.")
    ]
    won_led: Annotated[Rate, Meta(description="How often it won its trick when it was led.")]
    won_followed: Annotated[Rate, Meta(description="How often it won its trick when it followed.")]


class UpcardStat(msgspec.Struct, frozen=True, kw_only=True):
    """An upcard: how often, and how the game went for its taker and the trick's winner."""

    RATES: ClassVar[tuple[str, ...]] = ("taker", "winner")

    card: str
    faction: str
    shown: Annotated[int, Meta(description="How often it was turned up.")]
    taker: Annotated[Rate, Meta(description="The points of the player who took it.")]
    winner: Annotated[Rate, Meta(description="The points of the winner of the trick.")]
    worth: Annotated[
        float | None,
        Meta(description="The taker's rate minus the expected one, that of all takers."),
    ]


@question(
    "/stats/cards",
    "Cards",
    of_player=OfPlayer(
        "The cards that a player led, followed with and discarded, and how it went.", {}
    ),
)
def card_stats(
    games: Games,
    filter: Filter = EVERYTHING,
    *,
    phase: Phase = None,
    by: Whose = "anybody",
    sort: Annotated[CardSort, Meta(description=ORDER.format("plays"))] = "card",
    min_games: Least = 0,
) -> list[CardStat]:
    """Cards: led, followed, won and discarded, and how the game went."""
    where = games.summed(filter, by)
    if where is not None:
        source, parameters = "", where.parameters
        groups = f"SELECT * FROM card_sums g WHERE {where.sql}{in_phase(phase)}"
    else:
        source, parameters = tricks_sql(
            games.where(filter), "c1, c2, c3, c4, h1, h2, h3, h4, seats", in_phase(phase), by
        )
        groups = " UNION ALL ".join(
            f"SELECT seats, c{j} AS card, h{j} AS how, {j} = 1 AS led, count(*) AS number "
            f"FROM chosen WHERE c{j} IS NOT NULL"
            f"{f' AND place = {j}' if by == 'player' else ''} GROUP BY seats, c{j}, h{j}"
            for j in (1, 2, 3, 4)
        )
    rows = games.database.rows(
        f"{source} SELECT seats, card, how, led, sum(number) AS number FROM ({groups}) "
        "GROUP BY ALL HAVING sum(number) <> 0",
        parameters,
    )
    return ordered(_card_stats(rows), sort, get_args(CardSort), min_games)


@question(
    "/stats/upcards",
    "Upcards",
    of_player=OfPlayer("The upcards that a player took, and how it went.", {}),
)
def upcard_stats(
    games: Games,
    filter: Filter = EVERYTHING,
    *,
    by: Whose = "anybody",
    sort: Annotated[UpcardSort, Meta(description=ORDER.format("shown"))] = "card",
    min_games: Least = 0,
) -> list[UpcardStat]:
    """Upcards and what they are worth."""
    where = games.summed(filter, by)
    if where is not None:
        rows = games.database.rows(
            "SELECT seats, card, code, true, true, sum(number) FROM upcard_sums g "
            f"WHERE {where.sql} GROUP BY ALL",
            where.parameters,
        )
    else:
        source, parameters = tricks_sql(
            games.where(filter),
            "up1, up2, u1, u2, took1, took2, winner, seats",
            in_phase(1),
            by,
        )
        took, won = (
            ("took{k} IS NOT DISTINCT FROM own", "winner IS NOT DISTINCT FROM own")
            if by == "player"
            else ("true", "true")
        )
        rows = games.database.rows(
            source
            + " UNION ALL ".join(
                f"SELECT seats, up{k}, u{k}, {took.format(k=k)}, {won}, count(*) FROM chosen "
                f"WHERE up{k} IS NOT NULL GROUP BY ALL"
                for k in (1, 2)
            ),
            parameters,
        )
    shown = [0] * CARDS
    takers = [RateCounter() for _ in range(CARDS)]
    winners = [RateCounter() for _ in range(CARDS)]
    averages = Averages()
    for seats, number, code, took_it, won_it, count in rows:
        shown[number] += count
        for what, counts, points, tally in (
            ("taker", took_it, POINTS[code & 7], takers[number]),
            ("winner", won_it, POINTS[code >> 3], winners[number]),
        ):
            if counts and points is not None:
                tally.add(points * count, count)
                averages.add((what, number), (what, seats), points * count, count)
    stats = []
    for number in range(CARDS):
        if shown[number]:
            taker = expecting(exact_rate(takers[number]), averages.of(("taker", number)))
            winner = expecting(exact_rate(winners[number]), averages.of(("winner", number)))
            stats.append(
                UpcardStat(
                    card=NAMES[number],
                    faction=LETTERS[FACTION_OF[number]],
                    shown=shown[number],
                    taker=taker,
                    winner=winner,
                    worth=None
                    if taker.rate is None or taker.expected is None
                    else taker.rate - taker.expected,
                )
            )
    return ordered(stats, sort, get_args(UpcardSort), min_games)


def _card_stats(rows: list[tuple[Any, ...]]) -> list[CardStat]:
    """Card statistics from rows with one way of playing a card each."""
    plays = [0] * CARDS
    kinds = {
        name: [RateCounter() for _ in range(CARDS)]
        for name in ("led", "followed", "discarded", "won_led", "won_followed")
    }
    averages = Averages()
    for seats, number, code, led, count in rows:
        plays[number] += count
        how = "discarded" if code & FACE_DOWN else "led" if led else "followed"
        points = POINTS[code & 7]
        if points is not None:
            kinds[how][number].add(points * count, count)
            averages.add((how, number), (how, seats), points * count, count)
        if code & DECIDED and not code & FACE_DOWN:
            won = count if code & WON else 0
            kinds[f"won_{how}"][number].add(won, count)
            averages.add((f"won_{how}", number), (f"won_{how}", seats), won, count)

    def rate_of(name: str, number: int) -> Rate:
        return expecting(exact_rate(kinds[name][number]), averages.of((name, number)))

    return [
        CardStat(
            card=NAMES[number],
            faction=LETTERS[FACTION_OF[number]],
            plays=plays[number],
            led=rate_of("led", number),
            followed=rate_of("followed", number),
            discarded=rate_of("discarded", number),
            won_led=rate_of("won_led", number),
            won_followed=rate_of("won_followed", number),
        )
        for number in range(CARDS)
        if plays[number]
    ]
