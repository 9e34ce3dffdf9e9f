r"""A game in a few sentences: who was ahead, when it was decided, what was closest.

>>> from claimlog import simulate_games
>>> from claimlog.language import words
>>> from claimlog.replay.viewpoint import Viewpoint
>>> game = next(simulate_games(1, deck="GKBSU", policy="random", seed=7))
>>> for sentence in story(Narrator(Viewpoint(game), words())):
...     print(sentence)
Ahead: Random 1 from trick 4.
Decided in trick 23, with the Goblins.
Closest: Knights, 1:0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimlog.replay.course import factions_led, leader, race
from claimlog.replay.narration import Narrator

if TYPE_CHECKING:
    from collections.abc import Iterable

    from claimlog.game import Side
    from claimlog.replay.course import Standing

__all__ = ["story"]

MOST: Final = 4
"""The most lead changes listed one by one."""


def story(narrator: Narrator) -> list[str]:
    """The sentences; empty for a game that was not played to its end."""
    viewpoint, say = narrator.viewpoint, narrator.words
    score = viewpoint.game.score
    if score is None:
        return []
    stages = [race(viewpoint, viewpoint.at(trick)) for trick in range(1, viewpoint.last + 1)]
    sentences = [_lead(narrator, stages)]
    if len(score.winners) == 1:
        decided = _decided(stages[:-1], score.winners[0])
        if decided is None:
            sentences.append(say("story.open"))
        else:
            trick, letter = decided
            sentences.append(say("story.decided", trick=trick, faction=say.faction(letter)))
    close = [
        (counts[0] - counts[1], faction.winner is not None, letter, counts)
        for letter, faction in score.factions.items()
        if (counts := sorted(faction.counts.values(), reverse=True))[0]
    ]
    if close:
        *_, letter, counts = min(close, key=lambda one: one[:2])
        numbers = ":".join(map(str, counts))
        sentences.append(say("story.close", faction=say.faction(letter), counts=numbers))
    return sentences


def _lead(narrator: Narrator, stages: Iterable[list[Standing]]) -> str:
    """Who was ahead, and from which trick."""
    viewpoint, say = narrator.viewpoint, narrator.words
    turns: list[tuple[int, Side]] = []
    for trick, standings in enumerate(stages, 1):
        side = leader(factions_led(standings, viewpoint.sides))
        if side is not None and (not turns or turns[-1][1] != side):
            turns.append((trick, side))
    if not turns:
        return say("story.never")
    parts = [
        say("story.from", name=narrator.side_short(side), trick=trick) for trick, side in turns
    ]
    if len(turns) <= MOST:
        return say("story.ahead", parts=say.join(parts))
    return say("story.changes", number=len(turns) - 1, last=parts[-1])


def _decided(stages: Iterable[list[Standing]], winner: Side) -> tuple[int, str] | None:
    """The trick in which the winner secured most of the factions, and the last of these."""
    sure: set[str] = set()
    for trick, standings in enumerate(stages, 1):
        now = [one.faction for one in standings if one.decided == winner]
        if 2 * len(now) > len(standings):
            return trick, next(letter for letter in now if letter not in sure)
        sure.update(now)
    return None
