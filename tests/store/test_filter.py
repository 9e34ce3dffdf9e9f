"""Every filter compared with the replays."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import get_args

import pytest
from backends import on_lake
from hypothesis import given
from hypothesis import strategies as st

from claimlog.cards import NAMES
from claimlog.game import Game as Played
from claimlog.store import Archive, BadQuery, Filter, NotFound, Sort, questions
from claimlog.store.model.filter import EventSort, PlayerSort
from claimlog.store.questions.games import SHORT

from .naive import Game

Matches = Callable[[Game], bool]


@pytest.fixture(scope="module")
def games(full: Archive, replayed: list[Played]) -> list[Game]:
    rows = full.games(sort="oldest", limit=1000).games
    assert len(rows) == len(replayed)
    return [Game(replay, row.id) for replay, row in zip(replayed, rows, strict=True)]


def found(archive: Archive, filter: Filter) -> list[str]:
    rows = archive.games(filter, sort="oldest", limit=1000).games
    assert archive.count(filter) == len(rows)
    return [row.id for row in rows]


def seat_of(game: Game, name: str) -> list[int]:
    return [s for s in range(1, game.seats + 1) if game.name(s) == name]


def by_trick(what: Callable[[Game, int], set[str]], card: str) -> Matches:
    text, _, tricks = card.partition("@")
    first, _, last = tricks.partition("-")

    def matches(game: Game) -> bool:
        for trick in game.tricks():
            if tricks and not int(first) <= trick.number <= int(last or first):
                continue
            if any(
                c == text or (len(text) == 1 and c[0] == text) for c in what(game, trick.number)
            ):
                return True
        return False

    return matches


def cards_played(game: Game, n: int) -> set[str]:
    (trick,) = game.tricks(n)
    return set() if trick.auto else {play.card for play in trick.plays if play.card}


def cards_led(game: Game, n: int) -> set[str]:
    (trick,) = game.tricks(n)
    return set() if trick.auto or not trick.plays else {trick.plays[0].card or ""}


def cards_won(game: Game, n: int) -> set[str]:
    (trick,) = game.tricks(n)
    return {p.card for p in trick.plays if p.seat == trick.winner and p.card and not trick.auto}


def cards_up(game: Game, n: int) -> set[str]:
    return set(game.tricks(n)[0].upcards)


def outcome(game: Game, seat: int) -> str:
    points = game.points(seat)
    return {None: "none", 1.0: "won", 0.0: "lost"}.get(points, "shared")


ME = "Player Nr 3"
YOU = "Player Nr 5"

CASES: list[tuple[Filter, Matches]] = [
    (Filter(), lambda g: True),
    (Filter(player=ME), lambda g: bool(seat_of(g, ME))),
    (Filter(player=ME.upper()), lambda g: bool(seat_of(g, ME))),
    (Filter(player="nr player 3"), lambda g: bool(seat_of(g, ME))),
    (Filter(player="id-4"), lambda g: g.tags.get("Id1") == "id-4"),
    (Filter(player=ME, seat=2), lambda g: 2 in seat_of(g, ME)),
    (
        Filter(player=ME, partner=YOU),
        lambda g: (
            g.seats == 4 and {(a - b) % 4 for a in seat_of(g, ME) for b in seat_of(g, YOU)} == {2}
        ),
    ),
    (
        Filter(player=ME, opponent=YOU),
        lambda g: any((a - b) % g.sides for a in seat_of(g, ME) for b in seat_of(g, YOU)),
    ),
    *(
        (
            Filter(player=ME, outcome=how),  # type: ignore[arg-type]
            lambda g, how=how: any(outcome(g, s) == how for s in seat_of(g, ME)),
        )
        for how in ("won", "lost", "shared")
    ),
    (Filter(event="Open 1"), lambda g: g.tags["Event"] == "Open 1"),
    (Filter(event="open 1"), lambda g: g.tags["Event"] == "Open 1"),
    (Filter(site="bern"), lambda g: g.tags["Site"] == "Bern"),
    (Filter(site=("ZURICH", "Bérn")), lambda g: True),
    (Filter(round="4"), lambda g: g.tags["Round"] == "4"),
    (Filter(table="7"), lambda g: g.tags["Table"] == "7"),
    (Filter(since="2015"), lambda g: g.tags["Date"] >= "2015-01-01"),
    (Filter(until="2015"), lambda g: g.tags["Date"] <= "2015-12-31"),
    (Filter(until="2016-02"), lambda g: g.tags["Date"] <= "2016-02-29"),
    (
        Filter(since="2015-03-14", until="2015-03-14"),
        lambda g: g.tags["Date"] == "2015-03-14",
    ),
    (Filter(factions="kg"), lambda g: {"G", "K"} <= g.deck),
    (Filter(without="XW"), lambda g: not {"X", "W"} & g.deck),
    (Filter(factions="S", without="T"), lambda g: "S" in g.deck and "T" not in g.deck),
    (Filter(rules="LE2023"), lambda g: True),
    (Filter(rules="Classic"), lambda g: False),
    (Filter(rulings="trolls=highest dragons=last-card"), lambda g: True),
    (Filter(rulings="trolls=line"), lambda g: False),
    (Filter(seats=3), lambda g: g.seats == 3),
    (Filter(leader=2), lambda g: g.replay.leader == 2),
    (Filter(result="1-0"), lambda g: g.replay.result == "1-0"),
    (Filter(result="*"), lambda g: g.replay.result == "*"),
    (Filter(votes="3-2"), lambda g: g.votes == [3, 2]),
    (Filter(votes="3:2"), lambda g: sorted(g.votes or []) == [2, 3]),
    (Filter(votes="2:3:2"), lambda g: sorted(g.votes or []) == [2, 2, 3]),
    (Filter(termination="resignation"), lambda g: g.tags.get("Termination") == "resignation"),
    (Filter(termination="normal"), lambda g: "Termination" not in g.tags),
    (Filter(complete=True), lambda g: g.replay.complete),
    (Filter(complete=False), lambda g: not g.replay.complete),
    (Filter(min_tricks=10, max_tricks=20), lambda g: 10 <= len(g.replay.tricks) <= 20),
    (
        Filter(min_rating=1230),
        lambda g: all(float(g.tags[f"Rating{s + 1}"]) >= 1230 for s in range(g.seats)),
    ),
    (Filter(text="zür NR"), lambda g: g.tags["Site"] == "Zürich"),
    (Filter(text="zurich"), lambda g: g.tags["Site"] == "Zürich"),
    (Filter(text="ZÜRÍCH"), lambda g: g.tags["Site"] == "Zürich"),
    (Filter(text="nr 11"), lambda g: True),
    *(
        (Filter(**{field: (card,)}), by_trick(what, card))  # type: ignore[arg-type]
        for field, what in (
            ("played", cards_played),
            ("led", cards_led),
            ("won", cards_won),
            ("upcard", cards_up),
        )
        for card in ("G5", "X", "M12@3", "D@1", "K@1-13", "P@14-20", "V@26")
    ),
    (Filter(event=("Open 0", "open 2")), lambda g: g.tags["Event"] in ("Open 0", "Open 2")),
    (Filter(not_event="Open 1"), lambda g: g.tags["Event"] != "Open 1"),
    (Filter(not_event=("Open 1", "Open 0")), lambda g: g.tags["Event"] == "Open 2"),
    (Filter(site=("bern", "Zürich")), lambda g: True),
    (
        Filter(round=("3", "11"), table="4"),
        lambda g: g.tags["Round"] in ("3", "11") and g.tags["Table"] == "4",
    ),
    (Filter(seats=(2, 4)), lambda g: g.seats in (2, 4)),
    (Filter(leader=(1, 3)), lambda g: g.replay.leader in (1, 3)),
    (Filter(rules=("LE2023", "Classic")), lambda g: True),
    (Filter(result=("1-0", "0-1")), lambda g: g.replay.result in ("1-0", "0-1")),
    (Filter(votes=("3:2", "5-0")), lambda g: sorted(g.votes or []) == [2, 3] or g.votes == [5, 0]),
    (Filter(termination=("normal", "time")), lambda g: "Termination" not in g.tags),
    (Filter(player=("Player Nr 3", "Player Nr 5")), lambda g: has(g, 3) or has(g, 5)),
    (Filter(not_player="Player Nr 3"), lambda g: not has(g, 3)),
    (
        Filter(player="Player Nr 3", not_player=("Player Nr 5", "Player Nr 7")),
        lambda g: has(g, 3) and not has(g, 5) and not has(g, 7),
    ),
    (
        Filter(player="Player Nr 3", seat=1, opponent=("Player Nr 5", "Player Nr 7")),
        lambda g: (
            g.name(1) == "Player Nr 3"
            and bool({g.name(s) for s in others(g, 1)} & {"Player Nr 5", "Player Nr 7"})
        ),
    ),
    (Filter(clean=True), lambda g: not g.replay.warnings),
    (Filter(clean=False), lambda g: bool(g.replay.warnings)),
    (
        Filter(warning=("trolls-advised-against", "irregular")),
        lambda g: any(p.code in ("trolls-advised-against", "irregular") for p in g.replay.warnings),
    ),
    (
        Filter(led=("G",), won=("K@1-5",)),
        lambda g: by_trick(cards_led, "G")(g) and by_trick(cards_won, "K@1-5")(g),
    ),
]


def has(game: Game, number: int) -> bool:
    return f"Player Nr {number}" in map(game.name, range(1, game.seats + 1))


def others(game: Game, seat: int) -> list[int]:
    """The seats of other sides."""
    return [s for s in range(1, game.seats + 1) if (s - seat) % game.sides]


def words(game: Game, text: str) -> bool:
    whole = " ".join(
        value
        for name, value in game.tags.items()
        if name.startswith("Player") or name in ("Event", "Site", "Round")
    )
    return all(word in without_accents(whole) for word in without_accents(text).split())


def without_accents(text: str) -> str:
    letters = unicodedata.normalize("NFD", text.lower())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def matching(games: list[Game], filter: Filter, matches: Matches) -> list[str]:
    """The ids of the games that a case matches."""
    if filter.text:
        return [game.id for game in games if words(game, filter.text)]
    return [game.id for game in games if matches(game)]


@pytest.mark.parametrize(("filter", "matches"), CASES)
def test_filters(full: Archive, games: list[Game], filter: Filter, matches: Matches) -> None:
    assert found(full, filter) == matching(games, filter, matches)


def test_most_cases_find_something(full: Archive) -> None:
    empty = [filter for filter, _ in CASES if not full.count(filter)]
    assert len(empty) <= 8


@given(st.lists(st.sampled_from(CASES), min_size=2, max_size=4))
def test_filters_combine(
    full: Archive, games: list[Game], cases: list[tuple[Filter, Matches]]
) -> None:
    joined: dict[str, object] = {}
    for filter, _ in cases:
        for field in Filter.__struct_fields__:
            value = getattr(filter, field)
            if value not in (None, ()):
                if field in joined and joined[field] != value:
                    return
                joined[field] = value
    filters = Filter(**joined)  # type: ignore[arg-type]
    alone = [set(matching(games, *case)) for case in cases]
    try:
        both = set(found(full, filters))
    except BadQuery:  # no deck and no number of sides can meet them all
        assert not set.intersection(*alone)
        return
    if "player" not in joined and "text" not in joined:
        assert both == set.intersection(*alone)
    else:
        assert both <= set.intersection(*alone)


def test_a_deck_is_found_in_any_order(full: Archive, games: list[Game]) -> None:
    deck = games[0].tags["Deck"]
    wanted = [game.id for game in games if game.deck == set(deck)]
    assert found(full, Filter(deck=deck[::-1].lower())) == wanted


def test_every_card_can_be_asked_for(full: Archive, games: list[Game]) -> None:
    for card in NAMES[::7]:
        wanted = [game.id for game in games if by_trick(cards_played, card)(game)]
        assert found(full, Filter(played=(card,))) == wanted


@pytest.mark.parametrize(
    "filter",
    [
        Filter(seat=1),
        Filter(outcome="won"),
        Filter(player="x", seat=5),
        Filter(player="x", outcome="drawn"),  # type: ignore[arg-type]
        Filter(since="soon"),
        Filter(until="2026-13"),
        Filter(since="2026-02-30"),
        Filter(deck="Q"),
        Filter(factions="GG"),
        Filter(rules="Mine"),
        Filter(rulings="trolls=green"),
        Filter(seats=5),
        Filter(leader=0),
        Filter(result="2-0"),
        Filter(votes="many"),
        Filter(termination="rain"),
        Filter(played=("Q5",)),
        Filter(played=("G5@x",)),
        Filter(led=("",)),
        Filter(won=("G12",)),
        Filter(deck=""),
        Filter(rulings=" "),
        Filter(since=" 2026"),
        Filter(led=(" K5",)),
        Filter(led=("K5@\u0663",)),
        Filter(rules=("LE2023", "Mine")),
        Filter(seats=(2, 5)),
        Filter(result=("1-0", "2-0")),
        Filter(votes=("3-2", "many")),
        Filter(termination=("normal", "rain")),
        Filter(warning="thunder"),  # type: ignore[arg-type]
        Filter(since="2027", until="2026"),
        Filter(since="2026-11-15", until="2026-11-14"),
        Filter(min_tricks=20, max_tricks=10),
        Filter(led=("K5@5-3",)),
        Filter(led=("K5@0",)),
        Filter(won=("K5@14-27",)),
        Filter(deck="GKU"),
        Filter(deck="GKUWX", seats=3),
        Filter(deck="GKUWX", factions="D"),
        Filter(deck=("GKUWX", "GKSTU"), without="K"),
        Filter(deck="GKUWX", played=("D5",)),
        Filter(factions="GN"),
        Filter(factions="UW", without="W"),
        Filter(factions="V", rules="Classic"),
        Filter(factions="ABDFR", seats=2),
        Filter(led=("G5",), upcard=("M@1-13",)),
        Filter(votes="3-2", seats=3),
        Filter(votes="3:2:2", result=("1-0", "0-1")),
    ],
)
def test_senseless_filters(full: Archive, filter: Filter) -> None:
    with pytest.raises(BadQuery):
        full.games(filter)
    with pytest.raises(BadQuery):
        full.card_stats(filter)


def test_what_leaves_no_deck_or_number_of_sides_is_named(full: Archive) -> None:
    with pytest.raises(BadQuery, match="leave no deck that the rules allow: deck, factions, led"):
        full.count(Filter(deck="GKUWX", factions="D", led=("U",), round="1"))
    with pytest.raises(BadQuery, match="different numbers of sides: seats, votes"):
        full.count(Filter(seats=(2, 4), votes="3-2-2"))
    # Some deck, or some number of sides, is enough; a bye may have any deck, and no votes.
    assert full.count(Filter(deck=("GKUWX", "GKDUX"), factions="D", seats=(1, 2))) == 0
    assert full.count(Filter(votes=("3-2", "2-3-2"), result=("1-0-0", "*"), without="GK")) >= 0


@pytest.mark.parametrize(
    "text", ["'; DROP TABLE games; --", "%", "_", "\\", "\0", "\ud800", "ü" * 9999]
)
def test_hostile_texts(full: Archive, text: str) -> None:
    for filter in (
        Filter(text=text),
        Filter(player=text),
        Filter(event=text),
        Filter(site=text),
        Filter(round=text),
    ):
        try:
            assert full.count(filter) == 0
        except BadQuery:
            assert text in ("\ud800", "\0") or len(text) > 500
        except NotFound:
            assert filter.player or filter.event
    assert full.count() == 400


@pytest.mark.parametrize("sort", get_args(Sort))
def test_pages_join_up(full: Archive, sort: str) -> None:
    filter = Filter(complete=True)
    whole = full.games(filter, sort=sort, limit=1000)  # type: ignore[arg-type]
    assert whole.cursor is None
    ids = []
    cursor = None
    while True:
        page = full.games(filter, sort=sort, limit=37, cursor=cursor)  # type: ignore[arg-type]
        ids += [row.id for row in page.games]
        cursor = page.cursor
        if cursor is None:
            break
    assert ids == [row.id for row in whole.games]
    assert len(ids) == len(set(ids)) == full.count(filter)


@pytest.mark.parametrize("sort", get_args(Sort))
def test_neighbours_are_those_in_the_list(
    full: Archive, sort: Sort, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    of_round = Filter(event="Open 1", round="3")
    asked = [(of_round, 1), (of_round, SHORT)]
    # Only rounds can be short, so this list is searched as the first one is.  A lake takes a
    # twentieth of a second for a game.
    if not on_lake(pytestconfig):
        asked.append((Filter(event="Open 1", seats=3), SHORT))
    for filter, short in asked:
        monkeypatch.setattr(questions.games, "SHORT", short)
        listed = [game.id for game in full.games(filter, sort=sort, limit=1000).games]
        assert len(listed) > 3
        for before, id, after in zip([None, *listed], listed, [*listed[1:], None], strict=False):
            assert full.neighbours(id, filter, sort=sort) == (before, after)
    # A game of another round stands between those that would be beside it in the list.
    (other, *_) = full.games(Filter(event="Open 1", round="4"), sort=sort).games
    listed = [
        game.id
        for game in full.games(Filter(event="Open 1"), sort=sort, limit=1000).games
        if game.round == "3" or game.id == other.id
    ]
    at = listed.index(other.id)
    for short in (1, SHORT):
        monkeypatch.setattr(questions.games, "SHORT", short)
        assert full.neighbours(other.id, of_round, sort=sort) == (
            listed[at - 1] if at else None,
            listed[at + 1] if at + 1 < len(listed) else None,
        )


def test_sorts_sort(full: Archive) -> None:
    rows = full.games(sort="-date", limit=1000).games
    assert [r.date for r in rows] == sorted((r.date for r in rows), reverse=True)  # type: ignore[type-var]
    rows = full.games(sort="-length", limit=1000).games
    assert [r.tricks for r in rows] == sorted((r.tricks for r in rows), reverse=True)
    rounds = [r.round or "" for r in full.games(sort="round", limit=1000).games]
    numbers = [int(r) for r in rounds if r.isdigit()]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize("sort", get_args(PlayerSort))
def test_pages_of_players_join_up(full: Archive, sort: PlayerSort) -> None:
    whole = full.players(sort=sort, limit=1000).players
    rows, cursor = [], None
    while True:
        page = full.players(sort=sort, limit=7, cursor=cursor)
        rows += page.players
        cursor = page.cursor
        if cursor is None:
            break
    assert [row.id for row in rows] == [row.id for row in whole]


@pytest.mark.parametrize("sort", get_args(EventSort))
def test_pages_of_events_join_up_in_their_order(full: Archive, sort: EventSort) -> None:
    whole = full.events(sort=sort, limit=1000).events
    rows, cursor = [], None
    while True:
        page = full.events(sort=sort, limit=2, cursor=cursor)
        rows += page.events
        cursor = page.cursor
        if cursor is None:
            break
    assert [row.id for row in rows] == [row.id for row in whole]
    field = {"first": "first_date", "last": "last_date"}.get(sort.strip("-"), sort.strip("-"))
    values = [getattr(row, field) or "" for row in whole]
    down = (sort.strip("-") in ("first", "name")) == sort.startswith("-")
    assert values == sorted(values, reverse=down)


@pytest.mark.parametrize("cursor", ["", "x", "%%%", "e30", "W10", "WyJvbGRlc3QiLDEsMV0"])
def test_cursors_that_are_none(full: Archive, cursor: str) -> None:
    with pytest.raises(BadQuery):
        full.games(cursor=cursor)
    with pytest.raises(BadQuery):
        full.players(cursor=cursor)
    with pytest.raises(BadQuery):
        full.events(cursor=cursor)


@pytest.mark.parametrize("limit", [0, -1, 1001])
def test_limits(full: Archive, limit: int) -> None:
    with pytest.raises(BadQuery):
        full.games(limit=limit)
