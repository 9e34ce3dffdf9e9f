"""Whether an act fits how an event stands: what is refused, and why."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from claimlog.directing import acts
from claimlog.directing.desk import refuse
from claimlog.notation.names import folded as in_any_case
from claimlog.notation.names import tidy
from claimlog.results import IMPOSSIBLE, NO_RESULT, parse_result
from claimlog.rules.setup import RULINGS, Setup

if TYPE_CHECKING:
    from collections.abc import Iterable

    from claimlog.directing.desk import Desk, Place, Round
    from claimlog.directing.model import Entrant, Plan, TableResult


def check(desk: Desk, act: acts.Act) -> None:
    """Raise Refused if an act cannot be done as the event stands."""
    match act:
        case acts.Created():
            refuse(f"there is an event {desk.name} already")
        case acts.Planned(plan=plan):
            check_plan(plan)
            if desk.rounds and plan.seats != desk.plan.seats:
                refuse("a round is paired: the number of seats stays as it is")
        case acts.Entered(entrants=entrants):
            _check_names(desk, entrants, others=desk.entrants)
            last = len(desk.entrants)
            if [one.number for one in entrants] != list(range(last + 1, last + len(entrants) + 1)):
                refuse(f"the numbers of new entrants go on with {last + 1}")
        case acts.Changed(entrant=new):
            desk.entrant(new.number)
            others = [one for one in desk.entrants if one.number != new.number]
            _check_names(desk, [new], others=others)
        case acts.Withdrew(entrant=entrant, round=number):
            name = desk.entrant(entrant).name
            if entrant in desk.withdrawn:
                refuse(f"{name} has withdrawn already")
            _check_ahead(desk, number)
        case acts.Returned(entrant=entrant):
            if entrant not in desk.withdrawn:
                refuse(f"{desk.entrant(entrant).name} has not withdrawn")
        case acts.AskedForBye(entrant=entrant, round=number):
            desk.entrant(entrant)
            _check_ahead(desk, number)
        case acts.Paired():
            _check_paired(desk, act)
        case acts.Undone(number=number):
            if desk.undoable is None:
                refuse("there is nothing to undo")
            if number != desk.undoable:
                refuse(f"only the last act can be undone: {desk.undoable}, not {number}")
        case acts.Announced():
            pass
        case _ if isinstance(act, acts.InRound):
            _check_in_round(desk, act)


def check_plan(plan: Plan) -> None:
    """Raise Refused unless games can be played by a plan."""
    for key, value in plan.rulings.items():
        if key not in RULINGS or value not in RULINGS[key].values:
            refuse(f"no game can be played by this plan: no such ruling: {key}={value}")
    for deck in plan.decks:
        _check_deck(plan, deck, plan.seats)


def _check_deck(plan: Plan, deck: str, seats: int) -> None:
    """A deck can be played by so many under the rules of a plan."""
    try:
        Setup(deck, seats, plan.rules)
    except (TypeError, ValueError) as error:
        refuse(f"no game can be played by this plan: {error}")


def _check_names(desk: Desk, entrants: Iterable[Entrant], *, others: Iterable[Entrant]) -> None:
    """Each entrant has a name of their own."""
    known = {in_any_case(tidy(one.name)) for one in others}
    for one in entrants:
        name = in_any_case(tidy(one.name))
        if not name or name == "?":
            refuse("an entrant has a name")
        if name in known:
            refuse(f"{one.name} is entered already")
        known.add(name)


def _check_ahead(desk: Desk, number: int) -> None:
    """The round has not begun."""
    if number <= len(desk.rounds) and desk.rounds[number - 1].state != "paired":
        refuse(f"round {number} has begun")


def _check_paired(desk: Desk, act: acts.Paired) -> None:
    number = act.round
    if number > len(desk.rounds) + 1:
        refuse(f"round {len(desk.rounds) + 1} is paired before round {number}")
    if number < len(desk.rounds):
        refuse(f"round {number + 1} is paired already")
    _check_ahead(desk, number)
    if desk.plan.rounds and number > desk.plan.rounds:
        refuse(f"the event has {desk.plan.rounds} rounds")
    seated = [player for table in act.tables for player in table.players]
    away = [bye.entrant for bye in act.byes]
    for player, times in Counter((*seated, *away)).items():
        name = desk.entrant(player).name
        if times > 1:
            refuse(f"{name} is in round {number} twice")
    present = {one.number for one in desk.present(number)}
    for player in seated:
        if player not in present:
            refuse(f"{desk.entrant(player).name} does not play in round {number}")
    numbers = Counter(table.number for table in act.tables)
    for table in act.tables:
        if numbers[table.number] > 1:
            refuse(f"there are two tables {table.number}")
        if not 2 <= len(table.players) <= 4:
            refuse(f"table {table.number} has {len(table.players)} players: 2 to 4 play a game")
        if table.leader > len(table.players):
            refuse(f"table {table.number} has no seat {table.leader}")
        if table.deck:
            _check_deck(desk.plan, table.deck, len(table.players))


def _check_start(desk: Desk, round: Round) -> None:
    if round.state != "paired":
        refuse(f"round {round.number} has begun")
    if round.number > 1 and desk.rounds[round.number - 2].state == "paired":
        refuse(f"round {round.number - 1} has not begun")
    if not round.tables:
        refuse(f"round {round.number} has no tables")
    present = {one.number for one in desk.present(round.number)}
    for place in round.tables:
        for player in place.table.players:
            if player not in present:
                refuse(
                    f"{desk.entrant(player).name} does not play in round {round.number}, and sits "
                    f"at table {place.table.number}: pair the round again"
                )


def _check_in_round(desk: Desk, act: acts.InRound) -> None:
    """What is done in a round that was paired."""
    round = desk.round(act.round)
    match act:
        case acts.Exchanged(entrants=entrants):
            _check_exchange(desk, round, entrants)
        case acts.Locked(table=table):
            round.place(table)
            if round.state != "paired":
                refuse(f"round {round.number} has begun")
        case acts.ResultTyped(table=table, result=result):
            _check_result(round, table, result)
        case acts.Confirmed(table=table, result=result, sides=sides):
            place = _check_result(round, table, result)
            if place.result not in (None, result):
                refuse(f"table {table} has another result than the one confirmed")
            if not set(sides) <= set(place.sides):
                refuse(f"table {table} has {len(place.sides)} sides")
        case acts.Corrected(table=table, result=result):
            place = round.place(table)
            if round.state == "paired":
                refuse(f"round {round.number} has not begun")
            _check_fits(place, result)
        case acts.Closed(adjourned=adjourned):
            if round.state != "running":
                refuse(f"round {round.number} is not being played")
            for table in adjourned:
                round.place(table)
        case acts.Started():
            _check_start(desk, round)
        case acts.Reopened():
            if round.state != "closed":
                refuse(f"round {round.number} is not closed")


def _check_exchange(desk: Desk, round: Round, entrants: tuple[int, ...]) -> None:
    if round.state == "closed":
        refuse(f"round {round.number} is closed")
    byes = {bye.entrant for bye in round.byes}
    for one in entrants:
        places = [place for place in round.tables if one in place.table.players]
        if not places and one not in byes:
            refuse(f"{desk.entrant(one).name} is not in round {round.number}")
        for place in places:
            if place.locked:
                refuse(f"table {place.table.number} is locked")
            if place.result is not None:
                refuse(f"table {place.table.number} has a result")
    if byes.issuperset(entrants) or entrants[0] == entrants[1]:
        refuse("they are in the same place")


def _check_result(round: Round, table: int, result: TableResult | None) -> Place:
    """Somebody may type or confirm a result: the table is being played, or was adjourned."""
    place = round.place(table)
    if round.state == "paired":
        refuse(f"round {round.number} has not begun")
    if place.settled:
        refuse(f"the result of table {table} is confirmed: only the director changes it")
    if round.state == "closed" and table not in round.adjourned:
        refuse(f"round {round.number} is closed")
    _check_fits(place, result)
    return place


def _check_fits(place: Place, result: TableResult | None) -> None:
    """A result is one of a game with so many sides."""
    if result is None:
        return
    sides = len(place.sides)
    number = parse_result(result.result)
    if number in (IMPOSSIBLE, NO_RESULT) or number // 8 != sides:
        refuse(f"{result.result} is no result of a game with {sides} sides")
