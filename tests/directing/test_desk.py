"""The state of an event follows from its acts, all of them except the undone ones."""

import random
from datetime import datetime, timedelta

import msgspec
import pytest

from claimlog.directing import acts
from claimlog.directing.allowed import check
from claimlog.directing.board import Recorded, board, called, notice
from claimlog.directing.desk import Desk, Entry, Refused, folded, followed
from claimlog.directing.meanwhile import replaced_by
from claimlog.directing.model import Bye, ByeKind, Entrant, Plan, Table, TableResult
from claimlog.directing.pairing.pair import pair

WON = TableResult(result="1-0")
LOST = TableResult(result="0-1")


class Evening:
    """An event with its entries, to which acts are added as the archive adds them."""

    def __init__(self, plan: Plan | None = None) -> None:
        created = acts.Created(name="Cup", plan=plan or Plan())
        self.entries: list[Entry] = []
        self._add(created)
        self.desk = folded(self.entries)

    def _add(self, act: acts.Act) -> Entry:
        number = len(self.entries) + 1
        at = datetime(2026, 11, 24) + timedelta(minutes=number)
        entry = Entry(number=number, at=at, by="Ann", why="", act=act)
        self.entries.append(entry)
        return entry

    def do(self, *those: acts.Act) -> Desk:
        for act in those:
            check(self.desk, act)
            entry = self._add(act)
            undone = isinstance(act, acts.Undone)
            self.desk = folded(self.entries) if undone else followed(self.desk, entry)
        return self.desk

    def undo(self) -> Desk:
        assert self.desk.undoable is not None
        return self.do(acts.Undone(number=self.desk.undoable))


def entered(*names: str, after: int = 0) -> acts.Entered:
    numbers = range(after + 1, after + len(names) + 1)
    return acts.Entered(
        entrants=tuple(Entrant(number=n, name=name) for n, name in zip(numbers, names, strict=True))
    )


def paired(round: int, *pairs: tuple[int, ...], bye: int = 0) -> acts.Paired:
    tables = tuple(Table(number=n, players=pair) for n, pair in enumerate(pairs, 1))
    return acts.Paired(round=round, tables=tables, byes=(Bye(entrant=bye),) if bye else ())


def typed(table: int, result: TableResult | None, round: int = 1) -> acts.ResultTyped:
    return acts.ResultTyped(round=round, table=table, result=result)


@pytest.fixture
def running() -> Evening:
    """Five entrants in the first round: two tables, and a bye."""
    evening = Evening()
    evening.do(entered("A", "B", "C", "D", "E"), paired(1, (1, 2), (3, 4), bye=5))
    evening.do(acts.Started(round=1))
    return evening


def possible(desk: Desk, chance: random.Random) -> acts.Act:
    """Any act, sensible or not."""
    some = max(len(desk.entrants), 1)

    def who() -> int:
        return chance.randint(1, some + 1)

    round = chance.choice((len(desk.rounds), len(desk.rounds) + 1, 1)) or 1
    table = chance.randint(1, 3)
    result = chance.choice((WON, WON, WON, LOST, TableResult(result="x")))
    order = [one.number for one in desk.present(round)]
    chance.shuffle(order)
    pairs = [tuple(order[i : i + 2]) for i in range(0, len(order) - 1, 2)]
    return chance.choice((
        entered(f"P{len(desk.entrants)}", f"Q{some}", after=len(desk.entrants)),
        entered("P0"),
        acts.Changed(entrant=Entrant(number=who(), name=f"N{chance.random()}")),
        acts.Withdrew(entrant=who(), round=round),
        acts.Returned(entrant=who()),
        acts.AskedForBye(entrant=who(), round=round, kind=chance.choice(("half", None))),
        paired(round, *pairs, bye=order[-1] if len(order) % 2 else 0),
        acts.Exchanged(round=round, entrants=(who(), who())),
        acts.Seated(round=round, table=table + 1, players=(who(), who())),
        acts.Locked(round=round, table=table, locked=chance.random() < 0.5),
        acts.Started(round=round),
        typed(table, chance.choice((result, None)), round),
        acts.Confirmed(round=round, table=table, sides=(chance.randint(1, 3),), result=result),
        acts.Corrected(round=round, table=table, result=chance.choice((result, None))),
        acts.Stands(round=round, table=table, game="0" * 13),
        acts.Closed(round=round, adjourned=(table,) if chance.random() < 0.5 else ()),
        acts.Reopened(round=round),
        acts.Announced(text="in five minutes"),
        acts.Planned(plan=Plan(seats=chance.randint(2, 4), minutes=chance.randint(30, 60))),
    ))  # fmt: skip


