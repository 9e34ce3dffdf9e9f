"""Swiss systems: compared with all possible pairings, and with another program's."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from directing.events import an_event, played_on, with_results, with_round
from examples import number_of
from hypothesis import given, settings
from hypothesis import strategies as st

from claimlog.directing.history import History
from claimlog.directing.model import Bye, Entrant, Points, Table, TableResult
from claimlog.directing.pairing.field import Field
from claimlog.directing.pairing.outcome import Unpairable
from claimlog.directing.pairing.pair import pair, remarks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from claimlog.directing.board import Board
    from claimlog.directing.pairing.outcome import Pairing, Relaxation

needs_events = pytest.mark.needs("py4swiss")
SYSTEMS = ["casual", pytest.param("swiss", marks=needs_events)]


def every_pairing(players: list[int]) -> Iterator[list[tuple[int, int]]]:
    """All ways to pair players; 0 is the bye."""
    if not players:
        yield []
        return
    first, *others = players
    for other in others:
        for rest in every_pairing([one for one in others if one != other]):
            yield [(first, other), *rest]


def fewest_rematches(board: Board, here: list[int], *, second_bye: bool = False) -> int | None:
    """The minimum number of rematches; None if everybody has had a bye."""
    history = History(board, len(board.rounds) + 1)
    met = {frozenset((one, other)) for one in here for other in history.met(one)}
    players = [*here, 0] if len(here) % 2 else here
    counts = [
        sum(frozenset(couple) in met for couple in pairs)
        for pairs in every_pairing(players)
        if second_bye or not any(history.had_bye(max(couple)) for couple in pairs if 0 in couple)
    ]
    return min(counts, default=None)


def check_round(board: Board, pairing: Pairing, here: list[int]) -> int:
    """Check that everybody plays or has a bye, once; return the number of rematches."""
    seated = [player for table in pairing.tables for player in table.players]
    assert sorted(seated + [bye.entrant for bye in pairing.byes]) == here
    assert len(pairing.byes) == len(here) % 2
    history = History(board, len(board.rounds) + 1)
    again = [
        table.number
        for table in pairing.tables
        if table.players[1] in history.met(table.players[0])
    ]
    assert [one.table for one in pairing.remarks if one.key == "remark.rematch"] == again
    return len(again)


def tried(board: Board, round: int, *relax: Relaxation) -> tuple[Pairing | None, Unpairable | None]:
    """A round, or why it cannot be paired; the reason has a text in both languages."""
    try:
        return pair(board, round, relax), None
    except Unpairable as error:
        refused = error
    assert len({refused.worded("en"), refused.worded("de")}) == 2
    return None, refused


@pytest.mark.parametrize("system", SYSTEMS)
@settings(max_examples=number_of(0.25))
@given(st.integers(2, 8), st.integers(0, 10**6), st.booleans())
def test_nobody_meets_again_or_has_a_second_bye_before_it_must_be(
    system: str, count: int, seed: int, late: bool
) -> None:
    """Until no pairing is left; then with the fewest rematches, counted by trying all."""
    chance = random.Random(seed)
    board = an_event(count, system=system, rounds=9)
    if late:
        new = Entrant(number=count + 1, name="late", rating=2500)
    for round in range(1, 9):
        if late and round == 2:
            board = msgspec.structs.replace(board, entrants=(*board.entrants, new))
        here = [one.number for one in board.entrants]
        needed = fewest_rematches(board, here)
        pairing, refused = tried(board, round)
        if pairing is not None:
            assert needed == 0
        elif refused.key == "pairing.leader-again":
            assert needed == 0
            assert tried(board, round, "bye", "rematch")[1] is not None
            pairing = pair(board, round, refused.relax)
        elif needed is None:
            assert (refused.key, refused.relax) == ("pairing.bye-again", ("bye",))
            pairing = pair(board, round, ["bye", "rematch"])
            assert [one.key for one in pairing.remarks].count("remark.bye") == 1
            needed = fewest_rematches(board, here, second_bye=True)
        else:
            assert needed > 0
            assert "rematch" in refused.relax
            pairing = pair(board, round, ["rematch"])
        assert check_round(board, pairing, here) == needed
        board = played_on(board, pairing, chance)


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_leads_is_balanced(system: str) -> None:
    board = an_event(16, system=system, rounds=7)
    chance = random.Random(5)
    for round in range(1, 8):
        board = played_on(board, pair(board, round), chance)
    history = History(board, 8)
    for number in range(1, 17):
        leads = history.leads(number)
        assert abs(leads.count(True) - leads.count(False)) <= 3
        if system == "swiss":
            assert abs(leads.count(True) - leads.count(False)) <= 1


def caissify_players(field: Field) -> list[dict[str, Any]]:
    """The players in the form that caissify-pairings expects."""
    players = []
    for unit in field.everybody:
        floats = []
        for number, (turn, _) in enumerate(field.turns(unit)):
            before = sum(one.points for one, _ in field.turns(unit)[:number])
            if not turn.played:
                floats.append("down")
                continue
            theirs = sum(one.points for one in field.history.turns[turn.against[0]][:number])
            floats.append("down" if before > theirs else "up" if before < theirs else "none")
        turns = field.turns(unit)
        players.append({
            "id": unit.rank, "name": "", "score": field.score(unit), "rating": 3000 - unit.rank,
            "starting_number": unit.rank, "pairing_number": unit.rank,
            "color_hist": [("white" if led else "black") for turn, led in turns if turn.played],
            "float_history": floats,
            "bye_count": sum(turn.kind == "pairing" for turn, _ in turns),
        })  # fmt: skip
    return players


@pytest.mark.needs("py4swiss", "caissify_pairings")
def test_two_programs_pair_the_dutch_system_alike() -> None:
    """Random events with few and with many players, odd and even."""
    import caissify_pairings as caissify

    compared = different = 0
    for seed in range(number_of(COMPARED)):
        chance = random.Random(seed)
        count = chance.randint(8, 24)
        board = an_event(count, system="swiss", rounds=5)
        for round in range(1, 6):
            field = Field(board, round)
            pairing = pair(board, round)
            mine = {frozenset(table.players) for table in pairing.tables}
            others = caissify.generate_pairings(
                system="dutch", players=caissify_players(field), round_number=round, total_rounds=5,
                previous_pairings={
                    (one.key, other) for one in field.units for other in field.history.met(one.key)
                },
            )  # fmt: skip
            theirs = {
                frozenset((one["white_id"], one["black_id"])) for one in others if one["black_id"]
            }
            compared += 1
            different += mine != theirs
            board = played_on(board, pairing, chance)
    assert different <= compared * 0.03, f"{different} of {compared}"


COMPARED = 0.2
"""Events of five rounds, as a multiple of the usual number of examples."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_it_is_the_events_own_points_that_count(system: str) -> None:
    """A shared win gives as much as a lost game: winners meet winners."""
    board = an_event(8, system=system, points=Points(win=3, draw=0, loss=0))
    board = with_round(board, [Table(number=k, players=(k, k + 4)) for k in range(1, 5)])
    board = with_results(board, {1: "1-0", 2: "1/2-1/2", 3: "1/2-1/2", 4: "0-1"})
    assert {frozenset(table.players) for table in pair(board, 2).tables} >= {frozenset((1, 8))}


