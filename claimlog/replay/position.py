"""A judged game at one moment, as a looker-on sees it: all that a viewer needs to show.

`Course` walks through a `Replay`.  A moment is a trick and the number of its plays that lie
on the table; with the last play the trick is decided.  What a looker-on may not know stands
as None: a card face down or drawn by another, and what the record itself leaves unknown.

>>> from claimlog.replay.game import replay_text
>>> game = next(replay_text('[Deck "GKUWX"] 1. U7: G5 K8+ /W2 2. X3: K4 *'))
>>> position = Course(game).at(1, 2)
>>> position.why[0].key, position.seats[1].followers, position.seats[1].hand[0]
('knight', ['U7'], None)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from claimlog.cards import (
    AUTOMATONS,
    BARDS,
    CARDS,
    DOPPELGANGERS,
    DRAGONS,
    DWARVES,
    FACTION_OF,
    GNOMES,
    GRIFFINS,
    KNIGHTS,
    LETTERS,
    NAMES,
    TROLLS,
    VIKINGS,
)
from claimlog.cards import card as card_named
from claimlog.rules.powers import standing
from claimlog.rules.setup import side_of, sides_of, tricks_of, upcards_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from claimlog.notation.problems import Problem
    from claimlog.replay.game import Play, Replay, Trick

__all__ = [
    "SPECTATOR",
    "Course",
    "Ending",
    "Fact",
    "FactionResult",
    "Placed",
    "Position",
    "SeatView",
    "Taken",
    "by_faction",
]

SPECTATOR: Final = -1
"""As a view: whoever looks on sees only what lies open."""

_OFF: Final = 0
_LED: Final = 1
"""What `standing` says of a card of another faction, and of one of the led faction."""

Cards = list[str | None]
"""Names of cards, None where a card is unknown to whoever looks on."""


class Fact(NamedTuple):
    """One thing that happened, for `claimlog.words` to tell.

    `key` says what; who, with which cards, of which faction and which number (a trick, a
    value) depend on it.  Seats count from 0.
    """

    key: str
    seat: int | None = None
    cards: tuple[str | None, ...] = ()
    faction: str = ""
    number: int = 0


class Taken(NamedTuple):
    """What a seat took for its followers; `how`: "upcard", "hidden" or (a Seer) "seer"."""

    card: str | None
    how: str


class Placed(NamedTuple):
    """One play on the table.

    `role` is "lead", "follow", "double" (a Doppelganger that counts as the led faction),
    "knight" (above the Goblins led), "off" (anything else), "discard" or "unknown".
    `value` is the value that counts, `bonus` what a Griffin added.  `rank` (from 1) and
    `taken` are known once the trick is decided.
    """

    seat: int
    card: str | None
    value: int | None
    bonus: int
    role: str
    rank: int | None
    taken: Taken | None
    annotation: str
    irregular: bool
    comments: list[str]


class SeatView(NamedTuple):
    """What lies with one seat: `gnomes` is the open display, `pile` the score pile."""

    seat: int
    side: int
    hand: Cards
    followers: Cards
    pile: list[str]
    gnomes: list[str]


class Position(NamedTuple):
    """One moment of a game.

    `trick` and `played` say which; `decided` is whether the trick is complete, so that `why`
    tells who won, `outcome` what went where, and `next` who leads the next trick and what
    for.  `order` are all seats in playing order.  `removed` lists the Gnomes smashed so far
    as (seat, card, trick).  `draw_pile` is the number of cards left in it.
    """

    trick: int
    played: int
    phase: int
    auto: bool
    upcards: list[str]
    order: list[int]
    plays: list[Placed]
    decided: bool
    winner: int | None
    why: list[Fact]
    outcome: list[Fact]
    next: list[Fact]
    seats: list[SeatView]
    draw_pile: int
    waiting: list[str]
    removed: list[tuple[int, str, int]]
    comments: list[str]
    problems: list[Problem]

    def report(self) -> dict[str, Any]:
        """The position for JSON; seats and sides count from 1."""
        return {
            "trick": self.trick,
            "played": self.played,
            "phase": self.phase,
            "auto": self.auto,
            "upcards": self.upcards,
            "order": [seat + 1 for seat in self.order],
            "plays": [
                play._asdict()
                | {"seat": play.seat + 1, "taken": play.taken and play.taken._asdict()}
                for play in self.plays
            ],
            "decided": self.decided,
            "winner": None if self.winner is None else self.winner + 1,
            "why": [_fact_report(fact) for fact in self.why],
            "outcome": [_fact_report(fact) for fact in self.outcome],
            "next": [_fact_report(fact) for fact in self.next],
            "seats": [
                seat._asdict() | {"seat": seat.seat + 1, "side": seat.side + 1}
                for seat in self.seats
            ],
            "draw_pile": self.draw_pile,
            "waiting": self.waiting,
            "removed": [
                {"seat": seat + 1, "card": card, "trick": trick}
                for seat, card, trick in self.removed
            ],
            "comments": self.comments,
        }


class FactionResult(NamedTuple):
    """How one faction ended; the lists are by side.

    `cards` lie in the piles, `counts` is what counted.  `doubled` are the Vikings that count
    twice, `loot` the Raccoons that count for this faction beside their own, `runs` the
    longest run of Bards.  `decided` is "count", "run", "highest" (of equal counts the
    highest card), "tie" (nobody: equal to the last) or "none" (nobody has any).
    """

    faction: str
    cards: list[list[str]]
    counts: list[int]
    doubled: list[list[str]]
    loot: list[int]
    runs: list[list[str]]
    winner: int | None
    decided: str


class Ending(NamedTuple):
    """The end of a game: every faction, and the game; sides count from 0.

    `facts` tells what happened before the count (Gnomes, Peasants, loot).  `number` and
    `value` are those of the real cards in the factions that a side won, compared where
    votes are equal; `tiebreak` is "cards", "value" or None.
    """

    factions: list[FactionResult]
    facts: list[Fact]
    votes: list[int]
    number: list[int]
    value: list[int]
    tiebreak: str | None
    winners: list[int]
    result: str


def _fact_report(fact: Fact) -> dict[str, Any]:
    return fact._asdict() | {"seat": None if fact.seat is None else fact.seat + 1}


def by_faction(cards: Iterable[str]) -> dict[str, list[str]]:
    """Cards by faction letter, in the order of the deck, values ascending."""
    groups: dict[str, list[str]] = {}
    for name in sorted(cards, key=card_named):
        groups.setdefault(name[0], []).append(name)
    return groups


class Course:
    """A game to walk through, seen from a seat, by a spectator, or (None) with open cards.

    A seat knows its own hand, followers and discards, and all that lies open; of the others
    it knows the upcards that they took.  Nothing is inferred beyond that.
    """

    def __init__(self, game: Replay, view: int | None = None) -> None:
        self.game = game
        self.view = view
        self.seats = game.seats
        self.sides = sides_of(game.seats)
        self.phase_tricks = tricks_of(game.seats)
        self.tricks = game.tricks
        self.taken = [self._taken(trick) for trick in game.tricks]
        self._extra = [self._leftovers(seat) for seat in range(game.seats)]
        self._rest = [self._never_played(seat) for seat in range(game.seats)]

    # Where one can go ------------------------------------------------------------------

    @property
    def last(self) -> int:
        """The number of the last trick, 0 if there is none."""
        return len(self.tricks)

    def plays(self, trick: int) -> int:
        """How many plays trick `trick` has."""
        return len(self.tricks[trick - 1].plays)

    def name(self, seat: int) -> str:
        """The player's name, "" if unknown."""
        name = self.game.tags.get(f"Player{seat + 1}", "?").strip()
        return "" if name == "?" else name

    def members(self, side: int) -> list[int]:
        """The seats of a side."""
        return [seat for seat in range(self.seats) if side_of(seat, self.seats) == side]

    # Positions -------------------------------------------------------------------------

    def at(self, number: int, played: int | None = None) -> Position:
        """The position in trick `number` after `played` plays, by default after them all.

        Raises IndexError if there is no such trick.
        """
        if not 1 <= number <= len(self.tricks):
            raise IndexError(number)
        trick = self.tricks[number - 1]
        wanted = len(trick.plays) if played is None else max(0, min(played, len(trick.plays)))
        decided = trick.winner is not None and wanted == len(trick.plays)
        order = [(trick.leader + i) % self.seats for i in range(self.seats)]
        waiting = self.tricks[number - 2].waiting or [] if number > 1 else []
        done = number if decided else number - 1
        gone = done * self.seats if trick.phase == 1 else self.phase_tricks * self.seats
        if trick.phase == 1 and not decided:
            gone += len(trick.upcards)
        return Position(
            trick=number,
            played=wanted,
            phase=trick.phase,
            auto=trick.auto,
            upcards=trick.upcards,
            order=order,
            plays=[self._placed(trick, i, decided) for i in range(wanted)],
            decided=decided,
            winner=trick.winner if decided else None,
            why=self._why(trick) if decided else [],
            outcome=self._outcome(trick) if decided else [],
            next=self._next(trick) if decided else [],
            seats=[self._seat(seat, number, wanted, decided) for seat in range(self.seats)],
            draw_pile=self.phase_tricks * self.seats - gone,
            waiting=(trick.waiting or []) if decided else waiting,
            removed=[
                (seat, card, earlier.number)
                for earlier in self.tricks[:done]
                for seat, card in earlier.removed or []
            ],
            comments=trick.comments if wanted == len(trick.plays) else [],
            problems=[p for p in self.game.problems if p.trick == number],
        )

    def _knows(self, seat: int) -> bool:
        """Whether whoever looks on knows what `seat` knows."""
        return self.view is None or self.view == seat

    def _placed(self, trick: Trick, i: int, decided: bool) -> Placed:
        play = trick.plays[i]
        printed = _value(play.card)
        known = not trick.auto or self._knows(play.seat)
        return Placed(
            seat=play.seat,
            card=play.card if known else None,
            value=play.value,
            bonus=(play.value or 0) - printed if play.value is not None else 0,
            role=self._role(trick, i),
            rank=trick.ranking.index(play.seat) + 1 if decided and trick.ranking else None,
            taken=self._shown_taken(trick.number, play.seat) if decided else None,
            annotation=play.annotation,
            irregular=play.irregular,
            comments=play.comments,
        )

    def _role(self, trick: Trick, i: int) -> str:
        """How the play number `i` stands to the lead."""
        if trick.auto:
            return "discard"
        led, faction = _faction(trick.plays[0].card), _faction(trick.plays[i].card)
        if i == 0:
            return "lead"
        if led is None or faction is None:
            return "unknown"
        if faction == led:
            return "follow"
        stands = standing(faction, led)
        return "double" if stands == _LED else "off" if stands == _OFF else "knight"

    # Hands -----------------------------------------------------------------------------

    def _seat(self, seat: int, number: int, played: int, decided: bool) -> SeatView:
        trick = self.tricks[number - 1]
        done = number if decided else number - 1
        pile: list[str] = []
        gnomes: list[str] = []
        for earlier in self.tricks[:done]:
            for card in (earlier.scored or {}).get(seat, ()):
                (gnomes if _faction(card) == GNOMES else pile).append(card)
            for owner, card in earlier.removed or []:
                if owner == seat and card in gnomes:
                    gnomes.remove(card)
        followers = [
            taken.card
            for earlier in self.tricks[:done]
            if (taken := self._shown_taken(earlier.number, seat)) is not None
        ]
        return SeatView(
            seat=seat,
            side=side_of(seat, self.seats),
            hand=self._hand(seat, number, played),
            followers=_sorted(followers) if trick.phase == 1 else [],
            pile=pile,
            gnomes=gnomes,
        )

    def _hand(self, seat: int, number: int, played: int) -> Cards:
        """The hand of `seat` in trick `number` after `played` plays."""
        phase = self.tricks[number - 1].phase
        first = 1 if phase == 1 else self.phase_tricks + 1
        before: list[Play] = []
        after: list[Play] = []
        for trick in self.tricks[first - 1 :]:
            if trick.phase != phase:
                break
            for i, play in enumerate(trick.plays):
                if play.seat == seat:
                    gone = trick.number < number or (trick.number == number and i < played)
                    (before if gone else after).append(play)
        size = self.phase_tricks - len(before)
        cards: list[str] = []
        if self._knows(seat):
            cards = [play.card for play in after if play.card is not None]
            if phase == 2:
                cards += self._rest[seat]
            elif all(play.card is not None for play in before):
                cards += self._extra[seat]
        elif phase == 2:
            # The upcards that it took are known to everybody until it plays them.
            cards = [
                taken[seat].card or ""
                for taken in self.taken
                if seat in taken and taken[seat].how == "upcard" and taken[seat].card
            ]
            for play in before:
                if play.card in cards:
                    cards.remove(play.card)
        unknown = max(size - len(cards), 0)
        return [*_sorted(cards), *[None] * unknown]

    def _leftovers(self, seat: int) -> list[str]:
        """Cards that a Hand tag gives the seat and that the record does not see played."""
        left = [
            name.upper()
            for name in self.game.tags.get(f"Hand{seat + 1}", "").split()
            if name.upper() in NAMES
        ]
        return _without(left, self._played(seat, 1))

    def _never_played(self, seat: int) -> list[str]:
        """Followers that the record does not see played in Phase 2."""
        taken = [taken[seat].card for taken in self.taken if seat in taken]
        return _without([card for card in taken if card], self._played(seat, 2))

    def _played(self, seat: int, phase: int) -> list[str]:
        return [
            play.card
            for trick in self.tricks
            for play in trick.plays
            if trick.phase == phase and play.seat == seat and play.card is not None
        ]

    # What happened ---------------------------------------------------------------------

    def _taken(self, trick: Trick) -> dict[int, Taken]:
        """What each seat took in a Phase 1 trick, and how."""
        if not trick.taken or not trick.ranking:
            return {}
        ways = ["seer"] if trick.looked else []
        ways += ["upcard"] * upcards_of(self.seats)
        ways += ["hidden"] * self.seats
        return {
            seat: Taken(trick.taken.get(seat), way)
            for seat, way in zip(trick.ranking, ways, strict=False)
        }

    def _shown_taken(self, number: int, seat: int) -> Taken | None:
        """What `seat` took in trick `number`, as far as whoever looks on knows."""
        taken = self.taken[number - 1].get(seat)
        if taken is None or taken.how == "upcard" or self._knows(seat):
            return taken
        return Taken(None, taken.how)

    def _why(self, trick: Trick) -> list[Fact]:
        """Why the trick's winner has won it."""
        winner = trick.winner
        if trick.auto:
            before = self.tricks[trick.number - 2]
            automatons = [play for play in before.plays if _faction(play.card) == AUTOMATONS]
            # With the ruling "played" it may be another's.
            automatons.sort(key=lambda play: play.seat != winner)
            names = tuple(play.card for play in automatons[:1])
            return [Fact("auto", winner, names, number=before.number)]
        won = next(play for play in trick.plays if play.seat == winner)
        if won.card is None or any(play.card is None for play in trick.plays):
            return [Fact("mark", winner, (won.card,))]
        led = card_named(trick.plays[0].card or "")
        letter = LETTERS[FACTION_OF[led]]
        stands = _standing(won, led)
        rivals = [
            play for play in trick.plays if play is not won and _standing(play, led) == stands
        ]
        if _faction(won.card) == KNIGHTS and stands not in (_LED, _OFF):
            key = "knights" if rivals else "knight"
        elif not rivals:
            key = "alone"
        elif _faction(won.card) == DOPPELGANGERS and FACTION_OF[led] != DOPPELGANGERS:
            key = "double"
        else:
            key = "highest"
        facts = [Fact(key, winner, (won.card,), letter)]
        equal = [play for play in rivals if play.value == won.value]
        if equal:
            names = tuple(play.card for play in trick.plays if play is won or play in equal)
            facts.append(Fact("first", winner, names, letter, won.value or 0))
        for play in trick.plays:
            if play.value is not None and play.value != _value(play.card):
                griffin = f"{LETTERS[GRIFFINS]}{_value(play.card)}"
                facts.append(Fact("griffin", play.seat, (play.card, griffin), letter, play.value))
        return facts

    def _outcome(self, trick: Trick) -> list[Fact]:
        """What went where, beside the followers of Phase 1."""
        facts: list[Fact] = []
        winner = trick.winner
        if trick.looked:
            taken = self._shown_taken(trick.number, winner or 0)
            facts.append(Fact("seer", winner, (taken.card if taken else None,)))
        scored = trick.scored or {}
        gained = scored.get(winner or 0, [])
        if trick.phase == 1:
            return [*facts, Fact("undead", winner, tuple(gained))] if gained else facts
        trolls = [card for cards in scored.values() for card in cards if _faction(card) == TROLLS]
        plain = [card for card in gained if _faction(card) not in (TROLLS, GNOMES, DWARVES)]
        dwarves = [
            (seat, card)
            for seat, cards in scored.items()
            for card in cards
            if _faction(card) == DWARVES
        ]
        if plain:
            facts.append(Fact("pile", winner, tuple(plain)))
        if dwarves:
            seat = dwarves[0][0]
            names = tuple(card for _, card in dwarves)
            if self.seats == 2:
                facts.append(Fact("dwarves-lost", seat, names))
            else:
                values = [play.value or 0 for play in trick.plays]
                key = "dwarves-later" if values.count(min(values)) > 1 else "dwarves-lowest"
                facts.append(Fact(key, seat, names, number=min(values)))
        for seat, cards in scored.items():
            gnomes = tuple(card for card in cards if _faction(card) == GNOMES)
            if gnomes:
                facts.append(Fact("gnomes", seat, gnomes))
        for owner in range(self.seats):
            smashed = tuple(card for seat, card in trick.removed or [] if seat == owner)
            if smashed:
                facts.append(Fact("giants", owner, smashed))
        if trolls:
            last = trick.number == 2 * self.phase_tricks and len(trolls) > 1
            facts.append(Fact("trolls-last" if last else "troll", winner, tuple(trolls)))
        return facts

    def _next(self, trick: Trick) -> list[Fact]:
        """Who leads the next trick, and what for."""
        facts: list[Fact] = []
        known = not trick.auto and all(play.card is not None for play in trick.plays)
        factions = [_faction(play.card) for play in trick.plays] if known else []
        won = next((play for play in trick.plays if play.seat == trick.winner), None)
        automaton = AUTOMATONS in factions and (
            self.game.rulings.get("automatons") == "played"
            or (won is not None and _faction(won.card) == AUTOMATONS)
        )
        last_dragon = max((i for i, f in enumerate(factions) if f == DRAGONS), default=None)
        if self.seats == 2 or self.game.rulings.get("dragons") != "last-dragon":
            last_dragon = last_dragon if last_dragon == self.seats - 1 else None
        follows = trick.number + 1
        if trick.phase == 1 and automaton:
            if trick.number == self.phase_tricks:
                facts.append(Fact("automaton-late", trick.winner))
            else:
                if last_dragon is not None:
                    facts.append(Fact("automaton-first", trick.winner))
                return [*facts, Fact("next-automaton", trick.winner, number=follows)]
        leader = trick.next_leader
        if leader is None:
            return facts
        if last_dragon is not None and trick.plays[last_dragon].seat == leader:
            at_end = last_dragon == self.seats - 1
            key = "next-dragon" if at_end else "next-last-dragon"
            facts.append(Fact(key, leader, (trick.plays[last_dragon].card,), number=follows))
        else:
            facts.append(Fact("next-winner", leader, number=follows))
        if trick.number == self.phase_tricks:
            facts.append(Fact("phase-2"))
        return facts

    # The end -----------------------------------------------------------------------------

    def ending(self) -> Ending | None:
        """The count at the end, None unless the game is complete and could be counted."""
        score = self.game.score
        if score is None:
            return None
        sides = range(self.sides)
        piles = [by_faction(pile) for pile in score.piles]
        factions = []
        for letter, result in score.factions.items():
            cards = [pile.get(letter, []) for pile in piles]
            doubled = [
                [card for card in cards[side] if self._doubled(card, side)] for side in sides
            ]
            loot = [
                score.loot[side][1] if side in score.loot and score.loot[side][0] == letter else 0
                for side in sides
            ]
            runs = [_longest_run(cards[side]) if letter == LETTERS[BARDS] else [] for side in sides]
            factions.append(
                FactionResult(
                    faction=letter,
                    cards=cards,
                    counts=result.counts,
                    doubled=doubled,
                    loot=loot,
                    runs=runs,
                    winner=result.winner,
                    decided=_decided(result.counts, result.runs, result.winner),
                )
            )
        won = [
            [card for line in factions if line.winner == side for card in line.cards[side]]
            for side in sides
        ]
        number = [len(cards) for cards in won]
        value = [sum(map(_value, cards)) for cards in won]
        best = max(self._standing(score.votes[side], number[side], value[side]) for side in sides)
        return Ending(
            factions=factions,
            facts=self._before_the_count(),
            votes=score.votes,
            number=number,
            value=value,
            tiebreak=score.tiebreak,
            winners=[
                side
                for side in sides
                if self._standing(score.votes[side], number[side], value[side]) == best
            ],
            result=score.result,
        )

    def _standing(self, votes: int, number: int, value: int) -> tuple[int, int, int]:
        """What sides are compared by; two players do not compare numbers of cards."""
        return votes, number if self.seats > 2 else 0, value

    def _doubled(self, name: str, side: int) -> bool:
        score = self.game.score
        return (
            score is not None
            and _faction(name) == VIKINGS
            and any(
                _value(other) == _value(name)
                for other in score.piles[side]
                if _faction(other) != VIKINGS
            )
        )

    def _before_the_count(self) -> list[Fact]:
        """What the powers did before the count; the `seat` of these facts is a side."""
        score = self.game.score
        assert score is not None
        facts: list[Fact] = []
        last = self.at(self.last)
        for side in range(self.sides):
            gnomes = [card for seat in last.seats if seat.side == side for card in seat.gnomes]
            if gnomes:
                facts.append(Fact("end-gnomes", side, tuple(_sorted(gnomes))))
        for side in range(self.sides):
            moved = tuple(card for start, card in score.moved if start == side)
            if moved:
                facts.append(Fact("end-peasants", side, moved, number=(side + 1) % self.sides))
        for side, (letter, number) in sorted(score.loot.items()):
            facts.append(Fact("end-loot", side, (), letter, number))
        return facts


