"""What a director posts or hands out, as pages for a printer: A4, black on white.

Each kind is one self-contained page; the browser prints it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from claimlog.notation.names import folded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

__all__ = ["KINDS", "Printed", "printed"]

Printed = Literal[
    "pairings", "standings", "crosstable", "sheets", "cards", "prizes", "certificates"
]
KINDS: Final[tuple[Printed, ...]] = get_args(Printed)
"""Pairings, standings, crosstable, score sheets, table cards, prizes, certificates."""

OF_A_ROUND: Final[tuple[Printed, ...]] = ("pairings", "sheets", "cards")
"""The kinds that belong to a round; the others belong to the standings."""

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
    standings: Any = None,
    after: str | None = None,
    crosstable: Any = None,
    ranking: Any = None,
    names: Mapping[int, str] | None = None,
    links: Mapping[int, str] | None = None,
    most: int = PRIZES,
) -> bytes:
    """Return a page to print about the event `name`.

    `board` is the event as its director sees it, `round` one of its rounds, for pairings, sheets
    and cards.  `standings` are those of the archive, perhaps `after` a round; certificates go to
    the first `most` ranks, and prizes by category and team come from `ranking`, whose members have
    `names` by number.  `links` are the addresses by table that a card shows as a QR code.
    """
    # The command line only needs the names of the kinds for its help.
    from markupsafe import Markup

    from claimlog.draw.faces import FACES
    from claimlog.web.rendering import render

    by_name = _by_name(board, round) if kind == "pairings" else []
    many = kind == "crosstable" and board is not None and len(board.entrants) > LONG
    codes = {table: _code(link) for table, link in (links or {}).items()}
    return render(
        "print.html",
        language,
        kind=kind,
        name=name,
        board=board,
        round=round,
        standings=standings,
        after=after,
        crosstable=crosstable,
        by_rounds=_by_rounds(board, ranking) if many else [],
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
    return sorted(places, key=lambda pair: folded(pair[0]))


def _by_rounds(board: Any, ranking: Any) -> list[tuple[str, list[str], float]]:
    """Return each line of the standings with its rounds: against which line, and the result.

    A crosstable of many entrants would be mostly empty.
    """
    line = {one: k for k, each in enumerate(ranking.lines, 1) for one in each.entrants}
    cells: dict[int, list[str]] = {one.number: [] for one in board.entrants}
    for number, round in enumerate(board.rounds, 1):
        for at in round.tables:
            sides = at.table.sides
            for seat, player in enumerate(at.players):
                others = [one for k, one in enumerate(at.players) if k % sides != seat % sides]
                against = "/".join(str(line[one]) for one in others)
                result = at.result
                how = "" if result is None else result.result.split("-")[seat % sides]
                mark = {"1/2": "½", "1/3": "⅓"}.get(how, how)
                cells[player].append(f"{against}{':' if mark else ''}{mark}")
        cells |= {bye.entrant: [*cells[bye.entrant], "+"] for bye in round.byes}
        # An absent entrant has an empty cell in that round.
        cells = {one: [*had, *[""] * (number - len(had))] for one, had in cells.items()}
    return [(one.name, cells[one.entrants[0]], one.points) for one in ranking.lines]


def _code(link: str) -> Markup:
    """Return an address as a QR code (SVG)."""
    import segno
    from markupsafe import Markup

    code = segno.make(link, error="m", micro=False)
    return Markup(code.svg_inline(scale=3, border=2, omitsize=True))