def test_the_state_is_that_of_its_acts() -> None:
    """After each act, after reading all from the ledger's text, and back act by act."""
    done: set[type] = set()
    for seed in range(6):
        random_event(random.Random(seed), done)
    assert len(done) == 18  # all but `Created` and `Undone`


def random_event(chance: random.Random, done: set[type]) -> None:
    """Do and undo random allowed acts; `done` gets the kinds of act."""
    evening = Evening()
    states = [evening.desk]
    for _ in range(400):
        act = possible(evening.desk, chance)
        try:
            evening.do(act)
        except Refused:
            assert evening.desk == states[-1]
            continue
        done.add(type(act))
        states.append(evening.desk)
        if chance.random() < 0.1:
            evening.undo()
            states.pop()
            assert as_it_is(evening.desk) == as_it_is(states[-1])
            states[-1] = evening.desk
    kept = [
        msgspec.structs.replace(entry, act=acts.read_act(acts.write_act(entry.act)))
        for entry in evening.entries
    ]
    assert folded(kept) == evening.desk
    while len(states) > 1:
        states.pop()
        assert as_it_is(evening.undo()) == as_it_is(states[-1])
    with pytest.raises(Refused, match="nothing to undo"):
        evening.do(acts.Undone(number=2))


def as_it_is(desk: Desk) -> Desk:
    """An event without the number of the last act, which also grows with an undo."""
    return msgspec.structs.replace(desk, number=0)


def test_what_all_have_confirmed_is_the_directors(running: Evening) -> None:
    running.do(typed(1, WON), typed(1, LOST))
    confirmed = [acts.Confirmed(round=1, table=1, sides=(side,), result=LOST) for side in (1, 2)]
    with pytest.raises(Refused, match="another result"):
        running.do(acts.Confirmed(round=1, table=1, sides=(1,), result=WON))
    running.do(*confirmed)
    for act in (typed(1, WON), typed(1, None), confirmed[0]):
        with pytest.raises(Refused, match="only the director"):
            running.do(act)
    desk = running.do(acts.Corrected(round=1, table=1, result=WON))
    assert desk.rounds[0].tables[0].result == WON
    assert desk.rounds[0].tables[0].settled


def test_a_changed_result_is_confirmed_anew(running: Evening) -> None:
    running.do(typed(1, WON), acts.Confirmed(round=1, table=1, sides=(1,), result=WON))
    assert running.do(typed(1, LOST)).rounds[0].tables[0].confirmed == ()


def at_a_table_of(seats: int) -> Evening:
    """One table in the first round."""
    evening = Evening(Plan(seats=seats))
    evening.do(entered(*"ABCD"[:seats]), paired(1, tuple(range(1, seats + 1))))
    evening.do(acts.Started(round=1))
    return evening


@pytest.mark.parametrize(
    ("seats", "result", "votes"),
    [(2, "1-0", (3,)), (2, "1/2-1/2", (3, 2, 0)), (3, "1-0-0", (3, 2)), (4, "1-0", (3, 1, 1))],
)
def test_each_side_has_its_factions_or_none_has(
    seats: int, result: str, votes: tuple[int, ...]
) -> None:
    evening = at_a_table_of(seats)
    wrong = TableResult(result=result, votes=votes)
    right = TableResult(result=result)
    for act in (
        typed(1, wrong),
        acts.Corrected(round=1, table=1, result=wrong),
        acts.Confirmed(round=1, table=1, sides=(1,), result=wrong),
    ):
        with pytest.raises(Refused, match="give one number for each side"):
            evening.do(act)
    evening.do(typed(1, right))


