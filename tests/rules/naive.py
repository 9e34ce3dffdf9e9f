"""The rules a second time, slowly: written from the text of the rules, not from the engine.

A card is its notation, a hand or pile a list of cards.  Seats and sides count from 1. Nothing of
claimlog is imported here, so that no mistake can be shared with it.
"""

from collections import Counter
from functools import cmp_to_key
from itertools import combinations, pairwise

PAIRS = ["GK", "NI", "MP"]
TENS = "ABDFRSTUVWX"
CLASSIC_PAIRS = ["GK", "NI"]
CLASSIC_TENS = "UXWDTS"


def box() -> list[str]:
    """All 180 cards."""
    cards = ["G0"] * 5 + [f"G{v}" for v in range(1, 10)] + [f"K{v}" for v in range(2, 10)]
    for v in (1, 3, 5, 7):
        cards += [f"N{v}"] * 3 + [f"I{v}"] * 2
    cards += ["N9", "I9"]
    cards += [f"M{v}" for v in range(4, 13)] + [f"P{v}" for v in range(13)]
    for letter in TENS:
        cards += [f"{letter}{v}" for v in range(14 if letter == "R" else 10)]
    return cards


def legal_decks(seats: int, *, classic: bool = False) -> set[frozenset[str]]:
    """Exactly one pair plus three tens, or five with more than two players."""
    return {
        frozenset(pair) | frozenset(tens)
        for pair in (CLASSIC_PAIRS if classic else PAIRS)
        for tens in combinations(CLASSIC_TENS if classic else TENS, 3 if seats == 2 else 5)
    }


def value(card: str) -> int:
    return int(card[1:])


def may_play(hand: list[str], led: str, card: str) -> bool:
    """A player with a card of the led faction must play one, or a Doppelganger."""
    if card[0] == "X":
        return True
    holds = [held for held in hand if held[0] == led]
    return not holds or card in holds


def outranks(
    plays: list[str], values: list[int], mine: int, yours: int, *, earlier: bool = True
) -> bool:
    """Whether the play `mine` ranks above the play `yours` (numbered in playing order)."""
    led = plays[0][0]

    def of_led(card: str) -> bool:
        return card[0] == led or card[0] == "X"

    def beats_goblins(card: str) -> bool:
        return led == "G" and card[0] == "K"

    a, b = plays[mine], plays[yours]
    if beats_goblins(a) != beats_goblins(b):
        return beats_goblins(a)
    if of_led(a) != of_led(b):
        return of_led(a)
    if values[mine] != values[yours]:
        return values[mine] > values[yours]
    return earlier and mine < yours


def ranking(plays: list[str], values: list[int]) -> list[int]:
    """The plays, best first."""

    def compare(mine: int, yours: int) -> int:
        return -1 if outranks(plays, values, mine, yours) else 1

    return sorted(range(len(plays)), key=cmp_to_key(compare))


