"""Pages of text about a game, in the lines of `layout`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimlog.cards import LETTERS
from claimlog.replay.narration import HIDDEN, Narrator, remarks
from claimlog.replay.viewpoint import Viewpoint, by_faction
from claimlog.rules.setup import LYING_OPEN

from ..layout import beside, cells, clip, fit, length, spread, table, wrap
from ..palette import faction_style

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from claimlog.game import Game, Problem
    from claimlog.language import Words
    from claimlog.replay.viewpoint import Ending, Placed, Position

    from ..layout import Line, Span


class Pages:
    """The pages about one game, as its `Viewpoint` sees it, in one language."""

    def __init__(self, viewpoint: Viewpoint, words: Words) -> None:
        self.viewpoint = viewpoint
        self.game: Game = viewpoint.game
        self.words = words
        self.narrator = Narrator(viewpoint, words)
        self.letters = self.game.deck
        self.total = 2 * viewpoint.phase_tricks
        self.judged: dict[tuple[int, int], str] = {}
        """Marks by trick and seat, for plays without an annotation in the record."""

    # Pieces ------------------------------------------------------------------------------

    def card(self, name: str | None) -> Span:
        """A card in the colour of its faction."""
        if name is None:
            return HIDDEN, "dim"
        return name, faction_style(name[0])

    def cards(self, names: Iterable[str | None]) -> Line:
        """Cards side by side; unknown ones are counted."""
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
        """The number of cards of one faction, followed by their values; `notes` follow a value."""
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
        name = self.narrator.names[seat]
        return [(f"{seat} ", "dim"), (clip(name, width) if width else name, "")]

    def sentences(self, texts: Iterable[str], width: int, style: str = "") -> list[Line]:
        """Sentences, each on its own line."""
        return [line for text in texts for line in wrap([(f"  {text}", style)], width, 4)]

    def problems(self, problems: Sequence[Problem], width: int) -> list[Line]:
        """Errors, then warnings."""
        lines: list[Line] = []
        for severity, style in (("error", "error"), ("warning", "warn")):
            texts = [self.narrator.problem(p) for p in problems if p.severity == severity]
            lines += self.sentences(texts, width, style)
        return lines

    def comments(self, comments: Sequence[str], width: int, on: str | None = None) -> list[Line]:
        """Comments on a card, a trick or the game."""
        label = self.words("comment")
        if on is not None:
            label += f" {self.words('on-card', card=on)}"
        return self.sentences([f"{label}: {text}" for text in remarks(comments)], width, "note")

    # The head of a game ------------------------------------------------------------------

    def tags(self, width: int, *, ending: bool = True) -> list[Line]:
        """The tags of a game that are not shown elsewhere, and the players of the seats.

        Without `ending` the tags about the end of the game are left out.
        """
        rows = self.narrator.details(ending=ending)
        rows += [
            (self.words("seat", number=seat), self.narrator.player(seat))
            for seat in range(1, self.viewpoint.seats + 1)
        ]
        if view := self.narrator.view():
            rows.append(("", view))
        return self._labelled(rows, width)

    def outcome(self, width: int) -> list[Line]:
        """The end of a game that was not played out, as recorded."""
        return self._labelled(self.narrator.outcome(), width)

    def _labelled(self, rows: list[tuple[str, str]], width: int) -> list[Line]:
        """Rows of labels and values."""
        widest = max(cells(label) for label, _ in rows)
        widths = [widest, max(width - widest - 6, 10)]
        return table([[[(label, "dim")], [(value, "")]] for label, value in rows], widths)

    def top(
        self, position: Position | None, game: str, width: int, start: bool = False
    ) -> list[Line]:
        """The two lines above a position, or the game's first or last page."""
        words = self.words
        lines = spread([(clip(self.narrator.title(), width), "b")], [(game, "dim")], width)
        if position is None:
            left = " – ".join(self.narrator.names.values()) if start else self.narrator.end()
        else:
            left = words("trick-of", number=position.trick, total=self.total)
            left += f" · {words('phase', number=position.phase)}"
        parts = [f"{self.letters} {self.game.rules}".strip(), self.narrator.view()]
        right: Line = [(" · ".join(part for part in parts if part), "dim")]
        if errors := len(self.game.errors):
            right += [("  ", ""), (words.count("error-count", errors), "error")]
        return [*lines, *spread([(left, "b")], right, width)]

    # One trick ---------------------------------------------------------------------------

    def trick(self, position: Position, width: int) -> list[Line]:
        """The trick on the table: upcards, plays, why it was won, where cards went."""
        lines = [self._lying(position)] if position.phase == 1 else []
        lines += self._plays(position, width)
        return [*lines, *self.events(position, width), *self.wrong(position, width)]

    def events(self, position: Position, width: int) -> list[Line]:
        """Why a trick was won and where cards went, or who is to act; comments."""
        if position.decided:
            reasons = [*position.why, *position.outcome, *position.next]
            lines = self.sentences(self.narrator.reasons(reasons), width)
        else:
            lines = self.sentences([self.narrator.due(position)], width, "b")
        for play in position.plays:
            lines += self.comments(play.comments, width, play.card or HIDDEN)
        lines += self.comments(position.comments, width)
        return lines

    def wrong(self, position: Position, width: int) -> list[Line]:
        """The problems of a trick, once all of it is on the table."""
        if position.played < self.viewpoint.plays(position.trick):
            return []
        return self.problems(position.problems, width)

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
        needed = [max(length(row[i]) for row in rows) for i in range(6)]
        widths = fit(needed, width - 14, [1, 5, 3])
        for row, seat in zip(rows, position.order, strict=True):
            row[1] = self.who(seat, widths[1] - 2)
        return table(rows, widths)

    def _play(self, play: Placed, position: Position) -> list[Line]:
        won = "+" if play.seat == position.winner else ""
        return [
            [self.card(play.card), (f"{won}{self.marks(play, position)}", "b")],
            *self.outcomes(play, position),
        ]

    def marks(self, play: Placed, position: Position) -> str:
        """The marks after a card, from the record or the analysis, except the winner's."""
        mark = play.annotation or self.judged.get((position.trick, play.seat), "")
        return ("^" if play.irregular else "") + mark

    def outcomes(self, play: Placed, position: Position) -> list[Line]:
        """The standing of a play towards the lead, its rank, and the card its seat took."""
        role = self.narrator.role(play)
        if play.bonus:
            role += f", {self.words('counts', value=play.value)}"
        if play.irregular:
            role += f", {self.words('irregular')}"
        won = play.seat == position.winner
        outcome = ""
        if won:
            outcome = self.words("wins")
        elif play.rank is not None and self.viewpoint.seats > 2:
            outcome = self.words("rank", number=play.rank)
        taken = self.narrator.taken(play.taken) if play.taken else ""
        return [
            [(role, "")],
            [(outcome, "win" if won else "dim")] if outcome else [],
            [(taken, "")] if taken else [],
        ]

    # Hands and piles ---------------------------------------------------------------------

    def hands(self, position: Position, width: int, only_hands: bool = False) -> list[Line]:
        """The cards that every seat still holds, and in Phase 1 those it has taken."""
        first = position.phase == 1 and not only_hands
        rows: list[list[Line]] = []
        for view in position.players:
            row: list[Line] = [[], self.who(view.seat), self.cards(view.hand)]
            if self.viewpoint.sides < self.viewpoint.seats:
                row[2:2] = [[(self.words("side", number=view.side), "dim")]]
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
        needed = [max(length(row[i]) for row in rows) for i in range(columns)]
        widths = list(needed)
        while sum(widths) > room and widths[names] > 12:
            widths[names] -= 1
        widths = fit(widths, room, range(columns - (2 if first else 1), columns))
        for row, view in zip(rows[-self.viewpoint.seats :], position.players, strict=True):
            row[names] = self.who(view.seat, widths[names] - 2)
        return table(rows, widths)

    def piles(self, position: Position, width: int) -> list[Line]:
        """The score piles by faction and seat, Gnomes on display, Trolls and lost Gnomes."""
        groups = [by_faction([*view.pile, *view.gnomes]) for view in position.players]
        letters = [
            letter
            for letter in (self.letters or "".join(sorted({c for g in groups for c in g})))
            if position.phase == 2 or any(letter in group for group in groups)
        ]
        lines: list[Line] = []
        if letters:
            rows: list[list[Line]] = [[self.head(self.words("piles"))]]
            rows[0] += [[*self.who(view.seat)] for view in position.players]
            for letter in letters:
                label = self.faction(letter)
                if letter == LETTERS[LYING_OPEN]:
                    label = [*label, (self.words("open-mark"), "dim")]
                rows.append([label, *(self.values(group.get(letter, [])) for group in groups)])
            widths = self._column_widths(rows, width)
            for i, view in enumerate(position.players):
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
                self.words("removed-in", card=card, name=self.narrator.names[seat], number=trick)
                for seat, card, trick in position.removed
            )
            label = [("  ", ""), *self.head(self.words("removed")), ("  ", "")]
            lines += wrap([*label, (removed, "")], width, 4)
        return lines

    def _column_widths(self, rows: list[list[Line]], width: int) -> list[int]:
        """Widths for a label and equal columns: what is needed, at least half of a name."""
        columns = len(rows[0])
        room = width - 2 * columns - 2
        widths = [max(length(row[i]) for row in rows) for i in range(columns)]
        return fit(widths, room, range(1, columns))

    def position(self, position: Position, width: int) -> list[Line]:
        """One position as text: the trick, the hands, the piles; side by side if there is room."""
        side = 18 + 18 * self.viewpoint.seats
        wide = width >= side + 79
        left = width - side - 3 if wide else width
        lines = [*self.trick(position, left), *self.hands(position, left)]
        piles = self.piles(position, side if wide else width)
        return beside(lines, piles, left + 3) if wide else [*lines, *piles]

    # The end -----------------------------------------------------------------------------

    def ending(self, ending: Ending, width: int) -> list[Line]:
        """The result, faction by faction."""
        sides = range(1, self.viewpoint.sides + 1)
        lines = self.sentences(self.narrator.before_the_count(ending), width)
        rows: list[list[Line]] = [[[(self.words("faction"), "head")]]]
        rows[0] += [[(self.narrator.side_short(side), "head")] for side in sides]
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
                winner = self.narrator.side_short(result.winner)
            style = "dim" if result.winner is None else "b"
            row.append([(winner, style), (f": {self.narrator.decided(result)}", "")])
            rows.append(row)
        votes: list[Line] = [[(self.words("votes"), "head")]]
        votes += [[(str(number), "b")] for number in ending.votes.values()]
        rows.append([*votes, [(self.words("Result"), "head"), (f" {ending.result}", "b")]])
        columns = len(rows[0])
        widths = [max(length(row[i]) for row in rows) for i in range(columns)]
        lines += table(rows, fit(widths, width - 2 * columns - 2, range(1, columns)))
        lines += self.sentences(self.narrator.verdict(ending), width, "b")
        return lines
