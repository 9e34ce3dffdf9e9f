"""What positions mean: who acts, legal cards, unseen cards, how factions stand."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import lawbook
import pytest
from store.random_games import records

from claimlog.cards import COPIES, LETTERS, NAMES
from claimlog.game import Game
from claimlog.replay.course import factions_led, legal, never_held, race, to_act, unseen
from claimlog.replay.recorder import replay_text
from claimlog.replay.viewpoint import SPECTATOR, Position, Viewpoint
from claimlog.simulate import simulate_games
from claimlog.state import State


@pytest.fixture(scope="module")
def games() -> list[Game]:
    """Whole games of two, three and four players."""
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
        moments = positions(viewpoint)
        shown = [{one.faction: one for one in race(viewpoint, p)} for p in moments]
        cards = [
            Counter(card[0] for one in p.players for card in (*one.pile, *one.gnomes))
            for p in moments
        ]
        for letter in game.deck:
            for earlier, later in pairwise(shown):
                assert later[letter].open <= earlier[letter].open
            for here, won in zip(shown, cards, strict=True):
                assert won[letter] + here[letter].open >= cards[-1][letter]
            assert shown[-1][letter].open == 0


def test_the_race_is_the_score_of_what_has_been_won(games: list[Game]) -> None:
    """As a second implementation counts it: Vikings twice, Peasants moved, loot."""
    twice = moved = 0
    for game in games:
        rules = lawbook.Rules(game.seats, game.deck)
        viewpoint = Viewpoint(game)
        loot = game.tags.get("LootCards", "").split()
        for trick in range(1, viewpoint.last):
            position = viewpoint.at(trick)
            board = lawbook.Board(rules)
            for one in position.players:
                board.piles[one.seat], board.gnomes[one.seat] = list(one.pile), list(one.gnomes)
            now = lawbook.count(board, loot, {})
            for standing in race(viewpoint, position):
                for side, number in standing.counts.items():
                    assert number == now.counts[side][standing.faction]
                    here = sum(c[0] == standing.faction for c in now.piles[side])
                    twice += standing.faction == "V" and number > here
            moved += any(
                Counter(now.piles[side]) != Counter(position.players[side - 1].pile)
                for side in now.piles
                if game.seats < 4 and "M" in game.deck
            )
        end = {one.faction: one.counts for one in race(viewpoint, viewpoint.at(viewpoint.last))}
        assert game.score is not None
        assert end == {letter: one.counts for letter, one in game.score.factions.items()}
    assert twice
    assert moved


def test_cards_that_a_power_unknown_here_scores_in_phase_1_stay_open() -> None:
    """Won cards are won, whoever's power it was; the number of open cards is never negative."""
    game = next(replay_text('[Deck "GKUWX"]\n1. U7: G5 K8+ /W2 2. X3: K4 G6+ /G0 *'))
    assert game.tricks[0].scored is not None
    game.tricks[0].scored[2] += ["K8", "G5"]
    viewpoint = Viewpoint(game)
    opened = [{s.faction: s.open for s in race(viewpoint, p)} for p in positions(viewpoint)]
    assert [(o["G"], o["K"], o["U"]) for o in opened] == [
        (14, 8, 10), (14, 8, 10), (13, 7, 10), (13, 7, 10), (13, 7, 10), (12, 6, 10)
    ]  # fmt: skip


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


def test_what_is_never_held_is_in_no_hand_and_follows_from_what_was_not_followed(
    games: list[Game],
) -> None:
    proven = 0
    for game in games:
        viewpoint = Viewpoint(game)
        for trick in range(1, viewpoint.last + 1):
            position = viewpoint.at(trick)
            for player in position.players:
                none = never_held(viewpoint, position, player.seat)
                assert not {card[0] for card in player.hand if card} & set(none)
                proven += len(none)
    assert proven > 100
    # G led, K played: no Goblins are held.
    viewpoint = Viewpoint(next(replay_text('[Deck "GKUWX"]\n1. U7: G5 K8+ /W2 2. X3: K4 *')))
    assert [never_held(viewpoint, viewpoint.at(1), seat) for seat in (1, 2)] == ["", "G"]


def test_who_is_ahead_at_the_end_has_won_the_faction(games: list[Game]) -> None:
    """Before the end it is as if the game ended there."""
    for game in games:
        viewpoint = Viewpoint(game)
        assert game.score is not None
        end = race(viewpoint, viewpoint.at(viewpoint.last))
        assert {one.faction: one.ahead for one in end} == {
            letter: one.winner for letter, one in game.score.factions.items()
        }
        assert factions_led(end, viewpoint.sides) == list(game.score.votes.values())
        for trick in range(1, viewpoint.last):
            for one in race(viewpoint, viewpoint.at(trick)):
                assert one.decided is None or one.ahead == one.decided
