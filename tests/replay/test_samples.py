"""The records in data/ are what they claim to be, and can be generated again."""

import runpy
from collections import Counter
from pathlib import Path
from typing import Any

import lawbook
import pytest

from claimlog.game import Game, SeatCard
from claimlog.notation.reader import open_games
from claimlog.notation.writer import canonical
from claimlog.replay.recorder import replays

DATA = Path(__file__).parents[2] / "data"
MADE = runpy.run_path(str(DATA / "make_samples.py"))
FACTIONS = {
    "goblins", "knights", "gnomes", "giants", "kings", "peasants", "automatons", "bards",
    "dragons", "griffins", "raccoons", "seers", "trolls", "undead", "vikings", "dwarves",
    "doppelgangers",
}  # fmt: skip


APART = ("broken", "records")
"""Records not made by data/make_samples.py: broken ones, and those of data/conformance."""


def games(name: str) -> list[Game]:
    with open_games(str(DATA / name)) as stream:
        return list(replays(stream.read))


@pytest.mark.no_cover
def test_every_file_can_be_made_again() -> None:
    made: dict[str, str] = dict(MADE["texts"]())
    there = {
        path.relative_to(DATA).as_posix()
        for path in DATA.rglob("*.clm")
        if path.parent.name not in APART
    }
    assert there == set(made)
    for path, text in made.items():
        assert (DATA / path).read_text(encoding="utf-8") == text, path


def test_all_are_legal_canonical_and_labelled() -> None:
    for path in DATA.rglob("*.clm"):
        if path.parent.name in APART:
            continue
        replayed = games(str(path.relative_to(DATA)))
        assert "\n".join(map(canonical, replayed)) == path.read_text(encoding="utf-8")
        for game in replayed:
            assert not game.errors
            assert not game.tricks or lawbook.why_illegal(canonical(game)) == ""
            assert {problem.code for problem in game.problems} <= {"trolls-advised-against"}
            if game.complete:
                assert "(simulated)" in game.tags["Event"]
                assert "simulate" in game.tags["Recorder"]


def test_the_open() -> None:
    replayed = games("zurich-open.clm")
    assert len(replayed) == 64
    pairs = Counter(frozenset((g.tags["Player1"], g.tags["Player2"])) for g in replayed)
    assert set(pairs.values()) == {1}
    rounds = Counter((g.tags["Round"], name) for g in replayed for name in _players(g))
    assert len(rounds) == 8 * 16
    assert set(rounds.values()) == {1}
    assert all(game.complete for game in replayed)


def test_games_without_tricks() -> None:
    replayed = games("without-tricks.clm")
    assert [game.tags["Termination"] for game in replayed] == [
        "unrecorded", "unrecorded", "unrecorded", "forfeit", "forfeit", "bye",
    ]  # fmt: skip
    assert [game.seats for game in replayed] == [2, 2, 3, 2, 2, 1]
    assert not any(game.tricks or game.complete for game in replayed)


def test_the_team_cup() -> None:
    replayed = games("team-cup.clm")
    assert len(replayed) == 15
    meetings = Counter(frozenset(_players(game)) for game in replayed)
    assert set(meetings.values()) == {1}
    assert {game.seats for game in replayed} == {4}


def test_the_evening() -> None:
    replayed = games("thursday-evening.clm")
    assert [game.seats for game in replayed] == [3] * 5
    assert [bool(game.warnings) for game in replayed] == [False, False, False, True, False]


def _players(game: Game) -> list[str]:
    return [game.tags[f"Player{seat + 1}"] for seat in range(game.seats)]


def power(name: str) -> tuple[Game, Any]:
    """The record of a faction's power and the trick with its comment."""
    (game,) = games(f"powers/{name}.clm")
    marked = [t for t in game.tricks if t.comments or any(play.comments for play in t.plays)]
    assert marked
    return game, marked[0]


def test_every_faction_has_a_record() -> None:
    assert {path.stem for path in (DATA / "powers").iterdir()} == FACTIONS


