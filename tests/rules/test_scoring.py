"""The end (rules.md, "The end"; LE2023, "Spielende/Wertung"; base game, "Sonderfall")."""

import random

import naive
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tabletop import TIEBREAKS, score, table

from claimlog.cards import LETTERS, UNKNOWN
from claimlog.rules.scoring import Count

TWO = "GKUWX"
MANY = "GKBSUWX"


# One faction -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "two", "winner"),
    [
        pytest.param("U1 U2", "U9", 1, id="most-cards"),
        pytest.param("U1", "", 1, id="one-card"),
        pytest.param("U0", "", 1, id="one-card-of-value-0"),
        pytest.param("U1 U9", "U7 U8", 1, id="equal-the-highest-card"),
        pytest.param("U0", "U1", 2, id="equal-the-highest-card-low"),
        pytest.param("U8 U0", "U7 U6", 1, id="the-highest-not-the-sum"),
        pytest.param("", "", None, id="nobody-has-any"),
    ],
)
def test_who_wins_a_faction(one, two, winner):
    """rules.md, "The end": the highest count; equal: the highest card value."""
    assert score({1: one, 2: two}, TWO).won["U"] == winner


@pytest.mark.parametrize(
    ("one", "two", "deck", "letter", "winner"),
    [
        ("G0", "G0", TWO, "G", None),
        ("G0 G0", "G0", TWO, "G", 1),
        ("G0 G0", "G0 G1", TWO, "G", 2),
        ("I7", "I7", "NIUWX", "I", None),
        ("I7 I1", "I7 I5", "NIUWX", "I", None),
        ("I7 I9", "I7 I5", "NIUWX", "I", 1),
        ("M4 M12", "M10 M11", "MPUWX", "M", 1),
        ("R13 R0", "R12 R11", "GKRUX", "R", 1),
    ],
)
def test_still_equal_nobody_wins_it(one, two, deck, letter, winner):
    """rules.md, "The end": only the highest cards are compared, not the next ones."""
    assert score({1: one, 2: two}, deck).won[letter] == winner


@pytest.mark.parametrize(
    ("one", "two", "winner"),
    [("N7 N5", "N7 N3", None), ("N9 N1", "N7 N7", 1), ("N7", "N5 N5", 2)],
)
def test_gnomes_are_compared_as_any_faction(one, two, winner):
    """rules.md, "The end": after joining the piles."""
    assert score({}, "NIUWX", displays={1: one, 2: two}).won["N"] == winner


@pytest.mark.parametrize(
    ("piles", "winner"),
    [
        ({1: "U1 U2", 2: "U7", 3: "U9"}, 1),
        ({1: "U1", 2: "U7", 3: "U9 U0"}, 3),
        ({1: "U1 U2", 2: "U7 U0", 3: "U9"}, 2),
        ({1: "U1", 2: "U7", 3: "U9"}, 3),
        ({1: "G0", 2: "G0", 3: "U9"}, None),
        ({1: "G0", 2: "G0", 3: "G1"}, 3),
        ({1: "G0", 2: "G0", 3: "G0 G0"}, 3),
        ({1: "G0 G0", 2: "G0", 3: "G0 G0"}, None),
        ({1: "G1 G2", 2: "G0 G0", 3: "G0 G0"}, 1),
        ({1: "G0 G0", 2: "G1 G0", 3: "G0 G0"}, 2),
    ],
)
def test_three_players_win_a_faction(piles, winner):
    """rules.md, "The end": the highest of three; two equal ones below it do not matter."""
    assert score(piles, MANY, seats=3).won["G" if "G0" in str(piles) else "U"] == winner


def test_a_tie_is_forgotten_when_somebody_has_more():
    """rules.md, "The end": with three players two may be equal and lose to the third."""
    for order in ("123", "231", "312"):
        held = dict(zip(map(int, order), ("G0", "G0", "G5 G6"), strict=True))
        assert score(held, MANY, seats=3).won["G"] == int(order[2])


