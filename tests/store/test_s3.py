"""A lake on S3, which moto keeps in memory: like one in a folder, and sometimes unavailable."""

from collections.abc import Iterator

import pytest
from s3_server import S3

from claimlog.store import Archive, ArchiveUnreachable

from .random_games import records

GAMES = records(12, seed=9)


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
    archive.compact()
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


def test_lost_objects_are_named_as_such(archive: Archive, s3: S3) -> None:
    archive.store(GAMES[0])
    archive.index(once=True)
    archive.compact()
    for one in s3.client.list_objects_v2(Bucket="claim")["Contents"]:
        s3.client.delete_object(Bucket="claim", Key=one["Key"])
    with pytest.raises(ArchiveUnreachable, match="claimlog db rebuild makes them again"):
        archive.check()
    assert archive.rebuild().games == 1
    assert archive.check().good


def test_an_s3_that_never_answers_is_given_up(
    archive: Archive, address: str, s3: S3, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After one more attempt, whether it is read or written."""
    archive.store(GAMES[0])
    archive.index(once=True)
    archive.compact()
    archive.store(GAMES[1])
    from claimlog.store.postgres.backend import S3_PATIENCE

    assert 0 < int(S3_PATIENCE["http_timeout"]) * (1 + int(S3_PATIENCE["http_retries"])) <= 60
    monkeypatch.setitem(S3_PATIENCE, "http_timeout", "1")
    with s3.silent() as asked:
        for work in (Archive.card_stats, Archive.compact):
            with Archive.open(address) as other:
                before = len(asked)
                with pytest.raises(ArchiveUnreachable, match=r"the lake of .* does not answer"):
                    work(other)
                assert 0 < len(asked) - before <= 2
    assert archive.count() == 1
    archive.index(once=True)
    assert archive.count() == 2
    assert archive.check().good
