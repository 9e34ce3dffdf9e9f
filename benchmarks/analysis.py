"""How long exact values take: a position at the start of Phase 2, and all decisions of a game.

Two-player games with all decks, played by `greedy` policies.  The peer is plain enumeration, which
is feasible only near the end: positions with five cards per hand are given to both.

    python benchmarks/analysis.py [--games 100] [--seed 1]
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import harness

if TYPE_CHECKING:
    import argparse

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

CLAIM = "a position at the start of Phase 2 in 5 ms, all decisions of a game in 50 ms"


def quantile(values: list[float], share: float) -> float:
    """The value below which this share of all values is."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def main() -> None:
    """Time positions and games."""

    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=100, help="number of games")

    options = harness.arguments(__doc__.split("\n")[0], add)
    from robust.endgames import endgame, tried

    from claimlog import State, simulate_games
    from claimlog.analysis.decisions import analyse
    from claimlog.solve.search import Search
    from claimlog.solve.value import Values

    harness.heading(options, {}, CLAIM)
    games = 2 if options.smoke else options.games
    effort = 20_000 if options.smoke else 10_000_000
    search = Search()
    starts, wholes, exact = [], [], 0
    for game in simulate_games(games, seed=options.seed):
        harness.progress(f"{len(wholes)} games")
        state = State.from_game(game, 14)
        begin = time.process_time()
        state.values(effort, search).value()
        starts.append(time.process_time() - begin)
        begin = time.process_time()
        exact += analyse(game, effort, total=effort, lines=False, search=search).exact
        wholes.append(time.process_time() - begin)
    rows = [
        [name, *(f"{quantile(times, share) * 1000:,.1f}" for share in (0.5, 0.9, 0.99, 1))]
        for name, times in (("start of Phase 2", starts), ("all decisions", wholes))
    ]
    harness.table(options, ["processor ms", "median", "90 %", "99 %", "worst"], rows)
    print(
        f"\n{exact} of {len(wholes)} games are exact with at most {effort:,} positions per game.\n"
    )

    chance = random.Random(options.seed)
    ours = theirs = 0.0
    for _ in range(1 if options.smoke else 10):
        machine = endgame(chance, 5)
        while len(machine.hands[0]) + len(machine.hands[1]) < 10:
            machine = endgame(chance, 5)
        begin = time.process_time()
        Values(machine, search=search).value()
        ours += time.process_time() - begin
        begin = time.process_time()
        tried(machine)
        theirs += time.process_time() - begin
    times = f"{theirs / ours:,.0f} times"
    print(f"Endgames of five cards a hand: enumeration takes {times} as long.")


if __name__ == "__main__":
    main()
