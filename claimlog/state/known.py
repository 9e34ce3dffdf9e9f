"""What a record says about hands and draw pile: what its tags list and what its plays prove."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimlog.cards import UNKNOWN
from claimlog.game import Game, Seat
from claimlog.rules.setup import Setup
from claimlog.state.entries import UNSEEN, to_card, to_cards

if TYPE_CHECKING:
    from claimlog.game import Play
__all__ = ["hands_listed", "hands_proven", "pile_listed", "pile_proven"]


def hands_listed(game: Game, setup: Setup) -> list[list[int]] | None:
    """The starting hands as listed in the Hand tags, None if there are no such tags."""
    texts = {seat: game.tags.get(f"Hand{seat}") for seat in range(1, setup.seats + 1)}
    if not any(texts.values()):
        return None
    unseen = " ".join([UNSEEN] * setup.tricks)
    return [to_cards((cards or unseen).upper()) for cards in texts.values()]


def pile_listed(game: Game, setup: Setup) -> list[int] | None:
    """The draw pile as listed in the Pile tag, None if it does not list the whole pile."""
    pile = to_cards(game.tags.get("Pile", "").upper())
    return pile if len(pile) == setup.seats * setup.tricks else None


def hands_proven(game: Game, setup: Setup) -> list[list[int]]:
    """The starting hands, as far as a record proves them."""
    hands = []
    for seat in range(1, setup.seats + 1):
        plays = [to_card(play.card) for play in _plays(game, seat, 1)]
        if UNKNOWN not in plays:
            # The rest of a hand listed in a tag is known, unless one of its cards lies face down.
            rest = to_cards(game.tags.get(f"Hand{seat}", "").upper())
            for card in plays:
                if card in rest:
                    rest.remove(card)
            plays += rest[: setup.tricks - len(plays)]
        hands.append([*plays, *[UNKNOWN] * (setup.tricks - len(plays))])
    return hands


def pile_proven(game: Game, setup: Setup) -> list[int]:
    """The draw pile, as far as a record proves it.

    If a seat's draws were not noted, the cards it plays in Phase 2 are known but their order is
    not: they are put into the pile in an arbitrary order.
    """
    spare: dict[int, list[int]] = {}
    for seat in range(1, setup.seats + 1):
        spare[seat] = [to_card(play.card) for play in _plays(game, seat, 2) if play.card]
        for trick in game.tricks:
            card = (trick.taken or {}).get(seat)
            if card is not None and to_card(card) in spare[seat]:
                spare[seat].remove(to_card(card))
    pile = pile_listed(game, setup) or [UNKNOWN] * (setup.seats * setup.tricks)
    for trick in game.tricks[: setup.tricks]:
        cards = [to_card(card) for card in trick.upcards]
        cards += [UNKNOWN] * (setup.upcards - len(cards))
        hidden = [
            reason.seat
            for code in ("taken.seer", "taken.hidden")
            for reason in trick.reasons
            if reason.code == code and reason.seat is not None
        ]
        for seat in hidden:
            drawn = to_card((trick.taken or {}).get(seat))
            cards.append(spare[seat].pop() if drawn == UNKNOWN and spare[seat] else drawn)
        for place, known in enumerate(cards, setup.seats * (trick.number - 1)):
            if known != UNKNOWN:
                pile[place] = known
    return pile


def _plays(game: Game, seat: Seat, phase: int) -> list[Play]:
    """What a seat played or discarded in a phase."""
    return [
        play
        for trick in game.tricks
        for play in trick.plays
        if trick.phase == phase and play.seat == seat
    ]
