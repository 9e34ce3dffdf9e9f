"""Storing by the workers of a Dask cluster: in PostgreSQL and the lake, once, whoever is killed."""

import json
import os
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import commands
import pytest

pytest.importorskip("psycopg", reason="the extra claimlog[cluster] is not installed")

from dask_workers import Workers
from waiting import wait_until

from claimlog.notation.reader import Part, open_games, parts
from claimlog.spread import Spread
from claimlog.store import Archive, ArchiveUnreachable, Filter, Outcome
from claimlog.store.postgres import block_rows, bulk

from .random_games import records

GAMES = records(300)
BLOCK = 1 << 14
"""Bytes: enough for some dozen games."""


@pytest.fixture
def archive(new_archive: str) -> Iterator[Archive]:
    with Archive.open(new_archive) as opened:
        yield opened
    bulk.close_all()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.clm"
    path.write_text("\n".join(GAMES), encoding="utf-8")
    return path


def tagged(record: str, tag: str, value: str) -> str:
    return f'[{tag} "{value}"]\n{record}'


def store(
    address: str, text: str, *, job: str = "job", doubtful: str = "refuse", everything: bool = False
) -> bulk.Done:
    """Do a task in this process."""
    part = Part("", 0, 0, text.encode())
    (done,) = bulk.store_parts(
        bulk.Job(address, job, (part,), ("a.clm",), "Ann", doubtful, "en", everything)  # type: ignore[arg-type]
    )
    assert isinstance(done, bulk.Done)
    return done


class InTurn:
    """Does the tasks of an import in this process, and counts them."""

    def __init__(self) -> None:
        self.tasks: list[bulk.Job] = []

    def map(
        self, work: Callable[[bulk.Job], list[bulk.Done]], tasks: Iterable[bulk.Job]
    ) -> Iterator[list[bulk.Done]]:
        for task in tasks:
            self.tasks.append(task)
            yield work(task)


def an_import(
    spread: object, address: str, job: str = "one", everything: bool = False
) -> bulk.Import:
    return bulk.Import(
        spread,  # type: ignore[arg-type]
        address,
        job=job,
        by="Ann",
        doubtful="refuse",
        language="en",
        everything=everything,
    )


def files_of(archive: Archive) -> list[str]:
    rows = archive._backend.ask_ledger("SELECT name FROM batches WHERE name IS NOT NULL")
    return [row[0] for row in rows]


class Done(NamedTuple):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def claimlog(*args: object, run: Callable[..., commands.Ended] = commands.claimlog) -> Done:
    code, out, errors = run(*args)
    return Done(code, out.decode(), errors.decode())


def test_columns_that_are_empty_in_the_first_files_are_searched(
    archive: Archive, address: str
) -> None:
    """What DuckLake then believes of such a column comes from the next transaction alone."""
    two, four = records(40, seed=2, seats="2"), records(60, seed=3, seats="4")
    for place, some in enumerate((two, four)):
        store(address, "\n".join(some), job=str(place))
    assert archive.index(once=True) == 100
    archive.store(records(61, seed=3, seats="4")[-1])
    assert archive.index(once=True) == 1
    texts = [*two, *four, records(61, seed=3, seats="4")[-1]]
    for number in range(1, 12, 2):  # these have one id each
        name = f"Player Nr {number}"
        expected = sum(bool(re.search(rf'^\[Player. "{name}"\]$', text, re.M)) for text in texts)
        assert archive.count(Filter(player=name)) == expected > 0
    votes = [sorted((row.votes or {}).values()) for row in archive.games(limit=200).games]
    for sort in ("votes", "table"):
        listed = archive.games(sort=sort, limit=200).games
        assert sorted(sorted((row.votes or {}).values()) for row in listed) == sorted(votes)


def test_parts_are_cut_where_games_begin(file: Path) -> None:
    with open_games(str(file)) as stream:
        blocks = list(parts(stream, BLOCK))
    assert len(blocks) > 3
    assert b"".join(part.read() for part in blocks) == file.read_bytes()
    assert [part.size for part in blocks] == [len(part.read()) for part in blocks]
    with pytest.raises(FileNotFoundError, match="workers of the cluster do not see"):
        blocks[0]._replace(path="/nowhere").read()


