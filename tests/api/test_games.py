import csv
import io
import json
import re

import duckdb
import msgspec
import pytest
from games import game, games
from waiting import wait_until

from claimlog.api.http import schemas
from claimlog.client import Client
from claimlog.replay.recorder import replay_text
from claimlog.store import Filter, GamePage, Outcome, StoredGame
from claimlog.store.questions import index

CLM = {"Content-Type": "text/x-claim"}
PROBLEM = "application/problem+json"


def problem(response, status):
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == PROBLEM
    details = response.json()
    assert details["status"] == status
    assert details["request_id"] == response.headers["x-request-id"]
    return details


def stored(http, text, **options):
    response = http.post("/v1/games", content=text.encode(), headers=CLM, **options)
    return response, msgspec.json.decode(response.content, type=Outcome)


def test_a_game_is_stored_once(serve):
    http = serve().http
    response, outcome = stored(http, game(1), params={"source": "sheet 7"})
    assert (response.status_code, outcome.status) == (201, "stored")
    assert response.headers["location"] == f"/v1/games/{outcome.id}"
    again = http.post("/v1/games", json={"record": game(1)})
    assert (again.status_code, again.json()["status"]) == (200, "known")
    assert again.headers["location"] == f"/v1/games/{outcome.id}"
    revision = http.get(f"/v1/games/{outcome.id}/revisions").json()[0]
    assert (revision["by"], revision["source"]) == ("local", "sheet 7")


def test_a_replay_report_is_a_game_too(serve):
    http = serve().http
    report = next(replay_text(game(1))).report()
    response = http.post("/v1/games", json=report)
    assert response.status_code == 201, response.text
    assert http.get(response.headers["location"] + "/replay").json()["tricks"] == report["tricks"]


def test_all_problems_are_told(serve):
    http = serve().http
    text = game(1).replace("Zurich Claim Open", "Z").replace("5. ", "6. ", 1).replace("+", "", 1)
    text = text.replace("1-0", "0-1") if "\n1-0" in text else text.replace("\n0-1", "\n1-0")
    details = problem(http.post("/v1/games", content=text.encode(), headers=CLM), 422)
    expected = [found.code for found in next(replay_text(text)).problems]
    assert len(expected) > 1
    assert [found["code"] for found in details["problems"]] == expected
    assert http.get("/v1/stats/count").json() == {"games": 0}


@pytest.mark.file_is_enough("a body is parsed before any archive is queried")
@pytest.mark.parametrize("text", ["", games(2), "\ufeff", "no game at all"])
def test_what_is_not_one_game_is_refused(serve, text):
    problem(serve().http.post("/v1/games", content=text.encode(), headers=CLM), 422)


@pytest.mark.file_is_enough("a body is parsed before any archive is queried")
@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b'{"record": 7}', "application/json", 400),
        (b'{"record": "*", "more": 1}', "application/json", 400),
        (b"\xff", "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b'{"a":' * 100_000, "application/json", 400),
        (b'{"record": "\\ud800"}', "application/json", 400),
        (b"{}", "application/json", 422),
        (b"*", "text/plain", 415),
        (b"*", "application/x-www-form-urlencoded", 415),
        (b"*", None, 415),
        (b"*", "text/x-claim; charset=windows-1252", 415),
        (b"*", "text/x-claim; charset=utf-16", 415),
        (b"{}", 'application/json; charset="latin1"', 415),
        (b"*", 'text/x-claim; Charset="UTF-8"', 422),
        (b"\xff\xfe*", "text/x-claim", 422),
        (b"\0", "text/x-claim; charset=utf-8", 422),
    ],
)
def test_bodies_that_are_none(serve, body, kind, status):
    headers = {} if kind is None else {"Content-Type": kind}
    response = serve().http.post("/v1/games", content=body, headers=headers)
    problem(response, status)
    if status == 415:
        assert response.headers["accept-post"] == "text/x-claim, application/json"


