"""Poker hands in PHH, written and replayed by PokerKit, which checks each action."""

from __future__ import annotations

import random
import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from common import Corrupted, Format, Inspection, Report, line_with, main, one_by_one, replace_line
from pokerkit import Automation, HandHistory, NoLimitTexasHoldem, State

GAME = NoLimitTexasHoldem(
    (
        Automation.ANTE_POSTING,
        Automation.BET_COLLECTION,
        Automation.BLIND_OR_STRADDLE_POSTING,
        Automation.CARD_BURNING,
        Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
        Automation.HAND_KILLING,
        Automation.CHIPS_PUSHING,
        Automation.CHIPS_PULLING,
    ),
    True,
    0,
    (1, 2),
    2,
)
SEATS = 4


def _hand(rng: random.Random) -> State:
    """Play one hand with random actions."""
    state = GAME([200] * SEATS, SEATS)
    while state.status:
        if state.can_deal_hole():
            state.deal_hole()
        elif state.can_deal_board():
            state.deal_board()
        else:
            chance = rng.random()
            if chance < 0.25 and state.can_complete_bet_or_raise_to():
                low = state.min_completion_betting_or_raising_to_amount or 0
                high = state.max_completion_betting_or_raising_to_amount or 0
                state.complete_bet_or_raise_to(rng.choice([low, min(high, 2 * low)]))
            elif chance < 0.35 and state.can_fold():
                state.fold()
            else:
                state.check_or_call()
    return state


def generate(seed: int) -> Iterator[str]:
    """Yield random no-limit hold'em hands of four players."""
    rng = random.Random(seed)
    random.seed(seed)  # PokerKit shuffles with the module's random generator
    while True:
        state = _hand(rng)
        names = [f"Player {rng.randrange(1000)}" for _ in range(SEATS)]
        history = HandHistory.from_game_state(
            GAME,
            state,
            event="Random hands",
            players=names,
            finishing_stacks=list(state.stacks),
        )
        yield history.dumps()


def join(records: list[str]) -> str:
    """Hands as the numbered tables of a PHHS file."""
    return "\n\n".join(f"[{i + 1}]\n{record}" for i, record in enumerate(records)) + "\n"


def read(path: Path) -> dict[str, Any]:
    """Read and replay all hands, checking every action."""
    games = plays = errors = 0
    with path.open("rb") as file:
        for history in HandHistory.load_all(file):
            state = history.create_state()
            for state, action in history.state_actions:  # noqa: B007
                plays += action is not None
            games += 1
            errors += list(state.stacks) != history.finishing_stacks
    return {"games": games, "plays": plays, "errors": errors}


def inspect(path: Path) -> Inspection:
    """Replay every hand; warnings count, and the final stacks are compared."""
    reports = []
    games = 0
    histories = []
    try:
        with path.open("rb") as file:
            histories = list(HandHistory.load_all(file))
    except Exception as error:
        match = re.search(r"at line (\d+), column (\d+)", str(error))
        line, column = (int(match[1]), int(match[2])) if match else (None, None)
        return Inspection(0, [Report(f"{type(error).__name__}: {error}", None, line, column)])
    for game, history in enumerate(histories):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                *_, (state, _) = history.state_actions
                if state.status:
                    reports.append(Report("the hand is not over", game, ours=True))
                elif list(state.stacks) != history.finishing_stacks:
                    message = f"finishing stacks are {list(state.stacks)}"
                    reports.append(Report(message, game, ours=True))
            except Exception as error:
                reports.append(Report(f"{type(error).__name__}: {error}", game))
        reports += [Report(f"warning: {warning.message}", game) for warning in caught]
        games += 1
    return Inspection(games, reports)


# Corruptions --------------------------------------------------------------------------------


def _edit(text: str, change: Callable[[list[str]], str | None]) -> Corrupted | None:
    """Change the list of actions; `change` returns the word concerned."""
    line = line_with(text, "actions = ")
    actions = re.findall(r"'([^']*)'", text.split("\n")[line])
    word = change(actions)
    if word is None:
        return None
    new = f"actions = [{', '.join(repr(action) for action in actions)}]"
    return Corrupted(replace_line(text, line, new), (line,), word)


def _places(actions: list[str], pattern: str) -> list[int]:
    return [i for i, action in enumerate(actions) if re.search(pattern, action)]


def card_twice(text: str, rng: random.Random) -> Corrupted | None:
    """A card that was dealt before."""

    def change(actions: list[str]) -> str | None:
        boards = _places(actions, "^d db")
        if not boards:
            return None
        card = actions[rng.randrange(SEATS)][-2:]
        k = rng.choice(boards)
        actions[k] = actions[k][:-2] + card
        return card

    return _edit(text, change)


def revoke(text: str, rng: random.Random) -> Corrupted | None:
    """A raise to less than the minimum."""

    def change(actions: list[str]) -> str | None:
        raises = _places(actions, r"cbr \d+")
        if not raises:
            return None
        k = rng.choice(raises)
        actions[k] = re.sub(r"\d+$", "1", actions[k])
        return actions[k]

    return _edit(text, change)


