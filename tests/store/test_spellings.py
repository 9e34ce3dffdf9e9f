"""Names in two Unicode spellings, and invalid text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from itertools import groupby, islice

import msgspec
import pytest

from claimlog.replay.recorder import replay_text
from claimlog.store import Archive, BadQuery, Filter
from claimlog.store.intake import derived
from claimlog.store.intake.duplicates import goes_on
from claimlog.store.model import types as t
from claimlog.store.model.filter import Sort

from .conftest import take_in
from .test_chain import bring
from .test_people import short

COMPOSED, APART = "J\u00f6rg M\u00fcller", "Jo\u0308rg Mu\u0308ller"
CUP, CUP_APART = "Coup\u00e9 \u017dilina", "Coupe\u0301 Z\u030cilina"


@pytest.fixture
def both(archive: Archive) -> Archive:
    take_in(
        archive,
        short(CUP, 1, "1-0", COMPOSED, "Bo", Site="Z\u00fcrich", Table="\u00c9")
        + "\n"
        + short(CUP_APART, 2, "0-1", APART, "Ann", Site="Zu\u0308rich", Table="E\u0301"),
    )
    return archive


@pytest.mark.parametrize(("name", "event"), [(COMPOSED, CUP), (APART, CUP_APART)])
def test_two_spellings_are_one_name(both: Archive, name: str, event: str) -> None:
    assert both.count() == 2
    assert both.player(name).player.games == 2
    assert both.player(name).player.names == [COMPOSED]
    assert both.event(event).games == 2
    assert both.event(event).name == CUP
    table = "\u00c9" if name == COMPOSED else "E\u0301"
    site = "Z\u00fcrich" if name == COMPOSED else "Zu\u0308rich"
    for filter in (
        Filter(player=name),
        Filter(event=event),
        Filter(site=site),
        Filter(table=table),
        Filter(text=name),
        Filter(text=site.upper()),
    ):
        assert both.count(filter) == 2, filter
    assert [row.name for row in both.players(search=name).players] == [COMPOSED]
    assert [row.name for row in both.events(search=event).events] == [CUP]
    assert [one.name for one in both.beginning("player", name[:3])] == [COMPOSED]
    assert [line.name for line in both.standings(event).lines].count(COMPOSED) == 1
    assert both.check().good


def names_of(archive: Archive) -> tuple[list[str], list[str]]:
    """Players and events as lists, profiles and standings show them."""
    players = [row.name for row in archive.players(sort="name").players]
    assert players == [archive.player(name).player.name for name in players]
    events = [row.name for row in archive.events().events]
    for event in events:
        assert archive.event(event).name == event
    return players, events


def test_the_most_frequent_spelling_is_shown(archive: Archive) -> None:
    """Of players and events; of equally frequent ones the first, whatever came in between."""

    def store(number: int, event: str, *names: str) -> None:
        take_in(archive, short(event, number, "1-0", *names))

    store(1, "TEAM CUP", "EVA MOSER", "Bo Roth")
    assert names_of(archive) == (["Bo Roth", "EVA MOSER"], ["TEAM CUP"])
    store(2, "Team Cup", "Eva Moser", "BO ROTH")
    assert names_of(archive) == (["Bo Roth", "EVA MOSER"], ["TEAM CUP"])
    store(3, "Team Cup", "Bo Roth", "Eva Moser")
    assert names_of(archive) == (["Bo Roth", "Eva Moser"], ["Team Cup"])
    # Games that come together count together.
    games = [short("TEAM CUP", n, "1-0", "EVA MOSER", f"Player {n}") for n in range(4, 8)]
    take_in(archive, "\n".join(games))
    assert names_of(archive)[0][1] == "EVA MOSER"
    assert names_of(archive)[1] == ["TEAM CUP"]
    assert archive.check().good
    shown = names_of(archive)
    archive.rebuild()
    assert names_of(archive) == shown


def test_of_very_many_games_names_are_counted_by_a_rebuild(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A check accepts either name, and no third one."""
    monkeypatch.setattr(derived, "MOST_COUNTED", 1)
    for number, name in enumerate(["EVA MOSER", "Eva Moser", "Eva Moser"], 1):
        take_in(archive, short("Cup", number, "1-0", name, "Bo Roth"))
        # A lake brings in everything waiting at once, and games brought in together are counted.
        assert names_of(archive)[0] == ["Bo Roth", "EVA MOSER"]
    assert archive.check().good
    archive.rebuild()
    assert names_of(archive)[0] == ["Bo Roth", "Eva Moser"]
    assert archive.check().good


