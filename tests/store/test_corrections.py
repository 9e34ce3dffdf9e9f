"""Many games corrected by one request: first a preview, then all changes or none."""

from __future__ import annotations

import pytest

from claimlog.store import Archive, ArchiveError, BadQuery, Filter

from .conftest import take_in
from .test_people import short


@pytest.fixture
def cup(archive: Archive) -> Archive:
    text = [
        short("Cup", 1, "1-0", "Ana Kelr", "Bo", Site="Zurich", Table="1"),
        short("Cup", 2, "1-0", "Bo", "Ana Kelr", Site="Zurich", Table="1"),
        short("Cup", 3, "0-1", "Cy", "Bo", Site="Zurich", Table="1"),
        short("Other", 1, "0-1", "Ana Kelr", "Cy", Site="Bern", Table="1"),
    ]
    take_in(archive, "\n".join(text))
    return archive


WHO = {"by": "Ruth", "why": "as on the list"}
RIGHT = {"ana  kelr": "Anna Keller"}


def test_a_dry_run_tells_what_would_change_and_changes_nothing(cup: Archive) -> None:
    before = list(cup.export("ndjson"))
    corrections = cup.correct_games(
        Filter(event="Cup"), names=RIGHT, tags={"Site": "Z\u00fcrich"}, **WHO
    )
    assert (corrections.done, corrections.games, corrections.corrected, corrections.refused) == (
        False,
        3,
        3,
        0,
    )
    changes = [[(c.tag, c.before, c.after) for c in line.changes] for line in corrections.lines]
    site = ("Site", "Zurich", "Z\u00fcrich")
    assert changes == [
        [site, ("Player1", "Ana Kelr", "Anna Keller")],
        [site, ("Player2", "Ana Kelr", "Anna Keller")],
        [site],
    ]
    assert list(cup.export("ndjson")) == before
    assert cup.check().good


def test_all_is_done_at_once_and_leaves_its_trace(cup: Archive) -> None:
    corrections = cup.correct_games(Filter(event="Cup"), names=RIGHT, tags={"Table": None}, **WHO)
    done = cup.correct_games(
        Filter(event="Cup"),
        names=RIGHT,
        tags={"Table": None},
        dry_run=False,
        expected=corrections.expected,
        **WHO,
    )
    assert done.done
    assert done.lines == corrections.lines
    assert cup.player("Anna Keller").player.games == 2
    assert cup.player("Ana Kelr").player.games == 1
    assert cup.count(Filter(table="1")) == 1
    moments = set()
    for line in done.lines:
        first, second = cup.revisions(line.id)
        assert (second.revision, second.by, second.why) == (2, "Ruth", "as on the list")
        assert '[Table "1"]' in (cup.record(line.id, 1).record or "")
        moments.add(second.at)
        assert second.at >= first.at
    assert len(moments) == 1
    assert cup.check().good
    again = cup.correct_games(Filter(event="Cup"), names=RIGHT, dry_run=False, **WHO)
    assert (again.done, again.games, again.corrected) == (True, 3, 0)


def test_what_a_dry_run_did_not_show_is_not_done(cup: Archive) -> None:
    corrections = cup.correct_games(Filter(event="Cup"), names=RIGHT, **WHO)
    cup.store(short("Cup", 4, "0-1", "Ana Kelr", "Cy"))
    for names in (RIGHT, {"Ana Kelr": "Anne"}):
        with pytest.raises(ArchiveError, match="dry run"):
            cup.correct_games(
                Filter(event="Cup"),
                names=names,
                dry_run=False,
                expected=corrections.expected,
                **WHO,
            )
    assert cup.player("Ana Kelr").player.games == 4


def test_one_game_that_cannot_be_keeps_all_as_they_are(cup: Archive) -> None:
    kept = list(cup.export("ndjson"))
    for tags, status in (({"Date": "2026-02-30"}, "invalid"), ({"Round": "1"}, "doubtful")):
        corrections = cup.correct_games(Filter(event="Cup"), tags=tags, dry_run=False, **WHO)
        assert not corrections.done
        assert corrections.refused
        assert status in {line.status for line in corrections.lines}
        assert list(cup.export("ndjson")) == kept
    corrections = cup.correct_games(Filter(event="Cup"), tags={"Date": "x"}, **WHO)
    assert [p.code for p in corrections.lines[0].problems] == ["bad-tag"]
    # The first of two equal records is the game itself.
    cup.store(short("Cup", 1, "1-0", "Ana Kelr", "Bo", Site="Bern", Table="1"), doubtful="beside")
    corrections = cup.correct_games(Filter(round="1", event="Cup"), tags={"Site": "Zurich"}, **WHO)
    assert [line.status for line in corrections.lines] == ["conflict"]
    assert corrections.lines[0].other == cup.games(Filter(site="Zurich", round="1")).games[0].id
    tags = {"Round": "1"}
    corrections = cup.correct_games(Filter(round="3"), tags=tags, dry_run=False, beside=True, **WHO)
    assert corrections.done
    assert cup.check().good


@pytest.mark.parametrize(
    ("how", "field"),
    [
        ({}, "tags"),
        ({"tags": {"Deck": "GKUWX"}}, "tags"),
        ({"tags": {"Result": "1-0"}}, "tags"),
        ({"tags": {"Site": "a\0"}}, "tags"),
        ({"names": {" ": "Bo"}}, "names"),
        ({"names": {"Bo": ""}}, "names"),
        ({"names": {"Bo": "B\0"}}, "names"),
    ],
)
def test_changes_that_cannot_be(cup: Archive, how: dict[str, object], field: str) -> None:
    with pytest.raises(BadQuery) as caught:
        cup.correct_games(Filter(), **how, **WHO)  # type: ignore[arg-type]
    assert caught.value.field == field


def test_a_line_break_in_a_value_makes_no_second_tag(cup: Archive) -> None:
    site = 'Z"\\ \n\n[Event "x"]\n\n*'
    done = cup.correct_games(Filter(round="3"), tags={"Site": site}, dry_run=False, **WHO)
    assert done.done
    assert cup.count(Filter(event="Cup")) == 3
    assert cup.games(Filter(round="3")).games[0].site == 'Z"\\ [Event "x"] *'
