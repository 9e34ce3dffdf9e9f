"""Compare whole starts of Phase 2 with a search that stores only exact positions.

Thirteen cards per hand are too many for plain enumeration (`endgames.py`).  So the search is
compared with itself without keys, bounds and equivalent cards (`Search.plain`): the value of the
position and of every card, along a line of random play, with random decks, deals and rulings.
Starts that take the plain search too long are left out and counted.

    cd tests; python -m robust.starts --number 500
"""

from __future__ import annotations

import argparse
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from claimlog.solve.search import Search
from claimlog.solve.value import Values
from robust.endgames import endgame

if TYPE_CHECKING:
    from claimlog.evaluation import Bounds
    from claimlog.rules.machine import Machine


class Compared(NamedTuple):
    """The numbers of positions and cards compared, the number of starts, and the differences."""

    starts: int
    values: int
    faults: list[str]


def differences(
    machine: Machine, chance: Random, search: Search, plain: Search, effort: int
) -> tuple[int, list[str]]:
    """Return how many values were compared along a line of play, and where they differ.

    The number is 0 if the plain search looks at more positions than the effort.
    """
    ours = Values(machine, 10**9, search)
    exact = Values(machine, effort, plain)
    value = exact.value()
    if not value.exact:
        return 0, []
    exact.effort = 10**9
    compared = 1
    faults = []
    setup = machine.setup
    where = f"{setup.deck} {setup.rulings} {setup.loot} trick {machine.trick}, {machine.hands}"
    if ours.value() != value:
        faults.append(f"{where}: {ours.value()}, not {value}")
    line: list[str] = []
    while not ours.over:
        right: dict[str, Bounds] = {}
        for group in ours.groups():
            given = ours.after(group[0], chance.choice([None, value]))
            for name in group:
                right[name] = exact.after(name)
                if given != right[name]:
                    faults.append(f"{where} {line}: {name} {given}, not {right[name]}")
        compared += len(right)
        chosen = chance.choice(list(right))
        value = right[chosen]
        line.append(chosen)
        ours.play(chosen)
        exact.play(chosen)
    return compared, faults


def compare(
    chance: Random, number: int, search: Search, plain: Search, cards: int = 13, effort: int = 10**7
) -> Compared:
    """Compare this number of starts, with this many cards per hand, that stay within the effort."""
    plain.plain = True
    starts = values = 0
    faults: list[str] = []
    for _ in range(number):
        compared, wrong = differences(
            endgame(chance, cards, 2, cards), chance, search, plain, effort
        )
        starts += compared > 0
        values += compared
        faults += wrong
    return Compared(starts, values, faults)


def main() -> None:
    """Compare many starts."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--number", type=int, default=500)
    parser.add_argument("--cards", type=int, default=13, help="number of cards in a hand")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--effort", type=int, default=10**7, help="maximum number of positions of a start"
    )
    chosen = parser.parse_args()
    chance = Random(chosen.seed)
    starts, values, faults = compare(
        chance, chosen.number, Search(), Search(), chosen.cards, chosen.effort
    )
    print(*faults, sep="\n")
    print(f"{starts} of {chosen.number} starts, {values:,} values, {len(faults)} wrong")
    raise SystemExit(bool(faults))


if __name__ == "__main__":
    main()
