"""Compare the values of endgames with plain enumeration: every card of both hands, to the end.

Endgames come from random games with all decks, rule sets and rulings.  The search is asked as users
ask it: for the value of the position and of every card, along a line of play, with all its keys,
move ordering, bounds and equivalent cards.  The enumeration plays the engine's `Machine` and knows
nothing of these.

    cd tests; python -m robust.endgames --number 10000
"""

from __future__ import annotations

import argparse
from functools import cache
from random import Random
from typing import NamedTuple

from claimlog.cards import NAMES, all_decks, deck_letters
from claimlog.cards import card as card_named
from claimlog.evaluation import Bounds, Secured, Value
from claimlog.rules.actions import Kind
from claimlog.rules.dealing import deal
from claimlog.rules.machine import Machine
from claimlog.rules.setup import RULINGS, Setup
from claimlog.solve.open_hands import OpenHands
from claimlog.solve.search import Search
from claimlog.solve.value import Values


@cache
def decks(seats: int, classic: bool) -> list[str]:
    """The letters of all decks for this number of seats."""
    return [deck_letters(deck) for deck in all_decks(seats, classic=classic)]


def endgame(chance: Random, most: int, seats: int = 2, least: int = 1) -> Machine:
    """A position with this number of cards in each hand, at any moment of a trick.

    In half of them three factions are held back, so that the others are decided, and only these
    three still matter.
    """
    classic = chance.random() < 0.2
    deck = chance.choice(decks(seats, classic))
    rulings = {key: chance.choice(ruling.values) for key, ruling in RULINGS.items()}
    loot = None
    if "R" in deck and chance.random() < 0.7:
        loot = tuple(sorted(chance.sample([f"R{value}" for value in range(14)], 5)))
    setup = Setup(
        deck, seats, rules="Classic" if classic else "LE2023", rulings=rulings, loot=loot,
        leader=chance.randint(1, seats),
    )  # fmt: skip
    hands, pile = deal(setup, chance)
    machine = Machine(setup, hands, pile)
    first = 2 * setup.tricks + 1 - chance.randint(least, most)
    plays = chance.randint(0, seats - 1)
    late = set(chance.sample(deck, 3)) if chance.random() < 0.5 else set()
    while machine.trick < first or (machine.trick == first and len(machine.lying) < plays):
        choices = machine.choices()
        early = [
            choice
            for choice in choices
            if machine.kind != Kind.PLAY or NAMES[choice][0] not in late
        ]
        machine.apply(chance.choice(early or choices))
    return machine


class Tree(NamedTuple):
    """A position's value by enumeration, and the trees of the positions after it."""

    value: Value
    after: dict[int, Tree]


def tried(machine: Machine, side: int = 0) -> Tree:
    """Enumerate all play, for one side against all others; side 1 chooses its loot first."""
    sides = machine.setup.sides
    if machine.kind == Kind.OVER:
        count = machine.count
        assert count is not None
        winners = [one for one in range(sides) if count.share[one]]
        share = (2 if winners == [side] else 1) if side in winners else 0
        others = max(count.votes[one] for one in range(sides) if one != side)
        value = Value if sides == 2 else Secured
        return Tree(value(share, count.votes[side], others), {})
    after = {}
    for choice in machine.choices():
        copy = machine.copy(quiet=True)
        copy.apply(choice)
        after[choice] = tried(copy, side)
    best = max if machine.to_act.seat % sides == side else min
    return Tree(best(tree.value for tree in after.values()), after)


def wrong(machine: Machine, chance: Random, search: Search | OpenHands | None = None) -> list[str]:
    """Return the wrong values of a position, its cards and the positions along a line."""
    faults = []
    # With three players the values are those of one seat, not necessarily the one to play.
    seat = chance.randint(1, 3) if machine.setup.seats == 3 else 1
    values = Values(machine, 10**8, search, seat)
    machine = machine.copy(quiet=True)
    tree = tried(machine, seat - 1)
    while True:
        right = Bounds(tree.value, tree.value)
        given = values.value()
        setup = machine.setup
        where = f"{setup.deck} {setup.rulings} trick {machine.trick}, {machine.hands}"
        if given != right:
            faults.append(f"{where}: {given}, not {right}")
        if machine.kind != Kind.PLAY:
            return faults
        legal = []
        for group in values.groups():
            for name in group:
                card = card_named(name)
                legal.append(card)
                value = tree.after[card].value
                given = values.after(group[0], chance.choice([None, right]))
                if given != Bounds(value, value):
                    faults.append(f"{where}: {name} {given}, not {value}")
        if sorted(legal) != sorted(tree.after):
            faults.append(f"{where}: {legal} may be played, not {list(tree.after)}")
        chosen = chance.choice(legal)
        machine.apply(chosen)
        values.play(NAMES[chosen])
        tree = tree.after[chosen]


def compare(
    chance: Random,
    number: int,
    most: int,
    search: Search | OpenHands | None = None,
    seats: int = 2,
) -> list[str]:
    """Compare this number of endgames with at most this many cards per hand; return the faults."""
    faults = []
    for _ in range(number):
        faults += wrong(endgame(chance, most, seats), chance, search)
    return faults


def main() -> None:
    """Compare many endgames."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--number", type=int, default=10_000)
    parser.add_argument("--cards", type=int, default=5, help="maximum number of cards in a hand")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    chance = Random(chosen.seed)
    search = Search(1 << 12) if chosen.seats == 2 else OpenHands(1 << 12)
    faults = compare(chance, chosen.number, chosen.cards, search, chosen.seats)
    print(*faults, sep="\n")
    print(f"{chosen.number} endgames, {len(faults)} wrong")
    raise SystemExit(bool(faults))


if __name__ == "__main__":
    main()
