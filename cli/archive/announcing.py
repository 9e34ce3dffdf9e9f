"""`claimlog event clock`, `announce`, `spell`: what the screens of an event show."""

from __future__ import annotations

from typing import Annotated

import typer

from ..files import fail
from ..language import tr
from .directing import AnEntrant, OfPlayed, meant, the_played
from .events import Event, event
from .opening import By, Db, Why, open_archive


@event.command()
def clock(
    event: Event,
    by: By,
    start: Annotated[bool, typer.Option("--start", help="Start the clock.")] = False,
    stop: Annotated[bool, typer.Option("--stop", help="Stop the clock.")] = False,
    minutes: Annotated[
        int,
        typer.Option(
            "--add", min=-10_000, max=10_000, help="Add minutes, or with a minus take some away."
        ),
    ] = 0,
    round: OfPlayed = None,
    db: Db = None,
) -> None:
    """Control the clock of the round on all screens; without an option, only show it."""
    from claimlog.directing import acts

    if start and stop:
        fail(tr("--start and --stop cannot be combined"))
    with open_archive(db, writing=start or stop or bool(minutes)) as archive:
        if start or stop or minutes:
            number = the_played(archive.desk(event), round).number
            running = start if start or stop else None
            act = acts.Clocked(round=number, running=running, minutes=minutes)
            archive.direct(event, act, by=by)
        notice = archive.notice(event)
    if notice.left is None:
        print(tr("there is no clock"))
    else:
        time = shown_time(notice.left)
        print(time if notice.running else tr("{time}, stopped", time=time))


def shown_time(seconds: int) -> str:
    """The seconds of a clock as hours, minutes and seconds; negative after its end."""
    hours, rest = divmod(abs(seconds), 3600)
    text = f"{rest // 60:02}:{rest % 60:02}"
    return f"{'-' if seconds < 0 else ''}{f'{hours}:' if hours else ''}{text}"


@event.command()
def spell(
    event: Event,
    entrant: AnEntrant,
    name: Annotated[str, typer.Argument(help="The name in the records.")],
    by: By,
    why: Why = "",
    db: Db = None,
) -> None:
    """Count games recorded under another name as the entrant's."""
    from claimlog.directing import acts

    with open_archive(db, writing=True) as archive:
        board = archive.desk(event)
        act = acts.Spelled(entrant=meant(board, entrant), name=name)
        archive.direct(event, act, by=by, why=why)
        print(tr("{name} is {entrant}", name=name, entrant=board.entrant(act.entrant).name))


@event.command()
def announce(
    event: Event,
    by: By,
    text: Annotated[
        str, typer.Argument(help="The message; without it the current one is removed.")
    ] = "",
    db: Db = None,
) -> None:
    """Show a message on all screens of the event until the next round."""
    from claimlog.directing import acts

    with open_archive(db, writing=True) as archive:
        archive.direct(event, acts.Announced(text=text), by=by)
    print(text or tr("no message is shown"))