def test_one_game_has_an_etag(serve):
    served = serve()
    http = served.http
    place = stored(http, game(1))[0].headers["location"]
    first = http.get(place)
    found = msgspec.json.decode(first.content, type=StoredGame)
    assert found.record == http.get(place, headers={"Accept": "text/x-claim"}).text
    tag = first.headers["etag"]
    for wanted in (tag, f'W/{tag}, "x"', "*"):
        answer = http.get(place, headers={"If-None-Match": wanted})
        assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag)
    assert http.get(place, headers={"If-None-Match": '"x"'}).status_code == 200
    assert served.app.resources.metrics.cache_hits > 2
    head = http.head(place)
    assert head.headers["content-length"] == str(len(first.content))
    assert head.headers["etag"] == tag
    assert head.content == b""
    assert first.headers["vary"] == "Accept"


def test_the_etag_of_writing_is_of_what_was_written(serve, monkeypatch):
    """A client overtaken between storing and the answer cannot overwrite the other unseen."""
    served = serve()
    archive = served.archive
    store = archive.store if archive.postgres else archive.store_together

    def overtaken(*handed, **how):
        stored = store(*handed, **how)
        other = game(1, Player1="Anna Keler")
        outcome = stored[0] if isinstance(stored, list) else stored
        assert archive.correct(outcome.id, other, by="Ben", why="name").revision == 2
        return stored

    monkeypatch.setattr(archive, store.__name__, overtaken)
    made = stored(served.http, game(1))[0]
    answer = served.http.put(
        made.headers["location"],
        headers=CLM | {"If-Match": made.headers["etag"]},
        content=game(1, Player1="Anna Keller").encode(),
        params={"why": "name"},
    )
    assert answer.status_code == 412, answer.text


def test_the_etag_of_writing_is_that_of_reading(serve):
    """The ETag in the answer to POST and PUT yields a 304 at once."""
    http = serve().http
    made = stored(http, game(1, Player1="Anna Keler"))[0]
    place = made.headers["location"]
    changed = http.put(
        place,
        headers=CLM | {"If-Match": made.headers["etag"]},
        content=game(1, Player1="Anna Keller").encode(),
        params={"why": "name"},
    )
    assert changed.status_code == 200
    assert changed.headers["etag"] != made.headers["etag"]
    for tag, status in ((made.headers["etag"], 200), (changed.headers["etag"], 304)):
        assert http.get(place, headers={"If-None-Match": tag}).status_code == status
    again = stored(http, game(2))[0]
    tag = again.headers["etag"]
    assert http.get(again.headers["location"], headers={"If-None-Match": tag}).status_code == 304


def test_a_correction_changes_every_cached_answer(serve):
    http = serve().http
    response, outcome = stored(http, game(1, Player1="Anna Keler"))
    place = response.headers["location"]
    tag = http.get(place).headers["etag"]
    assert http.get("/v1/players?search=keler").json()["players"]
    put = {"content": game(1, Player1="Anna Keller").encode(), "params": {"why": "name"}}
    problem(http.put(place, headers=CLM, **put), 428)
    problem(http.put(place, headers=CLM | {"If-Match": '"7-ab"'}, **put), 412)
    for ask in (
        lambda **more: http.put(place, **put, **more),
        lambda **more: http.delete(place, **more),
    ):
        for sent in ("nonsense", '"-1"', '"-1", "x"'):
            wrong = problem(ask(headers=CLM | {"If-Match": sent}), 412)
            assert wrong["detail"] == f"If-Match must be an ETag of this game, not {sent}"
            assert (wrong["revision"], wrong["values"]["sent"]) == (1, sent)
    assert problem(http.put(place, headers=CLM | {"If-Match": '"3", "4"'}, **put), 412)["revision"]
    several = [*CLM.items(), ("If-Match", '"7-ab"'), ("If-Match", f'"8" , {tag}')]
    done = http.put(place, headers=several, **put)
    assert (done.status_code, done.json()["revision"]) == (200, 2)
    assert problem(http.put(place, headers=CLM | {"If-Match": tag}, **put), 412)["revision"] == 2
    now = http.get(place, headers={"If-None-Match": tag})
    assert now.status_code == 200
    assert "Anna Keller" in now.text
    assert http.get("/v1/players?search=keler").json()["players"] == []
    same = http.put(place, headers=CLM | {"If-Match": "*"}, **put)
    assert same.json()["status"] == "unchanged"
    revisions = http.get(place + "/revisions").json()
    assert [(r["revision"], r["why"]) for r in revisions] == [(1, ""), (2, "name")]
    old = http.get(place + "/revisions/1", headers={"Accept": "text/x-claim"})
    assert "Anna Keler" in old.text
    assert problem(http.get(place + "/revisions/3"), 404)
    assert outcome.id in place


