"""Shuffling and dealing (rules.md, "Cards")."""

from __future__ import annotations

from functools import cache
from random import Random

from claimlog.cards import CARDS, COPIES, FACTION_OF, RACCOONS, RACCOONS_USED
from claimlog.rules.setup import Setup

__all__ = ["deal", "shuffle"]


def shuffle(cards: list[int], rng: Random) -> None:
    """Shuffle in place, using only ``rng.random``: the same on every version of Python."""
    draw = rng.random
    for i in range(len(cards) - 1, 0, -1):
        chance = draw()
        k = int(chance * (i + 1))
        cards[i], cards[k] = cards[k], cards[i]


@cache
def _sorted_out(deck: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The cards of a deck other than Raccoons, and its Raccoons."""
    cards: list[int] = []
    raccoons: list[int] = []
    for card in range(CARDS):
        if deck >> FACTION_OF[card] & 1:
            place = raccoons if FACTION_OF[card] == RACCOONS else cards
            place.extend([card] * COPIES[card])
    return tuple(cards), tuple(raccoons)


def deal(setup: Setup, rng: Random) -> tuple[list[list[int]], list[int]]:
    """Shuffle the deck and deal it: the hands by seat, and the pile from its top.

    Four Raccoons are removed unseen; with the ruling ``raccoons=pile`` the other ten go only into
    the pile (rules.md, "Cards", "Rulings").
    """
    cards, raccoons = map(list, _sorted_out(setup.factions))
    shuffle(raccoons, rng)
    del raccoons[RACCOONS_USED:]
    if setup.rulings["raccoons"] != "pile":
        cards += raccoons
        raccoons = []
    shuffle(cards, rng)
    n = setup.tricks
    hands = [cards[seat * n : seat * n + n] for seat in range(setup.seats)]
    pile = cards[setup.seats * n :]
    if raccoons:
        pile += raccoons
        shuffle(pile, rng)
    return hands, pile
