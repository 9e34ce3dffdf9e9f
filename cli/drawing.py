"""How commands write pictures: the format, and the packages needed for it."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING

from .files import fail, form_named
from .language import tr

if TYPE_CHECKING:
    from collections.abc import Iterator


class Form(StrEnum):
    """The format of a picture."""

    svg = "svg"
    png = "png"


@contextmanager
def needing_more() -> Iterator[None]:
    """If the extra ``pictures`` is missing, end with what to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in ("matplotlib", "resvg_py"):
            raise
        fail(
            tr(
                "this picture needs {name}, which is not installed: pip install "
                "'claimlog[pictures]'",
                name=error.name,
            )
        )


def form_of(output: str, form: Form | None) -> Form:
    """The format: the one given, or that of the file's suffix."""
    if form is None:
        form = form_named(output, Form)
    if form is None and output == "-":
        form = Form.svg
    if form is None:
        fail(tr("{file} does not end in .svg or .png: choose one with --format", file=output))
    if form is Form.png and output == "-" and sys.stdout.isatty():
        fail(tr("PNG cannot be printed on a terminal: name a file with --output"))
    return form
