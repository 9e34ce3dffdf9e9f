"""The backend of the tests' archives: files, or PostgreSQL and a lake with `--backend lake`.

With a lake, every archive that is opened at a path is in a separate database, made from a template;
everything written is brought into the lake before it is read.
"""

from __future__ import annotations

import functools
import inspect
import os
import shutil
import signal
import subprocess
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import duckdb
import pytest
from games import game
from ports import Port

from claimlog.store import Archive, ArchiveError
from claimlog.store.model import schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from claimlog.store.postgres.backend import PostgresBackend
    from claimlog.store.postgres.connection import Postgres

USER = "postgres"
MEMORY = inspect.signature(Archive.open).parameters["memory_limit"].default


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name)
    if folders:
        return folders[-1]
    initdb = shutil.which("initdb")
    return Path(initdb).parent if initdb else None


def why_not() -> str:
    """Say why no archive in PostgreSQL is possible here; "" if it is."""
    try:
        import duckdb_extension_ducklake  # noqa: F401
        import psycopg  # noqa: F401
    except ImportError:
        return "the extra claimlog[cluster] is not installed"
    return "" if programs() else "PostgreSQL is not installed"


class Server:
    """A separate PostgreSQL in a folder, on a free port."""

    def __init__(self, folder: Path, source: Server | None = None, password: str = "") -> None:
        """Create one; with `source`, a standby made from a base backup of it."""
        self.folder = folder
        self.password = password
        self._kept = Port()
        self.port = self._kept.number
        folders = programs()
        assert folders is not None
        self.programs = folders
        # PostgreSQL refuses to run as root.
        self._as: dict[str, Any] = (
            {"user": USER, "group": USER, "extra_groups": []} if os.geteuid() == 0 else {}
        )
        folder.mkdir(parents=True, exist_ok=True)
        if self._as:
            shutil.chown(folder, USER)
        self.process: subprocess.Popen[bytes] | None = None
        data = ("-D", str(folder / "data"), "-U", USER, "--no-sync")
        if source is None:
            command = [str(self.programs / "initdb"), *data, "-E", "UTF8", "--locale=C"]
            command += ["-A", "scram-sha-256" if password else "trust"]
            if password:
                file = folder / "password"
                file.write_text(password)
                command += ["--pwfile", str(file)]
        else:
            command = [str(self.programs / "pg_basebackup"), *data, "-c", "fast", "-R"]
            command += ["-d", source.address("postgres")]
        subprocess.run(
            command, check=True, capture_output=True, timeout=120, cwd=folder, **self._as
        )
        self.start()

    def start(self, durable: bool = False) -> None:
        """Start it; unless `durable`, acknowledged data need not be on disk."""
        settings = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "max_connections": 300,
            "unix_socket_directories": self.folder,
            # For a short life it is not worth tidying up.
            "autovacuum": "off",
        }
        if not durable:
            settings |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        command = [str(self.programs / "postgres"), "-D", str(self.folder / "data")]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        end = time.monotonic() + 60
        while True:
            with open(self.folder.parent / "postgres.log", "ab") as log:
                self.process = subprocess.Popen(
                    command, stdout=log, stderr=log, cwd=self.folder, **self._as
                )
            while self.process.poll() is None:
                if self._answers():
                    return
                time.sleep(0.1)
            # After a kill its processes take a moment to end, and until then it does not start.
            assert time.monotonic() < end, "PostgreSQL does not start"
            time.sleep(0.5)

    def _answers(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.address("postgres"), connect_timeout=5).close()
        except psycopg.Error:
            return False
        return True

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """Stop it, immediately unless `how` is SIGINT; SIGKILL leaves no time for anything."""
        assert self.process is not None
        self.process.send_signal(how)
        self.process.wait(60)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Let it accept connections and queries but answer none, within a with-block."""
        assert self.process is not None
        pids = [self.process.pid]
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                if int(stat.read_text().rpartition(")")[2].split()[1]) == self.process.pid:
                    pids.append(int(stat.parent.name))
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)

    def address(self, database: str) -> str:
        """Return the address of a database."""
        user = f"{USER}:{self.password}" if self.password else USER
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def execute(self, *statements: str) -> None:
        """Run statements in the database that always exists."""
        import psycopg

        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())


@contextmanager
def server(folder: Path, source: Server | None = None, password: str = "") -> Iterator[Server]:
    """A PostgreSQL within a with-block; see `Server`."""
    made = Server(folder, source, password)
    try:
        yield made
    finally:
        made.stop()


class Lakes:
    """Archives in PostgreSQL for tests that name files.

    Creating an archive and attaching its lake takes a second, so archives are emptied and reused.
    """

    def __init__(self, server: Server, folder: Path) -> None:
        self.server = server
        self.data = folder / "data"
        """The local folder of what an archive keeps outside PostgreSQL."""
        self.lock = threading.Lock()
        self.made: dict[Path, str] = {}
        """The database of each archive that a test has created."""
        self.empty: list[str] = []
        self.ledgers: dict[str, Postgres] = {}
        """Connections to databases, which have planned how to empty them, by their address."""
        self.roots: dict[str, duckdb.DuckDBPyConnection] = {}
        """Attached lakes, by the address of their database."""
        self.open: WeakSet[PostgresBackend] = WeakSet()
        self.count = 0
        server.execute("CREATE DATABASE nothing", "CREATE DATABASE template_archive")
        template = server.address("template_archive")
        with Archive.open(template, lake=str(folder / "lake")) as archive:
            assert archive.postgres is not None
            _use(archive, archive.postgres)
            _remember(archive.postgres.postgres)

    def address(self, path: Path, create: bool) -> str:
        """Return the address of the archive that stands for a file."""
        with self.lock:
            if path not in self.made:
                if not create:
                    return self.server.address("nothing")
                self.made[path] = self.empty.pop() if self.empty else self._make()
            return self.server.address(self.made[path])

    def has(self, address: str) -> bool:
        """Whether this archive stands for a test's file."""
        return address in map(self.server.address, self.made.values())

    def _make(self) -> str:
        self.count += 1
        name = f"archive{self.count}"
        self.server.execute(f"CREATE DATABASE {name} TEMPLATE template_archive")
        made_its_own(self.server.address(name))
        return name

    def forget(self, folder: Path) -> None:
        """Empty the archives of a finished test."""
        busy = {cluster.postgres.address for cluster in self.open if cluster._root is not None}
        for path in [path for path in self.made if path.is_relative_to(folder)]:
            name = self.made.pop(path)
            address = self.server.address(name)
            for left in self.data.glob(f"claimlog/*-{name}.*"):
                shutil.rmtree(left)
            if address in self.roots and address not in busy:
                with suppress(ArchiveError):
                    if self._clear(address):
                        self.empty.append(name)

    def _clear(self, address: str) -> bool:
        """Empty an archive; return whether it can be used again."""
        from claimlog.store.postgres.connection import Postgres

        if address not in self.ledgers:
            self.ledgers[address] = Postgres(address)
        with self.ledgers[address].transaction() as cursor:
            (emptied,) = cursor.execute("SELECT template.emptied()").fetchone()
        return bool(emptied)


