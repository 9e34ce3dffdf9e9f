"""`claimlog event create` and related commands: directing an event from entry list to end."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..files import fail, flow, refused, say, tell, typed_lines, typed_list, write
from ..language import language, said, tr, tr_count
from . import completing
from .events import Event, event
from .opening import By, Db, Why, open_archive
from .tables import Column, Form, Look, show, tabled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from claimlog.directing.board import Board, BoardRound, BoardTable, TableLink
    from claimlog.directing.desk import Entry, Step
    from claimlog.directing.model import Bye, Entrant, TableResult
    from claimlog.store import Archive

OfRound = Annotated[
    int | None, typer.Option("--round", min=1, help="The round; by default the one paired last.")
]
OfPlayed = Annotated[
    int | None,
    typer.Option("--round", min=1, help="The round; by default the one being played."),
]
OfBegun = Annotated[
    int | None,
    typer.Option("--round", min=1, help="The round; by default the last one that has begun."),
]
WAITING = 4
"""The most waiting entrants to name."""
AnEntrant = Annotated[str, typer.Argument(help="The entrant's number or name.")]


# Arguments ---------------------------------------------------------------------------------------


def meant(board: Board, text: str) -> int:
    """The number of the entrant given by number or name; ends the command if there is none."""
    from claimlog.directing.board import meant as number_of
    from claimlog.directing.desk import Refused

    try:
        return number_of(board, text)
    except Refused as error:
        fail(said(error))


def the_round(board: Board, number: int | None) -> BoardRound:
    """The round with that number, or the one paired last; ends the command if there is none."""
    if not board.rounds and number is None:
        refused(said("desk.not-paired", number=1))
    which = number or len(board.rounds)
    if which > len(board.rounds):
        fail(said("desk.not-paired", number=which))
    return board.rounds[which - 1]


def the_played(board: Board, number: int | None) -> BoardRound:
    """The round with that number, or the one being played; see `the_round`."""
    return (board.played if number is None else None) or the_round(board, number)


def names_at(board: Board, table: BoardTable) -> str:
    """The players at a table, partners together."""
    return " – ".join(
        " & ".join(one.name for one in board.side(table, side)) for side in range(table.table.sides)
    )


def shown(result: TableResult | None) -> str:
    """A result in readable form."""
    from claimlog.results import readable

    if result is None:
        return ""
    text = readable(result.result)
    if result.votes:
        text += f" ({'-'.join(map(str, result.votes))})"
    return f"{text} {tr('forfeit')}" if result.forfeit else text


# Entrants ----------------------------------------------------------------------------------------


@event.command()
def withdraw(
    event: Event,
    entrant: AnEntrant,
    by: By,
    round: Annotated[
        int | None, typer.Option(min=1, help="The first round without them; by default the next.")
    ] = None,
    back: Annotated[bool, typer.Option("--back", help="Let them play again.")] = False,
    why: Why = "",
    db: Db = None,
) -> None:
    """Withdraw an entrant."""
    from claimlog.directing import acts

    with open_archive(db, writing=True) as archive:
        board = archive.desk(event)
        number = meant(board, entrant)
        first = round or board.next_round
        left = acts.Withdrew(entrant=number, round=first)
        act: acts.Act = acts.Returned(entrant=number) if back else left
        archive.direct(event, act, by=by, why=why)
        name = board.entrant(number).name
    if back:
        print(tr("{name} plays again", name=name))
    else:
        print(tr("{name} does not play from round {round} on", name=name, round=first))


@event.command()
def bye(
    event: Event,
    entrant: AnEntrant,
    by: By,
    round: Annotated[
        int | None, typer.Option(min=1, help="The round; by default the next.")
    ] = None,
    kind: Annotated[
        str, typer.Option(help="What the bye is worth: full, half or zero; none takes it back.")
    ] = "half",
    why: Why = "",
    db: Db = None,
) -> None:
    """Let an entrant sit out a round."""
    from claimlog.directing import acts

    if kind not in ("full", "half", "zero", "none"):
        fail(tr("{value} is not one of {names}", value=kind, names="full, half, zero, none"))
    with open_archive(db, writing=True) as archive:
        board = archive.desk(event)
        number, which = meant(board, entrant), round or board.next_round
        asked: Any = None if kind == "none" else kind
        archive.direct(
            event, acts.AskedForBye(entrant=number, round=which, kind=asked), by=by, why=why
        )
        name = board.entrant(number).name
    if asked is None:
        print(tr("{name} plays in round {round}", name=name, round=which))
    else:
        sits_out = tr("{name} sits out round {round}", name=name, round=which)
        print(f"{sits_out}, {_worth(kind)}")


# A round -----------------------------------------------------------------------------------------


@event.command()
def pair(
    event: Event,
    by: By,
    tables: Annotated[
        list[str] | None,
        typer.Argument(
            help="Tables by hand, for example 1-2 3-4 5: the numbers of the entrants by seat; a "
            "number alone has the bye; - reads a list of pairings from standard input."
        ),
    ] = None,
    relax: Annotated[
        list[str] | None,
        typer.Option(help="What to allow for this round: rematch, bye, leader or tie."),
    ] = None,
    why: Why = "",
    db: Db = None,
) -> None:
    """Pair the next round, or re-pair the one that has not begun."""
    with open_archive(db, writing=True) as archive:
        if tables == ["-"]:
            board = archive.pair_list(event, typed_list(), by=by, why=why).desk
        elif tables:
            board = archive.desk(event)
            board = archive.direct(event, _by_hand(board, tables), by=by, why=why)
        else:
            board = _by_system(archive, event, relax or [], by, why)
        remarks = archive.pairing_remarks(event, len(board.rounds))
    _print_round(board, board.rounds[-1])
    for remark in remarks:
        flow(remark.worded(language()))


def _by_system(archive: Archive, event: str, relax: list[str], by: str, why: str) -> Board:
    """Let the event's system pair; if it cannot, end the command with the reason."""
    from claimlog.directing.pairing.outcome import RELAXATIONS, Relaxation

    for one in relax:
        if one not in RELAXATIONS:
            fail(tr("{value} is not one of {names}", value=one, names=", ".join(RELAXATIONS)))
    allowed: list[Relaxation] = [one for one in RELAXATIONS if one in relax]
    return archive.pair_round(event, by=by, why=why, relax=allowed).desk


