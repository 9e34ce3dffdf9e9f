"""The pairing of a round by the event's system, and remarks on any pairing."""

from __future__ import annotations

import random
from itertools import combinations
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from claimlog.cards import all_decks, deck_letters
from claimlog.directing.board import BoardRound
from claimlog.directing.history import History, present
from claimlog.directing.model import Bye, Table
from claimlog.directing.pairing import berger, casual, dutch, knockout, rotation
from claimlog.directing.pairing.field import Field
from claimlog.directing.pairing.outcome import Pair, Pairing, Remark, Unpairable
from claimlog.directing.stages import knockout_from
from claimlog.rules.setup import sides_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from claimlog.directing.board import Board
    from claimlog.directing.desk import Round
    from claimlog.directing.pairing.outcome import Relaxation, Unit

_BY_RESULTS: Final = ("swiss", "casual", "knock-out")
"""The systems whose pairing depends on earlier results; in groups only that of their best does."""


def pair(board: Board, round: int, relax: Collection[Relaxation] = ()) -> Pairing:
    """Pair a round: everybody present, except at locked tables.

    A game without a result counts as shared.  Raises Unpairable.
    """
    plan = board.plan
    if plan.system == "by-hand":
        raise Unpairable("pairing.by-hand")
    field = Field(board, round)
    if plan.seats == 2 or field.teams:
        seated, away = _two_sides(field, relax)
    else:
        seated, away = rotation.paired(field, relax)
    tables = _numbered(field, seated, deck_for(board, round))
    byes = [Bye(entrant=number) for unit in away for number in field.playing(unit).numbers]
    byes += [Bye(entrant=one, kind=kind) for one, kind in field.wanted.items()]
    return Pairing(
        tables=tuple(tables), byes=tuple(byes), remarks=tuple(remarks(board, round, tables, byes))
    )


def _two_sides(
    field: Field, relax: Collection[Relaxation]
) -> tuple[list[tuple[int, ...]], list[Unit]]:
    """Return each table's players by seat, most points first, and the units with a bye."""
    systems = {
        "swiss": dutch.paired,
        "casual": casual.paired,
        "round-robin": berger.paired,
        "rotation": berger.paired,
        "knock-out": knockout.paired,
        "groups": knockout.groups_then_finals,
    }
    system = field.board.plan.system
    # If all others have withdrawn, the last one left has won a knock-out.
    last = field.round > 1 and field.units and system in ("knock-out", "groups")
    if len(field.units) + 2 * len(field.locked) < 2 and not field.wanted and not last:
        raise field.too_few(len(field.units), 2)
    pairs, away = systems[system](field, relax)
    return [_seated(field, pair) for pair in pairs], away


def _seated(field: Field, pair: Pair) -> tuple[int, ...]:
    """Seat a pair; in a leading team, the member who has led less often leads."""
    if not field.teams:
        return pair.one.key, pair.other.key
    one, other = (
        sorted(field.playing(unit).numbers, key=lambda number: sum(field.history.leads(number)))
        for unit in pair
    )
    return one[0], other[0], one[1], other[1]


def _numbered(field: Field, seated: Sequence[tuple[int, ...]], deck: str) -> list[Table]:
    """Number the tables; locked ones keep their number."""
    tables = {table.number: table.table for table in field.locked}
    number = 0
    for players in seated:
        number += 1
        while number in tables:
            number += 1
        tables[number] = Table(number=number, players=players, deck=deck)
    return [tables[number] for number in sorted(tables)]


def deck_for(board: Board, round: int, chance: random.Random | None = None) -> str:
    """Return a round's deck: planned or drawn; a round paired before keeps its deck."""
    plan = board.plan
    if not plan.draw:
        return plan.decks[min(round, len(plan.decks)) - 1] if plan.decks else ""
    if round <= len(board.rounds) and board.rounds[round - 1].tables:
        return board.rounds[round - 1].tables[0].table.deck
    decks = plan.decks or [
        deck_letters(deck) for deck in all_decks(plan.seats, classic=plan.rules == "Classic")
    ]
    return (chance or random.SystemRandom()).choice(decks)


def remarks(
    board: Board, round: int, tables: Collection[Table], byes: Collection[Bye]
) -> list[Remark]:
    """Return what a director should know about a pairing, however it was made."""
    history = History(board, round)
    notes: list[Remark] = [
        Remark(key="remark.unfinished", table=table, values={"table": table, "round": number})
        for number, table in history.unfinished
    ]
    for table in tables:
        notes += _of_table(board, history, table)
    notes += _left_out(board, round, tables, byes)
    for table in tables:
        if len(table.players) != board.plan.seats:
            values: dict[str, str | int] = {"table": table.number, "number": len(table.players)}
            notes.append(Remark(key="remark.seats", table=table.number, values=values))
    for bye in byes:
        if bye.kind == "pairing" and history.had_bye(bye.entrant):
            name = board.entrant(bye.entrant).name
            notes.append(Remark(key="remark.bye", entrants=(bye.entrant,), values={"name": name}))
    if not tables:
        notes += _decided(board, round, byes)
    return notes


