"""The worth of each decision of Phase 2: values, marks, what was known, what cannot be analysed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from claimlog import Game, State, loads, read_games, simulate_games
from claimlog.analysis.decisions import analyse, annotate, mark_of
from claimlog.evaluation import MARKS, Analysis, Bounds, Value
from claimlog.game import Problem
from claimlog.notation.writer import canonical
from claimlog.solve.search import Search, value_of
from claimlog.solve.value import UnanswerableError, Values

DATA = Path(__file__).parents[2] / "data"
WIN, SHARED, LOSS = Value(2, 3, 2), Value(1, 2, 2), Value(0, 2, 3)


def exactly(value: Value) -> Bounds:
    return Bounds(value, value)


def mistakes() -> Game:
    return next(simulate_games(1, deck="GKBSU", policy="random", seed=7))


@pytest.fixture(scope="module")
def search() -> Search:
    return Search()


@pytest.fixture(scope="module")
def sample() -> Game:
    """A game that is lost, won and lost again, and is quickly analysed."""
    return mistakes()


@pytest.fixture(scope="module")
def analysis(sample: Game) -> Analysis:
    return sample.analysis()


# Values ---------------------------------------------------------------------------------------


def test_values_are_ordered_by_result_then_difference():
    """A shared win with more factions is no win; of equal differences more factions count."""
    best_first = [
        Value(2, 5, 0), Value(2, 3, 1), Value(2, 3, 2), Value(2, 2, 2), SHARED, Value(0, 2, 2),
        LOSS, Value(0, 1, 4), Value(0, 0, 5),
    ]  # fmt: skip
    assert sorted(best_first, reverse=True) == best_first
    assert Value(2, 3, 2) > Value(2, 2, 1)
    assert [value.result for value in (WIN, SHARED, LOSS)] == ["1-0", "1/2-1/2", "0-1"]


@pytest.mark.parametrize(
    ("seat", "before", "played", "others", "mark"),
    [
        (1, WIN, LOSS, [WIN], "??"),
        (1, WIN, SHARED, [WIN], "??"),
        (1, SHARED, LOSS, [SHARED], "??"),
        (1, Value(2, 4, 1), WIN, [Value(2, 4, 1)], "?"),
        (1, LOSS, Value(0, 1, 4), [LOSS], "?"),
        (1, WIN, WIN, [LOSS, SHARED], "!"),
        (1, WIN, WIN, [LOSS], ""),
        (1, WIN, WIN, [LOSS, LOSS, WIN], ""),
        (1, LOSS, LOSS, [LOSS, LOSS], ""),
        (2, LOSS, WIN, [LOSS], "??"),
        (2, SHARED, WIN, [SHARED], "??"),
        (2, Value(0, 1, 4), LOSS, [Value(0, 1, 4)], "?"),
        (2, LOSS, LOSS, [WIN, WIN], "!"),
    ],
)
def test_marks(seat: int, before: Value, played: Value, others: list[Value], mark: str):
    cards = [exactly(value) for value in (played, *others)]
    assert mark_of(seat, exactly(before), exactly(played), cards) == mark


def test_no_mark_without_exact_values():
    unsure = Bounds(LOSS, WIN)
    assert mark_of(1, unsure, exactly(LOSS), [exactly(LOSS), unsure]) == ""
    assert mark_of(1, exactly(WIN), unsure, [exactly(WIN), unsure]) == ""
    # The uncertain card may keep the result, too.
    sure = [exactly(WIN), exactly(LOSS), exactly(LOSS), unsure]
    assert mark_of(1, exactly(WIN), exactly(WIN), sure) == ""


# A game ---------------------------------------------------------------------------------------


def test_where_a_game_was_lost_and_won_again(analysis: Analysis):
    assert analysis.from_trick == 14
    assert analysis.exact
    assert [(one.trick, one.seat, one.played, one.mark) for one in analysis.costly] == [
        (16, 1, "U3", "??"), (16, 2, "U1", "??"), (17, 1, "U2", "?"), (22, 2, "S3", "?"),
    ]  # fmt: skip
    assert analysis.start == exactly(WIN)
    assert analysis.end == exactly(Value(2, 4, 1))


def test_values_follow_from_each_other(analysis: Analysis):
    """A position is worth as much as its best card, and the best line begins with that card."""
    value = analysis.start
    for one in analysis.decisions:
        choose = max if one.seat == 1 else min
        assert one.before == value == choose(card.value for card in one.cards)
        assert one.played in [card.card for card in one.cards]
        value = one.after
    assert value == analysis.end


def test_the_line_behind_a_better_card_keeps_the_value(sample: Game, analysis: Analysis):
    for place, line in analysis.lines.items():
        one = analysis.decisions[place]
        assert line[0] == (one.seat, one.best[0])
        trick = sample.tricks[one.trick - 1]
        number = [play.seat for play in trick.plays].index(one.seat)
        state = State.from_game(sample, one.trick, number)
        for seat, card in line:
            assert state.to_act == ("play", seat)
            state.play(card)
        assert state.over
        assert state.value() == one.before


def test_the_value_of_a_state(sample: Game, search: Search):
    assert State.from_game(sample, 18).value().report() == {"result": "1-0", "factions": [3, 2]}
    assert State.from_game(sample, 16, plays=1).value() == exactly(LOSS)
    assert State.from_game(sample).value() == exactly(Value(2, 4, 1))
    with pytest.raises(UnanswerableError, match="Phase 2"):
        State.from_game(sample, 3).value()


def test_a_single_trick(sample: Game, analysis: Analysis, search: Search):
    alone = analyse(sample, trick=16, search=search)
    assert alone.from_trick == 14
    assert alone.decisions == [one for one in analysis.decisions if one.trick == 16]
    assert analyse(sample, trick=40, search=search).decisions == []


def test_what_the_first_decision_shows_holds_from_the_start():
    (game,) = read_games(DATA / "sample.clm")
    analysis = analyse(game, total=500, lines=False)
    first = analysis.decisions[0].before
    assert not first.exact
    assert first.at_least.result == first.at_most.result == "0-1"
    assert analysis.start == first


def test_too_little_effort_gives_bounds_that_hold(sample: Game, analysis: Analysis):
    little = analyse(sample, 100)
    assert not little.exact
    assert any(not one.exact for one in little.decisions)
    for ours, right in zip(little.decisions, analysis.decisions, strict=True):
        for card, exact in zip(ours.cards, right.cards, strict=True):
            assert card.value.at_least <= exact.value.at_least <= card.value.at_most
        assert ours.mark in ("", right.mark)
        assert ours.before.at_least <= right.before.at_least <= ours.before.at_most


def test_the_report_to_the_letter(analysis: Analysis):
    report = json.loads(json.dumps(analysis.report(7)))
    assert list(report) == ["game", "from_trick", "exact", "decisions", "problems"]
    assert (report["game"], report["problems"]) == (7, [])
    one = report["decisions"][2]
    assert list(one) == ["trick", "seat", "played", "before", "cards", "mark", "known"]
    assert (one["trick"], one["played"]) == (16, "U3")
    assert one["before"] == {"result": "1-0", "factions": [3, 2]}
    assert {"card": "U3", "result": "0-1", "factions": [2, 3]} in one["cards"]
    unsure = Bounds(LOSS, WIN).report()
    assert unsure == {"at_least": LOSS.report(), "at_most": WIN.report()}


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_every_choice_is_a_decision(policy: str, search: Search):
    """No play of a seat that had a choice is left out, and each decision has all its cards."""
    for game in simulate_games(3, deck="GKUWS", policy=policy, seed=4):
        analysis = analyse(game, lines=False, search=search)
        asked = {(one.trick, one.seat): one for one in analysis.decisions}
        for trick in game.tricks[13:]:
            for place, play in enumerate(trick.plays):
                state = State.from_game(game, trick.number, place)
                legal = sorted(set(state.choices()))
                one = asked.get((trick.number, play.seat))
                if one is not None:
                    assert sorted(card.card for card in one.cards) == legal
                else:
                    values = [state.values(search=search).after(card) for card in legal]
                    assert len(set(values)) == 1


def test_the_end_is_worth_what_was_counted(search: Search):
    """Also when loot is still to be chosen: side 1 chooses first, each for itself."""
    chosen = 0
    for game in simulate_games(30, deck="GKRSV", policy="random", seed=2):
        state = State.from_game(game)
        assert state.value().report()["result"] == game.result
        while state.log[-1].kind == "loot":
            state.undo()
            chosen += 1
        worth = state.value(10)
        state.undo()
        assert state.value().exact
        assert worth.exact
    assert chosen > 3


def test_a_revoke_that_stands_may_change_the_value(search: Search):
    """It is no decision; the next position is valued again, even if only one card was legal."""
    state = State.from_game(next(simulate_games(1, deck="GKBSU", policy="random", seed=30)), 14)
    revoked = False
    while not state.over:
        choices = state.choices()
        others = sorted({*state.hand(state.to_act.seat)} - {*choices})
        if revoked or len({*choices}) > 1 or not others:
            state.apply(choices[0])
        else:
            state.play(others[0], irregular=True)
            revoked = True
    game = state.game()
    assert revoked
    for one in game.analysis().decisions:
        if one.seat == game.tricks[one.trick - 1].plays[0].seat:
            assert one.before == State.from_game(game, one.trick).values(search=search).value()


# What was known -------------------------------------------------------------------------------


@pytest.mark.parametrize(("deck", "known"), [("GKUWX", True), ("GKUWR", False)])
def test_raccoons_that_were_put_away_are_not_known(deck: str, known: bool, search: Search):
    game = next(simulate_games(1, deck=deck, policy="random", seed=3))
    analysis = analyse(game, trick=24, search=search)
    assert {one.known for one in analysis.decisions} == {known}


def test_what_the_other_seat_discarded_face_down_is_not_known(search: Search):
    games = simulate_games(20, deck="GKUWA", policy="random", seed=3)
    game = next(game for game in games if any(trick.auto for trick in game.tricks))
    analysis = analyse(game, trick=24, search=search)
    assert {one.known for one in analysis.decisions} == {False}


# What cannot be said --------------------------------------------------------------------------


def test_three_and_four_players(search: Search):
    """The last tricks, with all hands open: a team's value, or what a seat can secure."""
    four = next(simulate_games(1, deck="GKUWXDS", seats=4, seed=1))
    analysis = analyse(four, 400_000, search=search)
    assert analysis.exact
    assert analysis.report(1)["hands"] == "open"
    assert analysis.end is not None
    assert analysis.end.at_least.result == four.result
    assert {one.known for one in analysis.decisions} == {False}
    for one in analysis.decisions:
        likes = max if one.seat % 2 else min
        assert one.before.at_least == likes(card.value.at_least for card in one.cards)
    three = next(simulate_games(1, deck="GKUWXDS", seats=3, seed=1))
    analysis = analyse(three, 400_000)
    assert (analysis.exact, analysis.start, analysis.end) == (True, None, None)
    assert [one.seats for one in (analysis, analyse(four, 400_000))] == [3, 4]
    for one in analysis.decisions:
        assert one.before.at_least == max(card.value.at_least for card in one.cards)
        assert one.report()["before"] == {"secures": Value.report(one.before.at_least)}
    last = next(one for one in reversed(analysis.decisions))
    annotate(three, analysis)
    (written,) = loads(canonical(three))
    play = next(play for play in written.tricks[last.trick - 1].plays if play.seat == last.seat)
    assert play.comments[0].startswith("[%secures ")


