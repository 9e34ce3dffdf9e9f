"""Insert the rows of a few games as values; files of rows pay off only for many games.

DuckDB takes longer to open a file of rows than to store a game's rows passed as parameters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from claimlog.notation.reader import Block, sheets_of
from claimlog.notation.sheet import Sheet
from claimlog.store.intake.encode import Encoder
from claimlog.store.intake.staging import FACTION_ROWS, GAMES, TRICK_ROWS
from claimlog.store.model import schema

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection

    from claimlog.store.intake.remaking import Made

MOST: Final = 8
"""The largest number of games that counts as a few."""
REMEMBERED: Final = 100_000
"""The largest number of players whose names are cached."""

_COLUMNS: Final = ["digest", *(name for name, _ in schema.GAME)]

Names = dict[int, tuple[Any, ...]]
"""By number of a player or an event: the name, and for a player the Id tag."""


def _games_sql(many: bool) -> str:
    """SQL that inserts games: number, id, digest and the other columns; the time comes last."""
    number, gid = ("unnest($1)", "unnest($2)") if many else ("$1::INTEGER", "$2::UBIGINT")
    digest, *columns = _COLUMNS
    moment = len(_COLUMNS) + 3
    return (
        f"INSERT INTO games SELECT {number}, {gid}, 1, {GAMES.values_sql([digest], many, 3)}, "
        f"{f'unnest(${moment})' if many else f'${moment}::TIMESTAMP'}, "
        f"{GAMES.values_sql(columns, many, 4)}"
    )


_GAMES: Final = {many: _games_sql(many) for many in (False, True)}
_TRICKS: Final = f"INSERT INTO tricks SELECT {TRICK_ROWS.values_sql(TRICK_ROWS.names, True)}"
_FACTIONS: Final = (
    f"INSERT INTO factions_won SELECT {FACTION_ROWS.values_sql(FACTION_ROWS.names, True)}"
)


class Few:
    """Inserts the rows of a few games whose player and event names are those in the tables."""

    def __init__(self) -> None:
        self.encoder = Encoder()
        # Stored games stay valid, even if a limit was introduced later.
        self.encoder.any_length = True
        self.sheet = Sheet()
        self.named = False
        """Whether the games inserted last brought new players or events."""
        self._known: tuple[Names, Names] = {}, {}
        self._changes = -1

    def forget(self) -> None:
        """Clear the cache: an insert may have failed, or names may have changed."""
        self._changes = -1

    def insert(self, cursor: DuckDBPyConnection, games: Sequence[Made], changes: int) -> bool:
        """Insert the rows of new games; return False, inserting nothing, if that does not suffice.

        `changes` must differ whenever anything else has been written.
        """
        self.encoder.drop_rows()
        for place, made in enumerate(games):
            for sheet, _ in sheets_of(Block(made[3].encode(), 1), self.sheet):
                self.encoder.encode(sheet, place)
        rows, tricks, factions = self.encoder.rows_as_lists()
        if len(rows[0]) != len(games):
            return False  # one is no longer legal
        columns = dict(zip(GAMES.names, rows, strict=True))
        if self._changes != changes or len(self._known[0]) > REMEMBERED:
            self._known, self._changes = ({}, {}), changes
        names = _names_in(columns)
        if names is None or not self._named(cursor, *names):
            return False
        numbers, gids, moments = ([made[at] for made in games] for at in (0, 4, 5))
        values = [numbers, gids, *(columns[name] for name in _COLUMNS), moments]
        many = len(games) > 1
        cursor.execute(_GAMES[many], values if many else [value[0] for value in values])
        for sql, those in ((_TRICKS, tricks), (_FACTIONS, factions)):
            if those[0]:
                cursor.execute(sql, [[numbers[place] for place in those[0]], *those[1:]])
        return True

    def _named(self, cursor: DuckDBPyConnection, players: Names, events: Names) -> bool:
        """Whether all names are as in the tables; new players and events are inserted."""
        new = []
        for table, key, columns, here, known in (
            ("players", "player", "name, tag_id", players, self._known[0]),
            ("events", "event", "name", events, self._known[1]),
        ):
            unknown = {number: one for number, one in here.items() if known.get(number) != one[:1]}
            if unknown:
                listed = ", ".join(map(str, unknown))
                named_rows = cursor.execute(
                    f"SELECT {key}, name FROM {table} WHERE {key} IN ({listed})"
                ).fetchall()
                for number, name in named_rows:
                    if unknown.pop(number)[0] != name:
                        return False
            if unknown:
                new.append((table, columns, sorted(unknown.items())))
            known.update((number, one[:1]) for number, one in here.items())
        self.named = bool(new)
        for table, _, those in new:
            lists = zip(*((number, *one) for number, one in those), strict=True)
            marks = ", ".join(f"unnest(${at})" for at in range(1, 2 + len(those[0][1])))
            cursor.execute(f"INSERT INTO {table} SELECT {marks}", list(map(list, lists)))
        return True


def _names_in(columns: dict[str, list[Any]]) -> tuple[Names, Names] | None:
    """The players and events as these games name them; None if one has two different names."""
    players: Names = {}
    events: Names = {}
    called: list[tuple[Names, int | None, tuple[str | None, ...]]] = []
    for seat in schema.SEATS:
        those = (columns[f"{name}{seat}"] for name in ("p", "n", "i"))
        for number, name, tag in zip(*those, strict=True):
            called.append((players, number, (name or tag, tag)))
    for number, name in zip(columns["event"], columns["event_name"], strict=True):
        called.append((events, number, (name,)))
    for names, number, one in called:
        if number is not None and names.setdefault(number, one)[0] != one[0]:
            return None
    return players, events
