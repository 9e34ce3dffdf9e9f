"""`Archive`: one DuckDB file with games, and everything that is asked of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from claimlog.store import upkeep
from claimlog.store.database import Database
from claimlog.store.events import Events
from claimlog.store.explorer import explore
from claimlog.store.export import export
from claimlog.store.filter import Filter
from claimlog.store.games import Games
from claimlog.store.intake import Intake
from claimlog.store.people import People
from claimlog.store.players import Players
from claimlog.store.stats import Stats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from types import TracebackType

    from claimlog.store import types as t
    from claimlog.store.database import Question
    from claimlog.store.filter import Sort

T = TypeVar("T")

Form = Literal["clm", "ndjson", "csv", "parquet"]
EVERYTHING = Filter()


def default_path() -> Path:
    """The archive in the user's data directory."""
    from platformdirs import user_data_path

    return user_data_path("claimlog", appauthor=False) / "games.duckdb"


class Archive:
    """An open archive.  All methods may be called from any thread at the same time.

    They block: a server calls them in worker threads.  Reading never waits for writing.
    """

    def __init__(self, database: Database) -> None:
        """Use `open` instead."""
        people = People(database)
        self._database = database
        self._intake = Intake(database)
        self._games = Games(database, people)
        self._players = Players(self._games)
        self._events = Events(self._games)
        self._stats = Stats(self._games)

    # Opening ---------------------------------------------------------------------------

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        *,
        read_only: bool = False,
        create: bool = True,
        memory_limit: str = "1GB",
        threads: int | None = None,
    ) -> Archive:
        """Open the archive at `path` (None: the one in the user's data directory).

        It is created if need be and wanted; an older one is upgraded after a copy was laid
        beside it.  Raises ArchiveMissing, ArchiveLocked, ArchiveDamaged, ArchiveTooNew,
        ArchiveReadOnly or DiskFull.
        """
        where = Path(path) if path is not None else default_path()
        return cls(
            Database(
                where,
                read_only=read_only,
                create=create,
                memory_limit=memory_limit,
                threads=threads,
            )
        )

    def close(self) -> None:
        """Finish what is being written, and close; closing twice does nothing."""
        self._database.close()

    def __enter__(self) -> Archive:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def path(self) -> Path:
        """Where the file lies."""
        return self._database.path

    @property
    def generation(self) -> int:
        """Grows whenever anything is written: what was answered before may be outdated."""
        return self._database.generation

    def info(self) -> t.Info:
        """Size and counts."""
        return upkeep.info(self._database)

    def ask(self, question: Question, function: Callable[[], T]) -> T:
        """Call a function that asks the archive, so that it can be given up elsewhere.

        After `question.give_up()` whatever it reads in this thread ends with GivenUp.
        """
        return self._database.ask(question, function)

    # Storing ---------------------------------------------------------------------------

    def store(self, record: bytes | str, *, by: str = "", source: str = "") -> t.Outcome:
        """Store one game; it is on the disk when this returns.

        `status` is "stored", "known", "invalid" or "deleted".  Text that does not hold
        exactly one game is InvalidRecord.
        """
        return self._intake.store(record, by, source)

    def import_games(
        self,
        read: Callable[[int], bytes],
        *,
        form: Literal["clm", "ndjson"] = "clm",
        by: str = "",
        source: str = "",
        workers: int | None = None,
    ) -> Iterator[list[t.Outcome]]:
        """Store the games of a stream, `read` being that of a binary file.

        Yields the outcomes of a batch once the batch is on the disk, in input order; games
        are committed even if the caller stops asking.  NDJSON lines are objects with
        `record` (CLM text), or replay reports.
        """
        return self._intake.import_games(read, form, by, source, workers)

    def correct(
        self, id: str, record: bytes | str, *, by: str, why: str, expected: int | None = None
    ) -> t.Outcome:
        """Replace a game's record; the old one is kept.

        `status` is "corrected", "unchanged" or "invalid".  Raises NotFound, GameDeleted,
        RevisionChanged (the revision is not `expected`), and Conflict if the new record is
        another game's.
        """
        return self._intake.correct(id, record, by, why, expected)

    def delete(self, id: str, *, by: str, why: str, expected: int | None = None) -> t.Revision:
        """Delete a game; its revisions and a trace of who, when and why are kept."""
        return self._intake.delete(id, by, why, expected)

    def undelete(self, id: str, *, by: str, why: str) -> t.Revision:
        """Bring a deleted game back as it was last."""
        return self._intake.undelete(id, by, why)

    # Games -----------------------------------------------------------------------------

    def game(self, id: str) -> t.Game:
        """One game.  Raises NotFound or GameDeleted."""
        return self._games.game(id)

    def record(self, id: str, revision: int | None = None) -> t.Record:
        """A revision of a game (None: the current one), also of a deleted game."""
        return self._games.record(id, revision)

    def revisions(self, id: str) -> list[t.Revision]:
        """All revisions of a game, the oldest first; also of a deleted one."""
        return self._games.revisions(id)

    def find_digest(self, digest: str) -> t.Revision | None:
        """The revision that has this digest (sha256 of the canonical record, in hex)."""
        return self._games.find_digest(digest)

    def games(
        self,
        filter: Filter = EVERYTHING,
        *,
        sort: Sort = "newest",
        limit: int = 50,
        cursor: str | None = None,
    ) -> t.GamePage:
        """A page of games.  `cursor` is that of the page before; there is no last depth."""
        return self._games.page(filter, sort, limit, cursor)

    def count(self, filter: Filter = EVERYTHING) -> int:
        """How many games."""
        return self._games.count(filter)

    def export(
        self, form: Form, filter: Filter = EVERYTHING, *, sort: Sort = "oldest"
    ) -> Iterator[bytes]:
        """The games in pieces of 64 kB and more; the last piece completes the file.

        CLM is canonical records; NDJSON an object a game (the row and its record); CSV and
        Parquet the row.  An error while it goes on is raised from the iterator.
        """
        return export(self._games, form, filter, sort)

    # Players ---------------------------------------------------------------------------

    def players(
        self,
        filter: Filter = EVERYTHING,
        *,
        search: str = "",
        sort: Literal["games", "name", "rate", "last"] = "games",
        limit: int = 50,
        cursor: str | None = None,
    ) -> t.PlayerPage:
        """Players of the games; `search` is a part of a name."""
        return self._players.page(filter, search, sort, limit, cursor)

    def player(self, player: str, filter: Filter = EVERYTHING) -> t.PlayerProfile:
        """A player's profile over the filter's games.  Raises NotFound."""
        return self._players.profile(player, filter)

    def head_to_head(
        self, player: str, opponent: str, filter: Filter = EVERYTHING, *, limit: int = 20
    ) -> t.HeadToHead:
        """Two players against each other, with the newest games.  Raises NotFound."""
        return self._players.head_to_head(player, opponent, filter, limit)

    def merge_players(self, alias: str, into: str, *, by: str, why: str = "") -> t.Merge:
        """From now on the games of `alias` are those of `into` (ids, Id tags or names)."""
        return self._players.merge(alias, into, by, why)

    def split_player(self, alias: str, *, by: str, why: str = "") -> None:
        """Undo a merge."""
        self._players.split(alias, by, why)

    def merges(self) -> list[t.Merge]:
        """All merges in force."""
        return self._players.merges()

    # Events ----------------------------------------------------------------------------

    def events(
        self,
        filter: Filter = EVERYTHING,
        *,
        search: str = "",
        limit: int = 50,
        cursor: str | None = None,
    ) -> t.EventPage:
        """Events of the games, the one played last first."""
        return self._events.page(filter, search, limit, cursor)

    def event(self, event: str) -> t.EventRow:
        """One event, by id or name.  Raises NotFound."""
        return self._events.event(event)

    def rounds(self, event: str) -> list[t.RoundRow]:
        """The rounds of an event with their tables."""
        return self._events.rounds(event)

    def standings(
        self,
        event: str,
        filter: Filter = EVERYTHING,
        *,
        tiebreaks: list[t.TieBreak] | None = None,
        until_round: str | None = None,
        until: str | None = None,
        known_at: datetime | None = None,
    ) -> t.Standings:
        """The standings: after a round, by a date of play, or as the archive knew them once."""
        return self._events.standings(event, filter, tiebreaks, until_round, until, known_at)

    def crosstable(
        self,
        event: str,
        filter: Filter = EVERYTHING,
        *,
        tiebreaks: list[t.TieBreak] | None = None,
        until_round: str | None = None,
        until: str | None = None,
        known_at: datetime | None = None,
    ) -> t.Crosstable:
        """The crosstable, with the arguments of `standings`."""
        return self._events.crosstable(event, filter, tiebreaks, until_round, until, known_at)

    def set_tiebreaks(self, event: str, tiebreaks: list[t.TieBreak], *, by: str) -> t.EventRow:
        """Choose the order of an event's tie-breaks."""
        return self._events.set_tiebreaks(event, tiebreaks, by)

    # Statistics ------------------------------------------------------------------------

    def result_stats(self, by: t.Grouping, filter: Filter = EVERYTHING) -> t.ResultStats:
        """Results by seat, leader, deck and so on."""
        return self._stats.results(by, filter)

    def faction_stats(self, filter: Filter = EVERYTHING) -> list[t.FactionStat]:
        """Factions: in the deck, won, by how much, what winning them is worth."""
        return self._stats.factions(filter)

    def card_stats(
        self, filter: Filter = EVERYTHING, *, phase: int | None = None
    ) -> list[t.CardStat]:
        """Cards led, followed, won and discarded."""
        return self._stats.cards(filter, phase)

    def upcard_stats(self, filter: Filter = EVERYTHING) -> list[t.UpcardStat]:
        """Upcards and what they are worth."""
        return self._stats.upcards(filter)

    def lead_stats(self, filter: Filter = EVERYTHING) -> t.LeadStats:
        """What leading trick 1 and winning Phase 1 are worth."""
        return self._stats.leads(filter)

    def lead_lengths(
        self, filter: Filter = EVERYTHING, *, phase: int | None = None
    ) -> t.LeadLengths:
        """How long leads last."""
        return self._stats.lengths(filter, phase)

    def explore(
        self, context: t.Context, filter: Filter = EVERYTHING, *, examples: int = 3
    ) -> t.Explorer:
        """What was played in a context, how often, how it went, with example games."""
        return explore(self._games, context, filter, examples)

    # Upkeep ----------------------------------------------------------------------------

    def rebuild(self, progress: Callable[[t.Progress], None] | None = None) -> int:
        """Make the derived tables again from the records; returns the number of games."""
        return upkeep.rebuild(self._database, progress)

    def check(
        self, progress: Callable[[t.Progress], None] | None = None, *, full: bool = True
    ) -> t.CheckReport:
        """Prove that the derived tables agree with the records.

        Every record is judged again; without `full` only counts are compared.
        """
        return upkeep.check(self._database, progress, full)

    def backup(self, path: str | Path) -> int:
        """Write a consistent copy, compacted, while others go on; returns its size.

        Raises ArchiveError if there is a file at `path` already.
        """
        return upkeep.backup(self._database, Path(path))

    def compact(self, *, wait: float = 30) -> tuple[int, int]:
        """Give unused room back to the disk; returns the size before and after.

        Others go on reading while the copy is made; the swap waits up to `wait` seconds for
        them and keeps newcomers waiting for a moment.
        """
        return upkeep.compact(self._database, wait)

    @staticmethod
    def restore(
        backup: str | Path, path: str | Path | None = None, *, force: bool = False
    ) -> Path | None:
        """Put a backup in place (of a closed archive), after checking that it can be read.

        An archive that is there is replaced only if `force`; it is kept beside the new one,
        and its new path is returned.
        """
        return upkeep.restore(
            Path(backup), Path(path) if path is not None else default_path(), force
        )
