r"""A whole game in a code that fits into a link, and back.

>>> from claimlog import simulate_games
>>> game = next(simulate_games(1, seed=7))
>>> code = encode(game)
>>> len(code) <= 48, decode(code).tricks[0].plays == game.tricks[0].plays
(True, True)

A code has what was agreed (deck, rule set, rulings, who led) and what was done: upcards, plays,
draws, choices, irregular plays, how it ended.  Names, event, comments and clocks are not in it.

How: a game is a row of choices, and whoever knows the rules knows what could be chosen, and how
likely that was.  The deal is one of all deals, a play one of the legal ones.  The row is written
as one whole number (an arithmetic coder in exact numbers, "rANS"), and the number in 64 letters
that need no escaping in an address.

A code begins with its version.  What a version reads stays as it is for ever: its letters, its
orders and its weights stand here and are not to be changed; another way is another version.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import comb
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import parse_qsl, urlencode
from zlib import crc32

from claimlog.cards import COPIES, NAMES, VALUE_OF, all_decks, card, deck_letters
from claimlog.notation.writer import canonical
from claimlog.rules.setup import Setup
from claimlog.state import UNSEEN, State

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from claimlog.game import Game
    from claimlog.state import Action

__all__ = ["CodeError", "decode", "encode", "link_of", "read_link"]

T = TypeVar("T")

ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
PATH: Final = "/r/"
"""Where a server shows the game of a code."""
LONGEST: Final = 400
"""A code of more characters is none: the longest games need some hundred."""

SHORT: Final = 48
"""A code is as long if it can: those of most complete games of two are."""

_NAMES: Final = (
    *("Player1", "Player2", "Player3", "Player4"),
    *("Event", "Site", "Date", "Round", "Table"),
)
"""The tags that stand in a link beside the code."""

_VERSION: Final = 0
_VERSIONS: Final = 4
_CHECKS: Final = (4096, 256, 16, 1)
"""A number below one of these, which follows from the game, tells a code that was mistyped.

It is the largest with which the code has at most `SHORT` characters, and if there is none the
largest of all.
"""

# Of version 0; never to be changed.
_FACTIONS: Final = frozenset("GKNIMPABDFRSTUVWX")
_RULES: Final = ("LE2023", "Classic")
_RULINGS: Final = (
    ("trolls", ("highest", "line"), "line"),
    ("dragons", ("last-card", "last-dragon"), "last-card"),
    ("automatons", ("won-by", "played"), "won-by"),
    ("raccoons", ("deck", "pile"), "deck"),
)
"""Each ruling's key, its values, LE2023's first, and Classic's."""
_RACCOONS: Final = tuple(f"R{value}" for value in range(14))
_LOOT: Final = 5
"""So many Raccoons show loot, usually."""
_TERMINATIONS: Final = (
    *("normal", "resignation", "time", "forfeit"),
    *("adjudication", "abandoned", "unrecorded", "bye"),
)
_RESULTS: Final = (
    *("*", "1-0", "0-1", "1/2-1/2", "0-0", "1-0-0", "0-1-0", "0-0-1"),
    *("1/2-1/2-0", "1/2-0-1/2", "0-1/2-1/2", "1/3-1/3-1/3", "0-0-0"),
)
_DEALT: Final = ("Hand", "Pile")
_NUMBERS: Final = (*NAMES, UNSEEN)
_MOST: Final = 256
"""Actions of a game."""
_SURE: Final = 1023
"""How many times likelier what is usual is than what is not."""


class CodeError(ValueError):
    """A text that is no code, or a game that no code can tell; the message says why."""


class _Writer:
    """Takes down which of several options was chosen, each with its weight."""

    def __init__(self) -> None:
        self._chosen: list[tuple[int, int, int]] = []

    def pick(self, options: Sequence[T], weights: Sequence[int], wanted: T | None) -> T:
        """Note that `wanted` was chosen.  Raises CodeError if it is none of the options."""
        for place, option in enumerate(options):
            if option == wanted and weights[place]:
                self._chosen.append((sum(weights[:place]), weights[place], sum(weights)))
                return option
        raise CodeError(f"{wanted!r} is none of the choices that a code can tell")

    def number(self, check: int) -> int:
        """All of it as one number: what was chosen first is what is read first."""
        number = check
        for below, weight, total in reversed(self._chosen):
            number = number // weight * total + below + number % weight
        return number


