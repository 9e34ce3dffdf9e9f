"""Start `claimlog` as a process of its own that need not import everything first.

A process that has imported claimlog forks whenever a test wants one.  A server then starts in a
tenth of the processor time, and a command in half of it.  It is a child of this process like any
other, with arguments, environment, folder and streams of its own.  Tests of the installed command
itself start `commands.SCRIPT`.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import gc
import io
import json
import os
import pkgutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from commands import SCRIPT, STARTING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pexpect
    import ptyprocess

_PR_SET_CHILD_SUBREAPER = 36
_lock = threading.Lock()


class Claimlog(subprocess.Popen[Any]):
    """`claimlog` with these arguments; options are those of `Popen` that the tests need."""

    rules: Path | None = None
    """The rules that this server's pages get, if not those of `claimlog.web.assets`."""

    def __init__(
        self, words: Sequence[object], *, rules: Path | None = None, **options: Any
    ) -> None:
        self.rules = rules
        super().__init__([str(SCRIPT), *map(str, words)], **options)

    def _execute_child(self, args: list[str], *given: Any) -> None:
        """Fork instead of executing a program; Popen calls this when it has made the pipes."""
        cwd, env = given[4:6]
        if not forks(env):
            super()._execute_child(args, *given)  # type: ignore[misc]
            return
        read, _, _, write, _, errors = given[9:15]
        streams = [own if own != -1 else number for number, own in enumerate((read, write, errors))]
        self.pid = start(args, streams, cwd=cwd, env=env, rules=self.rules)
        self._child_created = True
        self._close_pipe_fds(*given[9:15])  # type: ignore[attr-defined]


def on_terminal(
    words: Sequence[object], *, size: tuple[int, int] = (24, 80), **options: Any
) -> pexpect.spawn[Any]:
    """`claimlog` in a pseudo-terminal of this height and width, as pexpect spawns it."""
    import termios

    import pexpect
    import ptyprocess

    class Spawned(pexpect.spawn):  # type: ignore[misc]
        def _spawnpty(self, args: list[Any], **how: Any) -> ptyprocess.PtyProcess:
            if not forks(how["env"]):
                return super()._spawnpty(args, **how)
            ours, theirs = os.openpty()
            termios.tcsetwinsize(theirs, size)
            try:
                given = [os.fsdecode(word) for word in args]
                pid = start(given, [theirs] * 3, cwd=how["cwd"], env=how["env"], terminal=True)
            finally:
                os.close(theirs)
            return ptyprocess.PtyProcess(pid, ours)

    return Spawned(
        str(SCRIPT),
        [str(word) for word in words],
        dimensions=size,
        preexec_fn=lambda: termios.tcsetwinsize(0, size),
        **options,
    )


def forks(env: Mapping[str, str] | None) -> bool:
    """Whether a process with this environment can be forked."""
    both = [
        {name: value for name, value in one.items() if name.startswith(STARTING)}
        for one in (os.environ, os.environ if env is None else env)
    ]
    return sys.platform == "linux" and both[0] == both[1]


def start(
    args: Sequence[str],
    streams: Sequence[int],
    *,
    cwd: str | Path | None = None,
    env: Mapping[str, str] | None = None,
    terminal: bool = False,
    rules: Path | None = None,
) -> int:
    """Fork `claimlog`; return the number of the process, a child of this one.

    With `terminal`, the streams become the terminal of its own session; see `Claimlog` for `rules`.
    """
    asked = [list(args), str(cwd or Path.cwd()), dict(os.environ if env is None else env), terminal]
    with _lock:
        ours = _mother(rules)
        # The process that forks ends at once, so that its child becomes ours.
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        try:
            socket.send_fds(ours, [json.dumps(asked).encode("utf-8", "surrogateescape")], streams)
            return int(ours.recv(20))
        finally:
            ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


@functools.cache
def _mother(rules: Path | None) -> socket.socket:
    """The process that forks, and that ends with this one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen(
            [sys.executable, __file__, str(theirs.fileno()), *([rules] if rules else [])],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
        )
    atexit.register(process.wait)
    atexit.register(ours.close)
    return ours


def _fork_when_asked(asking: socket.socket) -> list[str]:
    """Fork until nobody can ask any more; return, in each forked process, its arguments."""
    while True:
        message, streams, _, _ = socket.recv_fds(asking, 1 << 20, 3)
        if not message:
            os._exit(0)
        read, write = os.pipe()
        first = os.fork()
        if first == 0:
            child = os.fork()
            if child == 0:
                break
            os.write(write, str(child).encode())
            os._exit(0)
        os.waitpid(first, 0)
        asking.send(os.read(read, 20))
        for number in (read, write, *streams):
            os.close(number)
    asking.close()
    args, cwd, env, terminal = json.loads(message)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    for number in (read, write, *streams):
        os.close(number)
    if terminal:
        import fcntl
        import termios

        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    sys.stdin, sys.stdout, sys.stderr = (
        io.TextIOWrapper(
            open(number, mode, closefd=False),  # noqa: SIM115
            "utf-8",
            "backslashreplace" if number == 2 else "strict",
            line_buffering=number == 2 or os.isatty(number),
        )
        for number, mode in enumerate(("rb", "wb", "wb"))
    )
    return list(args)


def _import_everything() -> None:
    """Import what commands and servers import, and build what is the same for all servers."""
    import claimlog
    import claimlog.cli
    from claimlog.api.app import routes
    from claimlog.store import ArchiveError

    # In a clone, the folder of `claimlog.cli` lies elsewhere.
    for package in (claimlog, claimlog.cli):
        within = pkgutil.walk_packages(package.__path__, f"{package.__name__}.", lambda _: None)
        for module in within:
            with contextlib.suppress(ImportError, ArchiveError):  # a package of an extra is missing
                __import__(module.name)

    routes()
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    _import_everything()
    if sys.argv[2:]:
        from claimlog.web import assets

        vars(assets)["engine"] = Path(sys.argv[2]).read_bytes
        assets.page()  # to pack the pages' files takes each server half a second
    sys.argv = _fork_when_asked(socket.socket(fileno=int(sys.argv[1])))
    from claimlog.cli.main import run

    sys.exit(run())  # type: ignore[func-returns-value]
