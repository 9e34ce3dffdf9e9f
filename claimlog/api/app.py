"""The application: what is served, put together."""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager
from functools import cache
from typing import TYPE_CHECKING

from litestar import Litestar
from litestar.di import Provide
from litestar.openapi.config import OpenAPIConfig

from claimlog import __version__
from claimlog.api import pages
from claimlog.api.access import ArgumentGuard, check_scope
from claimlog.api.events import EventController
from claimlog.api.filters import games_wanted
from claimlog.api.front import Front
from claimlog.api.games import GameController
from claimlog.api.imports import ImportController
from claimlog.api.logs import FLUSH, Handler, Log
from claimlog.api.openapi import arguments_of, describe
from claimlog.api.players import MergeController, PlayerController
from claimlog.api.problem import respond
from claimlog.api.service import Service
from claimlog.api.settings import Settings
from claimlog.api.stats import ExplorerController, StatsController
from claimlog.api.system import SystemController

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from claimlog.store import Archive


async def _keep_flushing(log: Log) -> None:
    """Let no line wait for longer than others would."""
    while True:
        await asyncio.sleep(FLUSH)
        log.flush()


def create_app(archive: Archive, settings: Settings | None = None, log: Log | None = None) -> Front:
    """Make the ASGI application that answers for `archive`, which it closes at its end."""
    service = Service(archive, settings or Settings(), log)
    arguments = ArgumentGuard()

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        logger = logging.getLogger("litestar")
        handler = Handler(service.log)
        logger.addHandler(handler)
        flushing = asyncio.create_task(_keep_flushing(service.log))
        try:
            yield
        finally:
            flushing.cancel()
            logger.removeHandler(handler)
            service.close()

    app = Litestar(
        route_handlers=[
            GameController,
            ImportController,
            PlayerController,
            MergeController,
            EventController,
            StatsController,
            ExplorerController,
            SystemController,
            pages.openapi_document,
            pages.favicon,
        ],
        dependencies={
            "service": Provide(lambda: service, sync_to_thread=False),
            "which": Provide(games_wanted, sync_to_thread=False),
        },
        guards=[check_scope, arguments],
        exception_handlers={Exception: respond},
        lifespan=[lifespan],
        logging_config=None,
        openapi_config=OpenAPIConfig(
            title="claimlog",
            version=__version__,
            openapi_router=pages.router(),
            render_plugins=pages.PLUGINS,
        ),
        request_max_body_size=None,
    )
    document = cache(lambda: describe(app))
    app.state.openapi = document
    arguments.operations = cache(lambda: arguments_of(document()))
    return Front(app, service)
