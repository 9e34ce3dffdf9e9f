"""The entry point: what ``import claimlog`` offers."""

import errno
import gzip
import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

import claimlog
from claimlog import Game, dump, dumps, loads, open_archive, read_games, simulate_games

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "data" / "sample.clm"
ZURICH = ROOT / "data" / "zurich-open.clm"
BAD = '[Deck "GKUWX"]\n1. U7: G5 Q8\n*\n\n[Deck "nonsense"]\n'


def test_every_name_can_be_had() -> None:
    for name in claimlog.__all__:
        assert getattr(claimlog, name) is not None
    assert set(claimlog.__all__) <= set(dir(claimlog))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        claimlog.nothing  # noqa: B018


def test_a_name_loads_no_more_than_it_needs() -> None:
    code = "import sys, claimlog; claimlog.Game; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    loaded = set(done.stdout.split())
    assert "claimlog.game" in loaded
    assert not loaded & {"claimlog.cards", "claimlog.library", "msgspec", "duckdb", "typer"}
    code = "import sys, claimlog; list(claimlog.read_games(sys.argv[1])); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, str(SAMPLE)], check=True, capture_output=True, text=True
    )
    assert not set(done.stdout.split()) & {"msgspec", "duckdb", "typer", "rich", "claimlog.store"}


def test_a_path_a_file_and_a_text_are_the_same_games(tmp_path: Path) -> None:
    data = ZURICH.read_bytes()
    wanted = loads(data)
    assert len(wanted) == 64
    assert loads(data.decode()) == wanted
    (tmp_path / "games.clm.gz").write_bytes(gzip.compress(data))
    (tmp_path / "games.clm.zst").write_bytes(zstd.compress(data))
    (tmp_path / "notes.txt").write_bytes(data)
    for path in (ZURICH, str(ZURICH), tmp_path / "games.clm.gz", tmp_path / "games.clm.zst"):
        assert list(read_games(path)) == wanted
    assert list(read_games(io.BytesIO(data))) == wanted
    assert list(read_games(data)) == list(read_games(data.decode())) == wanted
    assert list(read_games(io.StringIO(data.decode()))) == wanted
    with open(ZURICH, encoding="utf-8") as text, open(ZURICH, "rb") as binary:
        assert list(read_games(text)) == list(read_games(binary)) == wanted
    assert list(read_games(tmp_path)) == wanted * 2
    assert list(islice(read_games(ZURICH), 3)) == wanted[:3]


def test_standard_input_is_read_like_a_file() -> None:
    code = "import claimlog; print(sum(1 for _ in claimlog.read_games('-')))"
    with open(ZURICH, "rb") as stream:
        done = subprocess.run(
            [sys.executable, "-c", code], stdin=stream, check=True, capture_output=True, text=True
        )
    assert done.stdout == "64\n"