def test_the_effort_of_four_players_may_not_even_reach_the_last_trick():
    game = next(simulate_games(1, seats=4, seed=1))
    analysis = analyse(game, 10)
    assert (analysis.from_trick, analysis.why, analysis.exact) == (None, "effort", False)
    assert [problem.code for problem in analysis.problems] == ["analysis-effort"]


def test_a_record_that_ends_in_phase_1(sample: Game):
    assert analyse(replace(sample, tricks=sample.tricks[:9], complete=False)).why == "phase-1"


def test_why_nothing_is_analysed_has_the_form_of_every_problem():
    """A place of at least one character; only games of three and four are said to be open."""
    records = """
[Player1 "A"]
[Termination "bye"]
[Result "1"]

[Deck "GKUWX"]
1. U7: G5 G8 *

[Player1 "A"]
[Player2 "B"]
[Player3 "C"]
[Deck "GKDSUWX"]
*
"""
    reports = [analyse(game).report(1) for game in loads(records)]
    for report, line in zip(reports, (2, 6, 9), strict=True):
        (problem,) = report["problems"]
        place = [problem[name] for name in ("line", "column", "end_column")]
        assert (problem["code"], place) == ("analysis-phase-1", [line, 1, 2])
    assert ["hands" in report for report in reports] == [False, False, True]


