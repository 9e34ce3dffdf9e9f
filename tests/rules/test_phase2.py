"""Phase 2: the cards played are won (rules.md, "Phase 2")."""

import pytest
from tabletop import cards, display, first, pile, table, trick

MANY = "GKBRUWX"
LAST = {2: 13, 3: 12, 4: 9}


@pytest.mark.parametrize(
    ("plays", "winner"),
    [
        ("G3 G5", 2),
        ("G5 K2", 2),
        ("U5 B9", 1),
        ("U5 U3 G9", 1),
        ("U5 B9 U7", 3),
        ("U5 B9 U7 X8", 4),
        ("X5 B9 U7 K8", 1),
    ],
)
def test_the_winner_scores_all_played_cards(plays, winner):
    """rules.md, "Phase 2"; LE2023, "Karten einsammeln", 2."""
    game = table(MANY, seats=len(plays.split()), phase=2)
    done = trick(game, plays)
    assert done.winner == winner
    assert done.scored == {winner: cards(plays)}
    assert sum(number for number, _, _ in pile(game, winner).values()) == game.seats


def test_score_piles_grow():
    """rules.md, "Phase 2": cards stay on the pile, with those of Phase 1."""
    game = table("GKUWX", phase=2, piles={1: "U3"})
    trick(game, "G5 G3")
    trick(game, "U7 G0")
    trick(game, "G0 G9")
    assert pile(game, 1) == {"U": (2, 10, [3, 7]), "G": (3, 8, [0, 3, 5])}
    assert pile(game, 2) == {"G": (2, 9, [0, 9])}


def test_four_players_keep_a_pile_each():
    """rules.md, "Seats and sides": piles are kept per seat during play, not per side."""
    game = table(MANY, seats=4, phase=2)
    trick(game, "G3 G5 G7 G1")
    assert [bool(pile(game, seat)) for seat in (1, 2, 3, 4)] == [False, False, True, False]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_winner_leads_next(seats):
    """rules.md, "Phase 2"; base game: the starting player is the last trick's winner."""
    game = table(MANY, seats=seats, phase=2)
    for best in (seats, 1, 2):
        plays = ["U9" if game.seat_of(play) == best - 1 else "U2" for play in range(seats)]
        done = trick(game, " ".join(plays))
        assert done.winner == done.leader == best


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_winner_of_phase_1s_last_trick_leads(seats):
    """rules.md, "Phase 2"; LE2023: the first trick is led by the winner of Phase 1's last."""
    game = table(MANY, seats=seats, trick=LAST[seats])
    plays = ["U9" if play == 1 else "U2" for play in range(seats)]
    assert trick(game, " ".join(plays)).leader == 2
    assert (game.trick, game.leader) == (LAST[seats] + 1, 1)
    done = trick(game, first(seats, "W5 W4 B1 B2"))
    assert done.winner == 2


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_phase_1_ends_after_its_tricks(seats):
    """rules.md, "Phase 1": 13, 12 or 9 tricks; only then are cards scored."""
    game = table(MANY, seats=seats, trick=LAST[seats])
    plays = first(seats, "G5 G4 G3 G2")
    assert trick(game, plays).scored == {}
    assert trick(game, plays).scored == {1: cards(plays)}


@pytest.mark.parametrize("leader", [1, 2, 3, 4])
def test_cards_go_to_the_winner_wherever_the_lead_is(leader):
    """rules.md, "Seats and sides": seats are clockwise, any of them may lead."""
    game = table(MANY, seats=4, phase=2, leader=leader)
    done = trick(game, "U1 U2 U9 U3")
    assert done.winner == (leader + 1) % 4 + 1
    assert done.scored == {done.winner: cards("U1 U2 U9 U3")}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_table_is_cleared_for_the_next_game(seats):
    """A game leaves nothing behind: no cards, no lead, no automatic trick, no Troll."""
    piles, displays = (dict.fromkeys((1, 2, 3, 4), held) for held in ("U1 G5", "N1 N9"))
    used = table("GKATUNI", seats=4, phase=2, leader=4, piles=piles, displays=displays)
    trick(used, "T5 T7 N3 I5")
    assert used.waiting
    used.trick = 1
    trick(used, "A9 U8 U5 A3", up="G1 G2", pick="G1", draws="K2 K3")
    assert used.auto
    used.set_up(seats, LAST[seats], used.deck, 1, False, False, False)
    assert (used.trick, used.leader, used.played, used.waiting, used.auto) == (1, 1, 0, 0, False)
    for seat in range(1, seats + 1):
        assert pile(used, seat) == {}
        assert display(used, seat) == []
        at = (seat - 1) * 13
        assert set(used.followers[at : at + 13]) == {255}
    plays = first(seats, "U9 G5 U1 G6")
    assert trick(used, plays) == trick(table("GKATUNI", seats=seats, leader=2), plays)
