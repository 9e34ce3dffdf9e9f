"""Hearts with OpenSpiel: a game is one line of action numbers (deal, passing, plays).

OpenSpiel keeps no other records than that list; every action is checked against the legal ones when
it is replayed.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyspiel
from common import Corrupted, Format, Inspection, Report, main, one_by_one

GAME = pyspiel.load_game("hearts")
FIRST_PLAY = 65
"""Before it come one action for the passing direction, 52 for the deal and 12 for passing."""


def generate(seed: int) -> Iterator[str]:
    """Yield random legal games."""
    rng = random.Random(seed)
    while True:
        state = GAME.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        actions = state.history()
        if len(actions) == FIRST_PLAY + 52:  # a game without passing is shorter
            yield " ".join(map(str, actions))


def join(records: list[str]) -> str:
    """One line for each."""
    return "\n".join(records) + "\n"


def read(path: Path) -> dict[str, Any]:
    """Replay every game, checking every action."""
    games = plays = errors = 0
    with path.open(encoding="utf-8") as file:
        for line in file:
            state = GAME.new_initial_state()
            apply = state.apply_action_with_legality_check
            actions = line.split()
            for action in actions:
                apply(int(action))
            games += 1
            plays += len(actions)
            errors += not state.is_terminal()
    return {"games": games, "plays": plays, "errors": errors}


def _quietly(path: Path) -> Inspection:
    reports = []
    games = 0
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        return Inspection(0, [Report(f"UnicodeDecodeError: {error}")])
    for number, line in enumerate(lines):
        state = GAME.new_initial_state()
        action = ""
        column = 1
        try:
            for action in line.split(" "):
                state.apply_action_with_legality_check(int(action))
                column += len(action) + 1
            if not state.is_terminal():
                reports.append(Report("not a terminal state", number, number + 1, ours=True))
        except (ValueError, pyspiel.SpielError) as error:
            # The message continues with the state so far, which is not needed.
            message = str(error).split(": Serialized state", 1)[0].replace("\n", " ")
            reports.append(Report(message, number, number + 1, column, play=True))
        games += 1
    return Inspection(games, reports)


def inspect(path: Path) -> Inspection:
    """Replay with checks; the caller knows the current action and line."""
    # OpenSpiel also writes every exception to the error stream, from C++.
    saved = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        return _quietly(path)
    finally:
        os.dup2(saved, 2)
        os.close(nowhere)
        os.close(saved)


# Corruptions --------------------------------------------------------------------------------


def _changed(actions: list[int | str], word: object) -> Corrupted:
    return Corrupted(" ".join(map(str, actions)), (0,), str(word))


def _actions(text: str) -> list[int | str]:
    return [int(word) for word in text.split()]


def _hand(actions: list[int | str], index: int) -> tuple[list[int], list[int]]:
    """The cards of the player of action `index`, and the legal ones."""
    state = GAME.new_initial_state()
    for action in actions[:index]:
        state.apply_action(int(action))
    player = state.current_player()
    legal = state.legal_actions()
    held = []
    later = state.clone()
    for action in actions[index:]:
        if later.current_player() == player:
            held.append(int(action))
        later.apply_action(int(action))
    return held, legal


def _some(rng: random.Random, first: int = 4, last: int = 44) -> int:
    return FIRST_PLAY + rng.randrange(first, last)


def card_twice(text: str, rng: random.Random) -> Corrupted | None:
    """A card that was played before."""
    actions = _actions(text)
    index = _some(rng)
    actions[index] = actions[rng.randrange(FIRST_PLAY, index)]
    return _changed(actions, actions[index])


def revoke(text: str, rng: random.Random) -> Corrupted | None:
    """A card of another suit, though the player holds one of the suit led."""
    actions = _actions(text)
    index = _some(rng)
    held, legal = _hand(actions, index)
    wrong = sorted(set(held) - set(legal))
    if not wrong:
        return None
    card = rng.choice(wrong)
    later = actions.index(card, FIRST_PLAY)
    actions[index], actions[later] = card, actions[index]
    return _changed(actions, card)


def not_held(text: str, rng: random.Random) -> Corrupted | None:
    """A card that another player holds; that player plays it later."""
    actions = _actions(text)
    index = _some(rng)
    held, _ = _hand(actions, index)
    later = [int(action) for action in actions[index + 1 :] if action not in held]
    if not later:
        return None
    card = rng.choice(later)
    other = actions.index(card, index)
    actions[index], actions[other] = card, actions[index]
    return _changed(actions, card)


def unknown_card(text: str, rng: random.Random) -> Corrupted | None:
    """A number that is not a card."""
    actions = _actions(text)
    actions[_some(rng)] = 77
    return _changed(actions, 77)


def truncated(text: str, rng: random.Random) -> Corrupted | None:
    """The line was cut."""
    actions = _actions(text)[: _some(rng)]
    return _changed(actions, actions[-1])


def _shortened(actions: list[int | str], index: int, count: int) -> Corrupted:
    del actions[index : index + count]
    return _changed(actions, "")


def missing_trick(text: str, rng: random.Random) -> Corrupted | None:
    """Four plays are missing."""
    return _shortened(_actions(text), FIRST_PLAY + 4 * rng.randrange(2, 11), 4)


def missing_play(text: str, rng: random.Random) -> Corrupted | None:
    """One play is missing."""
    return _shortened(_actions(text), _some(rng), 1)


def extra_play(text: str, rng: random.Random) -> Corrupted | None:
    """A play occurs twice in a row."""
    actions = _actions(text)
    index = _some(rng)
    actions.insert(index, actions[index])
    return _changed(actions, actions[index])


def plays_swapped(text: str, rng: random.Random) -> Corrupted | None:
    """Two plays of one trick are swapped; each card is then played by the other player."""
    actions = _actions(text)
    index = FIRST_PLAY + 4 * rng.randrange(1, 11) + rng.randrange(3)
    actions[index], actions[index + 1] = actions[index + 1], actions[index]
    return _changed(actions, actions[index])


def junk(text: str, rng: random.Random) -> Corrupted | None:
    """A word that means nothing."""
    actions = _actions(text)
    actions.insert(_some(rng), "xyzzy")
    return _changed(actions, "xyzzy")


def bad_encoding(text: str, rng: random.Random) -> Corrupted | None:
    """A byte that is not UTF-8."""
    actions = _actions(text)
    actions.insert(_some(rng), "@")
    return Corrupted(" ".join(map(str, actions)).encode().replace(b"@", b"\xe9"), (0,))


FORMAT = Format(
    ".txt",
    generate,
    join,
    read,
    one_by_one(inspect),
    {
        "card-twice": card_twice,
        "revoke": revoke,
        "not-held": not_held,
        "unknown-card": unknown_card,
        "truncated": truncated,
        "missing-trick": missing_trick,
        "missing-play": missing_play,
        "extra-play": extra_play,
        "plays-swapped": plays_swapped,
        "bad-encoding": bad_encoding,
        "junk": junk,
    },
)

if __name__ == "__main__":
    main(FORMAT)
