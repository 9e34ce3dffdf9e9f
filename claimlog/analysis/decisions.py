r"""Every decision of Phase 2 with the values of all cards, and what was given away.

>>> from claimlog import read_games
>>> analysis = analyse(next(read_games("data/sample.clm")))
>>> analysis.from_trick, analysis.exact, analysis.start.at_least.result
(14, True, '0-1')
>>> [(one.trick, one.seat, one.played, one.mark) for one in analysis.costly]
[(15, 2, 'X8', '??'), (18, 1, 'X7', '??')]
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from claimlog.cards import CARDS, COPIES, FACTION_OF, deck_of
from claimlog.evaluation import (
    FACTION_GONE,
    ONLY,
    RESULT_GONE,
    Analysis,
    Bounds,
    CardValue,
    Decision,
    Secured,
    Value,
)
from claimlog.game import Problem
from claimlog.language import words
from claimlog.notation.marks import without_values
from claimlog.rules.setup import tricks_of
from claimlog.solve.open_hands import OpenHands
from claimlog.solve.value import EFFORT, UnanswerableError
from claimlog.state import State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from claimlog.game import Game, Play, Seat, Trick
    from claimlog.solve.search import Search
    from claimlog.solve.value import Values

__all__ = [
    "analyse",
    "annotate",
    "mark_of",
    "sound_part",
    "unanswered",
    "unseen",
]

_LAST: Final = 1000
"""After every trick."""


def mark_of(seat: Seat, before: Bounds, played: Bounds, cards: list[Bounds]) -> str:
    """The mark of a play, given the values of the position, the play and all legal cards.

    "" if a value is not exact.
    """
    if not before.exact or not played.exact:
        return ""
    was, now = _for_seat(before.at_least, seat), _for_seat(played.at_least, seat)
    if now.share < was.share:
        return RESULT_GONE
    if now < was:
        return FACTION_GONE
    if not all(one.exact for one in cards):
        return ""
    others = sum(_for_seat(one.at_least, seat).share < was.share for one in cards)
    return ONLY if others >= 2 and len(cards) - others == 1 else ""


def _for_seat(value: Value, seat: Seat) -> Value:
    """A value from the view of a seat's side; with four players seats 1 and 3 are side 1."""
    if seat % 2 or isinstance(value, Secured):
        return value
    return Value(2 - value.share, value.others, value.mine)


def analyse(
    game: Game,
    effort: int = EFFORT,
    *,
    trick: int | None = None,
    lines: bool = True,
    total: int | None = None,
    search: Search | OpenHands | None = None,
) -> Analysis:
    """Grade the decisions of a game's Phase 2, or those of one `trick`.

    Of an invalid game only the part before its first error counts.  `effort` is the most positions
    to search for one answer, `total` for all decisions together; each decision gets half of what is
    left, because later ones are easier.  With three or four players an answer gets at most a tenth
    of the effort, which determines the trick from which a game is graded.  Without `lines` the
    costly decisions have none.  Passing an existing `search` saves creating a new one.
    """
    sound = sound_part(game)
    problems = list(game.errors)
    reason = "phase-1" if sound is game else "errors"
    first = None
    if game.seats > 2:
        search = search if isinstance(search, OpenHands) else OpenHands()
    for number in range(tricks_of(game.seats) + 1, len(sound.tricks) + 1):
        try:
            State.from_game(sound, number).values(effort, search)
        except UnanswerableError as error:
            reason = error.key
            continue
        first = number
        break
    if first is not None and game.seats > 2:
        effort //= 10
        first = _first_within(sound, first, effort, search)
        reason = "effort"
    if first is None:
        return unanswered(game, reason)
    if trick is not None and trick > len(sound.tricks):
        return Analysis(first, "", None, None, problems=problems, seats=game.seats)
    grading = _Grading(sound, effort, total, search)
    grades = grading.graded(max(first, trick or first), trick, lines)
    return replace(grades, from_trick=first, problems=problems)


def unanswered(game: Game, reason: str) -> Analysis:
    """An empty analysis with the reason: "errors", or an `UnanswerableError.key`.

    Errors in result, votes or loot are no reason.
    """
    problems = [] if sound_part(game) is game else list(game.errors)
    if not problems:
        message = words()(f"analysis.why.{reason}")
        problems.append(Problem(f"analysis-{reason}", "warning", message, game.line, 1, 2))
    return Analysis(None, reason, None, None, problems=problems, seats=game.seats)


def _first_within(
    game: Game, first: int, effort: int, search: Search | OpenHands | None
) -> int | None:
    """The first trick, from `first` on, from which all values can be found within the effort."""
    answer = None
    for number in range(len(game.tricks), first - 1, -1):
        if not State.from_game(game, number).values(effort, search).value().exact:
            break
        answer = number
    return answer


def sound_part(game: Game) -> Game:
    """The game before its first error; errors in result, votes or loot do not count."""
    errors = [problem for problem in game.errors if problem.tag not in ("Result", "Votes", "Loot")]
    if not errors:
        return game
    first = min(problem.trick or 0 for problem in errors)
    tricks = [trick for trick in game.tricks if trick.number < first]
    return replace(game, tricks=tricks, complete=False, score=None, result="*")


