"""Play games by policies, and write them as CLM text (docs/notation.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from claimlog.cards import (
    CARD_AT,
    CARDS,
    LETTERS,
    NAMES,
    RACCOONS,
    TROLLS,
    UNKNOWN,
    all_decks,
    deck_letters,
    deck_of,
)
from claimlog.notation.results import result_of, result_text
from claimlog.notation.writer import tag_lines
from claimlog.rules.setup import RULINGS, Setup, default_rulings
from claimlog.rules.state import IllegalAction, Kind, State, deal, shuffle
from claimlog.simulate.policies import POLICIES, Policy
from claimlog.simulate.view import View

__all__ = ["LOOT_CARDS", "clm_text", "simulate", "simulate_records"]

LOOT_CARDS = 5
"""How many Raccoons of a simulated game show loot."""

_OVER = int(Kind.OVER)
_CARD = [*NAMES, *["_"] * (UNKNOWN + 1 - CARDS)]


def simulate(setup: Setup, policies: Sequence[Policy], rng: Random) -> State:
    """Deal and play one game, the policies by seat; return the finished game.

    With four players the first seat of a side chooses for its loot.
    Raises ValueError for another number of policies, `IllegalAction` if a policy returns
    what was not among its choices.
    """
    if len(policies) != setup.seats:
        raise ValueError(f"{setup.seats} seats need as many policies, not {len(policies)}")
    state = State(setup, *deal(setup, rng))
    views = [View(state, seat) for seat in range(setup.seats)]
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


def simulate_records(
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
    numbers: bool = True,
) -> Iterator[str]:
    """Yield `n` simulated games as canonical CLM text, each ending with a line break.

    `deck` are faction letters; None or "random" draws a legal deck for each game, without
    Trolls where LE2023 advises against them.  `policy` is a name from `POLICIES`, or one
    a seat, separated by commas.  `tags` replace those written otherwise or join them.
    With `draws` off hidden cards are left out as nobody at the table sees them; `numbers`
    off leaves out the numbers of the tricks, which the canonical form has.
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
            decks = [one for one in decks if not one >> TROLLS & 1]
    else:
        decks = [deck_of(deck)]
    Setup(seats, decks[0], rules, chosen)  # raises what is wrong before the first game
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
        if one >> RACCOONS & 1:
            loot = [CARD_AT[RACCOONS * 16 + value] for value in range(14)]
            shuffle(loot, rng)
            loot = sorted(loot[:LOOT_CARDS])
        leader = int(rng.random() * seats)
        setup = Setup(seats, one, rules, chosen, leader, frozenset(loot) if loot else None)
        state = simulate(setup, policies, rng)
        yield clm_text(state, header | dict(tags or {}), draws=draws, numbers=numbers)


def clm_text(
    state: State,
    tags: Mapping[str, str] | None = None,
    *,
    draws: bool = True,
    numbers: bool = True,
) -> str:
    """Write a game as canonical CLM text; of an unfinished one the finished tricks.

    Adds the tags that follow from the game, unless `tags` has them: Deck, Leader,
    LootCards, Loot, Votes and Result, for other seats than two the players, and rules
    and rulings that are not LE2023's own.  `draws` and `numbers` as for
    `simulate_records`.
    """
    setup = state.setup
    result = "*"
    values = _tags_of(state)
    if state.kind == _OVER and state.count is not None:
        winners = sum(1 << side for side in range(setup.sides) if state.count.share[side])
        result = result_text(result_of(setup.sides, winners))
        votes = [str(state.count.votes[side]) for side in range(setup.sides)]
        values["Votes"] = "-".join(votes)
    values["Result"] = result
    values |= tags or {}
    lines = [*tag_lines(values), ""]
    for trick in state.history:
        words = [f"{trick.number}."] if numbers else []
        winning = (trick.winner - trick.leader) % setup.seats
        if trick.phase == 1:
            words.append(",".join([_CARD[card] for card in trick.upcards]) + ":")
        if trick.auto:
            words += [f"-{_CARD[card]}" for card in trick.plays]
        else:
            plays = [_CARD[card] for card in trick.plays]
            plays[winning] += "+"
            for seat in trick.irregular:
                plays[(seat - trick.leader) % setup.seats] += "^"
            words += plays
        if trick.phase == 1:
            drawing = list(trick.ranking)
            if trick.looked:
                hidden = trick.taken[drawing.pop(0)]
                words.append(f"~{_CARD[hidden] if draws else '_'}")
            if trick.picked is not None:
                words.append(f"={_CARD[trick.picked]}")
            drawn = [_CARD[trick.taken[seat]] for seat in drawing[setup.upcards :]]
            if drawn and draws:
                words.append("/" + ",".join(drawn))
        lines.append(" ".join(words))
    lines += [values["Result"], ""]
    return "\n".join(lines)


def _tags_of(state: State) -> dict[str, str]:
    """The tags that follow from the set-up and the choices of a game."""
    setup = state.setup
    values = {
        "CLM": "1",
        "Deck": deck_letters(setup.deck),
        "Leader": str(setup.leader + 1),
    }
    if setup.seats > 2:
        values |= {f"Player{seat + 1}": "?" for seat in range(setup.seats)}
    if setup.rules != "LE2023":
        values["Rules"] = setup.rules
    own = default_rulings(setup.rules)
    if other := [f"{key}={value}" for key, value in setup.rulings.items() if value != own[key]]:
        values["Rulings"] = " ".join(other)
    if setup.loot and setup.deck >> RACCOONS & 1:
        values["LootCards"] = " ".join(NAMES[card] for card in sorted(setup.loot))
    loot = [
        f"{action.seat + 1}={LETTERS[action.card]}"
        for action in state.log
        if action.kind == Kind.LOOT and action.seat is not None and action.card is not None
    ]
    if loot:
        values["Loot"] = " ".join(loot)
    return values
