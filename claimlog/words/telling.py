"""Sentences about a game: what `claimlog.replay.position` found, told in a language."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimlog.replay.position import Course, Ending, Fact, FactionResult, Placed, Taken
    from claimlog.words import Words

HIDDEN = "_"
"""Stands for a card that is face down or unknown, as in the notation."""


class Teller:
    """Tells about one game in one language; its names are those of the game's players."""

    def __init__(self, course: Course, words: Words) -> None:
        self.course = course
        self.words = words
        self.names = [
            plain(course.name(seat)) or words("seat", number=seat + 1)
            for seat in range(course.seats)
        ]

    def side(self, side: int) -> str:
        """A side: the name of its player, or for a team its number and names."""
        members = self.course.members(side)
        if len(members) == 1:
            return self.names[members[0]]
        names = self.words.join([self.names[seat] for seat in members])
        return self.words("side-of", number=side + 1, names=names)

    def side_short(self, side: int) -> str:
        """A side in few letters: the name of its player, or its number."""
        members = self.course.members(side)
        if len(members) == 1:
            return self.names[members[0]]
        return self.words("side", number=side + 1)

    def view(self) -> str:
        """Whose eyes the game is seen with; "" for all cards open."""
        view = self.course.view
        if view is None:
            return ""
        if view < 0:
            return self.words("view-spectator")
        return self.words("view-seat", name=self.names[view])

    def role(self, play: Placed) -> str:
        """How a play stands to the lead."""
        return self.words(f"role.{play.role}")

    def taken(self, taken: Taken) -> str:
        """What a seat took for its followers."""
        if taken.card is None:
            return self.words(f"taken.{taken.how}-unknown")
        return self.words(f"taken.{taken.how}", card=taken.card)

    def why(self, facts: list[Fact]) -> list[str]:
        """Why a trick was won."""
        return [self._fact("why", fact) for fact in facts]

    def outcome(self, facts: list[Fact]) -> list[str]:
        """What went where."""
        return [self._fact("out", fact) for fact in facts]

    def next(self, facts: list[Fact]) -> list[str]:
        """Who leads the next trick, and what for."""
        return [self._fact("next", fact) for fact in facts]

    def before_the_count(self, ending: Ending) -> list[str]:
        """What the powers did at the end, before the count."""
        told = []
        for fact in ending.facts:
            side = self.side(fact.seat or 0)
            cards = ", ".join(card or HIDDEN for card in fact.cards)
            if fact.key == "end-loot":
                faction = self.words.faction(fact.faction)
                told.append(
                    self.words.count("end.end-loot", fact.number, side=side, faction=faction)
                )
            elif fact.key == "end-peasants":
                other = self.side(fact.number)
                told.append(self.words("end.end-peasants", side=side, other=other, cards=cards))
            else:
                told.append(self.words("end.end-gnomes", side=side, cards=cards))
        return told

    def decided(self, result: FactionResult) -> str:
        """What a faction was won by."""
        key = result.decided
        if any(result.runs):
            key = f"bards-{key}" if key in ("count", "highest") else key
        card = result.cards[result.winner][-1:] if result.winner is not None else []
        return self.words(f"decided.{key}", card=", ".join(card))

    def verdict(self, ending: Ending) -> list[str]:
        """Who won the game, and what decided between equal sides."""
        told = []
        best = max(ending.votes)
        level = [side for side in range(self.course.sides) if ending.votes[side] == best]
        key = "tiebreak.value"
        if self.course.seats > 2 and ending.tiebreak is not None:
            most = max(ending.number[side] for side in level)
            if any(ending.number[side] < most for side in level):
                told.append(self._compared("tiebreak.cards", level, ending.number))
                level = [side for side in level if ending.number[side] == most]
            key = "tiebreak.cards-value"
        if ending.tiebreak == "value":
            told.append(self._compared(key, level, ending.value))
        names = self.words.join([self.side(side) for side in ending.winners])
        if len(ending.winners) > 1:
            told.append(self.words("shared"))
            told.append(self.words("winners", names=names))
        else:
            told.append(self.words("winner", names=names))
        return told

    def _compared(self, key: str, level: list[int], numbers: list[int]) -> str:
        listed = ", ".join(f"{self.side_short(side)} {numbers[side]}" for side in level)
        return self.words(key, numbers=listed)

    def _fact(self, kind: str, fact: Fact) -> str:
        cards = [card or HIDDEN for card in fact.cards]
        return self.words(
            f"{kind}.{fact.key}",
            name="" if fact.seat is None else self.names[fact.seat],
            card=cards[0] if cards else HIDDEN,
            griffin=cards[-1] if cards else HIDDEN,
            cards=", ".join(cards),
            faction=self.words.faction(fact.faction) if fact.faction else "",
            number=fact.number,
        )


def plain(text: str) -> str:
    """Text from a record, safe to show: one line, without control characters.

    Escape sequences would steer a terminal, and marks of writing direction would turn
    around what stands beside them.
    """
    text = " ".join(text.split())
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
