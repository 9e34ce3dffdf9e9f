"""Byes, forfeits and games of which only the result is known (docs/notation.md)."""

import pytest

from claimlog.game import Game
from claimlog.notation.writer import canonical, compact
from claimlog.replay.recorder import replay_text

TWO = '[Player1 "Anna"]\n[Player2 "Ben"]\n'
DECK = '[Deck "GKUWX"]\n'


def games(text: str) -> list[Game]:
    return list(replay_text(text))


def found(text: str) -> list[tuple[str, int]]:
    return [(p.code, p.line) for game in games(text) for p in game.problems]


def record(termination: str, tags: str, result: str) -> str:
    written = f'[Result "{result}"]\n' if result else ""
    return f'{tags}[Termination "{termination}"]\n{written}\n{result}\n'


@pytest.mark.parametrize(
    ("termination", "tags", "result"),
    [
        ("bye", '[Player1 "Anna"]\n', "1"),
        ("bye", '[Player1 "Anna"]\n', "1/2"),
        ("bye", '[Player1 "Anna"]\n', "0"),
        ("bye", '[Player1 "Anna"]\n[Votes "3"]\n', "1"),
        ("bye", '[Player1 "Anna"]\n' + DECK, "1"),
        ("forfeit", TWO, "1-0"),
        ("forfeit", TWO, "0-0"),
        ("forfeit", TWO + '[Player3 "C"]\n', "0-0-0"),
        ("forfeit", TWO + DECK, "0-1"),
        ("unrecorded", TWO, "1-0"),
        ("unrecorded", TWO + '[Votes "3-2"]\n', "1-0"),
        ("unrecorded", TWO + '[Votes "9-9"]\n', "0-1"),
        ("unrecorded", TWO + '[Player3 "C"]\n', "1/2-0-1/2"),
        ("unrecorded", TWO + DECK, "1/2-1/2"),
    ],
)
def test_legal_and_canonical(termination: str, tags: str, result: str) -> None:
    text = record(termination, tags, result)
    (game,) = games(text)
    assert game.problems == []
    assert (game.result, game.complete, game.tricks) == (result, False, [])
    assert [(p.code, p.line) for p in games(canonical(game))[0].problems] == []
    assert canonical(games(canonical(game))[0]) == canonical(game)
    assert canonical(games(compact(game))[0]) == canonical(game)


@pytest.mark.parametrize(
    ("termination", "tags", "result", "expected"),
    [
        ("bye", '[Player1 "Anna"]\n', "1-0", [("result", 3)]),
        ("bye", '[Player1 "Anna"]\n', "*", [("result", 3)]),
        ("bye", '[Player1 "Anna"]\n', "", [("result", 1)]),
        ("bye", TWO + DECK, "1-0", [("bad-seats", 2)]),
        ("bye", '[Player1 "Anna"]\n[Votes "3-2"]\n', "1", [("bad-tag", 2)]),
        ("normal", '[Player1 "Anna"]\n' + DECK, "*", [("bad-seats", 1)]),
        ("normal", TWO, "*", [("bad-deck", 6)]),
        ("resignation", TWO, "1-0", [("bad-deck", 6)]),
        ("unrecorded", TWO + '[Deck ""]\n', "1-0", [("bad-deck", 3)]),
        ("forfeit", TWO + '[Deck "GKUWXDS"]\n', "1-0", [("bad-deck", 3)]),
        ("unrecorded", TWO, "0-0", [("result", 4)]),
        ("unrecorded", TWO, "1", [("result", 4)]),
        ("unrecorded", TWO, "1-1", [("result", 4)]),
        ("unrecorded", TWO, "1-0-0", [("result", 4)]),
        ("unrecorded", TWO + '[Votes "3-1-1"]\n', "1-0", [("bad-tag", 3)]),
    ],
)
def test_refused(termination: str, tags: str, result: str, expected: list[tuple[str, int]]) -> None:
    text = record(termination, tags, result)
    if result == "1" and termination != "bye":
        text = text.replace("\n1\n", "\n")  # in the movetext a single number is not a result
    assert [place for place in found(text) if place[0] != "syntax"][:1] == expected


def test_a_bye_has_no_tricks() -> None:
    text = record("bye", '[Player1 "Anna"]\n', "1").replace("\n\n1", "\n\n1. U7: G5 G8 /W2\n1")
    assert [code for code, _ in found(text)][:1] == ["play-count"]


def test_a_number_without_its_dot_is_no_result() -> None:
    (game,) = games(f"{DECK}\n1 U7: G5 G8 /W2\n*\n")
    assert [problem.code for problem in game.problems] == ["syntax"]


def test_a_bye_stands_between_games() -> None:
    bye = record("bye", '[Player1 "Anna"]\n', "1")
    game = f"{DECK}\n1. U7: G5 G8+ /W2\n*\n"
    assert [g.result for g in games("\n".join([bye, game, bye, bye]))] == ["1", "*", "1", "1"]
    assert found("\n".join([bye, game, bye, bye])) == []
