"""Tables that are watched: server-sent events, and who may see what in them."""

from __future__ import annotations

import json
import re

import pytest
from test_tables import AGREED, HANDS, Scorer, Watch, opened, problem, whole
from waiting import PATIENCE, wait_until


def test_watchers_see_every_state_and_the_end(serve):
    served = serve()
    _, scorer = opened(served.http, "U7")
    watch = Watch(served.url, f"{scorer.path}/events", view="spectator")
    assert watch.number(1)["view"]["table"]["upcards"] == ["U7"]
    scorer.words("G5")
    assert watch.number(2)["view"]["table"]["plays"][0]["card"] == "G5"
    scorer.do("finish", result="1-0", termination="resignation")
    assert served.http.post(f"{scorer.path}/finish").status_code == 200
    end = watch.wait(lambda e: e["event"] == "end")
    assert json.loads(end["data"]) == {"state": "finished"}
    assert watch.ended.wait(PATIENCE)
    last = [e for e in watch.events if e["event"] == "table"][-1]
    assert json.loads(last["data"])["game"]
    assert [int(e["id"]) for e in watch.events if "id" in e] == sorted(
        int(e["id"]) for e in watch.events if "id" in e
    )


def test_a_watcher_may_be_told_only_the_tricks_that_are_new(serve):
    """Put together, the parts equal the whole table, also after an undo and on a new connection."""
    served = serve()
    _, scorer = opened(served.http, "U7", "G5", "G8", "X3", "K4", "K2")
    path = f"{scorer.path}/events"
    watch = Watch(served.url, path, view="spectator", played="new")
    first = watch.number(6)["view"]
    assert "played_from" not in first
    scorer.words("U1", "W5", "W8")
    scorer.do("mend", trick=2, was="K2", card="K3")
    watch.number(10)
    played = []
    for event in watch.events:
        view = json.loads(event["data"])["view"]
        played = [*played[: view.get("played_from", 0)], *view["played"]]
    whole = served.http.get(scorer.path, params={"view": "spectator"}).json()["view"]["played"]
    assert played == whole
    assert view["played_from"] == 1  # the mended trick, and all later ones
    again = Watch(served.url, path, {"Last-Event-ID": "10"}, view="spectator", played="new")
    scorer.words("U2")
    assert again.number(11)["view"]["played"] == whole


def test_a_watcher_goes_on_where_it_was(serve):
    served = serve()
    _, scorer = opened(served.http, "U7", "G5")
    for last, first in (("2", 3), ("1", 2), ("", 2), ("nonsense", 2)):
        watch = Watch(served.url, f"{scorer.path}/events", {"Last-Event-ID": last})
        if first == 2:
            watch.number(2)
        else:
            scorer.words("G8")
            watch.number(3)
            assert [e["id"] for e in watch.events if "id" in e] == ["3"]
            scorer.do("undo")
            scorer.made -= 2
            break
        watch.stop()


def test_a_delayed_watcher_is_told_trick_by_trick(serve):
    served = serve()
    _, scorer = opened(served.http, delay=1)
    watch = Watch(served.url, f"{scorer.path}/events", view="spectator")
    watch.wait(lambda e: e["event"] == "table")
    for word in ("U7", "G5", "G8", "X3", "K4"):
        scorer.words(word)
    assert "G8" not in json.dumps([json.loads(e["data"])["view"]["record"] for e in watch.events])
    scorer.words("K5")
    watch.wait(lambda e: "G8+" in e["data"])
    assert len(watch.events) == 2
    assert "K5" not in json.loads(watch.events[-1]["data"])["view"]["record"]


def test_watchers_see_no_more_than_they_may(serve):
    served = serve(open_writing=False)
    director, _ = served.app.resources.tokens.create("Dora", "record")
    headers = {"Authorization": f"Bearer {director}"}
    table = served.http.post("/v1/tables", json={**AGREED, "hands": HANDS}, headers=headers).json()
    scorer = Scorer(served.http, table["id"], token=table["token"])
    path = f"{scorer.path}/events"
    watch, full = Watch(served.url, path), Watch(served.url, path, scorer.headers)
    scorer.words("U7", "G5", "G8", "/W2")
    news = watch.number(4)
    assert "W2" in json.dumps(full.number(4)["view"]["last"])
    for event in watch.events:
        view = json.loads(event["data"])["view"]
        assert not {"W2", "K9"} & set(json.dumps({**view, "unseen": {}}).split('"'))
    assert news["seen_as"] == "spectator"
    problem(served.http.get(path, params={"view": "all"}), 403, "forbidden")


