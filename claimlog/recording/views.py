"""The views of a recorded game for screens, as plain dicts, without hidden cards."""

from __future__ import annotations

from dataclasses import replace
from operator import is_
from typing import TYPE_CHECKING, Any, TypeAlias

from claimlog.parts import known
from claimlog.recording.entering import OF_THE_END, passed
from claimlog.recording.live import sentences_of, unseen_of
from claimlog.replay.narration import Narrator, isolated
from claimlog.replay.questions import left_to_director
from claimlog.replay.viewpoint import Viewpoint
from claimlog.rules.setup import upcards_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from claimlog.game import Game, Problem, Score, Trick
    from claimlog.language import Words
    from claimlog.recording.live import Recording
    from claimlog.recording.revising import Revision
    from claimlog.state import State

__all__ = ["View", "asked", "due", "hidden", "played", "revision_view", "shown"]

View: TypeAlias = "dict[str, Any]"


def shown(recording: Recording, words: Words, problems: list[Problem]) -> View:
    """The table and the standing of the game."""
    state, game = recording.now, recording.shown
    settled = passed(state)
    tricks = game.tricks
    running = tricks[-1] if tricks and tricks[-1].winner is None else None
    last = recording.last
    narrator = Narrator(Viewpoint(game, None, words), words, isolated)
    seats = range(1, state.seats + 1)
    ending = narrator.viewpoint.ending()
    counted = (
        [] if ending is None else [*narrator.before_the_count(ending), *narrator.verdict(ending)]
    )
    how = game.tags.get("Termination", "normal")
    return {
        "players": [recording.name(seat, words) for seat in seats],
        "deck": state.deck,
        "tricks": 2 * state.setup.tricks,
        "trick": settled.trick,
        "decided": state.decided,
        "phase": settled.phase,
        "auto": settled.auto,
        "leader": settled.leader,
        "order": _order(settled.leader, state.seats),
        "due": due(recording),
        "table": {
            "upcards": running.upcards if running else settled.upcards,
            "plays": _plays(running),
            "trolls": state.waiting,
        },
        "played": played(game),
        "last": None if last is None else {**_won(last), "why": sentences_of(last, narrator)},
        "unseen": unseen_of(settled),
        "seats": [
            {
                "seat": seat,
                "side": state.side(seat),
                "won": sum(trick.winner == seat for trick in tricks),
                "pile": state.score_pile(seat),
                "gnomes": state.gnomes(seat),
            }
            for seat in seats
        ],
        "race": _race(state, game),
        "ahead": {letter: _ahead(counts) for letter, counts in _race(state, game).items()},
        "problems": [problem.report() for problem in problems],
        "over": recording.over,
        "result": game.result,
        "votes": None if ending is None else list(ending.votes.values()),
        "termination": None if how == "normal" else how,
        "verdict": [*counted, *narrator.early()],
        "tags": dict(game.tags),
        "agreed": _agreed(state),
    } | ({} if game.score is None else {"won_by": _winners(game.score)})


def _order(leader: int, seats: int) -> list[int]:
    """The seats in playing order, from the leader."""
    return [(leader - 1 + place) % seats + 1 for place in range(seats)]


def _agreed(state: State) -> View:
    """What was agreed, in the form in which a `Table` is opened."""
    setup, tags = state.setup, state.tags
    return {
        "seats": setup.seats,
        "players": [known(tags.get(f"Player{s}", "")) for s in range(1, setup.seats + 1)],
        "leader": setup.leader,
        "deck": setup.deck,
        "rules": setup.rules,
        "rulings": dict(setup.rulings),
        "loot": None if setup.loot is None else list(setup.loot),
        **{
            name: tags.get(name.capitalize(), "")
            for name in ("event", "round", "table", "recorder")
        },
    }


def asked(recording: Recording) -> list[View]:
    """The plays that the director is to decide about."""
    return [
        {"trick": trick, "seat": play.seat, "card": play.card}
        for trick, play in left_to_director(recording.shown)
    ]


def revision_view(recording: Recording, revision: Revision, words: Words) -> View:
    """The result of edits: the new tricks, and the objections to them."""
    before = {trick.number: trick for trick in recording.shown.tricks}
    game = revision.state.game()
    doubts = [*revision.marked, *([revision.doubt] if revision.doubt is not None else [])]

    def name(seat: int) -> str:
        return isolated(recording.name(seat, words))

    return {
        "tricks": [
            {
                **_won(trick),
                "before": number,
                "changed": number == 0 or _laid(trick) != _laid(before[number]),
            }
            for trick, number in zip(game.tricks, revision.numbers, strict=False)
        ],
        "doubts": [
            {"card": doubt.card, "seat": doubt.seat, "sentence": doubt.sentence(words, name)}
            for doubt in doubts
        ],
        "deleted": deleted(recording, revision),
        "marked": len(revision.marked),
        "stopped": revision.stopped or None,
        "rest": revision.rest,
        "dropped": revision.dropped,
        "result": game.result,
    }


