"""What the commands share: which files are meant, and how a wrong call ends."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NoReturn

from claimlog.notation.reader import SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Iterator


def find_files(paths: list[str]) -> Iterator[str]:
    """The files that `paths` mean: files as they are, folders searched for records, ``-``."""
    for path in paths:
        if path != "-" and os.path.isdir(path):
            for folder, folders, names in os.walk(path):
                folders.sort()
                for name in sorted(names):
                    if name.endswith(SUFFIXES):
                        yield os.path.join(folder, name)
        else:
            yield path


def say(message: str) -> None:
    """Tell the user about a file or a call that is wrong, on standard error."""
    print(f"claimlog: {message}", file=sys.stderr)


def fail(message: str) -> NoReturn:
    """End with a message and exit code 2: the call was wrong or a file could not be read."""
    say(message)
    raise SystemExit(2)


def why(error: BaseException) -> str:
    """What is wrong with a file, in a few words."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[0].lower() + error.strerror[1:]
    return str(error) or type(error).__name__


def read_errors() -> tuple[type[BaseException], ...]:
    """What opening or reading a file of games may raise."""
    import zlib

    errors: list[type[BaseException]] = [OSError, EOFError, zlib.error]
    zstd = sys.modules.get("backports.zstd") or sys.modules.get("compression.zstd")
    if zstd is not None:
        errors.append(zstd.ZstdError)
    return tuple(errors)


def quiet_pipe() -> None:
    """Let nothing be said when the reader of our output has gone (``| head``)."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