def _decided(board: Board, round: int, byes: Collection[Bye]) -> Iterator[Remark]:
    """Say that a round of only byes decides a knock-out, as nobody else is left."""
    if board.plan.system not in ("knock-out", "groups"):
        return
    only = BoardRound(
        number=round,
        state="closed",
        by_hand=False,
        tables=(),
        byes=tuple(byes),
        adjourned=(),
        missing=(),
    )
    later = replace(board, rounds=(*board.rounds[: round - 1], only))
    try:
        _two_sides(Field(later, round + 1), ())
    except Unpairable as error:
        if error.key in ("pairing.won", "pairing.won-team"):
            who = error.entrants
            name = " & ".join(one.name for one in who)
            numbers = tuple(one.number for one in who)
            yield Remark(key="remark.won", entrants=numbers, values={"name": name})


def overtaken(board: Board, paired: Round) -> list[Remark]:
    """Return which earlier results have come or changed since a round was paired by them."""
    if paired.state != "paired" or paired.by_hand or not _by_results(board, paired.number):
        return []
    return [
        Remark(
            key="remark.overtaken",
            table=table.number,
            values={"table": table.number, "round": before.number},
        )
        for before in board.rounds[: paired.number - 1]
        for table in before.tables
        if table.result is not None and table.at is not None and table.at > paired.paired
    ]


def _by_results(board: Board, round: int) -> bool:
    """Whether the pairing of a round depends on earlier results."""
    system, first = board.plan.system, knockout_from(board)
    return system in _BY_RESULTS or (system == "groups" and first is not None and round >= first)


def _left_out(
    board: Board, round: int, tables: Collection[Table], byes: Collection[Bye]
) -> Iterator[Remark]:
    """Name those who are present and have neither a table nor a bye.

    Of a knock-out, or its groups, only those for whom there was no place any more: the others are
    out.
    """
    seen = {player for table in tables for player in table.players}
    seen |= {bye.entrant for bye in byes}
    out = board.plan.system in ("knock-out", "groups")
    for before in board.rounds[: round - 1] if out else ():
        seen |= {player for table in before.tables for player in table.players}
        seen |= {bye.entrant for bye in before.byes}
    key = "remark.late" if out else "remark.left-out"
    for one in present(board, round):
        if one.number not in seen:
            yield Remark(key=key, entrants=(one.number,), values={"name": one.name})


def _of_table(board: Board, history: History, table: Table) -> list[Remark]:
    notes: list[Remark] = []
    sides = sides_of(len(table.players))
    two_sides = len(table.players) == 2 or board.plan.fixed_teams
    for seat, other in combinations(range(len(table.players)), 2):
        if seat % sides == other % sides:
            continue
        one, two = (board.entrant(table.players[k]) for k in (seat, other))
        values: dict[str, str | int] = {"table": table.number, "one": one.name, "other": two.name}
        who = (one.number, two.number)
        before = [
            str(number)
            for number, turn in enumerate(history.turns[one.number], 1)
            if turn.played and two.number in turn.against
        ]
        if before and two_sides and other < sides:
            names = [
                " & ".join(board.entrant(one).name for one in table.players[side::sides])
                for side in (seat, other)
            ]
            notes.append(
                Remark(
                    key="remark.rematch",
                    table=table.number,
                    entrants=tuple(table.players),
                    values={
                        "table": table.number,
                        "one": names[0],
                        "other": names[1],
                        "rounds": ", ".join(before),
                    },
                )
            )
        for key, what, mine, theirs in (
            ("remark.club", "club", one.club, two.club),
            ("remark.team", "team", one.team, two.team),
        ):
            if mine and mine == theirs:
                notes.append(
                    Remark(
                        key=key,
                        table=table.number,
                        entrants=who,
                        values={**values, what: mine},
                    )
                )
    for seat, player in enumerate(table.players, 1):
        leads = seat == table.leader
        if history.leads(player)[-2:] == [leads, leads] and (leads or len(table.players) == 2):
            notes.append(
                Remark(
                    key="remark.leads" if leads else "remark.leads-not",
                    table=table.number,
                    entrants=(player,),
                    values={"table": table.number, "name": board.entrant(player).name},
                )
            )
    return notes
