"""The server and its archive: health, counters, upkeep."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from litestar import Controller, Response, get, post
from litestar.di import NamedDependency

from claimlog import __version__
from claimlog.api import answers, schemas
from claimlog.api.doc import operation
from claimlog.api.negotiate import JSON
from claimlog.api.problem import ApiError
from claimlog.api.service import Service
from claimlog.store import CheckReport
from claimlog.store.types import Info

if TYPE_CHECKING:
    from collections.abc import Iterator

PIECE = 1 << 20


class SystemController(Controller):
    """How the server is, and what an admin does with the archive."""

    tags = ("server",)

    @get("/health", opt=operation(schemas.Health, scope=None, cache=False, errors=(503,)))
    async def health(self, service: NamedDependency[Service]) -> Response[bytes]:
        """Whether the server runs; 503 while it is stopping."""
        if service.stopping:
            raise ApiError(503, "unavailable", "the server is stopping")
        health = schemas.Health(
            status="ok", version=__version__, generation=service.archive.generation
        )
        return answers.json(health, headers={"Cache-Control": "no-store"})

    @get(
        "/metrics",
        opt=operation(answers={200: {"text/plain": str}}, cache=False),
    )
    async def metrics(self, service: NamedDependency[Service]) -> Response[bytes]:
        """Counters for Prometheus."""
        info = await service.run(service.archive.info)
        gauges = {
            "games": ("Games in the archive.", float(info.games)),
            "players": ("Players in the archive.", float(info.players)),
            "archive_bytes": ("Size of the archive.", float(info.bytes)),
            "streams": ("Imports and exports going on.", float(service.streams)),
            "cache_bytes": ("Size of the cached answers.", float(service.cache.used)),
        }
        return answers.encoded(
            service.metrics.text(gauges).encode(),
            "text/plain; version=0.0.4",
            headers={"Cache-Control": "no-store"},
        )

    @get("/archive", opt=operation(Info))
    async def archive(self, service: NamedDependency[Service]) -> Response[bytes]:
        """The archive: how big, which schema, how many."""
        info = await service.run(service.archive.info)
        # Where on the disk it lies is nobody's business.
        return answers.json(msgspec.structs.replace(info, path=Path(info.path).name))

    @post(
        "/archive/backup",
        status_code=200,
        opt=operation(
            scope="admin",
            answers={200: {"application/vnd.duckdb": bytes}},
            errors=(503,),
        ),
    )
    async def backup(self, service: NamedDependency[Service]) -> Response[bytes]:
        """A consistent copy of the archive, made while others read and write."""

        def copy() -> Iterator[bytes]:
            folder = service.archive.path.parent
            with tempfile.TemporaryDirectory(prefix=".backup-", dir=folder) as place:
                path = Path(place) / "backup.duckdb"
                service.archive.backup(path)
                with path.open("rb") as file:
                    while piece := file.read(PIECE):
                        yield piece

        return answers.Streamed(
            service.pump(copy),
            "application/vnd.duckdb",
            {"Content-Disposition": 'attachment; filename="backup.duckdb"'},
        )

    @post(
        "/archive/check",
        status_code=200,
        opt=operation(scope="admin", answers={200: {JSON: CheckReport}}, errors=(503,)),
    )
    async def check(self, service: NamedDependency[Service]) -> Response[bytes]:
        """Prove that the derived tables agree with the records; that takes its time."""

        def check() -> Iterator[bytes]:
            yield answers.encode(service.archive.check())

        return answers.Streamed(service.pump(check), JSON)

    @post(
        "/archive/compact",
        status_code=200,
        opt=operation(scope="admin", answers={200: {JSON: schemas.Sizes}}, errors=(503,)),
    )
    async def compact(self, service: NamedDependency[Service]) -> Response[bytes]:
        """Give unused room back to the disk."""

        def compact() -> Iterator[bytes]:
            before, after = service.archive.compact()
            yield answers.encode(schemas.Sizes(before=before, after=after))

        return answers.Streamed(service.pump(compact), JSON)
