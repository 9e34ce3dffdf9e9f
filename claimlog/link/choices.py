"""What a code holds of a game: its choices, in the order in which they are written and read.

Part of the format of codes: no change here may change the meaning of a code.  A new faction needs a
new version; `_FACTIONS` are the factions of this one.

`recorded` is always the game's own value while a code is written, and None while one is read.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from claimlog.cards import (
    COPIES,
    FACTION_OF,
    LETTERS,
    NAMES,
    VALUE_OF,
    all_decks,
    card,
    deck_letters,
)
from claimlog.game import Game
from claimlog.link.coder import CodeError, Coder, Reader, Writer
from claimlog.notation.writer import canonical
from claimlog.replay.recorder import replay_text
from claimlog.rules.powers import may_play
from claimlog.rules.setup import LOOTING, Setup
from claimlog.state import UNSEEN, Action, EarlyChoices, State

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from claimlog.game import Trick

__all__ = ["Way", "content", "read", "ways", "write"]

_FACTIONS: Final = frozenset("GKNIMPABDFRSTUVWX")
_SEATS: Final = (2, 3, 4, 1)
_RULES: Final = ("LE2023", "Classic")
_RULINGS: Final = (
    ("trolls", ("highest", "line"), "line"),
    ("dragons", ("last-card", "last-dragon"), "last-card"),
    ("automatons", ("won-by", "played"), "won-by"),
    ("raccoons", ("deck", "pile"), "deck"),
)
"""Each ruling's key, its values (LE2023's first), and Classic's value."""
_RACCOONS: Final = tuple(f"R{value}" for value in range(14))
_LOOT: Final = 5
"""The usual number of Raccoons with loot."""
_TERMINATIONS: Final = (
    *("normal", "resignation", "time", "forfeit"),
    *("adjudication", "abandoned", "unrecorded", "bye"),
)
_RESULTS: Final = {
    1: ("1", "1/2", "0", "*"),
    2: ("1-0", "0-1", "1/2-1/2", "*", "0-0"),
    3: (
        *("1-0-0", "0-1-0", "0-0-1", "1/2-1/2-0", "1/2-0-1/2", "0-1/2-1/2", "1/3-1/3-1/3"),
        *("*", "0-0-0"),
    ),
}
"""The possible results, by number of sides."""
_NUMBERS: Final = (*NAMES, UNSEEN)
_DRAWN: Final = 5
"""Upper limit for the number of cards drawn in a trick that was cut short."""
_MOST: Final = 256
"""Upper limit for the number of actions in a game."""
_SURE: Final = 1023
"""How many times likelier the usual case is than the unusual one."""

_COMPLETE: Final = "complete"
_OPEN: Final = "open"
_UNPLAYED: Final = "unplayed"
_KINDS: Final = (_COMPLETE, _OPEN, _UNPLAYED)
_EARLY: Final = "early"


class Way(NamedTuple):
    """The way in which a game is written.

    `kind`: "complete" with both hands known, "open" action by action, "unplayed" without a deck,
    and since version 2 "early": open, then choices that its last trick has before it has all plays.
    `low`: assume that players, other things being equal, prefer to play their lowest card.
    """

    kind: str
    low: bool = False


def ways(game: Game) -> Iterator[list[Way]]:
    """Yield the ways to write a game, shortest first; of each list the shortest code is used."""
    if not game.deck or game.seats == 1:
        yield [Way(_UNPLAYED)]
        return
    if game.complete:
        yield [Way(_COMPLETE), Way(_COMPLETE, low=True)]
    yield [Way(_OPEN)]
    yield [Way(_EARLY)]


def write(coder: Writer, game: Game, way: Way) -> None:
    """Write a legal game.  Raises ValueError if it cannot be written this way."""
    _begin(coder, way)
    seats = coder.pick(_SEATS, (57, 3, 3, 1), game.seats)
    if way.kind == _UNPLAYED:
        _agreed(coder, seats, game)
    else:
        setup = _setup(*_agreed(coder, seats, game), seats)
        if way.kind == _COMPLETE:
            _Complete(coder, setup, game, way.low).play()
        else:
            _open(coder, setup, game)
            if way.kind == _EARLY:
                _early(coder, setup, game)
    _end(coder, game, game)


