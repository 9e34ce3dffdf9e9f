"""The application: routes, layers and background tasks put together."""

from __future__ import annotations

import asyncio
import logging
import threading
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final, cast

from litestar import Litestar, Router, types
from litestar.di import NamedDependency, Provide
from litestar.openapi.config import OpenAPIConfig

from claimlog import __version__
from claimlog.api import pages
from claimlog.api.handlers import desk, questions
from claimlog.api.handlers.analysis import AnalysisController
from claimlog.api.handlers.corrections import CorrectionController
from claimlog.api.handlers.desk import DeskController
from claimlog.api.handlers.events import EventController
from claimlog.api.handlers.games import GameController
from claimlog.api.handlers.guards import Guard
from claimlog.api.handlers.imports import ImportController
from claimlog.api.handlers.players import PlayerController
from claimlog.api.handlers.system import ArchiveController, SystemController
from claimlog.api.handlers.table_links import TableLinkController
from claimlog.api.handlers.tables import LiveEventController, TableController
from claimlog.api.http.addresses import VERSION
from claimlog.api.http.filters import games_of, games_wanted
from claimlog.api.http.problem import pass_on
from claimlog.api.layers import wrapped
from claimlog.api.logs import FLUSH, Handler, Log
from claimlog.api.openapi import documentation
from claimlog.api.openapi.document import describe
from claimlog.api.pages import links, pictures
from claimlog.api.pages.failing import error_page
from claimlog.api.puzzling import keep_puzzling
from claimlog.api.resources import Resources
from claimlog.api.settings import Settings
from claimlog.store import ArchiveError
from claimlog.web import site

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from claimlog.api.layers.asgi import Receive, Scope, Send
    from claimlog.store import Archive

SETTLE: Final = 0.5
"""Seconds after which the rows of single games are built, if nobody has asked before."""


async def _keep_flushing(log: Log) -> None:
    """Flush the log regularly, so that no line waits long for others."""
    while True:
        await asyncio.sleep(FLUSH)
        log.flush()


async def _keep_settling(resources: Resources) -> None:
    """Index stored games regularly, so that no reader has to wait for it."""
    while True:
        await asyncio.sleep(SETTLE)
        if resources.archive.waiting:
            # A request that needs the rows reports why they cannot be built.
            with suppress(ArchiveError):
                await resources.write(resources.archive.settle)
        if resources.archive.unprepared:
            resources.later(resources.archive.prepare_to_answer)
        elif resources.archive.behind:
            resources.later(resources.archive.catch_up)


@asynccontextmanager
async def _running(resources: Resources) -> AsyncIterator[None]:
    """Run the background tasks beside the requests."""
    resources.later(resources.archive.prepare_to_store)
    resources.later(resources.archive.prepare_to_answer)
    resources.later(lambda: pages.look_ahead(resources))
    logger = logging.getLogger("litestar")
    handler = Handler(resources.log)
    logger.addHandler(handler)
    going_on = [
        asyncio.create_task(_keep_flushing(resources.log)),
        asyncio.create_task(_keep_settling(resources)),
        asyncio.create_task(keep_puzzling(resources)),
    ]
    try:
        yield
    finally:
        for task in going_on:
            task.cancel()
        logger.removeHandler(handler)
        resources.close()


class Application:
    """The ASGI application that is served: Litestar's inside the layers."""

    def __init__(self, resources: Resources) -> None:
        self.resources = resources
        self._answer = wrapped(routes(), resources, error_page)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; there are no WebSockets."""
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        elif scope["type"] == "lifespan":
            await receive()
            async with _running(self.resources):
                await send({"type": "lifespan.startup.complete"})
                await receive()
            await send({"type": "lifespan.shutdown.complete"})
        else:
            await send({"type": "websocket.close", "code": 1008, "reason": ""})


def create_app(
    archive: Archive, settings: Settings | None = None, log: Log | None = None
) -> Application:
    """Return the ASGI application for `archive`, which it closes on shutdown."""
    return Application(Resources(archive, settings or Settings(), log))


def _resources(scope: types.Scope) -> Any:
    """The resources of a request, as `Observation` left them."""
    return cast("Any", scope)["state"]["resources"]


def _preview(resources: NamedDependency[Any]) -> Any:
    """The function that makes the preview of a table for a shared link."""
    return partial(pictures.preview_of_table, resources)


@cache
def routes() -> Litestar:
    """Return Litestar's application, built only once and the same for every archive."""
    versioned = Router(
        VERSION,
        route_handlers=[
            GameController,
            AnalysisController,
            ImportController,
            PlayerController,
            CorrectionController,
            EventController,
            LiveEventController,
            TableController,
            TableLinkController,
            *questions.HANDLERS,
            DeskController,
            *desk.HANDLERS,
            ArchiveController,
        ],
    )
    app = Litestar(
        route_handlers=[
            versioned,
            SystemController,
            documentation.openapi_document,
            documentation.favicon,
            *links.HANDLERS,
            pages.ROUTER,
            *pictures.HANDLERS,
            *site.HANDLERS,
        ],
        dependencies={
            "resources": Provide(_resources, sync_to_thread=False),
            "preview": Provide(_preview, sync_to_thread=False),
            "which": Provide(games_wanted, sync_to_thread=False),
            "mine": Provide(games_of, sync_to_thread=False),
        },
        before_request=Guard(),
        exception_handlers={Exception: pass_on},
        logging_config=None,
        openapi_config=OpenAPIConfig(
            title="claimlog",
            version=__version__,
            openapi_router=documentation.router(),
            render_plugins=documentation.PLUGINS,
        ),
        request_max_body_size=None,
    )
    described = cache(lambda: describe(app))
    describing = threading.Lock()

    def document() -> dict[str, Any]:
        with describing:  # only once, however many ask at the same time
            return described()

    app.state.openapi = document
    return app
