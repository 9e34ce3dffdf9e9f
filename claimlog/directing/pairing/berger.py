"""Round robin by Berger's tables: everybody meets everybody, with balanced leads.

An entrant who withdraws or is absent leaves a gap: the others keep their rounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimlog.directing.model import rounds_for
from claimlog.directing.pairing import casual
from claimlog.directing.pairing.outcome import Pair

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from claimlog.directing.pairing.casual import Paired
    from claimlog.directing.pairing.field import Field
    from claimlog.directing.pairing.outcome import Relaxation, Unit


def berger(size: int, round: int) -> list[tuple[int, int]]:
    """Return a round of the tables for an even number: pairs of places from 1, the first leads.

    >>> berger(6, 1), berger(6, 2)
    ([(1, 6), (2, 5), (3, 4)], [(6, 4), (5, 3), (1, 2)])
    """
    turning = size - 1
    start = (round - 1) * (size // 2)
    places = [(start + k) % turning + 1 for k in range(turning)]
    first = (places[0], size) if round % 2 else (size, places[0])
    return [first, *((places[k], places[-k]) for k in range(1, size // 2))]


def paired(field: Field, relax: Collection[Relaxation] = ()) -> Paired:
    """Pair a round of the tables; after the last one they start again, with leads reversed.

    Places are by seed and then by order of entry: a late entrant has the last place, which is free
    if the number is odd.  If late entries have changed the tables so that a pair would meet again
    too early, the round is paired as in the casual system.
    """
    group = sorted(field.everybody, key=lambda unit: (unit.seed is None, unit.seed or 0, unit.key))
    pairs, away = of_group(field, group)
    first = field.round <= rounds_for(len(group))
    if first and any(field.have_met(pair.one, pair.other) for pair in pairs):
        return casual.paired(field, relax)
    return pairs, away


def of_group(field: Field, group: Sequence[Unit], among: int | None = None) -> Paired:
    """Pair those of a group who are present, by their places in the whole group.

    Places up to `among` are free if other groups are larger.
    """
    if len(group) < 2:
        raise field.too_few(len(group), 2)
    here = {unit.key for unit in field.units}
    places = among or len(group)
    cycle, number = divmod(field.round - 1, rounds_for(places))
    pairs: list[Pair] = []
    away: list[Unit] = []
    for couple in berger(places + places % 2, number + 1):
        units = [group[place - 1] for place in couple if place <= len(group)]
        present = [unit for unit in units if unit.key in here]
        if len(present) == 2:
            one, other = reversed(present) if cycle % 2 else present
            pairs.append(Pair(one, other))
        else:
            away += present
    return pairs, away
