"""`claimlog link`: a whole game in a code that fits into a link."""

from __future__ import annotations

import re
import sys
from typing import Annotated

import typer

from .archive.opening import Db
from .archive.stored import games_of, name_of, reading, source
from .files import fail
from .language import current_words, said, tr


def link(
    file: Annotated[
        str, typer.Argument(help="A file, - for standard input, or the id of a stored game.")
    ],
    game: Annotated[
        int | None, typer.Option("--game", "-g", min=1, help="Only this game of the file.")
    ] = None,
    url: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="The address of a server: print whole links, with names and event.",
        ),
    ] = "",
    qr: Annotated[
        bool, typer.Option("--qr", help="Also print each code or link as a QR code, below it.")
    ] = False,
    db: Db = None,
) -> None:
    """Print the code of each game, one per line: a whole game in about 50 characters.

    claimlog replay takes a code or a link in place of a file. A code holds the deck, the plays, the
    draws and how the game ended, but no names, comments or clock times; a link adds the names. With
    --url and --qr, a phone's camera opens the game.

    Exit codes: 0 all games have a code, 1 some have none, 2 the file could not be read.
    """
    from claimlog.link import CodeError, encode, link_of

    say = current_words()
    if url and not re.fullmatch(r"(?i)https?://[^\s/?#@]+(/[^\s?#]*)?", url):
        fail(said("server.address", url=url))
    code = number = 0
    with reading(file, say):
        for number, record in games_of(source(file, db, say), game, say):
            try:
                text = link_of(record, url) if url else encode(record)
                print(text)
                if qr:
                    print(_drawn(text))
            except CodeError as error:
                sys.stdout.flush()
                place = tr("{file}: game {number}", file=name_of(file), number=number)
                print(f"{place}: {said(error)}", file=sys.stderr)
                code = 1
        sys.stdout.flush()
        if not number:
            fail(say("no-game", file=name_of(file)))
    raise SystemExit(code)


def _drawn(text: str) -> str:
    """A text as a QR code: light on dark, whatever colours the terminal has."""
    import io

    import segno

    out = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(out, compact=True)
    code = out.getvalue().rstrip("\n")
    if not sys.stdout.isatty():
        return code
    return "\n".join(f"\x1b[97;40m{line}\x1b[0m" for line in code.split("\n"))
