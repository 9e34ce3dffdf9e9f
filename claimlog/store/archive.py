"""`Archive`: the games in a DuckDB file or in PostgreSQL, and all questions about them."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from claimlog.store.addresses import is_address
from claimlog.store.at_desk import AtDesk
from claimlog.store.file.database import Database
from claimlog.store.file.maintenance import FileMaintenance, restore
from claimlog.store.file.waiting import FileIntake
from claimlog.store.intake import duplicates
from claimlog.store.ledger.chain import read_noted
from claimlog.store.ledger.identities import Identities
from claimlog.store.model.errors import ArchiveError
from claimlog.store.model.filter import Filter
from claimlog.store.model.ids import write_id
from claimlog.store.questions import rated
from claimlog.store.questions.asked import Asked
from claimlog.store.questions.events import Events
from claimlog.store.questions.export import export, write_tables
from claimlog.store.questions.games import Games
from claimlog.store.questions.players import Players
from claimlog.store.questions.puzzles import beside

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from claimlog.analysis.puzzles import KeptPuzzles
    from claimlog.spread import Spread
    from claimlog.store.analysing import Waits
    from claimlog.store.backend import Backend, CancelToken, Maintenance, Report
    from claimlog.store.intake.storing import Storing
    from claimlog.store.model import types as t
    from claimlog.store.model.filter import (
        Sort,
    )
    from claimlog.store.postgres.backend import PostgresBackend
    from claimlog.store.questions.question import Question

T = TypeVar("T")

Form = Literal["clm", "ndjson", "csv", "parquet"]
Rows = Literal["games", "tricks", "plays"]
EVERYTHING = Filter()


CHECKED: Final = ".check"
"""The end of the name of a file that says how far an interrupted check has come."""


def default_path() -> Path:
    """The path of the archive in the user's data directory."""
    from platformdirs import user_data_path

    return user_data_path("claimlog", appauthor=False) / "games.duckdb"


@contextlib.contextmanager
def _closed_on_error(backend: Backend) -> Iterator[None]:
    """Close the backend if building the archive on it fails."""
    try:
        yield
    except BaseException:
        backend.close()
        raise


