"""Run `claimlog` in this process as the installed command would: the fastest way for a test.

Everything that a new process would set up is set up and undone: arguments, environment, folder, the
three streams, the chosen language, signals.  A command that needs a separate process (for a
terminal, a signal, a file that another process has open, variables that Python reads as it starts)
is run by `in_process_of_its_own`; cli/test_every_command.py runs each command once in that way.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
import types
import warnings
from pathlib import Path
from typing import IO, TYPE_CHECKING
from unittest import mock

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from typer import Context

    from claimlog.cli.usage import Command

SCRIPT = Path(sys.executable).with_name("claimlog")

STARTING = ("PYTHON", "TZ", "FORCE_COLOR", "CLAIMLOG_PURE", "LD_")
"""Prefixes of variables that are read once, when a process starts or imports."""

Ended = tuple[int, bytes, bytes]
"""Exit code, output, error output."""


def claimlog(
    *words: object,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    merged: bool = False,
) -> Ended:
    """Run the command in this process; with `merged`, errors stay in order within the output.

    If `STARTING` variables differ from those of this process, use a new process.
    """
    env = dict(os.environ) if env is None else dict(env)
    if _starting(env) != _starting(os.environ):
        return in_process_of_its_own(*words, stdin=stdin, env=env, cwd=cwd, merged=merged)
    with (
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
        warnings.catch_warnings(),
    ):
        warnings.resetwarnings()
        for kind in (DeprecationWarning, ImportWarning, ResourceWarning):
            warnings.simplefilter("ignore", kind)
        warnings.showwarning = _show_warning
        with (
            _process(words, env, cwd),
            _streams(stdin, out, out if merged else err),
        ):
            code = _run()
        return code, _whole(out), _whole(err)


def in_process_of_its_own(
    *words: object,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    merged: bool = False,
) -> Ended:
    """Run the installed command."""
    done = subprocess.run(
        [SCRIPT, *map(str, words)],
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if merged else subprocess.PIPE,
        env=env,
        cwd=cwd,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr or b""


def shell(
    line: str, *, env: Mapping[str, str], cwd: Path | None = None, merged: bool = False
) -> Ended:
    """Run a command line: `claimlog` in this process, also in a pipe, everything else by bash."""
    bare = re.sub(r"'[^']*'|\"[^\"$`]*\"", "", line)
    if set(bare) & set("$`*?~();<>&=\"'") or "||" in bare:
        done = subprocess.run(
            ["bash", "-c", line], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merged else subprocess.PIPE,
            env=env, cwd=cwd, timeout=60, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr or b""
    words = shlex.shlex(line, posix=True, punctuation_chars="|")
    words.whitespace_split = True
    words.commenters = ""
    parts: list[list[str]] = [[]]
    for word in words:
        if word == "|":
            parts.append([])
        else:
            parts[-1].append(word)
    code, out, errors = 0, b"", b""
    for number, part in enumerate(parts, 1):
        last = number == len(parts)
        if part[0] == "claimlog":
            code, out, err = claimlog(
                *part[1:], stdin=out, env=env, cwd=cwd, merged=merged and last
            )
        else:
            done = subprocess.run(
                part, input=out, env=env, cwd=cwd, timeout=60, capture_output=True, check=False
            )
            code, out, err = done.returncode, done.stdout, done.stderr
        errors += err
    return (code, errors + out, b"") if merged else (code, out, errors)


def _starting(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name.startswith(STARTING)}


def _run() -> int:
    """Run the entry point; end as the interpreter would."""
    from claimlog.cli.main import run

    code: object
    try:
        run()
        code = 0
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
        code = 1
    if code is not None and not isinstance(code, int):
        print(code, file=sys.stderr)
        code = 1
    sys.stdout.flush()
    return (code or 0) & 0xFF


@contextlib.contextmanager
def _process(words: tuple[object, ...], env: Mapping[str, str], cwd: Path | None) -> Iterator[None]:
    """The properties of a process: arguments, environment, folder, signals, and our language."""
    from claimlog.cli import language
    from claimlog.cli.archive.opening import chosen

    kept = sys.argv, dict(os.environ), Path.cwd(), language._chosen[:], sys.modules["__main__"]
    server = dict(vars(chosen))
    signals = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        sys.argv = [str(SCRIPT), *map(str, words)]
        # The name of the program is taken from here.
        sys.modules["__main__"] = types.ModuleType("__main__")
        _put_in_place(env)
        os.chdir(cwd or kept[2])
        language._chosen.clear()
        vars(chosen).clear()
        with _frames(), _built_once():
            yield
    finally:
        vars(chosen).clear()
        vars(chosen).update(server)
        sys.argv, language._chosen[:], sys.modules["__main__"] = kept[0], kept[3], kept[4]
        _put_in_place(kept[1])
        os.chdir(kept[2])
        for number, handler in signals.items():
            signal.signal(number, handler)


def _put_in_place(env: Mapping[str, str]) -> None:
    for name in set(os.environ) - set(env):
        del os.environ[name]
    os.environ.update(env)


@contextlib.contextmanager
def _frames() -> Iterator[None]:
    """Restore the English words in Typer that German help replaces."""
    from typer import rich_utils

    from claimlog.cli.usage import _FRAMES

    kept = {name: getattr(rich_utils, name) for name in _FRAMES}
    try:
        yield
    finally:
        for name, text in kept.items():
            setattr(rich_utils, name, text)


@contextlib.contextmanager
def _built_once() -> Iterator[None]:
    """Reuse a command that was built for an earlier call: for some, Typer takes 40 ms."""
    from claimlog.cli.language import language
    from claimlog.cli.main import Commands

    build = Commands.get_command

    def built(group: Commands, ctx: Context, name: str) -> Command | None:
        key = name, language(), group._listing
        if key not in _built:
            _built[key] = build(group, ctx, name)
        return _built[key]

    with mock.patch.object(Commands, "get_command", built):
        yield


_built: dict[tuple[str, str, bool], Command | None] = {}


@contextlib.contextmanager
def _streams(stdin: bytes, out: IO[bytes], err: IO[bytes]) -> Iterator[None]:
    """Replace the three streams and their descriptors by a pipe and two files."""
    read, write = os.pipe()
    feeder = threading.Thread(target=_feed, args=(write, stdin), daemon=True)
    if len(stdin) <= 4096:  # fits into any pipe
        _feed(write, stdin)
    else:
        feeder.start()
    streams = sys.stdin, sys.stdout, sys.stderr
    for stream in streams[1:]:
        stream.flush()
    kept = [os.dup(number) for number in range(3)]
    try:
        for number, new in enumerate((read, out.fileno(), err.fileno())):
            os.dup2(new, number)
        os.close(read)
        read_in, write_out, write_err = (
            io.FileIO(number, mode, closefd=False) for number, mode in enumerate("rww")
        )
        sys.stdin = io.TextIOWrapper(io.BufferedReader(read_in), "utf-8")
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(write_out), "utf-8")
        # Errors are written line by line.
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(write_err), "utf-8", "backslashreplace", line_buffering=True
        )
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        sys.stdin, sys.stdout, sys.stderr = streams
        for number, old in enumerate(kept):
            os.dup2(old, number)
            os.close(old)
        if feeder.ident is not None:
            feeder.join()


def _feed(write: int, stdin: bytes) -> None:
    with contextlib.suppress(BrokenPipeError), open(write, "wb") as pipe:
        pipe.write(stdin)


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: object = None,
    line: str | None = None,
) -> None:
    """Print the warning on standard error, as without pytest."""
    sys.stderr.write(warnings.formatwarning(message, category, filename, lineno, line))


def _whole(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()
