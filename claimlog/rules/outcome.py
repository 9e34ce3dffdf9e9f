"""The outcome of a trick and of a game, in the names of the model.

Inside the rules cards are numbers and seats count from 0; callers outside get the classes of
`claimlog.game`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from claimlog.cards import (
    BARDS,
    CARDS,
    FACTION_COUNT,
    LETTERS,
    NAMES,
    UNKNOWN,
)
from claimlog.game import (
    FactionScore,
    Loot,
    Reason,
    Score,
    SeatCard,
    SideCard,
    Trick,
)
from claimlog.results import result_of, result_text
from claimlog.rules.reasons import PEASANTS_MOVE, REASONS
from claimlog.rules.setup import side_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from claimlog.rules.reasons import Noted
    from claimlog.rules.scoring import Count
    from claimlog.rules.table import Table

__all__ = ["fill_draws", "name_of", "names_of", "outcome_of", "reasons_of", "score_of", "settle"]

_NAME: Final = (*NAMES, *[None] * (UNKNOWN + 1 - CARDS))
_TIEBREAKS: Final[tuple[Literal["cards", "value"] | None, ...]] = (None, "cards", "value")


def name_of(card: int) -> str | None:
    """The name of a card, None for an unknown one."""
    return _NAME[card]


def names_of(cards: Iterable[int]) -> list[str]:
    """The names of the known cards."""
    return [NAMES[card] for card in cards if card < CARDS]


def reasons_of(noted: Iterable[Noted]) -> list[Reason]:
    """Convert reasons to the model: their codes, seats, cards, factions and numbers."""
    return [
        Reason(
            code=REASONS[one.reason],
            seat=one.seat + 1 if one.seat >= 0 else None,
            cards=tuple(map(name_of, one.cards)),
            faction=LETTERS[one.faction] if one.faction >= 0 else "",
            number=one.number,
        )
        for one in noted
    ]


def settle(trick: Trick, table: Table, taken: dict[int, str | None]) -> None:
    """Add the outcome to a trick that the table has settled; `taken` is each seat's new card."""
    seats = range(1, table.seats + 1)
    trick.winner = table.winner + 1
    trick.ranking = [table.seat_of(table.ranked[i]) + 1 for i in range(table.seats)]
    trick.taken = taken
    scored: dict[int, list[str]] = {seat: [] for seat in seats}
    for i in range(table.gained):
        scored[table.gained_seat[i] + 1].append(NAMES[table.gained_card[i]])
    trick.scored = scored
    trick.removed = [
        SeatCard(table.removed_seat[i] + 1, NAMES[table.removed_card[i]])
        for i in range(table.removed)
    ]
    trick.waiting = [NAMES[table.trolls[i]] for i in range(table.waiting)]
    if table.trick < 2 * table.tricks:
        trick.next_leader = table.next_leader + 1
    if table.noting:
        trick.reasons = reasons_of(table.reasons())


def fill_draws(tricks: list[Trick], seats: int) -> None:
    """Name the unwritten draws of a complete game that Phase 2 leaves no doubt about.

    Everything that a seat plays was taken; if all its unknown cards are of one kind, each of them
    is known.
    """
    for seat in range(1, seats + 1):
        played = [
            play.card
            for trick in tricks
            for play in trick.plays
            if trick.phase == 2 and play.seat == seat
        ]
        unknown = []
        for trick in tricks:
            if trick.taken:
                card = trick.taken[seat]
                if card is None:
                    unknown.append(trick)
                elif card in played:
                    played.remove(card)
        if len(unknown) == len(played) and len(set(played)) == 1:
            for trick in unknown:
                assert trick.taken is not None
                trick.taken[seat] = played[0]


def outcome_of(count: Count) -> str:
    """The result of a decided game, in notation."""
    winners = 0
    for side in range(count.sides):
        if count.share[side]:
            winners |= 1 << side
    return result_text(result_of(count.sides, winners))


def score_of(count: Count, tricks: list[Trick]) -> Score:
    """The end of a complete game, with the piles in the order in which they grew."""
    seats, deck = count.players, count.deck
    sides = range(1, count.sides + 1)
    by_seat: dict[int, list[str]] = {seat: [] for seat in range(1, seats + 1)}
    for trick in tricks:
        for seat, cards in (trick.scored or {}).items():
            by_seat[seat] += cards
        for gnome in trick.removed or []:
            by_seat[gnome.seat].remove(gnome.card)
    piles: dict[int, list[str]] = {side: [] for side in sides}
    for seat, cards in by_seat.items():
        piles[side_of(seat - 1, seats) + 1] += cards
    reasons = reasons_of(count.reasons())
    moved = []
    for reason in reasons:
        if reason.code == REASONS[PEASANTS_MOVE]:
            gone = [SideCard(reason.seat or 0, card or "") for card in reason.cards]
            for peasant in gone:
                piles[peasant.side].remove(peasant.card)
            moved += [(peasant, reason.number) for peasant in gone]
    for peasant, to in moved:
        piles[to].append(peasant.card)
    decided = {
        reason.faction: reason.code for reason in reasons if reason.code.startswith("decided.")
    }
    factions = {}
    for faction, letter in enumerate(LETTERS):
        if not deck >> faction & 1:
            continue
        winner = count.won_by[faction]
        factions[letter] = FactionScore(
            counts={s: count.count[(s - 1) * FACTION_COUNT + faction] for s in sides},
            winner=winner + 1 if winner >= 0 else None,
            runs={s: count.runs[s - 1] for s in sides} if faction == BARDS else None,
            reason=decided.get(letter, ""),
        )
    loot = {
        side: Loot(LETTERS[count.loot_for[side - 1]], count.loot[side - 1])
        for side in sides
        if count.loot_for[side - 1] != UNKNOWN
    }
    return Score(
        piles=piles,
        factions=factions,
        votes={side: count.votes[side - 1] for side in sides},
        tiebreak=_TIEBREAKS[count.tiebreak],
        result=outcome_of(count),
        moved=[peasant for peasant, _ in moved],
        loot=loot,
        reasons=reasons,
    )