def _by_hand(board: Board, words: Iterable[str]) -> Any:
    """The round as given, table by table."""
    from claimlog.directing import acts
    from claimlog.directing.model import Bye, Table

    tables: list[Table] = []
    byes: list[Bye] = []
    for word in words:
        if not re.fullmatch(r"[0-9]{1,4}(-[0-9]{1,4}){0,3}", word):
            fail(tr("{text} is not a table; write 1-2, or 5 for a bye", text=word))
        players = tuple(map(int, word.split("-")))
        if len(players) == 1:
            byes.append(Bye(entrant=players[0]))
        else:
            tables.append(Table(number=len(tables) + 1, players=players))
    return acts.Paired(round=board.next_round, tables=tuple(tables), byes=tuple(byes), by_hand=True)


def _print_round(board: Board, round: BoardRound) -> None:
    """Print a round, one line per table."""
    print(tr("{event}, round {round}", event=board.name, round=round.number))
    for table in round.tables:
        leader = table.players[table.table.leader - 1]
        leads = tr("{name} leads", name=board.entrant(leader).name)
        result = shown(table.result)
        flow(f"{table.number:4}  {names_at(board, table)}  {result or leads}", 6)
    for one in round.byes:
        flow(bye_line(board.entrant(one.entrant).name, one), 6)


