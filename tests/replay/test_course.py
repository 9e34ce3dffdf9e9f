"""What positions mean: who acts, legal cards, what nobody has seen, how factions stand."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from store.random_games import records

from claimlog.cards import COPIES, LETTERS, NAMES
from claimlog.game import Game
from claimlog.replay.course import legal, race, to_act, unseen
from claimlog.replay.recorder import replay_text
from claimlog.replay.viewpoint import SPECTATOR, Position, Viewpoint
from claimlog.simulate import simulate_games
from claimlog.state import State


@pytest.fixture(scope="module")
def games() -> list[Game]:
    """Whole games of two, three and four."""
    return [game for seats in (2, 3, 4) for game in simulate_games(12, seats=seats, seed=seats)]


def positions(viewpoint: Viewpoint) -> list[Position]:
    """Every moment of a game."""
    return [
        viewpoint.at(trick, played)
        for trick in range(1, viewpoint.last + 1)
        for played in range(viewpoint.plays(trick) + 1)
    ]


def test_who_may_play_what_is_what_a_state_says(games: list[Game]) -> None:
    for game in games[::4]:
        viewpoint = Viewpoint(game)
        for position in positions(viewpoint):
            seat = to_act(viewpoint, position)
            if seat is None:
                assert legal(viewpoint, position) is None
                continue
            state = State.from_game(game, position.trick, position.played)
            assert state.to_act.seat == seat
            assert sorted(legal(viewpoint, position) or []) == sorted(state.choices())


def test_what_is_legal_is_told_to_who_knows_the_hand() -> None:
    game = next(replay_text('[Deck "GKUWX"]\n1. U7: G5 K8+ /W2 2. X3: K4 *'))
    assert legal(Viewpoint(game, 2), Viewpoint(game, 2).at(1, 1)) == ["K4", "K8"]
    assert legal(Viewpoint(game, 1), Viewpoint(game, 1).at(1, 1)) is None
    assert legal(Viewpoint(game, SPECTATOR), Viewpoint(game, SPECTATOR).at(1, 0)) is None


def test_a_faction_is_only_decided_for_the_side_that_wins_it(games: list[Game]) -> None:
    early = 0
    for game in games:
        assert game.score is not None
        for view in (None, 1, SPECTATOR):
            viewpoint = Viewpoint(game, view)
            for position in positions(viewpoint):
                for standing in race(viewpoint, position):
                    winner = game.score.factions[standing.faction].winner
                    last = position.trick == viewpoint.last and position.decided
                    if standing.decided is not None or last:
                        assert standing.decided == winner
                        early += not last
                    assert standing.open >= 0
    assert early > 500


def test_open_is_what_is_still_won(games: list[Game]) -> None:
    for game in games:
        viewpoint = Viewpoint(game, SPECTATOR)
        shown = [{one.faction: one for one in race(viewpoint, p)} for p in positions(viewpoint)]
        for letter in game.deck:
            for earlier, later in pairwise(shown):
                assert later[letter].open <= earlier[letter].open
            won = sum(shown[-1][letter].counts.values())
            assert all(sum(one[letter].counts.values()) + one[letter].open >= won for one in shown)
            assert shown[-1][letter].open == 0


def test_nothing_is_unseen_at_the_end_but_raccoons_that_were_put_away(games: list[Game]) -> None:
    for game in games:
        viewpoint = Viewpoint(game)
        left = unseen(viewpoint, viewpoint.at(viewpoint.last))
        assert "".join(card[0] for card in left) == ("RRRR" if "R" in game.deck else "")


def test_each_sees_at_least_what_the_spectator_sees(games: list[Game]) -> None:
    for game in games[::3]:
        views = {view: Viewpoint(game, view) for view in (None, SPECTATOR, 1, 2)}
        opened = views[None]
        for moment in positions(opened):
            at = {
                view: viewpoint.at(moment.trick, moment.played) for view, viewpoint in views.items()
            }
            left = {view: Counter(unseen(views[view], at[view])) for view in views}
            assert not left[None] - left[1]
            assert not left[1] - left[SPECTATOR]
            assert Counter(unseen(opened, moment, 2)) == left[2]


def test_cards_face_down_are_counted_among_the_unseen() -> None:
    text = records(1, 5)[0]
    game = next(replay_text(text))
    viewpoint = Viewpoint(game, SPECTATOR)
    start = viewpoint.at(1, 0)
    total = sum(COPIES[c] for c, n in enumerate(NAMES) if n[0] in game.deck)
    assert len(unseen(viewpoint, start)) == total - len(start.upcards)
    assert {one.faction for one in race(viewpoint, start)} <= set(LETTERS)
