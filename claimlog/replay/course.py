r"""The meaning of a position: who is to act with which cards, which are unseen, and the race.

Everything is limited to what the viewer of a `Viewpoint` may know.

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
    """The standing of a faction.

    `counts` is each side's count if the game ended now (Vikings doubled, Peasants counted for the
    side they would move to), `open` is the number of cards that may still be won, as far as the
    viewer knows; cards on the table are open until the trick is decided.  `decided` is the side
    that can no longer be caught up with; None also if that depends on powers at the end.  `ahead`
    is the side that would win the faction if the game ended now.
    """

    faction: str
    counts: dict[Side, int]
    open: int
    decided: Side | None
    ahead: Side | None


def to_act(viewpoint: Viewpoint, position: Position) -> Seat | None:
    """The seat that plays next in the trick; None if all have played, or the record ends there."""
    if position.played < viewpoint.plays(position.trick):
        return position.order[position.played]
    return None


def legal(viewpoint: Viewpoint, position: Position) -> list[str] | None:
    """The cards that may be played next; None if nobody is to act or the hand is unknown.

    For a partly known hand it is what the known cards allow.  rules.md, "Following".
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
    """The cards of the deck that the viewer has not seen, in the order of the deck.

    With `seat`: those that this seat has not seen, as far as the viewer knows.
    """
    before = _seen(viewpoint, position.trick if position.decided else position.trick - 1, seat)
    gone, played = before.gone, before.played
    if not position.decided:
        gone, played = _with_plays(viewpoint, seat, before, position.trick, position.played)
    seen = Counter(gone)
    if position.phase == 1:
        seen.update(_lying(position))
    for one, player in zip(viewpoint.places, position.players, strict=True):
        held = player.hand if _knows(viewpoint, seat, one) else ()
        known = [card for card in held if card is not None]
        taken = before.taken[one]
        if position.phase == 2:
            # Cards taken in Phase 1 are held and played in Phase 2: count them once.
            known += played[one]
            for card in taken:
                if card in known:
                    known.remove(card)
        seen.update((*known, *taken))
    left: list[str] = []
    for name, copies in _cards_of(viewpoint.game.deck):
        more = copies - seen.get(name, 0)
        if more > 0:
            left += (name,) * more
    return left


class _Seen(NamedTuple):
    """The cards that somebody has seen in the first tricks of a game.

    `gone` are those discarded, or left on the table; of each seat, `played` those that it played in
    Phase 2, and `taken` those that it took in Phase 1.
    """

    gone: tuple[str, ...]
    played: dict[Seat, tuple[str, ...]]
    taken: dict[Seat, tuple[str, ...]]


def _seen(viewpoint: Viewpoint, tricks: int, seat: Seat | None) -> _Seen:
    """What the viewer, and `seat` if given, has seen in the first `tricks` tricks."""
    key = ("seen", tricks, seat)
    if key not in viewpoint.kept:
        viewpoint.kept[key] = _seen_in(viewpoint, tricks, seat)
    kept: _Seen = viewpoint.kept[key]
    return kept


def _seen_in(viewpoint: Viewpoint, tricks: int, seat: Seat | None) -> _Seen:
    if not tricks:
        empty: tuple[str, ...] = ()
        none = dict.fromkeys(viewpoint.places, empty)
        return _Seen(empty, none, none)
    before = _seen(viewpoint, tricks - 1, seat)
    gone, played = _with_plays(viewpoint, seat, before, tricks, viewpoint.plays(tricks))
    taken, left = dict(before.taken), list(viewpoint.tricks[tricks - 1].upcards)
    for one in viewpoint.places:
        got = viewpoint.taken_by(tricks, one)
        if got is None or got.card is None:
            continue
        if got.how == "upcard" and got.card in left:
            left.remove(got.card)
        if got.how == "upcard" or _knows(viewpoint, seat, one):
            taken[one] = (*taken[one], got.card)
    return _Seen((*gone, *left), played, taken)


def _with_plays(
    viewpoint: Viewpoint, seat: Seat | None, before: _Seen, number: int, count: int
) -> tuple[tuple[str, ...], dict[Seat, tuple[str, ...]]]:
    """`gone` and `played` with the first `count` plays of a trick."""
    gone, played = before.gone, dict(before.played)
    trick = viewpoint.tricks[number - 1]
    for play in trick.plays[:count]:
        if play.card is None or (trick.auto and not _knows(viewpoint, seat, play.seat)):
            continue
        if trick.phase == 1:
            gone = (*gone, play.card)
        else:
            played[play.seat] = (*played[play.seat], play.card)
    return gone, played


