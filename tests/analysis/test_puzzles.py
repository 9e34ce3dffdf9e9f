"""Puzzles: positions in which only one card keeps the win, and how they are shown."""

from __future__ import annotations

import re

import pytest

from claimlog import State, loads, simulate_games
from claimlog.analysis import puzzles
from claimlog.analysis.decisions import analyse
from claimlog.analysis.puzzles import FIRST, LAST, LEVELS, Puzzle, by_day, puzzles_of
from claimlog.notation.writer import canonical
from claimlog.solve.search import Search
from claimlog.web.puzzles import page_html

GAMES = list(simulate_games(30, deck="GKBSU", policy="random", seed=1))


@pytest.fixture(scope="module")
def search() -> Search:
    return Search()


@pytest.fixture(scope="module")
def found(search: Search) -> list[Puzzle]:
    return [one for game in GAMES for one in puzzles_of(game, search)]


def wins(result: str, seat: int) -> bool:
    return result == ("1-0" if seat == 1 else "0-1")


def test_one_card_alone_wins(found: list[Puzzle], search: Search):
    """Exactly the positions that an analysis yields are found."""
    assert len(found) > 2
    for game in {id(one.game): one.game for one in found}.values():
        decisions = {
            (one.trick, one.seat): one
            for one in analyse(game, lines=False, search=search).decisions
        }
        right = {
            at: [card.card for card in one.cards if wins(card.value.at_least.result, one.seat)]
            for at, one in decisions.items()
            if FIRST <= one.trick <= LAST and len(one.cards) > 2
        }
        puzzles = {(one.trick, one.seat): one for one in found if one.game is game}
        for at, one in puzzles.items():
            assert right[at] == [one.solution]
            assert {each.card.card: each.card.value for each in one.tries} == {
                card.card: card.value for card in decisions[at].cards
            }
        # Two equivalent cards leave fewer than two others.
        alone = {at for at, cards in right.items() if len(cards) == 1}
        assert alone >= puzzles.keys()
        assert all(
            len(one.cards) < 4 for at, one in decisions.items() if at in alone - puzzles.keys()
        )


def test_an_error_after_a_puzzle_does_not_matter(found: list[Puzzle], search: Search):
    one = found[0]
    (spoiled,) = loads(re.sub(r"(?<=\n26\. )\w+", "Q4", canonical(one.game)))
    assert spoiled.errors[0].trick == 26
    (again,) = (each for each in puzzles_of(spoiled, search) if each.trick == one.trick)
    assert (again.report(), again.factions) == (one.report(), one.factions)


def test_each_line_leads_to_its_value(found: list[Puzzle]):
    for one in found:
        for each in one.tries:
            state = State.from_game(one.game, one.trick, one.played)
            for seat, card in each.line:
                assert state.to_act.seat == seat
                state.play(card)
            assert state.over
            assert state.game().result == each.card.value.at_least.result


def test_levels_and_hints(found: list[Puzzle]):
    for one in found:
        assert one.lines >= 1
        assert one.level == 1 + sum(one.lines > most for most in LEVELS)
        letter, wrong = one.hints
        assert letter == one.solution[0]
        assert wrong
        assert set(wrong) <= set(one.wrong)
    least = min(found, key=lambda one: one.left)
    assert least.left >= 3


def test_cards_are_in_the_order_of_their_values(search: Search):
    (game,) = simulate_games(1, deck="MPBSU", policy="random", seed=35)
    first, *_ = puzzles_of(game, search)
    cards = [each.card.card for each in first.tries]
    assert cards == ["M7", "M9", "M12", "P4", "P10", "B5", "B8", "S3"]


def test_only_for_who_knows_all_cards(
    found: list[Puzzle], search: Search, monkeypatch: pytest.MonkeyPatch
):
    """Four Raccoons are put away unseen, and so are the other seat's discards for an Automaton."""
    one = found[0]
    monkeypatch.setattr(puzzles, "unseen", lambda _: {one.seat: 4, 3 - one.seat: 0})
    left = list(puzzles_of(one.game, search))
    assert left == [each for each in found if each.game is one.game and each.seat != one.seat]
    assert not list(puzzles_of(next(simulate_games(1, seats=4, seed=1)), search))


def test_the_order_of_a_day():
    names = [str(number) for number in range(20)]
    assert by_day(names, "2026-11-24") == by_day(reversed(names), "2026-11-24")
    assert by_day(names, "2026-11-24") != by_day(names, "2026-11-25")


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page(found: list[Puzzle], language: str):
    """The page has everything needed to solve the puzzle and loads nothing."""
    page = page_html(found[:2], language).decode()
    assert "<script" not in page
    assert "http" not in page.split("</style>")[1]
    for one in found[:2]:
        for each in one.tries:
            assert f">{each.card.card}</span>" in page
    assert page.count("✓") == 2
