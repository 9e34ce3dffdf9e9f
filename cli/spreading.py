"""The option --cluster: have the workers of a Dask cluster do the work."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from .files import fail
from .language import said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from claimlog.spread import Spread

Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Let the workers of a Dask scheduler do it, tcp://host:port; they must see the "
        "files under the same names.",
    ),
]


@contextmanager
def spread_over(address: str | None) -> Iterator[Spread | None]:
    """Yield the workers of a cluster, if one was given; its errors end the command."""
    if address is None:
        yield None
        return
    from claimlog.spread import ClusterError, Spread

    try:
        with Spread(address) as spread:
            yield spread
    except ClusterError as error:
        fail(said(error))
