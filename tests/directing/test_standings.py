"""Standings at the desk, counted a second time, and their explanations."""

from __future__ import annotations

import msgspec
import pytest
from directing.events import after, an_event, with_results, with_round
from examples import few
from hypothesis import given
from hypothesis import strategies as st

from claimlog.directing.counting import TIEBREAKS
from claimlog.directing.model import Bye, Entrant, Points, Table, TableResult
from claimlog.directing.standings import (
    PlaceReason,
    crosstable,
    cut,
    explained,
    prizes,
    standings,
    team_table,
)

SHARES = {"1": 1.0, "0": 0.0, "1/2": 0.5}


def games_of(board):
    """(one, other, share of one, share of the other) of each two-player game."""
    return [
        (*table.players, *(SHARES[part] for part in table.result.result.split("-")))
        for round in board.rounds
        for table in round.tables
        if table.result is not None
    ]


def counted_again(board, order):
    """The values of all tie-breaks by entrant, counted independently; a bye is a won game."""
    games = games_of(board)
    games += [(other, one, theirs, mine) for one, other, mine, theirs in games]
    byes = [bye.entrant for round in board.rounds for bye in round.byes]
    everybody = [one.number for one in board.entrants]
    points = {
        who: sum(share for one, _, share, _ in games if one == who) + byes.count(who)
        for who in everybody
    }
    values = dict.fromkeys(everybody, ())
    for name in order:
        found = {}
        for who in everybody:
            mine = [(other, share) for one, other, share, _ in games if one == who]
            level = [other for other in everybody if values[other] == values[who]]
            found[who] = {
                "points": points[who],
                "votes": 0,
                "vote-difference": 0,
                "wins": sum(share == 1 for _, share in mine) + byes.count(who),
                "buchholz": sum(points[other] for other, _ in mine),
                "sonneborn-berger": sum(points[other] * share for other, share in mine),
                "head-to-head": sum(share for other, share in mine if other in level),
            }[name]
        values = {who: (*values[who], found[who]) for who in everybody}
    return values


@few
@given(st.integers(2, 12), st.integers(1, 5), st.integers(0, 10**6), st.permutations(TIEBREAKS))
def test_an_independent_count_agrees(count, rounds, seed, order):
    board = after(
        an_event(count, system="round-robin", tiebreaks=tuple(order)), min(rounds, count - 1), seed
    )
    ranking = standings(board)
    again = counted_again(board, order)
    assert {line.entrants[0]: line.values for line in ranking.lines} == again
    for line in ranking.lines:
        assert line.rank == 1 + sum(other > line.values for other in again.values())
    level = [values for values in again.values() if list(again.values()).count(values) > 1]
    assert sorted(line.values for tie in ranking.ties for line in tie) == sorted(level)


def three_way():
    """Of four players three beat each other in a circle, and all beat the fourth."""
    board = an_event(4, system="round-robin", tiebreaks=("points", "head-to-head", "wins"))
    rounds = [((1, 2), (3, 4)), ((2, 3), (1, 4)), ((3, 1), (2, 4))]
    for pairs in rounds:
        board = with_round(
            board, [Table(number=k, players=pair) for k, pair in enumerate(pairs, 1)]
        )
        board = with_results(board, {1: "1-0", 2: "1-0"})
    return board


def test_a_tie_of_three_is_said_and_not_decided_by_order():
    ranking = standings(three_way())
    assert [line.rank for line in ranking.lines] == [1, 1, 1, 4]
    assert [[line.name for line in tie] for tie in ranking.ties] == [["P1", "P2", "P3"]]
    assert [one.worded() for one in explained(ranking, 2)] == [
        "level with P1: no tie-break tells them apart",
        "level with P3: no tie-break tells them apart",
        "ahead of P4 by points: 2 to 0",
    ]
    assert explained(ranking, 4)[0].worded("de") == "hinter P1 nach Punkten: 0 zu 2"
    sure, level = cut(ranking.lines, 2)
    assert (sure, [line.name for line in level]) == ([], ["P1", "P2", "P3"])
    assert [line.name for line in cut(ranking.lines, 3)[0]] == ["P1", "P2", "P3"]


def test_a_reason_has_two_decimals_unless_the_difference_is_smaller():
    def told(mine, theirs, language="en"):
        reason = PlaceReason(
            name="P2", entrants=(2,), ahead=True, tiebreak="points", mine=mine, theirs=theirs
        )
        return reason.worded(language).partition(": ")[2]

    assert told(4 / 3, 1 / 3) == "1.33 to 0.33"
    assert told(4 / 3, 1, "de") == "1,33 zu 1"
    assert told(0.4444, 0.4412) == "0.4444 to 0.4412"


