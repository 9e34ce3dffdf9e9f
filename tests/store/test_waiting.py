"""Games that are stored one at a time: their records at once, their other rows together."""

import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import Mock

import duckdb
import pytest

from claimlog.store import Archive, ArchiveError, ArchiveReadOnly, DiskFull, Filter, Handed
from claimlog.store.file import bloom_filter
from claimlog.store.file import database as store_database
from claimlog.store.file import waiting as module
from claimlog.store.questions import games

from .conftest import take_in
from .random_games import records

GAMES = records(40, seed=77)
BAD = '[Deck "GKUWX"]\n\n1. U7: G5 G5 /W2\n*\n'
TABLES = ("games", "tricks", "factions_won", "players", "events", "records")


def rows_of(path: Path) -> dict[str, Counter[tuple[object, ...]]]:
    """All rows of an archive except for times, and what follows from these."""
    with duckdb.connect(str(path), read_only=True) as file:
        return {
            table: Counter(
                file.execute(
                    f"SELECT COLUMNS(lambda c: c NOT IN ('stored_at', 'mark', 'checksum')) FROM {table}"
                ).fetchall()
            )
            for table in TABLES
        }


def body_of(record: str) -> str:
    """A record without the tags for where, when and who."""
    return record[record.index("[Deck") :]


@pytest.mark.only_file("inspects the file")
@pytest.mark.parametrize("together", [1, 3, 40])
def test_single_games_become_what_an_import_makes_of_them(tmp_path: Path, together: int) -> None:
    one, two = tmp_path / "one.duckdb", tmp_path / "two.duckdb"
    with Archive.open(one) as archive:
        for number, text in enumerate(GAMES, 1):
            assert archive.store(text, by="me").status == "stored"
            if number % together == 0:
                archive.settle()
        assert archive.check().good
    with Archive.open(two) as archive:
        take_in(archive, "\n".join(GAMES), by="me")
    assert rows_of(one) == rows_of(two)


@pytest.mark.only_file("in PostgreSQL no games wait in the process")
def test_a_game_is_there_by_its_id_and_in_every_list_at_once(archive: Archive) -> None:
    for number, text in enumerate(GAMES[:5], 1):
        stored = archive.store(text)
        assert archive.waiting == 1
        assert archive.game(str(stored.id)).row.digest == stored.digest
        assert archive.waiting == 1, "to show a game by its id no other row is needed"
        assert archive.count() == number
        assert archive.waiting == 0
        assert archive.games(limit=1).games[0].id == stored.id