def test_rows_come_from_files_and_only_once(archive: Archive, address: str) -> None:
    done = store(address, "\n".join(GAMES[:200]))
    assert done.counts.total() == done.games == 200
    assert len(files_of(archive)) == 1
    assert archive.index(once=True) == 200
    assert archive.index(once=True) == 0
    assert archive.count() == 200
    assert archive.check().good
    (one,) = archive.games(limit=1).games
    assert archive.revisions(one.id)[0].by == "Ann"
    archive.compact()
    assert archive.check().good
    assert archive.rebuild().games == 200
    assert archive.check().good


def test_what_comes_between_blocks_keeps_its_place(archive: Archive, address: str) -> None:
    store(address, "\n".join(GAMES[:50]))
    ids = [
        row[0]
        for row in archive._backend.ask_ledger("SELECT digest FROM records ORDER BY game LIMIT 3")
    ]
    find_digests = archive._backend.find_digests
    with archive._backend.ledger() as cursor:
        known = find_digests(cursor, [bytes(id) for id in ids])
    from claimlog.store.model.ids import write_id

    games = [write_id(one.gid) for one in known.values()]
    archive.delete(games[0], by="Bo", why="twice")
    archive.correct(
        games[1], tagged(archive.game(games[1]).record, "Annotator", "B"), by="Bo", why="who"
    )
    store(address, "\n".join(GAMES[50:100]))
    store(address, "\n".join(GAMES[100:150]))
    archive.store(GAMES[150])
    assert archive.index(once=True) == 153
    assert archive.count() == 150
    assert archive.check().good


def test_the_same_block_again(archive: Archive, address: str) -> None:
    text = "\n".join(GAMES[:40])
    first = store(address, text)
    assert first.counts.total() == 40
    assert {status for status, _ in first.counts} == {"stored"}
    # The same import again: its worker was killed before it could answer.
    assert store(address, text) == first
    assert store(address, text, job="another").counts == Counter({("known", True): 40})
    archive.index(once=True)
    (one,) = archive.games(limit=1).games
    archive.delete(one.id, by="Bo", why="twice")
    done = store(address, text, job="a third")
    assert [outcome.status for outcome in done.outcomes] == ["deleted"]
    assert archive.index(once=True) == 1
    assert archive.check().good


def test_blocks_that_are_known_in_part(archive: Archive, address: str) -> None:
    archive.store(GAMES[3])
    other = tagged(GAMES[5], "Annotator", "B")
    wrong = GAMES[6].replace("[Deck", "[Dock")
    text = "\n".join([*GAMES[:6], wrong, other])
    done = store(address, text)
    assert [outcome.status for outcome in done.outcomes] == ["invalid", "doubtful"]
    assert done.games == 8
    assert done.counts.total() == 6
    replaced = store(address, text, doubtful="replace", job="another")
    assert [outcome.status for outcome in replaced.outcomes] == ["invalid", "corrected"]
    both = [GAMES[8], tagged(GAMES[8], "Annotator", "B")]
    beside = store(address, "\n".join(both), doubtful="beside")
    assert beside.counts.total() == 2
    archive.index(once=True)
    assert archive.count() == 8
    assert archive.check().good


