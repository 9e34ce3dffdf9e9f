"""`claimlog stats`: how games went, with counts and confidence intervals.

Each statistic that has a page is also a command (`claimlog.store.questions.asked`): its options are
the question's arguments, its columns those of the rows, unless given here.
"""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import typer

from claimlog.store.questions import columns
from claimlog.store.questions.asked import QUESTIONS, Asked

from ..language import amount, current_words, tr
from .filters import filtered
from .opening import Db, open_archive
from .options import option, taking
from .tables import Column, Look, show, tabled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from claimlog.store import Filter, Rate
    from claimlog.store.questions.leads import LeadStats
    from claimlog.store.questions.question import Question

stats = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Statistics on the games of the archive; rates are shown with their 95 % intervals.",
)


def decimals(value: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """How to show values that are measured: with two decimals each, so that they compare."""

    def shown(row: Any) -> Any:
        number = value(row)
        return amount(number, 2) if isinstance(number, float) else number

    return shown


def mean(heading: str, value: Callable[[Any], float | None]) -> Column:
    """A column of measured values."""
    return Column(heading, value, shown=decimals(value))


NAME = 16
"""The width to which a column with names may shrink."""
SPARE = {"id": 1, "open": 2, "low": 3, "high": 3}
"""Fields that are left out where a terminal is too narrow, the lowest first."""
RESULTS: list[Column] = [
    Column("group", lambda row: row.label, least=20),
    Column("games", lambda row: row.games),
    Column("share", lambda row: row.share, rate=True),
    Column("points", lambda row: row.result, rate=True, plotted=True),
    Column("shared wins", lambda row: row.shared, spare=1),
]
FACTIONS: list[Column] = [
    Column(
        "faction",
        lambda row: f"{row.faction} {row.name}",
        faction=lambda row: row.faction,
        shown=lambda row: f"{row.faction} {current_words().faction(row.faction)}",
    ),
    Column("games", lambda row: row.decided.count),
    Column("in the deck", lambda row: row.in_deck, rate=True, spare=1),
    Column("decided", lambda row: row.decided, rate=True, spare=2),
    mean("lead in cards", lambda row: row.margin),
    Column("points of its winner", lambda row: row.worth, rate=True, plotted=True),
]
CARDS: list[Column] = [
    Column("card", lambda row: row.card, faction=lambda row: row.faction),
    Column("plays", lambda row: row.plays),
    Column("led", lambda row: row.won_led.count),
    Column("won when led", lambda row: row.won_led, rate=True, plotted=True),
    Column("followed", lambda row: row.won_followed.count),
    Column("won when followed", lambda row: row.won_followed, rate=True),
    Column("discarded", lambda row: row.discarded.count, spare=1),
]
UPCARDS: list[Column] = [
    Column("upcard", lambda row: row.card, faction=lambda row: row.faction),
    Column("shown", lambda row: row.shown),
    Column("points of its taker", lambda row: row.taker, rate=True, plotted=True),
    mean("worth", lambda row: row.worth),
]
LEADS: list[Column] = [
    Column("who", lambda row: row[0], shown=lambda row: tr(row[0])),
    Column("times", lambda row: row[1].count),
    Column("points", lambda row: row[1], rate=True, plotted=True),
]
RATINGS: list[Column] = [
    Column("player", lambda row: row.player, least=NAME),
    Column("games", lambda row: row.games),
    mean("rating", lambda row: row.rating),
    mean("uncertainty", lambda row: row.uncertainty),
    mean("lower bound", lambda row: row.low),
    Column("id", lambda row: row.id, spare=1),
]
LED_AND_WON = {"1": "won the trick led in Phase 1", "2": "won the trick led in Phase 2"}
EXPLORED: list[Column] = [
    Column("play", lambda row: row.card, faction=lambda row: row.faction),
    Column("times", lambda row: row.won_trick.count),
    Column("share", lambda row: row.share, rate=True, spare=1),
    Column("won the trick", lambda row: row.won_trick, rate=True),
    Column("points", lambda row: row.result, rate=True, plotted=True),
    Column("for example", lambda row: " ".join(row.examples), spare=2),
]


def _time(seconds: float) -> str:
    """A number of seconds, such as ``1:02:05``."""
    whole = round(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


COLUMNS = {
    "results": RESULTS,
    "factions": FACTIONS,
    "cards": CARDS,
    "upcards": UPCARDS,
    "leads": LEADS,
    "ratings": RATINGS,
    "explorer": EXPLORED,
}
"""The columns of statistics for which the fields of the rows are not enough."""
NAMES = {"lead-lengths": "lengths", "explorer": "explore"}
"""The names of commands that differ from the last part of their question's path."""
OURS = ("sort", "min_games")
"""Arguments replaced by the options of a table; `min_games` only if it has a rate."""
NOT_YET = "no such game has been analysed yet: claimlog analyse --all does that"
NOTHING = {
    **dict.fromkeys(("given-away", "best-play", "followers"), NOT_YET),
    "luck": "no such game has been analysed completely yet: claimlog analyse --all does that, "
    "--all --inexact again with a larger --effort",
    "times": "no such game has the tags Start and End",
}
"""What to say in place of "nothing found"."""
OPTIONS = {"turned": "--with-upcard"}
"""The names of options that differ from their argument's."""
DEFAULTS = {"examples": 1}
"""Default values of options that differ from those of the question."""


def own_columns(row: type) -> list[Column]:
    """The columns derived from the fields of a row; a plot shows the last rate.

    On a narrow terminal long names are wrapped, and some columns left out.
    """
    values = columns.columns(row)
    last = next((one.name for one in reversed(values) if one.kind == "rate"), "")

    def timed(name: str) -> Callable[[Any], str]:
        return lambda row: _time(getattr(row, name))

    return [
        Column(
            one.title,
            attrgetter(one.name),
            rate=one.kind == "rate",
            plotted=one.name == last,
            spare=SPARE.get(one.name, 0),
            least=NAME if one.kind == "text" and one.name not in SPARE else 0,
            shown=timed(one.name) if one.kind == "seconds" else decimals(attrgetter(one.name)),
        )
        for one in values
    ]


def options_of(
    question: Question[..., Any], shown: Sequence[Column] = ()
) -> dict[str, tuple[Any, Any]]:
    """The options of a question's arguments that the table `shown` does not have itself."""
    ours = OURS if any(column.rate for column in shown) else OURS[:1]
    return {
        name: (option(one, OPTIONS.get(name, "")), DEFAULTS.get(name, one.default))
        for name, one in question.arguments.items()
        if name not in ours
    }


def command(question: Question[..., Any]) -> Callable[..., Any]:
    """The command that asks a question."""
    listed, row = columns.listed(question.answers)
    shown = COLUMNS.get(question.name) or own_columns(row)

    @filtered
    @tabled(shown)
    @taking("given", options_of(question, shown), dict, first=True)
    def ask(filter: Filter, look: Look, given: dict[str, Any], db: Db = None) -> None:
        with open_archive(db) as archive:
            answer = getattr(archive, question.__name__)(
                filter=filter, **question.put_together(given)
            )
        headed = shown
        if question is Asked.result_stats:
            by = given["by"]
            look = replace(look, sort=look.sort.replace("group", by))
            headed = [replace(shown[0], heading=by), *shown[1:]]
        if question is Asked.lead_stats:
            show(_leads(answer), headed, look, answer=answer)
        else:
            rows = getattr(answer, listed) if listed else answer
            nothing = "" if given.get("min_games") else NOTHING.get(question.name, "")
            whole = answer if listed else None
            show(rows, headed, look, answer=whole, listed=listed, nothing=nothing)

    ask.__doc__ = question.summary
    return ask


def _leads(answer: LeadStats) -> list[tuple[str, Rate]]:
    """The rates in the statistic of leads, each with its name."""
    return [
        ("led trick 1", answer.first_lead),
        ("won Phase 1's last trick", answer.phase1_last),
        ("won most tricks of Phase 1", answer.phase1_most),
        ("led Phase 2", answer.phase2_first),
        ("won the trick led", answer.trick_won),
        *((LED_AND_WON[phase.key], phase.result) for phase in answer.trick_won_by_phase),
    ]


for one in QUESTIONS:
    if one.title or one is Asked.explore:
        stats.command(NAMES.get(one.name, one.name))(command(one))