def made_its_own(address: str, *moved: Path) -> None:
    """Let a database made from a template not count as a copy whose lake belongs to another.

    `moved`: the folder of the template's lake, and that of a copy that this archive has to itself.
    """
    from claimlog.store.postgres.connection import PLACE, Postgres

    ledger = Postgres(address)
    with ledger.transaction() as cursor:
        cursor.execute(f"UPDATE meta SET place = ({PLACE})")
        if moved:
            old, new = (f"{folder}/" for folder in moved)
            (catalogue,) = cursor.execute("SELECT catalogue FROM meta").fetchone()
            cursor.execute(
                "UPDATE meta SET lake = replace(lake, ?, ?), files = replace(files, ?, ?)",
                [old, new, old, new],
            )
            cursor.execute(
                f"UPDATE {catalogue}.ducklake_metadata SET value = replace(value, ?, ?)",
                [old, new],
            )
    ledger.close()


LEDGER = (
    *("records", "heads", "digests", "tokens", "merges", "event_merges", "event_names"),
    *("event_settings", "acts", "settings", "batches", "chain"),
)
CATALOGUE = (
    *("data_file", "delete_file", "file_column_stats", "files_scheduled_for_deletion"),
    *("snapshot_changes", "table_column_stats", "table_stats"),
)
"""The tables of a lake's catalogue that change with its contents, but for rows that it holds."""


