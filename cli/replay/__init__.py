"""`claimlog replay`: step through games on a terminal, or print them."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from ..archive.completing import Games
from ..archive.opening import Db
from ..archive.stored import check_view, games_of, name_of, reading, source, view_of
from ..files import fail
from ..language import current_words, tr

if TYPE_CHECKING:
    from pathlib import Path

    from claimlog.language import Words

    from .guess import Guesses


class Format(StrEnum):
    """The output format."""

    text = "text"
    json = "json"


def replay(
    file: Games,
    game: Annotated[
        int | None, typer.Option("--game", "-g", min=1, help="The number of the game in the file.")
    ] = None,
    trick: Annotated[
        int | None,
        typer.Option("--trick", "-t", min=1, help="Print the position after this trick."),
    ] = None,
    hide: Annotated[
        str | None,
        typer.Option(
            metavar="SEAT|spectator", help="Show only what this seat, or a spectator, could see."
        ),
    ] = None,
    format: Annotated[
        Format | None,
        typer.Option("--format", "-f", help="Print whole games, even on a terminal."),
    ] = None,
    auto: Annotated[
        float | None,
        typer.Option(
            min=0.05, metavar="SECONDS", help="Play automatically, one play every so many seconds."
        ),
    ] = None,
    guess: Annotated[
        bool, typer.Option("--guess", help="Guess each card before it is shown.")
    ] = False,
    seat: Annotated[
        int | None,
        typer.Option("--seat", min=1, max=4, help="With --guess: only the plays of this seat."),
    ] = None,
    no_color: Annotated[
        bool, typer.Option("--no-color", help="No colours (as with NO_COLOR set).")
    ] = False,
    db: Db = None,
) -> None:
    """Replay games play by play, with what every power does.

    On a terminal: step through them with the arrow keys (? lists the keys). Otherwise, or
    with --format or --trick, print them. Exit codes: 0 all games shown are valid, 1 some are
    not, 2 the file could not be read or the call was wrong.
    """
    words = current_words()
    view = view_of(hide, words)
    if seat is not None and not guess:
        fail(words("seat-guess"))
    if format is Format.json and (trick or hide):
        fail(words("json-alone"))
    terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    if no_color:
        os.environ["NO_COLOR"] = "1"
    code = 0
    with reading(file, words):
        file = source(file, db, words)
        if format is None and trick is None and terminal and _keyboard():
            code = _step_through(file, game or 1, view, words, auto, _guesses(guess, seat), db)
        elif format is Format.json:
            code = _print_json(file, game, words)
        elif trick is not None:
            code = _print_trick(file, game or 1, trick, view, words)
        else:
            code = _print_text(file, game, view, words)
        sys.stdout.flush()
    raise SystemExit(code)


def _guesses(guess: bool, seat: int | None) -> Guesses | None:
    """The guessing game, None if it is not requested."""
    if not guess:
        return None
    from .guess import Guesses

    return Guesses(seat)


def _keyboard() -> bool:
    """Whether there is a keyboard to step with: standard input, or the terminal otherwise."""
    if sys.stdin.isatty():
        return True
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY))
    except OSError:
        return False
    return True


def _print_json(file: str, number: int | None, words: Words) -> int:
    import json

    code = 0
    for _, game in games_of(file, number, words):
        line = json.dumps(game.report(), ensure_ascii=False)
        sys.stdout.buffer.write(line.encode() + b"\n")
        code = code if game.legal else 1
    return code


def _print_text(file: str, only: int | None, view: int | None, words: Words) -> int:
    from .show import Printer

    printer = Printer(sys.stdout, words)
    number = code = 0
    for number, game in games_of(file, only, words, words):
        check_view(view, game, number, words)
        printer.game(game, number, view)
        code = code if game.legal else 1
    if not number:
        fail(words("no-game", file=name_of(file)))
    return code


def _print_trick(file: str, only: int, trick: int, view: int | None, words: Words) -> int:
    from .show import Printer

    number, game = next(games_of(file, only, words, words))
    check_view(view, game, number, words)
    if trick > len(game.tricks):
        known = words.count("no-such-trick", len(game.tricks), game=number, wanted=trick)
        if game.legal:
            fail(known)
        Printer(sys.stderr, words).problems(game, known)
        return 1
    Printer(sys.stdout, words).position(game, number, trick, view)
    return 0 if game.legal else 1


def _step_through(
    file: str,
    number: int,
    view: int | None,
    words: Words,
    auto: float | None,
    guesses: Guesses | None,
    db: Path | None,
) -> int:
    """Step through the games on the terminal."""
    from contextlib import closing

    from .guess import Others
    from .shelf import Shelf

    if guesses is not None and guesses.seat is not None and view is None:
        view = guesses.seat

    path = file
    if not sys.stdin.isatty():
        # The games, or other data, come through standard input: read keys from the terminal.
        games = os.dup(0)
        keyboard = os.open("/dev/tty", os.O_RDONLY)
        os.dup2(keyboard, 0)
        os.close(keyboard)
        path = f"/dev/fd/{games}" if file == "-" else file
    with Shelf(path, words, name_of(file) if file == "-" else "") as shelf:
        first = shelf.game(number)
        if first is None:
            if not shelf.total:
                fail(words("no-game", file=name_of(file)))
            fail(words.count("no-such-game", shelf.total, file=name_of(file), wanted=number))
        check_view(view, first, number, words)
        from ..waking import run_screen
        from .screen import stepper

        with closing(Others(db)) as others:
            app = stepper(words)(shelf, number, view, words, auto, guesses, others)
            run_screen(app, tr("The games are as they were last saved."))
        return 2 if app.failed else 1 if shelf.invalid else 0
