r"""claimlog as a library: the names of ``import claimlog``, each loaded on first use.

>>> (game,) = loads('[Deck "GKUWX"]\n1. U7: G5 G8+ /W2 2. X3: K4 *')
>>> game.tricks[0].winner, game.tricks[0].taken
(2, {1: 'W2', 2: 'U7'})
>>> print(dumps(game), end="")
[Deck "GKUWX"]
<BLANKLINE>
1. U7: G5 G8+ /W2
2. X3: K4
*
>>> loads(dumps(game)) == [game]
True
"""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Iterable
from contextlib import ExitStack
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeGuard

from claimlog.game import Game, Problem
from claimlog.notation.reader import damages, find_files, is_folder, open_games
from claimlog.notation.sheet import Sheet
from claimlog.notation.writer import canonical
from claimlog.notation.writer import compact as compactly
from claimlog.replay.explain import only_warnings, problems
from claimlog.replay.judge import Judge
from claimlog.replay.recorder import replays
from claimlog.writing import replacing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from claimlog.store.archive import Archive

__all__ = ["dump", "dumps", "loads", "open_archive", "read_games", "write_tables"]

Path: TypeAlias = "str | os.PathLike[str]"


class Readable(Protocol):
    """An open file of text or bytes."""

    def read(self, size: int = -1, /) -> Any:
        """Return the next characters or bytes, empty at the end."""


class Writable(Protocol):
    """An open file of text."""

    def write(self, text: str, /) -> object:
        """Write some characters."""


def read_games(source: Path | Readable | bytes) -> Iterator[Game]:
    """Yield the games of a file one by one, however long it is.

    `source` is a path (gzip and zstd are decompressed, ``-`` is standard input), a folder, whose
    ``.clm``, ``.clm.gz`` and ``.clm.zst`` files are read in the order of their names (file or
    folder may be in S3, ``s3://bucket/…``), an open file of text or bytes, or the text itself:
    bytes, or a string with a line break.

    The problems of a game are in its `problems`; a bad record raises nothing and does not affect
    its neighbours.  Raises OSError at once if the source cannot be opened, and later if it cannot
    be read further, such as a damaged compressed file; TypeError for any other source.
    """
    if _is_text(source):
        return iter(loads(source))
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        if not is_folder(path):
            return _of_path(path)
        files = find_files([path])
        first = [_of_path(file) for file in islice(files, 1)]
        return chain.from_iterable(chain(first, map(_of_path, files)))
    return replays(_bytes_of(source))


def _is_text(source: Any) -> TypeGuard[str | bytes]:
    """Whether a source is the text itself."""
    return isinstance(source, bytes) or (isinstance(source, str) and "\n" in source)


def _encoded(text: str | bytes) -> bytes:
    return text.encode(errors="surrogatepass") if isinstance(text, str) else text


def _of_path(path: str) -> Iterator[Game]:
    """Open a file at once, and read its games later.  Raises OSError."""
    opened = ExitStack()
    return _of_file(_reading(path, opened.enter_context(open_games(path)).read), opened)


def _of_file(read: Callable[[int], bytes], opened: ExitStack) -> Iterator[Game]:
    with opened:
        yield from replays(read)


def _reading(path: str, read: Callable[[int], bytes]) -> Callable[[int], bytes]:
    """Return `read`, raising OSError for a damaged compressed file."""

    def checked(size: int) -> bytes:
        try:
            return read(size)
        except damages() as error:
            raise OSError(f"{path} is damaged: {error}") from error

    return checked


def _bytes_of(file: Any) -> Callable[[int], bytes]:
    """Return a function that reads bytes from either kind of file.  Raises TypeError."""
    if not callable(getattr(file, "read", None)):
        raise TypeError(f"games are read from a path, an open file or a text, not from {file!r}")

    def read(size: int) -> bytes:
        data = file.read(size)
        if data is None:  # there is nothing yet in a file that does not block
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        return _encoded(data)

    return read


def loads(text: str | bytes) -> list[Game]:
    """Return the games of a text, with problems as in `read_games`.  Raises TypeError."""
    _check_text(text)
    return list(replays(io.BytesIO(_encoded(text)).read))


def _check_text(text: Any) -> None:
    if not isinstance(text, str | bytes):
        raise TypeError(f"games are read from a string or bytes, not from {text!r}")


