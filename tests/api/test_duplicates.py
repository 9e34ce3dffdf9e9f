"""A game counts once, over HTTP."""

import json
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from games import game
from test_games import problem

from claimlog.client import Client

CLM = {"Content-Type": "text/x-claim"}


def post(http, text, path="/v1/games", **options):
    return http.post(path, content=text.encode(), headers=CLM, **options)


def annotated(seed, who="N. N."):
    return game(seed, Annotator=who)


def test_a_doubtful_record_is_refused_with_the_game(serve):
    http = serve().http
    first = post(http, game(1)).json()["id"]
    details = problem(post(http, annotated(1)), 409)
    assert details["id"] == first
    assert details["type"] == "urn:claimlog:doubtful"
    assert "?doubtful=replace" in details["detail"]
    assert http.get("/v1/stats/count").json() == {"games": 1}
    report = http.get(f"/v1/games/{first}/replay").json()
    report["tags"]["Annotator"] = "N. N."
    assert problem(http.post("/v1/games", json=report), 409)["id"] == first


@pytest.mark.parametrize(("how", "status", "games"), [("replace", 200, 1), ("beside", 201, 2)])
def test_an_argument_says_what_it_is(serve, how, status, games):
    served = serve()
    http = served.http
    first = post(http, game(1)).json()["id"]
    answer = post(http, annotated(1), params={"doubtful": how})
    assert answer.status_code == status
    assert (answer.json()["id"] == first) == (how == "replace")
    assert http.get("/v1/stats/count").json() == {"games": games}
    pairs = http.get("/v1/archive/doubtful").json()
    assert len(pairs) == games - 1
    with Client(served.url) as client:
        assert msgspec.to_builtins(client.doubtful()) == pairs
        assert client.doubtful(limit=0) == []


def test_of_two_at_once_one_is_stored(serve):
    served = serve()
    texts = [annotated(3, f"Recorder {number}") for number in range(12)]
    with ThreadPoolExecutor(6) as hands:
        answers = list(hands.map(lambda text: post(served.http, text).status_code, texts))
    assert sorted(answers) == [201] + [409] * 11


def test_an_unfinished_game_goes_on(serve):
    http = serve().http
    who = {"Player1": "Anna Keller", "Player2": "Ben Roth"}
    first = post(http, game(5, tricks=7, **who)).json()["id"]
    for tricks in (8, 20, 26):
        answer = post(http, game(5, tricks=tricks, **who))
        assert (answer.status_code, answer.json()["id"]) == (200, first)
        assert answer.json()["status"] == "corrected"
    assert len(http.get(f"/v1/games/{first}/revisions").json()) == 4


def test_imports_say_what_is_doubtful(serve):
    http = serve().http
    text = "\n".join([game(1), annotated(2), annotated(1)])
    *lines, summary = post(http, text, "/v1/imports").text.splitlines()
    outcomes = [json.loads(line) for line in lines]
    assert [o["status"] for o in outcomes] == ["stored", "stored", "doubtful"]
    assert outcomes[2]["id"] == outcomes[0]["id"]
    assert outcomes[2]["doubt"]["in_common"] == ["table", "players", "tricks"]
    assert 'Annotator "N. N."' in outcomes[2]["doubt"]["record"]
    assert json.loads(summary)["summary"]["outcomes"] == {"stored": 2, "doubtful": 1}
    *lines, _ = post(http, text, "/v1/imports", params={"doubtful": "replace"}).text.splitlines()
    assert [json.loads(line)["status"] for line in lines] == ["known", "known", "corrected"]


def test_who_may_only_record_does_not_replace(serve):
    served = serve()
    first = post(served.http, game(1)).json()["id"]
    secret, _ = served.app.resources.tokens.create("table 7", "record")
    headers = CLM | {"Authorization": f"Bearer {secret}"}
    for path in ("/v1/games", "/v1/imports"):
        answer = served.http.post(
            f"{path}?doubtful=replace", content=annotated(1).encode(), headers=headers
        )
        assert problem(answer, 403)
    assert len(served.archive.revisions(first)) == 1


def test_corrections_and_undeletions_make_no_second_one(serve):
    http = serve().http
    first, other = (post(http, game(seed)).json()["id"] for seed in (1, 2))
    headers = CLM | {"If-Match": "*"}
    wrong = game(2, Annotator="another sheet").encode()
    details = problem(http.put(f"/v1/games/{first}", content=wrong, headers=headers), 409)
    assert details["id"] == other
    assert details["type"] == "urn:claimlog:doubtful"
    for language in ("en", "de"):
        asked = headers | {"Accept-Language": language}
        refused = http.put(f"/v1/games/{first}", content=wrong, headers=asked).json()["detail"]
        assert "?beside=true" in refused
        assert "?doubtful" not in refused
    done = http.put(f"/v1/games/{first}?beside=true", content=wrong, headers=headers)
    assert done.status_code == 200
    http.delete(f"/v1/games/{other}")
    assert problem(http.post(f"/v1/games/{other}/undelete"), 409)["id"] == first
    assert http.post(f"/v1/games/{other}/undelete?beside=true").status_code == 200