class _Reader:
    """Chooses as the number says."""

    def __init__(self, number: int) -> None:
        self.number = number

    def pick(self, options: Sequence[T], weights: Sequence[int], wanted: T | None) -> T:
        """The option that was chosen; nothing is wanted here."""
        if not options:
            raise CodeError("nothing could be chosen")
        rest, at = divmod(self.number, sum(weights))
        for option, weight in zip(options, weights, strict=True):
            if at < weight:
                self.number = rest * weight + at
                return option
            at -= weight
        raise AssertionError("weights sum up to their sum")


_Coder = _Writer | _Reader


def encode(game: Game) -> str:
    """The code of a game, complete or not.

    Raises CodeError for a game with errors or without cards.
    """
    if not game.deck or not game.tricks:
        raise CodeError("this game has no code: it has no tricks")
    try:
        # Whether a Seer's card was left before anything came after it, no record tells.
        game = State.from_game(game).game()
    except ValueError as error:
        raise CodeError(f"this game has no code: {error}") from None
    wanted = canonical(_bare(game))
    why = "it is not told by its choices alone"
    for known in (True, False):
        try:
            code = _coded(game, known)
            again = canonical(_bare(_decoded(code)[0]))
            if len(code) <= LONGEST and again == (wanted if known else canonical(_open(game))):
                return code
        except ValueError as error:
            why = str(error)
    raise CodeError(f"this game has no code: {why}")


def decode(code: str, tags: Mapping[str, str] | None = None) -> Game:
    """The game of a code, with `tags` (names, event) besides.  Raises CodeError if it is none."""
    if not 0 < len(code) <= LONGEST or not set(code) <= set(ALPHABET):
        raise CodeError(f"{code[:60]!r} is not the code of a game")
    try:
        game, known = _decoded(code)
        good = _coded(game, known) == code
    except (ValueError, IndexError):
        good = False
    if not good:
        raise CodeError(f"the code {code[:60]!r} is mistyped, cut off or of a newer claimlog")
    unknown = {f"Player{seat}": "?" for seat in range(1, game.seats + 1)}
    game.tags = unknown | game.tags | dict(tags or {})
    return game


def link_of(game: Game, server: str = "") -> str:
    """The address of a game at a server, or the part behind it: its code, and names and event.

    >>> state = State("GKUWX", players=["Ann Lee", "Bo"])
    >>> for word in ("U7", "G5", "G8"):
    ...     action = state.apply(word)
    >>> link_of(state.game(), "https://claim.example")
    'https://claim.example/r/8_YDkmwjtE?Player1=Ann+Lee&Player2=Bo'
    """
    told = {name: value for name in _NAMES if (value := game.tags.get(name, "").strip("?"))}
    address = f"{server.rstrip('/')}{PATH}{encode(game)}"
    return f"{address}?{urlencode(told)}" if told else address


def read_link(text: str) -> Game:
    """The game of a code, or of a link with one.  Raises CodeError if it is none."""
    before, path, rest = text.strip().partition(PATH)
    code, _, query = (rest if path else before).partition("#")[0].partition("?")
    tags = {
        name: " ".join(value.split())
        for name, value in parse_qsl(query, max_num_fields=100)
        if name in _NAMES and len(value) <= LONGEST
    }
    return decode(code, tags)


def _coded(game: Game, known: bool) -> str:
    """The code of a game whose deal is known, or is not to be."""
    coder = _Writer()
    state = State.from_game(game, proven=known)
    coder.pick((True, False), (_SURE, 1), known)
    _write(coder, game, state, known)
    check = crc32(canonical(_bare(game) if known else _open(game)).encode())
    codes = [_letters(coder.number(check % most) * _VERSIONS + _VERSION) for most in _CHECKS]
    return next((code for code in codes if len(code) <= SHORT), codes[0])


def _decoded(code: str) -> tuple[Game, bool]:
    """The game that a code tells, right or not, and whether its deal is known."""
    number = 0
    for letter in reversed(code):
        number = number * len(ALPHABET) + ALPHABET.index(letter)
    number, version = divmod(number, _VERSIONS)
    if version != _VERSION:
        raise CodeError("another version")
    coder = _Reader(number)
    known = coder.pick((True, False), (_SURE, 1), None)
    return _read(coder, known), known


def _letters(number: int) -> str:
    letters = []
    while number:
        number, place = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[place])
    return "".join(letters) or ALPHABET[0]


def _bare(game: Game) -> Game:
    """A game without all that a code does not tell."""
    kept = ("Deck", "Rules", "Rulings", "Leader", "LootCards", "Loot", "Votes", "Termination")
    tricks = [
        replace(
            trick,
            comments=[],
            drawn=trick.drawn if any(trick.drawn or ()) else None,
            plays=[replace(play, annotation="", comments=[]) for play in trick.plays],
        )
        for trick in game.tricks
    ]
    tags = {name: value for name, value in game.tags.items() if name in (*kept, "Pile")}
    for seat in range(1, game.seats + 1):
        if hand := game.tags.get(f"Hand{seat}"):
            tags[f"Hand{seat}"] = " ".join(_sorted(hand.split()))
    return replace(game, tags=tags, comments=[], tricks=tricks)


