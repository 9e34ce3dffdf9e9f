"""The server and its archive: health, counters, maintenance."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from claimlog import __version__
from claimlog.api.http import schemas
from claimlog.api.http.operation import operation
from claimlog.api.http.problem import stopping
from claimlog.api.http.responses import Answer, Backup, PlainText, Slow
from claimlog.api.resources import Resources
from claimlog.recording.ledger import damaged
from claimlog.store import CheckReport, DoubtfulPair
from claimlog.store.file.database import backups_of
from claimlog.store.file.soundness import followed
from claimlog.store.model.faults import MOST_FAULTS
from claimlog.store.model.types import Fault, Info

if TYPE_CHECKING:
    from collections.abc import Iterator

PIECE = 1 << 20

Head = Annotated[
    str | None,
    QueryParameter(
        description="The `head` of an earlier check.", pattern="^[0-9]{1,18}-[0-9a-f]{32}$"
    ),
]


class SystemController(Controller):
    """The state of the server, and its starting point."""

    tags = ("server",)

    @get("/", opt=operation(scope=None))
    async def index(self) -> Answer[schemas.Index]:
        """The entry point: the addresses of everything."""
        return Answer(schemas.INDEX)

    @get("/health", opt=operation(scope=None, cache=False, errors=(503,)))
    async def health(self, resources: NamedDependency[Resources]) -> Answer[schemas.Health]:
        """The health of the server; 503 while it is stopping or its archive is not there."""
        if resources.stopping:
            raise stopping()
        resources.archive.check_there()
        health = schemas.Health(
            status="ok", version=__version__, generation=await resources.generation()
        )
        return Answer(health, headers={"Cache-Control": "no-store"})

    @get(
        "/metrics",
        opt=operation(cache=False),
    )
    async def metrics(self, resources: NamedDependency[Resources]) -> PlainText:
        """Counters for Prometheus."""
        info = await resources.read(resources.archive.info)
        gauges = {
            "games": ("Games in the archive.", float(info.games)),
            "players": ("Players in the archive.", float(info.players)),
            "archive_bytes": ("Size of the archive.", float(info.bytes)),
            "streams": ("Imports and exports going on.", float(len(resources.budget.streams))),
            "tables": ("Tables at which games are being recorded.", float(len(resources.tables))),
            "watchers": ("Streams of events going on.", float(len(resources.budget.watchers))),
            "cache_bytes": ("Size of the cached answers.", float(resources.cache.used)),
        }
        return PlainText(
            resources.metrics.text(gauges).encode(),
            "text/plain; version=0.0.4",
            headers={"Cache-Control": "no-store"},
        )


class ArchiveController(Controller):
    """The archive, and its administration."""

    path = "/archive"
    tags = ("server",)

    @get(opt=operation())
    async def archive(self, resources: NamedDependency[Resources]) -> Answer[Info]:
        """The size, schema and counts of the archive."""
        info = await resources.read(resources.archive.info)
        # Answers must not reveal where the archive is on the disk.
        return Answer(msgspec.structs.replace(info, path=Path(info.path).name))

    @get("/doubtful", opt=operation())
    async def doubtful(self, resources: NamedDependency[Resources]) -> Answer[list[DoubtfulPair]]:
        """Pairs of stored games that seem to be the same game; at most 1,000."""
        return Answer(await resources.read(resources.archive.doubtful))

    @post(
        "/backup",
        status_code=200,
        opt=operation(scope="admin", errors=(409, 503)),
    )
    async def backup(self, resources: NamedDependency[Resources]) -> Backup:
        """A consistent copy of the archive, made while others read and write."""

        def copy() -> Iterator[bytes]:
            archive = resources.archive
            beside = followed(archive.path)
            folder = beside.parent if archive.postgres is None else None
            with tempfile.TemporaryDirectory(prefix=backups_of(beside), dir=folder) as place:
                path = Path(place) / "backup.duckdb"
                archive.backup(path)
                with path.open("rb") as file:
                    while piece := file.read(PIECE):
                        yield piece

        return Backup(
            resources.pump(copy),
            "application/vnd.duckdb",
            {"Content-Disposition": 'attachment; filename="backup.duckdb"'},
        )

    @post(
        "/check",
        status_code=200,
        opt=operation(scope="admin", errors=(400, 503)),
    )
    async def check(
        self, resources: NamedDependency[Resources], head: Head = None
    ) -> Slow[CheckReport]:
        """Prove that the derived tables agree with the records; this may take long.

        With the `head` of an earlier check, also prove that nothing recorded before it has changed
        since. The ledgers of tables at which games are recorded are checked, too.
        """

        def check() -> Iterator[CheckReport]:
            report = resources.archive.check(head=head)
            faults = [
                Fault.of("tables", name, message)
                for name, message in damaged(resources.tables.folder)
            ]
            yield msgspec.structs.replace(
                report,
                faults=[*report.faults, *faults][:MOST_FAULTS],
                fault_count=report.fault_count + len(faults),
            )

        return Slow(resources.pump(check))

    @post(
        "/compact",
        status_code=200,
        opt=operation(scope="admin", errors=(503,)),
    )
    async def compact(self, resources: NamedDependency[Resources]) -> Slow[schemas.Sizes]:
        """Return unused space to the disk."""

        def compact() -> Iterator[schemas.Sizes]:
            before, after = resources.archive.compact()
            yield schemas.Sizes(before=before, after=after)

        return Slow(resources.pump(compact))
