"""Files in S3 are read, judged and stored like files on disk."""

import gzip
import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import commands
import pytest
from dask_workers import Workers
from s3_server import S3

from claimlog import objects, read_games
from claimlog.cli.language import said
from claimlog.cli.replay.shelf import Shelf
from claimlog.notation.reader import find_files, open_games, parts
from claimlog.store import Archive

from .random_games import records

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

GAMES = records(300)
DATA = "\n".join(GAMES).encode()
BLOCK = 1 << 14
"""Bytes: enough for some dozen games."""

VARIABLES = (
    "AWS_ENDPOINT_URL",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_REGION",
    "AWS_EC2_METADATA_DISABLED",
)


class Done(NamedTuple):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def claimlog(
    *args: object,
    folder: Path | None = None,
    run: Callable[..., commands.Ended] = commands.claimlog,
    **variables: str,
) -> Done:
    code, out, errors = run(*args, cwd=folder, env=os.environ | variables)
    return Done(code, out.decode(), errors.decode())


def read(path: str) -> bytes:
    with open_games(path) as stream:
        return stream.read()


def why(path: str) -> OSError:
    """The error that reading the files of a path raises."""
    with pytest.raises(OSError) as caught:  # noqa: PT011 — the callers look at it
        for file in find_files([path]):
            read(file)
    return caught.value


# Finding -----------------------------------------------------------------------------------------


