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
Standing(faction='G', counts={1: 0, 2: 0}, open=14, decided=None, ahead=None)
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from claimlog.cards import COPIES, FACTION_COUNT, FACTION_OF, LETTERS, NAMES, USED, deck_of
from claimlog.game import Seat, Side
from claimlog.rules.powers import may_play
from claimlog.rules.race import count_now, decided_for
from claimlog.rules.scoring import Count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from claimlog.game import Play, Trick
    from claimlog.replay.viewpoint import Position, Viewpoint

__all__ = ["Standing", "factions_led", "leader", "legal", "never_held", "race", "to_act", "unseen"]

_FACTIONS: Final = dict(zip(NAMES, FACTION_OF, strict=True))
"""The faction of each card."""
_CARDS: Final = {name: card for card, name in enumerate(NAMES)}


class Standing(NamedTuple):
    """How a faction stands.

    `counts` are what each side's cards would count for if the game ended now (Vikings twice,
    Peasants with whom they would move to), `open` is how many more cards may still be won, as
    far as whoever looks on knows; cards on the table are open until the trick is decided.
    `decided` is the side that nobody can catch up with any more; None also where that depends
    on powers that act at the end.  `ahead` is the side that would win the faction if the game
    ended now.
    """

    faction: str
    counts: dict[Side, int]
    open: int
    decided: Side | None
    ahead: Side | None


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


def never_held(viewpoint: Viewpoint, position: Position, seat: Seat) -> str:
    """The letters of the factions of which `seat` is proven to hold nothing.

    What it played to a lead in this phase would not have been allowed otherwise; a play that is
    marked as against the rules proves nothing.  rules.md, "Following".
    """
    none = set[int]()
    there = [LETTERS.index(letter) for letter in viewpoint.game.deck]
    for trick, plays in _so_far(viewpoint, position):
        if trick.phase != position.phase or trick.auto or not plays or plays[0].card is None:
            continue
        led = _FACTIONS[plays[0].card]
        for play in plays[1:]:
            if play.seat == seat and play.card is not None and not play.irregular:
                own = _FACTIONS[play.card]
                none.update(one for one in there if not may_play(1 << one | 1 << own, led, own))
    return "".join(LETTERS[one] for one in sorted(none))


def factions_led(standings: list[Standing], sides: int) -> list[int]:
    """How many factions each side would win if the game ended now."""
    return [sum(one.ahead == side for one in standings) for side in range(1, sides + 1)]


def leader(led: list[int]) -> Side | None:
    """The side that leads more factions than any other; `led` as `factions_led` has them."""
    most = max(led)
    return led.index(most) + 1 if led.count(most) == 1 else None


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
        ends = score.factions
        return [
            one._replace(
                counts=ends[one.faction].counts,
                decided=ends[one.faction].winner,
                ahead=ends[one.faction].winner,
            )
            for one in standings
        ]
    return standings


def _race(viewpoint: Viewpoint, position: Position, done: int, left: list[int]) -> list[Standing]:
    loot = _loot(viewpoint)
    count = _count(viewpoint, position, done)
    standings = []
    for letter in viewpoint.game.deck:
        faction = LETTERS.index(letter)
        counts = {
            side: count.count[(side - 1) * FACTION_COUNT + faction]
            for side in range(1, viewpoint.sides + 1)
        }
        winner = decided_for(count, faction, left, loot)
        decided = None if winner is None else winner + 1
        ahead = count.won_by[faction] + 1 or None
        standings.append(Standing(letter, counts, left[faction], decided, ahead))
    return standings


def _loot(viewpoint: Viewpoint) -> int:
    """The values of the cards that show loot, as a set."""
    shown = set(viewpoint.game.tags.get("LootCards", "").upper().split())
    return sum(1 << int(name[1:]) for name in shown if name in _CARDS)


def _count(viewpoint: Viewpoint, position: Position, done: int) -> Count:
    """What has been won in so many tricks, as the score counts it."""
    key = ("count", done)
    if key not in viewpoint.kept:
        won = [[_CARDS[card] for card in (*one.pile, *one.gnomes)] for one in position.players]
        viewpoint.kept[key] = count_now(deck_of(viewpoint.game.deck), won, _loot(viewpoint))
    count: Count = viewpoint.kept[key]
    return count


def _open(viewpoint: Viewpoint, position: Position, done: int) -> list[int]:
    """By faction how many cards may still come into score piles."""
    hands = [card for player in position.players for card in player.hand]
    if position.phase == 2 and None not in hands:
        left = [0] * len(LETTERS)
        for card in (*hands, *_lying(position)):
            if card:
                left[_FACTIONS[card]] += 1
        return left
    left = _in_deck(viewpoint, done).copy()
    for player in position.players:
        for won in (*player.pile, *player.gnomes):
            left[_FACTIONS[won]] -= 1
    for gnome in position.removed:
        left[_FACTIONS[gnome.card]] -= 1
    return left


def _in_deck(viewpoint: Viewpoint, tricks: int) -> list[int]:
    """By faction how many cards there were, without those that these tricks took away.

    What is played in Phase 1 and not won goes away, as far as whoever looks on sees it.
    """
    key = ("deck", tricks)
    if key not in viewpoint.kept:
        left = list(_in_game(viewpoint.game.deck))
        if tricks:
            trick = viewpoint.tricks[tricks - 1]
            left = _in_deck(viewpoint, tricks - 1).copy()
            for name in _gone(viewpoint, trick):
                left[_FACTIONS[name]] -= 1
        viewpoint.kept[key] = left
    kept: list[int] = viewpoint.kept[key]
    return kept


def _gone(viewpoint: Viewpoint, trick: Trick) -> Iterator[str]:
    """The cards that a trick took away, as far as whoever looks on sees them."""
    if trick.phase == 2:
        return
    scored = Counter(card for cards in (trick.scored or {}).values() for card in cards)
    for play in trick.plays:
        hidden = trick.auto and viewpoint.view not in (None, play.seat)
        if play.card is None or hidden:
            continue
        if scored[play.card]:
            scored[play.card] -= 1
        else:
            yield play.card


@cache
def _in_game(deck: str) -> tuple[int, ...]:
    """By faction how many cards a game with this deck has."""
    return tuple(used if letter in deck else 0 for letter, used in zip(LETTERS, USED, strict=True))


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