def test_a_task_done_twice_at_once(
    archive: Archive, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that was thought dead continues: the other was faster, and its files stay."""
    text = "\n".join(GAMES[:40])
    end = block_rows.BlockRows.begin

    def slow(self: block_rows.BlockRows, numbers: dict[int, int]) -> None:
        end(self, numbers)
        monkeypatch.setattr(block_rows.BlockRows, "begin", end)
        assert store(address, text).counts.total() == 40

    monkeypatch.setattr(block_rows.BlockRows, "begin", slow)
    late = store(address, text, job="slow")
    assert late.counts.total() == 40
    assert {status for status, _ in late.counts} == {"known"}
    assert len(files_of(archive)) == 1
    archive.index(once=True)
    assert archive.count() == 40
    assert archive.check().good


def test_workers_store_and_may_be_killed(
    archive: Archive, address: str, workers: Workers, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "SIZE", BLOCK)
    counts: Counter[str] = Counter()
    with Spread(workers.address) as spread:
        (only,) = an_import(spread, address).files([str(file)])
        assert only.size == file.stat().st_size
        for number, done in enumerate(only.done):
            if number == 1:
                workers.kill_one()
            assert not done.outcomes
            for (status, _), games in done.counts.items():
                counts[status] += games
        spread.everywhere(bulk.close_all)
    assert counts == {"stored": 300}
    archive.bring()
    assert archive.count() == 300
    assert archive.check().good


def test_a_restored_dump_overwrites_no_file(archive: Archive, address: str, tmp_path: Path) -> None:
    """It continues with the lake and the numbers of its original, which may still be in use."""
    text = "\n".join(GAMES[:4])
    store(address, text)
    assert archive.postgres is not None
    with archive.postgres.ledger() as cursor:
        cursor.execute("TRUNCATE records, heads, digests, batches")
        cursor.execute("SELECT setval('numbers', 1, false)")
    store(address, text)
    assert len([*tmp_path.rglob("*-games.parquet")]) == 2


def test_a_lake_that_is_away(archive: Archive, address: str, tmp_path: Path) -> None:
    store(address, "\n".join(GAMES[:2]))
    (tmp_path / "lake").rename(tmp_path / "away")
    with pytest.raises(ArchiveUnreachable, match=r"does not answer: .*blocks"):
        store(address, "\n".join(GAMES[2:4]))
    (tmp_path / "away").rename(tmp_path / "lake")
    (blocks,) = tmp_path.rglob("blocks")
    blocks.rename(tmp_path / "away")
    blocks.touch()
    with pytest.raises(ArchiveUnreachable, match=r"does not answer: .*blocks"):
        store(address, "\n".join(GAMES[2:4]))


def test_an_import_that_ends_closes_nothing_under_another(workers: Workers, tmp_path: Path) -> None:
    def busy(name: str) -> None:
        os.environ["BUSY"] = "busy"
        (tmp_path / name).touch()
        time.sleep(0.5)
        del os.environ["BUSY"]

    def look() -> None:
        (tmp_path / f"{os.getpid()}.seen").write_text(os.environ.get("BUSY", "idle"))

    with Spread(workers.address) as one, Spread(workers.address) as other:
        thread = threading.Thread(target=lambda: [*one.map(busy, ["a", "b"])])
        thread.start()
        wait_until(lambda: any(tmp_path.iterdir()))
        other.everywhere(look)
        thread.join()
    assert {file.read_text() for file in tmp_path.glob("*.seen")} == {"idle"}


def small_files(folder: Path) -> list[str]:
    """Ten files of three games each; one has an error in its second game, one cannot be read."""
    folder.mkdir()
    texts = ["\n".join(GAMES[place : place + 3]) for place in range(0, 30, 3)]
    texts[4] = texts[4].replace(GAMES[13], GAMES[13].replace("[Deck", "[Dock"))
    # A text that ends inside a comment does not swallow the beginning of another file.
    texts[6] = texts[6].rstrip() + " {and then"
    paths = []
    for number, text in enumerate(texts):
        paths.append(str(folder / f"{number}.clm"))
        Path(paths[-1]).write_text(text, encoding="utf-8")
    return [*paths[:8], str(folder / "none.clm"), *paths[8:]]


def test_small_files_go_together(archive: Archive, address: str, tmp_path: Path) -> None:
    paths = small_files(tmp_path / "small")
    spread = InTurn()
    statuses = {}
    errors = {}
    for file in an_import(spread, address, everything=True).files(paths):
        outcomes: list[Outcome] = []
        try:
            for done in file.done:
                outcomes += done.outcomes
        except OSError as error:
            errors[file.path] = error
        assert [one.game for one in outcomes] == list(range(1, len(outcomes) + 1))
        assert all(one.line == 1 for one in outcomes[:1])
        statuses[file.path] = [one.status for one in outcomes]
    assert [len(task.parts) for task in spread.tasks] == [10]
    assert list(errors) == [paths[8]]
    assert list(statuses) == paths
    assert statuses[paths[4]] == ["stored", "invalid", "stored"]
    assert statuses[paths[6]] == ["stored", "stored", "invalid"]
    stored = [path for path, listed in statuses.items() for one in listed if one == "stored"]
    assert len(stored) == 28
    sources = archive._backend.ask_ledger("SELECT source FROM records ORDER BY source")
    assert sorted(row[0] for row in sources) == sorted(stored)
    archive.index(once=True)
    assert archive.count() == 28
    assert archive.check().good
    # Each is recognized, whatever it comes with.
    again = InTurn()
    counts: Counter[str] = Counter()
    for file in an_import(again, address, "two").files([paths[9], paths[2], paths[0]]):
        for done in file.done:
            assert not done.outcomes
            for (status, _), number in done.counts.items():
                counts[status] += number
    assert counts == {"known": 9}


def test_what_is_big_goes_alone(
    archive: Archive, address: str, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "SIZE", BLOCK)
    paths = small_files(tmp_path / "small")[:3]
    spread = InTurn()
    read = [
        (files.path, sum(done.games for done in files.done))
        for files in an_import(spread, address).files([paths[0], str(file), *paths[1:]])
    ]
    assert read == [(paths[0], 3), (str(file), 300), (paths[1], 3), (paths[2], 3)]
    assert max(sum(part.size for part in task.parts) for task in spread.tasks) < 2 * BLOCK
    assert len(spread.tasks) > 10
    assert archive._backend.ask_ledger("SELECT count(*) FROM records") == [(300,)]


def test_the_command(address: str, workers: Workers, file: Path, tmp_path: Path) -> None:
    broken = GAMES[0].replace("[Deck", "[Dock")
    more = tagged(GAMES[1], "Annotator", "B")
    other = tmp_path / "other.clm"
    other.write_text("\n".join([GAMES[0], broken, more]), encoding="utf-8")
    here = tmp_path / "here.duckdb"
    own = commands.in_process_of_its_own  # into a file, on any backend of the tests
    plain = claimlog("import", file, other, "--db", here, run=own)
    where = ("--db", address, "--lake", tmp_path / "lake", "--cluster", workers.address)
    done = claimlog("import", file, other, *where, run=own)
    assert done.stderr == plain.stderr == ""
    assert done.stdout == plain.stdout
    assert done.returncode == plain.returncode == 1
    again = claimlog("import", file, *where)
    assert again.stdout == "300 games: 300 known already\n"
    assert again.returncode == 0
    listed = claimlog("import", other, "--json", *where)
    statuses = [json.loads(line)["status"] for line in listed.stdout.splitlines()]
    assert statuses == ["known", "invalid", "doubtful"]
    with Archive.open(address) as archive:
        assert archive.count() == 300
        assert archive.check().good
    missing = claimlog("import", tmp_path / "none.clm", *where)
    assert missing.returncode == 2
    assert "cannot be read: no such file" in missing.stderr


def test_what_the_command_refuses(address: str, workers: Workers, file: Path) -> None:
    to_file = claimlog("import", file, "--db", file.with_suffix(".db"), "--cluster", "tcp://x:1")
    assert to_file.returncode == 2
    assert to_file.stderr == (
        "claimlog: --cluster needs an archive in PostgreSQL: --db postgresql://…\n"
    )
    for bad, message in (
        (
            "nonsense",
            "nonsense is not the address of a scheduler; it is written tcp://127.0.0.1:8786",
        ),
        ("tcp://127.0.0.1:1", "the cluster at tcp://127.0.0.1:1 cannot be reached"),
    ):
        refused = claimlog("import", file, "--db", address, "--cluster", bad)
        assert refused.returncode == 2
        assert message in refused.stderr
        assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("format", ["text", "json", "github"])
def test_validate_says_the_same(format: str, workers: Workers, file: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.clm"
    broken.write_text(
        "\n".join([*GAMES[:100], GAMES[0].replace("[Deck", "[Dock"), *GAMES[100:]]), "utf-8"
    )
    command = ("validate", file, broken, tmp_path / "none.clm", "--format", format)
    plain = claimlog(*command)
    far = claimlog(*command, "--cluster", workers.address)
    assert (far.returncode, far.stdout, far.stderr) == (2, plain.stdout, plain.stderr)