def deleted(recording: Recording, revision: Revision) -> list[int]:
    """The current numbers of the tricks that edits delete."""
    numbers = [trick.number for trick in recording.shown.tricks]
    return [number for number in numbers if number not in revision.numbers]


def _laid(trick: Trick) -> object:
    """The values that show whether a trick has changed."""
    plays = [(play.seat, play.card, play.irregular) for play in trick.plays]
    return trick.upcards, plays, trick.winner, trick.taken


def _race(state: State, game: Game) -> dict[str, list[int]]:
    """By faction the cards that each side has won so far, or the final counts at the end."""
    if game.score is not None:
        return {name: list(one.counts.values()) for name, one in game.score.factions.items()}
    sides = range(1, state.setup.sides + 1)
    return {letter: [state.count(side, letter) for side in sides] for letter in state.deck}


def _ahead(counts: list[int]) -> int | None:
    """The side that has won more cards than the others, or None."""
    most = max(counts)
    return counts.index(most) + 1 if counts.count(most) == 1 else None


def _winners(score: Score) -> dict[str, int | None]:
    """The side that has won each faction."""
    return {name: one.winner for name, one in score.factions.items()}


def due(recording: Recording) -> View:
    """The action due, and whose turn it is (for loot the side)."""
    kind, seat = recording.due
    return {"kind": "over" if recording.over else kind, "seat": None if recording.over else seat}


def played(game: Game) -> list[View]:
    """The tricks that were won, each with its cards and who took it."""
    return [_won(trick) for trick in game.tricks if trick.winner is not None]


def _plays(trick: Trick | None) -> list[View]:
    if trick is None:
        return []
    return [
        {"seat": play.seat, "card": play.card, "irregular": play.irregular} for play in trick.plays
    ]


def _won(trick: Trick) -> View:
    """A trick that was won."""
    return {
        "number": trick.number,
        "phase": trick.phase,
        "auto": trick.auto,
        "leader": trick.leader,
        "upcards": trick.upcards,
        "plays": _plays(trick),
        "winner": trick.winner,
        "taken": {str(seat): card for seat, card in (trick.taken or {}).items()},
        "next_leader": trick.next_leader,
    }


def hidden(game: Game, view: int, tricks: int | None) -> Game:
    """A game without what a seat, or (0) a spectator, may not know.

    With only its first `tricks` tricks it has no end, either.  The game itself if there is nothing
    to hide.
    """
    dealt = ("Hand", "Pile")
    own = f"Hand{view}"
    end, result = ((), game.result) if tricks is None else (OF_THE_END, "*")
    tags = {
        name: value
        for name, value in game.tags.items()
        if (name == own or not name.startswith(dealt)) and name not in end
    }
    shown = [_covered(trick, view) for trick in game.tricks[:tricks]]
    same = len(shown) == len(game.tricks) and all(map(is_, shown, game.tricks))
    if same and len(tags) == len(game.tags) and not game.comments and result == game.result:
        return game
    return replace(game, tags=tags, tricks=shown, comments=[], result=result)


def _covered(trick: Trick, view: int) -> Trick:
    """A trick without cards that are face down for a seat, and without comments."""
    commented = trick.comments or any(play.comments for play in trick.plays)
    if not (trick.auto or trick.hidden or trick.drawn or commented):
        return trick
    plays = [
        replace(play, card=None if trick.auto and play.seat != view else play.card, comments=[])
        for play in trick.plays
    ]
    order = list(trick.ranking or [])[1 if trick.looked else 0 :]
    drawing = order[upcards_of(len(plays)) :] if plays else []
    return replace(
        trick,
        plays=plays,
        hidden=trick.hidden if trick.winner == view else None,
        drawn=None if trick.drawn is None else list(_drawn(trick.drawn, drawing, view)),
        comments=[],
    )


def _drawn(cards: Iterable[str | None], seats: list[int], view: int) -> Iterator[str | None]:
    """The cards that `seats` drew, in that order, None for those that `view` does not know."""
    for place, card in enumerate(cards):
        yield card if place < len(seats) and seats[place] == view else None
