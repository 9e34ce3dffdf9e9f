"""The library called with values of the wrong type, or of the right type but impossible.

Each call raises TypeError or ValueError (`IllegalAction` is one) that says what would be right; it
never fails deep inside, and never does anything.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import claimlog
from claimlog import Setup, State, dump, dumps, loads, read_games, simulate_games, write_tables
from claimlog.cards import card, deck_of

WRONG: tuple[Any, ...] = (5, 2.5, None, b"G5", ["G5"], {"G5": 1}, object(), "", "nothing", -1, True)
ANSWERS = (TypeError, ValueError, KeyError, IndexError)
NO_TEXT = {"copy", "go_on", "undo", "redo", "proceed", "choices", "game", "dealt", "from_game"}
"""Methods of a State that take no card, seat or text."""


def answer(call: Callable[..., object], *values: object) -> str | None:
    """The exception that a call raises; None if it succeeds."""
    try:
        call(*values)
    except ANSWERS as error:
        return str(error)
    return None


def played() -> State:
    state = State("GKUWX", players=["A", "B"])
    for choice in ("U7", "G5", "G8", "W2", "X3"):
        state.apply(choice)
    return state


def methods() -> list[str]:
    return [
        name
        for name, method in inspect.getmembers(State, inspect.isfunction)
        if not name.startswith("_") and name not in NO_TEXT
    ]


@pytest.mark.parametrize("name", methods())
def test_methods_of_a_state(name: str) -> None:
    """Whatever is given for all its parameters: it raises its own error, and the game stays."""
    names = [*inspect.signature(getattr(State, name)).parameters.values()][1:]
    needed = [one for one in names if one.default is one.empty]
    for value in WRONG:
        state = played()
        before = state.game()
        message = answer(getattr(state, name), *[value] * len(needed))
        if message is not None:
            assert message, (name, value)
            assert state.game() == before, (name, value)


def test_an_end_that_cannot_be_is_refused() -> None:
    for result, termination, message in (
        ("1-0", "lost", "there is no Termination 'lost'; there are normal, resignation"),
        ("1-0", "bye", "there is no Termination 'bye'"),
        ("2-0", "normal", "a game with 2 sides cannot end '2-0'"),
        ("1-0-0", "time", "a game with 2 sides cannot end '1-0-0'"),
        ("0-0", "time", "a game with 2 sides cannot end '0-0'"),
        ("won", "time", "a game with 2 sides cannot end 'won'"),
        ("1-0", "normal", "a game that ended before its end needs another Termination"),
    ):
        state = played()
        with pytest.raises(ValueError, match=message):
            state.finish(result, termination)
        assert not state.finished
        assert state.game().result == "*"
    for result, termination in (("1-0", "time"), ("0-0", "forfeit"), ("*", "abandoned")):
        state = played()
        state.finish(result, termination)
        (again,) = loads(dumps(state.game()))
        assert again.errors == []
        assert again.result == result


def test_a_played_game_ends_as_it_was_played() -> None:
    state = State.dealt("GKUWX", seed=3)
    while not state.over:
        state.apply(state.choices()[0])
    ended = state.game().result
    state.finish(ended, "normal")
    assert state.game().result == ended
    other = "0-1" if ended == "1-0" else "1-0"
    with pytest.raises(ValueError, match=f"the game ended {ended}, not {other}"):
        state.finish(other, "normal")


@pytest.mark.parametrize("value", WRONG)
def test_functions(value: Any) -> None:
    for function in (card, deck_of, Setup, State, State.from_game, dumps, loads):
        assert answer(function, value) != ""


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: played().play(5), TypeError, "a card is a string, as 'G5', not 5"),
        (lambda: played().comment(None), TypeError, "a comment is a string"),
        (lambda: dumps("x"), TypeError, "what is written is a Game, or several, not 'x'"),
        (lambda: dumps([5]), TypeError, "what is written is a Game, not 5"),
        (lambda: loads(None), TypeError, "games are read from a string or bytes, not from None"),
        (lambda: read_games(5), TypeError, "from a path, an open file or a text, not from 5"),
        (lambda: write_tables(5, "x"), TypeError, "an open file or a text, not from 5"),
        (lambda: dump([], 5), TypeError, "to a path or an open text file, not to 5"),
        (lambda: State.from_game(5), TypeError, "continued from a Game, not from 5"),
        (lambda: simulate_games(1, policy=["random"]), TypeError, "policy is a name, or one for"),
        (lambda: simulate_games("1"), TypeError, "str"),
        (lambda: simulate_games(1, seats=5), ValueError, "Claim has 2 to 4 players, not 5"),
        (lambda: simulate_games(1, policy="lucky"), ValueError, "there is no policy 'lucky'"),
        (lambda: Setup("GKRUX", loot=("G5",)), ValueError, "G5 shows no loot: only Raccoons do"),
        (lambda: Setup("GKRUX", loot="R2"), TypeError, "loot is a tuple of cards"),
        (lambda: Setup("GKRUX").with_loot(("G5",)), ValueError, "G5 shows no loot: only Raccoons"),
        (lambda: Setup("GKRUX").with_loot("R2"), TypeError, "loot is a tuple of cards"),
        (lambda: Setup("GKUWX", seats="2"), TypeError, "seats is a whole number, not '2'"),
        (lambda: played().hand("1"), TypeError, "a seat is a number from 1, not '1'"),
    ],
)  # fmt: skip
def test_what_they_say(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as raised:
        call()
    assert message in str(raised.value)


def test_nothing_is_written_that_would_be_read_with_errors() -> None:
    """A game may be changed after it was read; what is written is judged as it will be read."""
    (game,) = loads('[Deck "GKUWX"]\n1. U7: G5 G8+ /W2 *')
    for changed in (
        replace(game, result="2-0"),
        replace(game, tags={**game.tags, "Date": "yesterday"}),
        replace(game, tricks=[replace(game.tricks[0], upcards=["U7", "W3"])]),
    ):
        with pytest.raises(ValueError, match="cannot be written"):
            dumps(changed)
    assert loads(dumps(game)) == [game]
    assert claimlog.dumps([]) == ""
