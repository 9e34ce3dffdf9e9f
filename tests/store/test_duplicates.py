"""A game counts once: the same game handed in again in another version."""

from __future__ import annotations

import re
import threading
from random import Random

import pytest

from claimlog.store import Archive, Conflict, Filter
from claimlog.store.intake.duplicates import goes_on

from .conftest import take_in
from .random_games import record, records
from .test_people import short
from .test_storing import text_of

WHOLE = next(
    text
    for text in (
        record(
            Random(seed), seats="2", Event="Cup", Round="3", Table="2", Player1="Ann", Player2="Bob"
        )
        for seed in range(3, 100)
    )
    if "26. " in text and "Termination" not in text and "[Id1" not in text
)
LINES = WHOLE.split("\n")


def changed(name: str, value: str | None, text: str = WHOLE) -> str:
    """The record with another value of a tag, or without it."""
    line = "" if value is None else f'[{name} "{value}"]\n'
    if f"[{name} " not in text:
        return text.replace("[Deck", line + "[Deck")
    return re.sub(rf'\[{name} ".*"\]\n', line, text)


def stopped(tricks: int) -> str:
    """The game as it was after this number of tricks."""
    end = next(i for i, line in enumerate(LINES) if line.startswith(f"{tricks + 1}."))
    text = "\n".join([*LINES[:end], "*"]) + "\n"
    return changed("Result", "*", text)


ELSEWHERE = {"Event": "Other cup", "Round": "9", "Table": "77"}
"""Tags that make it another game by the time and place of play."""


def test_the_same_table_is_the_same_game(archive: Archive) -> None:
    first = archive.store(WHOLE)
    day = re.search(r'\[Date "(.*)"', WHOLE)[1]  # type: ignore[index]
    other = record(Random(4), seats="3", Event="cup", Round="3", Table="2", Date=day)
    outcome = archive.store(other)
    assert (outcome.status, outcome.id, outcome.revision) == ("doubtful", first.id, None)
    assert outcome.doubt is not None
    assert outcome.doubt.in_common == ["table"]
    assert outcome.doubt.record == text_of(other)
    assert archive.count() == 1
    assert archive.check().good


@pytest.mark.parametrize(
    ("change", "common"),
    [
        ({"Table": "5"}, ["players", "tricks"]),
        ({"Table": None}, ["players", "tricks"]),
        ({"Player1": "Anne"}, ["table"]),
        ({"Player1": "Bob", "Player2": "Ann"}, ["table", "players", "tricks"]),
        ({"Player1": "ann"}, ["table", "players", "tricks"]),
        ({"Annotator": "N. N."}, ["table", "players", "tricks"]),
        (ELSEWHERE, ["tricks"]),
        ({"Date": "1999-01-01"}, ["tricks"]),
        ({"Date": None}, ["table", "players", "tricks"]),
        ({"Date": "????-??-??"}, ["table", "players", "tricks"]),
        ({"Event": None, "Round": None, "Table": None}, ["tricks"]),
    ],
    ids=str,
)
def test_what_makes_a_record_doubtful(
    archive: Archive, change: dict[str, str | None], common: list[str]
) -> None:
    first = archive.store(WHOLE)
    text = WHOLE
    for name, value in change.items():
        text = changed(name, value, text)
    outcome = archive.store(text)
    assert outcome.status == "doubtful"
    assert outcome.id == first.id
    assert outcome.doubt is not None
    assert outcome.doubt.in_common == common
    # An import behaves the same.
    assert [o.status for o in take_in(archive, WHOLE + "\n" + text)] == ["known", "doubtful"]


@pytest.mark.parametrize(
    "change",
    [
        {"Table": "5", "Player1": "Cid", "Player2": "Dan"},
        ELSEWHERE | {"Player1": "Cid"},
        {"Round": "4", "Table": "2", "Player2": "Dan"},
    ],
    ids=str,
)
def test_other_games_are_none_of_it(archive: Archive, change: dict[str, str | None]) -> None:
    archive.store(WHOLE)
    text = WHOLE
    for name, value in change.items():
        text = changed(name, value, text)
    assert archive.store(text).status == "stored"


def test_the_same_table_on_another_day_is_another_game(archive: Archive) -> None:
    """All Thursdays of a club may be one event, with a round 1 and a table 1 each time."""
    dates = ("2026-11-05", "2026-11-12", "2026-11-19")
    evenings = [
        short("Thursday", 1, "1-0", "Ann", "Bob", Table="1", Date=date, Scenario=date)
        for date in dates
    ]
    assert {archive.store(text).status for text in evenings[:2]} == {"stored"}
    # Stored together, by an import, and after merges by a director.
    archive.store(short("Thurs", 9, "1-0", "Annie", "Eve"))
    archive.merge_events("Thurs", "Thursday", by="Director")
    archive.merge_players("Annie", "Ann", by="Director")
    more = evenings[2].replace("Ann", "Annie").replace("Thursday", "Thurs")
    outcomes = take_in(archive, "\n".join([*evenings, more]))
    assert [one.status for one in outcomes] == ["known", "known", "stored", "doubtful"]
    assert outcomes[3].doubt is not None
    assert outcomes[3].doubt.in_common == ["table", "players"]
    assert archive.doubtful() == []


