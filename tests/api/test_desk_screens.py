"""What screens show of a directed event: clock, announcements, and no trick too early."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from games import game
from msgspec.structs import replace
from states import CLM

from claimlog.client import Client
from claimlog.directing import acts
from claimlog.directing.board import LeftPlay
from claimlog.directing.model import Entrant, Plan, Table, TableResult
from claimlog.store import ArchiveError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import httpx

    from .conftest import Served

CUP = "Spring Cup"
NAMES = ("Ann", "Bo", "Cy", "Di")
TRICKS = ("G0", "G9", "K2", "U2", "U8", "W2")
"""An upcard and two plays, twice; the event's `delay` limits what others see of them."""

END = {"kind": "finish", "id": "end", "result": "1-0", "termination": "resignation"}


@pytest.fixture
def client(serve: Callable[..., Served]) -> Iterator[tuple[Client, Served]]:
    """Two tables of a running round, which spectators see two tricks late."""
    served = serve()
    with Client(served.url) as client:
        client.create_event(CUP, Plan(decks=("GKUWX",), delay=2, minutes=50), by="Ruth")
        client.enter(CUP, [Entrant(name=name) for name in NAMES], by="Ruth")
        tables = (Table(number=1, players=(1, 2)), Table(number=2, players=(3, 4)))
        client.direct(CUP, acts.Paired(round=1, tables=tables), by="Ruth")
        yield client, served


