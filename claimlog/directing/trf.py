"""TRF16 files of an event with two players a game, to and from other programs; by py4swiss.

Leading the first trick stands for playing white.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from claimlog.directing.entrants import EntryProblem, read_entrants
from claimlog.directing.model import Bye, Table, TableResult
from claimlog.directing.pairing.dutch import parsed
from claimlog.directing.pairing.field import Field
from claimlog.directing.pairing.outcome import PairerMissing, Unpairable
from claimlog.directing.standings import standings

if TYPE_CHECKING:
    from claimlog.directing.board import Board
    from claimlog.directing.model import ByeKind, Entrant

_LONGEST_NAME: Final = 33
_RESULTS: Final = 91
"""Where the rounds of a player begin in a line; each has ten characters."""


def write_trf(board: Board) -> str:
    """Write the event's state.

    Raises Unpairable if it is not for two, PairerMissing without py4swiss.
    """
    if board.plan.seats != 2:
        raise Unpairable("trf.two", seats=board.plan.seats)
    field = Field(board, len(board.rounds) + 1)
    try:
        from py4swiss.trf.codes import TournamentCode
    except ImportError:
        raise PairerMissing("trf.missing") from None

    line_of = {line.entrants[0]: line for line in standings(board).lines}
    lines = [
        f"{TournamentCode.TOURNAMENT_NAME.value} {board.name}",
        f"{TournamentCode.NUMBER_OF_PLAYERS.value} {len(board.entrants)}",
    ]
    if board.plan.site:
        lines.append(f"{TournamentCode.CITY.value} {board.plan.site}")
    for unit, section in zip(field.everybody, parsed(field).player_sections, strict=True):
        one = unit.members[0]
        section.name = one.name[:_LONGEST_NAME]
        section.rank = line_of[one.number].rank
        section.points_times_ten = round(line_of[one.number].points * 10)
        section.fide_rating = None if one.rating is None else min(round(one.rating), 9999)
        line = section.to_string()
        for number, turn in enumerate(field.history.turns[one.number]):
            if turn.kind == "played":
                line = _with_result(line, number, " ")
        lines.append(line.rstrip())
    lines.append(f"XXR {board.plan.rounds or len(board.rounds)}")
    return "\n".join(lines) + "\n"


def _with_result(line: str, round: int, result: str) -> str:
    """Return a line with another result of a round, counted from 0."""
    place = _RESULTS + 10 * round + 7
    return f"{line[:place]:{place}}{result}{line[place + 1 :]}"


class TrfRound(NamedTuple):
    """A round of a file; players are given by their places in the file, from 1."""

    tables: tuple[Table, ...]
    results: dict[int, TableResult]
    byes: tuple[Bye, ...]


class TrfEvent(NamedTuple):
    """What a file says about an event, with the lines that could not be read."""

    name: str
    entrants: list[Entrant]
    rounds: list[TrfRound]
    problems: list[EntryProblem]


_BYES: Final[dict[str, ByeKind]] = {"U": "pairing", "F": "full", "H": "half", "Z": "zero"}

_NO_RESULT: Final = "D"
"""Stands for a missing result while a line is read: a draw without moves, which is unused here."""

_ENDED: Final[dict[tuple[str, str], TableResult | None]] = {
    ("1", "0"): TableResult(result="1-0"),
    ("0", "1"): TableResult(result="0-1"),
    ("=", "="): TableResult(result="1/2-1/2"),
    ("+", "-"): TableResult(result="1-0", forfeit=(2,)),
    ("-", "+"): TableResult(result="0-1", forfeit=(1,)),
    ("-", "-"): TableResult(result="0-0", forfeit=(1, 2)),
    ("W", "L"): TableResult(result="1-0"),
    ("L", "W"): TableResult(result="0-1"),
    (_NO_RESULT, _NO_RESULT): None,
}
"""Results by the codes of white and of black."""


def read_trf(text: str) -> TrfEvent:
    """Read entrants, pairings and results.  Raises PairerMissing without py4swiss.

    A game is given in both players' lines, and counts only if they agree.  Tables are numbered in
    the order of the players in the file.
    """
    try:
        from py4swiss.trf.exceptions import LineError
        from py4swiss.trf.sections import PlayerSection
    except ImportError:
        raise PairerMissing("trf.missing") from None

    entered = read_entrants(text)
    problems = list(entered.problems)
    sections: list[tuple[int, Any]] = []
    name = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("012"):
            name = line[4:].strip()
        elif line.startswith("001"):
            for round in _open_rounds(line):
                line = _with_result(line, round, _NO_RESULT)
            try:
                sections.append((number, PlayerSection.from_string(line)))
            except LineError as error:
                problems.append(EntryProblem(number, "entry.trf", {"text": str(error)}))
    if problems:
        return TrfEvent(name, entered.entrants, [], problems)
    place = {section.starting_number: k for k, (_, section) in enumerate(sections, 1)}
    count = max((len(section.results) for _, section in sections), default=0)
    rounds = []
    for round in range(count):
        lines = {
            section.starting_number: section.results[round]
            for _, section in sections
            if round < len(section.results)
        }
        rounds.append(_round(lines, place))
        problems += [
            EntryProblem(line, "entry.disagree", {"round": round + 1, "player": lines[number].id})
            for line, section in sections
            if (number := section.starting_number) in lines and not _agree(lines, number)
        ]
    return TrfEvent(name, entered.entrants, rounds, problems)


def _open_rounds(line: str) -> list[int]:
    """Return the rounds, from 0, with an opponent but no result, which py4swiss does not know."""
    blocks = [line[start : start + 10] for start in range(_RESULTS, len(line), 10)]
    return [
        round
        for round, block in enumerate(blocks)
        if block[5:6] in ("w", "b") and not block[7:8].strip()
    ]


def _agree(lines: dict[int, Any], number: int) -> bool:
    """Whether the opponent's line says the same about a game."""
    mine = lines[number]
    theirs = lines.get(mine.id)
    if not mine.id:
        return True
    return (
        theirs is not None
        and theirs.id == number
        and theirs.color != mine.color
        and (mine.result.value, theirs.result.value) in _ENDED
    )


def _round(lines: dict[int, Any], place: dict[int, int]) -> TrfRound:
    """Return the games of a round on which both players agree, and the byes."""
    tables: list[Table] = []
    results: dict[int, TableResult] = {}
    byes = []
    for number, mine in lines.items():
        if not mine.id and (kind := _BYES.get(mine.result.value)):
            byes.append(Bye(entrant=place[number], kind=kind))
        elif mine.id and mine.color.value == "w" and _agree(lines, number):
            players = (place[number], place[mine.id])
            tables.append(Table(number=len(tables) + 1, players=players))
            ended = _ENDED[mine.result.value, lines[mine.id].result.value]
            if ended is not None:
                results[len(tables)] = ended
    return TrfRound(tuple(tables), results, tuple(byes))
