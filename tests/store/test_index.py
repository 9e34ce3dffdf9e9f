"""What a server keeps in memory of games, players and events.

See `claimlog.store.questions.index`, `claimlog.store.ledger.called`.
"""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import msgspec
import pytest

from claimlog.store import Ambiguous, Archive, ArchiveError, Conflict, Filter
from claimlog.store.backend import CancelToken
from claimlog.store.model.errors import Cancelled
from claimlog.store.questions import index as kept
from claimlog.store.questions import kept_rows

from .conftest import take_in
from .random_games import record, records

pytestmark = pytest.mark.only_file("in PostgreSQL there are indexes")

PLAYERS = tuple(f"Player Nr {number}" for number in range(12))
EVENTS = tuple(f"Open {number}" for number in range(3))


def index_of(archive: Archive) -> kept.Index:
    return archive._games.index  # type: ignore[attr-defined]


@contextmanager
def without(archive: Archive) -> Iterator[None]:
    """Let the tables answer."""
    identities = archive._identities  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index_of(archive), "current", lambda follow=True: None)
        patch.setattr(identities.kept, "find", lambda kind, text: None)
        patch.setattr(identities.kept, "names", lambda kind, numbers: None)
        identities._meant = -1, {}
        yield
        identities._meant = -1, {}


def answers(archive: Archive, filter: Filter) -> object:
    """The answers that may come from memory; a name that means nothing is one, too."""
    try:
        pages = []
        for sort in ("newest", "oldest"):
            cursor = None
            while True:
                page = archive.games(filter, sort=sort, limit=7, cursor=cursor, total=True)
                pages.append(page)
                cursor = page.cursor
                if cursor is None:
                    break
        factions = msgspec.to_builtins(archive.faction_stats(filter))
        results = [
            msgspec.to_builtins(archive.result_stats(by, filter))
            for by in ("seat", "side", "leader", "seats", "deck")
        ]
        standings = archive.standings(filter.event) if isinstance(filter.event, str) else None
    except ArchiveError as error:
        return str(error)
    return pages, archive.count(filter), rounded(factions), rounded(results), standings


def rounded(value: object) -> object:
    """Sums of thirds depend on the order in which they are added."""
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return round(value, 9) if isinstance(value, float) else value


def filters(archive: Archive, random: Random) -> list[Filter]:
    player, other = random.sample(PLAYERS, 2)
    row = archive.games(sort=random.choice(["newest", "oldest"]), limit=1).games[0]
    event, second = random.sample(EVENTS, 2)
    return [
        Filter(player=player),
        Filter(player=(player, other)),
        Filter(event=event),
        Filter(event=(event, second)),
        Filter(player=other, event=second),
        Filter(player=player, seats=(2,)),
        Filter(player=player, not_event=event),
        Filter(player=player, outcome="won"),
        Filter(player=()),
        Filter(player=row.players[-1].player, event=row.event_id),
        Filter(player=f"id-{random.randrange(0, 30, 2)}"),
        Filter(player=f"player  NR {random.randrange(12, 30)}"),
        Filter(player="Płayer Nr 1", event="OPEN 1"),
    ]


