"""Shared by the commands: resolving files, and ending a wrong call."""

from __future__ import annotations

import io
import os
import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn, TextIO, TypeVar

import typer

from claimlog.language.isolation import harmless

from .language import said, tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Fix = Annotated[
    bool,
    typer.Option("--fix", help="Repair games that exactly one repair makes legal, after asking."),
]
Yes = Annotated[bool, typer.Option("--yes", help="With --fix: do not ask.")]


def tell(text: str, out: TextIO | None = None) -> None:
    """Print a text that may hold something from a record, so that it cannot control a terminal."""
    print(harmless(text), file=out)


def flow(text: str, indent: int = 0) -> None:
    """Print a text as `tell` does, on a terminal broken at its spaces; `indent` further lines."""
    if not sys.stdout.isatty():
        tell(text)
        return
    from shutil import get_terminal_size

    from .layout import text_of, wrap

    for line in wrap([(harmless(text), "")], get_terminal_size().columns, indent):
        print(text_of(line))


def say(message: str) -> None:
    """Report a problem with a file or a call to the user, on standard error."""
    tell(f"claimlog: {message}", sys.stderr)


def fail(message: str) -> NoReturn:
    """End with a message and exit code 2: the call was wrong or a file could not be read."""
    say(message)
    raise SystemExit(2)


_Form = TypeVar("_Form", bound=str)


def refused(message: str) -> NoReturn:
    """End with a message and exit code 1: the call does not fit the state of what it is about."""
    say(message)
    raise SystemExit(1)


def form_named(output: str, forms: Iterable[_Form]) -> _Form | None:
    """The format that the suffix of a file names, or None."""
    return next((one for one in forms if output.lower().endswith(f".{one}")), None)


_IMPLAUSIBLE: Final = (
    r"[\0-\x08\x0e-\x1f\x7f]"
    r"|(?<=[^\W\d_])[\u0192\u02c6\u02dc\u201a\u201c-\u201e\u2020-\u2026\u2030\u2039\u203a\u2122]"
    r"(?=[^\W\d_])"
)
"""What no list has: control characters, and signs within a word, as in a DOS file."""


def typed_list() -> str:
    """The list on standard input: entrants, TRF16, pairings.  Ends the command if unreadable."""
    return "".join(typed_lines())


def typed_lines() -> Iterator[str]:
    """The lines on standard input, each as soon as it is there; without carriage returns.

    A line that is not UTF-8 is read as Windows-1252, with a message for the first, or if that
    cannot be meant, the command ends.
    """
    told = False
    for number, line in enumerate(sys.stdin.buffer, 1):
        try:
            text = line.decode()
        except UnicodeDecodeError:
            text = line.decode("cp1252", "replace")
            if "\ufffd" in text or re.search(_IMPLAUSIBLE, text):
                fail(tr("line {line} is not UTF-8: save the list as UTF-8", line=number))
            if not told:
                say(tr("line {line} is not UTF-8; read as Windows-1252", line=number))
            told = True
        yield text.replace("\r\n", "\n").replace("\r", "\n")


def read_errors() -> tuple[type[BaseException], ...]:
    """The exceptions that opening or reading a file of games may raise."""
    from claimlog.notation.reader import damages

    return (OSError, *damages())


def write(output: str, pieces: Iterable[bytes]) -> None:
    """Write a file, or with ``-`` to standard output; a file is never left half written.

    Raises BrokenPipeError if the reader of a pipe has gone.
    """
    if os.path.isdir(output):
        fail(tr("{file} is a folder: give the name of the file to write", file=output))
    if output.startswith("--"):
        # An option that needs a file takes the next one for it.
        fail(tr("the name of the file to write is missing before {option}", option=output))
    if output == "-":
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.flush()
        return
    from claimlog.writing import replacing

    try:
        with replacing(output) as stream:
            for piece in pieces:
                stream.write(piece)
    except BrokenPipeError:
        raise
    except OSError as error:
        fail(tr("{file} cannot be written: {why}", file=output, why=said(error)))


def quiet_pipe() -> None:
    """Suppress errors after output failed, or its reader has gone (``| head``)."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())


class OutputError(Exception):
    """Standard output cannot be written; no OSError, which would seem to be of a file read."""


class _Output(io.FileIO):
    """Standard output, raising `OutputError` unless a pipe was closed."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputError from error


@contextmanager
def standard_output() -> Iterator[None]:
    """End with a message if standard output cannot be written, also when its rest is written."""
    given: TextIO | None = sys.stdout
    if given is None:  # closed by the shell: >&-
        given = sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    buffer = getattr(given, "buffer", None)
    raw = getattr(buffer, "raw", buffer)
    if isinstance(raw, io.FileIO):  # not the console of Windows
        given.flush()
        output: Any = _Output(raw.fileno(), "w", closefd=False)
        sys.stdout = io.TextIOWrapper(
            output if raw is buffer else io.BufferedWriter(output),  # without PYTHONUNBUFFERED
            given.encoding,
            given.errors,
            line_buffering=bool(given.line_buffering),
            write_through=raw is buffer,
        )
    try:
        try:
            yield
        finally:
            try:
                sys.stdout.flush()
            except BrokenPipeError:
                quiet_pipe()
    except OutputError as error:
        quiet_pipe()
        fail(tr("standard output cannot be written: {why}", why=said(error.__cause__ or error)))
    finally:
        sys.stdout = given
