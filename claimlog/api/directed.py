"""Live tables of directed events: what their director sees, and what all screens show."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from claimlog.api.event_names import names_at_tables
from claimlog.api.http.problem import ApiError
from claimlog.directing import acts
from claimlog.directing.board import (
    BoardRound,
    BoardTable,
    Notice,
    Seating,
    TableNews,
    called,
    meant_at,
    seating,
)
from claimlog.directing.model import TableResult
from claimlog.notation.names import folded, tidy
from claimlog.results import parse_result, result_of, result_text
from claimlog.store import ArchiveError, NotFound

if TYPE_CHECKING:
    from datetime import datetime

    from claimlog.api.resources import Resources
    from claimlog.api.tables.live import LiveTable
    from claimlog.api.tables.schemas import TableRow
    from claimlog.directing.board import Board

SILENT: Final = 300
"""Seconds of silence after which a table is highlighted."""
AGAIN: Final = 10.0
"""Seconds after which other nodes may have changed what screens show."""


class OfRound(NamedTuple):
    """A live table of a round, and the table of the round it plays, if any."""

    live: LiveTable
    row: TableRow
    table: BoardTable | None


async def tables_of(resources: Resources, board: Board, round: BoardRound) -> list[OfRound]:
    """Return the live tables of a round that were not abandoned, the latest first."""
    number_of = called(board)
    seats = {frozenset(table.players): table for table in round.tables}
    names = await names_at_tables(resources, board.event, board.name)
    tables = []
    for live in resources.tables.all():
        row = await resources.tables.row(live)
        if (
            row.state in ("open", "finished")
            and row.event in names
            and row.round == str(round.number)
        ):
            tables.append(OfRound(live, row, seats.get(_seated(row, number_of))))
    return tables


async def news(resources: Resources, board: Board) -> list[TableNews]:
    """Return the open tables of the rounds that the director watches, as the director sees them."""
    seen: list[TableNews] = []
    tables = [
        (round, *one) for round in board.watched for one in await tables_of(resources, board, round)
    ]
    for round, live, row, table in tables:
        if live.state != "open":
            continue
        with suppress(ApiError):  # a damaged table is reported elsewhere
            view = await resources.tables.scorers_view(live)
            seen.append(
                TableNews(
                    id=live.id,
                    round=round.number,
                    number=None if table is None else table.number,
                    players=tuple(row.players),
                    trick=view["trick"],
                    tricks=view["tricks"],
                    entries=view["number"],
                    at=live.seen_at,
                    doubt=view["doubt"] is not None,
                    waiting=view["waiting"],
                    confirmed=tuple(view["confirmed"]),
                    over=view["over"],
                    result=view["result"] if view["over"] else "",
                    asked=len(view["asked"]),
                    meant=meant_at(board, round, row.players) if table is None else {},
                )
            )
    return seen


def silent(board: Board, those: list[TableNews], now: datetime) -> set[tuple[int, int]]:
    """Return the rounds and numbers of tables in play, silent for `SILENT` seconds."""
    running = {round.number for round in board.rounds if round.state == "running"}
    return {
        (one.round, one.number)
        for one in those
        if one.round in running
        and one.number is not None
        and not one.over
        and one.at is not None
        and (now - one.at).total_seconds() >= SILENT
    }


# What all screens show ---------------------------------------------------------------------------


async def notice(resources: Resources, event: str) -> Notice | None:
    """Return what an event's screens show; None if not directed here or not available now."""
    tables = resources.tables
    name = folded(event)
    kept = tables.noticed.get(name)
    now = time.monotonic()
    others_write = resources.archive.postgres is not None
    if kept is None or kept[0] != tables.desks or (others_write and now - kept[1] > AGAIN):
        notice: Notice | None = None
        changes = tables.desks
        try:
            notice = await resources.read(lambda: resources.archive.notice(event))
        except NotFound:
            pass
        except (ApiError, ArchiveError):
            return None
        kept = tables.noticed[name] = (changes, now, notice)
    _, asked, shown = kept
    if shown is None or shown.left is None or not shown.running:
        return shown
    return msgspec.structs.replace(shown, left=shown.left - int(now - asked))


def same(one: Notice | None, other: Notice) -> bool:
    """Whether two notices show the same, apart from the time left."""
    if one is None or not (one.running and other.running):
        return one == other
    return msgspec.structs.replace(one, left=other.left) == other


