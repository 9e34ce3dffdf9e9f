"""What is entered into a game in progress: actions with names, and the cards they stand for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from claimlog.cards import FACTIONS, LETTERS, UNKNOWN
from claimlog.cards import card as card_named
from claimlog.game import Trick
from claimlog.rules.actions import IllegalAction, Kind
from claimlog.rules.machine import Machine
from claimlog.rules.outcome import name_of

if TYPE_CHECKING:
    from claimlog.game import Game, Seat

__all__ = [
    "KINDS",
    "LEFT",
    "UNSEEN",
    "Action",
    "Contradiction",
    "EarlyChoices",
    "Entry",
    "Turn",
    "do",
    "number_of",
    "text_of",
    "to_card",
    "to_cards",
    "to_faction",
    "to_names",
]

KINDS: Final = ("turn-up", "play", "discard", "look", "pick", "draw", "loot", "over")
"""The kinds of action that can be due, in the order of `claimlog.rules.actions.Kind`."""
UNSEEN: Final = "_"
"""Stands for an unknown card, as in the notation."""


class Contradiction(IllegalAction):
    """After the correction, the game could not have continued as it did in `trick`."""

    def __init__(self, trick: int, error: IllegalAction) -> None:
        super().__init__(f"trick {trick}: {error}", error.revoked_in)
        self.trick = trick


class Turn(NamedTuple):
    """The kind of action that is due (one of `KINDS`), and who is to act.

    `seat` is None for an upcard, which nobody chooses, and at the end.  A seat that draws a hidden
    card does not choose it either.  For "loot" it is the side.
    """

    kind: str
    seat: int | None


class Action(NamedTuple):
    """Something that was done; `State.log` is a list of these.

    `card` is ``"_"`` if it is unknown, None if the Seer's player left the hidden card, and for
    "loot" the letter of the faction.  `irregular`: a revoke that the director let stand.
    """

    kind: str
    seat: int | None
    card: str | None
    irregular: bool = False


@dataclass(slots=True)
class Entry:
    """An action with its annotations; `written` is false for a draw that the record leaves open."""

    kind: int
    card: int
    irregular: bool = False
    written: bool = True
    trick: int = 0
    seat: int | None = None
    annotation: str = ""
    comments: list[str] = field(default_factory=list)

    def as_action(self) -> Action:
        """The action without annotation and comments."""
        card: str | None = name_of(self.card) or UNSEEN
        if self.kind == Kind.LOOK and self.card == LEFT:
            card = None
        elif self.kind == Kind.LOOT:
            card = LETTERS[self.card]
        return Action(KINDS[self.kind], self.seat, card, self.irregular)


class EarlyChoices(NamedTuple):
    """Choices and draws of a record's last trick that lacks something before them.

    They are written, but cannot be done yet: ``U7: G5 /W2 *``.  Names as in `Trick`.
    """

    number: int
    auto: bool
    leader: Seat
    looked: bool
    hidden: str | None
    pick: str | None
    drawn: tuple[str | None, ...] | None

    @classmethod
    def of(cls, trick: Trick) -> EarlyChoices:
        """Those of a trick."""
        drawn = None if trick.drawn is None else tuple(trick.drawn)
        return cls(
            trick.number, trick.auto, trick.leader, trick.looked, trick.hidden, trick.pick, drawn
        )

    def put_into(self, game: Game) -> None:
        """Add them to a game's last trick, if it is still the same one."""
        if len(game.tricks) == self.number - 1:
            game.tricks.append(Trick(number=self.number, auto=self.auto, leader=self.leader))
        elif len(game.tricks) != self.number:
            return
        trick = game.tricks[-1]
        trick.looked, trick.hidden, trick.pick = self.looked, self.hidden, self.pick
        trick.drawn = None if self.drawn is None else list(self.drawn)


LEFT: Final = -1
"""The `card` of an entry if the Seer's player left the hidden card."""


def to_card(name: str | None) -> int:
    """The card that `name` stands for, `UNKNOWN` for ``"_"`` and None."""
    if name is None or name == UNSEEN:
        return UNKNOWN
    try:
        return card_named(name)
    except ValueError as error:
        raise IllegalAction(str(error)) from None


def text_of(value: object, what: str, example: str) -> str:
    """Return `value` if it is a string.  Raises TypeError otherwise."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is a string, as {example!r}, not {value!r}")
    return value


def number_of(value: object, what: str) -> int:
    """Return `value` if it is an integer.  Raises TypeError otherwise."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{what} is a number from 1, not {value!r}")
    return value


def to_cards(cards: Any) -> list[int]:
    """The cards in a list of names or a space-separated string.  Raises TypeError."""
    words = cards.split() if isinstance(cards, str) else cards
    if isinstance(words, bytes) or not isinstance(words, Iterable):
        raise TypeError(f"cards are a string such as 'G5 K4', or a list of strings, not {cards!r}")
    return [UNKNOWN if word is None or word == UNSEEN else card_named(word) for word in words]


def to_names(cards: str | Iterable[str] | None) -> tuple[str, ...] | None:
    """The names in a list or a space-separated string; None for None."""
    if cards is None:
        return None
    return tuple(cards.split() if isinstance(cards, str) else cards)


def to_faction(letter: str) -> int:
    """The faction with this letter.  Raises `IllegalAction` if there is no such faction."""
    text_of(letter, "a faction", "G")
    faction = LETTERS.find(letter.upper()) if len(letter) == 1 and letter.isascii() else -1
    if faction < 0:
        known = ", ".join(f"{one.letter} ({one.name})" for one in FACTIONS)
        raise IllegalAction(f"there is no faction {letter!r}; there are {known}")
    return faction


def do(machine: Machine, entry: Entry, learn: bool = False) -> None:
    """Apply an entry to the machine and set its trick and seat; raises `IllegalAction`.

    With `learn` the entry takes the card that turned out to lie on the pile.
    """
    kind, card = entry.kind, entry.card
    entry.trick = machine.trick
    seat = machine.to_act.seat
    entry.seat = None if seat is None else seat + 1
    if kind == Kind.TURN_UP:
        done = machine.turn_up(None if card == UNKNOWN else card)
    elif kind == Kind.PLAY:
        done = machine.play(card, irregular=entry.irregular)
    elif kind == Kind.DISCARD:
        done = machine.discard(card)
    elif kind == Kind.LOOK:
        done = machine.look(card != LEFT, None if card in (LEFT, UNKNOWN) else card)
    elif kind == Kind.PICK:
        done = machine.pick(card)
    elif kind == Kind.DRAW:
        done = machine.draw(None if card == UNKNOWN else card)
    else:
        done = machine.choose_loot(card)
    if learn and done.card is not None:
        entry.card = done.card
