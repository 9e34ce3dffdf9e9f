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
from collections import defaultdict
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

LINKS: Final = 5000
"""The largest number of links that a check looks at together, by their numbers."""

PIECE: Final = 100_000
"""The number of revisions from which a check looks at no more links together."""

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


class Place(NamedTuple):
    """How far a check of the chain has come: everything up to a link agrees, or was reported.

    `link` and `head` are those of the last link looked at, `until` is the mark of its first
    revision that is not in it or an earlier one; all are None at the beginning.
    """

    link: int | None = None
    head: bytes = b""
    until: int | None = None


def end(cursor: LedgerCursor) -> Place:
    """The place of the last link."""
    link = last(cursor)
    return Place(link.link, link.head)


def knows(cursor: LedgerCursor, place: Place) -> bool:
    """Whether the chain has the link of a place; not if an older ledger was restored since."""
    link, head, _ = place
    there = "SELECT 1 FROM chain WHERE link = ? AND head = ?"
    return not link or bool(cursor.execute(there, [link, head]).fetchall())


def check(
    rows: Rows,
    dialect: Dialect,
    faults: Faults,
    noted: str | None,
    *,
    full: bool = True,
    until: int | None = None,
    place: Place | None = None,
    reached: Callable[[Place], None] = lambda _: None,
) -> str:
    """Compare the whole ledger with the chain; return the chain's head, "" if there is none.

    `noted` is an earlier head, which must be in the chain; without `full`, only the links are
    compared with each other.  Revisions with a mark below `until`, or all if that is None, must be
    in a link.  It goes on from a `place`, and calls `reached` with each that it comes to.
    """
    place = place or Place()
    while links := _next_links(rows, place.link):
        before = NONE._replace(link=place.link or 0, head=place.head)
        _check_links(before, links, faults)
        end = place.until
        if full:
            end = _check_records(links, end, rows, dialect, faults)
        place = Place(links[-1].link, links[-1].head, end)
        reached(place)
    if noted is not None and not _is_there(noted, rows):
        faults.add("chain", None, "head", head=noted)
    if full:
        _check_outside(place.until, until, rows, dialect, faults)
        _check_decisions(rows, faults)
    return "" if place.link is None else f"{place.link}-{place.head.hex()}"


def _is_there(noted: str, rows: Rows) -> bool:
    """Whether a noted head is that of a link."""
    number, _, _ = noted.partition("-")
    query = f"SELECT {_COLUMNS} FROM chain WHERE link = {number}"
    return noted in [_link(row).noted for piece in rows(query) for row in piece]


def _value(rows: Rows, query: str) -> Any:
    """The value that a query asks for."""
    ((value,),) = [row for piece in rows(query) for row in piece]
    return value


def _next_links(rows: Rows, last: int | None) -> list[Link]:
    """The links after one, a piece of them: at least one, if there are any."""
    after = "" if last is None else f"WHERE link > {last}"
    first = _value(rows, f"SELECT min(link) FROM chain {after}")
    if first is None:
        return []
    links = [
        _link(row)
        for piece in rows(
            f"SELECT {_COLUMNS} FROM chain WHERE link >= {first} AND link < {first + LINKS} "
            "ORDER BY link"
        )
        for row in piece
    ]
    number = 0
    for place, link in enumerate(links):
        if number >= PIECE and link.link != links[place - 1].link:
            return links[:place]
        number += link.entries
    return links


def _check_links(before: Link, links: list[Link], faults: Faults) -> None:
    """Check that each link follows from the previous one."""
    for previous, link in pairwise([before, *links]):
        if link.link != previous.link + 1:
            faults.add("chain", None, "link-missing", number=previous.link + 1)
        elif link.head != _head(previous, link):
            faults.add("chain", None, "link-changed", number=link.link, when=link.when)


