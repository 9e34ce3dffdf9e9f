"""The tables of an archive.

docs/archive.md explains the schema to people who open the file themselves.  `records`, `merges`,
`event_settings` and the like, `chain` and `meta` are what the archive records; all other tables are
derived from them and can be rebuilt (`claimlog.store.file.maintenance`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimlog.cards import DECK_ORDER, FACTION_OF, FACTIONS, LETTERS, NAMES, VALUE_OF
from claimlog.notation.tags import TERMINATIONS
from claimlog.results import HALF_BYE

if TYPE_CHECKING:
    import duckdb

VERSION: Final = 4
"""The version of the schema that this code reads and writes."""

MARK: Final = "claimlog archive"

HALF: Final = f"half a {MARK}"
"""Replaces the mark while an archive is being moved to its place."""

SEATS: Final = (1, 2, 3, 4)

RECORDS: Final = """
CREATE TABLE records (
    game INTEGER NOT NULL,      -- the game's number in this file, in the order of storing
    gid UBIGINT NOT NULL USING COMPRESSION uncompressed,
                                -- the game's permanent id; text_id(gid) gives it as text
    revision SMALLINT NOT NULL, -- from 1
    key UBIGINT USING COMPRESSION uncompressed, -- the first 8 bytes of the digest
    digest BLOB USING COMPRESSION uncompressed,
                                -- sha256 of the record; NULL for a deletion
    stored_at TIMESTAMP NOT NULL,      -- when it was stored, in UTC
    who VARCHAR NOT NULL,
    why VARCHAR NOT NULL,
    source VARCHAR NOT NULL,
    deleted BOOLEAN NOT NULL,   -- whether this revision deletes the game
    record VARCHAR,             -- the canonical record
    mark BIGINT NOT NULL USING COMPRESSION rle,
                                -- determines its link in the chain
    checksum BLOB NOT NULL USING COMPRESSION uncompressed
                                -- of the other columns but key, record and mark
)
"""

_SEAT_COLUMNS: Final = [
    (f"{name}{seat}", kind)
    for seat in SEATS
    for name, kind in (("p", "UBIGINT"), ("n", "VARCHAR"), ("i", "VARCHAR"), ("r", "FLOAT"))
]

GAME: Final[list[tuple[str, str]]] = [
    ("event", "UBIGINT"),
    ("event_name", "VARCHAR"),
    ("site", "VARCHAR"),
    ("date", "VARCHAR"),
    ("day", "DATE"),
    ("round", "VARCHAR"),
    ("tbl", "VARCHAR"),
    ("started", "TIMESTAMP"),
    ("ended", "TIMESTAMP"),
    ("seats", "UTINYINT"),
    *_SEAT_COLUMNS,
    ("min_rating", "FLOAT"),
    ("deck", "INTEGER"),
    ("rules", "UTINYINT"),
    ("rulings", "UTINYINT"),
    ("leader", "UTINYINT"),
    ("complete", "BOOLEAN"),
    ("result", "UTINYINT"),
    ("termination", "UTINYINT"),
    ("tricks", "UTINYINT"),
    ("votes1", "UTINYINT"),
    ("won1", "INTEGER"),
    ("votes2", "UTINYINT"),
    ("won2", "INTEGER"),
    ("votes3", "UTINYINT"),
    ("won3", "INTEGER"),
    ("tiebreak", "UTINYINT"),
    ("phase1_last", "UTINYINT"),
    ("phase2_first", "UTINYINT"),
    *((f"phase1_won{seat}", "UTINYINT") for seat in SEATS),
    ("extra", "VARCHAR"),
    ("warnings", "UTINYINT"),
    ("table_key", "UBIGINT"),
    ("players_key", "UBIGINT"),
    ("tricks_key", "UBIGINT"),
]
"""The columns of a game that the encoder fills, in its order."""

KEYS: Final = ("table_key", "players_key", "tricks_key")
"""The columns by which a game submitted twice is found (`claimlog.store.intake.duplicates`)."""

STAGED: Final[list[tuple[str, str]]] = [
    ("i", "INTEGER"),
    ("key", "UBIGINT"),
    ("digest", "BLOB"),
    *GAME,
    ("record", "VARCHAR"),
]
"""The columns of the encoder's rows of games."""

