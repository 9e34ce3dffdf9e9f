"""The result of pairing a round: tables and byes with remarks, or why it is impossible."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

import msgspec

from claimlog.directing.board import Board
from claimlog.directing.model import Bye, Table
from claimlog.language import words
from claimlog.language.messages import KeyedError, Message

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from claimlog.directing.model import Entrant

Relaxation = Literal["rematch", "bye", "leader", "tie"]
"""What a director may allow for one round: a rematch, a second bye, leading the first trick a third
time in a row, a knock-out's shared win going to the better seed."""

RELAXATIONS: Final[tuple[Relaxation, ...]] = get_args(Relaxation)


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a director should know about a pairing; `key` is the key of the text."""

    key: str
    table: int | None = None
    entrants: tuple[int, ...] = ()
    values: dict[str, str | int] = {}

    def worded(self, language: str = "en") -> str:
        """Return the remark as a sentence."""
        return words(language)(self.key, **self.values)


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """A round that can be played, with remarks."""

    tables: tuple[Table, ...]
    byes: tuple[Bye, ...] = ()
    remarks: tuple[Remark, ...] = ()


class PairedRound(msgspec.Struct, frozen=True, kw_only=True):
    """The event after a round was paired, with remarks."""

    desk: Board
    remarks: tuple[Remark, ...] = ()


class Unit(NamedTuple):
    """An entrant or a team of two, paired as one.

    `key` is the number of the first member; `rank` is the place in the seeding of the whole event,
    from 1.
    """

    key: int
    members: tuple[Entrant, ...]
    rank: int

    @property
    def numbers(self) -> tuple[int, ...]:
        """The members' numbers."""
        return tuple(one.number for one in self.members)

    @property
    def name(self) -> str:
        """The members' names."""
        return " & ".join(one.name for one in self.members)

    @property
    def seed(self) -> int | None:
        """The seed that was given, if any."""
        return self.members[0].seed


class Unpairable(KeyedError):  # noqa: N818 — the name says it
    """A round cannot be paired: why, because of whom, and what can be relaxed.

    `relax` and the numbers of the `entrants` are in the message's values, too.
    """

    def __init__(
        self,
        key: str,
        *,
        names: Sequence[Entrant | Unit] = (),
        left: Sequence[Entrant | Unit] = (),
        relax: tuple[Relaxation, ...] = (),
        **values: str | int,
    ) -> None:
        self.key = key
        self.entrants = tuple(_people(names))
        self.left = tuple(_people(left))
        self.relax = relax
        why = Message(
            key,
            names=[one.name for one in names],
            left=[one.name for one in left],
            **values,
        )
        if relax:
            ways = reduce(_or, (Message(f"relax.{one}") for one in relax))
            why = Message("pairing.relax", text=why, ways=ways, relax=relax)
        super().__init__(why)

    def worded(self, language: str = "en") -> str:
        """Return the reason as a sentence."""
        return self.message.worded(language)


class PairerMissing(Unpairable):
    """The package that this needs is not installed."""


def _people(named: Sequence[Entrant | Unit]) -> Iterator[Entrant]:
    for one in named:
        yield from one.members if isinstance(one, Unit) else (one,)


def _or(one: Message, other: Message) -> Message:
    return Message("relax.or", one=one, other=other)


class Pair(NamedTuple):
    """Two units that play each other; the first leads the first trick."""

    one: Unit
    other: Unit