def read(coder: Reader) -> Game:
    """Read back the game that was written.  Raises ValueError if there is none or it is illegal."""
    way = _begin(coder, None)
    seats = coder.pick(_SEATS, (57, 3, 3, 1), None)
    agreed = _agreed(coder, seats, None)
    if way.kind == _UNPLAYED:
        game = Game(tags=_tags_without_deck(*agreed[:3]), seats=seats)
    elif way.kind == _COMPLETE:
        game = _Complete(coder, _setup(*agreed, seats), None, way.low).play().game()
    else:
        setup = _setup(*agreed, seats)
        game = _open(coder, setup, None).game()
        if way.kind == _EARLY:
            _early(coder, setup, None).put_into(game)
        for trick in game.tricks[:-1]:
            # An unknown drawn card carries information only in the last trick.
            if not any(trick.drawn or ()):
                trick.drawn = None
    _end(coder, game, None)
    coder.end()
    players = {f"Player{seat}": "?" for seat in range(1, seats + 1)}
    game.tags = players | game.tags
    (again,) = replay_text(canonical(game))
    if again.errors:
        raise CodeError("said", text=again.errors[0].message)
    return again


def content(game: Game) -> object:
    """What a code holds of a legal game, for comparison, however its record is written."""
    tricks = [
        (
            trick.upcards,
            [(play.card, play.irregular) for play in trick.plays],
            trick.looked,
            trick.pick,
            trick.taken or [trick.hidden, *(trick.drawn or ())],
        )
        for trick in game.tricks
    ]
    agreed: tuple[Any, ...] = (game.seats, game.rules, game.rulings, game.leader)
    dealt: list[list[str] | None] = []
    loot = None
    if game.deck and game.seats > 1:
        loot = _loot_of(game)
        dealt = [_tag_cards(game, name) for name in _deal_tags(game.seats)]
        if game.complete and _known(game):
            # The deal's cards follow from the plays; whether the record lists them does not.
            dealt = [None if cards is None else [] for cards in dealt]
        agreed = (*agreed, game.deck, loot)
    choices = game.score.loot if game.score else {}
    spoils = {side: one.faction for side, one in choices.items()}
    return (agreed, dealt, tricks, spoils, _termination(game), game.result, _votes_of(game))


# What is agreed, and how it ends ------------------------------------------------------------------


def _begin(coder: Coder, way: Way | None) -> Way:
    """The version, and the way in which the rest is written."""
    if not coder.pick((True, False), (63, 1), None if way is None else way.kind != _EARLY):
        if not coder.pick((True, False), (63, 1), None if way is None else True):
            raise CodeError("code.newer")
        return Way(_EARLY)
    kind = coder.pick(_KINDS, (_SURE - 1, 1, 1), None if way is None else way.kind)
    if kind != _COMPLETE:
        return Way(kind)
    return Way(kind, coder.pick((False, True), (15, 1), None if way is None else way.low))


def _agreed(
    coder: Coder, seats: int, game: Game | None
) -> tuple[str, dict[str, str], int, str, tuple[str, ...] | None]:
    """Rule set, rulings, leader, deck ("" if unknown), and which Raccoons show loot."""
    rules = coder.pick(_RULES, (15, 1), None if game is None else game.rules)
    rulings = {}
    for key, values, classic in _RULINGS:
        usual = values[0] if rules == "LE2023" else classic
        weights = [63 if value == usual else 1 for value in values]
        rulings[key] = coder.pick(values, weights, None if game is None else game.rulings[key])
    leader = coder.pick(range(1, seats + 1), [1] * seats, None if game is None else game.leader)
    if seats == 1:
        return rules, rulings, leader, "", None
    decks = _decks(seats, rules)
    options = [*decks, ""]
    weights = [*[_SURE] * len(decks), 1]
    deck = coder.pick(options, weights, None if game is None else game.deck)
    loot = None
    if LETTERS[LOOTING] in deck:
        shown = None if game is None else _loot_of(game)
        if coder.pick((False, True), (1, 1), None if game is None else shown is not None):
            loot = _loot(coder, shown)
    return rules, rulings, leader, deck, loot


