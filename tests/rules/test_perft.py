"""The number of all continuations, by the machine and by the rules written a second time."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from test_machine import finished, seeds, setups

from claimlog.cards import DOPPELGANGERS, DRAGONS, FACTION_OF, GOBLINS, GRIFFINS, KNIGHTS, VALUE_OF
from claimlog.rules.dealing import deal
from claimlog.rules.machine import Machine, perft
from claimlog.rules.setup import Setup


def brute_force(setup, hands, griffins, leader, plays, depth):
    """Count the continuations in Phase 2, from rules.md alone."""
    if depth == 0:
        return 1
    seats = len(hands)
    if len(plays) == seats:
        led = FACTION_OF[plays[0]]

        def rank(place):
            played = plays[place]
            seat = (leader + place) % seats
            worth = VALUE_OF[played] + 5 * (VALUE_OF[played] in griffins[seat])
            faction = FACTION_OF[played]
            if faction == KNIGHTS and led == GOBLINS:
                return (2, worth, -place)
            return (int(faction in (led, DOPPELGANGERS)), worth, -place)

        winner = (leader + max(range(seats), key=rank)) % seats
        won = {VALUE_OF[played] for played in plays if FACTION_OF[played] == GRIFFINS}
        griffins = [held | won if s == winner else held for s, held in enumerate(griffins)]
        dragons = [i for i, played in enumerate(plays) if FACTION_OF[played] == DRAGONS]
        any_place = seats > 2 and setup.rulings["dragons"] == "last-dragon"
        if dragons and (any_place or dragons[-1] == seats - 1):
            winner = (leader + dragons[-1]) % seats
        return brute_force(setup, hands, griffins, winner, [], depth)
    seat = (leader + len(plays)) % seats
    hand = hands[seat]
    total = 0
    for played in set(hand):
        if plays:
            led = FACTION_OF[plays[0]]
            follows = FACTION_OF[played] in (led, DOPPELGANGERS)
            if not follows and any(FACTION_OF[held] == led for held in hand):
                continue
        rest = list(hand)
        rest.remove(played)
        after = [rest if s == seat else other for s, other in enumerate(hands)]
        total += brute_force(setup, after, griffins, leader, [*plays, played], depth - 1)
    return total


@given(setups(), seeds, st.integers(1, 4))
def test_perft_of_endgames(setup, seed, tricks):
    tricks = min(tricks, 6 // setup.seats + 1)
    rng = Random(seed)
    state = Machine(setup, *deal(setup, rng))
    while state.trick <= 2 * setup.tricks - tricks:
        choices = state.choices()
        state.apply_unchecked(choices[int(rng.random() * len(choices))])
    griffins = [
        {value for value in range(10) if state.values_of(seat, GRIFFINS) >> value & 1}
        for seat in range(setup.seats)
    ]
    before = state.places()
    depth = tricks * setup.seats
    expected = brute_force(setup, state.hands, griffins, state.leader, [], depth)
    assert perft(state, depth) == expected
    assert perft(state, 0) == 1
    assert perft(state, 1) == len(set(state.hands[state.leader]))
    assert state.places() == before


def test_perft_counts_what_comes_after_the_last_trick():
    state, _, _ = finished(Setup("GKUWX"), 1)
    assert perft(state, 5) == 1
    assert state.choices() == []