@pytest.mark.parametrize(
    ("seats", "result", "why"),
    [
        (2, TableResult(result="0-0"), "possible only if nobody came: 1 forfeit"),
        (3, TableResult(result="0-0-0", votes=(0, 0, 0)), "possible only if nobody came"),
        (2, TableResult(result="0-0", forfeit=(1,)), "possible only if nobody came"),
        (2, TableResult(result="1-0", forfeit=(1,)), "side 1 did not come"),
        (2, TableResult(result="1-0", forfeit=(3,)), "table 1 has 2 sides"),
        (4, TableResult(result="1-0", forfeit=(3,)), "table 1 has 2 sides"),
        (2, TableResult(result="1/2-1/2", forfeit=(1, 2)), "side 1 did not come"),
        (2, TableResult(result="1-0", votes=(3, 2), forfeit=(2,)), "wins neither .* nor factions"),
        (2, TableResult(result="1-0", votes=(1, 4)), "side 1 has fewer factions than side 2"),
        (3, TableResult(result="0-1/2-1/2", votes=(3, 2, 2)), "side 2 has fewer .* than side 1"),
        (2, TableResult(result="1/2-1/2", votes=(3, 2)), "only sides with equally many factions"),
        (4, TableResult(result="1/2-1/2", votes=(3, 4)), "can share a win, not 3-4"),
        (3, TableResult(result="1/2-1/2-0", votes=(3, 2, 1)), "can share a win, not 3-2-1"),
        (2, TableResult(result="1/2-1/2", votes=(9, 9)), "9-9 are too many .* the game has 5"),
        (4, TableResult(result="1-0", votes=(5, 3)), "5-3 are too many factions: the game has 7"),
    ],
)
def test_a_game_cannot_end_like_this(seats: int, result: TableResult, why: str) -> None:
    evening = at_a_table_of(seats)
    for act in (typed(1, result), acts.Corrected(round=1, table=1, result=result)):
        with pytest.raises(Refused, match=why):
            evening.do(act)


@pytest.mark.parametrize(
    ("seats", "result"),
    [
        (2, TableResult(result="1-0", votes=(2, 2))),  # the cards decided
        (2, TableResult(result="1/2-1/2", votes=(2, 2))),
        (3, TableResult(result="1/2-1/2-0", votes=(2, 2, 2))),
        (2, TableResult(result="1-0", votes=(5, 0), forfeit=(2,))),
        (2, TableResult(result="0-0", forfeit=(1, 2))),
        (3, TableResult(result="0-1-0", forfeit=(1, 3))),
        (3, TableResult(result="0-1-0", votes=(0, 4, 3), forfeit=(1,))),
        (3, TableResult(result="1/3-1/3-1/3", votes=(2, 2, 2))),
        (4, TableResult(result="0-1", votes=(3, 4))),
    ],
)
def test_a_game_can_end_like_this(seats: int, result: TableResult) -> None:
    desk = at_a_table_of(seats).do(typed(1, result))
    assert desk.rounds[0].tables[0].result == result


KNOCK_OUT = Plan(system="knock-out", seats=3)


def test_a_system_for_two_sides_is_refused_for_tables_of_three() -> None:
    started = Evening(Plan(seats=3, system="rotation"))
    with pytest.raises(Refused) as refused:
        started.do(acts.Planned(plan=KNOCK_OUT))
    assert str(refused.value) == (
        "knock-out is for two sides, not for tables of three: "
        "choose swiss, casual, rotation or by-hand"
    )
    assert refused.value.message.worded("de").endswith(
        "möglich sind swiss (Schweizer System), casual (Schweizer System, locker), rotation oder "
        "by-hand (von Hand)"
    )
    with pytest.raises(Refused, match="at tables of four only if partners stay together"):
        Evening().do(acts.Planned(plan=Plan(system="groups", seats=4)))
    Evening().do(acts.Planned(plan=Plan(system="groups", seats=4, fixed_teams=True)))


def test_an_older_event_with_such_a_system_goes_on() -> None:
    """Its rounds were paired by hand."""
    older = Evening(KNOCK_OUT)
    older.do(acts.Planned(plan=msgspec.structs.replace(KNOCK_OUT, minutes=50)))
    older.do(entered("A", "B", "C"), paired(1, (1, 2, 3)))
    assert older.desk.plan.minutes == 50
    with pytest.raises(Refused, match="for two sides"):
        older.do(acts.Planned(plan=Plan(system="groups", seats=3)))