def test_a_correction_may_not_equal_another_game(serve):
    http = serve().http
    place = stored(http, game(1))[0].headers["location"]
    other = stored(http, game(2))[1]
    headers = CLM | {"If-Match": "*"}
    details = problem(http.put(place, content=game(2).encode(), headers=headers), 409)
    assert details["id"] == other.id
    bad = http.put(place, content=game(1).replace("K", "Q").encode(), headers=headers)
    assert problem(bad, 422)["problems"]
    problem(http.put("/v1/games/0000000000000", content=game(1).encode(), headers=headers), 404)


def test_deleting_leaves_a_trace(serve):
    http = serve().http
    place = stored(http, game(1))[0].headers["location"]
    problem(http.delete(place, headers={"If-Match": '"4"'}), 412)
    gone = http.delete(place, params={"why": "twice"}, headers={"If-Match": '"4", "1"'})
    assert gone.json()["deleted"] is True
    for path in (place, place + "/replay", place + "/tricks/1"):
        problem(http.get(path), 410)
    problem(http.delete(place), 410)
    problem(http.put(place, content=b"*", headers=CLM | {"If-Match": "*"}), 410)
    again = http.post("/v1/games", content=game(1).encode(), headers=CLM)
    assert place.endswith(problem(again, 409)["id"])
    assert http.get(place + "/revisions").json()[-1]["why"] == "twice"
    # Browsers keep a 410 for ever unless told otherwise: the game may come back.
    for address, form in ((place, "application/json"), (place.removeprefix("/v1"), "text/html")):
        answer = http.get(address, headers={"Accept": form})
        assert (answer.status_code, answer.headers["cache-control"]) == (410, "no-store")
    assert http.post(place + "/undelete").status_code == 200
    assert http.get(place).status_code == 200
    assert problem(http.post(place + "/undelete"), 409)["key"] == "game.not-deleted"
    page = http.get(place.removeprefix("/v1"), headers={"Accept": "text/html"})
    assert re.search(r'<li>2: .* deleted <span class="dim">twice</span></li><li>3: ', page.text)


def test_pages_lead_through_all_games(http):
    path = "/v1/games?limit=7&sort=date&event=Zurich%20Claim%20Open"
    seen = []
    while path:
        response = http.get(path)
        page = msgspec.json.decode(response.content, type=GamePage)
        seen += [row.id for row in page.games]
        assert '>; rel="first"' in response.headers["link"]
        path = response.links["next"]["url"] if "next" in response.links else ""
        assert bool(path) == (page.cursor is not None)
    assert len(seen) == len(set(seen)) == 60
    problem(http.get("/v1/games?cursor=nonsense"), 400)
    for only in ("cursor=x", "total=true"):
        refused = http.get(f"/v1/games?{only}", headers={"Accept": "text/csv"})
        assert problem(refused, 400)["field"] == only.partition("=")[0]
    first = [row["id"] for row in http.get("/v1/games?sort=-date&limit=3").json()["games"]]
    csv_of = http.get("/v1/games?sort=-date&limit=3", headers={"Accept": "text/csv"}).text
    assert [row["id"] for row in csv.DictReader(io.StringIO(csv_of))] == first
    with Client(str(http.base_url)) as client:
        assert len(b"".join(client.export("ndjson", limit=3)).splitlines()) == 3


