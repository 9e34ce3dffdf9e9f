"""`claimlog picture`: a moment of a game, or its whole course, as a picture."""

from __future__ import annotations

import re
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final

import typer

from .archive.completing import Games
from .archive.opening import Db
from .archive.stored import check_view, games_of, name_of, reading, source, view_of
from .drawing import Form, form_of, needing_more
from .files import fail, write
from .language import current_words, tr

if TYPE_CHECKING:
    from claimlog.game import Game
    from claimlog.language import Words

LARGEST: Final = 10_000
"""The most pixels of a picture in one direction."""


class Theme(StrEnum):
    """The colour theme of a picture."""

    auto = "auto"
    light = "light"
    dark = "dark"


def picture(
    file: Games,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", help="The file to write, .svg or .png; - is standard output."
        ),
    ],
    game: Annotated[
        int, typer.Option("--game", "-g", min=1, help="The number of the game in the file.")
    ] = 1,
    trick: Annotated[
        int | None,
        typer.Option("--trick", "-t", min=1, help="The trick; by default the last one."),
    ] = None,
    play: Annotated[
        int | None,
        typer.Option(
            "--play",
            min=0,
            help="After this many plays of the trick; by default after all, with --worth before "
            "the first.",
        ),
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(
            metavar="SEAT|spectator", help="Show only what this seat, or a spectator, could see."
        ),
    ] = None,
    worth: Annotated[
        bool,
        typer.Option("--worth", help="Write on the cards of Phase 2 what each would be worth."),
    ] = False,
    course: Annotated[
        bool, typer.Option("--course", help="Plot the factions trick by trick.")
    ] = False,
    size: Annotated[
        str | None, typer.Option(metavar="WIDTHxHEIGHT", help="The size in pixels.")
    ] = None,
    theme: Annotated[
        Theme, typer.Option(help="The colours; auto follows the theme of the viewer (SVG).")
    ] = Theme.auto,
    form: Annotated[
        Form | None,
        typer.Option("--format", "-f", help="The format, whatever the suffix of the file."),
    ] = None,
    db: Db = None,
) -> None:
    """Draw a moment of a game: the cards, the hands, the standing of the factions.

    PNG and --course need the extra "pictures" (docs/library.md); SVG needs nothing. Exit codes:
    0 the game is valid, 1 it is not, 2 the file could not be read or the call was wrong.
    """
    say = current_words()
    view = view_of(seat, say, "--seat")
    chosen_form = form_of(output, form)
    pixels = _pixels(size)
    if course and (trick or play is not None or theme is not Theme.auto or worth):
        fail(
            tr(
                "--course shows the whole game and cannot be combined with --trick, --play, "
                "--theme or --worth"
            )
        )
    with reading(file, say):
        number, replayed = next(games_of(source(file, db, say), game, say, say))
        check_view(view, replayed, number, say)
        with needing_more():
            if course:
                drawn = _course(replayed, view, chosen_form, pixels, say)
            else:
                drawn = _moment(
                    replayed,
                    number,
                    trick,
                    play,
                    view,
                    chosen_form,
                    pixels,
                    theme,
                    say,
                    worth=worth,
                )
        write(output, [drawn])
        for error in replayed.errors[:1]:
            print(f"{name_of(file)}: {say('game', number=number)}: {error}", file=sys.stderr)
    raise SystemExit(0 if replayed.legal else 1)


def _pixels(size: str | None) -> tuple[int, int] | None:
    if size is None:
        return None
    match = re.fullmatch(r"(\d{1,6})[x×](\d{1,6})", size)
    width, height = map(int, match.groups()) if match else (0, 0)
    if not (10 <= width <= LARGEST and 10 <= height <= LARGEST):
        fail(
            tr(
                "{value} is not a size: write WIDTHxHEIGHT in pixels, as in 1200x800, each "
                "from 10 to {most}",
                value=size,
                most=LARGEST,
            )
        )
    return width, height


def _course(
    game: Game, view: int | None, form: Form, size: tuple[int, int] | None, say: Words
) -> bytes:
    from claimlog.draw.plots import course
    from claimlog.replay.viewpoint import Viewpoint

    if not game.tricks:
        fail(say("no-tricks"))
    return course(Viewpoint(game, view, say), say, form=form.value, size=size)


def _moment(
    game: Game,
    number: int,
    trick: int | None,
    play: int | None,
    view: int | None,
    form: Form,
    size: tuple[int, int] | None,
    theme: Theme,
    say: Words,
    *,
    worth: bool,
) -> bytes:
    from claimlog.draw.picture import position_svg
    from claimlog.replay.viewpoint import Viewpoint

    last = len(game.tricks)
    if not last:
        fail(say("no-tricks"))
    trick = trick or last
    if trick > last:
        fail(say.count("no-such-trick", last, game=number, wanted=trick))
    viewpoint = Viewpoint(game, view, say)
    plays = viewpoint.plays(trick)
    if worth and play is None:
        play = 0
    if play is not None and play > plays:
        fail(say.count("no-such-play", plays, trick=trick, game=number, wanted=play))
    if form is Form.png and theme is Theme.auto:
        theme = Theme.light
    labels = None
    if worth:
        labels = _values(game, trick, play or 0, view)
        if not labels:
            print(
                tr("no card has a value here: there is no choice, or the values are not known"),
                file=sys.stderr,
            )
    position = viewpoint.at(trick, play)
    svg = position_svg(viewpoint, position, say, theme=theme.value, size=size, labels=labels)
    if form is Form.svg:
        return svg.encode()
    from claimlog.draw.png import png

    return png(svg)


def _values(game: Game, trick: int, played: int, view: int | None) -> dict[str, str]:
    """The values of the legal cards, if the view may know them: factions of each side."""
    from claimlog.analysis.course import Course
    from claimlog.analysis.decisions import analyse

    analysis = analyse(game, trick=trick, lines=False)
    decision = Course(game, analysis.from_trick, analysis.decisions).decisions.get(
        (trick, played + 1)
    )
    if decision is None or not (view is None or (view == decision.seat and decision.known)):
        return {}
    return {
        card: "{}-{}".format(*value.at_least.factions) if value.exact else "?"
        for card, value in decision.cards
    }