def _use(archive: Archive, backend: PostgresBackend) -> None:
    """Write to all tables of a new archive, and empty it again.

    DuckLake has no statistics of a table that was never written to; every question about it then
    takes one and a half milliseconds longer for each of its columns.
    """
    from claimlog.store.questions.rollups import ROLLUPS

    id = archive.store(game(0)).id
    assert id
    archive.index(once=True)
    archive.correct(id, game(1), by="", why="")
    archive.index(once=True)
    with backend.deriving() as lake:
        for table in (*schema.DERIVED, *ROLLUPS):
            lake.execute(f"DELETE FROM {table}")
        lake.execute("UPDATE watermark SET mark = 0")
    with backend.postgres.transaction() as cursor:
        cursor.execute(f"TRUNCATE {', '.join(LEDGER)}")
        cursor.execute("UPDATE progress SET mark = 0")
        cursor.execute("ALTER SEQUENCE numbers RESTART")


def _remember(ledger: Postgres) -> None:
    """Remember the state of an archive, and create a function that restores it.

    Deleting all rows with DuckDB instead takes a tenth of a second.  Snapshots and files are
    numbered on, so that nothing that a connection has read before seems to be current.  If the
    lake's tables are others now, the function does nothing and returns false.
    """
    with ledger.transaction() as cursor:
        (lake,) = cursor.execute("SELECT catalogue FROM meta").fetchone()
        cursor.execute("CREATE SCHEMA template")
        cursor.execute("CREATE TABLE template.meta AS TABLE claimlog.meta")
        cursor.execute(
            f"CREATE TABLE template.snapshot AS SELECT * FROM {lake}.ducklake_snapshot "
            "ORDER BY snapshot_id DESC LIMIT 1"
        )
        inlined = cursor.execute(
            "SELECT substr(table_name, 10) FROM information_schema.tables "
            "WHERE table_schema = ? AND table_name ~ '^ducklake_inlined_data_[0-9]'",
            [lake],
        ).fetchall()
        for (table,) in inlined:
            cursor.execute(f"DELETE FROM {lake}.ducklake_{table} WHERE end_snapshot IS NOT NULL")
        changing = (*CATALOGUE, *(table for (table,) in inlined))
        for table in changing:
            cursor.execute(f"CREATE TABLE template.{table} AS TABLE {lake}.ducklake_{table}")
        empty = "".join(
            f"IF EXISTS (SELECT FROM claimlog.{table}) THEN TRUNCATE claimlog.{table}; END IF;\n"
            for table in LEDGER
        )
        restored = "".join(
            f"DELETE FROM {lake}.ducklake_{table};\n"
            f"INSERT INTO {lake}.ducklake_{table} TABLE template.{table};\n"
            for table in changing
        )
        cursor.execute(
            f"""
            CREATE FUNCTION template.emptied() RETURNS BOOLEAN LANGUAGE plpgsql AS $$
            DECLARE
                last {lake}.ducklake_snapshot;
            BEGIN
                SELECT * INTO last FROM {lake}.ducklake_snapshot
                    ORDER BY snapshot_id DESC LIMIT 1;
                IF last.schema_version <> (SELECT schema_version FROM template.snapshot)
                    OR EXISTS (SELECT lake, files, catalogue, cards FROM claimlog.meta
                               EXCEPT SELECT lake, files, catalogue, cards FROM template.meta)
                THEN RETURN false; END IF;
                {empty}
                UPDATE claimlog.progress SET mark = 0;
                ALTER SEQUENCE claimlog.numbers RESTART;
                {restored}
                DELETE FROM {lake}.ducklake_snapshot;
                INSERT INTO {lake}.ducklake_snapshot SELECT last.snapshot_id + 1, now(),
                    last.schema_version, last.next_catalog_id, last.next_file_id + 1;
                RETURN true;
            END $$"""
        )


