"""Pairings made elsewhere, which are taken exactly as they are.

One line for each table: the players by seat, beginning with the one who leads the first trick,
separated by semicolons, tabs or commas, given by name or by number in the event; optionally after
the number of the table.  Names match as everywhere.  A player with "bye" has a bye, of the kind
requested, if any.

    1; Anna Keller; Jörg Müller
    2; keller b; 7
    Dora; bye

With a header row, the lines are those of `claimlog event export -f csv`, of which those of the
round count, and which give the kind of each bye.
"""

from __future__ import annotations

import csv
import re
from typing import Final, NamedTuple, get_args

import msgspec

from claimlog.directing.board import Board
from claimlog.directing.desk import requested
from claimlog.directing.entrants import EntryProblem
from claimlog.directing.history import present
from claimlog.directing.model import Bye, ByeKind, Table
from claimlog.directing.pairing.outcome import Pairing
from claimlog.directing.pairing.pair import remarks
from claimlog.notation.matching import Names

_BYE: Final = frozenset(("bye", "freilos", "spielfrei", "-"))
_HEADING: Final = frozenset(("table", "tisch", "board", "brett"))


class ListProblem(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a list that could not be read: why, and the key and values of that text."""

    line: int
    text: str
    key: str
    values: dict[str, str | int]

    @staticmethod
    def of(problem: EntryProblem, language: str = "en") -> ListProblem:
        """Return a problem worded for an answer."""
        return ListProblem(
            line=problem.line,
            text=problem.worded(language),
            key=problem.key,
            values=problem.values,
        )

    def worded(self, language: str = "en") -> str:
        """Return the problem as a sentence."""
        return EntryProblem(self.line, self.key, self.values).worded(language)


class EnteredList(msgspec.Struct, frozen=True, kw_only=True):
    """The event after a list was read, and the lines that could not be.

    `left` are these lines as they were typed, below the list's heading if it has one, so that they
    can be corrected and submitted again.
    """

    desk: Board
    problems: tuple[ListProblem, ...] = ()
    left: str = ""


class Upload(NamedTuple):
    """The tables that were read, with remarks, and the lines that could not be."""

    pairing: Pairing
    problems: list[EntryProblem]


class _Refused(Exception):  # noqa: N818
    """A line that cannot be read."""

    def __init__(self, key: str, **values: str | int) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


def read_pairings(text: str, board: Board, round: int) -> Upload:
    """Read the pairings of a round.

    Nobody is added and nothing is corrected: an entrant who is not listed is not paired.
    """
    reader = _Reader(board, round)
    problems: list[EntryProblem] = []
    heading: list[str] = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        mark = next((mark for mark in ";\t" if mark in line), ",")
        cells = [cell.strip() for row in csv.reader([line], delimiter=mark) for cell in row]
        if "player1" in cells:
            heading = cells
            continue
        kind: ByeKind = "pairing"
        if heading:
            row = dict(zip(heading, cells, strict=False))
            cells = _of_export(row, round)
            kind = next((one for one in get_args(ByeKind) if one == row.get("source")), kind)
        if not any(cells) or line.startswith("#") or cells[0].casefold() in _HEADING:
            continue
        try:
            reader.add(cells, kind)
        except _Refused as refused:
            problems.append(EntryProblem(number, refused.key, refused.values))
    tables = tuple(reader.tables[number] for number in sorted(reader.tables))
    byes = tuple(reader.byes)
    warnings = tuple(remarks(board, round, tables, byes))
    return Upload(Pairing(tables=tables, byes=byes, remarks=warnings), problems)


def _of_export(row: dict[str, str], round: int) -> list[str]:
    """Return a line of an export as if typed by hand; [] if it is of another round."""
    if row.get("round") not in (None, "", str(round)):
        return []
    players = [row[name] for name in ("player1", "player2", "player3", "player4") if row.get(name)]
    return [*filter(None, [row.get("table", "")]), *players, *["bye"][: len(players) == 1]]


class _Reader:
    def __init__(self, board: Board, round: int) -> None:
        self.board = board
        self.round = round
        self.here = {one.number for one in present(board, round)}
        self.requested = requested(board.absences, board.withdrawn, round)
        self.names = Names((one.number, one.name) for one in board.entrants)
        self.tables: dict[int, Table] = {}
        self.byes: list[Bye] = []
        self.placed: set[int] = set()

    def add(self, cells: list[str], kind: ByeKind = "pairing") -> None:
        """Add the table or bye in a line, of the kind requested or given.  Raises _Refused."""
        seats = self.board.plan.seats
        while cells and not cells[-1]:
            cells.pop()
        bye = cells[-1].casefold() in _BYE
        expected = 1 if bye else seats
        if bye:
            cells = cells[:-1]
        number = max(self.tables, default=0) + 1
        if len(cells) == expected + 1 and re.fullmatch("[0-9]{1,4}", cells[0]):
            number = int(cells[0])
            cells = cells[1:]
        if len(cells) != expected:
            raise _Refused("upload.players", number=len(cells), wanted=expected)
        players = tuple(self.meant(cell) for cell in cells)
        for place, player in enumerate(players):
            name = self.board.entrant(player).name
            if player in self.placed or player in players[:place]:
                raise _Refused("upload.twice", name=name)
            if player not in self.here and not (bye and player in self.requested):
                raise _Refused("upload.away", name=name, round=self.round)
        if not bye:
            if number in self.tables or not number:
                raise _Refused("upload.table", table=number)
            self.tables[number] = Table(number=number, players=players)
        else:
            if kind == "pairing":
                kind = self.requested.get(players[0], kind)
            self.byes.append(Bye(entrant=players[0], kind=kind))
        self.placed.update(players)

    def meant(self, text: str) -> int:
        """Return the entrant with this number or name."""
        if re.fullmatch("[0-9]{1,5}", text):
            if not 1 <= int(text) <= len(self.board.entrants):
                raise _Refused("upload.nobody", name=text)
            return int(text)
        numbers = self.names.meant(text)
        if not numbers:
            raise _Refused("upload.nobody", name=text)
        if len(numbers) > 1:
            both = ", ".join(self.board.entrant(one).name for one in sorted(numbers))
            raise _Refused("upload.several", name=text, names=both)
        return numbers.pop()