def _open(game: Game) -> Game:
    """A game without all that the code of one whose deal is not known does not tell."""
    bare = _bare(game)
    tags = {name: value for name, value in bare.tags.items() if not name.startswith(_DEALT)}
    return replace(bare, tags=tags)


def _sorted(cards: Iterable[str]) -> list[str]:
    """Cards in the order in which hands are told."""
    return sorted((name.upper() for name in cards), key=_NUMBERS.index)


# What is written and what is read, in the same order ---------------------------------------------


def _write(coder: _Writer, game: Game, start: State, known: bool) -> None:
    actions = start.log
    while start.log:
        start.undo()
    setup = _agreed(coder, start.setup)
    hands = [start.hand(seat) for seat in range(1, setup.seats + 1)]
    if known:
        told = [bool(game.tags.get(f"Hand{seat}")) for seat in range(1, setup.seats + 1)]
        _told(coder, setup, [*told, bool(game.tags.get("Pile"))])
        hands, pile = _deal(coder, setup, hands, start.pile)
        played = State(setup, hands=_by_seat(hands), pile=pile)
        _play(coder, played, actions)
    else:
        _act(coder, State(setup), actions)
    _end(coder, game)


def _read(coder: _Reader, known: bool) -> Game:
    setup = _agreed(coder, None)
    if known:
        told = _told(coder, setup, None)
        hands, pile = _deal(coder, setup, None, None)
        state = State(setup, hands=_by_seat(hands), pile=pile)
        names = [f"Hand{seat}" for seat in range(1, setup.seats + 1)]
        for name, stays in zip([*names, "Pile"], told, strict=True):
            if not stays:
                del state.tags[name]
        _play(coder, state, None)
    else:
        state = State(setup)
        _act(coder, state, None)
    result, termination = _end(coder, None)
    if termination != "normal":
        state.finish(result, termination)
    return state.game()


def _by_seat(hands: Sequence[Sequence[str]]) -> dict[int, Sequence[str]]:
    return dict(enumerate(hands, 1))


def _flag(coder: _Coder, wanted: bool | None) -> bool:
    """Something unusual: is it so?"""
    return coder.pick((False, True), (_SURE, 1), wanted)


def _agreed(coder: _Coder, setup: Setup | None) -> Setup:
    """Seats, rule set, rulings, deck, who leads, which Raccoons show loot."""
    seats = coder.pick((2, 3, 4), (14, 1, 1), None if setup is None else setup.seats)
    rules = coder.pick(_RULES, (15, 1), None if setup is None else setup.rules)
    rulings = {}
    for key, values, classic in _RULINGS:
        usual = values[0] if rules == "LE2023" else classic
        weights = [31 if value == usual else 1 for value in values]
        rulings[key] = coder.pick(values, weights, None if setup is None else setup.rulings[key])
    decks = sorted(
        letters
        for letters in map(deck_letters, all_decks(seats, classic=rules == "Classic"))
        if _FACTIONS.issuperset(letters)
    )
    deck = coder.pick(decks, [1] * len(decks), None if setup is None else setup.deck)
    leader = coder.pick(range(1, seats + 1), [1] * seats, None if setup is None else setup.leader)
    loot = None
    if "R" in deck and coder.pick(
        (False, True), (1, 1), None if setup is None else setup.loot is not None
    ):
        loot = _loot(coder, None if setup is None else setup.loot)
    return Setup(deck, seats, rules, rulings, leader, loot)


def _loot(coder: _Coder, shown: tuple[str, ...] | None) -> tuple[str, ...]:
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


def _told(coder: _Coder, setup: Setup, told: list[bool] | None) -> list[bool]:
    """Whether the record tells each hand and the pile in a tag."""
    if not _flag(coder, None if told is None else any(told)):
        return [False] * (setup.seats + 1)
    return [
        coder.pick((True, False), (7, 1), None if told is None else told[place])
        for place in range(setup.seats + 1)
    ]


