"""Pages of text about a game: lines of styled words, for a pipe or a screen alike.

A line is a list of spans, (text, style).  Styles are names such as "head" or "f0" (the
deck's first faction); whoever prints the lines decides what they look like, and nothing is
said by a style alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimlog.cards import deck_letters
from claimlog.notation.tags import SEATS, TAGS
from claimlog.replay.position import Course, by_faction
from claimlog.words.telling import HIDDEN, Teller, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from claimlog.notation.problems import Problem
    from claimlog.replay.game import Replay
    from claimlog.replay.position import Ending, Placed, Position
    from claimlog.words import Words

Span = tuple[str, str]
Line = list[Span]

FACTION_STYLES: Final = 7
"""Styles "f0" to "f6": no deck has more factions."""


# Lines -----------------------------------------------------------------------------------


def cells(text: str) -> int:
    """How many columns a terminal needs for `text`."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def length(line: Line) -> int:
    """How many columns a line needs."""
    return sum(cells(text) for text, _ in line)


def text_of(line: Line) -> str:
    """A line without its styles."""
    return "".join(text for text, _ in line).rstrip()


def clip(text: str, width: int) -> str:
    """`text` in at most `width` columns, with a dot for what is left out."""
    if cells(text) <= width:
        return text
    while text and cells(text) >= width:
        text = text[:-1]
    return text.rstrip() + "…" if width > 0 else ""


def wrap(line: Line, width: int, indent: int = 0) -> list[Line]:
    """Break a line at its spaces; what follows the first is indented."""
    if length(line) <= width:
        return [line]
    lines: list[Line] = []
    current: Line = []
    used = 0
    gap = ""
    for text, style in line:
        for i, word in enumerate(text.split(" ")):
            if i:
                gap = f"{gap} "
            if not word:
                continue
            for piece in _pieces(word, max(width - indent, 1)):
                size = cells(piece)
                if used + len(gap) + size > width and any(t.strip() for t, _ in current):
                    lines.append(current)
                    current, used, gap = [(" " * indent, "")], indent, ""
                if gap:
                    current.append((gap, style))
                    used += len(gap)
                current.append((piece, style))
                used += size
                gap = ""
    return [*lines, current]


def _pieces(word: str, width: int) -> list[str]:
    """A word cut into pieces that fit into `width`."""
    if cells(word) <= width:
        return [word]
    pieces = [""]
    for c in word:
        if cells(pieces[-1] + c) > width:
            pieces.append("")
        pieces[-1] += c
    return pieces


def pad(line: Line, width: int) -> Line:
    """A line filled up with spaces to `width`."""
    return [*line, (" " * max(width - length(line), 0), "")]


def spread(left: Line, right: Line, width: int) -> list[Line]:
    """Two texts at both ends of a line, or one below the other if there is no room."""
    room = width - length(left) - length(right)
    if room < 2:
        return [*wrap(left, width, 2), *([right] if right else [])]
    return [[*left, (" " * room, ""), *right]] if right else [left]


def table(rows: Sequence[Sequence[Line]], widths: Sequence[int], indent: int = 2) -> list[Line]:
    """Rows of cells side by side, two spaces apart; a cell too long for its column is broken."""
    lines: list[Line] = []
    for row in rows:
        broken = [wrap(cell, width) for cell, width in zip(row, widths, strict=True)]
        for i in range(max(len(cell) for cell in broken)):
            line: Line = [(" " * indent, "")]
            for cell, width in zip(broken, widths, strict=True):
                line += [*pad(cell[i] if i < len(cell) else [], width), ("  ", "")]
            lines.append(line)
    return lines


def beside(left: list[Line], right: list[Line], width: int) -> list[Line]:
    """Two blocks side by side, the left one `width` wide."""
    lines = []
    for i in range(max(len(left), len(right))):
        line = left[i] if i < len(left) else []
        lines.append([*pad(line, width), *(right[i] if i < len(right) else [])])
    return lines


def fit(wanted: Sequence[int], room: int, flexible: Sequence[int]) -> list[int]:
    """Column widths that fit into `room`: the flexible columns give way, the widest first."""
    widths = list(wanted)
    while sum(widths) > room:
        widest = max(flexible, key=lambda column: widths[column])
        if widths[widest] <= 4:
            break
        widths[widest] -= 1
    return widths


# Pages -----------------------------------------------------------------------------------