def test_four_players_count_together():
    """LE2023, "Spielende & Wertung": partners count their cards together."""
    done = score({1: "U1", 2: "U7 U8", 3: "U2 U3", 4: ""}, MANY, seats=4)
    assert done.counts["U"] == {1: 3, 2: 2}
    assert done.won["U"] == 1
    assert score({1: "U1", 2: "U7", 3: "U2", 4: "U9"}, MANY, seats=4).won["U"] == 2


def test_only_factions_of_the_deck_are_won():
    """rules.md, "Cards": five factions with two players, seven with more."""
    assert list(score({1: "U1"}, TWO).won) == list(TWO)
    assert list(score({1: "U1"}, MANY, seats=3).won) == list(MANY)


# Votes -------------------------------------------------------------------------------------


def test_the_side_with_most_factions_wins():
    """rules.md, "The end"; LE2023: at least three of five."""
    done = score({1: "G1 K2 U1 W2", 2: "W1 X1"}, TWO)
    assert done.won == {"G": 1, "K": 1, "U": 1, "W": 1, "X": 2}
    assert (done.votes, done.winners, done.tiebreak) == ({1: 4, 2: 1}, [1], None)


@pytest.mark.parametrize(
    ("piles", "votes", "winner"),
    [
        ({1: "U1 W1", 2: "X9"}, {1: 2, 2: 1}, 1),
        ({1: "U1", 2: ""}, {1: 1, 2: 0}, 1),
        ({1: "X9", 2: "U1 W1"}, {1: 1, 2: 2}, 2),
    ],
)
def test_two_players_need_not_win_three(piles, votes, winner):
    """rules.md, "Decided here": most factions win even with fewer than three."""
    done = score(piles, TWO)
    assert (done.votes, done.winners, done.tiebreak) == (votes, [winner], None)


def test_three_players_most_factions():
    """LE2023, "Spielende & Wertung": whoever won most factions."""
    done = score({1: "G1 K2", 2: "U1 W1 X1", 3: "B9 S9"}, MANY, seats=3)
    assert (done.votes, done.winners, done.tiebreak) == ({1: 2, 2: 3, 3: 2}, [2], None)


def test_four_players_most_factions():
    """LE2023, "Spielende & Wertung": the team that won more factions."""
    done = score({1: "G1", 2: "U1 W1", 3: "K2", 4: "X1"}, MANY, seats=4)
    assert (done.votes, done.winners, done.tiebreak) == ({1: 2, 2: 3}, [2], None)


def test_more_cards_or_value_do_not_beat_more_factions():
    """rules.md, "The end": comparisons are for equal sides only."""
    one, two = "G0 K2 U0", "W7 W8 W9 X7 X8 X9"
    for seats in (2, 3, 4):
        assert score({1: one, 2: two}, TWO if seats == 2 else MANY, seats=seats).winners == [1]


# Tie-breaks --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("piles", "winner"),
    [
        pytest.param({1: "U9", 2: "W8"}, 1, id="higher-sum"),
        pytest.param({1: "U1 U2 U3", 2: "W9"}, 2, id="not-more-cards"),
        pytest.param({1: "U9 G1", 2: "X3 K8"}, 2, id="two-each"),
        pytest.param({1: "U5 X0 K9", 2: "W6 K2 K3"}, 2, id="only-cards-of-factions-won"),
    ],
)
def test_two_players_compare_the_sum_of_values(piles, winner):
    """rules.md, "The end"; base game, "Sonderfall": also in LE2023."""
    done = score(piles, TWO)
    assert done.votes[1] == done.votes[2]
    assert (done.winners, done.tiebreak) == ([winner], "value")


def test_two_players_do_not_compare_numbers_of_cards():
    """rules.md, "The end": that is for 3 or 4 players."""
    piles = {1: "U1 U2 U3", 2: "W9"}
    assert score(piles, TWO).winners == [2]
    assert score(piles, MANY, seats=3).winners == [1]
    assert score(piles, MANY, seats=4).winners == [1]


