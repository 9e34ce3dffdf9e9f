"""The explorer: what was played at a moment of a trick, and how it went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from claimlog.cards import FACTION_OF, LETTERS, NAMES
from claimlog.store import types as t
from claimlog.store.codes import DECIDED, POINTS, WON
from claimlog.store.errors import BadQuery
from claimlog.store.ids import write_id
from claimlog.store.rates import RateCounter, rate
from claimlog.store.where import cards_sql

if TYPE_CHECKING:
    from claimlog.store.filter import Filter
    from claimlog.store.games import Games

MOST_EXAMPLES = 20


def explore(games: Games, context: t.Context, filter: Filter, examples: int) -> t.Explorer:
    """See `Archive.explore`."""
    if not 0 <= examples <= MOST_EXAMPLES:
        raise BadQuery(f"at most {MOST_EXAMPLES} examples", "examples")
    made = games.where(filter)
    parameters: list[Any] = []
    conditions = [made.inside("game", parameters), "auto = 0", *_conditions(context)]
    place = len(context.played) + 1
    condition = " AND ".join(f"({c})" for c in conditions)
    rows = games.database.rows(
        f"SELECT c{place}, h{place}, count(*), max(game, {max(examples, 1)}) FROM tricks "
        f"WHERE {condition} AND c{place} IS NOT NULL GROUP BY c{place}, h{place}",
        parameters,
    )
    counts: dict[int, int] = {}
    results: dict[int, RateCounter] = {}
    wins: dict[int, RateCounter] = {}
    found: dict[int, set[int]] = {}
    everything = RateCounter()
    for card, how, count, newest in rows:
        counts[card] = counts.get(card, 0) + count
        points = POINTS[how & 7]
        if points is not None:
            results.setdefault(card, RateCounter()).add(points * count, count)
            everything.add(points * count, count)
        if how & DECIDED:
            wins.setdefault(card, RateCounter()).add(count if how & WON else 0, count)
        found.setdefault(card, set()).update(newest)
    best = {card: sorted(found[card], reverse=True)[:examples] for card in found}
    newest_of_all = sorted({game for some in best.values() for game in some}, reverse=True)
    ids = _ids(games, newest_of_all)
    total = sum(counts.values())
    return t.Explorer(
        context=context,
        count=total,
        result=everything.rate(),
        moves=[
            t.ExplorerMove(
                card=NAMES[card],
                faction=LETTERS[FACTION_OF[card]],
                share=rate(total, counts[card]),
                won_trick=wins.get(card, RateCounter()).rate(),
                result=results.get(card, RateCounter()).rate(),
                examples=[ids[game] for game in best[card] if game in ids],
            )
            for card in sorted(counts, key=lambda card: (-counts[card], card))
        ],
        examples=[ids[game] for game in newest_of_all[:examples] if game in ids],
    )


def _conditions(context: t.Context) -> list[str]:
    conditions = []
    if context.trick is not None:
        if not 1 <= context.trick <= 26:
            raise BadQuery("tricks are 1 to 26", "trick")
        conditions.append(f"n = {context.trick}")
    if context.phase is not None:
        if context.phase not in (1, 2):
            raise BadQuery("a phase is 1 or 2", "phase")
        conditions.append(f"phase = {context.phase}")
    if context.seats is not None:
        if context.seats not in (2, 3, 4):
            raise BadQuery("Claim has 2, 3 or 4 seats", "seats")
        conditions.append(f"seats = {context.seats}")
    if context.upcard is not None:
        conditions.append(cards_sql(("up1", "up2"), context.upcard, "upcard"))
    if len(context.played) > 3:
        raise BadQuery("nobody is left to play after four cards", "played")
    for place, text in enumerate(context.played, 1):
        conditions.append(cards_sql((f"c{place}",), text, "played"))
    return conditions


def _ids(games: Games, numbers: list[int]) -> dict[int, str]:
    if not numbers:
        return {}
    listed = ", ".join(map(str, numbers))
    rows = games.database.rows(f"SELECT game, gid FROM games WHERE game IN ({listed})")
    return {game: write_id(gid) for game, gid in rows}