def test_a_folder_is_searched_as_one_on_the_disk(
    s3: S3, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOTO_S3_DEFAULT_MAX_KEYS", "3")  # a list comes in several answers
    names = [
        *("b.clm", "a.clm.gz", "B.clm", "notes.txt", "d e+%.clm", "ä.clm", "b/z.clm", "b/y/a.clm"),
        *("b-c/x.clm.zst", "b/readme", "b.d/a.clm", "deep/er/and/deeper.clm", "none/at.all"),
    ]
    for name in names:
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        s3.put(f"in/{name}", b"")
    s3.put("in/b/", b"")  # an object that some programs create for a folder
    s3.put("inside.clm", b"")
    here = [path.removeprefix(str(tmp_path)) for path in find_files([str(tmp_path / "in")])]
    assert len(here) == 10
    for folder in ("s3://claim/in/", "s3://claim/in"):
        there = [path.removeprefix("s3://claim") for path in find_files([folder])]
        assert there == here
    assert next(find_files(["s3://claim"])) == "s3://claim/inside.clm"
    assert list(find_files(["s3://claim/in/none/"])) == []
    assert list(find_files(["s3://claim/a.clm", "-"])) == ["s3://claim/a.clm", "-"]


# Reading -----------------------------------------------------------------------------------------


def test_files_are_read_packed_or_not(s3: S3) -> None:
    assert len(DATA) > 2 * objects.FIRST
    for name, data in {
        "a.clm": DATA,
        "a.clm.gz": gzip.compress(DATA),
        "a.clm.zst": zstd.compress(DATA),
    }.items():
        assert read(s3.put(name, data)) == DATA
    assert read(s3.put("nothing.clm", b"")) == b""
    assert len(list(read_games("s3://claim/"))) == 3 * len(GAMES)  # type: ignore[arg-type]


def test_blocks_are_cut_as_those_of_a_file(s3: S3, tmp_path: Path) -> None:
    file = tmp_path / "games.clm"
    file.write_bytes(DATA)
    with open_games(str(file)) as stream:
        here = list(parts(stream, BLOCK))
    path = s3.put("games.clm", DATA)
    with open_games(path) as stream:
        there = list(parts(stream, BLOCK))
    assert len(there) > 3
    assert there == [part._replace(path=path) for part in here]
    assert [part.read() for part in there] == [part.read() for part in here]
    s3.client.delete_object(Bucket="claim", Key="games.clm")
    with pytest.raises(
        FileNotFoundError, match="the workers of the cluster do not see it: no such"
    ):
        there[0].read()
    with open_games(s3.put("games.clm.gz", gzip.compress(DATA))) as stream:
        packed = list(parts(stream, BLOCK))
    assert b"".join(part.text for part in packed) == DATA


def test_what_has_no_border_is_read_to_its_end(s3: S3, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimlog.notation.reader.LONGEST_GAME", 1 << 15)
    text = b'[Deck "GKUWX"]\n' + b"; and so on\n" * 30_000
    with open_games(s3.put("long.clm", text)) as stream:
        blocks = list(parts(stream, BLOCK))
    assert b"".join(part.read() for part in blocks) == text


def test_a_file_that_changes_is_not_read_on(s3: S3) -> None:
    path = s3.put("games.clm", DATA)
    with open_games(path) as stream:
        assert stream.read(10) == DATA[:10]
        s3.put("games.clm", DATA[::-1])
        with pytest.raises(OSError, match="it has changed while it was read"):
            stream.read()


def test_any_game_is_taken_off_the_shelf(s3: S3) -> None:
    with Shelf(s3.put("games.clm", DATA)) as shelf:
        last = shelf.game(len(GAMES))
        first = shelf.game(1)
        assert last is not None
        assert first is not None
        assert not shelf.kept
        assert shelf.game(len(GAMES) + 1) is None


class Breaking(BaseHTTPRequestHandler):
    """Breaks off in the middle of its first `breaks` answers."""

    protocol_version = "HTTP/1.1"
    breaks = 0

    def do_GET(self) -> None:
        start, stop = map(int, self.headers["Range"].removeprefix("bytes=").split("-"))
        body = DATA[start : stop + 1]
        self.send_response(206)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Range", f"bytes {start}-{start + len(body) - 1}/{len(DATA)}")
        self.send_header("ETag", '"x"')
        self.end_headers()
        if type(self).breaks:
            type(self).breaks -= 1
            body = body[: len(body) // 2]
            self.close_connection = True
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def breaking(monkeypatch: pytest.MonkeyPatch, times: int) -> Iterator[None]:
    monkeypatch.setattr(Breaking, "breaks", times)
    with ThreadingHTTPServer(("127.0.0.1", 0), Breaking) as server:
        Thread(target=partial(server.serve_forever, 0.01), daemon=True).start()
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}")
        yield
        server.shutdown()


def test_a_connection_may_break(s3: S3, monkeypatch: pytest.MonkeyPatch) -> None:
    with breaking(monkeypatch, objects.TRIES - 1):
        assert read("s3://claim/games.clm") == DATA
    with (
        breaking(monkeypatch, objects.TRIES),
        pytest.raises(OSError, match=r"not answered by S3|no answer from S3"),
    ):
        read("s3://claim/games.clm")


# What goes wrong ---------------------------------------------------------------------------------


def test_what_is_not_there(s3: S3) -> None:
    s3.put("a.clm", b"")
    for path, message in {
        "s3://claim/b.clm": "No such file or directory",
        "s3://claim/b/": "No such file or directory",
        "s3://claim/b": "No such file or directory",
        "s3://other/": "there is no such bucket",
        "s3://other/b.clm": "there is no such bucket",
        "s3://no bucket/": "there is no such bucket",
        "s3://": "there is no such bucket",
        "s3://claim/\udcff.clm": "No such file or directory",
    }.items():
        error = why(path)
        assert isinstance(error, FileNotFoundError)
        assert (error.strerror, error.filename) == (message, path)
    with pytest.raises(FileNotFoundError):
        read_games("s3://claim/b.clm")  # type: ignore[arg-type]


def test_a_server_that_refuses(s3: S3) -> None:
    path = s3.put("a.clm", DATA)
    s3.ask("reset-auth", b"0")  # from now on it requires authentication
    try:
        for asked in (path, "s3://claim/"):
            error = why(asked)
            assert isinstance(error, PermissionError)
            assert str(error.strerror).startswith("refused by S3: The AWS Access Key Id")
    finally:
        s3.ask("reset-auth", b"inf")


def test_a_server_that_is_away(s3: S3, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:1")
    for path in ("s3://claim/a.clm", "s3://claim/"):
        error = why(path)
        assert isinstance(error, TimeoutError)
        assert error.strerror == "no answer from S3 at http://127.0.0.1:1"
    monkeypatch.setattr(objects, "PATIENCE", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{mute.getsockname()[1]}")
        assert isinstance(why("s3://claim/a.clm"), TimeoutError)
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"https://127.0.0.1:{s3.port}")
    assert str(why("s3://claim/").strerror).startswith("not answered by S3: SSL validation failed")
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "nonsense")
    assert why("s3://claim/").strerror == "nonsense is no address of an S3 server"


@pytest.mark.parametrize("code", objects.ERRORS)
def test_each_error_is_told_in_german(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimlog.cli.language._chosen", ["de"])
    error = objects._error(code, "really", "s3://claim/a.clm")
    assert said(error) not in ("", str(error.strerror))
    assert "{" not in said(error)


# Commands ----------------------------------------------------------------------------------------


def test_commands_say_what_is_wrong(s3: S3, tmp_path: Path) -> None:
    s3.put("empty/readme", b"")
    # A client of S3, with its credentials, lives as long as the process.
    own = commands.in_process_of_its_own
    asked = ("s3://other/", "s3://claim/empty/", "s3://claim/none.clm")
    missing = claimlog("validate", *asked, run=own)
    assert (missing.returncode, missing.stdout) == (2, "0 games, 0 invalid\n")
    assert missing.stderr == (
        "claimlog: s3://other/ cannot be read: there is no such bucket\n"
        "claimlog: s3://claim/none.clm cannot be read: no such file or directory\n"
    )
    for command in (("validate",), ("import", "--db", tmp_path / "a.duckdb"), ("replay",)):
        done = claimlog(
            *command,
            "s3://claim/a.clm",
            run=own,
            AWS_ACCESS_KEY_ID="",
            AWS_CONFIG_FILE=os.devnull,
            AWS_SHARED_CREDENTIALS_FILE=os.devnull,
            LC_ALL="de_DE.UTF-8",
        )
        assert done.returncode == 2
        assert done.stderr == (
            "claimlog: s3://claim/a.clm kann nicht gelesen werden: für S3 fehlen die Zugangsdaten: "
            "AWS_ACCESS_KEY_ID und AWS_SECRET_ACCESS_KEY\n"
        )


def test_the_package_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "boto3", None)
    monkeypatch.setitem(sys.modules, "botocore", None)
    objects._client.cache_clear()
    for path in ("s3://claim/a.clm", "s3://claim/"):
        assert why(path).strerror == ("files in S3 need more packages: pip install 'claimlog[s3]'")


@pytest.mark.parametrize("command", [("format",), ("format", "--fix"), ("validate", "--fix")])
def test_nothing_is_written(command: tuple[str, ...], tmp_path: Path) -> None:
    done = claimlog(*command, "s3://claim/a.clm", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr == (
        "claimlog: s3://claim/a.clm: files in S3 are read, not written; copy it first\n"
    )
    assert not list(tmp_path.iterdir())


@pytest.fixture
def cluster(workers: Workers, s3: S3) -> str:
    """The address of a scheduler whose workers know the server."""
    from distributed import Client

    settings = {name: os.environ[name] for name in VARIABLES}

    def learn() -> None:
        import os

        os.environ.update(settings)

    with Client(workers.address, set_as_default=False) as client:
        client.run(learn)
    return workers.address


def test_validating(s3: S3, cluster: str, tmp_path: Path) -> None:
    broken = DATA.replace(b"[Deck", b"[Dock", 2)
    for name, data in {
        "in/a.clm": DATA,
        "in/b.clm": broken,
        "in/c/a.clm.gz": gzip.compress(broken),
    }.items():
        s3.put(name, data)
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    here = claimlog("validate", "in", folder=tmp_path)
    assert here.returncode == 1
    wanted = here.stdout.replace("in/", "s3://claim/in/")
    for more in ((), ("--cluster", cluster)):
        there = claimlog("validate", "s3://claim/in/", *more)
        assert (there.returncode, there.stdout, there.stderr) == (1, wanted, "")


def test_importing(s3: S3, cluster: str, address: str, tmp_path: Path) -> None:
    half = "\n".join(GAMES[:150]).encode()
    rest = "\n".join(GAMES[150:]).encode()
    s3.put("in/a.clm", half)
    s3.put("in/more/b.clm.zst", zstd.compress(rest))
    where = ("--db", address, "--lake", tmp_path / "lake", "--cluster", cluster)
    done = claimlog("import", "s3://claim/in/", *where)
    assert (done.returncode, done.stderr) == (0, "")
    assert "300 stored" in done.stdout
    again = claimlog("import", "s3://claim/in/", *where)
    assert (again.returncode, again.stdout) == (0, "300 games: 300 known already\n")
    with Archive.open(address) as archive:
        assert archive.count() == len(GAMES)
        assert archive.check().good
        (one,) = archive.games(limit=1).games
        assert archive.revisions(one.id)[0].source.startswith("s3://claim/in/")
    # Into a file, on any backend of the tests.
    own = commands.in_process_of_its_own
    here = claimlog("import", "s3://claim/in/a.clm", "--db", tmp_path / "here.duckdb", run=own)
    assert here.returncode == 0
    assert here.stdout.startswith("150 games: 150 stored")
