"""How a faction can still matter before the end (rules.md, "The powers", "The end")."""

import pytest

from claimlog.cards import FACTION_COUNT, LETTERS, card, deck_of
from claimlog.rules import race
from claimlog.rules.race import BOUNDED, FULL, PLAIN, count_now, decided_for, ways_of

ALL = "".join(LETTERS)
LOOT = 1 << 1 | 1 << 3


def those(holds):
    """The letters of the factions for which something holds."""
    return "".join(letter for number, letter in enumerate(LETTERS) if holds(number))


@pytest.mark.parametrize(
    ("asked", "factions"),
    [
        (race.lies_open, "N"),
        (race.waits_in_line, "T"),
        (race.adds_to_ranks, "F"),
        (race.shows_loot, "R"),
        (lambda number: race.asks_of_piles(1 << number), "NIFT"),
        (race.can_gauge, ALL.replace("B", "")),
    ],
)
def test_of_which_factions(asked, factions):
    assert sorted(those(asked)) == sorted(factions)


@pytest.mark.parametrize(
    ("faction", "deck", "by"),
    [
        ("W", "GKRUW", "W"),
        ("B", "GKBUW", "B"),
        ("N", "NIBUW", "NI"),
        ("P", "MPBUW", "PM"),
        ("V", "GKUVW", "GKUVW"),
    ],
)
def test_whose_cards_say_what_can_still_change(faction, deck, by):
    found = race.limited_by(LETTERS.index(faction), deck_of(deck))
    assert sorted(those(lambda number: found >> number & 1)) == sorted(by)


def test_whose_cards_touch_whose():
    kings = {LETTERS[number]: race.moved_by(number) for number in range(FACTION_COUNT)}
    giants = {LETTERS[number]: race.removed_by(number) for number in range(FACTION_COUNT)}
    assert kings == dict.fromkeys(LETTERS) | {"P": LETTERS.index("M")}
    assert giants == dict.fromkeys(LETTERS) | {"N": LETTERS.index("I")}


@pytest.mark.parametrize(
    ("deck", "loot", "factions"),
    [
        ("GKUWX", LOOT, "GKUWX"),
        ("GKRWX", 0, "GKRWX"),
        ("GKRWX", LOOT, ""),
        ("MPBVW", 0, "MW"),
        ("NIFTW", 0, "IFTW"),
    ],
)
def test_each_card_counts_for_one(deck, loot, factions):
    counted = [x for x in deck if race.counts_alone(LETTERS.index(x), deck_of(deck), loot)]
    assert "".join(counted) == factions


ODD = [1, 2, 3]
TIED = [0, 0, 4, 4]
"""Both sides may win two of these, and neither alone has the highest."""


@pytest.mark.parametrize(
    ("deck", "loot", "present", "full", "bounded", "level"),
    [
        pytest.param("GKUWX", 0, {}, "", "", False, id="nothing-but-cards"),
        pytest.param("GKUWX", LOOT, {}, "", "", False, id="loot-of-nobody"),
        pytest.param("GKUWX", 0, {"U": []}, "", "", True, id="four-to-win"),
        pytest.param("GKUWX", 0, {"U": [], "W": []}, "", "", False, id="three-to-win"),
        pytest.param("GKUWX", 0, {"U": [4, 5]}, "", "", False, id="the-highest-decides"),
        pytest.param("GKUWX", 0, {"G": TIED}, "G", "", True, id="the-highest-twice"),
        pytest.param("GKUWX", 0, {"G": [0, 0, 4]}, "", "", False, id="the-highest-once"),
        pytest.param("GKUWX", 0, {"G": [4, 4, 0]}, "", "", False, id="of-three-one-has-more"),
        pytest.param("GKFUX", 0, {}, "", "GKFUX", False, id="griffins-ask-of-values"),
        pytest.param("GKVUX", 0, {}, "V", "GKUX", False, id="vikings-ask-of-values"),
        pytest.param("GKVUX", 0, {"U": []}, "V", "GKUX", True, id="vikings-of-four"),
        pytest.param("GKVUX", LOOT, {}, "V", "GKUX", False, id="vikings-and-loot-of-nobody"),
        pytest.param("GKRVX", 0, {}, "V", "GKRX", False, id="vikings-and-no-loot"),
        pytest.param("GKTUX", 0, {}, "", "T", False, id="trolls-in-line"),
        pytest.param("NITUX", 0, {}, "N", "IT", True, id="gnomes-may-be-removed"),
        pytest.param("MPUWX", 0, {}, "P", "M", False, id="peasants-may-leave"),
        pytest.param("GKRUX", 0, {}, "", "", False, id="raccoons-without-loot"),
        pytest.param("GKRUX", LOOT, {}, "", "", True, id="loot-for-any"),
        pytest.param("GKRUX", LOOT, {"G": [4, 4, 0]}, "G", "", True, id="loot-may-even-three"),
        pytest.param("GKRVX", LOOT, {}, "V", "GKRX", True, id="vikings-and-loot"),
    ],
)
def test_what_can_still_matter(deck, loot, present, full, bounded, level):
    there = [present.get(x, ODD) if x in deck else [] for x in LETTERS]
    ways, may_level = ways_of(deck_of(deck), loot, there)
    assert {x: ways[LETTERS.index(x)] for x in ALL} == {
        x: FULL if x in full else BOUNDED if x in bounded else PLAIN for x in ALL
    }
    assert may_level is level


@pytest.mark.parametrize(
    ("one", "two", "left", "side"),
    [
        pytest.param("U1 U2 U3", "U4", "U", 0, id="one-left-of-them"),
        pytest.param("U1 U2 U3", "U4", "UU", None, id="two-left"),
        pytest.param("U1", "", "", 0, id="none-left"),
        pytest.param("", "U1 U2", "U", 1, id="the-other-side"),
    ],
)
def test_decided_as_soon_as_nobody_can_catch_up(one, two, left, side):
    won = [[card(name) for name in cards.split()] for cards in (one, two)]
    count = count_now(deck_of("GKUWX"), won, loot=0)
    still = [left.count(x) for x in LETTERS]
    assert decided_for(count, LETTERS.index("U"), still, 0) == side
