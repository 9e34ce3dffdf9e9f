"""A stored game where a command takes a file of games."""

from __future__ import annotations

import io
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from ..language import said

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from claimlog.language import Words


class StoredGame(str):
    """A stored game in place of a file's path: its id, with its record in CLM."""

    __slots__ = ("record",)
    record: bytes


class NeitherError(Exception):
    """It is no file and no stored game; the message says so."""


def source(text: str, db: Path | None, told: Words) -> str:
    """The file that is meant, or a `StoredGame` if there is no such file but a game.

    Raises NeitherError if `text` looks like an id, or the beginning of one, and is neither.
    """
    if text == "-" or os.path.lexists(text):
        return text
    from claimlog.store.ids import read_beginning

    if read_beginning(text) is None:
        return text
    from claimlog.store.errors import Ambiguous, ArchiveError, NotFound

    from .opening import connect
    from .unclear import explain

    try:
        with connect(db) as archive:
            game = archive.game(text)
    except (NotFound, Ambiguous) as error:
        reason = said(error) if error.unclear is None else explain(error.unclear, told)
        raise NeitherError(told("neither", file=text, why=reason)) from None
    except ArchiveError as error:
        raise NeitherError(told("neither", file=text, why=said(error))) from None
    found = StoredGame(game.row.id)
    found.record = game.record.encode()
    return found


@contextmanager
def open_source(path: str) -> Iterator[BinaryIO]:
    """Open a file of games or a stored game; raises OSError, EOFError as `open_games`."""
    from claimlog.notation.reader import open_games

    if isinstance(path, StoredGame):
        yield io.BytesIO(path.record)
        return
    with open_games(path) as stream:
        yield stream
