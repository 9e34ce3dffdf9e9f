r"""A judged game at one moment, as a viewer sees it: all that a display needs.

`Viewpoint` walks through a `Game`.  A moment is a trick and the number of its plays on the table;
with the last play the trick is decided.  What the viewer may not know is None: a card that is face
down or was drawn by another seat, or that the record itself leaves unknown.

>>> from claimlog.replay.recorder import replay_text
>>> game = next(replay_text('[Deck "GKUWX"]\n1. U7: G5 K8+ /W2 2. X3: K4 *'))
>>> position = Viewpoint(game).at(1, 2)
>>> position.why[0].code, position.players[1].followers, position.players[1].hand[:3]
('why.knight', ['U7'], ['K4', None, None])
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from claimlog.cards import CARDS, LETTERS, NAMES
from claimlog.game import Problem, Reason, Seat, Side
from claimlog.rules.powers import role
from claimlog.rules.race import lies_open
from claimlog.rules.reasons import REASONS, ROLE_DISCARD, ROLE_LEAD, ROLE_UNKNOWN
from claimlog.rules.setup import side_of, sides_of, tricks_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from claimlog.game import Game, Play, Trick
    from claimlog.language import Words

__all__ = [
    "SPECTATOR",
    "SPOILING",
    "Ending",
    "FactionResult",
    "Placed",
    "Position",
    "SeatCards",
    "Smashed",
    "Taken",
    "Viewpoint",
    "by_faction",
]

SPECTATOR: Final = 0
"""As a view: the viewer sees only open cards."""

_OPEN: Final = frozenset(
    {
        "version",
        "bad-tag",
        "duplicate-tag",
        "bad-seats",
        "bad-deck",
        "bad-ruling",
        "trick-number",
        "play-count",
        "winner-mark",
        "missing-choice",
        "illegal-choice",
        "incomplete",
        "result",
        "votes",
        "loot-unknown",
        "trolls-advised-against",
    }
)
"""The problems whose messages reveal only open cards."""
_OF_A_HAND: Final = frozenset({"revoke", "irregular", "needless-irregular"})
"""Problems that reveal the hand of their seat, and nothing else."""
SPOILING: Final = frozenset(("result", "votes"))
"""The problems that reveal how a game ends: they are shown on its last page."""
_DEAL: Final = ("Hand", "Pile")
"""The prefixes of tags that reveal hidden cards."""

Cards = list[str | None]
"""Names of cards, None for cards unknown to the viewer."""


class Taken(NamedTuple):
    """A seat's new follower; `how`: "upcard", "hidden" or (with a Seer) "seer"."""

    card: str | None
    how: str


class Placed(NamedTuple):
    """One play on the table.

    `role` is "lead", "follow", "double" (a Doppelganger, which counts as the led faction), "knight"
    (above the Goblins led), "off" (anything else), "discard" or "unknown".  `value` is the value
    that counts, `bonus` the part added by a Griffin.  `rank` (from 1) and `taken` are known once
    the trick is decided.
    """

    seat: Seat
    card: str | None
    value: int | None
    bonus: int
    role: str
    rank: int | None
    taken: Taken | None
    annotation: str
    irregular: bool
    comments: list[str]


class SeatCards(NamedTuple):
    """The cards of one seat: `gnomes` is the open display, `pile` the score pile."""

    seat: Seat
    side: Side
    hand: Cards
    followers: Cards
    pile: list[str]
    gnomes: list[str]


class Smashed(NamedTuple):
    """A Gnome that was removed: from which seat and in which trick."""

    seat: Seat
    card: str
    trick: int


class Position(NamedTuple):
    """One moment of a game.

    It is given by `trick` and `played`; `decided` is whether the trick is complete, so that `why`
    says who won, `outcome` where the cards went, and `next` who leads the next trick and why.
    `order` is all seats in playing order.  `players` has the cards of each seat, `removed` the
    Gnomes smashed so far.  `draw_pile` is the number of cards left in it.
    """

    trick: int
    played: int
    phase: int
    auto: bool
    upcards: list[str]
    order: list[Seat]
    plays: list[Placed]
    decided: bool
    winner: Seat | None
    why: list[Reason]
    outcome: list[Reason]
    next: list[Reason]
    players: list[SeatCards]
    draw_pile: int
    waiting: list[str]
    removed: list[Smashed]
    comments: list[str]
    problems: list[Problem]

    def report(self) -> dict[str, Any]:
        """The position as JSON; seats and sides count from 1."""
        return {
            "trick": self.trick,
            "played": self.played,
            "phase": self.phase,
            "auto": self.auto,
            "upcards": self.upcards,
            "order": self.order,
            "plays": [
                play._asdict() | {"taken": play.taken and play.taken._asdict()}
                for play in self.plays
            ],
            "decided": self.decided,
            "winner": self.winner,
            "why": [_reason(reason) for reason in self.why],
            "outcome": [_reason(reason) for reason in self.outcome],
            "next": [_reason(reason) for reason in self.next],
            "players": [player._asdict() for player in self.players],
            "draw_pile": self.draw_pile,
            "waiting": self.waiting,
            "removed": [gnome._asdict() for gnome in self.removed],
            "comments": self.comments,
        }


