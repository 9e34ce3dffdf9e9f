"""Which games a player or an event has, and what is asked about them, kept in memory by a server.

To find a player's games DuckDB reads four columns of all games, to count factions a table six times
as long, and planning each statement takes a millisecond.  `Index` keeps what these questions need:
50 bytes for each of at most a million games, and 200 for each player and event; and the rows of the
newest games (`kept_rows`).  It is read from the tables and follows them: new games are appended,
and games that were corrected or deleted are read again.  Whenever it is not up to date, or the
archive is larger, the tables are asked as ever.
"""

from __future__ import annotations

import sys
import threading
from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from functools import cache
from itertools import accumulate, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from claimlog.cards import FACTION_COUNT
from claimlog.store.model.codes import MARGIN, NONE
from claimlog.store.model.schema import SEATS
from claimlog.store.questions import kept_rows
from claimlog.store.questions.kept_rows import ROW_SQL, KeptRows, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from duckdb import DuckDBPyConnection

    from claimlog.store.backend import Backend

MOST: Final = 1_000_000
"""The largest number of a game in an archive with an index."""
MOST_NAMES: Final = 100_000
"""The largest number of players and events in such an archive."""
MOST_COUNTED: Final = 5000
"""Games that are counted here, 2 µs each with their factions; for more DuckDB takes no longer."""
FEW: Final = 200
"""New games that whoever asks a question reads first; more are read in the background."""
MOST_CHANGED: Final = 5000
"""Changed games; then everything is read again."""
CHUNK: Final = 50_000
"""Games read at a time."""

_OFFSET: Final = 0x10000
"""Numbers come from DuckDB as the characters of a text, which takes a tenth of the time of rows.

With this offset they are beyond the surrogates, which no text may hold.
"""
assert sys.maxunicode + 1 >= _OFFSET + (1 << FACTION_COUNT), "decks need more than a character"
_NONE: Final = 1
"""The character for no deck."""
_CODES: Final = 64
_MARGINS: Final = 256
_OUTCOME: Final = (
    f"{_OFFSET} + result + (seats::INTEGER << 8) + (leader::INTEGER << 11) "
    "+ (complete::INTEGER << 14) + ((tricks > 0)::INTEGER << 15)"
)
"""SQL: what counts of a game's result as one number, with the offset; see `Outcome`."""
_GAME: Final = (
    f"SELECT game, event, {', '.join(f'p{s}' for s in SEATS)}, "
    f"CASE WHEN complete THEN deck END, {_OUTCOME}, {ROW_SQL} FROM games WHERE "
)
_PACKED: Final = (
    f"{_OFFSET} + (faction::INTEGER * {_CODES} + code) * {_MARGINS} "
    f"+ coalesce(margin + {MARGIN}, {NONE})"
)
"""SQL: a row of `factions_won` as one number, with the offset."""
_FACTIONS: Final = f"SELECT game, {_PACKED} FROM factions_won WHERE "

_BETWEEN: Final = "game BETWEEN $1 AND $2"
_MANY_NAMES: Final = (
    f"SELECT kind, key, string_agg(chr({_OFFSET} + game), '') FROM ("
    + " UNION ALL ".join(
        f"SELECT '{column[0]}' AS kind, {column} AS key, game FROM games WHERE {_BETWEEN}{once}"
        for column, once in (
            ("event", ""),
            # Nobody is counted twice in a game.
            *(
                (f"p{s}", "".join(f" AND p{s} IS DISTINCT FROM p{i}" for i in SEATS if i < s))
                for s in SEATS
            ),
        )
    )
    + ") WHERE key IS NOT NULL GROUP BY kind, key"
)
_MANY_GAMES: Final = (
    f"SELECT string_agg(chr(coalesce({_OFFSET} + deck, {_NONE})), '' ORDER BY game), "
    f"string_agg(chr(coalesce(outcome, {_NONE})), '' ORDER BY game), "
    "string_agg(chr(coalesce(number, 0) + 1), '' ORDER BY game), "
    "string_agg(packed, '' ORDER BY game) FROM (SELECT unnest(range($1, $2 + 1)) AS game) "
    f"LEFT JOIN (SELECT game, CASE WHEN complete THEN deck END AS deck, {_OUTCOME} AS outcome "
    f"FROM games WHERE {_BETWEEN}) USING (game) "
    "LEFT JOIN (SELECT game, count(*)::INTEGER AS number, "
    f"string_agg(chr({_PACKED}), '') AS packed FROM factions_won WHERE {_BETWEEN} "
    "GROUP BY game) USING (game)"
)
"""SQL: of each number, whether there is such a game or not, the deck, the outcome, one more than
the number of rows in `factions_won`, and these."""
_MANY_ROWS: Final = f"SELECT game, {ROW_SQL} FROM games WHERE {_BETWEEN}"