def _marks(start: int | None, end: int | None) -> str:
    """SQL: the revisions with a mark from `start` on and below `end`, if these are given."""
    parts = ["true"]
    if start is not None:
        parts.append(f"mark >= {start}")
    if end is not None:
        parts.append(f"mark < {end}")
    return " AND ".join(parts)


def _check_revisions(which: str, rows: Rows, dialect: Dialect, faults: Faults) -> None:
    """Check that each of these revisions matches its checksum."""
    wrong = (
        f"SELECT gid, revision FROM records WHERE {which} AND checksum <> {dialect.checksum} "
        "ORDER BY gid, revision"
    )
    for piece in rows(wrong):
        for gid, revision in piece:
            faults.add("records", gid, "checksum", number=revision)


class _Entries:
    """The revisions in a link, as far as they were read."""

    def __init__(self) -> None:
        self.number = 0
        self.hash = hashlib.sha256()
        self.ids: set[int] = set()
        """The ids of their games, at most two."""

    def add(self, one: bytes, gid: int) -> None:
        self.number += 1
        self.hash.update(one)
        if len(self.ids) < 2:
            self.ids.add(gid)

    def compare(self, link: Link, faults: Faults) -> None:
        """Check that they are those that the link was made of, no more and no fewer."""
        gid = min(self.ids) if len(self.ids) == 1 else None
        said = {"link": link.link, "when": link.when}
        if self.number != link.entries:
            counts = {"there": self.number, "number": link.entries}
            faults.add("records", gid, "link-revisions", **said, **counts)
        elif self.hash.digest()[:SIZE] != link.checksum:
            faults.add("records", gid, "link-replaced", **said)


def _check_records(
    links: list[Link], start: int | None, rows: Rows, dialect: Dialect, faults: Faults
) -> int | None:
    """Check the revisions from a mark on that belong to links; return where those after begin."""
    links = [link for link in links if link.what == "records"]
    if not links:
        return start
    end = max([link.until for link in links] + ([] if start is None else [start]))
    _check_revisions(_marks(start, end), rows, dialect, faults)
    place = 0
    here = _Entries()
    for piece in rows(
        f"SELECT mark, checksum, gid FROM records WHERE {_marks(start, end)} "
        "ORDER BY mark, gid, revision"
    ):
        for mark, one, gid in piece:
            while place < len(links) and mark >= links[place].until:
                here.compare(links[place], faults)
                place += 1
                here = _Entries()
            here.add(one, gid)
    for link in links[place:]:
        here.compare(link, faults)
        here = _Entries()
    return end


def _check_outside(
    start: int | None, until: int | None, rows: Rows, dialect: Dialect, faults: Faults
) -> None:
    """Check the revisions after the last link: those with a mark below `until` must be in one."""
    _check_revisions(_marks(start, None), rows, dialect, faults)
    query = f"SELECT count(*) FROM records WHERE {_marks(start, until)}"
    if outside := _value(rows, query):
        faults.add("chain", None, "outside", number=outside)


def _check_decisions(rows: Rows, faults: Faults) -> None:
    """Check that each decision is in a link, and that the decision of each link exists."""
    linked: dict[tuple[str, bytes], list[tuple[int, str]]] = defaultdict(list)
    chosen = f"SELECT {_COLUMNS} FROM chain WHERE what <> 'records' ORDER BY link"
    for piece in rows(chosen):
        for row in piece:
            link = _link(row)
            linked[link.what, link.checksum].append((link.link, link.when))
    for what, query in DECISIONS.items():
        table = what.removesuffix("_undone")
        for piece in rows(query):
            for row in piece:
                if links := linked.get((what, checksum(*row))):
                    links.pop()
                    continue
                when = f"{_moment((what, row)):%Y-%m-%d %H:%M}"
                faults.add(table, int(row[0]), "decision-added", when=when)
    left = sorted((*link, what) for (what, _), links in linked.items() for link in links)
    for number, when, what in left:
        faults.add(what.removesuffix("_undone"), None, "decision-missing", when=when, link=number)
