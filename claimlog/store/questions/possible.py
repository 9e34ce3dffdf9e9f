"""Whether any game at all can meet a filter: some deck, and some number of sides.

Without this a search for Dragons in a deck without them would find nothing and not say why.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from claimlog.cards import LETTERS, all_decks, deck_of
from claimlog.results import parse_result
from claimlog.rules.setup import sides_of
from claimlog.store.model.errors import BadQuery
from claimlog.store.model.filter import values_of

if TYPE_CHECKING:
    from claimlog.store.model.filter import Filter

_CARDS: Final = ("played", "led", "won", "upcard")
_ANY: Final = (2, 3, 4)


def refuse_impossible(filter: Filter) -> None:
    """Raise BadQuery if no deck or no number of sides meets all conditions, each sound itself."""
    wanted = deck_of(filter.factions or "")
    for field in _CARDS:
        for text in getattr(filter, field):
            wanted |= 1 << LETTERS.index(text[0].upper())
    unwanted = deck_of(filter.without or "")
    # Games that were played, but not written down, may have no deck.
    if filter.deck is not None or wanted:
        decks = _decks(values_of(filter.seats), filter.rules in ("Classic", ("Classic",)))
        asked = {deck_of(deck) for deck in values_of(filter.deck)}
        if not any(
            deck & wanted == wanted and not deck & unwanted
            for deck in (asked & decks if asked else decks)
        ):
            fields = ("deck", "factions", "without", *_CARDS, "seats", "rules")
            _refuse("question.no-deck", filter, fields)
    sides = {sides_of(seats) for seats in values_of(filter.seats)} or {1, 2, 3}
    if filter.votes is not None:
        sides &= {text.count("-") + text.count(":") + 1 for text in values_of(filter.votes)}
    if filter.result is not None:
        sides &= {side for text in values_of(filter.result) for side in _sides_of(text)}
    if not sides:
        _refuse("question.no-sides", filter, ("seats", "votes", "result"))


@lru_cache(32)
def _decks(seats: tuple[int, ...], classic: bool) -> frozenset[int]:
    """Return the decks of all games with these numbers of seats; a bye may have any."""
    numbers = _ANY if not seats or 1 in seats else seats
    return frozenset(deck for number in numbers for deck in all_decks(number, classic=classic))


def _sides_of(text: str) -> set[int]:
    """Return the possible numbers of sides of a result; unfinished games may have any."""
    result = parse_result(text, alone=True)
    return {result // 8} if result else {1, 2, 3}


def _refuse(key: str, filter: Filter, fields: tuple[str, ...]) -> None:
    given = [field for field in fields if getattr(filter, field) not in (None, ())]
    raise BadQuery(key, names=given, field=given[-1])
