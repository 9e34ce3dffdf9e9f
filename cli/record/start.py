"""What is agreed before a game is recorded: taken from the options, otherwise asked for."""

from __future__ import annotations

import sys
from datetime import datetime
from functools import partial
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import typer

from claimlog.cards import (
    CARD_NAMES,
    FACTIONS,
    LETTERS,
    PAIRS,
    DeckError,
    deck_letters,
    deck_of,
    deck_problem,
    tens_in_deck,
)
from claimlog.recording import Recording
from claimlog.rules.setup import LOOTING, MAX_SEATS, RULE_SETS, RULINGS, Setup
from claimlog.state import State

from ..language import current_words, said, tr

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Knowing: TypeAlias = Callable[[str, str], list[str]]

T = TypeVar("T")
BACK: Final = "-"
"""The answer that goes back to the question before."""


class Back(Exception):  # noqa: N818 — an answer, not an error
    """The question before is to be asked again."""


class Questions:
    """The questions so far, with what the answers gave.

    To go back, all is gone through again from the beginning: answers that stand are not asked for.
    """

    def __init__(self) -> None:
        self._answers: list[Any] = []
        self._at = 0
        self._told = False

    def step(self, ask: Callable[[], T], *, told: bool = False) -> T:
        """Return what `ask` returns, or returned when it was last asked; it may raise `Back`.

        The first question after another says how to go back, unless it is `told` anyway.
        """
        if self._at == len(self._answers):
            if self._answers and not (self._told or told):
                typer.echo(tr("  (-: back to the question before)"))
                self._told = True
            self._answers.append(ask())
        self._at += 1
        answer: T = self._answers[self._at - 1]
        return answer

    def answered(self, agree: Callable[[Questions], T]) -> T:
        """Return what `agree` returns, which asks its questions here."""
        while True:
            self._at = 0
            try:
                return agree(self)
            except Back:
                if self._answers:
                    self._answers.pop()
                else:
                    typer.echo(tr("  There is no question before this one."))


class Options(NamedTuple):
    """The values of the options; those that are None or empty are asked for."""

    players: list[str]
    event: str | None = None
    round: str | None = None
    table: str | None = None
    deck: str | None = None
    rules: str | None = None
    rulings: tuple[str, ...] = ()
    leader: int | None = None
    loot: str | None = None
    hands: bool = False
    recorder: str | None = None


def nobody_known(kind: str, text: str) -> list[str]:
    """The names known without an archive."""
    return []


def now() -> str:
    """The local time, in the format of the tags Start and End."""
    return datetime.now().astimezone().replace(microsecond=0).isoformat()


def start(options: Options, known: Knowing = nobody_known) -> State:
    """The table before the first card.

    Names that `known` returns for a player or an event are suggested.  An impossible answer is
    reported, and the question repeated.  Raises ValueError for an impossible option, before
    anything is asked.
    """
    rulings = _rulings(options.rulings)
    _check(options, rulings)
    return Questions().answered(lambda questions: _agreed(options, rulings, known, questions))


def _agreed(
    options: Options, rulings: dict[str, str], known: Knowing, questions: Questions
) -> State:
    """The table: what the options leave open is asked for."""
    step = questions.step

    def tag(value: str | None, question: str) -> str:
        return step(lambda: _asked(question, str, "")) if value is None else _tidy(value)

    def named(kind: str, given: str | None, question: str) -> str:
        if given is not None:
            return _suggested(kind, _tidy(given), known, step)
        return step(lambda: _suggested(kind, _typed(kind, question, "", known), known))

    tags = {
        "Event": named("event", options.event, tr("Event (Enter: none)")),
        "Round": tag(options.round, tr("Round (Enter: none)")),
        "Table": tag(options.table, tr("Table (Enter: none)")),
        "Recorder": _tidy(options.recorder or ""),
    }
    players = [named("player", name, "") for name in options.players] or _names(known, questions)
    seats = len(players)
    deck = options.deck or step(lambda: _deck(seats, options.rules == "Classic"))
    setup = Setup(
        deck,
        seats=seats,
        rules=options.rules or _rules(deck, seats, questions),
        rulings=rulings,
        leader=_leader(players, options.leader, questions),
        loot=_loot(deck, options.loot, questions),
    )
    began = now()
    tags |= {"Date": began[:10], "Start": began}
    given = {name: value for name, value in tags.items() if value}
    state = State(setup, players=players, tags=given)
    return _with_hands(state, players, questions) if options.hands else state


