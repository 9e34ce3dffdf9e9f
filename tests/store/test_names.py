"""Which player, event or game is meant by an inexact name or id."""

from __future__ import annotations

import re
import sys
import unicodedata
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimlog.notation.matching import Names, spellings
from claimlog.notation.names import LETTERS, NAME_MARK, by_name, by_name_sql
from claimlog.store import Ambiguous, Archive, Conflict, Filter, GameDeleted, NotFound
from claimlog.store.model.ids import LENGTH, read_beginning, read_id, slips, write_id
from claimlog.store.model.types import Unclear
from claimlog.web import site

from .conftest import take_in
from .test_people import short

PEOPLE = ["Anna Keller", "Jörg Müller", "Anna Kolb", "Sean O'Neil", "Łukasz Żak", "Ann Ek", "Bo"]
NAMES = Names(enumerate(PEOPLE))


def meant(text: str) -> set[str]:
    return {PEOPLE[number] for number in NAMES.meant(text)}


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("anna KELLER", {"Anna Keller"}),
        ("Keller, Anna", {"Anna Keller"}),
        ("keller", {"Anna Keller"}),
        ("A. Keller", {"Anna Keller"}),
        ("kel ann", {"Anna Keller"}),
        ("jorg muller", {"Jörg Müller"}),
        ("Mueller, Joerg", {"Jörg Müller"}),
        ("Jo\u0308rg", {"Jörg Müller"}),
        ("oneil", {"Sean O'Neil"}),
        ("O\u2019NEIL", {"Sean O'Neil"}),
        ("lukasz zak", {"Łukasz Żak"}),
        ("anna", {"Anna Keller", "Anna Kolb"}),
        ("ann", {"Ann Ek"}),  # a whole word is closer than the beginning of one
        ("an k", {"Anna Keller", "Anna Kolb"}),
        ("a a", set()),  # each word stands for another one
        ("bob", set()),
        ("eller", set()),
        ("", set()),
        (" . ", set()),
    ],
)
def test_what_a_name_means(text: str, who: set[str]) -> None:
    assert meant(text) == who


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("Ana Keler", "Anna Keller"),
        ("Kellr", "Anna Keller"),
        ("Jörk Muler", "Jörg Müller"),
        ("Lucasz Zack", "Łukasz Żak"),
    ],
)
def test_the_nearest_name(text: str, who: str) -> None:
    assert not meant(text)
    assert PEOPLE[NAMES.nearest(text)[0]] == who


def test_nothing_is_offered_that_is_not_like_it() -> None:
    assert NAMES.nearest("Wxyz Qqq") == []
    assert NAMES.nearest("%") == []
    assert NAMES.nearest("a" * 10_000) == []


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=6), st.data())
def test_every_name_is_found_however_it_is_written(names: list[str], data: st.DataObject) -> None:
    index = Names(enumerate(names))
    number = data.draw(st.integers(0, len(names) - 1))
    name = names[number]
    if not any(spellings(name)):
        return
    words = data.draw(st.permutations(name.split()))
    for written in (name, name.upper(), name.lower(), " ".join(words)):
        if spellings(written)[0] == spellings(name)[0]:
            assert number in index.meant(written)


def by_sql(names: list[str]) -> list[tuple[str, ...]]:
    """The sort keys that DuckDB makes of names."""
    with duckdb.connect() as connection:
        keys = connection.execute(
            f"SELECT {by_name_sql('name')} FROM (SELECT unnest(?::VARCHAR[]) AS name)", [names]
        ).fetchall()
    return [tuple(key.split(NAME_MARK)) for (key,) in keys]


@pytest.mark.slow
def test_every_character_sorts_the_same_in_python_and_in_sql() -> None:
    letters = (chr(code) for code in range(sys.maxunicode + 1))
    others = {"Cc", "Cn", "Co", "Cs"}  # not in names, new in Unicode, or all the same
    names = [f"a{c}\u0301B" for c in letters if unicodedata.category(c) not in others]
    assert by_sql(names) == list(map(by_name, names))


@given(st.lists(st.text(st.characters(exclude_categories=["Cc", "Cn", "Cs"])), min_size=1))
def test_names_sort_the_same_in_python_and_in_sql(names: list[str]) -> None:
    assert by_sql(names) == list(map(by_name, names))


def test_letters_without_an_accent_are_sorted_as_others() -> None:
    names = "Ægir Aeon Ðan Dora Đuro Łuk Lux Œdipe Oer Øst Otto Strabo Straße Strauß Thor Þór Zoe"
    assert " ".join(sorted(sorted(names.split()), key=by_name)) == names


