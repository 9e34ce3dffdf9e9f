"""The model: the same game from the rules, from a record and from JSON."""

import dataclasses
import io
import json
import subprocess
import sys
from pathlib import Path
from random import Random

import msgspec
import pytest
from examples import many
from hypothesis import given
from hypothesis import strategies as st

from claimlog.cards import all_decks, deck_letters
from claimlog.game import Game, Play, Problem, Reason, Trick
from claimlog.notation.tokens import ANNOTATIONS
from claimlog.notation.writer import canonical, compact
from claimlog.parts import reported
from claimlog.replay.recorder import replay_text, replays
from claimlog.rules.actions import Kind
from claimlog.rules.dealing import deal
from claimlog.rules.games import game_of
from claimlog.rules.machine import Machine
from claimlog.rules.setup import RULINGS, Setup
from claimlog.simulate import simulate_records

ROOT = Path(__file__).parents[1]
LOOT = ("R2", "R5", "R8", "R11", "R13")

words = st.text(st.characters(exclude_categories=["Cc", "Cs", "Z"]), min_size=1, max_size=8)
comments = st.lists(st.lists(words, max_size=3).map(" ".join), max_size=2)


@st.composite
def machines(draw):
    """A random game, up to its end or any action; the deal known or not."""
    seats = draw(st.sampled_from([2, 2, 3, 4]))
    classic = draw(st.booleans())
    setup = Setup(
        seats=seats,
        deck=deck_letters(draw(st.sampled_from(all_decks(seats, classic=classic)))),
        rules="Classic" if classic else "LE2023",
        rulings={key: draw(st.sampled_from(ruling.values)) for key, ruling in RULINGS.items()},
        leader=draw(st.integers(1, seats)),
        loot=LOOT,
    )
    rng = Random(draw(st.integers(0, 2**32)))
    machine = Machine(setup, *deal(setup, rng))
    for _ in range(draw(st.one_of(st.just(10**6), st.integers(0, 120)))):
        if machine.kind == Kind.OVER:
            break
        choices = machine.choices()
        machine.apply_unchecked(choices[int(rng.random() * len(choices))])
    return machine


@st.composite
def games(draw):
    """Such a game with everything that a record may have besides the plays."""
    game = game_of(draw(machines()), {"Event": draw(words), "Player1": draw(words), "Player2": "?"})
    game.comments = draw(comments)
    last = game.tricks[-1] if game.tricks else Trick(number=0)
    if last.winner is None and len(last.plays) == game.seats and last.phase == 1:
        game.tricks.pop()  # a Seer's winner has not decided yet: no record can say that
    for trick in draw(
        st.lists(st.sampled_from(game.tricks), max_size=3) if game.tricks else st.just([])
    ):
        if trick.drawn:  # otherwise it is a comment of the last play
            trick.comments = draw(comments)
        for play in trick.plays:
            play.annotation = draw(st.sampled_from(ANNOTATIONS))
            play.comments = draw(comments)
    return game


def read(text: str) -> Game:
    (game,) = replay_text(text)
    return game


@many
@given(games())
def test_what_is_written_reads_back_as_the_same_game(game: Game) -> None:
    for write in (canonical, compact):
        again = read(write(game))
        assert again.errors == []
        for ours, theirs in zip(game.tricks, again.tricks, strict=True):
            assert ours.plays == theirs.plays
            assert dataclasses.asdict(ours) == dataclasses.asdict(theirs)
        assert again == game


@given(games())
def test_a_game_goes_through_json(game: Game) -> None:
    again = msgspec.json.decode(msgspec.json.encode(game), type=Game)
    assert again == game
    assert canonical(again) == canonical(game)
    assert json.loads(json.dumps(game.report())) == game.report()


