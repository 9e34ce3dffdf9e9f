"""A site about an event: files that any web space can serve, without a claimlog server.

The first page has standings, crosstable and rounds; each round, player and game has a page, and
that of a game steps through it.  The same games give the same bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from claimlog.directing.board import called, stands
from claimlog.directing.overruled import Overruling
from claimlog.draw.faces import FACES
from claimlog.language import words
from claimlog.notation.marks import FOR_THE_DIRECTOR, with_nothing_left
from claimlog.notation.names import folded, tidy
from claimlog.replay.narration import plain
from claimlog.replay.recorder import replay_text
from claimlog.web import assets
from claimlog.web.rendering import render
from claimlog.web.replay import all_views, export_html

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

__all__ = ["INDEX", "site"]

INDEX: Final = "index.html"
_STYLE: Final = ("theme.css", "faces.css", "pages.css", "icon.svg")


def site(
    overview: Any,
    games: Sequence[tuple[Any, str]],
    board: Any,
    ranking: Any,
    downloads: dict[str, bytes],
    *,
    language: str,
    progress: Callable[[], None] = lambda: None,
) -> Iterator[tuple[str, bytes]]:
    """Yield the files of an event's site, with their paths.

    `overview` is the event in full from the archive, `games` are its rows, each with its record, in
    the order of rounds and tables.  `board` is the event as its director sees it, and `ranking` all
    its places, None for an event that is not directed.  `downloads` are offered on the first page.
    `progress` is called after each game.
    """
    rounds = {name: f"rounds/{number}.html" for number, name in enumerate(overview.rounds, 1)}
    players = {line.player: line for line in overview.standings.lines}
    rows = _by_entrants([row for row, _ in games], board, players.values())
    shown = {row.id for row in rows if row.tricks}
    overruling = None if board is None else Overruling(board)
    overruled = {
        row.id: other
        for row, _ in games
        if overruling is not None
        and (
            other := overruling.of(row.round, [seat.name or "" for seat in row.players], row.result)
        )
    }

    def at(up: str) -> Callable[[str, str], str]:
        """Return addresses relative to a page in the main folder, or with `up` in one below it."""

        def place(kind: str, which: str) -> str:
            if kind == "events":
                return up + INDEX
            if kind == "rounds":
                return up + rounds[which]
            good = which in (players if kind == "players" else shown)
            return f"{up}{kind}/{which}.html" if good and kind != "factions" else ""

        return place

    def page(name: str, up: str, **values: Any) -> bytes:
        return render(
            name,
            language,
            published=True,
            # Browsers do not draw shapes from another local file.
            shapes={letter: face.shape for letter, face in FACES.items()},
            at=at(up),
            static=lambda file: f"{up}style/{file}",
            event=overview.event,
            overruled=overruled,
            here="",
            other_language="",
            **values,
        )

    yield (
        INDEX,
        page(
            "event.html",
            "",
            board=board,
            ranking=ranking,
            live=[],
            hidden=False,
            standings=overview.standings,
            more=0,
            teams=overview.teams,
            more_teams=0,
            crosstable=overview.crosstable,
            rounds=overview.rounds,
            last=next(reversed(overview.rounds), None),
            games=_by_entrants(overview.games, board, players.values()),
            downloads=list(downloads),
        ),
    )
    yield from downloads.items()
    for name in _STYLE:
        yield f"style/{name}", assets.unpacked(assets.page().files[name])
    for name, path in rounds.items():
        played = [row for row in rows if row.round == name]
        title = words(language)("round", number=plain(name))
        yield path, page("published-games.html", "../", title=title, line=None, games=played)
    for player, line in players.items():
        played = [row for row in rows if any(seat.player == player for seat in row.players)]
        yield (
            f"players/{player}.html",
            page(
                "published-games.html",
                "../",
                title=plain(line.name),
                line=line,
                tiebreaks=overview.standings.tiebreaks,
                games=played,
            ),
        )
    for row, record in games:
        if row.id in shown:
            if FOR_THE_DIRECTOR in record and board is not None and stands(board, row.id):
                record = with_nothing_left(record)
            (game,) = replay_text(record)
            views = all_views(game)
            counts = overruled.get(row.id)
            text = export_html(game, views=views, language=language, overruled=counts)
            yield f"games/{row.id}.html", text
        progress()


def _by_entrants(rows: list[Any], board: Any, lines: Iterable[Any]) -> list[Any]:
    """Return games with the players of the standings, also where a record has another name."""
    if board is None:
        return rows
    player_of = {line.name: line.player for line in lines}
    known = {
        name: player_of[board.entrant(number).name]
        for name, number in called(board).items()
        if board.entrant(number).name in player_of
    }

    def seated(seat: Any) -> Any:
        player = known.get(folded(tidy(seat.name or "")), seat.player)
        return msgspec.structs.replace(seat, player=player)

    return [
        msgspec.structs.replace(row, players=[seated(seat) for seat in row.players]) for row in rows
    ]