@event.command()
def start(
    event: Event,
    by: By,
    round: OfRound = None,
    links: Annotated[
        str | None,
        typer.Option(help="A file for the links, which event print cards turns into QR codes."),
    ] = None,
    why: Why = "",
    db: Db = None,
) -> None:
    """Start a round; a server opens its tables for recording and shows their links."""
    from claimlog.store import Archive

    with open_archive(db, writing=True) as archive:
        number = the_round(archive.desk(event), round).number
        started = archive.start_round(event, number, by=by, why=why)
        at_server = not isinstance(archive, Archive)
    begun = started.desk.rounds[number - 1]
    _print_round(started.desk, begun)
    print_links(started.links)
    if at_server and begun.without_deck:
        tell(said("typed.no-deck"))
    if links is not None:
        import msgspec

        write(links, [msgspec.json.encode(started.links)])


def print_links(links: Iterable[TableLink]) -> None:
    """Print links, one line per table."""
    for link in links:
        values = {"table": link.table, "scorer": link.scorer, "watch": link.watch}
        print(tr("table {table}: score {scorer}, watch {watch}", **values))


@event.command()
def result(
    event: Event,
    by: By,
    lines: Annotated[
        list[str] | None,
        typer.Argument(
            help="7 1-0, or 8 ½-½ 2-2 with factions, or 9 forfeit 2; separate several with "
            "commas; without any, one per line from standard input."
        ),
    ] = None,
    round: OfPlayed = None,
    correct: Annotated[
        bool,
        typer.Option(
            "--correct",
            help="Change confirmed results and those of closed rounds, too, as the director.",
        ),
    ] = False,
    why: Why = "",
    db: Db = None,
) -> None:
    """Enter results, one line per table.

    Besides 7 1-0 you can write 7 1 (side 1 wins), 7 = (shared), 9 forfeit (nobody came) and 7 -
    (takes the result back). A wrong line is reported, and the others are entered.
    """
    wrong = 0
    with open_archive(db, writing=True) as archive:
        board = archive.desk(event)
        number = the_played(board, round).number
        for place, text in _typed(lines):
            done = _enter(archive, board, number, text, place, correct, by, why)
            board = done or board
            wrong += done is None
        missing = board.rounds[number - 1].missing
        remarks = overtaken(archive, event, board, number)
    if missing:
        flow(tr("without a result: {tables}", tables=", ".join(map(str, missing))), 2)
    else:
        print(tr("all tables of round {round} have a result", round=number))
    for remark in remarks:
        flow(remark)
    raise SystemExit(1 if wrong else 0)


def overtaken(archive: Archive, event: str, board: Board, round: int) -> list[str]:
    """Which results of a round are newer than the pairing of the next one."""
    if not round < len(board.rounds) or board.rounds[-1].state != "paired":
        return []
    return [
        remark.worded(language())
        for remark in archive.pairing_remarks(event, len(board.rounds))
        if remark.key == "remark.overtaken" and remark.values["round"] == round
    ]


def _typed(lines: list[str] | None) -> Iterator[tuple[int | None, str]]:
    """The results given as arguments, or typed, these with the numbers of their lines."""
    from claimlog.directing.typed import lines_of

    if lines:
        yield from ((None, line) for _, line in lines_of(" ".join(lines)))
        return
    for number, text in enumerate(typed_lines(), 1):
        yield from ((number, line) for _, line in lines_of(text))


def _enter(
    archive: Archive,
    board: Board,
    round: int,
    text: str,
    place: int | None,
    correct: bool,
    by: str,
    why: str,
) -> Board | None:
    """Enter one result, and print how it was understood; None if it was refused.

    `place` is the number of its line, to be named with what is wrong.
    """
    from claimlog.directing import acts
    from claimlog.directing.typed import Unreadable, read_line, result_at
    from claimlog.store import Declined

    try:
        line = read_line(text)
        at = [one for one in board.rounds[round - 1].tables if one.number == line.table]
        if not at:
            raise Unreadable("desk.no-table", number=round, table=line.table)
        kind = acts.Corrected if correct else acts.ResultTyped
        act = kind(round=round, table=line.table, result=result_at(line, at[0].table.sides))
        board = archive.direct(board.event, act, by=by, why=why)
    except (Unreadable, Declined) as error:
        say(said(error) if place is None else said("list.line", line=place, text=said(error)))
        return None
    table = next(one for one in board.rounds[round - 1].tables if one.number == line.table)
    tell(f"{line.table:4}  {names_at(board, table)}  {replaced(at[0], table)}")
    sys.stdout.flush()
    return board