def _with_hands(bare: State, players: list[str], questions: Questions) -> State:
    """The table with the hands, which are asked for; a wrong one is asked for again."""
    state, held = bare, dict[int, str]()

    def read(answer: str) -> State:
        hands = held | {len(held) + 1: answer.upper()}
        try:
            return State(bare.setup, players=players, hands=hands, tags=bare.tags)
        except ValueError as error:
            raise ValueError("\n  ".join(_wrong(bare, hands) or [str(error)])) from None

    for seat, player in enumerate(players, 1):
        question = tr("The hand of {name}", name=player)
        if held:
            question = tr(
                "{question} (-: that of {name} was wrong)",
                question=question,
                name=players[seat - 2],
            )
        state = questions.step(partial(_asked, question, read), told=bool(held))
        held[seat] = state.tags[f"Hand{seat}"]
    return state


def _wrong(state: State, hands: dict[int, str]) -> list[str]:
    """What is wrong with hands, in the words of a record's problems."""
    listed = {f"Hand{seat}": hand for seat, hand in hands.items()}
    record = Recording(State(state.setup, tags=listed))
    return [one.message for one in record.problems(current_words()) if one.severity == "error"]


def _check(options: Options, rulings: dict[str, str]) -> None:
    """Raise ValueError for options that are impossible, whatever the answers."""
    if options.rules and options.rules not in RULE_SETS:
        raise ValueError(tr("--rules must be {names}", names=tr(" or ").join(RULE_SETS)))
    loot = None if options.loot is None else _raccoons(options.loot)
    if options.players and (options.leader or 1) > len(options.players):
        raise ValueError(tr("a seat is 1 to {number}", number=len(options.players)))
    if options.deck is None:
        return
    every = range(2, MAX_SEATS + 1)
    for seats in [len(options.players)] if options.players else every:
        try:
            Setup(
                options.deck,
                seats=seats,
                rules=options.rules or RULE_SETS[0],
                rulings=rulings,
                loot=loot,
            )
        except DeckError as error:
            if options.players or seats == MAX_SEATS:
                raise ValueError(said(error)) from None
        else:
            return


def _asked(question: str, read: Callable[[str], T], default: str | None = None) -> T:
    """Ask until the answer is valid; `read` raises ValueError, with the reason.  May raise Back."""
    while True:
        answer = _tidy(typer.prompt(question, default=default, show_default=bool(default)))
        if answer == BACK:
            raise Back
        try:
            return read(answer)
        except ValueError as error:
            typer.echo(f"  {said(error)}")


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _suggested(
    kind: str, name: str, known: Knowing, step: Callable[[Callable[[], str]], str] | None = None
) -> str:
    """A name; if the archive spells it differently, that is suggested, as a step of its own."""
    near = known(kind, name) if len(name) > 1 else []
    if not near or name in near:
        return name
    names = ", ".join(near)
    question = tr("  In the archive: {names} (-: {name}, as typed)", names=names, name=name)

    def ask() -> str:
        try:
            return _asked(question, str, near[0])
        except Back:
            return name

    return ask() if step is None else step(ask)


def _typed(kind: str, question: str, default: str, known: Knowing) -> str:
    """Ask a question; where lines can be edited, Tab completes the answer."""
    try:
        import readline
    except ImportError:
        return _asked(question, str, default)
    if not sys.stdin.isatty():
        return _asked(question, str, default)
    names: list[str] = []

    def complete(text: str, state: int) -> str | None:
        nonlocal names
        if state == 0:
            names = known(kind, text) if text.strip() else []
        return names[state] if state < len(names) else None

    readline.set_completer_delims("")
    readline.set_completer(complete)
    readline.parse_and_bind("tab: menu-complete")
    try:
        # Not typer's: a line can only be redrawn by the code that wrote its start.
        answer = _tidy(input(f"{question}{f' [{default}]' if default else ''}: ") or default)
    except (EOFError, KeyboardInterrupt):
        raise typer.Abort from None
    finally:
        readline.set_completer(None)
    if answer == BACK:
        raise Back
    return answer


