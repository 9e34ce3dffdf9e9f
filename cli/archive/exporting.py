"""`claimlog export`: games out of the archive, as records or as tables."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from ..files import fail, write
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
    with open_archive(db) as archive:
        write(output, archive.export(form.value, filter))