def test_powers_of_single_tricks() -> None:
    _, trick = power("goblins")
    assert ([p.card for p in trick.plays], trick.winner) == (["G0", "G0"], 1)
    _, trick = power("knights")
    assert ([p.card for p in trick.plays], trick.winner) == (["G9", "K2"], 2)
    _, trick = power("undead")
    assert (trick.scored, trick.taken) == ({1: [], 2: ["U3", "U5"]}, {2: "U7", 1: "W2"})
    _, trick = power("doppelgangers")
    assert ([p.card for p in trick.plays], trick.winner) == (["G5", "X8"], 2)
    _, trick = power("seers")
    assert trick.taken == {2: "K2", 1: "U7"}
    _, trick = power("dragons")
    assert (trick.winner, trick.next_leader) == (1, 2)
    game, trick = power("automatons")
    assert [t.auto for t in game.tricks] == [False, True, False]
    assert (game.tricks[1].winner, game.tricks[1].taken) == (2, {2: "X3", 1: "U0"})


def test_powers_of_phase_2() -> None:
    _, trick = power("dwarves")
    assert trick.scored[3 - trick.winner] == [p.card for p in trick.plays]
    _, trick = power("gnomes")
    assert trick.scored[trick.winner] == [p.card for p in trick.plays]
    _, trick = power("giants")
    gone, giants = trick.removed[0], [p.card for p in trick.plays if p.card[0] == "I"]
    assert gone.seat == 3 - trick.winner
    assert "I" + gone.card[1:] in giants
    _, trick = power("griffins")
    winning, losing = sorted(trick.plays, key=lambda play: play.seat != trick.winner)
    assert winning.value == int(winning.card[1:]) + 5 > losing.value > int(winning.card[1:])
    _, trick = power("trolls")
    high, low = sorted((p.card for p in trick.plays), reverse=True)
    assert (trick.scored[trick.winner], trick.waiting) == ([high], [low])


def test_powers_of_the_end() -> None:
    score = power("bards")[0].score
    assert score
    won = score.factions["B"].winner
    assert won is not None
    assert score.factions["B"].counts[won] < score.factions["B"].counts[3 - won]
    score = power("vikings")[0].score
    assert score
    won = score.factions["V"].winner
    real = {side: sum(card[0] == "V" for card in pile) for side, pile in score.piles.items()}
    assert won is not None
    assert real[won] < real[3 - won]
    score = power("peasants")[0].score
    assert score
    assert {peasant.side for peasant in score.moved} == {1, 2}
    score = power("kings")[0].score
    assert score
    moved = {peasant.card for peasant in score.moved}
    for side, pile in score.piles.items():
        for card in pile:
            if card[0] == "P":
                near = any(f"M{int(card[1:]) + more}" in pile for more in range(4))
                assert near or card in moved, side
    score = power("raccoons")[0].score
    assert score
    assert any(score.factions[loot.faction].winner == side for side, loot in score.loot.items())


@pytest.mark.parametrize(
    ("name", "scored", "waiting"),
    [
        ("trolls-le2023", [(2, ["T7"]), (1, ["T6"]), (1, ["U7", "G2", "T5"]),
          (2, ["G8", "K2", "T3"])],
         [["T6"], ["T5", "T3"], ["T3"], []]),
        ("trolls-claim-2", [(2, ["T3"]), (2, ["T9"]), (2, ["U5", "U3", "T1"])],
         [["T1"], ["T1", "T7"], ["T7"]]),
    ],
)  # fmt: skip
def test_worked_examples_of_the_trolls(
    name: str, scored: list[tuple[int, list[str]]], waiting: list[list[str]]
) -> None:
    (game,) = games(f"worked-examples/{name}.clm")
    tricks = game.tricks[13:]
    taken = [(t.winner, t.scored[t.winner]) for t in tricks if t.scored and t.winner is not None]
    assert taken == scored
    assert [trick.waiting for trick in tricks] == waiting


def test_worked_example_of_the_giants() -> None:
    (game,) = games("worked-examples/giants.clm")
    assert [trick.removed for trick in game.tricks[13:]] == [[], [], [SeatCard(2, "N7")]]


def test_worked_example_of_the_kings() -> None:
    (game,) = games("worked-examples/kings.clm")
    assert game.score
    (pile,) = [pile for pile in game.score.piles.values() if "M7" in pile]
    assert {"P4", "P7"} <= set(pile)
    assert [card for card in pile if card[0] == "M"] == ["M7"]
    assert not {"P4", "P7"} & {peasant.card for peasant in game.score.moved}