def replaced(before: BoardTable, now: BoardTable) -> str:
    """The result of a table, and the other one that somebody had entered before."""
    text = shown(now.result) or "–"
    if before.result in (None, now.result) or before.source == "record":
        return text
    return f"{text}, {tr('was {result}', result=shown(before.result))}"


@event.command()
def confirm(
    event: Event,
    tables: Annotated[list[int], typer.Argument(help="The tables.")],
    by: By,
    side: Annotated[
        list[int] | None, typer.Option(min=1, max=3, help="The side that confirms; by default all.")
    ] = None,
    round: OfPlayed = None,
    why: Why = "",
    db: Db = None,
) -> None:
    """Confirm results; once all sides have, only the director can change them."""
    from claimlog.directing import acts

    with open_archive(db, writing=True) as archive:
        board = archive.desk(event)
        which = the_played(board, round)
        for number in tables:
            at = [one for one in which.tables if one.number == number]
            if not at:
                fail(said("desk.no-table", number=which.number, table=number))
            result = at[0].result
            if result is None:
                refused(tr("table {table} has no result yet", table=number))
            sides = tuple(side or range(1, at[0].table.sides + 1))
            act = acts.Confirmed(round=which.number, table=number, sides=sides, result=result)
            archive.direct(event, act, by=by, why=why)
            tell(f"{number:4}  {names_at(board, at[0])}  {shown(result)}")


@event.command()
def close(
    event: Event,
    by: By,
    round: OfPlayed = None,
    adjourn: Annotated[
        bool, typer.Option("--adjourn", help="Have games without a result played later.")
    ] = False,
    why: Why = "",
    db: Db = None,
) -> None:
    """Close a round."""
    with open_archive(db, writing=True) as archive:
        number = the_played(archive.desk(event), round).number
        board = archive.close_round(event, number, by=by, why=why, adjourn=adjourn)
    left = board.rounds[number - 1].adjourned
    print(tr("round {round} is closed", round=number))
    if left:
        flow(tr("played later: {tables}", tables=", ".join(map(str, left))), 2)


@event.command()
def reopen(event: Event, by: By, round: OfBegun = None, why: Why = "", db: Db = None) -> None:
    """Reopen a closed round."""
    from claimlog.directing import acts

    with open_archive(db, writing=True) as archive:
        board = archive.desk(event)
        number = the_round(board, round or board.next_round - 1 or None).number
        archive.direct(event, acts.Reopened(round=number), by=by, why=why)
    print(tr("round {round} is open again", round=number))


@event.command()
def exchange(
    event: Event,
    one: AnEntrant,
    other: AnEntrant,
    by: By,
    round: OfRound = None,
    why: Why = "",
    db: Db = None,
) -> None:
    """Exchange two entrants in a round; one may have the bye, or be in no pairing yet."""
    from claimlog.directing import acts

    with open_archive(db, writing=True) as archive:
        board = archive.desk(event)
        number = the_round(board, round).number
        both = (meant(board, one), meant(board, other))
        act = acts.Exchanged(round=number, entrants=both)
        board = archive.direct(event, act, by=by, why=why)
    _print_round(board, board.rounds[number - 1])


