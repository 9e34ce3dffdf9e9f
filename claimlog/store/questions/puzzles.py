"""The puzzles of an archive: find the only card that keeps the win (`claimlog.analysis.puzzles`).

They are found by `claimlog analyse --all` and by a server that may write its file
(`claimlog.store.analysing`), and stored by the digest of the record.  A puzzle's id is its game and
the moment, so that a link to it lasts as long as the game has it.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from msgspec import Meta

from claimlog.cards import LETTERS, deck_letters
from claimlog.store.model.errors import BadQuery, NotFound
from claimlog.store.model.ids import read_id, write_id
from claimlog.store.questions.arguments import Cursor, Limit, Total
from claimlog.store.questions.question import question

if TYPE_CHECKING:
    from claimlog.analysis.puzzles import Puzzle
    from claimlog.game import Game
    from claimlog.store.backend import Backend
    from claimlog.store.questions.games import Games
    from claimlog.store.questions.lists import Table

Level = Annotated[int, Meta(ge=1, le=4, description="Only puzzles of this level.")] | None
_DAY: Final = r"^(\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]))?$"
_NAME: Final = re.compile(r"(\w+)-(\d{1,2})-(\d)")


class PuzzleRow(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle, without its solution."""

    id: Annotated[
        str,
        Meta(description="The puzzle's id: its game, trick and number of plays in the trick."),
    ]
    trick: Annotated[int, Meta(description="The trick in which to find the card.")]
    played: Annotated[int, Meta(description="The number of cards already played to the trick.")]
    left: Annotated[int, Meta(description="The number of tricks left, including this one.")]
    level: Annotated[int, Meta(description="The level, from 1 (few lines to calculate) to 4.")]
    lines: Annotated[int, Meta(description="The number of lines to calculate, at most 1000.")]
    deck: str
    factions: Annotated[str, Meta(description="The letters of the factions in the hands.")]


