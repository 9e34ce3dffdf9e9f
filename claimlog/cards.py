"""The cards of Claim: the factions in the box, their cards, and the decks.

Every other module takes its knowledge of cards from here (rules.md, "Cards").

A *card* is a small integer, the index of its kind (from 0): factions in the order of `FACTIONS`,
values ascending.  Cards of the same kind (the five Goblins 0, the Gnomes and Giants) share one
integer; `COPIES` gives their number.  A *faction* is an integer too, its index in `FACTIONS`.  A
*deck* or any other set of factions is an integer with bit ``1 << faction`` set for each member.

>>> FACTIONS[FACTION_OF[card("K5")]].name
'Knights'
>>> NAMES[card("g0")], COPIES[card("G0")]
('G0', 5)
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

__all__ = [
    "CARDS",
    "CARD_AT",
    "COPIES",
    "DECK_ORDER",
    "DECK_PROBLEMS",
    "FACTIONS",
    "FACTION_COUNT",
    "FACTION_OF",
    "LETTERS",
    "LOWEST",
    "NAMES",
    "PAIRS",
    "UNKNOWN",
    "USED",
    "VALUE_OF",
    "VALUE_ROOM",
    "WHEN",
    "DeckError",
    "Faction",
    "all_decks",
    "card",
    "deck_letters",
    "deck_of",
    "deck_problem",
]


UNKNOWN: Final = 255
"""An unknown card."""

WHEN: Final = ("none", "1", "2", "both", "end")
"""When a faction's power acts: never, in one phase or in both, or when the game is scored."""


class Faction(NamedTuple):
    """One faction: its letter, its names and its cards.

    `values` maps a printed value to the number of cards that show it; `pair` is the two-letter name
    of its pair, or "" for one of the ten-card factions; `classic` says whether the faction belongs
    to the base game or Claim 2 (rules.md, "Cards").  `acts` says when its power acts, as one of
    `WHEN`.
    """

    letter: str
    name: str
    name_de: str
    values: dict[int, int]
    acts: str
    pair: str = ""
    classic: bool = False

    @property
    def size(self) -> int:
        """The number of cards in the box (14 Raccoons, of which a game uses ten)."""
        return sum(self.values.values())

    def label(self, language: str = "en") -> str:
        """The faction's name in `language`, "en" or "de"."""
        return self.name_de if language == "de" else self.name


VALUE_ROOM: Final = 16
"""One more than the highest value a card may show."""

MOST_CARDS: Final = 250
"""The most kinds of card: a card is one byte, and the highest numbers mark unknown or unreadable
ones.
"""


def _each(first: int, last: int) -> dict[int, int]:
    return dict.fromkeys(range(first, last + 1), 1)


def _check(factions: tuple[Faction, ...]) -> None:
    """Raise ValueError for a list of factions that the notation or the engine cannot handle."""
    letters = "".join(faction.letter for faction in factions)
    for faction in factions:
        values = list(faction.values)
        why = ""
        if len(faction.letter) != 1 or not "A" <= faction.letter <= "Z":
            why = f"its letter is {faction.letter!r}, not one of A to Z"
        elif letters.count(faction.letter) > 1:
            why = f"the letter {faction.letter} stands twice"
        elif faction.acts not in WHEN:
            why = f"acts is {faction.acts!r}, not one of {', '.join(WHEN)}"
        elif not values or values != sorted(values):
            why = "its values do not ascend"
        elif values[0] < 0 or values[-1] >= VALUE_ROOM:
            why = f"its values are not all 0 to {VALUE_ROOM - 1}"
        if why:
            raise ValueError(f"faction {faction.name!r} in claimlog/cards.py: {why}")
    kinds = sum(len(faction.values) for faction in factions)
    if kinds > MOST_CARDS:
        raise ValueError(f"claimlog/cards.py: {kinds} kinds of card do not fit in a byte")


