"""What is told about a game: the verdict between equal sides, names, foreign text."""

import pytest
from replaying import game

from claimlog.replay.position import SPECTATOR, Course, Ending
from claimlog.words import words
from claimlog.words.telling import Teller, plain


def verdict(name, votes, number, value, tiebreak, winners, language="en"):
    course = Course(game(name))
    ending = Ending([], [], votes, number, value, tiebreak, winners, "")
    return Teller(course, words(language)).verdict(ending)


def test_a_clear_win():
    assert verdict("three", [4, 2, 1], [9, 9, 9], [5, 5, 5], None, [0]) == ["Winner: Anna Keller"]


def test_two_players_compare_values():
    assert verdict("two-goblins", [2, 2], [9, 7], [40, 41], "value", [1]) == [
        "Equally many factions: the sum of their card values decides (Anna Keller 40, Ben Roth "
        "41).",
        "Winner: Ben Roth",
    ]


def test_three_players_compare_cards_first():
    told = verdict("three", [3, 1, 3], [9, 9, 8], [40, 90, 50], "cards", [0])
    assert told == [
        "Equally many factions: the number of cards in them decides (Anna Keller 9, Clara Meier "
        "8).",
        "Winner: Anna Keller",
    ]


def test_three_players_compare_values_where_cards_are_equal():
    told = verdict("three", [3, 1, 3], [9, 9, 9], [40, 90, 50], "value", [2], "de")
    assert told == [
        "Gleich viele Fraktionen und Karten darin: Die Summe der Kartenwerte entscheidet (Anna "
        "Keller 40, Clara Meier 50).",
        "Sieg: Clara Meier",
    ]


def test_cards_leave_two_and_values_decide_between_them():
    told = verdict("three", [2, 2, 2], [9, 9, 8], [40, 30, 50], "value", [0])
    assert [line.split(":")[0] for line in told] == [
        "Equally many factions",
        "Equally many factions and cards in them",
        "Winner",
    ]
    assert "Clara" not in told[1]


def test_a_shared_win():
    told = verdict("four", [3, 3], [9, 9], [40, 40], None, [0, 1])
    assert told == [
        "Equal in all: the win is shared.",
        "Winners: Side 1 (Anna Keller and Clara Meier) and Side 2 (Ben Roth and David Huber)",
    ]


@pytest.mark.parametrize(
    ("view", "told"),
    [
        (None, ""),
        (0, "what Jörg Öztürk could see"),
        (1, "what Seat 2 could see"),
        (SPECTATOR, "what a spectator could see"),
    ],
)
def test_whose_eyes(view, told):
    assert Teller(Course(game("partial"), view), words()).view() == told


def test_text_of_records_is_made_plain():
    assert plain(" a\tb\n c ") == "a b c"
    assert plain("\x1b[31mred\u202e \x9bm") == "\ufffd[31mred\ufffd \ufffdm"
    assert plain("Zoë 山田") == "Zoë 山田"
