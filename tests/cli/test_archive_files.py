"""Archives that cannot be used as they are: in use, damaged, newer, read-only, not an archive."""

import contextlib
import csv
import gzip
import io
import os
import re
import shutil
import signal
import subprocess
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import commands
import duckdb
import pytest
from archiving import SCRIPT, at, claimlog, lay_out
from forked import Claimlog
from waiting import PATIENCE

from claimlog.store import Archive


@pytest.fixture
def folder(tmp_path):
    lay_out(tmp_path)
    assert claimlog(tmp_path, "import", "thursday-evening.clm", "--db", "games.duckdb")[0] == 0
    return tmp_path


@contextlib.contextmanager
def serving(folder, *words):
    """A server of the folder's archive; yields its address."""
    process = Claimlog(
        ["serve", "--db", "games.duckdb", "--port", "0", "--no-log-requests", *words],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder, env=at(folder),
    )  # fmt: skip
    try:
        line = process.stdout.readline().decode()
        url = re.search(r"http://\S+", line)
        assert url, line
        yield url[0]
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def refused(folder, *words):
    """Return the error message of a command that ends with code 2."""
    code, out, err = claimlog(folder, *words)
    assert (code, out) == (2, "")
    assert err.startswith("claimlog: ")
    assert err.count("\n") == 1
    return err


def test_with_a_server(folder):
    """An archive that a server uses can be written to only through the server."""
    text = claimlog(folder, "token", "create", "Ruth", "--db", "games.duckdb")[1].strip()
    with serving(folder) as url:
        # Commands find the server by themselves, and need a token for restricted operations.
        assert claimlog(folder, "games", "--count", "--db", "games.duckdb") == (0, "5\n", "")
        for words in (("db", "check"), ("import", "sample.clm")):
            said = refused(folder, *words, "--db", "games.duckdb")
            assert f"{url}: this needs a token with the scope" in said
            assert "give one with --token or in CLAIMLOG_TOKEN" in said
        said = refused(folder, "db", "rebuild", "--db", "games.duckdb")
        assert "it needs the archive's file while no server has it open" in said
        asked = claimlog(folder, "db", "doubtful", "--db", "games.duckdb")
        assert asked == (0, "nothing found\n", "")
        said = refused(folder, "serve", "--db", "games.duckdb")
        assert "games.duckdb is in use by another process" in said
        send = ("import", "mixed.clm", "none.clm", "sample.clm", "--server", url)
        assert "give one with --token or in CLAIMLOG_TOKEN" in refused(folder, *send)
        said = refused(folder, *send, "--token", "clm_1_2", "--lang", "de")
        assert "das Token ist unbekannt, abgelaufen oder widerrufen; wer den Server" in said
        code, out, err = claimlog(folder, *send, CLAIMLOG_TOKEN=text)
        assert code == 2
        problem, total = out.splitlines()
        assert problem.startswith("mixed.clm:53:8: error: winner-mark: trick 1: G5 of seat 1")
        assert total == "4 games: 2 stored (1 unfinished), 1 known already, 1 refused"
        words = ("import", "mixed.clm", "--server", url, "--token", text)
        german = claimlog(folder, *words, "--lang", "de")[1]
        assert german.startswith("mixed.clm:53:8: Fehler: winner-mark: Stich 1: G5 von Sitz 1")
        english = claimlog(folder, *words, "--lang", "de", "--json")[1]
        assert "trick 1: G5 of seat 1" in english
        assert err == "claimlog: none.clm cannot be read: no such file or directory\n"
        said = refused(folder, "import", "sample.clm", "--server", f"{url}/elsewhere")
        assert "the server has no such address" in said
    assert claimlog(folder, "games", "--count", "--db", "games.duckdb")[1] == "7\n"
    assert claimlog(folder, "game", "revisions", "8emz5k5amwvkk", "--db", "games.duckdb")[
        1
    ].splitlines()[1].split()[3:] == ["Ruth", "stored"]
    said = refused(folder, "import", "sample.clm", "--server", url)
    assert said == f"claimlog: {url}: connection refused\n"


