r"""A game in progress, for people: cards are names, seats count from 1, every step can go back.

>>> state = State("GKUWX", leader=2)
>>> state
<State GKUWX, trick 1 of 26: an upcard is to be turned up>
>>> for word in ("U7", "G5", "G8", "W2", "X3"):
...     action = state.apply(word)
>>> state
<State GKUWX, trick 2 of 26: seat 1 to play; upcard X3>
>>> state.play("K9")
Action(kind='play', seat=1, card='K9', irregular=False)
>>> state.can_play("K9"), state.plays
(False, [(1, 'K9')])
>>> state.undo(), state.plays
(Action(kind='play', seat=1, card='K9', irregular=False), [])

How much is known of hands and draw pile is up to the caller: all, parts, or nothing.  At any
moment a `State` is a `Game` (`State.game`), and it begins at any moment of one:

>>> state.game().tricks[0].reasons[0]
Reason(code='why.highest', seat=1, cards=('G8',), faction='G')
>>> State.from_game(state.game(), trick=1, plays=1).choices()[:3]
['G0', 'G1', 'G2']
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from claimlog import hooks
from claimlog.cards import FACTIONS, LETTERS, UNKNOWN
from claimlog.cards import card as card_named
from claimlog.game import Game, Seat, Side
from claimlog.notation.tags import TERMINATIONS, parse_loot
from claimlog.notation.tokens import ANNOTATIONS
from claimlog.results import UNFINISHED, parse_result
from claimlog.rules.games import game_of, tags_of
from claimlog.rules.machine import IllegalAction, Kind, Machine, deal
from claimlog.rules.outcome import fill_draws, name_of, names_of
from claimlog.rules.setup import Setup, side_of, sides_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from claimlog.game import Play, Trick
    from claimlog.solve.open_hands import OpenHands
    from claimlog.solve.search import Search
    from claimlog.solve.value import Bounds, Values

__all__ = ["Action", "Contradiction", "IllegalAction", "State", "Turn"]

KINDS: Final = ("turn-up", "play", "discard", "look", "pick", "draw", "loot", "over")
"""What can be due, in the order of `claimlog.rules.machine.Kind`."""
UNSEEN: Final = "_"
"""Stands for a card that nobody knows, as in the notation."""
_CHOICES: Final = ("leave", "take")
_OF_THE_END: Final[tuple[str, ...]] = ("Loot", "Votes", "Termination", "Result")
"""The tags that tell how a game ended; they do not hold for an earlier moment of it."""


class Contradiction(IllegalAction):
    """With what was to be mended the game could not have gone on as it did in `trick`."""

    def __init__(self, trick: int, error: IllegalAction) -> None:
        super().__init__(f"trick {trick}: {error}", error.revoked_in)
        self.trick = trick


class Turn(NamedTuple):
    """What is due: one of `KINDS`, and who is to act.

    `seat` is None for an upcard, which nobody chooses, and at the end.  Who draws a hidden card
    does not choose it either.  For "loot" it is the side.
    """

    kind: str
    seat: int | None


class Action(NamedTuple):
    """Something that was done; `State.log` is a list of these.

    `card` is ``"_"`` where nobody knows it, None for a Seer's hidden card that was left, and for
    "loot" the letter of the faction.  `irregular`: a revoke that the director let stand.
    """

    kind: str
    seat: int | None
    card: str | None
    irregular: bool = False


@dataclass(slots=True)
class _Entry:
    """An action with what is noted beside it; `written` is false for a draw left open."""

    kind: int
    card: int
    irregular: bool = False
    written: bool = True
    trick: int = 0
    seat: int | None = None
    annotation: str = ""
    comments: list[str] = field(default_factory=list)

    def as_action(self) -> Action:
        card: str | None = name_of(self.card) or UNSEEN
        if self.kind == Kind.LOOK and self.card == _LEFT:
            card = None
        elif self.kind == Kind.LOOT:
            card = LETTERS[self.card]
        return Action(KINDS[self.kind], self.seat, card, self.irregular)


_LEFT: Final = -1
"""As the card of an entry: the Seer's player left the hidden card."""


def _card(name: str | None) -> int:
    """The card that `name` stands for, `UNKNOWN` for ``"_"`` and None."""
    if name is None or name == UNSEEN:
        return UNKNOWN
    try:
        return card_named(name)
    except ValueError as error:
        raise IllegalAction(str(error)) from None


def _text(value: object, what: str, example: str) -> str:
    """`value`, if it is a string.  Raises TypeError."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is a string, as {example!r}, not {value!r}")
    return value


def _number(value: object, what: str) -> int:
    """`value`, if it is a whole number.  Raises TypeError."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{what} is a number from 1, not {value!r}")
    return value


def _cards(cards: Any) -> list[int]:
    """The cards that a string with spaces, or a list of names, means.  Raises TypeError."""
    words = cards.split() if isinstance(cards, str) else cards
    if isinstance(words, bytes) or not isinstance(words, Iterable):
        raise TypeError(f"cards are a string, as 'G5 K4', or a list of these, not {cards!r}")
    return [UNKNOWN if word is None or word == UNSEEN else card_named(word) for word in words]


