"""The order in which a search tries cards (docs/analysis.md).

First comes the card that last answered a position with the same hands, whatever has been won;
then what promises most.

Compiled (see ``order.pxd``) or interpreted from this one source.
"""

from claimlog.cards import VALUE_OF
from claimlog.solve.certain import Certain
from claimlog.solve.numbers import (
    LANE,
    NO_CARD,
    NOBODY,
    PLACES,
    REPLIES,
    ROOM,
    SPREAD,
    STEP,
    TRICKS,
    WHOLE,
    WORDS,
)
from claimlog.solve.slots import popcount

CHECK = (1 << 32) - 1 - NO_CARD
"""The bits of a pattern that are kept beside a card."""
REMEMBERED = 51
"""The highest 13 bits of a pattern are its place."""

# How promising a card is.  Many weights were tried on starts of Phase 2 of simulated games: with
# these the fewest positions are searched (docs/analysis.md).
STAKE = 4
"""For winning a card of a faction that is still open."""
NEXT_LEAD = 3 * STAKE
"""For leading the next trick too, as the leader of this one."""
TAKING = 9 * STAKE
"""The same for the other hand: more than all cards."""
LENGTH = 20
"""For each own card of the faction of a lead."""
REPLY = -85
"""For each reply to a lead: fewer are searched faster."""
BEATING = -22
"""For each of them that takes the trick."""
RANK = -5
"""For each rank of a card that does not take the trick."""
DECIDED = -27
"""For a reply of a faction that is decided: it can be discarded later."""