class Archive(Asked, AtDesk):
    """An open archive.  All methods may be called from any thread at the same time.

    They block: a server calls them in worker threads.  Reading never waits for writing, except for
    the rows of single games that were stored just before (`claimlog.store.file.waiting`).
    """

    def __init__(
        self, intake: Storing, maintenance: Maintenance, postgres: PostgresBackend | None = None
    ) -> None:
        """Use `open` instead."""
        backend, identities = intake.backend, intake.identities
        self._backend = backend
        self._postgres = postgres
        self._identities = identities
        self._intake = intake
        self._maintenance = maintenance
        self._games = Games(backend, identities)
        self._players = Players(self._games)
        self._events = Events(self._games)
        self._desks = self._events.desks

    # Opening ---------------------------------------------------------------------------

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        *,
        lake: str | None = None,
        read_only: bool = False,
        create: bool = True,
        memory_limit: str = "1GB",
        threads: int | None = None,
    ) -> Archive:
        """Open the archive at `path` (None: the one in the user's data directory).

        If `path` is the address of a database, ``postgresql://…``, the records are in that database
        and the tables in `lake`, a folder or ``s3://bucket/prefix`` (needed only when the archive
        is created); any number of processes may have such an archive open (docs/postgresql.md).

        A missing archive is created if `create`; an older one is upgraded after a copy has been put
        beside it.  Raises ArchiveMissing, ArchiveLocked, ArchiveDamaged, ArchiveTooNew,
        ArchiveReadOnly or DiskFull.
        """
        if is_address(path):
            from claimlog.store.postgres.backend import PostgresBackend
            from claimlog.store.postgres.intake import PostgresIntake
            from claimlog.store.postgres.maintenance import PostgresMaintenance

            postgres = PostgresBackend(
                str(path),
                lake,
                read_only=read_only,
                create=create,
                memory_limit=memory_limit,
                threads=threads,
            )
            with _closed_on_error(postgres):
                intake = PostgresIntake(postgres, Identities(postgres))
                return cls(intake, PostgresMaintenance(postgres), postgres)
        if lake is not None:
            raise ArchiveError("lake.without-postgres")
        return cls.of(
            Database(
                Path(path) if path is not None else default_path(),
                read_only=read_only,
                create=create,
                memory_limit=memory_limit,
                threads=threads,
            )
        )

    @classmethod
    def of(cls, database: Database) -> Archive:
        """Return the archive in an open file; the file is closed if that fails."""
        with _closed_on_error(database):
            return cls(FileIntake(database, Identities(database)), FileMaintenance(database))

    def close(self) -> None:
        """Finish what is being written, and close; closing twice does nothing."""
        self._backend.close()

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def path(self) -> Path:
        """The path of the file."""
        return Path(self._backend.where)

    @property
    def shown(self) -> str:
        """The value of --db for a page that everybody sees: without a folder, host or user."""
        return self.path.name if self._postgres is None else "postgresql://…"

    @property
    def where(self) -> str:
        """The path of the file; for an archive in PostgreSQL its address, without the password."""
        return str(self._backend.where)

    @property
    def postgres(self) -> PostgresBackend | None:
        """The PostgreSQL backend, None for a file."""
        return self._postgres

    @property
    def read_only(self) -> bool:
        """Whether the archive cannot be written."""
        return self._backend.read_only

    def check_there(self) -> None:
        """Raise ArchiveGone if the file was deleted, moved or replaced, or its disk is gone."""
        self._backend.check_there()

    def check_writable(self) -> None:
        """Raise ArchiveReadOnly, or ArchiveGone if its file was deleted, moved or disconnected."""
        self._backend.check_writable()

    @property
    def upgraded_from(self) -> Path | None:
        """The copy made before opening upgraded the file; None if it was not upgraded."""
        return self._backend.upgraded

    @property
    def generation(self) -> int:
        """Increases with every write: an answer from an earlier generation may be outdated."""
        return self._backend.generation

    def beside(self, suffix: str) -> Path:
        """The path of a file on this machine that belongs to the archive."""
        if self._postgres is None:
            return self.path.with_name(self.path.name + suffix)
        name = self._postgres.postgres.name
        return default_path().with_name(f"{name}{suffix}")

    @property
    def mark(self) -> int:
        """The mark of the last write here, for `wait`; 0 if everything is readable at once."""
        return 0 if self._postgres is None else self._postgres.mark

    def wait(self, mark: int, *, timeout: float = 10) -> bool:
        """Wait until the write with this mark is visible to questions; return whether it is.

        Lists and statistics of an archive in PostgreSQL are a moment behind.
        """
        return self._postgres is None or self._postgres.wait(mark, timeout)

    def index(
        self,
        *,
        once: bool = False,
        going_on: Callable[[], bool] = lambda: True,
        report: Callable[[int], None] | None = None,
        fault: Callable[[ArchiveError], None] | None = None,
        pause: float | None = None,
    ) -> int:
        """Bring what is new in PostgreSQL to the lake, while `going_on()` is true, or `once`.

        Of all callers, in any process, one works and the others wait to take over.  `report` is
        called with the number of revisions brought, `fault` with each error; then it tries again.
        `pause`: seconds between two transactions that bring little.  Returns the total number of
        revisions brought.  Raises ArchiveError for a file.
        """
        if self._postgres is None:
            raise ArchiveError("index.without-postgres")
        from claimlog.store.postgres.indexer import PAUSE, index

        return index(
            self._postgres,
            once=once,
            going_on=going_on,
            report=report,
            fault=fault,
            pause=PAUSE if pause is None else pause,
        )

    def bring(self) -> None:
        """Bring what is new in PostgreSQL to the lake, unless somebody is already doing so."""
        if self._postgres is not None:
            from claimlog.store.postgres.indexer import bring_now

            bring_now(self._postgres)

    def info(self) -> t.Info:
        """The size of the archive, and counts."""
        return self._maintenance.info()

    def ask(self, token: CancelToken, function: Callable[[], T]) -> T:
        """Call a function that reads from the archive, so that another thread can cancel it.

        After `token.cancel()`, everything it reads in this thread raises Cancelled.
        """
        return self._backend.ask(token, function)

    def answer(self, question: Question[..., T], *args: Any, **given: Any) -> T:
        """Answer a question, asked with these arguments."""
        return question.function(self._games, *args, **given)

    # Storing ---------------------------------------------------------------------------

    def store(
        self,
        record: bytes | str,
        *,
        by: str = "",
        source: str = "",
        doubtful: t.Doubtful = "refuse",
    ) -> t.Outcome:
        """Store one game; it is on disk when this returns.

        `status` is "stored", "known", "corrected", "invalid", "doubtful" or "deleted".  Raises
        InvalidRecord for text that does not hold exactly one game.

        A record that differs from a stored game and yet seems to be that game is doubtful and is
        not stored.  With `doubtful` "replace" it becomes a revision of that game if there is only
        one, with "beside" a game of its own.  Unless `doubtful` is "beside", a record that
        continues a stored, unfinished game becomes a revision of it.
        """
        return self._intake.store(record, by, source, doubtful)

    def store_together(self, handed: Sequence[t.Handed]) -> list[t.Outcome | Exception | None]:
        """Store games that arrived at the same moment, faster than one after another.

        Returns for each what `store` would return or raise, None if it has to be stored by itself.
        """
        return self._intake.store_together(handed)

    def prepare_to_store(self) -> None:
        """Look ahead so that the first single games are stored as fast as later ones.

        It takes 0.3 s for a million games; meanwhile no game is stored.
        """
        self._intake.prepare()

    def prepare_to_answer(self) -> None:
        """Look ahead so that questions about the games of a player or an event take less time.

        What is read is kept in memory (`claimlog.store.questions.index`).  It takes some seconds
        for a million games; meanwhile questions are answered as they are without it.
        """
        self._games.index.prepare()
        self._identities.kept.prepare()

    @property
    def unprepared(self) -> bool:
        """Whether `prepare_to_answer` has to be called again, as much has changed."""
        return self._games.index.wanted or self._identities.kept.wanted

    @property
    def behind(self) -> bool:
        """Whether games were stored or changed since `prepare_to_answer`; see `catch_up`."""
        return self._games.index.behind

    def catch_up(self) -> None:
        """Read these games, so that no question has to."""
        self._games.index.prepare()

    @property
    def waiting(self) -> int:
        """The number of stored games that are not in the tables yet."""
        return self._backend.waiting

    def settle(self) -> None:
        """Bring waiting games into the tables; readers do so anyway."""
        self._backend.settle()

    def import_games(
        self,
        read: Callable[[int], bytes | None],
        *,
        form: Literal["clm", "ndjson"] = "clm",
        by: str = "",
        source: str = "",
        workers: int | None = None,
        doubtful: t.Doubtful = "refuse",
        language: str = "en",
        alone: bool = False,
    ) -> Iterator[list[t.Outcome]]:
        """Store the games of a stream; `read` reads like that of a binary file.

        `read` may return None if there is nothing yet: the games complete so far are then stored.

        Yields the outcomes of a batch, in input order, once the batch is on disk; games are
        committed even if the caller stops iterating.  NDJSON lines are objects with `record` (CLM
        text), or replay reports.  `doubtful` is as for `store`; problems of refused records are
        worded in `language`, "en" or "de".  If nobody else writes meanwhile, pass `alone`: more
        games are then stored together, which takes less time.
        """
        return self._intake.import_games(read, form, by, source, workers, doubtful, language, alone)

    def correct(
        self,
        id: str,
        record: bytes | str,
        *,
        by: str,
        why: str,
        expected: int | None = None,
        beside: bool = False,
    ) -> t.Outcome:
        """Replace a game's record; the old one is kept.

        `status` is "corrected", "unchanged", "invalid", or "doubtful": the record would make the
        game seem to be the same as another stored one, which is allowed only if `beside`.  Raises
        NotFound, GameDeleted, RevisionChanged (the revision is not `expected`), and Conflict if the
        new record is another game's.
        """
        return self._intake.correct(id, record, by, why, expected, beside)

    def correct_games(
        self,
        filter: Filter,
        *,
        tags: Mapping[str, str | None] | None = None,
        names: Mapping[str, str] | None = None,
        by: str,
        why: str,
        dry_run: bool = True,
        expected: str | None = None,
        beside: bool = False,
    ) -> t.Corrections:
        """Correct who played, when and where in many records: all in one transaction, or none.

        `tags` are set to new values (None removes the tag); players whose name is a key of `names`
        get its value as their name.  A dry run returns what would change; with its `expected`
        exactly that is done, or ArchiveError raised if anything has changed since.  If any record
        would be invalid, another game's or, unless `beside`, seem to be another game, nothing is
        done.
        """
        from claimlog.store.intake.corrections import MOST, Changes

        changes = Changes(dict(tags or {}), dict(names or {}))
        changes.check()
        records = self._games.records(filter, MOST)
        return self._intake.correct_games(records, changes, by, why, dry_run, expected, beside)

    def delete(self, id: str, *, by: str, why: str, expected: int | None = None) -> t.Revision:
        """Delete a game; its revisions are kept, with a trace of who deleted it, when and why."""
        return self._intake.delete(id, by, why, expected)

    def undelete(self, id: str, *, by: str, why: str, beside: bool = False) -> t.Revision:
        """Restore a deleted game as it was last.

        Raises NotFound, Declined if it is not deleted, InvalidRecord if it is no longer legal, and,
        unless `beside`, Conflict if another stored game seems to be the same.
        """
        return self._intake.undelete(id, by, why, beside)

    def doubtful(self, *, limit: int = 1000) -> list[t.DoubtfulPair]:
        """Pairs of stored games that seem to be the same game, in the order of storing."""
        return duplicates.pairs(self._backend, self._identities, limit)

    # Analyses --------------------------------------------------------------------------

    def analyse(
        self,
        filter: Filter = EVERYTHING,
        *,
        total: int | None = None,
        redeals: int | None = None,
        inexact: bool = False,
        spread: Spread | None = None,
        report: Report = None,
        waits: Waits = None,
    ) -> int:
        """Analyse and store the two-player games not analysed yet; return how many there were.

        `total` is the effort for a game (docs/analysis.md), `redeals` how often the followers of
        Phase 2 are redealt.  With `inexact`, games whose values are not all exact are analysed
        again: use a larger `total`.  It may be interrupted at any time and resumes where it
        stopped.  If PostgreSQL does not answer, `waits` is called with the reason, and it is tried
        again for two minutes.
        """
        from claimlog.analysis.answering import TOTAL
        from claimlog.analysis.keeping import REDEALS
        from claimlog.store.analysing import analyse_all

        self.bring()
        return analyse_all(
            self._backend,
            self._games.where(filter),
            TOTAL if total is None else total,
            REDEALS if redeals is None else redeals,
            spread,
            report,
            inexact=inexact,
            waits=waits,
        )

    def analyses_left_open(self, filter: Filter = EVERYTHING, *, redeals: int | None = None) -> int:
        """How many analysed games have values that the effort left open; see `analyse`.

        They do not count where such a value is needed, as in `luck_stats`.
        """
        from claimlog.analysis.keeping import REDEALS
        from claimlog.store.analysing import left_open

        where = self._games.where(filter)
        return left_open(self._backend, where, REDEALS if redeals is None else redeals)

    def analysis(self, digest: str) -> bytes | None:
        """The stored analysis of a record, as JSON (docs/analysis.md); None if there is none."""
        from claimlog.analysis.keeping import unpacked
        from claimlog.store.analysing import report_of

        report = report_of(self._backend, bytes.fromhex(digest))
        return None if report is None else unpacked(report)

    def puzzles_beside(
        self,
        id: str,
        *,
        level: int | None = None,
        faction: str | None = None,
        left: int | None = None,
    ) -> tuple[str, str]:
        """The ids of the puzzles before and after one in a list (`puzzles`); "" at its ends."""
        return beside(self._games, id, level, faction, left)

    def without_puzzles(self, most: int) -> list[tuple[bytes, bytes]]:
        """Digests and records of up to `most` two-player games not searched for puzzles yet."""
        from claimlog.store.analysing import without_puzzles

        return without_puzzles(self._backend, most)

    def keep_puzzles(self, puzzles: list[KeptPuzzles]) -> None:
        """Store the puzzles found in records (`claimlog.analysis.puzzles.kept_puzzles`)."""
        from claimlog.store.analysing import keep_puzzles

        keep_puzzles(self._backend, puzzles)

    # Games -----------------------------------------------------------------------------

    def game(self, id: str) -> t.StoredGame:
        """A game by its id.  Raises NotFound or GameDeleted."""
        return self._games.game(id)

    def record(self, id: str, revision: int | None = None) -> t.Record:
        """A revision of a game (None: the current one); works for deleted games too."""
        return self._games.record(id, revision)

    def revisions(self, id: str) -> list[t.Revision]:
        """All revisions of a game, oldest first; works for deleted games too."""
        return self._games.revisions(id)

    def find_digest(self, digest: str) -> t.Revision | None:
        """The revision with this digest (sha256 of the canonical record, in hex), or None."""
        return self._games.find_digest(digest)

    def games_by_faction(self) -> Counter[str]:
        """Return the number of games that have each faction in their deck, by its letter."""
        return self._games.by_faction()

    def games(
        self,
        filter: Filter = EVERYTHING,
        *,
        sort: Sort = "newest",
        limit: int = 50,
        cursor: str | None = None,
        total: bool = False,
    ) -> t.GamePage:
        """A page of games.  `cursor` is that of the previous page; there is no maximum depth.

        With `total` it includes the number of all matching games, which have to be counted for it.
        """
        return self._games.page(filter, sort, limit, cursor, total)

    def neighbours(
        self, id: str, filter: Filter = EVERYTHING, *, sort: Sort = "newest"
    ) -> tuple[str | None, str | None]:
        """The ids of the games before and after a game in a list of games."""
        return self._games.neighbours(filter, sort, id)

    def count(self, filter: Filter = EVERYTHING) -> int:
        """The number of games."""
        return self._games.count(filter)

    def export(
        self,
        form: Form,
        filter: Filter = EVERYTHING,
        *,
        sort: Sort = "oldest",
        rows: Rows = "games",
        limit: int | None = None,
    ) -> Iterator[bytes]:
        """Yield the games in pieces of 64 kB or more; the last piece completes the file.

        CLM is canonical records; NDJSON is one object per game (the row and its record); CSV and
        Parquet have a row for each of the `rows`: games, tricks or plays (docs/archive.md, "The
        Parquet and CSV exports").  With a `limit` only so many games, the first in the order of
        `sort`.  Errors on the way are raised from the iterator.
        """
        return export(self._games, form, filter, sort, rows, limit)

    def write_tables(self, folder: str | Path, filter: Filter = EVERYTHING) -> list[Path]:
        """Write games.parquet, tricks.parquet and plays.parquet into a folder; return the paths.

        For polars, pandas and DuckDB.  Raises OSError if they cannot be written.
        """
        return write_tables(self._games, Path(folder), filter)

    def beginning(self, kind: t.Kind, text: str, *, limit: int = 50) -> list[t.Candidate]:
        """Candidates for completion of a text.

        Players or events that have a word in their name which begins with it, or games whose id
        does.
        """
        return self._games.beginning(kind, text, limit)

    # Players ---------------------------------------------------------------------------

    def player_in_full(
        self, player: str, filter: Filter = EVERYTHING, *, games: int
    ) -> t.PlayerInFull:
        """The answers of `player`, `streaks` and `performance`, from a single pass over the games.

        Includes the rows of the last `games` games stored.
        """
        return self._players.in_full(player, filter, games)

    def rating_histories(self, *, most: int) -> dict[str, list[rated.RatingStep]]:
        """The answers of `rating_history` for every player, by player id.

        Raises BadQuery if the archive has more than `most` games.
        """
        histories = rated.rating_histories(self._games, most=most)
        return {write_id(player): steps for player, steps in histories.items()}

    def merge_players(self, alias: str, into: str, *, by: str, why: str = "") -> t.Merge:
        """Count the games of `alias` from now on as those of `into` (ids, Id tags or names).

        Raises Conflict if the two have met in a game.
        """
        return self._players.merge(alias, into, by, why)

    def split_player(
        self, alias: str, *, by: str, why: str = "", player: str | None = None
    ) -> t.Merge:
        """Undo a merge of players; a trace of it is kept.

        Raises NotFound if `alias` is not merged, or, if `player` is given, not into `player`.
        """
        return self._players.split(alias, by, why, player)

    # Events ----------------------------------------------------------------------------

    def event_in_full(self, event: str, *, most: int, games: int) -> t.EventInFull:
        """What a page about an event shows, in a single pass over its games.  Raises NotFound.

        With more than `most` players there is no crosstable; of the last round it includes at most
        `games` games.
        """
        return self._events.in_full(event, most, games)

    def set_tiebreaks(self, event: str, tiebreaks: list[t.TieBreak], *, by: str) -> t.EventRow:
        """Set the order of an event's tie-breaks; that of a directed event is in its plan."""
        return self._events.set_tiebreaks(event, tiebreaks, by)

    def rename_event(self, event: str, name: str, *, by: str, why: str = "") -> t.EventRow:
        """Rename an event; games submitted later under the new name belong to it too.

        The records keep the name they have, and renaming it back undoes it.  Raises Conflict if
        another event has the name.
        """
        return self._events.rename(event, name, by, why)

    def merge_events(self, alias: str, into: str, *, by: str, why: str = "") -> t.EventMerge:
        """Count the games of the event `alias` from now on as those of `into` (ids or names).

        `doubtful` lists games that then seem to be in the archive twice.
        """
        return self._events.merge(alias, into, by, why)

    def split_event(
        self, alias: str, *, by: str, why: str = "", event: str | None = None
    ) -> t.EventMerge:
        """Undo a merge of events; a trace of it is kept.

        Raises NotFound if `alias` is not merged, or, if `event` is given, not into `event`.
        """
        return self._events.split(alias, by, why, event)

    # Maintenance -----------------------------------------------------------------------

    def rebuild(
        self,
        progress: Callable[[t.Progress], None] | None = None,
        *,
        lake: str | None = None,
        afresh: bool = False,
    ) -> t.Rebuilt:
        """Rebuild everything derived from the records; until the end the old tables are in use.

        For an archive in PostgreSQL that is its lake, which may be missing altogether; it is
        rebuilt in another `lake` if one is given.

        If a rebuild was interrupted, also in another process, this one goes on where it stopped,
        unless another claimlog had begun it, or it was to be in another lake, or `afresh`.

        A record that is no longer legal is a fault; it is kept, and its game is left out of the
        other tables until somebody corrects it.
        """
        if self._postgres is not None:
            from claimlog.store.postgres.maintenance import PostgresMaintenance

            return PostgresMaintenance(self._postgres).rebuild(progress, afresh, lake)
        return self._maintenance.rebuild(progress, afresh)

    def check(
        self,
        progress: Callable[[t.Progress], None] | None = None,
        *,
        full: bool = True,
        head: str | None = None,
        resume: t.Resume = "no",
    ) -> t.CheckReport:
        """Prove that everything derived agrees with the records, and these with the chain.

        Every record is judged again, and all rows, tables, views and macros are compared; without
        `full` only counts and the links of the chain are checked.  `head` is one that an earlier
        check returned: this also proves that nothing recorded before that check has changed.

        Unless `resume` is "no" it notes in a file how far it has come, and with "yes" goes on where
        one of the same kind was interrupted that began within the last week, unless the lake was
        rebuilt since, or the file of the archive was written to.

        Raises DiskFull if there is no room for the rows that wait (`waiting`), BadQuery if `head`
        is malformed.
        """
        noted = None if head is None else read_noted(head)
        kept = None if resume == "no" else self.beside(CHECKED)
        if kept is not None and resume == "afresh":
            kept.unlink(missing_ok=True)
        return self._maintenance.check(progress, full, noted, kept)

    def backup(self, path: str | Path) -> int:
        """Write a consistent, compacted copy while the archive stays in use; return its size.

        Raises ArchiveError if there already is a file at `path`.
        """
        return self._maintenance.backup(Path(path))

    def compact(self, *, wait: float = 30) -> tuple[int, int]:
        """Return unused space to the disk; return the size before and after.

        The archive never grows: if nothing is to be gained it is left as it is.  Readers continue
        while the copy is made; the swap waits up to `wait` seconds for them and makes new readers
        wait for a moment.
        """
        return self._maintenance.compact(wait)

    @staticmethod
    def restore(
        backup: str | Path, path: str | Path | None = None, *, force: bool = False
    ) -> Path | None:
        """Put a backup in place (of a closed archive), after checking that it can be read.

        An existing archive is replaced only if `force`; it is kept beside the new one, and its new
        path is returned.
        """
        if is_address(path):
            raise ArchiveError("postgres.restore")
        return restore(Path(backup), Path(path) if path is not None else default_path(), force)
