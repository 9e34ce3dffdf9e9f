"""Tables of three and four, where everybody plays for themselves or with changing partners.

`rotation`: all meet as evenly as possible.  By points (`swiss`, `casual`): entrants with equal
points meet, without rematches if possible.  Those left over from full tables have a bye.

A round is built from a first arrangement by exchanging two players as long as that improves it.  If
somebody still meets again, an arrangement in which nobody does is searched.  If the number of
tables has no small factor, or is 4, 8, 16 or 32, a known arrangement avoids all rematches for as
many rounds as there are tables.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from math import gcd
from typing import TYPE_CHECKING, Final

from claimlog.directing.pairing.outcome import Unpairable
from claimlog.directing.planning import misfit
from claimlog.rules.setup import sides_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from claimlog.directing.pairing.field import Field
    from claimlog.directing.pairing.outcome import Relaxation, Unit

Meetings = Counter[frozenset[int]]
"""How often two entrants sat at one table, or were partners."""

_SPLITS: Final = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))
"""The ways to seat four: opposite seats, 1 and 3, 2 and 4, are partners."""

_STARTS: Final = 6
"""How many first arrangements are tried; the best result is used."""

_EFFORT: Final = 100_000
"""How many tables are tried to avoid all rematches, divided by the number of players."""


def paired(
    field: Field, relax: Collection[Relaxation] = ()
) -> tuple[list[tuple[int, ...]], list[Unit]]:
    """Return the tables, with players by seat, and the units with a bye.  Raises Unpairable."""
    plan = field.board.plan
    system = plan.system
    if (why := misfit(plan)) is not None:
        raise Unpairable(why.key, **why.values)
    units = field.by_points() if system in ("swiss", "casual") else list(field.units)
    if len(units) < plan.seats and not field.locked and not field.wanted:
        raise field.too_few(len(units), plan.seats)
    away = _byes(field, units, len(units) % plan.seats, relax)
    players = [unit.key for unit in units if unit not in away]
    met: Meetings = Counter()
    together: Meetings = Counter()
    for unit in field.everybody:
        for found, counts in (
            (met, field.history.met(unit.key) + field.history.partners(unit.key)),
            (together, field.history.partners(unit.key)),
        ):
            for other, times in counts.items():
                if unit.key < other:
                    found[frozenset((unit.key, other))] += times
    points = {}
    if system in ("swiss", "casual"):
        points = {key: field.scores[key] for key in players}
    tables = arranged(players, plan.seats, field.round, met, points)
    return [_seated(field, table, together) for table in tables], away


def _byes(
    field: Field, units: Sequence[Unit], number: int, relax: Collection[Relaxation]
) -> list[Unit]:
    """Choose the units with a bye: the lowest that have had none."""
    if not number:
        return []
    order = sorted(units, key=lambda unit: (field.score(unit), -unit.rank))
    may = [unit for unit in order if not field.had_bye(unit)]
    if len(may) < number:
        if "bye" not in relax:
            had = [unit for unit in order if unit not in may]
            raise Unpairable("pairing.bye-again", names=had, relax=("bye",))
        may += [unit for unit in order if unit not in may]
    return may[:number]


def arranged(
    players: Sequence[int],
    seats: int,
    round: int,
    met: Meetings,
    points: dict[int, float] | None = None,
) -> list[list[int]]:
    """Arrange players at full tables, with few rematches and, by `points`, like with like."""
    points = points or {}
    best: list[list[int]] = []
    least = 0.0
    chance = random.Random(round)  # the same event is always paired the same way
    for start in range(_STARTS):
        tables = _first(players, seats, round, start, chance, in_order=bool(points))
        cost = _improve(tables, met, points)
        if not best or cost < least:
            best, least = tables, cost
        if not least:
            break
    again = any(met[frozenset(couple)] for table in best for couple in combinations(table, 2))
    if again and (apart := _apart(players, seats, met, points)):
        _improve(apart, met, points)
        return apart
    return best


def _apart(
    players: Sequence[int], seats: int, met: Meetings, points: dict[int, float]
) -> list[list[int]]:
    """Return tables at which nobody meets again; [] if there are none, or none are found soon.

    Whoever has the fewest opponents left is seated next, with those nearest in points first.
    """
    fresh = {
        one: {two for two in players if two != one and not met[frozenset((one, two))]}
        for one in players
    }

    def choices() -> Iterator[list[int]]:
        one = min(
            (player for player in players if player in left),
            key=lambda player: len(fresh[player] & left),
        )
        others = [player for player in players if player in fresh[one] & left]
        others.sort(key=lambda player: abs(points.get(player, 0) - points.get(one, 0)))
        return ([one, *more] for more in _companies(others, seats - 1, fresh))

    left = set(players)
    tables: list[list[int]] = []
    open_choices = [choices()]
    for _ in range(_EFFORT // len(players)):
        if (table := next(open_choices[-1], None)) is None:
            if not tables:
                return []
            open_choices.pop()
            left.update(tables.pop())
            continue
        tables.append(table)
        left.difference_update(table)
        if not left:
            return tables
        open_choices.append(choices())
    return []


def _companies(
    players: Sequence[int], number: int, fresh: dict[int, set[int]]
) -> Iterator[list[int]]:
    """Yield this number of players who have not met each other, in all ways."""
    if not number:
        yield []
        return
    for k, one in enumerate(players):
        others = [two for two in players[k + 1 :] if two in fresh[one]]
        for more in _companies(others, number - 1, fresh):
            yield [one, *more]


def _first(
    players: Sequence[int],
    seats: int,
    round: int,
    start: int,
    chance: random.Random,
    *,
    in_order: bool,
) -> list[list[int]]:
    """Return a first arrangement: known to be good, in order, or shuffled."""
    count = len(players) // seats
    if not start and not in_order and (known := _known(players, seats, round)):
        return known
    mixed = list(players)
    if start:
        chance.shuffle(mixed)
    return [mixed[k * seats : (k + 1) * seats] for k in range(count)]


_FIELDS: Final = {4: 0b111, 8: 0b1011, 16: 0b10011, 32: 0b100101}
"""Sizes of finite fields of characteristic 2, each with an irreducible polynomial."""


def _times(one: int, other: int, size: int) -> int:
    """Return the product in a finite field of characteristic 2."""
    product = 0
    while other:
        if other & 1:
            product ^= one
        one <<= 1
        if one & size:
            one ^= _FIELDS[size]
        other >>= 1
    return product


def _known(players: Sequence[int], seats: int, round: int) -> list[list[int]]:
    """Return a round of a transversal design, or [] if none is known.

    Players are in rows, and each table has one player of each row.  Two rows meet along lines of a
    different slope in each round, for as many rounds as tables.
    """
    count = len(players) // seats
    if round > count:
        return []
    if gcd(count, 6 if seats == 4 else 2) == 1:
        return [
            [players[row * count + (table + (round - 1) * row) % count] for row in range(seats)]
            for table in range(count)
        ]
    if count in _FIELDS:
        return [
            [players[row * count + (table ^ _times(row, round - 1, count))] for row in range(seats)]
            for table in range(count)
        ]
    return []


def _improve(tables: list[list[int]], met: Meetings, points: dict[int, float]) -> float:
    """Exchange players of two tables as long as that improves the round; returns the final cost.

    A meeting costs the number of earlier ones, squared, so that nobody meets three times where
    others met once; by points, the difference in points costs, too, but less than any meeting.
    """
    pair = _pair_costs([one for table in tables for one in table], met, points)

    def cost_of(table: Iterable[int]) -> float:
        return sum(pair[one][other] for one, other in combinations(table, 2))

    costs = [cost_of(table) for table in tables]
    changed = True
    while changed:
        changed = False
        for one, other in combinations(range(len(tables)), 2):
            if not costs[one] and not costs[other]:
                continue
            if _exchange(tables[one], tables[other], pair):
                costs[one], costs[other] = cost_of(tables[one]), cost_of(tables[other])
                changed = True
    return sum(costs)


def _pair_costs(
    players: Sequence[int], met: Meetings, points: dict[int, float]
) -> dict[int, dict[int, float]]:
    span = max(points.values(), default=0) - min(points.values(), default=0)
    again = 100 + (len(players) * span) ** 2
    return {
        one: {
            other: again * met[frozenset((one, other))] ** 2
            + (points.get(one, 0) - points.get(other, 0)) ** 2
            for other in players
            if other != one
        }
        for one in players
    }


def _exchange(table: list[int], other: list[int], pair: dict[int, dict[int, float]]) -> bool:
    """Make the best exchange between two tables; returns whether one improves them."""
    best, places = -1e-9, None
    for i, one in enumerate(table):
        with_one = pair[one]
        for j, two in enumerate(other):
            with_two = pair[two]
            gain = 0.0
            for k, left in enumerate(table):
                if k != i:
                    gain += with_two[left] - with_one[left]
            for k, left in enumerate(other):
                if k != j:
                    gain += with_one[left] - with_two[left]
            if gain < best:
                best, places = gain, (i, j)
    if places is None:
        return False
    i, j = places
    table[i], other[j] = other[j], table[i]
    return True


def _seated(field: Field, table: Sequence[int], together: Meetings) -> tuple[int, ...]:
    """Return the table by seat: partners who were so least often; who led least often leads."""
    order = sorted(table, key=lambda key: (sum(field.history.leads(key)), key))
    if len(order) < 4:
        return tuple(order)

    def again(split: tuple[int, ...]) -> int:
        a, b, c, d = (order[k] for k in split)
        return together[frozenset((a, c))] ** 2 + together[frozenset((b, d))] ** 2

    return tuple(order[k] for k in min(_SPLITS, key=again))


# How even ------------------------------------------------------------------------------------


def evenness(rounds: Iterable[Iterable[Sequence[int]]]) -> tuple[Counter[int], Counter[int]]:
    """Return how many pairs of players met how often at a table, and how many as partners.

    Rounds are tables, tables are players by seat; only players who appear are counted.  In a
    perfectly even schedule these numbers of times differ by at most one.
    """
    met: Meetings = Counter()
    together: Meetings = Counter()
    everybody: set[int] = set()
    for tables in rounds:
        for table in tables:
            everybody.update(table)
            sides = sides_of(len(table))
            for (seat, one), (beyond, other) in combinations(enumerate(table), 2):
                couple = frozenset((one, other))
                met[couple] += 1
                if seat % sides == beyond % sides:
                    together[couple] += 1
    couples = [frozenset(couple) for couple in combinations(everybody, 2)]
    return Counter(met[couple] for couple in couples), Counter(
        together[couple] for couple in couples
    )
