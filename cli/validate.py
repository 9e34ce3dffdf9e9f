"""`claimlog validate`: prove records legal, or report where and why they are not."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from claimlog.language import LANGUAGES
from claimlog.notation.reader import find_files
from claimlog.objects import is_object

from .archive.completing import games_or_files
from .archive.opening import Db
from .archive.stored import NeitherError, open_source, source
from .files import Fix, Yes, quiet_pipe, read_errors, say, tell
from .language import amount, current_words, language, said, tr, tr_count
from .spreading import Cluster, spread_over

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from claimlog.game import Problem
    from claimlog.replay.game_report import GameReport
    from claimlog.replay.slip import Slip
    from claimlog.replay.validate import Validator
    from claimlog.spread import Spread


class Format(StrEnum):
    """The output format."""

    text = "text"
    json = "json"
    github = "github"


def validate(
    files: Annotated[
        list[str],
        typer.Argument(
            help="Files, folders (searched for *.clm), both also in S3 (s3://bucket/folder/), ids "
            "of stored games, or - for standard input.",
            autocompletion=games_or_files,
        ),
    ],
    format: Annotated[
        Format, typer.Option("--format", "-f", help="The format of the report.")
    ] = Format.text,
    summary: Annotated[
        bool, typer.Option("--summary", help="Only totals and a count of each problem.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Treat warnings as errors.")] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Also show the problems that follow from a slip.")
    ] = False,
    fix: Fix = False,
    yes: Yes = False,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=0, help="The number of processes; 0: one per core.")
    ] = 0,
    cluster: Cluster = None,
    db: Db = None,
) -> None:
    """Check that records are legal games.

    Exit codes: 0 all valid, 1 some invalid, 2 a file could not be read or the call was wrong.
    """
    from claimlog.replay.validate import Validator

    words = current_words()
    unread = False
    if fix:
        from .fixing import fix_files

        unread = not fix_files(files, yes=yes)
    with (
        spread_over(cluster) as spread,
        Validator(
            jobs=jobs,
            everything=format is Format.json and not summary,
            summary=summary,
            strict=strict,
            slips=not summary,
            language=language() if format is Format.text else LANGUAGES[0],
        ) as validator,
    ):
        try:
            with _progress(files) as progress:
                for path in find_files(files):
                    try:
                        text = source(path, db, words)
                    except NeitherError as error:
                        sys.stdout.flush()
                        say(str(error))
                        unread = True
                        continue
                    if not _validate_file(validator, text, format, progress, everything, spread):
                        unread = True
            _print_end(validator, format, summary)
            sys.stdout.flush()
        except BrokenPipeError:
            quiet_pipe()
        except KeyboardInterrupt:
            say(tr("interrupted"))
            raise SystemExit(130) from None
    raise SystemExit(2 if unread else 1 if validator.invalid else 0)


def _validate_file(
    validator: Validator,
    path: str,
    format: Format,
    progress: Callable[[int], None] | None,
    everything: bool,
    spread: Spread | None,
) -> bool:
    """Validate one file; return whether it could be read completely."""
    from claimlog.notation.reader import plain_file

    printers = {Format.text: _print_text, Format.json: _print_json, Format.github: _print_github}
    name = "<stdin>" if path == "-" else path
    games = validator.games
    try:
        with open_source(path) as stream:
            reports = (
                validator.validate_far(stream, spread, progress)
                if spread
                else validator.validate(stream.read, progress, plain_file(stream))
            )
            for report in reports:
                printers[format](name, report, everything)
        if validator.games == games:
            sys.stdout.flush()
            say(tr("{file} contains no games", file=name))
    except BrokenPipeError:
        raise
    except read_errors() as error:
        sys.stdout.flush()
        say(tr("{file} cannot be read: {why}", file=name, why=said(error)))
        return False
    return True


@contextmanager
def _progress(files: list[str]) -> Iterator[Callable[[int], None] | None]:
    """Show a progress bar on standard error, if that is a terminal and the work takes long."""
    total = 0
    # Avoid listing files in S3 twice.
    if sys.stderr.isatty() and not any(path == "-" or is_object(path) for path in files):
        paths = list(find_files(files))
        if not any(path.endswith((".gz", ".zst")) for path in paths):
            total = sum(os.path.getsize(path) for path in paths if os.path.isfile(path))
    if total < 50_000_000:
        yield None
        return
    from time import monotonic

    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    with Progress(
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        auto_refresh=False,  # no thread: this process is about to be forked
    ) as bar:
        task = bar.add_task("", total=total)
        shown = 0.0

        def advance(size: int) -> None:
            nonlocal shown
            bar.advance(task, size)
            if monotonic() > shown + 0.1:
                bar.refresh()
                shown = monotonic()

        yield advance


def _print_text(name: str, report: GameReport, everything: bool) -> None:
    """Print a game's slip and the problems that do not follow from it, or all its problems."""
    problems = report.problems
    if slip := report.slip:
        what = f"{current_words()('slip')}: {slip.kind}: {slip.message}"
        tell(f"{name}:{slip.line}:{slip.column}: {what}")
        _print_source(report, slip)
        if not everything:
            problems = report.warnings
            print("  " + current_words().count("slip.follows", len(report.errors)))
    folded = follow = 0
    if not everything:
        own = [problem for problem in report.errors if not problem.follows]
        if report.doubtful:
            problems = [*own[:1], *report.warnings]
            folded = len(report.errors) - 1
        elif not report.slip:
            problems = [problem for problem in problems if not problem.follows]
            follow = len(report.errors) - len(own)
    for problem in problems:
        tell(
            f"{name}:{problem.line}:{problem.column}: "
            f"{tr(problem.severity)}: {problem.code}: {problem.message}"
        )
        _print_source(report, problem)
    if folded:
        print("  " + current_words().count("slip.more", folded))
    if follow:
        print("  " + current_words().count("problem.follows", follow))
    if report.failure:
        print("  " + current_words()("slip.failed", why=report.failure))


