"""Lists that a director submits: entrants, pairings, results, a whole event as TRF16."""

from __future__ import annotations

import re
from functools import reduce
from typing import TYPE_CHECKING

import msgspec

from claimlog.directing import acts
from claimlog.directing.entrants import EntryProblem, read_entrants
from claimlog.directing.pairing.outcome import PairedRound, PairerMissing
from claimlog.directing.trf import read_trf
from claimlog.directing.typed import Unreadable, lines_of, read_line, result_at
from claimlog.directing.uploads import EnteredList, ListProblem, read_pairings
from claimlog.language.messages import Message
from claimlog.store.model.errors import Declined, NotFound, PackageMissing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from claimlog.store.questions.desks import Desks


def enter_list(desks: Desks, text: str, entries: str, by: str, why: str) -> EnteredList:
    """See `Archive.enter_list`."""
    board = desks.board(text)
    listed = read_entrants(entries, board.entrants)
    if listed.entrants:
        board = desks.enter(text, listed.entrants, by, why)
    problems = tuple(map(ListProblem.of, listed.problems))
    return EnteredList(desk=board, problems=problems, left=listed.left)


def pair_list(desks: Desks, text: str, pairings: str, by: str, why: str) -> PairedRound:
    """See `Archive.pair_list`."""
    board = desks.board(text)
    number = board.next_round
    listed = read_pairings(pairings, board, number)
    if listed.problems:
        raise Declined(_all_of(listed.problems))
    tables, byes = listed.pairing.tables, listed.pairing.byes
    if not tables and not byes:
        raise Declined("upload.nothing")
    act = acts.Paired(round=number, tables=tables, byes=byes, by_hand=True)
    board = desks.do(text, act, by, why, board.act)
    return PairedRound(desk=board, remarks=listed.pairing.remarks)


def enter_results(
    desks: Desks, text: str, results: str, round: int | None, correct: bool, by: str, why: str
) -> EnteredList:
    """See `Archive.enter_results`."""
    board = desks.board(text)
    if round is None:
        round = 1 if board.played is None else board.played.number
    if not 1 <= round <= len(board.rounds):
        raise NotFound("desk.not-paired", number=round)
    tables = {one.number: one.table for one in board.rounds[round - 1].tables}
    problems: list[EntryProblem] = []
    left: list[str] = []
    for place, typed in lines_of(results):
        try:
            line = read_line(typed)
            if line.table not in tables:
                raise Unreadable("desk.no-table", number=round, table=line.table)
            result = result_at(line, tables[line.table].sides)
            kind = acts.Corrected if correct else acts.ResultTyped
            act = kind(round=round, table=line.table, result=result)
            board = desks.do(text, act, by, why, None)
        except (Unreadable, Declined) as error:
            problems.append(EntryProblem(place, error.message.key, error.message.values))
            left.append(typed)
    return EnteredList(
        desk=board, problems=tuple(map(ListProblem.of, problems)), left=", ".join(left)
    )


def read_event(desks: Desks, text: str, trf: str, by: str, why: str) -> EnteredList:
    """See `Archive.enter_trf`."""
    board = desks.board(text)
    if board.entrants or board.plan.seats != 2:
        raise Declined("trf.not-empty", name=board.name)
    try:
        event = read_trf(trf)
    except PairerMissing as error:
        raise PackageMissing(error.message) from error
    if not event.entrants:
        raise Declined("trf.nobody")
    desks.enter(text, event.entrants, by, why)
    rounds = re.search("^XXR +([0-9]{1,3})", trf, re.MULTILINE)
    if rounds is not None and board.plan.rounds is None:
        plan = msgspec.structs.replace(board.plan, rounds=max(1, min(int(rounds[1]), 100)))
        desks.do(text, acts.Planned(plan=plan), by, why, None)
    for number, round in enumerate(event.rounds, 1):
        paired = acts.Paired(round=number, tables=round.tables, byes=round.byes, by_hand=True)
        desks.do(text, paired, by, why, None)
        if number == len(event.rounds) and not round.results:
            break  # the round has not begun
        done: list[acts.Act] = [
            acts.Started(round=number),
            *(
                acts.ResultTyped(round=number, table=table, result=result)
                for table, result in round.results.items()
            ),
        ]
        open_tables = tuple(
            table.number for table in round.tables if table.number not in round.results
        )
        if not open_tables or number < len(event.rounds):
            done.append(acts.Closed(round=number, adjourned=open_tables))
        for act in done:
            desks.do(text, act, by, why, None)
    problems = tuple(map(ListProblem.of, event.problems))
    return EnteredList(desk=desks.board(text), problems=problems)


def _all_of(problems: Iterable[EntryProblem]) -> Message:
    """All problems of a list as one message."""
    lines = (
        Message("list.line", line=one.line, text=Message(one.key, **one.values)) for one in problems
    )
    return reduce(lambda one, other: Message("list.lines", one=one, other=other), lines)