def test_the_model_and_the_engine_need_the_standard_library_alone() -> None:
    """As in a browser: cards, model, rules, notation and replay, interpreted."""
    script = """
import sys
sys.path.insert(0, sys.argv[1])
from claimlog.replay.recorder import replay_text, replays
from claimlog.notation.writer import canonical
from claimlog.rules.games import game_of
text = open(sys.argv[1] + "/data/sample.clm").read()
games = list(replay_text(text))
print("\\n".join(canonical(game) for game in games) == text, games[0].legal)
"""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script, str(ROOT)],
        capture_output=True,
        text=True,
        env={"CLAIMLOG_PURE": "1"},
        check=False,
    )
    assert (done.stdout, done.stderr) == ("True True\n", "")


def test_parts_are_shown_by_what_they_say() -> None:
    (game,) = replay_text('[Deck "GKUWX"]\n1. U7: G5! G8+ /W2\n*\n')
    assert repr(game) == "<Game ? - ? * (GKUWX, 1 trick)>"
    assert repr(game.tricks[0]) == "<Trick 1. U7: 1=G5 2=G8+>"
    assert repr(game.tricks[0].plays[0]) == "Play(seat=1, card='G5', value=5, annotation='!')"
    assert game.tricks[0].winning is game.tricks[0].plays[1]
    assert repr(Reason("why.highest", 2, ("G8",), "G")) == (
        "Reason(code='why.highest', seat=2, cards=('G8',), faction='G')"
    )
    sample = next(replay_text((ROOT / "data" / "sample.clm").read_bytes()))
    assert (
        str(sample)
        == "Anna Keller - Ben Roth 0-1 (Club evening (simulated) 2026-10-08, GKUWX, 26 tricks)"
    )
    assert (sample.winners, sample.player(2)) == ([2], "Ben Roth")
    (bad,) = replay_text('[Deck "GKUWX"]\n1. U7: G5 G8+ 2. X3: Q8\n*\n')
    assert str(bad) == "? - ? * (GKUWX, 2 tricks, 1 error)"
    assert str(bad.errors[0]).startswith("2:22: error: unknown-card: ")


@pytest.mark.parametrize("kind", [Game, Trick, Play, Problem, Reason])
def test_parts_have_slots(kind: type) -> None:
    with pytest.raises(AttributeError):
        object.__setattr__(kind.__new__(kind), "anything", 1)


def test_reports_leave_out_what_the_contract_does_not_name() -> None:
    assert list(reported(Play)) == ["seat", "card", "value"]
    assert "comments" not in reported(Trick)


@pytest.mark.no_cover
@pytest.mark.parametrize("folder", ["", "broken", "powers", "worked-examples"])
def test_the_schema_of_the_api_is_that_of_the_reports(folder: str) -> None:
    from claimlog.api.http.schemas import ReplayReport

    paths = sorted((ROOT / "data" / folder).glob("*.clm"))
    assert paths
    for path in paths:
        for game in replay_text(path.read_bytes()):
            report = game.report()
            typed = msgspec.convert(report, ReplayReport)
            assert json.loads(msgspec.json.encode(typed)) == json.loads(json.dumps(report))


def test_the_schema_of_a_position_is_that_of_the_viewpoint() -> None:
    from claimlog.api.http.schemas import PositionReport
    from claimlog.replay.viewpoint import Viewpoint

    for path in sorted((ROOT / "data" / "powers").glob("*.clm")):
        for game in replay_text(path.read_bytes()):
            for view in (None, 0, 1):
                viewpoint = Viewpoint(game, view)
                for number in range(1, viewpoint.last + 1):
                    report = viewpoint.at(number).report()
                    typed = msgspec.convert(report, PositionReport)
                    assert json.loads(msgspec.json.encode(typed)) == json.loads(json.dumps(report))


@pytest.mark.no_cover
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_without_reasons_is_the_same_game(seats: int) -> None:
    """Only the tricks' reasons are left out, for callers that do not ask for them."""
    text = "".join(simulate_records(40, seats=seats, deck="random", seed=seats)).encode()
    games = list(replays(io.BytesIO(text).read))
    assert all(trick.reasons for game in games for trick in game.tricks)
    for game in games:
        for trick in game.tricks:
            trick.reasons = []
    assert list(replays(io.BytesIO(text).read, reasons=False)) == games
