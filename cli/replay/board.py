"""A position on a screen: the card table, and beside it the standing of the factions.

What does not fit is shown below, where the page can be scrolled to; the table comes first, then the
race of the factions, the events, and hands and piles in full.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimlog.cards import longest_name
from claimlog.replay.course import race, to_act, unseen
from claimlog.replay.viewpoint import by_faction

from ..layout import beside, cells, clip, pad
from .cardtable import LEADS, CardTable, Drawn, Spot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from claimlog.replay.course import Standing
    from claimlog.replay.viewpoint import Position

    from ..layout import Line
    from .page import Pages

BESIDE: Final = 78
"""The screen width from which the race is shown beside the table."""
STORY_LINES: Final = 5
"""Rows reserved for the events."""
DECIDED: Final = "✓"
NUMBER: Final = 5
"""Columns of a number in the race."""


class Board:
    """The pages of one game on a screen of a certain size, with fixed positions."""

    def __init__(self, pages: Pages, width: int, height: int) -> None:
        self.pages = pages
        self.viewpoint = pages.viewpoint
        self.width = width
        self.height = height
        sides = self.viewpoint.sides
        self.side = 0
        if width >= BESIDE:
            least, most = 9 + NUMBER * (sides + 1), 16 + NUMBER * (sides + 1)
            self.side = min(least + (width - BESIDE) // 2, most)
        self.left = left = width - (self.side + 2 if self.side else 0)
        below = 0 if self.side else sides + 2
        self.table = CardTable(pages, left, height - STORY_LINES - below)

    def draw(
        self, position: Position, chosen: str | None = None, said: Sequence[Line] = ()
    ) -> Drawn:
        """The page at one moment; `said` are lines shown together with the events."""
        lines, spots = self.table.draw(position, chosen)
        lines = list(lines)
        if not self.side:
            lines += self._race_across(position)
        pages, room = self.pages, self.left
        below = [*said, *pages.wrong(position, room), *pages.events(position, room)]
        if position.auto and not position.decided:
            auto = self.pages.words("auto-trick")
            below += self.pages.sentences([f"{auto[0].upper()}{auto[1:]}."], self.left)
        kept = min(STORY_LINES, max(self.height - len(lines), 0))
        below += [[] for _ in range(kept - len(below))]
        lines += below
        if position.phase == 1 and not self.table.fans:
            lines += self.pages.hands(position, self.left)
        lines += self.pages.piles(position, self.left)
        if self.side:
            lines = beside(lines, self._beside(position, spots), self.left + 2)
        return Drawn(lines, spots)

    # Beside the table --------------------------------------------------------------------

    def _beside(self, position: Position, spots: list[Spot]) -> list[Line]:
        """The race, the unseen cards, and if there is room the tricks so far."""
        lines = [*self._race(position), [], *self._unseen(position)]
        rest = self.height - len(lines) - 1
        if rest >= 4 and self._history_width() <= self.side:
            lines.append([])
            lines += self._history(position, rest, len(lines), self.left + 2, spots)
        return lines

    def _race(self, position: Position) -> list[Line]:
        """For each faction the cards of each side, and those still open."""
        words, sides = self.pages.words, range(1, self.viewpoint.sides + 1)
        name = self.side - NUMBER * (len(sides) + 1)
        head: Line = [(_padded(words("faction"), name), "b")]
        head += [(_number(self._side_name(side)), "b") for side in sides]
        head.append((words("table.open").rjust(NUMBER), "b"))
        lines = [head]
        for standing in race(self.viewpoint, position):
            line = pad(self._faction(standing.faction, name), name)
            line += [self._count(standing, side) for side in sides]
            line.append((_number(str(standing.open)), "dim"))
            lines.append(line)
        return lines

    def _race_across(self, position: Position) -> list[Line]:
        """The race with a column for each faction."""
        words, standings = self.pages.words, race(self.viewpoint, position)
        room = self.width - NUMBER * len(standings)
        label = min(room, 16)
        head: Line = [(" " * label, "")]
        for standing in standings:
            style = self.pages.card(f"{standing.faction}0")[1]
            head.append((f"{standing.faction:>{NUMBER - 1}} ", style))
        lines = [head]
        for side in range(1, self.viewpoint.sides + 1):
            name = self.pages.narrator.side_short(side)
            line: Line = [(_padded(f" {name}", label), "")]
            lines.append([*line, *(self._count(standing, side) for standing in standings)])
        line = [(_padded(f" {words('table.open')}", label), "dim")]
        lines.append([*line, *((_number(str(one.open)), "dim") for one in standings)])
        return lines

    def _count(self, standing: Standing, side: int) -> tuple[str, str]:
        """The number of cards of a side, with a mark if the faction is decided for it."""
        mark = DECIDED if standing.decided == side else " "
        ahead = standing.counts[side] == max(standing.counts.values()) > 0
        style = "win" if standing.decided == side else "b" if ahead else ""
        return f"{standing.counts[side]:>{NUMBER - 1}}{mark}", style

    def _side_name(self, side: int) -> str:
        """A side in a number column: the start of its player's name, or its number."""
        if self.viewpoint.sides < self.viewpoint.seats:
            return "/".join(map(str, self.viewpoint.members(side)))
        return self.pages.narrator.side_short(side)[: NUMBER - 1]

    def _faction(self, letter: str, width: int) -> Line:
        (mark, style), (name, plain) = self.pages.faction(letter)
        return [(mark, style), (clip(name, width - 2), plain)]

    def _unseen(self, position: Position) -> list[Line]:
        """The cards that the viewer, or the player to act, has not seen."""
        words, names = self.pages.words, self.pages.narrator.names
        seat = self.viewpoint.view
        if seat is None:
            seat = to_act(self.viewpoint, position) or position.winner
        cards = by_faction(unseen(self.viewpoint, position, seat or None))
        title = words("table.unseen-by", name=names[seat]) if seat else words("record.unseen")
        lines: list[Line] = [[(clip(title, self.side), "b")]]
        for letter in self.pages.letters:
            line: Line = [(letter, self.pages.card(f"{letter}0")[1]), (" ", "")]
            line.append((_values(cards.get(letter, []), self.side - 2), ""))
            lines.append(line)
        return lines

    def _history_width(self) -> int:
        return 4 + (self._step() + 3) * self.viewpoint.seats

    def _step(self) -> int:
        """The columns of a card's name."""
        return longest_name(self.pages.letters)

    def _history(
        self, position: Position, height: int, top: int, left: int, spots: list[Spot]
    ) -> list[Line]:
        """The tricks up to the position, the latest that fit; a column for each seat."""
        wide = self._step() + 3
        head: Line = [("    ", "")]
        head += [(f" {seat:<{wide - 1}}", "b") for seat in self.viewpoint.places]
        lines = [head]
        for number in range(max(1, position.trick - height + 2), position.trick + 1):
            now = number == position.trick
            shown = position if now else self.viewpoint.at(number)
            plays = {play.seat: play for play in shown.plays}
            line: Line = [(">" if now else " ", "b"), (f"{number:2} ", "dim")]
            for seat in self.viewpoint.places:
                leads = LEADS if seat == shown.order[0] else " "
                cell: Line = [(leads, "dim")]
                if seat in plays:
                    cell.append(self.pages.card(plays[seat].card))
                    cell.append(("+" if seat == shown.winner else "", "b"))
                line += pad(cell, wide)
            row = top + len(lines)
            spots.append(Spot(row, left, self._history_width(), 1, "trick", str(number)))
            lines.append(line)
        return lines


def _padded(text: str, width: int) -> str:
    """Text in exactly `width` columns."""
    text = clip(text, width - 1)
    return text + " " * (width - cells(text))


def _number(text: str) -> str:
    """A number or its heading, right-aligned in its column."""
    return " " * (NUMBER - 1 - cells(text)) + text + " "


def _values(cards: list[str], width: int) -> str:
    """The values of cards of one faction; copies of a value are joined."""
    groups: list[str] = []
    for card in cards:
        if groups and groups[-1][0] == card[1:] == "0":
            groups[-1] += card[1:]
        else:
            groups.append(card[1:])
    return clip(" ".join(groups), width)
