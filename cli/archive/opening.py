"""Opening the archive for a command, and what may go wrong with it."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..files import fail, quiet_pipe, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from claimlog.store import Archive

Db = Annotated[
    Path | None,
    typer.Option("--db", help="The archive; by default the one in your data directory."),
]
By = Annotated[str, typer.Option("--by", help="Who does this; it is kept.")]
Why = Annotated[str, typer.Option("--why", help="Why; it is kept.")]


@contextmanager
def open_archive(
    db: Path | None, *, writing: bool = False, create: bool = False, threads: int | None = None
) -> Iterator[Archive]:
    """Open the archive; whatever it refuses ends the command with a message and code 2."""
    from claimlog.store.errors import (
        Ambiguous,
        ArchiveError,
        ArchiveLocked,
        ArchiveMissing,
        NotFound,
    )

    try:
        with connect(db, writing=writing, create=create, threads=threads) as archive:
            yield archive
    except ArchiveLocked as error:
        fail(f"{error} (claimlog import --server URL sends games to it)")
    except ArchiveMissing as error:
        fail(f"{error}; claimlog import makes one")
    except (NotFound, Ambiguous) as error:
        sys.stdout.flush()
        if error.unclear is None:
            fail(str(error))
        from claimlog.language import language_of, words

        from .unclear import explain

        fail(explain(error.unclear, words(language_of(os.environ))))
    except ArchiveError as error:
        fail(str(error))
    except BrokenPipeError:
        quiet_pipe()
        raise SystemExit(0) from None
    except KeyboardInterrupt:
        say("interrupted")
        raise SystemExit(130) from None


@contextmanager
def connect(
    db: Path | None, *, writing: bool = False, create: bool = False, threads: int | None = None
) -> Iterator[Archive]:
    """Open the archive and close it at the end.  Raises ArchiveError."""
    from claimlog.store import Archive

    with Archive.open(db, read_only=not writing, create=create, threads=threads) as archive:
        yield archive