class Pages:
    """The pages about one game, seen as its `Course` sees it, in the words of one language."""

    def __init__(self, course: Course, words: Words) -> None:
        self.course = course
        self.game: Replay = course.game
        self.words = words
        self.teller = Teller(course, words)
        self.letters = deck_letters(self.game.deck)
        self.total = 2 * course.phase_tricks

    # Pieces ------------------------------------------------------------------------------

    def card(self, name: str | None) -> Span:
        """A card in the colour of its faction."""
        if name is None:
            return HIDDEN, "dim"
        place = self.letters.find(name[0])
        return name, f"f{place % FACTION_STYLES}" if place >= 0 else ""

    def cards(self, names: Iterable[str | None]) -> Line:
        """Cards side by side; those unknown are counted."""
        names = list(names)
        known = [name for name in names if name is not None]
        line: Line = []
        for name in known:
            line += [(" ", "")] if line else []
            line.append(self.card(name))
        if unknown := len(names) - len(known):
            line += [(" + ", "dim")] if line else []
            line.append((self.words.count("unknown-cards", unknown), "dim"))
        return line or [(self.words("no-cards"), "dim")]

    def values(self, names: Sequence[str], notes: dict[str, str] | None = None) -> Line:
        """The values of cards of one faction after their number; `notes` follow a value."""
        line: Line = [(str(len(names)), "b")]
        for i, name in enumerate(names):
            line.append((": " if not i else " ", ""))
            line.append((f"{name[1:]}{(notes or {}).get(name, '')}", self.card(name)[1]))
        return line

    def faction(self, letter: str) -> Line:
        """A faction's letter and name."""
        return [(letter, self.card(f"{letter}0")[1]), (f" {self.words.faction(letter)}", "")]

    def head(self, text: str) -> Line:
        """The heading of a section."""
        return [(text, "head")]

    def who(self, seat: int, width: int = 0) -> Line:
        """A seat's number and name."""
        name = self.teller.names[seat]
        return [(f"{seat + 1} ", "dim"), (clip(name, width) if width else name, "")]

    def sentences(self, texts: Iterable[str], width: int, style: str = "") -> list[Line]:
        """Sentences, each on a line of its own."""
        return [line for text in texts for line in wrap([(f"  {text}", style)], width, 4)]

    def problem(self, problem: Problem) -> str:
        """A problem with its place."""
        return self.words(
            problem.severity,
            line=problem.line,
            column=problem.column,
            message=plain(problem.message),
        )

    def problems(self, problems: Sequence[Problem], width: int) -> list[Line]:
        """Errors, then warnings."""
        lines: list[Line] = []
        for severity, style in (("error", "error"), ("warning", "warn")):
            found = [self.problem(p) for p in problems if p.severity == severity]
            lines += self.sentences(found, width, style)
        return lines

    def comments(self, comments: Sequence[str], width: int, on: str | None = None) -> list[Line]:
        """Comments on a card, a trick or the game."""
        label = self.words("comment")
        if on is not None:
            label += f" {self.words('on-card', card=on)}"
        return self.sentences([f"{label}: {plain(comment)}" for comment in comments], width, "note")

    # The head of a game ------------------------------------------------------------------

    def title(self) -> str:
        """What the game is, in one line."""
        tags = self.game.tags
        parts = [plain(tags.get("Event", ""))]
        for name, key in (("Round", "round"), ("Table", "table")):
            if tags.get(name, "?") not in ("", "?"):
                parts.append(self.words(key, number=plain(tags[name])))
        if tags.get("Date", "?")[:1] not in ("", "?"):
            parts.append(plain(tags["Date"]))
        parts = [part for part in parts if part and part != "?"]
        return " · ".join(parts) or " – ".join(self.teller.names)

    def deck(self) -> str:
        """The factions of the deck."""
        if not self.letters:
            return self.words("deck-unknown")
        names = ", ".join(self.words.faction(letter) for letter in self.letters)
        return f"{self.letters} ({names})"

    def tags(self, width: int) -> list[Line]:
        """The tags of a game, as far as they are not told elsewhere, and who sits where."""
        tags = self.game.tags
        rows: list[tuple[str, str]] = []
        for name in SHOWN_TAGS:
            if name == "Deck":
                rows.append((self.words(name), self.deck()))
            elif name == "Rules":
                rows.append((self.words(name), self.game.rules))
            elif name == "Result":
                result = self.game.result
                rows.append(
                    (self.words(name), self.words("unfinished") if result == "*" else result)
                )
            elif name == "Termination":
                value = tags.get(name, "normal")
                if value != "normal":
                    key = f"termination.{value}"
                    told = self.words(key) if key in self.words.texts else plain(value)
                    rows.append((self.words(name), told))
            elif tags.get(name, "") not in ("", "?"):
                rows.append((self.words(name), plain(tags[name])))
        for name, value in tags.items():
            if name not in TAGS:
                rows.append((name, plain(value)))
        rows += [
            (self.words("seat", number=seat + 1), self._player(seat))
            for seat in range(self.course.seats)
        ]
        if view := self.teller.view():
            rows.append(("", view))
        widest = max(cells(label) for label, _ in rows)
        widths = [widest, max(width - widest - 6, 10)]
        return table([[[(label, "dim")], [(value, "")]] for label, value in rows], widths)

    def _player(self, seat: int) -> str:
        tags = self.game.tags
        parts = [plain(self.course.name(seat)) or "?"]
        rating = plain(tags.get(f"Rating{seat + 1}", ""))
        if rating and rating != "?":
            parts.append(self.words("rating", rating=rating))
        if self.course.seats == 4:
            parts.append(self.words("side-short", number=seat % 2 + 1))
            parts.append(self.words("partner", name=self.teller.names[(seat + 2) % 4]))
        return ", ".join(parts)

    def top(
        self, position: Position | None, game: str, width: int, start: bool = False
    ) -> list[Line]:
        """The two lines above a position, or the game's first or last page."""
        words = self.words
        lines = spread([(clip(self.title(), width), "b")], [(game, "dim")], width)
        if position is None:
            left = " – ".join(self.teller.names) if start else self.end()
        else:
            left = words("trick-of", number=position.trick, total=self.total)
            left += f" · {words('phase', number=position.phase)}"
        parts = [f"{self.letters} {self.game.rules}".strip(), self.teller.view()]
        right: Line = [(" · ".join(part for part in parts if part), "dim")]
        if errors := len(self.game.errors):
            right += [("  ", ""), (words.count("error-count", errors), "error")]
        return [*lines, *spread([(left, "b")], right, width)]

    # One trick ---------------------------------------------------------------------------

    def trick(self, position: Position, width: int) -> list[Line]:
        """The trick on the table: upcards, plays, why it was won, what went where."""
        lines = [self._lying(position)] if position.phase == 1 else []
        lines += self._plays(position, width)
        teller = self.teller
        if position.decided:
            lines += self.sentences(teller.why(position.why), width)
            lines += self.sentences(teller.outcome(position.outcome), width)
            lines += self.sentences(teller.next(position.next), width)
        else:
            lines += self.sentences([self._to_act(position)], width, "b")
        for play in position.plays:
            lines += self.comments(play.comments, width, play.card or HIDDEN)
        lines += self.comments(position.comments, width)
        lines += self.problems(position.problems, width)
        return lines

    def _lying(self, position: Position) -> Line:
        """The upcards and the draw pile."""
        line: Line = [("  ", "")]
        if position.upcards:
            label = self.words.count("upcards", len(position.upcards))
            line += [(f"{label} ", ""), *self.cards(position.upcards)]
        else:
            line.append((self.words("upcards-none"), "dim"))
        line.append((f" · {self.words('draw-pile', number=position.draw_pile)}", "dim"))
        if position.auto:
            line.append((f" · {self.words('auto-trick')}", "b"))
        return line

    def _plays(self, position: Position, width: int) -> list[Line]:
        rows = []
        plays = {play.seat: play for play in position.plays}
        for seat in position.order:
            play = plays.get(seat)
            acts = play is None and seat == position.order[position.played]
            row: list[Line] = [[(">" if acts else " ", "b")], self.who(seat)]
            if play is None:
                row += [[], [], [], []]
            else:
                row += self._play(play, position)
            rows.append(row)
        wanted = [max(length(row[i]) for row in rows) for i in range(6)]
        widths = fit(wanted, width - 14, [1, 5, 3])
        for row, seat in zip(rows, position.order, strict=True):
            row[1] = self.who(seat, widths[1] - 2)
        return table(rows, widths)

    def _play(self, play: Placed, position: Position) -> list[Line]:
        won = position.decided and play.seat == position.winner
        marks = ("+" if won else "") + ("^" if play.irregular else "") + play.annotation
        role = self.teller.role(play)
        if play.bonus:
            role += f", {self.words('counts', value=play.value)}"
        if play.irregular:
            role += f", {self.words('irregular')}"
        outcome = ""
        if won:
            outcome = self.words("wins")
        elif play.rank is not None and self.course.seats > 2:
            outcome = self.words("rank", number=play.rank)
        taken = self.teller.taken(play.taken) if play.taken else ""
        return [
            [self.card(play.card), (marks, "b")],
            [(role, "")],
            [(outcome, "win" if won else "dim")],
            [(taken, "")],
        ]

    def _to_act(self, position: Position) -> str:
        trick = position.trick
        if position.played >= self.course.plays(trick) and trick == self.course.last:
            return self.words("stops")
        name = self.teller.names[position.order[position.played]]
        key = "to-discard" if position.auto else "to-play" if position.played else "to-lead"
        return self.words(key, name=name)

    # Hands and piles ---------------------------------------------------------------------

    def hands(self, position: Position, width: int, only_hands: bool = False) -> list[Line]:
        """What every seat still holds, and in Phase 1 what it has taken."""
        first = position.phase == 1 and not only_hands
        rows: list[list[Line]] = []
        for view in position.seats:
            row: list[Line] = [[], self.who(view.seat), self.cards(view.hand)]
            if self.course.sides < self.course.seats:
                row[2:2] = [[(self.words("side", number=view.side + 1), "dim")]]
            rows.append([*row, self.cards(view.followers)] if first else row)
        if first:
            rows.insert(0, [[] for _ in rows[0]])
            rows[0][-2:] = [self.head(self.words(key)) for key in ("hands", "followers")]
            rows = [row[1:] for row in rows]
        else:
            rows[0][0] = self.head(self.words("hands"))
        columns = len(rows[0])
        names = 0 if first else 1
        room = width - 2 * columns
        wanted = [max(length(row[i]) for row in rows) for i in range(columns)]
        widths = list(wanted)
        while sum(widths) > room and widths[names] > 12:
            widths[names] -= 1
        widths = fit(widths, room, range(columns - (2 if first else 1), columns))
        for row, view in zip(rows[-self.course.seats :], position.seats, strict=True):
            row[names] = self.who(view.seat, widths[names] - 2)
        return table(rows, widths)

    def piles(self, position: Position, width: int) -> list[Line]:
        """The score piles by faction and seat, Gnomes on display, Trolls and lost Gnomes."""
        groups = [by_faction([*view.pile, *view.gnomes]) for view in position.seats]
        letters = [
            letter
            for letter in (self.letters or "".join(sorted({c for g in groups for c in g})))
            if position.phase == 2 or any(letter in group for group in groups)
        ]
        lines: list[Line] = []
        if letters:
            rows: list[list[Line]] = [[self.head(self.words("piles"))]]
            rows[0] += [[*self.who(view.seat)] for view in position.seats]
            for letter in letters:
                label = self.faction(letter)
                if letter == "N":
                    label = [*label, (self.words("open-mark"), "dim")]
                rows.append([label, *(self.values(group.get(letter, [])) for group in groups)])
            widths = self._column_widths(rows, width)
            for i, view in enumerate(position.seats):
                rows[0][i + 1] = self.who(view.seat, widths[i + 1] - 2)
            lines += table(rows, widths)
        else:
            nothing: Line = [("  ", ""), *self.head(self.words("piles"))]
            lines.append([*nothing, (f"  {self.words('no-cards')}", "dim")])
        if position.waiting:
            label = [("  ", ""), *self.head(self.words("waiting")), ("  ", "")]
            lines += wrap([*label, *self.cards(position.waiting)], width, 4)
        if position.removed:
            removed = ", ".join(
                self.words("removed-in", card=card, name=self.teller.names[seat], number=trick)
                for seat, card, trick in position.removed
            )
            label = [("  ", ""), *self.head(self.words("removed")), ("  ", "")]
            lines += wrap([*label, (removed, "")], width, 4)
        return lines

    def _column_widths(self, rows: list[list[Line]], width: int) -> list[int]:
        """Widths for a label and equal columns: what is needed, at least the half of a name."""
        columns = len(rows[0])
        room = width - 2 * columns - 2
        wanted = [max(length(row[i]) for row in rows) for i in range(columns)]
        return fit(wanted, room, range(1, columns))

    def position(self, position: Position, width: int, height: int = 0) -> list[Line]:
        """One position: the trick, the hands, the piles; beside each other where there is room.

        With a `height` to fill, what stands below the trick keeps its place from play to play
        if it can.
        """
        seats = self.course.seats
        side = 18 + 18 * seats
        wide = width >= side + 79
        left = width - side - 3 if wide else width
        trick = self.trick(position, left)
        hands = self.hands(position, left)
        piles = self.piles(position, side if wide else width)
        spare = height - len(trick) - len(hands) - (0 if wide else len(piles))
        room = min(seats + 6 - len(trick), spare) if height else 0
        trick += [[] for _ in range(room)]
        if wide:
            return beside([*trick, *hands], piles, left + 3)
        return [*trick, *hands, *piles]

    def history(self, position: Position, height: int) -> list[Line]:
        """The tricks up to the position in short, the latest ones that fit."""
        lines: list[Line] = []
        for number in range(max(1, position.trick - height + 1), position.trick + 1):
            now = number == position.trick
            shown = position if now else self.course.at(number)
            line: Line = [("> " if now else "  ", "b"), (f"{number:2} ", "dim")]
            for i, seat in enumerate(shown.order):
                if i >= len(shown.plays):
                    break
                play = shown.plays[i]
                won = shown.decided and seat == shown.winner
                line += [(" ", ""), (str(seat + 1), "dim"), (":", "dim"), self.card(play.card)]
                line.append(("+" if won else "", "b"))
            lines.append(line)
        return lines

    def screen(self, position: Position, width: int, height: int) -> list[Line]:
        """A position for a screen: with the tricks before it where there is room."""
        column = 6 + 7 * self.course.seats
        if width < 79 + column:
            return self.position(position, width, height)
        main = self.position(position, width - column - 2, height)
        return beside(main, self.history(position, height), width - column)

    # The end -----------------------------------------------------------------------------

    def ending(self, ending: Ending, width: int) -> list[Line]:
        """The result, faction by faction."""
        sides = range(self.course.sides)
        lines = self.sentences(self.teller.before_the_count(ending), width)
        rows: list[list[Line]] = [[[(self.words("faction"), "head")]]]
        rows[0] += [[(self.teller.side_short(side), "head")] for side in sides]
        rows[0].append([(self.words("won-by"), "head")])
        for result in ending.factions:
            row = [self.faction(result.faction)]
            for side in sides:
                notes = dict.fromkeys(result.doubled[side], "×2")
                cell = self.values(result.cards[side], notes)
                cell[0] = (str(result.counts[side]), "b")
                if result.loot[side]:
                    loot = self.words.count("loot", result.loot[side])
                    cell.append((f" + {loot}" if result.cards[side] else f": {loot}", ""))
                if len(result.runs[side]) > 1:
                    run = " ".join(card[1:] for card in result.runs[side])
                    cell.append((f" ({self.words('run', cards=run)})", ""))
                row.append(cell)
            winner = self.words("nobody")
            if result.winner is not None:
                winner = self.teller.side_short(result.winner)
            style = "dim" if result.winner is None else "b"
            row.append([(winner, style), (f": {self.teller.decided(result)}", "")])
            rows.append(row)
        votes: list[Line] = [[(self.words("votes"), "head")]]
        votes += [[(str(number), "b")] for number in ending.votes]
        rows.append([*votes, [(self.words("Result"), "head"), (f" {ending.result}", "b")]])
        columns = len(rows[0])
        wanted = [max(length(row[i]) for row in rows) for i in range(columns)]
        lines += table(rows, fit(wanted, width - 2 * columns - 2, range(1, columns)))
        lines += self.sentences(self.teller.verdict(ending), width, "b")
        return lines

    def end(self) -> str:
        """The heading of what follows the last trick."""
        return self.words("end-of-record" if self.game.score is None else "end")

    def stopped(self) -> str:
        """Why there is no ending."""
        number = self.course.last
        if not number:
            return self.words("no-tricks")
        if self.game.complete:
            return self.words("not-counted")
        if self.game.errors:
            return self.words.count("known-to", number)
        return self.words.count("stopped", number)


_TOLD_ELSEWHERE: Final = frozenset(
    (
        *("CLM", "Leader", "Pile", "Loot", "Votes"),
        *(f"{name}{seat}" for name in ("Player", "Rating", "Id", "Hand") for seat in SEATS),
    )
)
SHOWN_TAGS: Final = tuple(name for name in TAGS if name not in _TOLD_ELSEWHERE)