def test_a_wrong_result_is_not_the_reason(sample: Game):
    (cut,) = loads(canonical(sample).partition("\n10.")[0] + "\n*\n")
    assert [problem.code for problem in cut.errors] == ["result"]
    analysis = analyse(cut)
    assert (analysis.why, [p.code for p in analysis.problems]) == ("phase-1", ["analysis-phase-1"])
    (wrong,) = loads(canonical(sample).replace("\n9. ", "\n9. G9 ", 1))
    analysis = analyse(wrong)
    assert (analysis.why, analysis.problems[0].severity) == ("errors", "error")


def test_hands_that_nobody_knows(sample: Game, search: Search):
    """In an abandoned game without written draws, only the plays reveal hands."""
    text = canonical(sample).partition("\n21.")[0] + "\n*\n"
    text = re.sub(r"\[(Votes|Result) .*\n", "", text)
    (whole,) = loads(text)
    assert analyse(whole, trick=19, search=search).from_trick == 14
    (cut,) = loads(re.sub(r" /\w+", "", text))
    assert cut.legal
    analysis = analyse(cut, search=search)
    assert (analysis.from_trick, analysis.why) == (None, "unknown")
    with pytest.raises(UnanswerableError):
        State.from_game(cut, 18).value()


def test_hands_that_follow_by_elimination():
    """One hand of an abandoned game is known: the other has the rest of the deck."""
    state = State.dealt("GKUWS", seed=3)
    chance = Random(1)
    while state.trick < 23:
        state.apply(chance.choice(state.choices()))
    right = state.value()
    machine = state.copy()._machine
    for card in machine.hands[1]:
        machine.left[card] += 1
    machine.unknown[1] = len(machine.hands[1])
    machine.hands[1] = []
    assert Values(machine).value() == right


