"""Sentences about a game: what `claimlog.replay.viewpoint` found, told in a language."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimlog.game import Reason
    from claimlog.language import Words
    from claimlog.replay.viewpoint import Ending, FactionResult, Placed, Taken, Viewpoint

HIDDEN = "_"
"""Stands for a card that is face down or unknown, as in the notation."""


class Narrator:
    """Tells about one game in one language; its names are those of the game's players."""

    def __init__(self, viewpoint: Viewpoint, words: Words) -> None:
        self.viewpoint = viewpoint
        self.words = words
        self.names = {
            seat: plain(viewpoint.name(seat)) or words("seat", number=seat)
            for seat in viewpoint.places
        }

    def side(self, side: int) -> str:
        """A side: the name of its player, or for a team its number and names."""
        members = self.viewpoint.members(side)
        if len(members) == 1:
            return self.names[members[0]]
        names = self.words.join([self.names[seat] for seat in members])
        return self.words("side-of", number=side, names=names)

    def side_short(self, side: int) -> str:
        """A side in few letters: the name of its player, or its number."""
        members = self.viewpoint.members(side)
        if len(members) == 1:
            return self.names[members[0]]
        return self.words("side", number=side)

    def view(self) -> str:
        """Whose eyes the game is seen with; "" for all cards open."""
        view = self.viewpoint.view
        if view is None:
            return ""
        if view == 0:
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

    def reasons(self, reasons: list[Reason]) -> list[str]:
        """Why a trick was won, what went where, or who leads next and what for."""
        return [
            self._tell(reason, name="" if reason.seat is None else self.names[reason.seat])
            for reason in reasons
        ]

    def before_the_count(self, ending: Ending) -> list[str]:
        """What the powers did at the end, before the count; to whom is a side."""
        return [
            self._tell(
                reason,
                side=self.side(reason.seat or 1),
                other=self.side(reason.number) if reason.number in ending.votes else "",
            )
            for reason in ending.before
        ]

    def decided(self, result: FactionResult) -> str:
        """What a faction was won by."""
        return self._tell(result.decided)

    def verdict(self, ending: Ending) -> list[str]:
        """Who won the game, and what decided between equal sides."""
        compared: dict[str, list[str]] = {}
        for reason in ending.compared:
            number = f"{self.side_short(reason.seat or 1)} {reason.number}"
            compared.setdefault(reason.code, []).append(number)
        told = [self.words(code, numbers=", ".join(parts)) for code, parts in compared.items()]
        names = self.words.join([self.side(side) for side in ending.winners])
        if len(ending.winners) > 1:
            told.append(self.words("shared"))
            told.append(self.words("winners", names=names))
        else:
            told.append(self.words("winner", names=names))
        return told

    def _tell(self, reason: Reason, **whom: str) -> str:
        """The text of a reason's code, in the number of what it counts where it has two."""
        cards = [card or HIDDEN for card in reason.cards]
        values: dict[str, str] = {
            "card": cards[0] if cards else HIDDEN,
            "griffin": cards[-1] if cards else HIDDEN,
            "cards": ", ".join(cards),
            "faction": self.words.faction(reason.faction) if reason.faction else "",
            **whom,
        }
        if f"{reason.code}.one" in self.words.texts:
            return self.words.count(reason.code, reason.number, **values)
        return self.words(reason.code, number=reason.number, **values)


def plain(text: str) -> str:
    """Text from a record, safe to show: one line, without control characters.

    Escape sequences would steer a terminal, and marks of writing direction would turn
    around what stands beside them.
    """
    text = " ".join(text.split())
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
