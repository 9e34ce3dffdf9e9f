"""The field of a round: who is to be paired, and what the pairing needs to know about them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from claimlog.directing.desk import requested
from claimlog.directing.history import History, present
from claimlog.directing.model import seeded
from claimlog.directing.pairing.outcome import Pair, Unit, Unpairable

if TYPE_CHECKING:
    from claimlog.directing.board import Board, BoardTable
    from claimlog.directing.history import Turn
    from claimlog.directing.model import Entrant


class Field:
    """Who is to be paired in a round, as players or as teams, best seed first.

    Locked tables stay as they are; their players are not in `units`.  `wanted` are the byes
    that were requested.
    """

    def __init__(self, board: Board, round: int) -> None:
        self.board = board
        self.round = round
        self.teams = board.plan.of_teams
        self.everybody = self._units(list(board.entrants), whole=False)
        self.history = History(
            board, round, [unit.numbers for unit in self.everybody] if self.teams else ()
        )
        self.wanted = requested(board.absences, board.withdrawn, round)
        self.locked: list[BoardTable] = []
        here = present(board, round)
        if round <= len(board.rounds):
            playing = {one.number for one in here}
            self.locked = [
                table
                for table in board.rounds[round - 1].tables
                if table.locked and playing.issuperset(table.players)
            ]
        seated = {player for table in self.locked for player in table.players}
        self._unit_of = {number: unit for unit in self.everybody for number in unit.numbers}
        free = [one for one in here if one.number not in seated]
        if self.teams:
            self._units(free, whole=True)
        members: dict[int, list[Entrant]] = defaultdict(list)
        for one in seeded(free):
            members[self._unit_of[one.number].key].append(one)
        self._playing = {
            unit.key: unit._replace(members=tuple(members[unit.key]))
            for unit in self.everybody
            if unit.key in members
        }
        self.units = list(self._playing.values())
        self._met = {
            unit.key: {self._unit_of[number].key for number in self.history.met(unit.key)}
            for unit in self.everybody
        }
        self.scores = {unit.key: self.history.points(unit.key) for unit in self.everybody}

    def _units(self, entrants: list[Entrant], *, whole: bool) -> list[Unit]:
        """Return players or teams by seed; only complete teams with `whole`."""
        if not self.teams:
            return [Unit(one.number, (one,), k) for k, one in enumerate(seeded(entrants), 1)]
        teams: dict[str, list[Entrant]] = {}
        for one in seeded(entrants):
            teams.setdefault(one.team, []).append(one)
        if whole and "" in teams:
            key = "pairing.no-team" if len(teams[""]) > 1 else "pairing.no-team-one"
            raise Unpairable(key, names=teams[""])
        for team, members in teams.items():
            if whole and len(members) != 2:
                raise Unpairable("pairing.team", names=members, team=team, number=len(members))
        return [
            Unit(members[0].number, tuple(members), rank)
            for rank, members in enumerate(teams.values(), 1)
        ]

    def too_few(self, there: int, wanted: int) -> Unpairable:
        """Return that the round needs more players, or teams, than there are."""
        key = "pairing.few-teams" if self.teams else "pairing.few"
        return Unpairable(key, number=there, wanted=wanted)

    def unit(self, number: int) -> Unit:
        """Return the unit of an entrant, with all of its members."""
        return self._unit_of[number]

    def playing(self, unit: Unit) -> Unit:
        """Return a unit with the members who play in the round: a team may have a substitute."""
        return self._playing[unit.key]

    def have_met(self, one: Unit, other: Unit) -> bool:
        """Whether two units have played against each other."""
        return other.key in self._met[one.key]

    def score(self, unit: Unit) -> float:
        """Return a unit's points before the round."""
        return self.scores[unit.key]

    def had_bye(self, unit: Unit) -> bool:
        """Whether a unit may not get another bye."""
        return self.history.had_bye(unit.key)

    def turns(self, unit: Unit) -> list[tuple[Turn, bool]]:
        """Return a unit's rounds, each with whether its side led the first trick."""
        turns = zip(*(self.history.turns[number] for number in unit.numbers), strict=True)
        led = [any(turn.led for turn in round) for round in turns]
        return list(zip(self.history.of(unit.key), led, strict=True))

    def leads(self, unit: Unit) -> list[bool]:
        """Return for each game whether the unit's side led the first trick."""
        return [led for turn, led in self.turns(unit) if turn.played]

    def must_lead(self, unit: Unit) -> bool | None:
        """Whether a unit must lead next, or must not; None if neither, see `_must`."""
        return _must(self.leads(unit))

    def by_points(self) -> list[Unit]:
        """Return the units to be paired, most points first, then by seed."""
        return sorted(self.units, key=lambda unit: (-self.score(unit), unit.rank))

    def leading(self, one: Unit, other: Unit) -> Pair:
        """Decide which of two units leads the first trick.

        The one that has led less often; then the one that led longer ago, looking back to where
        they differ; then the higher ranked if its place in the seeding is odd, otherwise the other.
        """
        leads, others = self.leads(one), self.leads(other)
        wish, against = _wish(leads), _wish(others)
        if wish != against:
            return Pair(one, other) if wish > against else Pair(other, one)
        for mine, theirs in zip(reversed(leads), reversed(others), strict=False):
            if mine != theirs:
                return Pair(other, one) if mine else Pair(one, other)
        high, low = sorted((one, other), key=lambda unit: (-self.score(unit), unit.rank))
        return Pair(high, low) if high.rank % 2 else Pair(low, high)

    def clash(self, one: Unit, other: Unit) -> bool:
        """Whether one of two must lead, or not lead, a third time in a row or in excess."""
        must = self.must_lead(one)
        return must is not None and must == self.must_lead(other)


def _wish(leads: list[bool]) -> tuple[int, int]:
    """How strongly a unit should lead: an obligation first, then the difference."""
    must = _must(leads)
    urgent = 0 if must is None else 1 if must else -1
    return urgent, leads.count(False) - leads.count(True)


def _must(leads: list[bool]) -> bool | None:
    """Whether to lead next: after two of one kind in a row, or two more of one, the other."""
    difference = leads.count(True) - leads.count(False)
    if difference > 1 or leads[-2:] == [True, True]:
        return False
    if difference < -1 or leads[-2:] == [False, False]:
        return True
    return None
