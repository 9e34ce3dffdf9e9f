"""Mistype the codes of many games: none may be read as another game.

Every code is read as its game; then each of its characters is replaced by each other one,
neighbours are swapped, and it is cut off at both ends.  The games are simulated, and written as
people write them.  The lengths of the codes of each kind are also printed.

    cd tests; python -m robust.codes --number 10000
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import count, islice
from random import Random

from links import as_people_write

from claimlog import Game, simulate_games
from claimlog.link import ALPHABET, CodeError, decode, encode
from claimlog.link.choices import content
from claimlog.link.coder import number_of


def games(chance: Random) -> Iterator[tuple[str, Game]]:
    """Endless games of all kinds, each with its origin."""
    for number in count():
        if number % 4 == 0:
            seats = chance.choice([2, 2, 3, 4])
            policy = chance.choice(["random", "greedy"])
            for game in simulate_games(1, seats=seats, policy=policy, seed=chance.getrandbits(32)):
                yield policy, game
        elif (game := as_people_write(chance)) is not None:
            yield "as people write", game


def changed(code: str) -> Iterator[str]:
    """Every mistyped form of a code that is tried here."""
    for at, letter in enumerate(code):
        for other in ALPHABET:
            if other != letter:
                yield code[:at] + other + code[at + 1 :]
        swapped = code[:at] + code[at + 1 : at + 2] + letter + code[at + 2 :]
        if swapped != code:
            yield swapped
        if at:
            yield code[:at]
            yield code[at:]


Lengths = dict[tuple[int, bool, bool, str], list[int]]
"""Lengths of codes by seats, Raccoons in the deck, completeness, and origin of the games."""


def mistyped(chance: Random, number: int, lengths: Lengths | None = None) -> list[str]:
    """Return the faults found in the codes of this number of games."""
    faults = []
    for source, game in islice(games(chance), number):
        code = encode(game)
        if lengths is not None:
            kind = (game.seats, "R" in game.deck, game.complete, source)
            lengths.setdefault(kind, []).append(len(code))
        if content(decode(code)) != content(game):
            faults.append(f"{code} is another game")
        for text in changed(code):
            try:
                number_of(text)
            except CodeError:
                continue
            try:
                decode(text)
            except CodeError:
                continue
            faults.append(f"{code} and {text} are both games")
    return faults


def main() -> None:
    """Try many games, and report the findings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    lengths: Lengths = {}
    faults = mistyped(Random(asked.seed), asked.number, lengths)
    for (seats, raccoons, complete, source), found in sorted(lengths.items()):
        deck = "Raccoons" if raccoons else "no Raccoons"
        extent = "complete" if complete else "unfinished"
        sizes = f"{min(found)} to {max(found)}, median {sorted(found)[len(found) // 2]}"
        print(f"{seats} seats, {deck}, {extent}, {source}: {len(found)} codes of {sizes}")
    print(*faults, f"{asked.number} codes, {len(faults)} faults", sep="\n")
    raise SystemExit(bool(faults))


if __name__ == "__main__":
    main()
