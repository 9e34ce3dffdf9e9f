"""Knock-out: losers are out; and groups in which everybody meets, then a knock-out of the best.

The best seeds meet last.  Free places in the first round are byes for the best seeds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from claimlog.directing.model import rounds_for
from claimlog.directing.pairing import berger
from claimlog.directing.pairing.outcome import Pair, Unpairable
from claimlog.directing.standings import cut, standings
from claimlog.results import parse_result

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import TypeAlias

    from claimlog.directing.board import Board
    from claimlog.directing.pairing.casual import Paired
    from claimlog.directing.pairing.field import Field
    from claimlog.directing.pairing.outcome import Relaxation, Unit

    Couple: TypeAlias = tuple[Unit | None, Unit | None]


def bracket(size: int) -> list[int]:
    """Return the places of the seeds 1 to `size`, a power of two, so that the best meet last.

    >>> bracket(8)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    seeds = [1]
    while len(seeds) < size:
        total = 2 * len(seeds) + 1
        seeds = [one for seed in seeds for one in (seed, total - seed)]
    return seeds


def paired(field: Field, relax: Collection[Relaxation] = ()) -> Paired:
    """Pair a round of a knock-out of all units."""
    seeds, late = _by_entry(field)
    return finals(field, seeds if field.round > 1 else seeds + late, 1, relax)


def _by_entry(field: Field) -> tuple[list[Unit], list[Unit]]:
    """Return the units of round 1, if it has been paired and is over, and the others present."""
    there: set[int] = set()
    if field.round > 1:
        round = field.board.rounds[0]
        there = {player for table in round.tables for player in table.players}
        there |= {bye.entrant for bye in round.byes}
    began = [unit for unit in field.everybody if there.intersection(unit.numbers)]
    # A rating that was corrected since moves nobody.
    place = {number: place for place, number in enumerate(field.board.seeding)}
    began.sort(key=lambda unit: min(place.get(one, len(place)) for one in unit.numbers))
    gone = field.board.withdrawn
    late = [
        unit
        for unit in field.everybody
        if unit not in began and all(gone.get(one, 2) > 1 for one in unit.numbers)
    ]
    return began, late


def finals(
    field: Field, seeds: Sequence[Unit], first: int, relax: Collection[Relaxation]
) -> Paired:
    """Pair a knock-out of these seeds that began in round `first`."""
    size = 1
    while size < len(seeds):
        size *= 2
    alive: list[Unit | None] = [
        seeds[place - 1] if place <= len(seeds) else None for place in bracket(size)
    ]
    for round in range(first, field.round):
        couples = list(zip(alive[::2], alive[1::2], strict=True))
        alive = [
            _winner(field, one, other, round, relax, final=len(couples) == 1)
            for one, other in _as_played(field, couples, round)
        ]
    left = [unit for unit in alive if unit is not None]
    if not left:
        raise Unpairable("pairing.over")
    if len(left) == 1:
        key = "pairing.won-team" if len(left[0].members) > 1 else "pairing.won"
        raise Unpairable(key, names=left)
    here = {unit.key for unit in field.units}
    pairs: list[Pair] = []
    away: list[Unit] = []
    for couple in zip(alive[::2], alive[1::2], strict=True):
        present = [unit for unit in couple if unit is not None and unit.key in here]
        if len(present) == 2:
            pairs.append(field.leading(*present))
        else:
            away += present
    if not pairs and not away and not field.locked:
        raise Unpairable("pairing.nobody", round=field.round)
    return pairs, away


def _as_played(field: Field, couples: list[Couple], round: int) -> list[Couple]:
    """Return the couples of a round as they played, which may differ from the bracket.

    The director may have exchanged players, paired by hand, or corrected a seed since.  A table
    that is not in the bracket takes a place that has lost its own, in the order of the tables.
    """
    board = field.board.rounds[round - 1]
    tables = [tuple(map(field.unit, table.players[:2])) for table in board.tables]
    free = [(field.unit(bye.entrant),) for bye in board.byes if bye.kind == "pairing"]
    played = [*tables, *dict.fromkeys(free)]
    there = {unit.key for units in played for unit in units}
    wanted = [{one.key for one in couple if one is not None} & there for couple in couples]
    keys = [{unit.key for unit in units} for units in played]
    moved = [units for units, one in zip(played, keys, strict=True) if one not in wanted]
    lost = [place for place, one in enumerate(wanted) if one not in keys]
    # Who was absent keeps the place, unless those who played need it.
    kept = [place for place in lost if not wanted[place] and couples[place] != (None, None)]
    found = list(couples)
    for place in lost:
        if place not in kept:
            found[place] = None, None
    lost.sort(key=lambda place: (place in kept, not wanted[place]))
    alive = {unit.key for couple in couples for unit in couple if unit is not None}
    for size in (2, 1, 0):
        fitting = [units for units in moved if len(units) == size or not size]
        places = [place for place in lost if len(wanted[place]) == size or not size]
        for place, units in zip(places, fitting, strict=False):
            if place in kept and not alive.intersection(unit.key for unit in units):
                continue  # such as a game for the third place
            found[place] = units[0], units[1] if len(units) > 1 else None
            lost.remove(place)
            moved.remove(units)
    return found


