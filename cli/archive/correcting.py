"""`claimlog game correct-all`: correct who played, when and where, in many records at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ..files import fail
from ..language import tr, tr_count
from .filters import filtered
from .opening import By, Db, open_archive
from .tables import Column, Form, Look, show, tabled

if TYPE_CHECKING:
    from claimlog.store import Filter
    from claimlog.store.model.types import Correction

Pairs = Annotated[
    list[str] | None,
    typer.Option("--set", help="A tag and its new value, Site=Bern; repeatable. Site= removes it."),
]
Names = Annotated[
    list[str] | None,
    typer.Option(
        "--rename", help="A wrong name of a player and the right one, Ana=Anna; repeatable."
    ),
]


def _changes(row: Correction) -> str:
    return "; ".join(
        f"{one.tag} {one.before or '-'} \u2192 {one.after or '-'}" for one in row.changes
    )


def _status(row: Correction) -> str:
    if row.problems:
        return row.problems[0].message
    return f"{tr(row.status)} {row.other}" if row.other else tr(row.status)


COLUMNS: list[Column] = [
    Column("id", lambda row: row.id),
    Column("changes", _changes, least=24),
    Column("what", lambda row: row.status, shown=_status),
]


def _pairs(texts: list[str], option: str) -> dict[str, str]:
    made = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            fail(tr("{option} is written NAME=VALUE, not {text}", option=option, text=text))
        made[name.strip()] = value.strip()
    return made


@filtered
@tabled(COLUMNS)
def correct_all(
    filter: Filter,
    look: Look,
    by: By,
    why: Annotated[str, typer.Option("--why", help="Why; recorded with the change.")],
    pairs: Pairs = None,
    names: Names = None,
    beside: Annotated[
        bool, typer.Option("--beside", help="Even if another stored game seems to be the same.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Make the changes; otherwise they are only shown.")
    ] = False,
    db: Db = None,
) -> None:
    """Correct who played, when and where in many records at once: in all of them or in none.

    Exit codes: 0 shown or corrected, 1 something was refused and nothing changed, 2 anything else.
    """
    tags = {tag: value or None for tag, value in _pairs(pairs or [], "--set").items()}
    renamed = _pairs(names or [], "--rename")
    with open_archive(db, writing=True) as archive:
        corrections = archive.correct_games(
            filter, tags=tags, names=renamed, by=by, why=why, dry_run=not yes, beside=beside
        )
    show(corrections.lines, COLUMNS, look, answer=corrections, listed="lines")
    if look.form is Form.table:
        if corrections.refused:
            print(tr("nothing was corrected: {number} refused", number=corrections.refused))
        elif corrections.done:
            print(
                tr_count(
                    "{number} game corrected", "{number} games corrected", corrections.corrected
                )
            )
        else:
            print(tr("nothing was corrected yet; --yes makes the changes"))
    raise SystemExit(1 if corrections.refused else 0)
