"""Stored games as arguments in place of files."""

import json

import pytest
from archiving import claimlog, lay_out

from claimlog.cli.archive.stored import StoredGame
from claimlog.cli.replay.shelf import Shelf
from claimlog.store import Archive


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("archive")
    lay_out(path)
    assert claimlog(path, "import", "sample.clm", "team-cup.clm")[0] == 0
    return path


@pytest.fixture(scope="module")
def game(folder):
    with Archive.open(folder / "data/claimlog/games.duckdb", read_only=True) as archive:
        (row,) = [row for row in archive.games().games if row.event.startswith("Club evening")]
        return archive.game(row.id)


def test_a_stored_game_is_replayed_as_its_record_is(folder, game):
    stored = claimlog(folder, "replay", game.row.id)
    assert stored[0] == 0
    assert stored == claimlog(folder, "replay", "-", stdin=game.record.encode())
    assert stored == claimlog(folder, "replay", game.row.id[:5].upper())
    report = claimlog(folder, "replay", game.row.id[:5], "--format", "json")[1]
    assert json.loads(report)["tags"]["Player1"] == game.row.players[0].name


def test_it_can_be_stepped_through(game):
    stored = StoredGame(game.row.id)
    stored.record = game.record.encode()
    with Shelf(stored) as shelf:
        assert shelf.name == game.row.id
        assert len(shelf.game(1).tricks) == 26
        assert shelf.game(2) is None


def test_stored_games_are_validated_beside_files(folder, game):
    code, out, err = claimlog(folder, "validate", game.row.id[:6], "team-cup.clm")
    assert (code, err) == (0, "")
    assert out == "16 games, 0 invalid\n"
    out = claimlog(folder, "validate", game.row.id[:6], "--format", "json")[1]
    assert json.loads(out)["file"] == game.row.id


def test_a_file_of_that_name_wins(folder, game):
    (folder / game.row.id).write_bytes((folder / "wrong.clm").read_bytes())
    try:
        assert claimlog(folder, "validate", game.row.id)[0] == 1
        assert claimlog(folder, "validate", game.row.id[:6])[0] == 0
    finally:
        (folder / game.row.id).unlink()


def test_what_is_neither_is_said_to_be_neither(folder, game):
    wrong = game.row.id[:-1] + ("0" if game.row.id[-1] != "0" else "1")
    for command in ("replay", "validate"):
        code, _, err = claimlog(folder, command, wrong)
        assert code == 2
        assert f"{wrong} is neither a file nor a stored game: there is no game {wrong}" in err
        assert game.row.id in err
    code, _, err = claimlog(folder, "replay", "nothing.clm")
    assert (code, err) == (2, "claimlog: nothing.clm cannot be read: no such file or directory\n")


def test_the_rest_is_validated_all_the_same(folder):
    code, out, err = claimlog(folder, "validate", "0000", "team-cup.clm")
    assert (code, out) == (2, "15 games, 0 invalid\n")
    assert err.startswith("claimlog: 0000 is neither a file nor a stored game: ")


def test_without_an_archive(tmp_path):
    code, _, err = claimlog(tmp_path, "replay", "fzjg")
    assert code == 2
    assert "fzjg is neither a file nor a stored game: there is no archive at" in err


def test_a_deleted_game(folder):
    path = folder / "deleted.duckdb"
    assert claimlog(folder, "import", "sample.clm", "--db", path)[0] == 0
    with Archive.open(path) as archive:
        id = archive.games().games[0].id
        archive.delete(id, by="D", why="twice")
    code, _, err = claimlog(folder, "replay", id[:7], "--db", path)
    assert code == 2
    assert f"is neither a file nor a stored game: game {id} has been deleted" in err
