"""A table for tests that read like the rules: cards are written, seats and sides count from 1.

>>> game = table("GKUWX", leader=2, phase=2)
>>> trick(game, "G5 K2").winner
1
>>> score({1: "K5 K6", 2: "G1"}).won["K"]
1
"""

from collections.abc import Mapping
from dataclasses import dataclass

from claimlog.cards import LETTERS, NAMES, UNKNOWN, VALUE_OF, VALUE_ROOM, card, deck_of
from claimlog.rules.scoring import Count
from claimlog.rules.setup import MAX_TRICKS, default_rulings, sides_of, tricks_of, upcards_of
from claimlog.rules.table import Table

TIEBREAKS = {0: None, 1: "cards", 2: "value"}
"""The values of `Count.tiebreak`; their names are lost in the compiled module."""


def cards(text: str) -> list[str]:
    """The cards of `text`, sorted, because a pile has no order."""
    return sorted(text.split())


def first(number: int, plays: str) -> str:
    """The first plays of a trick that is written for four players."""
    return " ".join(plays.split()[:number])


def factions(letters: str) -> int:
    """The set of factions, as the engine holds it."""
    return deck_of(letters)


def name(index: int) -> str:
    return "_" if index == UNKNOWN else NAMES[index]


def index_of(text: str) -> int:
    return UNKNOWN if text == "_" else card(text)


# The table ---------------------------------------------------------------------------


def table(
    deck: str = "GKUWX",
    *,
    seats: int = 2,
    leader: int = 1,
    phase: int = 1,
    trick: int = 0,
    rules: str = "LE2023",
    rulings: str = "",
    piles: Mapping[int, str] | None = None,
    displays: Mapping[int, str] | None = None,
) -> Table:
    """A table before trick number `trick` (by default before the phase's first).

    `deck` need not be legal: the examples in the texts mix factions that no deck has together.
    """
    in_force = default_rulings(rules) | dict(word.split("=") for word in rulings.split())
    assert 1 <= leader <= seats
    new = Table()
    new.set_up(
        seats,
        tricks_of(seats),
        factions(deck),
        leader - 1,
        in_force["trolls"] == "line",
        in_force["dragons"] == "last-dragon",
        in_force["automatons"] == "played",
    )
    new.trick = trick or (1 if phase == 1 else tricks_of(seats) + 1)
    _lay_out(new, piles or {}, displays or {})
    return new


def _lay_out(on: Table, piles: Mapping[int, str], displays: Mapping[int, str]) -> None:
    for lie, where in ((on.gain, piles), (on.lay_open, displays)):
        for seat, held in where.items():
            assert 1 <= seat <= on.seats
            for text in held.split():
                assert lie == on.gain or text[0] == "N"
                lie(seat - 1, card(text))
                on.gained = 0


def pile(on: Table, seat: int) -> dict[str, tuple[int, int, list[int]]]:
    """A seat's score pile: by faction the number of cards, their sum, and their values."""
    cards = {}
    for faction, letter in enumerate(LETTERS):
        k = (seat - 1) * len(LETTERS) + faction
        if on.count[k]:
            values = [value for value in range(16) if on.mask[k] >> value & 1]
            cards[letter] = (on.count[k], on.total[k], values)
    return cards


def display(on: Table, seat: int) -> list[str]:
    """The Gnomes that lie open before a seat."""
    k = (seat - 1) * VALUE_ROOM
    return [f"N{value}" for value in range(10) for _ in range(on.display[k + value])]


@dataclass(frozen=True)
class Trick:
    """The outcome of a trick; `ranking` are seats, best first, `leader` leads the next."""

    winner: int
    ranking: list[int]
    values: dict[int, int]
    leader: int
    auto: bool
    scored: dict[int, list[str]]
    removed: list[tuple[int, str]]
    waiting: list[str]
    taken: dict[int, str]


