"""Seats, sides, rule sets and rulings (rules.md, "Seats and sides", "Rulings")."""

import pytest
from tabletop import table

from claimlog.cards import COPIES, FACTION_OF, LETTERS, deck_of
from claimlog.rules.setup import (
    RULE_SETS,
    RULINGS,
    Setup,
    default_rulings,
    partner,
    side_of,
    sides_of,
    tricks_of,
    upcards_of,
)

TWO = "GKUWX"
MORE = "GKDSUWX"


@pytest.mark.parametrize(("seats", "tricks"), [(2, 13), (3, 12), (4, 9)])
def test_tricks_in_a_phase(seats, tricks):
    """rules.md, "Phase 1": 13 tricks with 2 players, 12 with 3, 9 with 4; Phase 2 as many."""
    assert tricks_of(seats) == tricks
    assert Setup(TWO if seats == 2 else MORE, seats).tricks == tricks


@pytest.mark.parametrize(("seats", "upcards"), [(2, 1), (3, 2), (4, 2)])
def test_upcards_of_a_trick(seats, upcards):
    """rules.md, "Phase 1", 1: turn up 1 card (2 players) or 2 cards (3 or 4)."""
    assert upcards_of(seats) == upcards
    assert Setup(TWO if seats == 2 else MORE, seats).upcards == upcards


@pytest.mark.parametrize(("seats", "deck"), [(2, TWO), (3, MORE), (4, MORE)])
def test_hands_and_draw_pile_are_the_deck(seats, deck):
    """LE2023: 13 cards each and a pile of 26; 12 or 9 cards each and a pile of 36."""
    size = sum(
        number
        for faction, number in zip(FACTION_OF, COPIES, strict=True)
        if deck_of(deck) >> faction & 1
    )
    hands = pile = seats * tricks_of(seats)
    assert size == hands + pile
    assert pile == (26 if seats == 2 else 36)


@pytest.mark.parametrize(
    ("seats", "sides"), [(2, [1, 2]), (3, [1, 2, 3]), (4, [1, 2, 1, 2])], ids=["2", "3", "4"]
)
def test_sides(seats, sides):
    """rules.md, "Seats and sides": of four, 1 and 3, 2 and 4 are a side; otherwise each is one."""
    assert [side_of(seat, seats) + 1 for seat in range(seats)] == sides
    assert sides_of(seats) == max(sides)
    assert Setup(TWO if seats == 2 else MORE, seats).sides == max(sides)


def test_partners_sit_opposite():
    """LE2023, "Spielablauf": the player diagonally opposite is your partner."""
    assert [partner(seat, 4) for seat in range(4)] == [2, 3, 0, 1]
    assert [partner(seat, 2) for seat in range(2)] == [None, None]
    assert [partner(seat, 3) for seat in range(3)] == [None, None, None]


@pytest.mark.parametrize(
    ("seats", "leader", "order"),
    [
        (2, 2, [2, 1]),
        (3, 1, [1, 2, 3]),
        (3, 3, [3, 1, 2]),
        (4, 2, [2, 3, 4, 1]),
        (4, 4, [4, 1, 2, 3]),
    ],
)
def test_seats_sit_clockwise(seats, leader, order):
    """rules.md, "Seats and sides": seats 1 to n sit clockwise, and follow in that order."""
    game = table("GKDSUWX", seats=seats, leader=leader)
    assert [game.seat_of(play) + 1 for play in range(seats)] == order


@pytest.mark.parametrize("leader", [1, 2, 3])
def test_the_recorded_leader_leads_first(leader):
    """rules.md, "Phase 1": the starting leader is recorded."""
    assert table("GKDSUWX", seats=3, leader=leader).leader == leader - 1
    assert Setup(MORE, 3, leader=leader).leader == leader
    assert Setup(MORE, 3).leader == 1


@pytest.mark.parametrize(("seats", "leader"), [(2, 3), (3, 4), (4, 5), (2, 0)])
def test_the_leader_sits_at_the_table(seats, leader):
    with pytest.raises(ValueError, match="is not at this table"):
        Setup(TWO if seats == 2 else MORE, seats, leader=leader)


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_two_to_four_players(seats):
    """LE2023: for two players, and a variant for three and four."""
    with pytest.raises(ValueError, match="2 to 4 players"):
        Setup(TWO, seats)