def test_damage(folder):
    whole = (folder / "games.duckdb").read_bytes()
    (folder / "cut.duckdb").write_bytes(whole[:3000])
    middle = len(whole) // 2
    spoilt = bytes(255 - byte for byte in whole[middle - 400_000 : middle + 400_000])
    broken = whole[: middle - 400_000] + spoilt + whole[middle + 400_000 :]
    (folder / "broken.duckdb").write_bytes(broken)
    (folder / "empty.duckdb").touch()
    for words in (
        ("games", "--db", "cut.duckdb"),
        ("import", "sample.clm", "--db", "cut.duckdb"),
        ("db", "check", "--db", "broken.duckdb"),
        ("db", "restore", "broken.duckdb", "--db", "new.duckdb"),
    ):
        said = refused(folder, *words)
        assert "has been cut off after 3,000 bytes" in said or "cannot be read: " in said
        assert ("cut.duckdb" in words) == ("has been cut off" in said)
    assert "is empty" in refused(folder, "games", "--db", "empty.duckdb")
    assert (folder / "broken.duckdb").read_bytes() == broken
    assert not (folder / "new.duckdb").exists()


def test_what_is_no_archive_of_this_version(folder):
    duckdb.connect(folder / "other.duckdb").close()
    with duckdb.connect(folder / "other.duckdb") as other:
        other.execute("CREATE TABLE mine (number INTEGER)")
    with duckdb.connect(folder / "games.duckdb") as archive:
        archive.execute("UPDATE meta SET version = 99")
    assert "has schema 99; this claimlog knows" in refused(folder, "games", "--db", "games.duckdb")
    said = refused(folder, "import", "sample.clm", "--db", "games.duckdb")
    assert "has schema 99" in said
    for words in (("games",), ("import", "sample.clm"), ("serve",)):
        said = refused(folder, *words, "--db", "other.duckdb")
        assert "is a DuckDB file, but not a claimlog archive" in said


UNPRIVILEGED = (
    ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
    if os.name != "nt" and os.geteuid() == 0
    else []
)
"""Runs a command as a user who may not read and write everything."""
needs_rights = pytest.mark.skipif(
    os.name == "nt" or (bool(UNPRIVILEGED) and shutil.which("setpriv") is None),
    reason="needs the rights of files, which the superuser has all",
)


