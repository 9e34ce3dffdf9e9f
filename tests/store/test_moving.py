"""`claimlog db move`: an archive goes from a file into PostgreSQL with a lake, and back."""

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import claimlog, in_process_of_its_own

pytest.importorskip("psycopg", reason="the extra claimlog[cluster] is not installed")


from claimlog.analysis.keeping import Task
from claimlog.api.tokens import move_tokens, tokens_of
from claimlog.directing.model import Entrant
from claimlog.store import Archive, ArchiveError, ArchiveUnreachable, Conflict, Filter, analysing
from claimlog.store.file.database import Database
from claimlog.store.moving import move
from claimlog.store.postgres.connection import Postgres

from .conftest import take_in
from .random_games import records

GAMES = records(60)


def opened(path: Path) -> Archive:
    """The archive in a file, whatever backend the other tests use."""
    return Archive.of(
        Database(path, read_only=False, create=True, memory_limit="1GB", threads=None)
    )


def tagged(record: str, tag: str, value: str) -> str:
    return f'[{tag} "{value}"]\n{record}'


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an archive with all kinds of things stored."""
    path = tmp_path_factory.mktemp("stored") / "games.duckdb"
    with opened(path) as archive:
        ids = [one.id or "" for one in take_in(archive, "\n".join(GAMES), by="Ann", source="a.clm")]
        archive.store(tagged(GAMES[0], "Annotator", "Z"), by="Bo", source="post", doubtful="beside")
        for number, id in enumerate(ids[1:4]):
            new = tagged(GAMES[1 + number], "Annotator", "Y")
            archive.correct(id, new, by="Bo", why="an annotator was missing")
        archive.delete(ids[5], by="Cy", why="played twice")
        archive.delete(ids[6], by="Cy", why="a slip")
        archive.undelete(ids[6], by="Cy", why="no slip")
        merge(archive, [row.id for row in archive.players(limit=50).players])
        event = archive.events(limit=1).events[0]
        archive.rename_event(event.id, "The Cup", by="Di", why="so it is called")
        archive.set_tiebreaks(event.id, ["wins"], by="Di")
        archive.create_event("Spring Cup", by="Fay", why="it is spring")
        archive.enter("Spring Cup", [Entrant(name="Gus")], by="Fay")
        tokens_of(archive).create("Ruth", "record")
        game = archive.game(archive.games(Filter(seats=2), limit=1).games[0].id)
        task = Task(bytes.fromhex(game.row.digest), game.record.encode(), 1000, 0)
        analysing._keep(archive._backend, [analysing.kept(task)])
    return path.parent


@pytest.fixture
def file(stored: Path, tmp_path: Path) -> Path:
    """The same archive, in a folder of the test."""
    shutil.copytree(stored, tmp_path, dirs_exist_ok=True)
    return tmp_path / "games.duckdb"


def merge(archive: Archive, ids: list[str]) -> None:
    for alias in ids[1:]:
        try:
            archive.merge_players(alias, ids[0], by="Di", why="the same")
        except Conflict:
            continue
        return
    pytest.fail("no two players can be merged")


def contents(archive: Archive) -> dict[str, Any]:
    """All answers of an archive, as far as a move should keep them."""
    revisions = archive._backend.ask_ledger(
        "SELECT gid, revision, digest, stored_at, who, why, source, deleted, record "
        "FROM records ORDER BY gid, revision"
    )
    merges = archive._backend.ask_ledger("SELECT * FROM merges ORDER BY alias")
    info = archive.info()
    return {
        "records": [[bytes(x) if isinstance(x, bytes) else x for x in row] for row in revisions],
        "merges": merges,
        "names": archive._backend.ask_ledger("SELECT * FROM event_names"),
        "settings": archive._backend.ask_ledger("SELECT * FROM event_settings"),
        "acts": archive.desk_acts("Spring Cup"),
        "counts": (info.games, info.complete, info.revisions, info.deleted, info.players),
        "games": archive.games(limit=100).games,
        "analyses": [archive.analysis(row.digest) for row in archive.games(limit=100).games],
        "players": archive.players(limit=100).players,
        "events": archive.events(limit=100).events,
        "cards": archive.card_stats(),
        "upcards": archive.upcard_stats(),
        "leads": archive.lead_stats(),
        "doubtful": archive.doubtful(),
        "tokens": tokens_of(archive).tokens(),
    }


def test_there_and_back(file: Path, address: str, tmp_path: Path) -> None:
    with opened(file) as archive:
        before = contents(archive)
        assert any(before["analyses"])
        noted = archive.check().head
    shown: list[int] = []
    lake = str(tmp_path / "lake")
    moved = move(
        file, address, lake=lake, last=move_tokens, report=lambda news: shown.append(news.done)
    )
    assert (moved.games, moved.revisions, moved.faults, moved.head) == (60, 67, 0, noted)
    assert shown[-1] == 67
    with Archive.open(address) as archive:
        assert contents(archive) == before
        assert archive.check().good
        # The next one has a new id, number and mark.
        other = archive.store(records(61)[60])
        assert other.status == "stored"
        assert archive.store(GAMES[7]).status == "known"
        gone = archive.delete(other.id or "", by="Ann", why="to compare")
        assert gone.revision == 2
        archive.index(once=True)
        report = archive.check(head=noted)
        assert report.good
        after = contents(archive)
    back = tmp_path / "back.duckdb"
    moved = move(address, back, last=move_tokens)
    assert (moved.faults, moved.head) == (0, report.head)
    with opened(back) as archive:
        assert contents(archive) == after
        assert archive.check().good
        assert archive.store(records(62)[61]).status == "stored"
        assert archive.check(head=noted).good
    assert not list(tmp_path.glob("*.moving*"))
    with opened(file) as archive:
        assert contents(archive) == before


def test_what_is_new_in_postgresql_comes_along(address: str, tmp_path: Path) -> None:
    with Archive.open(address, lake=str(tmp_path / "lake")) as archive:
        take_in(archive, "\n".join(GAMES))
    move(address, tmp_path / "back.duckdb")
    with opened(tmp_path / "back.duckdb") as archive:
        assert archive.count() == 60
        assert archive.check().good


@pytest.mark.parametrize("when", ["ledger", "last"])
def test_a_move_that_was_killed_is_repeated(
    when: str, file: Path, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = str(tmp_path / "lake")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        if when == "ledger":
            patch.setattr("claimlog.store.moving.into_postgres.go", killed)
        move(file, address, lake=lake, last=killed)
    with pytest.raises(ArchiveError, match="repeat claimlog db move"):
        Archive.open(address)
    assert move(file, address, lake=lake).games == 60
    with Archive.open(address) as archive:
        assert archive.check().good
    with pytest.raises(KeyboardInterrupt):
        move(address, tmp_path / "back.duckdb", last=killed)
    assert not (tmp_path / "back.duckdb").exists()
    assert move(address, tmp_path / "back.duckdb").games == 60


def schemas(address: str) -> set[str]:
    """The schemas of claimlog in a database."""
    with contextlib.closing(Postgres(address).open()) as connection:
        rows = connection.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'claim%'")
        return {name for (name,) in rows}


def test_a_move_that_could_not_begin_leaves_nothing_in_postgresql(
    file: Path, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = tmp_path / "lake"
    lake.touch()
    with pytest.raises(ArchiveError, match="lake"):
        move(file, address, lake=str(lake))
    lake.unlink()
    with monkeypatch.context() as patch, pytest.raises(ArchiveUnreachable):
        patch.setattr("claimlog.store.postgres.backend.make_tables", fails)
        move(file, address, lake=str(lake))
    assert not schemas(address)
    with pytest.raises(ArchiveUnreachable):
        move(file, address, lake=str(lake), last=fails)
    left = schemas(address)
    moved = move(file, address, lake=str(lake))
    assert moved.games == 60
    assert moved.continued
    assert schemas(address) == left


def fails(*_: object) -> None:
    raise ArchiveUnreachable("lake.silent", path="there", why="no answer")


def test_what_a_killed_process_left_is_dropped(file: Path, address: str, tmp_path: Path) -> None:
    """Whoever makes a lake is killed before anything knows of it."""

    def left() -> None:
        with contextlib.closing(Postgres(address).open()) as connection:
            connection.execute("CREATE SCHEMA claimlog_lake_0badcafe")
            connection.execute("CREATE SCHEMA IF NOT EXISTS claimlog_lake_of_somebody_else")

    others = {"claimlog", "claimlog_lake_of_somebody_else"}
    left()
    move(file, address, lake=str(tmp_path / "lake"))
    (used,) = schemas(address) - others
    with Archive.open(address) as archive:
        left()
        archive.compact()
        assert schemas(address) - others == {used}
        left()
        archive.rebuild(lake=str(tmp_path / "other"))
        (other,) = schemas(address) - others
        assert other not in (used, "claimlog_lake_0badcafe")
        assert archive.check().good


def test_the_log_of_a_killed_move_is_in_nobodys_way(
    file: Path, address: str, tmp_path: Path
) -> None:
    move(file, address, lake=str(tmp_path / "lake"))
    for left in ("back.duckdb.moving", "back.duckdb.moving.wal"):
        (tmp_path / left).write_bytes(b"half")
    assert move(address, tmp_path / "back.duckdb").games == 60
    assert not list(tmp_path.glob("*.moving*"))


def test_what_a_move_refuses(address: str, file: Path, tmp_path: Path) -> None:
    lake = str(tmp_path / "lake")
    refused: list[tuple[Callable[[], object], str]] = [
        (lambda: move(file, tmp_path / "b.duckdb"), "from a file to postgresql"),
        (lambda: move(address, address), "from a file to postgresql"),
        (lambda: move(tmp_path / "none.duckdb", address, lake=lake), "there is no archive"),
        (lambda: move(file, address), "needs a lake"),
        (lambda: move(address, tmp_path / "b.duckdb"), "there is no archive"),
    ]
    for call, message in refused:
        with pytest.raises(ArchiveError, match=message):
            call()
    move(file, address, lake=lake)
    with pytest.raises(ArchiveError, match="there is already an archive at postgresql"):
        move(file, address, lake=lake)
    with pytest.raises(ArchiveError, match=r"there is already an archive at .*games"):
        move(address, file)


def test_the_command(file: Path, address: str, tmp_path: Path) -> None:
    command = ("db", "move", file, address, "--lake", tmp_path / "lake")
    code, out, errors = in_process_of_its_own(*command)
    where = address.replace("postgres@", "").partition(":")[0]
    assert code == 0, errors
    assert out.decode().startswith(f"games: 60, revisions: 67, moved to {where}")
    code, _, errors = claimlog(*command, "--lang", "de")
    assert code == 2
    assert errors.decode().startswith("claimlog: bei postgresql")
    assert "gibt es schon ein Archiv" in errors.decode()
    with opened(file) as old, Archive.open(address) as new:
        assert tokens_of(new).tokens() == tokens_of(old).tokens() != {}