def dumps(games: Game | Iterable[Game], *, compact: bool = False) -> str:
    """Return games as text, in canonical or in `compact` form.

    Raises ValueError for a game with errors: the unreadable parts of its record would be lost.  If
    you have corrected the game, empty its `problems`; the text is judged in any case.  A game that
    lacks only the choice of loot has no legal text either (docs/notation.md).  Raises TypeError for
    anything but games.
    """
    return "".join(_written(games, compact))


def dump(games: Game | Iterable[Game], file: Path | Writable, *, compact: bool = False) -> None:
    """Write games to a path (replacing an existing file) or to an open text file.

    Links are followed, and a pipe or a device is written to directly.  Raises OSError, and
    ValueError and TypeError as `dumps` does; an existing file is then left as it was.  ValueError
    also for the name of a packed file: these are only read.
    """
    if not isinstance(file, (str, os.PathLike)):
        if not callable(getattr(file, "write", None)):
            raise TypeError(f"games are written to a path or an open text file, not to {file!r}")
        for text in _written(games, compact):
            file.write(text)
        return
    if os.fsdecode(file).endswith((".gz", ".zst")):
        raise ValueError(f"{os.fsdecode(file)}: packed files are read, not written")
    with replacing(file) as stream:
        for text in _written(games, compact):
            stream.write(text.encode())


def _written(games: Game | Iterable[Game], compact: bool) -> Iterator[str]:
    for number, game in enumerate(_games(games)):
        text = compactly(game) if compact else canonical(game)
        # Both as read and as it would be read back: it may have been changed since.
        if errors := game.errors or _errors_of(text, game):
            raise ValueError(f"the game of line {game.line} cannot be written: {errors[0]}")
        if number:
            yield "\n"
        yield text


def _games(games: Any) -> Iterator[Game]:
    """Yield one game, or several.  Raises TypeError for anything else."""
    if not isinstance(games, Game | Iterable) or isinstance(games, str | bytes):
        raise TypeError(f"what is written is a Game, or several, not {games!r}")
    for game in [games] if isinstance(games, Game) else games:
        if not isinstance(game, Game):
            raise TypeError(f"what is written is a Game, not {game!r}")
        yield game


def _errors_of(text: str, game: Game) -> Sequence[Problem | str]:
    """The errors of a game's text about to be written."""
    sheet, judge = Sheet(), Judge()
    end = sheet.read(text.encode(), 0, True)
    if text.encode()[end:].strip() or sheet.tags != len(game.tags):
        return ["what its fields hold would be read as other games or tags"]
    if judge.judge(sheet) or only_warnings(judge):
        return []
    return [problem for problem in problems(judge, 1) if problem.severity == "error"]


def write_tables(source: Path | Readable | bytes, folder: Path) -> dict[str, int]:
    """Write the games of a file or folder as tables for polars, pandas or DuckDB.

    Creates games.parquet, tricks.parquet and plays.parquet in `folder`, with a row for each game,
    trick and play (docs/archive.md, "The Parquet and CSV exports").  `source` is as for
    `read_games`.  Returns the numbers of games that were "stored", "known" (repeated in the source)
    and "invalid" (left out).  Raises OSError.
    """
    from collections import Counter
    from pathlib import Path as FilePath
    from tempfile import TemporaryDirectory

    numbers: Counter[str] = Counter(stored=0, known=0, invalid=0)
    with TemporaryDirectory() as scratch, open_archive(f"{scratch}/games.duckdb") as archive:
        for read in _streams(source):
            for batch in archive.import_games(read, alone=True):
                numbers.update(outcome.status for outcome in batch)
        archive.write_tables(FilePath(folder))
    return dict(numbers)


def _streams(source: Path | Readable | bytes) -> Iterator[Callable[[int], bytes]]:
    """Yield a function that reads bytes for each file of a source."""
    if _is_text(source):
        yield io.BytesIO(_encoded(source)).read
        return
    if not isinstance(source, (str, os.PathLike)):
        yield _bytes_of(source)
        return
    for path in find_files([os.fspath(source)]):
        with open_games(path) as stream:
            yield _reading(path, stream.read)


def open_archive(
    path: Path | None = None, *, read_only: bool = False, create: bool = True
) -> Archive:
    """Open the archive at `path` (None: the one in the user's data directory).

    See `claimlog.store.Archive`, also for the errors raised.
    """
    from pathlib import Path as FilePath

    from claimlog.store.archive import Archive

    where = None if path is None else FilePath(path)
    return Archive.open(where, read_only=read_only, create=create)