def _characters(text: str | None) -> array[int]:
    """The numbers of the characters of a text."""
    numbers = array("I")
    numbers.frombytes((text or "").encode(f"utf-32-{'le' if sys.byteorder == 'little' else 'be'}"))
    return numbers


@cache
def _unpacked(packed: int) -> tuple[tuple[int, int], int | None]:
    """Faction, code and margin of a row."""
    rest, margin = divmod(packed - _OFFSET, _MARGINS)
    return divmod(rest, _CODES), None if margin == NONE else margin - MARGIN


class Outcome(NamedTuple):
    """What counts of a game's result; `led` says whether it has a trick."""

    result: int
    seats: int
    leader: int
    complete: bool
    led: bool


@cache
def _outcome(packed: int) -> Outcome:
    number = packed - _OFFSET
    return Outcome(
        result=number & 255,
        seats=number >> 8 & 7,
        leader=number >> 11 & 7,
        complete=bool(number >> 14 & 1),
        led=bool(number >> 15 & 1),
    )


class _Game(NamedTuple):
    """The rows of a game; a deck of `_NONE` if it is not complete."""

    event: int | None
    players: frozenset[int]
    deck: int
    outcome: int
    row: str
    factions: Sequence[int]


_GONE: Final = _Game(None, frozenset(), _NONE, _NONE, "", ())


