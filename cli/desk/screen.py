"""The screen of `claimlog desk`: the tables of the round, and an input line."""

from __future__ import annotations

import io
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import segno
from textual.widgets import Static

from claimlog.directing.board import meant
from claimlog.directing.standings import explained, standings
from claimlog.language.messages import KeyedError
from claimlog.results import readable
from claimlog.store import ArchiveError

from ..archive.announcing import shown_time
from ..archive.directing import WAITING, absence, bye_line, left_to_director, names_at, shown
from ..archive.planning import lines as plan_lines
from ..language import language, points, said, tr, tr_count
from ..layout import clip, fit, length, spread, table, wrap
from ..palette import styled
from ..waking import Waking
from .orders import WORDS, Done, Orders, in_german

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

    from claimlog.directing.board import Board, BoardRound, BoardTable, TableLink, TableNews
    from claimlog.store import Archive

    from ..layout import Line

SILENT: Final = 300
"""Seconds without activity after which a table is highlighted."""
EVERY: Final = 3.0
"""Seconds between requests to a server."""


class Desk(Waking):
    """Shows an event and executes what is typed; `live`: others write, too, through a server."""

    TITLE = "claimlog desk"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    AUTO_FOCUS = None
    CSS = """
    Screen { background: ansi_default; color: ansi_default; overflow: hidden; }
    #page { width: 100%; height: 1fr; }
    """

    def __init__(self, archive: Archive, event: str, by: str, *, live: bool) -> None:
        if not os.environ.get("NO_COLOR"):
            os.environ.pop("NO_COLOR", None)
        super().__init__(ansi_color=True)
        self.theme = "ansi-dark"
        self.archive = archive
        self.orders = Orders(archive, event, by)
        self.live = live
        self.board: Board = archive.desk(event)
        self.news: list[TableNews] = []
        self.heard: tuple[datetime, int | None, bool, str | None] = _NOTHING
        self.text = ""
        self.said: list[str] = []
        self.wrong = ""
        self.page = "board"
        self.top = 0
        self.before: list[str] = []
        self.links: dict[int, TableLink] = {}

    def compose(self) -> ComposeResult:
        """Compose the screen of a single page."""
        yield Static(id="page", markup=False)

    def on_mount(self) -> None:
        """Show the page, update the clock every second, and follow the changes of others."""
        self._look()
        self.set_interval(1.0, self._show)
        if self.live:
            self.set_interval(
                EVERY, lambda: self.run_worker(self._ask, thread=True, exclusive=True)
            )

    def on_resize(self) -> None:
        """Lay the page out again."""
        self.call_after_refresh(self._show)

    def action_help_quit(self) -> None:
        """Quit with Ctrl+C; everything is saved."""
        self.exit()

    # Fetching ----------------------------------------------------------------------------

    def _ask(self) -> None:
        """Fetch the state of the event from a server; show an error if it fails."""
        try:
            update = self._fetched()
        except ArchiveError as error:
            self.call_from_thread(self._failed, said(error))
            return
        self.call_from_thread(self._take, *update)

    def _fetched(self) -> tuple[Board, list[TableNews], Any]:
        event = self.orders.event
        return (
            self.archive.desk(event),
            self.archive.desk_tables(event),
            self.archive.notice(event),
        )

    def _failed(self, why: str) -> None:
        self.wrong = why
        self._show()

    def _take(self, board: Board, news: list[TableNews], notice: Any) -> None:
        self.board, self.news = board, news
        self.heard = (datetime.now(UTC), notice.left, notice.running, notice.text)
        self._show()

    def _look(self) -> None:
        """Fetch the state at once."""
        try:
            self._take(*self._fetched())
        except ArchiveError as error:
            self._failed(said(error))

    # Typing ------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Handle a key."""
        event.stop()
        key = event.key
        if key in ("enter", "ctrl+j", "ctrl+m"):
            self._do(self.text.strip())
        elif key == "escape":
            self.text, self.page, self.top = "", "board", 0
        elif key in ("backspace", "ctrl+h"):
            self.text = self.text[:-1]
        elif key == "ctrl+u":
            self.text = ""
        elif key in ("ctrl+q", "ctrl+c"):
            self.exit()
        elif key == "ctrl+z":
            self._do("undo")
        elif key == "up" and self.before:
            self.text = self.before[-1]
        elif key in ("pageup", "pagedown"):
            step = max(self._room() - 1, 1)
            self.top = max(self.top + (step if key == "pagedown" else -step), 0)
        elif key == "question_mark" and not self.text:
            self.page, self.top = "help", 0
        elif event.is_printable:
            self.text += event.character or ""
        self._show()

    def on_paste(self, event: events.Paste) -> None:
        """Execute pasted lines one after another."""
        *lines, self.text = (self.text + event.text.replace("\r", "")).split("\n")
        for line in lines:
            self._do(line.strip())
        self._show()

    def _do(self, text: str) -> None:
        """Execute the line."""
        self.wrong, self.said = "", []
        if not text:
            return
        try:
            done = self.orders.do(text, self.board)
        except (KeyedError, ArchiveError) as error:
            # Keep the line for correction.
            self.wrong, self.text = said(error), text
            return
        self.text, self.before = "", [*self.before[-20:], text]
        if done.page == "quit":
            self.exit()
            return
        self._done(done)

    def _done(self, done: Done) -> None:
        self.board = done.board
        self.said = list(done.said)
        if done.page:
            self.page, self.top = done.page, 0
        if done.links:
            # Those of one table are added; those of a round replace others, maybe of other games.
            before = self.links if done.page.startswith("links ") else {}
            self.links = before | {one.table: one for one in done.links}
            if not done.page.startswith("links"):
                self.said.append(tr("type links for the scorers' links"))
        self._look()

    # Showing -----------------------------------------------------------------------------

    def _room(self) -> int:
        """The number of lines between head and foot."""
        width, height = self.size
        return max(height - len(self._foot(width)) - len(self._head(width)), 1)

    def _show(self) -> None:
        width, height = self.size
        if not width:
            return
        head, foot = self._head(width), self._foot(width)
        room = max(height - len(head) - len(foot), 1)
        lines = self._page(width)
        self.top = max(min(self.top, len(lines) - room), 0)
        body = lines[self.top : self.top + room]
        if self.top + room < len(lines):
            body[-1] = [(tr("more: PgDn"), "dim")]
        body += [[] for _ in range(room - len(body))]
        for page in self.query("#page").results(Static):
            page.update(styled([*head, *body, *foot]))

    def _head(self, width: int) -> list[Line]:
        """The event, its round, the clock and the announcement."""
        board = self.board
        left: Line = [(clip(board.name, width // 2), "b")]
        if (round := board.played) is not None:
            left.append((f"  {_named(round)}", ""))
            if round.missing and round.state != "paired":
                left.append((f"  {_missing(round)}", "warn"))
        at, seconds, running, text = self.heard
        right: Line = []
        if seconds is not None:
            now = seconds - (int((datetime.now(UTC) - at).total_seconds()) if running else 0)
            right = [
                ("" if running else "⏸ ", "dim"),
                (shown_time(now), "error" if now <= 0 else "b"),
            ]
        lines = spread(left, right, width)
        if text:
            lines += wrap([("» ", "dim"), (text, "head")], width, 2)[:2]
        return lines

    def _foot(self, width: int) -> list[Line]:
        """Messages, errors, and the line being typed."""
        lines: list[Line] = []
        for text in self.said[:6]:
            lines += wrap([(text, "warn" if text.startswith("⚠") else "dim")], width, 2)[:2]
        if self.wrong:
            lines += wrap([(self.wrong, "error")], width, 2)[:3]
        keys = tr("7 1-0 result · pair · start · close · undo · ? all")
        room = width - length([(self.text, "")]) - 4
        typed: Line = [("> ", "b"), (f"{self.text}▏", "b")]
        if len(keys) + 2 <= room:
            return [*lines, *spread(typed, [(keys, "dim")], width)]
        return [*lines, *wrap(typed, width, 2)[-3:]]

    def _page(self, width: int) -> list[Line]:
        """The content in the middle."""
        name, _, rest = self.page.partition(" ")
        if name == "help":
            word = in_german if language() == "de" else str
            rows: list[list[Line]] = [
                [
                    [(word("7 1-0  8 ½-½ 2-2  9 forfeit 2"), "b")],
                    [(tr("a result; 7 - takes it back"), "")],
                ],
                [[("!7 0-1", "b")], [(tr("the director's result, even over a confirmed one"), "")]],
            ]
            for _, typed, about in WORDS.values():
                if about:
                    rows.append([[(word(typed), "b")], [(tr(about), "")]])
            wide = min(max(length(row[0]) for row in rows), width // 2)
            return table(rows, [wide, width - wide - 6])
        if name == "players" or (name == "board" and not self.board.rounds):
            return self._players(width)
        if name == "standings":
            return self._standings(width)
        if name == "why":
            return self._why(rest, width)
        if name == "plan":
            rows = [
                [[(tr(name), "dim")], [(tr(value) if word else value, "")]]
                for name, value, word in plan_lines(self.board.plan)
            ]
            return _rows(rows, width, (1,))
        if name == "links":
            return self._links(rest, width)
        return self._tables(rest, width)

    def _players(self, width: int) -> list[Line]:
        board = self.board
        if not board.entrants:
            return [[(tr("nobody is entered yet: enter Anna Keller"), "dim")]]
        rows: list[list[Line]] = []
        for one in board.entrants:
            rating = "" if one.rating is None else f"{one.rating:g}"
            seed = "" if one.seed is None else f"{tr('seed')} {one.seed}"
            about = " ".join(filter(None, (one.club, one.team, one.category, rating, seed)))
            rows.append(
                [
                    [(f"{one.number:3}", "dim")],
                    [(one.name, "")],
                    [(about, "dim")],
                    [(absence(board, one), "warn")],
                ]
            )
        return _rows(rows, width, (1, 2))

    def _standings(self, width: int) -> list[Line]:
        rows: list[list[Line]] = []
        table = standings(self.board)
        for line in table.lines:
            rank, number = f"{line.rank:3}", f"{line.entrants[0]:3}"
            rows.append(
                [[(rank, "b")], [(line.name, "")], [(points(line.points), "b")], [(number, "dim")]]
            )
        lines = _rows(rows, width, (1,))
        for tie in table.ties:
            text = tr("level in all tie-breaks: {names}", names=", ".join(one.name for one in tie))
            lines += wrap([(text, "warn")], width, 2)
        return lines

    def _why(self, text: str, width: int) -> list[Line]:
        try:
            number = meant(self.board, text)
        except KeyedError as error:
            return [[(said(error), "error")]]
        lines: list[Line] = [[(self.board.entrant(number).name, "b")]]
        for one in explained(standings(self.board), number):
            lines += wrap([(one.worded(language()), "")], width, 2)
        return lines

    def _links(self, table: str, width: int) -> list[Line]:
        """The scorers' links, or the link of one table as a QR code for a phone."""
        if table and (one := self.links.get(int(table))) is not None:
            out = io.StringIO()
            segno.make(one.scorer, error="l", micro=False).terminal(out, border=1, compact=True)
            return [[(row, "code")] for row in out.getvalue().splitlines()]
        lines: list[Line] = []
        for number, one in sorted(self.links.items()):
            lines.append([(f"{number:3}  ", "b"), (tr("to record"), "dim")])
            lines += wrap([(one.scorer, "")], width, 0)
        return lines

    def _tables(self, which: str, width: int) -> list[Line]:
        """The tables of the last round and all that is in doubt, or those of an earlier round.

        Before those of the last round stand the tables still played of earlier ones.
        """
        board = self.board
        *earlier, last = board.watched
        # It may be gone: somebody has undone its pairing.
        if which.isdecimal() and 0 < int(which) < last.number:
            round = board.rounds[int(which) - 1]
            return [[(_named(round), "b")], *self._round(round, width)]
        lines: list[Line] = []
        for round in earlier:
            lines += [[(_named(round), "b")], *self._round(round, width, round.missing)]
        if earlier:
            lines.append([(_named(last), "b")])
        lines += self._round(last, width)
        for news in self.news:
            if news.number is None:
                names = " – ".join(news.players)
                text = tr("⚠ a table with other names: {names}", names=names)
                for name, number in news.meant.items():
                    who = board.entrant(number).name
                    text += " " + tr("is {name} {entrant}? same", name=name, entrant=who)
                lines += wrap([(text, "warn")], width, 2)
        for text in left_to_director(board):
            lines += wrap([(f"⚠ {text} {tr('stands')}?", "warn")], width, 2)
        for one in board.spellings:
            who = board.entrant(one.entrant).name
            text = tr("⚠ a game names {name}: is that {entrant}? same", name=one.name, entrant=who)
            lines += wrap([(text, "warn")], width, 2)
        if board.lost:
            text = tr("games that belong to no table: {ids}", ids=", ".join(board.lost))
            lines += wrap([(f"⚠ {text}", "warn")], width, 2)
        if last.waiting and last.missing:
            names = ", ".join(board.entrant(one).name for one in last.waiting[:WAITING])
            lines += wrap([(tr("waiting longest: {names}", names=names), "dim")], width, 2)
        return lines

    def _round(
        self, round: BoardRound, width: int, only: tuple[int, ...] | None = None
    ) -> list[Line]:
        """The tables of a round and its byes, or only these tables."""
        live = {one.number: one for one in self.news if one.round == round.number}
        rows = [
            self._row(round, one, live.get(one.number))
            for one in round.tables
            if only is None or one.number in only
        ]
        # Who leads is a name, too, where the result will stand.
        lines = _rows(rows, width, (1, 2, 3))
        for bye in round.byes if only is None else ():
            name = self.board.entrant(bye.entrant).name
            lines.append([(bye_line(name, bye), "dim")])
        return lines

    def _row(self, round: BoardRound, one: BoardTable, news: TableNews | None) -> list[Line]:
        """A table: who plays, their progress, the result, and who has confirmed it."""
        style = "warn" if one.number in round.missing and round.state != "paired" else ""
        play: Line = []
        if news is not None and one.result is None:
            play = [(_progress(news), "")]
            if news.doubt:
                play.append((f" {tr('in doubt')}", "error"))
            if news.at is not None:
                ago = int((datetime.now(UTC) - news.at).total_seconds())
                quiet = ago >= SILENT and not news.over and round.state == "running"
                play.append((f" {tr('{ago} min', ago=ago // 60)}", "error" if quiet else "dim"))
            if news.asked:
                play.append((f" {tr('asks the director')}", "error"))
        elif round.state == "paired":
            play = [(one.table.deck, "dim")]
        result: Line = [(shown(one.result), "b")]
        if one.differs:
            result.append((f" {tr('the record differs')}", "error"))
        sides = one.confirmed or (news.confirmed if news is not None else ())
        sure = "✓" if one.settled else ", ".join(map(str, sides))
        if one.locked:
            sure = tr("locked")
        leader = one.players[one.table.leader - 1]
        names = names_at(self.board, one)
        if round.state == "paired" and one.result is None:
            result = [(tr("{name} leads", name=self.board.entrant(leader).name), "dim")]
        return [[(f"{one.number:3}", "b")], [(names, style)], play, result, [(sure, "win")]]


_NOTHING: Final = (datetime.fromtimestamp(0, UTC), None, False, None)


def _progress(news: TableNews) -> str:
    """The progress of a table's game."""
    if news.over:
        return tr("over, {result}", result=readable(news.result))
    if not news.entries:
        return tr("not begun")
    return tr("trick {number} of {total}", number=news.trick, total=news.tricks)


def _named(round: BoardRound) -> str:
    return f"{tr('round {round}', round=round.number)}, {tr(round.state)}"


def _missing(round: BoardRound) -> str:
    return tr_count("{number} result missing", "{number} results missing", len(round.missing))


def _rows(rows: list[list[Line]], width: int, flexible: tuple[int, ...]) -> list[Line]:
    """Rows in columns as wide as the screen permits; empty columns are left out."""
    if not rows:
        return []
    used = [n for n in range(len(rows[0])) if any(length(row[n]) for row in rows)]
    rows = [[row[n] for n in used] for row in rows]
    needed = [max(length(row[n]) for row in rows) for n in range(len(used))]
    gives = [place for place, n in enumerate(used) if n in flexible]
    return table(rows, fit(needed, width - 2 * len(used), gives), 0)