def test_the_same_filter_for_lists_exports_and_statistics(http):
    query = "player=Anna+Keller&seat=1&outcome=won&led=K&led=U&since=2026-11-05"
    count = http.get(f"/v1/stats/count?{query}").json()["games"]
    assert 0 < count < 40
    assert len(http.get(f"/v1/games?{query}&limit=1000").json()["games"]) == count
    clm = http.get(f"/v1/games?{query}", headers={"Accept": "text/x-claim"})
    assert len(list(replay_text(clm.content))) == count
    ndjson = http.get(f"/v1/games?{query}", headers={"Accept": "application/x-ndjson"})
    assert [json.loads(line)["record"] for line in ndjson.text.splitlines()]
    rows = list(
        csv.DictReader(
            io.StringIO(http.get(f"/v1/games?{query}", headers={"Accept": "text/csv"}).text)
        )
    )
    assert {row["player1"] for row in rows} == {"Anna Keller"}
    assert len(rows) == count == len(ndjson.text.splitlines())
    assert http.get(f"/v1/stats/results?by=seat&{query}").json()["games"] == count


def test_the_head_of_an_export(open_server):
    answer = open_server.http.head("/v1/games", headers={"Accept": "text/csv"})
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-type"] == "text/csv"
    wait_until(lambda: not open_server.app.resources.budget.streams)
    assert "failure" not in open_server.logged()


def test_parquet_opens_in_duckdb(http, tmp_path):
    response = http.get("/v1/games", headers={"Accept": "application/vnd.apache.parquet"})
    file = tmp_path / "games.parquet"
    file.write_bytes(response.content)
    assert duckdb.sql(f"SELECT count(DISTINCT id) FROM '{file}'").fetchall() == [(60,)]


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        ("", "application/json"),
        ("*/*", "application/json"),
        ("text/*", "text/x-claim"),
        ("text/csv;q=0.9, text/x-claim;q=0.8", "text/csv"),
        ("application/json;q=0, */*;q=0.1", "application/x-ndjson"),
        ("application/parquet", "application/vnd.apache.parquet"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "application/json"),
        ("application/jsonl", "application/x-ndjson"),
    ],
)
def test_accept_chooses(http, accept, chosen):
    assert (
        http.get("/v1/games?limit=1", headers={"Accept": accept}).headers["content-type"] == chosen
    )


@pytest.mark.parametrize("accept", ["image/png", "text/csv;q=0", "nonsense", "text/csv;q=x"])
def test_accept_may_be_impossible(http, accept):
    problem(http.get("/v1/games", headers={"Accept": accept}), 406)


def test_no_address_answers_what_is_not_accepted(http):
    """Writes are answered all the same, and so are monitors."""
    id = http.get("/v1/games?limit=1").json()["games"][0]["id"]
    paths = ["/", "/v1/archive", "/v1/players", f"/v1/games/{id}/replay", "/v1/stats/count"]
    for path in paths:
        details = problem(http.get(path, headers={"Accept": "text/csv"}), 406)
        assert details["detail"] == "available: application/json"
        for accept in ("*/*", "text/csv, */*;q=0.1", "application/*", "APPLICATION/json; q=0.2"):
            answer = http.get(path, headers={"Accept": accept})
            assert answer.headers["content-type"] == "application/json"
        followed = http.get(path, headers={"Accept": "text/html, text/*;q=0.5"})
        assert followed.status_code == 200, path
    svg = http.get("/v1/tables", headers={"Accept": "image/svg+xml"})
    assert problem(svg, 406)["values"] == {"names": ["application/json"]}
    assert http.get("/health", headers={"Accept": "text/plain"}).status_code == 200
    written = http.post("/v1/games", headers={"Accept": "text/csv"}, json={"record": "nothing"})
    assert problem(written, 422)