TRICKS: Final[list[tuple[str, str]]] = [
    ("game", "INTEGER"),
    ("n", "UTINYINT"),
    ("phase", "UTINYINT"),
    ("auto", "UTINYINT"),
    ("leader", "UTINYINT"),
    ("winner", "UTINYINT"),
    ("up1", "UTINYINT"),
    ("up2", "UTINYINT"),
    ("u1", "UTINYINT"),
    ("u2", "UTINYINT"),
    ("took1", "UTINYINT"),
    ("took2", "UTINYINT"),
    ("c1", "UTINYINT"),
    ("c2", "UTINYINT"),
    ("c3", "UTINYINT"),
    ("c4", "UTINYINT"),
    ("h1", "UTINYINT"),
    ("h2", "UTINYINT"),
    ("h3", "UTINYINT"),
    ("h4", "UTINYINT"),
    ("best", "UTINYINT"),
    ("run", "UTINYINT"),
    ("seats", "UTINYINT"),
    ("result", "UTINYINT"),
]
"""The columns of a trick, in the encoder's order.

`u` and `h` say how the game went for the seat that took an upcard and for the seat that played a
card, packed so that statistics are counts over two small columns: see `claimlog.store.model.codes`.
"""

FACTIONS_WON: Final[list[tuple[str, str]]] = [
    ("game", "INTEGER"),
    ("faction", "UTINYINT"),
    ("winner", "UTINYINT"),
    ("count1", "UTINYINT"),
    ("count2", "UTINYINT"),
    ("count3", "UTINYINT"),
    ("margin", "TINYINT"),
    ("code", "UTINYINT"),
    ("seats", "UTINYINT"),
    ("leader", "UTINYINT"),
    ("result", "UTINYINT"),
]
"""The columns of a faction's count, in the encoder's order."""

UNKNOWN: Final = {
    *("winner", "up1", "up2", "u1", "u2", "took1", "took2", "c1", "c2", "c3", "c4"),
    *("h1", "h2", "h3", "h4", "best", "count3", "margin"),
    *(name for name, kind in GAME if kind in ("VARCHAR", "UBIGINT", "FLOAT", "DATE", "TIMESTAMP")),
    *("votes1", "won1", "votes2", "won2", "votes3", "won3", "tiebreak"),
    *("phase1_last", "phase2_first", *(f"phase1_won{seat}" for seat in SEATS)),
}
"""The columns of the encoder's rows that may be unknown."""


_TRICKS_COMPRESSED: Final = {
    **dict.fromkeys(("up1", "c1", "c2", "c3", "best"), "uncompressed"),
    **dict.fromkeys(("h1", "h2", "h3"), "uncompressed"),
    **dict.fromkeys(("game", "n", "phase", "auto", "leader", "winner"), "bitpacking"),
    **dict.fromkeys(("took1", "took2", "run"), "bitpacking"),
    **dict.fromkeys(("seats", "result", "u1"), "rle"),
    **dict.fromkeys(("up2", "u2", "c4", "h4"), "rle"),  # unknown in most games
}
"""The compression that DuckDB chooses for most of these columns anyway; trying all takes long.

Other cards, and how they went, take up to a third more space uncompressed, but are stored and read
faster.
"""
_FACTIONS_COMPRESSED: Final = {
    **dict.fromkeys(("faction", "winner", "count1", "count2", "margin", "code"), "uncompressed"),
    **dict.fromkeys(("seats", "leader", "result"), "rle"),
    "game": "bitpacking",
}


def _columns(columns: list[tuple[str, str]], compression: dict[str, str] | None = None) -> str:
    chosen = {name: f" USING COMPRESSION {how}" for name, how in (compression or {}).items()}
    return ", ".join(f"{name} {kind}{chosen.get(name, '')}" for name, kind in columns)


HEAD: Final = (
    "game INTEGER NOT NULL, gid UBIGINT NOT NULL USING COMPRESSION uncompressed, "
    "revision SMALLINT NOT NULL, digest BLOB NOT NULL USING COMPRESSION uncompressed, "
    "stored_at TIMESTAMP NOT NULL"
)
"""The first columns of `games` and `games_before`; `stored_at` is the revision's time."""

_GAME: Final = _columns(GAME, dict.fromkeys((*KEYS, "p3", "p4"), "uncompressed"))

DERIVED: Final = {
    "games": f"CREATE TABLE games ({HEAD}, {_GAME})",
    "games_before": f"CREATE TABLE games_before ({HEAD}, until TIMESTAMP, {_GAME})",
    "tricks": f"CREATE TABLE tricks ({_columns(TRICKS, _TRICKS_COMPRESSED)})",
    "factions_won": f"CREATE TABLE factions_won ({_columns(FACTIONS_WON, _FACTIONS_COMPRESSED)})",
    "players": "CREATE TABLE players (player UBIGINT NOT NULL, name VARCHAR, tag_id VARCHAR)",
    "events": "CREATE TABLE events (event UBIGINT NOT NULL, name VARCHAR)",
}
"""The tables that can be rebuilt, and the SQL that creates them."""

_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"