def test_what_is_asked_for_a_round_that_will_not_be(running: Evening) -> None:
    plan = msgspec.structs.replace(running.desk.plan, rounds=2)
    running.do(acts.Planned(plan=plan))
    with pytest.raises(Refused, match="round 2 is the last round of the event"):
        running.do(acts.AskedForBye(entrant=1, round=3, kind="half"))
    with pytest.raises(Refused, match="round 2 is the last round of the event"):
        running.do(acts.Withdrew(entrant=1, round=4))
    running.do(acts.Withdrew(entrant=1, round=3))


def test_a_closed_round_says_how_its_results_are_changed(running: Evening) -> None:
    running.do(acts.Closed(round=1, adjourned=()))
    with pytest.raises(Refused, match=r"round 1 is closed: correct .*--correct.* or reopen"):
        running.do(typed(1, TableResult(result="1-0")))


def test_sides_confirm_a_record_that_did_not_end_by_the_rules(running: Evening) -> None:
    """An adjudicated game may have been won with fewer factions."""
    result = TableResult(result="1-0", votes=(1, 3))
    act = acts.Confirmed(round=1, table=1, sides=(1, 2), result=result)
    check(running.desk, act, result)
    for record in (None, WON):
        with pytest.raises(Refused):
            check(running.desk, act, record)


def test_an_adjourned_game_is_told_after_the_round(running: Evening) -> None:
    running.do(typed(1, WON), acts.Closed(round=1, adjourned=(2,)))
    with pytest.raises(Refused, match="round 1 is closed"):
        running.do(typed(1, LOST))
    running.do(typed(2, LOST))
    running.do(acts.Reopened(round=1), typed(1, LOST))


def test_who_is_away_is_not_seated(running: Evening) -> None:
    running.do(typed(1, WON), typed(2, WON), acts.Closed(round=1))
    running.do(acts.Withdrew(entrant=2, round=2))
    with pytest.raises(Refused, match="B does not play in round 2"):
        running.do(paired(2, (1, 2), (3, 5)))
    running.do(acts.Returned(entrant=2), paired(2, (1, 2), (3, 5)))
    running.do(acts.AskedForBye(entrant=5, round=2, kind="half"))
    with pytest.raises(Refused, match="E does not play in round 2, and sits at table 2"):
        running.do(acts.Started(round=2))


def asked(entrant: int, kind: ByeKind | None, round: int = 1) -> acts.AskedForBye:
    return acts.AskedForBye(entrant=entrant, round=round, kind=kind)


@pytest.fixture
def before() -> Evening:
    """Five entrants before the first round."""
    evening = Evening()
    evening.do(entered("A", "B", "C", "D", "E"))
    return evening


@pytest.mark.parametrize("kind", ["full", "half", "zero"])
@pytest.mark.parametrize("bye", [5, 0])
def test_a_requested_bye_keeps_its_kind(before: Evening, kind: ByeKind, bye: int) -> None:
    """Whether the director who pairs by hand names the absent entrant or not."""
    desk = before.do(asked(5, kind), paired(1, (1, 2), (3, 4), bye=bye))
    assert desk.rounds[0].byes == (Bye(entrant=5, kind=kind),)


@pytest.mark.needs("py4swiss")
def test_a_bye_requested_before_withdrawing_is_void(before: Evening) -> None:
    desk = before.do(asked(5, "half"), acts.Withdrew(entrant=5, round=1))
    assert before.do(paired(1, (1, 2), (3, 4))).rounds[0].byes == ()
    assert pair(board(desk, [], "e"), 1).byes == ()


def test_a_bye_changed_after_pairing_is_the_one_that_counts(before: Evening) -> None:
    before.do(paired(1, (1, 2), (3, 4), bye=5))
    for kind in ("half", "full", "zero"):
        desk = before.do(asked(5, kind))
        assert desk.rounds[0].byes == (Bye(entrant=5, kind=kind),)
    assert before.do(asked(5, None)).rounds[0].byes == (Bye(entrant=5),)
    before.do(asked(1, "half"), acts.Exchanged(round=1, entrants=(1, 5)))
    desk = before.do(acts.Started(round=1))
    assert desk.rounds[0].byes == (Bye(entrant=1, kind="half"),)


