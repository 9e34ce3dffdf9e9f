"""What is allowed in a game in progress, and why something is not (rules.md).

Compiled (``legal.pxd``) or interpreted from this one source.
"""

from __future__ import annotations

from collections.abc import Callable

from claimlog.cards import CARDS, FACTION_COUNT, FACTION_OF, FACTIONS, NAMES, RACCOONS, UNKNOWN
from claimlog.rules.actions import LEAVE, TAKE, IllegalAction, Kind
from claimlog.rules.places import Places
from claimlog.rules.powers import may_play

__all__ = ["Legal"]

_TURN_UP, _PLAY, _DISCARD, _LOOK, _PICK, _DRAW, _LOOT, _OVER = map(int, Kind)
_ASKED = (
    "an upcard is to be turned up",
    "seat {} is to play a card",
    "seat {} is to discard a card face down",
    "seat {} is to take the top hidden card or to leave it",
    "seat {} is to pick an upcard",
    "seat {} is to draw a hidden card",
    "side {} is to choose what its loot counts for",
    "the game is over",
)


class Legal(Places):
    """A game in progress that says which actions are allowed, and why one is not."""

    # Legal actions ---------------------------------------------------------------------

    def choices(self) -> list[int]:
        """The legal actions, ascending; empty only when the game is over.

        Cards to turn up, play, discard, pick or draw, `LEAVE` and `TAKE` for a Seer, factions for
        loot.  For an unknown hand or pile, every card that may still be there; a card to discard or
        draw may then be `UNKNOWN` too.
        """
        kind = self.kind
        if kind == _PLAY or kind == _DISCARD:
            return self._from_hand(self.actor, kind == _PLAY)
        if kind == _TURN_UP or kind == _DRAW:
            top = self._pile[self._top]
            if top != UNKNOWN:
                return [top]
            cards = [card for card in range(CARDS) if self._may_be(card)]
            if kind == _DRAW:
                cards.append(UNKNOWN)
            return cards
        if kind == _PICK:
            return sorted(set(self.upcards))
        if kind == _LOOK:
            return [LEAVE, TAKE]
        if kind == _LOOT and self.count is not None:
            fewest = self.count.fewest[self.actor]
            return [faction for faction in range(FACTION_COUNT) if fewest >> faction & 1]
        return []

    def _from_hand(self, seat: int, openly: bool) -> list[int]:
        """The cards that `seat` may play to the trick or, if not `openly`, discard."""
        hand = self.hands[seat]
        table = self.table
        cards: list[int] = []
        before = -1
        if openly and table.played:
            led = FACTION_OF[table.cards[0]]
            held = self._held(seat)
            for card in hand:
                if card != before and may_play(held, led, FACTION_OF[card]):
                    cards.append(card)
                before = card
        else:
            led = -1
            held = 0
            for card in hand:
                if card != before:
                    cards.append(card)
                before = card
        if self.unknown[seat]:
            cards += [
                card
                for card in range(CARDS)
                if self._may_hold(seat, card)
                and card not in hand
                and (led < 0 or may_play(held, led, FACTION_OF[card]))
            ]
            cards.sort()
            if not openly:
                cards.append(UNKNOWN)
        return cards

    def _held(self, seat: int) -> int:
        """The set of factions that `seat` is known to hold."""
        held = 0
        for card in self.hands[seat]:
            held |= 1 << FACTION_OF[card]
        return held

    def _may_hold(self, seat: int, card: int) -> bool:
        """Whether an unknown card in `seat`'s hand may be `card`."""
        if not self._may_be(card) or self.voids[seat] >> FACTION_OF[card] & 1:
            return False
        return not (
            self.raccoons_in_pile
            and FACTION_OF[card] == RACCOONS
            and self.table.trick <= self.phase_tricks
        )

    # Checks ------------------------------------------------------------------------------

    def _due(self, kind: int) -> None:
        if self.kind != kind:
            raise IllegalAction(_ASKED[self.kind].format(self.actor + 1))

    def _verify_held(self, seat: int, card: int) -> None:
        if card in self.hands[seat]:
            return
        if not self.unknown[seat]:
            if not 0 <= card < CARDS:
                raise IllegalAction("there is no such card")
            raise IllegalAction(f"seat {seat + 1} does not hold {NAMES[card]}")
        if card == UNKNOWN:
            raise IllegalAction("a card that is played must be named")
        if not 0 <= card < CARDS or not self._may_be(card):
            raise IllegalAction(self._nowhere(card))
        if self._may_hold(seat, card):
            return
        faction = FACTION_OF[card]
        if not self.voids[seat] >> faction & 1:
            raise IllegalAction(f"{NAMES[card]} belongs in the pile, not in a hand")
        number = self._void_since(seat, faction)
        raise IllegalAction(
            f"seat {seat + 1} did not follow {FACTIONS[faction].name} in trick {number}, "
            f"so it cannot hold {NAMES[card]}",
            number,
        )

    def _void_since(self, seat: int, faction: int) -> int:
        """The trick of this phase in which `seat` did not follow `faction`."""
        first = 1 if self.phase == 1 else self.phase_tricks + 1
        for trick in self.history[first - 1 :]:
            played = trick.plays[(seat + self.seats - trick.leader) % self.seats]
            if (
                not trick.auto
                and seat not in trick.irregular
                and FACTION_OF[trick.plays[0]] == faction
                and not may_play(1 << faction, faction, FACTION_OF[played])
            ):
                return trick.number
        return self.table.trick

    def _verify_hidden(self, card: int, others: int) -> None:
        """Check a card from the pile: the top one, or in any order one of the next `others`."""
        ahead = self._pile[self._top : self._top + 1 + others]
        if card in ahead or (UNKNOWN in ahead and 0 <= card < CARDS and self._may_be(card)):
            return
        if UNKNOWN in ahead:
            raise IllegalAction(self._nowhere(card))
        raise IllegalAction(f"the pile's next card is {NAMES[ahead[0]]}")

    def verify_turn_up(self, card: int | None = None) -> None:
        """Check that `card` may be turned up; None stands for the pile's top card, if known.

        Two upcards are turned up together: either may be named first.  Raises IllegalAction.
        """
        self._due(_TURN_UP)
        if card is None:
            card = self._pile[self._top]
        if card == UNKNOWN:
            raise IllegalAction("an upcard that is turned up must be named")
        self._verify_hidden(card, self.setup.upcards - len(self.upcards) - 1)

    def verify_play(self, card: int, *, irregular: bool = False) -> None:
        """Check that `card` may be played; if `irregular`, only that the seat may hold it.

        Raises IllegalAction.
        """
        self._due(_PLAY)
        seat = self.actor
        self._verify_held(seat, card)
        table = self.table
        if irregular or not table.played:
            return
        led = FACTION_OF[table.cards[0]]
        if not may_play(self._held(seat), led, FACTION_OF[card]):
            held = [NAMES[c] for c in self.hands[seat] if FACTION_OF[c] == led]
            raise IllegalAction(
                f"seat {seat + 1} must follow {FACTIONS[led].name}: it holds {', '.join(held)}"
            )

    def verify_discard(self, card: int = UNKNOWN) -> None:
        """Check that `card` may be discarded face down; raises IllegalAction."""
        self._due(_DISCARD)
        if card != UNKNOWN:
            self._verify_held(self.actor, card)
        elif not self.unknown[self.actor]:
            raise IllegalAction(f"the hand of seat {self.actor + 1} is known: name the card")

    def verify_look(self, take: bool, card: int | None = None) -> None:
        """Check that the Seer's player may `take` the hidden card; raises IllegalAction."""
        self._due(_LOOK)
        if take:
            self._verify_draw(card)
        elif card is not None:
            raise IllegalAction("a hidden card that is left stays hidden")

    def verify_pick(self, card: int) -> None:
        """Check that the upcard `card` may be picked; raises IllegalAction."""
        self._due(_PICK)
        if card not in self.upcards:
            names = " or ".join(NAMES[c] for c in self.upcards)
            raise IllegalAction(f"seat {self.actor + 1} picks one of the upcards, {names}")

    def verify_draw(self, card: int | None = None) -> None:
        """Check that `card` may be drawn; None or `UNKNOWN` stand for the pile's top card.

        Raises IllegalAction.
        """
        self._due(_DRAW)
        self._verify_draw(card)

    def _verify_draw(self, card: int | None) -> None:
        if card is not None and card != UNKNOWN:
            self._verify_hidden(card, 0)

    def verify_loot(self, faction: int) -> None:
        """Check that the side's loot may count for `faction`; raises IllegalAction."""
        self._due(_LOOT)
        fewest = self.choices()
        if faction not in fewest:
            names = " or ".join(FACTIONS[f].name for f in fewest)
            raise IllegalAction(f"side {self.actor + 1} has fewest of {names}")

    def verify(self, action: int) -> None:
        """Check that `action` is among `choices`; raises IllegalAction."""
        kind = self.kind
        if kind == _LOOK:
            if action not in (LEAVE, TAKE):
                raise IllegalAction("the Seer's player takes the hidden card or leaves it")
        elif kind == _TURN_UP:
            self.verify_turn_up(action)
        elif kind == _PLAY:
            self.verify_play(action)
        elif kind == _DISCARD:
            self.verify_discard(action)
        elif kind == _PICK:
            self.verify_pick(action)
        elif kind == _DRAW:
            self.verify_draw(action)
        elif kind == _LOOT:
            self.verify_loot(action)
        else:
            raise IllegalAction(_ASKED[_OVER])

    def can_turn_up(self, card: int | None = None) -> bool:
        """Whether `turn_up` would succeed."""
        return self._can(self.verify_turn_up, card)

    def can_play(self, card: int, *, irregular: bool = False) -> bool:
        """Whether `play` would succeed."""
        try:
            self.verify_play(card, irregular=irregular)
        except IllegalAction:
            return False
        return True

    def can_discard(self, card: int = UNKNOWN) -> bool:
        """Whether `discard` would succeed."""
        return self._can(self.verify_discard, card)

    def can_look(self, take: bool, card: int | None = None) -> bool:
        """Whether `look` would succeed."""
        return self._can(self.verify_look, take, card)

    def can_pick(self, card: int) -> bool:
        """Whether `pick` would succeed."""
        return self._can(self.verify_pick, card)

    def can_draw(self, card: int | None = None) -> bool:
        """Whether `draw` would succeed."""
        return self._can(self.verify_draw, card)

    def can_loot(self, faction: int) -> bool:
        """Whether `choose_loot` would succeed."""
        return self._can(self.verify_loot, faction)

    def _can(self, verify: Callable[..., None], *args: object) -> bool:
        try:
            verify(*args)
        except IllegalAction:
            return False
        return True
