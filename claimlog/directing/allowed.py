"""Whether an act fits the state of an event; if not, it is refused with a reason."""

from __future__ import annotations

from collections import Counter
from itertools import product
from operator import attrgetter
from typing import TYPE_CHECKING

from claimlog.cards import tens_in_deck
from claimlog.directing import acts
from claimlog.directing.counting import TIEBREAKS
from claimlog.directing.desk import Refused, refuse, requested
from claimlog.directing.model import Entrant
from claimlog.directing.planning import misfit
from claimlog.language.messages import message_of
from claimlog.notation.names import folded as in_any_case
from claimlog.notation.names import tidy
from claimlog.results import IMPOSSIBLE, NO_RESULT, parse_result
from claimlog.rules.setup import RULINGS, Setup

if TYPE_CHECKING:
    from collections.abc import Iterable

    from claimlog.directing.desk import Desk, Place, Round
    from claimlog.directing.model import Plan, Table, TableResult


def check(desk: Desk, act: acts.Act, record: TableResult | None = None) -> None:
    """Raise Refused if an act is not possible in the event's state.

    `record` is the result in the record of the table's game, if that is the one that counts.
    """
    match act:
        case acts.Created():
            refuse("desk.event-exists", name=desk.name)
        case acts.Planned(plan=plan):
            check_plan(plan, desk.plan)
            if desk.rounds and plan.seats != desk.plan.seats:
                refuse("desk.seats")
        case acts.Entered(entrants=entrants):
            _check_names(desk, entrants)
            last = len(desk.entrants)
            if [one.number for one in entrants] != list(range(last + 1, last + len(entrants) + 1)):
                refuse("desk.numbers", number=last + 1)
        case acts.Changed(entrant=new):
            desk.entrant(new.number)
            _check_names(desk, [new], own=new.number)
        case acts.Spelled(entrant=entrant, name=name):
            desk.entrant(entrant)
            _check_names(desk, [Entrant(name=name)])
        case acts.Withdrew(entrant=entrant, round=number):
            name = desk.entrant(entrant).name
            if entrant in desk.withdrawn:
                refuse("desk.withdrawn", name=name)
            # Somebody may withdraw in the last round, before it turns out to be the last.
            _check_ahead(desk, number, beyond=1)
        case acts.Returned(entrant=entrant):
            if entrant not in desk.withdrawn:
                refuse("desk.not-withdrawn", name=desk.entrant(entrant).name)
        case acts.AskedForBye(entrant=entrant, round=number):
            desk.entrant(entrant)
            _check_ahead(desk, number)
        case acts.Paired():
            _check_paired(desk, act)
        case acts.Undone(number=number):
            if desk.undoable is None:
                refuse("desk.nothing-to-undo")
            if number != desk.undoable:
                refuse("desk.undo-last", last=desk.undoable, number=number)
        case acts.Announced():
            pass
        case _ if isinstance(act, acts.InRound):
            _check_in_round(desk, act, record)


_tables = attrgetter("system", "seats", "of_teams")


def check_plan(plan: Plan, before: Plan | None = None) -> None:
    """Raise Refused unless an event can be played by a plan.

    A system that pairs no round of such tables may stay in an event that has it already, from an
    earlier version: its rounds can be paired by hand.
    """
    why = misfit(plan)
    if why is not None and (before is None or _tables(plan) != _tables(before)):
        raise Refused(why)
    if len(set(plan.tiebreaks)) < len(plan.tiebreaks):
        refuse("question.tiebreaks", names=TIEBREAKS)
    for key, value in plan.rulings.items():
        if key not in RULINGS or value not in RULINGS[key].values:
            refuse("desk.no-ruling", ruling=f"{key}={value}")
    for deck in plan.decks:
        _check_deck(plan, deck, plan.seats)


def _check_deck(plan: Plan, deck: str, seats: int) -> None:
    """Raise Refused unless a deck can be played by this many under the plan's rules."""
    try:
        Setup(deck, seats, plan.rules)
    except (TypeError, ValueError) as error:
        refuse("desk.plan", why=message_of(error))


def _check_names(desk: Desk, entrants: Iterable[Entrant], own: int | None = None) -> None:
    """Raise Refused unless each entrant has a name that nobody else has, in records either.

    `own` is the number of the entrant who is renamed.
    """
    names = {in_any_case(tidy(one.name)) for one in desk.entrants if one.number != own}
    spelled = {
        in_any_case(tidy(name)): number for name, number in desk.spelled.items() if number != own
    }
    for one in entrants:
        name = in_any_case(tidy(one.name))
        if not name or name == "?":
            refuse("desk.name")
        if name in names:
            refuse("desk.entered", name=one.name)
        if name in spelled:
            refuse("desk.spelled", name=one.name, other=desk.entrant(spelled[name]).name)
        names.add(name)


