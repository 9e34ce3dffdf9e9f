"""Phase 1: what the tricks are played for (rules.md, "Phase 1")."""

import pytest
from tabletop import display, first, index_of, pile, table, trick

PLAIN = "GKUWX"
MANY = "GKBRUWX"


def test_the_winner_takes_the_upcard_the_loser_draws():
    """rules.md, "Phase 1", 4, with 2 players; LE2023, "Karten sammeln", 2."""
    done = trick(table(PLAIN), "W3 W5", up="G7", draws="K2")
    assert done.winner == 2
    assert done.taken == {2: "G7", 1: "K2"}


def test_the_upcards_faction_does_not_matter():
    """LE2023, "Karte ausspielen": the card led need not be of the upcard's faction."""
    assert [trick(table(PLAIN), "W3 W5", up=up).winner for up in ("W9", "G0", "X9")] == [2, 2, 2]


@pytest.mark.parametrize(
    ("pick", "taken"),
    [
        ("R1", {3: "R1", 1: "B2", 2: "U4"}),
        ("B2", {3: "B2", 1: "R1", 2: "U4"}),
    ],
)
def test_three_players_pick_and_draw(pick, taken):
    """rules.md, "Phase 1", 4: the winner picks, the second takes the other, the third draws."""
    done = trick(table(MANY, seats=3), "W3 G9 W5", up="R1 B2", pick=pick, draws="U4")
    assert done.ranking == [3, 1, 2]
    assert done.taken == taken


@pytest.mark.parametrize("pick", ["R1", "B2"])
def test_four_players_pick_and_draw(pick):
    """rules.md, "Phase 1", 4: the third and then the fourth draw ("Spieler 3 vor Spieler 4")."""
    other = {"R1": "B2", "B2": "R1"}[pick]
    done = trick(
        table(MANY, seats=4, leader=2), "W3 G9 W5 G8", up="R1 B2", pick=pick, draws="U4 K4"
    )
    assert done.ranking == [4, 2, 3, 1]
    assert done.taken == {4: pick, 2: other, 3: "U4", 1: "K4"}


def test_two_equal_upcards():
    """rules.md, "Cards": Gnomes show a value up to three times; two equal ones may be upcards."""
    done = trick(table("NIBFSUW", seats=3), "W3 W5 W7", up="N5 N5", pick="N5", draws="U4")
    assert done.taken == {3: "N5", 2: "N5", 1: "U4"}


def test_unknown_cards_stay_unknown():
    """clm-format.md: hidden cards may be left out; then nobody knows what was drawn."""
    assert trick(table(PLAIN), "W3 W5", up="G7").taken == {2: "G7", 1: "_"}
    done = trick(table(MANY, seats=4), "W9 W5 W3 W2", up="R1 B2", pick="R1", draws="_ K4")
    assert done.taken == {1: "R1", 2: "B2", 3: "_", 4: "K4"}
    done = trick(table(MANY, seats=4), "W9 W5 W3 W2", up="R1 B2")
    assert set(done.taken.values()) == {"_"}


@pytest.mark.parametrize(
    ("seats", "looked", "draws"),
    [(2, False, 1), (3, False, 1), (4, False, 2), (2, True, 0), (3, True, 0), (4, True, 1)],
)
def test_how_many_draw(seats, looked, draws):
    """rules.md, "Phase 1", 4, and "Seers": one card each per trick, including upcards."""
    assert table(MANY, seats=seats).draws(looked) == draws


@pytest.mark.parametrize(("seats", "plays"), [(2, "W3 G5"), (3, "W3 G5 B2"), (4, "W3 G5 B2 R9")])
def test_played_cards_are_discarded(seats, plays):
    """rules.md, "Phase 1", 5: nobody scores them (except Undead)."""
    game = table(MANY, seats=seats)
    done = trick(game, plays)
    assert done.scored == {}
    assert done.removed == []
    assert done.waiting == []
    for seat in range(1, seats + 1):
        assert pile(game, seat) == {}
        assert display(game, seat) == []


def test_upcards_and_draws_are_not_scored():
    """rules.md, "Phase 1", 4: all of this goes face down to the taker's followers."""
    game = table(PLAIN)
    assert trick(game, "W3 W5", up="U7", draws="U1").scored == {}
    assert pile(game, 1) == pile(game, 2) == {}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_winner_leads_next(seats):
    """rules.md, "Phase 1", 5."""
    game = table(MANY, seats=seats)
    for best in (2, 1, seats):
        plays = ["U9" if game.seat_of(play) == best - 1 else "U2" for play in range(seats)]
        done = trick(game, " ".join(plays))
        assert done.winner == done.leader == best
        assert game.leader == best - 1


