"""Find records that differ and yet seem to be of the same game: a game counts only once.

Such records have in common event, round and table, or event, round and all players, or the players,
the deck and the first six tricks.  Each of the three is a number computed from the record
(`intake.encode`), so that a single query checks a whole import.  The first two do not count if the
games were played on different days: a club's event may have the same name every Thursday.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from claimlog.notation.names import composed
from claimlog.store.model import types as t
from claimlog.store.model.ids import write_id
from claimlog.store.model.schema import KEYS, SEATS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from duckdb import DuckDBPyConnection

    from claimlog.store.backend import Backend
    from claimlog.store.ledger.identities import Identities

IN_COMMON: Final[dict[str, t.InCommon]] = dict(
    zip(KEYS, ("table", "players", "tricks"), strict=True)
)
"""What two games with the same value in a column have in common."""

UNFINISHED: Final = '"*"'
"""The value of a Result tag, as written."""

FEW: Final = 1000
"""The number of games from which a join replaces the look-up by numbers."""


@dataclass(slots=True)
class Duplicate:
    """A game of which a submitted record may be another version.

    `game` is its number in the file, or -1 - its place for a game of the same batch.
    """

    game: int
    gid: int
    revision: int
    finished: bool
    common: set[t.InCommon] = field(default_factory=set)


Duplicates = dict[int, dict[int, Duplicate]]
"""By place in a batch and number of the game: what the record may be a version of."""


def _players(alias: str, identities: Identities) -> str:
    """SQL: the known players of a game, sorted, aliases resolved."""
    seats = ", ".join(identities.root_sql(f"{alias}.p{seat}") for seat in SEATS)
    return f"list_sort(list_filter([{seats}], lambda p: p IS NOT NULL))"


_PARTS: Final = ((0, 4), (5, 7), (8, 10))
"""The places of year, month and day in a date; unknown parts are question marks."""


def may_be_one_day(a: str | None, b: str | None) -> bool:
    """Whether two dates, as written, may be the same day: no part known in both differs.

    >>> may_be_one_day("2026-11-05", "2026-11-12"), may_be_one_day("2026-11-??", "2026-11-12")
    (False, True)
    """
    return not a or not b or all(
        a[i:j] == b[i:j] or a[i] == "?" or b[i] == "?" for i, j in _PARTS
    )  # fmt: skip


def _may_be_one_day_sql(a: str, b: str) -> str:
    """SQL: `may_be_one_day` for the columns `date` of two games."""
    parts = [
        (f"substr({a}.date, {i + 1}, {j - i})", f"substr({b}.date, {i + 1}, {j - i})")
        for i, j in _PARTS
    ]
    agree = " AND ".join(
        f"({x} = {y} OR starts_with({x}, '?') OR starts_with({y}, '?'))" for x, y in parts
    )
    return f"({a}.date IS NULL OR {b}.date IS NULL OR {a}.date = {b}.date OR {agree})"


def _agree(a: str, b: str, key: str, identities: Identities) -> str:
    """SQL: what equal keys do not prove by themselves: the same day, or the same players."""
    if key != "tricks_key":
        return _may_be_one_day_sql(a, b)
    return f"{_players(a, identities)} = {_players(b, identities)}"


def _agree_merged(a: str, b: str, key: str, identities: Identities) -> str:
    """SQL: whether two games agree without equal keys, for merged events and players."""
    event_a, event_b = identities.event_sql(f"{a}.event"), identities.event_sql(f"{b}.event")
    same = f"{event_a} = {event_b} AND lower({a}.round) = lower({b}.round) AND "
    same += f"{_may_be_one_day_sql(a, b)} AND "
    if key == "table_key":
        return same + f"lower({a}.tbl) = lower({b}.tbl)"
    known = f"len({_players(a, identities)}) = {a}.seats AND {a}.seats = {b}.seats"
    return same + f"{known} AND {_players(a, identities)} = {_players(b, identities)}"


def _joined(a: str, b: str, key: str, identities: Identities) -> list[str]:
    """SQL conditions; two games agree in what `key` stands for if one of them is true."""
    ways = [f"{a}.{key} = {b}.{key} AND {_agree(a, b, key, identities)}"]
    if key != "tricks_key" and identities.any_merged():
        ways.append(_agree_merged(a, b, key, identities))
    return ways


def find(cursor: DuckDBPyConnection, games: int, identities: Identities) -> Duplicates:
    """What the records of the table `batch`, with `games` games, may be versions of."""
    duplicates: Duplicates = {}
    merged = identities.any_merged()
    if games < FEW and not merged and not _any(cursor):
        stored: list[tuple[Any, ...]] = []
    else:
        stored = cursor.execute(
            " UNION ALL ".join(
                f"SELECT a.i, '{IN_COMMON[key]}', b.game, b.gid, b.revision, b.result <> 0 "
                f"FROM batch a JOIN games b ON {way}"
                for key in KEYS
                for way in _joined("a", "b", key, identities)
            )
        ).fetchall()
    # Within a batch, the earlier game counts.
    within = (
        cursor.execute(
            " UNION ALL ".join(
                f"SELECT a.i, '{IN_COMMON[key]}', -1 - b.i, b.gid, 1, b.result <> 0 FROM batch a "
                f"JOIN batch b ON {way} AND a.i > b.i"
                for key in KEYS
                for way in _joined("a", "b", key, identities)
            )
        ).fetchall()
        if games > 1
        else []
    )
    for place, common, game, gid, revision, finished in [*stored, *within]:
        here = duplicates.setdefault(place, {})
        here.setdefault(game, Duplicate(game, gid, revision, finished)).common.add(common)
    return duplicates


def _any(cursor: DuckDBPyConnection) -> bool:
    """Whether a stored game has a key of one in `batch`; a quick query, and usually false."""
    ways = []
    for key, listed in zip(
        KEYS,
        cursor.execute(f"SELECT {', '.join(f'list({key})' for key in KEYS)} FROM batch").fetchone()
        or (),
        strict=True,
    ):
        numbers = {number for number in listed or () if number is not None}
        if numbers:
            ways.append(f"{key} IN ({', '.join(map(str, numbers))})")
    if not ways:
        return False
    query = f"SELECT 1 FROM games WHERE {' OR '.join(ways)} LIMIT 1"
    return bool(cursor.execute(query).fetchall())


def pairs_of(
    cursor: DuckDBPyConnection, games: list[int], identities: Identities
) -> dict[tuple[int, int], int]:
    """Pairs of these games (by number) with games that seem the same, and the other game's id."""
    listed = ", ".join(map(str, games))
    rows = cursor.execute(
        " UNION ".join(
            f"SELECT a.game, b.game, b.gid FROM games a JOIN games b "
            f"ON {way} AND a.game <> b.game AND a.game IN ({listed})"
            for key in KEYS
            for way in _joined("a", "b", key, identities)
        )
    ).fetchall()
    return {(a, b): gid for a, b, gid in rows}


