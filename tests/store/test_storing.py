"""One game: storing it, correcting it, deleting it."""

import io
from hashlib import sha256
from math import inf
from pathlib import Path
from random import Random

import msgspec
import pytest

from claimlog.game import Game as Played
from claimlog.notation.writer import canonical
from claimlog.replay.recorder import replay_text
from claimlog.store import (
    Archive,
    BadQuery,
    Conflict,
    Declined,
    Filter,
    GameDeleted,
    InvalidRecord,
    NotFound,
    RevisionChanged,
)
from claimlog.store.intake import batch, storing
from claimlog.store.questions import games

from .conftest import take_in
from .random_games import record, records

ONE, TWO, THREE = records(3, seed=5)
BAD = '[Deck "GKUWX"]\n\n1. U7: G5 G5 /W2\n*\n'


def text_of(record: str) -> str:
    return canonical(next(replay_text(record)))


def test_a_game_is_stored_once(archive: Archive) -> None:
    first = archive.store(ONE, by="me", source="here")
    assert (first.status, first.revision) == ("stored", 1)
    assert first.digest == sha256(text_of(ONE).encode()).hexdigest()
    again = archive.store("\n\n" + ONE.replace("\n", "\r\n"))
    assert (again.status, again.id, again.revision) == ("known", first.id, 1)
    assert archive.count() == 1
    assert first.id is not None
    game = archive.game(first.id.upper())
    assert game.record == text_of(ONE)
    assert game.row.digest == first.digest
    revision = archive.record(first.id).revision
    assert (revision.by, revision.source, revision.why) == ("me", "here", "")
    assert archive.find_digest(first.digest) == revision


def test_an_invalid_game_is_refused_with_its_problems(archive: Archive) -> None:
    outcome = archive.store(BAD)
    assert outcome.status == "invalid"
    assert outcome.id is None
    assert [problem.code for problem in outcome.problems] == ["card-count"]
    assert archive.count() == 0


@pytest.mark.parametrize("text", ["", "\n\n", ONE + "\n" + TWO])
def test_a_record_is_one_game(archive: Archive, text: str) -> None:
    with pytest.raises(InvalidRecord):
        archive.store(text)
    assert archive.count() == 0


def test_an_unfinished_game_is_stored_as_such(archive: Archive) -> None:
    outcome = archive.store('[Deck "GKUWX"]\n\n1. U7: G5 G8 /W2\n2. X3: K4\n*\n')
    assert (outcome.status, outcome.complete, outcome.result) == ("stored", False, "*")
    (row,) = archive.games().games
    assert (row.complete, row.result, row.points, row.votes, row.tricks) == (
        False, "*", None, None, 2,
    )  # fmt: skip


def test_a_correction_keeps_the_old_record(archive: Archive) -> None:
    id = archive.store(ONE).id
    assert id
    outcome = archive.correct(id, TWO, by="Director", why="wrong sheet", expected=1)
    assert (outcome.status, outcome.revision, outcome.id) == ("corrected", 2, id)
    assert archive.game(id).record == text_of(TWO)
    assert archive.record(id, 1).record == text_of(ONE)
    old, new = archive.revisions(id)
    assert (new.by, new.why, new.revision, old.revision) == ("Director", "wrong sheet", 2, 1)
    assert archive.count() == 1
    assert archive.check().good
    # Any digest that the game ever had finds it.
    assert archive.store(ONE).id == id
    assert archive.store(TWO).status == "known"
    again = archive.correct(id, TWO, by="Director", why="again")
    assert (again.status, again.revision) == ("unchanged", 2)
    back = archive.correct(id, ONE, by="Director", why="it was right")
    assert (back.status, back.revision) == ("corrected", 3)
    assert archive.check().good


def test_a_correction_that_is_another_game_conflicts(archive: Archive) -> None:
    one, two = archive.store(ONE).id, archive.store(TWO).id
    assert one
    assert two
    with pytest.raises(Conflict) as caught:
        archive.correct(one, TWO, by="me", why="")
    assert caught.value.id == two
    archive.correct(two, THREE, by="me", why="")
    with pytest.raises(Conflict):  # an earlier revision of the other game counts, too
        archive.correct(one, TWO, by="me", why="")
    assert archive.game(one).record == text_of(ONE)


def test_the_expected_revision_must_be_the_current_one(archive: Archive) -> None:
    id = archive.store(ONE).id
    assert id
    with pytest.raises(RevisionChanged) as caught:
        archive.correct(id, TWO, by="me", why="", expected=2)
    assert caught.value.revision == 1
    with pytest.raises(RevisionChanged):
        archive.delete(id, by="me", why="", expected=7)
    assert archive.revisions(id)[-1].revision == 1


def test_an_invalid_correction_changes_nothing(archive: Archive) -> None:
    id = archive.store(ONE).id
    assert id
    assert archive.correct(id, BAD, by="me", why="").status == "invalid"
    assert archive.game(id).record == text_of(ONE)