def test_what_stands_before_the_first_error_is_still_said(sample: Game, search: Search):
    """An error in the result says nothing about the play; plays after a bad play are not read."""

    def wrong(tag: str, trick: int | None) -> Game:
        problem = Problem("result", "error", "wrong", 1, 1, 1, trick, tag=tag)
        return replace(sample, problems=[problem])

    of_result = analyse(wrong("Result", None), trick=24, search=search)
    assert of_result.from_trick == 14
    assert [problem.code for problem in of_result.problems] == ["result"]
    of_play = analyse(wrong("", 20), trick=20, search=search)
    assert (of_play.from_trick, of_play.decisions) == (14, [])
    early = analyse(wrong("", 5), search=search)
    assert (early.from_trick, early.why, early.exact) == (None, "errors", False)


# Marks in the record --------------------------------------------------------------------------


def test_annotating_twice_changes_nothing(analysis: Analysis):
    game = mistakes()
    annotate(game, analysis)
    once = canonical(game)
    assert "16. U3+?? {[%value 0-1 2-3]} U1?? {[%value 1-0 4-1]}" in once
    (again,) = loads(once)
    assert again.legal
    annotate(again, analysis)
    assert canonical(again) == once


def test_marks_by_hand_stay_unless_they_are_to_be_replaced(analysis: Analysis):
    game = mistakes()
    (one, *_) = analysis.costly
    play = next(play for play in game.tricks[one.trick - 1].plays if play.seat == one.seat)
    play.annotation = "!?"
    play.comments = ["a trap [%value 0-1 1-4] for Ben"]
    annotate(game, analysis)
    assert play.annotation == "!?"
    assert play.comments == ["a trap for Ben", "[%value 0-1 2-3]"]
    annotate(game, analysis, replace_marks=True)
    assert play.annotation == "??"
    assert set(MARKS) == {"??", "?", "!"}


def test_the_value_of_a_play_that_is_no_decision_any_more_goes(analysis: Analysis):
    game = mistakes()
    last = game.tricks[-1].plays[0]  # the only card left
    hand = game.tricks[-1].plays[1]
    last.annotation = hand.annotation = "??"
    last.comments = ["a pity [%value 1-0 1-4]"]
    annotate(game, analysis)
    assert (last.annotation, last.comments) == ("??", ["a pity"])
    last.comments = ["[%secures 1/2 2-2]"]
    annotate(game, analysis, replace_marks=True)
    assert (last.annotation, last.comments) == ("", [])
    assert hand.annotation == "??"  # no analysis wrote that


def test_values_are_ordered_as_the_search_orders_them() -> None:
    values = [
        Value(share, mine, others)
        for share in range(3)
        for mine in range(7)
        for others in range(7 - mine)
    ]
    assert sorted(values) == sorted(values, key=lambda value: value_of(*value.parts))
    assert len({value_of(*value.parts) for value in values}) == len(values)