def _print_source(report: GameReport, place: Problem | Slip) -> None:
    source = report.source.get(place.line, "")
    if source.strip():
        shown, column, width = _window(source, place)
        print(f"    {shown}\n    {' ' * column}{'^' * width}")


def _window(source: str, problem: Problem | Slip, width: int = 100) -> tuple[str, int, int]:
    """The part of a source line around a problem, with the problem's position and length in it."""
    column = problem.column - 1
    start = max(0, column - width // 2) if len(source) > width else 0
    shown = "".join(c if c.isprintable() else " " for c in source[start : start + width])
    place = column - start
    length = max(1, min(problem.end_column - problem.column, len(shown) - place))
    return shown, place, length


def _print_json(name: str, report: GameReport, _everything: bool) -> None:
    import json

    print(json.dumps(report.report(name), ensure_ascii=False, separators=(",", ":")))


def _print_github(name: str, report: GameReport, _everything: bool) -> None:
    if slip := report.slip:
        place = f"file={_property(name)},line={slip.line},col={slip.column}"
        print(
            f"::notice {place},endColumn={slip.end_column},title={slip.kind}::{_data(slip.message)}"
        )
    if report.failure:
        what = current_words()("slip.failed", why=report.failure)
        print(f"::notice file={_property(name)},line={report.line}::{_data(what)}")
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
            import json

            print(json.dumps(totals | {"codes": codes}))
    elif format is Format.text:
        for name, number in totals.items() if summary else ():
            print(f"{tr(name.replace('_', ' ')):15}{amount(number):>12}")
        for code, number in codes.items() if summary else ():
            print(f"  {code:24}{amount(number):>12}")
        if not summary:
            parts = [
                tr_count("{number} game", "{number} games", validator.games),
                tr("{number} invalid", number=amount(validator.invalid)),
            ]
            if validator.warned:
                parts.append(tr("{number} with warnings", number=amount(validator.warned)))
            print(", ".join(parts))