def test_a_bye_can_be_requested_by_whom_the_pairing_left_out(before: Evening) -> None:
    desk = before.do(paired(1, (1, 2), (3, 4)), asked(5, "zero"), acts.Started(round=1))
    assert desk.rounds[0].byes == (Bye(entrant=5, kind="zero"),)


@pytest.mark.parametrize("back", [True, False])
def test_nobody_inherits_a_requested_bye(before: Evening, back: bool) -> None:
    before.do(asked(5, "half"), paired(1, (1, 2), (3, 4), bye=5))
    if back:
        before.do(asked(5, None))
    desk = before.do(acts.Exchanged(round=1, entrants=(5, 1)))
    assert desk.rounds[0].byes == (Bye(entrant=1),)
    if not back:
        with pytest.raises(Refused, match="E does not play in round 1, and sits at table 1"):
            before.do(acts.Started(round=1))


def test_who_has_withdrawn_has_no_bye(before: Evening) -> None:
    before.do(paired(1, (1, 2), (3, 4), bye=5), acts.Withdrew(entrant=5, round=1))
    with pytest.raises(Refused, match="E has withdrawn, and has a bye in round 1: pair the round"):
        before.do(acts.Started(round=1))
    with pytest.raises(Refused, match="E does not play in round 1"):
        before.do(paired(1, (1, 2), (3, 4), bye=5))
    before.do(paired(1, (1, 2), (3, 4)), asked(5, "half"), acts.Returned(entrant=5))
    with pytest.raises(Refused, match="E asked for a bye in round 1 and has none: pair the round"):
        before.do(acts.Started(round=1))
    desk = before.do(paired(1, (1, 2), (3, 4)), acts.Started(round=1))
    assert desk.rounds[0].byes == (Bye(entrant=5, kind="half"),)


def test_exchanged_players_keep_no_result(running: Evening) -> None:
    desk = running.do(acts.Exchanged(round=1, entrants=(1, 5)))
    assert desk.rounds[0].tables[0].table.players == (5, 2)
    assert desk.rounds[0].byes == (Bye(entrant=1),)
    running.do(typed(1, WON))
    with pytest.raises(Refused, match="table 1 has a result"):
        running.do(acts.Exchanged(round=1, entrants=(1, 5)))


def test_somebody_new_takes_a_place_in_the_middle_of_a_round(running: Evening) -> None:
    """Who was replaced is no longer in the round, and has no bye; nobody away comes in."""
    running.do(entered("F", "G", after=5), acts.Withdrew(entrant=7, round=2))
    desk = running.do(acts.Exchanged(round=1, entrants=(6, 2)))
    assert [place.table.players for place in desk.rounds[0].tables] == [(1, 6), (3, 4)]
    desk = running.do(acts.Exchanged(round=1, entrants=(5, 2)))
    assert desk.rounds[0].byes == (Bye(entrant=2),)
    running.do(typed(1, WON), acts.Closed(round=1, adjourned=(2,)), paired(2, (1, 3), (2, 4)))
    running.do(acts.AskedForBye(entrant=6, round=2, kind="half"), paired(2, (1, 3), (2, 4)))
    for entrants, why in (((7, 1), "G does not play in round 2"), ((5, 5), "E is not in round 2")):
        with pytest.raises(Refused, match=why):
            running.do(acts.Exchanged(round=2, entrants=entrants))
    desk = running.do(acts.Exchanged(round=2, entrants=(1, 5)), acts.Started(round=2))
    assert desk.rounds[1].tables[0].table.players == (5, 3)


