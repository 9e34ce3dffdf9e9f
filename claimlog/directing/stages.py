"""How far everybody has come in a knock-out, from the games and byes of its rounds.

The pairing decides who advances (`claimlog.directing.pairing.knockout`); this only reads it off.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from claimlog.directing.model import rounds_for
from claimlog.results import share_of
from claimlog.rules.setup import sides_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from claimlog.directing.board import Board
    from claimlog.directing.counting import Played
    from claimlog.directing.desk import Desk


def knockout_from(event: Board | Desk) -> int | None:
    """Return the first round of the knock-out; None if the event has none."""
    plan = event.plan
    if plan.system == "knock-out":
        return 1
    if plan.system != "groups":
        return None
    there: set[int] = set()
    for round in event.rounds[:1]:
        there = {player for place in round.tables for player in place.table.players}
        there |= {bye.entrant for bye in round.byes}
    teams = {event.entrant(one).team for one in there} if plan.of_teams else there
    # The groups were dealt in turn; who enters later can only take a free place.
    return rounds_for(max(2, -(-len(teams) // plan.groups))) + 1


def stages(games: Iterable[Played], first: int) -> dict[int, int]:
    """Return the round of the knock-out that each player has reached, from 1.

    The winner of the final has reached one more; others, such as those left in the groups, none.
    `first` is the round in which it began.  After a shared win those have advanced who are in the
    next round; losers have not, even if they play on, such as for the third place.
    """
    rounds: dict[int, list[Played]] = defaultdict(list)
    for game in games:
        if game.round is not None and game.round.isdecimal():
            rounds[int(game.round)].append(game)
    reached: dict[int, int] = {}
    # Whoever was left in the groups may have asked for a bye in that round.
    began = [game for game in rounds[first] if game.seats > 1 or share_of(game.result, 1) == 1]
    alive = set().union(*map(_players, began))
    number = first
    while alive:
        reached |= dict.fromkeys(alive, number - first + 1)
        next_round = set().union(*map(_players, rounds[number + 1]))
        through: set[int] = set()
        for game in rounds[number]:
            sides = sides_of(game.seats)
            for seat, player in enumerate(_players(game)):
                share = share_of(game.result, seat % sides + 1)
                if share == 1:
                    through.add(player)
                elif share == 0 and game.seats > 1:
                    alive.discard(player)
        alive &= through | next_round
        number += 1
    return reached


def _players(game: Played) -> list[int]:
    return [one for one in (game.p1, game.p2, game.p3, game.p4) if one is not None]