def not_held(text: str, rng: random.Random) -> Corrupted | None:
    """A player shows cards that were dealt to another."""

    def change(actions: list[str]) -> str | None:
        shown = _places(actions, r"sm \w")
        if not shown:
            return None
        k = rng.choice(shown)
        player = int(actions[k][1])
        other = player % SEATS + 1
        actions[k] = f"p{player} sm {actions[other - 1][-4:]}"
        return actions[k]

    return _edit(text, change)


def unknown_card(text: str, rng: random.Random) -> Corrupted | None:
    """A card that does not exist."""

    def change(actions: list[str]) -> str | None:
        boards = _places(actions, "^d db")
        if not boards:
            return None
        k = rng.choice(boards)
        actions[k] = actions[k][:-2] + "1z"
        return "1z"

    return _edit(text, change)


def wrong_result(text: str, rng: random.Random) -> Corrupted | None:
    """Other final stacks than the play gives."""
    line = line_with(text, "finishing_stacks")
    stacks = [int(word) for word in re.findall(r"\d+", text.split("\n")[line])]
    stacks[0], stacks[1] = stacks[0] + 5, stacks[1] - 5
    return Corrupted(replace_line(text, line, f"finishing_stacks = {stacks}"), (line,))


def truncated(text: str, rng: random.Random) -> Corrupted | None:
    """The last actions are missing."""

    def change(actions: list[str]) -> str | None:
        keep = len(actions) * 2 // 3
        if keep <= SEATS:
            return None
        del actions[keep:]
        return actions[-1]

    return _edit(text, change)


def _betting(actions: list[str], rng: random.Random) -> int | None:
    places = _places(actions, r"^p\d (f|cc|cbr)")[:-2]
    return rng.choice(places) if places else None


def missing_play(text: str, rng: random.Random) -> Corrupted | None:
    """One player's action is missing."""

    def change(actions: list[str]) -> str | None:
        k = _betting(actions, rng)
        return None if k is None else actions.pop(k)

    return _edit(text, change)


def extra_play(text: str, rng: random.Random) -> Corrupted | None:
    """An action occurs twice in a row."""

    def change(actions: list[str]) -> str | None:
        k = _betting(actions, rng)
        if k is None:
            return None
        actions.insert(k, actions[k])
        return actions[k]

    return _edit(text, change)


def plays_swapped(text: str, rng: random.Random) -> Corrupted | None:
    """Two actions in a row are swapped."""

    def change(actions: list[str]) -> str | None:
        k = _betting(actions, rng)
        if k is None or not re.match(r"p\d (f|cc|cbr)", actions[k + 1]):
            return None
        actions[k], actions[k + 1] = actions[k + 1], actions[k]
        return actions[k]

    return _edit(text, change)


def junk(text: str, rng: random.Random) -> Corrupted | None:
    """A word that means nothing."""

    def change(actions: list[str]) -> str | None:
        k = _betting(actions, rng)
        if k is None:
            return None
        actions.insert(k, "xyzzy")
        return "xyzzy"

    return _edit(text, change)


def bad_encoding(text: str, rng: random.Random) -> Corrupted | None:
    """A byte that is not UTF-8, in a name."""
    line = line_with(text, "players = ")
    return Corrupted(text.encode().replace(b"['P", b"['\xe9", 1), (line,))


def duplicate_tag(text: str, rng: random.Random) -> Corrupted | None:
    """A field occurs twice, with different values."""
    line = line_with(text, "event = ")
    lines = text.split("\n")
    lines.insert(line + 1, "event = 'Other hands'")
    return Corrupted("\n".join(lines), (line, line + 1), "event")


def broken_tag(text: str, rng: random.Random) -> Corrupted | None:
    """A field without its closing quote."""
    line = line_with(text, "event = ")
    return Corrupted(replace_line(text, line, "event = 'Random hands"), (line,), "event")


def names_swapped(text: str, rng: random.Random) -> Corrupted | None:
    """The players' names are swapped: the record cannot reveal that."""
    line = line_with(text, "players = ")
    names = re.findall(r"'([^']*)'", text.split("\n")[line])
    return Corrupted(replace_line(text, line, f"players = {names[::-1]}"), (line,))


FORMAT = Format(
    ".phhs",
    generate,
    join,
    read,
    one_by_one(inspect),
    {
        "card-twice": card_twice,
        "revoke": revoke,
        "not-held": not_held,
        "unknown-card": unknown_card,
        "wrong-result": wrong_result,
        "truncated": truncated,
        "missing-play": missing_play,
        "extra-play": extra_play,
        "plays-swapped": plays_swapped,
        "bad-encoding": bad_encoding,
        "duplicate-tag": duplicate_tag,
        "broken-tag": broken_tag,
        "junk": junk,
        "names-swapped": names_swapped,
    },
)

if __name__ == "__main__":
    main(FORMAT)