def test_deleting_leaves_a_trace(archive: Archive) -> None:
    id = archive.store(ONE).id
    assert id
    trace = archive.delete(id, by="Director", why="a test game", expected=1)
    assert (trace.revision, trace.deleted) == (2, True)
    assert archive.count() == 0
    with pytest.raises(GameDeleted):
        archive.game(id)
    with pytest.raises(GameDeleted):
        archive.delete(id, by="me", why="")
    with pytest.raises(GameDeleted):
        archive.correct(id, TWO, by="me", why="")
    assert [r.deleted for r in archive.revisions(id)] == [False, True]
    assert archive.record(id).record is None
    assert archive.store(ONE).status == "deleted"
    assert take_in(archive, ONE)[0].status == "deleted"
    assert archive.check().good
    back = archive.undelete(id, by="Director", why="it was none")
    assert back.revision == 3
    assert archive.game(id).record == text_of(ONE)
    assert archive.store(ONE).status == "known"
    assert archive.check().good
    with pytest.raises(Declined, match="has not been deleted"):
        archive.undelete(id, by="me", why="")


@pytest.mark.parametrize("id", ["", "x", "0000000000000", "../../etc", "u" * 13, "1' OR '1'='1"])
def test_unknown_ids(archive: Archive, id: str) -> None:
    archive.store(ONE)
    for ask in (archive.game, archive.record, archive.revisions):
        with pytest.raises(NotFound):
            ask(id)


def test_digests_that_are_none(archive: Archive) -> None:
    assert archive.find_digest("00" * 32) is None
    for digest in ("", "xyz", "00"):
        with pytest.raises(BadQuery):
            archive.find_digest(digest)


def test_records_that_files_of_lines_cannot_hold(archive: Archive) -> None:
    for odd in ("\x1f", "\x02", "\x1e", "\u2028", "a\tb"):
        text = ONE.replace('[Event "', f'[Odd "{odd}"]\n[Event "{odd}')
        outcome = archive.store(text, doubtful="beside")
        assert outcome.status == "stored"
        assert outcome.id
        assert archive.game(outcome.id).record == text_of(text)
    assert archive.check().good


def test_a_very_long_comment(archive: Archive) -> None:
    text = ONE.replace("\n1. ", "\n{" + "long " * 500_000 + "}\n1. ", 1)
    outcome = archive.store(text)
    assert outcome.id
    assert archive.game(outcome.id).record == text_of(text)
    assert archive.check().good


