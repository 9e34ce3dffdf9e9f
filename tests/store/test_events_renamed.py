"""Events that a director renames or merges: everywhere, with a trace, and undone again."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from claimlog.directing.model import Entrant, Plan
from claimlog.store import Archive, ArchiveError, BadQuery, Conflict, Filter, NotFound

from .conftest import take_in
from .test_people import short


@pytest.fixture
def cups(archive: Archive) -> Archive:
    text = [
        short("Spring Cup", 1, "1-0", "Ann", "Bo", Date="2026-03-01"),
        short("Spring Cup", 2, "1-0", "Ann", "Cy", Date="2026-03-02"),
        short("Srping Cup", 3, "0-1", "Ann", "Bo", Date="2026-03-03"),
        short("Autumn Cup", 1, "1-0", "Bo", "Cy", Date="2026-10-01"),
    ]
    take_in(archive, "\n".join(text))
    return archive


def games_found(archive: Archive, event: str) -> set[int]:
    """The number of games in which each way of asking finds an event."""
    name = archive.event(event).name
    rows = archive.games(Filter(event=event), limit=100).games
    assert {row.event for row in rows} == {name}
    assert {row.event_id for row in rows} == {archive.event(event).id}
    table = list(csv.DictReader(io.StringIO(b"".join(archive.export("csv")).decode())))
    listed = {row.name: row.games for row in archive.events().events}
    groups = {group.key: group.games for group in archive.result_stats("event").groups}
    return {
        len(rows),
        archive.event(event).games,
        archive.count(Filter(event=event)),
        sum(row.games for row in archive.rounds(event)),
        archive.standings(event).games,
        listed[name],
        groups[name],
        sum(row["event"] == name for row in table),
        sum(row["event_id"] == archive.event(event).id for row in table),
    }


def test_a_merged_event_is_one(cups: Archive) -> None:
    merge = cups.merge_events("Srping Cup", "Spring Cup", by="Ruth", why="a slip")
    assert (merge.alias_name, merge.by, merge.why) == ("Srping Cup", "Ruth", "a slip")
    for name in ("Spring Cup", "Srping Cup", merge.event, merge.alias):
        assert games_found(cups, name) == {3}
    assert [row.round for row in cups.rounds("Spring Cup")] == ["1", "2", "3"]
    assert cups.crosstable("Spring Cup").rows[0].points == 2
    assert {one.label for one in cups.player("Ann").events} == {"Spring Cup"}
    assert [one.name for one in cups.events(search="cup", sort="name").events] == [
        "Autumn Cup",
        "Spring Cup",
    ]
    # A game handed in under the earlier name counts, too, and is not a second game.
    assert cups.store(short("Srping Cup", 4, "1-0", "Bo", "Cy")).status == "stored"
    assert cups.store(short("Srping Cup", 1, "0-1", "Ann", "Bo")).status == "doubtful"
    assert games_found(cups, "Spring Cup") == {4}
    assert cups.check().good
    assert cups.merges() == []


def test_a_merge_of_events_is_undone_and_leaves_its_trace(cups: Archive) -> None:
    cups.merge_events("Srping Cup", "Spring Cup", by="Ruth", why="a slip")
    for alias, into in (("Srping Cup", "Autumn Cup"), ("Spring Cup", "Srping Cup")):
        with pytest.raises(ArchiveError, match="merged"):
            cups.merge_events(alias, into, by="Ruth")
    with pytest.raises(NotFound, match="is not merged into Autumn Cup"):
        cups.split_event("Srping Cup", by="Ruth", event="Autumn Cup")
    undone = cups.split_event("Srping Cup", by="Max", why="two cups", event="Spring Cup")
    assert (undone.undone_by, undone.undone_why) == ("Max", "two cups")
    assert games_found(cups, "Srping Cup") == {1}
    assert games_found(cups, "Spring Cup") == {2}
    assert cups.event_merges() == []
    (kept,) = cups.event_merges(undone=True)
    assert kept == undone
    with pytest.raises(NotFound, match="is not merged"):
        cups.split_event("Srping Cup", by="Max")


def test_a_renamed_event(cups: Archive) -> None:
    row = cups.rename_event("Spring Cup", "  Coupe  d'E\u0301te\u0301 ", by="Ruth", why="sponsor")
    assert row.name == "Coupe d'\u00c9t\u00e9"
    assert games_found(cups, "coupe") == {2}
    assert cups.event("spring cup").name == row.name
    assert cups.standings("Spring Cup").name == row.name
    assert [one.name for one in cups.beginning("event", "coup")] == [row.name]
    assert [one.name for one in cups.events(search="coupe").events] == [row.name]
    assert [game.event for game in cups.games(sort="event").games][:2] == ["Autumn Cup", row.name]
    # Under the new name it is the same event, and the same games.
    again = short("Coupe d'\u00c9t\u00e9", 2, "0-1", "Ann", "Cy")
    assert cups.store(again).status == "doubtful"
    assert cups.store(short("Coupe d'\u00c9t\u00e9", 5, "1-0", "Ann", "Bo")).status == "stored"
    assert games_found(cups, "coupe") == {3}
    record = cups.record(cups.games(Filter(round="2")).games[0].id).record
    assert '[Event "Spring Cup"]' in record
    assert cups.check().good


@pytest.mark.only_file("PostgreSQL is backed up with pg_dump")
def test_the_names_of_an_event_are_kept(cups: Archive, tmp_path: Path) -> None:
    cups.rename_event("Spring Cup", "May Cup", by="Ruth", why="later")
    cups.rename_event("May Cup", "Spring Cup", by="Max", why="not later")
    names = cups.event_names("Spring Cup")
    assert [(one.before, one.name, one.by, one.why) for one in names] == [
        ("Spring Cup", "May Cup", "Ruth", "later"),
        ("May Cup", "Spring Cup", "Max", "not later"),
    ]
    assert games_found(cups, "Spring Cup") == {2}
    cups.rebuild()
    cups.backup(tmp_path / "copy.duckdb")
    with Archive.open(tmp_path / "copy.duckdb") as copy:
        assert copy.event_names("Spring Cup") == names


def test_names_that_an_event_cannot_have(cups: Archive) -> None:
    with pytest.raises(Conflict, match="merge them"):
        cups.rename_event("Spring Cup", "autumn  cup", by="Ruth")
    for name in ("", "  ", "?", "a\0"):
        with pytest.raises(BadQuery) as caught:
            cups.rename_event("Spring Cup", name, by="Ruth")
        assert caught.value.field == "name"
    with pytest.raises(NotFound):
        cups.rename_event("Winter Cup", "x", by="Ruth")
    assert cups.event_names("Spring Cup") == []
    # A change of case is a new name.
    assert cups.rename_event("Spring Cup", "SPRING CUP", by="Ruth").name == "SPRING CUP"


def test_the_event_that_has_a_name_goes_before_those_that_once_had_it(archive: Archive) -> None:
    """Also among events that are directed here and have no games yet."""
    archive.create_event("A", by="Ruth")
    archive.rename_event("A", "C", by="Ruth")
    archive.rename_event("C", "A", by="Ruth")
    assert archive.desk("C").name == archive.event("C").name == "A"
    new = archive.create_event("C", by="Ruth")
    archive.enter("C", [Entrant(name="Ann")], by="Ruth")
    assert {archive.event("C").id, archive.desk("C").event} == {new.event}
    assert archive.standings("C").event == new.event
    assert archive.desk("A").event != new.event
    archive.rename_event("C", "Z", by="Ruth")
    assert (archive.event(new.event).name, archive.desk("Z").event) == ("Z", new.event)
    # Records may still have a name of before.
    with pytest.raises(ArchiveError, match=r"^Z was called C before"):
        archive.create_event("C", by="Ruth")
    with pytest.raises(Conflict):
        archive.rename_event("A", "C", by="Ruth")


def test_with_games_too_a_name_means_the_event_that_has_it(cups: Archive) -> None:
    cups.rename_event("Spring Cup", "Summer Cup", by="Ruth")
    cups.rename_event("Summer Cup", "Spring Cup", by="Ruth")
    summer = cups.create_event("Summer Cup", by="Ruth").event
    assert cups.standings("Summer Cup").event == summer
    assert cups.rename_event("Summer Cup", "High Summer", by="Ruth").id == summer
    assert cups.event("Spring Cup").games == 2


def test_games_under_a_name_between_two_renamings_belong_to_the_event(cups: Archive) -> None:
    """Such as a table that was opened while the event had that name."""
    cups.rename_event("Spring Cup", "Sumer Cup", by="Ruth")
    assert cups.store(short("Sumer Cup", 5, "1-0", "Ann", "Bo")).status == "stored"
    cups.rename_event("Sumer Cup", "Summer Cup", by="Ruth")
    assert games_found(cups, "Summer Cup") == {3}
    assert cups.store(short("Sumer Cup", 6, "1-0", "Ann", "Cy")).status == "stored"
    assert games_found(cups, "Summer Cup") == games_found(cups, "Sumer Cup") == {4}
    assert len(cups.events().events) == 3
    # Another event may get the name, unless there are games under it.
    with pytest.raises(Conflict, match="merge them"):
        cups.rename_event("Autumn Cup", "Sumer Cup", by="Ruth")
    new = cups.create_event("Sumer Cup", by="Ruth").event
    assert games_found(cups, "Summer Cup") == {cups.count(Filter(event=new))} == {2}
    assert cups.check().good


def test_a_name_of_between_that_another_event_gets_is_that_of_the_other(cups: Archive) -> None:
    cups.rename_event("Spring Cup", "Sumer Cup", by="Ruth")
    cups.rename_event("Sumer Cup", "Summer Cup", by="Ruth")
    cups.rename_event("Autumn Cup", "Sumer Cup", by="Ruth")
    cups.store(short("Sumer Cup", 5, "1-0", "Ann", "Bo"))
    assert games_found(cups, "Summer Cup") == games_found(cups, "Sumer Cup") == {2}
    # The last to give it up keeps the games.
    cups.rename_event("Sumer Cup", "Autumn Cup", by="Ruth")
    assert games_found(cups, "Autumn Cup") == {2}


def test_an_event_with_a_desk_is_not_merged_away(cups: Archive) -> None:
    cups.create_event("Srping Cup", Plan(system="by-hand"), by="Ruth")
    cups.enter("Srping Cup", [Entrant(name="Ann"), Entrant(name="Bo")], by="Ruth")
    cups.pair_list("Srping Cup", "1; Ann; Bo", by="Ruth")
    with pytest.raises(ArchiveError, match=r"^Srping Cup has a desk, which would be lost"):
        cups.merge_events("Srping Cup", "Spring Cup", by="Ruth")
    merge = cups.merge_events("Spring Cup", "Srping Cup", by="Ruth")
    assert merge.event_name == "Srping Cup"
    assert cups.desk("Spring Cup").name == "Srping Cup"
