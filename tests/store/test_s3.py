"""A lake on S3, which moto keeps in memory: like one in a folder, and at times away."""

from collections.abc import Iterator

import pytest

from claimlog.store import Archive, ArchiveUnreachable

from .random_games import records

server = pytest.importorskip("moto.server", reason="moto is not installed")
GAMES = records(12, seed=9)


class S3:
    """A server that can go away and come back with what it had."""

    def __init__(self) -> None:
        self.port = 0
        self.start()

    def start(self) -> None:
        self.moto = server.ThreadedMotoServer("127.0.0.1", self.port, verbose=False)
        self.moto.start()
        self.port = self.moto.get_host_and_port()[1]

    def stop(self) -> None:
        self.moto.stop()
        self.moto._server.server_close()


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[S3]:
    made = S3()
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{made.port}",
        "AWS_ACCESS_KEY_ID": "us",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    import boto3

    boto3.client("s3", endpoint_url=f"http://127.0.0.1:{made.port}").create_bucket(Bucket="claim")
    yield made
    made.stop()


@pytest.fixture
def archive(s3: S3, address: str) -> Iterator[Archive]:
    with Archive.open(address, lake="s3://claim/lake") as opened:
        yield opened


def test_everything_is_there(archive: Archive) -> None:
    for game in GAMES:
        archive.store(game)
    assert archive.index(once=True) == len(GAMES)
    id = archive.games(sort="oldest").games[0].id
    archive.delete(id, by="Ann", why="twice")
    assert archive.index(once=True) == 1
    assert archive.count() == len(GAMES) - 1
    assert archive.check().good
    assert archive.rebuild().games == len(GAMES) - 1
    archive.compact()
    assert archive.check().good
    assert b"".join(archive.export("parquet"))[:4] == b"PAR1"


def test_storing_goes_on_while_s3_is_away(archive: Archive, s3: S3) -> None:
    archive.store(GAMES[0])
    archive.index(once=True)
    s3.stop()
    try:
        ids = [archive.store(game).id or "" for game in GAMES[1:]]
        assert archive.revisions(ids[0])
        with pytest.raises(ArchiveUnreachable, match=r"the lake of .* does not answer"):
            archive.index(once=True)
        with pytest.raises(ArchiveUnreachable, match=r"the lake of .* does not answer"):
            archive.card_stats()
    finally:
        s3.start()
    assert archive.count() == 1
    assert archive.index(once=True) == len(GAMES) - 1
    assert archive.count() == len(GAMES)
    assert archive.check().good
