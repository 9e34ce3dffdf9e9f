"""Exports: everything comes out as it went in, in each format."""

import csv
import io
from pathlib import Path

import duckdb
import msgspec
import pytest

from claimlog.replay.recorder import replay_text
from claimlog.store import Archive, BadQuery, Filter, StoredGame
from claimlog.store.model.filter import Sort

from .conftest import take_in

FILTER = Filter(seats=2, complete=True)


def test_clm_goes_round(full: Archive, tmp_path: Path) -> None:
    text = b"".join(full.export("clm"))
    with Archive.open(tmp_path / "copy.duckdb") as copy:
        outcomes = take_in(copy, text)
        assert {o.status for o in outcomes} == {"stored"}
        rows = full.games(sort="oldest", limit=1000).games
        # Ids come from the record, so the copy has the same ones.
        assert [o.id for o in outcomes] == [row.id for row in rows]
        assert b"".join(copy.export("clm")) == text


def test_filters_hold_for_every_form(full: Archive) -> None:
    ids = [row.id for row in full.games(FILTER, sort="date", limit=1000).games]
    assert 0 < len(ids) < 400
    clm = b"".join(full.export("clm", FILTER, sort="date")).decode()
    assert clm == "\n".join(full.game(id).record for id in ids)
    lines = b"".join(full.export("ndjson", FILTER, sort="date")).splitlines()
    games = [msgspec.json.decode(line, type=StoredGame) for line in lines]
    assert [game.row.id for game in games] == ids
    assert games[0] == full.game(ids[0])
    text = b"".join(full.export("csv", FILTER, sort="date")).decode()
    table = list(csv.DictReader(io.StringIO(text)))
    assert [row["id"] for row in table] == ids


@pytest.mark.parametrize("sort", ["oldest", "-date", "player"])
def test_a_limit_is_that_of_games_whatever_the_rows(full: Archive, sort: Sort) -> None:
    ids = [row.id for row in full.games(FILTER, sort=sort, limit=7).games]
    clm = b"".join(full.export("clm", FILTER, sort=sort, limit=7)).decode()
    assert clm == "\n".join(full.game(id).record for id in ids)
    lines = b"".join(full.export("ndjson", FILTER, sort=sort, limit=7)).splitlines()
    assert [msgspec.json.decode(line, type=StoredGame).row.id for line in lines] == ids
    for rows, column, each in (("games", "id", 1), ("tricks", "game", 26), ("plays", "game", 52)):
        text = b"".join(full.export("csv", FILTER, sort=sort, rows=rows, limit=7)).decode()
        table = [row[column] for row in csv.DictReader(io.StringIO(text))]
        assert table == [id for id in ids for _ in range(each)]
    for limit in (0, -1, 1001):
        with pytest.raises(BadQuery, match="from 1 to 1000"):
            full.export("clm", limit=limit)