class History:
    """Random things that happen to an archive."""

    def __init__(self, archive: Archive, random: Random) -> None:
        self.archive = archive
        self.random = random
        self.new = iter(records(400, seed=random.randrange(1000)))
        self.deleted: list[str] = []
        self.happened: list[str] = []

    def happen(self) -> None:
        ways: list[Callable[[], object]] = [
            *[self.store, self.store, self.bring, self.go_on, self.correct, self.correct_many],
            *[self.delete, self.undelete, self.merge, self.merge_events, self.rename, self.rebuild],
        ]
        way = self.random.choice(ways)
        self.happened.append(way.__name__)
        # Whatever is refused, everything has to stay right.
        with suppress(ArchiveError):
            way()
        if self.archive.unprepared and self.random.random() < 0.5:
            self.archive.prepare_to_answer()

    def one(self) -> str:
        return self.random.choice(self.archive.games(limit=1000).games).id

    def store(self) -> None:
        players = self.random.choice((12, 30))
        for _ in range(self.random.randrange(1, 4)):
            self.archive.store(record(self.random, players=players, tables=500))

    def bring(self) -> None:
        take_in(
            self.archive, "\n".join(next(self.new) for _ in range(self.random.randrange(1, 20)))
        )

    def correct(self) -> None:
        fixed = {"Event": self.random.choice(EVENTS), "Round": str(self.random.randrange(20, 9999))}
        self.archive.correct(self.one(), record(self.random, **fixed), by="me", why="")

    def correct_many(self) -> None:
        player, into = self.random.sample(PLAYERS, 2)
        chosen = Filter(player=player, round=str(self.random.randrange(1, 12)))
        for expected in (None, "all"):
            done = self.archive.correct_games(
                chosen, names={player: into}, by="me", why="", dry_run=expected is None, beside=True
            )
            assert done is not None

    def delete(self) -> None:
        game = self.one() if self.random.random() < 0.5 else self.archive.games(limit=1).games[0].id
        self.archive.delete(game, by="me", why="")
        self.deleted.append(game)

    def undelete(self) -> None:
        if self.deleted:
            self.archive.undelete(self.deleted.pop(0), by="me", why="")

    def go_on(self) -> None:
        """An unfinished game comes again, with its end."""
        text = next(self.new)
        if self.random.random() < 0.5:
            take_in(self.archive, text)
        head, _, play = text.partition("\n\n")
        lines = play.splitlines()
        begun = re.sub(r'\[Result ".*"\]', '[Result "*"]', head)
        self.archive.store("\n".join([begun, "", *lines[: len(lines) // 2], "*"]) + "\n")
        self.archive.store(text)

    def merge(self) -> None:
        self.archive.merge_players(*self.random.sample(PLAYERS, 2), by="me")

    def merge_events(self) -> None:
        self.archive.merge_events(*self.random.sample(EVENTS, 2), by="me")

    def rename(self) -> None:
        name = f"Open {self.random.randrange(6)}"
        self.archive.rename_event(self.random.choice(EVENTS), name, by="me")

    def rebuild(self) -> None:
        if self.random.random() < 0.3:
            self.archive.rebuild()
        elif self.random.random() < 0.5:
            self.archive.compact()


@pytest.mark.parametrize("seed", range(4))
def test_whatever_happens_memory_and_tables_answer_alike(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    random = Random(seed)
    monkeypatch.setattr(kept, "FEW", 6)
    monkeypatch.setattr(kept, "CHUNK", 7)
    # Of the oldest games no rows are kept, as soon as there are some thirty.
    monkeypatch.setattr(kept_rows, "MOST", 20)
    monkeypatch.setattr(kept, "MOST_CHANGED", 8)
    history = History(archive, random)
    history.bring()
    used = 0
    for _ in range(25):
        history.happen()
        for filter in random.sample(filters(archive, random), 3):
            from_memory = answers(archive, filter)
            used += index_of(archive).current() is not None
            with without(archive):
                assert answers(archive, filter) == from_memory, (filter, history.happened)
    assert used > 40, history.happened


def test_memory_answers_without_the_tables_of_games(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_in(archive, "\n".join(records(30)))
    asked: list[str] = []
    rows = type(archive._games.database).rows  # type: ignore[attr-defined]

    def asking(self: object, sql: str, parameters: object = None) -> object:
        asked.append(sql)
        return rows(self, sql, parameters)

    def statements(filter: Filter) -> int:
        asked.clear()
        archive._identities._meant = -1, {}  # type: ignore[attr-defined]
        archive.faction_stats(filter)
        archive.count(filter)
        archive.games(filter)
        archive.result_stats("leader", filter)
        if isinstance(filter.event, str) and filter == Filter(event=filter.event):
            archive.standings(filter.event)
        return sum(
            f"FROM {table}" in sql for sql in asked for table in ("games", "players", "events")
        )

    monkeypatch.setattr(type(archive._games.database), "rows", asking)  # type: ignore[attr-defined]
    assert statements(Filter(player=PLAYERS[1])) == 5
    assert archive.unprepared
    archive.prepare_to_answer()
    assert not archive.unprepared
    assert statements(Filter(player=PLAYERS[1])) == 0
    assert statements(Filter(event=EVENTS[0])) == 0
    assert statements(Filter(event=EVENTS[0], seats=(2,))) == 4
    assert statements(Filter()) == 4
    monkeypatch.setattr("claimlog.store.questions.games.MOST_COUNTED", 3)
    assert statements(Filter(event=EVENTS[0])) == 3


@pytest.mark.parametrize("few", [8, 0])
def test_a_name_may_get_a_second_bearer(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr("claimlog.store.file.waiting.A_FEW", few)
    take_in(archive, "\n".join(records(20)))
    archive.prepare_to_answer()
    assert archive.count(Filter(player=PLAYERS[1])) > 0
    archive.store(record(Random(99), Player1=PLAYERS[1], Id1="another", Event="Cup"))
    with pytest.raises(Ambiguous):
        archive.count(Filter(player=PLAYERS[1]))
    assert archive.unprepared
    archive.prepare_to_answer()
    assert archive._identities.kept.find("player", "another") is not None  # type: ignore[attr-defined]
    assert archive.count(Filter(player="another")) == 1
    with pytest.raises(Ambiguous):
        archive.count(Filter(player=PLAYERS[1]))


def test_many_new_games_are_read_in_the_background(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "FEW", 3)
    new = records(30)
    take_in(archive, "\n".join(new[:10]))
    archive.prepare_to_answer()
    for text in new[10:13]:
        archive.store(text)
    archive.settle()
    assert archive.behind
    assert index_of(archive).current() is not None
    assert not archive.behind
    take_in(archive, "\n".join(new[13:20]))
    assert index_of(archive).current() is None
    assert archive.unprepared
    archive.prepare_to_answer()
    assert index_of(archive).current() is not None
    take_in(archive, "\n".join(new[20:]))
    assert archive.behind
    archive.catch_up()
    assert not archive.behind
    assert index_of(archive).current(follow=False) is not None


def test_of_what_is_too_large_nothing_is_kept(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MOST", 12)
    monkeypatch.setattr(kept, "MOST_NAMES", 40)
    new = records(20)
    take_in(archive, "\n".join(new[:12]))
    archive.prepare_to_answer()
    assert index_of(archive).current() is not None
    archive.store(new[12])
    assert index_of(archive).current() is None
    assert not archive.unprepared
    assert archive.count(Filter(event=EVENTS)) == 13


def test_names_are_limited_too(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_NAMES", 5)
    monkeypatch.setattr("claimlog.store.ledger.called.MOST", 5)
    take_in(archive, "\n".join(records(20)))
    archive.prepare_to_answer()
    assert index_of(archive).current() is None
    assert not archive.unprepared


def test_whoever_writes_sees_what_is_not_committed(archive: Archive) -> None:
    take_in(archive, "\n".join(records(20)))
    archive.prepare_to_answer()
    before = archive.count(Filter(event=EVENTS[0]))
    with archive._games.database.write() as cursor:  # type: ignore[attr-defined]
        cursor.execute("BEGIN")
        cursor.execute("DELETE FROM games")
        assert archive.count(Filter(event=EVENTS[0])) == 0
        archive.prepare_to_answer()
        cursor.execute("ROLLBACK")
    assert archive.count(Filter(event=EVENTS[0])) == before > 0


def test_a_reading_that_is_cancelled_is_done_again(archive: Archive) -> None:
    take_in(archive, "\n".join(records(20)))
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        archive.ask(token, archive.prepare_to_answer)
    assert index_of(archive).current() is None
    archive.prepare_to_answer()
    assert index_of(archive).current() is not None


def test_questions_do_not_wait_while_it_is_read(archive: Archive) -> None:
    new = records(20)
    take_in(archive, "\n".join(new[:19]))
    archive.prepare_to_answer()
    archive.store(new[19])
    index = index_of(archive)
    counted: list[int] = []
    with index._lock:
        asking = threading.Thread(
            target=lambda: counted.append(archive.count(Filter(event=EVENTS)))
        )
        asking.start()
        asking.join(30)
    assert counted == [20]


def test_an_archive_may_be_empty_or_only_read(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "games.duckdb") as archive:
        archive.prepare_to_answer()
        take_in(archive, "\n".join(records(20)))
        assert archive.count(Filter(event=EVENTS)) == 20
        with pytest.raises(Conflict):
            archive.merge_players("Player Nr 1", "Player Nr 2", by="me")
    with Archive.open(tmp_path / "games.duckdb", read_only=True) as archive:
        archive.prepare_to_answer()
        assert index_of(archive).current() is not None
        assert archive.count(Filter(event=EVENTS)) == 20