class Kept:
    """What is kept of the games up to number `top`, as of a version of the archive."""

    def __init__(self) -> None:
        self.read: tuple[Any, ...] = ()
        """What the backend counted (`_counted`) before these games were read."""
        self.top = 0
        self._names: dict[str, defaultdict[int, array[int]]] = {
            kind: defaultdict(lambda: array("I")) for kind in "pe"
        }
        """The games of each player ("p") and event ("e"), by its number."""
        self._decks = array("I", [_NONE])
        """By game, with the offset; `_NONE` if it is not complete."""
        self._outcomes = array("I", [_NONE])
        """By game, with the offset."""
        self._factions = array("I")
        """The factions of all games; those of game g begin at `_starts[g]`, end at the next."""
        self._starts = array("I", [0, 0])
        self.changed: dict[int, _Game] = {}
        self._rows = KeptRows(1)

    @property
    def names(self) -> int:
        """The number of players and events."""
        return sum(map(len, self._names.values()))

    # Answers -----------------------------------------------------------------------------

    def games(self, players: set[int] | None, events: set[int] | None) -> Sequence[int]:
        """The numbers, ascending, of the games of one of these players and one of these events."""
        top, changed = self.top, self.changed
        found: set[int] | None = None
        for those, by in ((players, self._names["p"]), (events, self._names["e"])):
            if those is None:
                continue
            lists = [by[number] for number in those if number in by]
            if len(lists) == 1 and not changed and (players is None or events is None):
                return lists[0][: bisect_right(lists[0], top)]
            games = set().union(*lists)
            found = games if found is None else found & games
        numbers = {game for game in found or () if game <= top and game not in changed}
        for game, one in changed.items():
            if (players is None or not players.isdisjoint(one.players)) and (
                events is None or one.event in events
            ):
                numbers.add(game)
        return sorted(numbers)

    def factions(self, games: Sequence[int]) -> list[tuple[Any, ...]]:
        """Decks and factions of the complete ones of these games; see `Games.factions`."""
        changed, starts = self.changed, self._starts
        decks: list[int] = []
        rows: list[int] = []
        for game in games:
            if game in changed:
                deck, factions = changed[game].deck, changed[game].factions
            else:
                deck, factions = self._decks[game], self._factions[starts[game] : starts[game + 1]]
            if deck != _NONE:
                decks.append(deck - _OFFSET)
                rows += factions
        numbers: Counter[tuple[int, int]] = Counter()
        margins: dict[tuple[int, int], int] = {}
        for packed, number in Counter(rows).items():
            key, margin = _unpacked(packed)
            numbers[key] += number
            if margin is not None:
                margins[key] = margins.get(key, 0) + margin * number
        return [
            *((None, deck, number, None) for deck, number in Counter(decks).items()),
            *((*key, number, margins.get(key)) for key, number in numbers.items()),
        ]

    def outcomes(self, games: Sequence[int]) -> Counter[Outcome]:
        """How many of these games have which outcome."""
        changed, outcomes = self.changed, self._outcomes
        packed = Counter(
            changed[game].outcome if game in changed else outcomes[game] for game in games
        )
        return Counter({_outcome(one): number for one, number in packed.items()})

    def row(self, game: int) -> list[Any] | None:
        """A game's values, see `kept_rows.unpacked`; None if it is too old or deleted."""
        changed = self.changed.get(game)
        if changed is not None:
            return unpacked(changed.row) if changed.row else None
        return self._rows.get(game)

    # Reading -----------------------------------------------------------------------------

    def add_many(self, cursor: DuckDBPyConnection, last: int) -> None:
        """Add the games after `top` up to `last`, of which there may be many."""
        for first in range(self.top + 1, last + 1, CHUNK):
            bounds = [first, min(first + CHUNK - 1, last)]
            names = cursor.execute(_MANY_NAMES, bounds).fetchall()
            (texts,) = cursor.execute(_MANY_GAMES, bounds).fetchall()
            decks, outcomes, lengths, factions = map(_characters, texts)
            self._add(decks, outcomes, [length - 1 for length in lengths], factions)
            oldest = last - kept_rows.MOST + 1
            if oldest > self._rows.first + len(self._rows):
                self._rows = KeptRows(oldest)
            bounds[0] = max(first, oldest)
            self._add_rows(dict(cursor.execute(_MANY_ROWS, bounds).fetchall()), bounds[1])
            for kind, key, text in names:
                games = [game - _OFFSET for game in sorted(_characters(text))]
                self._names[kind][key].extend(games)
            self.top = bounds[1]

    def add_few(self, cursor: DuckDBPyConnection, last: int) -> None:
        """Add the games after `top` up to `last`, of which there are few."""
        new = _few(cursor, "game BETWEEN ? AND ?", [self.top + 1, last])
        games = [new.get(game, _GONE) for game in range(self.top + 1, last + 1)]
        self._add(
            [game.deck for game in games],
            [game.outcome for game in games],
            [len(game.factions) for game in games],
            [packed for game in games for packed in game.factions],
        )
        self._add_rows({number: game.row for number, game in new.items()}, last)
        for number, game in new.items():
            for player in game.players:
                self._names["p"][player].append(number)
            if game.event is not None:
                self._names["e"][game.event].append(number)
        self.top = last

    def _add(
        self,
        decks: Iterable[int],
        outcomes: Iterable[int],
        lengths: Iterable[int],
        factions: Iterable[int],
    ) -> None:
        """Add games, each with a deck and so many factions, which nobody sees before `top`."""
        self._decks.extend(decks)
        self._outcomes.extend(outcomes)
        self._factions.extend(factions)
        self._starts.extend(islice(accumulate(lengths, initial=self._starts[-1]), 1, None))

    def _add_rows(self, rows: dict[int, str], last: int) -> None:
        """Add the rows of the next games, up to number `last`."""
        self._rows.add(rows, last)
        if len(self._rows) > 2 * kept_rows.MOST:
            self._rows = self._rows.newest()

    def read_again(self, cursor: DuckDBPyConnection, games: set[int]) -> None:
        """Read games again whose rows have changed."""
        rows = _few(cursor, "game IN (SELECT unnest(?::INTEGER[]))", [sorted(games)])
        self.changed = self.changed | {game: rows.get(game, _GONE) for game in games}


