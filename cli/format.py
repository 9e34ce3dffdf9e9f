"""`claimlog format`: rewrite records in canonical form, without changing their content."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from claimlog.notation.reader import find_files
from claimlog.writing import replacing

from .files import Fix, Yes, fail, quiet_pipe, read_errors, say, tell
from .fixing import check_writable, fix_files
from .language import said, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from claimlog.game import Game


def format_files(
    files: Annotated[
        list[str],
        typer.Argument(
            help="Files, folders (searched for *.clm), or - to format standard input to output."
        ),
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 if a file would change.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Write nothing; show what would change.")
    ] = False,
    compact: Annotated[
        bool, typer.Option("--compact", help="The compact form: all tricks on one line.")
    ] = False,
    fix: Fix = False,
    yes: Yes = False,
) -> None:
    """Rewrite records in canonical form.

    A file with an invalid game is left as it is.  Exit codes: 0 done (with --check or --diff:
    nothing would change), 1 a file would change or has invalid games, 2 a file could not be
    read or written.
    """
    from claimlog.notation.writer import canonical
    from claimlog.notation.writer import compact as compact_form

    write: Callable[[Game], str] = compact_form if compact else canonical
    worst = 0
    if fix and (check or diff):
        fail(tr("--check and --diff write nothing, --fix does"))
    try:
        if fix and not fix_files(files, yes=yes):
            worst = 2
        for path in find_files(files):
            if path == "-":
                worst = max(worst, _format_stdin(write, check, diff))
            else:
                if not (check or diff):
                    check_writable(path)
                worst = max(worst, _format_file(path, write, check, diff))
        sys.stdout.flush()
    except BrokenPipeError:
        quiet_pipe()
    raise SystemExit(worst)


class InvalidGameError(Exception):
    """An illegal game cannot be rewritten without guessing."""


def _written(path: str, source: str, write: Callable[[Game], str]) -> Iterator[str]:
    """The games of a file, read from `source`, written in the chosen form."""
    from claimlog.notation.reader import open_games
    from claimlog.replay.recorder import replays

    first = True
    with open_games(source) as stream:
        for game in replays(stream.read, reasons=False):
            if not game.legal:
                problem = game.errors[0]
                raise InvalidGameError(
                    f"{'<stdin>' if path == '-' else path}:{problem.line}:{problem.column}: "
                    f"{problem.code}: {problem.message}"
                )
            yield write(game) if first else "\n" + write(game)
            first = False


def _format_stdin(write: Callable[[Game], str], check: bool, diff: bool) -> int:
    if check or diff:
        fail(tr("--check and --diff need a file: standard input can only be formatted"))
    try:
        # Write nothing until everything is known to be legal.
        text = "".join(_written("-", "-", write))
    except InvalidGameError as error:
        say(tr("not formatted: {error}", error=error))
        return 1
    except read_errors() as error:
        say(tr("{file} cannot be read: {why}", file="<stdin>", why=said(error)))
        return 2
    if not text:
        say(tr("{file} contains no games", file="<stdin>"))
    sys.stdout.buffer.write(text.encode())
    return 0


def _format_file(path: str, write: Callable[[Game], str], check: bool, diff: bool) -> int:
    """Format one file, or say what would change; it is never half written."""
    import shutil
    import tempfile

    new = ""
    try:
        with _kept(path) as source:
            with tempfile.NamedTemporaryFile(
                "wb", prefix=f".{os.path.basename(path)}.", delete=False
            ) as out:
                new = out.name
                for text in _written(path, source, write):
                    out.write(text.encode())
            if not os.path.getsize(new):
                say(tr("{file} contains no games", file=path))
                return 0
            if _same(new, source):
                return 0
            if diff:
                _show_diff(path, source, new)
        if check or diff:
            if not diff:
                print(tr("would change {file}", file=path))
            return 1
        with open(new, "rb") as source, replacing(path) as target:
            shutil.copyfileobj(source, target)
        print(tr("formatted {file}", file=path))
        return 0
    except InvalidGameError as error:
        say(tr("not formatted: {error}", error=error))
        return 1
    except BrokenPipeError:
        raise
    except read_errors() as error:
        say(tr("{file} cannot be formatted: {why}", file=path, why=said(error)))
        return 2
    finally:
        if new:
            os.unlink(new)


@contextmanager
def _kept(path: str) -> Iterator[str]:
    """A file that can be read again: the one at `path`, or a copy of what comes from a pipe."""
    import shutil
    import tempfile

    if os.path.isfile(path) or not os.path.exists(path):  # it is in S3, or will be missed later
        yield path
        return
    with tempfile.NamedTemporaryFile("wb") as copy:
        with open(path, "rb") as pipe:
            shutil.copyfileobj(pipe, copy)
        copy.flush()
        yield copy.name


def _same(one: str, path: str) -> bool:
    """Whether two files have the same content; the second may be compressed."""
    from claimlog.notation.reader import open_games

    with open(one, "rb") as a, open_games(path) as b:
        while True:
            chunk = a.read(1 << 20)
            other = b.read(len(chunk) or 1)
            while len(other) < len(chunk):
                more = b.read(len(chunk) - len(other))
                if not more:
                    break
                other += more
            if chunk != other:
                return False
            if not chunk:
                return True


def _show_diff(path: str, source: str, new: str) -> None:
    """Show how a file, which is read from `source`, would change."""
    import difflib

    from claimlog.notation.reader import open_games

    with open_games(source) as stream:
        old = stream.read().decode(errors="replace").splitlines(keepends=True)
    with open(new, encoding="utf-8", newline="") as stream:
        formatted = stream.read().splitlines(keepends=True)
    for line in difflib.unified_diff(old, formatted, path, f"{path} (formatted)"):
        tell(line.rstrip("\r\n"))
