"""How commands write pictures: in which form, and what they need for it."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING

from .files import fail
from .language import tr

if TYPE_CHECKING:
    from collections.abc import Iterator


class Form(StrEnum):
    """What a picture is written as."""

    svg = "svg"
    png = "png"


@contextmanager
def needing_more() -> Iterator[None]:
    """End with what to install where the extra ``pictures`` is missing."""
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
    """The form that is wanted: the one named, or that of the file's ending."""
    if form is None:
        form = next((one for one in Form if output.lower().endswith(f".{one}")), None)
    if form is None and output == "-":
        form = Form.svg
    if form is None:
        fail(tr("{file} does not end in .svg or .png: choose one with --format", file=output))
    if form is Form.png and output == "-" and sys.stdout.isatty():
        fail(tr("PNG cannot be printed on a terminal: name a file with --output"))
    return form