def _names(cards: str | Iterable[str] | None) -> tuple[str, ...] | None:
    if cards is None:
        return None
    return tuple(cards.split() if isinstance(cards, str) else cards)


class State:
    """A game in progress: who is to act, what may be done, do it, take it back.

    `setup` is a `Setup`, or the letters of the deck and what else a `Setup` takes beside them; the
    number of seats is that of the `players` (their names) or `seats`, otherwise 2.  `hands` (by
    seat) and `pile` (from the top) are lists of cards or strings with spaces, ``"_"`` for an
    unknown card; what is left out is unknown.  Raises ValueError if the rules do not allow it.

    `tags` are further tags of the record; they are data, and may be changed at any time.
    `comments` are those before trick 1.

    For each action there are three methods: ``verify_play("G5")`` raises `IllegalAction` with
    the reason if it is not allowed, ``can_play("G5")`` tells, ``play("G5")`` does it and
    returns the `Action`.  `apply` takes any of `choices`, whatever is due.
    """

    def __init__(
        self,
        setup: str | Setup,
        *,
        players: Sequence[str] = (),
        seats: int | None = None,
        rules: str | None = None,
        rulings: Mapping[str, str] | None = None,
        leader: Seat | None = None,
        loot: str | Iterable[str] | None = None,
        hands: Mapping[Seat, str | Sequence[str | None]] | None = None,
        pile: str | Sequence[str | None] | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> None:
        if isinstance(setup, Setup):
            if any(part is not None for part in (seats, rules, rulings, leader, loot)):
                raise ValueError("the Setup says what else is agreed")
        else:
            setup = Setup(
                setup,
                seats=seats or len(players) or 2,
                rules=rules or "LE2023",
                rulings=dict(rulings or {}),
                leader=1 if leader is None else leader,
                loot=_names(loot),
            )
        if players and len(players) != setup.seats:
            raise ValueError(f"{setup.seats} seats need as many names, not {len(players)}")
        names = {f"Player{seat}": name for seat, name in enumerate(players, 1)}
        known = None
        if hands is not None:
            if strange := hands.keys() - set(range(1, setup.seats + 1)):
                raise ValueError(f"seat {min(strange)} is not at this table")
            unseen = [UNSEEN] * setup.tricks
            known = [_cards(hands.get(seat, unseen)) for seat in range(1, setup.seats + 1)]
        ahead = None if pile is None else _cards(pile)
        own = tags_of(setup) | names
        listed = {f"Hand{seat}": known[seat - 1] for seat in hands or ()} if known else {}
        if ahead is not None:
            listed["Pile"] = ahead
        for name, cards in listed.items():
            own[name] = " ".join(name_of(card) or UNSEEN for card in cards)
        self._begin(setup, known, ahead, own | dict(tags or {}))

    def _begin(
        self,
        setup: Setup,
        hands: list[list[int]] | None,
        pile: list[int] | None,
        tags: dict[str, str],
    ) -> None:
        self.tags = tags
        self.comments: list[str] = []
        self._setup = setup
        self._hands = hands
        self._pile = pile
        self._dealt = pile is not None
        self._machine = Machine(setup, hands, pile)
        self._entries: list[_Entry] = []
        self._done = 0
        self._remarks: dict[int, list[str]] = {}
        self._ending: tuple[dict[str, str], str] | None = None

    @classmethod
    def dealt(
        cls,
        deck: str,
        *,
        seed: int | str = 0,
        players: Sequence[str] = (),
        seats: int = 0,
        rules: str = "LE2023",
        rulings: Mapping[str, str] | None = None,
        leader: Seat = 1,
        loot: str | Iterable[str] | None = None,
    ) -> State:
        """A new game with the cards shuffled and dealt, every card known.

        >>> state = State.dealt("GKUWX", seed=7)
        >>> state.turn_up().card == state.upcards[0], len(state.hand(1))
        (True, 13)
        """
        state = cls(
            deck,
            players=players,
            seats=seats,
            rules=rules,
            rulings=rulings,
            leader=leader,
            loot=loot,
        )
        hands, pile = deal(state._setup, Random(seed))
        state._begin(state._setup, hands, pile, state.tags)
        return state

    # A game as a state, and back ---------------------------------------------------------

    @classmethod
    def from_game(
        cls, game: Game, trick: int | None = None, plays: int = 0, *, proven: bool = True
    ) -> State:
        """A state of a recorded game: before trick `trick` or after so many of its plays.

        Without `trick` it is the end of the record.  The upcards of the trick lie open.  The
        rest of the record can be redone.  Hands are known as far as the record proves them, in
        Phase 1 by plays, discards and Hand tags, in Phase 2 by what was played later and by what
        is known to have been taken.  With `proven` off only Hand and Pile tags tell of them, as
        for whoever records: a play that is taken back proves nothing then.

        Raises ValueError if the record is not legal so far, IndexError if it has no such trick.
        """
        if trick is not None and not 1 <= trick <= max(len(game.tricks), 1):
            raise IndexError(f"there is no trick {trick}")
        state = cls.__new__(cls)
        loot = game.tags.get("LootCards")
        setup = Setup(
            game.deck, game.seats, game.rules, dict(game.rulings), game.leader, _names(loot)
        )
        tags = {name: value for name, value in game.tags.items() if name not in _OF_THE_END}
        if proven:
            state._begin(setup, _hands_of(game, setup), _pile_of(game, setup), tags)
        else:
            state._begin(setup, _hands_told(game, setup), _pile_told(game, setup), tags)
        state._dealt = False
        state.comments = list(game.comments)
        for number, played in enumerate(game.tricks, 1):
            try:
                state._repeat(played, last=number == len(game.tricks))
            except IllegalAction as error:
                raise ValueError(f"trick {number}: {error}") from None
        for side, letter in (parse_loot(game.tags.get("Loot", "")) or {}).items():
            if state.to_act == ("loot", side):
                state.choose_loot(letter)
        ending: dict[str, str] = {
            name: game.tags[name] for name in _OF_THE_END if name in game.tags
        }
        state._ending = (ending, game.result)
        if trick is not None:
            state._go_to(state._place(trick, plays))
        return state

    def _repeat(self, trick: Trick, last: bool) -> None:
        """Do what a recorded trick says."""
        for card in trick.upcards:
            self.turn_up(card)
        for play in trick.plays:
            if trick.auto:
                self.discard(play.card)
            else:
                self.play(play.card or UNSEEN, irregular=play.irregular)
            entry = self._entries[-1]
            entry.annotation = play.annotation
            entry.comments = list(play.comments)
        if trick.comments:
            self._remarks[trick.number] = list(trick.comments)
        drawn = list(trick.drawn or ())
        while len(trick.plays) == self.seats and self._machine.trick == trick.number:
            kind = self._machine.kind
            if kind == Kind.LOOK and last and not (trick.looked or trick.pick or drawn):
                break  # whether the Seer's player left the card, or has not said, is not written
            elif kind == Kind.LOOK:
                self.look(trick.looked, trick.hidden if trick.looked else None)
            elif kind == Kind.PICK and trick.pick:
                self.pick(trick.pick)
            elif kind == Kind.PICK and not last:
                raise IllegalAction("nobody knows which upcard was picked")
            elif kind == Kind.DRAW and drawn:
                self.draw(drawn.pop(0) or UNSEEN)
            elif kind == Kind.DRAW and not last:
                self.draw()
            else:
                break

    def _place(self, trick: int, plays: int) -> int:
        """How many entries there are before play `plays` + 1 of a trick."""
        played = 0
        for place, entry in enumerate(self._entries):
            if entry.trick > trick:
                return place
            if entry.trick == trick and entry.kind != Kind.TURN_UP:
                if played == plays:
                    return place
                played += 1
        return len(self._entries)

    def game(self, kept: Sequence[Trick] = ()) -> Game:
        """The game as it stands, with the trick that is being played.

        `kept` are its first tricks as they stood in a game before, if they are the same.

        Result, Votes and Loot follow from the game, unless `finish` or the record that it comes
        from says otherwise.
        """
        machine = self._machine
        game = game_of(machine, kept=kept)
        entries = self._entries[: self._done]
        by_trick: dict[int, list[_Entry]] = {}
        for entry in entries:
            by_trick.setdefault(entry.trick, []).append(entry)
        for trick in game.tricks[len(kept) :]:
            self._write(trick, by_trick.get(trick.number, []))
            remarks = list(self._remarks.get(trick.number, ()))
            if trick.plays and not (trick.looked or trick.pick or trick.drawn):
                # Nothing stands behind the last play, so there they are its comments.
                trick.plays[-1].comments += remarks
            else:
                trick.comments = remarks
        if game.complete:
            fill_draws(game.tricks, game.seats)
        tags = dict(self.tags)
        if self._ending is not None and self._done == len(self._entries):
            ending, game.result = self._ending
            tags |= ending
        else:
            tags |= {name: game.tags[name] for name in _OF_THE_END if name in game.tags}
        game.tags = tags
        game.comments = list(self.comments)
        return game

    def _write(self, trick: Trick, entries: list[_Entry]) -> None:
        """Add what is noted beside the plays, and leave out the draws that are not written."""
        plays = [entry for entry in entries if entry.kind in (Kind.PLAY, Kind.DISCARD)]
        for play, entry in zip(trick.plays, plays, strict=True):
            play.annotation = entry.annotation
            play.comments = list(entry.comments)
        if trick.phase == 2:
            return
        hidden = [entry for entry in entries if entry.kind == Kind.DRAW]
        known = [name_of(entry.card) for entry in hidden]
        trick.drawn = known if any(entry.written for entry in hidden) else None
        looks = [entry for entry in entries if entry.kind == Kind.LOOK and entry.card != _LEFT]
        if looks:
            trick.hidden = name_of(looks[0].card)
        for entry in looks + hidden:
            # What is not written is known only where a Pile tag tells it.
            if (
                trick.taken
                and entry.seat is not None
                and (entry.written or "Pile" not in self.tags)
            ):
                trick.taken[entry.seat] = name_of(entry.card)

    # What stands where -------------------------------------------------------------------

    def value(self, effort: int | None = None) -> Bounds:
        """What a position of Phase 2 is worth: the result and factions under best play.

        With two and four players that of side 1, with four all hands open; with three what the
        seat to play can secure.  `effort` is how many positions are looked at at most; where that
        is too few the bounds differ.  Raises `UnanswerableError` (a ValueError).

        >>> from claimlog import read_games
        >>> State.from_game(next(read_games("data/sample.clm")), trick=20).value().report()
        {'result': '0-1', 'factions': [2, 3]}
        """
        return self.values(effort).value()

    def values(
        self,
        effort: int | None = None,
        search: Search | OpenHands | None = None,
        seat: Seat | None = None,
        redeal: Random | None = None,
    ) -> Values:
        """The values of this position and of those behind it (`claimlog.solve.value.Values`).

        A `search` that was used before saves the making of a new one.  With three players they
        are those of `seat`, by default of who plays next.  With `redeal` all hands are dealt anew,
        as if the draw pile had lain otherwise.  Raises `UnanswerableError`.
        """
        # Here, for a phone that records has no use for it.
        from claimlog.solve.value import EFFORT, Values

        return Values(self._machine, effort or EFFORT, search, seat, redeal)

    @property
    def setup(self) -> Setup:
        """What was agreed: deck, rule set, rulings, who leads, loot."""
        return self._setup

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self._setup.seats

    @property
    def deck(self) -> str:
        """The letters of the factions in the deck."""
        return self._setup.deck

    @property
    def to_act(self) -> Turn:
        """What is due, and who is to act."""
        kind, seat = self._machine.to_act
        return Turn(KINDS[kind], None if seat is None else seat + 1)

    @property
    def over(self) -> bool:
        """Whether all has been played, and counted."""
        return bool(self._machine.kind == Kind.OVER)

    @property
    def trick(self) -> int:
        """The number of the current trick, from 1; at the end that of the last."""
        return self._machine.trick

    @property
    def decided(self) -> int:
        """How many tricks have been won."""
        choosing = self._machine.kind in (Kind.LOOK, Kind.PICK, Kind.DRAW)
        return len(self._machine.history) + choosing

    @property
    def phase(self) -> int:
        """The phase of the current trick, 1 or 2."""
        return self._machine.phase

    @property
    def auto(self) -> bool:
        """Whether an Automaton won the current trick beforehand."""
        return self._machine.auto

    @property
    def leader(self) -> Seat:
        """The seat that leads the current trick."""
        return self._machine.leader + 1

    @property
    def plays(self) -> list[tuple[Seat, str]]:
        """The seats and cards of the current trick, as long as it lies on the table."""
        table = self._machine.table
        return [
            (table.seat_of(i) + 1, name_of(card) or UNSEEN)
            for i, card in enumerate(self._machine.lying)
        ]

    @property
    def upcards(self) -> list[str]:
        """The upcards that have not been taken."""
        return names_of(self._machine.upcards)

    @property
    def waiting(self) -> list[str]:
        """The Trolls left lying, in the order in which they will be taken."""
        return names_of(self._machine.trolls)

    @property
    def pile(self) -> list[str]:
        """The draw pile from its top, ``"_"`` for a card that nobody knows."""
        return [name_of(card) or UNSEEN for card in self._machine.pile]

    @property
    def pile_left(self) -> int:
        """How many cards are left in the draw pile."""
        return self._machine.pile_left

    @property
    def tricks(self) -> list[Trick]:
        """The tricks so far, that which is being played too, each with its reasons."""
        return self.game().tricks

    @property
    def log(self) -> list[Action]:
        """Everything that was done, in order."""
        return [entry.as_action() for entry in self._entries[: self._done]]

    def hand(self, seat: Seat) -> list[str]:
        """The cards in a seat's hand, ascending, ``"_"`` for each that is not known."""
        at = self._at(seat)
        return names_of(self._machine.hands[at]) + [UNSEEN] * self._machine.unknown[at]

    def score_pile(self, seat: Seat) -> list[str]:
        """A seat's score pile, in the order in which it grew."""
        return names_of(self._machine.piles[self._at(seat)])

    def gnomes(self, seat: Seat) -> list[str]:
        """The Gnomes that lie open before a seat."""
        return names_of(self._machine.displays[self._at(seat)])

    def count(self, side: Side, faction: str) -> int:
        """How many cards of a faction (a letter) a side has won so far, open Gnomes included."""
        if not 1 <= _number(side, "a side") <= self._setup.sides:
            raise ValueError(f"there is no side {side}")
        return self._machine.cards_of(side - 1, _faction(faction))

    def side(self, seat: Seat) -> Side:
        """The side of a seat."""
        return side_of(self._at(seat), self.seats) + 1

    def _at(self, seat: Seat) -> int:
        if not 1 <= _number(seat, "a seat") <= self.seats:
            raise ValueError(f"seat {seat} is not at this table")
        return seat - 1

    # What may be done --------------------------------------------------------------------

    def choices(self) -> list[str]:
        """What may be done now, for `apply`; empty when the game is over.

        Cards, "leave" and "take" for a Seer, letters for loot.  Of an unknown hand or pile it is
        every card that can still be there, and ``"_"`` where a card need not be known; if there
        is none left, somebody must have revoked.
        """
        choices = self._machine.choices()
        if self._machine.kind == Kind.LOOK:
            return [_CHOICES[choice] for choice in choices]
        if self._machine.kind == Kind.LOOT:
            return [LETTERS[faction] for faction in choices]
        return [name_of(card) or UNSEEN for card in choices]

    def verify(self, choice: str) -> None:
        """Check that `choice` may be done now; raises `IllegalAction`."""
        kind = self._machine.kind
        if kind == Kind.LOOK:
            if choice not in _CHOICES:
                raise IllegalAction("the Seer's player takes the hidden card or leaves it")
            self.verify_look(choice == "take")
        elif kind == Kind.LOOT:
            self.verify_loot(choice)
        else:
            self._machine.verify(_card(choice))

    def can(self, choice: str) -> bool:
        """Whether `apply` would succeed."""
        return _can(self.verify, choice)

    def apply(self, choice: str) -> Action:
        """Do one of `choices`; raises `IllegalAction`, and changes nothing, if it is none."""
        self.verify(choice)
        kind = self._machine.kind
        if kind == Kind.LOOK:
            return self.look(choice == "take")
        if kind == Kind.LOOT:
            return self.choose_loot(choice)
        return self._enter(kind, _card(choice))

    def verify_turn_up(self, card: str | None = None) -> None:
        """Check that `card` may be turned up; None is the pile's top, if that is known."""
        self._machine.verify_turn_up(None if card is None else _card(card))

    def can_turn_up(self, card: str | None = None) -> bool:
        """Whether `turn_up` would succeed."""
        return _can(self.verify_turn_up, card)

    def turn_up(self, card: str | None = None) -> Action:
        """Turn up the next upcard."""
        self.verify_turn_up(card)
        return self._enter(Kind.TURN_UP, _card(card))

    def verify_play(self, card: str, *, irregular: bool = False) -> None:
        """Check that `card` may be played; if `irregular`, only that it can be there.

        Raises `IllegalAction`; its `revoked_in` is the trick in which the seat must have revoked
        if it does hold the card after all, otherwise 0 (see `let_stand`).
        """
        self._machine.verify_play(_card(card), irregular=irregular)

    def can_play(self, card: str, *, irregular: bool = False) -> bool:
        """Whether `play` would succeed."""
        try:
            self.verify_play(card, irregular=irregular)
        except IllegalAction:
            return False
        return True

    def play(self, card: str, *, irregular: bool = False) -> Action:
        """Play `card`; `irregular`: a revoke that the director lets stand, written ``^``."""
        self.verify_play(card, irregular=irregular)
        return self._enter(Kind.PLAY, _card(card), irregular=irregular)

    def verify_discard(self, card: str | None = None) -> None:
        """Check that `card` may be discarded face down, None or ``"_"`` if nobody saw it."""
        self._machine.verify_discard(_card(card))

    def can_discard(self, card: str | None = None) -> bool:
        """Whether `discard` would succeed."""
        return _can(self.verify_discard, card)

    def discard(self, card: str | None = None) -> Action:
        """Discard a card face down in a trick that an Automaton has won."""
        self.verify_discard(card)
        return self._enter(Kind.DISCARD, _card(card))

    def verify_look(self, take: bool, card: str | None = None) -> None:
        """Check that the Seer's player may `take` the hidden card, or leave it."""
        self._machine.verify_look(take, None if card is None else _card(card))

    def can_look(self, take: bool, card: str | None = None) -> bool:
        """Whether `look` would succeed."""
        return _can(self.verify_look, take, card)

    def look(self, take: bool, card: str | None = None) -> Action:
        """With a Seer `take` the top hidden card (`card`, if it becomes known) or leave it."""
        self.verify_look(take, card)
        return self._enter(Kind.LOOK, _card(card) if take else _LEFT)

    def verify_pick(self, card: str) -> None:
        """Check that the upcard `card` may be picked."""
        self._machine.verify_pick(_card(card))

    def can_pick(self, card: str) -> bool:
        """Whether `pick` would succeed."""
        return _can(self.verify_pick, card)

    def pick(self, card: str) -> Action:
        """Pick an upcard (3 or 4 players)."""
        self.verify_pick(card)
        return self._enter(Kind.PICK, _card(card))

    def verify_draw(self, card: str | None = None) -> None:
        """Check that `card` may be drawn; None and ``"_"`` leave open which it is."""
        self._machine.verify_draw(None if card is None else _card(card))

    def can_draw(self, card: str | None = None) -> bool:
        """Whether `draw` would succeed."""
        return _can(self.verify_draw, card)

    def draw(self, card: str | None = None) -> Action:
        """Draw the top hidden card; which it is can be filled in later (`fill`)."""
        self.verify_draw(card)
        return self._enter(Kind.DRAW, _card(card), written=card is not None or self._dealt)

    def verify_loot(self, faction: str) -> None:
        """Check that the side's loot may count for `faction`, a letter."""
        self._machine.verify_loot(_faction(faction))

    def can_loot(self, faction: str) -> bool:
        """Whether `choose_loot` would succeed."""
        return _can(self.verify_loot, faction)

    def choose_loot(self, faction: str) -> Action:
        """Let the side's loot count for `faction`, a letter."""
        self.verify_loot(faction)
        return self._enter(Kind.LOOT, _faction(faction))

    def proceed(self) -> list[Action]:
        """Turn up and draw from the pile, as far as its cards are known; return what was done."""
        done = []
        while self._machine.kind in (Kind.TURN_UP, Kind.DRAW) and self._machine.pile[0] != UNKNOWN:
            done.append(self.turn_up() if self._machine.kind == Kind.TURN_UP else self.draw())
        return done

    def _enter(
        self, kind: int, card: int, *, irregular: bool = False, written: bool = True
    ) -> Action:
        """Do what has been verified; what could have been redone is gone."""
        entry = _Entry(kind, card, irregular, written)
        _do(self._machine, entry, learn=self._dealt)
        del self._entries[self._done :]
        self._entries.append(entry)
        self._done += 1
        self._ending = None
        for number in [number for number in self._remarks if number > entry.trick]:
            del self._remarks[number]
        return entry.as_action()

    # Back and forth, and mending -------------------------------------------------------------

    def undo(self) -> Action:
        """Take back the last action and return it; raises IndexError at the beginning."""
        if not self._done:
            raise IndexError("nothing has been done yet")
        self._go_to(self._done - 1)
        return self._entries[self._done].as_action()

    def redo(self) -> Action:
        """Do again what was taken back last, and return it; raises IndexError if nothing was."""
        if self._done == len(self._entries):
            raise IndexError("nothing has been taken back")
        entry = self._entries[self._done]
        _do(self._machine, entry)
        self._done += 1
        return entry.as_action()

    @property
    def undone(self) -> int:
        """How many actions can be redone."""
        return len(self._entries) - self._done

    def _go_to(self, done: int) -> None:
        """Stand where `done` actions have been done."""
        self._machine = self._replayed(self._entries[:done])
        self._done = done

    def _replayed(self, entries: Sequence[_Entry]) -> Machine:
        """The game after these entries; raises `IllegalAction`, with the trick."""
        machine = Machine(self._setup, self._hands, self._pile)
        for entry in entries:
            number = machine.trick
            try:
                _do(machine, entry)
            except IllegalAction as error:
                raise Contradiction(number, error) from None
        return machine

    def let_stand(self, trick: int, seat: Seat) -> None:
        """Mark a play that was made as a revoke that the director lets stand.

        A later play may have shown that it was one.
        """
        self.mend(trick, seat, irregular=True)

    def mend(
        self, trick: int, seat: Seat, card: str | None = None, *, irregular: bool | None = None
    ) -> None:
        """Correct the card, or the mark, of a play (or discard) that was made.

        Raises `IllegalAction`, and changes nothing, if the game could not have gone on as it did;
        KeyError if there is no such play.
        """
        kinds = (Kind.PLAY, Kind.DISCARD)
        self._mend(trick, seat, kinds, card, irregular=irregular)

    def fill(self, trick: int, seat: Seat, card: str) -> None:
        """Say which hidden card a seat took in a trick of Phase 1; as `mend`."""
        self._mend(trick, seat, (Kind.DRAW, Kind.LOOK), card)

    def amend(self, trick: int, was: str, card: str) -> None:
        """Correct the card `was` of a trick: an upcard, a play, a discard, or one that was taken.

        An upcard that was picked is corrected in both places.  ``"_"`` makes a card that was
        drawn or discarded unknown again.  Raises as `mend` does.
        """
        wrong, right = _card(was), _card(card)
        places = [
            place
            for place, entry in enumerate(self._entries[: self._done])
            if (entry.trick, entry.card) == (trick, wrong) and entry.kind != Kind.LOOT
        ]
        if not places:
            raise KeyError(f"there is no {was} in trick {trick}")
        entries = self._entries[: self._done]
        for place in places:
            old = entries[place]
            entries[place] = _Entry(
                *(old.kind, right, old.irregular, old.written),
                annotation=old.annotation,
                comments=old.comments,
            )
        self._change(entries)

    def _mend(
        self,
        trick: int,
        seat: Seat,
        kinds: tuple[Kind, ...],
        card: str | None,
        irregular: bool | None = None,
    ) -> None:
        places = [
            place
            for place, entry in enumerate(self._entries[: self._done])
            if (entry.trick, entry.seat) == (trick, seat) and entry.kind in kinds
        ]
        if not places:
            raise KeyError(f"seat {seat} has nothing to mend in trick {trick}")
        place = places[0]
        entry = self._entries[place]
        mended = _Entry(
            entry.kind,
            entry.card if card is None else _card(card),
            entry.irregular if irregular is None else irregular,
            annotation=entry.annotation,
            comments=entry.comments,
        )
        self._change([*self._entries[:place], mended, *self._entries[place + 1 : self._done]])

    def _change(self, entries: list[_Entry]) -> None:
        """Let these be the entries, with which the game must go on as it did."""
        try:
            self._machine = self._replayed(entries)
        except IllegalAction:
            self._replayed(self._entries[: self._done])  # whose turn it was stands in the entries
            raise
        self._entries = entries
        self._done = len(entries)

    # Beside the cards ------------------------------------------------------------------------

    def annotate(self, annotation: str) -> None:
        """Annotate the last play: "!", "?", "!!", "??", "!?", "?!", or "" for none."""
        _text(annotation, "an annotation", "!")
        if annotation not in ANNOTATIONS:
            raise ValueError(f"there is no annotation {annotation!r}")
        if not self._done or self._entries[self._done - 1].kind not in (Kind.PLAY, Kind.DISCARD):
            raise ValueError("the last action is no play")
        self._entries[self._done - 1].annotation = annotation

    def comment(self, text: str) -> None:
        """Comment on the last play, or on the trick, or (before trick 1) on the game."""
        text = " ".join(_text(text, "a comment", "well played").split())
        if not self._done:
            self.comments.append(text)
            return
        at = self._done - 1
        while at and not self._entries[at].written:
            at -= 1
        entry = self._entries[at]
        if entry.kind in (Kind.PLAY, Kind.DISCARD):
            entry.comments.append(text)
        else:
            self._remarks.setdefault(entry.trick, []).append(text)

    def clock(self, time: str) -> None:
        """Note a clock's time with the last play, as in "0:04:30"."""
        _text(time, "a time", "0:04:30")
        self.comment(f"[%clk {time}]")

    def finish(self, result: str, termination: str) -> None:
        """Say how the game ended before its end, as by "resignation" or "time".

        Any further action takes that back.  Raises ValueError for what is no Termination, for a
        result that a game with these sides cannot have, and for "normal" where the result is
        not that of the plays.
        """
        _text(termination, "a Termination", "resignation")
        number = parse_result(_text(result, "a result", "1-0"))
        if termination not in TERMINATIONS or termination == "bye":
            known = ", ".join(one for one in TERMINATIONS if one != "bye")
            raise ValueError(f"there is no Termination {termination!r}; there are {known}")
        sides = sides_of(self.seats)
        nobody = number == sides * 8 and termination != "forfeit"
        if number != UNFINISHED and (number >> 3 != sides or nobody):
            raise ValueError(f"a game with {sides} sides cannot end {result!r}")
        if termination == "normal":
            if not self.over:
                raise ValueError("a game that ended before its end needs another Termination")
            copy = self.copy()
            copy.go_on()
            ended = copy.game().result
            if result != ended:
                raise ValueError(f"the game ended {ended}, not {result}")
        self.write_end(result, termination)

    def write_end(self, result: str, termination: str) -> None:
        """As `finish`, whatever is written: for those who judge the whole record afterwards."""
        self._ending = ({"Termination": termination, "Result": result}, result)
        del self._entries[self._done :]

    @property
    def finished(self) -> bool:
        """Whether it ended before its end, as `finish` or the record that it comes from says."""
        return self._ending is not None and (
            self._ending[0].get("Termination", "normal") != "normal"
        )

    def go_on(self) -> None:
        """Take back what `finish`, or the record that it comes from, says of the end."""
        self._ending = None

    # Copies and looks ------------------------------------------------------------------------

    def copy(self) -> State:
        """An independent copy."""
        new = State.__new__(State)
        new._begin(self._setup, self._hands, self._pile, dict(self.tags))
        new._dealt = self._dealt
        new.comments = list(self.comments)
        new._machine = self._machine.copy()
        new._entries = [
            _Entry(
                *(entry.kind, entry.card, entry.irregular, entry.written, entry.trick, entry.seat),
                *(entry.annotation, list(entry.comments)),
            )
            for entry in self._entries
        ]
        new._done = self._done
        new._remarks = {number: list(texts) for number, texts in self._remarks.items()}
        new._ending = self._ending
        return new

    def _repr_svg_(self) -> str | None:
        """What a notebook shows: the position as a picture, once there is one."""
        return hooks.game_svg(self.game())

    def __repr__(self) -> str:
        """Where the game stands, in a line."""
        return f"<State {self}>"

    def __str__(self) -> str:
        """Where the game stands, in a line."""
        return f"{self.deck}, {'; '.join(self._told())}"

    def _told(self) -> Iterator[str]:
        kind, seat = self.to_act
        due = {
            "turn-up": "an upcard is to be turned up",
            "play": f"seat {seat} to play",
            "discard": f"seat {seat} to discard",
            "look": f"seat {seat} to take the hidden card or leave it",
            "pick": f"seat {seat} to pick an upcard",
            "draw": f"seat {seat} to draw",
            "loot": f"side {seat} to choose what its loot counts for",
        }
        if kind == "over":
            yield f"over: {self.game().result}"
            return
        yield f"trick {self.trick} of {2 * self._setup.tricks}: {due[kind]}"
        if self.plays:
            yield " ".join(f"{player}:{card}" for player, card in self.plays)
        if self.upcards:
            yield f"upcard{'' if len(self.upcards) == 1 else 's'} {' '.join(self.upcards)}"
        if self.waiting:
            yield f"Trolls waiting {' '.join(self.waiting)}"


def _hands_told(game: Game, setup: Setup) -> list[list[int]] | None:
    """The starting hands as Hand tags tell them, None if there is none."""
    texts = {seat: game.tags.get(f"Hand{seat}") for seat in range(1, setup.seats + 1)}
    if not any(texts.values()):
        return None
    unseen = " ".join([UNSEEN] * setup.tricks)
    return [_cards((cards or unseen).upper()) for cards in texts.values()]


def _pile_told(game: Game, setup: Setup) -> list[int] | None:
    """The draw pile as a Pile tag tells it, None if there is none."""
    pile = _cards(game.tags.get("Pile", "").upper())
    return pile if len(pile) == setup.seats * setup.tricks else None


def _hands_of(game: Game, setup: Setup) -> list[list[int]]:
    """The starting hands as far as a record proves them."""
    hands = []
    for seat in range(1, setup.seats + 1):
        plays = [_card(play.card) for play in _plays(game, seat, 1)]
        if UNKNOWN not in plays:
            # Of a hand in a tag the rest is known, unless one of its cards lies face down.
            rest = _cards(game.tags.get(f"Hand{seat}", "").upper())
            for card in plays:
                if card in rest:
                    rest.remove(card)
            plays += rest[: setup.tricks - len(plays)]
        hands.append([*plays, *[UNKNOWN] * (setup.tricks - len(plays))])
    return hands


def _pile_of(game: Game, setup: Setup) -> list[int]:
    """The draw pile as far as a record proves it.

    Of what a seat drew without a note, the cards that it plays in Phase 2 are known, but not
    their order: they lie there in any.
    """
    spare: dict[int, list[int]] = {}
    for seat in range(1, setup.seats + 1):
        spare[seat] = [_card(play.card) for play in _plays(game, seat, 2) if play.card]
        for trick in game.tricks:
            card = (trick.taken or {}).get(seat)
            if card is not None and _card(card) in spare[seat]:
                spare[seat].remove(_card(card))
    pile = _pile_told(game, setup) or [UNKNOWN] * (setup.seats * setup.tricks)
    for trick in game.tricks[: setup.tricks]:
        cards = [_card(card) for card in trick.upcards]
        cards += [UNKNOWN] * (setup.upcards - len(cards))
        hidden = [
            reason.seat
            for code in ("taken.seer", "taken.hidden")
            for reason in trick.reasons
            if reason.code == code and reason.seat is not None
        ]
        for seat in hidden:
            drawn = _card((trick.taken or {}).get(seat))
            cards.append(spare[seat].pop() if drawn == UNKNOWN and spare[seat] else drawn)
        for place, known in enumerate(cards, setup.seats * (trick.number - 1)):
            if known != UNKNOWN:
                pile[place] = known
    return pile


def _plays(game: Game, seat: Seat, phase: int) -> list[Play]:
    """What a seat played, or discarded, in a phase."""
    return [
        play
        for trick in game.tricks
        for play in trick.plays
        if trick.phase == phase and play.seat == seat
    ]


def _faction(letter: str) -> int:
    """The faction of a letter."""
    _text(letter, "a faction", "G")
    faction = LETTERS.find(letter.upper()) if len(letter) == 1 and letter.isascii() else -1
    if faction < 0:
        known = ", ".join(f"{one.letter} ({one.name})" for one in FACTIONS)
        raise IllegalAction(f"there is no faction {letter!r}; there are {known}")
    return faction


def _can(verify: Callable[..., None], *args: object) -> bool:
    try:
        verify(*args)
    except IllegalAction:
        return False
    return True


def _do(machine: Machine, entry: _Entry, learn: bool = False) -> None:
    """Do an entry, which tells then in which trick it was and whose; raises `IllegalAction`.

    With `learn` it takes the card that the pile shows.
    """
    kind, card = entry.kind, entry.card
    entry.trick = machine.trick
    seat = machine.to_act.seat
    entry.seat = None if seat is None else seat + 1
    if kind == Kind.TURN_UP:
        done = machine.turn_up(None if card == UNKNOWN else card)
    elif kind == Kind.PLAY:
        done = machine.play(card, irregular=entry.irregular)
    elif kind == Kind.DISCARD:
        done = machine.discard(card)
    elif kind == Kind.LOOK:
        done = machine.look(card != _LEFT, None if card in (_LEFT, UNKNOWN) else card)
    elif kind == Kind.PICK:
        done = machine.pick(card)
    elif kind == Kind.DRAW:
        done = machine.draw(None if card == UNKNOWN else card)
    else:
        done = machine.choose_loot(card)
    if learn and done.card is not None:
        entry.card = done.card