def test_a_locked_table_stays_and_the_others_are_paired() -> None:
    board = an_event(6, system="casual")
    board = with_round(board, pair(board, 1).tables, state="paired")
    last = board.rounds[0]
    kept = msgspec.structs.replace(
        last.tables[1],
        locked=True,
        players=(1, 2),
        table=Table(number=2, players=(1, 2)),
    )
    rounds = (msgspec.structs.replace(last, tables=(kept,)),)
    pairing = pair(msgspec.structs.replace(board, rounds=rounds), 1)
    assert pairing.tables[1] == kept.table
    assert sorted(player for table in pairing.tables for player in table.players) == [*range(1, 7)]


def test_what_a_director_should_know_is_told_and_not_refused() -> None:
    """A rematch, a second bye, the lead a third time, one club: by hand everything is allowed."""
    people = [Entrant(number=k, name=f"P{k}", club="A" if k < 3 else "") for k in range(1, 6)]
    board = an_event(people, system="by-hand")
    tables = [Table(number=1, players=(1, 3)), Table(number=2, players=(2, 4))]
    for _ in range(2):
        board = with_round(board, tables, [Bye(entrant=5)])
    noted = remarks(board, 3, [Table(number=1, players=(1, 2)), tables[1]], [Bye(entrant=5)])
    assert [(one.key, one.entrants) for one in noted if one.key != "remark.unfinished"] == [
        ("remark.club", (1, 2)),
        ("remark.leads", (1,)),
        ("remark.rematch", (2, 4)),
        ("remark.leads", (2,)),
        ("remark.leads-not", (4,)),
        ("remark.left-out", (3,)),
        ("remark.bye", (5,)),
    ]
    assert [one.worded("de") for one in noted][-1] == (
        "P5 hatte schon ein Freilos oder hat kampflos gewonnen."
    )
    assert len([one for one in noted if one.key == "remark.unfinished"]) == 4


def test_a_rematch_of_teams_is_told_once() -> None:
    people = [Entrant(number=k, name=f"P{k}", team="AB"[k % 2]) for k in range(1, 5)]
    board = an_event(people, system="casual", seats=4, fixed_teams=True)
    table = Table(number=1, players=(1, 2, 3, 4))
    board = with_results(with_round(board, [table]), {1: "1-0"})
    noted = [one for one in remarks(board, 2, [table], []) if one.key == "remark.rematch"]
    assert [one.worded() for one in noted] == [
        "Table 1: P1 & P3 and P2 & P4 have met before, in round 1."
    ]
    assert noted[0].entrants == (1, 2, 3, 4)


def test_who_is_forgotten_is_named() -> None:
    """Also a table with fewer players than the event has; in a knock-out the others are out."""
    board = an_event(5, system="by-hand", seats=3)
    noted = remarks(board, 1, [Table(number=1, players=(1, 2))], [Bye(entrant=3)])
    assert [one.worded() for one in noted] == [
        "P4 has neither a table nor a bye.",
        "P5 has neither a table nor a bye.",
        "Table 1 has 2 players.",
    ]
    board = an_event(4, system="knock-out")
    board = with_round(board, pair(board, 1).tables)
    assert not remarks(with_results(board, {1: "1-0", 2: "1-0"}), 2, [], [])


def test_an_asked_for_bye_is_no_bye_of_the_pairing() -> None:
    board = an_event(4, system="casual")
    tables = [Table(number=1, players=(1, 2))]
    board = with_round(board, tables, [Bye(entrant=3, kind="half"), Bye(entrant=4, kind="full")])
    history = History(with_results(board, {1: TableResult(result="1-0", forfeit=(2,))}), 2)
    assert [history.had_bye(number) for number in (1, 2, 3, 4)] == [True, False, False, True]
    assert [history.points(number) for number in (1, 2, 3, 4)] == [1, 0, 0.5, 1]
    assert not history.met(1)