@pytest.mark.parametrize(
    ("date", "games"),
    [
        ("2026-11-12", [1]),
        ("2026-11-??", [0, 1]),
        ("2026-??-??", [0, 1]),
        (None, [0, 1]),
        ("????-??-12", [1]),
    ],
)
def test_of_an_unknown_date_only_what_is_known_counts(
    archive: Archive, date: str | None, games: list[int]
) -> None:
    stored = [
        archive.store(short("Cup", 1, "1-0", "Ann", "Bob", Table="1", Date=f"2026-11-{day}")).id
        for day in ("05", "12")
    ]
    given = {} if date is None else {"Date": date}
    again = short("Cup", 1, "0-1", "Ann", "Cid", Table="1", **given)
    for outcome in (archive.store(again), *take_in(archive, again)):
        assert outcome.doubt is not None
        assert {outcome.id, *outcome.doubt.others} == {stored[n] for n in games}


def test_unknown_names_are_no_names(archive: Archive) -> None:
    """An unknown player or table proves nothing."""
    for number in range(3):
        assert (
            archive.store(short("Cup", 1, "1-0", "Ann", "?", Scenario=f"{number}")).status
            == "stored"
        )
    assert archive.store(short("Cup", 2, "1-0", "Ann", "Bob", Table="?")).status == "stored"
    assert archive.store(short("Cup", 2, "1-0", "Cid", "Dan", Table="?")).status == "stored"


def test_to_replace_makes_a_revision(archive: Archive) -> None:
    id = archive.store(WHOLE).id
    assert id
    text = changed("Annotator", "N. N.")
    outcome = archive.store(text, by="Director", source="again.clm", doubtful="replace")
    assert (outcome.status, outcome.id, outcome.revision) == ("corrected", id, 2)
    assert archive.game(id).record == text_of(text)
    assert archive.record(id, 1).record == text_of(WHOLE)
    new = archive.revisions(id)[1]
    assert (new.by, new.source) == ("Director", "again.clm")
    assert new.why
    assert [archive.store(t).status for t in (WHOLE, text)] == ["known", "known"]
    assert archive.count() == 1
    assert archive.check().good


def test_beside_makes_a_game_of_its_own(archive: Archive) -> None:
    first = archive.store(WHOLE).id
    text = changed("Annotator", "N. N.")
    outcome = archive.store(text, doubtful="beside")
    assert outcome.status == "stored"
    assert outcome.id != first
    assert archive.count() == 2
    (pair,) = archive.doubtful()
    assert (pair.id, pair.other) == (first, outcome.id)
    assert pair.in_common == ["table", "players", "tricks"]
    # It is ambiguous which of them a third one would replace.
    third = archive.store(changed("Annotator", "M. M."), doubtful="replace")
    assert third.status == "doubtful"
    assert third.doubt is not None
    assert {third.id, *third.doubt.others} == {first, outcome.id}


def test_an_unfinished_game_goes_on(archive: Archive) -> None:
    id = archive.store(stopped(4)).id
    assert id
    for tricks in (5, 9, 20):
        assert archive.store(stopped(tricks)).status == "corrected"
    # In the middle of a trick, whose winner is not known yet.
    line = next(line for line in LINES if line.startswith("21."))
    cut = stopped(20).replace("\n*\n", f"\n{line.rpartition(' ')[0].replace('+', '')}\n*\n")
    assert archive.store(cut).status == "corrected"
    outcome = archive.store(WHOLE)
    assert (outcome.status, outcome.id) == ("corrected", id)
    assert outcome.complete
    assert archive.count() == 1
    assert len(archive.revisions(id)) == outcome.revision
    # The earlier record is known, but is no longer the game.
    assert archive.store(stopped(5)).status == "known"
    assert archive.game(id).record == text_of(WHOLE)
    assert archive.check().good


def test_an_unfinished_game_that_goes_on_differently_is_doubtful(archive: Archive) -> None:
    archive.store(stopped(8))
    assert archive.store(changed("Recorder", "N. N.", stopped(8))).status == "doubtful"
    assert archive.store(changed("Player1", "Cid")).status == "doubtful"
    assert archive.store(changed("Date", "2001-01-01")).status == "doubtful"
    assert archive.store(changed("Site", None)).status == "doubtful"
    assert archive.store(WHOLE).status == "corrected"
    assert archive.store(stopped(9)).status == "doubtful"