class Game:
    """A whole game, trick after trick."""

    def __init__(
        self, seats: int, deck: str, leader: int, rulings: dict[str, str] | None = None
    ) -> None:
        self.seats = seats
        self.deck = deck
        self.tricks = {2: 13, 3: 12, 4: 9}[seats]
        self.leader = leader
        self.rulings = rulings or {}
        self.number = 1
        self.auto = False
        self.piles: dict[int, list[str]] = {s: [] for s in self.clockwise(1)}
        self.displays: dict[int, list[str]] = {s: [] for s in self.clockwise(1)}
        self.followers: dict[int, list[str]] = {s: [] for s in self.clockwise(1)}
        self.discarded: list[str] = []
        self.lying: list[str] = []

    def clockwise(self, first: int) -> list[int]:
        return [(first - 1 + i) % self.seats + 1 for i in range(self.seats)]

    def ruling(self, key: str) -> str:
        usual = {"trolls": "highest", "dragons": "last-card", "automatons": "won-by"}
        return self.rulings.get(key, usual[key])

    def opponents(self, seat: int) -> list[int]:
        partner = {1: 3, 2: 4, 3: 1, 4: 2}[seat] if self.seats == 4 else None
        return [s for s in self.clockwise(1) if s not in (seat, partner)]

    def trick(self, plays: list[str]) -> None:
        """Play a trick; in an automatic one, discard its cards."""
        order = self.clockwise(self.leader)
        self.removed: list[tuple[int, str]] = []
        self.scored: dict[int, list[str]] = {s: [] for s in order}
        phase_2 = self.number > self.tricks
        if self.auto:
            self.ranked = order
            self.winner = self.leader
            self.auto = False
            self.discarded += plays
            self.number += 1
            return
        self.values = [
            value(card)
            + 5 * (phase_2 and any(held == f"F{value(card)}" for held in self.piles[seat]))
            for seat, card in zip(order, plays, strict=True)
        ]
        ranked = ranking(plays, self.values)
        self.ranked = [order[i] for i in ranked]
        self.winner = self.ranked[0]
        self.auto = self.number < self.tricks and "A" in (
            [plays[ranked[0]][0]]
            if self.ruling("automatons") == "won-by"
            else [card[0] for card in plays]
        )
        self.leader = self.winner
        if not self.auto:
            dragons = [seat for seat, card in zip(order, plays, strict=True) if card[0] == "D"]
            if plays[-1][0] == "D" or (
                dragons and self.seats > 2 and self.ruling("dragons") == "last-dragon"
            ):
                self.leader = dragons[-1]
        if phase_2:
            self._phase_2(order, plays)
        else:
            for card in plays:
                if card[0] == "U":
                    self._score(self.winner, card)
                else:
                    self.discarded.append(card)
        self.number += 1

    def _score(self, seat: int, card: str) -> None:
        self.scored[seat].append(card)
        (self.displays if card[0] == "N" else self.piles)[seat].append(card)

    def _phase_2(self, order: list[int], plays: list[str]) -> None:
        winner = self.winner
        loser = self.ranked[-1]
        if self.seats > 2:
            lowest = min(self.values)
            loser = [s for s, v in zip(order, self.values, strict=True) if v == lowest][-1]
        trolls = []
        for card in plays:
            if card[0] == "T":
                trolls.append(card)
            else:
                self._score(loser if card[0] == "W" else winner, card)
        trolls.sort(key=value, reverse=True)
        if self.ruling("trolls") == "line":
            if trolls:
                self._score(winner, trolls[0])
                self.lying += trolls[1:]
            elif self.lying:
                self._score(winner, self.lying.pop(0))
        else:
            self.lying = sorted(self.lying + trolls, key=value, reverse=True)
            if self.lying:
                self._score(winner, self.lying.pop(0))
        if self.number == 2 * self.tricks:
            for card in self.lying:
                self._score(winner, card)
            self.lying = []
        for card in plays:
            if card[0] == "I":
                for seat in self.opponents(winner):
                    if f"N{value(card)}" in self.displays[seat]:
                        self.displays[seat].remove(f"N{value(card)}")
                        self.removed.append((seat, f"N{value(card)}"))

    def take(self, upcards: list[str], pick: str, seer: str, pile: list[str]) -> dict[int, str]:
        """Hand out a Phase 1 trick's cards; `seer` is the hidden card taken, or ""."""
        upcards = list(upcards)
        pile = list(pile)
        taken = {}
        waiting = list(self.ranked)
        if seer:
            pile.remove(seer)
            taken[waiting.pop(0)] = seer
        for seat in waiting:
            if pick in upcards:
                taken[seat] = pick
                upcards.remove(pick)
                pick = ""
            elif upcards:
                taken[seat] = upcards.pop()
            else:
                taken[seat] = pile.pop(0)
        for seat, card in taken.items():
            self.followers[seat].append(card)
        return taken


