"""Store records in PostgreSQL, with the data that later ones are compared with; no tables."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, TypeVar

from claimlog.store.backend import Known
from claimlog.store.intake.duplicates import IN_COMMON, Duplicate, Duplicates, may_be_one_day
from claimlog.store.intake.storing import (
    ATTEMPTS,
    BESIDE_OTHERS,
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
    outcomes,
    refused,
    unfinished,
    wanted,
)
from claimlog.store.ledger.chain import checksum_of
from claimlog.store.ledger.records import find_head
from claimlog.store.model import schema
from claimlog.store.model import types as t
from claimlog.store.model.errors import (
    Conflict,
    Declined,
    GameDeleted,
    Overtaken,
    refuse_null,
)
from claimlog.store.model.ids import write_id
from claimlog.store.model.types import Outcome, Revision

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from claimlog.store.intake.batch import Entry
    from claimlog.store.ledger.identities import Identities
    from claimlog.store.postgres.backend import PostgresBackend
    from claimlog.store.postgres.block_rows import BlockRows
    from claimlog.store.postgres.connection import Cursor

T = TypeVar("T")

Source = str | list[str]
"""The sources of a load's games: one for all, or one each."""

SINGLE: Final = 8
"""The largest number of games stored beside other writers; more lock the others out."""

_FACTS: Final = (
    "game, gid, revision, finished, event, date, round, tbl, seats, players, "
    "table_key, players_key, tricks_key"
)


@dataclass(slots=True)
class Facts:
    """What decides whether two games seem to be the same; `place` is the place in a load."""

    game: int
    gid: int
    revision: int
    finished: bool
    event: int | None
    date: str | None
    round: str | None
    tbl: str | None
    seats: int
    players: list[int]
    keys: tuple[int | None, int | None, int | None]
    digest: bytes = b""
    record: str = ""
    place: int = 0
    common: set[t.InCommon] = field(default_factory=set)


def _staged(load: Load) -> list[Facts]:
    """The legal games of a load."""
    return [_of_values(row, load.entries[place], place) for place, row in load.values]


def _known(row: tuple[Any, ...]) -> Facts:
    """A stored game, from a row of `_FACTS`."""
    game, gid, revision, finished, event, date, round, tbl, seats, players, *keys = row
    table_key, players_key, tricks_key = keys
    return Facts(
        game, gid, revision, finished, event, date, round, tbl, seats, players,
        (table_key, players_key, tricks_key),
    )  # fmt: skip


def _of_values(row: dict[str, Any], entry: Entry, place: int) -> Facts:
    return Facts(
        game=-1 - place,
        gid=row["key"],
        revision=1,
        finished=bool(row["result"]),
        event=row["event"],
        date=row["date"],
        round=row["round"],
        tbl=row["tbl"],
        seats=row["seats"],
        players=[row[f"p{seat}"] for seat in schema.SEATS if row[f"p{seat}"] is not None],
        keys=(row["table_key"], row["players_key"], row["tricks_key"]),
        digest=entry.digest,
        record=row["record"],
        place=place,
    )


