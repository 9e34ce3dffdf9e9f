"""The history of every entrant in an event: points, opponents, leads, byes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from claimlog.directing.scoring import bye_score, scores
from claimlog.results import parse_result, share_of
from claimlog.rules.setup import sides_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from claimlog.directing.board import Board, BoardTable
    from claimlog.directing.model import ByeKind, Entrant

Kind = Literal["played", "won", "shared", "lost", "forfeit-win", "forfeit-loss", "absent"]
"""How a round went for an entrant; `played` is a game without a result as yet."""

PLAYED: Final = frozenset(("played", "won", "shared", "lost"))


class Turn(NamedTuple):
    """A round from the point of view of one entrant, with the numbers of those they met."""

    kind: Kind | ByeKind
    points: float
    against: tuple[int, ...] = ()
    partners: tuple[int, ...] = ()
    led: bool = False

    @property
    def played(self) -> bool:
        """Whether there was a game, finished or not."""
        return self.kind in PLAYED


class History:
    """The rounds before a given one.

    A game without a result counts here as a win shared by all, so that the next round can be paired
    before it is finished; the standings do not count it.
    """

    def __init__(self, board: Board, before: int, teams: Iterable[Sequence[int]] = ()) -> None:
        """`teams` have one history, that of whoever played, under the number of the first."""
        self.points_of = board.plan.points
        self.turns: dict[int, list[Turn]] = {one.number: [] for one in board.entrants}
        self.unfinished: list[tuple[int, int]] = []
        """Rounds and tables without a result."""
        for round in board.rounds[: before - 1]:
            round_turns: dict[int, Turn] = {}
            for table in round.tables:
                if table.result is None:
                    self.unfinished.append((round.number, table.number))
                self._table(table, round_turns)
            for bye in round.byes:
                round_turns[bye.entrant] = Turn(bye.kind, bye_score(bye, self.points_of))
            for number, turns in self.turns.items():
                turns.append(round_turns.get(number, Turn("absent", 0.0)))
        self.team_turns = {
            team[0]: [
                next((turn for turn in round if turn.kind != "absent"), round[0])
                for round in zip(*(self.turns[number] for number in team), strict=True)
            ]
            for team in teams
        }

    def of(self, number: int) -> list[Turn]:
        """Return the rounds of an entrant, or of the team under this number."""
        return self.team_turns.get(number, self.turns[number])

    def _table(self, table: BoardTable, round_turns: dict[int, Turn]) -> None:
        players = table.players
        sides = sides_of(len(players))
        result = table.result
        given = [self.points_of.win / sides] * sides
        if result is not None:
            given = scores(result, sides, self.points_of)
        elif self.points_of.draw is not None:
            given = [self.points_of.draw] * sides
        for seat, player in enumerate(players):
            side = seat % sides
            kind: Kind = "played"
            if result is not None and result.forfeit:
                kind = "forfeit-loss" if side + 1 in result.forfeit else "forfeit-win"
            elif result is not None:
                part = share_of(parse_result(result.result), side + 1)
                kind = "won" if part == 1 else "shared" if part else "lost"
            round_turns[player] = Turn(
                kind,
                given[side],
                tuple(one for k, one in enumerate(players) if k % sides != side),
                tuple(one for k, one in enumerate(players) if k % sides == side and k != seat),
                led=seat + 1 == table.table.leader,
            )

    def points(self, number: int) -> float:
        """Return the points of an entrant before the round."""
        return round(sum(turn.points for turn in self.of(number)), 6)

    def met(self, number: int) -> Counter[int]:
        """Return how often an entrant played against each other one."""
        return Counter(one for turn in self.of(number) if turn.played for one in turn.against)

    def partners(self, number: int) -> Counter[int]:
        """Return how often an entrant played with each other one as a partner."""
        return Counter(one for turn in self.turns[number] if turn.played for one in turn.partners)

    def had_bye(self, number: int) -> bool:
        """Whether an entrant got a win without a game: a bye, a requested full one, or a forfeit.

        After a requested bye of half a point or none, an entrant may still get one.
        """
        return any(turn.kind in ("pairing", "full", "forfeit-win") for turn in self.of(number))

    def leads(self, number: int) -> list[bool]:
        """Return for each game played whether the entrant led the first trick."""
        return [turn.led for turn in self.turns[number] if turn.played]


def present(board: Board, round: int) -> list[Entrant]:
    """Return the entrants of a round: neither withdrawn nor with a requested bye."""
    away = {one.entrant for one in board.absences if one.round == round}
    away |= {entrant for entrant, first in board.withdrawn.items() if first <= round}
    return [one for one in board.entrants if one.number not in away]
