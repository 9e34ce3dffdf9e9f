"""What a viewer shows of an analysis: who was winning after each card, and the worth of cards.

>>> from claimlog import simulate_games
>>> from claimlog.replay.viewpoint import SPECTATOR
>>> game = next(simulate_games(1, deck="GKBSU", policy="random", seed=7))
>>> data = worth_data(game, game.analysis().report(1), views=[None, SPECTATOR, 2])
>>> data["from"], list(data["views"])
(14, ['open', '2'])
>>> data["views"]["open"]["course"]["14.1"], data["views"]["2"]["decisions"]["14.1"]["cards"]
([2, 3, 2], None)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from claimlog.analysis.course import Course
from claimlog.evaluation import Bounds, Decision
from claimlog.web.replay import replay_data, view_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from claimlog.analysis.course import Place
    from claimlog.analysis.trial import Trial
    from claimlog.game import Game

__all__ = ["trial_data", "value_of", "worth_data"]


def worth_data(
    game: Game,
    report: dict[str, Any],
    *,
    views: Sequence[int | None],
    lines: Sequence[dict[str, list[str]]] = (),
) -> dict[str, Any]:
    """Return an analysis of a game, for JSON, separately for each view; `report` is as printed.

    A seat's view has data only if the seat knew all cards, and the values of cards only for its own
    decisions; a spectator's view has none.  `decisions` are at the moment after the play.  `lines`
    are those of best play after each card of each decision, where all cards are open.  With three
    players `course` is empty, and a card's value is what its seat can secure.
    """
    decisions = [Decision.of_report(one) for one in report["decisions"]]
    course = Course(game, report["from_trick"], decisions)
    data: dict[str, Any] = {
        "seats": game.seats,
        "from": course.first,
        "exact": report["exact"],
        "problems": [one["code"] for one in report["problems"]],
        "views": {
            view_name(view): _of_view(course, view)
            for view in views
            if view is None or view in course.knowing
        },
    }
    if None in views:
        shown = data["views"]["open"]["decisions"]
        for one, following in zip(shown.values(), lines, strict=bool(lines)):
            one["lines"] = {card: " ".join(cards) for card, cards in following.items()}
    return data


def _of_view(course: Course, view: int | None) -> dict[str, Any]:
    return {
        "course": {_at(place): value_of(value) for place, value in course.values.items()},
        "decisions": {
            _at(place): {
                "seat": one.seat,
                "card": one.played,
                "mark": one.mark,
                "known": one.known,
                "cards": {each.card: value_of(each.value) for each in one.cards}
                if view in (None, one.seat)
                else None,
            }
            for place, one in course.decisions.items()
        },
    }


def trial_data(trial: Trial, report: dict[str, Any], *, language: str) -> dict[str, Any]:
    """Return a trial, for JSON: the game with these cards, followed by a line of best play.

    `line` are the cards from the moment where it began, `known` of them the ones tried; the game's
    cards after them only show what is held.
    """
    known = len(trial.cards)
    for card in report["best"]:
        trial.play(card)
    value = Bounds.of_report(report["value"])
    return {
        "line": trial.cards,
        "known": known,
        "value": value_of(value),
        "cards": {one["card"]: value_of(Bounds.of_report(one)) for one in report["cards"]},
        "data": replay_data(trial.game(), views=[None], languages=(language,)),
    }


def value_of(value: Bounds) -> list[int]:
    """Return a value as numbers: share, factions of side 1 and 2; twice if the bounds differ."""
    least, most = value
    numbers = [least.share, *least.factions]
    return numbers if value.exact else [*numbers, most.share, *most.factions]


def _at(place: Place) -> str:
    return f"{place[0]}.{place[1]}"
