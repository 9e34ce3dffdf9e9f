"""The lines that a director types: results, and commands in English or German."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from claimlog.directing import acts
from claimlog.directing.board import letting_stand, meant
from claimlog.directing.desk import Refused
from claimlog.directing.entrants import read_entrants
from claimlog.directing.model import Bye, Table
from claimlog.directing.pairing.outcome import RELAXATIONS, Relaxation
from claimlog.directing.planning import changed, settings
from claimlog.directing.typed import Unreadable, lines_of, read_line, result_at

from ..archive.directing import names_at, overtaken, replaced, undone
from ..language import language, tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from claimlog.directing.board import Board, BoardRound, BoardTable, TableLink
    from claimlog.directing.model import ByeKind
    from claimlog.store import Archive

WORDS: Final = {
    "pair": ("paaren", "pair [rematch|bye|leader|tie], pair 1-2 3-4 5", "pair the round"),
    "exchange": (
        "tauschen",
        "exchange 3 8",
        "exchange two players, one with the bye, or one for somebody new",
    ),
    "seat": ("setzen", "seat 5 26", "another table: for the bye and somebody late"),
    "lock": ("fest", "lock 3", "keep a table when the round is paired again"),
    "unlock": ("lösen", "unlock 3", "unlock it"),
    "start": ("start", "start", "start the round"),
    "confirm": ("bestätigen", "confirm 7", "all sides confirm"),
    "stands": ("steht", "stands 7", "what was left to the director stands"),
    "round": ("runde", "round 2: 3 1-0, !4 =", "the same in an earlier round; round 2 shows it"),
    "close": ("schließen", "close, close later", "close the round; later: play the rest later"),
    "reopen": ("öffnen", "reopen", "reopen the round"),
    "clock": ("uhr", "clock start, clock stop, clock +5", "the clock of the round"),
    "say": ("ansage", "say Pizza!", "show a message on all screens; without text remove it"),
    "enter": ("melden", "enter Anna Keller", "enter a player, even a late one"),
    "change": ("ändern", "change 5 Anna Keller; Kiel; 1850", "another name, club, rating"),
    "withdraw": ("abmelden", "withdraw 5", "withdraw; back 5: plays again"),
    "back": ("wieder", "", ""),
    "bye": ("freilos", "bye 5 [half|full|zero|none]", "sits out the next round"),
    "same": ("dieselben", "same", "the name in the game is the suggested entrant"),
    "plan": ("plan", "plan, plan rounds=7 delay=3", "show or change how the event is played"),
    "links": ("links", "links, links 7", "links for scorers; for one table, as a code to scan"),
    "undo": ("zurück", "undo", "undo the last step"),
    "players": ("spieler", "players, board, standings, why 5", "what is shown"),
    "board": ("tafel", "", ""),
    "standings": ("stand", "", ""),
    "why": ("warum", "", ""),
    "quit": ("ende", "quit", "quit; everything is saved"),
}
"""By command: the German word, its syntax, and its effect; without a text it is covered above."""

_GERMAN: Final = {
    **{word: german for word, (german, *_) in WORDS.items()},
    **{"later": "später", "stop": "stopp", "forfeit": "kampflos"},
    **{"half": "halb", "full": "voll", "zero": "null", "none": "keins"},
}


def in_german(syntax: str) -> str:
    """What a command looks like with the German words; what pair relaxes has none."""

    def german(word: re.Match[str]) -> str:
        relaxes = word.start() > 0 and word[0] in RELAXATIONS
        return word[0] if relaxes else _GERMAN.get(word[0], word[0])

    return re.sub("[a-z]+", german, syntax)


_ROUND: Final = re.compile(r"(?P<number>[0-9]{1,4})\s*(?::\s*|\s|$)(?P<rest>.*)")
"""What follows the word round: its number, and what is typed for it."""
PAGES: Final = ("players", "board", "standings", "why")
_BY_WORD: Final = {
    word.replace("ß", "ss"): key for key, (german, *_) in WORDS.items() for word in (key, german)
}
_KINDS: Final[dict[str, ByeKind | None]] = {
    "half": "half",
    "halb": "half",
    "full": "full",
    "voll": "full",
    "zero": "zero",
    "null": "zero",
    "none": None,
    "keins": None,
}


class Done(NamedTuple):
    """The outcome of a line: the event's new state, messages, and what to show."""

    board: Board
    said: tuple[str, ...] = ()
    page: str = ""
    links: tuple[TableLink, ...] = ()


