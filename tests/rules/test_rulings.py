"""Rulings that must have no effect (rules.md, "Rulings"); each power's tests have the others."""

import random

import naive
import pytest
from tabletop import table, trick

OTHER = {"trolls": "line", "dragons": "last-dragon", "automatons": "played"}
FACTION = {"trolls": "T", "dragons": "D", "automatons": "A"}


def random_tricks(deck: str, seats: int, rng: random.Random) -> list[str]:
    box = [c for c in naive.box() if c[0] in deck]
    number = {2: 26, 3: 24, 4: 18}[seats]
    return [" ".join(rng.sample(box, seats)) for _ in range(number)]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("key", OTHER)
def test_for_a_faction_that_is_not_in_the_deck(key, seats):
    """rules.md, "Rulings": it has no effect."""
    rng = random.Random(f"{key} {seats}")
    tens = naive.TENS.replace(FACTION[key], "")
    for _ in range(20):
        deck = rng.choice(naive.PAIRS) + "".join(rng.sample(tens, 3 if seats == 2 else 5))
        plays = random_tricks(deck, seats, rng)
        without = table(deck, seats=seats)
        with_it = table(deck, seats=seats, rulings=f"{key}={OTHER[key]}")
        assert [trick(without, p) for p in plays] == [trick(with_it, p) for p in plays]


def test_last_dragon_for_two_players():
    """rules.md, "Rulings": `last-dragon` is for 3 or 4 players."""
    rng = random.Random("dragons of two")
    for _ in range(20):
        plays = random_tricks("GKDUX", 2, rng)
        without = table("GKDUX")
        with_it = table("GKDUX", rulings="dragons=last-dragon")
        assert [trick(without, p) for p in plays] == [trick(with_it, p) for p in plays]


@pytest.mark.parametrize(("key", "seats"), [("trolls", 4), ("dragons", 3), ("automatons", 2)])
def test_otherwise_it_does_something(key, seats):
    """The comparisons above can distinguish the values."""
    rng = random.Random(f"{key} {seats}")
    deck = f"{FACTION[key]}G"
    plays = random_tricks(deck, seats, rng)
    without = table(deck, seats=seats)
    with_it = table(deck, seats=seats, rulings=f"{key}={OTHER[key]}")
    assert [trick(without, p) for p in plays] != [trick(with_it, p) for p in plays]


@pytest.mark.parametrize("value", ["deck", "pile"])
def test_where_raccoons_are_shuffled_in_is_nothing_to_the_table(value):
    """rules.md, "Rulings", `raccoons`: it concerns the deal, which `state` and the judge know."""
    done = trick(table("GKRUX", rulings=f"raccoons={value}"), "R3 R5", up="R7", draws="R1")
    assert (done.winner, done.taken) == (2, {2: "R7", 1: "R1"})