@pytest.mark.parametrize(
    ("piles", "winners", "tiebreak"),
    [
        pytest.param({1: "U1 U2", 2: "W9", 3: "X8"}, [1], "cards", id="most-cards"),
        pytest.param({1: "U1 U2", 2: "W9 W0", 3: "X8"}, [2], "value", id="two-left"),
        pytest.param({1: "U1 U2", 2: "W3 W0", 3: "X8"}, [1, 2], "cards", id="two-shared"),
        pytest.param({1: "U1", 2: "W3", 3: "X8"}, [3], "value", id="three-left"),
        pytest.param({1: "U8", 2: "W3", 3: "X8"}, [1, 3], "value", id="two-of-three-shared"),
        pytest.param({1: "U8", 2: "W8", 3: "X8"}, [1, 2, 3], None, id="all-shared"),
        pytest.param({1: "U8 G1", 2: "W9 G2", 3: "X9"}, [2], None, id="most-factions"),
        pytest.param({1: "U8 G1", 2: "W9 K2", 3: "X9"}, [2], "value", id="two-of-three-level"),
        pytest.param(
            {1: "U8 G1", 2: "W9 K2 K3", 3: "X9 X8 X7 X6"}, [2], "cards", id="a-loser-has-most-cards"
        ),
        pytest.param({}, [1, 2, 3], None, id="nobody-won-anything"),
    ],
)
def test_three_players_compare_cards_then_values(piles, winners, tiebreak):
    """rules.md, "The end"; LE2023, "Spielende & Wertung"; the last comparison is named."""
    done = score(piles, MANY, seats=3)
    assert done.winners == winners
    assert done.tiebreak == tiebreak


@pytest.mark.parametrize(
    ("piles", "winners", "tiebreak"),
    [
        pytest.param({1: "U1", 2: "W9", 3: "U2"}, [1], "cards", id="most-cards"),
        pytest.param({1: "U1", 2: "W9", 3: "U2", 4: "W8"}, [2], "value", id="highest-sum"),
        pytest.param({1: "U9", 2: "W8", 3: "U2", 4: "W3"}, [1, 2], None, id="shared"),
        pytest.param({1: "U1", 2: "W9", 3: "X2"}, [1], None, id="most-factions"),
    ],
)
def test_four_players_compare_as_three_do(piles, winners, tiebreak):
    """rules.md, "Decided here": with four the three-player comparisons do."""
    done = score(piles, MANY, seats=4)
    assert done.winners == winners
    assert done.tiebreak == tiebreak


@pytest.mark.parametrize("piles", [{}, {1: "U5", 2: "W5"}, {1: "G0", 2: "G0"}, {1: "G0", 2: "U0"}])
def test_two_players_share_the_win(piles):
    """rules.md, "The end": still equal: the win is shared."""
    done = score(piles, TWO)
    assert done.winners == [1, 2]
    assert done.tiebreak is None


def test_a_faction_that_nobody_won_is_in_no_comparison():
    """rules.md, "The end": the cards of factions won are compared."""
    done = score({1: "U3 G0 G0", 2: "W2 G0 G0"}, TWO)
    assert done.won["G"] is None
    assert (done.winners, done.tiebreak) == ([1], "value")
    done = score({1: "U3 I7 I7", 2: "W2 W1"}, "NIUWX", seats=2, displays={2: "N9"})
    assert done.won == {"N": 2, "I": 1, "U": 1, "W": 2, "X": None}
    assert (done.winners, done.tiebreak) == ([1], "value")


def test_doubled_vikings_are_one_card_in_comparisons():
    """rules.md, "The end": the comparisons count cards."""
    piles = {1: "V5 G5", 2: "U6 U1 W3"}
    done = score(piles, "GKBUVWX", seats=3)
    assert done.counts["V"][1] == 2
    assert done.votes == {1: 2, 2: 2, 3: 0}
    # Two cards against three; counting a Viking twice would be a tie, decided by value.
    assert (done.winners, done.tiebreak) == ([2], "cards")
    done = score({1: "V5 G5", 2: "U6 W5"}, "GKUVW")
    assert (done.winners, done.tiebreak) == ([2], "value")


