"""The engine compared with a slow second implementation of the rules (naive.py)."""

import random
from collections import Counter

import naive
import pytest
from examples import few
from hypothesis import given
from hypothesis import strategies as st
from tabletop import Trick, count, display, factions, pile, score, table, trick

from claimlog.cards import FACTION_OF, LETTERS, card
from claimlog.rules.powers import may_play, seers

RULINGS = {
    "trolls": ["highest", "line"],
    "dragons": ["last-card", "last-dragon"],
    "automatons": ["won-by", "played"],
}


def cards_of(deck: str, rng: random.Random) -> list[str]:
    """A shuffled deck, with any ten of the Raccoons."""
    chosen = [c for c in naive.box() if c[0] in deck and c[0] != "R"]
    if "R" in deck:
        chosen += rng.sample([c for c in naive.box() if c[0] == "R"], 10)
    rng.shuffle(chosen)
    return chosen


def random_deck(seats: int, rng: random.Random) -> str:
    return rng.choice(naive.PAIRS) + "".join(rng.sample(naive.TENS, 3 if seats == 2 else 5))


def same_piles(game, slow) -> None:
    for seat in slow.piles:
        assert display(game, seat) == sorted(slow.displays[seat])
        expected = {}
        for letter in {c[0] for c in slow.piles[seat]}:
            values = [naive.value(c) for c in slow.piles[seat] if c[0] == letter]
            expected[letter] = (len(values), sum(values), sorted(set(values)))
        assert pile(game, seat) == expected


def same_trick(done: Trick, slow: naive.Game, *, face_down: bool) -> None:
    assert done.winner == slow.winner
    assert done.ranking == slow.ranked
    assert done.leader == slow.leader
    assert done.auto == slow.auto
    if not face_down:
        assert list(done.values.values()) == slow.values
    assert done.scored == {seat: sorted(c) for seat, c in slow.scored.items() if c}
    assert sorted(done.removed) == sorted(slow.removed)
    assert done.waiting == slow.lying


class Deal:
    """A random game, played on both tables at once."""

    def __init__(self, seats: int, deck: str, rulings: dict[str, str], rng: random.Random):
        self.rng = rng
        self.seats = seats
        self.deck = deck
        leader = rng.randint(1, seats)
        words = " ".join(f"{key}={value}" for key, value in rulings.items())
        self.game = table(deck, seats=seats, leader=leader, rulings=words)
        self.slow = naive.Game(seats, deck, leader, rulings)
        self.box = cards_of(deck, rng)
        size = self.slow.tricks
        self.hands = {
            seat: self.box[(seat - 1) * size : seat * size] for seat in range(1, seats + 1)
        }
        self.stock = self.box[seats * size :]

    def play(self) -> None:
        for number in range(2 * self.slow.tricks):
            if number == self.slow.tricks:
                assert self.stock == []
                self.hands = {seat: list(held) for seat, held in self.slow.followers.items()}
            self.play_trick()
        assert all(held == [] for held in self.hands.values())
        gone = self.slow.lying
        assert gone == []

    def play_trick(self) -> None:
        face_down = self.slow.auto
        phase_1 = self.slow.number <= self.slow.tricks
        plays: list[str] = []
        for seat in self.slow.clockwise(self.slow.leader):
            plays.append(self.choose(seat, "" if face_down else "".join(plays)[:1]))
        if not phase_1:
            self.slow.trick(plays)
            done = trick(self.game, " ".join(plays))
        else:
            upcards = [self.stock.pop(0) for _ in range(1 if self.seats == 2 else 2)]
            self.slow.trick(plays)
            best = "" if face_down else plays[self.slow_best(plays)]
            assert best == "" or seers(card(best)) == (best[0] == "S")
            looks = best[:1] == "S" and self.rng.random() < 0.5
            hidden = self.stock[: self.seats - len(upcards)]
            del self.stock[: self.seats - len(upcards)]
            seer = hidden[0] if looks else ""
            pick = self.rng.choice(upcards)
            taken = self.slow.take(upcards, pick, seer, hidden)
            assert self.game.draws(looks) == len(hidden) - looks
            done = trick(
                self.game,
                " ".join("_" if face_down else c for c in plays),
                up=" ".join(upcards),
                pick="" if self.seats == 2 else pick,
                seer=seer,
                draws=" ".join(hidden[looks:]),
            )
            assert done.taken == taken
        same_trick(done, self.slow, face_down=face_down)
        same_piles(self.game, self.slow)

    def slow_best(self, plays: list[str]) -> int:
        return naive.ranking(plays, [naive.value(c) for c in plays])[0]

    def choose(self, seat: int, led: str) -> str:
        hand = self.hands[seat]
        legal = hand
        if led:
            held = factions("".join({c[0] for c in hand}))
            legal = [c for c in hand if naive.may_play(hand, led, c)]
            for c in hand:
                fits = may_play(held, LETTERS.index(led), FACTION_OF[card(c)])
                assert bool(fits) == (c in legal)
        chosen = self.rng.choice(legal)
        hand.remove(chosen)
        return chosen

    def settle(self) -> None:
        """Count on both tables, and check that no card was lost or doubled."""
        smashed = Counter(self.box) - naive.all_cards(self.slow)
        assert all(c[0] == "N" for c in smashed)
        shown = [c for c in self.box if c[0] == "R" and self.rng.random() < 0.5]
        sides = {1: [1, 3], 2: [2, 4]} if self.seats == 4 else {s: [s] for s in self.hands}
        piles = {
            side: [c for s in seats for c in self.slow.piles[s] + self.slow.displays[s]]
            for side, seats in sides.items()
        }
        open_choice = naive.Result(piles, self.deck, self.seats, shown).fewest
        choice = {s: self.rng.choice(f) for s, f in open_choice.items() if len(f) > 1}
        result = naive.Result(piles, self.deck, self.seats, shown, choice)
        same_result(count(self.game, loot=" ".join(shown), choose=choice), result)