VIEWS: Final = {
    "text_id": f"""CREATE OR REPLACE MACRO text_id(number) AS array_to_string(
        [substr('{_ALPHABET}', 1 + ((number >> (60 - 5 * i)) & 31)::INTEGER, 1)
         for i in range(0, 13)], '')""",
    # The points of a seat, from a result (8 × sides + the set of sides that share the win).
    "points": f"""CREATE OR REPLACE MACRO points(result, seat, seats) AS
        CASE WHEN result = 0 OR seat IS NULL THEN NULL WHEN result = {HALF_BYE} THEN 0.5
             WHEN result & 7 = 0 THEN 0 ELSE
        ((result >> ((seat - 1) % (result // 8))) & 1) / bit_count(result & 7) END""",
    "deck_letters": f"""CREATE OR REPLACE MACRO deck_letters(deck) AS array_to_string(
        [CASE WHEN (deck >> f) & 1 = 1 THEN substr('{LETTERS}', f + 1, 1) ELSE '' END
         for f in {DECK_ORDER}], '')""",
    "result_text": f"""CREATE OR REPLACE MACRO result_text(result) AS
        CASE WHEN result = 0 THEN '*' WHEN result = {HALF_BYE} THEN '1/2' ELSE array_to_string(
        [CASE WHEN (result >> side) & 1 = 0 THEN '0' WHEN bit_count(result & 7) = 1 THEN '1'
              ELSE '1/' || bit_count(result & 7) END
         FOR side IN range(0, result // 8)], '-') END""",
    "plays": """CREATE OR REPLACE VIEW plays AS
        SELECT game, n, phase, auto = 1 AS face_down, 1 AS place, leader AS seat, c1 AS card,
               NOT coalesce(auto = 1, false) AND leader = winner AS won, seats, result
        FROM tricks WHERE c1 IS NOT NULL
        UNION ALL
        SELECT game, n, phase, auto = 1, 2, leader % seats + 1, c2,
               auto = 0 AND leader % seats + 1 = winner, seats, result
        FROM tricks WHERE c2 IS NOT NULL
        UNION ALL
        SELECT game, n, phase, auto = 1, 3, (leader + 1) % seats + 1, c3,
               auto = 0 AND (leader + 1) % seats + 1 = winner, seats, result
        FROM tricks WHERE c3 IS NOT NULL
        UNION ALL
        SELECT game, n, phase, auto = 1, 4, (leader + 2) % seats + 1, c4,
               auto = 0 AND (leader + 2) % seats + 1 = winner, seats, result
        FROM tricks WHERE c4 IS NOT NULL""",
}
"""Helpers for people who write SQL: macros and a view."""

ACTS: Final = """CREATE TABLE IF NOT EXISTS acts (
    event UBIGINT NOT NULL, number INTEGER NOT NULL, stored_at TIMESTAMP NOT NULL,
    who VARCHAR NOT NULL, why VARCHAR NOT NULL, act VARCHAR NOT NULL)"""
"""The acts of an event's director, in order (`claimlog.directing.acts`); for both backends."""

DECISIONS: Final = (
    # Who, when and why is kept even for what was undone.
    """CREATE TABLE merges (
        alias UBIGINT NOT NULL, player UBIGINT NOT NULL, stored_at TIMESTAMP NOT NULL,
        who VARCHAR NOT NULL, why VARCHAR NOT NULL,
        undone_at TIMESTAMP, undone_by VARCHAR, undone_why VARCHAR)""",
    """CREATE TABLE event_merges (
        alias UBIGINT NOT NULL, event UBIGINT NOT NULL, stored_at TIMESTAMP NOT NULL,
        who VARCHAR NOT NULL, why VARCHAR NOT NULL,
        undone_at TIMESTAMP, undone_by VARCHAR, undone_why VARCHAR)""",
    """CREATE TABLE event_names (
        event UBIGINT NOT NULL, name VARCHAR NOT NULL, stored_at TIMESTAMP NOT NULL,
        who VARCHAR NOT NULL, why VARCHAR NOT NULL)""",
    """CREATE TABLE event_settings (
        event UBIGINT NOT NULL, tiebreaks VARCHAR[] NOT NULL, stored_at TIMESTAMP NOT NULL,
        who VARCHAR NOT NULL)""",
    "CREATE TABLE settings (name VARCHAR NOT NULL, value VARCHAR NOT NULL)",
    ACTS,
)
"""The decisions of people; the SQL is valid in both DuckDB and PostgreSQL."""