@event.command()
def seat(
    event: Event,
    entrants: Annotated[list[str], typer.Argument(help="Who sits there, by numbers or names.")],
    by: By,
    round: OfRound = None,
    why: Why = "",
    db: Db = None,
) -> None:
    """Add a table to a round, also while it is played: for a bye, or somebody late."""
    from claimlog.directing import acts

    with open_archive(db, writing=True) as archive:
        board = archive.desk(event)
        which = the_round(board, round)
        players = tuple(meant(board, one) for one in entrants)
        act = acts.Seated(round=which.number, table=which.unused, players=players)
        board = archive.direct(event, act, by=by, why=why)
    _print_round(board, board.rounds[which.number - 1])


@event.command()
def lock(
    event: Event,
    table: Annotated[int, typer.Argument(help="The table.", min=1)],
    by: By,
    unlock: Annotated[bool, typer.Option("--unlock", help="Unlock the table.")] = False,
    round: OfRound = None,
    why: Why = "",
    db: Db = None,
) -> None:
    """Keep a table as it is when the round is paired again."""
    from claimlog.directing import acts

    with open_archive(db, writing=True) as archive:
        number = the_round(archive.desk(event), round).number
        act = acts.Locked(round=number, table=table, locked=not unlock)
        archive.direct(event, act, by=by, why=why)
    if unlock:
        print(tr("table {table} is unlocked", table=table))
    else:
        print(tr("table {table} is locked", table=table))


@event.command()
def stands(
    event: Event,
    table: Annotated[int, typer.Argument(help="The table.", min=1)],
    by: By,
    round: OfBegun = None,
    why: Why = "",
    db: Db = None,
) -> None:
    """Let the plays stand that the scorer of a table's game left to the director."""
    from claimlog.directing.board import letting_stand
    from claimlog.directing.desk import Refused

    with open_archive(db, writing=True) as archive:
        board = archive.desk(event)
        try:
            act = letting_stand(the_round(board, round or board.next_round - 1 or None), table)
        except Refused as error:
            refused(said(error))
        archive.direct(event, act, by=by, why=why)
    print(tr("the game of table {table} stands as it was recorded", table=table))


def left_to_director(board: Board) -> list[str]:
    """What scorers of games that were handed in left to the director, a line for each play."""
    return [
        tr(
            "left to the director: round {round}, table {table}, trick {trick}, {card} of {name}",
            round=round.number,
            table=table.number,
            trick=one.trick,
            card=one.card,
            name=board.entrant(one.entrant).name if one.entrant else "?",
        )
        for round, table in board.asking
        for one in table.asked
    ]


@event.command()
def undo(event: Event, by: By, why: Why = "", db: Db = None) -> None:
    """Undo the last step at the desk; it stays in the history."""
    with open_archive(db, writing=True) as archive:
        before = archive.desk(event)
        archive.undo_act(event, by=by, why=why, expected=before.act)
    print(undone(before))


def undone(before: Board) -> str:
    """What was undone of an event's state."""
    last = before.last
    if last is None:
        return tr("undone")  # a server of an earlier version does not say what
    return tr("undone: {act}, by {name}", act=last.described(tr), name=last.by)


# Showing -----------------------------------------------------------------------------------------