def same_result(fast, slow: naive.Result) -> None:
    assert fast.counts == slow.counts
    assert fast.won == slow.won
    assert fast.votes == slow.votes
    assert fast.winners == slow.winners
    assert fast.tiebreak == slow.tiebreak
    assert {s: sorted(f) for s, f in fast.fewest.items()} == {
        s: sorted(f) for s, f in slow.fewest.items()
    }
    assert {s: f or "" for s, f in fast.loot_for.items()} == slow.loot_for
    if "B" in slow.deck:
        assert fast.runs == {side: slow.run(side) for side in slow.sides}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whole_games(seats):
    """Phases 1 and 2, all powers and rulings: every trick, pile and count agrees."""
    rng = random.Random(f"games for {seats}")
    for _ in range(150):
        rulings = {key: rng.choice(values) for key, values in RULINGS.items()}
        deal = Deal(seats, random_deck(seats, rng), rulings, rng)
        deal.play()
        deal.settle()


@given(
    seats=st.sampled_from([2, 3, 4]),
    rulings=st.fixed_dictionaries({key: st.sampled_from(v) for key, v in RULINGS.items()}),
    rng=st.randoms(use_true_random=False),
)
@few
def test_whole_games_shrunk(seats, rulings, rng):
    """As above, but a failing game is shrunk before it is shown."""
    deal = Deal(seats, random_deck(seats, rng), rulings, rng)
    deal.play()
    deal.settle()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_counts_of_small_piles(seats):
    """The end, over piles so small that ties of every kind are frequent."""
    rng = random.Random(f"piles for {seats}")
    seen = Counter()
    sides = [1, 2, 3] if seats == 3 else [1, 2]
    for _ in range(1200):
        deck = random_deck(seats, rng)
        some = cards_of(deck, rng)[: rng.choice([0, 2, 4, 8, 16, 40])]
        piles = {
            side: [c for i, c in enumerate(some) if i % len(sides) == side - 1] for side in sides
        }
        shown = [c for c in naive.box() if c[0] == "R" and rng.random() < 0.5]
        open_choice = naive.Result(piles, deck, seats, shown).fewest
        choice = {s: rng.choice(f) for s, f in open_choice.items() if len(f) > 1}
        slow = naive.Result(piles, deck, seats, shown, choice)
        lying = {s: " ".join(c for c in held if c[0] == "N") for s, held in piles.items()}
        scored = {s: " ".join(c for c in held if c[0] != "N") for s, held in piles.items()}
        fast = score(scored, deck, seats=seats, displays=lying, loot=" ".join(shown), choose=choice)
        same_result(fast, slow)
        seen[fast.tiebreak, len(fast.winners) > 1] += 1
    # Every way a game can end is in the sample.
    ends = {(None, False), (None, True), ("value", False)}
    ends |= {("cards", False)} if seats > 2 else set()
    ends |= {("value", True)} if seats == 3 else set()
    assert ends <= set(seen), seen
