"""An analysis in words: the story of Phase 2, and the decisions that cost something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimlog.analysis.decisions import sound_part
from claimlog.evaluation import RESULT_GONE, Secured
from claimlog.replay.narration import plain

if TYPE_CHECKING:
    from claimlog.evaluation import Analysis, Bounds, Decision, Value
    from claimlog.game import Game, Seat, Side
    from claimlog.language import Words

__all__ = ["Story"]

MOST = 3
"""The most changes of the result to describe one by one, and the most cards to name."""


class Story:
    """Describes an analysis in one language."""

    def __init__(self, game: Game, analysis: Analysis, say: Words) -> None:
        self.game = game
        self.analysis = analysis
        self.say = say

    def name(self, seat: Seat) -> str:
        """The name of a seat's player."""
        return plain(self.game.player(seat)) or self.say("seat", number=seat)

    def side(self, side: Side) -> str:
        """The name of a side: with four players both of its players."""
        seats = [side] if self.analysis.seats == 2 else [side, side + 2]
        return self.say.join([self.name(seat) for seat in seats])

    def lines(self) -> list[str]:
        """The story: who was winning, what changed that, how it ended; one sentence each."""
        analysis = self.analysis
        if analysis.from_trick is None:
            return [self.say(f"analysis.why.{analysis.why}")]
        sentences = []
        if analysis.seats > 2:
            sentences.append(self.say(f"analysis.open.{analysis.seats}", trick=analysis.from_trick))
        if analysis.start is not None:
            sentences.append(self._standing("analysis.start", analysis.start, analysis.from_trick))
        changes = [one for one in analysis.decisions if one.mark == RESULT_GONE]
        sentences += [self._change(one, place) for place, one in enumerate(changes[:MOST])]
        more = len(changes) - MOST
        # With three players each decision changes only what its own seat can secure.
        own = ".own" if analysis.seats == 3 else ""
        if more > 0:
            sentences.append(self.say.count(f"analysis.more{own}", more))
        lost = [(one.seat, one.factions) for one in analysis.summaries() if one.factions]
        if lost:
            parts = [
                self.say.count("analysis.factions", number, name=self.name(seat))
                for seat, number in lost
            ]
            sentences.append(self.say(f"analysis.beside{own}", parts=self.say.join(parts)))
        elif not changes and analysis.exact:
            sentences.append(self.say("analysis.clean"))
        graded = len(sound_part(self.game).tricks)
        if graded < len(self.game.tricks):
            sentences.append(self.say("analysis.error", trick=graded + 1))
        elif analysis.end is not None:
            key = "analysis.over" if self.game.complete else "analysis.stopped"
            sentences.append(self._standing(key, analysis.end, len(self.game.tricks)))
        if not analysis.exact:
            sentences.append(self.say("analysis.inexact"))
        return sentences

    def _standing(self, key: str, value: Bounds, trick: int) -> str:
        """A sentence on who is winning, if anybody."""
        least, most = value.at_least, value.at_most
        if least.share != most.share:
            return self.say(f"{key}.open", trick=trick)
        if least.share == 1:
            return self.say(f"{key}.shared", trick=trick, score=score_of(least, 1))
        side = 1 if least.share == 2 else 2
        name = self.side(side)
        if not value.exact:
            return self.say(f"{key}.about", trick=trick, name=name)
        return self.say(f"{key}.won", trick=trick, name=name, score=score_of(least, side))

    def _change(self, one: Decision, place: int) -> str:
        """A sentence on a decision that changed the result, or what a seat of three can secure."""
        before, after = one.before.at_least, one.after.at_least
        shares = (before.share, after.share)
        if one.seat % 2 == 0 and not isinstance(before, Secured):
            shares = (2 - before.share, 2 - after.share)
        kind = {(2, 0): "win", (2, 1): "half", (1, 0): "share"}[shares]
        if place and kind == "win" and not isinstance(before, Secured):
            kind = "back"
        more = [self.say("analysis.another")] if len(one.best) > MOST else []
        best = self.say.either([*one.best[:MOST], *more])
        return self.say(
            f"analysis.gave.{kind}",
            trick=one.trick,
            name=self.name(one.seat),
            card=one.played,
            best=best,
        )

    def value(self, value: Bounds) -> str:
        """A value in short: result and factions."""
        if value.exact:
            return _short(value.at_least)
        return f"{_short(value.at_least)} … {_short(value.at_most)}"

    def follows(self, place: int) -> str:
        """The continuation after the best card, without dividing it into tricks."""
        return " ".join(card for _, card in self.analysis.lines.get(place, ())[:8])


def score_of(value: Value, side: Side) -> str:
    """The numbers of factions from a side's point of view, its own first."""
    own, others = value.factions if side == 1 else reversed(value.factions)
    return f"{own}-{others}"


def _short(value: Value) -> str:
    mine, others = value.factions
    return f"{value.result} ({mine}-{others})"