class Orders:
    """Executes the lines typed at the desk of an event.  All errors are KeyedErrors."""

    def __init__(self, archive: Archive, event: str, by: str) -> None:
        self.archive = archive
        self.event = event
        self.by = by

    def do(self, text: str, board: Board) -> Done:
        """Execute a line."""
        words = text.split()
        if re.match(r"!?\d", words[0]):
            return self._results(text, played(board), board)
        # Swiss keyboards have no ß.
        key = _BY_WORD.get(words[0].lower().replace("ß", "ss"))
        if key is None:
            raise Unreadable("typed.word", word=words[0])
        if key in PAGES or key == "quit":
            return Done(board, page=" ".join((key, *words[1:])))
        order: Callable[[Board, list[str]], Done] = getattr(self, f"_{key}")
        return order(board, words[1:])

    def _direct(self, act: acts.Act, said: str = "") -> Done:
        board = self.archive.direct(self.event, act, by=self.by)
        return Done(board, (said,) if said else ())

    def _round(self, board: Board, words: list[str]) -> Done:
        """2: 7 1-0, 8 = or 2: confirm 7 or 2: links: as ever, but in that round; 2 shows it."""
        said = _ROUND.fullmatch(" ".join(words))
        if said is None:
            raise Unreadable("typed.round")
        number, rest = int(said["number"]), said["rest"].split()
        if not 1 <= number <= len(board.rounds):
            raise Unreadable("desk.not-paired", number=number)
        round = board.rounds[number - 1]
        if not rest:
            last = round is board.rounds[-1]
            return Done(board, page="board" if last else f"board {number}")
        if re.match(r"!?\d", rest[0]):
            return self._results(" ".join(rest), round, board)
        order = {
            "confirm": self._confirm,
            "links": self._links,
            "stands": self._stands,
        }.get(_BY_WORD.get(rest[0].lower(), ""))
        if order is None:
            raise Unreadable("typed.round")
        return order(board, rest[1:], round)

    def _results(self, text: str, round: BoardRound, board: Board) -> Done:
        """7 1-0, 8 =: all are read before any counts; ! is the director's word."""
        typed = []
        for _, part in lines_of(text):
            line = read_line(part.lstrip("!"))
            table = table_of(round, line.table)
            kind = acts.Corrected if part.startswith("!") else acts.ResultTyped
            result = result_at(line, table.table.sides)
            typed.append((table, kind(round=round.number, table=line.table, result=result)))
        said = []
        for table, act in typed:
            before = table_of(board.rounds[round.number - 1], table.number)
            board = self._direct(act).board
            now = table_of(board.rounds[round.number - 1], table.number)
            at = f"{table.number}  {names_at(board, table)}  {replaced(before, now)}"
            earlier = round.number < len(board.rounds)
            said.append(f"{tr('round {round}', round=round.number)}: {at}" if earlier else at)
        said += (f"⚠ {one}" for one in overtaken(self.archive, self.event, board, round.number))
        return Done(board, tuple(said))

    def _pair(self, board: Board, words: list[str]) -> Done:
        if words and words[0][0].isdigit():
            tables: list[Table] = []
            byes: list[Bye] = []
            for word in words:
                if not re.fullmatch(r"[0-9]{1,4}(-[0-9]{1,4}){0,3}", word):
                    raise Unreadable("typed.pairs", word=word)
                players = tuple(map(int, word.split("-")))
                if len(players) == 1:
                    byes.append(Bye(entrant=players[0]))
                else:
                    tables.append(Table(number=len(tables) + 1, players=players))
            act = acts.Paired(
                round=board.next_round, tables=tuple(tables), byes=tuple(byes), by_hand=True
            )
            board = self._direct(act).board
        else:
            relax: list[Relaxation] = [one for one in RELAXATIONS if one in words]
            if unknown := [word for word in words if word not in RELAXATIONS]:
                raise Unreadable("typed.relax", word=unknown[0])
            board = self.archive.pair_round(self.event, by=self.by, relax=relax).desk
        return Done(board, self._remarks(board), page="board")

    def _remarks(self, board: Board) -> tuple[str, ...]:
        """What the director should know about the round as paired."""
        remarks = self.archive.pairing_remarks(self.event, len(board.rounds))
        return tuple(f"⚠ {one.worded(language())}" for one in remarks)

    def _exchange(self, board: Board, words: list[str]) -> Done:
        one, other = two_of(board, words)
        act = acts.Exchanged(round=current(board).number, entrants=(one, other))
        board = self._direct(act).board
        return Done(board, self._remarks(board), page="board")

    def _seat(self, board: Board, words: list[str]) -> Done:
        text = " ".join(words)
        named = text.split("/") if "/" in text else words
        players = tuple(meant(board, one.strip()) for one in named)
        round = current(board)
        if not 2 <= len(players) <= 4:
            raise Unreadable("typed.seat")
        act = acts.Seated(round=round.number, table=round.unused, players=players)
        return Done(self._direct(act).board, page="board")

    def _lock(self, board: Board, words: list[str], locked: bool = True) -> Done:
        round = current(board)
        number = table_of(round, whole(words)).number
        return self._direct(acts.Locked(round=round.number, table=number, locked=locked))

    def _unlock(self, board: Board, words: list[str]) -> Done:
        return self._lock(board, words, locked=False)

    def _start(self, board: Board, _: list[str]) -> Done:
        started = self.archive.start_round(self.event, current(board).number, by=self.by)
        return Done(started.desk, page="board", links=started.links)

    def _confirm(self, board: Board, words: list[str], earlier: BoardRound | None = None) -> Done:
        round = earlier or played(board)
        table = table_of(round, whole(words))
        if table.result is None:
            raise Unreadable("typed.no-result", table=table.number)
        sides = tuple(range(1, table.table.sides + 1))
        return self._direct(
            acts.Confirmed(round=round.number, table=table.number, sides=sides, result=table.result)
        )

    def _stands(self, board: Board, words: list[str], earlier: BoardRound | None = None) -> Done:
        number = whole(words)
        act = letting_stand(earlier or played(board), number)
        text = tr("the game of table {table} stands as it was recorded", table=number)
        return self._direct(act, text)

    def _close(self, board: Board, words: list[str]) -> Done:
        round = played(board)
        later = bool(words) and words[0].lower() in ("later", "später")
        board = self.archive.close_round(self.event, round.number, by=self.by, adjourn=later)
        left = board.rounds[round.number - 1].adjourned
        adjourned = tr("played later: {tables}", tables=", ".join(map(str, left))) if left else ""
        said = tr("round {round} is closed", round=round.number)
        return Done(board, tuple(filter(None, (said, adjourned))))

    def _reopen(self, board: Board, _: list[str]) -> Done:
        number = board.next_round - 1 or current(board).number
        return self._direct(acts.Reopened(round=number))

    def _clock(self, board: Board, words: list[str]) -> Done:
        number, running, minutes = played(board).number, None, 0
        for word in words:
            if word in ("start", "stop", "stopp"):
                running = word == "start"
            elif re.fullmatch(r"[+-]?\d{1,4}", word):
                minutes = int(word)
            else:
                raise Unreadable("typed.word", word=word)
        return self._direct(acts.Clocked(round=number, running=running, minutes=minutes))

    def _say(self, _: Board, words: list[str]) -> Done:
        return self._direct(acts.Announced(text=" ".join(words)))

    def _enter(self, board: Board, words: list[str]) -> Done:
        read = read_entrants(" ".join(words), board.entrants)
        if not read.entrants:
            if not read.problems:
                raise Unreadable("typed.no-names")
            raise Unreadable(read.problems[0].key, **read.problems[0].values)
        problems = tuple(problem.worded(language()) for problem in read.problems)
        board = self.archive.enter(self.event, read.entrants, by=self.by)
        new = board.entrants[-len(read.entrants) :]
        return Done(board, (*problems, *(f"{one.number}  {one.name}" for one in new)))

    def _withdraw(self, board: Board, words: list[str]) -> Done:
        number = meant(board, " ".join(words))
        first = board.next_round
        name = board.entrant(number).name
        said = tr("{name} does not play from round {round} on", name=name, round=first)
        return self._direct(acts.Withdrew(entrant=number, round=first), said)

    def _back(self, board: Board, words: list[str]) -> Done:
        number = meant(board, " ".join(words))
        said = tr("{name} plays again", name=board.entrant(number).name)
        return self._direct(acts.Returned(entrant=number), said)

    def _bye(self, board: Board, words: list[str]) -> Done:
        kind: ByeKind | None = "half"
        if len(words) > 1 and words[-1].lower() in _KINDS:
            kind = _KINDS[words.pop().lower()]
        number, which = meant(board, " ".join(words)), board.next_round
        name = board.entrant(number).name
        said = (
            tr("{name} plays in round {round}", name=name, round=which)
            if kind is None
            else tr("{name} sits out round {round}", name=name, round=which)
        )
        return self._direct(acts.AskedForBye(entrant=number, round=which, kind=kind), said)

    def _change(self, board: Board, words: list[str]) -> Done:
        """5 Anna Keller; Kiel; 1850: details left out stay as they are."""
        if len(words) < 2 or not words[0].isdecimal():
            raise Unreadable("typed.change")
        one = board.entrant(meant(board, words[0]))
        entry = read_entrants(" ".join(words[1:]))
        if not entry.entrants:
            raise Unreadable("typed.change")
        fields = msgspec.structs.asdict(entry.entrants[0])
        new = {name: value for name, value in fields.items() if value not in ("", None, 0)}
        act = acts.Changed(entrant=msgspec.structs.replace(one, **new))
        return Done(self._direct(act).board, page="players")

    def _plan(self, board: Board, words: list[str]) -> Done:
        if not words:
            return Done(board, page="plan")
        act = acts.Planned(plan=changed(board.plan, settings(words)))
        return Done(self._direct(act).board, page="plan")

    def _links(self, board: Board, words: list[str], earlier: BoardRound | None = None) -> Done:
        """New links, for people who lost theirs; those given out before remain valid."""
        round = earlier or played(board)
        number = None
        if words:
            table = table_of(round, whole(words))
            number = table.number
            if table.result is not None:
                raise Unreadable("typed.no-link", table=number)
        links = self.archive.round_links(self.event, round.number, by=self.by)
        chosen = tuple(one for one in links if number in (None, one.table))
        if not chosen:
            raise Unreadable("typed.no-deck" if round.without_deck else "typed.no-links")
        return Done(board, page="links" if number is None else f"links {number}", links=chosen)

    def _same(self, board: Board, _: list[str]) -> Done:
        doubts = [(one.name, one.entrant) for one in board.spellings]
        if not doubts:
            news = self.archive.desk_tables(self.event)
            doubts = [doubt for one in news for doubt in one.meant.items()]
        if not doubts:
            raise Unreadable("typed.no-spelling")
        name, number = doubts[0]
        said = tr("{name} is {entrant}", name=name, entrant=board.entrant(number).name)
        return self._direct(acts.Spelled(entrant=number, name=name), said)

    def _undo(self, board: Board, _: list[str]) -> Done:
        after = self.archive.undo_act(self.event, by=self.by, expected=board.act)
        return Done(after, (undone(board),))


