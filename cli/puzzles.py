"""`claimlog puzzles`: positions in which only one card keeps the win."""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, date, datetime
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Final

import typer

from .archive.completing import games_or_files
from .archive.opening import Db, open_archive
from .archive.stored import games_of, name_of, reading, source
from .files import fail, flow, refused, write
from .language import current_words, language, said, tr, tr_count

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from claimlog.analysis.puzzles import Puzzle
    from claimlog.game import Game
    from claimlog.language import Words
    from claimlog.store import Archive

    from .replay.show import Printer


class Format(StrEnum):
    """The output format."""

    text = "text"
    json = "json"


STORED: Final = 1000
"""The most games to search for a puzzle of the day."""
AT_ONCE: Final = 50
"""The number of games to search at a time, as a server does."""
KEPT: Final = 100
"""The number of stored puzzles from which the day's other puzzles are chosen."""
SIMULATED: Final = 1000
"""The most games to simulate until enough puzzles are found."""
HINT: Final = "?"
GIVE_UP: Final = "="


def puzzles(
    file: Annotated[
        str,
        typer.Argument(
            help="Puzzles from a file of games, a stored game's id, a game's code or link, or - "
            "for standard input; by default from the archive.",
            autocompletion=games_or_files,
        ),
    ] = "",
    day: Annotated[
        str,
        typer.Option("--date", metavar="YYYY-MM-DD", help="The puzzles of this day, not today's."),
    ] = "",
    number: Annotated[int, typer.Option("--number", "-n", min=1, help="How many puzzles.")] = 1,
    level: Annotated[
        int | None,
        typer.Option(
            min=1, max=4, help="Only of this level, from 1 (a few lines to calculate) to 4."
        ),
    ] = None,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="From simulated games, not from the archive.")
    ] = False,
    format: Annotated[
        Format, typer.Option("--format", "-f", help="json: one line per puzzle, with the solution.")
    ] = Format.text,
    html: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="Write a page for any browser that needs no server; - prints it."
        ),
    ] = "",
    db: Db = None,
) -> None:
    """Find the only card that keeps the win, three to eight tricks before the end.

    Whoever is to play knows all cards of both hands. Answer with a card; ? gives a hint, = the
    solution. The puzzles of a day are the same whenever you ask for them.

    Exit codes: 0 done, 1 there is no such puzzle, 2 a file could not be read or the call was wrong.
    """
    say = current_words()
    if html and format is not Format.text:
        fail(tr("--html cannot be combined with --format"))
    if file and simulate:
        fail(tr("a file cannot be combined with --simulate"))
    of_day = _day(day)
    with reading(file or "-", say):
        if file or simulate:
            games = _games(source(file, db, say), say) if file else _simulated(of_day)
            chosen = list(islice(_puzzles(games, level, one_a_game=not file), number))
        else:
            chosen = _stored(db, of_day, level, number)
        if not chosen:
            refused(tr("there is no such puzzle"))
        if html:
            from claimlog.web.puzzles import page_html

            write(html, [page_html(chosen, language())])
        elif format is Format.json:
            for puzzle in chosen:
                print(json.dumps(puzzle.report() | {"code": _code(puzzle.game)}))
        else:
            _ask(chosen, say)


def _games(file: str, say: Words) -> Iterator[Game]:
    number = 0
    for number, game in games_of(file, None, say, say):  # noqa: B007
        yield game
    if not number:
        fail(say("no-game", file=name_of(file)))


def _day(text: str) -> date:
    """The day asked for; a later one than today's is refused, as a server refuses it."""
    today = datetime.now(UTC).date()
    if not text:
        return today
    try:
        day = date.fromisoformat(text)
    except ValueError:
        fail(tr("{text} is not a date: write YYYY-MM-DD", text=text))
    if day > today:
        from claimlog.language.messages import Message

        refused(Message("puzzle.to-come", day=day.isoformat()).worded(language()))
    return day


def _simulated(day: date) -> Iterator[Game]:
    from claimlog.simulate import simulate_games

    return simulate_games(SIMULATED, seed=day.toordinal())


