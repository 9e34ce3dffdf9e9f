"""A player's scores in their games, counted once for all parts of a profile."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from claimlog.cards import FACTIONS
from claimlog.directing.counting import NOT_PLAYED
from claimlog.results import share_of
from claimlog.rules.setup import sides_of
from claimlog.store.questions.intervals import RateCounter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Key = TypeVar("Key")


class Played(NamedTuple):
    """The columns of a game that profiles need."""

    game: int
    gid: int
    seats: int
    leader: int
    result: int
    tricks: int
    termination: int
    deck: int
    votes1: int
    votes2: int
    votes3: int
    won1: int | None
    won2: int
    won3: int
    p1: int | None
    p2: int | None
    p3: int | None
    p4: int | None
    r1: float | None
    r2: float | None
    r3: float | None
    r4: float | None
    phase1_last: int | None
    event: int | None
    event_name: str
    date: str | None
    day: datetime.date | None
    started: datetime.datetime | None
    round: str | None
    tbl: str | None


# The columns of the first seat or side; those of the others follow.
_PLAYER, _RATING, _VOTES, _WON = map(Played._fields.index, ("p1", "r1", "votes1", "won1"))

_FACTIONS: Final = len(FACTIONS)


class Seen:
    """A game from one player's point of view; sides and seats count from 0."""

    def __init__(self, row: Played, seat: int) -> None:
        self.row = row
        self.seat = seat
        self.seats = row.seats
        self.sides = sides_of(self.seats)
        self.side = seat % self.sides
        self.points: float | None = share_of(row.result, seat + 1)
        # Votes that are only in a tag say nothing about who won which faction.
        self.counted = row.won1 is not None
        # Byes, and forfeits without a trick, give points, but say nothing about strength.
        self.played = bool(row.tricks) or row.termination not in NOT_PLAYED

    def player(self, seat: int) -> int | None:
        """The player in a seat."""
        columns: tuple[Any, ...] = self.row
        return columns[_PLAYER + seat]  # type: ignore[no-any-return]

    def rating(self, seat: int) -> float | None:
        """The rating of the player in a seat."""
        columns: tuple[Any, ...] = self.row
        return columns[_RATING + seat]  # type: ignore[no-any-return]

    def votes(self, seat: int) -> int | None:
        """The votes of the side of a seat, None if there are none."""
        columns: tuple[Any, ...] = self.row
        return columns[_VOTES + seat % self.sides]  # type: ignore[no-any-return]

    def others(self) -> list[tuple[int, bool]]:
        """The other seats, each with whether a partner sits there."""
        return [
            (seat, seat % self.sides == self.side)
            for seat in range(self.seats)
            if seat != self.seat
        ]


def seen_by(players: set[int], rows: Iterable[tuple[Any, ...]]) -> list[Seen]:
    """The games seen by a player with these numbers; rows have the columns of `Played`."""
    return [
        Seen(row, seat)
        for row in map(Played._make, rows)
        for seat in range(row.seats)
        if row[_PLAYER + seat] in players
    ]


class Tallies:
    """A player's scores in finished games, by various circumstances."""

    def __init__(self, games: Iterable[Seen], merged: Mapping[int, int]) -> None:
        """Count the games; `merged` maps players to those they stand for."""
        self.by_seat: dict[int, RateCounter] = {}
        """By seat, from 0."""
        self.by_seats: dict[int, RateCounter] = {}
        """By the number of seats."""
        self.leading: dict[bool, RateCounter] = {}
        """By whether the player led the first trick."""
        self.phase1: dict[bool, RateCounter] = {}
        """By whether the player won the last trick of Phase 1."""
        self.with_faction: dict[int, RateCounter] = {}
        self.events: dict[tuple[int, str], RateCounter] = {}
        """By the event's number and name."""
        self.opponents: dict[int, RateCounter] = {}
        self.partners: dict[int, RateCounter] = {}
        self.factions_won: dict[int, RateCounter] = {}
        """By faction, how often the side won it, where it is known who won it."""
        self.won_by_any: list[int] = [0] * (_FACTIONS << 2)
        """How often any side won a faction in these games, at `4 * faction + sides`."""
        self.counted = 0
        """The number of games in which it is known who won which faction."""
        self.votes_for = self.votes_against = 0
        """The votes in these games."""
        for seen in games:
            if seen.points is not None:
                self._add(seen, seen.points, merged)

    def _add(self, seen: Seen, points: float, merged: Mapping[int, int]) -> None:
        columns: tuple[Any, ...] = seen.row
        row = seen.row
        _tally(self.by_seat, seen.seat, points)
        _tally(self.by_seats, seen.seats, points)
        deck = row.deck
        for faction in range(_FACTIONS):
            if deck >> faction & 1:
                _tally(self.with_faction, faction, points)
        if row.tricks:
            _tally(self.leading, row.leader == seen.seat + 1, points)
        if row.phase1_last is not None:
            _tally(self.phase1, row.phase1_last == seen.seat + 1, points)
        if row.event is not None:
            _tally(self.events, (row.event, row.event_name), points)
        for seat, mates in seen.others():
            who = seen.player(seat)
            if who is not None:
                _tally(self.partners if mates else self.opponents, merged.get(who, who), points)
        if seen.counted:
            won = columns[_WON + seen.side]
            any_won = columns[_WON] | (columns[_WON + 1] or 0) | (columns[_WON + 2] or 0)
            for faction in range(_FACTIONS):
                if deck >> faction & 1:
                    _tally(self.factions_won, faction, won >> faction & 1)
                    if any_won >> faction & 1:
                        self.won_by_any[4 * faction + seen.sides] += 1
            self.counted += 1
            for side in range(seen.sides):
                votes = columns[_VOTES + side] or 0
                if side == seen.side:
                    self.votes_for += votes
                else:
                    self.votes_against += votes


def _tally(counters: dict[Key, RateCounter], key: Key, points: float) -> None:
    tally = counters.get(key)
    if tally is None:
        tally = counters[key] = RateCounter()
    tally.count += 1
    tally.points += points
