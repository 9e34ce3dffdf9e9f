"""`claimlog validate`: prove records legal, or say where and why they are not."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .files import find_files, quiet_pipe, read_errors, say, why

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from claimlog.notation.problems import Problem
    from claimlog.replay.validate import GameReport, Validator


class Format(StrEnum):
    """How problems are printed."""

    text = "text"
    json = "json"
    github = "github"


def validate(
    files: Annotated[
        list[str],
        typer.Argument(help="Files, folders (searched for *.clm), or - for standard input."),
    ],
    format: Annotated[
        Format, typer.Option("--format", "-f", help="How to print what is found.")
    ] = Format.text,
    summary: Annotated[
        bool, typer.Option("--summary", help="Only totals and a count of each problem.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings are errors.")] = False,
    suggest: Annotated[
        bool,
        typer.Option(
            "--suggest",
            help="Look for the mending card in every failing game, not only in the first 20.",
        ),
    ] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=0, help="Processes; 0: one for each core.")
    ] = 0,
) -> None:
    """Check that records are legal games.

    Exit codes: 0 all valid, 1 some invalid, 2 a file could not be read or a wrong call.
    """
    from claimlog.replay.validate import SUGGESTIONS, Validator

    unread = False
    with Validator(
        jobs=jobs,
        everything=format is Format.json and not summary,
        summary=summary,
        strict=strict,
        suggestions=1 << 60 if suggest else 0 if summary else SUGGESTIONS,
    ) as validator:
        try:
            with _progress(files) as progress:
                for path in find_files(files):
                    if not _validate_file(validator, path, format, progress):
                        unread = True
            _print_end(validator, format, summary)
            sys.stdout.flush()
        except BrokenPipeError:
            quiet_pipe()
        except KeyboardInterrupt:
            say("interrupted")
            raise SystemExit(130) from None
    raise SystemExit(2 if unread else 1 if validator.invalid else 0)


def _validate_file(
    validator: Validator,
    path: str,
    format: Format,
    progress: Callable[[int], None] | None,
) -> bool:
    """Validate one file; return whether it could be read to its end."""
    from claimlog.notation.reader import open_games, plain_file

    printers = {Format.text: _print_text, Format.json: _print_json, Format.github: _print_github}
    name = "<stdin>" if path == "-" else path
    try:
        with open_games(path) as stream:
            for report in validator.validate(stream.read, progress, plain_file(stream)):
                printers[format](name, report)
    except BrokenPipeError:
        raise
    except read_errors() as error:
        sys.stdout.flush()
        say(f"{name} cannot be read: {why(error)}")
        return False
    return True


@contextmanager
def _progress(files: list[str]) -> Iterator[Callable[[int], None] | None]:
    """A progress bar on standard error, if that is a terminal and the work is long."""
    import os

    sizes = [os.path.getsize(p) for p in find_files(files) if p != "-" and os.path.isfile(p)]
    packed = any(p.endswith((".gz", ".zst")) for p in find_files(files))
    if not sys.stderr.isatty() or sum(sizes) < 50_000_000 or packed or "-" in files:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    with Progress(
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task("", total=sum(sizes))
        yield lambda size: bar.advance(task, size)


def _print_text(name: str, report: GameReport) -> None:
    for problem in report.problems:
        print(
            f"{name}:{problem.line}:{problem.column}: "
            f"{problem.severity}: {problem.code}: {problem.message}"
        )
        source = report.source.get(problem.line, "")
        if source.strip():
            shown, column, width = _window(source, problem)
            print(f"    {shown}\n    {' ' * column}{'^' * width}")


def _window(source: str, problem: Problem, width: int = 100) -> tuple[str, int, int]:
    """The part of a source line around a problem, with its place and length in that."""
    column = problem.column - 1
    start = max(0, column - width // 2) if len(source) > width else 0
    shown = "".join(c if c.isprintable() else " " for c in source[start : start + width])
    place = column - start
    length = max(1, min(problem.end_column - problem.column, len(shown) - place))
    return shown, place, length


def _print_json(name: str, report: GameReport) -> None:
    print(json.dumps(report.report(name), ensure_ascii=False, separators=(",", ":")))


def _print_github(name: str, report: GameReport) -> None:
    for problem in report.problems:
        place = (
            f"file={_property(name)},line={problem.line},"
            f"col={problem.column},endColumn={problem.end_column}"
        )
        print(f"::{problem.severity} {place},title={problem.code}::{_data(problem.message)}")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _print_end(validator: Validator, format: Format, summary: bool) -> None:
    totals: dict[str, Any] = {
        "games": validator.games,
        "valid": validator.games - validator.invalid,
        "invalid": validator.invalid,
        "complete": validator.completes,
        "with_warnings": validator.warned,
    }
    codes = dict(sorted(validator.codes.items(), key=lambda item: (-item[1], item[0])))
    if format is Format.json:
        if summary:
            print(json.dumps(totals | {"codes": codes}))
    elif format is Format.text:
        for name, number in totals.items() if summary else ():
            print(f"{name.replace('_', ' '):15}{number:>12,}")
        for code, number in codes.items() if summary else ():
            print(f"  {code:24}{number:>12,}")
        if not summary:
            games = f"{validator.games:,} game{'' if validator.games == 1 else 's'}"
            warned = f", {validator.warned:,} with warnings" if validator.warned else ""
            print(f"{games}, {validator.invalid:,} invalid{warned}")