# A faction's index in this list is its number, also in archives: add new ones at the end.
FACTIONS: Final = (
    Faction("G", "Goblins", "Kobolde", {0: 5} | _each(1, 9), "none", "GK", classic=True),
    Faction("K", "Knights", "Ritter", _each(2, 9), "both", "GK", classic=True),
    Faction("N", "Gnomes", "Gnome", {1: 3, 3: 3, 5: 3, 7: 3, 9: 1}, "2", "NI", classic=True),
    Faction("I", "Giants", "Riesen", {1: 2, 3: 2, 5: 2, 7: 2, 9: 1}, "2", "NI", classic=True),
    Faction("M", "Kings", "Könige", _each(4, 12), "end", "MP"),
    Faction("P", "Peasants", "Bauern", _each(0, 12), "end", "MP"),
    Faction("A", "Automatons", "Automaten", _each(0, 9), "1"),
    Faction("B", "Bards", "Barden", _each(0, 9), "end"),
    Faction("D", "Dragons", "Drachen", _each(0, 9), "both", classic=True),
    Faction("F", "Griffins", "Greife", _each(0, 9), "2"),
    Faction("R", "Raccoons", "Waschbären", _each(0, 13), "end"),
    Faction("S", "Seers", "Seher", _each(0, 9), "1", classic=True),
    Faction("T", "Trolls", "Trolle", _each(0, 9), "2", classic=True),
    Faction("U", "Undead", "Untote", _each(0, 9), "1", classic=True),
    Faction("V", "Vikings", "Wikinger", _each(0, 9), "end"),
    Faction("W", "Dwarves", "Zwerge", _each(0, 9), "2", classic=True),
    Faction("X", "Doppelgangers", "Doppelgänger", _each(0, 9), "both", classic=True),
)

_check(FACTIONS)

LETTERS: Final = "".join(faction.letter for faction in FACTIONS)
"""The letters of all factions, in the order of `FACTIONS`."""

FACTION_COUNT: Final = len(FACTIONS)

GOBLINS, KNIGHTS, GNOMES, GIANTS, KINGS, PEASANTS = (LETTERS.index(c) for c in "GKNIMP")
AUTOMATONS, BARDS, DRAGONS, GRIFFINS, RACCOONS = (LETTERS.index(c) for c in "ABDFR")
SEERS, TROLLS, UNDEAD, VIKINGS, DWARVES, DOPPELGANGERS = (LETTERS.index(c) for c in "STUVWX")

PAIRS: Final = ("GK", "NI", "MP")
"""The three pairs of factions; a deck holds exactly one."""

DECK_ORDER: Final = sorted(
    range(FACTION_COUNT), key=lambda faction: "" if FACTIONS[faction].pair else LETTERS[faction]
)
"""The order in which a deck's letters are written: the pairs, then the tens alphabetically."""

RACCOONS_USED: Final = 10
"""Raccoons in a game: four of the fourteen are removed unseen."""

USED: Final = bytes(
    RACCOONS_USED if faction == RACCOONS else data.size for faction, data in enumerate(FACTIONS)
)
"""The number of cards of each faction that a game uses."""

_KINDS: Final = [
    (faction, value, copies)
    for faction, data in enumerate(FACTIONS)
    for value, copies in data.values.items()
]

CARDS: Final = len(_KINDS)
"""The number of kinds of card."""

FACTION_OF: Final = bytes(faction for faction, _, _ in _KINDS)
"""The faction of each card."""

VALUE_OF: Final = bytes(value for _, value, _ in _KINDS)
"""The printed value of each card."""

_BITS: Final = {(1 << faction) % 37: faction for faction in range(FACTION_COUNT)}
LOWEST: Final = bytes(_BITS.get(n, 0) for n in range(37))
"""The first faction in a set of factions, at ``(factions & -factions) % 37``."""

COPIES: Final = bytes(copies for _, _, copies in _KINDS)
"""The number of copies of each card in the box."""

NAMES: Final = tuple(f"{LETTERS[faction]}{value}" for faction, value, _ in _KINDS)
"""The notation of each card, as in ``"G5"``."""

CARD_NAMES: Final = NAMES
"""`NAMES` under the name by which claimlog exports it."""

_PLACES: Final = {(faction, value): card for card, (faction, value, _) in enumerate(_KINDS)}

CARD_AT: Final = bytes(
    _PLACES.get(divmod(i, VALUE_ROOM), UNKNOWN) for i in range(FACTION_COUNT * VALUE_ROOM)
)
"""The card of a faction and value, at ``faction * 16 + value``; UNKNOWN if there is none."""

_BY_NAME: Final = {name: index for index, name in enumerate(NAMES)}


