"""Who wins a trick, who is second (rules.md, "Phase 1", 3; LE2023, "Karten sammeln", "Phase 1")."""

import random
from itertools import combinations, permutations, product

import naive
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tabletop import first, index_of, table, trick

from claimlog.cards import LETTERS, NAMES
from claimlog.rules.powers import standing


def ranking(plays: str, *, phase: int = 1) -> str:
    """The cards of a trick, best first."""
    played = plays.split()
    game = table(LETTERS, seats=len(played), phase=phase)
    return " ".join(played[seat - 1] for seat in trick(game, plays).ranking)


RANKINGS = [
    pytest.param("U3 U7", "U7 U3", id="higher-value"),
    pytest.param("U7 U3", "U7 U3", id="higher-value-led"),
    pytest.param("U0 U1", "U1 U0", id="0-is-the-lowest"),
    pytest.param("R12 R13", "R13 R12", id="13-is-the-highest"),
    pytest.param("M9 M10", "M10 M9", id="10-is-above-9"),
    pytest.param("G0 G0", "G0 G0", id="equal"),
    pytest.param("N5 N5", "N5 N5", id="equal-gnomes"),
    pytest.param("U0 W9", "U0 W9", id="another-faction-loses"),
    pytest.param("W9 U0", "W9 U0", id="another-faction-loses-to-a-high-lead"),
    pytest.param("U3 X5", "X5 U3", id="doppelganger-counts-as-led"),
    pytest.param("U5 X3", "U5 X3", id="lower-doppelganger"),
    pytest.param("U5 X5", "U5 X5", id="equal-doppelganger-later"),
    pytest.param("X5 X6", "X6 X5", id="doppelgangers-led"),
    pytest.param("X0 U9", "X0 U9", id="doppelganger-led-is-a-faction"),
    pytest.param("G9 K2", "K2 G9", id="knight-beats-goblin"),
    pytest.param("K2 G9", "K2 G9", id="goblin-loses-to-a-led-knight"),
    pytest.param("X9 K2", "X9 K2", id="knight-does-not-beat-a-led-doppelganger"),
    pytest.param("U0 K9", "U0 K9", id="knight-beats-goblins-only"),
    pytest.param("K3 X5", "X5 K3", id="doppelganger-as-knight"),
    pytest.param("U3 U7 U5", "U7 U5 U3", id="three-by-value"),
    pytest.param("U3 W9 U1", "U3 U1 W9", id="three-others-below"),
    pytest.param("U3 W4 B9", "U3 B9 W4", id="others-by-value-whatever-faction"),
    pytest.param("U3 W4 B4", "U3 W4 B4", id="others-equal-earlier-first"),
    pytest.param("U3 B4 W4", "U3 B4 W4", id="others-equal-earlier-first-again"),
    pytest.param("U3 X3 U1", "U3 X3 U1", id="equal-led-earlier-first"),
    pytest.param("U1 X3 U3", "X3 U3 U1", id="an-earlier-doppelganger-is-above"),
    pytest.param("G9 K2 K5", "K5 K2 G9", id="the-highest-knight-wins"),
    pytest.param("G1 K2 G9", "K2 G9 G1", id="knights-above-all-goblins"),
    pytest.param("G1 X9 K2", "K2 X9 G1", id="knight-above-doppelganger-as-goblin"),
    pytest.param("G5 X5 K2", "K2 G5 X5", id="doppelganger-as-goblin-by-value"),
    pytest.param("X1 G9 K2", "X1 G9 K2", id="no-goblins-were-led"),
    pytest.param("X1 K9 G9", "X1 K9 G9", id="no-goblins-were-led-by-play"),
    pytest.param("U1 G9 K2", "U1 G9 K2", id="a-knight-off-suit-has-no-power"),
    pytest.param("G0 G0 G0", "G0 G0 G0", id="three-equal"),
    pytest.param("W4 U9 B4 W2", "W4 W2 U9 B4", id="four-two-of-the-led"),
    pytest.param("G3 U9 K2 K4", "K4 K2 G3 U9", id="four-knights-goblin-other"),
    pytest.param("G3 X7 K2 W8", "K2 X7 G3 W8", id="four-of-four-kinds"),
    pytest.param("A1 P12 R13 M11", "A1 R13 P12 M11", id="four-high-others"),
    pytest.param("A2 B6 D6 F6", "A2 B6 D6 F6", id="four-equal-others"),
    pytest.param("N1 N1 N1 X1", "N1 N1 N1 X1", id="four-equal"),
]


@pytest.mark.parametrize("phase", [1, 2])
@pytest.mark.parametrize(("plays", "ranked"), RANKINGS)
def test_ranking(plays, ranked, phase):
    """rules.md, "Phase 1", 3, and "Phase 2": same ranking."""
    assert ranking(plays, phase=phase) == ranked


