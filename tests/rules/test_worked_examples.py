"""The worked examples of the rulebooks, and those that rules.md adds.

The texts mix factions that no legal deck has together, so the rules' own code is tested directly.
If a text shows a picture or names no values, suitable cards are used.
"""

from tabletop import cards, display, pile, score, table, trick


def test_le2023_trolls():
    """LE2023, "Trolle", "BEISPIEL": four tricks; A is seat 1."""
    game = table("GKMPT", leader=1, phase=2)
    done = trick(game, "T6 T7")
    assert (done.winner, done.scored, done.waiting) == (2, {2: ["T7"]}, ["T6"])
    done = trick(game, "T3 T5")
    assert (done.winner, done.scored, done.waiting) == (1, {1: ["T6"]}, ["T5", "T3"])
    done = trick(game, "M7 G2")
    assert (done.winner, done.scored, done.waiting) == (1, {1: cards("M7 G2 T5")}, ["T3"])
    done = trick(game, "G8 K2")
    assert (done.winner, done.scored, done.waiting) == (2, {2: cards("G8 K2 T3")}, [])
    assert pile(game, 1)["T"] == (2, 11, [5, 6])
    assert pile(game, 2)["T"] == (2, 10, [3, 7])


def test_claim_2_trolls():
    """Claim 2, "Trolls", "For example": three tricks; Tommy is seat 1, Willy seat 2."""
    game = table("NIST", leader=1, phase=2, rules="Classic")
    done = trick(game, "T1 T3")
    assert (done.winner, done.scored, done.waiting) == (2, {2: ["T3"]}, ["T1"])
    done = trick(game, "T9 T7")
    assert (done.winner, done.scored, done.waiting) == (2, {2: ["T9"]}, ["T1", "T7"])
    done = trick(game, "N5 N3")
    assert (done.winner, done.scored, done.waiting) == (2, {2: cards("N5 N3 T1")}, ["T7"])


def test_the_two_texts_differ():
    """rules.md, "Rulings": each text's example fails with the other's ruling."""
    le2023 = table("GKMPT", phase=2, rulings="trolls=line")
    trick(le2023, "T6 T7")
    assert trick(le2023, "T3 T5").scored == {1: ["T5"]}
    claim_2 = table("NIST", phase=2, rulings="trolls=highest")
    trick(claim_2, "T1 T3")
    trick(claim_2, "T9 T7")
    assert "T7" in trick(claim_2, "N5 N3").scored[2]


def test_le2023_giants():
    """LE2023, "Riesen", "BEISPIEL": Goblin 5 led, Giant 7 played; a Gnome 7 goes."""
    game = table("GKNI", phase=2, displays={1: "N7", 2: "N5 N7"})
    done = trick(game, "G5 I7")
    assert (done.winner, done.scored) == (1, {1: cards("G5 I7")})
    assert done.removed == [(2, "N7")]
    assert (display(game, 1), display(game, 2)) == (["N7"], ["N5"])


def test_claim_2_giants():
    """Claim 2, "Giants": a Giant 5 that wins smashes a Gnome 5; two Giants smash two."""
    assert trick(table("NI", phase=2, displays={2: "N5"}), "I5 I3").removed == [(2, "N5")]
    assert trick(table("NI", phase=2, displays={2: "N7"}), "I5 I3").removed == []
    both = trick(table("NI", phase=2, displays={2: "N5 N3"}), "I5 I3").removed
    assert sorted(both) == [(2, "N3"), (2, "N5")]


def test_claim_2_gnomes():
    """Claim 2, "Gnomes": face up before the player; those kept alive are added at the end."""
    game = table("NIDST", phase=2)
    trick(game, "N5 N3")
    trick(game, "N1 I1")
    assert pile(game, 1) == {"I": (1, 1, [1])}
    assert display(game, 1) == ["N1", "N3", "N5"]


def test_claim_2_dragon():
    """Claim 2, "Dragons": Tommy leads a Gnome 5, Willy plays a Dragon 1 and leads the next."""
    for phase in (1, 2):
        done = trick(table("NIDST", phase=phase), "N5 D1")
        assert (done.winner, done.leader) == (1, 2)


def test_claim_2_two_dragons():
    """Claim 2, "Dragons": of two the second one's player leads, "regardless of who wins"."""
    for plays, winner in (("D5 D1", 1), ("D1 D5", 2)):
        done = trick(table("NIDST"), plays)
        assert (done.winner, done.leader) == (winner, 2)
    # The same words with more players are the ruling `last-dragon`.
    game = table("NIDSTUW", seats=3, rulings="dragons=last-dragon")
    assert trick(game, "D5 D1 U3").leader == 2


def test_claim_2_seers():
    """Claim 2, "Seers": a player who keeps the top card leaves the face-up card to the opponent."""
    done = trick(table("NIDST"), "S5 S3", up="N9", seer="D8")
    assert done.taken == {1: "D8", 2: "N9"}


