"""Cards as people say them: ``Knight 8``, ``Wikinger5``.

The notation has one letter and a value; dictated text has the faction's name, in one of the
languages, singular or plural.

>>> from claimlog.cards import NAMES
>>> NAMES[spoken_card("Wikinger5")], NAMES[spoken_card("Dwarf 3+")], spoken_card("what") == NO_CARD
('V5', 'W3', True)
"""

from __future__ import annotations

import re
from typing import Final

from claimlog.cards import CARD_AT, CARDS, FACTIONS, VALUE_ROOM
from claimlog.language import LANGUAGES
from claimlog.notation.tokens import NO_CARD

__all__ = ["spoken_card"]

ENOUGH: Final = 4
"""The number of letters that distinguish the factions, but not singular from plural."""

_WORD: Final = re.compile(r"([^\W\d_]{3,}) ?(\d{1,2})[+^!?]*")
_FACTIONS: Final = {
    faction.label(language)[:ENOUGH].lower(): number
    for number, faction in enumerate(FACTIONS)
    for language in LANGUAGES
}


def spoken_card(text: str) -> int:
    """The card named by a word and a value, or `NO_CARD`."""
    match = _WORD.fullmatch(text)
    faction = _FACTIONS.get(match[1][:ENOUGH].lower()) if match else None
    value = int(match[2]) if match else VALUE_ROOM
    if faction is None or value >= VALUE_ROOM:
        return NO_CARD
    card = CARD_AT[faction * VALUE_ROOM + value]
    return card if card < CARDS else NO_CARD
