"""Questions about events; `claimlog.store.questions.events` finds the answers."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from claimlog.directing.places import Ranking, ranking
from claimlog.directing.standings import PlaceReason
from claimlog.notation.names import LONGEST
from claimlog.store.model import types as t
from claimlog.store.model.filter import EventSort, Filter
from claimlog.store.questions.arguments import Cursor, Limit, Search, Total, Undone
from claimlog.store.questions.question import EVERYTHING, question

if TYPE_CHECKING:
    from claimlog.store.questions.events import Events
    from claimlog.store.questions.games import Games

TieBreaks = (
    Annotated[
        list[t.TieBreak],
        Meta(
            max_length=7,
            description="The tie-breaks, in order; by default the event's.",
            extra_json_schema={"uniqueItems": True},
        ),
    ]
    | None
)
UntilRound = (
    Annotated[str, Meta(max_length=LONGEST, description="The last round to include.")] | None
)
Until = Annotated[str, Meta(description="The last date of play to include.")] | None
KnownAt = (
    Annotated[
        datetime,
        Meta(description="The time as of which to query the archive; in UTC if it has no offset."),
    ]
    | None
)


def _of(games: Games) -> Events:
    # Imported here, as a client of a server does not need the modules that read the tables.
    from claimlog.store.questions.events import Events

    return Events(games)


@question("/events", operation="list_events")
def events(
    games: Games,
    filter: Filter = EVERYTHING,
    *,
    search: Search = "",
    sort: Annotated[EventSort, Meta(description="The sort order.")] = "last",
    limit: Limit = 50,
    cursor: Cursor = None,
    total: Total = False,
) -> t.EventPage:
    """Events of the games that match the filter."""
    return _of(games).page(filter, search, sort, limit, cursor, total)


@question("/events/{event}", operation="event")
def event(games: Games, event: str) -> t.EventRow:
    """An event, by id or name.

    Raises NotFound, as all questions about an event do.
    """
    return _of(games).event(event)


@question("/events/{event}/rounds")
def rounds(games: Games, event: str) -> list[t.RoundRow]:
    """The rounds of an event with their tables."""
    return _of(games).rounds(event)


@question("/events/{event}/standings")
def standings(
    games: Games,
    event: str,
    filter: Filter = EVERYTHING,
    *,
    tiebreaks: TieBreaks = None,
    until_round: UntilRound = None,
    until: Until = None,
    known_at: KnownAt = None,
) -> t.Standings:
    """The standings: now, after a round, by a date, or as known at an earlier time."""
    return _of(games).standings(event, filter, tiebreaks, until_round, until, known_at)


@question("/events/{event}/teams")
def team_standings(
    games: Games,
    event: str,
    filter: Filter = EVERYTHING,
    *,
    tiebreaks: TieBreaks = None,
    until_round: UntilRound = None,
    until: Until = None,
    known_at: KnownAt = None,
) -> t.TeamStandings:
    """The standings of teams: partners in games with four players."""
    return _of(games).teams(event, filter, tiebreaks, until_round, until, known_at)


@question("/events/{event}/ranks")
def ranks(
    games: Games, event: str, filter: Filter = EVERYTHING, *, tiebreaks: TieBreaks = None
) -> t.Ranks:
    """Rank and points of every player after each round.

    Games without a round are left out.
    """
    return _of(games).ranks(event, filter, tiebreaks)


@question("/events/{event}/crosstable")
def crosstable(
    games: Games,
    event: str,
    filter: Filter = EVERYTHING,
    *,
    tiebreaks: TieBreaks = None,
    until_round: UntilRound = None,
    until: Until = None,
    known_at: KnownAt = None,
) -> t.Crosstable:
    """The crosstable of an event, with the same arguments as the standings."""
    return _of(games).crosstable(event, filter, tiebreaks, until_round, until, known_at)


@question("/events/{event}/teams/crosstable", operation="team_crosstable")
def team_crosstable(
    games: Games,
    event: str,
    filter: Filter = EVERYTHING,
    *,
    tiebreaks: TieBreaks = None,
    until_round: UntilRound = None,
    until: Until = None,
    known_at: KnownAt = None,
) -> t.TeamCrosstable:
    """The crosstable of teams: partners in games with four players."""
    return _of(games).team_crosstable(event, filter, tiebreaks, until_round, until, known_at)


AfterRound = Annotated[int, Meta(ge=1, le=10_000, description="The last round to include.")] | None


@question("/events/{event}/places")
def places(games: Games, event: str, *, round: AfterRound = None) -> Ranking:
    """All places in an event directed here: of players, within categories, and of teams.

    Those who are level in all tie-breaks share a place.  Raises NotFound if the event is not
    directed here.
    """
    return ranking(_of(games).desks.board_after(event, round), round)


@question("/events/{event}/places/{entrant}", operation="place_reasons")
def place_reasons(
    games: Games, event: str, entrant: str, *, round: AfterRound = None
) -> list[PlaceReason]:
    """Why an entrant, by number or name, has their place: what decided in each case.

    It compares with all who are not behind the entrant, and the first who is.
    """
    return _of(games).desks.reasons(event, entrant, round)


@question("/events/{event}/names", operation="event_names")
def event_names(games: Games, event: str) -> list[t.EventName]:
    """The names that an event was given: by whom, when and why.

    The oldest comes first.
    """
    return _of(games).names(event)


@question("/event-merges")
def event_merges(games: Games, *, undone: Undone = False) -> list[t.EventMerge]:
    """All merges of events in force; with `undone`, also those that were undone."""
    return _of(games).merges(undone)