def test_the_page_at_the_table_reads_the_same_letters() -> None:
    script = Path(site.__file__).with_name("static") / "names.js"
    (table,) = re.findall("^const LETTERS = (.*);$", script.read_text(encoding="utf-8"), re.M)
    assert dict(re.findall(r'(\w): "(\w+)"', table)) == LETTERS | {"ß": "ss"}


@pytest.mark.parametrize("name", ["Straße", "Øst Łuk", "Νίκος", "Œdipe", "Þór", "Ægir", "Đuro"])
def test_spellings_that_differ_in_case_sort_the_same(name: str) -> None:
    assert by_name(name.upper()) == by_name(name) == by_name(name.lower())


@given(st.integers(0, 2**64 - 1), st.integers(4, LENGTH))
def test_an_id_lies_between_the_bounds_of_its_beginning(number: int, length: int) -> None:
    first, last = read_beginning(write_id(number)[:length].upper()) or (1, 0)
    assert first <= number <= last
    assert last - first == (1 << 5 * (LENGTH - length)) - 1


@given(st.integers(0, 2**64 - 1), st.integers(0, LENGTH - 2))
def test_slips_in_an_id(number: int, place: int) -> None:
    id = write_id(number)
    swapped = id[:place] + id[place + 1] + id[place] + id[place + 2 :]
    for written in (id[:place] + id[place + 1 :], id[:place] + "7" + id[place:], swapped):
        assert number in slips(written)
    assert number in slips(id[:place] + "7" + id[place + 1 :])
    assert len(slips(id)) < 1000


@pytest.mark.parametrize("text", ["", "abc", "a" * 14, "abu!", "hzzz", "Ünïx"])
def test_what_is_no_beginning_of_an_id(text: str) -> None:
    assert read_beginning(text) is None


# In the archive ----------------------------------------------------------------------------


@pytest.fixture
def club(archive: Archive) -> Archive:
    text = [
        short(
            "Cup of Zürich", 1, "1-0", "Anna Keller", "Ben Roth", Date="2026-01-01", Rating1="1700"
        ),
        short("Cup of Zürich", 2, "1-0", "Anna Keller", "Anna Kolb", Date="2026-01-02"),
        short("Cup of Bern", 1, "1-0", "Anna Kolb", "Ben Roth", Date="2025-05-05"),
        short("Cup of Bern", 2, "1-0", "Ben Roth", "Anna Keller", Date="2026-03-01", Id1="br-7"),
    ]
    take_in(archive, "\n".join(text))
    return archive


def unclear(caught: pytest.ExceptionInfo[NotFound] | pytest.ExceptionInfo[Ambiguous]) -> Unclear:
    assert caught.value.unclear is not None
    return caught.value.unclear


def test_players_are_found_in_filters_and_arguments(club: Archive) -> None:
    for text in ("keller anna", "KELLER", "Kell"):
        assert club.player(text).player.name == "Anna Keller"
        assert club.count(Filter(player=text)) == 3
        assert club.count(Filter(player=text, opponent="kolb")) == 1
        assert club.head_to_head(text, "kolb").won == 1
    id = club.player("kolb").player.id
    assert club.player(id[:6].upper()).player.name == "Anna Kolb"


def test_who_is_not_there_is_an_error_that_offers_the_nearest(club: Archive) -> None:
    for field in ("player", "opponent", "partner"):
        filter = Filter(**{"player": "Kolb", field: "Ana Kelr"})
        with pytest.raises(NotFound, match="there is no player Ana Kelr") as caught:
            club.games(filter)
        assert unclear(caught).field == field
        one = unclear(caught).candidates[0]
        assert (one.name, one.games, one.last_date) == ("Anna Keller", 3, "2026-03-01")
        assert one.rating == 1700
    with pytest.raises(NotFound) as caught:
        club.count(Filter(event="Cupp of Zurch"))
    assert unclear(caught).candidates[0].name == "Cup of Zürich"


def test_several_are_listed_with_what_tells_them_apart(club: Archive) -> None:
    with pytest.raises(Ambiguous) as caught:
        club.games(Filter(player="anna"))
    assert [(one.name, one.games) for one in unclear(caught).candidates] == [
        ("Anna Keller", 3),
        ("Anna Kolb", 2),
    ]
    assert (unclear(caught).field, unclear(caught).count) == ("player", 2)
    with pytest.raises(Ambiguous) as caught:
        club.player("Ben Roth")
    assert {(one.tag_id, one.games) for one in unclear(caught).candidates} == {
        (None, 2),
        ("br-7", 1),
    }
    for one in unclear(caught).candidates:
        assert club.player(one.id).player.games == one.games
    with pytest.raises(Ambiguous):
        club.standings("cup")