def test_head_to_head_says_among_whom():
    board = an_event(3, system="round-robin", tiebreaks=("points", "head-to-head", "wins"))
    board = msgspec.structs.replace(
        board, plan=msgspec.structs.replace(board.plan, tiebreaks=("head-to-head",))
    )
    for pair, score in (((1, 2), "1-0"), ((2, 3), "1/2-1/2"), ((1, 3), "1-0")):
        board = with_results(with_round(board, [Table(number=1, players=pair)]), {1: score})
    assert [one.worded() for one in explained(standings(board), 2)] == [
        "behind P1 by head-to-head: 0.5 to 2 (in games among P1, P2 and P3)",
        "level with P3: no tie-break tells them apart",
    ]


def test_byes_and_forfeits_count_as_agreed():
    points = Points(win=3, loss=0, forfeit=0, bye=2, half_bye=1)
    board = an_event(4, points=points)
    board = with_round(
        board,
        [Table(number=1, players=(1, 2))],
        [Bye(entrant=3), Bye(entrant=4, kind="half")],
    )
    board = with_results(board, {1: TableResult(result="1-0", forfeit=(2,))})
    assert {line.name: line.points for line in standings(board).lines} == {
        "P1": 3, "P2": 0, "P3": 2, "P4": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("points", "full", "half"),
    [(Points(win=3), 3, 1.5), (Points(win=3, bye=2), 2, 1), (Points(win=3, half_bye=1), 3, 1)],
)
def test_a_bye_gives_what_a_win_gives_unless_it_is_set(points, full, half):
    byes = [Bye(entrant=3), Bye(entrant=4, kind="half"), Bye(entrant=5, kind="zero")]
    board = with_round(an_event(5, points=points), [Table(number=1, players=(1, 2))], byes)
    given = {line.name: line.points for line in standings(board).lines}
    assert [given[name] for name in ("P3", "P4", "P5")] == [full, half, 0]


def test_a_bye_of_a_team_counts_once():
    people = [Entrant(number=k, name=f"P{k}", team="CAB"[(k - 1) // 2]) for k in range(1, 7)]
    points = Points(win=2, bye=3, half_bye=1)
    board = an_event(people, seats=4, fixed_teams=True, points=points, tiebreaks=("points", "wins"))
    assert [line.entrants for line in standings(board).lines] == [(1, 2), (3, 4), (5, 6)]
    table = Table(number=1, players=(3, 5, 4, 6))
    board = with_round(board, [table], [Bye(entrant=2), Bye(entrant=1)])
    board = with_results(board, {1: "1-0"})
    assert [(line.name, line.values, line.games) for line in standings(board).lines] == [
        ("P1 & P2", (3, 1), 1), ("P3 & P4", (2, 1), 1), ("P5 & P6", (0, 0), 1),
    ]  # fmt: skip
    assert explained(standings(board), 3)[0].worded() == "behind P1 & P2 by points: 2 to 3"
    # Partners who asked for different byes have that of the better seed, as in the pairing.
    byes = [Bye(entrant=1, kind="half"), Bye(entrant=2, kind="zero")]
    board = with_round(board, [table], byes, "running")
    assert [line.points for line in standings(board).lines] == [4, 2, 0]
    assert standings(with_round(board, [], byes, "paired")) == standings(board)


def test_a_round_that_has_not_begun_counts_nothing():
    board = with_round(an_event(3), [Table(number=1, players=(1, 2))], [Bye(entrant=3)], "paired")
    assert {line.points for line in standings(board).lines} == {0}


@pytest.fixture
def people():
    teams = ("A", "B", "A", "B", "")
    board = an_event(
        [
            Entrant(number=k, name=f"P{k}", team=team, category="youth" if k % 2 else "")
            for k, team in enumerate(teams, 1)
        ],
        system="round-robin",
    )
    pairs = [((1, 2), (3, 4)), ((1, 4), (3, 2))]
    for round in pairs:
        board = with_round(
            board, [Table(number=k, players=p) for k, p in enumerate(round, 1)], [Bye(entrant=5)]
        )
        board = with_results(board, {1: "1-0", 2: "1/2-1/2"})
    return board


def test_teams_by_the_points_of_their_best(people):
    ranking = standings(people)
    table = team_table(people, ranking)
    assert [(one.rank, one.team, one.points) for one in table] == [(1, "A", 3), (2, "B", 1)]
    best = team_table(people, ranking, best=1)
    assert [(one.team, one.points, one.members) for one in best] == [
        ("A", 2, (1,)),
        ("B", 0.5, (ranking.lines[3].entrants[0],)),
    ]


def test_prizes_of_a_category(people):
    ranking = standings(people)
    assert [(place, line.name) for place, line in prizes(people, ranking, "youth")] == [
        (1, "P1"),
        (2, "P5"),
        (3, "P3"),
    ]


def test_the_crosstable_has_each_game_from_both_sides(people):
    table = {row.player: row.cells for row in crosstable(people)}
    for one, cells in table.items():
        for cell in cells:
            back = next(other for other in table[cell.opponent] if other.opponent == one)
            assert cell.points + back.points == cell.games == back.games == 1
    assert {one: len(cells) for one, cells in table.items()} == {
        (1,): 2, (2,): 2, (3,): 2, (4,): 2, (5,): 0,
    }  # fmt: skip