def test_the_deck_must_fit():
    """rules.md, "Cards": the deck of a set-up is checked for its seats and rule set."""
    with pytest.raises(ValueError, match="ten-card factions"):
        Setup(TWO, 3)
    with pytest.raises(ValueError, match="Classic does not know"):
        Setup("MPUWX", 2, "Classic")
    assert Setup("PMXWU").deck == "MPUWX"
    assert Setup("PMXWU").factions == deck_of("MPUWX")
    with pytest.raises(ValueError, match="is not a faction"):
        Setup("GKQWX")
    with pytest.raises(ValueError, match="R99"):
        Setup("GKRUW", loot=("R99",))


# Rule sets and rulings -----------------------------------------------------------------

LE2023 = {"trolls": "highest", "dragons": "last-card", "automatons": "won-by", "raccoons": "deck"}
OTHER = {"trolls": "line", "dragons": "last-dragon", "automatons": "played", "raccoons": "pile"}


def test_le2023_is_the_default():
    """rules.md: LE2023 is the default rule set, Classic the other one."""
    assert RULE_SETS == ("LE2023", "Classic")
    assert Setup(TWO, 2).rules == "LE2023"
    with pytest.raises(ValueError, match="no such rule set"):
        Setup(TWO, 2, "classic")


def test_the_rulings_and_their_values():
    """rules.md, "Rulings": four keys, LE2023's value first."""
    assert {key: ruling.values for key, ruling in RULINGS.items()} == {
        key: (LE2023[key], OTHER[key]) for key in LE2023
    }


@pytest.mark.parametrize(
    ("rules", "rulings"), [("LE2023", LE2023), ("Classic", LE2023 | {"trolls": "line"})]
)
def test_rulings_of_a_rule_set(rules, rulings):
    """rules.md, "Rulings": Classic differs only in `trolls=line`."""
    assert default_rulings(rules) == rulings
    assert Setup(TWO, 2, rules).rulings == rulings


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("key", LE2023)
@pytest.mark.parametrize("values", [LE2023, OTHER], ids=["LE2023", "other"])
def test_a_ruling_can_be_set(rules, key, values):
    """rules.md: each can be set per record; the others stay those of the rule set."""
    setup = Setup(TWO, 2, rules, {key: values[key]})
    assert setup.rulings == default_rulings(rules) | {key: values[key]}


@pytest.mark.parametrize(
    "rulings",
    [{"trolls": "lowest"}, {"dwarves": "deck"}, {"dragons": ""}, {"raccoons": "highest"}],
    ids=str,
)
def test_no_such_ruling(rulings):
    """rules.md, "Rulings": there are no other keys and values."""
    with pytest.raises(ValueError, match="no such ruling"):
        Setup(TWO, 2, rulings=rulings)


@pytest.mark.parametrize("key", LE2023)
@pytest.mark.parametrize(("seats", "deck"), [(2, "GKUWX"), (3, "GKBFSVW"), (4, "MPBFSVW")])
def test_a_ruling_for_an_absent_faction_is_allowed(key, seats, deck):
    """rules.md, "Rulings": a ruling for a faction that is not in the deck is allowed."""
    assert LETTERS[LETTERS.index(key[0].upper())] not in deck
    assert Setup(deck, seats, rulings={key: OTHER[key]}).rulings[key] == OTHER[key]


def test_loot_is_unknown_unless_told():
    """rules.md, "Rulings": none of the texts says which Raccoons show loot."""
    assert Setup("GKRUW", 2).loot is None


@pytest.mark.parametrize("name", ["seats", "leader"])
def test_a_truth_value_is_no_number_of_a_seat(name):
    """True equals 1 in Python, but is not meant as a seat."""
    with pytest.raises(TypeError, match=f"{name} is a whole number, not True"):
        Setup("GKUWX", **{name: True})


def test_equal_setups_are_one_key() -> None:
    """Whatever order and defaults they were written with."""
    setups = (
        Setup("PMXWU"),
        Setup("MPUWX", rulings={"trolls": "highest"}),
        Setup("MPUWX", rulings={"trolls": "line"}),
    )
    assert len({*setups}) == 2


def test_a_setup_with_other_loot():
    setup = Setup("GKRUX", leader=2, rulings={"raccoons": "pile"}, loot=("R2", "R5"))
    other = setup.with_loot(("R3",))
    assert other == Setup("GKRUX", leader=2, rulings={"raccoons": "pile"}, loot=("R3",))
    assert other.factions == deck_of("GKRUX")
    assert setup.loot == ("R2", "R5")
    assert setup.with_loot(None).loot is None