async def named(resources: Resources, row: TableRow) -> TableRow:
    """Return a table's row with the entrants' names where a director merged spellings.

    It also says whether the game is adjourned.
    """
    event = await _event(resources, row)
    if event is None:
        return row
    players = [event.names.get(folded(tidy(name)), name) for name in row.players]
    adjourned = row.state == "open" and _seat_of(event, row) in event.adjourned
    if players == row.players and adjourned == row.adjourned:
        return row
    return msgspec.structs.replace(row, players=players, adjourned=adjourned)


async def left(resources: Resources, row: TableRow) -> bool:
    """Whether an open table is of a closed round that has a result for it: nobody plays there."""
    event = await _event(resources, row)
    return row.state == "open" and event is not None and _seat_of(event, row) in event.ended


async def astray(resources: Resources, row: TableRow) -> bool:
    """Whether the round of an open table was paired anew, without a table of these players."""
    event = await _event(resources, row)
    if event is None or row.state != "open":
        return False
    number, players = _seat_of(event, row)
    tables = event.begun.get(number or "")
    return tables is not None and 0 not in players and players not in tables


def _seat_of(event: Seating, row: TableRow) -> tuple[str | None, frozenset[int]]:
    """Return the round of a table and who sits there."""
    return row.round, _seated(row, event.number_of)


def _seated(row: TableRow, number_of: dict[str, int]) -> frozenset[int]:
    """Return the entrants who sit at a table, with 0 for others; see `called`."""
    return frozenset(number_of.get(folded(tidy(name)), 0) for name in row.players)


async def _event(resources: Resources, row: TableRow) -> Seating | None:
    """Return a table's event, as of the last act; None if not directed here."""
    if not row.event:
        return None
    tables = resources.tables
    key, now = folded(row.event), time.monotonic()
    others_write = resources.archive.postgres is not None
    kept = tables.seatings.get(key)
    if kept is None or kept[0] != tables.desks or (others_write and now - kept[1] > AGAIN):
        changes, name = tables.desks, row.event
        event: Seating | None = None
        # If the archive does not answer now, nothing is known of the desk until its next act.
        with suppress(ApiError, ArchiveError):
            event = await resources.read(lambda: seating(resources.archive.desk(name)))
        kept = tables.seatings[key] = (changes, now, event)
    return kept[2]


# The end of a game -------------------------------------------------------------------------------


async def confirm(resources: Resources, live: LiveTable, by: str) -> None:
    """Tell the desk which sides have confirmed the finished game of a live table.

    A desk that has a different result, or has no such table, is left as it is.
    """
    row = await resources.tables.row(live)
    if not row.event or not (row.round or "").isdecimal():
        return
    view = await resources.tables.scorers_view(live)
    if not view["confirmed"]:
        return
    with suppress(ArchiveError):
        board = await resources.read(lambda: resources.archive.desk(row.event or ""))
        number = int(row.round or 0)
        if not 1 <= number <= len(board.rounds):
            return
        which = board.rounds[number - 1]
        of_live = [
            one.table for one in await tables_of(resources, board, which) if one.live is live
        ]
        table = of_live[0] if of_live else None
        if table is not None and not table.settled:
            act = _confirmed(board, which, table, row, view)
            await resources.write(
                lambda: resources.archive.direct(board.event, act, by=by, why=f"table {live.id}")
            )
            resources.tables.desk_changed()


def _confirmed(
    board: Board, round: BoardRound, table: BoardTable, row: TableRow, view: dict[str, Any]
) -> acts.Confirmed:
    """What the sides confirmed at a live table, numbered as at the table of the round."""
    sides = table.table.sides
    number_of = called(board)
    turn = {
        seat % sides: table.players.index(number_of[folded(tidy(name))]) % sides
        for seat, name in enumerate(row.players)
    }
    winners = parse_result(view["result"]) % 8
    turned = sum(1 << turn[side] for side in range(sides) if winners >> side & 1)
    votes = [0] * len(view["votes"] or ())
    for side, count in enumerate(view["votes"] or ()):
        votes[turn[side]] = count
    return acts.Confirmed(
        round=round.number,
        table=table.number,
        sides=tuple(sorted(turn[side - 1] + 1 for side in view["confirmed"])),
        result=TableResult(result=result_text(result_of(sides, turned)), votes=tuple(votes)),
    )
