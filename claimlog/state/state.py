"""The game in progress: what may be done, doing it, and undoing it."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import TYPE_CHECKING, Final, NoReturn

from claimlog import hooks
from claimlog.cards import LETTERS, UNKNOWN
from claimlog.game import Game, Seat
from claimlog.notation.tags import TERMINATIONS, parse_loot
from claimlog.notation.tokens import ANNOTATIONS
from claimlog.results import UNFINISHED, parse_result
from claimlog.rules.actions import IllegalAction, Kind
from claimlog.rules.dealing import deal
from claimlog.rules.games import game_of, tags_of
from claimlog.rules.machine import Machine
from claimlog.rules.outcome import fill_draws, name_of
from claimlog.rules.setup import Setup, sides_of
from claimlog.state.entries import (
    LEFT,
    UNSEEN,
    Action,
    Contradiction,
    EarlyChoices,
    Entry,
    do,
    text_of,
    to_card,
    to_cards,
    to_faction,
    to_names,
)
from claimlog.state.known import hands_listed, hands_proven, pile_listed, pile_proven
from claimlog.state.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from claimlog.game import Trick
__all__ = ["State"]

_CHOICES: Final = ("leave", "take")
_OF_THE_END: Final[tuple[str, ...]] = ("Loot", "Votes", "Termination", "Result")
"""The tags that tell how a game ended; they are not valid at an earlier moment of it."""


class State(Shown):
    """A game in progress: whose turn it is and what may be done, with undo.

    `setup` is a `Setup`, or the letters of the deck, with the other arguments of a `Setup` as
    keywords; the number of seats is that of the `players` (their names), or `seats`, otherwise 2.
    `hands` (by seat) and `pile` (from the top) are lists of cards or space-separated strings, with
    ``"_"`` for an unknown card; what is left out is unknown.  Raises ValueError if the rules do not
    allow it.

    `tags` are further tags of the record; they are plain data and may be changed at any time.
    `comments` are those before trick 1.

    Each action has three methods: ``verify_play("G5")`` raises `IllegalAction` with the reason if
    the play is not allowed, ``can_play("G5")`` returns whether it is, ``play("G5")`` makes it and
    returns the `Action`.  `apply` takes any of `choices`, whichever action is due.
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
                loot=to_names(loot),
            )
        if players and len(players) != setup.seats:
            raise ValueError(f"{setup.seats} seats need as many names, not {len(players)}")
        names = {f"Player{seat}": name for seat, name in enumerate(players, 1)}
        known = None
        if hands is not None:
            if strange := hands.keys() - set(range(1, setup.seats + 1)):
                raise ValueError(f"seat {min(strange)} is not at this table")
            unseen = [UNSEEN] * setup.tricks
            known = [to_cards(hands.get(seat, unseen)) for seat in range(1, setup.seats + 1)]
        ahead = None if pile is None else to_cards(pile)
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
        self._entries: list[Entry] = []
        self._done = 0
        self._remarks: dict[int, list[str]] = {}
        self._ending: tuple[dict[str, str], str] | None = None
        self._early: EarlyChoices | None = None

    @classmethod
    def dealt(
        cls,
        deck: str | Setup,
        *,
        seed: int | str = 0,
        players: Sequence[str] = (),
        seats: int | None = None,
        rules: str | None = None,
        rulings: Mapping[str, str] | None = None,
        leader: Seat | None = None,
        loot: str | Iterable[str] | None = None,
    ) -> State:
        """Return a new game with the cards shuffled and dealt, every card known.

        The arguments are those of a `State`: `deck` may be a `Setup`, too.

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
        """Return the state of a recorded game before trick `trick`, or after `plays` of its plays.

        Without `trick` it is the end of the record; choices of its last trick that it has although
        plays before them are missing are kept in `game` until something is done.  The upcards of
        the trick lie open.  The rest of the record can be redone.  Hands are known as far as the
        record proves them: in Phase 1 by plays, discards and Hand tags, in Phase 2 by later plays
        and by the cards known to have been taken.  If `proven` is false, they are known only from
        Hand and Pile tags, as for somebody recording the game, where a play that is undone proves
        nothing.

        Raises ValueError if the record is not legal so far, IndexError if it has no such trick or
        the trick not as many plays, TypeError for anything but a Game.
        """
        if not isinstance(game, Game):
            raise TypeError(f"a game is continued from a Game, not from {game!r}")
        if trick is not None and not 1 <= trick <= max(len(game.tricks), 1):
            raise IndexError(f"there is no trick {trick}")
        there = len(game.tricks[trick - 1].plays) if trick is not None and game.tricks else 0
        if trick is not None and not 0 <= plays <= there:
            raise IndexError(f"trick {trick} has {there} plays, not {plays}")
        state = cls.__new__(cls)
        loot = game.tags.get("LootCards")
        setup = Setup(
            game.deck, game.seats, game.rules, dict(game.rulings), game.leader, to_names(loot)
        )
        tags = {name: value for name, value in game.tags.items() if name not in _OF_THE_END}
        if proven:
            state._begin(setup, hands_proven(game, setup), pile_proven(game, setup), tags)
        else:
            state._begin(setup, hands_listed(game, setup), pile_listed(game, setup), tags)
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
        """Replay a recorded trick."""
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
        looked, pick = trick.looked, trick.pick
        while len(trick.plays) == self.seats and self._machine.trick == trick.number:
            kind = self._machine.kind
            if kind == Kind.LOOK and last and not (trick.looked or trick.pick or drawn):
                break  # nobody wrote whether the Seer's player has left the card
            elif kind == Kind.LOOK:
                self.look(trick.looked, trick.hidden if trick.looked else None)
                looked = False
            elif kind == Kind.PICK and pick:
                self.pick(pick)
                pick = None
            elif kind == Kind.PICK and not last:
                raise IllegalAction("nobody knows which upcard was picked")
            elif kind == Kind.DRAW and drawn:
                self.draw(drawn.pop(0) or UNSEEN)
            elif kind == Kind.DRAW and not last:
                self.draw()
            else:
                break
        if drawn or pick or (looked and len(trick.plays) < self.seats):
            self._early = EarlyChoices.of(trick)

    def _place(self, trick: int, plays: int) -> int:
        """The number of entries before play `plays` + 1 of a trick."""
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
        """Return the game so far, including the trick that is being played.

        `kept` are its first tricks, taken over from an earlier `Game` if they have not changed.

        Result, Votes and Loot follow from the game, unless `finish` or the original record says
        otherwise.
        """
        machine = self._machine
        game = game_of(machine, kept=kept)
        entries = self._entries[: self._done]
        by_trick: dict[int, list[Entry]] = {}
        for entry in entries:
            by_trick.setdefault(entry.trick, []).append(entry)
        for trick in game.tricks[len(kept) :]:
            self._write(trick, by_trick.get(trick.number, []))
            trick.comments = list(self._remarks.get(trick.number, ()))
        if game.complete:
            fill_draws(game.tricks, game.seats)
        tags = dict(self.tags)
        if self._ending is not None and not self.undone:
            ending, game.result = self._ending
            tags |= ending
        else:
            tags |= {name: game.tags[name] for name in _OF_THE_END if name in game.tags}
        if self._early is not None and not self.undone:
            self._early.put_into(game)
        game.tags = tags
        game.comments = list(self.comments)
        return game

    def _write(self, trick: Trick, entries: list[Entry]) -> None:
        """Add annotations and comments to the plays, and remove draws that are not written."""
        plays = [entry for entry in entries if entry.kind in (Kind.PLAY, Kind.DISCARD)]
        for play, entry in zip(trick.plays, plays, strict=True):
            play.annotation = entry.annotation
            play.comments = list(entry.comments)
        if trick.phase == 2:
            return
        hidden = [entry for entry in entries if entry.kind == Kind.DRAW]
        known = [name_of(entry.card) for entry in hidden]
        trick.drawn = known if any(entry.written for entry in hidden) else None
        looks = [entry for entry in entries if entry.kind == Kind.LOOK and entry.card != LEFT]
        if looks:
            trick.hidden = name_of(looks[0].card)
        for entry in looks + hidden:
            # A draw that is not written is known only if a Pile tag lists it.
            if (
                trick.taken
                and entry.seat is not None
                and (entry.written or "Pile" not in self.tags)
            ):
                trick.taken[entry.seat] = name_of(entry.card)

    @property
    def tricks(self) -> list[Trick]:
        """The tricks so far, including the current one, each with its reasons."""
        return self.game().tricks

    @property
    def log(self) -> list[Action]:
        """Everything that was done, in order."""
        return [entry.as_action() for entry in self._entries[: self._done]]

    # What may be done --------------------------------------------------------------------

    def choices(self) -> list[str]:
        """Return what may be done now, as arguments for `apply`; empty when the game is over.

        Cards, "leave" and "take" for a Seer, letters for loot.  For an unknown hand or pile it
        lists every card that may still be there, and ``"_"`` where a card may stay unknown; if
        there is no choice left, somebody must have revoked.
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
            self._machine.verify(to_card(choice))

    def can(self, choice: str) -> bool:
        """Whether `apply` would succeed."""
        return _can(self.verify, choice)

    def apply(self, choice: str) -> Action:
        """Do one of `choices`; raises `IllegalAction` and changes nothing for anything else."""
        self.verify(choice)
        kind = self._machine.kind
        if kind == Kind.LOOK:
            return self.look(choice == "take")
        if kind == Kind.LOOT:
            return self.choose_loot(choice)
        return self._enter(kind, to_card(choice))

    def verify_turn_up(self, card: str | None = None) -> None:
        """Check that `card` may be turned up; None is the top of the pile, if that is known."""
        self._machine.verify_turn_up(None if card is None else to_card(card))

    def can_turn_up(self, card: str | None = None) -> bool:
        """Whether `turn_up` would succeed."""
        return _can(self.verify_turn_up, card)

    def turn_up(self, card: str | None = None) -> Action:
        """Turn up the next upcard."""
        self.verify_turn_up(card)
        return self._enter(Kind.TURN_UP, to_card(card))

    def verify_play(self, card: str, *, irregular: bool = False) -> None:
        """Check that `card` may be played; if `irregular`, only that the seat can hold it.

        Raises `IllegalAction`; its `revoked_in` is the trick in which the seat must have revoked if
        it holds the card after all, otherwise 0 (see `let_stand`).
        """
        self._machine.verify_play(to_card(card), irregular=irregular)

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
        return self._enter(Kind.PLAY, to_card(card), irregular=irregular)

    def verify_discard(self, card: str | None = None) -> None:
        """Check that `card` may be discarded face down, None or ``"_"`` if nobody saw it."""
        self._machine.verify_discard(to_card(card))

    def can_discard(self, card: str | None = None) -> bool:
        """Whether `discard` would succeed."""
        return _can(self.verify_discard, card)

    def discard(self, card: str | None = None) -> Action:
        """Discard a card face down in a trick that an Automaton has won."""
        self.verify_discard(card)
        return self._enter(Kind.DISCARD, to_card(card))

    def verify_look(self, take: bool, card: str | None = None) -> None:
        """Check that the Seer's player may `take` the hidden card, or leave it."""
        self._machine.verify_look(take, None if card is None else to_card(card))

    def can_look(self, take: bool, card: str | None = None) -> bool:
        """Whether `look` would succeed."""
        return _can(self.verify_look, take, card)

    def look(self, take: bool, card: str | None = None) -> Action:
        """`take` the top hidden card with a Seer (`card`, if it becomes known), or leave it."""
        self.verify_look(take, card)
        return self._enter(Kind.LOOK, to_card(card) if take else LEFT)

    def verify_pick(self, card: str) -> None:
        """Check that the upcard `card` may be picked."""
        self._machine.verify_pick(to_card(card))

    def can_pick(self, card: str) -> bool:
        """Whether `pick` would succeed."""
        return _can(self.verify_pick, card)

    def pick(self, card: str) -> Action:
        """Pick an upcard (3 or 4 players)."""
        self.verify_pick(card)
        return self._enter(Kind.PICK, to_card(card))

    def verify_draw(self, card: str | None = None) -> None:
        """Check that `card` may be drawn; None and ``"_"`` leave it unknown."""
        self._machine.verify_draw(None if card is None else to_card(card))

    def can_draw(self, card: str | None = None) -> bool:
        """Whether `draw` would succeed."""
        return _can(self.verify_draw, card)

    def draw(self, card: str | None = None) -> Action:
        """Draw the top hidden card; its name can be filled in later (`fill`)."""
        self.verify_draw(card)
        return self._enter(Kind.DRAW, to_card(card), written=card is not None or self._dealt)

    def verify_loot(self, faction: str) -> None:
        """Check that the side's loot may count for `faction`, a letter."""
        self._machine.verify_loot(to_faction(faction))

    def can_loot(self, faction: str) -> bool:
        """Whether `choose_loot` would succeed."""
        return _can(self.verify_loot, faction)

    def choose_loot(self, faction: str) -> Action:
        """Let the side's loot count for `faction`, a letter."""
        self.verify_loot(faction)
        return self._enter(Kind.LOOT, to_faction(faction))

    def proceed(self) -> list[Action]:
        """Turn up and draw from the pile as long as its cards are known; return these actions."""
        done = []
        while self._machine.kind in (Kind.TURN_UP, Kind.DRAW) and self._machine.pile[0] != UNKNOWN:
            done.append(self.turn_up() if self._machine.kind == Kind.TURN_UP else self.draw())
        return done

    def _enter(
        self, kind: int, card: int, *, irregular: bool = False, written: bool = True
    ) -> Action:
        """Apply a verified action; anything that could have been redone is dropped."""
        entry = Entry(kind, card, irregular, written)
        do(self._machine, entry, learn=self._dealt)
        self._drop_undone()
        self._entries.append(entry)
        self._done += 1
        self._ending = None
        self._early = None
        return entry.as_action()

    def _drop_undone(self) -> None:
        """Drop what could have been redone, with the end that followed it and its comments."""
        if not self.undone:
            return
        del self._entries[self._done :]
        self._ending = None
        self._early = None
        last = self._entries[-1].trick if self._entries else 0
        self._remarks = {trick: texts for trick, texts in self._remarks.items() if trick <= last}

    # Back and forth, and mending -------------------------------------------------------------

    def undo(self) -> Action:
        """Undo the last action and return it; raises IndexError at the beginning."""
        if not self._done:
            raise IndexError("nothing has been done yet")
        self._go_to(self._done - 1)
        return self._entries[self._done].as_action()

    def redo(self) -> Action:
        """Redo the last undone action and return it; raises IndexError if there is none."""
        if not self.undone:
            raise IndexError("nothing has been taken back")
        entry = self._entries[self._done]
        do(self._machine, entry)
        self._done += 1
        return entry.as_action()

    @property
    def undone(self) -> int:
        """How many actions can be redone."""
        return len(self._entries) - self._done

    def _go_to(self, done: int) -> None:
        """Go to the position after the first `done` actions."""
        self._machine = self._replayed(self._entries[:done])
        self._done = done

    def _replayed(self, entries: Sequence[Entry]) -> Machine:
        """Return the game after these entries; raises `Contradiction`, with the trick."""
        machine = Machine(self._setup, self._hands, self._pile)
        for entry in entries:
            number = machine.trick
            try:
                do(machine, entry)
            except IllegalAction as error:
                raise Contradiction(number, error) from None
        return machine

    def let_stand(self, trick: int, seat: Seat) -> None:
        """Mark a play as a revoke that the director lets stand.

        For a revoke that only a later play revealed.
        """
        self.mend(trick, seat, irregular=True)

    def mend(
        self, trick: int, seat: Seat, card: str | None = None, *, irregular: bool | None = None
    ) -> None:
        """Correct the card, or the irregular mark, of a play (or discard).

        Raises `IllegalAction` and changes nothing if the game could not have continued as it did;
        raises KeyError if there is no such play.
        """
        kinds = (Kind.PLAY, Kind.DISCARD)
        self._mend(trick, seat, kinds, card, irregular=irregular)

    def fill(self, trick: int, seat: Seat, card: str) -> None:
        """Fill in which hidden card a seat took in a trick of Phase 1; raises as `mend` does."""
        self._mend(trick, seat, (Kind.DRAW, Kind.LOOK), card)

    def amend(self, trick: int, was: str, card: str) -> None:
        """Correct the card `was` of a trick: an upcard, a play, a discard, or a card taken.

        An upcard that was picked is corrected in both places.  ``"_"`` makes a card that was drawn
        or discarded unknown again.  Raises as `mend` does.
        """
        wrong, right = to_card(was), to_card(card)
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
            entries[place] = Entry(
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
        mended = Entry(
            entry.kind,
            entry.card if card is None else to_card(card),
            entry.irregular if irregular is None else irregular,
            annotation=entry.annotation,
            comments=entry.comments,
        )
        self._change([*self._entries[:place], mended, *self._entries[place + 1 : self._done]])

    def _change(self, entries: list[Entry]) -> None:
        """Replace the entries; the game must be able to continue as it did."""
        try:
            self._machine = self._replayed(entries)
        except IllegalAction:
            self._replayed(self._entries[: self._done])  # restores their tricks and seats
            raise
        self._drop_undone()
        self._entries = entries

    # Beside the cards ------------------------------------------------------------------------

    def annotate(self, annotation: str) -> None:
        """Annotate the last play: "!", "?", "!!", "??", "!?", "?!", or "" to remove it."""
        text_of(annotation, "an annotation", "!")
        if annotation not in ANNOTATIONS:
            raise ValueError(f"there is no annotation {annotation!r}")
        if not self._done or self._entries[self._done - 1].kind not in (Kind.PLAY, Kind.DISCARD):
            raise ValueError("the last action is no play")
        self._entries[self._done - 1].annotation = annotation

    def comment(self, text: str, *, trick: int | None = None) -> None:
        """Comment on the last play, or on the trick, or (before trick 1) on the game.

        With `trick`, comment on that trick as a whole; it must have begun.
        """
        text = " ".join(text_of(text, "a comment", "well played").split())
        if trick is not None:
            if not any(entry.trick == trick for entry in self._entries[: self._done]):
                raise ValueError(f"trick {trick} has not begun")
            self._remarks.setdefault(trick, []).append(text)
            return
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
        """Add a clock time to the last play, for example "0:04:30"."""
        text_of(time, "a time", "0:04:30")
        self.comment(f"[%clk {time}]")

    def finish(self, result: str, termination: str) -> None:
        """Say how a game ended early, for example by "resignation" or "time".

        Any further action cancels this.  Raises ValueError for an unknown Termination, for a result
        that is impossible with this number of sides, and for "normal" if the result is not that of
        the plays.
        """
        text_of(termination, "a Termination", "resignation")
        number = parse_result(text_of(result, "a result", "1-0"))
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
        """Like `finish`, but unchecked, for callers that judge the whole record afterwards."""
        self._drop_undone()
        self._ending = ({"Termination": termination, "Result": result}, result)

    @property
    def finished(self) -> bool:
        """Whether the game ended early, according to `finish` or the original record.

        False as long as an action is undone.
        """
        if self._ending is None or self.undone:
            return False
        return self._ending[0].get("Termination", "normal") != "normal"

    def go_on(self) -> None:
        """Discard what `finish` or the original record says about the end."""
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
            Entry(
                *(entry.kind, entry.card, entry.irregular, entry.written, entry.trick, entry.seat),
                *(entry.annotation, list(entry.comments)),
            )
            for entry in self._entries
        ]
        new._done = self._done
        new._remarks = {number: list(texts) for number, texts in self._remarks.items()}
        new._ending = self._ending
        new._early = self._early
        return new

    def __copy__(self) -> State:
        """The same, for `copy.copy`."""
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> State:
        """The same, for `copy.deepcopy`."""
        return self.copy()

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled: only the record of a game is kept and sent."""
        raise TypeError("a State cannot be pickled; pickle its game(), and use State.from_game")

    def _repr_svg_(self) -> str | None:
        """The picture of the position that a notebook shows, if one is available."""
        return hooks.game_svg(self.game())

    def __repr__(self) -> str:
        """Where the game stands, in one line."""
        return f"<State {self}>"

    def __str__(self) -> str:
        """Where the game stands, in one line."""
        return f"{self.deck}, {'; '.join(self._parts())}"

    def _parts(self) -> Iterator[str]:
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


def _can(verify: Callable[..., None], *args: object) -> bool:
    try:
        verify(*args)
    except IllegalAction:
        return False
    return True
