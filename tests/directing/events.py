"""Events for the tests, with random results."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import msgspec

from claimlog.directing.board import Board, BoardRound, BoardTable
from claimlog.directing.model import Entrant, Plan, TableResult
from claimlog.directing.pairing.pair import pair

if TYPE_CHECKING:
    from collections.abc import Iterable

    from claimlog.directing.model import Bye, Table
    from claimlog.directing.pairing.outcome import Pairing


def an_event(entrants: int | Iterable[Entrant], **plan: Any) -> Board:
    """An event before its first round, with this number of entrants, the best rated first."""
    if isinstance(entrants, int):
        entrants = [
            Entrant(number=number, name=f"P{number}", rating=3000 - number)
            for number in range(1, entrants + 1)
        ]
    return Board(
        event="e", name="E", act=1, undoable=None, plan=Plan(**plan), entrants=tuple(entrants),
        withdrawn={}, absences=(), rounds=(), announcements=(), strays=(),
    )  # fmt: skip


def with_round(
    board: Board, tables: Iterable[Table], byes: Iterable[Bye] = (), state: str = "closed"
) -> Board:
    """The event with one more round, without results."""
    played = tuple(
        BoardTable(
            number=table.number, players=table.players, table=table, locked=False, result=None,
            source=None, confirmed=(), settled=False, game=None, differs=False,
        )
        for table in tables
    )  # fmt: skip
    round = BoardRound(
        number=len(board.rounds) + 1,
        state=state,  # type: ignore[arg-type]
        by_hand=False,
        tables=played,
        byes=tuple(byes),
        adjourned=(),
        missing=(),
    )
    return msgspec.structs.replace(board, rounds=(*board.rounds, round))


def with_results(board: Board, results: dict[int, TableResult | str]) -> Board:
    """The event with results of its last round, by table."""
    change = msgspec.structs.replace
    *before, last = board.rounds
    tables = tuple(
        change(table, result=TableResult(result=outcome) if isinstance(outcome, str) else outcome)
        if (outcome := results.get(table.number)) is not None
        else table
        for table in last.tables
    )
    return change(board, rounds=(*before, change(last, tables=tables)))


RESULTS = {2: ("1-0", "0-1", "1/2-1/2"), 3: ("1-0-0", "0-1-0", "0-0-1", "1/2-1/2-0")}


def played_on(board: Board, pairing: Pairing, chance: random.Random) -> Board:
    """The event with a paired round and random results."""
    paired = with_round(board, pairing.tables, pairing.byes)
    return with_results(
        paired,
        {table.number: chance.choice(RESULTS[table.sides]) for table in pairing.tables},
    )


def after(board: Board, rounds: int, seed: int = 0) -> Board:
    """The event after this number of rounds."""
    chance = random.Random(seed)
    for _ in range(rounds):
        board = played_on(board, pair(board, len(board.rounds) + 1), chance)
    return board
