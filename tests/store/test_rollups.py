"""The sums beside a lake's tables equal those of the games, whatever happens to them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from backends import Server

from claimlog.store import Archive, Filter

pytest.importorskip("psycopg", reason="the extra claimlog[cluster] is not installed")

from claimlog.store.postgres.backend import PostgresBackend
from claimlog.store.postgres.indexer import Indexer
from claimlog.store.questions.rollups import ROLLUPS

from .conftest import take_in
from .random_games import records

GAMES = records(60, seed=5)

QUESTIONS: dict[str, Callable[[Archive, Filter], Any]] = {
    "cards": lambda archive, filter: archive.card_stats(filter),
    "cards of a phase": lambda archive, filter: archive.card_stats(filter, phase=2),
    "upcards": lambda archive, filter: archive.upcard_stats(filter),
    "factions": lambda archive, filter: archive.faction_stats(filter),
    "leads": lambda archive, filter: archive.lead_stats(filter),
}
FILTERS = (Filter(), Filter(seats=2), Filter(seats=(3, 4)))


def tell(archive: Archive) -> list[str]:
    """Store games, correct some and delete some; return their ids."""
    ids = [one.id or "" for one in take_in(archive, "\n".join(GAMES[:40]))]
    for number, id in enumerate(ids[:6]):
        archive.correct(id, GAMES[40 + number], by="me", why="another")
    for id in ids[6:9]:
        archive.delete(id, by="me", why="")
    archive.undelete(ids[7], by="me", why="")
    for text in GAMES[50:]:
        archive.store(text)
    return ids


def answers_of(archive: Archive, monkeypatch: pytest.MonkeyPatch, rolls_up: bool) -> list[Any]:
    monkeypatch.setattr(PostgresBackend, "rolls_up", rolls_up)
    return [ask(archive, filter) for filter in FILTERS for ask in QUESTIONS.values()]


def test_they_answer_as_the_tables_do(
    address: str, postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Archive.open(address, lake=str(tmp_path / "lake")) as archive:
        for games in (GAMES[:2], GAMES[2:4]):
            take_in(archive, "\n".join(games))
            archive.index(once=True)
        tell(archive)
        archive.index(once=True)
        scanned = answers_of(archive, monkeypatch, rolls_up=False)
        assert answers_of(archive, monkeypatch, rolls_up=True) == scanned
        assert any(scanned)
        assert archive.check().good

        indexer = Indexer(archive._postgres)
        assert indexer.begin()
        indexer.tidy()
        indexer.end()
        assert answers_of(archive, monkeypatch, rolls_up=True) == scanned
        assert archive.check().good

        archive.rebuild()
        assert answers_of(archive, monkeypatch, rolls_up=True) == scanned

    with Archive.open(tmp_path / "games.duckdb") as file:
        for games in (GAMES[:2], GAMES[2:4]):
            take_in(file, "\n".join(games))
        tell(file)
        assert answers_of(file, monkeypatch, rolls_up=True) == scanned


def test_wrong_sums_are_found(address: str, postgres: Server, tmp_path: Path) -> None:
    with Archive.open(address, lake=str(tmp_path / "lake")) as archive:
        take_in(archive, "\n".join(GAMES[:5]))
        archive.index(once=True)
        cluster = archive._postgres
        wrong: list[str] = []
        root = cluster.lake_root()
        for name, one in ROLLUPS.items():
            with cluster.writing_lake(root) as cursor:
                column = next(iter(one.sums))
                cursor.execute(f"UPDATE {name} SET {column} = {column} + 1")
            wrong.append(name)
            assert [fault.what for fault in archive.check(full=False).faults] == wrong
        root.close()
        archive.rebuild()
        assert archive.check().good
