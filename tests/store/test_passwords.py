"""No password is ever written: not if an archive cannot be opened, and not in a log."""

from __future__ import annotations

import io
import logging
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from backends import Server, server, why_not
from s3_server import S3

from claimlog.api.logs import Handler, Log
from claimlog.cli.main import run as claimlog
from claimlog.store import Archive, ArchiveError

from .random_games import records

if TYPE_CHECKING:
    from collections.abc import Iterator

PASSWORD = "Kn0rr-Zwieback"
KEY = "s3-Sandelholz/Key"


@pytest.fixture(scope="module")
def guarded() -> Iterator[Server]:
    """A PostgreSQL that requires a password."""
    if why := why_not():
        pytest.skip(why)
    folder = Path("/tmp") / f"claimlog-passwords-{os.getpid()}"
    with server(folder / "postgres", password=PASSWORD) as made:
        made.execute("CREATE DATABASE guarded")
        yield made
    shutil.rmtree(folder, ignore_errors=True)


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """Run a command in this process; return its exit code."""
    monkeypatch.setattr(sys, "argv", ["claimlog", *words])
    with pytest.raises(SystemExit) as ended:
        claimlog()
    return int(ended.value.code or 0)


def assert_silent(text: str) -> None:
    assert text
    for secret in (PASSWORD, KEY, PASSWORD[:5], PASSWORD[-8:], "%2D"):
        assert secret not in text, text


@pytest.mark.slow
def test_commands_that_fail_say_no_password(
    guarded: Server,
    s3: S3,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEY)
    address = guarded.address("guarded")
    with Archive.open(address, lake="s3://claim/lake") as archive:
        archive.store(records(1)[0])
        archive.index(once=True)
        archive.compact()
    unreachable = address.replace(f":{guarded.port}/", ":1/")
    wrong = address.replace(PASSWORD, PASSWORD + "x")
    nothing = guarded.address("nothing")
    spaced = address.replace(PASSWORD, f"{PASSWORD[:5]} {PASSWORD[-8:]}")
    unknown = f"{address}?{PASSWORD}=1"
    coded = address.replace(PASSWORD, PASSWORD.replace("-", "%2D")) + "?sslmode=require"
    other = address.replace("postgresql://", "mysql://")
    for place in (unreachable, wrong, nothing, spaced, unknown, coded, other):
        assert run(monkeypatch, "db", "info", "--db", place) == 2
        assert_silent("".join(capfd.readouterr()))
        monkeypatch.setenv("CLAIMLOG_DB", place)
        assert run(monkeypatch, "index", "--once") == 2
        assert_silent("".join(capfd.readouterr()))
        monkeypatch.delenv("CLAIMLOG_DB")
    # The lake's catalogue cannot be attached, or names something that does not exist.
    s3.stop()
    assert run(monkeypatch, "games", "--db", address) == 2
    assert_silent("".join(capfd.readouterr()))
    s3.start()
    with Archive.open(address) as archive:
        assert archive.postgres is not None
        with archive.postgres.ledger() as cursor:
            cursor.execute(f"DROP SCHEMA {archive.postgres.catalogue} CASCADE")
    assert run(monkeypatch, "games", "--db", address) == 2
    assert_silent("".join(capfd.readouterr()))
    # From the environment, and with the password from a file.
    file = tmp_path / "pgpass"
    file.write_text(f"127.0.0.1:*:*:*:{PASSWORD}\n")
    file.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(file))
    monkeypatch.setenv("CLAIMLOG_DB", address.replace(f":{PASSWORD}", ""))
    assert run(monkeypatch, "db", "rebuild") == 0
    assert run(monkeypatch, "games") == 0
    out, err = capfd.readouterr()
    assert "1 game" in out
    assert_silent(out + err)


def test_a_log_has_no_password() -> None:
    address = f"postgresql://claim:{PASSWORD}@127.0.0.1:1/claim"
    written = io.BytesIO()
    log = Log(written)
    with pytest.raises(ArchiveError) as caught:
        Archive.open(address, create=False)
    log.failure("failure", caught.value)
    log.failure("failure", RuntimeError(f"cannot attach 'host=h password={PASSWORD} port=1'"))
    Handler(log).emit(
        logging.LogRecord("distributed", logging.ERROR, "", 0, f"lost {address}", (), None)
    )
    assert_silent(written.getvalue().decode())


@pytest.mark.needs("distributed")
def test_a_task_of_a_cluster_shows_no_password() -> None:
    from claimlog.store.postgres.bulk import Address

    address = f"postgresql://claim:{PASSWORD}@127.0.0.1:1/claim"
    assert Address(address) == address
    assert_silent(repr([Address(address)]))
