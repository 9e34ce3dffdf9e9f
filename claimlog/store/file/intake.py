"""Store games in the file: batches of rows go into the tables, several per transaction."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from claimlog.store.backend import Known, now
from claimlog.store.file.database import FEW, Database, find_digests_of
from claimlog.store.intake.derived import (
    GAME_COLUMNS,
    ROWS,
    STAGED_COLUMNS,
    insert_games,
    insert_names,
)
from claimlog.store.intake.duplicates import find as find_duplicates
from claimlog.store.intake.duplicates import pairs_of
from claimlog.store.intake.storing import (
    Doubt,
    Load,
    Revised,
    Sifted,
    Storing,
    TakeBackError,
    check_legal,
    check_no_duplicate,
    corrected,
    corrections,
    expect,
    follows,
    in_doubt,
    refused,
    unfinished,
    wanted,
)
from claimlog.store.ledger import chain
from claimlog.store.ledger.records import find_head
from claimlog.store.model import schema
from claimlog.store.model import types as t
from claimlog.store.model.errors import (
    Conflict,
    Declined,
    GameDeleted,
    refuse_null,
)
from claimlog.store.model.ids import write_id
from claimlog.store.model.types import Outcome, Revision

if TYPE_CHECKING:
    from datetime import datetime

    from duckdb import DuckDBPyConnection

    from claimlog.store.backend import LedgerCursor
    from claimlog.store.ledger.identities import Identities


_ENTERED: Final = "game, gid, revision, key, digest, stored_at, who, why, source, deleted, record"
"""The columns of `records`, except those of the chain."""

FACTS: Final = (
    *("key", "event", "event_name", "date", "round", "tbl", "seats", "result", *schema.KEYS),
    *(f"{name}{seat}" for seat in schema.SEATS for name in ("p", "n", "i")),
)
"""The columns queried of many games before they are stored."""


class Intake(Storing):
    """Stores games in the file."""

    def __init__(self, database: Database, identities: Identities) -> None:
        super().__init__(database, identities)
        self.database = database
        self._next = 0
        self._last: datetime | None = None

    def _commit(self, load: Load, by: str, source: str, doubtful: t.Doubtful) -> Sifted:
        """Store a load; return the result of sifting it."""
        digests = sum(1 for entry in load.entries if entry.digest)
        if not digests:
            return Sifted()
        with self.database.transaction() as cursor:
            self.database.touch(())
            query, files = load.read_games(FACTS)
            cursor.execute(f"CREATE OR REPLACE TEMP TABLE batch AS {query}", files)
            sifted = self._sift(cursor, load.entries)
            if len(sifted.skip) < digests:
                self._keep_new(cursor, load, sifted, by, source, doubtful)
        return sifted

    def _known(self, cursor: LedgerCursor, digests: list[bytes]) -> dict[bytes, Known]:
        if len(digests) < FEW:
            return super()._known(cursor, digests)
        return find_digests_of(cursor, "batch")

    def moment(self, cursor: DuckDBPyConnection) -> datetime:
        """The current time, but not before the last stored one: clocks are sometimes set back."""
        if self._last is None:
            row = cursor.execute("SELECT max(stored_at) FROM records").fetchone()
            self._last = row[0] if row is not None else None
        moment = now()
        if self._last is not None:
            moment = max(moment, self._last)
        self._last = moment
        return moment

    def number(self, cursor: DuckDBPyConnection) -> int:
        """The first free game number."""
        if not self._next:
            row = cursor.execute("SELECT coalesce(max(game), 0) + 1 FROM records").fetchone()
            assert row is not None
            self._next = int(row[0])
        return self._next

    def mark(self, cursor: DuckDBPyConnection) -> int:
        """The mark of revisions that are stored now."""
        return chain.mark_after(self.database.last_link(cursor))

    def took(self, free: int) -> None:
        """Note that game numbers were used; `free` is now the first free one."""
        self._next = free

    def _keep_new(
        self,
        cursor: DuckDBPyConnection,
        load: Load,
        sifted: Sifted,
        by: str,
        source: str,
        doubtful: t.Doubtful,
    ) -> None:
        """Store the new games of a load, as games of their own or as revisions of others."""
        moment = self.moment(cursor)
        base = self.number(cursor)
        _leave_out(cursor, sifted.skip)
        for i, gid in sifted.other.items():
            cursor.execute("UPDATE batch SET gid = ? WHERE i = ?", [gid, i])
        if doubtful != "beside":
            duplicates = find_duplicates(
                cursor, len(load.entries) - len(sifted.skip), self.identities
            )
            if duplicates:
                self._weigh(
                    sifted,
                    duplicates,
                    doubtful,
                    lambda place: base + place,
                    _texts(cursor, load, wanted(duplicates)),
                    _stored(cursor, unfinished(duplicates)),
                )
                query, files = load.read_games()
                cursor.execute(
                    f"CREATE OR REPLACE TEMP TABLE held AS SELECT * FROM ({query}) WHERE i IN "
                    "(SELECT unnest(?::INTEGER[]))",
                    [*files, list(sifted.revised)],
                )
                apart = {*sifted.revised, *sifted.doubts}
                _leave_out(cursor, apart)
                sifted.skip |= apart
        self._insert(cursor, load, base, sifted, moment, by, source)
        revisions: dict[int, dict[int, Revised]] = defaultdict(dict)
        for i, revised in sifted.revised.items():
            revisions[revised.revision][i] = revised
        for _, some in sorted(revisions.items()):
            self._revise(cursor, load, "held", some, moment, by, source)
        self.took(base + len(load.entries))

    def _insert(
        self,
        cursor: DuckDBPyConnection,
        load: Load,
        base: int,
        sifted: Sifted,
        moment: datetime,
        by: str,
        source: str,
    ) -> None:
        """Insert the rows of the load's games, except those to be skipped."""
        some = bool(sifted.skip)
        number = f"{base} + {{place}}"
        gid = "key"
        if sifted.other:
            others = " ".join(f"WHEN {i} THEN {other}" for i, other in sifted.other.items())
            gid = f"CASE {{place}} {others} ELSE key END"
        head = f"{number}, {gid}, 1"
        query, files = load.read_rows(
            "key, digest, ?, ?, '', ?, false, record", "games", head, some
        )
        self._insert_records(cursor, query, [moment, by, source, *files])
        query, files = load.read_rows(f"digest, ?, {STAGED_COLUMNS}", "games", head, some)
        cursor.execute(f"INSERT INTO games {query}", [moment, *files])
        insert_names(cursor)
        for table, columns, part in ROWS:
            query, files = load.read_rows(columns, part, number, some)
            cursor.execute(f"INSERT INTO {table} {query}", files)

    def _insert_records(
        self, cursor: DuckDBPyConnection, query: str, parameters: list[Any]
    ) -> None:
        """Insert revisions; `query` selects their columns."""
        cursor.execute(
            f"INSERT INTO records SELECT *, {self.mark(cursor)}, {chain.DUCKDB.checksum} "
            f"FROM ({query}) entered ({_ENTERED})",
            parameters,
        )

    def _revise(
        self,
        cursor: DuckDBPyConnection,
        load: Load,
        table: str,
        revised: dict[int, Revised],
        moment: datetime,
        by: str,
        source: str,
    ) -> None:
        """Store games of a load, in `table`, as revisions of other games, by their place."""
        cursor.execute(
            "CREATE OR REPLACE TEMP TABLE revised AS SELECT unnest(?::INTEGER[]) AS i, "
            "unnest(?::INTEGER[]) AS game, unnest(?::UBIGINT[]) AS gid, "
            "unnest(?::SMALLINT[]) AS revision, unnest(?::VARCHAR[]) AS why",
            [
                list(revised),
                [it.game for it in revised.values()],
                [it.gid for it in revised.values()],
                [it.revision for it in revised.values()],
                [it.why for it in revised.values()],
            ],
        )
        self._retire(cursor, [it.game for it in revised.values()], moment)
        self._insert_records(
            cursor,
            "SELECT revised.game, revised.gid, revised.revision, key, digest, ?, ?, revised.why, "
            f"?, false, record FROM {table} batch JOIN revised USING (i)",
            [moment, by, source],
        )
        insert_games(
            cursor,
            "revised.game, revised.gid, revised.revision, digest, ?",
            [moment],
            f"{table} JOIN revised USING (i)",
        )
        insert_names(cursor, f"{table} JOIN revised USING (i)", "revised.game")
        numbers = {i: it.game for i, it in revised.items()}
        for name, columns, part in ROWS:
            query, files = load.read_some_rows(columns, part, numbers)
            cursor.execute(f"INSERT INTO {name} {query}", files)

    def _correct(
        self, id: str, load: Load, by: str, why: str, expected: int | None, beside: bool
    ) -> Outcome:
        entry = load.entries[0]
        with self.database.transaction() as cursor:
            self.database.touch(())
            head = find_head(self.database, cursor, id)
            if head.deleted:
                raise GameDeleted("game.deleted", id=id)
            expect(head, expected)
            if not entry.digest:
                return refused(entry, 1)
            same = self.database.find_digests(cursor, [entry.digest])
            was = same.get(entry.digest)
            if was is not None and was.game != head.game:
                raise Conflict("game.same-record", id=write_id(was.gid))
            row = cursor.execute(
                "SELECT digest FROM records WHERE game = ? AND revision = ?",
                [head.game, head.revision],
            ).fetchone()
            assert row is not None
            unchanged = bytes(row[0]) == entry.digest
            if not unchanged:
                doubt = self._replace(cursor, load, head, by, why, beside)
                if doubt is not None:
                    return in_doubt(entry, 1, doubt)
        return corrected(entry, head, unchanged)

    def _correct_games(
        self,
        load: Load,
        changes: list[tuple[int, int, int, str, list[t.TagChange]]],
        by: str,
        why: str,
        dry_run: bool,
        beside: bool,
    ) -> list[t.Correction]:
        """Store the corrected records, unless this is a dry run or something is refused."""
        assert len(load.entries) == len(changes)
        lines: list[t.Correction] = []
        with contextlib.suppress(TakeBackError), self.database.transaction() as cursor:
            self.database.touch(())
            numbers = [game for game, *_ in changes]
            current = dict(
                cursor.execute(
                    "SELECT game, revision FROM games WHERE game IN (SELECT unnest(?::INTEGER[]))",
                    [numbers],
                ).fetchall()
            )
            if current != {game: revision for game, _, revision, *_ in changes}:
                raise Declined("correction.changed-meanwhile")
            before = pairs_of(cursor, numbers, self.identities)
            query, files = load.read_games()
            cursor.execute(f"CREATE OR REPLACE TEMP TABLE batch AS {query}", files)
            taken = {
                digest: was.gid if was.game >= 0 else 0
                for digest, was in self.database.find_digests(
                    cursor, [entry.digest for entry in load.entries if entry.digest]
                ).items()
            }
            revised = {}
            others: dict[int, int] = {}
            for i, (game, gid, revision, _, _) in enumerate(changes):
                digest = load.entries[i].digest
                if not digest:
                    continue
                if taken.setdefault(digest, gid) != gid:
                    others[i] = taken[digest]
                else:
                    revised[i] = Revised(game, gid, revision + 1, why)
            if revised:
                self._revise(cursor, load, "batch", revised, self.moment(cursor), by, "")
            after = {} if beside else pairs_of(cursor, numbers, self.identities)
            doubts = {one: gid for (one, two), gid in after.items() if (one, two) not in before}
            lines = corrections(load, changes, others, doubts)
            if dry_run or any(line.status != "corrected" for line in lines):
                raise TakeBackError
        return lines

    def _replace(
        self,
        cursor: DuckDBPyConnection,
        load: Load,
        head: Known,
        by: str,
        why: str,
        beside: bool,
    ) -> Doubt | None:
        """Replace game `head` with the one game of a load, as a new revision.

        Unless `beside`, does nothing and returns the doubt if the record seems to be a version of
        yet another game and the current one does not.
        """
        query, files = load.read_games()
        cursor.execute(f"CREATE OR REPLACE TEMP TABLE batch AS {query}", files)
        if not beside:
            duplicates = find_duplicates(cursor, 1, self.identities).get(0, {})
            duplicates.pop(head.game, None)
            if duplicates:
                cursor.execute(
                    "CREATE OR REPLACE TEMP TABLE batch AS SELECT 0 AS i, * EXCLUDE (game) "
                    "FROM games WHERE game = ?",
                    [head.game],
                )
                for game in find_duplicates(cursor, 1, self.identities).get(0, {}):
                    duplicates.pop(game, None)
                cursor.execute(f"CREATE OR REPLACE TEMP TABLE batch AS {query}", files)
            if duplicates:
                text = cursor.execute("SELECT record FROM batch").fetchone()
                assert text is not None
                return Doubt(list(duplicates.values()), text[0])
        revised = {0: Revised(head.game, head.gid, head.revision + 1, why)}
        self._revise(cursor, load, "batch", revised, self.moment(cursor), by, "")
        return None

    def _retire(self, cursor: DuckDBPyConnection, games: list[int], moment: datetime) -> None:
        """Remove the current rows of games from the derived tables, keeping a summary."""
        self.database.touch(games)
        those = f"game = {games[0]}" if len(games) == 1 else "game IN (SELECT unnest(?::INTEGER[]))"
        which = [] if len(games) == 1 else [games]
        cursor.execute(
            "INSERT INTO games_before SELECT game, gid, revision, digest, stored_at, ?, "
            f"{GAME_COLUMNS} FROM games WHERE {those}",
            [moment, *which],
        )
        for table in ("games", "tricks", "factions_won"):
            cursor.execute(f"DELETE FROM {table} WHERE {those}", which)

    def delete(self, id: str, by: str, why: str, expected: int | None) -> Revision:
        """See `Archive.delete`."""
        refuse_null(by=by, why=why)
        with self.database.transaction() as cursor:
            head = find_head(self.database, cursor, id)
            if head.deleted:
                raise GameDeleted("game.deleted-already", id=id)
            expect(head, expected)
            moment = self.moment(cursor)
            self._retire(cursor, [head.game], moment)
            self._insert_records(
                cursor,
                "SELECT ?::INTEGER, ?::UBIGINT, ?::SMALLINT, NULL::UBIGINT, NULL::BLOB, ?, ?, ?, "
                "'', true, NULL",
                [head.game, head.gid, head.revision + 1, moment, by, why],
            )
        return follows(head, b"", moment, by, why)

    def undelete(self, id: str, by: str, why: str, beside: bool) -> Revision:
        """See `Archive.undelete`."""
        refuse_null(by=by, why=why)
        with self.database.write() as cursor:
            head = find_head(self.database, cursor, id)
            row = cursor.execute(
                "SELECT record FROM records WHERE game = ? AND revision = ?",
                [head.game, head.revision - 1],
            ).fetchone()
            if not head.deleted or row is None:
                raise Declined("game.not-deleted", id=id)
            load = self._one(row[0])
            try:
                check_legal(id, load.entries[0])
                with self.database.transaction() as cursor:
                    check_no_duplicate(self._replace(cursor, load, head, by, why, beside))
            finally:
                load.discard()
            row = cursor.execute(
                "SELECT stored_at FROM records WHERE game = ? ORDER BY revision DESC LIMIT 1",
                [head.game],
            ).fetchone()
            assert row is not None
        return follows(head, load.entries[0].digest, row[0], by, why)


def _texts(cursor: DuckDBPyConnection, load: Load, places: set[int]) -> dict[int, str]:
    """The records of a load, by place."""
    query, files = load.read_games(["record"])
    return dict(
        cursor.execute(
            f"SELECT i, record FROM ({query}) WHERE i IN (SELECT unnest(?::INTEGER[]))",
            [*files, list(places)],
        ).fetchall()
    )


def _stored(cursor: DuckDBPyConnection, games: set[int]) -> dict[int, str]:
    """The records of stored games, by number."""
    return dict(
        cursor.execute(
            "SELECT game, record FROM records JOIN games USING (game, revision) "
            "WHERE game IN (SELECT unnest(?::INTEGER[]))",
            [list(games)],
        ).fetchall()
    )


def _leave_out(cursor: DuckDBPyConnection, places: set[int]) -> None:
    """Remove games from the table `batch`."""
    if places:
        cursor.execute("DELETE FROM batch WHERE i IN (SELECT unnest(?::INTEGER[]))", [list(places)])
