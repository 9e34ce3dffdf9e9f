"""What every request passes before Litestar, and every answer after it: one concern a module.

They are plain ASGI and stand outside of Litestar, because its middleware sees neither unknown
paths nor wrong methods, and so that a kept answer costs little.  From outside in:

observation       ids, counters, times, the log
cors              pages of other origins
problems          errors become problem details
identity          who asks
limits            how much each client may ask
addresses         what can be done with an address; those without a version
read_your_writes  what was written is waited for, where the lists are behind
conditional       If-None-Match, HEAD
kept_answers      answers that are known already
packing           answers gzipped
deadlines         how long all may take; clients that have gone
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
    """Litestar's application with all layers around it; `error_page` shows errors to people."""
    settings = resources.settings
    routes = Routes(litestar)
    app: Application = Deadlines(cast("Application", litestar), settings)
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