def test_a_merged_player_is_one(club: Archive) -> None:
    with pytest.raises(Ambiguous) as caught:
        club.player("Ben Roth")
    ids = {one.tag_id: one.id for one in unclear(caught).candidates}
    club.merge_players("br-7", ids[None], by="Director")
    assert club.player("Ben Roth").player.games == 3
    assert club.player("Rott, Ben"[:3]).player.games == 3
    # Two players who met are two people.
    with pytest.raises(Conflict, match="they met in game"):
        club.merge_players("kolb", "keller", by="Director")
    with pytest.raises(Ambiguous):
        club.player("anna")


def test_a_name_that_was_corrected_away_is_in_nobodys_way(club: Archive) -> None:
    wrong = club.store(short("Cup of Bern", 3, "1-0", "Anna Kellner", "Ben Roth"))
    assert wrong.id is not None
    with pytest.raises(Ambiguous):
        club.player("Anna Kell")
    club.correct(
        wrong.id, short("Cup of Bern", 3, "1-0", "Anna Keller", "Ben Roth"), by="D", why="slip"
    )
    assert club.player("Anna Kell").player.name == "Anna Keller"
    with pytest.raises(NotFound) as caught:
        club.player("Anna Kelner")
    assert "Anna Kellner" not in [one.name for one in unclear(caught).candidates]


def test_events_are_found(club: Archive) -> None:
    for text in ("zurich", "ZÜRICH cup", "cup z", "zuerich"):
        assert club.event(text).name == "Cup of Zürich"
        assert club.standings(text).name == "Cup of Zürich"
        assert club.count(Filter(event=text)) == 2
    with pytest.raises(NotFound) as caught:
        club.rounds("Cup of Brn")
    assert unclear(caught).candidates[0].name == "Cup of Bern"


def test_games_are_found_by_the_beginnings_of_their_ids(club: Archive) -> None:
    for row in club.games().games:
        for length in (4, 8, 13):
            start = row.id[:length]
            assert club.game(start.upper()).row.id == row.id
            assert club.record(start).revision.id == row.id
            assert club.revisions(start)[0].id == row.id
    row = club.games().games[0]
    club.delete(row.id[:5], by="D", why="w")
    with pytest.raises(GameDeleted, match=row.id):
        club.game(row.id[:5])
    assert club.undelete(row.id[:5], by="D", why="w").id == row.id


def test_a_game_that_is_not_there_offers_the_nearest(club: Archive) -> None:
    row = club.games(sort="oldest").games[0]
    id = row.id
    other = "0" if id[6] != "0" else "1"
    for wrong in (id[:6] + other + id[7:], id[1:], id + "0", id[:7] + "zzzzzz"):
        if read_id(wrong) == read_id(id):
            continue
        with pytest.raises(NotFound, match=f"there is no game {wrong}") as caught:
            club.game(wrong)
        (one,) = unclear(caught).candidates
        assert (one.id, one.name, one.event) == (id, "Anna Keller - Ben Roth", "Cup of Zürich")
    with pytest.raises(NotFound):
        club.revisions("no such game")


def test_several_games_with_one_beginning(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    # An id begins with one of 16 characters: of 17 games two begin with the same one.
    monkeypatch.setattr("claimlog.store.model.ids.SHORTEST", 1)
    take_in(archive, "\n".join(short("E", n, "1-0", "Ann", f"Bob {n}") for n in range(17)))
    ids = [row.id for row in archive.games().games]
    first = next(id[0] for id in ids if sum(other[0] == id[0] for other in ids) > 1)
    with pytest.raises(Ambiguous, match=f"begin with {first}") as caught:
        archive.game(first)
    alike = {id for id in ids if id[0] == first}
    assert {one.id for one in unclear(caught).candidates} == alike
    assert unclear(caught).count == len(alike)
    assert all(one.name.startswith("Ann - Bob") for one in unclear(caught).candidates)


def test_many_may_be_meant(archive: Archive) -> None:
    text = [short("E", n, "1-0", f"Anna {'abcdefghijklmnopqrst'[n]}x", "Bob") for n in range(20)]
    take_in(archive, "\n".join(text))
    with pytest.raises(Ambiguous) as caught:
        archive.player("Anna")
    assert (unclear(caught).count, len(unclear(caught).candidates)) == (20, 10)


@pytest.mark.parametrize("text", ["GROSS", "soren", "Søren Groß"])
def test_a_list_is_searched_without_accents(archive: Archive, text: str) -> None:
    take_in(archive, short("Cup", 1, "1-0", "Søren Groß", "Ann"))
    assert [one.name for one in archive.players(search=text).players] == ["Søren Groß"]
    assert [one.name for one in archive.beginning("player", text)] == ["Søren Groß"]
