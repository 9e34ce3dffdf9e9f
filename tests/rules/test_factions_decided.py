"""Which factions can no longer be lost, compared with the count at the end."""

import random
from itertools import product

import naive
import pytest
from tabletop import table

from claimlog.cards import FACTION_OF, LETTERS, TROLLS, VALUE_OF, card
from claimlog.rules.limits import (
    Left,
    ask,
    decided,
    gauge,
    longest_run,
    near,
    number_of,
    prepare,
    shown_late,
)
from claimlog.rules.machine import Kind
from claimlog.state import State


def unwon_of(left):
    """These cards as not yet won."""
    unwon = Left()
    # Compiled, these are C arrays, and reading one copies it.
    number, values = list(unwon.number), list(unwon.values)
    for text in left:
        index = card(text)
        number[FACTION_OF[index]] += 1
        values[FACTION_OF[index]] |= 1 << VALUE_OF[index]
    unwon.number, unwon.values = number, values
    return unwon


def sure(faction, one, two, left, *, deck, loot=0):
    """The side, from 1, that is certain of a faction when `left` cards are still to be won."""
    on = table(deck, phase=2, piles={1: one, 2: two})
    side = decided(on, LETTERS.index(faction), unwon_of(left.split()), loot)
    return None if side < 0 else side + 1


@pytest.mark.parametrize(
    ("one", "two", "left", "side"),
    [
        pytest.param("B1 B2 B3", "B6", "B7", 1, id="a-shorter-run"),
        pytest.param("B1 B2 B3", "B6", "B5 B7", None, id="as-long-a-run"),
        pytest.param("B1 B2 B3", "B6", "B8 B4", 1, id="more-cards-are-no-run"),
        pytest.param("B1 B2", "B5 R1 R2", "R3", 1, id="loot-is-no-run"),
        pytest.param("B1 B3", "B5", "", 1, id="equal-runs-and-more-cards"),
        pytest.param("B1 B3", "B5", "B7", None, id="equal-runs-and-as-many-cards"),
        pytest.param("B1 B9", "B5", "B7", 1, id="equal-runs-as-many-cards-and-the-highest"),
        pytest.param("", "", "", None, id="no-cards-at-all"),
    ],
)
def test_bards_that_cannot_be_lost(one, two, left, side):
    """rules.md, "Powers", Bards; the same with the sides swapped."""
    assert sure("B", one, two, left, deck="BKMPRUV") == side
    assert sure("B", two, one, left, deck="BKMPRUV") == (side and 3 - side)


def test_equal_runs_of_bards_are_open_if_loot_may_count():
    assert sure("B", "B1 B3", "B5", "", deck="BKMPRUV") == 1
    assert sure("B", "B1 B3", "B5", "", deck="BKMPRUV", loot=1) is None
    assert sure("B", "B1 B2", "B5", "", deck="BKMPRUV", loot=1) == 1


def test_nothing_is_said_that_the_end_could_belie():
    """Every way in which the remaining cards can be won, and the loot be chosen."""
    rng = random.Random(21)
    said = 0
    for _ in range(60):
        deck = rng.choice(["GKBRV", "MPBUV"])
        box = rng.sample([text for text in naive.box() if text[0] in deck], 24)
        left, held = box[:4], box[4:]
        favour = rng.random()
        piles = {1: [], 2: []}
        for text in held:
            piles[1 if rng.random() < favour else 2].append(text)
        loot = rng.sample([f"R{value}" for value in range(14)], 4) if "R" in deck else []
        side = sure("B", " ".join(piles[1]), " ".join(piles[2]), " ".join(left), deck=deck)
        if side is None:
            continue
        said += 1
        for owners in product((1, 2), repeat=len(left)):
            end = {
                side: piles[side] + [c for c, o in zip(left, owners, strict=True) if o == side]
                for side in piles
            }
            fewest = naive.Result(end, deck, 2, loot).fewest
            for one, two in product(fewest[1] or " ", fewest[2] or " "):
                assert naive.Result(end, deck, 2, loot, {1: one, 2: two}).won["B"] == side
    assert said > 20


@pytest.mark.parametrize(
    ("values", "number", "run", "held"),
    [(0, 0, 0, 0), (1 << 9, 1, 1, 0b1111 << 6), (0b10110111, 6, 3, 0b11111111)],
)
def test_sets_of_values(values, number, run, held):
    """Their number, the longest run (Bards), the Peasants that such Kings hold."""
    assert (number_of(values), longest_run(values), near(values)) == (number, run, held)


def test_nothing_is_left_before_it_is_said():
    assert set(Left().number) == set(Left().values) == {0}


def test_which_won_cards_only_the_end_shows():
    """rules.md, "Powers", Peasants and Giants."""
    assert [letter for letter in LETTERS if shown_late(LETTERS.index(letter))] == ["N", "P"]