def test_le2023_peasants():
    """LE2023, "Bauern", "BEISPIEL": Peasants 4 and 7 stay with a King 7."""
    assert score({1: "P4 P7 M7"}, "MPUWX").peasants == {1: ["P4", "P7"], 2: []}


def test_le2023_peasant_0():
    """LE2023, "Bauern", "HINWEIS": the Peasant 0 always flees."""
    assert score({1: "P0 M4"}, "MPUWX").peasants == {1: [], 2: ["P0"]}


def test_le2023_bards():
    """LE2023, "Barden": 3, 4, 5 wins against 1, 2, 6, 7, 9."""
    assert score({1: "B3 B4 B5", 2: "B1 B2 B6 B7 B9"}, "GKBUX").won["B"] == 1
    assert score({2: "B3 B4 B5", 1: "B1 B2 B6 B7 B9"}, "GKBUX").won["B"] == 2


def test_base_game_first_picture():
    """Base game, "Karten nehmen", first picture: two Goblins; player 1 wins.

    Player 1 takes the upcard, player 2 draws, the Goblins are discarded.
    """
    game = table("GKUWX")
    done = trick(game, "G7 G4", up="K5", draws="X1")
    assert (done.winner, done.leader) == (1, 1)
    assert done.taken == {1: "K5", 2: "X1"}
    assert done.scored == {}


def test_base_game_second_picture():
    """Base game, second picture: a Dwarf is the upcard, an Undead and a Knight are played.

    The Dwarf goes to player 1's followers, the Undead to that player's score pile; player 2 draws;
    the Knight is discarded.
    """
    game = table("GKUWX")
    done = trick(game, "U4 K8", up="W6", draws="G2")
    assert done.winner == 1
    assert done.taken == {1: "W6", 2: "G2"}
    assert done.scored == {1: ["U4"]}
    assert pile(game, 2) == {}


def test_base_game_undead_won_from_the_middle():
    """Base game and LE2023, "Untote", "Wichtig": an Undead upcard goes to the followers."""
    done = trick(table("GKUWX"), "G7 G4", up="U9", draws="U8")
    assert done.taken == {1: "U9", 2: "U8"}
    assert done.scored == {}


def test_base_game_doppelganger():
    """Base game, "Doppelgänger": after an Undead or a Dwarf it is neither."""
    assert trick(table("GKUWX"), "U4 X8").scored == {2: ["U4"]}
    assert trick(table("GKUWX", phase=2), "W4 X8").scored == {1: ["W4"], 2: ["X8"]}


def test_base_game_dwarf():
    """Base game, "Zwerge": the winner gets the card of the trick that is not a Dwarf."""
    assert trick(table("GKUWX", phase=2), "G4 W8").scored == {1: ["G4"], 2: ["W8"]}


def test_base_game_equal_factions():
    """Base game, "Sonderfall": the highest sum of the cards of the factions won."""
    done = score({1: "G9 K9", 2: "W9 X8"}, "GKUWX")
    assert (done.votes, done.winners, done.tiebreak) == ({1: 2, 2: 2}, [1], "value")


def test_le2023_order_of_taking():
    """LE2023, "Phase 1" for 3 and 4: the led faction by value, then the others by value."""
    done = trick(table("GKBSUWX", seats=4), "U3 W8 U5 B9", up="G1 G2", pick="G2", draws="G3 G4")
    assert done.ranking == [3, 1, 4, 2]
    assert done.taken == {3: "G2", 1: "G1", 4: "G3", 2: "G4"}
    # "Auch hier gewinnt einen Gleichstand, wer seine Karte zuerst gespielt hat."
    assert trick(table("GKBSUWX", seats=4), "U3 W8 U3 B8").ranking == [1, 3, 2, 4]


def test_le2023_seer_of_four():
    """LE2023, "Anpassung", "Seher": places 2 and 3 take the upcards, 4 the next hidden card."""
    game = table("GKBSUWX", seats=4)
    done = trick(game, "S3 S8 U5 B9", up="G1 G2", seer="K2", pick="G1", draws="K3")
    assert done.ranking == [2, 1, 4, 3]
    assert done.taken == {2: "K2", 1: "G1", 4: "G2", 3: "K3"}


def test_le2023_three_players_end():
    """LE2023, "Spielende & Wertung": factions, then cards, then values, then several winners."""
    one = {1: "U1 U2 U3", 2: "W8 W9", 3: "X4"}
    assert score(one, "GKBSUWX", seats=3).winners == [1]
    two = {1: "U1 U2 U3", 2: "W8 W9 W0", 3: "X4"}
    assert score(two, "GKBSUWX", seats=3).winners == [2]
    three = {1: "U1 U2 U3", 2: "W1 W5 W0", 3: "X4"}
    assert score(three, "GKBSUWX", seats=3).winners == [1, 2]