@cache
def _decks(seats: int, rules: str) -> list[str]:
    """The possible decks, sorted."""
    letters = map(deck_letters, all_decks(seats, classic=rules == "Classic"))
    return sorted(deck for deck in letters if _FACTIONS.issuperset(deck))


def _loot(coder: Coder, shown: tuple[str, ...] | None) -> tuple[str, ...]:
    """The Raccoons that show loot."""
    numbers = range(len(_RACCOONS) + 1)
    usual = [len(numbers) if number == _LOOT else 1 for number in numbers]
    wanting = coder.pick(numbers, usual, None if shown is None else len(shown))
    loot = []
    for left, name in zip(reversed(numbers[:-1]), _RACCOONS, strict=True):
        weights = (comb(left, wanting), comb(left, wanting - 1) if wanting else 0)
        if coder.pick((False, True), weights, None if shown is None else name in shown):
            loot.append(name)
            wanting -= 1
    return tuple(loot)


def _end(coder: Coder, game: Game, recorded: Game | None) -> None:
    """How the game ended, if not normally; when reading, `game` is given what was read."""
    usual = [_SURE, *[1] * (len(_TERMINATIONS) - 1)]
    how = None if recorded is None else _termination(recorded)
    termination = coder.pick(_TERMINATIONS, usual, how)
    if termination == "normal":
        return
    sides = 2 if game.seats == 4 else game.seats
    results = _RESULTS[sides]
    result = coder.pick(results, [1] * len(results), None if recorded is None else recorded.result)
    votes = None if recorded is None else _votes_of(recorded)
    written = None
    if not game.complete and _flag(coder, None if recorded is None else votes is not None):
        numbers, usual = range(100), [100] * 6 + [1] * 94
        written = [
            coder.pick(numbers, usual, None if votes is None else votes[side])
            for side in range(sides)
        ]
    if recorded is None:
        game.result = result
        game.tags = game.tags | {"Termination": termination, "Result": result}
        if written is not None:
            game.tags["Votes"] = "-".join(map(str, written))


def _flag(coder: Coder, recorded: bool | None) -> bool:
    """Whether something unusual is the case."""
    return coder.pick((False, True), (_SURE, 1), recorded)


def _termination(game: Game) -> str:
    return game.tags.get("Termination", "normal").lower()


def _votes_of(game: Game) -> list[int] | None:
    """The Votes that have to be taken as written, None if there are none."""
    if game.complete or _termination(game) == "normal" or "Votes" not in game.tags:
        return None
    return [int(part) for part in game.tags["Votes"].split("-")]


def _loot_of(game: Game) -> tuple[str, ...] | None:
    """The Raccoons that show loot, None if that is unknown."""
    cards = game.tags.get("LootCards")
    if cards is None or LETTERS[LOOTING] not in game.deck:
        return None
    shown = set(cards.upper().split())
    return tuple(name for name in _RACCOONS if name in shown)


def _setup(
    rules: str,
    rulings: dict[str, str],
    leader: int,
    deck: str,
    loot: tuple[str, ...] | None,
    seats: int,
) -> Setup:
    return Setup(deck, seats, rules, rulings, leader, loot)


def _tags_without_deck(rules: str, rulings: dict[str, str], leader: int) -> dict[str, str]:
    """What was agreed, as tags."""
    tags = {"CLM": "1"}
    if rules != "LE2023":
        tags["Rules"] = rules
    own = [
        f"{key}={rulings[key]}"
        for key, values, classic in _RULINGS
        if rulings[key] != (values[0] if rules == "LE2023" else classic)
    ]
    if own:
        tags["Rulings"] = " ".join(own)
    tags["Leader"] = str(leader)
    return tags


# The deal -----------------------------------------------------------------------------------------


def _deal_tags(seats: int) -> list[str]:
    return [*(f"Hand{seat}" for seat in range(1, seats + 1)), "Pile"]


def _tag_cards(game: Game, name: str) -> list[str] | None:
    """The cards of a tag of the deal, sorted for a hand; None if it lists no known card."""
    cards = game.tags.get(name, "").upper().split()
    if not set(cards) - {UNSEEN}:
        return None
    return cards if name == "Pile" else sorted(cards, key=_NUMBERS.index)


