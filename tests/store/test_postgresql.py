"""An archive in PostgreSQL with a lake: concurrency, marks, and missing parts."""

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from backends import Server
from waiting import PATIENCE

from claimlog.store import (
    Archive,
    ArchiveError,
    ArchiveMissing,
    ArchiveReadOnly,
    ArchiveRefused,
    ArchiveUnreachable,
    BadQuery,
    Conflict,
    Filter,
    GameDeleted,
    RevisionChanged,
    analysing,
)

from .random_games import records

if TYPE_CHECKING:
    from claimlog.store.postgres.indexer import Indexer

GAMES = records(12)


@pytest.fixture
def lake(postgres: Server, tmp_path: Path) -> str:
    return str(tmp_path / "lake")


@pytest.fixture
def nodes(new_archive: str) -> Iterator[tuple[Archive, Archive]]:
    """The same archive, opened twice."""
    with Archive.open(new_archive) as one, Archive.open(new_archive) as two:
        yield one, two


def indexer_of(archive: Archive) -> "Indexer":
    from claimlog.store.postgres.indexer import Indexer

    assert archive.postgres is not None
    return Indexer(archive.postgres)


def expire(archive: Archive) -> None:
    """Make the lease look as if its owner had not renewed it for long."""
    assert archive.postgres is not None
    with archive.postgres.ledger() as cursor:
        cursor.execute("UPDATE indexing SET until = '-infinity'")


def index(archive: Archive) -> int:
    return archive.index(once=True)


