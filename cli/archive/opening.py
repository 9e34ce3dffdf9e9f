"""Opening the archive for a command, and what may go wrong with it."""

from __future__ import annotations

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


def need_server_extra() -> None:
    """End with a message if the archive's libraries are not installed."""
    from importlib.util import find_spec

    if find_spec("duckdb") is None:
        fail("the archive needs more than the core: pip install 'claimlog[server]'")


@contextmanager
def open_archive(
    db: Path | None, *, writing: bool = False, create: bool = False, threads: int | None = None
) -> Iterator[Archive]:
    """Open the archive; whatever it refuses ends the command with a message and code 2."""
    need_server_extra()
    from claimlog.store import Archive, ArchiveError, ArchiveLocked, ArchiveMissing

    try:
        with Archive.open(db, read_only=not writing, create=create, threads=threads) as archive:
            yield archive
    except ArchiveLocked as error:
        fail(f"{error} (claimlog import --server URL sends games to it)")
    except ArchiveMissing as error:
        fail(f"{error}; claimlog import makes one")
    except ArchiveError as error:
        fail(str(error))
    except BrokenPipeError:
        quiet_pipe()
        raise SystemExit(0) from None
    except KeyboardInterrupt:
        say("interrupted")
        raise SystemExit(130) from None