def unprivileged(folder, *words):
    """Run the command in `folder` without any rights beyond those of the files."""
    done = subprocess.run(
        [*UNPRIVILEGED, SCRIPT, *words],
        cwd=folder, env=at(folder), capture_output=True, text=True,
        check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


@needs_rights
def test_what_may_only_be_read(folder):
    """A file, or the folder around it, to which its log belongs."""
    for place in (folder / "games.duckdb", folder):
        mode = place.stat().st_mode
        place.chmod(mode & ~0o222)
        try:
            counted = unprivileged(folder, "games", "--count", "--db", "games.duckdb")
            assert counted == (0, "5\n", "")
            for words in (("import", "sample.clm"), ("serve", "--port", "0")):
                said = unprivileged(folder, *words, "--db", "games.duckdb")
                name = "." if place == folder else "games.duckdb"
                assert said == (2, "", f"claimlog: {name} cannot be written\n")
            said = unprivileged(folder, "puzzles", "--db", "games.duckdb")
            assert "cannot be written" not in said[2]
        finally:
            place.chmod(mode)


@needs_rights
def test_a_file_that_may_only_be_read_is_backed_up_and_replaced(folder):
    """The copies have its mode."""
    archive, backup = folder / "games.duckdb", folder / "backup.duckdb"
    archive.chmod(0o400)
    assert unprivileged(folder, "db", "backup", backup.name, "--db", archive.name)[::2] == (0, "")
    words = ("db", "restore", backup.name, "--db", archive.name, "--force")
    assert unprivileged(folder, *words)[::2] == (0, "")
    for file in (archive, backup):
        assert file.stat().st_mode & 0o777 == 0o400
        assert unprivileged(folder, "games", "--count", "--db", file.name) == (0, "5\n", "")


@needs_rights
def test_what_may_not_be_read(folder):
    """It is never taken for empty."""
    closed = folder / "records" / "closed"
    closed.mkdir(parents=True)
    for place in (closed, closed.parent):
        shutil.copy(folder / "sample.clm", place)
    shutil.copy(folder / "games.duckdb", closed / "games.duckdb")
    shutil.copy(folder / "games.duckdb", folder / "mine.duckdb")
    try:
        closed.chmod(0)
        (folder / "mine.duckdb").chmod(0)
        unread = "claimlog: records/closed cannot be read: permission denied\n"
        assert unprivileged(folder, "validate", "records") == (2, "1 game, 0 invalid\n", unread)
        said = unprivileged(folder, "import", "records", "--db", "new.duckdb")
        assert said == (2, "1 game: 1 stored\n", unread)
        assert unprivileged(folder, "serve", "records", "--port", "0") == (2, "", unread)
        for words in (
            ("games", "--db", "mine.duckdb"),
            ("games", "--db", "records/closed/games.duckdb"),
            ("import", "sample.clm", "--db", "records/closed/new.duckdb"),
            ("serve", "--db", "records/closed/games.duckdb"),
            ("db", "restore", "records/closed/games.duckdb", "--db", "other.duckdb"),
            ("db", "restore", "games.duckdb", "--db", "records/closed/other.duckdb"),
            ("db", "backup", "records/closed/backup.duckdb", "--db", "games.duckdb"),
        ):
            code, out, err = unprivileged(folder, *words)
            assert (code, out) == (2, "")
            assert err.endswith("cannot be read: permission denied\n")
    finally:
        closed.chmod(0o700)


def test_tokens(tmp_path):
    assert claimlog(tmp_path, "token", "list") == (0, "there are no tokens\n", "")
    assert claimlog(tmp_path, "token", "list", "--format", "json") == (0, "", "")
    assert "needs its owner" in refused(tmp_path, "token", "create", " ")
    code, out, err = claimlog(tmp_path, "token", "create", "Ruth", "--days", "1")
    assert code == 0
    assert re.fullmatch(r"clm_\w+_[\w-]+\n", out)
    id = out.split("_")[1]
    assert err == f"{id}: scope record, keep this safe:\n"
    day = datetime.now(UTC).date()
    listed = f"{id}  active      record  {day}  until {day + timedelta(1)}  Ruth\n"
    assert claimlog(tmp_path, "token", "list") == (0, listed, "")
    assert claimlog(tmp_path, "token", "create", "Eva")[0] == 0
    first, second = claimlog(tmp_path, "token", "list")[1].splitlines()
    assert first + "\n" == listed
    assert second.index("Eva") == first.index("Ruth")
    code, out, err = claimlog(tmp_path, "token", "create", "Eva", "--days", "99999999")
    assert (code, out) == (2, "")
    assert "--days: 99999999 is not in the range 1<=x<=36500" in err
    for _ in range(2):
        assert claimlog(tmp_path, "token", "revoke", id) == (0, f"{id} is revoked\n", "")
    assert refused(tmp_path, "token", "revoke", "none") == "claimlog: there is no token none\n"
    path = tmp_path / "data" / "claimlog" / "games.duckdb.tokens.json"
    path.write_text("{")
    for words in (("token", "list"), ("token", "create", "Ruth"), ("serve", "--port", "0")):
        assert "games.duckdb.tokens.json cannot be read" in refused(tmp_path, *words)


@pytest.mark.parametrize("amount", ["1XB", "0", "-1", "", "GB", "1 MBit"])
def test_an_amount_of_memory_that_is_none(tmp_path, amount):
    code, out, err = claimlog(tmp_path, "serve", "--port", "0", f"--memory={amount}")
    assert (code, out) == (2, "")
    assert f"--memory: {amount} is not an amount of memory such as 512MB or 4GB\n" in err


@pytest.mark.skipif(duckdb.__version__ < "2", reason="DuckDB 2 wrote the old archive")
def test_an_older_archive_is_read_once_it_is_upgraded(tmp_path):
    old = Path(__file__).parents[1] / "store" / "archives" / "schema2.duckdb.gz"
    (tmp_path / "old.duckdb").write_bytes(gzip.decompress(old.read_bytes()))
    db = ("--db", "new.duckdb")
    assert claimlog(tmp_path, "db", "restore", "old.duckdb", *db)[0] == 0
    assert "claimlog db rebuild upgrades it" in refused(tmp_path, "games", *db)
    code, out, err = claimlog(tmp_path, "db", "rebuild", *db)
    assert (code, out) == (0, "11 games\n")
    assert err == (
        "claimlog: new.duckdb was upgraded; as it was, it is kept as new.duckdb.schema2.backup\n"
    )
    assert claimlog(tmp_path, "games", "--count", *db) == (0, "11\n", "")


def test_who_imports_is_taken_from_the_environment(folder):
    assert claimlog(folder, "import", "sample.clm", "--db", "one.duckdb", CLAIMLOG_BY="Zoë")[0] == 0
    with Archive.open(folder / "one.duckdb") as archive:
        (row,) = archive.games().games
        assert [one.by for one in archive.revisions(row.id)] == ["Zoë"]


@pytest.mark.parametrize(("by", "why", "blank"), [(" ", "w", "--by"), ("D", " \t", "--why")])
def test_who_and_why_are_not_blank(folder, by, why, blank):
    db = ("--db", "games.duckdb")
    id = claimlog(folder, "games", "-f", "json", *db)[1].split('"')[3]
    for words in (("game", "delete", id), ("game", "undelete", id)):
        code, out, err = claimlog(folder, *words, "--by", by, "--why", why, *db)
        assert (code, out) == (2, ""), words
        assert f"{blank}: this is recorded with the change and must not be blank\n" in err


def test_who_is_asked_for_alike_where_only_some_calls_change_something(folder):
    for words, saved in (
        (("event", "plan", "Cup", "--rounds", "3"), "event plan"),
        (("standings", "Cup", "--tiebreaks", "wins", "--keep"), "standings"),
        (("event", "create", "Cup"), "event create"),
    ):
        missing = claimlog(folder, *words, "--db", "none.duckdb")
        wanted = f"claimlog: --by is missing\nsee claimlog {saved} --help\n"
        assert missing == (2, "", wanted)
        _, _, blank = claimlog(folder, *words, "--by", " ", "--db", "none.duckdb")
        assert "--by: this is recorded with the change and must not be blank\n" in blank
    for words in (("event", "plan", "Cup"), ("standings", "Cup")):
        assert "--by" not in claimlog(folder, *words, "--db", "none.duckdb")[2]
    # As 1.0.0 had it.
    event = "Thursday evening (simulated)"
    assert claimlog(folder, "import", "thursday-evening.clm", "--db", "two.duckdb")[0] == 0
    order = ("--tiebreaks", "wins", "--keep-by", "Ruth", "--db", "two.duckdb")
    assert claimlog(folder, "standings", event, *order)[0] == 0
    with Archive.open(folder / "two.duckdb") as archive:
        assert archive.event(event).tiebreaks == ["wins"]


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)]
)
def test_an_import_that_is_interrupted(folder, number, code):
    process = Claimlog(
        ["import", "team-cup.clm", "-", "--db", "games.duckdb"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=folder, env=at(folder),
    )  # fmt: skip
    until = time.monotonic() + 30
    while not (folder / "games.duckdb.spool").exists() and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == code
    assert not (folder / "games.duckdb.spool").exists()
    assert b"Traceback" not in out + err
    assert err.endswith(b"claimlog: interrupted\n")
    acknowledged = re.match(rb"(\d+) games?: \1 stored\n", out)
    code, checked, _ = claimlog(folder, "db", "check", "--db", "games.duckdb")
    assert code == 0
    games = re.match(r"games: (\d+), revisions: \d+, faults: 0\n", checked)
    assert games
    assert int(games[1]) >= 5 + int(acknowledged[1] if acknowledged else 0)


def test_an_interrupted_import_counts_what_is_stored(folder, monkeypatch):
    """Also the games whose outcome it no longer learns."""

    def interrupted(archive, *_, **__):
        archive.store((folder / "sample.clm").read_bytes())
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(Archive, "import_games", interrupted)
    words = ("import", "sample.clm", "--db", "new.duckdb")
    assert claimlog(folder, *words) == (130, "1 game: 1 stored\n", "claimlog: interrupted\n")
    assert claimlog(folder, "games", "--count", "--db", "new.duckdb")[1] == "1\n"
    # Where others write, too, the game may be theirs.
    monkeypatch.setattr("claimlog.cli.archive.importing.is_address", lambda _: True)
    words = ("import", "sample.clm", "--db", "newer.duckdb")
    assert claimlog(folder, *words) == (130, "", "claimlog: interrupted\n")


def test_no_text_in_the_csv_of_a_table_is_a_formula(tmp_path):
    record = (
        '[Event "=1+1"]\n[Round "1"]\n[Player1 "@SUM(A1)"]\n[Player2 "-1"]\n[Deck "GKUWX"]\n\n*\n'
    )
    code, _, _ = claimlog(tmp_path, "import", "-", stdin=record.encode())
    assert code == 0
    seen = set()
    for words in (("games",), ("players", "list"), ("events",), ("standings", "=1+1")):
        code, out, err = claimlog(tmp_path, *words, "--format", "csv")
        assert code == 0, err
        cells = {cell for row in csv.reader(io.StringIO(out)) for cell in row}
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells), out
        seen |= cells
    assert {"'=1+1", "'@SUM(A1)", "'-1"} <= seen


