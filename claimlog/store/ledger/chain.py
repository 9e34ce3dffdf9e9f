"""The chain, which proves that nothing in the ledger has been changed.

Each revision has a checksum of its contents.  A link of the chain hashes either the checksums of
all revisions added since the previous link, or one decision, together with the previous link's
*head*.  So the last head stands for everything before it, and a head that was noted elsewhere
proves that everything up to it is unchanged; without one, whoever can write into the tables can
also rebuild the chain.

The SQL is valid in both DuckDB and PostgreSQL, except for the parts in a `Dialect`.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from datetime import datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from claimlog.store.backend import now
from claimlog.store.model.errors import BadQuery

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from claimlog.store.backend import LedgerCursor
    from claimlog.store.model.faults import Faults

    Rows = Callable[[str], Iterator[list[tuple[Any, ...]]]]
    """Runs a query and yields the rows of the result in pieces."""

SIZE: Final = 16
"""The size of a checksum and of a head in bytes: the first ones of a SHA-256."""

MANY: Final = 20_000
"""The approximate number of revisions per link, unless one transaction brought more."""

_BEGINNING: Final = datetime(1970, 1, 1)
_MICROSECOND: Final = timedelta(microseconds=1)
_COLUMNS: Final = "link, stored_at, what, until, entries, checksum, head"

_NOTED: Final = re.compile(rf"([0-9]{{1,18}})-([0-9a-f]{{{2 * SIZE}}})")


class Link(NamedTuple):
    """A link of the chain, a row of its table.

    `what`: "records", or the kind of the decision (`DECISIONS`).  Revisions with a mark below
    `until` are in this link or an earlier one; `entries` is the number of revisions in this one.
    """

    link: int
    stored_at: datetime
    what: str
    until: int
    entries: int
    checksum: bytes
    head: bytes

    @property
    def when(self) -> str:
        """The time, for people."""
        return f"{self.stored_at:%Y-%m-%d %H:%M}"

    @property
    def noted(self) -> str:
        """The head in the form in which it is shown, and noted."""
        return f"{self.link}-{self.head.hex()}"


NONE: Final = Link(0, _BEGINNING, "", 0, 0, b"", b"")
"""The predecessor of the first link."""

DECISIONS: Final = {
    "merges": "SELECT alias, player, stored_at, who, why FROM merges",
    "merges_undone": "SELECT alias, player, stored_at, undone_at, undone_by, undone_why "
    "FROM merges WHERE undone_at IS NOT NULL",
    "event_merges": "SELECT alias, event, stored_at, who, why FROM event_merges",
    "event_merges_undone": "SELECT alias, event, stored_at, undone_at, undone_by, undone_why "
    "FROM event_merges WHERE undone_at IS NOT NULL",
    "event_names": "SELECT event, name, stored_at, who, why FROM event_names",
    "event_settings": "SELECT event, tiebreaks, stored_at, who FROM event_settings",
    "acts": "SELECT event, number, stored_at, who, why, act FROM acts",
}
"""By kind: a query for the decisions as linked; the first column is the player's or event's id."""

TABLES: Final = (
    *("records", "chain", "merges", "event_merges", "event_names", "event_settings", "acts"),
)
"""The tables that the chain covers."""


# Checksums ---------------------------------------------------------------------------------


def _hash(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()[:SIZE]


def _written(value: Any) -> str:
    """A value in the form in which it is hashed."""
    match value:
        case None:
            return "-"
        case datetime():
            return str((value - _BEGINNING) // _MICROSECOND)
        case bytes():
            return value.hex()
        case str():
            return f"{len(value.encode())}:{value}"
        case list():
            return f"{len(value)}[{' '.join(map(_written, value))}]"
    return str(int(value))


def checksum(*values: Any) -> bytes:
    """The checksum of values: numbers, texts, times, bytes, lists of these, or None."""
    return _hash(" ".join(map(_written, values)).encode())


def checksum_of(
    game: int,
    gid: int,
    revision: int,
    digest: bytes | None,
    stored_at: datetime,
    who: str,
    why: str,
    source: str,
    deleted: bool,
) -> bytes:
    """The checksum of a revision; `digest` stands for its record."""
    return checksum(game, gid, revision, digest or b"", stored_at, deleted, who, why, source)


class Dialect(NamedTuple):
    """SQL for the checksum of a row of `records`, computed from its other columns."""

    checksum: str


def _dialect(moment: str, digest: str, length: str, hashed: str) -> Dialect:
    numbers = ("game", "gid", "revision", digest, moment, "deleted::INTEGER")
    parts = [f"({one})::VARCHAR" for one in numbers]
    parts += [f"{length}({one})::VARCHAR, ':', {one}" for one in ("who", "why", "source")]
    return Dialect(hashed.format("concat(" + ", ' ', ".join(parts) + ")"))


DUCKDB: Final = _dialect(
    "epoch_us(stored_at)",
    "lower(hex(digest))",
    "strlen",
    f"unhex(substr(sha256({{}}), 1, {2 * SIZE}))",
)
POSTGRES: Final = _dialect(
    "(extract(epoch FROM stored_at) * 1000000)::BIGINT",
    "encode(digest, 'hex')",
    "octet_length",
    f"substring(sha256(convert_to({{}}, 'UTF8')) FROM 1 FOR {SIZE})",
)


# Adding links ------------------------------------------------------------------------------


def _link(row: tuple[Any, ...]) -> Link:
    *rest, both, head = row
    return Link._make([*rest, bytes(both), bytes(head)])


def last(cursor: LedgerCursor) -> Link:
    """The last link."""
    row = cursor.execute(f"SELECT {_COLUMNS} FROM chain ORDER BY link DESC LIMIT 1").fetchone()
    return NONE if row is None else _link(row)


def _following(before: Link, what: str, until: int, entries: int, both: bytes) -> Link:
    link = Link(before.link + 1, now(), what, until, entries, both, b"")
    return link._replace(head=_head(before, link))


def _head(before: Link, link: Link) -> bytes:
    return checksum(before.head, *link[:-1])


def _append(cursor: LedgerCursor, link: Link) -> None:
    cursor.execute(f"INSERT INTO chain ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", list(link))


def link_decision(cursor: LedgerCursor, what: str, *values: Any) -> None:
    """Add a link for a decision; `values` are what `DECISIONS` selects of it.

    Nobody else may add links meanwhile.
    """
    before = last(cursor)
    _append(cursor, _following(before, what, before.until, 1, checksum(*values)))


def link_new(cursor: LedgerCursor, before: Link, checksums: list[bytes]) -> Link:
    """Add a link for all revisions that are not in one yet; return it.

    They must have the mark that follows `before`, the last link; `checksums` are in the order of
    their ids.  Nobody else may add links meanwhile.
    """
    both = _hash(b"".join(checksums))
    made = _following(before, "records", mark_after(before) + 1, len(checksums), both)
    _append(cursor, made)
    return made


def mark_after(before: Link) -> int:
    """The mark of revisions that come after the last link."""
    return max(before.until, 1)


def link_records(cursor: LedgerCursor, before: Link, until: int | None = None) -> Link:
    """Add links for the revisions that are not in one yet, up to the mark `until` if given.

    `before` is the last link, and nobody else may add links meanwhile.  Returns the new last link.
    """
    which = "" if until is None else f"AND mark < {until}"
    counts = cursor.execute(
        f"SELECT mark, count(*) FROM records WHERE mark >= {before.until} {which} "
        "GROUP BY mark ORDER BY mark"
    ).fetchall()
    number = 0
    for place, (mark, count) in enumerate(counts, 1):
        number += count
        if number < MANY and place < len(counts):
            continue
        rows = cursor.execute(
            f"SELECT checksum FROM records WHERE mark >= {before.until} AND mark <= {mark} "
            "ORDER BY mark, gid, revision"
        ).fetchall()
        both = _hash(b"".join([row[0] for row in rows]))
        before = _following(before, "records", mark + 1, len(rows), both)
        _append(cursor, before)
        number = 0
    return before


def link_everything(cursor: LedgerCursor) -> None:
    """Begin the chain of an archive that has none, with everything recorded so far."""
    link_records(cursor, last(cursor))
    decisions = [
        (what, row) for what, query in DECISIONS.items() for row in cursor.execute(query).fetchall()
    ]
    decisions.sort(key=_moment)
    for what, row in decisions:
        link_decision(cursor, what, *row)


def _moment(one: tuple[str, tuple[Any, ...]]) -> datetime:
    """The time of a decision."""
    what, row = one
    moment: datetime = row[3 if what.endswith("_undone") else 2]
    return moment


# Checking ----------------------------------------------------------------------------------


def read_noted(head: str) -> str:
    """Read a noted head in the form in which it is shown; raises BadQuery if it is malformed."""
    plain = head.strip().lower()
    if not _NOTED.fullmatch(plain):
        raise BadQuery("question.head", field="head")
    return plain


def check(
    rows: Rows,
    dialect: Dialect,
    faults: Faults,
    noted: str | None,
    *,
    full: bool = True,
    until: int | None = None,
) -> str:
    """Compare the whole ledger with the chain; return the chain's head, "" if there is none.

    `noted` is an earlier head, which must be in the chain; without `full`, only the links are
    compared with each other.  Revisions with a mark below `until`, or all if that is None, must be
    in a link.
    """
    links = [
        _link(row) for piece in rows(f"SELECT {_COLUMNS} FROM chain ORDER BY link") for row in piece
    ]
    _check_links(links, faults)
    if noted is not None and noted not in (link.noted for link in links):
        faults.add("chain", None, "head", head=noted)
    if full:
        _check_revisions(rows, dialect, faults)
        _check_records([link for link in links if link.what == "records"], rows, until, faults)
        _check_decisions(links, rows, faults)
    return links[-1].noted if links else ""


def _check_links(links: list[Link], faults: Faults) -> None:
    """Check that each link follows from the previous one."""
    for before, link in pairwise([NONE, *links]):
        if link.link != before.link + 1:
            faults.add("chain", None, "link-missing", number=before.link + 1)
        elif link.head != _head(before, link):
            faults.add("chain", None, "link-changed", number=link.link, when=link.when)


def _check_revisions(rows: Rows, dialect: Dialect, faults: Faults) -> None:
    """Check that each revision matches its checksum."""
    wrong = (
        f"SELECT gid, revision FROM records WHERE checksum <> {dialect.checksum} "
        "ORDER BY gid, revision"
    )
    for piece in rows(wrong):
        for gid, revision in piece:
            faults.add("records", gid, "checksum", number=revision)


def _check_records(links: list[Link], rows: Rows, until: int | None, faults: Faults) -> None:
    """Check that each link's revisions are those that it was made of, no more and no fewer."""
    place = outside = 0
    here: list[bytes] = []
    ids: set[int] = set()

    def end() -> None:
        link = links[place]
        gid = min(ids) if len(ids) == 1 else None
        said = {"link": link.link, "when": link.when}
        if len(here) != link.entries:
            counts = {"there": len(here), "number": link.entries}
            faults.add("records", gid, "link-revisions", **said, **counts)
        elif _hash(b"".join(here)) != link.checksum:
            faults.add("records", gid, "link-replaced", **said)

    for piece in rows("SELECT mark, checksum, gid FROM records ORDER BY mark, gid, revision"):
        for mark, one, gid in piece:
            while place < len(links) and mark >= links[place].until:
                end()
                place += 1
                here.clear()
                ids.clear()
            if place < len(links):
                here.append(bytes(one))
                ids.add(gid)
            elif until is None or mark < until:
                outside += 1
    while place < len(links):
        end()
        place += 1
        here.clear()
        ids.clear()
    if outside:
        faults.add("chain", None, "outside", number=outside)


def _check_decisions(links: list[Link], rows: Rows, faults: Faults) -> None:
    """Check that each decision is in a link, and that the decision of each link exists."""
    linked = Counter((link.what, link.checksum) for link in links if link.what != "records")
    for what, query in DECISIONS.items():
        table = what.removesuffix("_undone")
        for piece in rows(query):
            for row in piece:
                key = what, checksum(*row)
                if linked[key]:
                    linked[key] -= 1
                    continue
                when = f"{_moment((what, row)):%Y-%m-%d %H:%M}"
                faults.add(table, int(row[0]), "decision-added", when=when)
    for link in links:
        key = link.what, link.checksum
        if link.what != "records" and linked[key]:
            linked[key] -= 1
            table = link.what.removesuffix("_undone")
            faults.add(table, None, "decision-missing", when=link.when, link=link.link)