def _known(game: Game) -> bool:
    """Whether no card of a complete game is unknown."""
    return all(play.card is not None for trick in game.tricks for play in trick.plays) and all(
        card is not None for trick in game.tricks for card in (trick.taken or {}).values()
    )


def _are_noted(game: Game, trick: Trick, looked: bool) -> bool:
    """Whether the record names the hidden card taken with a Seer (`looked`), or all cards drawn."""
    if looked:
        noted = trick.hidden is not None
    else:
        drawn = trick.drawn or []
        noted = len(drawn) == game.seats - len(trick.upcards) - trick.looked and all(drawn)
    return noted or "Pile" in game.tags


def _noted(game: Game) -> bool:
    """Whether the record names all hidden cards that were taken."""
    return _known(game) and all(
        _are_noted(game, trick, looked)
        for trick in game.tricks
        if trick.phase == 1
        for looked in (True, False)
        # Somebody used a Seer; or somebody drew, as the upcards were not enough for all.
        if (trick.looked if looked else game.seats > len(trick.upcards) + trick.looked)
    )


def _line(cards: Sequence[str]) -> str:
    return " ".join(sorted(cards, key=_NUMBERS.index))


def _cards_of(deck: str) -> list[str]:
    return [name for name in NAMES if name[0] in deck]


def _share(
    coder: Coder,
    left: Counter[str],
    sizes: Sequence[int],
    recorded: Sequence[Counter[str]] | None,
) -> list[Counter[str]]:
    """Deal `sizes[seat]` of the cards that are left to each seat; all deals are equally likely."""
    shares = []
    for seat, size in enumerate(sizes):
        share: Counter[str] = Counter()
        others, wanting = left.total(), size
        for name in sorted(left):
            copies = left[name]
            others -= copies
            numbers = range(copies + 1)
            weights = [
                comb(copies, number) * comb(others, wanting - number) if number <= wanting else 0
                for number in numbers
            ]
            number = coder.pick(
                numbers, weights, None if recorded is None else recorded[seat][name]
            )
            if number:
                share[name] = number
            wanting -= number
        left -= share
        shares.append(share)
    return shares


def _one(coder: Coder, left: Counter[str], recorded: str | None) -> str:
    """One of the cards that are left, every copy equally likely."""
    names = sorted(left)
    name = coder.pick(names, [left[name] for name in names], recorded)
    left[name] -= 1
    return name


# A complete game ----------------------------------------------------------------------------------