def test_what_goes_on() -> None:
    before, after = text_of(stopped(8)), text_of(WHOLE)
    assert goes_on(before, after)
    assert goes_on(before, text_of(changed("Recorder", "N. N.")))
    assert not goes_on(after, before)
    assert not goes_on(after, after)
    for tricks in range(1, 25):
        assert goes_on(text_of(stopped(tricks)), text_of(stopped(tricks + 1)))


def test_within_one_file(archive: Archive) -> None:
    other = records(1, seed=77)[0]
    texts = [stopped(3), other, stopped(7), WHOLE, changed("Annotator", "N. N."), stopped(3)]
    outcomes = take_in(archive, "\n".join(texts))
    assert [o.status for o in outcomes] == [
        "stored", "stored", "corrected", "corrected", "doubtful", "known",
    ]  # fmt: skip
    assert {outcomes[i].id for i in (0, 2, 3, 4, 5)} == {outcomes[0].id}
    assert [outcomes[i].revision for i in (0, 2, 3)] == [1, 2, 3]
    assert archive.count() == 2
    assert outcomes[0].id
    assert archive.game(outcomes[0].id).record == text_of(WHOLE)
    assert archive.check().good
    assert archive.rebuild().games == 2
    assert archive.check().good


def test_a_file_that_was_corrected(archive: Archive) -> None:
    """Many games at once, each with one word changed."""
    texts = records(120, seed=9)
    again = [text.replace("[Deck", '[Annotator "N. N."]\n[Deck') for text in texts]
    take_in(archive, "\n".join(texts))
    ids = {row.id for row in archive.games(limit=1000).games}
    assert {o.status for o in take_in(archive, "\n".join(again))} == {"doubtful"}
    assert archive.count() == 120
    done = take_in(archive, "\n".join(again), doubtful="replace")
    assert {(o.status, o.revision) for o in done} == {("corrected", 2)}
    assert {row.id for row in archive.games(limit=1000).games} == ids
    assert archive.count(Filter(text="N. N.")) == 120
    assert archive.check().good
    assert {o.status for o in take_in(archive, "\n".join(again))} == {"known"}


def test_two_at_once(archive: Archive) -> None:
    statuses: list[str] = []
    texts = [changed("Annotator", f"Recorder {number}") for number in range(8)]

    def write(text: str) -> None:
        statuses.append(archive.store(text).status)

    writers = [threading.Thread(target=write, args=[text]) for text in texts]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert sorted(statuses) == ["doubtful"] * 7 + ["stored"]


def test_a_correction_does_not_make_two_games_one(archive: Archive) -> None:
    one = archive.store(short("Cup", 1, "1-0", "Ann", "Bob", Table="1")).id
    two = archive.store(short("Cup", 1, "1-0", "Cid", "Dan", Table="2")).id
    assert one
    wrong = short("Cup", 1, "1-0", "Ann", "Bob", Table="2")
    outcome = archive.correct(one, wrong, by="Director", why="a slip")
    assert (outcome.status, outcome.id) == ("doubtful", two)
    assert len(archive.revisions(one)) == 1
    outcome = archive.correct(one, wrong, by="Director", why="it is so", beside=True)
    assert (outcome.status, outcome.id) == ("corrected", one)
    # Now they are two versions of one game already, and may be corrected as such.
    again = short("Cup", 1, "0-1", "Ann", "Bob", Table="2")
    assert archive.correct(one, again, by="Director", why="").status == "corrected"
    assert archive.check().good


def test_a_deleted_game_does_not_come_back_as_a_second_one(archive: Archive) -> None:
    id = archive.store(WHOLE).id
    assert id
    archive.delete(id, by="Director", why="to be typed again")
    text = changed("Annotator", "N. N.")
    other = archive.store(text)
    assert other.status == "stored"
    with pytest.raises(Conflict) as caught:
        archive.undelete(id, by="Director", why="")
    assert caught.value.id == other.id
    assert archive.undelete(id, by="Director", why="", beside=True).revision == 3
    assert len(archive.doubtful()) == 1


def test_merged_players_are_one(archive: Archive) -> None:
    archive.store(WHOLE)
    take_in(archive, short("Bowl", 1, "1-0", "Anne", "Dan"))
    archive.merge_players("Anne", "Ann", by="Director")
    outcome = archive.store(changed("Table", "8", changed("Player1", "Anne")))
    assert outcome.status == "doubtful"
    assert outcome.doubt is not None
    assert outcome.doubt.in_common == ["players", "tricks"]