@pytest.mark.parametrize("sort", ["event", "-event", "player", "-player"])
def test_no_spelling_tears_apart_what_belongs_together(archive: Archive, sort: Sort) -> None:
    """Also if another spelling becomes the most frequent one between two pages."""
    spelled = {"Zürich Cup": "ann", "bern Cup": "bo", "BERN  CUP": "Bo", "ZÜRICH CUP": "ANN"}
    for round in (1, 2):
        for other, (event, name) in zip("CDEF", spelled.items(), strict=True):
            archive.store(short(event, round, "1-0", name, other))
    bring(archive)
    seen: list[t.GameRow] = []
    cursor, more = None, iter(range(3, 6))
    while cursor or not seen:
        page = archive.games(sort=sort, limit=1, cursor=cursor)
        seen, cursor = [*seen, *page.games], page.cursor
        for round in islice(more, 1):
            archive.store(short("ZÜRICH CUP", round, "1-0", "ANN", "C"))
            bring(archive)
    assert len({row.id for row in seen}) == len(seen) >= 8
    expected = ["bern cup", "zürich cup"] if "event" in sort else ["ann", "bo"]
    of = [(row.event if "event" in sort else row.players[0].name or "").lower() for row in seen]
    groups = [key for key, _ in groupby(" ".join(one.split()) for one in of)]
    assert groups == (expected[::-1] if sort.startswith("-") else expected)


def test_the_record_keeps_its_characters(both: Archive) -> None:
    first, second = both.games(sort="oldest").games
    assert COMPOSED in both.record(first.id).record
    assert APART in both.record(second.id).record
    assert second.players[0].name == COMPOSED


def test_the_same_game_in_another_spelling_is_no_second_one(both: Archive) -> None:
    again = short(CUP_APART, 1, "1-0", APART, "Bo", Site="Bern", Table="E\u0301")
    assert both.store(again).status == "doubtful"
    begun = short(CUP, 3, "*", COMPOSED, "Bo")
    more = begun.replace(COMPOSED, APART).replace("\n*", "\n1. K5: G5\n*")
    assert goes_on(begun, more)


def test_a_null_character_is_no_text(archive: Archive) -> None:
    good = short("E", 1, "1-0", "Ann", "Bo", Scenario="\U0001f0cf")
    for bad in (good.replace("Ann", "A\0nn"), good.replace("\n1-0", "\n{a\0b}\n1-0")):
        outcome = archive.store(bad)
        assert outcome.status == "invalid"
        assert [p.code for p in outcome.problems] == ["encoding"]
        assert "null character" in outcome.problems[0].message
        (game,) = list(replay_text(bad))
        assert [p.code for p in game.problems] == ["encoding"]
    line = (good.replace("Ann", "A\0nn")).encode()
    data = msgspec.json.encode({"record": line.decode()})
    assert [o.status for o in take_in(archive, data, form="ndjson")] == ["invalid"]
    assert archive.count() == 0


def test_a_null_character_is_no_argument(archive: Archive) -> None:
    id = archive.store(short("E", 1, "1-0", "Ann", "Bo")).id or ""
    record = short("E", 1, "0-1", "Ann", "Bo")
    for field, ask in (
        ("player", lambda: archive.player("A\0nn")),
        ("event", lambda: archive.event("\0E")),
        ("text", lambda: archive.count(Filter(text="\0"))),
        ("site", lambda: archive.count(Filter(site="a\0"))),
        ("search", lambda: archive.players(search="a\0")),
        ("by", lambda: archive.store(record, by="\0")),
        ("source", lambda: archive.store(record, source="\0")),
        ("why", lambda: archive.correct(id, record, by="D", why="\0")),
        ("why", lambda: archive.delete(id, by="D", why="\0")),
        ("by", lambda: archive.merge_players("Ann", "Bo", by="\0")),
        ("by", lambda: archive.set_tiebreaks("E", ["points"], by="\0")),
    ):
        with pytest.raises(BadQuery, match="null character") as caught:
            ask()
        assert caught.value.field == field
    assert [revision.revision for revision in archive.revisions(id)] == [1]


def test_moments_at_either_end_of_time(both: Archive) -> None:
    ahead, behind = timezone(timedelta(hours=14)), timezone(timedelta(hours=-14))
    assert both.standings(CUP, known_at=datetime.min.replace(tzinfo=ahead)).games == 0
    assert both.standings(CUP, known_at=datetime.min.replace(tzinfo=UTC)).games == 0
    assert both.standings(CUP, known_at=datetime.max.replace(tzinfo=behind)).games == 2


@pytest.mark.parametrize("round", ["\u00b2", "9" * 500, "\u0661", "1\u00b2"])
def test_rounds_whose_numbers_are_strange(archive: Archive, round: str) -> None:
    take_in(
        archive,
        short("E", round, "1-0", "Ann", "Bo") + "\n" + short("E", 2, "1-0", "Ann", "Cy"),  # type: ignore[arg-type]
    )
    assert {row.round for row in archive.rounds("E")} == {round, "2"}
    assert archive.standings("E", until_round=round).games >= 1