def _check_ahead(desk: Desk, number: int, beyond: int = 0) -> None:
    """Raise Refused if the round has begun, or is further than `beyond` after the last planned."""
    if desk.plan.rounds and number > desk.plan.rounds + beyond:
        refuse("desk.rounds", number=desk.plan.rounds)
    if number <= len(desk.rounds) and desk.rounds[number - 1].state != "paired":
        refuse("desk.begun", number=number)


def _check_paired(desk: Desk, act: acts.Paired) -> None:
    number = act.round
    if number > len(desk.rounds) + 1:
        refuse("desk.paired-before", number=len(desk.rounds) + 1, other=number)
    if number < len(desk.rounds):
        refuse("desk.paired", number=number + 1)
    _check_ahead(desk, number)
    seated = [player for table in act.tables for player in table.players]
    away = [bye.entrant for bye in act.byes]
    for player, times in Counter((*seated, *away)).items():
        name = desk.entrant(player).name
        if times > 1:
            refuse("desk.twice", name=name, number=number)
    present = {one.number for one in desk.present(number)}
    gone = desk.gone(number)
    for player in (*seated, *away):
        if player in gone or (player in seated and player not in present):
            refuse("desk.does-not-play", name=desk.entrant(player).name, number=number)
    numbers = Counter(table.number for table in act.tables)
    for table in act.tables:
        if numbers[table.number] > 1:
            refuse("desk.two-tables", table=table.number)
        _check_table(desk.plan, table)


def _check_table(plan: Plan, table: Table) -> None:
    """Raise Refused unless a game can be played at a table."""
    if not 2 <= len(table.players) <= 4:
        refuse("desk.players", table=table.number, number=len(table.players))
    if table.leader > len(table.players):
        refuse("desk.no-seat", table=table.number, seat=table.leader)
    if table.deck:
        _check_deck(plan, table.deck, len(table.players))


def _check_seated(desk: Desk, round: Round, act: acts.Seated) -> None:
    """Raise Refused unless a table can be added: with a free number, for those not at another."""
    if round.state == "closed":
        refuse("desk.closed", number=round.number)
    if any(place.table.number == act.table for place in round.tables):
        refuse("desk.two-tables", table=act.table)
    free = {one.number for one in desk.present(round.number)}
    free |= {bye.entrant for bye in round.byes} - desk.gone(round.number)
    seated = Counter(player for place in round.tables for player in place.table.players)
    seated.update(act.players)
    for player in act.players:
        name = desk.entrant(player).name
        if seated[player] > 1:
            refuse("desk.twice", name=name, number=round.number)
        if player not in free:
            refuse("desk.does-not-play", name=name, number=round.number)
    _check_table(desk.plan, act.added)


def _check_start(desk: Desk, round: Round) -> None:
    if round.state != "paired":
        refuse("desk.begun", number=round.number)
    if round.number > 1 and desk.rounds[round.number - 2].state == "paired":
        refuse("desk.not-begun", number=round.number - 1)
    # All opponents may be absent; the next round needs to know who had the byes.
    if not round.tables and not round.byes:
        refuse("desk.no-tables", number=round.number)
    present = {one.number for one in desk.present(round.number)}
    for place in round.tables:
        for player in place.table.players:
            if player not in present:
                refuse(
                    "desk.sits",
                    name=desk.entrant(player).name,
                    number=round.number,
                    table=place.table.number,
                )
    gone = desk.gone(round.number)
    byes = {bye.entrant for bye in round.byes}
    for player in sorted(byes & gone):
        refuse("desk.gone", name=desk.entrant(player).name, number=round.number)
    for player in requested(desk.absences, desk.withdrawn, round.number):
        if player not in byes:
            refuse("desk.no-bye", name=desk.entrant(player).name, number=round.number)


def _check_clock(desk: Desk, round: Round, act: acts.Clocked) -> None:
    if round.state != "running":
        refuse("desk.not-playing", number=round.number)
    if round.clock is None and not desk.plan.minutes and act.minutes <= 0:
        refuse("desk.no-time", number=round.number)
    running = round.clock is not None and round.clock.since is not None
    if not act.minutes and act.running in (None, running):
        refuse("desk.clock-goes" if running else "desk.clock-stands", number=round.number)