def _few(cursor: DuckDBPyConnection, which: str, parameters: list[Any]) -> dict[int, _Game]:
    """The games that meet a condition, in ascending order."""
    factions: defaultdict[int, list[int]] = defaultdict(list)
    for game, packed in cursor.execute(_FACTIONS + which, parameters).fetchall():
        factions[game].append(packed)
    # Sorted here: for so few DuckDB takes longer to plan it.
    rows = sorted(cursor.execute(_GAME + which, parameters).fetchall(), key=itemgetter(0))
    return {
        game: _Game(
            event,
            frozenset(who) - {None},
            _NONE if deck is None else _OFFSET + deck,
            outcome,
            row,
            factions[game],
        )
        for game, event, *who, deck, outcome, row in rows
    }


class Index:
    """Keeps the index of an archive up to date, for any number of threads."""

    def __init__(self, database: Backend) -> None:
        self.database = database
        self.wanted = False
        """Whether somebody has asked for what only `prepare` can read."""
        self._kept: Kept | None = None
        self._too_large = False
        self._lock = threading.Lock()
        """Held while games are read."""

    @property
    def behind(self) -> bool:
        """Whether something was read, and the tables have changed since."""
        kept = self._kept
        return kept is not None and kept.read != self._counted()

    def current(self, *, follow: bool = True) -> Kept | None:
        """What is kept, if up to date; with `follow` it may be made so by reading few games."""
        if self.database.version is None or self._too_large:
            return None
        kept = self._kept
        if kept is None:
            self.wanted = True
            return None
        self.database.settle()
        if kept.read == self._counted():
            return kept
        if not follow or not self._lock.acquire(blocking=False):
            return None
        try:
            followed = self._follow(kept)
            self.wanted = not followed and not self._too_large
        finally:
            self._lock.release()
        return kept if followed else None

    def prepare(self) -> None:
        """Read all that is new, or everything; not while this thread writes."""
        self.wanted = False
        if self.database.version is None:
            return
        self.database.settle()
        with self._lock:
            kept = self._kept
            if kept is None or (kept.read != self._counted() and not self._follow(kept, many=True)):
                kept = Kept()
                self._kept = kept if self._follow(kept, many=True) else None

    def _counted(self) -> tuple[Any, ...]:
        """What the backend counts; it changes whenever a row of a game does."""
        return self.database.version, self.database.made

    def _follow(self, kept: Kept, *, many: bool = False) -> bool:
        """Read what has changed; return False if that is more than a few games, unless `many`."""
        counted = self._counted()
        changed: set[int] | None = set()
        if kept.read:
            changed = self.database.changed_since(kept.read[0])
            if changed is None or len(kept.changed.keys() | changed) > MOST_CHANGED:
                self._kept = None
                return False
        with self.database.snapshot() as cursor:
            ((last,),) = cursor.execute("SELECT coalesce(max(game), 0) FROM games").fetchall()
            if last > MOST:
                self._kept, self._too_large = None, True
                return False
            if last - kept.top > FEW:
                if not many:
                    return False
                kept.add_many(cursor, last)
            elif last > kept.top:
                kept.add_few(cursor, last)
            if changed:
                kept.read_again(cursor, changed)
        if kept.names > MOST_NAMES:
            self._kept, self._too_large = None, True
            return False
        kept.read = counted
        return True