def test_an_event_is_watched_with_its_standings(serve):
    served = serve()
    http = served.http
    problem(http.get("/v1/events/Open/live"), 404, "not-found")
    _, scorer = opened(http, event="Open", round="1", table="1")
    opened(http, event="Elsewhere")
    watch = Watch(served.url, "/v1/events/open/live")
    data = json.loads(watch.wait(lambda e: e["event"] == "live")["data"])
    assert [row["event"] for row in data["tables"]] == ["Open"]
    assert data["standings"] is None
    scorer.words("U7", "G5")
    watch.wait(lambda e: json.loads(e["data"])["tables"][0]["number"] == 2)
    scorer.do("finish", result="1-0", termination="resignation")
    assert http.post(f"{scorer.path}/finish").status_code == 200
    standing = watch.wait(lambda e: json.loads(e["data"])["standings"])
    lines = json.loads(standing["data"])["standings"]["lines"]
    assert (lines[0]["name"], lines[0]["won"]) == ("Anna Keller", 1)
    # Under another name it is the same event.
    http.put("/v1/events/Open/name", json={"name": "Berne Open", "why": "sponsor"})
    renamed = watch.wait(lambda e: json.loads(e["data"])["name"] == "Berne Open")
    assert len(json.loads(renamed["data"])["tables"]) == 1


def test_many_watch_from_one_address_and_too_many_are_refused(serve):
    served = serve(client_watchers=30, connections=10, unfinished=5)
    _, scorer = opened(served.http, "U7")
    watches = []
    for _ in range(30):
        watches.append(Watch(served.url, f"{scorer.path}/events"))
        watches[-1].number(1)
    answer = served.http.get(f"{scorer.path}/events")
    problem(answer, 503, "unavailable")
    assert answer.headers["retry-after"]
    scorer.words("G5")
    for watch in watches:
        watch.number(2)
        watch.stop()
    assert "claimlog_watchers 30" in served.http.get("/metrics").text
    scorer.words("G8")
    for watch in watches:
        assert watch._thread.join(PATIENCE) is None
    wait_until(lambda: "claimlog_watchers 0" in served.http.get("/metrics").text)


def test_a_stream_ends_after_its_time(serve):
    served = serve(watch_time=0.5)
    _, scorer = opened(served.http, "U7")
    watch = Watch(served.url, f"{scorer.path}/events")
    watch.number(1)
    assert watch.ended.wait(PATIENCE)
    assert watch.lines[0] == "retry: 2000"
    assert not [e for e in watch.events if e["event"] == "end"]


def test_a_stalled_watcher_holds_nobody_and_is_closed(serve):
    import socket

    served = serve(idle_time=1.0)
    _, scorer = opened(served.http, "U7")
    with socket.socket() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.connect(("127.0.0.1", served.port))
        sock.sendall(f"GET {scorer.path}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        watch = Watch(served.url, f"{scorer.path}/events")
        for _ in range(1500):
            number = scorer.do("note", text="x" * 900)["number"]
            if "unread" in served.logged():
                break
        else:
            raise AssertionError("it is still open")
        watch.number(number)


def test_the_picture_of_a_shared_link_shows_what_spectators_see(serve, monkeypatch):
    """The last trick that they see, without face-down cards and the game's result."""
    monkeypatch.setattr("claimlog.api.pages.pictures.can_draw", lambda: False)
    http = serve().http

    def seen(table):
        answer = http.get(f"/pictures/tables/{table['id']}", headers={"Accept-Language": "de"})
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.headers["cache-control"] == "no-cache"
        return re.findall("<title>.*<.desc>", answer.text, re.S)[0]

    table, scorer = opened(http)
    assert "og:image" not in http.get(f"/tables/{table['id']}").text
    assert "Stich 1 von 26" in seen(table)
    scorer.words("U7", "G5", "G8", "/W2", "X3", "K4")
    assert "Ben Roth: K4 spielt aus" in seen(table)
    assert "U7" in seen(table)
    assert "W2" not in seen(table)
    scorer.do("finish", result="1-0", termination="resignation")
    assert "1-0" not in seen(table)
    table, scorer = opened(http, *whole())
    assert json.loads(http.get(scorer.path).text)["view"]["over"]
    assert "Stich 26 von 26" in seen(table)
    assert "gewinnt" not in seen(table)
    delayed, _ = opened(http, "U7", "G5", "G8", "X3", "K4", "K5", "W1", delay=1)
    assert "Ben Roth: G8" in seen(delayed)
    assert "K4" not in seen(delayed)
    assert http.get("/pictures/tables/nowhere").status_code == 404


@pytest.mark.needs("resvg_py")
def test_a_link_to_a_table_shows_a_picture_in_a_chat(serve):
    http = serve().http
    table, scorer = opened(http)
    pictures = []
    for words in ((), ("U7", "G5"), ("G8",)):
        if words:
            scorer.words(*words)
        text = http.get(f"/tables/{table['id']}").text
        (address,) = re.findall(r'property="og:image" content="([^"]+)"', text)
        assert address == (
            f"{str(http.base_url).rstrip('/')}/pictures/tables/{table['id']}?n={scorer.number}"
        )
        pictures.append(http.get(address).content)
        assert pictures[-1].startswith(b"\x89PNG\r\n\x1a\n")
    assert len(set(pictures)) == 3