def test_a_head_that_was_noted_proves_what_came_before_it(tmp_path):
    lay_out(tmp_path)
    assert claimlog(tmp_path, "import", "sample.clm", "--by", "Ann")[0] == 0
    code, out, _ = claimlog(tmp_path, "db", "check")
    head = re.fullmatch(r"games: 1, .*: 0\nhead of the chain: (1-[0-9a-f]{32})\n", out)[1]
    assert code == 0
    assert claimlog(tmp_path, "import", "thursday-evening.clm")[0] == 0
    code, out, _ = claimlog(tmp_path, "db", "check", "--head", head)
    assert code == 0
    assert head not in out
    other = "1-" + 32 * "0"
    code, out, _ = claimlog(tmp_path, "db", "check", "--head", other, LC_ALL="de_DE.UTF-8")
    assert code == 1
    assert out.startswith(f"chain: -: das notierte Ende {other} kommt nicht darin vor\n")
    for wrong, message in (
        (["--head", "12"], "a number, a hyphen and 32 digits"),
        (["--head", head, "--quick"], "cannot be combined with --quick"),
    ):
        code, _, err = claimlog(tmp_path, "db", "check", *wrong)
        assert code == 2
        assert message in err
    with duckdb.connect(tmp_path / "data" / "claimlog" / "games.duckdb") as raw:
        raw.execute("UPDATE records SET who = 'Nobody' WHERE who = 'Ann'")
    code, out, _ = claimlog(tmp_path, "db", "check")
    assert code == 1
    assert out.startswith("records: 8emz5k5amwvkk: revision 1 was changed: it does not match")
    assert out.endswith("\nrestore the changed records from a backup\n")


