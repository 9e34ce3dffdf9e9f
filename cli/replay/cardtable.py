"""A position as a card table: seats around it, cards drawn as cards, everything in a fixed place.

The seat of the view is at the bottom, the others follow clockwise.  The place of a seat, its hand
and its card depends only on the game and the available room, so that nothing moves from play to
play.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from claimlog.cards import card as card_named
from claimlog.cards import longest_name
from claimlog.replay.course import legal, to_act
from claimlog.rules.setup import upcards_of

from ..faces import HUGE, LARGE, SMALL, Canvas, Size, back, face, place
from ..layout import cells, clip, length, wrap

if TYPE_CHECKING:
    from claimlog.replay.viewpoint import Placed, Position, SeatCards

    from ..layout import Line
    from .page import Pages

ACTS: Final = "▸"
LEADS: Final = "◆"
LEGAL: Final = "▸"
CHOSEN: Final = "»"

WIDEST_STEP: Final = 6
"""Columns between cards of a hand, if there is enough room."""

SEATED: Final = {2: "bt", 3: "blr", 4: "bltr"}
"""The positions of seats, clockwise from the bottom: bottom, left, top, right."""
SIZES: Final[list[tuple[Size, bool]]] = [
    (HUGE, True),
    (LARGE, True),
    (SMALL, True),
    (LARGE, False),
    (SMALL, False),
]
"""The size of the cards, and whether hands are overlapping cards: the first that fits is used."""


class Spot(NamedTuple):
    """An area of the screen that reacts to clicks: what it does, and with which value."""

    row: int
    column: int
    width: int
    height: int
    what: str
    value: str

    def covers(self, x: int, y: int) -> bool:
        """Whether a position on the screen is inside it."""
        return 0 <= x - self.column < self.width and 0 <= y - self.row < self.height


class Drawn(NamedTuple):
    """Lines, and the spots on them."""

    lines: list[Line]
    spots: list[Spot]


class CardTable:
    """The table of one game in an area of `width` columns and at most `height` rows.

    It uses the largest cards that fit; `rows` is the height it needs.
    """

    def __init__(self, pages: Pages, width: int, height: int) -> None:
        self.pages = pages
        self.viewpoint = pages.viewpoint
        self.width = width
        self.height = height
        seats = self.viewpoint.seats
        bottom = self.viewpoint.view or 1
        self.places = {(bottom - 1 + i) % seats + 1: where for i, where in enumerate(SEATED[seats])}
        self.step = longest_name(self.viewpoint.game.deck) + 1
        """Columns between cards of a hand."""
        for self.size, self.fans in SIZES:
            self._measure()
            if self.rows <= height and self._wide_enough():
                break

    def _wide_enough(self) -> bool:
        """Whether cards and hands fit side by side, with the gaps between them."""
        seats, wide = self.viewpoint.seats, 5 * self.size.width
        if seats == 2:
            return self.width >= max(wide + 4, self.own if self.fans else 0)
        if self.size is not SMALL:
            wide += 20
        return self.width >= max(wide, self.own, 2 * self.side + 2 if self.fans else 0)

    def _measure_hands(self) -> None:
        """Measure the space that hands need.

        At the bottom and the top `own` columns and `hand_rows`, at the left and right `side` and
        `side_hand`, with `side_row` cards per row.
        """
        seats, tricks = self.viewpoint.seats, self.viewpoint.phase_tricks
        names = max(cells(name) for name in self.pages.narrator.names.values())
        self.fan_step = self.step
        self.high_fan = 3 if self.size is SMALL else 4
        """Rows of overlapping cards: legal ones are raised by one; small ones are cut."""
        if self.fans:
            self.hand_rows, self.hand_column = self.high_fan, 0
            whole = 2 * (self.step * tricks + 2) + 2 <= self.width
            self.side_row = tricks if seats == 2 or whole else -(-tricks // 2)
            if self.size is not SMALL:
                room = (self.width - 2) // tricks
                if seats > 2:
                    room = min(room, (self.width // (seats - 1) - 3) // self.side_row)
                self.fan_step = max(self.step, min(room, WIDEST_STEP))
            self.own, self.side = (self.fan_step * n + 2 for n in (tricks, self.side_row))
            self.side_hand = self.high_fan + (2 if self.side_row < tricks else 0)
            return
        row = tricks * self.step + 1
        beside = names + 6 + row <= self.width
        self.hand_rows, self.hand_column = (0, names + 6) if beside else (1, 0)
        self.own = self.hand_column + row
        side = (self.width - (2 if seats == 3 else 20)) // 2
        self.side_hand = -(-tricks // max((side - 1) // self.step, 1))
        self.side_row = -(-tricks // self.side_hand)
        self.side = min(side, max(self.side_row * self.step + 1, names + 5))

    def _measure(self) -> None:
        """Measure the rows and columns of everything."""
        seats, high = self.viewpoint.seats, self.size.height
        self._measure_hands()
        self.gap = 0 if self.size is SMALL else 1
        own = 1 + self.fans + self.hand_rows + self.gap
        side = 1 + self.fans + self.side_hand + self.gap
        self.top_card = own
        if seats == 2:
            self.middle = self.top_card + high // 2 + self.gap
            self.bottom_card = self.top_card + high + self.gap
        else:
            self.middle = side
            if seats == 4:
                apart = self.own + 2 * self.side + 2 <= self.width
                high_top = own + high + self.gap
                self.middle = max(high_top, side if apart else own - self.gap + side)
                lower = own + high + side
                if not apart and lower + 2 * high + own <= self.height:
                    self.middle = lower
            self.bottom_card = self.middle + high + self.gap
        self.rows = self.bottom_card + high + own

    # Drawing -----------------------------------------------------------------------------

    def draw(self, position: Position, chosen: str | None = None) -> Drawn:
        """The table at one moment; `chosen` is the legal card under the cursor."""
        self.canvas = Canvas(self.width, self.rows)
        self.spots: list[Spot] = []
        self.position = position
        self.acting = to_act(self.viewpoint, position)
        self.legal = legal(self.viewpoint, position) or []
        self.chosen = chosen
        if position.phase == 1:
            self._upcards()
        else:
            self._waiting()
        plays = {play.seat: play for play in position.plays}
        for seat, where in self.places.items():
            self._seat(seat, where, plays.get(seat))
        return Drawn(self.canvas.lines(), self.spots)

    def _seat(self, seat: int, where: str, play: Placed | None) -> None:
        held = self.position.players[seat - 1]
        wide = self.size.width
        middle = (self.width - wide) // 2
        if where in "bt":
            low = where == "b"
            card = self.bottom_card if low else self.top_card
            label = self.rows - 1 if low else 0
            hand = self.rows - 1 - self.fans - self.hand_rows if low else 1 + self.fans
            taken = label - 1 if low else label + 1
            column = max((self.width - self.own) // 2, 0)
            self.canvas.put(label, column, self._label(seat))
            tricks = self.viewpoint.phase_tricks
            row = hand if self.hand_rows else label
            self._hand(held, row, column + self.hand_column, tricks)
            if self.fans:
                self.canvas.put(taken, column, self._taken(held, self.width - column))
            self._card(seat, play, card, middle)
            end = self.width
            if not low and len(self.places) == 4 and self._side_top() < card + self.size.height:
                end -= self.side + 1
            self._notes(play, card, middle + wide + 1, end - middle - wide - 1)
            return
        left = where == "l"
        column = 0 if left else self.width - self.side
        top = self._side_top()
        self.canvas.put(top, column, self._label(seat), self.side)
        if self.fans:
            self.canvas.put(top + 1, column, self._taken(held, self.side))
        self._hand(held, top + 1 + self.fans, column, self.side_row)
        self._card(seat, play, self.middle, 0 if left else self.width - wide)
        room = (self.width - 2 * wide - self._stock()) // 2 - 2
        self._notes(play, self.middle, wide + 1 if left else self.width - wide - 1 - room, room)

    def _side_top(self) -> int:
        """The first row of the seats at the sides."""
        return self.middle - self.gap - self.side_hand - self.fans - 1

    def _label(self, seat: int) -> Line:
        """The player of a seat, and whether they lead, are to act or have won."""
        position, words = self.position, self.pages.words
        mark = "+" if seat == position.winner else ACTS if seat == self.acting else " "
        leads = LEADS if seat == position.order[0] else " "
        name = self.pages.narrator.names[seat]
        room = (self.hand_column or self.side) - 5
        line: Line = [(mark, "win" if mark == "+" else "b"), (leads, "b"), (f"{seat} ", "dim")]
        line.append((clip(name, room), "b" if seat == self.acting else ""))
        if self.viewpoint.sides < self.viewpoint.seats and self.fans:
            side = words("side-short", number=self.viewpoint.side(seat))
            line.append((f"  {side}", "dim"))
        return line

    def _taken(self, held: SeatCards, room: int) -> Line:
        """In Phase 1 a seat's followers, in Phase 2 its won cards; clipped to `room`."""
        first = self.position.phase == 1
        cards = held.followers if first else sorted([*held.gnomes, *held.pile], key=card_named)
        label = self.pages.words("followers" if first else "table.won")
        line: Line = [("  ", ""), (f"{label} {len(cards)}: ", "dim")]
        if not cards:
            return [("  ", ""), (f"{label} 0", "dim")]
        line += self.pages.cards(cards)
        if length(line) > room:
            # What does not fit is shown in full below the table.
            line = [("  ", ""), (f"{len(cards)}: ", "dim"), *self.pages.cards(cards)]
        return _clipped(line, room)

    # Cards -------------------------------------------------------------------------------

    def _card(self, seat: int, play: Placed | None, row: int, column: int) -> None:
        """The card that a seat has played, or an empty place."""
        if play is None:
            text = ACTS if seat == self.acting else ""
            self.canvas.lay(row, column, place(self.size, text))
        elif play.card is None:
            self.canvas.lay(row, column, back(self.size))
        else:
            won = seat == self.position.winner
            mark = "+" if won else ""
            frame = "won" if won else ""
            self.canvas.lay(row, column, self._face(f"{play.card}{mark}", frame))

    def _face(self, card: str, frame: str = "") -> list[Line]:
        return face(card, self.size, frame, self.pages.words.faction(card[0]))

    def _notes(self, play: Placed | None, row: int, column: int, width: int) -> None:
        """The standing of a play towards the lead, and its outcome, beside its card."""
        if play is None:
            return
        role, *others = self.pages.outcomes(play, self.position)
        marks = self.pages.marks(play, self.position)
        lines = [[*role, (f" {marks}" if marks else "", "b")], *filter(None, others)]
        broken = [part for line in lines for part in wrap(line, width)]
        if len(broken) > self.size.height and play.seat != self.position.winner:
            # Without its rank the rest may fit.
            lines = [lines[0], *filter(None, others[1:])]
            broken = [part for line in lines for part in wrap(line, width)]
        if len(broken) > self.size.height:
            broken = lines
        for i, line in enumerate(broken[: self.size.height]):
            self.canvas.put(row + i, column, _clipped(line, width))

    def _hand(self, held: SeatCards, row: int, column: int, per_row: int) -> None:
        """A hand: overlapping cards, or rows of names; the legal cards to play are marked."""
        legal = self.legal if held.seat == self.acting else []
        for i, card in enumerate(held.hand):
            marked = card is not None and card in legal
            chosen = marked and card == self.chosen
            if self.fans:
                y, x = row + i // per_row * 2, column + i % per_row * self.fan_step
                size = Size(self.fan_step + 2, 3)
                lines = back(size) if card is None else face(card, size, "won" if chosen else "")
                if self.size is SMALL:
                    ((text, style),) = lines[1]
                    lines[2] = [(text[0].ljust(size.width - 1) + text[0], style)]
                self.canvas.lay(y + (not marked), x, lines[: self.high_fan - (not marked)])
                spot = Spot(y, x, self.fan_step, self.high_fan, "card", card or "")
            else:
                y, x = row + i // per_row, column + i % per_row * self.step
                mark = CHOSEN if chosen else LEGAL if marked else " "
                line: Line = [(mark, "b"), self.pages.card(card)]
                if chosen:
                    line[1] = (line[1][0], "chosen")
                self.canvas.put(y, x, line)
                spot = Spot(y, x, self.step, 1, "card", card or "")
            if marked:
                self.spots.append(spot)

    # The middle --------------------------------------------------------------------------

    def _stock(self) -> int:
        """The columns of the middle: upcards and the draw pile."""
        number = upcards_of(self.viewpoint.seats) + 1
        return self.size.width * number + self.gap * (number - 1)

    def _middle_column(self) -> int:
        return 1 if self.viewpoint.seats == 2 else (self.width - self._stock()) // 2

    def _upcards(self) -> None:
        """The upcards and the draw pile."""
        column, wide = self._middle_column(), self.size.width
        upcards = self.position.upcards
        cards = [*upcards, *[None] * (upcards_of(self.viewpoint.seats) - len(upcards))]
        for card in cards:
            lines = back(self.size, "?") if card is None else self._face(card)
            self.canvas.lay(self.middle, column, lines)
            column += wide + self.gap
        pile = self.position.draw_pile
        drawn = back(self.size, f" {pile} ") if pile else place(self.size, "0")
        self.canvas.lay(self.middle, column, drawn)
        if self.viewpoint.seats == 2:
            label = self.pages.words.count("upcards", len(cards))
            self.canvas.put(self.middle - 1, 1, [(label, "dim")], 2 * wide + 4)

    def _waiting(self) -> None:
        """The Trolls that wait for their winner."""
        if not self.position.waiting:
            return
        column, room = self._middle_column(), self._stock() + 2
        if self.viewpoint.seats == 2:
            room = (self.width - self.size.width) // 2 - 3
            label = self.pages.words("waiting")
            self.canvas.put(self.middle - 1, 1, [(label, "dim")], room)
        waiting = self.position.waiting
        if self.step * len(waiting) + 2 <= room:
            for i, card in enumerate(waiting):
                size = Size(self.step + 2, SMALL.height)
                self.canvas.lay(self.middle, column + i * self.step, face(card, size))
            return
        for i, line in enumerate(wrap(self.pages.cards(waiting), room)[: self.size.height]):
            self.canvas.put(self.middle + i, column, line)


def _clipped(line: Line, width: int) -> Line:
    """A line in at most `width` columns, with an ellipsis if it is cut off."""
    if length(line) <= width:
        return line
    kept: Line = []
    for text, style in line:
        room = width - length(kept)
        kept.append((clip(text, room), style))
        if cells(text) > room:
            break
    return kept