@pytest.mark.parametrize(("seats", "tricks"), [(2, 13), (3, 12), (4, 9)])
def test_everybody_has_a_new_hand_after_the_phase(seats, tricks):
    """rules.md, "Phase 2": the followers are the new hand, one card per trick."""
    game = table(MANY, seats=seats)
    hands = {seat: [] for seat in range(1, seats + 1)}
    for number in range(tricks):
        assert game.trick == number + 1
        up = "R1" if seats == 2 else "R1 B2"
        done = trick(
            game,
            first(seats, "W1 W9 W3 W4"),
            up=up,
            pick="" if seats == 2 else "B2",
            draws=first(game.draws(False), "U1 U2"),
        )
        for seat, card in done.taken.items():
            hands[seat].append(card)
    assert game.trick == tricks + 1
    assert {len(hand) for hand in hands.values()} == {tricks}
    for seat, hand in hands.items():
        at = (seat - 1) * 13
        held = game.followers[at : at + tricks]
        assert len(set(hand)) == len(set(held))
        assert 255 not in list(held)


@pytest.mark.parametrize(
    ("seats", "winning", "ranking"),
    [(2, 1, [2, 1]), (3, 2, [3, 1, 2]), (4, 0, [1, 2, 3, 4]), (4, 3, [4, 1, 2, 3])],
)
def test_a_trick_conceded(seats, winning, ranking):
    """A trick with an unreadable card: the marked seat wins, no power acts."""
    game = table(MANY, seats=seats)
    for _ in range(seats):
        game.play(255)
    game.concede(winning)
    assert game.winner == game.next_leader == winning
    assert [game.seat_of(game.ranked[i]) + 1 for i in range(seats)] == ranking
    assert not game.next_auto
    assert game.gained == game.removed == 0


@pytest.mark.parametrize(
    ("plays", "best", "where", "leads"),
    [
        pytest.param("_ G5", 0, {"deck": "GKAUX", "trick": 12}, None, id="it-may-be-an-automaton"),
        pytest.param("_ G5", 0, {"deck": "GKAUX", "trick": 13}, 1, id="none-that-counts-any-more"),
        pytest.param("_ G5", 0, {"deck": "GKAUX", "phase": 2}, 1, id="nor-in-phase-2"),
        pytest.param("G5 _", 0, {"deck": "GKAUX"}, 1, id="the-other-card-may-be-one"),
        pytest.param(
            "G5 _", 0, {"deck": "GKAUX", "rulings": "automatons=played"}, None, id="which-counts"
        ),
        pytest.param("_ D5", 0, {"deck": "GKDUX"}, 2, id="a-dragon"),
        pytest.param("_ U5 D5", 1, {"deck": "GKDUXBV"}, 3, id="a-dragon-of-three"),
        pytest.param("_ D5 U5", 2, {"deck": "GKDUXBV"}, 3, id="a-dragon-that-is-not-last"),
        pytest.param("U5 D5 _", 0, {"deck": "GKDUXBV"}, None, id="it-may-be-a-dragon"),
        pytest.param(
            "_ D5 U5", 2, {"deck": "GKDUXBV", "rulings": "dragons=last-dragon"}, None,
            id="nobody-reads-on",
        ),
    ],
)  # fmt: skip
def test_who_leads_after_a_trick_conceded(plays, best, where, leads):
    """rules.md, "Powers": the unreadable card may be a Dragon or an Automaton."""
    played = plays.split()
    game = table(seats=len(played), **where)
    for text in played:
        game.play(index_of(text))
    assert game.concede(best) == (leads is not None)
    if leads:
        assert game.next_leader == leads - 1


def test_a_trick_conceded_moves_nothing_that_the_last_one_moved():
    game = table("NIAUX", phase=2, displays={1: "N7"})
    game.noting = True
    assert trick(game, "I7 X9").removed == [(1, "N7")]
    game.play(255)
    game.play(255)
    game.concede(0)
    assert game.gained == game.removed == 0
    assert [noted.seat for noted in game.reasons()] == [1, 1]
