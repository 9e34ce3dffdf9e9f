"""All tables of an event with what is known of their games: typed, confirmed, or recorded.

A result that the director or a player has told counts; otherwise that of the game's record does,
if the archive has one of these players in this round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from claimlog.directing.desk import Absence, Announcement, State
from claimlog.directing.model import Bye, Entrant, Plan, Table, TableResult
from claimlog.results import parse_result, result_of, result_text
from claimlog.rules.setup import sides_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from claimlog.directing.desk import Desk, Place, Round

Source = Literal["typed", "director", "record"]


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """A game of the archive that is one of the event: the entrants by seat, 0 for anybody else."""

    id: str
    round: int
    players: tuple[int, ...]
    result: TableResult | None


class BoardTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a round: who sits there, how the game ended, and from where that is known.

    `confirmed` are the sides that have confirmed it; once `settled` only the director changes it.
    `differs` says that the record of the game, `game`, tells another result.
    """

    number: int
    players: tuple[int, ...]
    table: Table
    locked: bool
    result: TableResult | None
    source: Source | None
    confirmed: tuple[int, ...]
    settled: bool
    game: str | None
    differs: bool


class BoardRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round with its tables; `missing` are the tables without a result."""

    number: int
    state: State
    by_hand: bool
    tables: tuple[BoardTable, ...]
    byes: tuple[Bye, ...]
    adjourned: tuple[int, ...]
    missing: tuple[int, ...]


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """An event as it stands, with the results that are known.

    `act` is the number of the last act, `undoable` that of the act which can be undone; `strays`
    are games under the event's name that belong to none of its tables.
    """

    event: str
    name: str
    act: int
    undoable: int | None
    plan: Plan
    entrants: tuple[Entrant, ...]
    withdrawn: dict[int, int]
    absences: tuple[Absence, ...]
    rounds: tuple[BoardRound, ...]
    announcements: tuple[Announcement, ...]
    strays: tuple[str, ...]

    def entrant(self, number: int) -> Entrant:
        """An entrant by number."""
        return self.entrants[number - 1]

    @property
    def next_round(self) -> int:
        """The number of the first round that has not begun."""
        return sum(round.state != "paired" for round in self.rounds) + 1


class TableLink(msgspec.Struct, frozen=True, kw_only=True):
    """A table that a server opened for recording: the pages of its scorer and of who watches."""

    table: int
    id: str
    scorer: str
    watch: str


class StartedRound(msgspec.Struct, frozen=True, kw_only=True):
    """The event after a round was started; `links` are those of its tables at a server."""

    desk: Board
    links: tuple[TableLink, ...] = ()


def board(desk: Desk, games: Iterable[Recorded], event: str) -> Board:
    """Put together what the director did and what the archive knows."""
    by_players: dict[tuple[int, frozenset[int]], list[Recorded]] = {}
    for game in games:
        by_players.setdefault((game.round, frozenset(game.players)), []).append(game)
    rounds = tuple(_round(round, by_players) for round in desk.rounds)
    return Board(
        event=event,
        name=desk.name,
        act=desk.number,
        undoable=desk.undoable,
        plan=desk.plan,
        entrants=desk.entrants,
        withdrawn=desk.withdrawn,
        absences=desk.absences,
        rounds=rounds,
        announcements=desk.announcements,
        strays=tuple(game.id for left in by_players.values() for game in left),
    )


def _round(round: Round, games: dict[tuple[int, frozenset[int]], list[Recorded]]) -> BoardRound:
    """A round; the games found at its tables are taken out of `games`."""
    tables = []
    for place in round.tables:
        known = games.get((round.number, frozenset(place.table.players)), [])
        tables.append(_table(place, known.pop() if known else None))
    return BoardRound(
        number=round.number,
        state=round.state,
        by_hand=round.by_hand,
        tables=tuple(tables),
        byes=round.byes,
        adjourned=round.adjourned,
        missing=tuple(table.number for table in tables if table.result is None),
    )


def _table(place: Place, game: Recorded | None) -> BoardTable:
    recorded = None if game is None or game.result is None else _turned(place.table, game)
    source: Source | None = None
    if place.result is not None:
        source = "director" if place.corrected else "typed"
    elif recorded is not None:
        source = "record"
    told = place.result or recorded
    return BoardTable(
        number=place.table.number,
        players=place.table.players,
        table=place.table,
        locked=place.locked,
        result=told,
        source=source,
        confirmed=place.confirmed,
        settled=place.settled,
        game=None if game is None else game.id,
        differs=recorded is not None and told is not None and recorded.result != told.result,
    )


def _turned(table: Table, game: Recorded) -> TableResult | None:
    """The result of a game by the sides of its table, whoever sat where.

    None if partners of the one are opponents in the other.
    """
    result = game.result
    assert result is not None
    sides = sides_of(len(table.players))
    side_of = {player: seat % sides for seat, player in enumerate(table.players)}
    turn: dict[int, int] = {}
    for seat, player in enumerate(game.players):
        if turn.setdefault(seat % sides, side_of[player]) != side_of[player]:
            return None
    if all(side == other for side, other in turn.items()):
        return result
    winners = parse_result(result.result) % 8
    turned = sum(1 << turn[side] for side in range(sides) if winners >> side & 1)
    votes = [0] * len(result.votes)
    for side, count in enumerate(result.votes):
        votes[turn[side]] = count
    return msgspec.structs.replace(
        result, result=result_text(result_of(sides, turned)), votes=tuple(votes)
    )
