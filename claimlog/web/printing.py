"""What a director posts or hands out, as pages for a printer: A4, black on white.

Each kind is one self-contained page; the browser prints it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from claimlog.notation.names import by_name
from claimlog.results import share_of
from claimlog.rules.setup import sides_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from claimlog.directing.board import Board
    from claimlog.directing.counting import Played
    from claimlog.directing.standings import Standings

__all__ = ["KINDS", "Printed", "printed"]

Printed = Literal[
    "pairings", "standings", "crosstable", "sheets", "cards", "prizes", "certificates"
]
KINDS: Final[tuple[Printed, ...]] = get_args(Printed)
"""Pairings, standings, crosstable, score sheets, table cards, prizes, certificates."""

OF_STANDINGS: Final[tuple[Printed, ...]] = ("standings", "crosstable", "certificates")
"""The kinds that show the standings."""

OF_A_ROUND: Final[tuple[Printed, ...]] = ("pairings", "sheets", "cards")
"""The kinds that belong to a round."""

LONG: Final = 40
"""With more entrants, the pairings are listed by name, too."""

PRIZES: Final = 3
"""How many ranks get a certificate."""


def printed(
    kind: Printed,
    language: str,
    *,
    name: str,
    board: Any = None,
    round: Any = None,
    after: Any = None,
    standings: Any = None,
    crosstable: Any = None,
    ranking: Any = None,
    names: Mapping[int, str] | None = None,
    links: Mapping[int, str] | None = None,
    most: int = PRIZES,
) -> bytes:
    """Return a page to print about the event `name`.

    `board` is the event as its director sees it, `round` one of its rounds, for pairings, sheets
    and cards.  The standings, of teams if they stay together, and the crosstable are those `after`
    a round of the board; `standings` and `crosstable` are those of an event that nobody directs.
    Certificates go to the first `most` ranks, and prizes by category and team come from `ranking`,
    whose members have `names` by number.  `links` are the addresses by table that a card shows as a
    QR code.
    """
    # The command line only needs the names of the kinds for its help.
    from markupsafe import Markup

    from claimlog.directing.standings import crosstable as crossed
    from claimlog.directing.standings import standings as counted
    from claimlog.draw.faces import FACES
    from claimlog.web.rendering import render

    by_name = _by_name(board, round) if kind == "pairings" else []
    by_rounds: list[tuple[str, list[str], float]] = []
    if board is not None and kind in OF_STANDINGS:
        standings = counted(board, after)
        if kind == "crosstable" and len(standings.lines) > LONG:
            by_rounds = _by_rounds(board, standings, after)
        elif kind == "crosstable":
            crosstable = crossed(board, after)
    elif crosstable is not None:
        crosstable = crosstable.rows
    codes = {table: _code(link) for table, link in (links or {}).items()}
    return render(
        "print.html",
        language,
        kind=kind,
        name=name,
        board=board,
        round=round,
        after=after,
        standings=standings,
        crosstable=crosstable,
        by_rounds=by_rounds,
        by_name=by_name if len(by_name) > LONG else [],
        ranking=ranking,
        names=names or {},
        codes=codes,
        most=most,
        shapes={letter: Markup(face.shape) for letter, face in FACES.items()},
    )


def _by_name(board: Any, round: Any) -> list[tuple[str, int | None]]:
    """Return the players of a round by name, with their table; None for a bye."""
    places = [(board.entrant(one).name, at.number) for at in round.tables for one in at.players]
    places += [(board.entrant(bye.entrant).name, None) for bye in round.byes]
    return sorted(places, key=lambda pair: by_name(pair[0]))


def _by_rounds(
    board: Board, standings: Standings, after: int | None
) -> list[tuple[str, list[str], float]]:
    """Return each line of the standings with its rounds: against which line, and the result.

    A crosstable of many entrants would be mostly empty.
    """
    from claimlog.directing.standings import played

    place = {number: k for k, line in enumerate(standings.lines) for number in line.entrants}
    # Somebody absent has an empty cell.
    cells = [[""] * len(board.rounds[:after]) for _ in standings.lines]
    for game, _ in played(board, after):
        if game.round is None:
            continue
        seats = (game.p1, game.p2, game.p3, game.p4)
        sides = sides_of(game.seats)
        lines = [
            sorted({place[one] for one in seats[side :: max(sides, 2)] if one in place})
            for side in range(sides)
        ]
        for side, mine in enumerate(lines):
            others = [line + 1 for k, those in enumerate(lines) if k != side for line in those]
            mark = _mark(game, side + 1)
            against = "/".join(map(str, others)) + (":" if others and mark else "")
            for line in mine:
                cells[line][int(game.round) - 1] = against + mark
    return [(line.name, cells[k], line.points) for k, line in enumerate(standings.lines)]


def _mark(game: Played, side: int) -> str:
    """Return the result of a side in a game or bye, as the key below the crosstable explains it."""
    from claimlog.directing.counting import FORFEIT

    share = share_of(game.result, side) if game.result else None
    if share is None:
        return ""
    if game.termination == FORFEIT:
        return "+" if share else "–"
    if game.seats == 1 and share == 1:
        return "+"
    return {0: "0", 1: "1", 0.5: "½"}.get(share, "⅓")


def _code(link: str) -> Markup:
    """Return an address as a QR code (SVG)."""
    import segno
    from markupsafe import Markup

    code = segno.make(link, error="m", micro=False)
    return Markup(code.svg_inline(scale=3, border=2, omitsize=True))