class PuzzlePage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One page of puzzles; `cursor` requests the next one, None after the last."""

    puzzles: list[PuzzleRow]
    cursor: str | None
    total: int | None = None


class PuzzleTry(msgspec.Struct, frozen=True, kw_only=True):
    """A legal card, its result, and how the game continues with best play of both sides."""

    card: str
    result: str
    factions: Annotated[
        list[int], Meta(description="The number of factions won by side 1 and by side 2.")
    ]
    line: Annotated[
        list[str],
        Meta(description="Seats and cards played, such as `1:G7`; the first is the card itself."),
    ]


class StoredPuzzle(PuzzleRow, frozen=True, kw_only=True):
    """A puzzle with its solution.

    `GET /v1/games/{game}/tricks/{trick}?played=…` has the position.
    """

    game: Annotated[str, Meta(description="The id of the game.")]
    seat: int
    solution: Annotated[str, Meta(description="The only winning card.")]
    hints: Annotated[list[str], Meta(description="Losing cards, about half of all legal ones.")]
    tries: Annotated[list[PuzzleTry], Meta(description="All legal cards.")]

    def of(self, game: Game) -> Puzzle:
        """The puzzle in the form in which it is shown, with its game."""
        from claimlog.analysis.puzzles import Puzzle

        return Puzzle.of_report(game, msgspec.to_builtins(self))


@question("/puzzles", operation="list_puzzles", kept=False)
def puzzles(
    games: Games,
    *,
    level: Level = None,
    faction: Annotated[
        str,
        Meta(
            pattern=f"^[{LETTERS}{LETTERS.lower()}]$",
            description="Only puzzles with cards of this faction in the hands, by letter.",
        ),
    ]
    | None = None,
    left: Annotated[int, Meta(ge=3, le=8, description="Only puzzles with this many tricks left.")]
    | None = None,
    limit: Limit = 50,
    cursor: Cursor = None,
    total: Total = False,
) -> PuzzlePage:
    """Positions in which only one card keeps the win, newest games first."""
    if not any_found(games.database):
        return PuzzlePage(puzzles=[], cursor=None, total=0 if total else None)
    from claimlog.store.questions import lists
    from claimlog.store.questions.games import Order

    table = _table(level, faction, left)
    orders = {"newest": Order("number", "UBIGINT", down=True)}
    listed = lists.page(games.database, table, orders, "newest", limit, cursor, total)
    return PuzzlePage(
        puzzles=[_row(row) for row in listed.rows], cursor=listed.cursor, total=listed.total
    )


@question("/puzzles/daily", operation="daily_puzzle", kept=False, errors=(404,))
def daily_puzzle(
    games: Games,
    *,
    date: Annotated[
        str,
        Meta(pattern=_DAY, description="The day in UTC, as YYYY-MM-DD; by default today."),
    ] = "",
    level: Level = None,
) -> StoredPuzzle:
    """The puzzle of a day, the same for everybody; future days have none.

    It is one of those found before that day; if there are none, the first one found.
    """
    day = day_of(date)
    searched = any_found(games.database)
    if searched:
        begin = datetime.combine(day, time())
        table = _table(level, None, None)
        # If none was found before that day, its puzzle does not change as more are found.
        rows = games.database.rows(
            f"WITH {table.ctes} SELECT {table.columns} FROM d "
            f"WHERE {' AND '.join(table.conditions)} ORDER BY found_at >= ?, "
            "CASE WHEN found_at >= ? THEN found_at END, "
            "sha256(? || ' ' || gid || '-' || trick || '-' || played) LIMIT 1",
            [*table.parameters, begin, begin, day.isoformat()],
        )
        if rows:
            return _whole(games, _row(rows[0]))
    raise NotFound(
        "puzzle.none-that-day" if searched else "puzzle.not-searched", day=day.isoformat()
    )


@question("/puzzles/{puzzle}", operation="puzzle", kept=False, errors=(410,))
def puzzle(games: Games, puzzle: str) -> StoredPuzzle:
    """A puzzle with its solution.

    Raises NotFound, and GameDeleted if its game is deleted.
    """
    match = _NAME.fullmatch(puzzle)
    if match is None:
        raise NotFound("puzzle.no-id", id=puzzle)
    game = games.game(match[1])
    if any_found(games.database):
        table = _table(None, None, None)
        rows = games.database.rows(
            f"WITH {table.ctes} SELECT {table.columns} FROM d "
            "WHERE digest = ? AND trick = ? AND played = ?",
            [bytes.fromhex(game.row.digest), int(match[2]), int(match[3])],
        )
        if rows:
            return _whole(games, _row(rows[0]))
    raise NotFound("puzzle.not-there", id=game.row.id, trick=int(match[2]))


def beside(
    games: Games, id: str, level: int | None, faction: str | None, left: int | None
) -> tuple[str, str]:
    """See `Archive.puzzles_beside`."""
    match = _NAME.fullmatch(id)
    if match is None or not any_found(games.database):
        return "", ""
    table = _table(level, faction, left)
    neighbours = []
    for compared, order in ((">", "ASC"), ("<", "DESC")):
        rows = games.database.rows(
            f"WITH {table.ctes} SELECT {table.columns} FROM d "
            f"WHERE {' AND '.join(table.conditions)} AND "
            f"number {compared} (SELECT g.game::UBIGINT * 64 + ? FROM games g WHERE gid = ?) "
            f"ORDER BY number {order} LIMIT 1",
            [*table.parameters, int(match[2]) * 2 + int(match[3]), read_id(match[1])],
        )
        neighbours.append(_row(rows[0]).id if rows else "")
    return neighbours[0], neighbours[1]


def day_of(text: str) -> date:
    """The day written in `text`, in UTC; today if it is empty.

    Raises BadQuery if it is not a date, NotFound for a day that does not exist or is to come.
    """
    today = datetime.now(UTC).date()
    if not text:
        return today
    if not re.fullmatch(_DAY, text, re.ASCII):
        raise BadQuery("puzzle.no-date", text=text, field="date")
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise NotFound("puzzle.none-that-day", day=text) from None
    if day > today:
        raise NotFound("puzzle.to-come", day=text)
    return day


def any_found(database: Backend) -> bool:
    """Whether anybody has ever looked for puzzles."""
    return bool(database.rows("SELECT 1 FROM duckdb_tables() WHERE table_name = 'puzzles'"))


def _table(level: int | None, faction: str | None, left: int | None) -> Table:
    """The puzzles of stored games, with conditions.  Raises BadQuery."""
    from claimlog.store.questions.lists import Table

    conditions, parameters = ["true"], []
    if level is not None:
        conditions.append("level = ?")
        parameters.append(level)
    if faction is not None:
        if len(faction) != 1 or faction.upper() not in LETTERS:
            raise BadQuery("puzzle.no-faction", text=faction, letters=LETTERS, field="faction")
        conditions.append("factions >> ? & 1 = 1")
        parameters.append(LETTERS.index(faction.upper()))
    if left is not None:
        conditions.append("27 - trick = ?")
        parameters.append(left)
    ctes = (
        "f AS (SELECT digest, found_at, unnest(found) AS one FROM puzzles WHERE len(found) > 0), "
        "d AS (SELECT g.game::UBIGINT * 64 + one.trick * 2 + one.played AS number, "
        "gid, deck, f.digest, found_at, one.* FROM f JOIN games g ON g.digest = f.digest)"
    )
    columns = "number, gid, deck, trick, played, level, lines, factions"
    return Table(ctes, columns, conditions, parameters)


def _row(row: tuple[Any, ...]) -> PuzzleRow:
    _, gid, deck, trick, played, level, lines, factions = row
    return PuzzleRow(
        id=f"{write_id(gid)}-{trick}-{played}",
        trick=trick,
        played=played,
        left=27 - trick,
        level=level,
        lines=lines,
        deck=deck_letters(deck),
        factions=deck_letters(factions),
    )


def _whole(games: Games, row: PuzzleRow) -> StoredPuzzle:
    """A puzzle with everything that is stored about it."""
    from claimlog.analysis.keeping import unpacked

    game = row.id.partition("-")[0]
    digest = bytes.fromhex(games.game(game).row.digest)
    reports = games.database.rows("SELECT report FROM puzzles WHERE digest = ?", [digest])
    kept = json.loads(unpacked(bytes(reports[0][0])))
    report = next(one for one in kept if (one["trick"], one["played"]) == (row.trick, row.played))
    return msgspec.convert({**report, **msgspec.structs.asdict(row), "game": game}, StoredPuzzle)
