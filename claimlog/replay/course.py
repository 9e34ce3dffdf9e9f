r"""What a position means: who is to act and with which cards, what nobody has seen, the race.

Everything is told as whoever looks on through a `Viewpoint` may know it, and nothing beyond it.

>>> from claimlog.replay.recorder import replay_text
>>> from claimlog.replay.viewpoint import Viewpoint
>>> game = next(replay_text('[Deck "GKUWX"]\n1. U7: G5 K8+ /W2 2. X3: K4 *'))
>>> viewpoint = Viewpoint(game)
>>> position = viewpoint.at(1, 1)
>>> to_act(viewpoint, position), legal(viewpoint, position)
(2, ['K4', 'K8'])
>>> race(viewpoint, position)[0]
Standing(faction='G', counts={1: 0, 2: 0}, open=13, decided=None)
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from claimlog.cards import (
    BARDS,
    COPIES,
    FACTION_OF,
    GIANTS,
    GNOMES,
    LETTERS,
    NAMES,
    PEASANTS,
    RACCOONS,
    UNDEAD,
    VIKINGS,
)
from claimlog.game import Seat, Side
from claimlog.rules.powers import may_play

if TYPE_CHECKING:
    from collections.abc import Iterator

    from claimlog.game import Play, Trick
    from claimlog.replay.viewpoint import Position, Viewpoint

__all__ = ["Standing", "legal", "race", "to_act", "unseen"]

_FACTIONS: Final = dict(zip(NAMES, FACTION_OF, strict=True))
"""The faction of each card."""
_RACCOONS_IN_A_GAME: Final = 10
"""Of the fourteen in the box; the others are put away unseen (rules.md, "Cards")."""


class Standing(NamedTuple):
    """How a faction stands.

    `counts` are the cards in each side's score piles and on its displays, `open` is how many
    more may still be won, as far as whoever looks on knows.  `decided` is the side that
    nobody can catch up with any more; None also where that depends on powers that act at the end.
    """

    faction: str
    counts: dict[Side, int]
    open: int
    decided: Side | None


def to_act(viewpoint: Viewpoint, position: Position) -> Seat | None:
    """Who plays next in the trick; None if all have, or the record ends there."""
    if position.played < viewpoint.plays(position.trick):
        return position.order[position.played]
    return None


def legal(viewpoint: Viewpoint, position: Position) -> list[str] | None:
    """The cards that may be played next; None if nobody is to act or the hand is not known.

    Of a hand that is known in part it is what the known cards alone allow.  rules.md,
    "Following".
    """
    seat = to_act(viewpoint, position)
    if seat is None or viewpoint.view not in (None, seat):
        return None
    hand = position.players[seat - 1].hand
    known = list(dict.fromkeys(card for card in hand if card is not None))
    if not known:
        return None
    if position.auto or not position.plays or position.plays[0].card is None:
        return known
    led = _FACTIONS[position.plays[0].card]
    held = 0
    for card in known:
        held |= 1 << _FACTIONS[card]
    return [card for card in known if may_play(held, led, _FACTIONS[card])]


def unseen(viewpoint: Viewpoint, position: Position, seat: Seat | None = None) -> list[str]:
    """The cards of the deck that whoever looks on has not seen, in the order of the deck.

    With `seat`: that this seat has not seen, as far as whoever looks on knows.
    """
    knows = {one: viewpoint.view in (None, one) and seat in (None, one) for one in viewpoint.places}
    seen = Counter(_lying(position)) if position.phase == 1 else Counter[str]()
    played: dict[Seat, Counter[str]] = {one: Counter() for one in viewpoint.places}
    taken: dict[Seat, Counter[str]] = {one: Counter() for one in viewpoint.places}
    for trick, plays in _so_far(viewpoint, position):
        for play in plays:
            if play.card is not None and (knows[play.seat] or not trick.auto):
                (seen if trick.phase == 1 else played[play.seat])[play.card] += 1
    for trick in viewpoint.tricks[: position.trick if position.decided else position.trick - 1]:
        upcards = Counter(trick.upcards)
        for one in viewpoint.places:
            got = viewpoint.taken_by(trick.number, one)
            if got is not None and got.card is not None and (got.how == "upcard" or knows[one]):
                upcards[got.card] -= got.how == "upcard"
                taken[one][got.card] += 1
        seen.update(+upcards)
    for one, player in zip(viewpoint.places, position.players, strict=True):
        held = Counter(card for card in player.hand if card is not None and knows[one])
        # What was taken in Phase 1 is what is held and played in Phase 2: it counts once.
        seen.update(held + taken[one] if position.phase == 1 else taken[one] | played[one] + held)
    return [
        name
        for card, name in enumerate(NAMES)
        if name[0] in viewpoint.game.deck
        for _ in range(COPIES[card] - seen[name])
    ]


def race(viewpoint: Viewpoint, position: Position) -> list[Standing]:
    """How every faction of the deck stands."""
    done = position.trick if position.decided else position.trick - 1
    left = _open(viewpoint, position, done)
    key = ("race", done, *left)
    if key not in viewpoint.kept:
        viewpoint.kept[key] = _race(viewpoint, position, done, left)
    standings: list[Standing] = viewpoint.kept[key]
    score = viewpoint.game.score
    if score is not None and position.decided and position.trick == viewpoint.last:
        return [one._replace(decided=score.factions[one.faction].winner) for one in standings]
    return standings


def _race(viewpoint: Viewpoint, position: Position, done: int, left: list[int]) -> list[Standing]:
    sides = range(1, viewpoint.sides + 1)
    piles = _piles(viewpoint, position, done)
    loot = dict.fromkeys(sides, 0)
    looting = viewpoint.game.tags.get("LootCards", "").upper().split()
    for player in position.players if looting else ():
        loot[player.side] += sum(card in looting for card in (*player.pile, *player.gnomes))
    standings = []
    for letter in viewpoint.game.deck:
        faction = LETTERS.index(letter)
        counts = {side: piles[side][faction] for side in sides}
        most = {
            side: count + left[faction] + (loot[side] + left[RACCOONS] if looting else 0)
            for side, count in counts.items()
        }
        least = counts
        if faction == VIKINGS:
            most = {side: 2 * number for side, number in most.items()}
        elif faction == GNOMES:
            least = {side: count - left[GIANTS] for side, count in counts.items()}
        safe = [
            side
            for side in sides
            if faction not in (BARDS, PEASANTS)
            and all(least[side] > most[other] for other in sides if other != side)
        ]
        standings.append(Standing(letter, counts, left[faction], safe[0] if safe else None))
    return standings


def _piles(viewpoint: Viewpoint, position: Position, done: int) -> dict[Side, list[int]]:
    """By side how many cards of each faction it has won in so many tricks."""
    key = ("piles", done)
    if key not in viewpoint.kept:
        piles = {side: [0] * len(LETTERS) for side in range(1, viewpoint.sides + 1)}
        for player in position.players:
            for card in (*player.pile, *player.gnomes):
                piles[player.side][_FACTIONS[card]] += 1
        viewpoint.kept[key] = piles
    found: dict[Side, list[int]] = viewpoint.kept[key]
    return found


def _open(viewpoint: Viewpoint, position: Position, done: int) -> list[int]:
    """By faction how many cards may still come into score piles."""
    hands = [card for player in position.players for card in player.hand]
    if position.phase == 2 and None not in hands:
        left = [0] * len(LETTERS)
        for card in (*hands, *_lying(position)):
            if card:
                left[_FACTIONS[card]] += 1
        return left
    left = _in_deck(viewpoint, position.trick - 1).copy()
    trick = viewpoint.tricks[position.trick - 1]
    _take_away(viewpoint, trick, trick.plays[: position.played], left)
    for pile in _piles(viewpoint, position, done).values():
        left = [number - won for number, won in zip(left, pile, strict=True)]
    for gnome in position.removed:
        left[_FACTIONS[gnome.card]] -= 1
    return left


def _in_deck(viewpoint: Viewpoint, tricks: int) -> list[int]:
    """By faction how many cards there were, without those that these tricks took away."""
    key = ("deck", tricks)
    if key not in viewpoint.kept:
        left = list(_in_game(viewpoint.game.deck))
        if tricks:
            trick = viewpoint.tricks[tricks - 1]
            left = _in_deck(viewpoint, tricks - 1).copy()
            _take_away(viewpoint, trick, trick.plays, left)
        viewpoint.kept[key] = left
    found: list[int] = viewpoint.kept[key]
    return found


def _take_away(viewpoint: Viewpoint, trick: Trick, plays: list[Play], left: list[int]) -> None:
    """Take away what is played in Phase 1 and not won, as far as whoever looks on sees it."""
    for play in plays if trick.phase == 1 else ():
        hidden = trick.auto and viewpoint.view not in (None, play.seat)
        if play.card is not None and not hidden:
            faction = _FACTIONS[play.card]
            left[faction] -= trick.auto or faction != UNDEAD


@cache
def _in_game(deck: str) -> tuple[int, ...]:
    """By faction how many cards a game with this deck has."""
    number = [0] * len(LETTERS)
    for card, name in enumerate(NAMES):
        if name[0] in deck:
            number[FACTION_OF[card]] += COPIES[card]
    if number[RACCOONS]:
        number[RACCOONS] = _RACCOONS_IN_A_GAME
    return tuple(number)


def _so_far(viewpoint: Viewpoint, position: Position) -> Iterator[tuple[Trick, list[Play]]]:
    """The tricks up to the position, and the plays of each that have been made."""
    for trick in viewpoint.tricks[: position.trick]:
        now = trick.number == position.trick
        yield trick, trick.plays[: position.played] if now else trick.plays


def _lying(position: Position) -> list[str]:
    """What lies in the middle and is nobody's yet: upcards, cards played, Trolls that wait.

    Cards played in Phase 1 go away; those of Phase 2, as the upcards, are won.
    """
    if position.decided:
        return list(position.waiting) if position.phase == 2 else []
    if position.phase == 1:
        return list(position.upcards)
    return [*position.waiting, *(play.card for play in position.plays if play.card is not None)]