def _deal(
    coder: _Coder, setup: Setup, hands: list[list[str]] | None, pile: list[str] | None
) -> tuple[list[list[str]], list[str]]:
    """The hands, in no order, and the pile in its order; each deal is as likely as another."""
    left = Counter({name: COPIES[card(name)] for name in _cards_of(setup.deck)})
    dealt = []
    for seat in range(setup.seats):
        there = Counter(hands[seat]) if hands is not None else None
        hand: list[str] = []
        open_cards, wanting = sum(left.values()), setup.tricks
        for name in sorted(left):
            copies = left[name]
            open_cards -= copies
            numbers = range(copies + 1)
            weights = [
                comb(copies, k) * comb(open_cards, wanting - k) if k <= wanting else 0
                for k in numbers
            ]
            number = coder.pick(numbers, weights, None if there is None else there[name])
            hand += [name] * number
            wanting -= number
        left.subtract(hand)
        dealt.append(hand)
    lying = []
    for place in range(setup.seats * setup.tricks):
        names = sorted(name for name in left if left[name])
        weights = [left[name] for name in names]
        name = coder.pick(names, weights, None if pile is None else pile[place])
        lying.append(name)
        left[name] -= 1
    return [_sorted(hand) for hand in dealt], lying


def _cards_of(deck: str) -> Iterator[str]:
    return (name for name in NAMES if name[0] in deck)


def _play(coder: _Coder, state: State, actions: list[Action] | None) -> None:
    """A complete game whose deal is known: only what somebody chose."""
    chosen = None
    if actions is not None:
        chosen = iter([one for one in actions if one.kind not in ("turn-up", "draw")])
    state.proceed()
    while not state.over:
        action = None if chosen is None else next(chosen, None)
        ended = action is None and chosen is not None
        if ended and state.to_act.kind != "loot":
            raise CodeError("the game is not complete")
        if not _choose(coder, state, action, ended):
            return
        state.proceed()


def _choose(coder: _Coder, state: State, action: Action | None, ended: bool) -> bool:
    """What somebody chose; False if loot's faction was left open."""
    kind, seat = state.to_act
    options = sorted(set(state.choices()))
    if kind == "loot":
        letter = coder.pick([*options, ""], [*[15] * len(options), 1], _wanted(action, ended))
        if letter:
            state.choose_loot(letter)
        return bool(letter)
    if kind == "look":
        take = None if action is None else "leave" if action.card is None else "take"
        state.apply(coder.pick(options, [1] * len(options), take))
        return True
    if kind == "play":
        assert seat is not None
        irregular = _flag(coder, None if action is None else action.irregular)
        if irregular:
            options = sorted(set(state.hand(seat)))
        # People and programs rather play their lowest card, other things being equal.
        lowest = min(VALUE_OF[card(name)] for name in options)
        weights = [2 if VALUE_OF[card(name)] == lowest else 1 for name in options]
        name = coder.pick(options, weights, None if action is None else action.card)
        state.play(name, irregular=irregular)
        return True
    state.apply(coder.pick(options, [1] * len(options), None if action is None else action.card))
    return True


def _wanted(action: Action | None, ended: bool) -> str | None:
    return "" if ended else None if action is None else action.card


def _act(coder: _Coder, state: State, actions: list[Action] | None) -> None:
    """A game of which not all is known, or which was not finished: every action."""
    number = coder.pick(range(_MOST), [1] * _MOST, None if actions is None else len(actions))
    for place in range(number):
        action = None if actions is None else actions[place]
        kind, _ = state.to_act
        options = sorted({*state.choices()})
        if kind == "look":
            how = None if action is None else "leave" if action.card is None else "take"
            if coder.pick(("leave", "take"), (1, 1), how) == "leave":
                state.look(False)
                continue
            options = [UNSEEN, *_cards_of(state.deck)]
            state.look(
                True,
                coder.pick(options, [1] * len(options), None if action is None else action.card),
            )
        elif kind == "play":
            irregular = _flag(coder, None if action is None else action.irregular)
            if irregular:
                options = list(_cards_of(state.deck))
            name = coder.pick(options, [1] * len(options), None if action is None else action.card)
            state.play(name, irregular=irregular)
        elif kind in ("draw", "discard"):
            # Where one is unknown, so are most.
            options = [UNSEEN, *(name for name in options if name != UNSEEN)]
            weights = [len(options), *[1] * (len(options) - 1)]
            state.apply(coder.pick(options, weights, None if action is None else action.card))
        else:
            state.apply(
                coder.pick(options, [1] * len(options), None if action is None else action.card)
            )


def _end(coder: _Coder, game: Game | None) -> tuple[str, str]:
    """How it ended, if that does not follow from the game: result and termination."""
    how = None if game is None else game.tags.get("Termination", "normal").lower()
    usual = [_SURE, *[1] * (len(_TERMINATIONS) - 1)]
    termination = coder.pick(_TERMINATIONS, usual, how)
    if termination == "normal":
        return "*", termination
    result = coder.pick(_RESULTS, [1] * len(_RESULTS), None if game is None else game.result)
    return result, termination
