"""Start-up: commands for one game begin and end before anybody notices.

Compared with, as whole processes: Python alone, a trivial program with claimlog's version of Typer,
and python-chess, imported and reading one game.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

import harness

GOAL: Final = 0.1
"""Seconds that a command for one game may take on an idle machine."""

TRIVIAL: Final = """
import typer
app = typer.Typer()
@app.command()
def hello(name: str = "you") -> None:
    typer.echo(f"hello {name}")
app()
"""

HEAVY: Final = ("duckdb", "litestar", "uvicorn", "textual", "rich", "asyncio", "concurrent.futures")
"""Modules that no command for one game needs."""


def main() -> None:
    """Run the benchmark."""

    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--no-modules", action="store_true", help="do not count modules")

    options = harness.arguments(__doc__.split("\n")[0], add)
    rounds = options.rounds or (2 if options.smoke else 21)
    peers = harness.find_peers(options, "chess")
    harness.heading(options, peers, "a command for one game takes less than 100 ms")
    with harness.scratch() as folder:
        game = folder / "one.clm"
        harness.simulate(game, 1, 2, options.seed)
        trivial = folder / "trivial.py"
        trivial.write_text(TRIVIAL)
        commands: dict[str, list[str | Path]] = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "trivial Typer program": [sys.executable, trivial],
            "claimlog --version": harness.claimlog("--version"),
        }
        for words in (
            ["validate", game],
            ["format", game],
            ["replay", game, "--trick", "3"],
            ["--help"],
        ):
            name = " ".join("FILE" if word is game else str(word) for word in words)
            if harness.has_command("" if words[0] == "--help" else str(words[0])):
                commands[f"claimlog {name}"] = harness.claimlog(*words)
            else:
                print(f"claimlog {name}: this claimlog has no such command\n")
        chess = peers["chess"]
        if chess.present and chess.python is not None:
            commands["python -c 'import chess.pgn'"] = [chess.python, "-c", "import chess.pgn"]
            pgn = folder / "one.pgn"
            chess.ask("generate", pgn, "--games", "1")
            code = f"import chess.pgn; chess.pgn.read_game(open({str(pgn)!r}))"
            commands["python-chess, one game"] = [chess.python, "-c", code]
        runs = harness.alternate(
            {name: lambda words=words: harness.run(words) for name, words in commands.items()},
            rounds,
        )
        modules = {} if options.no_modules else count_modules(commands)
    rows = []
    bare = harness.median([run.wall for run in runs["python -c pass"]])
    for name, done in runs.items():
        wall = harness.median([run.wall for run in done])
        rows.append(
            [
                name,
                f"{1000 * wall:.1f}",
                f"{1000 * min(run.wall for run in done):.1f}",
                f"{1000 * harness.median([run.cpu for run in done]):.1f}",
                harness.number(wall / bare) + " ×",
                harness.peak_text([run.peak for run in done]),
                modules.get(name, ""),
            ]
        )
    harness.title(options, f"Whole processes, median of {rounds} alternating rounds")
    head = ["command", "ms", "best ms", "CPU ms", "bare Python", "peak MB", "modules"]
    harness.table(options, head, rows)
    for name, done in runs.items():
        if name.startswith("claimlog") and "--help" not in name:
            wall = harness.median([run.wall for run in done])
            text = f"{1000 * GOAL:.0f} ms for {name}"
            harness.goal(options, text, wall < GOAL, f"{1000 * wall:.0f} ms")


def count_modules(commands: dict[str, list[str | Path]]) -> dict[str, str]:
    """Return how many modules each Python program imports, and which heavy ones."""
    counts = {}
    for name, words in commands.items():
        done = harness.run([*words], env={"PYTHONPROFILEIMPORTTIME": "1"})
        lines = done.err.decode(errors="replace").splitlines()
        names = {
            line.rsplit("|", 1)[-1].strip() for line in lines if line.startswith("import time")
        }
        heavy = [module for module in HEAVY if module in names]
        counts[name] = f"{len(names)}{' with ' + ', '.join(heavy) if heavy else ''}"
    return counts


if __name__ == "__main__":
    main()