def test_replay_and_positions_are_as_documented(http):
    for row in http.get("/v1/games?limit=5").json()["games"]:
        place = f"/v1/games/{row['id']}"
        report = msgspec.json.decode(http.get(place + "/replay").content)
        msgspec.convert(report, schemas.ReplayReport)
        record = http.get(place, headers={"Accept": "text/x-claim"}).text
        assert report == json.loads(json.dumps(next(replay_text(record)).report()))
        for trick in (1, 13, 14, 26):
            for view in ("", "?view=0", "?view=1", "?view=2&played=1"):
                answer = http.get(f"{place}/tricks/{trick}{view}")
                msgspec.json.decode(answer.content, type=schemas.PositionReport)


def test_a_seat_sees_its_own_hand_only(http):
    place = f"/v1/games/{http.get('/v1/games?limit=1').json()['games'][0]['id']}/tricks/1"
    open_cards = http.get(place, params={"played": 0}).json()["players"]
    assert None not in open_cards[0]["hand"] + open_cards[1]["hand"]
    seen = http.get(place, params={"played": 0, "view": 1}).json()["players"]
    assert None not in seen[0]["hand"]
    assert set(seen[1]["hand"]) == {None}
    spectator = http.get(place, params={"played": 0, "view": 0}).json()["players"]
    assert {card for seat in spectator for card in seat["hand"]} == {None}
    problem(http.get(place, params={"view": 3}), 400)
    problem(http.get(place.replace("tricks/1", "tricks/27")), 400)
    problem(http.get(place.replace("tricks/1", "tricks/x")), 404)


def test_standings_follow_a_correction(serve):
    http = serve().http
    text = game(3, Round="1")
    place = stored(http, text)[0].headers["location"]
    event = "/v1/events/Zurich Claim Open"
    before = http.get(f"{event}/standings").json()["lines"]
    names = [before[0]["name"], before[1]["name"]]
    swapped = text.replace(names[0], "*").replace(names[1], names[0]).replace('*"', names[1] + '"')
    assert http.put(place, content=swapped.encode(), headers=CLM | {"If-Match": "*"}).is_success
    after = http.get(f"{event}/standings").json()["lines"]
    assert [line["name"] for line in after] == names[::-1]
    assert http.get(f"{event}/crosstable").json()["rows"][0]["name"] == names[1]
    moment = http.get(place + "/revisions").json()[0]["at"]
    then = http.get(f"{event}/standings", params={"known_at": moment}).json()["lines"]
    assert [line["name"] for line in then] == names
    assert http.get(f"{event}/tables", params={"round": "2"}).json() == []
    assert len(http.get(f"{event}/tables", params={"round": "1"}).json()) == 1
    assert [row["round"] for row in http.get(f"{event}/rounds").json()] == ["1"]
    problem(http.get("/v1/events/none/standings"), 404)


def test_a_director_merges_players(serve):
    http = serve().http
    stored(http, game(1, Player1="Anna Keller", Player2="Ben Roth"))
    stored(http, game(2, Player1="A. Keller", Player2="Ben Roth"))
    ids = {p["name"]: p["id"] for p in http.get("/v1/players").json()["players"]}
    merge = {"alias": ids["A. Keller"], "why": "same"}
    done = http.post(f"/v1/players/{ids['Anna Keller']}/aliases", json=merge)
    assert done.status_code == 201
    profile = http.get(f"/v1/players/{ids['Anna Keller']}").json()
    assert profile["player"]["games"] == 2
    assert sorted(profile["player"]["names"]) == ["A. Keller", "Anna Keller"]
    pair = http.get(f"/v1/players/{ids['Anna Keller']}/against/{ids['Ben Roth']}").json()
    assert pair["against"]["count"] == 2
    assert http.get("/v1/merges").json()[0]["alias"] == ids["A. Keller"]
    problem(http.post(f"/v1/players/{ids['Anna Keller']}/aliases", json=merge), 409)
    problem(http.post("/v1/players/none/aliases", json=merge), 404)
    gone = http.delete(f"/v1/players/{ids['Anna Keller']}/aliases/{ids['A. Keller']}")
    assert gone.status_code == 204
    assert http.get(f"/v1/players/{ids['Anna Keller']}").json()["player"]["games"] == 1


