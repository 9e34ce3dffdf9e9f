"""What a viewer shows of an analysis: nothing that its view cannot know, and nothing untrue."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from commands import claimlog
from test_replay_html import CARD, packed_in

from claimlog import Game, State, loads, simulate_games
from claimlog.analysis.course import COSTLY, Course
from claimlog.analysis.trial import Trial, lines_of
from claimlog.evaluation import Analysis
from claimlog.notation.writer import canonical
from claimlog.replay.viewpoint import SPECTATOR, Viewpoint
from claimlog.web.replay import all_views, export_html
from claimlog.web.worth import value_of, worth_data


@pytest.fixture(scope="module")
def game() -> Game:
    """A game with mistakes of both kinds that is quickly analysed."""
    return next(simulate_games(1, deck="GKBSU", policy="random", seed=7))


@pytest.fixture(scope="module")
def analysis(game: Game) -> Analysis:
    return game.analysis()


def test_each_moment_has_the_value_of_its_position(game: Game, analysis: Analysis) -> None:
    course = Course(game, analysis.from_trick, analysis.decisions)
    assert set(course.values) == {(trick, n) for trick in range(14, 27) for n in range(3)}
    for trick in (20, 23, 26):
        for played in range(2):
            state = State.from_game(game, trick, played)
            assert course.values[trick, played] == state.value(), (trick, played)
        after = State.from_game(game, trick, 2)
        assert course.values[trick, 2] == after.value()
    assert [course.decisions[at].mark for at in course.costly] == [
        one.mark for one in analysis.decisions if one.mark in COSTLY
    ]


def test_a_revoke_that_stood_is_no_decision_but_may_change_the_value(
    game: Game, analysis: Analysis
) -> None:
    """The same value before and after holds only on one side of the revoke."""
    trick, played = next(at for at, one in Course(game, 14, analysis.decisions).decisions.items())
    play = game.tricks[trick - 1].plays[played - 1]
    tricks = list(game.tricks)
    plays = list(tricks[trick - 1].plays)
    plays[played - 1] = replace(play, irregular=True)
    tricks[trick - 1] = replace(tricks[trick - 1], plays=plays)
    course = Course(replace(game, tricks=tricks), 14, analysis.decisions[1:])
    assert (trick, played - 1) not in course.values
    assert course.values[trick, played] == analysis.decisions[1].before


def test_of_a_game_that_stops_nothing_is_said_beyond_its_last_decision(game: Game) -> None:
    hands = {
        seat: [card or "_" for card in Viewpoint(game).at(1, 0).players[seat - 1].hand]
        for seat in (1, 2)
    }
    tags = "".join(f'[Hand{seat} "{" ".join(hand)}"]\n' for seat, hand in hands.items())
    text = re.sub(r'\[(Result|Votes) "[^"]*"\]\n', "", canonical(game).partition("\n23. ")[0])
    (stopped,) = loads(tags + text + "\n*\n")
    analysis = stopped.analysis()
    course = Course(stopped, analysis.from_trick, analysis.decisions)
    assert not stopped.complete
    assert max(course.values) == max(course.decisions) < (22, 2)


def test_a_view_has_only_what_it_may_know(game: Game, analysis: Analysis) -> None:
    """A spectator nothing; a seat who was winning, and the values of its own cards."""
    report = analysis.report(1)
    views = worth_data(game, report, views=all_views(game))["views"]
    assert list(views) == ["open", "1", "2"]
    for seat in (1, 2):
        assert views[str(seat)]["course"] == views["open"]["course"]
        for at, one in views[str(seat)]["decisions"].items():
            full = views["open"]["decisions"][at]
            assert one == (full if one["seat"] == seat else full | {"cards": None})
    # With Raccoons a seat cannot know, and so its view has no values.
    unknown = report | {"decisions": [one | {"known": False} for one in report["decisions"]]}
    assert list(worth_data(game, unknown, views=all_views(game))["views"]) == ["open"]


def test_values_are_as_side_1_sees_them(game: Game, analysis: Analysis) -> None:
    view = worth_data(game, analysis.report(1), views=[None])["views"]["open"]
    assert view["course"]["26.2"] == [2, 4, 1]
    low = analysis.decisions[0].before
    assert value_of(low._replace(at_least=replace(low.at_least, share=0))) == [0, 3, 2, 2, 3, 2]


def test_a_file_for_one_view_has_the_values_of_no_other(
    game: Game, analysis: Analysis, tmp_path: Path
) -> None:
    """The seat's file names none of the other hand's cards before they are played."""
    (tmp_path / "game.clm").write_text(canonical(game))
    for hide, wanted in (("1", {"1"}), ("spectator", set())):
        code, page, err = claimlog(
            "export", "--html", "-", tmp_path / "game.clm", "--worth", "--hide", hide
        )
        assert (code, err) == (0, b"")
        data = json.loads(packed_in(page.decode(), "replay-worth"))
        assert set(data["views"]) == wanted
        for one in data["views"].values():
            for at, decision in one["decisions"].items():
                own = set(CARD.findall(json.dumps(decision)))
                trick, played = map(int, at.split("."))
                seen = Viewpoint(game, 1).at(trick, played).report()
                before = Viewpoint(game, 1).at(trick, played - 1).report()
                assert own <= set(CARD.findall(json.dumps([seen, before])))
    assert b'id="replay-worth"' not in export_html(game, views=[SPECTATOR])


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("16. W1 X4+", "16. W1 Q4+"), ("23. W9+ U9", "23. W9+ U2"), ("25. K4+ K2", "25. K4+ K3")],
)
def test_a_record_with_an_error_has_the_values_before_it(
    tmp_path: Path, right: str, wrong: str
) -> None:
    sample = Path("data/sample.clm").read_text(encoding="utf-8")
    assert right in sample
    (tmp_path / "game.clm").write_text(sample.replace(right, wrong), encoding="utf-8")
    code, page, err = claimlog("export", "--html", "-", tmp_path / "game.clm", "--worth")
    assert (code, err) == (0, b"")
    view = json.loads(packed_in(page.decode(), "replay-worth"))["views"]["open"]
    last = max(int(at.split(".")[0]) for at in view["decisions"])
    assert last < int(right.split(".")[0])
    assert all(one["lines"] for one in view["decisions"].values())


def test_with_three_players_and_where_nothing_can_be_said_there_is_nothing() -> None:
    three = next(simulate_games(1, seats=3, seed=1))
    short = replace(three, tricks=three.tricks[:3], complete=False)
    report = short.analysis().report(1)
    data = worth_data(short, report, views=[None])
    assert data["from"] is None
    assert data["problems"] == ["analysis-phase-1"]
    assert data["views"]["open"] == {"course": {}, "decisions": {}}


def test_a_line_of_best_play_keeps_the_value_of_its_card(game: Game, analysis: Analysis) -> None:
    """It goes to the end, which is worth as much as the card."""
    lines = lines_of(game, analysis)
    for decision, following in list(zip(analysis.decisions, lines, strict=True))[-3:]:
        place = [play.seat for play in game.tricks[decision.trick - 1].plays].index(decision.seat)
        for card, value in decision.cards:
            trial = Trial(game, decision.trick, place, [card, *following[card]])
            assert trial.seat is None
            score = trial.game().score
            assert score is not None
            assert score.votes == dict(enumerate(value.at_least.factions, 1))
    data = worth_data(game, analysis.report(1), views=[None, 1], lines=lines)["views"]
    assert all("lines" in one for one in data["open"]["decisions"].values())
    assert not any("lines" in one for one in data["1"]["decisions"].values())