def _winner(
    field: Field,
    one: Unit | None,
    other: Unit | None,
    round: int,
    relax: Collection[Relaxation],
    *,
    final: bool,
) -> Unit | None:
    """Return the unit that advanced from a knock-out table, or None.  Raises Unpairable.

    In the `final` nobody advances, so a shared win leaves the places to the tie-breaks.
    """
    if one is None or other is None:
        alone = one or other
        gone = field.board.withdrawn
        # Who is absent keeps the place, but not who has withdrawn.
        if alone is None or all(gone.get(member, round + 1) <= round for member in alone.numbers):
            return None
        return alone
    board = field.board.rounds[round - 1]
    for table in board.tables:
        units = [field.unit(player) for player in table.players[:2]]
        if {one.key, other.key} != {unit.key for unit in units}:
            continue
        if table.result is None:
            raise Unpairable("pairing.open", names=(one, other), table=table.number, round=round)
        absent = table.result.forfeit
        winners = parse_result(table.result.result) % 8
        if len(absent) > 1:
            return None
        if winners != 3 or absent:
            return units[winners.bit_length() - 1] if not absent else units[2 - absent[0]]
        played_on = _in_round(field, units, round + 1)
        if len(played_on) == 1:
            return played_on[0]
        if final:
            raise Unpairable("pairing.final-tie", names=(one, other), table=table.number)
        if "tie" in relax:
            return min(units, key=lambda unit: unit.rank)
        raise Unpairable(
            "pairing.tie", names=(one, other), relax=("tie",), table=table.number, round=round
        )
    free = {bye.entrant for bye in board.byes if bye.kind == "pairing"}
    return next((unit for unit in (one, other) if free.intersection(unit.numbers)), None)


def _in_round(field: Field, units: Sequence[Unit], round: int) -> list[Unit]:
    """Return those of the units who are in a round before the one to be paired: they advanced."""
    if round >= field.round:
        return []
    board = field.board.rounds[round - 1]
    there = {player for table in board.tables for player in table.players}
    there |= {bye.entrant for bye in board.byes}
    return [unit for unit in units if there.intersection(unit.numbers)]


# Groups --------------------------------------------------------------------------------------


def groups_of(field: Field) -> list[list[Unit]]:
    """Return the groups: seeds are dealt to them in turn, back and forth.

    After round 1 an entrant can only take a place that is free, as more of them would change the
    tables of all groups.
    """
    count = field.board.plan.groups
    groups: list[list[Unit]] = [[] for _ in range(count)]
    began, late = _by_entry(field)
    if not began:
        began, late = late, []
    for place, unit in enumerate(began):
        row, column = divmod(place, count)
        groups[count - 1 - column if row % 2 else column].append(unit)
    size = max(map(len, groups))
    free = [group for group in groups for _ in range(size + size % 2 - len(group))]
    # The smallest group first.
    for group, unit in zip(
        sorted(free, key=len), sorted(late, key=lambda one: one.key), strict=False
    ):
        group.append(unit)
    return groups


def groups_then_finals(field: Field, relax: Collection[Relaxation] = ()) -> Paired:
    """Pair a round in the groups, or of the knock-out of their best."""
    groups = groups_of(field)
    if len(groups[-1]) < 2 or len(groups[0]) < 2:
        least = 2 * len(groups)
        raise field.too_few(len(field.everybody), least)
    size = max(map(len, groups))
    last = rounds_for(size)
    if field.round <= last:
        paired_groups = [berger.of_group(field, group, size) for group in groups]
        return [pair for pairs, _ in paired_groups for pair in pairs], [
            unit for _, away in paired_groups for unit in away
        ]
    return finals(field, _best(field, groups, last, relax), last + 1, relax)


def _best(
    field: Field, groups: list[list[Unit]], last: int, relax: Collection[Relaxation]
) -> list[Unit]:
    """Return who advances: the first of all groups, then the second of all.  Raises Unpairable."""
    number = field.board.plan.advance
    through = [_first_of(field, group, last, number, relax) for group in groups]
    return [group[place] for place in range(number) for group in through if place < len(group)]


def _first_of(
    field: Field, group: list[Unit], last: int, number: int, relax: Collection[Relaxation]
) -> list[Unit]:
    members = {one for unit in group for one in unit.numbers}
    lines = standings(_only(field.board, members), last, teams=field.teams).lines
    here = [line for line in lines if set(line.entrants) <= members]
    sure, level = cut(here, number)
    played_on = _in_round(field, [field.unit(line.entrants[0]) for line in level], last + 1)
    if len(sure) + len(played_on) == number:
        level = [line for line in level if field.unit(line.entrants[0]) in played_on]
    elif level and "tie" not in relax:
        who = [field.unit(line.entrants[0]) for line in level]
        if number == 1:
            raise Unpairable("pairing.level-first", names=who, relax=("tie",))
        raise Unpairable("pairing.level", names=who, relax=("tie",), number=number)
    level.sort(key=lambda line: field.unit(line.entrants[0]).rank)
    return [field.unit(line.entrants[0]) for line in [*sure, *level][:number]]


def _only(board: Board, members: set[int]) -> Board:
    """Return an event with only the tables and byes of these members, a round robin."""
    change = msgspec.structs.replace
    return change(
        board,
        plan=change(board.plan, system="round-robin"),
        rounds=tuple(
            change(
                round,
                tables=tuple(one for one in round.tables if members.issuperset(one.players)),
                byes=tuple(bye for bye in round.byes if bye.entrant in members),
            )
            for round in board.rounds
        ),
    )
