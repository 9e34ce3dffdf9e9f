"""Pictures of a game at one moment, as its `Viewpoint` sees it; of cards, of a hand.

>>> from claimlog.language import words
>>> card_svg("K9", words())[:42]
'<svg xmlns="http://www.w3.org/2000/svg" cl'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimlog.draw.svg import TALL, Sheet, width_of, wrap
from claimlog.replay.course import race
from claimlog.replay.narration import HIDDEN, Narrator
from claimlog.replay.viewpoint import by_faction

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from claimlog.game import Seat
    from claimlog.language import Words
    from claimlog.replay.course import Standing
    from claimlog.replay.viewpoint import Cards, Position, SeatCards, Viewpoint

__all__ = ["SIZE", "card_svg", "hand_svg", "position_svg", "preview_svg"]

SIZE: Final = (1200, 800)
"""The size of the picture of a position, in pixels."""
PREVIEW: Final = (1200, 630)
"""The size of the picture for a link in a chat (Open Graph)."""

_CARD: Final = 104.0
_EDGE: Final = 24.0


def card_svg(name: str | None, words: Words, *, theme: str = "auto") -> str:
    """Draw one card, face down if its name is None, 120 × 168."""
    sheet = Sheet(120, 120 * TALL, name[0] if name else "", words)
    sheet.card(name, 4, 5, 112)
    title = words("page.face-down") if name is None else f"{words.faction(name[0])} {name[1:]}"
    return sheet.svg(name or HIDDEN, title, theme)


def hand_svg(cards: Sequence[str | None], words: Words, *, theme: str = "auto") -> str:
    """Draw cards side by side in one row; None is a card face down."""
    letters = dict.fromkeys(name[0] for name in cards if name)
    width = 54.0
    sheet = Sheet(max(1, len(cards)) * width * 1.08 + 8, width * TALL + 12, letters, words)
    sheet.fan(cards, 6, 6, sheet.width, width)
    title = _listed(cards, words)
    return sheet.svg(title, title, theme)


def position_svg(
    viewpoint: Viewpoint,
    position: Position,
    words: Words,
    *,
    theme: str = "auto",
    size: tuple[int, int] | None = None,
    labels: Mapping[str, str] | None = None,
) -> str:
    """Draw the table at one moment: plays, hands, followers, score piles, the race.

    The viewpoint's seat is at the bottom.  `theme` is one of `svg.THEMES`, `size` in pixels, by
    default `SIZE`.  `labels` by card are shown on the cards of the seat to play.
    """
    return (
        _Table(viewpoint, position, words, labels)
        .whole()
        .svg(*_contents(viewpoint, position, words), theme, size)
    )


def preview_svg(viewpoint: Viewpoint, position: Position, words: Words) -> str:
    """Draw the moment in large letters with few details, for a link: players, trick, race."""
    return (
        _Preview(viewpoint, position, words)
        .whole()
        .svg(*_contents(viewpoint, position, words), "light")
    )


def _listed(cards: Sequence[str | None], words: Words) -> str:
    return " ".join(name or HIDDEN for name in cards) or words("no-cards")


def _at_the_end(viewpoint: Viewpoint, position: Position) -> bool:
    return position.decided and position.trick == viewpoint.last


def _heading(viewpoint: Viewpoint, position: Position, words: Words) -> str:
    """Return which moment it is."""
    total = 2 * viewpoint.phase_tricks
    return f"{words('trick-of', number=position.trick, total=total)} · " + words(
        "phase", number=position.phase
    )


def _news(narrator: Narrator, position: Position) -> list[str]:
    """Return what has just happened, or what is due next."""
    if not position.decided:
        return [narrator.due(position)]
    return narrator.reasons([*position.why, *position.outcome, *position.next])


def _contents(viewpoint: Viewpoint, position: Position, words: Words) -> tuple[str, str]:
    """Return title and description of the picture, for people who cannot see it."""
    narrator = Narrator(viewpoint, words)
    names = narrator.names
    title = " · ".join((narrator.title(), _heading(viewpoint, position, words)))
    lines = [narrator.view()]
    if position.upcards:
        label = words.count("upcards", len(position.upcards))
        lines.append(f"{label}: {_listed(position.upcards, words)}")
    lines += [
        f"{names[play.seat]}: {play.card or HIDDEN} {narrator.role(play)}"
        for play in position.plays
    ]
    lines += _news(narrator, position)
    for key, field in (("hands", "hand"), ("followers", "followers"), ("piles", "pile")):
        held = [
            f"{names[player.seat]} {_listed(cards, words)}"
            for player in position.players
            if (cards := getattr(player, field))
        ]
        if held:
            lines.append(f"{words(key)}: {'; '.join(held)}")
    if _at_the_end(viewpoint, position) and (ending := viewpoint.ending()):
        lines += narrator.verdict(ending)
    return title, "\n".join(line for line in lines if line)


class _Drawing:
    """What the pictures of a position have in common."""

    size: tuple[int, int]

    def __init__(self, viewpoint: Viewpoint, position: Position, words: Words) -> None:
        self.viewpoint = viewpoint
        self.position = position
        self.words = words
        self.narrator = Narrator(viewpoint, words)
        self.sheet = Sheet(*self.size, viewpoint.game.deck, words)
        self.due: Seat | None = None
        if not position.decided and position.played < viewpoint.seats:
            self.due = position.order[position.played]

    def trick(self, x: float, y: float, width: float, gap: float) -> None:
        """Draw the plays side by side in order, with the players below."""
        sheet, position = self.sheet, self.position
        plays = {play.seat: play for play in position.plays}
        for i, seat in enumerate(position.order):
            left = x + i * (width + gap)
            middle, below = left + width / 2, y + width * TALL
            won = position.decided and seat == position.winner
            if (play := plays.get(seat)) is None:
                sheet.place(left, y, width, due=seat == self.due)
            else:
                sheet.card(play.card, left, y, width, won=won)
                if marks := ("^" if play.irregular else "") + play.annotation:
                    size = width * 0.2
                    sheet.text(
                        left + width * 0.92, y + size * 1.15, marks, size, bold=True, anchor="end"
                    )
            size = width * 0.15
            room = width + gap * 0.9
            bold = won or seat == self.due
            name = self.narrator.names[seat]
            sheet.text(
                middle, below + size * 1.5, name, size, bold=bold, anchor="middle", room=room
            )
            if play is not None:
                text = self.words("wins") if won else self.narrator.role(play)
                if play.bonus and not won:
                    text = self.words("counts", value=play.value)
                size *= 0.85
                sheet.text(
                    middle, below + size * 3.3, text, size, "dim", anchor="middle", room=room
                )


class _Table(_Drawing):
    """The picture of a position."""

    size = SIZE
    table = (_EDGE, 78.0, 836.0, 698.0)

    def __init__(
        self,
        viewpoint: Viewpoint,
        position: Position,
        words: Words,
        labels: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(viewpoint, position, words)
        self.labels = labels

    def whole(self) -> Sheet:
        """Draw everything."""
        self._head()
        left, top, width, height = self.table
        self.sheet.box(left, top, width, height, "table", 18)
        seats = self._places()
        for seat, (x, y, room) in seats.items():
            self._seat(self.position.players[seat - 1], x, y, room)
        self._middle()
        self._race()
        return self.sheet

    def _head(self) -> None:
        sheet, narrator = self.sheet, self.narrator
        game = self.viewpoint.game
        sheet.text(_EDGE, 36, narrator.title(), 23, bold=True, room=842)
        names = " – ".join(narrator.names.values())
        parts = [names if names != narrator.title() else "", game.deck, game.rules, narrator.view()]
        if errors := len(game.errors):
            parts.append(self.words.count("error-count", errors))
        sheet.text(_EDGE, 63, " · ".join(filter(None, parts)), 17, "dim", room=1150)
        moment = _heading(self.viewpoint, self.position, self.words)
        sheet.text(SIZE[0] - _EDGE, 36, moment, 20, bold=True, anchor="end", room=310)

    # The seats -----------------------------------------------------------------------------

    def _places(self) -> dict[Seat, tuple[float, float, float]]:
        """Return where each seat is: left, top and width; clockwise from the viewpoint's seat."""
        x, y, width, height = self.table
        first = self.viewpoint.view or 1
        seats = self.viewpoint.seats
        around = [(first - 1 + i) % seats + 1 for i in range(seats)]
        left, right = x + 18, x + width / 2 + 9
        whole, half = width - 36, width / 2 - 27
        top, bottom = y + 12, y + height - (192 if seats == 2 else 172)
        places = {
            2: [(left, bottom, whole), (left, top, whole)],
            3: [(left, bottom, whole), (left, top, half), (right, top, half)],
            4: [(left, bottom, half), (left, top, half), (right, top, half), (right, bottom, half)],
        }[seats]
        return dict(zip(around, places, strict=True))

    def _seat(self, cards: SeatCards, x: float, y: float, room: float) -> None:
        """Draw name, hand, and followers or score pile of a seat."""
        sheet, words, seat = self.sheet, self.words, cards.seat
        acts = seat == self.due
        sheet.box(x, y, 24, 24, "brand" if acts else "mark", 12)
        kind = "sheet" if acts else "ink"
        sheet.text(x + 12, y + 17.5, str(seat), 15, kind, bold=True, anchor="middle")
        name = self.narrator.names[seat]
        right = x + 32 + sheet.text(x + 32, y + 19, name, 19, bold=True, room=room - 120)
        if self.position.decided and seat == self.position.winner:
            sheet.star(right + 4, y + 1, 20)
            right += 26
        if self.viewpoint.sides < self.viewpoint.seats:
            sheet.text(right + 8, y + 18, words("side-short", number=cards.side), 15, "dim")
        large, small = (60.0, 38.0) if self.viewpoint.seats == 2 else (50.0, 32.0)
        sheet.fan(cards.hand, x, y + 32, room, large, self.labels if acts else None)
        second: Cards = cards.followers
        label = words("followers" if self.position.phase == 1 else "picture.pile")
        if self.position.phase == 2:
            groups = by_faction([*cards.pile, *cards.gnomes])
            second = [card for group in groups.values() for card in group]
        low = y + 32
        if cards.hand:
            low += large * TALL + 9
        else:
            small = min(large, max(small, (room - 90) / max(1, len(second))))
        end = sheet.text(x, low + small * 0.85, label, 14, "dim") + 10
        if not second:
            sheet.text(x + end, low + small * 0.85, "–", 14, "dim")
        sheet.fan(second, x + end, low, room - end, small)

    # The middle ----------------------------------------------------------------------------

    def _middle(self) -> None:
        """Draw the trick: upcards, plays, outcome."""
        left, top, width, _ = self.table
        sheet, position = self.sheet, self.position
        y = top + 216
        x = left + 22
        small = _CARD * 0.72
        label = y + small * TALL + 22
        lying = position.upcards
        if position.phase == 1:
            if position.draw_pile:
                sheet.card(None, x + 5, y - 4, small)
                sheet.card(None, x, y, small)
                number = self.words("draw-pile", number=position.draw_pile)
                sheet.text(
                    x + small / 2, label, number, 14, "dim", anchor="middle", room=small + 40
                )
                x += small + 34
            for i, name in enumerate(lying):
                sheet.card(name, x + i * (small + 6), y, small)
            if lying:
                wide = len(lying) * (small + 6) - 6
                upcards = self.words.count("upcards", len(lying))
                sheet.text(x + wide / 2, label, upcards, 14, "dim", anchor="middle", room=wide + 30)
                x += wide
        else:
            self._aside(x, y)
        gap = 18 if self.viewpoint.seats == 4 else 44
        plays = self.viewpoint.seats * (_CARD + gap) - gap
        self.trick(max(left + (width - plays) / 2, x + gap), y - 8, _CARD, gap)
        line = y - 8 + _CARD * TALL + 72
        for text in self._lines(width - 60, 17, 4):
            sheet.text(left + width / 2, line, text, 17, anchor="middle", room=width - 40)
            line += 23

    def _aside(self, x: float, y: float) -> None:
        """Draw waiting Trolls and removed Gnomes."""
        sheet, position = self.sheet, self.position
        gone = [gnome.card for gnome in position.removed]
        for key, cards in (("waiting", position.waiting), ("removed", gone)):
            if cards:
                sheet.text(x, y + 12, self.words(key), 14, "dim")
                sheet.fan(cards, x, y + 20, 150, 36)
                y += 92

    def _lines(self, room: float, size: float, most: int) -> list[str]:
        """Return the sentences about the trick in lines, at most `most`."""
        lines = [
            line for text in _news(self.narrator, self.position) for line in wrap(text, size, room)
        ]
        return lines if len(lines) <= most else [*lines[: most - 1], f"{lines[most - 1]} …"]

    # The race --------------------------------------------------------------------------------

    def _race(self) -> None:
        """Draw the state of the factions, and at the end who won."""
        x, y = 884.0, 78.0
        room = SIZE[0] - _EDGE - x
        sheet, viewpoint = self.sheet, self.viewpoint
        ending = viewpoint.ending() if _at_the_end(viewpoint, self.position) else None
        stand = race(viewpoint, self.position)
        result = 104.0 if ending else 0.0
        each = min(128.0, (698 - result) / max(1, len(stand)))
        for standing in stand:
            self._faction(standing, x, y, room, each - 8)
            y += each
        if ending:
            y = 78 + 698 - result + 14
            sheet.box(x, y, room, result - 14, "sheet", 12)
            sheet.text(x + 16, y + 37, ending.result, 27, bold=True)
            sheet.text(x + room - 16, y + 35, self.words("Result"), 15, "dim", anchor="end")
            verdict = wrap(self.narrator.verdict(ending)[-1], 16, room - 32)
            for i, text in enumerate(verdict[:2]):
                sheet.text(x + 16, y + 61 + 20 * i, text, 16, room=room - 24)

    def _faction(self, standing: Standing, x: float, y: float, room: float, height: float) -> None:
        """Draw one faction: a row of pips for each side."""
        sheet, letter = self.sheet, standing.faction
        sheet.box(x, y, room, height, "sheet", 12)
        sheet.add(f'<g class="of-{letter}">')
        sheet.shape(letter, x + 12, y + 7, 24)
        name = self.words.faction(letter)
        sheet.text(x + 44, y + 25, name, 17, "own", bold=True, room=room - 130)
        rows = len(standing.counts)
        step = (height - 34) / rows
        most = max(12, *standing.counts.values())
        pip = min(12.0, (room - 202) / most - 2)
        tall = min(16.0, step * 0.6)
        for i, (side, count) in enumerate(standing.counts.items()):
            middle = y + 31 + (i + 0.5) * step
            for j in range(count):
                sheet.add(
                    f'<rect x="{x + 134 + j * (pip + 2):.1f}" y="{middle - tall / 2:.1f}" '
                    f'width="{pip:.1f}" height="{tall:.1f}" rx="2" fill="currentColor"/>'
                )
            size = min(15.0, step * 0.8)
            won = standing.decided == side
            who = self.narrator.side_short(side)
            sheet.text(x + 14, middle + size * 0.35, who, size, bold=won, room=118)
            if won:
                sheet.star(x + room - 58, middle - 9, 18)
            sheet.text(
                x + room - 14, middle + size * 0.38, str(count), size + 2, bold=True, anchor="end"
            )
        sheet.add("</g>")
        if standing.open:
            text = self.words("picture.open", number=standing.open)
            sheet.text(x + room - 14, y + 24, text, 14, "dim", anchor="end")