class PostgresIntake(Storing):
    """The writing side of an archive in PostgreSQL."""

    alone = BESIDE_OTHERS  # other nodes may write at any time
    needs_values = (
        *("i", "key", "result", "event", "date", "round", "tbl", "seats", "record", *schema.KEYS),
        *(f"p{seat}" for seat in schema.SEATS),
    )

    backend: PostgresBackend

    def __init__(self, backend: PostgresBackend, identities: Identities) -> None:
        super().__init__(backend, identities)

    def prepare(self) -> None:
        """See `Archive.prepare_to_store`: PostgreSQL has indexes."""

    def _tried(self, work: Callable[[], T]) -> T:
        """Call a function, retrying if somebody else was faster."""
        for _ in range(ATTEMPTS - 1):
            try:
                return work()
            except Overtaken:
                continue
        return work()

    def _keys(self, facts: list[Facts]) -> set[int] | None:
        """The keys to lock against other writers; None to lock out all of them."""
        if len(facts) > SINGLE:
            return None
        keys = {key for one in facts for key in (one.gid, *one.keys) if key is not None}
        for one in facts:
            if one.event is not None and one.round is not None and self._merged(one):
                # Lock out games of the same event and round, under any name of the event.
                place = f"{self.identities.event_root(one.event)} {one.round.lower()}"
                keys.add(int.from_bytes(blake2b(place.encode(), digest_size=8).digest(), "big"))
        return keys

    def _merged(self, one: Facts) -> bool:
        """Whether its event or a player has other names, so that the keys are not enough."""
        return not self.identities.involved().isdisjoint([one.event, *one.players])

    # New games ---------------------------------------------------------------------------

    def _commit(self, load: Load, by: str, source: str, doubtful: t.Doubtful) -> Sifted:
        if not any(entry.digest for entry in load.entries):
            return Sifted()
        facts = _staged(load)
        return self._tried(lambda: self._keep_new(load, facts, by, source, doubtful))

    def _keep_new(
        self, load: Load, facts: list[Facts], by: str, source: str, doubtful: t.Doubtful
    ) -> Sifted:
        with self.backend.transaction(self._keys(facts)) as cursor:
            return self._keep_in(cursor, load, facts, by, source, doubtful)

    def store_block(
        self, load: Load, rows: BlockRows, by: str, source: Source, doubtful: t.Doubtful
    ) -> list[Outcome]:
        """Store many games, and have their rows written to files for the lake.

        The rows of tricks and factions are written before other writers are locked out.
        """
        facts = _staged(load)
        with self.backend.ledger() as cursor:
            known = self._sift(cursor, load.entries).skip
            new = [one.place for one in facts if one.place not in known]
            rows.begin(dict(zip(new, self._numbers(cursor, len(new)), strict=True)))
        with self.backend.transaction(None) as cursor:
            stored = outcomes(
                load, 1, self._keep_in(cursor, load, facts, by, source, doubtful, rows)
            )
            rows.note(cursor, stored)
        return stored

    def _keep_in(
        self,
        cursor: Cursor,
        load: Load,
        facts: list[Facts],
        by: str,
        source: Source,
        doubtful: t.Doubtful,
        files: BlockRows | None = None,
    ) -> Sifted:
        """Store what is new of a load; a block's new rows go to `files`."""
        sifted = self._sift(cursor, load.entries)
        new = {one.place: one for one in facts if one.place not in sifted.skip}
        if not new:
            return sifted
        if files is not None:
            numbers = files.numbers
        else:
            numbers = dict(zip(new, self._numbers(cursor, len(new)), strict=True))
        if doubtful != "beside" and (duplicates := self._twins(cursor, list(new.values()))):
            texts = {place: new[place].record for place in wanted(duplicates)}
            stored = self._texts(cursor, unfinished(duplicates))
            self._weigh(sifted, duplicates, doubtful, numbers.__getitem__, texts, stored)
        sifted.skip |= {*sifted.revised, *sifted.doubts}
        moment = self._moment(cursor)
        rows = []
        for place, one in new.items():
            if place not in sifted.skip:
                revised = Revised(numbers[place], sifted.gid(place, one.digest), 1, "")
                rows.append((one, revised))
        self._insert(cursor, rows, moment, by, source)
        later = sorted(sifted.revised.items(), key=lambda item: item[1].revision)
        for place, revised in later:
            self._revise(cursor, new[place], revised, moment, by, source)
        # If games are replaced, the indexer takes everything from the records.
        if files is not None and rows and not later:
            files.end([(one.place, it.game, it.gid, one.digest) for one, it in rows], moment)
        return sifted

    def _numbers(self, cursor: Cursor, number: int) -> list[int]:
        rows = cursor.execute(
            "SELECT nextval('numbers') FROM generate_series(1, ?)", [number]
        ).fetchall()
        return [row[0] for row in rows]

    def _moment(self, cursor: Cursor) -> datetime:
        """The current time by PostgreSQL's clock, which is one for all nodes."""
        row = cursor.execute("SELECT clock_timestamp() AT TIME ZONE 'UTC'").fetchone()
        moment: datetime = row[0]
        return moment

    def _insert(
        self,
        cursor: Cursor,
        rows: list[tuple[Facts, Revised]],
        moment: datetime,
        by: str,
        source: Source,
    ) -> None:
        """Insert new games."""
        cursor.copy("digests", "digest, gid", ((one.digest, it.gid) for one, it in rows))
        cursor.copy("heads", f"deleted, {_FACTS}", (_head(one, it) for one, it in rows))
        cursor.copy(
            "records",
            _RECORD,
            (_record(one, it, moment, by, source) for one, it in rows),
        )

    def _revise(
        self, cursor: Cursor, one: Facts, it: Revised, moment: datetime, by: str, source: Source
    ) -> None:
        """Replace a game's record."""
        cursor.execute(
            "INSERT INTO digests VALUES (?, ?) ON CONFLICT DO NOTHING", [one.digest, it.gid]
        )
        cursor.execute("DELETE FROM heads WHERE gid = ?", [it.gid])
        cursor.copy("heads", f"deleted, {_FACTS}", iter([_head(one, it)]))
        cursor.copy("records", _RECORD, iter([_record(one, it, moment, by, source)]))

    # Duplicates --------------------------------------------------------------------------

    def _common(self, a: Facts, b: Facts) -> set[t.InCommon]:
        """What two games have in common that makes them seem to be the same."""
        players_a, players_b = self._players(a), self._players(b)
        one_day = may_be_one_day(a.date, b.date)
        shared = {
            name
            for name, one, two in zip(IN_COMMON.values(), a.keys, b.keys, strict=True)
            if one is not None
            and one == two
            and (players_a == players_b if name == "tricks" else one_day)
        }
        if not one_day or a.event is None or b.event is None or a.round is None or b.round is None:
            return shared
        root = self.identities.event_root
        if root(a.event) == root(b.event) and a.round.lower() == b.round.lower():
            if a.tbl is not None and b.tbl is not None and a.tbl.lower() == b.tbl.lower():
                shared.add("table")
            if len(players_a) == a.seats == b.seats and players_a == players_b:
                shared.add("players")
        return shared

    def _players(self, facts: Facts) -> list[int]:
        return sorted(map(self.identities.root, facts.players))

    def _near(self, cursor: Cursor, facts: list[Facts]) -> list[Facts]:
        """Stored games that may have something in common with these."""
        ways: list[str] = []
        lists: list[list[Any]] = []
        for place, key in enumerate(schema.KEYS):
            if numbers := list({one.keys[place] for one in facts if one.keys[place] is not None}):
                ways.append(f"SELECT {_FACTS} FROM heads WHERE {key} = ANY(?::numeric[])")
                lists.append(numbers)
        places = {
            (alias, one.round.lower())
            for one in facts
            if one.event is not None and one.round is not None and self._merged(one)
            for alias in self.identities.with_event_aliases(self.identities.event_root(one.event))
        }
        if places:
            ways.append(
                f"SELECT {_FACTS} FROM heads WHERE (event, round) IN "
                "(SELECT * FROM unnest(?::numeric[], ?::varchar[]))"
            )
            lists += map(list, zip(*places, strict=True))
        if not ways:
            return []
        rows = cursor.execute(" UNION ".join(ways) + " ORDER BY game", lists).fetchall()
        return [_known(row) for row in rows]

    def _pairs(
        self, facts: list[Facts], others: list[Facts]
    ) -> Iterable[tuple[Facts, Facts, set[t.InCommon]]]:
        """Yield pairs of these games with the others that have something in common, and what."""
        by_key: dict[Any, list[Facts]] = defaultdict(list)
        for other in others:
            for key in self._groups(other):
                by_key[key].append(other)
        for one in facts:
            met = {other.game: other for key in self._groups(one) for other in by_key[key]}
            for other in met.values():
                if other.game != one.game and (common := self._common(one, other)):
                    yield one, other, common

    def _groups(self, facts: Facts) -> Iterable[Any]:
        """Keys of a game; two games with anything in common share at least one of them."""
        yield from ((place, key) for place, key in enumerate(facts.keys) if key is not None)
        if self.identities.any_merged() and facts.event is not None and facts.round is not None:
            yield self.identities.event_root(facts.event), facts.round.lower(), ""

    def _twins(self, cursor: Cursor, facts: list[Facts]) -> Duplicates:
        """What records may be versions of: stored games, and earlier ones of the load."""
        duplicates: Duplicates = {}
        near = self._near(cursor, facts)
        for one, other, common in self._pairs(facts, [*near, *facts]):
            if other.game < 0 and other.place > one.place:
                continue
            duplicate = Duplicate(other.game, other.gid, other.revision, other.finished, common)
            duplicates.setdefault(one.place, {})[other.game] = duplicate
        return duplicates

    def _texts(self, cursor: Cursor, games: set[int]) -> dict[int, str]:
        """The records of games, by number."""
        rows = cursor.execute(
            "SELECT h.game, record FROM heads h JOIN records USING (gid, revision) "
            "WHERE h.game = ANY(?::BIGINT[])",
            [list(games)],
        ).fetchall()
        return dict(rows)

    # Games that are there ----------------------------------------------------------------

    def _head(self, cursor: Cursor, id: str) -> Known:
        """The latest revision of a game, locked against changes by others."""
        gid = find_head(self.backend, cursor, id).gid
        row = cursor.execute(
            "SELECT game, gid, revision, deleted FROM heads WHERE gid = ? FOR UPDATE", [gid]
        ).fetchone()
        return Known(*row)

    def _correct(
        self, id: str, load: Load, by: str, why: str, expected: int | None, beside: bool
    ) -> Outcome:
        return self._tried(
            lambda: self._correct_once(id, load, _staged(load), by, why, expected, beside)
        )

    def _correct_once(
        self,
        id: str,
        load: Load,
        facts: list[Facts],
        by: str,
        why: str,
        expected: int | None,
        beside: bool,
    ) -> Outcome:
        entry = load.entries[0]
        with self.backend.transaction(self._keys(facts)) as cursor:
            head = self._head(cursor, id)
            if head.deleted:
                raise GameDeleted("game.deleted", id=id)
            expect(head, expected)
            if not entry.digest:
                return refused(entry, 1)
            was = self.backend.find_digests(cursor, [entry.digest]).get(entry.digest)
            if was is not None and was.gid != head.gid:
                raise Conflict("game.same-record", id=write_id(was.gid))
            unchanged = self._digest(cursor, head) == entry.digest
            if not unchanged:
                doubt = self._replace(cursor, facts[0], head, by, why, beside)
                if doubt is not None:
                    return in_doubt(entry, 1, doubt)
        return corrected(entry, head, unchanged)

    def _digest(self, cursor: Cursor, head: Known) -> bytes:
        row = cursor.execute(
            "SELECT digest FROM records WHERE gid = ? AND revision = ?", [head.gid, head.revision]
        ).fetchone()
        return bytes(row[0])

    def _replace(
        self, cursor: Cursor, one: Facts, head: Known, by: str, why: str, beside: bool
    ) -> Doubt | None:
        """Replace the record of game `head`, unless it would seem to be yet another game."""
        if not beside:
            duplicates = self._twins(cursor, [one]).get(one.place, {})
            duplicates.pop(head.game, None)
            if duplicates:
                for game in self._duplicates_of(cursor, head):
                    duplicates.pop(game, None)
            if duplicates:
                return Doubt(list(duplicates.values()), one.record)
        revised = Revised(head.game, head.gid, head.revision + 1, why)
        self._revise(cursor, one, revised, self._moment(cursor), by, "")
        return None

    def _duplicates_of(self, cursor: Cursor, head: Known) -> set[int]:
        """The games that a stored game seems to be the same as."""
        there = self._facts(cursor, [head.game])
        return {other.game for _, other, _ in self._pairs(there, self._near(cursor, there))}

    def _facts(self, cursor: Cursor, games: list[int]) -> list[Facts]:
        rows = cursor.execute(
            f"SELECT {_FACTS} FROM heads WHERE game = ANY(?::BIGINT[]) AND NOT deleted", [games]
        ).fetchall()
        return [_known(row) for row in rows]

    def _correct_games(
        self,
        load: Load,
        changes: list[tuple[int, int, int, str, list[t.TagChange]]],
        by: str,
        why: str,
        dry_run: bool,
        beside: bool,
    ) -> list[t.Correction]:
        lines: list[t.Correction] = []
        facts = {one.place: one for one in _staged(load)}
        numbers = [game for game, *_ in changes]
        try:
            with self.backend.transaction(None) as cursor:
                current = {one.game: one.revision for one in self._facts(cursor, numbers)}
                if current != {game: revision for game, _, revision, *_ in changes}:
                    raise Declined("correction.changed-meanwhile")
                before = self._seeming(cursor, numbers)
                known = self.backend.find_digests(
                    cursor, [entry.digest for entry in load.entries if entry.digest]
                )
                taken = {digest: was.gid for digest, was in known.items()}
                others: dict[int, int] = {}
                moment = self._moment(cursor)
                for i, (game, gid, revision, _, _) in enumerate(changes):
                    digest = load.entries[i].digest
                    if digest and taken.setdefault(digest, gid) != gid:
                        others[i] = taken[digest]
                    elif digest:
                        revised = Revised(game, gid, revision + 1, why)
                        self._revise(cursor, facts[i], revised, moment, by, "")
                after = {} if beside else self._seeming(cursor, numbers)
                doubts = {one: gid for (one, two), gid in after.items() if (one, two) not in before}
                lines = corrections(load, changes, others, doubts)
                if dry_run or any(line.status != "corrected" for line in lines):
                    raise TakeBackError
        except TakeBackError:
            pass
        return lines

    def _seeming(self, cursor: Cursor, games: list[int]) -> dict[tuple[int, int], int]:
        """Pairs of these games with games that seem the same, and the other game's id."""
        facts = self._facts(cursor, games)
        pairs = self._pairs(facts, self._near(cursor, facts))
        return {(one.game, other.game): other.gid for one, other, _ in pairs}

    def delete(self, id: str, by: str, why: str, expected: int | None) -> Revision:
        """See `Archive.delete`."""
        refuse_null(by=by, why=why)
        with self.backend.transaction([]) as cursor:
            head = self._head(cursor, id)
            if head.deleted:
                raise GameDeleted("game.deleted-already", id=id)
            expect(head, expected)
            moment = self._moment(cursor)
            cursor.execute(
                f"INSERT INTO records ({_RECORD}) "
                "VALUES (?, ?, ?, NULL, ?, ?, ?, '', true, NULL, ?)",
                [
                    *(head.game, head.gid, head.revision + 1, moment, by, why),
                    checksum_of(
                        *(head.game, head.gid, head.revision + 1, None, moment, by, why, ""),
                        deleted=True,
                    ),
                ],
            )
            cursor.execute(
                "UPDATE heads SET revision = ?, deleted = true, event = NULL, table_key = NULL, "
                "players_key = NULL, tricks_key = NULL WHERE gid = ?",
                [head.revision + 1, head.gid],
            )
        return follows(head, b"", moment, by, why)

    def undelete(self, id: str, by: str, why: str, beside: bool) -> Revision:
        """See `Archive.undelete`."""
        refuse_null(by=by, why=why)
        return self._tried(lambda: self._undelete(id, by, why, beside))

    def _undelete(self, id: str, by: str, why: str, beside: bool) -> Revision:
        with self.backend.ledger() as cursor:
            gid = find_head(self.backend, cursor, id).gid
            row = cursor.execute(
                "SELECT record FROM records WHERE gid = ? AND NOT deleted "
                "ORDER BY revision DESC LIMIT 1",
                [gid],
            ).fetchone()
        load = self._one(row[0])
        try:
            facts = _staged(load)
            with self.backend.transaction(self._keys(facts)) as cursor:
                head = self._head(cursor, id)
                if not head.deleted:
                    raise Declined("game.not-deleted", id=id)
                check_legal(id, load.entries[0])
                check_no_duplicate(self._replace(cursor, facts[0], head, by, why, beside))
                at = cursor.execute(
                    "SELECT stored_at FROM records WHERE gid = ? ORDER BY revision DESC LIMIT 1",
                    [gid],
                ).fetchone()[0]
        finally:
            load.discard()
        return follows(head, load.entries[0].digest, at, by, why)


_RECORD: Final = (
    "game, gid, revision, digest, stored_at, who, why, source, deleted, record, checksum"
)


def _record(one: Facts, it: Revised, moment: datetime, by: str, source: Source) -> tuple[Any, ...]:
    """A row of `records`."""
    file = source if isinstance(source, str) else source[one.place]
    row = (it.game, it.gid, it.revision, one.digest, moment, by, it.why, file, False)
    return (*row, one.record, checksum_of(*row))


def _head(one: Facts, it: Revised) -> tuple[Any, ...]:
    """A row of `heads`."""
    written = f"{{{','.join(map(str, one.players))}}}"  # psycopg is slow at writing lists
    return (
        False, it.game, it.gid, it.revision, one.finished, one.event, one.date,
        one.round and one.round.lower(), one.tbl, one.seats, written, *one.keys,
    )  # fmt: skip
