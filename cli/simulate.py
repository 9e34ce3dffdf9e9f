"""`claimlog simulate`: legal games, played by policies."""

from __future__ import annotations

from typing import Annotated

import typer

from .files import fail, quiet_pipe, write
from .language import said, tr


def simulate(
    number: Annotated[int, typer.Option("--number", "-n", min=1, help="How many games.")] = 1,
    seats: Annotated[int, typer.Option(min=2, max=4, help="Players at the table.")] = 2,
    deck: Annotated[
        str, typer.Option(help="Faction letters, as in GKUWX; random: a new deck for each game.")
    ] = "random",
    rules: Annotated[str, typer.Option(help="The rule set: LE2023 or Classic.")] = "LE2023",
    ruling: Annotated[
        list[str] | None, typer.Option(help="A ruling, as in trolls=line; repeatable.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = 0,
    policy: Annotated[
        str,
        typer.Option(
            help="random, greedy, expert or perfect; or one for each seat, separated by commas."
        ),
    ] = "greedy",
    output: Annotated[
        str, typer.Option("--output", "-o", help="The file to write; - is standard output.")
    ] = "-",
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=0, help="The number of processes; 0: one per core.")
    ] = 0,
) -> None:
    """Write simulated games in canonical form.

    Exit codes: 0 done, 2 the call was wrong or the output could not be written.
    """
    from claimlog.simulate import simulate_blocks

    rulings: dict[str, str] = {}
    for choice in ruling or []:
        key, equals, value = choice.partition("=")
        if not equals:
            fail(tr("a ruling is written key=value, like trolls=line, not {text}", text=choice))
        if rulings.setdefault(key, value) != value:
            fail(tr("{key} is given twice, and differently", key=key))
    try:
        games = simulate_blocks(
            number,
            jobs=jobs,
            seats=seats,
            deck=deck,
            rules=rules,
            rulings=rulings,
            seed=seed,
            policy=policy,
        )
    except ValueError as error:
        fail(said(error))
    try:
        write(output, games)
    except BrokenPipeError:
        quiet_pipe()