class _Complete:
    """Write or read a complete game whose hands are known.

    `left` are the cards whose place has not been coded yet.  `noted`: each hidden card that was
    taken is known; if not, the owners of the unknown ones are coded at the end of Phase 1, as their
    order stays open.
    """

    def __init__(self, coder: Coder, setup: Setup, game: Game | None, low: bool) -> None:
        self.coder = coder
        self.game = game
        self.low = low
        self.setup = setup
        self.seats = range(1, setup.seats + 1)
        self.actions: Iterator[Action] = iter(())
        hands = None
        if game is not None:
            start = State.from_game(game, trick=1)
            self.actions = iter(State.from_game(game).log)
            hands = [Counter(start.hand(seat)) for seat in self.seats]
        self.tags = self._tags()
        self.noted = coder.pick((True, False), (7, 1), None if game is None else _noted(game))
        self.left = Counter({name: COPIES[card(name)] for name in _cards_of(setup.deck)})
        self.hands = _share(coder, self.left, [setup.tricks] * setup.seats, hands)
        self.followers: list[Counter[str]] = [Counter() for _ in self.seats]
        self.pile: list[str] = []
        dealt = {seat: list(self.hands[seat - 1].elements()) for seat in self.seats}
        self.state = State(setup, hands=dealt)
        for name in _deal_tags(setup.seats):
            self.state.tags.pop(name, None)
        for name in self.tags:
            if name != "Pile":
                self.state.tags[name] = _line(dealt[int(name[-1])])

    def _tags(self) -> list[str]:
        """The tags of the deal that the record has."""
        names = _deal_tags(self.setup.seats)
        there = None
        if self.game is not None:
            there = [_tag_cards(self.game, name) is not None for name in names]
        if not _flag(self.coder, None if there is None else any(there)):
            return []
        return [
            name
            for place, name in enumerate(names)
            if self.coder.pick((True, False), (7, 1), None if there is None else there[place])
        ]

    def play(self) -> State:
        """Write or read the actions up to the end of the game."""
        while not self.state.over:
            recorded = next(self.actions, None)
            kind, seat = self.state.to_act
            if kind == "turn-up":
                self._turn_up(recorded)
            elif kind == "look":
                self._look(recorded)
            elif kind == "pick":
                self._pick(recorded)
            elif kind == "draw":
                self.state.draw(self._hidden(recorded))
            elif kind == "loot":
                options = self.state.choices()
                self.state.choose_loot(self._even(options, recorded))
            else:
                assert seat is not None
                self._lay(kind, seat, recorded)
            if self.state.phase == 2 and not any(self.hands):
                self._recruited()
        if "Pile" in self.tags:
            self.state.tags["Pile"] = " ".join(self.pile)
        return self.state

    def _even(self, options: Sequence[str], recorded: Action | None) -> str:
        """One of some options, all equally likely."""
        names = sorted(set(options))
        return self.coder.pick(names, [1] * len(names), None if recorded is None else recorded.card)

    def _turn_up(self, recorded: Action | None) -> None:
        name = _one(self.coder, self.left, None if recorded is None else recorded.card)
        self.pile.append(name)
        self.state.turn_up(name)

    def _look(self, recorded: Action | None) -> None:
        take = None if recorded is None else recorded.card is not None
        if self.coder.pick((False, True), (1, 1), take):
            self.state.look(True, self._hidden(recorded))
        else:
            self.state.look(False)

    def _pick(self, recorded: Action | None) -> None:
        self.state.pick(self._even(self.state.choices(), recorded))

    def _hidden(self, recorded: Action | None) -> str | None:
        """The hidden card now taken with a Seer or drawn; None if nobody noted it."""
        taken = None
        if self.game is not None:
            seat = self.state.to_act.seat
            assert seat is not None
            assert recorded is not None
            if recorded.card != UNSEEN or "Pile" in self.game.tags:
                taken = (self.game.tricks[self.state.trick - 1].taken or {}).get(seat)
        if not self.noted:
            known = self.coder.pick(
                (False, True), (15, 1), None if self.game is None else taken is not None
            )
            if not known:
                return None
        name = _one(self.coder, self.left, taken)
        self.pile.append(name)
        return name

    def _lay(self, kind: str, seat: int, recorded: Action | None) -> None:
        """A card that a seat plays or discards from its hand."""
        hand = self.hands[seat - 1]
        options = sorted(hand)
        irregular = False
        if kind == "discard":
            name = self._even(options, recorded)
            self.state.discard(name)
        else:
            irregular = _flag(self.coder, None if recorded is None else recorded.irregular)
            plays = self.state.plays
            if plays and not irregular:
                led = FACTION_OF[card(plays[0][1])]
                held = 0
                for option in options:
                    held |= 1 << FACTION_OF[card(option)]
                options = [
                    option for option in options if may_play(held, led, FACTION_OF[card(option)])
                ]
            lowest = min(VALUE_OF[card(option)] for option in options)
            weights = [
                2 if self.low and VALUE_OF[card(option)] == lowest else 1 for option in options
            ]
            name = self.coder.pick(options, weights, None if recorded is None else recorded.card)
            self.state.play(name, irregular=irregular)
        hand[name] -= 1
        if not hand[name]:
            del hand[name]

    def _recruited(self) -> None:
        """Make the followers the new hands; code now who took the cards that nobody noted."""
        tricks = self.state.tricks[: self.setup.tricks]
        open_cards = [0 for _ in self.seats]
        for trick in tricks:
            for seat, name in (trick.taken or {}).items():
                if name is None:
                    open_cards[seat - 1] += 1
                else:
                    self.hands[seat - 1][name] += 1
        if not any(open_cards):
            return
        recorded = None
        if self.game is not None:
            played = [Counter[str]() for _ in self.seats]
            for trick in self.game.tricks[self.setup.tricks :]:
                for play in trick.plays:
                    played[play.seat - 1][play.card or UNSEEN] += 1
            recorded = [all_ - known for all_, known in zip(played, self.hands, strict=True)]
        for hand, share in zip(
            self.hands, _share(self.coder, self.left, open_cards, recorded), strict=True
        ):
            hand.update(share)