def test_a_table_is_added_in_the_middle_of_a_round(running: Evening) -> None:
    """For the bye and somebody late; with a result it counts like any other."""
    running.do(entered("F", "G", after=5), acts.Withdrew(entrant=7, round=2))

    def seated(table: int, *players: int, round: int = 1, **more: int | str) -> acts.Seated:
        return acts.Seated(round=round, table=table, players=players, **more)

    for act, why in (
        (seated(2, 5, 6), "table 2 is listed twice"),
        (seated(3, 5, 1), "A is in round 1 twice"),
        (seated(3, 6, 6), "F is in round 1 twice"),
        (seated(3, 5, 8), "there is no entrant 8"),
        (seated(3, 5, 6, leader=3), "table 3 has no seat 3"),
        (seated(3, 5, 6, deck="GKUWXBS"), "deck"),
    ):
        with pytest.raises(Refused, match=why):
            running.do(act)
    running.do(typed(1, WON), seated(3, 5, 6, leader=2, deck="GKUWX"))
    desk = running.do(typed(3, LOST))
    first, _, third = desk.rounds[0].tables
    assert (first.result, third.result) == (WON, LOST)
    assert third.table == Table(number=3, players=(5, 6), leader=2, deck="GKUWX")
    assert desk.rounds[0].byes == ()
    assert board(desk, [], "x").rounds[0].missing == (2,)
    running.do(acts.Closed(round=1, adjourned=(2,)), paired(2, (1, 3), (2, 4), bye=5))
    with pytest.raises(Refused, match="round 1 is closed"):
        running.do(seated(4, 2, 7))
    with pytest.raises(Refused, match="G does not play in round 2"):
        running.do(seated(3, 5, 7, round=2))
    desk = running.do(acts.Started(round=2), seated(3, 6, 5, round=2))
    assert [place.table.players for place in desk.rounds[1].tables] == [(1, 3), (2, 4), (6, 5)]


def test_a_recorded_game_flows_in_whoever_sat_where(running: Evening) -> None:
    games = [
        Recorded(id="a", round=1, players=(2, 1), result=TableResult(result="1-0", votes=(3, 2))),
        Recorded(id="b", round=1, players=(3, 4), result=WON),
        Recorded(id="c", round=1, players=(3, 5), result=WON),
        Recorded(id="d", round=2, players=(1, 2), result=WON),
    ]
    seen = board(running.do(typed(2, LOST)), games, "x")
    first, second = seen.rounds[0].tables
    assert (first.result, first.source) == (TableResult(result="0-1", votes=(2, 3)), "record")
    assert (second.result, second.source, second.differs) == (LOST, "typed", True)
    assert (first.game, second.game, sorted(seen.strays)) == ("a", "b", ["c", "d"])
    assert seen.rounds[0].missing == ()


def test_partners_in_a_record_are_partners_at_the_table() -> None:
    evening = Evening(Plan(seats=4))
    evening.do(entered("A", "B", "C", "D"), paired(1, (1, 2, 3, 4)), acts.Started(round=1))
    for players, result in (((2, 3, 4, 1), "0-1"), ((1, 3, 2, 4), None)):
        game = Recorded(id="a", round=1, players=players, result=WON)
        (table,) = board(evening.desk, [game], "x").rounds[0].tables
        assert (table.result and table.result.result) == result


def test_the_clock_of_a_round(running: Evening) -> None:
    def left() -> tuple[int, bool]:
        clock = running.desk.rounds[0].clock
        assert clock is not None
        return clock.left_at(running.entries[-1].at), clock.since is not None

    with pytest.raises(Refused, match="round 1 has no time yet"):
        running.do(acts.Clocked(round=1, running=True))
    running.do(acts.Planned(plan=Plan(minutes=50)))
    with pytest.raises(Refused, match="the clock of round 1 is not running"):
        running.do(acts.Clocked(round=1, running=False))
    # In these evenings each act is a minute after the one before.
    running.do(acts.Clocked(round=1, running=True))
    running.do(typed(1, WON), acts.Clocked(round=1, minutes=5))
    assert left() == (53 * 60, True)
    running.do(acts.Clocked(round=1, running=False), typed(2, WON))
    assert left() == (52 * 60, False)
    running.do(acts.Clocked(round=1, running=True, minutes=-53))
    assert left() == (-60, True)
    running.do(acts.Closed(round=1))
    with pytest.raises(Refused, match="round 1 is not being played"):
        running.do(acts.Clocked(round=1, minutes=1))
    running.do(acts.Reopened(round=1))
    assert left() == (-120, False)


