"""Any game of a file by its number, forwards and backwards, without keeping the games."""

import gzip
import os
import random

import pytest
from replaying import GAMES

import claimlog.notation.reader
from claimlog.cli.replay.shelf import Shelf

pytestmark = pytest.mark.no_cover


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """Some thousand games in more than a megabyte, each with its own number."""
    texts = [path.read_bytes() for path in GAMES if path.stem != "partial"]
    text = b"\n".join(b'[Number "%d"]\n' % i + texts[i % len(texts)] for i in range(1, 7001))
    path = tmp_path_factory.mktemp("shelf") / "many.clm"
    path.write_bytes(text)
    assert len(text) > 3 << 20
    return path


def pipe(path):
    """A path from which the file can be read only once."""
    read, write = os.pipe()
    if os.fork() == 0:  # pragma: no cover
        os.close(read)
        with open(write, "wb") as out:
            out.write(path.read_bytes())
        os._exit(0)
    os.close(write)
    return f"/dev/fd/{read}"


@pytest.mark.parametrize("kind", ["plain", "gzip", "pipe"])
def test_any_game_in_any_order(many, kind, tmp_path):
    path = str(many)
    if kind == "gzip":
        path = str(tmp_path / "many.clm.gz")
        with open(path, "wb") as out:
            out.write(gzip.compress(many.read_bytes(), 1))
    elif kind == "pipe":
        path = pipe(many)
    chosen = random.Random(7)
    lines = many.read_bytes().split(b"\n")
    with Shelf(path) as shelf:
        assert shelf.game(1).tags["Number"] == "1"
        assert shelf.total is None
        for number in [2, 3, 1, 2500, 2499, 1, *(chosen.randint(1, 7000) for _ in range(8))]:
            game = shelf.game(number)
            assert game.tags["Number"] == str(number)
            assert lines[game.line - 1] == b'[Number "%d"]' % number
            assert len(game.tricks) in (4, 18, 24, 26)
        assert shelf.game(7001) is None
        assert shelf.total == 7000
        assert shelf.game(7000).tags["Number"] == "7000"
        assert shelf.game(0) is None


def test_only_as_much_is_read_as_is_asked_for(many, monkeypatch):
    sizes = []
    whole = claimlog.notation.reader.blocks

    def counted(read, *args):
        def counting(size=-1):
            data = read(size)
            sizes.append(len(data))
            return data

        return whole(counting, *args)

    monkeypatch.setattr("claimlog.cli.replay.shelf.blocks", counted)
    with Shelf(str(many)) as shelf:
        shelf.game(1)
        assert sum(sizes) < os.path.getsize(many) * 0.9
        assert shelf.known < 7000


def test_the_number_of_games_of_a_small_file_is_known_at_once():
    with Shelf(str(GAMES[0])) as shelf:
        shelf.game(1)
        assert shelf.total == 1
        assert shelf.game(2) is None


def test_an_empty_file(tmp_path):
    path = tmp_path / "empty.clm"
    path.touch()
    with Shelf(str(path)) as shelf:
        assert shelf.game(1) is None
        assert shelf.total == 0


def test_invalid_games_are_counted_once(many):
    with Shelf(str(many)) as shelf:
        invalid = [number for number in range(1, 9) if not shelf.game(number).legal]
        for number in invalid:
            shelf.game(number)
        assert shelf.invalid == len(invalid) == 1


def test_a_file_that_shrinks(many, tmp_path):
    path = tmp_path / "shrinking.clm"
    path.write_bytes(many.read_bytes())
    with Shelf(str(path)) as shelf:
        assert shelf.game(3000) is not None
        path.write_bytes(b"")
        with pytest.raises(OSError, match="changed"):
            shelf.game(1)