def test_what_cannot_be_opened_is_an_os_error_at_once(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_games(tmp_path / "none.clm")
    with pytest.raises(FileNotFoundError):
        read_games('[Deck "GKUWX"]')  # a text is not a path


def test_a_folder_that_cannot_be_searched_is_an_os_error_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(OSError, match=r"S3|bucket"):
        read_games("s3://")

    def walk(path: str, onerror: Callable[[OSError], None]) -> Iterator[tuple[str, list, list]]:
        onerror(PermissionError(errno.EACCES, "closed", path))
        return iter(())

    monkeypatch.setattr(os, "walk", walk)
    with pytest.raises(OSError):  # noqa: PT011 -- what the system says of a folder
        read_games(tmp_path)


def test_a_file_that_does_not_block_and_has_nothing_yet_is_an_os_error() -> None:
    inner, outer = os.pipe()
    os.set_blocking(inner, False)
    with (
        os.fdopen(inner, "rb", buffering=0) as file,
        os.fdopen(outer, "wb"),
        pytest.raises(BlockingIOError),
    ):
        list(read_games(file))


GZIP = gzip.compress(ZURICH.read_bytes(), mtime=0)
ZSTD = zstd.compress(ZURICH.read_bytes(), options={zstd.CompressionParameter.checksum_flag: 1})


DAMAGED = {
    "cut short": [pack[:-20] for pack in (GZIP, ZSTD)],
    "followed by more": [pack + b"more" for pack in (GZIP, ZSTD)],
    "with another bit": [
        pack[:at] + bytes([pack[at] ^ 1]) + pack[at + 1 :]
        for pack, at in [(GZIP, 12), (GZIP, -6), (GZIP, -2), (ZSTD, 12), (ZSTD, -2)]
    ],
}


@pytest.mark.parametrize(
    "data",
    [pytest.param(data, id=how) for how, packs in DAMAGED.items() for data in packs],
)
def test_a_damaged_file_is_an_os_error(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "games"
    path.write_bytes(data)
    with pytest.raises(OSError, match="games is damaged: "):
        list(read_games(path))
    with pytest.raises(OSError, match="games is damaged: "):
        claimlog.write_tables(path, tmp_path / "tables")


def test_tables_are_written_of_whatever_games_are_read_from(tmp_path: Path) -> None:
    """Each kind of source that `read_games` takes."""
    text = SAMPLE.read_text(encoding="utf-8")
    sources = [SAMPLE, str(SAMPLE), text, text.encode(), io.StringIO(text), io.BytesIO(b"")]
    numbers = []
    for number, source in enumerate(sources):
        folder = tmp_path / str(number)
        numbers.append(claimlog.write_tables(source, folder)["stored"])
        assert (folder / "games.parquet").exists()
    assert numbers == [1, 1, 1, 1, 1, 0]


def test_a_bad_record_is_a_game_with_problems() -> None:
    games = loads(BAD + "\n" + SAMPLE.read_text())
    assert [[problem.code for problem in game.errors] for game in games] == [
        ["unknown-card"], ["bad-deck"], []
    ]  # fmt: skip
    assert [game.legal for game in games] == [False, False, True]
    assert loads("") == []
    assert loads(b"\xff\xfe") != []


@given(st.one_of(st.text(), st.binary()))
def test_no_text_raises_anything(text: str | bytes) -> None:
    for game in loads(text):
        assert isinstance(game, Game)
        assert str(game)
        assert repr(game.tricks)


def test_games_are_written_and_read_back(tmp_path: Path) -> None:
    games = list(simulate_games(5, seats=3, policy="random", seed=4))
    path = tmp_path / "games.clm"
    for compact in (False, True):
        text = dumps(games, compact=compact)
        assert loads(text) == games
        assert dumps(loads(text), compact=compact) == text
        dump(iter(games), path, compact=compact)
        assert path.read_bytes() == text.encode()
        file = io.StringIO()
        dump(games, file, compact=compact)
        assert file.getvalue() == text
    assert loads(dumps(games[0])) == [games[0]]
    assert os.listdir(tmp_path) == ["games.clm"]


def test_a_game_with_errors_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "games.clm"
    path.write_text("as it was")
    (good,), (bad, _) = loads(SAMPLE.read_bytes()), loads(BAD)
    for write in (lambda: dumps([good, bad]), lambda: dump([good, bad], path)):
        with pytest.raises(ValueError, match=r"the game of line 1 cannot be written: 2:11: error"):
            write()
    assert path.read_text() == "as it was"
    assert os.listdir(tmp_path) == ["games.clm"]
    bad.problems.clear()
    assert loads(dumps(bad))[0].legal


@pytest.mark.parametrize("compact", [False, True])
def test_what_a_program_writes_into_a_game_makes_no_other_game(compact: bool) -> None:
    for text in ('a}\n\n[Deck "GKUWX"]\n\n1-0', 'a\r\n\r\n[Deck "GKUWX"]', "a } b\n1-0\n", " \v "):
        for place in (2, 1, 0):
            (game,) = loads('[Deck "GKUWX"]\n\n1. U7: G5 G8 /W2\n*')
            there = (game.comments, game.tricks[0].comments, game.tricks[0].plays[0].comments)[
                place
            ]
            there.append(text)
            (again,) = loads(dumps(game, compact=compact))
            there[:] = [" ".join(text.split())]
            assert again == game
    (game,) = loads('[Deck "GKUWX"]\n\n1. U7: G5 G8 /W2\n*')
    game.tags['X "a"]\n[Site'] = "Bonn"
    with pytest.raises(ValueError, match="would be read as other games or tags"):
        dumps(game, compact=compact)
    del game.tags['X "a"]\n[Site']
    game.tricks[0].drawn = ['W2\n\n[Deck "GKUWX"]\n']
    with pytest.raises(ValueError, match="would be read as other games or tags"):
        dumps(game, compact=compact)


@pytest.mark.parametrize("name", ["x.clm.gz", "x.clm.zst"])
def test_nothing_is_written_under_the_name_of_a_packed_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="packed files are read, not written"):
        dump([], tmp_path / name)
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(sys.platform != "linux", reason="needs pipes with names")
def test_a_path_that_is_a_pipe_or_a_link(tmp_path: Path) -> None:
    (game,) = simulate_games(1)
    pipe, link, real = (tmp_path / name for name in ("pipe", "link", "real"))
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    dump(game, pipe)
    assert os.read(reader, 1 << 16) == dumps(game).encode()
    os.close(reader)
    assert pipe.is_fifo()
    real.write_text("as it was")
    real.chmod(0o600)
    link.symlink_to(real)
    dump(game, link)
    assert link.is_symlink()
    assert real.read_text() == dumps(game)
    assert real.stat().st_mode & 0o777 == 0o600


def test_what_cannot_be_written_is_named_as_it_was_given(tmp_path: Path) -> None:
    """Not by the name of the file that would have taken its place."""
    (tmp_path / "file").touch()
    for path, kind in (("none/x.clm", FileNotFoundError), ("file/x.clm", NotADirectoryError)):
        with pytest.raises(kind) as raised:
            dump([], tmp_path / path)
        assert (raised.value.filename, raised.value.filename2) == (str(tmp_path / path), None)
        assert str(raised.value).endswith(f": '{tmp_path / path}'")


def test_simulated_games_are_those_that_are_written() -> None:
    records = list(claimlog.simulate.simulate_records(3, seed=2, draws=False))
    assert [dumps(game) for game in simulate_games(3, seed=2, draws=False)] == records


def test_an_archive_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    with open_archive(path) as archive:
        assert archive.store(SAMPLE.read_bytes()).status == "stored"
    with open_archive(str(path), read_only=True) as archive:
        assert archive.count() == 1
    from claimlog.store import ArchiveMissing

    with pytest.raises(ArchiveMissing):
        open_archive(tmp_path / "none.duckdb", create=False)


@pytest.mark.needs("mypy")
def test_mypy_knows_the_names(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import claimlog\n"
        "game = next(claimlog.read_games('x.clm'))\n"
        "reveal_type(game.tricks[0].plays[0].card)\n"
        "claimlog.dumps(game, compact='yes')\n"
    )
    done = subprocess.run(
        # Other people's packages are not affected, and importing them takes longest.
        [
            *(sys.executable, "-m", "mypy", "--strict", "--config-file="),
            *("--no-site-packages", "--follow-imports=silent", str(script)),
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert 'Revealed type is "str | None"' in done.stdout
    assert 'Argument "compact" to "dumps" has incompatible type "str"' in done.stdout


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of a folder with a bad record and one that occurs twice."""
    folder = tmp_path_factory.mktemp("records")
    records = [dumps(game) for seats in (2, 3, 4) for game in simulate_games(8, seats=seats)]
    (folder / "games.clm").write_text("\n".join(records[:15]))
    (folder / "more.clm.gz").write_bytes(gzip.compress("\n".join(records[15:]).encode()))
    (folder / "other.clm").write_text(f"{BAD}\n{records[0]}")
    # Links are followed.
    (folder / "tables").mkdir()
    (folder / "tables" / "games.parquet").symlink_to(folder / "elsewhere.parquet")
    numbers = claimlog.write_tables(folder, folder / "tables")
    assert (folder / "elsewhere.parquet").is_file()
    assert numbers == {"stored": 24, "known": 1, "invalid": 2}
    return folder


def test_tables_have_a_row_a_game_a_trick_and_a_play(tables: Path) -> None:
    import duckdb

    games = [game for game in read_games(tables) if game.legal][:24]
    wanted = [
        (
            trick.number,
            play.seat,
            play.card,
            trick.auto,
            play.seat == trick.winner and not trick.auto,
        )
        for game in games
        for trick in game.tricks
        for play in trick.plays
    ]

    columns = "trick, seat, card, face_down, won"
    plays = duckdb.sql(f"SELECT {columns} FROM '{tables}/tables/plays.parquet'").fetchall()
    assert plays == wanted
    tricks = duckdb.sql(
        "SELECT trick, phase, auto, upcard1, upcard2, leader, card1, card2, card3, card4, winner "
        f"FROM '{tables}/tables/tricks.parquet'"
    ).fetchall()
    assert tricks == [
        (
            *(trick.number, trick.phase, trick.auto),
            *[*trick.upcards, None, None][:2],
            trick.leader,
            *([play.card for play in trick.plays] + [None, None])[:4],
            trick.winner,
        )
        for game in games
        for trick in game.tricks
    ]
    shown = duckdb.sql(f"SELECT seats, deck, result FROM '{tables}/tables/games.parquet'")
    assert shown.fetchall() == [(game.seats, game.deck, game.result) for game in games]


@pytest.mark.needs("pandas", "polars", "pyarrow")
def test_polars_and_pandas_read_the_tables(tables: Path) -> None:
    import pandas
    import polars

    for name in ("games", "tricks", "plays"):
        path = tables / "tables" / f"{name}.parquet"
        assert polars.read_parquet(path).shape == pandas.read_parquet(path).shape
