"""Convert a `Machine` to a `Game`: from the integers of the rules to the names of the model.

>>> from claimlog.cards import card, deck_of
>>> from claimlog.rules.setup import Setup
>>> machine = Machine(Setup("GKUWX", leader=2))
>>> for name in ("U7", "G5", "G8", "W2", "X3"):
...     _ = machine.apply(card(name))
>>> game = game_of(machine)
>>> game.tricks[0].winner, game.tricks[0].taken, game.tricks[1].upcards
(1, {1: 'U7', 2: 'W2'}, ['X3'])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimlog.cards import CARDS, LETTERS, RACCOONS, UNKNOWN
from claimlog.cards import card as card_named
from claimlog.game import Game, Play, SeatCard, Trick
from claimlog.rules.actions import Kind
from claimlog.rules.machine import Machine
from claimlog.rules.outcome import name_of, names_of, reasons_of, score_of, settle
from claimlog.rules.reasons import gathered
from claimlog.rules.setup import MAX_TRICKS, default_rulings, upcards_of
from claimlog.rules.table import Table, copy_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from claimlog.rules.actions import Action
    from claimlog.rules.actions import Trick as Numbers
    from claimlog.rules.setup import Setup

__all__ = ["game_of", "tags_of", "trick_of"]


def trick_of(numbers: Numbers) -> Trick:
    """A finished trick of a `Machine`."""
    seats = len(numbers.plays)
    leader = numbers.leader
    values = numbers.values or [None] * seats
    plays = []
    for i, card in enumerate(numbers.plays):
        seat = (leader + i) % seats
        value = values[i] if card < CARDS else None
        plays.append(Play(seat + 1, name_of(card), value, irregular=seat in numbers.irregular))
    trick = Trick(
        number=numbers.number,
        phase=1 if numbers.phase == 1 else 2,
        auto=numbers.auto,
        upcards=names_of(numbers.upcards),
        leader=leader + 1,
        plays=plays,
        winner=numbers.winner + 1,
        ranking=[seat + 1 for seat in numbers.ranking],
        taken={seat: name_of(card) for seat, card in enumerate(numbers.taken, 1)},
        scored={seat: names_of(cards) for seat, cards in enumerate(numbers.scored, 1)},
        removed=[SeatCard(seat + 1, name_of(card) or "") for seat, card in numbers.removed],
        waiting=names_of(numbers.waiting),
        next_leader=None if numbers.next_leader is None else numbers.next_leader + 1,
        looked=numbers.looked,
        pick=None if numbers.picked is None else name_of(numbers.picked),
        reasons=reasons_of(gathered(numbers.notes)),
    )
    if numbers.phase == 1:
        drawing = list(numbers.ranking)
        if numbers.looked:
            trick.hidden = name_of(numbers.taken[drawing.pop(0)])
        drawn = [name_of(numbers.taken[seat]) for seat in drawing[upcards_of(seats) :]]
        trick.drawn = drawn or None
    return trick


def _running(machine: Machine) -> Trick | None:
    """The current trick of a `Machine`, None if nothing has happened in it yet."""
    table = machine.table
    early = machine.phase == 1
    turned_up = machine.kind == Kind.TURN_UP
    upcards = machine.upcards if turned_up else table.upcards[: upcards_of(machine.seats)]
    played = [] if turned_up else machine.plays
    if not (played or (early and upcards)):
        return None
    trick = Trick(
        number=table.trick,
        phase=1 if early else 2,
        auto=machine.auto,
        upcards=names_of(upcards) if early else [],
        leader=table.leader + 1,
    )
    # Once all have played, the winner is known.  Until a Seer's player has decided about the hidden
    # card, it counts as left: the notation has no symbol for leaving it.
    decided = machine.kind in (Kind.LOOK, Kind.PICK, Kind.DRAW)
    for i, card in enumerate(played):
        seat = table.seat_of(i)
        value = None
        if card < CARDS and not machine.auto:
            value = table.values[i] if decided else table.value_of(seat, card)
        trick.plays.append(Play(seat + 1, name_of(card), value, irregular=seat in machine.waived))
    hidden, pick = UNKNOWN, 0 if machine.seats == 2 else -1
    for action in _since_the_plays(machine):
        if action.kind == Kind.LOOK and action.card is not None:
            trick.looked = True
            hidden = action.card
            trick.hidden = name_of(hidden)
        elif action.kind == Kind.PICK and action.card is not None:
            trick.pick = name_of(action.card)
            pick = 0 if action.card == table.upcards[0] else 1
    if decided:
        drawn = machine.drawn[1 if trick.looked else 0 :]
        trick.drawn = [name_of(card) for card in drawn] or None
        # Seats that have not drawn yet will take unknown cards.
        settled = Table()
        copy_table(table, settled)
        settled.noting = True
        settled.notes = table.notes[:]
        settled.recruit(trick.looked, hidden, pick, *[*drawn, UNKNOWN, UNKNOWN][:2])
        place = table.trick - 1
        taken = {
            seat + 1: name_of(settled.followers[seat * MAX_TRICKS + place])
            for seat in range(machine.seats)
        }
        settle(trick, settled, taken)
    return trick


def _since_the_plays(machine: Machine) -> list[Action]:
    """The actions since the last card was played or discarded."""
    late = []
    for action in reversed(machine.log):
        if action.kind in (Kind.TURN_UP, Kind.PLAY, Kind.DISCARD):
            break
        late.append(action)
    return late[::-1]


def tags_of(setup: Setup) -> dict[str, str]:
    """The tags for what was agreed before a game: deck, leader, rules and rulings, loot.

    Rules and rulings only if they differ from the defaults of LE2023, players only if there are
    more than two.
    """
    tags = {"CLM": "1"}
    if setup.seats > 2:
        tags |= {f"Player{seat + 1}": "?" for seat in range(setup.seats)}
    tags["Deck"] = setup.deck
    if setup.rules != "LE2023":
        tags["Rules"] = setup.rules
    own = default_rulings(setup.rules)
    if other := [f"{key}={value}" for key, value in setup.rulings.items() if value != own[key]]:
        tags["Rulings"] = " ".join(other)
    tags["Leader"] = str(setup.leader)
    if setup.loot is not None and setup.factions >> RACCOONS & 1:
        tags["LootCards"] = " ".join(names_of(sorted(map(card_named, setup.loot))))
    return tags


def game_of(
    machine: Machine, tags: Mapping[str, str] | None = None, kept: Sequence[Trick] = ()
) -> Game:
    """Convert a `Machine` to a game, including the trick in progress.

    `kept` are its first tricks, if they have been converted already.

    Adds the tags that follow from the game, unless `tags` has them: those of `tags_of`, and Loot,
    Votes and Result.
    """
    setup = machine.setup
    tricks = [*kept, *(trick_of(numbers) for numbers in machine.history[len(kept) :])]
    values = tags_of(setup)
    loot = [
        f"{action.seat + 1}={LETTERS[action.card]}"
        for action in machine.log
        if action.kind == Kind.LOOT and action.seat is not None and action.card is not None
    ]
    if loot:
        values["Loot"] = " ".join(loot)
    score = None
    if machine.kind == Kind.OVER and machine.count is not None:
        score = score_of(machine.count, tricks)
        values["Votes"] = "-".join(map(str, score.votes.values()))
    elif machine.kind != Kind.LOOT and (trick := _running(machine)):
        tricks.append(trick)
    values["Result"] = score.result if score else "*"
    values |= tags or {}
    return Game(
        tags=values,
        seats=setup.seats,
        rules=setup.rules,
        rulings=dict(setup.rulings),
        complete=len(machine.history) == 2 * setup.tricks,
        result=values["Result"],
        tricks=tricks,
        score=score,
        deck=setup.deck,
        leader=setup.leader,
    )
