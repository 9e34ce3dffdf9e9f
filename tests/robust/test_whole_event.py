"""A whole event: 24 entrants and a late one, seven rounds of Swiss, killed again and again.

With a withdrawal, two requested byes, a wrong result that is corrected two rounds later: the
standings equal an independent count, no two players meet twice, and nobody has a second bye.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from claimlog.directing import acts
from claimlog.directing.model import Bye, Entrant, Plan, TableResult
from claimlog.store import Archive

from .weekend import (
    GONE,
    ILL,
    LATE,
    RESTING,
    ROUNDS,
    WRONG,
    Seen,
    counted,
    result_of,
    turned,
)  # fmt: skip

pytest.importorskip("py4swiss", reason="needs the packages of claimlog[events]")

TESTS = Path(__file__).parents[1]
EVENT, STEPS = "Winter Open", 45


def step(archive: Archive) -> bool:
    """Do the next step; return False if the event is over."""

    def do(act: acts.Act) -> None:
        archive.direct(EVENT, act, by="Ruth")

    board = archive.desk(EVENT)
    current = board.rounds[-1] if board.rounds else None
    if current is not None and current.state == "paired":
        archive.start_round(EVENT, current.number, by="Ruth")
    elif current is not None and current.state == "running" and current.missing:
        number = current.missing[0]
        table = current.tables[number - 1]
        score = result_of(current.number, table.players)
        if (current.number, number) == WRONG:
            score = turned(score)
        result = TableResult(result=score)
        do(acts.ResultTyped(round=current.number, table=number, result=result))
    elif current is not None and current.state == "running":
        archive.close_round(EVENT, current.number, by="Ruth")
    elif current is not None and current.number == ROUNDS:
        return False
    else:
        return between(archive, len(board.rounds) + 1)
    return True


def between(archive: Archive, number: int) -> bool:
    """The actions before a round is paired, one after the other."""
    board = archive.desk(EVENT)
    absent = {(one.entrant, one.round) for one in board.absences}
    todo: acts.Act | None = None
    if number == 2 and len(board.entrants) < LATE:
        archive.enter(EVENT, [Entrant(name=f"Player {LATE}")], by="Ruth")
        return True
    if number == 3 and (RESTING, 3) not in absent:
        todo = acts.AskedForBye(entrant=RESTING, round=3, kind="half")
    elif number == 4 and GONE not in board.withdrawn:
        todo = acts.Withdrew(entrant=GONE, round=4)
    elif number == 4:
        table = board.rounds[1].tables[0]
        right = result_of(2, table.players)
        if table.result is not None and table.result.result != right:
            todo = acts.Corrected(round=2, table=1, result=TableResult(result=right))
    elif number == 5 and (ILL, 5) not in absent:
        todo = acts.AskedForBye(entrant=ILL, round=5, kind="zero")
    if todo is None:
        archive.pair_round(EVENT, by="Ruth")
    else:
        archive.direct(EVENT, todo, by="Ruth")
    return True


def play(path: str) -> None:
    """Do this number of steps, and then exit without a warning; or play to the end of the event."""
    with Archive.open(path) as archive:
        if not archive.desks():
            archive.create_event(EVENT, Plan(rounds=ROUNDS), by="Ruth")
            entrants = [Entrant(name=f"Player {n}", rating=2000 - 20 * n) for n in range(1, LATE)]
            archive.enter(EVENT, entrants, by="Ruth")
        for _ in range(STEPS):
            if not step(archive):
                return
            print(archive.desk(EVENT).act, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_weekend(tmp_path: Path) -> None:
    path = str(tmp_path / "games.duckdb")
    kills, acknowledged = 0, 0
    while True:
        call = f"from robust.test_whole_event import play; play({path!r})"
        done = subprocess.run(
            [sys.executable, "-c", call], cwd=TESTS, capture_output=True, text=True, check=False
        )
        acknowledged = int(done.stdout.split()[-1])
        with Archive.open(path) as archive:
            assert archive.desk(EVENT).act == acknowledged
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
        kills += 1
    assert kills > 1
    with Archive.open(path) as archive:
        board, standings = archive.desk(EVENT), archive.standings(EVENT)
        assert archive.check().good
    points = counted(
        Seen([table.players for table in round.tables], [bye.entrant for bye in round.byes])
        for round in board.rounds
    )
    assert len(board.rounds) == ROUNDS
    assert Bye(entrant=RESTING, kind="half") in board.rounds[2].byes
    assert Bye(entrant=ILL, kind="zero") in board.rounds[4].byes
    assert {line.name: line.points for line in standings.lines} == {
        f"Player {number}": share for number, share in points.items()
    }
    ranks = [(line.rank, tuple(line.values)) for line in standings.lines]
    assert all(one[1] > other[1] for one, other in pairwise(ranks) if one[0] != other[0])
    assert all(one[1] == other[1] for one, other in pairwise(ranks) if one[0] == other[0])