ANALYSES: Final = """CREATE TABLE IF NOT EXISTS analyses (
    digest BLOB NOT NULL,       -- of the analysed record
    trick UTINYINT,             -- the first trick from which everything is known
    exact BOOLEAN NOT NULL,     -- whether every value is exact
    start UTINYINT,             -- twice the points of side 1 with best play in Phase 2
    redeals USMALLINT NOT NULL, -- how often the followers of Phase 2 were redealt
    redealt DOUBLE,             -- the mean points of side 1 in these deals, with best play;
                                -- NULL if any is open
    error DOUBLE,               -- its standard error
    decisions STRUCT(trick UTINYINT, seat UTINYINT, card UTINYINT, before UTINYINT,
                     after UTINYINT, mark VARCHAR)[] NOT NULL,
                                -- before and after: like start
    report BLOB NOT NULL        -- the line of `claimlog analyse --format json`, zlib
)"""
"""The findings of `claimlog analyse --all`; created by its first run, not part of a rebuild."""

PUZZLES: Final = """CREATE TABLE IF NOT EXISTS puzzles (
    digest BLOB NOT NULL,       -- of the searched record
    found_at TIMESTAMP NOT NULL,
    found STRUCT(trick UTINYINT, played UTINYINT, level UTINYINT, lines USMALLINT,
                 factions UINTEGER)[] NOT NULL,
                                -- factions: those of the cards in the hands
    report BLOB NOT NULL        -- the details of each puzzle, as JSON, compressed with zlib
)"""
"""The puzzles of two-player games; a game without any has a row too.  Created when needed."""

CHAIN: Final = """CREATE TABLE chain (
    link BIGINT NOT NULL, stored_at TIMESTAMP NOT NULL, what VARCHAR NOT NULL,
    until BIGINT NOT NULL, entries BIGINT NOT NULL, checksum BYTEA NOT NULL,
    head BYTEA NOT NULL)"""
"""The proof that nothing was changed (`claimlog.store.ledger.chain`); for both backends."""

FIXED: Final = (
    RECORDS,
    *DECISIONS,
    CHAIN,
    """CREATE TABLE meta (
        mark VARCHAR NOT NULL, version INTEGER NOT NULL, claimlog VARCHAR NOT NULL,
        created TIMESTAMP NOT NULL)""",
)


def create(connection: duckdb.DuckDBPyConnection, now: object, mark: str = MARK) -> None:
    """Create everything in an empty database, in one transaction."""
    from claimlog import __version__

    connection.execute("BEGIN")
    for statement in (*FIXED, *DERIVED.values(), *LISTS.values(), *VIEWS.values()):
        connection.execute(statement)
    fill_lists(connection)
    connection.execute("INSERT INTO meta VALUES (?, ?, ?, ?)", [mark, VERSION, __version__, now])
    connection.execute("COMMIT")


LISTS: Final = {
    "factions": "CREATE TABLE factions "
    "(faction UTINYINT, letter VARCHAR, name VARCHAR, name_de VARCHAR)",
    "cards": "CREATE TABLE cards (card UTINYINT, name VARCHAR, faction UTINYINT, value UTINYINT)",
    "terminations": "CREATE TABLE terminations (termination UTINYINT, name VARCHAR)",
}
"""The tables with the names behind the small numbers."""


def fill_lists(connection: duckdb.DuckDBPyConnection) -> None:
    """Write the names behind the small numbers."""
    connection.execute(
        "INSERT INTO factions SELECT unnest(?), unnest(?), unnest(?), unnest(?)",
        [
            list(range(len(FACTIONS))),
            [faction.letter for faction in FACTIONS],
            [faction.name for faction in FACTIONS],
            [faction.name_de for faction in FACTIONS],
        ],
    )
    connection.execute(
        "INSERT INTO cards SELECT unnest(?), unnest(?), unnest(?), unnest(?)",
        [list(range(len(NAMES))), list(NAMES), list(FACTION_OF), list(VALUE_OF)],
    )
    connection.execute(
        "INSERT INTO terminations SELECT unnest(?), unnest(?)",
        [list(range(len(TERMINATIONS))), list(TERMINATIONS)],
    )
    connection.execute("DELETE FROM settings WHERE name = 'cards'")
    connection.execute("INSERT INTO settings VALUES ('cards', ?)", [" ".join(NAMES)])


def cards_in(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """The names of the cards by the numbers with which the derived tables were made."""
    row = connection.execute("SELECT value FROM settings WHERE name = 'cards'").fetchone()
    return [] if row is None else str(row[0]).split()


def make_lists(connection: duckdb.DuckDBPyConnection) -> None:
    """Create lists, views and macros again, replacing whatever is in their place."""
    views = {
        row[0] for row in connection.execute("SELECT view_name FROM duckdb_views()").fetchall()
    }
    for name in ("plays", *LISTS):
        connection.execute(f"DROP {'VIEW' if name in views else 'TABLE'} IF EXISTS {name}")
    for statement in (*LISTS.values(), *VIEWS.values()):
        connection.execute(statement)
    fill_lists(connection)