def _stored(db: Path | None, day: date, level: int | None, number: int) -> list[Puzzle]:
    """The archive's puzzle of the day, the same as its server's, and others."""
    from claimlog.analysis.answering import answer, puzzling_of, read_puzzles
    from claimlog.analysis.puzzles import by_day
    from claimlog.replay.recorder import replay_text
    from claimlog.store import Archive

    with open_archive(db) as archive:
        puzzles = _of_the_day(archive, day, level, number)
        if len(puzzles) >= number or not isinstance(archive, Archive):
            return puzzles
        # A file's log, which is written first, lies beside it.
        places = (archive.path, archive.path.resolve().parent)
        if archive.postgres is not None or not all(os.access(one, os.W_OK) for one in places):
            # Only `claimlog analyse --all` stores puzzles.
            records = {one.hex(): text for one, text in archive.without_puzzles(STORED)}
            order = by_day(records, day.isoformat())
            games = (game for one in order for game in replay_text(records[one].decode()))
            return puzzles + list(
                islice(_puzzles(games, level, one_a_game=True), number - len(puzzles))
            )
    with open_archive(db, writing=True) as archive:
        for _ in range(STORED // AT_ONCE):
            records_left = archive.without_puzzles(AT_ONCE)
            if not records_left:
                break
            archive.keep_puzzles(read_puzzles(answer(puzzling_of(records_left))))
            puzzles = _of_the_day(archive, day, level, number)
            if len(puzzles) >= number:
                break
    return puzzles


def _of_the_day(archive: Archive, day: date, level: int | None, number: int) -> list[Puzzle]:
    """The puzzle of the day, and other stored ones, in the order of the day."""
    from claimlog.analysis.puzzles import by_day
    from claimlog.store import Archive, NotFound

    try:
        first = archive.daily_puzzle(date=day.isoformat(), level=level)
    except NotFound as error:
        if not isinstance(archive, Archive):  # only the server can search its games
            refused(said(error))
        return []
    puzzles = [first]
    if number > 1:
        kept = archive.puzzles(level=level, limit=KEPT).puzzles
        others = by_day((one.id for one in kept if one.id != first.id), day.isoformat())
        puzzles += [archive.puzzle(id) for id in others[: number - 1]]
    return [one.of(archive.game(one.game).game()) for one in puzzles]


def _puzzles(games: Iterator[Game], level: int | None, *, one_a_game: bool) -> Iterator[Puzzle]:
    from claimlog.analysis.puzzles import puzzles_of
    from claimlog.solve.search import Search

    search = Search()
    for game in games:
        puzzles = (one for one in puzzles_of(game, search) if level in (None, one.level))
        yield from islice(puzzles, 1) if one_a_game else puzzles


def _code(game: Game) -> str | None:
    """The code of the game, which `claimlog puzzles` also accepts."""
    from claimlog.link import CodeError, encode

    try:
        return encode(game)
    except CodeError:
        return None


def _ask(puzzles: list[Puzzle], say: Words) -> None:
    """Show one puzzle after another, and ask for the card of each."""
    from .replay.show import Printer

    printer = Printer(sys.stdout, say)
    solved = 0
    for place, puzzle in enumerate(puzzles):
        if place:
            print()
        _show(puzzle, place + 1, printer, say)
        solved += _asked(puzzle)
    if len(puzzles) > 1:
        print()
        print(tr_count("{number} solved at once", "{number} solved at once", solved))


def _show(puzzle: Puzzle, number: int, printer: Printer, say: Words) -> None:
    from claimlog.replay.viewpoint import Viewpoint

    from .replay.page import Pages

    viewpoint = Viewpoint(puzzle.game, None, say)
    pages = Pages(viewpoint, say)
    position = viewpoint.at(puzzle.trick, puzzle.played)
    printer.lines(pages.top(position, tr("Puzzle {number}", number=number), printer.width))
    printer.lines(pages.position(position, printer.width))
    name = viewpoint.name(puzzle.seat)
    print()
    flow(
        tr(
            "{name} is to play. Which card wins? (level {level}; ? for a hint, = for the solution)",
            name=name,
            level=puzzle.level,
        )
    )


def _asked(puzzle: Puzzle) -> bool:
    """Ask until the card is found; return whether it was at once, without a hint."""
    hints = 0
    clean = True
    while True:
        print("> ", end="", flush=True)
        line = sys.stdin.readline()
        text = line.strip().upper()
        if not line or text == GIVE_UP:
            if not line:
                print()
            _tell(puzzle, puzzle.solution)
            return False
        if text == HINT:
            clean = False
            letter, wrong = puzzle.hints
            if hints == 0:
                flow(tr("It is one of the {faction}.", faction=current_words().faction(letter)))
            else:
                flow(tr("These do not win: {cards}.", cards=", ".join(wrong)))
            hints += 1
        elif puzzle.tried(text) is None:
            cards = ", ".join(one.card.card for one in puzzle.tries)
            flow(tr("That card may not be played; possible are {cards}.", cards=cards))
        elif text == puzzle.solution:
            _tell(puzzle, text)
            return clean
        else:
            clean = False
            _tell(puzzle, text)


def _tell(puzzle: Puzzle, card: str) -> None:
    """Print the result of a card, and the continuation."""
    one = puzzle.tried(card)
    assert one is not None
    value = one.card.value.at_least
    mine, others = value.factions
    line = " ".join(name for _, name in one.line)
    answer = f"{card}, {value.result} ({mine}-{others}): {line}"
    flow(f"✓ {answer}" if card == puzzle.solution else f"✗ {answer}", 2)
