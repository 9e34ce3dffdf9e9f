"""A game in a few sentences, compared with the score and the course that they summarize."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from claimlog import loads, read_games, simulate_games
from claimlog.language import LANGUAGES, words
from claimlog.replay.course import factions_led, leader, race
from claimlog.replay.narration import Narrator
from claimlog.replay.story import story
from claimlog.replay.viewpoint import Viewpoint

DATA = Path(__file__).parents[2] / "data"


def games():
    yield from read_games(DATA / "sample.clm")
    for seats in (2, 3, 4):
        for policy in ("random", "greedy"):
            yield from simulate_games(4, seats=seats, policy=policy, seed=seats)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_story_ends_with_who_won_and_names_what_was_closest(language):
    say = words(language)
    kinds = set()
    for game in games():
        viewpoint = Viewpoint(game, None, say)
        narrator = Narrator(viewpoint, say)
        sentences = story(narrator)
        stages = [race(viewpoint, viewpoint.at(trick)) for trick in range(1, viewpoint.last + 1)]
        led = [leader(factions_led(stage, viewpoint.sides)) for stage in stages]
        ahead = [side for side in led if side is not None]
        changes = sum(one != other for one, other in pairwise(ahead))
        kinds.add(min(changes, 4))
        if not ahead:
            assert sentences[0] == say("story.never")
        else:
            # The sentence ends with the last leader and the trick in which that lead began.
            number = re.findall(r"\d+", sentences[0])[-1]
            assert led[int(number) - 1] == ahead[-1]
            assert narrator.side_short(ahead[-1]) in sentences[0]
        assert len(sentences) == 2 + (len(game.score.winners) == 1)
        margins = {
            letter: (counts := sorted(faction.counts.values(), reverse=True))[0] - counts[1]
            for letter, faction in game.score.factions.items()
            if any(faction.counts.values())
        }
        named = [letter for letter in margins if say.faction(letter) in sentences[-1]]
        assert min(margins.values()) in [margins[letter] for letter in named]
    assert len(kinds) > 2


@pytest.mark.parametrize("seed", range(6))
def test_a_game_is_decided_in_the_first_trick_after_which_nothing_can_change_it(seed):
    game = next(simulate_games(1, deck="GKUWX", policy="greedy", seed=seed))
    viewpoint = Viewpoint(game)
    sentences = story(Narrator(viewpoint, words()))
    (winner,) = game.score.winners
    decided = [
        trick
        for trick in range(1, viewpoint.last)
        if 2 * sum(one.decided == winner for one in race(viewpoint, viewpoint.at(trick))) > 5
    ]
    if decided:
        assert sentences[1].startswith(f"Decided in trick {decided[0]}, ")
    else:
        assert sentences[1] == words()("story.open")


def test_there_is_no_story_of_a_game_that_was_not_finished():
    (game,) = loads('[Deck "GKUWX"]\n[Leader "2"]\n\n1. U7: G5 G8+ /W2\n*\n')
    assert story(Narrator(Viewpoint(game), words())) == []
