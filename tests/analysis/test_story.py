"""The story of an analysis: every sentence, in both languages."""

from __future__ import annotations

import pytest

from claimlog.analysis.story import MOST, Story
from claimlog.evaluation import Analysis, Bounds, CardValue, Decision, Secured, Value
from claimlog.game import Game
from claimlog.language import LANGUAGES, words

WIN, SHARED, LOSS = Value(2, 3, 2), Value(1, 2, 2), Value(0, 2, 3)
GAME = Game(tags={"Player1": "Anna", "Player2": "Ben"}, complete=True)


def exactly(value: Value) -> Bounds:
    return Bounds(value, value)


def decision(trick: int, seat: int, before: Value, after: Value, mark: str) -> Decision:
    cards = (CardValue("G5", exactly(after)), CardValue("W9", exactly(before)))
    return Decision(trick, seat, "G5", exactly(before), cards, mark, known=True)


def story(*decisions: Decision, start: Bounds, end: Bounds, game: Game = GAME) -> list[str]:
    return Story(game, Analysis(14, "", start, end, list(decisions)), words()).lines()


def test_a_win_that_goes_to_and_fro():
    lines = story(
        decision(15, 1, WIN, LOSS, "??"),
        decision(17, 2, LOSS, WIN, "??"),
        decision(20, 2, WIN, Value(2, 4, 1), "?"),
        start=exactly(WIN),
        end=exactly(Value(2, 4, 1)),
    )
    assert lines == [
        "From trick 14 on, best play wins for Anna, 3-2.",
        "In trick 15 Anna gave the game away with G5; W9 would have kept it.",
        "In trick 17 Ben gave it back with G5; W9 would have kept it.",
        "Without changing the result, Ben gave away a faction.",
        "Anna won, 4-1.",
    ]


def test_shared_wins():
    lines = story(
        decision(15, 1, WIN, SHARED, "??"),
        decision(16, 2, SHARED, WIN, "??"),
        start=exactly(SHARED),
        end=exactly(SHARED),
    )
    assert lines == [
        "From trick 14 on, best play shares the win, 2-2.",
        "In trick 15 Anna turned the win into a shared one with G5; W9 would have kept it.",
        "In trick 16 Ben lost the shared win with G5; W9 would have kept it.",
        "The win was shared, 2-2.",
    ]


THREE: dict[str, list[str]] = {
    "en": [
        "In trick 15 Anna gave the game away with G5; W9 would have kept it.",
        "In trick 16 Ben gave the game away with G5; W9 would have kept it.",
        "In trick 17 Ben gave the game away with G5; W9 would have kept it.",
        "After that the win, or a share of it, was given away once more.",
        "Without losing a win or a share of one, Anna gave away a faction.",
    ],
    "de": [
        "In Stich 15 verschenkte Anna mit G5 den Sieg; W9 hätte ihn gehalten.",
        "In Stich 16 verschenkte Ben mit G5 den Sieg; W9 hätte ihn gehalten.",
        "In Stich 17 verschenkte Ben mit G5 den Sieg; W9 hätte ihn gehalten.",
        "Danach wurde der Sieg oder ein Anteil daran noch einmal verschenkt.",
        "Ohne den Sieg oder einen Anteil daran einzubüßen, verschenkte Anna eine Fraktion.",
    ],
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_of_three_gives_away_its_own(language: str):
    """What one seat could secure is nothing that another gives back."""
    win, loss = Secured(2, 4, 2), Secured(0, 2, 3)
    decisions = [
        decision(15, 1, win, loss, "??"),
        decision(16, 2, win, loss, "??"),
        decision(17, 2, win, loss, "??"),
        decision(18, 1, win, loss, "??"),
        decision(19, 1, Secured(0, 2, 4), Secured(0, 1, 4), "?"),
    ]
    analysis = Analysis(14, "", None, None, decisions, seats=3)
    game = Game(tags=GAME.tags | {"Player3": "Cleo"}, complete=True)
    assert Story(game, analysis, words(language)).lines()[1:] == THREE[language]


@pytest.mark.parametrize(("more", "last"), [(1, "once more"), (2, "2 more times")])
def test_not_every_change_is_told(more: int, last: str):
    changes = [decision(14 + n, 1, WIN, LOSS, "??") for n in range(MOST + more)]
    lines = story(*changes, start=exactly(WIN), end=exactly(LOSS))
    assert lines[-2].endswith(f"the result changed {last}.")
    assert len(lines) == MOST + 3


def test_nothing_was_given_away_and_the_record_stops():
    open_game = Game(tags=GAME.tags)
    lines = story(start=exactly(WIN), end=exactly(WIN), game=open_game)
    assert lines[1] == "Nobody gave anything away."
    assert lines[2] == "The record ends with trick 0; best play from there wins for Anna, 3-2."


def test_bounds_are_no_values():
    lines = story(start=Bounds(LOSS, WIN), end=Bounds(WIN, Value(2, 4, 1)))
    assert lines[0] == "It was not determined who wins from trick 14 on."
    assert lines[-1] == "Anna won."


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_in_both_languages(language: str):
    """Each sentence can be worded with the values that `Story` and the command supply."""
    say = words(language)
    given = {
        "trick": 15, "name": "Anna", "score": "3-2", "card": "G5", "best": "W9", "parts": "x",
        "first": 14, "number": 2, "kept": 1, "results": 1, "factions": 1,
    }  # fmt: skip
    keys = [key for key in say.texts if key.startswith("analysis.")]
    assert len(keys) > 40
    for key in keys:
        assert "{" not in say(key, **given)
