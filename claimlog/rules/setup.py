"""What is agreed before a game: seats and sides, rule sets, rulings (rules.md).

>>> setup = Setup("xgkuw")
>>> setup.deck, setup.tricks, setup.sides, setup.rulings["trolls"]
('GKUWX', 13, 2, 'highest')
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple

from claimlog.cards import FACTION_OF, GNOMES, RACCOONS, TROLLS, deck_letters, deck_of, deck_problem
from claimlog.cards import card as card_named

__all__ = [
    "MAX_SEATS",
    "MAX_TRICKS",
    "RULE_SETS",
    "RULINGS",
    "Ruling",
    "Setup",
    "default_rulings",
    "partner",
    "side_of",
    "sides_of",
    "tricks_of",
    "upcards_of",
]

MAX_SEATS: Final = 4
MAX_TRICKS: Final = 13
"""The most tricks in one phase."""

RULE_SETS: Final = ("LE2023", "Classic")
"""The rule sets, the default first."""


class Ruling(NamedTuple):
    """A question on which the rulebooks are silent or disagree: its values, LE2023's first.

    `about` is the letter of the faction concerned.
    """

    values: tuple[str, ...]
    classic: str
    about: str


RULINGS: Final = {
    "trolls": Ruling(("highest", "line"), "line", "T"),
    "dragons": Ruling(("last-card", "last-dragon"), "last-card", "D"),
    "automatons": Ruling(("won-by", "played"), "won-by", "A"),
    "raccoons": Ruling(("deck", "pile"), "deck", "R"),
}
"""Every ruling by its key (rules.md, "Rulings")."""


_CLASSIC: Final = {key: ruling.classic for key, ruling in RULINGS.items()}
_LATER: Final = {key: ruling.values[0] for key, ruling in RULINGS.items()}


def default_rulings(rules: str) -> dict[str, str]:
    """The rulings of a rule set unless a record sets others."""
    return (_CLASSIC if rules == "Classic" else _LATER).copy()


LOOTING: Final = RACCOONS
"""The faction whose cards may show loot; a game uses only some of them (rules.md, "Cards")."""

LYING_OPEN: Final = GNOMES
"""The faction whose won cards lie open in front of their winners (rules.md, "Powers")."""

ADVISED_AGAINST: Final = 1 << TROLLS
"""The factions that LE2023 advises against with more than two players, as a set."""

TRICKS: Final = bytes((0, 0, 13, 12, 9))
"""Tricks in each phase, by the number of seats."""
UPCARDS: Final = bytes((0, 0, 1, 2, 2))
"""Upcards of a Phase 1 trick, by the number of seats."""
SIDES: Final = bytes((0, 1, 2, 3, 2))
"""The number of sides, by the number of seats: four players are two teams."""


def tricks_of(seats: int) -> int:
    """Tricks in each phase: 13 with two players, 12 with three, 9 with four."""
    return TRICKS[seats]


def upcards_of(seats: int) -> int:
    """Upcards of a Phase 1 trick: one with two players, otherwise two."""
    return UPCARDS[seats]


def sides_of(seats: int) -> int:
    """The number of sides: four players are two teams."""
    return SIDES[seats]


def side_of(seat: int, seats: int) -> int:
    """The side of a seat, both counted from 0: with four players seats 0 and 2 are side 0."""
    return seat % sides_of(seats)


def partner(seat: int, seats: int) -> int | None:
    """The seat of a player's partner (four players), counted from 0, or None."""
    return (seat + 2) % 4 if seats == 4 else None


@cache
def _factions_of(letters: str) -> int:
    """The factions of a legal deck by its canonical letters: there are some thousand."""
    return deck_of(letters)


@dataclass(frozen=True, slots=True)
class Setup:
    """What a table agrees on before a game: deck, seats, rule set and the rulings in force.

    `deck` is the letters of its factions, in any order.  `rulings` is completed with the defaults
    of the rule set.  `leader` is the seat, from 1, that leads trick 1.  `loot` are the Raccoons
    that show loot, None if unknown.  Raises ValueError if the rules do not allow the combination,
    TypeError for values of the wrong type.
    """

    deck: str
    seats: int = 2
    rules: str = "LE2023"
    rulings: dict[str, str] = field(default_factory=dict, hash=False)
    leader: int = 1
    loot: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        """Check the values and complete the rulings."""
        self._check_types()
        if not 2 <= self.seats <= MAX_SEATS:
            raise ValueError(f"Claim has 2 to 4 players, not {self.seats}")
        if self.rules not in RULE_SETS:
            raise ValueError(f"no such rule set: {self.rules!r} (there are {', '.join(RULE_SETS)})")
        factions = deck_of(self.deck)
        if problem := deck_problem(factions, self.seats, classic=self.rules == "Classic"):
            raise problem
        for key, value in self.rulings.items():
            if key not in RULINGS or value not in RULINGS[key].values:
                raise ValueError(f"no such ruling: {key}={value}")
        if not 1 <= self.leader <= self.seats:
            raise ValueError(f"seat {self.leader} is not at this table")
        self._check_loot()
        object.__setattr__(self, "deck", deck_letters(factions))
        object.__setattr__(self, "rulings", default_rulings(self.rules) | self.rulings)

    def _check_types(self) -> None:
        """Raise TypeError for values of the wrong type."""
        for name, kind in (("deck", str), ("rules", str), ("rulings", dict)):
            if not isinstance(getattr(self, name), kind):
                raise TypeError(f"{name} is a {kind.__name__}, not {getattr(self, name)!r}")
        for name in ("seats", "leader"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool):
                raise TypeError(f"{name} is a whole number, not {value!r}")

    def _check_loot(self) -> None:
        if self.loot is not None and not isinstance(self.loot, tuple):
            raise TypeError(f"loot is a tuple of cards such as ('R2', 'R5'), not {self.loot!r}")
        for card in self.loot or ():
            if FACTION_OF[card_named(card)] != LOOTING:
                raise ValueError(f"{card} shows no loot: only Raccoons do, as R2")

    def with_loot(self, loot: tuple[str, ...] | None) -> Setup:
        """The same setup, in which these Raccoons show loot.

        Raises ValueError for other cards, TypeError for anything but a tuple.
        """
        other = copy(self)
        object.__setattr__(other, "loot", loot)
        other._check_loot()
        return other

    @property
    def factions(self) -> int:
        """The deck as a set of factions."""
        return _factions_of(self.deck)

    @property
    def tricks(self) -> int:
        """Tricks in each phase."""
        return tricks_of(self.seats)

    @property
    def sides(self) -> int:
        """The number of sides."""
        return sides_of(self.seats)

    @property
    def upcards(self) -> int:
        """Upcards of a Phase 1 trick."""
        return upcards_of(self.seats)
