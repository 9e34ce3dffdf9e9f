"""`claimlog analyse`: what each decision of Phase 2 was worth."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from .archive.completing import Games
from .archive.opening import Db, open_archive, progressing
from .archive.stored import StoredGame, check_view, games_of, name_of, reading, source
from .files import fail, say, tell, write
from .fixing import check_writable
from .language import current_words, said, tr, tr_count
from .spreading import Cluster, spread_over

if TYPE_CHECKING:
    from pathlib import Path

    from claimlog.analysis.story import Story
    from claimlog.evaluation import Analysis, Decision
    from claimlog.game import Game
    from claimlog.language import Words
    from claimlog.solve.search import Search
    from claimlog.store import ArchiveUnreachable


class Format(StrEnum):
    """The output format."""

    text = "text"
    json = "json"


def analyse(
    file: Games = "",
    game: Annotated[
        int | None, typer.Option("--game", "-g", min=1, help="Only this game of the file.")
    ] = None,
    trick: Annotated[
        int | None,
        typer.Option(
            "--trick", "-t", min=1, help="Only this trick, with the value of every legal card."
        ),
    ] = None,
    seat: Annotated[
        int | None, typer.Option("--seat", min=1, max=4, help="Only the decisions of this seat.")
    ] = None,
    format: Annotated[Format, typer.Option("--format", "-f", help="json: one line per game.")] = (
        Format.text
    ),
    effort: Annotated[
        int,
        typer.Option(min=1, help="Search at most this many thousand positions per answer."),
    ] = 10_000,
    annotate: Annotated[
        bool,
        typer.Option("--annotate", help="Write marks and values into the record."),
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="With --annotate: also replace marks set by hand.")
    ] = False,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            help="With --annotate: the file to write instead of the one read; - is standard "
            "output.",
        ),
    ] = None,
    everything: Annotated[
        bool,
        typer.Option(
            "--all",
            help="Analyse all games of the archive that are not analysed yet, and keep the "
            "analyses for the statistics and the server.",
        ),
    ] = False,
    redeals: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=1000,
            help="With --all: how often the followers of Phase 2 are redealt, to tell luck from "
            "skill.",
        ),
    ] = None,
    inexact: Annotated[
        bool,
        typer.Option(
            "--inexact",
            help="With --all: also re-analyse the games whose values are not all exact; give a "
            "larger --effort.",
        ),
    ] = False,
    cluster: Cluster = None,
    db: Db = None,
) -> None:
    """Show which plays of Phase 2 gave something away, by exact search.

    A value is the result with best play by both sides, and the factions that each wins; nothing is
    estimated (docs/analysis.md). ?? changed the result, ? cost a faction, ! was the only card. With
    three players it is what a seat can secure; with three or four only the last tricks have values.
    With --all the effort is per game, and only two-player games count; it can be interrupted, and
    resumes where it stopped.

    Exit codes: 0 all games were analysed, 1 some could not be, or not completely, 2 the file could
    not be read or the call was wrong.
    """
    from claimlog.analysis.decisions import analyse as graded
    from claimlog.solve.search import Search

    say = current_words()
    if everything:
        if file or game or trick or seat or annotate or format is not Format.text:
            fail(
                tr(
                    "--all can be combined only with --effort, --redeals, --inexact, --cluster and "
                    "--db"
                )
            )
        _analyse_archive(db, effort * 1000, redeals, inexact, cluster)
        return
    if not file:
        fail(tr("give a game to analyse, or --all"))
    if cluster is not None or inexact or redeals is not None:
        fail(tr("--redeals, --inexact and --cluster need --all"))
    if (replace or output is not None) and not annotate:
        fail(tr("--replace and --output need --annotate"))
    if annotate and (trick or seat or format is not Format.text):
        fail(
            tr(
                "--annotate writes whole games and cannot be combined with --trick, --seat or "
                "--format"
            )
        )
    code = 0
    search = Search()
    with reading(file, say):
        games = source(file, db, say)
        if annotate:
            if output is None and not isinstance(games, StoredGame) and games != "-":
                check_writable(games)
            raise SystemExit(_annotated(games, game, effort, replace, output, search, say))
        words = None if format is Format.json else say
        number = 0
        for number, record in games_of(games, game, say, words):
            if trick is not None and trick > len(record.tricks):
                tricks = len(record.tricks)
                fail(say.count("no-such-trick", tricks, game=number, wanted=trick))
            check_view(seat, record, number, say)
            analysis = graded(record, effort * 1000, trick=trick, search=search)
            if format is Format.json:
                print(json.dumps(_only(analysis.report(number), seat)))
            else:
                _tell(record, number, analysis, trick, seat, say)
            if not analysis.exact or analysis.problems:
                code = 1
            sys.stdout.flush()
        if not number:
            fail(say("no-game", file=name_of(file)))
    raise SystemExit(code)


def _analyse_archive(
    db: Path | None, total: int, redeals: int | None, inexact: bool, cluster: str | None
) -> None:
    """Analyse games that have not been analysed yet, and report how many there were."""
    from claimlog.store import Archive
    from claimlog.store.analysing import PATIENCE

    def waits(why: ArchiveUnreachable) -> None:
        number = f"{PATIENCE:.0f}"
        say(tr("{why}; waiting up to {number} s for an answer", why=said(why), number=number))

    with (
        open_archive(db, writing=True) as archive,
        spread_over(cluster) as spread,
        progressing(tr("analysing")) as report,
    ):
        if not isinstance(archive, Archive):
            fail(
                tr(
                    "a server is using this archive: stop it first, as only one process can "
                    "write the file"
                )
            )
        number = archive.analyse(
            total=total,
            redeals=redeals,
            inexact=inexact,
            spread=spread,
            report=report,
            waits=waits,
        )
        left = archive.analyses_left_open(redeals=redeals)
    print(tr_count("{number} game analysed", "{number} games analysed", number))
    if left:
        print(
            tr_count(
                "{number} game has values left open and does not count in all statistics: "
                "--all --inexact with a larger --effort",
                "{number} games have values left open and do not count in all statistics: "
                "--all --inexact with a larger --effort",
                left,
            )
        )


def _only(report: dict[str, object], seat: int | None) -> dict[str, object]:
    """A report with the decisions of one seat, or of all."""
    decisions = report["decisions"]
    if seat is not None and isinstance(decisions, list):
        report["decisions"] = [one for one in decisions if one["seat"] == seat]
    return report


def _annotated(
    file: str,
    only: int | None,
    effort: int,
    replace: bool,
    output: str | None,
    search: Search,
    say: Words,
) -> int:
    """Write the games with marks and values; returns the exit code."""
    from claimlog.analysis.decisions import analyse as graded
    from claimlog.analysis.decisions import annotate
    from claimlog.notation.writer import canonical

    code = 0
    texts = []
    for number, record in games_of(file, None, say, say):
        if record.errors:
            place = tr("{file}: game {number}", file=name_of(file), number=number)
            fail(f"{place}: {record.errors[0]}")
        if only in (None, number):
            analysis = graded(record, effort * 1000, lines=False, search=search)
            annotate(record, analysis, replace_marks=replace)
            if not analysis.exact:
                code = 1
        texts.append(canonical(record))
    if not texts:
        fail(say("no-game", file=name_of(file)))
    own = isinstance(file, StoredGame) or file == "-"
    write("-" if output is None and own else output or file, ["\n".join(texts).encode()])
    return code


def _tell(
    game: Game, number: int, analysis: Analysis, trick: int | None, seat: int | None, say: Words
) -> None:
    """Print an analysis in words."""
    from claimlog.analysis.story import Story
    from claimlog.replay.narration import Narrator
    from claimlog.replay.viewpoint import Viewpoint

    story = Story(game, analysis, say)
    title = Narrator(Viewpoint(game, None, say), say).title()
    print(f"{say('game', number=number)} · {title}")
    print()
    if trick is not None and analysis.from_trick is not None:
        _tell_trick(analysis, story, trick, seat, say)
    else:
        for line in story.lines():
            print(line)
        _tell_costly(analysis, story, seat, say)
    if analysis.problems and analysis.why in ("", "errors"):
        if not analysis.why:
            print()
        for problem in analysis.problems:
            tell(str(problem))
    print()


def _tell_costly(analysis: Analysis, story: Story, seat: int | None, say: Words) -> None:
    from claimlog.analysis.decisions import unseen

    rows = [
        (
            str(one.trick),
            story.name(one.seat),
            f"{one.played} {one.mark}",
            ", ".join(one.best),
            story.value(one.before),
            story.value(one.after),
            story.follows(place),
        )
        for place, one in enumerate(analysis.decisions)
        if one in analysis.costly and seat in (None, one.seat)
    ]
    names = ("trick", "seat", "played", "better", "before", "after", "line")
    if rows:
        print()
        _print_table([tuple(say(f"analysis.{name}") for name in names), *rows])
    if analysis.from_trick is None:
        return
    print()
    hidden = unseen(story.game) if analysis.seats == 2 else {}
    for summary in analysis.summaries():
        if seat in (None, summary.seat):
            name = story.name(summary.seat)
            line = say.count("analysis.decisions", summary.decisions, name=name, kept=summary.kept)
            if summary.results:
                line += say.count("analysis.lost.result", summary.results)
            if summary.factions:
                line += say.count("analysis.lost.faction", summary.factions)
            print(line)
            if number := hidden.get(summary.seat):
                print(f"  {say.count('analysis.unknown', number, name=name)}")
    if hidden and not any(hidden.values()):
        print(say("analysis.known"))


def _tell_trick(analysis: Analysis, story: Story, trick: int, seat: int | None, say: Words) -> None:
    """Every legal card of a trick with its value."""
    from claimlog.analysis.decisions import unseen

    if trick < (analysis.from_trick or 0):
        print(say("analysis.no-value", trick=trick, first=analysis.from_trick))
        return
    hidden = unseen(story.game) if analysis.seats == 2 else {}
    decisions: list[Decision] = [
        one for one in analysis.decisions if one.trick == trick and seat in (None, one.seat)
    ]
    if not decisions:
        print(say("analysis.no-decision", trick=trick))
    for one in decisions:
        print(f"{say('trick', number=trick)}, {story.name(one.seat)}:")
        rows: list[tuple[str, ...]] = [(say("analysis.card"), say("analysis.value"), "")]
        for card, value in one.cards:
            played = f"← {one.mark}" if card == one.played else ""
            rows.append((card, story.value(value), played))
        _print_table(rows)
        if number := hidden.get(one.seat):
            print(say.count("analysis.unknown", number, name=story.name(one.seat)))


def _print_table(rows: list[tuple[str, ...]]) -> None:
    """Print rows in aligned columns; the last column is not padded."""
    from .layout import cells

    widths = [max(cells(row[place]) for row in rows) for place in range(len(rows[0]))]
    for row in rows:
        padded = [
            text + " " * (width - cells(text)) for text, width in zip(row, widths, strict=True)
        ]
        print("  ".join(padded).rstrip())