@contextmanager
def with_one_thread() -> Iterator[None]:
    """Let DuckDB use one thread in this process.

    Threads that wait for a share of a handful of games take a tenth of the processor time, with a
    lake a third.  The commands that tests start do as always.
    """
    connect = duckdb.connect

    def connected(database: str = ":memory:", *args: Any, **how: Any) -> duckdb.DuckDBPyConnection:
        config = how.get("config", {}) | {"threads": 1}
        return connect(database, *args, **how | {"config": config})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(duckdb, "connect", connected)
        yield


def stand_on(lakes: Lakes) -> Callable[[], None]:
    """Put every archive into PostgreSQL; return a function that undoes that."""
    from claimlog.store.postgres.backend import PostgresBackend
    from claimlog.store.postgres.indexer import Indexer

    plain = Archive.open.__func__  # type: ignore[attr-defined]
    settle = PostgresBackend.settle
    connect = PostgresBackend._connect

    @functools.wraps(plain)
    def opened(cls: type[Archive], path: Any = None, **how: Any) -> Archive:
        made: Archive
        if path is None or str(path).startswith("postgres"):
            made = plain(cls, path, **how)
            return made
        create = how.get("create", True) and not how.get("read_only", False)
        made = plain(cls, lakes.address(Path(path), create), **how)
        assert made.postgres is not None
        lakes.open.add(made.postgres)
        return made

    def connected(self: Any, *, writing: bool, name: str = "claimlog") -> Any:
        address = self.postgres.address
        if not lakes.has(address) or self.memory_limit != MEMORY:
            return connect(self, writing=writing, name=name)
        with lakes.lock:
            if self._stale:
                lakes.roots.pop(address, None)
            if address not in lakes.roots:
                lakes.roots[address] = connect(self, writing=True)
        return lakes.roots[address].cursor()

    def settled(self: Any, *, needed: bool = False) -> None:
        if not lakes.has(self.postgres.address):
            return
        with self.__dict__.setdefault("_settling", threading.Lock()):
            if self.mark < self.__dict__.setdefault("_settled", 0):
                return
            mark = self.mark
            indexer = Indexer(self)
            try:
                while not indexer.begin():
                    time.sleep(0.01)
                while indexer.bring():
                    pass
            finally:
                indexer.end()
            self._settled = mark + 1
            self.look_again()

    Archive.open = classmethod(opened)  # type: ignore[method-assign, assignment, arg-type]
    PostgresBackend.settle = settled  # type: ignore[method-assign]
    PostgresBackend._connect = connected  # type: ignore[method-assign]

    def undo() -> None:
        Archive.open = classmethod(plain)  # type: ignore[method-assign, assignment]
        PostgresBackend.settle = settle  # type: ignore[method-assign]
        PostgresBackend._connect = connect  # type: ignore[method-assign]

    return undo


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A PostgreSQL; without it, skip the tests that need one."""
    if why := why_not():
        pytest.skip(why)
    folder = Path("/tmp") / f"claimlog-tests-{os.getpid()}"
    try:
        with server(folder / "postgres") as made:
            yield made
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def lakes(request: pytest.FixtureRequest) -> Iterator[Lakes | None]:
    """The lakes of the archives; None if archives are files."""
    if not on_lake(request.config):
        with with_one_thread():
            yield None
        return
    if why := why_not():
        pytest.skip(why)
    made = request.getfixturevalue("postgres")
    with with_one_thread(), pytest.MonkeyPatch.context() as patch:
        all_lakes = Lakes(made, made.folder.parent)
        undo = stand_on(all_lakes)
        patch.setenv("XDG_DATA_HOME", str(all_lakes.data))
        try:
            yield all_lakes
        finally:
            undo()


@pytest.fixture(autouse=True)
def emptied(request: pytest.FixtureRequest, lakes: Lakes | None) -> Iterator[None]:
    """Free a test's archives for reuse afterwards."""
    yield
    folder = request.node.funcargs.get("tmp_path")
    if lakes is not None and folder is not None:
        lakes.forget(folder)


def on_lake(config: pytest.Config) -> bool:
    """Whether archives are in PostgreSQL with a lake."""
    return bool(config.getoption("backend") == "lake")