class Result:
    """The end of a game: piles by side, which already contain the open Gnomes."""

    def __init__(
        self,
        piles: dict[int, list[str]],
        deck: str,
        players: int,
        loot: list[str] | None = None,
        choice: dict[int, str] | None = None,
    ) -> None:
        self.sides = sorted(piles)
        self.deck = deck
        self.players = players
        self.piles = {side: list(piles[side]) for side in self.sides}
        self.loot = loot or []
        self._move_peasants()
        self.fewest = {side: self._fewest(side) for side in self.sides}
        self.loot_for = {
            side: self.fewest[side][0]
            if len(self.fewest[side]) == 1
            else (choice or {}).get(side, "")
            for side in self.sides
        }
        self.counts = {f: {side: self._count(side, f) for side in self.sides} for f in deck}
        self.won = {f: self._winner(f) for f in deck}
        self.votes = {s: sum(w == s for w in self.won.values()) for s in self.sides}
        self._find_winners()

    def cards(self, side: int, faction: str) -> list[str]:
        return [card for card in self.piles[side] if card[0] == faction]

    def loot_of(self, side: int) -> list[str]:
        return [card for card in self.piles[side] if card in self.loot]

    def _move_peasants(self) -> None:
        after = {side: [] for side in self.sides}
        for side in self.sides:
            following = self.sides[(self.sides.index(side) + 1) % len(self.sides)]
            kings = [value(card) for card in self.cards(side, "M")]
            for card in self.piles[side]:
                p = value(card)
                leaves = card[0] == "P" and not any(p <= king <= p + 3 for king in kings)
                after[following if leaves else side].append(card)
        self.piles = after

    def _fewest(self, side: int) -> str:
        if not self.loot_of(side):
            return ""
        numbers = {f: len(self.cards(side, f)) for f in self.deck}
        return "".join(f for f in self.deck if numbers[f] == min(numbers.values()))

    def _count(self, side: int, faction: str) -> int:
        number = len(self.cards(side, faction))
        if faction == "V":
            others = {value(card) for card in self.piles[side] if card[0] != "V"}
            number += sum(value(card) in others for card in self.cards(side, "V"))
        if faction == self.loot_for[side]:
            number += len(self.loot_of(side))
        return number

    def run(self, side: int) -> int:
        values = sorted(value(card) for card in self.cards(side, "B"))
        best = length = 1 if values else 0
        for a, b in pairwise(values):
            length = length + 1 if b == a + 1 else 1
            best = max(best, length)
        return best

    def _winner(self, faction: str) -> int | None:
        rivals = self.sides
        if not any(self.counts[faction].values()):
            return None
        if faction == "B":
            longest = max(self.run(side) for side in rivals)
            rivals = [side for side in rivals if self.run(side) == longest]
        most = max(self.counts[faction][side] for side in rivals)
        rivals = [side for side in rivals if self.counts[faction][side] == most]
        if len(rivals) > 1:
            highest = {
                side: max((value(card) for card in self.cards(side, faction)), default=-1)
                for side in rivals
            }
            rivals = [side for side in rivals if highest[side] == max(highest.values())]
        return rivals[0] if len(rivals) == 1 else None

    def _find_winners(self) -> None:
        won_cards = {
            side: [c for f in self.deck if self.won[f] == side for c in self.cards(side, f)]
            for side in self.sides
        }
        most = max(self.votes.values())
        level = [side for side in self.sides if self.votes[side] == most]
        self.tiebreak = None
        if self.players > 2:
            number = max(len(won_cards[side]) for side in level)
            left = [side for side in level if len(won_cards[side]) == number]
            if left != level:
                self.tiebreak = "cards"
            level = left
        total = {side: sum(value(card) for card in won_cards[side]) for side in level}
        left = [side for side in level if total[side] == max(total.values())]
        if left != level:
            self.tiebreak = "value"
        self.winners = left


def all_cards(game: Game) -> Counter[str]:
    """Everything that has been played, wherever it is now."""
    cards = Counter(game.discarded) + Counter(game.lying)
    for seat in game.piles:
        cards += Counter(game.piles[seat]) + Counter(game.displays[seat])
    return cards