def test_loot_is_no_card_in_comparisons():
    """rules.md, "The end" and "Raccoons": it only adds to the count."""
    piles = {1: "R9", 2: "W8 X3"}
    done = score(piles, "GKRWX", loot="R9", choose={1: "G"})
    assert done.votes == {1: 2, 2: 2}
    # 9 against 11: the loot Raccoon's value does not count a second time.
    assert (done.winners, done.tiebreak) == ([2], "value")
    done = score(piles, "GKBRUWX", seats=3, loot="R9", choose={1: "G"})
    # One card against two.
    assert (done.winners, done.tiebreak) == ([2], "cards")


def test_gnomes_and_joined_piles_are_compared():
    """rules.md, "The end": cards that joined the pile are in both comparisons."""
    done = score({1: "U1"}, "NIBSUWX", seats=3, displays={1: "N9", 2: "", 3: ""})
    assert done.votes == {1: 2, 2: 0, 3: 0}
    done = score({1: "U1", 2: "W9 X8 S3"}, "NIUWX", displays={1: "N9"})
    assert (done.votes, done.winners) == ({1: 2, 2: 2}, [2])
    done = score({1: "U1", 2: "W9 X0"}, "NIUWX", displays={1: "N9 N1 N1"})
    assert (done.votes, done.winners, done.tiebreak) == ({1: 2, 2: 2}, [1], "value")
    done = score({1: "U1", 3: "U2", 2: "W9", 4: "X8"}, "NIBSUWX", seats=4, displays={3: "N1"})
    assert (done.votes, done.winners, done.tiebreak) == ({1: 2, 2: 2}, [1], "cards")


def test_a_tie_break_by_cards_and_then_by_value():
    """clm-format.md, "Reports": the last comparison that separated equal sides."""
    done = score({1: "U1 U2", 2: "W9 W8", 3: "X9"}, MANY, seats=3)
    assert (done.winners, done.tiebreak) == ([2], "value")


# Properties ----------------------------------------------------------------------------------


@st.composite
def ends(draw):
    """A deck, the number of seats, the piles at the end, and which Raccoons show loot."""
    seats = draw(st.sampled_from([2, 3, 4]))
    deck = draw(st.sampled_from(naive.PAIRS)) + "".join(
        draw(st.permutations(naive.TENS))[: 3 if seats == 2 else 5]
    )
    box = [c for c in naive.box() if c[0] in deck]
    held = draw(st.lists(st.integers(0, seats), min_size=len(box), max_size=len(box)))
    piles = {seat: [] for seat in range(seats + 1)}
    for card, owner in zip(box, held, strict=True):
        piles[owner].append(card)
    del piles[0]  # nobody's: discarded in Phase 1
    loot = draw(st.sampled_from(["", "R3", "R0 R5 R9", "R13 R12"]))
    return deck, seats, piles, loot


def count(deck, seats, piles, loot):
    """Score with the first possible faction for each choice."""
    displays = {s: " ".join(c for c in held if c[0] == "N") for s, held in piles.items()}
    rest = {s: " ".join(c for c in held if c[0] != "N") for s, held in piles.items()}
    sides = {s: piles[s] + piles[s + 2] for s in (1, 2)} if seats == 4 else piles
    fewest = naive.Result(sides, deck, seats, loot.split()).fewest
    choose = {side: sorted(factions)[0] for side, factions in fewest.items() if len(factions) > 1}
    return score(rest, deck, seats=seats, displays=displays, loot=loot, choose=choose)


@given(end=ends(), rng=st.randoms(use_true_random=False))
def test_the_order_of_a_pile_does_not_matter(end, rng):
    deck, seats, piles, loot = end
    shuffled = {s: rng.sample(held, len(held)) for s, held in piles.items()}
    assert count(deck, seats, piles, loot) == count(deck, seats, shuffled, loot)


@given(end=ends(), turn=st.integers(1, 3))
def test_seats_have_no_privilege(end, turn):
    """In rules.md no side wins ties: rotating the table rotates the result."""
    deck, seats, piles, loot = end
    before = count(deck, seats, piles, loot)
    after = count(deck, seats, {(s + turn - 1) % seats + 1: h for s, h in piles.items()}, loot)
    sides = len(before.votes)

    def turned(side):
        return side and (side + turn - 1) % sides + 1

    assert after.tiebreak == before.tiebreak
    assert after.winners == sorted(turned(side) for side in before.winners)
    assert after.votes == {turned(side): votes for side, votes in before.votes.items()}
    assert after.won == {f: turned(side) for f, side in before.won.items()}