def test_csv_and_parquet_say_what_the_rows_say(full: Archive, tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    path.write_bytes(b"".join(full.export("parquet")))
    selected = duckdb.connect().execute("FROM read_parquet(?)", [str(path)])
    names = [column[0] for column in selected.description]
    table = [dict(zip(names, row, strict=True)) for row in selected.fetchall()]
    text = b"".join(full.export("csv")).decode()
    lines = list(csv.DictReader(io.StringIO(text)))
    rows = full.games(sort="oldest", limit=1000).games
    assert len(table) == len(lines) == len(rows)
    for row, line, flat in zip(rows, lines, table, strict=True):
        assert flat["id"] == line["id"] == row.id
        assert flat["digest"] == row.digest
        assert (flat["event"], flat["event_id"]) == (row.event, row.event_id)
        assert (flat["date"], flat["round"], flat["table"]) == (row.date, row.round, row.table)
        assert (flat["deck"], flat["rules"], flat["result"]) == (row.deck, row.rules, row.result)
        assert {k: flat[k] for k in row.rulings} == row.rulings
        assert (flat["termination"], flat["tricks"]) == (row.termination, row.tricks)
        assert flat["tiebreak"] == row.tiebreak
        assert flat["seats"] == row.seats == len(row.players)
        for seat in row.players:
            assert flat[f"player{seat.seat}"] == seat.name
            assert flat[f"player{seat.seat}_id"] == seat.player
            assert flat[f"rating{seat.seat}"] == seat.rating
        for side, points in (row.points or {}).items():
            assert flat[f"points{side}"] == pytest.approx(points)
            assert flat[f"votes{side}"] == (row.votes[side] if row.votes else None)
        if row.factions:
            for side in row.votes or {}:
                won = {f for f, winner in row.factions.items() if winner == side}
                assert set(flat[f"factions{side}"]) == won


def test_a_bye_has_the_points_of_one_side(tmp_path: Path) -> None:
    results = ("1", "1/2", "0")
    with Archive.open(tmp_path / "games.duckdb") as archive:
        for number, result in enumerate(results):
            tags = f'[Event "Cup"]\n[Round "{number}"]\n[Player1 "Anna Keller"]\n'
            record = f'{tags}[Termination "bye"]\n[Result "{result}"]\n\n{result}\n'
            assert archive.store(record).status == "stored"
        text = b"".join(archive.export("csv")).decode()
    lines = list(csv.DictReader(io.StringIO(text)))
    assert [(line["result"], line["points1"]) for line in lines] == [
        ("1", "1.0"), ("1/2", "0.5"), ("0", "0.0"),
    ]  # fmt: skip
    assert [line["points2"] + line["points3"] for line in lines] == ["", "", ""]


@pytest.mark.needs("pandas", "pyarrow")
def test_pandas_reads_parquet(full: Archive) -> None:
    import pandas

    frame = pandas.read_parquet(io.BytesIO(b"".join(full.export("parquet"))))
    assert len(frame) == full.count()


@pytest.mark.needs("polars")
def test_polars_reads_parquet(full: Archive) -> None:
    import polars

    frame = polars.read_parquet(io.BytesIO(b"".join(full.export("parquet"))))
    assert len(frame) == full.count()


@pytest.mark.parametrize("form", ["clm", "ndjson", "csv", "parquet"])
def test_nothing_to_export(full: Archive, form: str) -> None:
    data = b"".join(full.export(form, Filter(round="none")))  # type: ignore[arg-type]
    assert data.count(b"\n") == (1 if form == "csv" else data.count(b"\n"))
    if form in ("clm", "ndjson"):
        assert data == b""


def test_pieces_are_large(full: Archive) -> None:
    pieces = list(full.export("ndjson"))
    assert all(len(piece) >= 1 << 16 for piece in pieces[:-1])


def test_senseless_exports(full: Archive) -> None:
    with pytest.raises(BadQuery):
        full.export("pdf")  # type: ignore[arg-type]
    with pytest.raises(BadQuery):
        full.export("clm", Filter(deck="Q"))
    with pytest.raises(BadQuery):
        full.export("clm", sort="colour")  # type: ignore[arg-type]


def test_an_export_sees_one_moment(archive: Archive, played: list[str]) -> None:
    take_in(archive, "\n".join(played))
    export = archive.export("ndjson")
    first = next(export)
    for row in archive.games(limit=100).games:
        archive.delete(row.id, by="me", why="test")
    whole = first + b"".join(export)
    assert whole.count(b"\n") == len(played)
    assert archive.count() == len(played) - 100


def test_abandoned_exports_leave_nothing_behind(archive: Archive, played: list[str]) -> None:
    take_in(archive, "\n".join(played))
    for form in ("clm", "csv"):
        export = archive.export(form)  # type: ignore[arg-type]
        next(export)
        export.close()  # type: ignore[attr-defined]
    archive.compact(wait=1)
    spool = archive.path.with_name("games.duckdb.spool")
    assert not spool.exists() or not list(spool.iterdir())


@pytest.mark.only_file("PostgreSQL is backed up with pg_dump")
def test_sql_helpers_say_the_same(full: Archive, tmp_path: Path) -> None:
    """The examples in docs/archive.md for people who open the file with DuckDB themselves."""
    full.backup(tmp_path / "copy.duckdb")
    raw = duckdb.connect(str(tmp_path / "copy.duckdb"), read_only=True)
    rows = raw.execute(
        "SELECT text_id(gid), deck_letters(deck), result_text(result), points(result, 1, seats) "
        "FROM games ORDER BY game"
    ).fetchall()
    for row, (id, deck, result, points) in zip(
        full.games(sort="oldest", limit=1000).games, rows, strict=True
    ):
        assert (row.id, row.deck, row.result) == (id, deck, result)
        assert points == (row.points[1] if row.points else None)
    game = full.games(sort="oldest").games[0]
    plays = raw.execute(
        "SELECT n, seat, cards.name, won, face_down FROM plays JOIN cards USING (card) "
        "WHERE game = 1 ORDER BY n, place"
    ).fetchall()
    replay = next(replay_text(full.game(game.id).record))
    wanted = [
        (t.number, p.seat, p.card, not t.auto and t.winner == p.seat, t.auto)
        for t in replay.tricks
        for p in t.plays
        if p.card
    ]
    assert [tuple(bool(v) if i > 2 else v for i, v in enumerate(row)) for row in plays] == wanted


def test_no_text_is_a_formula_for_a_spreadsheet(tmp_path: Path) -> None:
    names = ['=HYPERLINK("http://evil")', "+1", "-1+2", "@SUM(A1)", "Anna = Ben", "2-1"]
    with Archive.open(tmp_path / "games.duckdb") as archive:
        for number, name in enumerate(names):
            quoted = name.replace('"', '\\"')
            tags = f'[Event "{quoted}"]\n[Round "{number}"]\n[Player1 "{quoted}"]\n[Player2 "B"]\n'
            assert archive.store(tags + '[Deck "GKUWX"]\n\n*\n').status == "stored"
        text = b"".join(archive.export("csv")).decode()
        table = list(csv.DictReader(io.StringIO(text)))
        wanted = [("'" if name[0] in "=+-@" else "") + name for name in names]
        assert [row["event"] for row in table] == wanted
        assert [row["player1"] for row in table] == wanted
        # Elsewhere names are as they were written.
        assert [row.event for row in archive.games(sort="oldest").games] == names
