"""`claimlog event create`, `plan`: how an event is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..files import fail
from ..language import said, tr
from .events import Event, event
from .opening import By, ByIfChanging, Db, Why, chosen, open_archive
from .options import taking
from .tables import Column, Look, show, tabled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from claimlog.directing.model import Plan

OPTIONS: dict[str, tuple[Any, Any]] = {
    "system": (
        Annotated[
            str | None,
            typer.Option(
                help="The pairing system: swiss, casual, round-robin, knock-out, groups, "
                "rotation or by-hand; by default swiss."
            ),
        ],
        None,
    ),
    "rounds": (
        Annotated[int | None, typer.Option(min=1, max=100, help="The number of rounds.")],
        None,
    ),
    "seats": (
        Annotated[int | None, typer.Option(min=2, max=4, help="The number of players at a table.")],
        None,
    ),
    "deck": (
        Annotated[
            list[str] | None,
            typer.Option(
                help="The letters of the deck, or of the deck of each round in turn; the last is "
                "also that of all later rounds."
            ),
        ],
        None,
    ),
    "draw": (
        Annotated[bool | None, typer.Option("--draw/--no-draw", help="Draw each round's deck.")],
        None,
    ),
    "rules": (Annotated[str | None, typer.Option(help="The rules: LE2023 or Classic.")], None),
    "ruling": (
        Annotated[
            list[str] | None,
            typer.Option(help="A ruling other than the default, as in a record: name=value."),
        ],
        None,
    ),
    "minutes": (
        Annotated[int | None, typer.Option(min=1, max=10_000, help="The minutes for each round.")],
        None,
    ),
    "points": (
        Annotated[
            str | None,
            typer.Option(help="Other points, for example win=3,draw=1,bye=2,half_bye=1."),
        ],
        None,
    ),
    "tiebreaks": (
        Annotated[str | None, typer.Option(help="The tie-breaks in order, separated by commas.")],
        None,
    ),
    "fixed_teams": (
        Annotated[
            bool | None,
            typer.Option(
                "--fixed-teams/--changing-partners",
                help="Keep partners together, or let them change.",
            ),
        ],
        None,
    ),
    "groups": (
        Annotated[int | None, typer.Option(min=2, max=64, help="The number of groups.")],
        None,
    ),
    "advance": (
        Annotated[
            int | None,
            typer.Option(min=1, max=16, help="The number of players of each group who advance."),
        ],
        None,
    ),
    "delay": (
        Annotated[
            int | None,
            typer.Option(min=0, max=26, help="The number of tricks that spectators are behind."),
        ],
        None,
    ),
    "closed": (
        Annotated[
            bool | None,
            typer.Option(
                "--closed/--open", help="Show games to spectators only once they are over."
            ),
        ],
        None,
    ),
    "site": (Annotated[str | None, typer.Option(help="The place where it is played.")], None),
}
"""The settings of a plan as options; those not given stay as they are."""


def given(**options: Any) -> dict[str, Any]:
    """The settings given, by the fields of a plan; an invalid one ends the command."""
    from claimlog.directing.planning import Unplannable, points, rulings

    settings = {name: value for name, value in options.items() if value is not None and value != []}
    try:
        if "points" in settings:
            settings["points"] = points(settings["points"])
    except Unplannable as error:
        fail(said(error))
    if "tiebreaks" in settings:
        settings["tiebreaks"] = [
            word for word in map(str.strip, settings["tiebreaks"].split(",")) if word
        ]
    if "deck" in settings:
        settings["decks"] = [deck for deck in settings.pop("deck") if deck]
    if "ruling" in settings:
        settings["rulings"] = rulings(settings.pop("ruling"))
    if "closed" in settings:
        settings["spectators"] = not settings.pop("closed")
    return settings


def _changed(plan: Plan, settings: dict[str, Any]) -> Plan:
    """A plan with other settings; if it is impossible, end the command."""
    from claimlog.directing.planning import Unplannable, changed

    try:
        return changed(plan, settings)
    except Unplannable as error:
        fail(said(error))


@event.command()
@taking("settings", OPTIONS, given)
def create(
    name: Annotated[str, typer.Argument(help="The name of the event.")],
    by: By,
    settings: dict[str, Any],
    why: Why = "",
    db: Db = None,
) -> None:
    """Start directing an event: set how it is played, and open its desk."""
    from claimlog.directing.model import Plan

    with open_archive(db, writing=True, create=True) as archive:
        made = archive.create_event(name, _changed(Plan(), settings), by=by, why=why)
    print(tr("{name}: add entrants with claimlog event enter", name=made.name))


@event.command("plan")
@tabled()
@taking("settings", OPTIONS, given)
def plan_event(
    event: Event,
    look: Look,
    settings: dict[str, Any],
    by: ByIfChanging = "",
    why: Why = "",
    db: Db = None,
) -> None:
    """Change how an event is played from the next round on; without an option, show it."""
    from claimlog.directing import acts

    if settings:
        chosen.name()
    with open_archive(db, writing=bool(settings)) as archive:
        board = archive.desk(event)
        if settings:
            act = acts.Planned(plan=_changed(board.plan, settings))
            board = archive.direct(event, act, by=by, why=why)
    show(list(lines(board.plan)), COLUMNS, look, title=board.name, answer=board.plan)


COLUMNS: list[Column] = [
    Column("setting", lambda row: row[0], shown=lambda row: tr(row[0]), least=12),
    Column("value", lambda row: row[1], shown=lambda row: tr(row[1]) if row[2] else row[1]),
]


def lines(plan: Plan) -> Iterator[tuple[str, str, bool]]:
    """The settings of a plan: name and value, and whether the value is to be translated."""
    import msgspec

    from claimlog.directing.counting import DEFAULT

    words = {True: "yes", False: "no"}
    yield "system", plan.system, False
    yield "rounds", "–" if plan.rounds is None else str(plan.rounds), False
    yield "players at a table", str(plan.seats), False
    yield "deck", ", ".join(plan.decks) or "–", False
    yield "drawn", words[plan.draw], True
    yield "rules", " ".join((plan.rules, *map("=".join, plan.rulings.items()))), False
    yield "minutes", "–" if plan.minutes is None else str(plan.minutes), False
    byes: dict[str, Any] = {
        "bye": plan.points.of_bye("full"),
        "half_bye": plan.points.of_bye("half"),
    }
    points = {
        name: value
        for name, value in (msgspec.structs.asdict(plan.points) | byes).items()
        if value is not None
    }
    yield "points", ", ".join(f"{name}={value:g}" for name, value in points.items()), False
    yield "tie-breaks", ", ".join(plan.tiebreaks or DEFAULT), False
    if plan.seats == 4:
        yield "partners stay together", words[plan.fixed_teams], True
    if plan.system == "groups":
        yield "groups", f"{plan.groups}, {plan.advance}", False
    yield "spectators", words[plan.spectators], True
    yield "delay in tricks", str(plan.delay), False
    yield "site", plan.site or "–", False
