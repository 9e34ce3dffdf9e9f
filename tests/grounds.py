"""What archives of tests stand on: files, or with `--ground lake` PostgreSQL and a lake.

Then every archive that is opened at a path is one in a database of its own, made from a
template; whoever reads has what was written before brought to the lake first.
"""

import functools
import hashlib
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from claimlog.store import Archive

USER = "postgres"


def programs() -> Path | None:
    """Where PostgreSQL's programs are."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name)
    if found:
        return found[-1]
    initdb = shutil.which("initdb")
    return Path(initdb).parent if initdb else None


def why_not() -> str:
    """Why there can be no archive in PostgreSQL here, "" if there can."""
    try:
        import duckdb_extension_ducklake  # noqa: F401
        import psycopg  # noqa: F401
    except ImportError:
        return "the extra claimlog[cluster] is not installed"
    return "" if programs() else "PostgreSQL is not installed"


class Server:
    """A PostgreSQL of our own, in a folder, on a port that was free."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        found = programs()
        assert found is not None
        self.programs = found
        # It refuses to run as root.
        self._as: dict[str, Any] = (
            {"user": USER, "group": USER, "extra_groups": []} if os.geteuid() == 0 else {}
        )
        folder.mkdir(parents=True, exist_ok=True)
        if self._as:
            shutil.chown(folder, USER)
        self.process: subprocess.Popen[bytes] | None = None
        words = ("-A", "trust", "-U", USER, "-E", "UTF8", "--locale=C", "--no-sync")
        command = [str(self.programs / "initdb"), "-D", str(folder / "data"), *words]
        subprocess.run(
            command, check=True, capture_output=True, timeout=120, cwd=folder, **self._as
        )
        self.start()

    def start(self, durable: bool = False) -> None:
        """Start it; unless `durable`, what it acknowledges need not be on the disk."""
        settings = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "max_connections": 300,
            "unix_socket_directories": self.folder,
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
            # After a kill its processes take a moment to end, and it does not start before.
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
        """Stop it, at once unless `how` is SIGINT; SIGKILL leaves no time for anything."""
        assert self.process is not None
        self.process.send_signal(how)
        self.process.wait(60)

    def address(self, database: str) -> str:
        """The address of a database."""
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{database}"

    def execute(self, *statements: str) -> None:
        """Run statements in the database that is always there."""
        import psycopg

        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())


@contextmanager
def server(folder: Path) -> Iterator[Server]:
    """A PostgreSQL for a while."""
    made = Server(folder)
    try:
        yield made
    finally:
        made.stop()


class Lakes:
    """Opens archives in PostgreSQL where tests name files."""

    def __init__(self, server: Server, lake: Path) -> None:
        self.server = server
        self.lake = str(lake)
        self.made: set[str] = set()
        self.lock = threading.Lock()
        server.execute("CREATE DATABASE template_archive")
        Archive.open(server.address("template_archive"), lake=self.lake).close()

    def address(self, path: Path, create: bool) -> str:
        """The address of the archive that stands for a file; its database is there then."""
        name = "a" + hashlib.sha256(str(path).encode()).hexdigest()[:20]
        with self.lock:
            if name not in self.made:
                template = "template_archive" if create else "template1"
                self.server.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
                if create:
                    self.made.add(name)
        return self.server.address(name)


def stand_on(lakes: Lakes) -> Callable[[], None]:
    """Let every archive stand in PostgreSQL; returns what undoes that."""
    from claimlog.store.cluster import Cluster
    from claimlog.store.cluster_upkeep import ClusterUpkeep
    from claimlog.store.indexer import Indexer

    plain = Archive.open.__func__  # type: ignore[attr-defined]
    settle = Cluster.settle
    close = Cluster.close
    wait_alone = ClusterUpkeep._alone

    @functools.wraps(plain)
    def opened(cls: type[Archive], path: Any = None, **how: Any) -> Archive:
        made: Archive
        if path is None or str(path).startswith("postgres"):
            made = plain(cls, path, **how)
            return made
        create = how.get("create", True) and not how.get("read_only", False)
        made = plain(cls, lakes.address(Path(path), create), **how)
        return made

    def settled(self: Any) -> None:
        if not hasattr(self, "lake"):
            return
        with self.__dict__.setdefault("_settling", threading.Lock()):
            if self.mark < self.__dict__.setdefault("_settled", 0) or not self.mark:
                return
            indexer = self.__dict__.setdefault("_indexer", None) or Indexer(self)
            self._indexer = indexer
            while not indexer.begin() or indexer.bring():
                pass
            self._settled = self.mark + 1
            self._seen = (0.0, 0)

    def closed(self: Any) -> None:
        closed_indexer(self)
        close(self)

    def alone(self: ClusterUpkeep, wait: float = 30) -> Any:
        closed_indexer(self.cluster)
        return wait_alone(self, wait)

    def closed_indexer(cluster: Any) -> None:
        indexer = cluster.__dict__.pop("_indexer", None)
        if indexer is not None:
            indexer.end()

    ClusterUpkeep._alone = alone  # type: ignore[method-assign]
    Archive.open = classmethod(opened)  # type: ignore[method-assign, assignment, arg-type]
    Cluster.settle = settled  # type: ignore[method-assign]
    Cluster.close = closed  # type: ignore[method-assign]

    def undo() -> None:
        Archive.open = classmethod(plain)  # type: ignore[method-assign, assignment]
        ClusterUpkeep._alone = wait_alone  # type: ignore[method-assign]
        Cluster.settle = settle  # type: ignore[method-assign]
        Cluster.close = close  # type: ignore[method-assign]

    return undo


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A PostgreSQL; tests that want it are skipped where there can be none."""
    if why := why_not():
        pytest.skip(why)
    folder = Path("/tmp") / f"claimlog-tests-{os.getpid()}"
    try:
        with server(folder / "postgres") as made:
            yield made
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def ground(request: pytest.FixtureRequest) -> Iterator[str]:
    """On what the archives stand."""
    chosen = request.config.getoption("--ground")
    if chosen == "file":
        yield chosen
        return
    if why := why_not():
        pytest.skip(why)
    made = request.getfixturevalue("postgres")
    undo = stand_on(Lakes(made, made.folder.parent / "lake"))
    try:
        yield chosen
    finally:
        undo()