def test_the_clock_stays_on_the_screens_while_the_next_round_is_paired(running: Evening) -> None:
    def shown() -> tuple[int | None, int | None]:
        seen = notice(running.desk, "x", running.entries[-1].at)
        return seen.round, seen.left

    running.do(acts.Clocked(round=1, running=True, minutes=50), paired(2, (1, 3), (2, 5), bye=4))
    assert shown() == (1, 49 * 60)
    running.do(acts.Closed(round=1))
    assert shown() == (2, None)


def test_an_announcement_stands_until_it_is_taken_down_or_a_round_begins(running: Evening) -> None:
    def text() -> str | None:
        seen = board(running.desk, [], "x").notice
        return seen and seen.text

    running.do(acts.Announced(text="lunch"), acts.Announced(text="pizza"))
    assert text() == "pizza"
    running.do(acts.Announced(text=""))
    assert text() is None
    assert [one.text for one in running.desk.announcements] == ["lunch", "pizza"]
    running.do(acts.Announced(text="round 2"), typed(1, WON), typed(2, WON), acts.Closed(round=1))
    running.do(paired(2, (1, 3), (2, 5), bye=4))
    assert text() == "round 2"
    running.do(acts.Started(round=2))
    assert text() is None


def test_who_waits_longest(running: Evening) -> None:
    running.do(typed(2, WON))
    assert board(running.desk, [], "x").rounds[0].waiting == (5, 3, 4)
    running.do(typed(1, WON))
    assert board(running.desk, [], "x").rounds[0].waiting == (5, 3, 4, 1, 2)
    running.do(acts.Closed(round=1))
    assert board(running.desk, [], "x").rounds[0].waiting == ()


def test_a_name_written_otherwise_is_an_entrant_s_once_that_was_said() -> None:
    evening = Evening()
    evening.do(entered("Anna Keller", "Jörg Müller", "Cy Dorn", "Di Egger", "Ed"))
    evening.do(paired(1, (1, 2), (3, 4), bye=5), acts.Started(round=1))

    def seen(*players: str) -> tuple[list[tuple[str, int, int]], str | None]:
        known = {one.name: one.number for one in evening.desk.entrants} | evening.desk.spelled
        numbers = tuple(known.get(name, 0) for name in players)
        game = Recorded(id="a", round=1, players=numbers, names=players, result=WON)
        seen = board(evening.desk, [game], "x")
        found = [(one.name, one.table, one.entrant) for one in seen.spellings]
        return found, seen.rounds[0].tables[0].source

    # One player of a table is known; neither is, but both names resemble those of one table;
    # nothing matches.
    assert seen("Annika K.", "Jörg Müller") == ([("Annika K.", 1, 1)], None)
    assert seen("J. Mueller", "Ana Keler") == ([("J. Mueller", 1, 2), ("Ana Keler", 1, 1)], None)
    assert seen("Fritz", "Franz") == ([], None)
    assert seen("Anna Keller", "Cy Dorn") == ([], None)
    evening.do(acts.Spelled(entrant=1, name="Annika K."))
    assert seen("Annika K.", "Jörg Müller") == ([], "record")
    with pytest.raises(Refused, match=r"^Ed is entered already"):
        evening.do(acts.Spelled(entrant=2, name="Ed"))
    for act in (
        acts.Spelled(entrant=2, name="annika k."),
        acts.Changed(entrant=Entrant(number=2, name="annika k.")),
        acts.Entered(entrants=(Entrant(number=6, name="annika k."),)),
    ):
        with pytest.raises(Refused, match=r"^annika k. is another name of Anna Keller"):
            evening.do(act)
    evening.undo()
    assert seen("Annika K.", "Jörg Müller")[1] is None


