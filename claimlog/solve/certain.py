"""What the sides are certain to win in the next tricks of a position, whatever is played.

Compiled (see ``certain.pxd``) or interpreted from this one source.
"""

from claimlog.solve.ending import Ending
from claimlog.solve.numbers import PLACES, SPREAD
from claimlog.solve.slots import popcount


class Certain(Ending):
    """A position at the beginning of a trick."""

    def __init__(self) -> None:
        super().__init__()
        self.runs = [0] * 5

    def _cashed(self) -> int:
        """The leader's immediate gain, in lanes, from cards that the other hand cannot beat."""
        leader = self.table.leader
        hand = self.hands[leader]
        other = self.hands[1 - leader]
        sure = 0
        tricks = 0
        for i in range(self.decks):
            faction = self.factions[i]
            rest = hand & self.of_faction[faction]
            self.runs[i] = 0
            if not rest:
                continue
            gain = 0
            winners = 0
            beaten = 0
            while rest:
                low = rest & -rest
                rest ^= low
                slot = PLACES[low * SPREAD >> 27 & 31]
                if not other & self.beaten_by[slot]:
                    winners += 1
                    gain += self.worth[self.card_of[slot]]
                else:
                    beaten |= low
            own = other & self.of_faction[faction]
            if winners and beaten and winners >= self._followers(1 - leader, faction):
                # By then the other hand has played all its cards of this faction.
                while beaten:
                    low = beaten & -beaten
                    beaten ^= low
                    slot = PLACES[low * SPREAD >> 27 & 31]
                    if not other & self.beaten_by[slot] & ~own:
                        winners += 1
                        gain += self.worth[self.card_of[slot]]
            self.runs[i] = winners
            tricks += winners
            if self.counts[faction]:
                sure |= gain << self.lane[faction]
        if not tricks:
            return 0
        number = popcount(other)
        for i in range(self.decks):
            faction = self.factions[i]
            if self.falls[faction]:
                # A hand with the faction must follow, unless another card may be played instead;
                # and a hand that runs out of its other cards plays these.
                own = self.numbers[1 - leader] >> self.number_at[faction] & 31
                if not own:
                    continue
                more = self.runs[i] - self._followers(1 - leader, faction) + own
                more = max(min(own, more), tricks - number + own)
                if more > 0:
                    gain = 2 * more
                    sure += gain << self.lane[faction]
        return sure

    def _followers(self, seat: int, faction: int) -> int:
        """The number of cards that a hand with cards of a faction may play when it is led."""
        if self.wild:
            return popcount(self.hands[seat] & self.allowed[faction])
        return self.numbers[seat] >> self.number_at[faction] & 31

    def _stopped(self) -> int:
        """The least gain of the other side, in lanes, from cards to which the leader must lose.

        These win whenever they are led or follow to their faction, and enough of the leader's cards
        lose to one of them that none has to be discarded earlier.
        """
        leader = self.table.leader
        hand = self.hands[leader]
        other = self.hands[1 - leader]
        sure = 0
        number = 0
        lets_in = 0
        rest = other
        while rest:
            low = rest & -rest
            rest ^= low
            slot = PLACES[low * SPREAD >> 27 & 31]
            if not hand & self.beaten_by[slot]:
                faction = self.faction_of[slot]
                taken = hand & self.beats[slot]
                follow = hand & self.of_faction[faction]
                if not follow & ~taken and popcount(lets_in | taken) > number:
                    lets_in |= taken
                    number += 1
                    if self.counts[faction]:
                        gain = self.worth[self.card_of[slot]]
                        sure += gain << self.lane[faction]
        return sure