@pytest.mark.only_file("in PostgreSQL no games wait in the process")
def test_a_game_just_stored_is_shown_without_judging_it_again(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = Mock(wraps=games._taken_apart)
    monkeypatch.setattr(games, "_taken_apart", judge)
    for text in GAMES:
        # As somebody may write it, not as it is kept.
        id = str(archive.store(text.replace("\n\n", "\n\n\n", 1)).id)
        first = archive.game(id)
        assert not judge.called
        assert archive.game(id) == first, "judged again"
        assert judge.called
        judge.reset_mock()
    assert not archive._intake._waiting._rows
    archive.store(BAD.replace("/W2", ""))
    archive.settle()
    assert not archive._intake._waiting._rows, "nobody has asked for it"


@pytest.mark.only_file("in PostgreSQL others may write meanwhile")
def test_rows_of_a_page_are_read_again_only_if_a_stored_game_may_have_changed(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_in(archive, "\n".join(GAMES[:20]))
    read: list[int] = []
    reading = games.Games._read

    def counting(self: games.Games, numbers: list[int]) -> dict[int, tuple[object, ...]]:
        read.append(len(numbers))
        return reading(self, numbers)

    monkeypatch.setattr(games.Games, "_read", counting)

    def page() -> list[int]:
        read.clear()
        shown = archive.games(limit=20).games
        asked = list(read)
        assert shown == [archive.game(row.id).row for row in shown]
        return asked

    assert page() == [20]
    assert page() == []
    archive.store(GAMES[20])
    assert page() == [1]
    first, last = archive.games(limit=20).games[:: len(GAMES[:20]) - 1]
    archive.correct(first.id, GAMES[21], by="me", why="")
    assert page() == [20]
    archive.delete(last.id, by="me", why="")
    assert page() == [20]
    with archive._games.database.write() as cursor:  # type: ignore[attr-defined]
        cursor.execute("BEGIN")
        cursor.execute("UPDATE games SET site = 'Nowhere'")
        assert {row.site for row in archive.games(limit=20).games} == {"Nowhere"}
        cursor.execute("ROLLBACK")
    assert page() == [20]


@pytest.mark.only_file("in PostgreSQL no games wait in the process")
def test_what_waits_is_known_again(archive: Archive) -> None:
    stored = archive.store(GAMES[0])
    again = archive.store(GAMES[0])
    assert (again.status, again.id) == ("known", stored.id)
    tags = '[Event "Cup"]\n[Round "1"]\n[Table "1"]\n'
    assert archive.store(tags + body_of(GAMES[2])).status == "stored"
    assert archive.waiting == 1
    assert archive.store(tags + body_of(GAMES[3])).status == "doubtful"


def test_games_that_come_together_are_stored_together(archive: Archive) -> None:
    # Each comes three times, and is stored once.
    with ThreadPoolExecutor(16) as threads:
        outcomes = list(threads.map(archive.store, GAMES * 3))
    assert Counter(one.status for one in outcomes) == {"stored": 40, "known": 80}
    assert len({one.id for one in outcomes}) == archive.count() == 40
    assert archive.check().faults == []


@pytest.mark.only_file("in PostgreSQL no games wait in the process")
def test_games_come_while_others_are_brought_in(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = archive._intake._waiting
    write = waiting._write
    later = iter(GAMES[3:6])

    def meanwhile(games: list[object]) -> None:
        with ThreadPoolExecutor(1) as thread:
            for text in later:
                assert thread.submit(archive.store, text).result(30).status == "stored"
        assert archive.game(first).row.revision == 1
        write(games)

    first, *_ = (str(archive.store(text).id) for text in GAMES[:3])
    monkeypatch.setattr(waiting, "_write", meanwhile)
    archive.settle()
    assert archive.waiting == 3, "those that came meanwhile wait for the next time"
    assert archive.count() == 6
    assert archive.check().good


@pytest.mark.only_file("the lists of a lake lag a moment behind")
def test_the_newest_are_listed_whatever_was_deleted(archive: Archive) -> None:
    ids = [str(archive.store(text).id) for text in GAMES[:20]]
    assert [row.id for row in archive.games(limit=2).games] == ids[:-3:-1]
    for id in ids[8:]:
        archive.delete(id, by="me", why="")
    assert [row.id for row in archive.games(limit=2).games] == [ids[7], ids[6]]


def test_of_games_handed_in_together_each_is_told_what_became_of_it(archive: Archive) -> None:
    handed = [Handed(text.encode(), "me", "", "refuse") for text in (*GAMES[:3], GAMES[0], BAD)]
    handed.append(Handed(GAMES[4].encode(), "\0", "", "refuse"))
    handed.append(Handed(b"", "me", "", "refuse"))
    answers = archive.store_together(handed)
    if archive.postgres:
        assert answers == [None] * len(handed)
        return
    kinds = [one if one is None or isinstance(one, Exception) else one.status for one in answers]
    assert kinds[:5] == ["stored", "stored", "stored", None, "invalid"]
    assert isinstance(kinds[5], ArchiveError)
    assert kinds[6] is None
    assert archive.store(GAMES[0]).status == "known"
    assert archive.count() == 3


@pytest.mark.only_file("there is no such filter in PostgreSQL")
def test_keys_are_looked_up_only_if_both_halves_are_known(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bloom_filter, "FEW", 0)
    take_in(archive, "\n".join(GAMES[:10]))
    database = archive._games.database
    assert isinstance(database, store_database.Database)
    looked = bloom_filter.BloomFilter(database)
    with database.read() as cursor:
        keys = {row[0] for row in cursor.execute("SELECT key FROM records").fetchall()}
        assert looked.known(cursor, keys, ()) == keys
        asked = Mock(wraps=cursor)
        low, high = (1 << bloom_filter.HALF) - 1, 1 << bloom_filter.HALF
        halves = [key & low for key in keys], [key - (key & low) for key in keys]
        assert (
            looked.known(asked, {low_half | high * 0x5555 for low_half in halves[0]}, ()) == set()
        )
        assert looked.known(asked, {high_half | 0x5555 for high_half in halves[1]}, ()) == set()
        assert not asked.execute.called
        looked.add([high * 0x5555 | 0x5555])
        assert looked.known(asked, {high * 0x5555 | 0x5555}, ()) == set()
        assert asked.execute.called


@pytest.mark.only_file("there is no such filter in PostgreSQL")
def test_keys_are_known_from_the_first_game_on_if_prepared(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_in(archive, "\n".join(GAMES[:10]))
    archive.store(GAMES[10])
    asked: list[Mock] = []
    made = bloom_filter.BloomFilter.known
    monkeypatch.setattr(
        bloom_filter.BloomFilter,
        "known",
        lambda self, cursor, *keys: made(
            self, asked.append(Mock(wraps=cursor)) or asked[-1], *keys
        ),
    )
    archive.store(GAMES[11])
    assert asked[-1].execute.called
    archive.prepare_to_store()
    archive.store(GAMES[12])
    assert not asked[-1].execute.called
    for known in (GAMES[0], GAMES[10], GAMES[11], GAMES[12]):
        assert archive.store(known).status == "known"


@pytest.mark.only_file("in PostgreSQL no games wait in the process")
def test_so_many_wait_and_no_more(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 4)
    waiting = []
    for text in GAMES[:9]:
        archive.store(text)
        waiting.append(archive.waiting)
    assert waiting == [1, 2, 3, 0, 1, 2, 3, 0, 1]


def test_writing_anything_else_comes_after_what_waits(archive: Archive) -> None:
    ids = [str(archive.store(text).id) for text in GAMES[:3]]
    archive.delete(ids[0], by="me", why="")
    archive.store(GAMES[3])
    take_in(archive, GAMES[4])
    archive.store(GAMES[5])
    assert archive.undelete(ids[0], by="me", why="").revision == 3
    assert archive.store(GAMES[6]).status == "stored"
    assert archive.count() == 7
    assert archive.check().faults == []


def test_games_of_players_that_were_merged_are_weighed_as_ever(archive: Archive) -> None:
    body = body_of(GAMES[0])
    two = '[Event "Cup"]\n[Round "2"]\n[Player1 "Bo"]\n[Player2 "{}"]\n'
    archive.store(two.format("Ann") + body)
    archive.store('[Player1 "Anna"]\n[Player2 "Cy"]\n' + body)
    archive.merge_players("Anna", "Ann", by="me")
    assert archive.store(two.format("Anna") + body).status == "doubtful"
    assert archive.count(Filter(player="Ann")) == 2


KILLED = """
import os, sys
from claimlog.store import Archive
archive = Archive.open(sys.argv[1])
for text in open(sys.argv[2]).read().split("\\0"):
    assert archive.store(text).status == "stored"
assert archive.waiting == 3
os._exit(9)
"""


@pytest.mark.only_file("in PostgreSQL no games wait in the process")
@pytest.mark.parametrize("read_only", [False, True])
def test_what_waited_when_the_process_was_killed_is_there(tmp_path: Path, read_only: bool) -> None:
    path, texts = tmp_path / "games.duckdb", tmp_path / "texts"
    texts.write_text("\0".join(GAMES[:3]))
    died = subprocess.run([sys.executable, "-c", KILLED, path, texts], timeout=60, check=False)
    assert died.returncode == 9
    with Archive.open(path, read_only=read_only) as archive:
        assert archive.read_only == read_only
        assert archive.count() == 3
        assert len(archive.players().players) > 1
        assert archive.check().faults == []


@pytest.mark.only_file("inspects the file")
@pytest.mark.parametrize("record", ["", "no record at all", BAD])
def test_a_last_record_that_is_no_game_stops_nobody_from_opening(
    tmp_path: Path, record: str
) -> None:
    path = tmp_path / "games.duckdb"
    with Archive.open(path) as archive:
        for text in GAMES[:3]:
            archive.store(text)
    with duckdb.connect(str(path)) as file:
        file.execute("UPDATE records SET record = ? WHERE game = 3", [record])
        file.execute("DELETE FROM games WHERE game = 3")
    for read_only in (True, False):
        with Archive.open(path, read_only=read_only) as archive:
            assert archive.count() == 2
            assert archive.check().faults


@pytest.mark.only_file("in PostgreSQL no games wait in the process")
def test_a_file_that_cannot_be_written_says_that_games_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, texts = tmp_path / "games.duckdb", tmp_path / "texts"
    texts.write_text("\0".join(GAMES[:3]))
    subprocess.run([sys.executable, "-c", KILLED, path, texts], timeout=60, check=False)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(ArchiveReadOnly, match="open it for writing once"):
        Archive.open(path, read_only=True)


@pytest.mark.only_file("in PostgreSQL no games wait in the process")
def test_where_rows_cannot_be_made_no_answer_lacks_them(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = archive._backend
    make = database.bring_in

    def full() -> None:
        raise DiskFull("there is no room left")

    stored = archive.store(GAMES[0])
    monkeypatch.setattr(database, "bring_in", full)
    for ask in (archive.count, archive.games, lambda: list(archive.export("clm"))):
        with pytest.raises(DiskFull):
            ask()
    assert archive.game(str(stored.id)).row.id == stored.id
    with pytest.raises(DiskFull):
        archive.delete(str(stored.id), by="me", why="")
    with pytest.raises(DiskFull):
        archive.check()
    monkeypatch.setattr(database, "bring_in", make)
    monkeypatch.setattr(database, "_patience", 0.0)
    assert archive.count() == 1


@pytest.mark.only_file("in PostgreSQL no games wait in the process")
def test_once_there_is_room_again_nothing_is_missing(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = archive._backend
    make = database.bring_in
    tried = []

    def full() -> None:
        tried.append(1)
        raise DiskFull("there is no room left")

    monkeypatch.setattr(store_database, "PATIENCE", 1e9)
    archive.store(GAMES[0])
    monkeypatch.setattr(database, "bring_in", full)
    for _ in range(3):
        with pytest.raises(DiskFull):
            archive.count()
    assert len(tried) == 1, "not every reader tries"
    monkeypatch.setattr(database, "bring_in", make)
    assert archive.check().good, "what waits is no fault"
    monkeypatch.setattr(database, "bring_in", full)
    archive.store(GAMES[1])
    with pytest.raises(DiskFull):
        archive.count()
    monkeypatch.setattr(database, "bring_in", make)
    archive.store(GAMES[2])
    assert archive.count() == 3, "what could be written is a reason to try again"