def current(board: Board) -> BoardRound:
    """The round paired last."""
    if not board.rounds:
        raise Unreadable("desk.not-paired", number=1)
    return board.rounds[-1]


def played(board: Board) -> BoardRound:
    """The round being played, or else the one paired last."""
    return board.played or current(board)


def table_of(round: BoardRound, number: int) -> BoardTable:
    """A table of a round."""
    for table in round.tables:
        if table.number == number:
            return table
    raise Unreadable("desk.no-table", number=round.number, table=number)


def whole(words: list[str]) -> int:
    """The number of a table."""
    if len(words) != 1 or not words[0].isdecimal():
        raise Unreadable("typed.which-table")
    return int(words[0])


def two_of(board: Board, words: list[str]) -> tuple[int, int]:
    """Two entrants, by numbers, or by names with "/" between them.

    A name may have slashes, too: the one is meant that has an entrant on each side.
    """
    if len(words) == 2 and "/" not in words:
        return meant(board, words[0]), meant(board, words[1])
    between = "/" if "/" not in words else " / "
    parts = " ".join(words).split(between)
    found: list[tuple[int, int]] = []
    wrong: list[Refused] = []
    for place in range(1, len(parts)):
        one, other = between.join(parts[:place]), between.join(parts[place:])
        try:
            found.append((meant(board, one.strip()), meant(board, other.strip())))
        except Refused as error:
            wrong.append(error)
    if wrong and not found:
        raise wrong[0]
    if len(found) != 1:
        raise Unreadable("typed.two")
    return found[0]
