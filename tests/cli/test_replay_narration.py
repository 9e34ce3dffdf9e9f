"""The narration of a game: the verdict between equal sides, names, foreign text."""

import pytest
from replaying import game

from claimlog.game import Reason
from claimlog.language import words
from claimlog.replay.narration import Narrator, plain
from claimlog.replay.viewpoint import SPECTATOR, Ending, Viewpoint


def verdict(name, votes, compared, winners, language="en"):
    """The sentences about the end; `compared` are the numbers by side of each comparison."""
    ending = Ending(
        factions=[],
        before=[],
        votes=dict(enumerate(votes, 1)),
        compared=[
            Reason(f"tiebreak.{code}", seat=side, number=number)
            for code, numbers in compared.items()
            for side, number in numbers.items()
        ],
        winners=winners,
        result="",
    )
    return Narrator(Viewpoint(game(name)), words(language)).verdict(ending)


def test_a_clear_win():
    assert verdict("three", [4, 2, 1], {}, [1]) == ["Winner: Anna Keller"]


def test_two_players_compare_values():
    assert verdict("two-goblins", [2, 2], {"value": {1: 40, 2: 41}}, [2]) == [
        "Tied on factions: the sum of their card values decides (Anna Keller 40, Ben Roth 41).",
        "Winner: Ben Roth",
    ]


def test_three_players_compare_cards_first():
    assert verdict("three", [3, 1, 3], {"cards": {1: 9, 3: 8}}, [1]) == [
        "Tied on factions: the number of cards in them decides (Anna Keller 9, Clara Meier 8).",
        "Winner: Anna Keller",
    ]


def test_three_players_compare_values_where_cards_are_equal():
    assert verdict("three", [3, 1, 3], {"cards-value": {1: 40, 3: 50}}, [3], "de") == [
        "Gleich viele Fraktionen und Karten darin: Die Summe der Kartenwerte entscheidet (Anna "
        "Keller 40, Clara Meier 50).",
        "Sieg: Clara Meier",
    ]


def test_cards_leave_two_and_values_decide_between_them():
    compared = {"cards": {1: 9, 2: 9, 3: 8}, "cards-value": {1: 40, 2: 30}}
    sentence = verdict("three", [2, 2, 2], compared, [1])
    assert [line.split(":")[0] for line in sentence] == [
        "Tied on factions",
        "Tied on factions and the cards in them",
        "Winner",
    ]
    assert "Clara" not in sentence[1]


def test_a_shared_win():
    assert verdict("four", [3, 3], {}, [1, 2]) == [
        "All equal: the win is shared.",
        "Winners: Side 1 (Anna Keller and Clara Meier) and Side 2 (Ben Roth and David Huber)",
    ]


@pytest.mark.parametrize(
    ("view", "line"),
    [
        (None, ""),
        (1, "what Jörg Öztürk could see"),
        (2, "what Seat 2 could see"),
        (SPECTATOR, "what a spectator could see"),
    ],
)
def test_whose_eyes(view, line):
    assert Narrator(Viewpoint(game("partial"), view), words()).view() == line


def test_text_of_records_is_made_plain():
    assert plain(" a\tb\n c ") == "a b c"
    assert plain("\x1b[31mred\u202e \x9bm") == "\ufffd[31mred\ufffd \ufffdm"
    assert plain("Zoë 山田") == "Zoë 山田"


@pytest.mark.parametrize("name", ["علی‌رضا", "ක්‍රිස්ටෝ", "👨‍👩‍👧"])
def test_joiners_are_part_of_a_name(name):
    assert plain(name) == name