def _knows(viewpoint: Viewpoint, seat: Seat | None, one: Seat) -> bool:
    """Whether the viewer, and `seat` if given, knows the hidden cards of seat `one`."""
    return viewpoint.view in (None, one) and seat in (None, one)


@cache
def _cards_of(deck: str) -> list[tuple[str, int]]:
    """The cards of a deck, each with its number of copies."""
    return [(name, COPIES[card]) for card, name in enumerate(NAMES) if name[0] in deck]


def never_held(viewpoint: Viewpoint, position: Position, seat: Seat) -> str:
    """The letters of the factions that `seat` is proven not to hold.

    Its plays to leads in this phase would have been illegal otherwise; a play marked as irregular
    proves nothing.  rules.md, "Following".
    """
    trick = viewpoint.tricks[position.trick - 1]
    proven = _disproved_before(viewpoint, position.trick, seat)
    proven |= _disproved_in(trick, trick.plays[: position.played], seat)
    deck = deck_of(viewpoint.game.deck)
    return "".join(letter for one, letter in enumerate(LETTERS) if (proven & deck) >> one & 1)


def _disproved_before(viewpoint: Viewpoint, number: int, seat: Seat) -> int:
    """The set of factions that the tricks of the same phase before a trick prove not to be held."""
    key = ("disproved", number, seat)
    if key not in viewpoint.kept:
        proven = 0
        if number > 1:
            before, trick = viewpoint.tricks[number - 2], viewpoint.tricks[number - 1]
            if before.phase == trick.phase:
                proven = _disproved_before(viewpoint, number - 1, seat)
                proven |= _disproved_in(before, before.plays, seat)
        viewpoint.kept[key] = proven
    kept: int = viewpoint.kept[key]
    return kept


def _disproved_in(trick: Trick, plays: list[Play], seat: Seat) -> int:
    """The set of factions that these plays of a trick prove `seat` not to hold."""
    if trick.auto or not plays or plays[0].card is None:
        return 0
    proven = 0
    for play in plays[1:]:
        if play.seat == seat and play.card is not None and not play.irregular:
            proven |= _disproved(_FACTIONS[play.card], _FACTIONS[plays[0].card])
    return proven


@cache
def _disproved(own: int, led: int) -> int:
    """The set of factions of which a hand had no card, if `own` was a legal answer to `led`."""
    return sum(
        1 << one for one in range(len(LETTERS)) if not may_play(1 << one | 1 << own, led, own)
    )


def factions_led(standings: list[Standing], sides: int) -> list[int]:
    """The number of factions that each side would win if the game ended now."""
    return [sum(one.ahead == side for one in standings) for side in range(1, sides + 1)]


def leader(led: list[int]) -> Side | None:
    """The side that leads in more factions than any other; `led` is from `factions_led`."""
    most = max(led)
    return led.index(most) + 1 if led.count(most) == 1 else None


def race(viewpoint: Viewpoint, position: Position) -> list[Standing]:
    """The standing of every faction of the deck."""
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
    """The set of values of the cards that show loot."""
    shown = set(viewpoint.game.tags.get("LootCards", "").upper().split())
    return sum(1 << int(name[1:]) for name in shown if name in _CARDS)


def _count(viewpoint: Viewpoint, position: Position, done: int) -> Count:
    """The count of the cards won in the first `done` tricks."""
    key = ("count", done)
    if key not in viewpoint.kept:
        won = [[_CARDS[card] for card in (*one.pile, *one.gnomes)] for one in position.players]
        viewpoint.kept[key] = count_now(deck_of(viewpoint.game.deck), won, _loot(viewpoint))
    count: Count = viewpoint.kept[key]
    return count


def _open(viewpoint: Viewpoint, position: Position, done: int) -> list[int]:
    """The number of cards that may still get into score piles, by faction."""
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
    """The number of cards, by faction, without those removed by the first `tricks` tricks.

    Cards played in Phase 1 and not won are removed, as far as the viewer sees them.
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
    """The cards that a trick removed from the game, as far as the viewer sees them."""
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
    """The number of cards that a game with this deck uses, by faction."""
    return tuple(used if letter in deck else 0 for letter, used in zip(LETTERS, USED, strict=True))


def _lying(position: Position) -> list[str]:
    """The cards on the table that nobody owns yet: upcards, cards played, waiting Trolls.

    Cards played in Phase 1 are discarded; those of Phase 2 are won, as are the upcards.
    """
    if position.decided:
        return list(position.waiting) if position.phase == 2 else []
    if position.phase == 1:
        return list(position.upcards)
    return [*position.waiting, *(play.card for play in position.plays if play.card is not None)]