def card(name: str) -> int:
    """Return the card called `name` (such as ``"G5"``, in either case).

    Raises ValueError if there is no such card, TypeError if `name` is not a string.
    """
    if not isinstance(name, str):
        raise TypeError(f"a card is a string, as 'G5', not {name!r}")
    index = _BY_NAME.get(name)
    if index is None and name.isascii():
        index = _BY_NAME.get(name.upper())
    if index is None:
        raise ValueError(f"there is no card {name!r}")
    return index


DECK_PROBLEMS: Final = {
    "letter": "{letter!r} is not a faction",
    "twice": "{factions} ({letter}) is listed twice",
    "classic": "Classic does not know {factions}",
    "pair": "a deck has exactly one of the pairs {pairs}, whole",
    "tens": "with {seats} players a deck has {wanted} ten-card factions beside the pair, "
    "not {number}",
}
"""What may be wrong with a deck, in English; `claimlog.language` has all languages."""


class DeckError(ValueError):
    """A problem with a deck; `str` gives it in English.

    `key` is its key in `DECK_PROBLEMS`, `factions` the letters of the factions concerned, `values`
    the other values for the text.
    """

    def __init__(self, key: str, factions: str = "", **values: object) -> None:
        super().__init__(key, factions, values)
        self.key = key
        self.factions = factions
        self.values = values

    def __str__(self) -> str:
        """The problem in English."""
        names = [FACTIONS[LETTERS.index(letter)].name for letter in self.factions]
        factions = " or ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)
        return DECK_PROBLEMS[self.key].format(factions=factions, **self.values)


def longest_name(letters: str) -> int:
    """The length of the longest card name in these factions (in all if `letters` is "")."""
    return max(len(name) for name in NAMES if not letters or name[0] in letters)


def deck_of(letters: str) -> int:
    """Return the deck (a set of factions) for `letters`, in any order.

    Raises DeckError for an unknown or repeated letter, TypeError if `letters` is not a string.
    """
    if not isinstance(letters, str):
        raise TypeError(f"a deck is a string of letters such as 'GKUWX', not {letters!r}")
    return _deck_of(letters)


@lru_cache(4096)
def _deck_of(letters: str) -> int:
    deck = 0
    for letter in letters:
        faction = LETTERS.find(letter.upper()) if letter.isascii() else -1
        if faction < 0:
            raise DeckError("letter", letter=letter)
        if deck >> faction & 1:
            raise DeckError("twice", LETTERS[faction], letter=letter)
        deck |= 1 << faction
    return deck


def deck_letters(deck: int) -> str:
    """Return a deck's canonical letters: the pair as GK, NI or MP, then the tens.

    >>> deck_letters(deck_of("xuwkg"))
    'GKUWX'
    """
    return "".join(LETTERS[faction] for faction in DECK_ORDER if deck >> faction & 1)


def tens_in_deck(seats: int) -> int:
    """The number of ten-card factions beside the pair: 3 with two players, otherwise 5."""
    return 3 if seats == 2 else 5


def deck_problem(deck: int, seats: int, *, classic: bool = False) -> DeckError | None:
    """Return what is wrong with `deck` for `seats` players, if anything (rules.md, "Cards")."""
    members = [faction for index, faction in enumerate(FACTIONS) if deck >> index & 1]
    if classic and (strange := "".join(f.letter for f in members if not f.classic)):
        return DeckError("classic", strange)
    pairs = [pair for pair in PAIRS if any(faction.pair == pair for faction in members)]
    halves = sum(bool(faction.pair) for faction in members)
    if len(pairs) != 1 or halves != 2:
        return DeckError("pair", pairs=", ".join(PAIRS))
    tens = tens_in_deck(seats)
    if len(members) - halves != tens:
        return DeckError("tens", seats=seats, wanted=tens, number=len(members) - halves)
    return None


def all_decks(seats: int, *, classic: bool = False) -> list[int]:
    """Return every deck that the rules allow: 495 for two players, 1,386 for more.

    Classic knows fewer: 40 and 12.
    """
    usable = [faction for faction in FACTIONS if faction.classic or not classic]
    tens = [faction.letter for faction in usable if not faction.pair]
    letters = {faction.letter for faction in usable}
    return [
        deck_of(pair + "".join(chosen))
        for pair in PAIRS
        if letters.issuperset(pair)
        for chosen in combinations(tens, tens_in_deck(seats))
    ]
