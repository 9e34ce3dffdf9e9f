"""Play games by policies, and write them as CLM text (docs/notation.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TypedDict, Unpack

from claimlog.cards import CARD_AT, FACTIONS, VALUE_ROOM, all_decks, deck_letters, deck_of
from claimlog.game import Game
from claimlog.notation.writer import canonical
from claimlog.rules.games import game_of
from claimlog.rules.machine import IllegalAction, Kind, Machine, deal, shuffle
from claimlog.rules.outcome import names_of
from claimlog.rules.setup import ADVISED_AGAINST, LOOTING, RULINGS, Setup
from claimlog.simulate.policies import POLICIES, Policy
from claimlog.simulate.view import PolicyView

__all__ = ["LOOT_CARDS", "clm_text", "simulate", "simulate_games", "simulate_records"]

LOOT_CARDS = 5
"""How many Raccoons of a simulated game show loot."""

_OVER = int(Kind.OVER)


def simulate(setup: Setup, policies: Sequence[Policy], rng: Random) -> Machine:
    """Deal and play one game, the policies by seat; return the finished game.

    With four players the first seat of a side chooses for its loot.
    Raises ValueError for another number of policies, `IllegalAction` if a policy returns
    what was not among its choices.
    """
    if len(policies) != setup.seats:
        raise ValueError(f"{setup.seats} seats need as many policies, not {len(policies)}")
    state = Machine(setup, *deal(setup, rng))
    views = [PolicyView(state, seat) for seat in range(setup.seats)]
    while True:
        state.proceed()
        if state.kind == _OVER:
            return state
        choices = state.choices()
        action = choices[0]
        if len(choices) > 1:
            seat = state.actor
            action = policies[seat].choose(views[seat], choices, rng)
            if action not in choices:
                raise IllegalAction(f"the policy of seat {seat + 1} chose {action}")
        state.apply_unchecked(action)


def simulate_games(
    n: int,
    *,
    seats: int = 2,
    deck: str | None = None,
    rules: str = "LE2023",
    rulings: Mapping[str, str] | None = None,
    seed: int = 0,
    policy: str = "greedy",
    tags: Mapping[str, str] | None = None,
    draws: bool = True,
) -> Iterator[Game]:
    """Yield `n` simulated games.

    `deck` are faction letters; None or "random" draws a legal deck for each game, without
    Trolls where LE2023 advises against them.  `policy` is a name from `POLICIES`, or one
    a seat, separated by commas.  `tags` replace those written otherwise or join them.
    With `draws` off hidden cards are left out as nobody at the table sees them.
    A game depends on the arguments and its index alone, not on `n`.
    Raises ValueError for what the rules do not allow and for unknown policies.
    """
    names = policy.split(",")
    if unknown := [name for name in names if name not in POLICIES]:
        raise ValueError(f"no such policy: {unknown[0]!r} (there are {', '.join(POLICIES)})")
    if len(names) == 1:
        names *= seats
    chosen = dict(rulings or {})
    if deck is None or deck == "random":
        decks = all_decks(seats, classic=rules == "Classic")
        if seats > 2 and rules != "Classic":
            decks = [one for one in decks if not one & ADVISED_AGAINST]
    else:
        decks = [deck_of(deck)]
    # Raises what is wrong before the first game.
    Setup(deck_letters(decks[0]), seats, rules, chosen)
    policies: list[Policy] = [POLICIES[name]() for name in names]
    if len(policies) != seats:
        raise ValueError(f"{seats} seats need as many policies, not {len(policies)}")
    header = {"CLM": "1", "Event": "Simulated"}
    for seat, name in enumerate(names, 1):
        header[f"Player{seat}"] = f"{name.capitalize()} {seat}"
    if rules != "LE2023":
        header["Rules"] = rules
    if chosen:
        header["Rulings"] = " ".join(f"{key}={chosen[key]}" for key in RULINGS if key in chosen)
    for index in range(n):
        # A string, for integers would seed -1 and 1 alike.
        rng = Random(f"claimlog {seed} {index}")
        one = decks[int(rng.random() * len(decks))]
        loot: list[int] = []
        if one >> LOOTING & 1:
            loot = [CARD_AT[LOOTING * VALUE_ROOM + value] for value in FACTIONS[LOOTING].values]
            shuffle(loot, rng)
            loot = sorted(loot[:LOOT_CARDS])
        leader = int(rng.random() * seats)
        setup = Setup(
            deck_letters(one), seats, rules, chosen, leader + 1, tuple(names_of(loot)) or None
        )
        state = simulate(setup, policies, rng)
        game = game_of(state, header | dict(tags or {}))
        if not draws:
            _hide(game)
        yield game


def _hide(game: Game) -> None:
    """Leave out what nobody at the table sees."""
    for trick in game.tricks:
        trick.hidden = trick.drawn = None


class _Options(TypedDict, total=False):
    """What `simulate_games` can be told beside the number of games."""

    seats: int
    deck: str | None
    rules: str
    rulings: Mapping[str, str] | None
    seed: int
    policy: str
    tags: Mapping[str, str] | None
    draws: bool


def simulate_records(n: int, *, numbers: bool = True, **options: Unpack[_Options]) -> Iterator[str]:
    """Yield the games of `simulate_games` as canonical CLM text, each ending with a line break.

    `numbers` off leaves out the numbers of the tricks, which the canonical form has.
    """
    for game in simulate_games(n, **options):
        yield canonical(game, numbers=numbers)


def clm_text(
    machine: Machine,
    tags: Mapping[str, str] | None = None,
    *,
    draws: bool = True,
    numbers: bool = True,
) -> str:
    """Write a game as canonical CLM text, an unfinished one as far as it has been played.

    Adds the tags that follow from the game, unless `tags` has them
    (`claimlog.rules.games.game_of`).  `draws` and `numbers` are those of `simulate_records`.
    """
    game = game_of(machine, tags)
    if not draws:
        _hide(game)
    return canonical(game, numbers=numbers)
