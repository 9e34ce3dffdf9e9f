"""The deck of a round: fixed, by round, or drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from claimlog.cards import all_decks, deck_letters

if TYPE_CHECKING:
    from random import Random

    from claimlog.directing import acts
    from claimlog.directing.model import Plan


def with_decks(paired: acts.Paired, plan: Plan, chance: Random) -> acts.Paired:
    """A round in which each table has a deck, if the plan says of any; all tables the same."""
    deck = deck_of_round(plan, paired.round, chance)
    tables = tuple(
        table if table.deck else msgspec.structs.replace(table, deck=deck)
        for table in paired.tables
    )
    return msgspec.structs.replace(paired, tables=tables)


def deck_of_round(plan: Plan, round: int, chance: Random) -> str:
    """The letters of the deck of a round, "" where the plan leaves that to the tables."""
    if plan.draw:
        if plan.decks:
            return chance.choice(plan.decks)
        return deck_letters(chance.choice(all_decks(plan.seats, classic=plan.rules == "Classic")))
    return plan.decks[min(round, len(plan.decks)) - 1] if plan.decks else ""