def test_games_under_a_name_that_was_corrected_still_count() -> None:
    evening = Evening()
    evening.do(entered("Ana", "Bo", "Cy", "Di", "Ed"))

    def renamed(number: int, name: str) -> None:
        evening.do(acts.Changed(entrant=Entrant(number=number, name=name)))

    renamed(1, "Anna")
    evening.do(paired(1, (1, 2), (3, 4), bye=5))
    renamed(3, "Cyril")
    assert evening.desk.spelled == {}, "no game can have been recorded"
    evening.do(acts.Started(round=1))
    renamed(2, "Ben")
    renamed(2, "Benjamin")
    renamed(5, "Edna")
    evening.do(acts.Changed(entrant=Entrant(number=1, name="Anna", club="Bern")))
    assert evening.desk.spelled == {"Bo": 2, "Ben": 2}
    number_of = called(board(evening.desk, [], "x"))
    assert (number_of["bo"], number_of["ben"], number_of["benjamin"]) == (2, 2, 2)
    with pytest.raises(Refused, match=r"^Bo is another name of Benjamin"):
        evening.do(entered("Bo", after=5))
    evening.do(entered("Ed", after=5))
    renamed(2, "Bo")
    assert called(board(evening.desk, [], "x"))["bo"] == 2


# Two directors ---------------------------------------------------------------------------------


def entrant(number: int, **fields: object) -> acts.Changed:
    return acts.Changed(entrant=Entrant(number=number, name=f"E{number}", **fields))  # type: ignore[arg-type]


ONE = typed(1, WON)
CONFIRMED = acts.Confirmed(round=1, table=1, sides=(1,), result=WON)


@pytest.mark.parametrize(
    ("mine", "theirs", "replaces"),
    [
        (acts.Planned(plan=Plan(rounds=5)), acts.Planned(plan=Plan(minutes=40)), True),
        (acts.Planned(plan=Plan(rounds=5)), acts.Planned(plan=Plan(rounds=5)), False),
        (entrant(1, club="Bern"), entrant(1, rating=1700), True),
        (entrant(1, club="Bern"), entrant(2, rating=1700), False),
        (entrant(1, club="Bern"), acts.Planned(plan=Plan()), False),
        (typed(1, LOST), ONE, True),
        (typed(1, LOST), CONFIRMED, True),
        (acts.Corrected(round=1, table=1, result=None), ONE, True),
        (ONE, CONFIRMED, False),
        (typed(2, LOST), ONE, False),
        (acts.ResultTyped(round=2, table=1, result=LOST), ONE, False),
        (CONFIRMED, typed(1, LOST), False),
        (paired(1, (1, 2), (3, 4), bye=5), acts.Started(round=1), True),
        (paired(1, (1, 2), (3, 4), bye=5), acts.Exchanged(round=1, entrants=(1, 3)), True),
        (paired(2, (1, 2), (3, 4), bye=5), ONE, False),
        (acts.Announced(text="a"), acts.Announced(text="b"), False),
    ],
)
def test_what_would_replace_somebody_elses_work(
    mine: acts.Act, theirs: acts.Act, replaces: bool
) -> None:
    def entries(*done: acts.Act) -> list[Entry]:
        return [
            Entry(number=number, at=datetime(2026, 11, 28), by="R", why="", act=act)
            for number, act in enumerate(done, 1)
        ]

    before = [acts.Announced(text="x")] * 3
    both = entries(*before, theirs, acts.Announced(text="y"))
    assert replaced_by(mine, both, 3) == (both[3] if replaces else None)
    assert replaced_by(mine, both, 4) is None, "it was seen"
    undone = entries(*before, theirs, acts.Undone(number=4))
    assert replaced_by(mine, undone, 4) == (undone[4] if replaces else None)


def test_the_step_that_can_be_undone_is_described() -> None:
    evening = Evening()
    evening.do(entered("Ann", "Bo", "Cy", "Di", "Ed"), paired(1, (1, 2), (3, 4), bye=5))

    def last() -> str:
        step = evening.desk.last
        assert step is not None
        assert step.number == evening.desk.undoable
        return step.described(str.upper)

    assert last() == "PAIRED (ROUND 1)"
    evening.do(acts.Locked(round=1, table=2))
    evening.do(acts.Locked(round=1, table=2, locked=False))
    assert last() == "UNLOCKED (ROUND 1, TABLE 2)"
    evening.do(acts.Changed(entrant=Entrant(number=3, name="Cyril")))
    assert last() == "CHANGED (ENTRANT 3)"
    evening.undo()
    assert last() == "UNLOCKED (ROUND 1, TABLE 2)"
    assert board(evening.desk, [], "x").last == evening.desk.last
