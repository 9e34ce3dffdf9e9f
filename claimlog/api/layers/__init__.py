"""The layers that every request passes before Litestar, and every answer after it.

They are plain ASGI and stand outside Litestar, because its middleware sees neither unknown paths
nor wrong methods, and so that a cached answer costs little.  From the outside in:

observation       ids, counters, times, the log
cors              pages of other origins
problems          errors become problem details
identity          who makes the request
limits            how much each client may request
addresses         the methods of an address; addresses without a version
read_your_writes  waits for one's own writes if the lists lag behind
conditional       If-None-Match, HEAD
kept_answers      cached answers
packing           answers gzipped
deadlines         time limits; clients that have left
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from claimlog.api.layers.addresses import Addresses, Routes
from claimlog.api.layers.conditional import Conditional
from claimlog.api.layers.cors import Cors
from claimlog.api.layers.deadlines import Deadlines
from claimlog.api.layers.identity import Identity
from claimlog.api.layers.kept_answers import KeptAnswers
from claimlog.api.layers.limits import Limits
from claimlog.api.layers.observation import Observation
from claimlog.api.layers.packing import Packing
from claimlog.api.layers.problems import Problems
from claimlog.api.layers.read_your_writes import ReadYourWrites

if TYPE_CHECKING:
    from litestar import Litestar

    from claimlog.api.layers.asgi import Application
    from claimlog.api.layers.needs import Resources
    from claimlog.api.layers.problems import ErrorPage

__all__ = ["wrapped"]


def wrapped(litestar: Litestar, resources: Resources, error_page: ErrorPage) -> Application:
    """Wrap Litestar's application in all layers; `error_page` shows errors to people."""
    settings = resources.settings
    routes = Routes(litestar)
    app: Application = Deadlines(cast("Application", litestar), resources)
    app = Packing(app)
    app = KeptAnswers(app, resources)
    app = Conditional(app)
    if resources.archive.postgres is not None:
        app = ReadYourWrites(app, resources)
    app = Addresses(app, routes)
    app = Limits(app, resources)
    app = Identity(app, resources)
    app = Problems(app, resources, error_page)
    if settings.cors:
        app = Cors(app, settings.cors, routes)
    return Observation(app, resources)