def test_many_games_are_corrected_by_one_request(serve):
    http = serve().http
    ids = [stored(http, game(n, Player1="Ana Kelr", Site="Zurich"))[1].id for n in (1, 2)]
    stored(http, game(3, Site="Bern"))
    body = {"tags": {"Site": "Z\u00fcrich", "Table": None}, "names": {"ana kelr": "Anna K."}}
    body["why"] = "as on the list"
    where = "/v1/corrections?site=zurich"
    corrections = http.post(where, json=body).json()
    assert (corrections["done"], corrections["games"], corrections["corrected"]) == (False, 2, 2)
    assert {"tag": "Player1", "before": "Ana Kelr", "after": "Anna K."} in corrections["lines"][0][
        "changes"
    ]
    assert http.get("/v1/stats/count?site=zurich").json() == {"games": 2}
    wrong = http.post(f"{where}&dry_run=false", json=body | {"expected": "no"})
    assert problem(wrong, 409)["type"] == "urn:claimlog:conflict"
    done = http.post(
        f"{where}&dry_run=false", json=body | {"expected": corrections["expected"]}
    ).json()
    assert (done["done"], [line["id"] for line in done["lines"]]) == (True, ids)
    last = http.get(f"/v1/games/{ids[0]}/revisions").json()[-1]
    assert (last["revision"], last["by"], last["why"]) == (2, "local", "as on the list")
    assert http.get("/v1/players/Anna%20K.").json()["player"]["games"] == 2
    for bad, field in (({"tags": {"Deck": "x"}}, "tags"), ({"names": {"a": ""}}, "names")):
        assert problem(http.post("/v1/corrections", json=bad), 400)["field"] == field
    problem(http.post("/v1/corrections?dry_run=null", json=body), 400)
    with Client(str(http.base_url)) as client:
        again = client.correct_games(Filter(), tags={"Site": "Bern"}, by="R", why="w")
        assert (again.done, again.corrected) == (False, 2)


@pytest.mark.parametrize("now", ["''", "NULL"])
def test_a_damaged_record_is_named(serve, now):
    """There was no answer for half a minute, or status 500 without a reason."""
    served = serve()
    id = stored(served.http, game(1))[1].id
    served.archive.settle()
    with served.archive._backend.decide() as cursor:
        cursor.execute(f"UPDATE records SET record = {now}")
    for where in (f"/v1/games/{id}", f"/v1/games/{id}/tricks/3", f"/v1/games/{id}/analysis"):
        told = problem(served.http.get(where), 500)
        assert (told["key"], told["values"]) == ("record.damaged", {"id": id})
    assert '"failure"' in served.logged()


@pytest.mark.only_file("in PostgreSQL there are indexes")
def test_a_server_keeps_the_games_of_players_in_memory_and_follows_what_is_stored(
    serve, monkeypatch
):
    monkeypatch.setattr(index, "FEW", 5)
    served = serve()
    archive = served.archive
    kept = archive._games.index
    wait_until(lambda: kept.current() is not None)
    for _ in archive.import_games(io.BytesIO(games(20).encode()).read, workers=1):
        pass
    player = archive.games(limit=1).games[0].players[0].name
    asked = {"player": player}
    assert kept.current() is None
    first = served.http.get("/v1/games", params=asked).json()
    wait_until(lambda: kept.current() is not None)
    assert served.http.get("/v1/games", params=asked | {"limit": 100}).json() == first
