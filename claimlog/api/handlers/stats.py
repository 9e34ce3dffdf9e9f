"""Statistics and the explorer, over any choice of games."""

from __future__ import annotations

from typing import Annotated

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from claimlog.api.http import schemas
from claimlog.api.http.filters import MinGames
from claimlog.api.http.operation import operation
from claimlog.api.http.responses import Answer
from claimlog.api.resources import Resources
from claimlog.store import Context, Filter
from claimlog.store.model.filter import CARD, CardSort, GroupSort, MoveSort, UpcardSort
from claimlog.store.model.filter import By as Whose
from claimlog.store.model.types import (
    CardStat,
    Explorer,
    FactionStat,
    Grouping,
    LeadLengths,
    LeadStats,
    ResultStats,
    TimeStats,
    UpcardStat,
)

ORDER = (
    "The order: `{}`, a rate, or with `_low` the lower end of its interval, the highest first; "
    "- turns it around."
)
Least = Annotated[
    int,
    QueryParameter(
        description="Only those whose rate that is sorted by counts at least so many; where no "
        "rate is sorted by, all their rates.",
        ge=0,
        le=1_000_000_000,
        schema_extra={"minimum": 0},
    ),
]
Phase = Annotated[int | None, QueryParameter(description="Of this phase alone.", ge=1, le=2)]


By = Annotated[
    Whose,
    QueryParameter(description="Whose plays count: anybody's, or those of `player` alone."),
]
Of = Annotated[
    Whose,
    QueryParameter(description="Whose points count: the leader's, or those of `player`."),
]
Groups = Annotated[Grouping, QueryParameter(description="What to group by.")]
Order = Annotated[GroupSort, QueryParameter(description="The order of the groups.")]
CardOrder = Annotated[CardSort, QueryParameter(description=ORDER.format("plays"))]
UpcardOrder = Annotated[UpcardSort, QueryParameter(description=ORDER.format("shown"))]
MoveOrder = Annotated[MoveSort, QueryParameter(description=ORDER.format("share"))]
Trick = Annotated[int | None, QueryParameter(description="The trick's number.", ge=1, le=26)]
Turned = Annotated[
    str | None,
    QueryParameter(
        description="The upcard, or a faction's letter.", schema_extra={"pattern": CARD}
    ),
]
After = Annotated[
    list[str] | None,
    QueryParameter(
        description="The cards, or faction letters, played in the trick so far, in order; "
        "none: leads.",
        max_items=3,
    ),
]
Examples = Annotated[
    int,
    QueryParameter(
        description="Example games for each move.", ge=0, le=20, schema_extra={"minimum": 0}
    ),
]


class StatsController(Controller):
    """Statistics; each counts the games that the filter lets through."""

    path = "/stats"
    tags = ("statistics",)

    @get("/count", opt=operation(errors=(400,)))
    async def count(
        self, resources: NamedDependency[Resources], which: NamedDependency[Filter]
    ) -> Answer[schemas.Count]:
        """How many games."""
        games = await resources.read(lambda: resources.archive.count(which))
        return Answer(schemas.Count(games=games))

    @get("/results", opt=operation(errors=(400,)))
    async def results(
        self,
        resources: NamedDependency[Resources],
        which: NamedDependency[Filter],
        by: Groups = "seat",
        of: Of = "anybody",
        sort: Order = "games",
        min_games: MinGames = 0,
    ) -> Answer[ResultStats]:
        """Results by seat, leader, deck and so on, with 95 % confidence intervals."""
        return Answer(
            await resources.read(
                lambda: resources.archive.result_stats(
                    by, which, of=of, sort=sort, min_games=min_games
                )
            )
        )

    @get("/times", opt=operation(errors=(400,)))
    async def times(
        self, resources: NamedDependency[Resources], which: NamedDependency[Filter]
    ) -> Answer[TimeStats]:
        """How long games took, from the tags Start and End."""
        return Answer(await resources.read(lambda: resources.archive.time_stats(which)))

    @get("/factions", opt=operation(errors=(400,)))
    async def factions(
        self, resources: NamedDependency[Resources], which: NamedDependency[Filter]
    ) -> Answer[list[FactionStat]]:
        """Factions: how often in the deck, won, by how much, and what winning one is worth."""
        return Answer(await resources.read(lambda: resources.archive.faction_stats(which)))

    @get("/cards", opt=operation(errors=(400,)))
    async def cards(
        self,
        resources: NamedDependency[Resources],
        which: NamedDependency[Filter],
        phase: Phase = None,
        by: By = "anybody",
        sort: CardOrder = "card",
        min_games: Least = 0,
    ) -> Answer[list[CardStat]]:
        """Cards: led, followed, won and discarded, and how the game went."""
        return Answer(
            await resources.read(
                lambda: resources.archive.card_stats(
                    which, phase=phase, by=by, sort=sort, min_games=min_games
                )
            )
        )

    @get("/upcards", opt=operation(errors=(400,)))
    async def upcards(
        self,
        resources: NamedDependency[Resources],
        which: NamedDependency[Filter],
        by: By = "anybody",
        sort: UpcardOrder = "card",
        min_games: Least = 0,
    ) -> Answer[list[UpcardStat]]:
        """Upcards and what they are worth."""
        return Answer(
            await resources.read(
                lambda: resources.archive.upcard_stats(which, by=by, sort=sort, min_games=min_games)
            )
        )

    @get("/leads", opt=operation(errors=(400,)))
    async def leads(
        self,
        resources: NamedDependency[Resources],
        which: NamedDependency[Filter],
        by: By = "anybody",
    ) -> Answer[LeadStats]:
        """What leading trick 1 and winning Phase 1 are worth; how often a lead wins its trick."""
        return Answer(await resources.read(lambda: resources.archive.lead_stats(which, by=by)))

    @get("/lead-lengths", opt=operation(errors=(400,)))
    async def lead_lengths(
        self,
        resources: NamedDependency[Resources],
        which: NamedDependency[Filter],
        phase: Phase = None,
        by: By = "anybody",
    ) -> Answer[LeadLengths]:
        """How many tricks in a row the same seat leads."""
        return Answer(
            await resources.read(lambda: resources.archive.lead_lengths(which, phase=phase, by=by))
        )


class ExplorerController(Controller):
    """What was played, and how it went."""

    path = "/explorer"
    tags = ("statistics",)

    @get(opt=operation(errors=(400,)))
    async def explore(
        self,
        resources: NamedDependency[Resources],
        which: NamedDependency[Filter],
        trick: Trick = None,
        phase: Phase = None,
        turned: Turned = None,
        after: After = None,
        examples: Examples = 3,
        by: By = "anybody",
        sort: MoveOrder = "share",
        min_games: Least = 0,
    ) -> Answer[Explorer]:
        """What was played in a moment of a trick: how often, how it went, example games."""
        context = context_of(which, trick, phase, turned, after)
        return Answer(
            await resources.read(
                lambda: resources.archive.explore(
                    context, which, examples=examples, by=by, sort=sort, min_games=min_games
                )
            )
        )


def context_of(
    which: Filter,
    trick: int | None,
    phase: int | None,
    turned: str | None,
    after: list[str] | None,
) -> Context:
    """The moment that the arguments of the explorer mean."""
    return Context(
        trick=trick,
        phase=phase,
        upcard=turned,
        played=list(after or ()),
        seats=which.seats if isinstance(which.seats, int) else None,
    )