class Order(Certain):
    """A position whose cards can be put in order."""

    def __init__(self) -> None:
        super().__init__()
        # By depth of the search: the cards of factions that are still open, and what the hands look
        # like (`Outlook._key`).
        self.undecided = [0] * 16
        self.patterns = [0] * 16
        self.weighed = 0
        self.weights = [0] * 26
        # For each trick the promise of the reply, if both cards are of open factions (0), not that
        # of the reply (1), not that of the lead (2), neither; for each lead what takes all.
        self.answering = [0] * 2704
        self.takes = [0] * 26
        # The leads to try, by depth, and from `REPLIES` on the replies, by depth.
        self.tried = [0] * 832
        # For patterns the card that was best last.
        self.hints = [0] * 8192

    def _remember(self, pattern: int, slot: int) -> None:
        """Remember the card that answered a position with this pattern."""
        self.hints[pattern >> REMEMBERED] = pattern & CHECK | slot

    def _remembered(self, pattern: int) -> int:
        """The card that last answered a position with this pattern, or `NO_CARD`."""
        hint = self.hints[pattern >> REMEMBERED]
        return NO_CARD if (hint ^ pattern) & CHECK else hint & NO_CARD

    def _replying(self, lead: int, depth: int) -> int:
        """The pattern once a card has been led."""
        pattern = (self.patterns[depth] + 1 + lead) * STEP & WORDS
        return pattern ^ pattern >> 29

    def _look_up_promises(self) -> None:
        """Look up how promising each reply is."""
        for lead in range(self.slots):
            self.takes[lead] = 0
            for slot in range(self.slots):
                seat = self.first_hands[1] >> slot & 1
                if self.first_hands[seat] >> lead & 1 == 0:
                    self._promise(seat, lead, slot)

    def _promise(self, seat: int, lead: int, slot: int) -> None:
        """First comes what takes the trick, then what wins most or gives away least."""
        k = lead * ROOM + slot
        if self.outcomes[k] == (7 if seat else 0):
            self.takes[lead] |= 1 << slot
        self.weighed = 0
        for i in range(4):
            # Whether the cards are of open factions.
            self.undecided[0] = (0 if i & 1 else 1 << slot) | (0 if i & 2 else 1 << lead)
            weight = 8 * self._swing(seat, lead, slot, TAKING)
            if self.outcomes[k] >> 2 & 1 != seat:
                weight += RANK * VALUE_OF[self.card_of[slot]]
            if i & 1:
                weight += DECIDED
            self.answering[k + i * TRICKS] = weight

    def _playable(self, seat: int, hand: int, slot: int) -> bool:
        """Whether a remembered card is one of these, and the first of those equivalent to it."""
        if slot == NO_CARD or not hand >> slot & 1:
            return False
        one = 1 << slot
        before = hand & one - 1
        if not before:
            return True
        before |= before >> 1
        before |= before >> 2
        before |= before >> 4
        before |= before >> 8
        before |= before >> 16
        before ^= before >> 1
        others = self.hands[1 - seat]
        if self.lead >= 0:
            others |= 1 << self.lead
        return not self._same(seat, before, one, others, self._unlike())

    def _order_replies(self, seat: int, hand: int, lead: int, depth: int, first: int) -> int:
        """Put the replies to try into `tried`, one of equivalent cards; returns their number."""
        number = 0
        before = 0
        others = self.hands[1 - seat] | 1 << lead
        unlike = self._unlike()
        at = REPLIES + depth * ROOM
        self.weighed = depth
        undecided = self.undecided[depth]
        row = lead * ROOM + (0 if undecided >> lead & 1 else 2 * TRICKS)
        rest = hand
        while rest:
            low = rest & -rest
            rest ^= low
            same = before and self._same(seat, before, low, others, unlike)
            before = low
            if same:
                continue
            slot = PLACES[low * SPREAD >> 27 & 31]
            weight = self.answering[row + slot + (0 if undecided & low else TRICKS)]
            if slot == first:
                weight = 1 << 30
            self._insert(at, number, slot, weight)
            number += 1
        return number

    def _order(self, seat: int, hand: int, first: int, row: int) -> int:
        """Put the slots to try into `tried`, one of equivalent cards; returns their number."""
        number = 0
        before = 0
        others = self.hands[1 - seat]
        unlike = self._unlike()
        all_others = popcount(others)
        faction = NOBODY
        replies = 0
        base = 0
        rest = hand
        while rest:
            low = rest & -rest
            rest ^= low
            same = before and self._same(seat, before, low, others, unlike)
            before = low
            if same:
                continue
            slot = PLACES[low * SPREAD >> 27 & 31]
            if faction != self.faction_of[slot]:
                faction = self.faction_of[slot]
                at = self.number_at[faction]
                replies = others & self.allowed[faction]
                held = self.numbers[1 - seat] >> at & 31
                if not held:
                    replies = others
                    held = all_others
                elif self.wild:
                    held = popcount(replies)
                base = LENGTH * (self.numbers[seat] >> at & 31) + REPLY * held
            weight = 1 << 30 if slot == first else base + self._gained(seat, slot, replies)
            self._insert(row, number, slot, weight)
            number += 1
        return number

    def _insert(self, at: int, number: int, slot: int, weight: int) -> None:
        """Insert a slot among the `number` in `tried` from `at` on, by weight."""
        k = number
        while k > 0 and self.weights[k - 1] < weight:
            self.weights[k] = self.weights[k - 1]
            self.tried[at + k] = self.tried[at + k - 1]
            k -= 1
        self.weights[k] = weight
        self.tried[at + k] = slot

    def _unlike(self) -> int:
        """The cards that are distinguished from all others, adjacent or not."""
        return WHOLE if self.exactly else self.apart | self.raised | self.singly

    def _same(self, seat: int, before: int, low: int, others: int, unlike: int) -> bool:
        """A faster `_equivalent` for two sets of one card: by their order unless there are copies.

        `others` are the cards that may lie between, `unlike` is the result of `_unlike`.
        """
        copied = self.copied & (before | low)
        if copied != before | low:
            between = low - before << 1
            if between & (others | unlike | self.starts | self.tall) or before & unlike:
                return False
            if not copied and not self.wild:
                return True
        return self._equivalent(
            seat, PLACES[before * SPREAD >> 27 & 31], PLACES[low * SPREAD >> 27 & 31]
        )

    def _gained(self, seat: int, slot: int, replies: int) -> int:
        """The promise of a lead by what it gains after the best of these replies."""
        beating = replies & self.beaten_by[slot]
        undecided = self.undecided[self.weighed]
        if beating:
            weight = BEATING * popcount(beating)
            worst = -NEXT_LEAD - (STAKE if undecided >> slot & 1 else 0)
            if beating & undecided:
                worst -= STAKE
                if beating & undecided & self.takes[slot]:
                    return weight + 4 * worst
            elif beating & self.takes[slot]:
                return weight + 4 * worst
            best = -worst
            while beating and best > worst:
                low = beating & -beating
                beating ^= low
                best = min(
                    best, self._swing(seat, slot, PLACES[low * SPREAD >> 27 & 31], NEXT_LEAD)
                )
            return weight + 4 * best
        # It takes the trick, and without its faction the other hand discards what is decided.
        best = STAKE if undecided >> slot & 1 else 0
        if replies & self.of_faction[self.faction_of[slot]]:
            return 8 * best
        return 4 * best if replies & ~undecided else 4 * (best + STAKE)

    def _swing(self, seat: int, lead: int, slot: int, worth: int) -> int:
        """The value of a trick of two cards for a seat, if leading the next one is worth this."""
        undecided = self.undecided[self.weighed]
        outcome = self.outcomes[lead * ROOM + slot]
        if seat:
            outcome ^= 7
        if outcome & 4:
            worth = -worth
        if undecided >> lead & 1:
            worth += -STAKE if outcome & 2 else STAKE
        if undecided >> slot & 1:
            worth += -STAKE if outcome & 1 else STAKE
        return worth

    def _weigh(self, depth: int, closing: int) -> None:
        """Find the cards of factions that are still open: not in these lanes, by guard bits."""
        self.weighed = depth
        undecided = WHOLE
        for i in range(self.lanes):
            if closing >> LANE * i + LANE - 1 & 1:
                undecided &= ~self.of_faction[self.of_lane[i]]
        self.undecided[depth] = undecided