@event.command("show")
@tabled()
def show_event(
    look: Look,
    event: Annotated[
        str | None,
        typer.Argument(
            help="The event's name or id; by default all directed events.",
            autocompletion=completing.events,
        ),
    ] = None,
    round: OfRound = None,
    entrants: Annotated[bool, typer.Option("--entrants", help="Show who takes part.")] = False,
    acts: Annotated[bool, typer.Option("--acts", help="Show everything done at the desk.")] = False,
    db: Db = None,
) -> None:
    """Show a round of a directed event: who plays whom, the results, what is missing."""
    with open_archive(db) as archive:
        if event is None:
            show(archive.desks(), _EVENTS, look)
            return
        if acts:
            show(archive.desk_acts(event), _ACTS, look)
            return
        board = archive.desk(event)
    if entrants or not board.rounds:
        show(board.entrants, _entrants(board), look, title=board.name, answer=board)
        return
    which = the_round(board, round)
    title = tr("{event}, round {round}", event=board.name, round=which.number)
    show(which.tables, _tables(board), look, title=title, answer=board)
    if look.form is not Form.table:
        return
    for bye in which.byes:
        flow(bye_line(board.entrant(bye.entrant).name, bye), 6)
    if which.missing:
        print(
            tr_count(
                "{number} table has no result yet",
                "{number} tables have no result yet",
                len(which.missing),
            )
        )
    if which.waiting and which.missing:
        names = ", ".join(board.entrant(one).name for one in which.waiting[:WAITING])
        flow(tr("waiting longest: {names}", names=names), 2)
    for text in left_to_director(board):
        flow(f"{text}: claimlog event stands", 2)
    for one in board.spellings:
        name, entrant = one.name, board.entrant(one.entrant).name
        flow(
            tr(
                "game {game}: {name} is probably {entrant}: claimlog event spell",
                game=one.game,
                name=name,
                entrant=entrant,
            )
        )
    if board.lost:
        flow(tr("games that belong to no table: {ids}", ids=", ".join(board.lost)), 2)


def _step(entry: Entry) -> Step:
    from claimlog.directing.desk import Step

    return Step.of(entry)


_EVENTS: list[Column] = [
    Column("event", lambda row: row.name, least=24),
    Column("players", lambda row: len(row.entrants)),
    Column("rounds", lambda row: len(row.rounds)),
    Column(
        "state",
        lambda row: row.rounds[-1].state if row.rounds else "",
        shown=lambda row: tr(row.rounds[-1].state if row.rounds else "entry"),
    ),
]

_ACTS: list[Column] = [
    Column("number", lambda row: row.number),
    Column("at (UTC)", lambda row: f"{row.at:%Y-%m-%d %H:%M:%S}"),
    Column(
        "act",
        lambda row: _step(row).described(str),
        shown=lambda row: _step(row).described(tr),
        least=16,
    ),
    Column("by", lambda row: row.by),
    Column("why", lambda row: row.why, spare=1),
]


def _tables(board: Board) -> list[Column]:
    """The columns of a round."""
    return [
        Column("table", lambda row: row.number),
        Column("players", lambda row: names_at(board, row), least=24),
        Column("result", lambda row: shown(row.result)),
        Column("source", lambda row: row.source or "", shown=lambda row: tr(row.told_by or "")),
        Column("confirmed", lambda row: _confirmed(row), spare=1),
        Column("game", lambda row: row.game or "", spare=2),
    ]


def _confirmed(row: BoardTable) -> str:
    if row.differs:
        return tr("the record differs")
    return ", ".join(map(str, row.confirmed))


def bye_line(name: str, bye: Bye) -> str:
    """A line for a bye; what it is worth if it was asked for."""
    line = tr("      {name} has a bye", name=name)
    return line if bye.kind == "pairing" else f"{line}, {_worth(bye.kind)}"


def _worth(kind: str) -> str:
    if kind == "full":
        return tr("which counts as a win")
    return tr("which counts as half a win") if kind == "half" else tr("which counts nothing")


def absence(board: Board, entrant: Entrant) -> str:
    """When an entrant does not play: from a round on, or in some."""
    first = board.withdrawn.get(entrant.number)
    if first is not None:
        return tr("until round {round}", round=first - 1)
    rounds = ", ".join(map(str, board.sits_out(entrant.number)))
    return tr("sits out round {round}", round=rounds) if rounds else ""


def _entrants(board: Board) -> list[Column]:
    """The columns of the list of entrants."""
    return [
        Column("number", lambda row: row.number),
        Column("player", lambda row: row.name, least=16),
        Column("club", lambda row: row.club, spare=2),
        Column("team", lambda row: row.team, spare=1),
        Column("category", lambda row: row.category, spare=4),
        Column("rating", lambda row: row.rating, spare=3),
        Column("seed", lambda row: row.seed, spare=5),
        Column("plays", lambda row: absence(board, row)),
    ]