class _Grading:
    """Grades a game's decisions from a trick on."""

    def __init__(
        self, game: Game, effort: int, total: int | None, search: Search | OpenHands | None
    ) -> None:
        self.game = game
        self.effort = effort
        self.allowance = _Allowance(total)
        self.search = search

    def graded(self, first: int, only: int | None, lines: bool) -> Analysis:
        """Grade the decisions from a trick on, or those of the trick `only`."""
        game = self.game
        hidden = unseen(game) if game.seats == 2 else {}
        values = State.from_game(game, first).values(self.effort, self.search)
        self.allowance.halve(values)
        before: Bounds | None = None if game.seats == 3 else values.value()
        start = before
        stopped = False
        decisions: list[Decision] = []
        for trick, play in _plays(game, first):
            if only is not None and trick.number > only:
                break
            if game.seats == 3:
                # Each seat has its own values.
                values = self._again(values, first, trick.number, play.seat)
                before = None
            groups = values.groups()
            if play.card is None or not _may_be(play, groups, values):
                stopped = True
                break
            if len(groups) > 1 and only in (None, trick.number) and not play.irregular:
                self.allowance.halve(values)
                cards = tuple(_with_values(values, groups, before))
                worth = [one.value for one in cards]
                best = _best(worth, values.wants(play.seat))
                if start is not None and before is not None and not decisions:
                    # No play before it could change the value.
                    start = _narrowed(start, best)
                before = best
                played = next(one.value for one in cards if one.card == play.card)
                mark = mark_of(play.seat, before, played, worth)
                known = hidden.get(play.seat) == 0
                decisions.append(
                    Decision(trick.number, play.seat, play.card, before, cards, mark, known)
                )
                before = played
            elif len(groups) > 1 or play.irregular:
                # A revoke may have improved the position for the player.
                before = None
            values.play(play.card)
        end = None if stopped or game.seats == 3 else values.value()
        grades = {}
        for place, one in enumerate(decisions) if lines else ():
            if one.mark in (RESULT_GONE, FACTION_GONE):
                values = self._again(values, first, one.trick, one.seat)
                values.play(one.best[0])
                grades[place] = [(one.seat, one.best[0]), *values.best()]
        return Analysis(first, "", start, end, decisions, grades, seats=game.seats)

    def _again(self, values: Values, first: int, trick: int, seat: Seat) -> Values:
        """The values just before a seat's play; `values` are those from the trick `first` on."""
        if self.game.seats == 3:
            values = State.from_game(self.game, trick).values(self.effort, self.search, seat)
            first = trick
        else:
            values.rewind()
        for one, play in _plays(self.game, first):
            if (one.number, play.seat) == (trick, seat):
                break
            values.play(play.card or "")
        return values


class _Allowance:
    """Gives each decision half of what is left of a total, if there is one."""

    def __init__(self, total: int | None) -> None:
        self._left = total
        self._given = 0
        self._values: Values | None = None

    def halve(self, values: Values) -> None:
        """Deduct what the last decision used, and give half of the rest."""
        if self._left is not None:
            if self._values is not None and self._values.allowance is not None:
                self._left -= self._given - self._values.allowance
            self._values = values
            values.allowance = self._given = max(self._left, 0) // 2


def _may_be(play: Play, groups: list[list[str]], values: Values) -> bool:
    """Whether a card can have been played: what is known now may show that the record is wrong."""
    if play.irregular:
        return play.card in values.hand()
    return any(play.card in group for group in groups)


def _with_values(
    values: Values, groups: list[list[str]], before: Bounds | None
) -> Iterator[CardValue]:
    """The legal cards, ascending, each with the value after it."""
    for group in groups:
        value = values.after(group[0], before)
        for name in group:
            yield CardValue(name, value)


def _plays(game: Game, first: int) -> Iterator[tuple[Trick, Play]]:
    """The plays from a trick on."""
    for trick in game.tricks[first - 1 :]:
        for play in trick.plays:
            yield trick, play


def _best(worth: list[Bounds], wants: bool) -> Bounds:
    """The value of a position, given those of its cards; `wants`: the player wants it high."""
    choose = max if wants else min
    return Bounds(choose(one.at_least for one in worth), choose(one.at_most for one in worth))


def _narrowed(one: Bounds, other: Bounds) -> Bounds:
    """What both bounds of the same value say together."""
    return Bounds(max(one.at_least, other.at_least), min(one.at_most, other.at_most))


def unseen(game: Game) -> dict[Seat, int]:
    """For each seat, the number of unseen cards in Phase 2 that the other seat does not hold.

    Cards of the deck that were removed (rules.md, "Raccoons"), and those that the other seat
    discarded face down ("Automatons").  All others were open, or the seat's own.
    """
    deck = deck_of(game.deck)
    size = sum(COPIES[card] for card in range(CARDS) if deck >> FACTION_OF[card] & 1)
    away = size - 4 * tricks_of(game.seats)
    hidden = {1: away, 2: away}
    for trick in game.tricks:
        if trick.auto:
            for play in trick.plays:
                hidden[3 - play.seat] += 1
    return hidden


def annotate(game: Game, analysis: Analysis, *, replace_marks: bool = False) -> None:
    """Write marks and values into a game; existing marks stay unless `replace_marks`.

    Each decision gets a comment ``[%value 1-0 3-2]``, the result and the factions after the card
    under best play; with three players ``[%secures 1/2 2-2]``, what the seat still secures.  Values
    of an earlier analysis are replaced, also those of plays that are no decisions any more.
    `analysis` is that of the whole game.  Idempotent.
    """
    if analysis.from_trick is None:
        return
    decisions = {(one.trick, one.seat): one for one in analysis.decisions}
    for trick, play in _plays(game, analysis.from_trick):
        decision = decisions.get((trick.number, play.seat))
        comments = [without_values(comment) for comment in play.comments]
        if decision is None and comments == play.comments:
            continue
        if replace_marks or not play.annotation:
            play.annotation = decision.mark if decision else ""
        play.comments = [comment for comment in comments if comment]
        if decision is not None and decision.after.exact:
            after = decision.after.at_least
            mine, others = after.factions
            what = "secures" if isinstance(after, Secured) else "value"
            play.comments.append(f"[%{what} {after.result} {mine}-{others}]")
