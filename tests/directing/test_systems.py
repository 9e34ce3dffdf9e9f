"""Round robin, knock-out, groups, and tables of three and four."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import combinations
from typing import get_args

import msgspec
import pytest
from directing.events import after, an_event, played_on, with_results, with_round

from claimlog.cards import deck_of, deck_problem
from claimlog.directing.allowed import check_plan
from claimlog.directing.desk import Absence, Refused
from claimlog.directing.history import History
from claimlog.directing.model import Bye, Entrant, Points, System, Table, TableResult, rounds_for
from claimlog.directing.pairing.berger import berger
from claimlog.directing.pairing.knockout import bracket
from claimlog.directing.pairing.outcome import Unpairable
from claimlog.directing.pairing.pair import deck_for, pair
from claimlog.directing.pairing.rotation import arranged, evenness
from claimlog.directing.standings import crosstable, explained, standings


def seats(board):
    return [[table.players for table in round.tables] for round in board.rounds]


# Round robin -----------------------------------------------------------------------------------


@pytest.mark.needs("caissify_pairings")
@pytest.mark.parametrize("size", [4, 6, 10])
def test_the_tables_of_berger_are_those_of_another_program(size):
    from caissify_pairings.engines.round_robin import berger_schedule

    for round, pairs in enumerate(berger_schedule(size), 1):
        assert set(berger(size, round)) == set(pairs)


@pytest.mark.parametrize("count", [2, 5, 8])
def test_everybody_meets_everybody_once_and_then_with_the_other_lead(count):
    rounds = rounds_for(count)
    board = after(an_event(count, system="round-robin"), 2 * rounds)
    played = [tuple(table) for round in seats(board) for table in round]
    wanted = {pair for one, other in combinations(range(1, count + 1), 2)
              for pair in ((one, other), (other, one))}  # fmt: skip
    assert sorted(played) == sorted(wanted)
    byes = Counter(bye.entrant for round in board.rounds for bye in round.byes)
    assert byes == (Counter(dict.fromkeys(range(1, count + 1), 2)) if count % 2 else {})


def test_who_comes_late_meets_nobody_twice():
    chance = random.Random(1)
    for count in (5, 6):
        board = after(an_event(count, system="round-robin"), 2)
        late = Entrant(number=count + 1, name="late", rating=5000)
        board = msgspec.structs.replace(board, entrants=(*board.entrants, late))
        for round in range(3, 6):
            board = played_on(board, pair(board, round), chance)
        history = History(board, 6)
        for one in board.entrants:
            assert set(history.met(one.number).values()) <= {1}
        assert len(history.met(late.number)) == 3


# Knock-out -------------------------------------------------------------------------------------


def test_the_best_seeds_meet_last():
    for size in (2, 4, 8, 16):
        alive = bracket(size)
        while len(alive) > 1:
            pairs = list(zip(alive[::2], alive[1::2], strict=True))
            assert {one + other for one, other in pairs} == {len(alive) + 1}
            alive = [min(couple) for couple in pairs]


def test_a_knock_out_goes_on_with_the_winners():
    board = an_event(6, system="knock-out")
    pairing = pair(board, 1)
    assert sorted(bye.entrant for bye in pairing.byes) == [1, 2]
    assert {frozenset(table.players) for table in pairing.tables} == {
        frozenset((4, 5)), frozenset((3, 6)),
    }  # fmt: skip
    board = with_round(board, pairing.tables, pairing.byes)
    with pytest.raises(Unpairable, match="table 1 of round 1 has no result yet: P4 and P5"):
        pair(board, 2)
    tied = with_results(board, {1: "1/2-1/2", 2: "1-0"})
    with pytest.raises(Unpairable, match="table 1 of round 1 is a tie") as error:
        pair(tied, 2)
    assert error.value.relax == ("tie",)
    through = {frozenset(table.players) for table in pair(tied, 2, ["tie"]).tables}
    winner = pairing.tables[1].players[0]
    assert through == {frozenset((1, 4)), frozenset((2, winner))}
    absent = {1: TableResult(result="1-0", forfeit=(2,)), 2: "0-1"}
    board = with_results(board, absent)
    board = with_round(board, pair(board, 2).tables)
    board = with_results(board, {1: "1-0", 2: "1-0"})
    last = pair(board, 3)
    assert len(last.tables) == 1
    board = with_results(with_round(board, last.tables), {1: "1-0"})
    with pytest.raises(Unpairable, match="the knock-out is over"):
        pair(board, 4)


def swapped(tables, one, other):
    """Tables on which two have exchanged their places."""
    swap = {one: other, other: one}
    return [
        msgspec.structs.replace(table, players=tuple(swap.get(who, who) for who in table.players))
        for table in tables
    ]


def won_by_the_first(board):
    return with_results(board, {table.number: "1-0" for table in board.rounds[-1].tables})


def next_players(board):
    """Who plays in the next round, by table, and who has a bye."""
    pairing = pair(board, len(board.rounds) + 1)
    pairs = {frozenset(table.players) for table in pairing.tables}
    return pairs, [bye.entrant for bye in pairing.byes]


def test_a_knock_out_goes_on_with_whoever_played():
    """After an exchange, with a bye, too, and after a round that was paired by hand."""
    board = an_event(8, system="knock-out")
    first = pair(board, 1).tables
    assert [table.players for table in first] == [(1, 8), (5, 4), (7, 2), (3, 6)]
    after = won_by_the_first(with_round(board, swapped(first, 4, 3)))
    assert next_players(after) == ({frozenset((1, 5)), frozenset((7, 4))}, [])
    second = swapped(pair(after, 2).tables, 1, 7)
    after = won_by_the_first(with_round(after, second))
    assert next_players(after) == ({frozenset(table.players[0] for table in second)}, [])
    by_hand = [Table(number=n, players=(2 * n - 1, 2 * n)) for n in range(1, 5)]
    after = won_by_the_first(with_round(board, by_hand))
    assert next_players(after) == ({frozenset((1, 3)), frozenset((5, 7))}, [])
    # A game for the third place is no part of it.
    second = [*pair(after, 2).tables, Table(number=3, players=(2, 4))]
    after = won_by_the_first(with_round(after, second))
    assert len(next_players(after)[0]) == 1

    board = an_event(6, system="knock-out")
    paired = pair(board, 1)
    byes = [Bye(entrant={1: 3}.get(bye.entrant, bye.entrant)) for bye in paired.byes]
    after = won_by_the_first(with_round(board, swapped(paired.tables, 1, 3), byes))
    assert next_players(after) == ({frozenset((3, 5)), frozenset((1, 2))}, [])


def test_nobody_comes_back_into_a_knock_out_by_a_correction():
    board = an_event(8, system="knock-out")
    board = won_by_the_first(with_round(board, pair(board, 1).tables))
    wanted = next_players(board)
    change = msgspec.structs.replace
    for rating in (None, 9000):
        late = Entrant(number=9, name="Late", rating=rating)
        assert next_players(change(board, entrants=(*board.entrants, late))) == wanted
    (remark,) = pair(change(board, entrants=(*board.entrants, late)), 2).remarks
    assert remark.worded("en") == "Late was entered after round 1, and no place is free."
    for number in range(1, 9):
        entrants = [
            change(one, rating=9000 if one.number == number else one.rating)
            for one in board.entrants
        ]
        assert next_players(change(board, entrants=tuple(entrants))) == wanted, number


def test_who_comes_late_takes_a_free_place_in_a_group():
    board = an_event(7, system="groups", groups=2, advance=2)
    board = won_by_the_first(with_round(board, pair(board, 1).tables, pair(board, 1).byes))
    change = msgspec.structs.replace
    late = [Entrant(number=n, name=f"P{n}", rating=9000) for n in (8, 9)]
    board = change(board, entrants=(*board.entrants, *late))
    groups = [{1, 4, 5, 8}, {2, 3, 6, 7}]
    for round in (2, 3):
        pairing = pair(board, round)
        assert {one.entrants for one in pairing.remarks} == {(9,)}
        assert sum(table.players[0] in groups[0] for table in pairing.tables) == 2
        for table in pairing.tables:
            assert any(set(table.players) <= group for group in groups)
        board = won_by_the_first(with_round(board, pairing.tables, pairing.byes))
    met = [frozenset(table.players) for round in board.rounds for table in round.tables]
    assert len(met) == len(set(met)) == 11


def test_groups_and_then_a_knock_out_of_their_best():
    board = an_event(8, system="groups", groups=2, advance=2, tiebreaks=("points", "wins"))
    groups = [{1, 4, 5, 8}, {2, 3, 6, 7}]
    for round in range(1, 4):
        pairing = pair(board, round)
        for table in pairing.tables:
            assert any(set(table.players) <= group for group in groups)
        # The better seed wins.
        board = with_round(board, pairing.tables)
        board = with_results(
            board,
            {
                table.number: "1-0" if table.players[0] < table.players[1] else "0-1"
                for table in pairing.tables
            },
        )
    pairing = pair(board, 4)
    assert {frozenset(table.players) for table in pairing.tables} == {
        frozenset((1, 3)), frozenset((2, 4)),
    }  # fmt: skip
    everybody_level = msgspec.structs.replace(
        board,
        rounds=tuple(
            msgspec.structs.replace(
                round,
                tables=tuple(
                    msgspec.structs.replace(table, result=TableResult(result="1/2-1/2"))
                    for table in round.tables
                ),
            )
            for round in board.rounds
        ),
    )
    with pytest.raises(Unpairable, match="are level for the last places") as error:
        pair(everybody_level, 4)
    assert [one.number for one in error.value.entrants] == [1, 4, 5, 8]
    final = pair(everybody_level, 4, error.value.relax)
    assert final.tables
    later = with_round(everybody_level, final.tables)
    later = with_results(later, {1: "1-0", 2: "0-1"})
    assert len(pair(later, 5).tables) == 1
    single = msgspec.structs.replace(everybody_level.plan, advance=1)
    with pytest.raises(Unpairable, match="at the top of their group: only one advances"):
        pair(msgspec.structs.replace(everybody_level, plan=single), 4)


@pytest.mark.parametrize("advanced", [0, 1])
def test_a_tie_that_was_decided_stays_decided(advanced):
    board = an_event(8, system="knock-out")
    first = pair(board, 1)
    board = with_round(board, first.tables)
    board = with_results(board, {1: "1/2-1/2"} | dict.fromkeys((2, 3, 4), "1-0"))
    through = {first.tables[0].players[advanced]} | {one.players[0] for one in first.tables[1:]}
    # The director may have decided against the better seed, by an exchange or by hand.
    second = pair(board, 2, ["tie"])
    swap = dict.fromkeys(first.tables[0].players, first.tables[0].players[advanced])
    tables = [
        msgspec.structs.replace(one, players=tuple(swap.get(who, who) for who in one.players))
        for one in second.tables
    ]
    assert {who for one in tables for who in one.players} == through
    board = with_results(with_round(board, tables), {1: "1-0", 2: "1-0"})
    (final,) = pair(board, 3).tables
    assert set(final.players) == {one.players[0] for one in tables}


# Three and four --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "size", "rounds", "met"),
    [
        (9, 3, 4, {1: 36}),  # everybody met everybody, once
        (16, 4, 5, {1: 120}),  # the same
        (15, 3, 5, {0: 30, 1: 75}),
        (12, 3, 4, {0: 18, 1: 48}),
        (32, 4, 8, {0: 112, 1: 384}),
        (20, 4, 5, {0: 40, 1: 150}),
        (28, 4, 7, {0: 84, 1: 294}),
    ],
)
def test_all_meet_as_evenly_as_can_be(count, size, rounds, met):
    board = after(an_event(count, system="rotation", seats=size), rounds)
    assert evenness(seats(board))[0] == met


@pytest.mark.parametrize("system", ["rotation", "casual"])
@pytest.mark.parametrize(("count", "size"), [(10, 3), (14, 4)])
def test_tables_are_full_and_byes_go_around(system, count, size):
    """Players left over have a bye, and nobody has a second one."""
    board = after(an_event(count, system=system, seats=size), 5)
    for round in board.rounds:
        seated = [player for table in round.tables for player in table.players]
        byes = [bye.entrant for bye in round.byes]
        assert sorted(seated + byes) == [*range(1, count + 1)]
        assert len(byes) == count % size
    byes = Counter(bye.entrant for round in board.rounds for bye in round.byes)
    assert max(byes.values()) == 1


def test_partners_change():
    """At tables of four nobody plays with the same partner twice in five rounds."""
    board = after(an_event(16, system="rotation", seats=4), 5)
    assert set(evenness(seats(board))[1]) == {0, 1}


def test_by_points_those_with_as_many_meet():
    board = after(an_event(12, system="casual", seats=3), 1)
    history = History(board, 2)
    pairing = pair(board, 2)
    spread = [
        max(points) - min(points)
        for points in ([history.points(one) for one in table.players] for table in pairing.tables)
    ]
    assert sum(spread) <= 2
    assert evenness([*seats(board), [table.players for table in pairing.tables]])[0].keys() == {
        0,
        1,
    }


def teams(count):
    return [
        Entrant(number=k, name=f"P{k}", team=f"T{(k - 1) // 2}", rating=3000 - k)
        for k in range(1, count + 1)
    ]


@pytest.mark.parametrize("system", ["casual", "round-robin"])
def test_teams_of_two_stay_together(system):
    board = after(an_event(teams(10), system=system, seats=4, fixed_teams=True), 4)
    met = Counter()
    for round in board.rounds:
        assert len(round.byes) == 2
        for table in round.tables:
            sides = [frozenset((one + 1) // 2 for one in table.players[k::2]) for k in (0, 1)]
            assert [len(side) for side in sides] == [1, 1]
            met[frozenset().union(*sides)] += 1
    assert set(met.values()) == {1}


@pytest.mark.parametrize(
    ("system", "there", "least"), [("casual", 1, 2), ("knock-out", 1, 2), ("groups", 3, 4)]
)
def test_too_few_teams_are_counted_as_teams(system, there, least):
    options = {"system": system, "seats": 4, "fixed_teams": True, "groups": 2, "advance": 1}
    with pytest.raises(Unpairable) as refused:
        pair(an_event(teams(2 * there), **options), 1)
    said = f"the round needs {least} teams; {there} can be paired"
    assert refused.value.worded().startswith(said)
    assert f"{least} Teams, bereit: {there};" in refused.value.worded("de")
    with pytest.raises(Unpairable, match="the round needs 2 players; 1 can be paired"):
        pair(an_event(1, system="casual"), 1)


@pytest.mark.parametrize(
    ("seats", "people", "byes"), [(2, 3, 1), (3, 4, 1), (3, 5, 2), (4, 6, 2), (4, 7, 3)]
)
def test_a_second_bye_names_those_who_have_had_one(seats, people, byes):
    """Also where the number of players is even, and where some have had none."""
    board = after(an_event(people, system="casual", seats=seats), people // byes)
    with pytest.raises(Unpairable, match=r"^a bye has to go to somebody") as refused:
        pair(board, len(board.rounds) + 1)
    had = {bye.entrant for round in board.rounds for bye in round.byes}
    assert {one.number for one in refused.value.entrants} == had


def test_a_team_that_is_not_whole_is_told():
    people = teams(6)
    board = an_event(people, system="casual", seats=4, fixed_teams=True)
    away = Absence(entrant=2, round=1, kind="zero")
    with pytest.raises(Unpairable, match="team T0 has two players in each round, not 1: P1"):
        pair(msgspec.structs.replace(board, absences=(away,)), 1)
    lone = [*people, Entrant(number=7, name="P7")]
    with pytest.raises(Unpairable, match="P7 is in no team"):
        pair(an_event(lone, system="casual", seats=4, fixed_teams=True), 1)


@pytest.mark.parametrize(
    ("plan", "count", "why"),
    [
        ({"system": "by-hand"}, 4, "paired by hand"),
        ({"system": "knock-out", "seats": 3}, 6, "for two sides, not for tables of three"),
        ({"system": "groups", "seats": 4}, 8, "partners stay together"),
        ({"system": "rotation", "seats": 4}, 3, "needs 4 players; 3 can"),
        ({"system": "casual"}, 1, "needs 2 players; 1 can"),
    ],
)
def test_what_cannot_be_paired_is_said(plan, count, why):
    with pytest.raises(Unpairable, match=why):
        pair(an_event(count, **plan), 1)


@pytest.mark.parametrize(("seats", "fixed"), [(2, False), (3, False), (4, False), (4, True)])
@pytest.mark.parametrize(
    "system",
    [
        pytest.param(one, marks=pytest.mark.needs("py4swiss") if one == "swiss" else ())
        for one in sorted(set(get_args(System)) - {"by-hand"})
    ],
)
def test_a_system_is_refused_for_an_event_exactly_if_it_can_pair_no_round(system, seats, fixed):
    board = an_event(teams(8), system=system, seats=seats, fixed_teams=fixed)
    try:
        check_plan(board.plan)
    except Refused as refused:
        with pytest.raises(Unpairable, match=re.escape(str(refused))):
            pair(board, 1)
    else:
        assert pair(board, 1).tables


def test_who_withdrew_or_asked_for_a_bye_is_not_paired():
    board = an_event(6, system="casual")
    board = msgspec.structs.replace(
        board, withdrawn={3: 1}, absences=(Absence(entrant=2, round=1, kind="half"),)
    )
    pairing = pair(board, 1)
    assert sorted(one for table in pairing.tables for one in table.players) == [1, 4, 5, 6]
    assert [(bye.entrant, bye.kind) for bye in pairing.byes] == [(2, "half")]


@pytest.mark.parametrize(("count", "size", "win", "seed"), [(15, 3, 1, 2), (24, 4, 3, 1)])
def test_nobody_meets_again_by_points_if_it_can_be_avoided(count, size, win, seed):
    """Seeds whose fifth round had rematches when players were only exchanged two by two."""
    chance = random.Random(seed)
    board = an_event(count, system="casual", seats=size, points=Points(win=win))
    for round in range(1, 6):
        pairing = pair(board, round)
        assert pair(board, round) == pairing
        board = played_on(board, pairing, chance)
    assert set(evenness(seats(board))[0]) == {0, 1}


def test_points_never_outweigh_a_rematch():
    met = Counter({frozenset((1, 2)): 1, frozenset((3, 4)): 1})
    points = {one: 90.0 if one < 3 else 0.0 for one in range(1, 7)}
    for table in arranged(list(points), 3, 2, met, points):
        assert not {frozenset(couple) for couple in combinations(table, 2)} & set(met)


# Decks -----------------------------------------------------------------------------------------


def test_the_deck_of_a_round_is_planned_or_drawn():
    fixed = an_event(4, system="casual", decks=("GKUWX",))
    assert [table.deck for table in pair(fixed, 1).tables] == ["GKUWX"] * 2
    by_round = an_event(4, decks=("GKUWX", "NIDST"))
    assert [deck_for(by_round, round) for round in (1, 2)] == ["GKUWX", "NIDST"]
    assert deck_for(an_event(4), 1) == ""
    for seats, plan in ((2, {}), (3, {"rules": "Classic"})):
        drawn = an_event(6, system="casual", seats=seats, draw=True, **plan)
        decks = {deck_for(drawn, 1, random.Random(seed)) for seed in range(9)}
        assert len(decks) > 1
        for deck in decks:
            assert deck_problem(deck_of(deck), seats, classic=bool(plan)) is None
        pairing = pair(drawn, 1)
        assert len({table.deck for table in pairing.tables}) == 1
        again = with_round(drawn, pairing.tables, pairing.byes, "paired")
        assert {pair(again, 1).tables[0].deck for _ in range(5)} == {pairing.tables[0].deck}


# Rounds without tables -------------------------------------------------------------------------


def with_byes(board, round, *entrants):
    """The event in which these entrants have asked for a bye in a round."""
    asked = tuple(Absence(entrant=one, round=round, kind="half") for one in entrants)
    return msgspec.structs.replace(board, absences=(*board.absences, *asked))


@pytest.mark.parametrize(
    ("plan", "count"),
    [
        ({"system": "groups"}, 6),
        ({"system": "groups", "groups": 3}, 12),
        ({"system": "round-robin"}, 4),
        ({"system": "casual"}, 4),
        ({"system": "rotation"}, 4),
        ({"system": "rotation", "seats": 3}, 6),
        ({"system": "rotation", "seats": 4}, 8),
        ({"system": "casual", "seats": 4}, 8),
        pytest.param({"system": "swiss"}, 4, marks=pytest.mark.needs("py4swiss")),
    ],
)
@pytest.mark.parametrize("here", [0, 1])
def test_a_round_in_which_everybody_asked_for_a_bye_is_one_of_byes(plan, count, here):
    """Also if one is left without an opponent; the event goes on after it."""
    board = played_on(an := an_event(count, **plan), pair(an, 1), random.Random(1))
    pairing = pair(with_byes(board, 2, *range(1, count + 1 - here)), 2)
    assert not pairing.tables
    kinds = Counter(bye.kind for bye in pairing.byes)
    assert kinds == Counter(half=count - here, pairing=here)
    assert pair(with_round(board, (), pairing.byes), 3).tables


def test_a_round_of_byes_of_teams():
    entrants = [Entrant(number=n, name=f"P{n}", team=f"T{(n + 1) // 2}") for n in range(1, 9)]
    board = an_event(entrants, system="round-robin", seats=4, fixed_teams=True)
    for here in (0, 2):
        pairing = pair(with_byes(board, 1, *range(1, 9 - here)), 1)
        assert (len(pairing.tables), len(pairing.byes)) == (0, 8)


@pytest.mark.parametrize("system", ["casual", "round-robin", "knock-out", "groups", "rotation"])
def test_a_round_that_nobody_plays_or_sits_out_says_what_to_do(system):
    board = an_event(4, system=system)
    gone = msgspec.structs.replace(board, withdrawn=dict.fromkeys(range(1, 5), 1))
    with pytest.raises(Unpairable, match="0 can be paired: enter more, or bring back"):
        pair(gone, 1)


@pytest.mark.parametrize("system", ["knock-out", "groups"])
def test_a_knock_out_is_not_ended_by_byes_of_all_who_are_left(system):
    board = an_event(4, system=system)
    board = won_by_the_first(with_round(board, pair(board, 1).tables))
    pairing = pair(board, 2)
    through = [player for table in pairing.tables for player in table.players]
    for asked in (through, range(1, 5)):
        with pytest.raises(Unpairable, match="nobody who is still in plays round 2"):
            pair(with_byes(board, 2, *asked), 2)


def test_the_last_one_left_in_a_knock_out_wins_it():
    """All others have withdrawn, the losers, too."""
    board = an_event(4, system="knock-out")
    board = won_by_the_first(with_round(board, pair(board, 1).tables))
    (final,) = pair(board, 2).tables
    gone = dict.fromkeys({1, 2, 3, 4} - {final.players[0]}, 2)
    pairing = pair(msgspec.structs.replace(board, withdrawn=gone), 2)
    assert not pairing.tables
    assert [bye.entrant for bye in pairing.byes] == [final.players[0]]
    (told,) = pairing.remarks
    wanted = f"Nobody else is left: this bye decides the knock-out for P{final.players[0]}."
    assert told.worded() == wanted
    with pytest.raises(Unpairable, match="the knock-out is over"):
        pair(with_round(board, (), pairing.byes), 3)


@pytest.mark.parametrize("system", ["knock-out", "groups"])
def test_a_knock_out_is_decided_as_soon_as_one_is_left(system):
    """One round of only a bye, which puts the winner first, is enough."""
    board = an_event(8, system=system, groups=1, advance=8)
    while len(board.rounds) < (1 if system == "knock-out" else 8):
        board = won_by_the_first(
            with_round(board, pair(board, len(board.rounds) + 1, ["tie"]).tables)
        )
    now = len(board.rounds) + 1
    last = pair(board, now).tables[0].players[0]
    board = msgspec.structs.replace(board, withdrawn=dict.fromkeys(set(range(1, 9)) - {last}, now))
    pairing = pair(board, now)
    assert [bye.entrant for bye in pairing.byes] == [last]
    assert [one.key for one in pairing.remarks] == ["remark.won"]
    board = with_round(board, (), pairing.byes)
    with pytest.raises(Unpairable, match=f"the knock-out is over: P{last} has won it"):
        pair(board, now + 1)
    assert standings(board).lines[0].entrants == (last,)
    assert standings(board).lines[1].values[0] < standings(board).lines[0].values[0]


def test_a_knock_out_is_over_if_nobody_came():
    board = an_event(4, system="knock-out")
    tables = pair(board, 1).tables
    nobody = TableResult(result="0-0", forfeit=(1, 2))
    board = with_results(with_round(board, tables), {one.number: nobody for one in tables})
    with pytest.raises(Unpairable, match="the knock-out is over"):
        pair(board, 2)


# How far somebody has come ---------------------------------------------------------------------


def next_round(board):
    """The pairing of the next round; None if the knock-out is over, and who has won it, if any."""
    try:
        return pair(board, len(board.rounds) + 1, ["tie"]), None
    except Unpairable as error:
        if error.key == "pairing.final-tie":
            return None, None
        if error.key in ("pairing.won", "pairing.won-team"):
            return None, error.entrants[0].number
        raise


@pytest.mark.parametrize("system", ["knock-out", "groups"])
@pytest.mark.parametrize("count", [5, 8, 11])
def test_places_say_how_far_everybody_has_come(system, count):
    """Whoever the pairing lets advance has reached the round, whatever the points are."""
    first = 1 if system == "knock-out" else rounds_for(-(-count // 2)) + 1
    for seed in range(12):
        chance = random.Random(seed)
        board = an_event(count, system=system, groups=2, advance=2, points=Points(draw=0.9))
        came = {one.number: 0 for one in board.entrants}
        pairing, winner = next_round(board)
        while pairing is not None:
            board = played_on(board, pairing, chance)
            if len(board.rounds) >= first:
                placed = [player for table in pairing.tables for player in table.players]
                placed += [bye.entrant for bye in pairing.byes]
                came |= dict.fromkeys(placed, len(board.rounds) - first + 1)
            pairing, winner = next_round(board)
        if winner is not None:
            came[winner] += 1
        table = standings(board)
        assert table.tiebreaks[0] == "stage"
        assert {line.entrants[0]: line.values[0] for line in table.lines} == came
        assert [line.values[0] for line in table.lines] == sorted(came.values(), reverse=True)
        assert [row.player for row in crosstable(board)] == [line.entrants for line in table.lines]
        assert winner in (None, table.lines[0].entrants[0])


def test_a_bye_of_somebody_left_in_the_groups_is_no_place_in_the_knock_out():
    board = an_event(4, system="groups", groups=2, advance=1)
    board = won_by_the_first(with_round(board, pair(board, 1).tables))
    pairing = pair(board, 2)
    (final,) = pairing.tables
    left = min({1, 2, 3, 4} - set(final.players))
    board = with_round(board, [final], [Bye(entrant=left, kind="half")])
    stages = {line.entrants[0]: line.values[0] for line in standings(board).lines}
    assert stages == {one: int(one in final.players) for one in (1, 2, 3, 4)}


def test_losers_who_play_on_for_the_third_place_have_not_advanced():
    board = an_event(4, system="knock-out")
    board = won_by_the_first(with_round(board, pair(board, 1).tables))
    (final,) = pair(board, 2).tables
    third = Table(number=2, players=tuple(sorted({1, 2, 3, 4} - set(final.players))))
    board = with_results(with_round(board, [final, third]), {1: "1-0", 2: "0-1"})
    winner, second = final.players
    loser, better = third.players
    lines = standings(board).lines
    assert [line.entrants[0] for line in lines] == [winner, second, better, loser]
    assert [line.values[0] for line in lines] == [3, 2, 1, 1]
    with pytest.raises(Unpairable, match=f"is over: P{winner} has won it$"):
        pair(board, 3)
    assert [line.values[0] for line in standings(board, 1).lines] == [2, 2, 1, 1]


def test_tie_breaks_decide_a_final_that_is_a_tie():
    board = an_event(4, system="knock-out")
    board = with_round(board, pair(board, 1).tables)
    board = with_results(board, {1: "1/2-1/2", 2: "1-0"})
    (final,) = pair(board, 2, ["tie"]).tables
    board = with_results(with_round(board, [final]), {1: "1/2-1/2"})
    with pytest.raises(Unpairable, match=r"^the final is a tie between .* of table 1$") as error:
        pair(board, 3, ["tie"])
    assert error.value.relax == ()
    first, second, *_ = standings(board).lines
    assert (first.values[:2], second.values[:2]) == ((2, 1.5), (2, 1))
    assert explained(standings(board), second.entrants[0])[0].tiebreak == "points"
    third = standings(board).lines[2].entrants[0]
    text = explained(standings(board), third)[0].worded()
    assert text.endswith("by knock-out stage: 1 to 2")


def test_a_tie_of_teams_names_the_teams():
    board = an_event(teams(8), system="knock-out", seats=4, fixed_teams=True)
    first = with_round(board, pair(board, 1).tables)
    sides = {
        " & ".join(f"P{one}" for one in sorted(table.players[side::2]))
        for table in first.rounds[0].tables
        for side in (0, 1)
    }
    shared = with_results(first, {1: "1/2-1/2", 2: "1/2-1/2"})
    with pytest.raises(Unpairable, match=r"has no result yet: P. & P. and P. & P.$"):
        pair(first, 2)
    with pytest.raises(Unpairable, match=r"needs a winner: (P. & P.) and (P. & P.); you") as error:
        pair(shared, 2)
    assert len(error.value.entrants) == 4
    assert sides.issuperset(error.value.message.values["text"].values["names"])
    final = pair(shared, 2, ["tie"]).tables
    final = with_results(with_round(shared, final), {1: "1/2-1/2"})
    with pytest.raises(Unpairable, match=r"a tie between P. & P. and P. & P., so that"):
        pair(final, 3)


# Substitutes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("system", ["casual", "round-robin", "knock-out", "groups"])
def test_a_team_goes_on_with_a_substitute(system):
    """A team keeps its points, its opponents and its line, whoever plays for it."""
    board = an_event(teams(8), system=system, seats=4, fixed_teams=True, groups=1, advance=2)
    first = pair(board, 1)
    board = won_by_the_first(with_round(board, first.tables))
    number = (first.tables[0].players[0] + 1) // 2
    gone, stays = 2 * number - 1, 2 * number
    new = Entrant(number=9, name="P9", team=f"T{number - 1}", rating=1000)
    board = msgspec.structs.replace(board, entrants=(*board.entrants, new), withdrawn={gone: 2})
    second = pair(board, 2)
    places = [table.players for table in second.tables]
    sides = [{*players[k::2]} for players in places for k in (0, 1)]
    assert {9, stays} in sides
    assert not any(gone in side for side in sides)
    if system != "knock-out":
        met = [frozenset((one + 1) // 2 for one in t.players) for t in first.tables]
        again = [frozenset(number if one == 9 else (one + 1) // 2 for one in p) for p in places]
        assert not set(met) & set(again)
    board = won_by_the_first(with_round(board, second.tables, second.byes))
    line = next(line for line in standings(board).lines if 9 in line.entrants)
    assert line.entrants == (gone, stays, 9)
    assert (line.games, line.name) == (2, f"P{gone} & P{stays} & P9")
    assert len(standings(board).lines) == len(crosstable(board)) == 4
    pairing, winner = next_round(board)
    assert (winner is not None) == (system == "knock-out")
    assert (pairing is None) == (system == "knock-out")


def test_a_bye_of_a_team_with_a_substitute_is_of_those_who_are_there():
    board = an_event(teams(6), system="casual", seats=4, fixed_teams=True)
    first = pair(board, 1)
    (bye, _) = (one.entrant for one in first.byes)
    board = won_by_the_first(with_round(board, first.tables, first.byes))
    new = Entrant(number=7, name="P7", team=board.entrant(bye).team)
    board = msgspec.structs.replace(board, entrants=(*board.entrants, new), withdrawn={bye: 2})
    second = pair(board, 2)
    assert {one.entrant for one in second.byes}.isdisjoint({bye, 7, bye + 1}), "had one"
    away = [one.entrant for one in second.byes]
    board = msgspec.structs.replace(
        board,
        entrants=(*board.entrants, Entrant(number=8, name="P8", team=board.entrant(away[0]).team)),
        withdrawn={bye: 2, away[0]: 2},
    )
    assert {one.entrant for one in pair(board, 2).byes} == {away[1], 8}