def test_a_single_game_is_told_of_as_in_a_list(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list reads the tables, a single game is read from its record."""
    odd = (
        '[Player1 "Ω \\"Q\\" \x02 x"]\n[Player2 "?"]\n[Rating1 "1500.3"]\n[Id1 "7"]\n[Date "2024-??-??"]\n'
        '[Round "1.2"]\n[Deck "GKUWX"]\n\n1. U7: G5 G8 /W2\n*\n'
    )
    texts = [*records(300, seed=21), odd, '[Deck "GKUWX"]\n\n*\n']
    assert {o.status for o in take_in(archive, "\n".join(texts))} == {"stored"}
    first = archive.games(sort="oldest").games[0]
    archive.correct(first.id, TWO, by="me", why="test", expected=1)
    page = archive.games(limit=1000).games
    assert len(page) == 302
    for row in page:
        assert archive.game(row.id).row == row
    # If the record were refused by now, the tables would still have it.
    monkeypatch.setattr(games, "_taken_apart", lambda record: None)
    for row in page[:20]:
        assert archive.game(row.id).row == row


# Many games ------------------------------------------------------------------------------


def test_an_import_refuses_the_invalid_and_takes_the_rest(archive: Archive) -> None:
    text = "\n".join([ONE, BAD, TWO, ONE, THREE[:200] + "\n*\n"])
    outcomes = take_in(archive, text, by="me", source="file.clm")
    assert [o.status for o in outcomes[:4]] == ["stored", "invalid", "stored", "known"]
    assert [o.game for o in outcomes] == list(range(1, len(outcomes) + 1))
    assert outcomes[3].id == outcomes[0].id
    assert outcomes[1].line == ONE.count("\n") + 2
    assert archive.check().good


@pytest.mark.parametrize("workers", [1, 2])
def test_a_large_import(archive: Archive, workers: int) -> None:
    texts = records(150, seed=3)
    body = "\n".join(texts * 100)
    outcomes = take_in(archive, body, workers=workers)
    assert len(outcomes) == 15_000
    assert sum(o.status == "stored" for o in outcomes) == len(set(texts))
    assert {o.status for o in outcomes} == {"stored", "known"}
    assert archive.count() == len(set(texts))
    assert archive.check().good


MANY = "how many games go together is counted before any archive is asked"


def in_small_blocks(monkeypatch: pytest.MonkeyPatch, many: int) -> None:
    """Make a batch of every few games, and store `many` games together, however long it takes."""
    monkeypatch.setattr(batch, "FIRST", 3000)
    monkeypatch.setattr(batch, "BLOCK", 3000)
    monkeypatch.setattr(storing, "SMALL", 0)
    pace = storing.BESIDE_OTHERS._replace(many=many, patience=inf)
    monkeypatch.setattr(storing, "BESIDE_OTHERS", pace)


@pytest.mark.parametrize(
    ("many", "sizes"),
    [
        pytest.param(1, [1] * 62, marks=pytest.mark.file_is_enough(MANY)),
        (25, [1, 2, 4, 8, 16, 25, 6]),
        pytest.param(960, [60, 2], marks=pytest.mark.file_is_enough(MANY)),
        (4000, [62]),
    ],
)
@pytest.mark.parametrize("alone", [False, True])
def test_batches_are_stored_together(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, many: int, sizes: list[int], alone: bool
) -> None:
    """Games of several batches in one transaction, exactly this number of legal games.

    The same outcomes, the same tables.
    """
    in_small_blocks(monkeypatch, many)
    if alone:
        monkeypatch.setattr(type(archive._intake), "alone", storing.BESIDE_OTHERS)
        in_small_blocks(monkeypatch, 7)  # is of no importance then
    loads = []

    class Seen(storing.Load):
        def __init__(self, parts: list[storing.Piece]) -> None:
            super().__init__(parts)
            loads.append(sum(1 for entry in self.entries if entry.digest))

    monkeypatch.setattr(storing, "Load", Seen)
    texts = records(60, seed=12)
    archive.store(texts[50])
    loads.clear()
    body = [*texts[:40], BAD, texts[3], *texts[40:], texts[30]]
    outcomes = take_in(archive, "\n".join(body), workers=1, alone=alone)
    assert loads == sizes
    assert [o.game for o in outcomes] == list(range(1, 64))
    line = 1
    for outcome, text in zip(outcomes, body, strict=True):
        assert outcome.line == line
        line += text.count("\n") + 1
    wanted = ["stored"] * 40 + ["invalid", "known"] + ["stored"] * 20 + ["known"]
    wanted[52] = "known"
    assert [o.status for o in outcomes] == wanted
    assert (outcomes[41].id, outcomes[62].id) == (outcomes[3].id, outcomes[30].id)
    for outcome, text in zip(outcomes, body, strict=True):
        if outcome.id:
            assert archive.game(outcome.id).record == text_of(text)
    assert archive.count() == 60
    assert archive.check().good
    assert not list(archive.path.parent.glob("*.spool/*"))


@pytest.mark.parametrize("many", [1, 1000])
def test_what_came_before_a_failure_is_stored(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    in_small_blocks(monkeypatch, many)
    stream = io.BytesIO("\n".join(records(40, seed=13)).encode())

    def read(size: int) -> bytes:
        data = stream.read(size)
        if not data:
            raise ConnectionError
        return data

    seen = []
    with pytest.raises(ConnectionError):
        for outcomes in archive.import_games(read, workers=1):
            seen += outcomes
    assert len(seen) >= 30
    assert archive.count() == len(seen)
    assert archive.check().good
    assert not list(archive.path.parent.glob("*.spool/*"))


def test_workers_import_nothing_from_the_working_folder(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "claimlog").mkdir()
    (tmp_path / "claimlog" / "__init__.py").write_text("raise ImportError")
    monkeypatch.chdir(tmp_path)
    body = "\n".join(records(150, seed=3) * 40)
    assert len(take_in(archive, body, workers=2)) == 6000


def test_ndjson(archive: Archive, replayed: list[Played]) -> None:
    lines = [msgspec.json.encode({"record": ONE}), b"", b"{not json", b'{"tags": 3}', b"[]"]
    lines.append(msgspec.json.encode({"record": ONE + "\n" + TWO}))
    lines.append(msgspec.json.encode({"record": BAD}))
    lines += [msgspec.json.encode(game.report()) for game in replayed[:60]]
    outcomes = take_in(archive, b"\n".join(lines), form="ndjson")
    assert [o.status for o in outcomes[:6]] == ["stored", *["invalid"] * 5]
    assert [o.line for o in outcomes[:6]] == [1, 3, 4, 5, 6, 7]
    for outcome, game in zip(outcomes[6:], replayed[:60], strict=True):
        assert outcome.status == "stored"
        assert outcome.id
        found = next(replay_text(archive.game(outcome.id).record))
        assert found.report() == game.report()
    assert archive.check().good


def test_nothing_to_import(archive: Archive) -> None:
    assert take_in(archive, "") == []
    assert take_in(archive, "\n\n", form="ndjson") == []


def test_outcomes_come_while_the_import_goes_on(archive: Archive) -> None:
    """Acknowledged games are stored, whatever happens to the rest of the stream."""
    pieces = [record(Random(i)) + "\n" for i in range(8)]

    def read(_: int) -> bytes:
        if not pieces:
            raise ConnectionError
        return pieces.pop(0).encode()

    seen = []
    with pytest.raises(ConnectionError):
        for batch in archive.import_games(read):
            seen += batch
            assert archive.count() == len(seen)
    assert len(seen) >= 6
    assert archive.check().good


def test_an_import_that_nobody_reads_on(archive: Archive) -> None:
    text = "\n".join(records(50, seed=8)).encode()
    batches = archive.import_games(io.BytesIO(text).read)
    next(batches)
    batches.close()  # type: ignore[attr-defined]
    assert archive.check().good
    assert archive.store(ONE).status == "stored"
    assert 1 < archive.count(Filter()) <= 51