def _names(known: Knowing, questions: Questions) -> list[str]:
    """The players, as many as are entered."""
    players: list[str] = []
    while len(players) < MAX_SEATS:
        seat = len(players) + 1
        more = tr("Seat {number}", number=seat)
        question = more if seat <= 2 else tr("{seat} (Enter: no more players)", seat=more)
        default = "?" if seat <= 2 else ""

        def ask(question: str = question, default: str = default) -> str:
            return _suggested("player", _typed("player", question, default, known), known)

        name = questions.step(ask)
        if not name:
            break
        players.append(name)
    return players


def _deck(seats: int, classic: bool) -> str:
    """Ask for the deck, listing the factions."""

    def read(letters: str) -> str:
        deck = deck_of(letters.replace(" ", "").replace(",", ""))
        if problem := deck_problem(deck, seats, classic=classic):
            raise problem
        return deck_letters(deck)

    usable = [faction for faction in FACTIONS if faction.classic or not classic]
    tens = [faction.letter for faction in usable if not faction.pair]
    for pair in PAIRS:
        if all(any(faction.letter == letter for faction in usable) for letter in pair):
            typer.echo("  " + _listed(pair))
    # Keep each letter with its name.
    others = _listed(tens).replace(", ", ",").replace(" ", "\N{NO-BREAK SPACE}").replace(",", ", ")
    text = tr("and {number} of: {factions}", number=tens_in_deck(seats), factions=others)
    width = get_terminal_size().columns - 1
    lines = wrap(text, width, initial_indent="  ", subsequent_indent="    ")
    typer.echo("\n".join(lines).replace("\N{NO-BREAK SPACE}", " "))
    return _asked(tr("The letters of the factions"), read)


def _listed(letters: str | list[str]) -> str:
    """Factions with their letters."""
    return ", ".join(f"{letter} {current_words().faction(letter)}" for letter in letters)


def _rules(deck: str, seats: int, questions: Questions) -> str:
    """The rule set, asked for if the deck leaves a choice."""
    if deck_problem(deck_of(deck), seats, classic=True):
        return RULE_SETS[0]

    def read(answer: str) -> str:
        for name in RULE_SETS:
            if answer.lower() == name.lower():
                return name
        raise ValueError(tr(" or ").join(RULE_SETS))

    question = tr("Rule set, {names}", names=tr(" or ").join(RULE_SETS))
    return questions.step(lambda: _asked(question, read, RULE_SETS[0]))


def _rulings(words: tuple[str, ...]) -> dict[str, str]:
    """Parse rulings, such as ``trolls=line``; raises ValueError."""
    rulings: dict[str, str] = {}
    for word in words:
        key, _, value = word.partition("=")
        if key not in RULINGS or value not in RULINGS[key].values:
            known = ", ".join(f"{key}={'|'.join(one.values)}" for key, one in RULINGS.items())
            raise ValueError(
                tr("there is no ruling {word}; the rulings are {known}", word=word, known=known)
            )
        if rulings.setdefault(key, value) != value:
            raise ValueError(tr("{key} is given twice, and differently", key=key))
    return rulings


def _leader(players: list[str], given: int | None, questions: Questions) -> int:
    """The seat that leads trick 1, asked for if it is not given or not at this table."""

    def read(answer: str) -> int:
        if answer.isdecimal() and 1 <= int(answer) <= len(players):
            return int(answer)
        raise ValueError(tr("a seat is 1 to {number}", number=len(players)))

    if given is not None and given <= len(players):
        return given
    names = ", ".join(f"{seat} {name}" for seat, name in enumerate(players, 1))
    question = tr("Who leads trick 1: {names}", names=names)
    return questions.step(lambda: _asked(question, read, "1"))


def _loot(deck: str, given: str | None, questions: Questions) -> tuple[str, ...] | None:
    """The Raccoons that show loot, None if unknown or without Raccoons."""
    if given is not None:
        return _raccoons(given)
    if not deck_of(deck) >> LOOTING & 1:
        return None
    question = tr("Which Raccoons show loot, as in R2 R5 (Enter: not known, no loot is counted)")
    return questions.step(lambda: _asked(question, _raccoons, "")) or None


def _raccoons(text: str) -> tuple[str, ...]:
    """Parse a list of Raccoons; raises ValueError for other cards."""
    cards = tuple(text.upper().replace(",", " ").split())
    for card in cards:
        if card not in CARD_NAMES or card[0] != LETTERS[LOOTING]:
            raise ValueError(tr("{card} is not a Raccoon; they are R0 to R13", card=card))
    return cards