class FactionResult(NamedTuple):
    """How one faction ended; everything but the faction is by side.

    `cards` are those in the piles, `counts` is what counted.  `doubled` are the Vikings that count
    twice, `loot` the Raccoons that count for this faction in addition, `runs` the longest run of
    Bards.  `decided` is the reason why it was won, or why nobody won it.
    """

    faction: str
    cards: dict[int, list[str]]
    counts: dict[int, int]
    doubled: dict[int, list[str]]
    loot: dict[int, int]
    runs: dict[int, list[str]]
    winner: int | None
    decided: Reason


class Ending(NamedTuple):
    """The end of a game: every faction, and the game; sides count from 1.

    `before` is what happened before the count (Gnomes, Peasants, loot), `compared` what separated
    sides with equal votes: a reason for each side and comparison.
    """

    factions: list[FactionResult]
    before: list[Reason]
    votes: dict[int, int]
    compared: list[Reason]
    winners: list[int]
    result: str


def by_faction(cards: Iterable[str]) -> dict[str, list[str]]:
    """Cards by faction letter, in the order of the deck, values ascending."""
    groups: dict[str, list[str]] = {}
    for name in sorted(cards, key=_ORDER.__getitem__):
        groups.setdefault(name[0], []).append(name)
    return groups


class Viewpoint:
    """A game to walk through, seen from a seat, by a spectator, or (None) with open cards.

    A seat knows its own hand, followers and discards, and all open cards; of the other seats it
    knows the upcards that they took.  Nothing further is inferred.
    """

    def __init__(self, game: Game, view: int | None = None, say: Words | None = None) -> None:
        """`say` are the words for problems, by default those with which the game was read."""
        self.game = game
        self.view = view
        self.problems = self._shown_problems(say)
        self.seats = game.seats
        self.sides = sides_of(game.seats)
        self.phase_tricks = tricks_of(game.seats)
        self.tricks = game.tricks
        self.taken = [self._taken(trick) for trick in game.tricks]
        self.places = range(1, game.seats + 1)
        self._extra = {seat: self._leftovers(seat) for seat in self.places}
        self._rest = {seat: self._never_played(seat) for seat in self.places}
        # What many positions have in common, computed once.
        self.kept: dict[Hashable, Any] = {}
        """Results of other modules about positions, by what they depend on."""
        self._own = {
            (seat, phase): self._plays(seat, phase) for seat in self.places for phase in (1, 2)
        }
        self._lots = {seat: self._collected(seat) for seat in self.places}
        self._smashed = self._removed()
        self._hands: dict[tuple[int, int, int], Cards] = {}
        self._lying: dict[tuple[int, int, bool], Placed] = {}

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
        return self.game.player(seat)

    def side(self, seat: int) -> int:
        """The side of a seat."""
        return side_of(seat - 1, self.seats) + 1

    def members(self, side: int) -> list[int]:
        """The seats of a side."""
        return [seat for seat in self.places if self.side(seat) == side]

    # Positions -------------------------------------------------------------------------

    def at(self, number: int, played: int | None = None) -> Position:
        """The position in trick `number` after `played` plays, by default after all of them.

        Raises IndexError if there is no such trick.
        """
        if not 1 <= number <= len(self.tricks):
            raise IndexError(number)
        trick = self.tricks[number - 1]
        count = len(trick.plays) if played is None else max(0, min(played, len(trick.plays)))
        decided = trick.winner is not None and count == len(trick.plays)
        order = [(trick.leader - 1 + i) % self.seats + 1 for i in range(self.seats)]
        waiting = self.tricks[number - 2].waiting or [] if number > 1 else []
        done = number if decided else number - 1
        gone = done * self.seats if trick.phase == 1 else self.phase_tricks * self.seats
        if trick.phase == 1 and not decided:
            gone += len(trick.upcards)
        return Position(
            trick=number,
            played=count,
            phase=trick.phase,
            auto=trick.auto,
            upcards=trick.upcards,
            order=order,
            plays=[self._placed(trick, i, decided) for i in range(count)],
            decided=decided,
            winner=trick.winner if decided else None,
            why=_kind(trick.reasons, "why") if decided else [],
            outcome=_kind(trick.reasons, "out") if decided else [],
            next=_kind(trick.reasons, "next") if decided else [],
            players=[self._seat(seat, number, count, decided) for seat in self.places],
            draw_pile=self.phase_tricks * self.seats - gone,
            waiting=(trick.waiting or []) if decided else waiting,
            removed=self._smashed[done],
            comments=trick.comments if count == len(trick.plays) else [],
            problems=[p for p in self.problems if p.trick == number],
        )

    def _shown_problems(self, say: Words | None) -> list[Problem]:
        """The game's problems, without what the viewer may not know.

        For errors at least the place is shown.  Whether a mark ``^`` was needed is not: that would
        reveal the hand.
        """
        from claimlog.language import words

        problems = self.game.problems
        if say is not None:
            problems = [problem.in_language(say.language) for problem in problems]
        if self.view is None:
            return problems
        hidden = (say or words())("problem.hidden")
        shown = []
        for problem in problems:
            if problem.code in _OF_A_HAND and problem.seat == self.view:
                shown.append(problem)
            elif problem.code in _OPEN and not problem.tag.startswith(_DEAL):
                shown.append(replace(problem, card=None))
            elif problem.severity == "error":
                shown.append(replace(problem, message=hidden, texts={}, seat=None, card=None))
        return shown

    def _knows(self, seat: int) -> bool:
        """Whether the viewer knows what `seat` knows."""
        return self.view is None or self.view == seat

    def _placed(self, trick: Trick, i: int, decided: bool) -> Placed:
        key = (trick.number, i, decided)
        if key not in self._lying:
            self._lying[key] = self._laid(trick, i, decided)
        return self._lying[key]

    def _laid(self, trick: Trick, i: int, decided: bool) -> Placed:
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
            taken=self.taken_by(trick.number, play.seat) if decided else None,
            annotation=play.annotation,
            irregular=play.irregular,
            comments=play.comments,
        )

    def _role(self, trick: Trick, i: int) -> str:
        """The standing of play number `i` towards the lead."""
        led, faction = _faction(trick.plays[0].card), _faction(trick.plays[i].card)
        if trick.auto:
            reason = ROLE_DISCARD
        elif i == 0:
            reason = ROLE_LEAD
        elif led is None or faction is None:
            reason = ROLE_UNKNOWN
        else:
            reason = role(faction, led)
        return _key(REASONS[reason])

    # Hands -----------------------------------------------------------------------------

    def _seat(self, seat: int, number: int, played: int, decided: bool) -> SeatCards:
        followers, pile, gnomes = self._lots[seat][number if decided else number - 1]
        return SeatCards(
            seat=seat,
            side=self.side(seat),
            hand=self._hand(seat, number, played),
            followers=followers if self.tricks[number - 1].phase == 1 else [],
            pile=pile,
            gnomes=gnomes,
        )

    def _collected(self, seat: int) -> list[tuple[Cards, list[str], list[str]]]:
        """The followers, score pile and display of `seat` after 0, 1, … tricks."""
        followers: Cards = []
        pile: list[str] = []
        gnomes: list[str] = []
        lots = [(followers, pile, gnomes)]
        for trick in self.tricks:
            taken = self.taken_by(trick.number, seat)
            if taken is not None:
                followers = _sorted([*followers, taken.card])
            scored = (trick.scored or {}).get(seat, ())
            pile = [*pile, *(card for card in scored if not _displayed(card))]
            gnomes = [*gnomes, *(card for card in scored if _displayed(card))]
            gone = [gnome.card for gnome in trick.removed or [] if gnome.seat == seat]
            gnomes = _without(gnomes, gone)
            lots.append((followers, pile, gnomes))
        return lots

    def _removed(self) -> list[list[Smashed]]:
        """The Gnomes smashed after 0, 1, … tricks."""
        removed: list[list[Smashed]] = [[]]
        for trick in self.tricks:
            gone = [Smashed(one.seat, one.card, trick.number) for one in trick.removed or []]
            removed.append([*removed[-1], *gone])
        return removed

    def _plays(self, seat: int, phase: int) -> list[tuple[int, int, Play]]:
        """The plays of `seat` in a phase, each with its trick and its index there."""
        first = 1 if phase == 1 else self.phase_tricks + 1
        plays = []
        for trick in self.tricks[first - 1 :]:
            if trick.phase != phase:
                break
            plays += [(trick.number, i, p) for i, p in enumerate(trick.plays) if p.seat == seat]
        return plays

    def _hand(self, seat: int, number: int, played: int) -> Cards:
        """The hand of `seat` in trick `number` after `played` plays."""
        phase = self.tricks[number - 1].phase
        gone = bisect_left(self._own[seat, phase], (number, played), key=_place)
        key = (seat, phase, gone)
        if key not in self._hands:
            self._hands[key] = self._held(seat, phase, gone)
        return self._hands[key]

    def _held(self, seat: int, phase: int, gone: int) -> Cards:
        """The hand of `seat` after `gone` plays of its own in a phase."""
        plays = [play for _, _, play in self._own[seat, phase]]
        before, after = plays[:gone], plays[gone:]
        size = self.phase_tricks - gone
        cards: list[str] = []
        if self._knows(seat):
            cards = [play.card for play in after if play.card is not None]
            if phase == 2:
                cards += self._rest[seat]
            elif all(play.card is not None for play in before):
                cards += self._extra[seat]
        elif phase == 2:
            # Everybody knows the upcards that it took until it plays them.
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
        """Cards in the seat's Hand tag that the record does not show being played."""
        left = [
            name.upper()
            for name in self.game.tags.get(f"Hand{seat}", "").split()
            if name.upper() in NAMES
        ]
        return _without(left, self._played(seat, 1))

    def _never_played(self, seat: int) -> list[str]:
        """Followers that the record does not show being played in Phase 2."""
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
        """The card that each seat took in a Phase 1 trick, and how."""
        return {
            reason.seat: Taken((trick.taken or {}).get(reason.seat), _key(reason.code))
            for reason in _kind(trick.reasons, "taken")
            if reason.seat is not None
        }

    def taken_by(self, number: int, seat: int) -> Taken | None:
        """The card that `seat` took in trick `number`, as far as the viewer knows."""
        taken = self.taken[number - 1].get(seat)
        if taken is None or taken.how == "upcard" or self._knows(seat):
            return taken
        return Taken(None, taken.how)

    # The end -----------------------------------------------------------------------------

    def ending(self) -> Ending | None:
        """The count at the end; None unless the game is complete and could be counted."""
        score = self.game.score
        if score is None:
            return None
        sides = range(1, self.sides + 1)
        piles = {side: by_faction(pile) for side, pile in score.piles.items()}
        twice, runs = (
            {
                side: [
                    card
                    for reason in score.reasons
                    if reason.code == code and reason.seat == side
                    for card in reason.cards
                    if card is not None
                ]
                for side in sides
            }
            for code in ("counts.viking", "counts.run")
        )
        decided = {reason.faction: reason for reason in _kind(score.reasons, "decided")}
        factions = []
        for letter, result in score.factions.items():
            cards = {side: pile.get(letter, []) for side, pile in piles.items()}
            loot = {
                side: score.loot[side].number
                if side in score.loot and score.loot[side].faction == letter
                else 0
                for side in sides
            }
            factions.append(
                FactionResult(
                    faction=letter,
                    cards=cards,
                    counts=result.counts,
                    doubled={s: [card for card in twice[s] if card[0] == letter] for s in sides},
                    loot=loot,
                    runs={s: [card for card in runs[s] if card[0] == letter] for s in sides},
                    winner=result.winner,
                    decided=decided[letter],
                )
            )
        return Ending(
            factions=factions,
            before=_kind(score.reasons, "end"),
            votes=score.votes,
            compared=_kind(score.reasons, "tiebreak"),
            winners=score.winners,
            result=score.result,
        )