def trick(
    on: Table, plays: str, *, up: str = "", pick: str = "", seer: str = "", draws: str = ""
) -> Trick:
    """Play one trick, in playing order from the leader, and go on to the next.

    In Phase 1 `up` are the upcards, `pick` the one that the first picker took, `seer` the hidden
    card that a Seer's player took instead, `draws` what the others drew.
    """
    number = on.trick
    phase_1 = number <= on.tricks
    auto = on.auto
    played = plays.split()
    assert len(played) == on.seats
    assert number <= 2 * on.tricks
    assert on.played == 0
    if up:
        assert phase_1
        upcards = up.split()
        assert len(upcards) == upcards_of(on.seats)
        on.turn_up(*(index_of(text) for text in (*upcards, "_")[:2]))
    for text in played:
        assert auto or text != "_"
        on.play(index_of(text))
    on.settle()
    taken = {}
    if up:
        drawn = [index_of(text) for text in draws.split()]
        assert len(drawn) <= on.draws(bool(seer))
        drawn += [UNKNOWN] * (2 - len(drawn))
        at = -1
        if on.seats == 2:
            at = 0
        elif pick:
            at = upcards.index(pick)
        on.recruit(bool(seer), index_of(seer or "_"), at, *drawn)
        for seat in range(on.seats):
            taken[seat + 1] = name(on.followers[seat * MAX_TRICKS + number - 1])
    scored: dict[int, list[str]] = {}
    for i in range(on.gained):
        scored.setdefault(on.gained_seat[i] + 1, []).append(name(on.gained_card[i]))
    done = Trick(
        winner=on.winner + 1,
        ranking=[on.seat_of(on.ranked[i]) + 1 for i in range(on.seats)],
        values={} if auto else {on.seat_of(i) + 1: on.values[i] for i in range(on.seats)},
        leader=on.next_leader + 1,
        auto=bool(on.next_auto),
        scored={seat: sorted(gained) for seat, gained in scored.items()},
        removed=[(on.removed_seat[i] + 1, name(on.removed_card[i])) for i in range(on.removed)],
        waiting=[name(on.trolls[i]) for i in range(on.waiting)],
        taken=taken,
    )
    on.advance()
    return done


# The count ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Score:
    """The outcome of the game; everything but `loot_for` as in a report, sides counted from 1."""

    won: dict[str, int | None]
    counts: dict[str, dict[int, int]]
    runs: dict[int, int]
    peasants: dict[int, list[str]]
    fewest: dict[int, str]
    loot_for: dict[int, str | None]
    votes: dict[int, int]
    winners: list[int]
    tiebreak: str | None


def score(
    piles: Mapping[int, str],
    deck: str = "GKUWX",
    *,
    seats: int = 2,
    displays: Mapping[int, str] | None = None,
    loot: str = "",
    choose: Mapping[int, str] | None = None,
) -> Score:
    """Score a game that ended with these score piles and open Gnomes, by seat."""
    end = table(deck, seats=seats, piles=piles, displays=displays)
    return count(end, loot=loot, choose=choose)


def count(end: Table, *, loot: str = "", choose: Mapping[int, str] | None = None) -> Score:
    """Score what lies on a table."""
    shown = 0
    for text in loot.split():
        assert text[0] == "R"
        shown |= 1 << VALUE_OF[card(text)]
    tally = Count()
    tally.gather(end, shown)
    for side, letter in (choose or {}).items():
        assert tally.undecided(side - 1)
        assert letter in letters_of(tally.fewest[side - 1])
        tally.choose(side - 1, LETTERS.index(letter))
    for side in range(tally.sides):
        assert not tally.undecided(side), f"side {side + 1} must choose what its loot counts for"
    tally.decide()
    assert {tally.share[side] for side in range(tally.sides)} <= {0, 1}
    sides = range(sides_of(end.seats))
    per_side = len(LETTERS)
    in_deck = [f for f in range(per_side) if end.deck >> f & 1]
    peasants = LETTERS.index("P")
    return Score(
        won={LETTERS[f]: None if tally.won_by[f] < 0 else tally.won_by[f] + 1 for f in in_deck},
        counts={
            LETTERS[f]: {side + 1: tally.count[side * per_side + f] for side in sides}
            for f in in_deck
        },
        runs={side + 1: tally.runs[side] for side in sides},
        peasants={
            side + 1: [
                f"P{value}"
                for value in range(13)
                if tally.mask[side * per_side + peasants] >> value & 1
            ]
            for side in sides
        },
        fewest={side + 1: letters_of(tally.fewest[side]) for side in sides},
        loot_for={
            side + 1: None if tally.loot_for[side] == UNKNOWN else LETTERS[tally.loot_for[side]]
            for side in sides
        },
        votes={side + 1: tally.votes[side] for side in sides},
        winners=[side + 1 for side in sides if tally.share[side]],
        tiebreak=TIEBREAKS[tally.tiebreak],
    )


def letters_of(members: int) -> str:
    """The letters of a set of factions, in the engine's order."""
    return "".join(letter for f, letter in enumerate(LETTERS) if members >> f & 1)