def test_a_backup_of_a_file_is_not_restored_into_postgresql(folder):
    """It used to be written into a folder called "postgresql:"."""
    claimlog(folder, "db", "backup", "backup.duckdb", "--db", "games.duckdb")
    before = set(folder.iterdir())
    for force in ((), ("--force",)):
        address = "postgresql://me@127.0.0.1:1/claim"
        said = refused(folder, "db", "restore", "backup.duckdb", *force, "--db", address)
        assert "pg_restore" in said
        assert "claimlog db move" in said
    assert set(folder.iterdir()) == before


def test_rebuilding_a_file_takes_no_lake(folder):
    said = refused(folder, "db", "rebuild", "--db", "games.duckdb", "--lake", "lake")
    assert "goes with an archive in PostgreSQL" in said


def test_postgresql_goes_away_while_a_server_starts(tmp_path, monkeypatch):
    """systemd does not start a server again that ended with 2."""
    from claimlog.api import server, tokens
    from claimlog.store import ArchiveUnreachable

    found, listening = tokens.tokens_of, []
    away = [ArchiveUnreachable("postgres.unreachable", path="there", why="refused")]

    def tokens_of(archive):
        if away:
            raise away.pop()
        return found(archive)

    monkeypatch.setattr(tokens, "tokens_of", tokens_of)
    monkeypatch.setattr(server, "serve", lambda *_, **how: listening.append(how["port"]))
    code, _, err = claimlog(tmp_path, "serve", "--db", "games.duckdb", "--port", "1")
    assert (code, err) == (
        0,
        "claimlog: there cannot be reached: refused; retrying until it answers\n",
    )
    assert listening == [1]


def test_two_servers_do_not_share_the_files_of_tables(tmp_path, monkeypatch, postgres):
    """Both used to write to them, and acknowledged different entries with the same number."""
    from claimlog.api import server

    postgres.execute("CREATE DATABASE shared_tables")
    address = postgres.address("shared_tables")
    Archive.open(address, lake=str(tmp_path / "lake")).close()
    words = ("serve", "--db", address, "--port", "0")
    ended = []

    def serve(*_, **__):
        ended.extend(commands.in_process_of_its_own(*words, env=at(tmp_path)))

    monkeypatch.setattr(server, "serve", serve)
    assert claimlog(tmp_path, *words)[0] == 0
    code, _, err = ended
    assert code == 2
    assert b"data directory of its own, with XDG_DATA_HOME" in err