def _faction(name: str | None) -> int | None:
    return None if name is None else LETTERS.find(name[0])


def _value(name: str | None) -> int:
    return 0 if name is None else int(name[1:])


def _standing(play: Play, led: int) -> int:
    return standing(FACTION_OF[card_named(play.card or "")], FACTION_OF[led])


def _sorted(cards: Iterable[str | None]) -> Cards:
    """Cards in the order of factions and values, unknown ones last."""
    return sorted(cards, key=lambda name: CARDS if name is None else card_named(name))


def _without(cards: list[str], gone: Iterable[str]) -> list[str]:
    left = list(cards)
    for name in gone:
        if name in left:
            left.remove(name)
    return left


def _longest_run(bards: list[str]) -> list[str]:
    """The longest run of consecutive values, of equally long ones the highest."""
    best: list[str] = []
    run: list[str] = []
    for name in bards:
        run = [*run, name] if run and _value(name) == _value(run[-1]) + 1 else [name]
        best = run if len(run) >= len(best) else best
    return best


def _decided(counts: list[int], runs: list[int] | None, winner: int | None) -> str:
    """Which comparison gave the faction to `winner`."""
    if winner is None:
        return "tie" if max(counts) else "none"
    others = [side for side in range(len(counts)) if side != winner]
    if runs is not None:
        others = [side for side in others if runs[side] == runs[winner]]
        if not others:
            return "run"
    return "highest" if any(counts[side] == counts[winner] for side in others) else "count"