def _kind(reasons: Iterable[Reason], kind: str) -> list[Reason]:
    """The reasons whose code begins with `kind`."""
    return [reason for reason in reasons if reason.code.startswith(f"{kind}.")]


def _key(code: str) -> str:
    """The part of a code after its kind."""
    return code.partition(".")[2]


def _reason(reason: Reason) -> dict[str, Any]:
    """A reason as JSON, without the kind."""
    report = reason.report()
    return {"key": _key(report.pop("code")), "seat": reason.seat, **report}


def _faction(name: str | None) -> int | None:
    return None if name is None else LETTERS.find(name[0])


def _displayed(name: str) -> bool:
    return lies_open(LETTERS.index(name[0]))


def _value(name: str | None) -> int:
    return 0 if name is None else int(name[1:])


def _place(own: tuple[int, int, Play]) -> tuple[int, int]:
    """The trick of a play and its place in it."""
    return own[:2]


_ORDER: Final[dict[str | None, int]] = {None: CARDS} | dict(zip(NAMES, range(CARDS), strict=True))


def _sorted(cards: Iterable[str | None]) -> Cards:
    """Cards in the order of factions and values, unknown ones last."""
    return sorted(cards, key=_ORDER.__getitem__)


def _without(cards: list[str], gone: Iterable[str]) -> list[str]:
    left = list(cards)
    for name in gone:
        if name in left:
            left.remove(name)
    return left