def send(http: httpx.Client, id: str, token: str, *words: str, after: int = 0) -> Any:
    """Enter words at a table as its scorer."""
    entries = [
        {"kind": "enter", "id": f"w{after + n}", "word": word} for n, word in enumerate(words)
    ]
    body = {"device": "phone", "after": after, "entries": entries}
    answer = http.post(
        f"/v1/tables/{id}/actions", json=body, headers={"Authorization": f"Bearer {token}"}
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


def opened(http: httpx.Client, new: dict[str, Any]) -> Any:
    """Open a table; its id and token."""
    answer = http.post("/v1/tables", json=new)
    assert answer.status_code == 201, answer.text
    return answer.json()


def shown(http: httpx.Client, path: str) -> str:
    """The page at an address."""
    answer = http.get(path, headers={"Accept": "text/html"})
    assert answer.status_code == 200, answer.text
    return answer.text


def next_event(lines: Iterator[str], name: str) -> Any:
    """Return the data of a stream's next event with this name."""
    for line in lines:
        if line == f"event: {name}":
            return json.loads(next(lines).removeprefix("data: "))
    raise AssertionError(f"the stream ended without {name}")


def test_clock_and_announcements_are_on_all_screens(client: tuple[Client, Served]) -> None:
    director, served = client
    (first, _) = director.start_round(CUP, 1, by="Ruth").links
    streams = (f"/v1/tables/{first.id}/events?view=spectator", f"/v1/events/{CUP}/live")
    for path in streams:
        with served.http.stream("GET", path) as answer:
            lines = answer.iter_lines()
            shown = next_event(lines, "notice")
            assert (shown["round"], shown["left"], shown["running"]) == (1, None, False)
            director.direct(CUP, acts.Clocked(round=1, running=True), by="Ruth")
            shown = next_event(lines, "notice")
            assert shown["running"]
            assert 2990 < shown["left"] <= 3000
            director.direct(CUP, acts.Clocked(round=1, minutes=5), by="Ruth")
            assert 3290 < next_event(lines, "notice")["left"] <= 3300
            director.direct(CUP, acts.Announced(text="Pizza <b>"), by="Ruth")
            assert next_event(lines, "notice")["text"] == "Pizza <b>"
            assert director.notice(CUP).text == "Pizza <b>"
            for _ in range(3):
                director.undo_act(CUP, by="Ruth")


def test_a_table_is_told_that_its_round_was_paired_without_it(
    client: tuple[Client, Served],
) -> None:
    director, served = client
    (first, _) = director.start_round(CUP, 1, by="Ruth").links
    path = f"/v1/tables/{first.id}/events"
    with served.http.stream("GET", path, params={"lang": "de"}) as answer:
        lines = answer.iter_lines()
        assert next_event(lines, "notice")["text"] is None
        director.undo_act(CUP, by="Ruth")
        tables = (Table(number=1, players=(1, 3)), Table(number=2, players=(2, 4)))
        director.direct(CUP, acts.Paired(round=1, tables=tables), by="Ruth")
        director.start_round(CUP, 1, by="Ruth")
        told = "Runde 1 wurde neu gepaart, ohne diesen Tisch: die Turnierleitung fragen."
        assert next_event(lines, "notice")["text"] == told
        director.direct(CUP, acts.Announced(text="Pizza"), by="Ruth")
        assert next_event(lines, "notice")["text"] == f"{told} Pizza"
    assert director.notice(CUP).text == "Pizza"


def test_the_wall_shows_the_entrant_once_two_spellings_are_merged(
    client: tuple[Client, Served],
) -> None:
    director, served = client
    director.start_round(CUP, 1, by="Ruth")
    new = {"deck": "GKUWX", "players": ["Anne", "Bo"], "event": CUP, "round": "1", "table": "1"}
    id = opened(served.http, new)["id"]

    def tile(live: Any) -> list[str]:
        (row,) = [one for one in live["tables"] if one["id"] == id]
        return list(row["players"])

    with served.http.stream("GET", f"/v1/events/{CUP}/live") as answer:
        lines = answer.iter_lines()
        assert tile(next_event(lines, "live")) == ["Anne", "Bo"]
        director.direct(CUP, acts.Spelled(entrant=1, name="Anne"), by="Ruth")
        assert tile(next_event(lines, "live")) == ["Ann", "Bo"]
    wall = served.http.get(f"/events/{CUP}/wall", headers={"Accept": "text/html"}).text
    assert "Anne" not in wall


def test_no_screen_shows_a_game_as_running_once_its_round_is_closed(
    client: tuple[Client, Served],
) -> None:
    """Somebody began to record it, and the director typed the result; others are played later."""
    director, served = client
    director.direct(CUP, acts.Planned(plan=Plan(decks=("GKUWX",))), by="Ruth")
    links = director.start_round(CUP, 1, by="Ruth").links
    for link in links:
        send(served.http, link.id, link.scorer.partition("#token=")[2], *TRICKS)
    typed = acts.ResultTyped(round=1, table=1, result=TableResult(result="1-0"))
    director.direct(CUP, typed, by="Ruth")

    def shown() -> list[tuple[set[str], set[str]]]:
        """On each screen the tables where a game is being played, and those of later ones."""
        with served.http.stream("GET", f"/v1/events/{CUP}/live") as answer:
            live = next_event(answer.iter_lines(), "live")["tables"]
        found = [[{one["id"] for one in live if one["adjourned"] is is_} for is_ in (False, True)]]
        for path in ("/", f"/events/{CUP}"):
            page = served.http.get(path, headers={"Accept": "text/html"}).text
            now, _, later = page.partition("To be played later")
            shown = [{link.id for link in links if link.id in part} for part in (now, later)]
            assert ("Being played" in page) is bool(shown[0])
            found.append(shown)
        return [(now, later) for now, later in found]

    assert shown() == [({link.id for link in links}, set())] * 3
    director.close_round(CUP, 1, by="Ruth", adjourn=True)
    assert shown() == [(set(), {links[1].id})] * 3


def test_no_table_of_a_closed_round_is_listed_as_open_once_it_has_a_result(
    client: tuple[Client, Served],
) -> None:
    """The director typed the results, whether somebody began to record the game or not."""
    director, served = client
    director.direct(CUP, acts.Planned(plan=Plan(decks=("GKUWX",))), by="Ruth")
    director.enter(CUP, [Entrant(name=name) for name in "EFGH"], by="Ruth")
    pairs = ((1, 2), (3, 4), (5, 6), (7, 8))
    tables = tuple(Table(number=n, players=pair) for n, pair in enumerate(pairs, 1))
    director.direct(CUP, acts.Paired(round=1, tables=tables), by="Ruth")
    links = director.start_round(CUP, 1, by="Ruth").links
    for link in (links[0], links[2], links[3]):
        send(served.http, link.id, link.scorer.partition("#token=")[2], *TRICKS)
    done = {"device": "phone", "after": 6, "entries": [END]}
    bearer = {"Authorization": f"Bearer {links[3].scorer.partition('#token=')[2]}"}
    address = f"/v1/tables/{links[3].id}/actions"
    assert served.http.post(address, json=done, headers=bearer).status_code == 200
    for number in (1, 2, 4):
        typed = acts.ResultTyped(round=1, table=number, result=TableResult(result="1-0"))
        director.direct(CUP, typed, by="Ruth")

    def listed(**query: str) -> dict[str, bool]:
        rows = served.http.get("/v1/tables", params=query).json()["tables"]
        return {row["table"]: row["adjourned"] for row in rows}

    assert listed() == dict.fromkeys("1234", False)
    director.close_round(CUP, 1, by="Ruth", adjourn=True)
    # The third is played later, and the fourth is over, but its record is not handed in.
    assert listed() == {"3": True, "4": False}
    assert len(listed(event=CUP, limit="1")) == 1
    assert listed(state="all") == {"1": False, "2": False, "3": True, "4": False}
    director.direct(CUP, acts.Reopened(round=1), by="Ruth")
    assert listed() == dict.fromkeys("1234", False)


def test_an_event_with_open_tables_only_is_listed(client: tuple[Client, Served]) -> None:
    """Until its first game is stored: then the archive knows it."""
    director, served = client
    http = served.http
    heading = "No game stored yet"
    assert heading not in shown(http, "/events")
    director.direct(CUP, acts.Planned(plan=Plan(decks=("GKUWX",))), by="Ruth")
    director.start_round(CUP, 1, by="Ruth")
    assert heading not in shown(http, "/events")  # a directed one has its own page
    new = {"deck": "GKUWX", "players": ["Eva", "Fay"], "event": "Spring <b>"}
    made = opened(http, new)
    text = shown(http, "/events")
    assert heading in text
    assert "<bdi>Spring &lt;b&gt;</bdi>" in text
    assert f'<a href="/tables/{made["id"]}"><bdi>Eva</bdi> – <bdi>Fay</bdi></a>' in text
    assert heading in shown(http, "/events?search=spring+%3C")
    assert heading not in shown(http, "/events?search=autumn")
    german = shown(http, "/events?lang=de")
    assert "Noch keine Partie gespeichert" in german
    assert "1 Tisch<" in german
    bearer = {"Authorization": f"Bearer {made['token']}"}
    body = {"device": "phone", "after": 0, "entries": [END]}
    address = f"/v1/tables/{made['id']}"
    assert http.post(f"{address}/actions", json=body, headers=bearer).is_success
    assert http.post(f"{address}/finish", headers=bearer).is_success
    new["players"] = ["Gus", "Hal"]
    opened(http, new)
    text = shown(http, "/events")
    assert heading not in text
    assert "Spring &lt;b&gt;</a>" in text


def test_an_event_with_open_tables_only_has_a_page_and_a_wall(
    client: tuple[Client, Served],
) -> None:
    """Also if the name of a stored event begins with its own."""
    http, html = client[1].http, {"Accept": "text/html"}
    name = "Spring/3"
    assert http.get("/events/Spring%2F3", headers=html).status_code == 404
    new = {"deck": "GKUWX", "players": ["Eva", "Fay"], "event": name, "round": "7"}
    first = opened(http, new)
    send(http, first["id"], first["token"], *TRICKS)
    new["players"] = ["Gus", "Hal"]
    second = opened(http, new)

    def ids(text: str) -> list[str]:
        return [one["id"] for one in (first, second) if one["id"] in text]

    assert '<a href="/events/Spring%2F3"' in shown(http, "/events")
    page = shown(http, "/events/spring%2F3")
    playing, _, untouched = page.partition("Nothing entered yet")
    assert "No game stored yet" in page
    assert (ids(playing), ids(untouched)) == ([first["id"]], [second["id"]])
    wall = http.get("/events/spring%2F3/wall", headers=html)
    assert 'data-live="/v1/events/Spring%2F3/live"' in wall.text
    assert http.get("/events/spring%2F3/round", headers=html).json()["tables"] == []
    http.post("/v1/games", content=game(1, Event="Spring/3 of the club"), headers=CLM)
    assert ids(shown(http, "/events/Spring%2F3")) == [first["id"], second["id"]]
    with http.stream("GET", "/v1/events/Spring%2F3/live") as answer:
        live = next_event(answer.iter_lines(), "live")
    assert (live["event"], len(live["tables"])) == (None, 2)


def test_no_screen_shows_a_trick_before_it_may(client: tuple[Client, Served]) -> None:
    director, served = client
    links = director.start_round(CUP, 1, by="Ruth").links
    id, token = links[0].id, links[0].scorer.partition("#token=")[2]

    def answers() -> dict[str, str]:
        """Everything that a spectator gets."""
        texts = {}
        for path in (
            *("/v1/tables", f"/v1/tables/{id}?view=spectator", f"/v1/events/{CUP}/tables"),
            *(f"/v1/events/{CUP}/standings", f"/events/{CUP}", f"/events/{CUP}/wall"),
            *("/", "/tables", "/games", f"/tables/{id}"),
        ):
            accept = "application/json" if path.startswith("/v1") else "text/html"
            answer = served.http.get(path, headers={"Accept": accept})
            assert answer.status_code == 200, answer.text
            texts[path] = answer.text
        path = f"/v1/tables/{id}?view=spectator"
        texts["CLM"] = served.http.get(path, headers={"Accept": "text/x-claim"}).text
        for path, name in (
            (f"/v1/tables/{id}/events", "table"),
            (f"/v1/events/{CUP}/live", "live"),
        ):
            view = {"view": "spectator"} if name == "table" else {}
            with served.http.stream("GET", path, params=view) as answer:
                texts[path] = json.dumps(next_event(answer.iter_lines(), name))
        return texts

    before = answers()
    send(served.http, id, token, *TRICKS)
    assert answers() == before
    # A table that somebody opens without the director's link has the same delay.
    new = {"deck": "GKUWX", "players": ["Cy", "Di"], "event": "spring cup", "delay": 1}
    assert opened(served.http, new)["delay"] == 2
    # The director may change the delay during play.
    director.direct(CUP, acts.Planned(plan=Plan(decks=("GKUWX",))), by="Ruth")
    shown = answers()
    assert {path for path in before if shown[path] != before[path]} >= {"/v1/tables", "CLM", "/"}
    assert '"trick":3' in shown["/v1/tables"]
    closed = Plan(decks=("GKUWX",), spectators=False)
    director.direct(CUP, acts.Planned(plan=closed), by="Ruth")
    assert answers()["CLM"] == before["CLM"]
    (news, _) = sorted(director.desk_tables(CUP), key=lambda one: one.number or 0)
    assert (news.number, news.trick, news.entries, news.doubt) == (1, 3, len(TRICKS), False)
    assert news.at is not None


def test_the_delay_changes_while_the_next_round_is_paired(client: tuple[Client, Served]) -> None:
    director, served = client
    (first, _) = director.start_round(CUP, 1, by="Ruth").links
    tables = (Table(number=1, players=(1, 3)), Table(number=2, players=(2, 4)))
    director.direct(CUP, acts.Paired(round=2, tables=tables), by="Ruth")
    director.direct(CUP, acts.Planned(plan=Plan(decks=("GKUWX",), delay=3)), by="Ruth")
    assert served.http.get(f"/v1/tables/{first.id}").json()["delay"] == 3


def test_the_tables_still_played_are_on_the_desk_while_the_next_round_is_paired(
    client: tuple[Client, Served],
) -> None:
    director, served = client
    (first, second) = director.start_round(CUP, 1, by="Ruth").links
    send(served.http, first.id, first.scorer.partition("#token=")[2], *TRICKS)
    tables = (Table(number=1, players=(1, 3)), Table(number=2, players=(2, 4)))
    director.direct(CUP, acts.Paired(round=2, tables=tables), by="Ruth")
    news = {(one.round, one.number): one.trick for one in director.desk_tables(CUP)}
    assert news == {(1, 1): 3, (1, 2): 1}
    page = f"/events/{director.desk(CUP).event}/desk"
    earlier, _, later = shown(served.http, page).partition("<h2>round 2")
    assert f'<a href="/tables/{first.id}">Trick 3 of 26</a>' in earlier
    assert f'<a href="/tables/{second.id}">not begun</a>' in earlier
    assert "/tables/" not in later.partition("</section>")[0]
    result = TableResult(result="1-0")
    director.direct(CUP, acts.ResultTyped(round=1, table=1, result=result), by="Ruth")
    earlier = shown(served.http, page).partition("<h2>round 2")[0]
    assert f"/tables/{first.id}" not in earlier
    assert f"/tables/{second.id}" in earlier


def test_what_both_sides_confirmed_at_the_phone_only_the_director_changes(
    client: tuple[Client, Served],
) -> None:
    director, served = client
    links = director.start_round(CUP, 1, by="Ruth").links
    id, token = links[1].id, links[1].scorer.partition("#token=")[2]
    headers = {"Authorization": f"Bearer {token}"}
    entries = [
        {"kind": "finish", "id": "end", "result": "0-1", "termination": "resignation"},
        {"kind": "confirm", "id": "one", "side": 1},
        {"kind": "confirm", "id": "two", "side": 2},
    ]
    body = {"device": "phone", "after": 0, "entries": entries}
    path = f"/v1/tables/{id}"
    assert served.http.post(f"{path}/actions", json=body, headers=headers).status_code == 200
    (news,) = [one for one in director.desk_tables(CUP) if one.number == 2]
    assert (news.over, news.result, news.confirmed) == (True, "0-1", (1, 2))
    more = {"device": "phone", "after": 3, "entries": [{"kind": "undo", "id": "back"}]}
    refused = served.http.post(f"{path}/actions", json=more, headers=headers)
    assert (refused.status_code, refused.json()["type"]) == (409, "urn:claimlog:table-closed")
    assert served.http.post(f"{path}/finish", headers=headers).status_code == 200
    table = director.desk(CUP).rounds[0].tables[1]
    assert (table.settled, table.confirmed, table.result) == (
        True,
        (1, 2),
        TableResult(result="0-1"),
    )
    assert table.game is not None
    won = TableResult(result="1-0")
    with pytest.raises(ArchiveError, match="only the director can change it"):
        director.direct(CUP, acts.ResultTyped(round=1, table=2, result=won), by="scorer")
    told = director.direct(CUP, acts.Corrected(round=1, table=2, result=won), by="Ruth")
    assert told.rounds[0].tables[1].result == won


def test_a_play_left_to_the_director_is_on_the_desk_until_it_is_settled(
    client: tuple[Client, Served],
) -> None:
    director, served = client
    link = director.start_round(CUP, 1, by="Ruth").links[0]
    token = link.scorer.partition("#token=")[2]
    send(served.http, link.id, token, "U7", "G5", "W8", "X3", "U4", "G9")

    def act(after: int, entry: dict[str, Any]) -> tuple[int, bool]:
        """How many plays the director is asked about then; whether the desk's page says so."""
        served.http.post(
            f"/v1/tables/{link.id}/actions",
            json={"device": "phone", "after": after, "entries": [entry]},
            headers={"Authorization": f"Bearer {token}"},
        ).raise_for_status()
        news = {one.number: one.asked for one in director.desk_tables(CUP)}
        return news[1], "asks the director" in shown(served.http, f"/events/{CUP}/desk")

    later = {"kind": "clear", "id": "later", "entry": "w5", "anyway": True, "later": True}
    assert act(6, later) == (1, True)
    settled = [{"do": "settle", "trick": 1, "place": 2}]
    assert act(7, {"kind": "revise", "id": "settled", "edits": settled}) == (0, False)


def test_what_was_handed_in_undecided_stays_on_the_desk_until_the_director_decides(
    client: tuple[Client, Served],
) -> None:
    director, served = client
    link = director.start_round(CUP, 1, by="Ruth").links[0]
    token = link.scorer.partition("#token=")[2]
    send(served.http, link.id, token, "U7", "G5", "W8", "X3", "U4", "G9")
    entries = [
        {"kind": "clear", "id": "later", "entry": "w5", "anyway": True, "later": True},
        END,
        {"kind": "confirm", "id": "one", "side": 1},
        {"kind": "confirm", "id": "two", "side": 2},
    ]
    headers = {"Authorization": f"Bearer {token}"}
    path = f"/v1/tables/{link.id}"
    body = {"device": "phone", "after": 6, "entries": entries}
    play = {"trick": 1, "seat": 2, "card": "W8"}
    acted = served.http.post(f"{path}/actions", json=body, headers=headers).json()
    assert acted["table"]["view"]["asked"] == [play]
    handed_in = served.http.post(f"{path}/finish", headers=headers).json()
    assert handed_in["view"]["asked"] == [play], "the answer says what is still open"
    page = f"/events/{CUP}/desk"
    open_ = "Left to the director: round 1, table 1, trick 1, W8 of Bo"

    def table() -> Any:
        return director.desk(CUP).rounds[0].tables[0]

    asked = (LeftPlay(trick=1, entrant=2, card="W8"),)
    assert table().asked == asked
    assert open_ in shown(served.http, page)
    assert "Der Turnierleitung überlassen: Runde 1, Tisch 1" in shown(
        served.http, f"{page}?lang=de"
    )
    # A result of the director's decides it, and no longer once it is taken back.
    corrected = acts.Corrected(round=1, table=1, result=TableResult(result="0-1"))
    assert director.direct(CUP, corrected, by="Ruth").rounds[0].tables[0].asked == ()
    director.undo_act(CUP, by="Ruth")
    assert table().asked == asked
    game = table().game
    assert game is not None
    stands = acts.Stands(round=1, table=1, game=game)
    for wrong in (replace(stands, table=2), replace(stands, game="0" * 13)):
        with pytest.raises(ArchiveError, match=r"nothing in the game of table [12] is left to the"):
            director.direct(CUP, wrong, by="Ruth")
    told = director.direct(CUP, stands, by="Ruth")
    assert told.rounds[0].tables[0].asked == ()
    assert told.last is not None
    assert told.last.described(str) == "stands (round 1, table 1)"
    assert open_ not in shown(served.http, page)
    director.undo_act(CUP, by="Ruth")
    assert open_ in shown(served.http, page)
    record = director.record(game).record
    settled = record.replace(" {[%director]}", "")
    assert settled != record
    assert director.correct(game, settled, by="Ruth", why="a slip").status == "corrected"
    assert table().asked == ()


def test_why_a_round_cannot_be_paired_is_told_in_german(client: tuple[Client, Served]) -> None:
    director, served = client
    plan = Plan(system="casual")
    director.direct(CUP, acts.Planned(plan=plan), by="Ruth")
    for round, pairs in ((1, ((1, 2), (3, 4))), (2, ((1, 3), (2, 4))), (3, ((1, 4), (2, 3)))):
        tables = tuple(Table(number=n, players=pair) for n, pair in enumerate(pairs, 1))
        director.direct(CUP, acts.Paired(round=round, tables=tables), by="Ruth")
        director.start_round(CUP, round, by="Ruth")
        for number in (1, 2):
            won = TableResult(result="1-0")
            act = acts.ResultTyped(round=round, table=number, result=won)
            director.direct(CUP, act, by="Ruth")
        director.close_round(CUP, round, by="Ruth")
    answer = served.http.post(f"/v1/events/{CUP}/pair", json={}, headers={"Accept-Language": "de"})
    told = answer.json()
    assert (answer.status_code, told["type"]) == (409, "urn:claimlog:conflict")
    assert told["detail"] == (
        "Ann, Bo, Cy und Di haben schon alle gegeneinander gespielt; möglich wäre: "
        "eine zweite Begegnung erlauben"
    )
    assert (told["key"], told["values"]["relax"]) == ("pairing.relax", ["rematch"])
    assert sorted(told["values"]["text"]["values"]["names"]) == list(NAMES)
    paired = served.http.post(f"/v1/events/{CUP}/pair", json={"relax": ["rematch"]})
    assert paired.status_code == 200, paired.text


@pytest.mark.parametrize(
    ("path", "body", "key"),
    [("pair", {}, "pairing.missing"), ("entrants/trf", {"text": "001"}, "trf.missing")],
)
def test_a_package_that_the_server_lacks_is_not_the_directors_fault(
    client: tuple[Client, Served],
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    body: dict[str, str],
    key: str,
) -> None:
    director, served = client
    for name in ("py4swiss.engines", "py4swiss.trf.exceptions"):
        monkeypatch.setitem(sys.modules, name, None)
    director.create_event("Other", Plan(system="swiss"), by="Ruth")
    event = CUP if path == "pair" else "Other"
    director.direct(CUP, acts.Planned(plan=Plan(system="swiss")), by="Ruth")
    answer = served.http.post(f"/v1/events/{event}/{path}", json=body)
    problem = answer.json()
    assert (answer.status_code, problem["type"]) == (501, "urn:claimlog:not-installed")
    assert problem["key"] == key
    assert "py4swiss" in problem["detail"]