def both(one: Callable[[], object], two: Callable[[], object]) -> list[object]:
    """What two simultaneous calls return or raise."""
    answers: list[object] = []
    gate = threading.Barrier(2)

    def run(call: Callable[[], object]) -> None:
        gate.wait()
        try:
            answers.append(call())
        except ArchiveError as error:
            answers.append(error)

    threads = [threading.Thread(target=run, args=[call]) for call in (one, two)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return answers


def tagged(record: str, tag: str, value: str) -> str:
    return f'[{tag} "{value}"]\n{record}'


def test_one_stores_and_the_other_asks(nodes: tuple[Archive, Archive]) -> None:
    one, two = nodes
    stored = one.store(GAMES[0], by="Ann", source="test")
    assert stored.status == "stored"
    assert two.mark < one.mark
    assert two.store(GAMES[0]).status == "known"
    assert two.mark == one.mark  # so that whoever repeats a store finds the game in lists
    assert two.game(stored.id or "").record
    assert two.revisions(stored.id or "")[0].by == "Ann"
    assert not two.wait(one.mark, timeout=0.1)
    assert index(two) == 1
    assert two.wait(one.mark, timeout=PATIENCE)
    assert two.count() == one.count() == 1
    assert index(one) == 0
    gone = two.delete(stored.id or "", by="Ann", why="twice")
    assert gone.revision == 2
    with pytest.raises(GameDeleted):
        one.game(stored.id or "")
    assert one.undelete(stored.id or "", by="Ann", why="not so").revision == 3
    index(one)
    assert two.count() == 1
    assert one.check().good
    assert one.rebuild().games == 1
    assert two.check().good


def test_the_same_game_at_once_is_stored_once(nodes: tuple[Archive, Archive]) -> None:
    one, two = nodes
    for game in GAMES[:6]:
        outcomes = both(lambda game=game: one.store(game), lambda game=game: two.store(game))  # type: ignore[misc]
        assert sorted(outcome.status for outcome in outcomes) == ["known", "stored"]  # type: ignore[attr-defined]
    assert index(one) == 6


def test_a_correction_at_once_is_made_once(nodes: tuple[Archive, Archive]) -> None:
    one, two = nodes
    id = one.store(GAMES[0]).id or ""
    outcomes = both(
        lambda: one.correct(id, tagged(GAMES[0], "Annotator", "A"), by="A", why="", expected=1),
        lambda: two.correct(id, tagged(GAMES[0], "Annotator", "B"), by="B", why="", expected=1),
    )
    refused = [error for error in outcomes if isinstance(error, RevisionChanged)]
    assert len(refused) == 1
    assert refused[0].revision == 2
    assert len(one.revisions(id)) == 2


def test_imports_at_once(nodes: tuple[Archive, Archive]) -> None:
    import io

    one, two = nodes
    data = "\n".join(GAMES).encode()

    def take(archive: Archive) -> int:
        batches = archive.import_games(io.BytesIO(data).read, workers=1)
        return sum(outcome.status == "stored" for batch in batches for outcome in batch)

    assert sum(both(lambda: take(one), lambda: take(two))) == len(GAMES)  # type: ignore[arg-type]
    assert index(one) == len(GAMES)
    assert two.count(Filter()) == len(GAMES)


def test_a_decision_of_one_is_seen_by_the_other(nodes: tuple[Archive, Archive]) -> None:
    one, two = nodes
    for game in GAMES:
        one.store(game)
    index(one)
    names = [row.name for row in one.players(limit=100).players]
    pair = [(a, b) for a in names for b in names if a < b and a and b]
    for alias, into in pair:
        try:
            one.merge_players(alias, into, by="D", why="same")
        except Conflict:
            continue
        break
    assert two.postgres is not None
    two.postgres.look_again()
    assert [merge.alias_name for merge in two.merges()] == [alias]
    with pytest.raises(ArchiveError):
        two.merge_players(alias, into, by="D", why="again")


def test_nothing_but_our_extensions_is_loaded_without_a_signature(
    nodes: tuple[Archive, Archive],
) -> None:
    for one in nodes:
        ((allowed,),) = one._backend.rows(
            "SELECT value FROM duckdb_settings() WHERE name = 'allow_unsigned_extensions'"
        )
        assert allowed == "false"
        with pytest.raises(BadQuery, match="while database is running"):
            one._backend.rows("SET allow_unsigned_extensions = true")


def test_reading_only(nodes: tuple[Archive, Archive], address: str) -> None:
    with Archive.open(address, read_only=True) as archive:
        assert archive.count() == 0
        with pytest.raises(ArchiveReadOnly):
            archive.store(GAMES[0])
        with pytest.raises(ArchiveReadOnly):
            archive.rebuild()


def test_what_is_missing_is_named(postgres: Server, address: str, lake: str) -> None:
    place = rf"postgresql://127\.0\.0\.1:{postgres.port}/"
    with pytest.raises(ArchiveMissing, match=f"there is no archive at {place}"):
        Archive.open(address, lake=lake, create=False)
    with pytest.raises(ArchiveError, match="needs a lake"):
        Archive.open(address)
    with pytest.raises(ArchiveError, match="a folder or s3"):
        Archive.open(address, lake="https://example.org/lake")
    with pytest.raises(ArchiveUnreachable, match="cannot be reached"):
        Archive.open("postgresql://nobody@127.0.0.1:1/nothing", lake=lake)
    with pytest.raises(ArchiveError, match="not the address"):
        Archive.open("postgresql://127.0.0.1/x?what=1", lake=lake)
    Archive.open(address, lake=lake).close()
    with pytest.raises(ArchiveError, match=r"the lake of .* is .*, not /elsewhere/"):
        Archive.open(address, lake="/elsewhere")
    with Archive.open(address) as archive:
        archive.store(GAMES[0])
        archive.index(once=True)
        archive.compact()
        shutil.rmtree(lake)
        with pytest.raises(ArchiveUnreachable, match=r"files of the lake of .* are missing"):
            archive.games()
        # Outcomes are still reported and stored.
        assert archive.store(GAMES[1]).status == "stored"
        os.mkdir(lake)


def test_an_indexer_that_lost_its_lock_brings_nothing(
    nodes: tuple[Archive, Archive], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = nodes
    for game in GAMES:
        one.store(game)
    first, second = indexer_of(one), indexer_of(two)
    looked = []

    def look() -> None:
        """See that the lock is held; just before the commit it is lost, and another takes it."""
        looked.append(1)
        if len(looked) == 2:
            expire(one)
            assert second.begin()
            assert second.bring() == len(GAMES)

    assert first.begin()
    monkeypatch.setattr(first, "check_lease", look)
    with pytest.raises(ArchiveUnreachable, match="does not answer"):
        first.bring()
    first.end()
    second.end()
    assert len(looked) == 2
    assert index(one) == 0
    assert two.count() == len(GAMES)
    assert two.check().good


def test_two_indexers_at_the_same_moment_bring_each_game_once(
    nodes: tuple[Archive, Archive], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the lock: only what the lake itself prevents."""
    one, two = nodes
    for game in GAMES:
        one.store(game)
    gate = threading.Barrier(2)
    indexers = []
    for archive in nodes:
        indexer = indexer_of(archive)
        assert indexer.begin()
        indexers.append(indexer)
        indexer.name = ""  # as if it were not running
        expire(archive)
        looked: list[int] = []

        def look(looked: list[int] = looked) -> None:
            looked.append(1)
            if len(looked) == 2:
                gate.wait(60)

        monkeypatch.setattr(indexer, "check_lease", look)
    brought = both(indexers[0].bring, indexers[1].bring)
    for indexer in indexers:
        indexer.end()
    assert sorted(str(type(result).__name__) for result in brought) == ["LakeOvertaken", "int"]
    assert index(two) == 0
    assert one.count() == len(GAMES)
    assert one.check().good


def test_an_analysis_and_an_indexer_do_not_end_each_other(
    nodes: tuple[Archive, Archive], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two simultaneous commits to the lake one fails, and both write there again and again."""
    from claimlog.store.postgres.indexer import Indexer

    one, two = nodes
    assert one.postgres is not None
    left = 20

    def write() -> None:
        nonlocal left
        with one._backend.deriving() as cursor:
            cursor.execute("INSERT INTO settings VALUES ('one', '')")
            left -= 1
            if left > 0:
                disturb()

    def disturb() -> None:
        with two._backend.deriving() as cursor:
            cursor.execute("INSERT INTO settings VALUES ('two', '')")

    analysing._patiently(write)
    assert left == 0
    one.store(GAMES[0])
    calls = iter([lambda: None, disturb])  # before the transaction, and in it
    monkeypatch.setattr(Indexer, "check_lease", lambda _: next(calls, lambda: None)())
    assert one.index(once=True) == 1
    assert one.check().good


def test_who_may_not_write_is_told_so(address: str, postgres: Server, tmp_path: Path) -> None:
    """It used to say that PostgreSQL does not answer."""
    database = address.rpartition("/")[2]
    with Archive.open(address, lake=str(tmp_path / "lake")) as archive:
        assert archive.postgres is not None
        catalogue = archive.postgres.catalogue
        with archive.postgres.ledger() as cursor:
            cursor.execute(f"CREATE ROLE {database}_reader LOGIN")
            for schema in ("claimlog", catalogue):
                cursor.execute(f"GRANT USAGE ON SCHEMA {schema} TO {database}_reader")
                cursor.execute(
                    f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {database}_reader"
                )
    with Archive.open(address.replace("postgres@", f"{database}_reader@")) as archive:
        assert archive.count() == 0
        with pytest.raises(ArchiveRefused, match="does not let this user"):
            archive.store(GAMES[0])
    postgres.execute(f"ALTER DATABASE {database} SET default_transaction_read_only = on")
    with Archive.open(address) as archive:
        assert archive.count() == 0
        with pytest.raises(ArchiveUnreachable, match="takes no writes at present"):
            archive.store(GAMES[0])


def test_games_that_no_indexer_has_brought_are_analysed_too(nodes: tuple[Archive, Archive]) -> None:
    one, _ = nodes
    for game in GAMES:
        one.store(game)
    assert one.analyse(redeals=0, total=1) == one.count(Filter(seats=2)) > 0
    assert one.analyse(redeals=0, total=1) == 0


@pytest.mark.only_file("the argument is a path")
def test_a_lake_only_for_postgresql(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="a lake goes with"):
        Archive.open(tmp_path / "games.duckdb", lake=str(tmp_path))


def test_single_games_are_kept_in_the_catalogue_until_there_are_many(
    nodes: tuple[Archive, Archive], lake: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = nodes
    indexer = indexer_of(one)
    assert indexer.begin()

    def come(games: list[str]) -> list[str]:
        ids = []
        for game in games:
            ids.append(one.store(game).id or "")
            assert indexer.bring() == 1
        return ids

    def files() -> int:
        return sum(len(found) for *_, found in os.walk(lake))

    def all_is_well(number: int) -> None:
        assert two.count() == len(two.games().games) == number
        assert two.check().good

    ids = come(GAMES[:5])
    one.correct(ids[1], GAMES[5], by="Ann", why="misread")
    one.delete(ids[2], by="Ann", why="twice")
    assert indexer.bring() == 2
    assert files() == 0
    all_is_well(4)

    monkeypatch.setattr("claimlog.store.postgres.indexer.MOST_KEPT", 9)
    ids += come(GAMES[6:8])
    few = files()
    assert few > 0
    all_is_well(6)
    # Of games in files, too, rows are withdrawn in the catalogue.
    one.correct(ids[0], GAMES[8], by="Ann", why="misread")
    one.delete(ids[3], by="Ann", why="twice")
    assert indexer.bring() == 2
    ids += come(GAMES[9:11])
    assert files() == few
    all_is_well(7)

    indexer.tidy(everything=True)
    indexer.end()
    all_is_well(7)


def test_a_list_is_looked_for_in_one_scan(nodes: tuple[Archive, Archive]) -> None:
    one, two = nodes
    for game in GAMES[:5]:
        one.store(game)
    index(one)
    for archive in nodes:
        (_, plan), *_ = archive._backend.rows(
            "EXPLAIN SELECT game, gid FROM games WHERE seats > 0 ORDER BY day DESC, game LIMIT 1"
        )
        assert plan.count("DUCKLAKE_SCAN") == 1
    assert len(two.games(limit=1).games) == 1
