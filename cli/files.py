"""What the commands share: which files are meant, and how a wrong call ends."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from .language import said


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
        return said(error.strerror[0].lower() + error.strerror[1:])
    return said(error) or type(error).__name__


def read_errors() -> tuple[type[BaseException], ...]:
    """What opening or reading a file of games may raise."""
    from claimlog.notation.reader import damages

    return (OSError, *damages())


def quiet_pipe() -> None:
    """Let nothing be said when the reader of our output has gone (``| head``)."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