class _Preview(_Drawing):
    """The picture for a link, to be seen at the size of a thumb."""

    size = PREVIEW

    def whole(self) -> Sheet:
        """Draw everything."""
        sheet, viewpoint, position = self.sheet, self.viewpoint, self.position
        ending = viewpoint.ending() if _at_the_end(viewpoint, position) else None
        names = [self.narrator.side_short(side) for side in range(1, viewpoint.sides + 1)]
        if viewpoint.sides < viewpoint.seats:
            names = list(self.narrator.names.values())
        sheet.box(0, 0, PREVIEW[0], 150, "brand")
        players = " – ".join(names)
        size = min(50.0, 50 * 1104 / width_of(players, 50, bold=True))
        sheet.text(48, 74, players, size, "paper", bold=True)
        moment = ending.result if ending else _heading(viewpoint, position, self.words)
        title = self.narrator.title()
        below = [moment, *([title] if title != players else [])]
        sheet.text(48, 124, " · ".join(below), 30, "paper", room=1104)
        seats = viewpoint.seats
        width = 180.0
        gap = 36.0
        lying = position.upcards[:]
        plays = seats * (width + gap) - gap
        room = plays + (len(lying) * (130 + 10) + 40 if lying else 0)
        scale = min(1.0, 1104 / room)
        width, gap = width * scale, gap * scale
        small = 130 * scale
        x = (PREVIEW[0] - room * scale) / 2
        for name in lying:
            sheet.card(name, x, 196, small)
            x += small + 10 * scale
        x += 40 * scale if lying else 0
        self.trick(x, 182, width, gap)
        self._standings()
        return sheet

    def _standings(self) -> None:
        """Draw the factions side by side, with the counts of the sides."""
        sheet = self.sheet
        stand = race(self.viewpoint, self.position)
        each = 1104 / max(1, len(stand))
        for i, standing in enumerate(stand):
            x = 48 + i * each
            sheet.add(f'<g class="of-{standing.faction}">')
            sheet.shape(standing.faction, x, 538, 52)
            sheet.add("</g>")
            counts = ":".join(map(str, standing.counts.values()))
            size = min(38.0, 38 * (each - 70) / width_of(counts, 38, bold=True))
            sheet.text(x + 60, 564 + size * 0.36, counts, size, bold=True)
