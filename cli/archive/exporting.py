"""`claimlog export`: games out of the archive, as records or as tables."""

from __future__ import annotations

import os
import sys
import tempfile
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from ..files import fail, why
from ..language import tr
from .filters import filtered
from .opening import Db, open_archive

if TYPE_CHECKING:
    from claimlog.store import Filter


class ExportForm(StrEnum):
    """The form of an export."""

    clm = "clm"
    ndjson = "ndjson"
    csv = "csv"
    parquet = "parquet"


@filtered
def export(
    filter: Filter,
    db: Db = None,
    form: Annotated[
        ExportForm, typer.Option("--format", "-f", help="Records, or tables of games.")
    ] = ExportForm.clm,
    output: Annotated[
        str, typer.Option("--output", "-o", help="The file to write; - is standard output.")
    ] = "-",
) -> None:
    """Write games to a file or to standard output, the oldest first."""
    if form is ExportForm.parquet and output == "-" and sys.stdout.isatty():
        fail(tr("Parquet is not for a terminal: give a file with --output"))
    if os.path.isdir(output):
        fail(tr("{file} is a folder: give the name of the file to write", file=output))
    with open_archive(db) as archive:
        pieces = archive.export(form.value, filter)
        if output == "-":
            for piece in pieces:
                sys.stdout.buffer.write(piece)
            sys.stdout.flush()
            return
        new = ""
        try:
            # Through a new file beside it, so that there is never half an export.
            with tempfile.NamedTemporaryFile(
                dir=os.path.dirname(output) or ".", prefix=".export-", delete=False
            ) as stream:
                new = stream.name
                for piece in pieces:
                    stream.write(piece)
            os.chmod(new, 0o666 & ~_umask())
            os.replace(new, output)
            new = ""
        except OSError as error:
            fail(tr("{file} cannot be written: {why}", file=output, why=why(error)))
        finally:
            if new:
                os.unlink(new)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
