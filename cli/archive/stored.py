"""A stored game, or the code of one, given to a command in place of a file of games."""

from __future__ import annotations

import io
import os
import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, Final

from claimlog.objects import is_object

from ..files import fail, quiet_pipe, read_errors
from ..language import said

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from claimlog.game import Game
    from claimlog.language import Words


CODE: Final = 14
"""The length from which a text can only be a code; shorter ones may be ids, too."""


class StoredGame(str):
    """A game in place of a file's path: its id or code, with its record in CLM."""

    __slots__ = ("record",)
    record: bytes


class NeitherError(Exception):
    """The text is neither a file, nor a stored game, nor a code; the message says so."""


def source(text: str, db: Path | None, words: Words) -> str:
    """The file given, or a `StoredGame` if there is no such file but a game.

    Raises NeitherError if `text` looks like an id, the start of one, a code or a link, but does not
    lead to a game.
    """
    if text == "-" or is_object(text) or os.path.lexists(text):
        return text
    if re.fullmatch(rf"(https?://.*)?/r/.*|[A-Za-z0-9_-]{{{CODE},}}", text) or is_code(text):
        return _linked(text, words)
    from claimlog.store.model.ids import read_beginning

    if read_beginning(text) is None:
        return text
    from claimlog.store.model.errors import Ambiguous, ArchiveError, NotFound

    from .opening import connect
    from .unclear import explain

    try:
        with connect(db) as archive:
            game = archive.game(text)
    except (NotFound, Ambiguous) as error:
        reason = said(error) if error.unclear is None else explain(error.unclear, words)
        raise NeitherError(words("neither", file=text, why=reason)) from None
    except ArchiveError as error:
        raise NeitherError(words("neither", file=text, why=said(error))) from None
    stored = StoredGame(game.row.id)
    stored.record = game.record.encode()
    return stored


def is_code(text: str) -> bool:
    """Whether the text is the code of a game, according to its check.

    An id, or the start of one, passes for a code less than once in a million.
    """
    if not re.fullmatch("[A-Za-z0-9_-]+", text):
        return False
    from claimlog.link.coder import CodeError, number_of

    try:
        number_of(text)
    except CodeError:
        return False
    return True


def _linked(text: str, words: Words) -> StoredGame:
    """The game in a code or link."""
    from claimlog.link import CodeError, read_link
    from claimlog.notation.writer import canonical

    try:
        game = read_link(text)
    except CodeError as error:
        raise NeitherError(words("neither", file=text, why=said(error))) from None
    stored = StoredGame(text)
    stored.record = canonical(game).encode()
    return stored


@contextmanager
def open_source(path: str) -> Iterator[BinaryIO]:
    """Open a file of games or a stored game; raises OSError and EOFError like `open_games`."""
    from claimlog.notation.reader import open_games

    if isinstance(path, StoredGame):
        yield io.BytesIO(path.record)
        return
    with open_games(path) as stream:
        yield stream


@contextmanager
def reading(file: str, say: Words) -> Iterator[None]:
    """End a command with a message if its games cannot be read, silently if its output is not."""
    try:
        yield
    except BrokenPipeError:
        quiet_pipe()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except NeitherError as error:
        fail(str(error))
    except read_errors() as error:
        sys.stdout.flush()
        fail(say("unreadable", file=name_of(file), why=said(error)))


def name_of(file: str) -> str:
    """The name of a file in messages."""
    return "<stdin>" if file == "-" else file


def games_of(
    file: str, only: int | None, words: Words, say: Words | None = None
) -> Iterator[tuple[int, Game]]:
    """The games of a file with their numbers, or only the one requested.

    `say` are the words for their problems; reports for programs are in English.
    """
    from claimlog.notation.reader import sheets
    from claimlog.replay.recorder import Recorder

    recorder = Recorder(say)
    number = 0
    with open_source(file) as stream:
        for sheet, line in sheets(stream.read):
            number += 1
            if only is None or number == only:
                yield number, recorder.record(sheet, line)
                if only is not None:
                    return
    if only is not None and not number:
        fail(words("no-game", file=name_of(file)))
    if only is not None:
        fail(words.count("no-such-game", number, file=name_of(file), wanted=only))


def view_of(named: str | None, words: Words, option: str = "--hide") -> int | None:
    """The seat or spectator given by an option; None for all cards open."""
    from claimlog.replay.viewpoint import SPECTATOR

    if named is None:
        return None
    if named == "spectator":
        return SPECTATOR
    if named in ("1", "2", "3", "4"):
        return int(named)
    fail(words("bad-view", option=option, value=named))


def check_view(view: int | None, game: Game, number: int, words: Words) -> None:
    """End the command unless the game has the seat given as the view."""
    if view is not None and view > game.seats:
        sys.stdout.flush()
        fail(words("no-such-seat", game=number, number=game.seats, wanted=view))