def goes_on(before: str, after: str) -> bool:
    """Whether a record continues that of an unfinished game.

    All tags must be unchanged, except those that a game gets at its end, and all tricks must still
    be there; a play may have gained the mark of the trick's winner.
    """
    tags, moves = _taken_apart(before)
    new_tags, new_moves = _taken_apart(after)
    if tags.pop("Result", UNFINISHED) != UNFINISHED or moves[-1:] != ["*"]:
        return False
    for name in ("Termination", "End"):
        tags.pop(name, None)
    return (
        all(new_tags.get(name) == value for name, value in tags.items())
        and new_moves != moves
        and len(new_moves) >= len(moves)
        and new_moves[: len(moves) - 1] == moves[:-1]
    )


def _taken_apart(record: str) -> tuple[dict[str, str], list[str]]:
    """The tags of a canonical record, and the words of its tricks without winner's marks."""
    head, _, body = composed(record).partition("\n\n")
    tags = dict(line[1:-1].partition(" ")[::2] for line in head.split("\n"))
    return tags, body.replace("+", "").split()


def pairs(database: Backend, identities: Identities, limit: int) -> list[t.DoubtfulPair]:
    """See `Archive.doubtful`."""
    rows = database.rows(
        "SELECT a, b, list_sort(list(DISTINCT common)) FROM ("
        + " UNION ALL ".join(
            f"SELECT a.gid AS a, b.gid AS b, a.game AS first, '{IN_COMMON[key]}' AS common "
            f"FROM games a JOIN games b ON {way} AND a.game < b.game"
            for key in KEYS
            for way in _joined("a", "b", key, identities)
        )
        + f") GROUP BY a, b, first ORDER BY first, b LIMIT {limit}"
    )
    return [
        t.DoubtfulPair(id=write_id(a), other=write_id(b), in_common=in_order(c)) for a, b, c in rows
    ]


def in_order(common: Iterable[t.InCommon]) -> list[t.InCommon]:
    """Sort what is in common, the most telling first."""
    return [name for name in IN_COMMON.values() if name in set(common)]
