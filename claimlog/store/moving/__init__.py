"""Move a whole archive from a file into PostgreSQL with a lake, or back, piece by piece.

The source is left as it is.  The target becomes an archive only when everything is there: until
then its mark is that of half an archive.  Each piece is committed together with how far the move
has come, so that it can go on after it was interrupted, if its source is still the same.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from claimlog.store.addresses import check_move, is_address
from claimlog.store.model.errors import ArchiveUnreachable
from claimlog.store.moving import into_file, into_postgres

if TYPE_CHECKING:
    from claimlog.store.backend import Report
    from claimlog.store.model import types as t
    from claimlog.store.moving.steps import Last


def move(
    source: str | Path,
    target: str | Path,
    *,
    lake: str | None = None,
    report: Report = None,
    last: Last = lambda *_: None,
    afresh: bool = False,
) -> t.Moved:
    """Move an archive; one of the two is a file, the other the address of a database.

    An interrupted move from this source to this target goes on, unless `afresh`.  `last` moves
    everything else that belongs to the archive; its arguments are the source and the target, each a
    path or a backend.  Raises ArchiveError, in particular if there already is an archive at
    `target`, or half of another one.
    """
    check_move(source, target)
    if is_address(source):
        return into_file.move(str(source), Path(target), lake, report, last, afresh)
    try:
        return into_postgres.move(Path(source), str(target), lake, report, last, afresh)
    except ArchiveUnreachable as error:
        if afresh or error.message.key != "lake.lost":
            raise
    # What an interrupted move has left is lost.
    return into_postgres.move(Path(source), str(target), lake, report, last, afresh=True)
