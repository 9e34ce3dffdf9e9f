"""Dragons (rules.md, "Powers", ruling `dragons`; LE2023 and Claim 2, "Drachen")."""

import pytest
from tabletop import cards, first, table, trick

MANY = "GKADSUX"
TWO = "GKADX"
CASES = [
    # plays, winner, next leader by last-card and by last-dragon
    pytest.param("G5 D1", 1, 2, 2, id="lost"),
    pytest.param("D1 D5", 2, 2, 2, id="won"),
    pytest.param("D5 D1", 1, 2, 2, id="both"),
    pytest.param("D5 G1", 1, 1, 1, id="led-and-won"),
    pytest.param("D1 X5", 2, 2, 2, id="led-and-lost"),
    pytest.param("G5 K2", 2, 2, 2, id="none"),
    pytest.param("G5 G7 D1", 2, 3, 3, id="three-last"),
    pytest.param("G5 D1 G7", 3, 3, 2, id="three-in-the-middle"),
    pytest.param("D5 D7 G1", 2, 2, 2, id="three-in-the-middle-won"),
    pytest.param("D5 X7 G1", 2, 2, 1, id="three-led-and-lost"),
    pytest.param("D5 D3 G1", 1, 1, 2, id="three-two-of-them"),
    pytest.param("D5 D3 D1", 1, 3, 3, id="three-of-three"),
    pytest.param("D5 X3 D1", 1, 3, 3, id="three-first-and-last"),
    pytest.param("G5 D1 D2 G7", 4, 4, 3, id="four-two-in-the-middle"),
    pytest.param("G5 D1 G6 G7", 4, 4, 2, id="four-second"),
    pytest.param("D9 G5 G6 G7", 1, 1, 1, id="four-led"),
    pytest.param("G5 G6 G7 D0", 3, 4, 4, id="four-last"),
]


@pytest.mark.parametrize("phase", [1, 2])
@pytest.mark.parametrize("ruling", ["last-card", "last-dragon"])
@pytest.mark.parametrize(("plays", "winner", "last_card", "last_dragon"), CASES)
def test_who_leads_next(plays, winner, last_card, last_dragon, ruling, phase):
    """rules.md, "Powers" and "Rulings": the trick's last card, or its last Dragon."""
    seats = len(plays.split())
    deck = TWO if seats == 2 else MANY
    game = table(deck, seats=seats, phase=phase, rulings=f"dragons={ruling}")
    done = trick(game, plays)
    assert done.winner == winner
    assert done.leader == (last_card if ruling == "last-card" else last_dragon)
    assert game.leader == done.leader - 1


def test_last_dragon_does_nothing_with_two_players():
    """rules.md, "Rulings": for another number of players a ruling has no effect."""
    done = trick(table(TWO, rulings="dragons=last-dragon"), "D1 X5")
    assert done.leader == done.winner == 2


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_default_is_last_card(seats):
    """rules.md, "Rulings": LE2023's value; Classic has the same."""
    plays = ["G5", "D9", "G1", "G2"][:seats]
    for rules in ("LE2023", "Classic"):
        game = table(MANY if seats > 2 else TWO, seats=seats, rules=rules)
        assert trick(game, " ".join(plays)).leader == (2 if seats == 2 else 1)


@pytest.mark.parametrize(("seats", "last"), [(2, 13), (3, 12), (4, 9)])
def test_a_dragon_of_phase_1s_last_trick_leads_phase_2(seats, last):
    """rules.md, "Phase 2": the winner leads, or the seat that its Dragon determines."""
    game = table(MANY, seats=seats, trick=last)
    done = trick(game, f"{first(seats - 1, 'G5 G1 G2')} D9")
    assert done.winner == 1
    assert done.leader == seats
    plays = first(seats, "U9 U1 U2 U3")
    assert trick(game, plays).winner == seats


@pytest.mark.parametrize("leader", [1, 2, 3, 4])
def test_the_dragon_is_found_at_its_seat(leader):
    """rules.md, "Seats and sides": the last card is played by the seat before the leader."""
    done = trick(table(MANY, seats=4, leader=leader), "G5 G6 G7 D0")
    assert done.leader == (leader + 2) % 4 + 1


def test_the_winner_takes_the_dragons():
    """rules.md, "Powers": a Dragon moves the lead, not the cards."""
    assert trick(table(TWO, phase=2), "G5 D1").scored == {1: cards("D1 G5")}
    done = trick(table(TWO), "G5 D1", up="X7", draws="X1")
    assert done.taken == {1: "X7", 2: "X1"}
