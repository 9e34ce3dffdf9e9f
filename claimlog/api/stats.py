"""Statistics and the explorer, over any choice of games."""

from __future__ import annotations

from typing import Annotated

from litestar import Controller, Response, get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from claimlog.api import answers, schemas
from claimlog.api.doc import operation
from claimlog.api.service import Service
from claimlog.store import Context, Filter
from claimlog.store.types import (
    CardStat,
    Explorer,
    FactionStat,
    Grouping,
    LeadLengths,
    LeadStats,
    ResultStats,
    UpcardStat,
)

Phase = Annotated[int | None, QueryParameter(description="Of this phase alone.", ge=1, le=2)]


class StatsController(Controller):
    """Statistics; each counts the games that the filter lets through."""

    path = "/stats"
    tags = ("statistics",)

    @get("/count", opt=operation(schemas.Count, errors=(400,)))
    async def count(
        self, service: NamedDependency[Service], which: NamedDependency[Filter]
    ) -> Response[bytes]:
        """How many games."""
        games = await service.run(lambda: service.archive.count(which))
        return answers.json(schemas.Count(games=games))

    @get("/results", opt=operation(ResultStats, errors=(400,)))
    async def results(
        self,
        service: NamedDependency[Service],
        which: NamedDependency[Filter],
        by: Annotated[Grouping, QueryParameter(description="What to group by.")] = "seat",
    ) -> Response[bytes]:
        """Results by seat, leader, deck and so on, with 95 % confidence intervals."""
        return answers.json(await service.run(lambda: service.archive.result_stats(by, which)))

    @get("/factions", opt=operation(list[FactionStat], errors=(400,)))
    async def factions(
        self, service: NamedDependency[Service], which: NamedDependency[Filter]
    ) -> Response[bytes]:
        """Factions: how often in the deck, won, by how much, and what winning one is worth."""
        return answers.json(await service.run(lambda: service.archive.faction_stats(which)))

    @get("/cards", opt=operation(list[CardStat], errors=(400,)))
    async def cards(
        self,
        service: NamedDependency[Service],
        which: NamedDependency[Filter],
        phase: Phase = None,
    ) -> Response[bytes]:
        """Cards: led, followed, won and discarded, and how the game went."""
        return answers.json(
            await service.run(lambda: service.archive.card_stats(which, phase=phase))
        )

    @get("/upcards", opt=operation(list[UpcardStat], errors=(400,)))
    async def upcards(
        self, service: NamedDependency[Service], which: NamedDependency[Filter]
    ) -> Response[bytes]:
        """Upcards and what they are worth."""
        return answers.json(await service.run(lambda: service.archive.upcard_stats(which)))

    @get("/leads", opt=operation(LeadStats, errors=(400,)))
    async def leads(
        self, service: NamedDependency[Service], which: NamedDependency[Filter]
    ) -> Response[bytes]:
        """What leading trick 1 and winning Phase 1 are worth."""
        return answers.json(await service.run(lambda: service.archive.lead_stats(which)))

    @get("/lead-lengths", opt=operation(LeadLengths, errors=(400,)))
    async def lead_lengths(
        self,
        service: NamedDependency[Service],
        which: NamedDependency[Filter],
        phase: Phase = None,
    ) -> Response[bytes]:
        """How many tricks in a row the same seat leads."""
        return answers.json(
            await service.run(lambda: service.archive.lead_lengths(which, phase=phase))
        )


class ExplorerController(Controller):
    """What was played, and how it went."""

    path = "/explorer"
    tags = ("statistics",)

    @get(opt=operation(Explorer, errors=(400,)))
    async def explore(
        self,
        service: NamedDependency[Service],
        which: NamedDependency[Filter],
        trick: Annotated[
            int | None, QueryParameter(description="The trick's number.", ge=1, le=26)
        ] = None,
        phase: Phase = None,
        turned: Annotated[
            str | None,
            QueryParameter(
                description="The upcard, or a faction's letter.", pattern="^[A-Za-z][0-9]{0,2}$"
            ),
        ] = None,
        after: Annotated[
            list[str] | None,
            QueryParameter(
                description="The cards, or faction letters, played in the trick so far, in "
                "order; none: leads.",
                max_items=3,
            ),
        ] = None,
        examples: Annotated[
            int, QueryParameter(description="Example games for each move.", ge=0, le=20)
        ] = 3,
    ) -> Response[bytes]:
        """What was played in a moment of a trick: how often, how it went, example games."""
        context = Context(
            trick=trick,
            phase=phase,
            upcard=turned,
            played=list(after or ()),
            seats=which.seats,
        )
        return answers.json(
            await service.run(lambda: service.archive.explore(context, which, examples=examples))
        )