# Any other game -----------------------------------------------------------------------------------


def _open(coder: Coder, setup: Setup, game: Game | None) -> State:
    """Write or read every action of a game that is unfinished or not fully known."""
    names = _deal_tags(setup.seats)
    cards = None if game is None else [_tag_cards(game, name) for name in names]
    sizes = [setup.tricks] * setup.seats + [setup.tricks * setup.seats]
    tags: dict[str, str] = {}
    if _flag(coder, None if cards is None else any(cards)):
        options = [UNSEEN, *_cards_of(setup.deck)]
        for place, (name, size) in enumerate(zip(names, sizes, strict=True)):
            there = None if cards is None else cards[place]
            if not coder.pick((True, False), (1, 1), None if cards is None else bool(there)):
                continue
            written = [
                coder.pick(options, [1] * len(options), None if there is None else there[at])
                for at in range(size)
            ]
            tags[name] = " ".join(written)
    actions = None
    if game is not None:
        # As when recording: the tags of the deal are kept apart from the actions.
        bare = {name: text for name, text in game.tags.items() if name not in names}
        actions = State.from_game(replace(game, tags=bare), proven=False).log
    state = State(setup)
    _act(coder, state, actions)
    state.tags |= tags
    return state


def _early(coder: Coder, setup: Setup, game: Game | None) -> EarlyChoices:
    """Write or read the choices of the last trick, all at once.  Raises CodeError without one."""
    early = None
    if game is not None:
        if not game.tricks:
            raise CodeError("code.nothing")
        early = EarlyChoices.of(game.tricks[-1])
    cards = [UNSEEN, *_cards_of(setup.deck)]
    even = [1] * len(cards)
    number = coder.pick(
        range(1, setup.tricks + 1), [1] * setup.tricks, None if early is None else early.number
    )
    auto = _flag(coder, None if early is None else early.auto)
    seats = range(1, setup.seats + 1)
    leader = coder.pick(seats, [1] * setup.seats, None if early is None else early.leader)
    hidden = pick = drawn = None
    looked = _flag(coder, None if early is None else early.looked)
    if looked:
        hidden = coder.pick(cards, even, None if early is None else early.hidden or UNSEEN)
    if _flag(coder, None if early is None else early.pick is not None):
        pick = coder.pick(cards, even, None if early is None else early.pick)
    written = None if early is None else early.drawn or ()
    length = coder.pick(range(_DRAWN), [1] * _DRAWN, None if written is None else len(written))
    if length:
        drawn = tuple(
            _seen(coder.pick(cards, even, None if written is None else written[at] or UNSEEN))
            for at in range(length)
        )
    return EarlyChoices(number, auto, leader, looked, _seen(hidden), pick, drawn)


def _seen(card: str | None) -> str | None:
    return None if card == UNSEEN else card


def _act(coder: Coder, state: State, actions: list[Action] | None) -> None:
    number = coder.pick(range(_MOST), [1] * _MOST, None if actions is None else len(actions))
    for place in range(number):
        action = None if actions is None else actions[place]
        kind, _ = state.to_act
        options = sorted({*state.choices()})
        recorded = None if action is None else action.card
        if kind == "look":
            take = None if action is None else action.card is not None
            if coder.pick((False, True), (1, 1), take):
                options = [UNSEEN, *_cards_of(state.deck)]
                state.look(True, coder.pick(options, [1] * len(options), recorded))
            else:
                state.look(False)
        elif kind == "play":
            irregular = _flag(coder, None if action is None else action.irregular)
            if irregular:
                options = _cards_of(state.deck)
            state.play(coder.pick(options, [1] * len(options), recorded), irregular=irregular)
        elif kind in ("draw", "discard"):
            # If one card is unknown, most are.
            options = [UNSEEN, *(name for name in options if name != UNSEEN)]
            weights = [len(options), *[1] * (len(options) - 1)]
            state.apply(coder.pick(options, weights, recorded))
        else:
            state.apply(coder.pick(options, [1] * len(options), recorded))