def _check_in_round(desk: Desk, act: acts.InRound, record: TableResult | None) -> None:
    """Check an act in a round that was paired."""
    round = desk.round(act.round)
    match act:
        case acts.Exchanged(entrants=entrants):
            _check_exchange(desk, round, entrants)
        case acts.Seated():
            _check_seated(desk, round, act)
        case acts.Locked(table=table):
            round.place(table)
            if round.state != "paired":
                refuse("desk.begun", number=round.number)
        case acts.ResultTyped(table=table, result=result):
            _check_result(round, table, result)
        case acts.Confirmed(table=table, result=result, sides=sides):
            place = _check_result(round, table, result, recorded=result == record)
            if place.result not in (None, result):
                refuse("desk.other-result", table=table)
            if not set(sides) <= set(place.sides):
                refuse("desk.sides", table=table, number=len(place.sides))
        case acts.Corrected(table=table, result=result):
            place = round.place(table)
            if round.state == "paired":
                refuse("desk.not-begun", number=round.number)
            _check_fits(place, result)
        case acts.Stands(table=table):
            round.place(table)
        case acts.Closed(adjourned=adjourned):
            if round.state != "running":
                refuse("desk.not-playing", number=round.number)
            for table in adjourned:
                round.place(table)
        case acts.Clocked():
            _check_clock(desk, round, act)
        case acts.Started():
            _check_start(desk, round)
        case acts.Reopened():
            if round.state != "closed":
                refuse("desk.not-closed", number=round.number)


def _check_exchange(desk: Desk, round: Round, entrants: tuple[int, ...]) -> None:
    if round.state == "closed":
        refuse("desk.closed", number=round.number)
    byes = {bye.entrant for bye in round.byes}
    present = {one.number for one in desk.present(round.number)}
    outside = []
    for one in entrants:
        places = [place for place in round.tables if one in place.table.players]
        if not places and one not in byes:
            name = desk.entrant(one).name
            if one not in present:
                refuse("desk.does-not-play", name=name, number=round.number)
            outside.append(name)
        for place in places:
            if place.locked:
                refuse("desk.locked", table=place.table.number)
            if place.result is not None:
                refuse("desk.has-result", table=place.table.number)
    if len(outside) == len(entrants):
        refuse("desk.not-in-round", name=outside[0], number=round.number)
    if byes.issuperset(entrants) or entrants[0] == entrants[1]:
        refuse("desk.same-place")


def _check_result(
    round: Round, table: int, result: TableResult | None, *, recorded: bool = False
) -> Place:
    """Return the table if its result may be typed or confirmed now; raises Refused otherwise."""
    place = round.place(table)
    if round.state == "paired":
        refuse("desk.not-begun", number=round.number)
    if place.settled:
        refuse("desk.confirmed", table=table)
    if round.state == "closed" and table not in round.adjourned:
        refuse("desk.result-closed", number=round.number)
    _check_fits(place, result, recorded=recorded)
    return place


def _check_fits(place: Place, result: TableResult | None, *, recorded: bool = False) -> None:
    """Raise Refused unless a game at this table can end like this.

    A record may also have ended otherwise than by the rules, for example by adjudication.
    """
    if result is None:
        return
    table, sides, absent = place.table.number, len(place.sides), set(result.forfeit)
    number = parse_result(result.result)
    if number in (IMPOSSIBLE, NO_RESULT) or number // 8 != sides:
        refuse("desk.impossible", result=result.result, number=sides)
    votes = "-".join(map(str, result.votes))
    if len(result.votes) not in (0, sides):
        refuse("desk.votes", table=table, number=sides, votes=votes)
    if not absent.issubset(place.sides):
        refuse("desk.sides", table=table, number=sides)
    won = [side for side in place.sides if number >> side - 1 & 1]
    factions = dict(zip(place.sides, result.votes, strict=False))
    for side in sorted(absent):
        if side in won or factions.get(side):
            refuse("desk.absent", table=table, side=side)
    if not won and absent != set(place.sides):
        refuse("desk.nobody-won", table=table, result=result.result)
    if recorded:
        return
    most = tens_in_deck(len(place.table.players)) + 2
    if sum(result.votes) > most:
        refuse("desk.factions", table=table, votes=votes, number=most)
    if len({factions.get(side) for side in won}) > 1:
        refuse("desk.unequal", table=table, votes=votes)
    for side, other in product(won, set(place.sides).difference(won)):
        if factions.get(side, 0) < factions.get(other, 0):
            refuse("desk.fewer", table=table, side=side, other=other)