def gauged(faction, one, two, left=(), *, deck, displays=None):
    """The margin of a faction, and the lowest and highest that it may still become."""
    unwon = unwon_of(left)
    on = table(deck, phase=2, piles={1: " ".join(one), 2: " ".join(two)}, displays=displays)
    prepare(on, unwon, unwon, -1)
    gauge(on, LETTERS.index(faction), unwon)
    return unwon.margin, unwon.margin - unwon.fall, unwon.margin + unwon.rise


def test_a_gauge_says_who_has_a_faction_at_the_end_and_before_what_may_come():
    """Every way in which the remaining cards can be won."""
    rng = random.Random(22)
    narrow = 0
    for _ in range(40):
        deck = rng.choice(["GKUVW", "MPUVW", "MPDTV"])
        box = rng.sample([text for text in naive.box() if text[0] in deck], 24)
        left, held = box[:4], box[4:]
        favour = rng.random()
        piles = {1: [], 2: []}
        for text in held:
            piles[1 if rng.random() < favour else 2].append(text)
        before = {f: gauged(f, piles[1], piles[2], left, deck=deck) for f in deck}
        narrow += sum(low > 0 or high < 0 for _, low, high in before.values())
        for owners in product((1, 2), repeat=len(left)):
            end = {
                side: piles[side] + [c for c, o in zip(left, owners, strict=True) if o == side]
                for side in piles
            }
            won = naive.Result(end, deck, 2, []).won
            for faction, (_, low, high) in before.items():
                margin, *rest = gauged(faction, end[1], end[2], deck=deck)
                assert rest == [margin, margin]
                assert won[faction] == (1 if margin > 0 else 2 if margin < 0 else None)
                assert low <= margin <= high
    assert narrow > 60


@pytest.mark.parametrize(
    ("one", "two", "left", "found"),
    [
        ("N1 N1 N9", "N5", "", (5, 5, 5)),
        ("N1 N9", "N3 N9", "", (0, 0, 0)),
        ("N1 N9", "N3 N7", "", (1, 1, 1)),
        ("N1 N1 N9", "N5", "N3", (4, 1, 7)),
        ("N1 N1 N9", "N5", "I3", (4, 3, 5)),
        ("N1 N1 N9", "N5", "I1 I5", (4, -1, 7)),
    ],
)
def test_a_gauge_of_gnomes_that_giants_may_smash(one, two, left, found):
    """rules.md, "Powers", Giants: each one left may take one of its value away."""
    displays = {1: one, 2: two}
    assert gauged("N", [], [], left.split(), deck="NIUWX", displays=displays) == found


@pytest.mark.parametrize(
    ("deck", "one", "two", "left", "asked"),
    [
        ("GKUWX", "U1", "U2", "U3 G4", ""),
        ("GKUVX", "V3", "V4 U4", "U3 G4 V8 V9", "V9 G3 K3 U3 V3 X3"),
        ("GKUVX", "V3", "U8", "V8 V9", "V3 V8 V9 G3 K3 U3 X3 G8 K8 U8 X8"),
        ("MPUWX", "P4 M5", "P7", "P9", "P9 M7 M8 M9 M10 M11 M12"),
        ("MPUWX", "P4 M4 M9", "M9", "P8 P6", "P8"),
        ("GKBUX", "B1 B2", "B9", "B8 U3", "B8"),
        ("GKBUX", "B1 B2 B3", "B9", "B8 U3", ""),
        ("GKRUX", "R3", "R5", "R6 R7 U3", "R6"),
    ],
)
def test_which_cards_are_asked_about_at_the_end(deck, one, two, left, asked):
    """rules.md, "Powers"; the highest card of a faction; R3 and R6 show loot."""
    unwon = unwon_of(left.split())
    on = table(deck, phase=2, piles={1: one, 2: two})
    prepare(on, unwon, unwon, -1)
    ask(on, unwon, 1 << 3 | 1 << 6)
    found = {
        f"{letter}{value}"
        for letter, values in zip(LETTERS, unwon.asks, strict=False)
        for value in range(13)
        if values >> value & 1
    }
    assert found == set(asked.split())


@pytest.mark.parametrize("trolls", ["highest", "line"])
def test_the_highest_troll_of_all_never_waits(trolls):
    """rules.md, "Powers", Trolls: so the search need not know which ones wait."""
    waited = False
    for seed in range(20):
        state = State.dealt("GKTUX", seed=seed, rulings={"trolls": trolls})
        chance = random.Random(seed)
        while state.trick < 14:
            state.apply(chance.choice(state.choices()))
        machine = state._machine
        top = max(one for hand in machine.hands for one in hand if FACTION_OF[one] == TROLLS)
        while machine.kind == Kind.PLAY:
            waiting = list(machine.table.trolls)[: machine.table.waiting]
            waited = waited or bool(waiting)
            assert top not in waiting
            machine.apply(chance.choice(machine.choices()))
    assert waited