@pytest.mark.parametrize(
    ("plays", "seats"),
    [("G0 G0", [1, 2]), ("U5 X5", [1, 2]), ("U1 N5 I5 U0", [1, 4, 2, 3]), ("N5 N5 X5", [1, 2, 3])],
)
def test_equal_values_the_earlier_play_ranks_higher(plays, seats):
    """rules.md, "Phase 1", 3; LE2023: "Bei einem Gleichstand gewinnt der Startspieler"."""
    game = table(LETTERS, seats=len(seats))
    assert trick(game, plays).ranking == seats


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ranking_names_seats_not_plays(seats):
    """rules.md, "Phase 1", 2: plays go clockwise from the leader, whoever that is."""
    for leader in range(1, seats + 1):
        done = trick(table(LETTERS, seats=seats, leader=leader), first(seats, "U5 U9 U7 U1"))
        by_value = [1, 2, 0, 3] if seats == 4 else [1, 2, 0] if seats == 3 else [1, 0]
        assert done.ranking == [(leader - 1 + play) % seats + 1 for play in by_value]
        assert done.winner == done.ranking[0]


def test_standing_of_every_faction_to_every_led_one():
    """rules.md, "Phase 1", 3: of the led faction, above Goblins, or below."""
    off, led, above = 0, 1, 2
    for faction, lead in product(LETTERS, repeat=2):
        expected = off
        if faction in (lead, "X"):
            expected = led
        elif (faction, lead) == ("K", "G"):
            expected = above
        assert standing(LETTERS.index(faction), LETTERS.index(lead)) == expected, (faction, lead)


def test_every_trick_of_two_players():
    """All 26,896 pairs of cards, compared with the rule written in naive.py."""
    game = table(LETTERS)
    for plays in product(NAMES, repeat=2):
        game.trick, game.leader, game.auto = 1, 0, False
        expected = naive.ranking(plays, [naive.value(c) for c in plays])
        done = trick(game, " ".join(plays))
        assert done.ranking == [play + 1 for play in expected], plays


@pytest.mark.parametrize("seats", [3, 4])
def test_random_tricks_of_more_players(seats):
    """Thousands of tricks, compared with naive.py, from few factions so that many follow."""
    rng = random.Random(seats)
    for _ in range(2000):
        letters = rng.sample(LETTERS, 3) if rng.random() < 0.5 else "GKX"
        plays = rng.choices([name for name in NAMES if name[0] in letters], k=seats)
        game = table(LETTERS, seats=seats)
        expected = naive.ranking(plays, [naive.value(c) for c in plays])
        assert trick(game, " ".join(plays)).ranking == [play + 1 for play in expected], plays


TRICKS = st.integers(2, 4).flatmap(
    lambda seats: st.lists(st.sampled_from(NAMES), min_size=seats, max_size=seats)
)


@given(plays=TRICKS)
def test_ranking_is_a_total_order(plays):
    """Every seat has one place, and any two keep their order whatever the third plays."""
    seats = len(plays)
    ranked = trick(table(LETTERS, seats=seats), " ".join(plays)).ranking
    assert sorted(ranked) == list(range(1, seats + 1))
    values = [naive.value(c) for c in plays]
    for a, b in combinations(range(seats), 2):
        assert naive.outranks(plays, values, a, b) != naive.outranks(plays, values, b, a)
        assert (ranked.index(a + 1) < ranked.index(b + 1)) == naive.outranks(plays, values, a, b)
    for a, b, c in permutations(range(seats), 3):
        if naive.outranks(plays, values, a, b) and naive.outranks(plays, values, b, c):
            assert naive.outranks(plays, values, a, c)


@given(plays=TRICKS, other=st.sampled_from(NAMES), data=st.data())
def test_winner_does_not_depend_on_losing_cards_of_other_factions(plays, other, data):
    """rules.md, "Phase 1", 3: all other cards rank below, whatever they are."""
    led = plays[0][0]

    def below(card):
        return card[0] not in (led, "X") and not (led == "G" and card[0] == "K")

    places = [i for i, card in enumerate(plays) if below(card)]
    assume(places and below(other))
    changed = list(plays)
    changed[data.draw(st.sampled_from(places))] = other
    before = trick(table(LETTERS, seats=len(plays)), " ".join(plays)).winner
    after = trick(table(LETTERS, seats=len(plays)), " ".join(changed)).winner
    assert before == after
    assert before - 1 not in places


@given(plays=TRICKS)
def test_the_leader_wins_unless_beaten_by_the_led_faction_a_doppelganger_or_a_knight(plays):
    """LE2023, "Karten sammeln": another faction loses, except Doppelganger and Knight."""
    best = plays[trick(table(LETTERS, seats=len(plays)), " ".join(plays)).winner - 1]
    assert best[0] in (plays[0][0], "X") or (plays[0][0], best[0]) == ("G", "K")


@pytest.mark.parametrize(("plays", "ranked"), [("G5 G3", [0, 1]), ("G3 G5", [1, 0])])
def test_two_plays_are_ranked_by_their_place(plays, ranked):
    """rules.md, "Phase 1", 3: whoever leads."""
    game = table("GKUWX", leader=2)
    for text in plays.split():
        game.play(index_of(text))
    game.settle()
    assert list(game.ranked[:2]) == ranked