@given(end=ends(), rng=st.randoms(use_true_random=False))
def test_partners_share_everything(end, rng):
    """rules.md, "Seats and sides": it does not matter which of two partners won a card."""
    deck, _, piles, loot = end
    held = [piles.get(1, []) + piles.get(3, []), piles.get(2, []) + piles.get(4, [])]
    results = []
    for _ in range(2):
        split = {s: [] for s in (1, 2, 3, 4)}
        for side, cards in enumerate(held):
            for card in cards:
                split[rng.choice((side + 1, side + 3))].append(card)
        results.append(count(deck, 4, split, loot))
    assert results[0] == results[1]


@given(end=ends())
def test_votes_are_the_factions_won(end):
    """rules.md, "The end": no faction is won twice; somebody always wins the game."""
    deck, seats, piles, loot = end
    done = count(deck, seats, piles, loot)
    assert done.votes == {
        side: sum(winner == side for winner in done.won.values()) for side in done.votes
    }
    assert sum(done.votes.values()) <= len(deck)
    most = max(done.votes.values())
    assert done.winners
    assert all(done.votes[side] == most for side in done.winners)
    level = [side for side, votes in done.votes.items() if votes == most]
    assert (done.tiebreak is None) == (done.winners == level)


def test_what_the_deck_does_not_hold_is_zero():
    """Without Peasants, Bards and Raccoons nothing moved, and there is no run and no loot."""
    tally = Count()
    for deck, held in (("MPBRX", "P5 B1 B2 R1 M12"), ("GKUWX", "U5 G1")):
        tally.gather(table(deck, piles={1: held}), 1 << 1)
        counts = [tally.moved[0], tally.runs[0], tally.loot[0], tally.fewest[0]]
        assert [value > 0 for value in counts] == [deck == "MPBRX"] * 4
    assert counts == [0, 0, 0, 0]
    assert [tally.loot_for[0], tally.loot_for[1]] == [UNKNOWN, UNKNOWN]


def test_a_shared_win_after_one_that_was_compared():
    """The same Count: these sides are equal in everything, whatever decided the game before."""
    tally = Count()
    for piles, tiebreak in (({1: "U9", 2: "W8"}, "value"), ({1: "U9", 2: "W9"}, None)):
        tally.gather(table(TWO, piles=piles), 0)
        tally.decide()
        assert TIEBREAKS[tally.tiebreak] == tiebreak


def test_a_count_forgets_the_last_one():
    """The same Count counts game after game, with any number of players."""
    rng = random.Random(17)
    used = Count()
    for _ in range(200):
        seats = rng.choice([2, 3, 4])
        deck = rng.choice(naive.PAIRS) + "".join(rng.sample(naive.TENS, 3 if seats == 2 else 5))
        box = rng.sample([c for c in naive.box() if c[0] in deck], 30)
        piles = {s: " ".join(c for c in box[s::5] if c[0] != "N") for s in range(1, seats + 1)}
        end = table(deck, seats=seats, piles=piles)
        counts = []
        for tally in (used, Count()):
            tally.gather(end, 0b10101)
            tally.decide()
            by_side = (tally.votes, tally.share, tally.loot, tally.fewest, tally.loot_for)
            won_by = [tally.won_by[f] for f in range(len(LETTERS)) if end.deck >> f & 1]
            counts.append([[list(a[: tally.sides]) for a in by_side], won_by, tally.tiebreak])
        assert counts[0] == counts[1]


def test_a_table_forgets_the_last_game():
    used = table("NIKUW", piles={1: "U9 W8 I1", 2: "K2"}, displays={1: "N1", 2: "N3 N3"})
    used.set_up(2, 13, used.deck, 0, False, False, False)
    for name in ("count", "mask", "total", "display", "followers"):
        assert list(getattr(used, name)) == list(getattr(table("NIKUW"), name)), name
