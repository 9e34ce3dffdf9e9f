"""Tables over HTTP: scored, watched, taken over, finished; nothing acknowledged is lost."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from datetime import datetime
from pathlib import Path

import httpx
import pytest
from conftest import serving
from test_access import bearer
from test_serve import claimlog, running
from waiting import PATIENCE

from claimlog import loads
from claimlog.api.settings import Settings
from claimlog.api.tables import live
from claimlog.recording.ledger import Ledger
from claimlog.state import State

AGREED = {"deck": "GKUWX", "players": ["Anna Keller", "Ben Roth"]}
CLM = {"Accept": "text/x-claim"}
OPEN = ("U7", "G5", "G8", "X3", "K4")


class Scorer:
    """A device at a table."""

    def __init__(self, http, table, device="phone-1", token=None):
        self.http = http
        self.path = f"/v1/tables/{table}"
        self.device = device
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.number = 0
        self.made = 0

    def send(self, *entries, **more):
        body = {"device": self.device, "after": self.number, "entries": list(entries), **more}
        answer = self.http.post(f"{self.path}/actions", json=body, headers=self.headers)
        if answer.status_code == 200:
            self.number = answer.json()["number"]
        return answer

    def entry(self, kind, **fields):
        self.made += 1
        return {"id": f"{self.device}-{self.made}", "kind": kind, **fields}

    def do(self, kind, **fields):
        answer = self.send(self.entry(kind, **fields))
        assert answer.status_code == 200, answer.text
        return answer.json()

    def words(self, *words):
        answer = self.send(*(self.entry("enter", word=word) for word in words))
        assert answer.status_code == 200, answer.text
        return answer.json()

    def record(self, **params):
        return self.http.get(self.path, headers={**CLM, **self.headers}, params=params).text


class Watch:
    """Server-sent events, read in a thread."""

    def __init__(self, url, path, headers=None, **params):
        self.events = []
        self.lines = []
        self.ended = threading.Event()
        self.whole = False
        """Whether the server ended it regularly, instead of cutting it off."""
        self._news = threading.Condition()
        self._stop = False
        arguments = (url, path, headers or {}, params)
        self._thread = threading.Thread(target=self._read, args=arguments, daemon=True)
        self._thread.start()

    def _read(self, url, path, headers, params):
        with (
            contextlib.suppress(httpx.HTTPError),
            httpx.stream(
                "GET", url + path, headers=headers, params=params, timeout=PATIENCE
            ) as answer,
        ):
            assert answer.headers["content-type"].startswith("text/event-stream")
            event = {}
            for line in answer.iter_lines():
                self.lines.append(line)
                if self._stop:
                    return
                name, _, value = line.partition(": ")
                if line:
                    event[name] = value
                    continue
                if "data" in event:
                    with self._news:
                        self.events.append(event)
                        self._news.notify_all()
                event = {}
            self.whole = True
        self.ended.set()

    def wait(self, wanted):
        """Wait for the first event that satisfies the condition."""
        with self._news:
            event = self._news.wait_for(
                lambda: next((e for e in self.events if wanted(e)), None), timeout=PATIENCE
            )
        assert event, self.events[-1:]
        return next(e for e in self.events if wanted(e))

    def number(self, number):
        return json.loads(self.wait(lambda e: e.get("id") == str(number))["data"])

    def stop(self):
        self._stop = True


def opened(http, *words, token=None, **agreed):
    answer = http.post("/v1/tables", json={**AGREED, **agreed})
    assert answer.status_code == 201, answer.text
    table = answer.json()
    assert answer.headers["location"] == f"/v1/tables/{table['id']}"
    scorer = Scorer(http, table["id"], token=token and table["token"])
    if words:
        scorer.words(*words)
    return table, scorer


def whole(seed=1):
    """The words of a whole game, without draws."""
    state, entered = State.dealt("GKUWX", seed=seed), []
    while not state.over:
        kind = state.to_act.kind
        if kind == "draw":
            state.draw()
        elif kind == "turn-up":
            entered.append(state.turn_up().card)
        else:
            choice = state.choices()[0]
            state.apply(choice)
            entered.append(choice)
    return entered


def problem(answer, status, kind):
    assert answer.status_code == status, answer.text
    details = answer.json()
    assert details["type"] == f"urn:claimlog:{kind}", details
    return details


# Scoring ---------------------------------------------------------------------------------------


def test_a_game_is_scored_card_by_card(serve):
    http = serve().http
    table, scorer = opened(http, event="Open", round="3", table="2", leader=2)
    assert table["begin"].startswith('[CLM "1"]\n[Event "Open"]\n')
    assert (table["state"], table["number"], table["entries"]) == ("open", 0, [])
    for number, word in enumerate(OPEN, 1):
        answer = scorer.words(word)
        assert answer["entries"] == [
            {"id": f"phone-1-{number}", "number": number, "doubtful": False}
        ]
        assert answer["table"]["number"] == answer["number"] == number
    view = answer["table"]["view"]
    assert view["last"]["why"][0].startswith("Anna Keller wins with G8")
    assert view["due"] == {"kind": "play", "seat": 2}
    assert scorer.record().endswith("1. U7: G5 G8+\n2. X3: K4\n*\n")
    scorer.do("undo")
    assert scorer.record().endswith("2. X3:\n*\n")
    german = http.get(scorer.path, params={"lang": "de"}).json()
    assert german["view"]["last"]["why"][0].startswith("Anna Keller gewinnt")


def test_an_unfinished_record_is_gone_on_with(serve):
    http = serve().http
    text = '[Deck "GKUWX"]\n\n1. U7: G5 G8 /W2\n*\n'
    answer = http.post("/v1/tables", json={"text": text})
    scorer = Scorer(http, answer.json()["id"])
    scorer.words("X3")
    assert scorer.record().endswith("1. U7: G5 G8+ /W2\n2. X3:\n*\n")


@pytest.mark.parametrize(
    ("body", "status", "detail"),
    [
        ({"deck": "GK", "players": ["A", "B"]}, 422, "3 ten-card factions"),
        ({"deck": "GKUWX"}, 422, "a table needs a deck and 2 to 4 players"),
        ({"deck": "GKUWX", "players": ["A", "B"], "leader": 3}, 422, "seat 3"),
        ({"deck": "GKUWX", "players": ["A", "B"], "text": "*"}, 422, "not with both"),
        ({"text": "1. U7: G5"}, 422, "bad-deck"),
        ({"deck": "GKUWX", "players": ["A", "B"], "date": "soon"}, 422, "bad-tag"),
        ({"deck": "GKUWX", "players": ["A", "B"], "delay": 27}, 400, "delay"),
        ({"deck": "GKUWX", "players": ["A", "B"], "colour": "red"}, 400, "colour"),
        ({"deck": "GKUWX", "players": ["A", "B"], "hands": {"1": "Q9"}}, 422, "Q9"),
    ],
)
def test_what_is_no_table_is_refused(open_server, body, status, detail):
    answer = open_server.http.post("/v1/tables", json=body)
    assert answer.status_code == status, answer.text
    assert detail in answer.json()["detail"]
    assert open_server.http.get("/v1/tables", params={"state": "all"}).json()["tables"] == []


def test_what_is_wrong_with_a_record_is_said_in_the_language_of_who_asks(open_server):
    """With a key, the place, and all problems."""
    text = '[Deck "GKUWX"]\n\n1. U7: G5 Q8\n*\n'
    messages = set()
    for language, said in (
        ("en", "this cannot be recorded: "),
        ("de", "lässt sich nicht aufzeichnen"),
    ):
        answer = open_server.http.post(
            "/v1/tables", json={"text": text}, headers={"Accept-Language": language}
        )
        wrong = answer.json()
        assert (answer.status_code, wrong["key"]) == (422, "record.wrong")
        assert said in wrong["detail"]
        (problem,) = wrong["problems"]
        assert (problem["line"], problem["column"], problem["code"]) == (3, 11, "unknown-card")
        assert wrong["values"]["why"] == f"3:11: unknown-card: {problem['message']}"
        messages.add(problem["message"])
    assert len(messages) == 2
    two = open_server.http.post("/v1/tables", json={"text": text * 2}).json()
    assert (two["key"], two["values"]) == ("record.not-one-but", {"number": 2})


def test_repeated_and_late_requests_do_no_harm(serve):
    http = serve().http
    _, scorer = opened(http)
    first = [scorer.entry("enter", word=word) for word in ("U7", "G5")]
    assert scorer.send(*first).status_code == 200
    scorer.number = 0
    again = scorer.send(*first)
    assert again.json()["number"] == 2
    assert again.json()["entries"][1] == {"id": "phone-1-2", "number": 2, "doubtful": False}
    # A request may repeat entries that were sent before, or contain one twice.
    third = scorer.entry("enter", word="G8")
    scorer.number = 0
    assert scorer.send(*first, third, third).json()["number"] == 3
    # A late request of a device that no longer scores.
    tablet = Scorer(http, scorer.path.rpartition("/")[2], "tablet")
    tablet.number = 3
    assert tablet.send(take_over=True).status_code == 200
    scorer.number = 0
    assert scorer.send(*first).status_code == 200
    assert http.get(scorer.path).json()["device"] == "tablet"
    assert scorer.record().endswith("1. U7: G5 G8+\n*\n")


def test_one_device_scores_and_another_may_take_over(serve):
    http = serve().http
    table, phone = opened(http, "U7", "G5")
    tablet = Scorer(http, table["id"], "tablet")
    details = problem(tablet.send(tablet.entry("enter", word="G8")), 409, "other-device")
    assert (details["table"]["device"], details["table"]["number"]) == ("phone-1", 2)
    assert details["table"]["seen_at"]
    # It may take over, but must know the existing entries.
    details = problem(tablet.send(tablet.entry("enter", word="G8"), take_over=True), 409, "behind")
    assert [entry["word"] for entry in details["table"]["entries"]] == ["U7", "G5"]
    assert [entry["number"] for entry in details["table"]["entries"]] == [1, 2]
    tablet.number = 2
    assert tablet.send(tablet.entry("enter", word="G8"), take_over=True).status_code == 200
    problem(phone.send(phone.entry("enter", word="G9")), 409, "other-device")
    assert phone.record().endswith("1. U7: G5 G8+\n*\n")
    assert http.get(phone.path).json()["device"] == "tablet"


def test_a_device_must_know_the_last_entry(serve):
    http = serve().http
    _, phone = opened(http, "U7", "G5", "G8")
    phone.number = 1
    details = problem(phone.send(phone.entry("enter", word="X3")), 409, "behind")
    assert [entry["id"] for entry in details["table"]["entries"]] == ["phone-1-2", "phone-1-3"]
    phone.number = 9
    problem(phone.send(phone.entry("enter", word="X3")), 409, "behind")
    # If it sends the missing entry itself, it counts as known.
    phone.number = 2
    mine = {"id": "phone-1-3", "kind": "enter", "word": "G8"}
    assert phone.send(mine, phone.entry("enter", word="X3")).json()["number"] == 4


def test_two_devices_at_the_same_moment_never_mix(serve):
    served = serve()
    table, _ = opened(served.http)
    taken, refused = [], []

    def score(name):
        with httpx.Client(base_url=served.url) as http:
            scorer = Scorer(http, table["id"], name)
            for _ in range(20):
                answer = scorer.send(scorer.entry("note", text=name))
                (taken if answer.status_code == 200 else refused).append(name)

    threads = [threading.Thread(target=score, args=(name,)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(taken)) == 1
    assert (len(taken), len(refused)) == (20, 20)


def test_what_cannot_be_is_kept_and_cleared(serve):
    http = serve().http
    _, scorer = opened(http, "U7", "G5", "W8", "X3", "U4")
    answer = scorer.words("G9", "X5")
    assert [entry["doubtful"] for entry in answer["entries"]] == [True, False]
    view = answer["table"]["view"]
    assert (view["doubt"]["code"], view["waiting"]) == ("void", 1)
    assert "anyway" in view["doubt"]["remedies"]
    answer = scorer.do("clear", entry="phone-1-6", anyway=True)
    assert answer["table"]["view"]["doubt"] is None
    assert scorer.record().endswith("1. U7: G5+ W8^\n2. X3: U4+ G9\n3. X5:\n*\n")


@pytest.mark.parametrize(
    "entries",
    [
        [{"id": "a", "kind": "jump"}],
        [{"id": "a b", "kind": "undo"}],
        [{"id": "a", "kind": "enter"}],
        [{"id": "a", "kind": "enter", "word": "G 5"}],
        [{"id": "a", "kind": "enter", "word": "G5", "anyhow": True}],
        [{"id": "a", "kind": "note", "text": " "}],
        [{"id": "a", "kind": "clear", "entry": "b", "drop": True, "word": "G5"}],
        [{"id": "a", "kind": "fill", "trick": 0, "seat": 1, "card": "G5"}],
        [{"id": "ok", "kind": "enter", "word": "U7"}, {"id": "a", "kind": "jump"}],
        ["a"],
        "a",
        [{"id": f"e{n}", "kind": "undo"} for n in range(501)],
    ],
)
def test_malformed_entries_are_refused_and_nothing_is_kept(open_server, entries):
    _, scorer = opened(open_server.http)
    body = {"device": "phone-1", "after": 0, "entries": entries}
    details = problem(
        open_server.http.post(f"{scorer.path}/actions", json=body), 400, "bad-request"
    )
    assert details["detail"]
    assert open_server.http.get(scorer.path).json()["number"] == 0
    open_server.http.post(f"{scorer.path}/abandon", json={})


# Who may what -----------------------------------------------------------------------------------


def test_a_tables_token_may_do_this_and_nothing_else(serve):
    served = serve(open_writing=False, open_reading=False)
    director, _ = served.app.resources.tokens.create("Dora", "record")
    reader, _ = served.app.resources.tokens.create("Rita", "read")
    bearer = {who: {"Authorization": f"Bearer {who}"} for who in (director, reader)}
    http = served.http
    problem(http.post("/v1/tables", json=AGREED), 401, "unauthorized")
    problem(http.post("/v1/tables", json=AGREED, headers=bearer[reader]), 403, "forbidden")
    one, two = (
        http.post("/v1/tables", json=AGREED, headers=bearer[director]).json() for _ in range(2)
    )
    scorer = Scorer(http, one["id"], token=one["token"])
    assert scorer.words(*OPEN)["number"] == 5
    mine = scorer.headers
    assert http.get(scorer.path, headers=mine).json()["seen_as"] == "all"
    assert http.get(scorer.path, headers=bearer[reader]).json()["seen_as"] == "spectator"
    problem(http.get(scorer.path), 401, "unauthorized")
    for method, path, body in (
        ("GET", f"/v1/tables/{two['id']}", None),
        ("POST", f"/v1/tables/{two['id']}/actions", {"device": "x", "after": 0, "entries": []}),
        ("POST", f"/v1/tables/{two['id']}/finish", None),
        ("POST", f"/v1/tables/{one['id']}/tokens", {}),
        ("POST", "/v1/tables", AGREED),
        ("GET", "/v1/tables", None),
        ("GET", "/v1/games", None),
        ("POST", "/v1/games", {"record": "*"}),
        ("DELETE", "/v1/games/x", None),
        ("POST", "/v1/archive/compact", None),
    ):
        answer = http.request(method, path, json=body, headers=mine)
        problem(answer, 403, "forbidden")
    for wrong in (one["token"][:-1] + "x", one["token"][:13], "clm_", "clm_00000000_x"):
        headers = {"Authorization": f"Bearer {wrong}"}
        problem(http.get(scorer.path, headers=headers), 401, "unauthorized")
    made = http.post(f"{scorer.path}/tokens", json={"name": "Board 7"}, headers=bearer[director])
    assert made.status_code == 201
    assert made.json()["name"] == "Board 7"
    other = Scorer(http, one["id"], "second", made.json()["token"])
    other.number = 5
    assert other.send(take_over=True).status_code == 200
    problem(http.get(scorer.path, params={"view": "1"}, headers=bearer[reader]), 403, "forbidden")
    log = served.logged()
    for text in (one["token"], made.json()["token"]):
        assert text.split("_", 2)[2] not in log
    for path in served.app.resources.tables.folder.iterdir():
        assert one["token"].split("_", 2)[2] not in path.read_text()
        assert path.stat().st_mode & 0o777 == 0o600


HANDS = {"1": "G5 K4 " + "_ " * 11, "2": "G8 G9 K9 " + "_ " * 10}


def test_who_may_not_see_more_sees_what_lies_open(serve):
    served = serve(open_writing=False)
    director, _ = served.app.resources.tokens.create("Dora", "record")
    http = served.http
    headers = {"Authorization": f"Bearer {director}"}
    table = http.post("/v1/tables", json={**AGREED, "hands": HANDS}, headers=headers).json()
    scorer = Scorer(http, table["id"], token=table["token"])
    scorer.words("U7", "G5", "G8", "/W2")
    scorer.do("note", text="secretly")
    scorer.words("X3", "G9", "K4", "W2")
    everything = http.get(scorer.path, headers=headers).json()
    assert everything["view"]["doubt"]["card"] == "W2"
    shown = http.get(scorer.path)
    body = shown.json()
    assert body["seen_as"] == "spectator"
    text = json.dumps({**body, "view": {**body["view"], "unseen": {}}})
    for secret in ("W2", "K9", "secretly", "Hand", "phone-1", "doubt", "token", "begin"):
        assert secret not in text, secret
    assert "W2" in body["view"]["unseen"]["W"]
    assert "K9" in body["view"]["unseen"]["K"]
    record = http.get(scorer.path, headers=CLM).text
    assert not [secret for secret in ("W2", "K9", "secretly", "Hand") if secret in record]
    # `after` is only for clients that see everything.
    assert "entries" not in http.get(scorer.path, params={"after": 0}).json()
    after = http.get(scorer.path, params={"after": 6}, headers=scorer.headers).json()
    assert [entry["number"] for entry in after["entries"]] == [7, 8, 9]
    assert after["begin"] == table["begin"]
    # A seat sees its own cards.
    seat = http.get(scorer.path, params={"view": "2"}, headers=headers).text
    assert "Hand2" in seat
    assert "Hand1" not in seat
    row = http.get("/v1/tables").json()["tables"][0]
    assert not {"W2", "K9"} & set(json.dumps(row).split('"'))
    answer = http.get(scorer.path, params={"view": "3"}, headers=headers)
    problem(answer, 400, "bad-query")


def test_a_delay_holds_tricks_back(serve):
    http = serve().http
    table, scorer = opened(http, "U7", "G5", "G8", "X3", "K4", "K5", "W1", delay=1)
    shown = http.get(scorer.path, params={"view": "spectator"}).json()
    assert shown["view"]["record"].endswith("1. U7: G5 G8+\n*\n")
    text = json.dumps({**shown, "view": {**shown["view"], "unseen": {}}})
    assert not [card for card in ("X3", "K4", "K5", "W1") if f'"{card}"' in text]
    assert scorer.record(view="spectator").endswith("1. U7: G5 G8+\n*\n")
    row = http.get("/v1/tables").json()["tables"][0]
    assert (row["decided"], row["trick"]) == (1, 2)
    assert table["delay"] == 1


def test_a_game_that_is_handed_in_is_shown_without_a_delay(serve):
    """Also if nobody has confirmed its end."""
    http = serve().http
    _, scorer = opened(http, *whole(), delay=3, event="Open")
    shown = http.get(scorer.path, params={"view": "spectator"}).json()
    assert (shown["view"]["over"], shown["view"]["decided"]) == (False, 23)
    assert http.post(f"{scorer.path}/finish").status_code == 200
    shown = http.get(scorer.path, params={"view": "spectator"}).json()
    assert (shown["view"]["over"], shown["view"]["record"]) == (True, scorer.record())
    row = http.get("/v1/tables", params={"state": "finished"}).json()["tables"][0]
    assert (row["over"], row["decided"]) == (True, 26)


# The end ----------------------------------------------------------------------------------------


def test_a_finished_game_is_one_of_the_archive(serve):
    http = serve().http
    table, scorer = opened(http, event="Open", round="1", table="1")
    scorer.words(*whole()[:-1])
    answer = problem(http.post(f"{scorer.path}/finish"), 409, "not-over")
    assert "cards are still to come" in answer["detail"]
    answer = scorer.words(whole()[-1])
    view = answer["table"]["view"]
    assert view["over"]
    scorer.words("U7")
    problem(http.post(f"{scorer.path}/finish"), 409, "not-over")
    scorer.do("undo")
    for side in (1, 2):
        answer = scorer.do("confirm", side=side)
    assert answer["table"]["view"]["closed"]
    problem(scorer.send(scorer.entry("undo")), 409, "table-closed")
    back = [scorer.entry("unconfirm", side=1), scorer.entry("undo")]  # an undo behind it, too
    assert scorer.send(*back).json()["table"]["view"]["decided"] == 25
    scorer.do("redo")
    scorer.send(*(scorer.entry("confirm", side=side) for side in (1, 2)))
    # A second device adds nothing either, but may take the table over to hand it in.
    tablet = Scorer(http, table["id"], "tablet")
    tablet.number = scorer.number
    problem(tablet.send(tablet.entry("undo"), take_over=True), 409, "table-closed")
    assert tablet.send(take_over=True).json()["table"]["device"] == "tablet"
    done = http.post(f"{scorer.path}/finish")
    assert done.status_code == 200, done.text
    id = done.json()["game"]
    assert (done.json()["state"], http.post(f"{scorer.path}/finish").json()["game"]) == (
        "finished",
        id,
    )
    game = http.get(f"/v1/games/{id}").json()
    assert game["record"] == scorer.record() == view["record"]
    assert loads(game["record"])[0].complete
    assert http.get(f"/v1/games/{id}/revisions").json()[0]["source"] == f"table {table['id']}"
    lines = http.get("/v1/events/Open/standings").json()["lines"]
    assert len(lines) == 2
    problem(scorer.send(scorer.entry("undo")), 409, "table-closed")
    problem(http.post(f"{scorer.path}/abandon", json={}), 409, "table-closed")
    assert http.get("/v1/tables").json()["tables"] == []
    row = http.get("/v1/tables", params={"state": "finished"}).json()["tables"][0]
    assert (row["id"], row["game"], row["over"]) == (table["id"], id, True)


def test_a_game_that_seems_to_be_stored_is_asked_about(serve):
    http = serve().http
    ids = []
    for seed in (1, 2):
        _, scorer = opened(http, *whole(seed), event="Open", round="1", table="1")
        answer = http.post(f"{scorer.path}/finish")
        if seed == 1:
            ids.append(answer.json()["game"])
    assert problem(answer, 409, "doubtful")["id"] == ids[0]
    german = http.post(f"{scorer.path}/finish", headers={"Accept-Language": "de"}).json()
    assert "(gemeinsam: Turnier, Runde und Tisch)" in german["detail"]
    assert german["values"]["common"] == ["table", "players"]
    assert http.get(scorer.path).json()["state"] == "open"
    answer = http.post(f"{scorer.path}/finish", params={"doubtful": "replace"})
    assert answer.json()["game"] == ids[0]
    assert http.get(f"/v1/games/{ids[0]}").json()["row"]["revision"] == 2


def test_replacing_is_for_directors(serve):
    served = serve(open_writing=False)
    director, _ = served.app.resources.tokens.create("Dora", "record")
    headers = {"Authorization": f"Bearer {director}"}
    table = served.http.post("/v1/tables", json=AGREED, headers=headers).json()
    answer = served.http.post(
        f"/v1/tables/{table['id']}/finish?doubtful=replace",
        headers={"Authorization": f"Bearer {table['token']}"},
    )
    problem(answer, 403, "forbidden")


def test_an_abandoned_table_is_kept_and_stores_nothing(serve):
    http = serve().http
    table, scorer = opened(http, "U7", "G5")
    for _ in range(2):
        answer = http.post(f"{scorer.path}/abandon", json={"reason": "fire alarm"})
        assert answer.json()["state"] == "abandoned"
    problem(http.post(f"{scorer.path}/finish"), 409, "table-closed")
    problem(http.post(f"{scorer.path}/tokens", json={}), 409, "table-closed")
    assert http.get("/v1/stats/count").json() == {"games": 0}
    rows = http.get("/v1/tables", params={"state": "abandoned"}).json()["tables"]
    assert [row["id"] for row in rows] == [table["id"]]


def test_lists_are_paged(serve):
    http = serve().http
    ids = [opened(http, event=f"E{number % 2}")[0]["id"] for number in range(7)]
    found, path = [], "/v1/tables?limit=3&total=true"
    while path:
        answer = http.get(path)
        page = answer.json()
        assert page["total"] == 7
        found += [row["id"] for row in page["tables"]]
        link = answer.headers["link"]
        path = link.partition(">")[0][1:] if 'rel="next"' in link else ""
    assert sorted(found) == sorted(ids)
    assert len(found) == 7
    mine = http.get("/v1/tables", params={"event": "e1"}).json()["tables"]
    assert {row["event"] for row in mine} == {"E1"}
    assert len(mine) == 3
    problem(http.get("/v1/tables?cursor=nonsense"), 400, "bad-query")
    problem(http.get("/v1/tables/nonsense"), 404, "not-found")


# What holds whatever happens ---------------------------------------------------------------------


@pytest.mark.only_file("the tables are stored beside the file")
def test_a_restart_keeps_everything(tmp_path):
    path = tmp_path / "games.duckdb"
    settings = Settings(open_writing=True)
    with serving(path, settings) as served:
        table, scorer = opened(served.http, *OPEN, event="Open")
        gone, other = opened(served.http, "U7")
        served.http.post(f"{other.path}/abandon", json={})
        done, third = opened(served.http, *whole())
        game = served.http.post(f"{third.path}/finish").json()["game"]
        before = [served.http.get(f"/v1/tables/{one['id']}").json() for one in (table, gone, done)]
        rows = served.http.get("/v1/tables?state=all").json()
    (folder,) = tmp_path.glob("*.tables")
    assert folder.stat().st_mode & 0o777 == 0o700
    # A line that was not completely written was never acknowledged.
    ledger = folder / f"{table['id']}.jsonl"
    with ledger.open("ab") as file:
        file.write(b'{"device":"phone-1","entries":[{"id":"half')
    (folder / "damaged.jsonl").write_text("nonsense\n")
    with serving(path, settings) as served:
        after = [served.http.get(f"/v1/tables/{one['id']}").json() for one in (table, gone, done)]
        assert after == before
        tables = served.http.get("/v1/tables?state=all").json()["tables"]
        assert [row for row in tables if row["id"] != "damaged"] == rows["tables"]
        assert served.http.get(f"/v1/games/{game}").status_code == 200
        scorer = Scorer(served.http, table["id"], token=table["token"])
        scorer.number, scorer.made = 5, 5
        scorer.words("K5")
        assert "damaged" in served.logged()
    assert scorer_of(path, settings, table).endswith("2. X3: K4 K5+\n*\n")


@pytest.mark.only_file("the tables are stored beside the file")
def test_times_only_increase_when_the_clock_is_put_back(tmp_path):
    path = tmp_path / "games.duckdb"
    later = "2999-12-31T12:00:00+00:00"
    with serving(path, Settings(open_writing=True)) as served:
        table, _ = opened(served.http)
    line = {"device": "phone-1", "at": later, "by": "", "entries": []}
    Ledger(path.with_name(f"{path.name}.tables"), table["id"]).append(line)
    times = [datetime.fromisoformat(later)]
    for word in ("U7", "G5"):
        with serving(path, Settings(open_writing=True)) as served:
            scorer = Scorer(served.http, table["id"], token=table["token"])
            scorer.number = scorer.made = len(times) - 1
            times.append(datetime.fromisoformat(scorer.words(word)["table"]["seen_at"]))
    assert times == sorted(set(times))


@pytest.mark.only_file("the tables are stored beside the file")
def test_tokens_of_a_table_end(tmp_path, monkeypatch):
    """By being revoked, at once and also after a restart, or by expiring after a week."""
    path = tmp_path / "games.duckdb"
    settings = Settings(open_writing="until-token", open_reading=False)
    with serving(path, settings) as served:
        app = served.app
        table, _ = opened(served.http, "U7")
        place = f"/v1/tables/{table['id']}"
        made = served.http.post(f"{place}/tokens", json={"name": "Board 2"}).json()
        listed = served.http.get(f"{place}/tokens").json()
        assert [one["name"] for one in listed][1:] == ["Board 2"]
        assert listed[1] == {name: made[name] for name in ("id", "name", "expires")}
        director = bearer(app.resources.tokens.create("Ruth", "record")[0])
        mine, other = bearer(made["token"]), bearer(table["token"])
        assert served.http.get(place, headers=mine).status_code == 200
        # The token of a table does not allow creating or revoking tokens.
        for method, where in (("GET", ""), ("POST", ""), ("DELETE", f"/{made['id']}")):
            body = {} if method == "POST" else None
            answer = served.http.request(method, f"{place}/tokens{where}", headers=mine, json=body)
            assert answer.status_code == 403
        gone = f"{place}/tokens/{made['id']}"
        left = served.http.delete(gone, headers=director).json()
        assert [one["id"] for one in left] == [listed[0]["id"]]
        problem(served.http.delete(gone, headers=director), 404, "not-found")
        problem(served.http.get(place, headers=mine), 401, "unauthorized")
        assert served.http.get(place, headers=other).status_code == 200
    with serving(path, settings) as served:
        problem(served.http.get(place, headers=mine), 401, "unauthorized")
        assert served.http.get(place, headers=other).status_code == 200
        now = live._now
        monkeypatch.setattr(live, "_now", lambda: now() + live.TOKEN_TIME)
        problem(served.http.get(place, headers=other), 401, "unauthorized")
        assert served.http.get(f"{place}/tokens", headers=director).json() == []


@pytest.mark.only_file("the tables are stored beside the file")
def test_a_damaged_table_harms_no_other(tmp_path):
    path = tmp_path / "games.duckdb"
    settings = Settings(open_writing=True)
    with serving(path, settings) as served:
        good, _ = opened(served.http, *OPEN, event="Open")
        bad, _ = opened(served.http, *OPEN, event="Open")
        later, gone = (
            served.http.post(f"/v1/tables/{bad['id']}/tokens", json={}).json() for _ in range(2)
        )
        served.http.delete(f"/v1/tables/{bad['id']}/tokens/{gone['id']}")
    ledger = tmp_path / "games.duckdb.tables" / f"{bad['id']}.jsonl"
    data = ledger.read_bytes()
    ledger.write_bytes(data.replace(b'"word":"X3"', b'"word":"X2"'))
    with serving(path, settings) as served:
        http = served.http
        states = {row["id"]: row["state"] for row in http.get("/v1/tables").json()["tables"]}
        assert states == {good["id"]: "open", bad["id"]: "damaged"}
        mine = http.get("/v1/tables?event=open&state=damaged").json()["tables"]
        assert [(row["id"], row["players"]) for row in mine] == [(bad["id"], AGREED["players"])]
        page = http.get("/", headers={"Accept": "text/html"})
        assert page.status_code == 200
        assert "the file of this table is damaged" in page.text
        watch = Watch(served.url, "/v1/events/Open/live")
        event = watch.wait(lambda e: "data" in e)
        assert [row["id"] for row in json.loads(event["data"])["tables"]] == [good["id"]]
        for path in ("", "/events", "?view=spectator"):
            details = problem(http.get(f"/v1/tables/{bad['id']}{path}"), 503, "unavailable")
            assert "damaged" in details["detail"]
        actions = {"device": "phone-1", "after": 5, "entries": []}
        path = f"/v1/tables/{bad['id']}/actions"
        for token in ({}, bearer(bad["token"]), bearer(later["token"])):
            told = problem(http.post(path, json=actions, headers=token), 503, "unavailable")
            assert "damaged" in told["detail"]
        revoked = http.post(path, json=actions, headers=bearer(gone["token"]))
        problem(revoked, 401, "unauthorized")
        report = http.post("/v1/archive/check").json()
        assert [(f["what"], f["id"]) for f in report["faults"]] == [("tables", bad["id"])]
        assert served.logged().count('"failure"') <= 1
    done = claimlog("db", "check", "--db", tmp_path / "games.duckdb", check=False)
    assert done.returncode == 1
    assert f"tables: {bad['id']}: line 2 is not what was written" in done.stdout


def scorer_of(path, settings, table):
    with serving(path, settings) as served:
        return served.http.get(f"/v1/tables/{table['id']}", headers=CLM).text


def test_streams_end_at_once_when_the_server_stops(tmp_path):
    with running("--db", tmp_path / "games.duckdb") as (process, url):
        with httpx.Client(base_url=url) as http:
            _, scorer = opened(http, "U7", event="Open")
        watches = [
            Watch(url, f"{scorer.path}/events"),
            Watch(url, "/v1/events/Open/live"),
        ]
        for watch in watches:
            watch.wait(lambda e: "data" in e)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) in (0, -signal.SIGTERM)
        for watch in watches:
            assert watch.ended.wait(PATIENCE)
            # The server ended the streams by itself instead of waiting until it had to cut them
            # off.
            assert watch.whole


def test_a_server_that_only_reads_opens_no_table(tmp_path):
    db = tmp_path / "games.duckdb"
    with serving(db, Settings(open_writing=True)) as served:
        table, scorer = opened(served.http, *OPEN)
    text = claimlog("token", "create", "Anna", "--scope", "admin", "--db", db).stdout.strip()
    headers = {"Authorization": f"Bearer {text}"}
    with (
        running("--db", db, "--read-only") as (_, url),
        httpx.Client(base_url=url, headers=headers) as http,
    ):
        for path, body in (
            ("/v1/tables", AGREED),
            (f"/v1/tables/{table['id']}/actions", {"device": "x", "after": 5, "entries": []}),
            (f"/v1/tables/{table['id']}/finish", None),
            (f"/v1/tables/{table['id']}/abandon", {}),
            (f"/v1/tables/{table['id']}/tokens", {}),
        ):
            problem(http.post(path, json=body), 403, "read-only")
        assert http.get(scorer.path, headers=CLM).text.endswith("2. X3: K4\n*\n")


FULL = """
import resource, sys
sys.path.insert(0, "api")
from pathlib import Path
from conftest import serving
from test_tables import opened
from claimlog.api.tables import live
from claimlog.api.settings import Settings

path = Path(sys.argv[1])
with serving(path, Settings(open_writing=True)) as served:
    table, scorer = opened(served.http, "U7")
    size = (path.parent / f"{path.name}.tables" / f"{table['id']}.jsonl").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 400, resource.RLIM_INFINITY))
    answer = scorer.send(scorer.entry("note", text="x" * 900))
    told = answer.json()
    assert (answer.status_code, told["type"]) == (507, "urn:claimlog:disk-full"), told
    assert str(path.parent) not in answer.text
    assert served.http.get(scorer.path).json()["number"] == 1
    scorer.words("G5")
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert scorer.words("G8")["number"] == 3
    assert scorer.record().endswith("1. U7: G5 G8+\\n*\\n"), scorer.record()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs RLIMIT_FSIZE")
def test_a_full_disk(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path / "games.duckdb")],
        capture_output=True, text=True, check=False, cwd=Path(__file__).parents[1], timeout=100,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_a_kill_loses_no_entry(tmp_path):
    sys.path.insert(0, os.fspath(Path(__file__).parents[1]))
    from robust.tables import rounds

    acknowledged, faults = rounds(tmp_path / "games.duckdb", 3, seed=5, longest=0.8)
    assert faults == []
    assert acknowledged > 10
