"""Misspelt and abbreviated names and ids, over HTTP."""

import itertools

import pytest
from conftest import CLM
from games import game
from test_games import problem, stored

from claimlog.client import Client


@pytest.fixture
def club(serve):
    http = serve().http
    stored(http, game(1, Player1="Anna Keller", Player2="Ben Roth", Event="Cup of Zürich"))
    stored(http, game(2, Player1="Anna Kolb", Player2="Ben Roth", Event="Cup of Bern"))
    return http


def test_they_are_understood(club):
    assert club.get("/v1/players/KELLER, anna").json()["player"]["name"] == "Anna Keller"
    assert club.get("/v1/events/zurich").json()["name"] == "Cup of Zürich"
    (row,) = club.get("/v1/games", params={"player": "kell", "opponent": "roth"}).json()["games"]
    assert club.get(f"/v1/games/{row['id'][:5].upper()}").json()["row"]["id"] == row["id"]
    assert club.get(f"/v1/games/{row['id'][:5]}/replay").is_success


def test_who_is_not_there(club):
    for path, params, field in (
        ("/v1/players/Ana Kelr", {}, None),
        ("/v1/games", {"player": "Ana Kelr"}, "player"),
        ("/v1/games", {"player": "kolb", "opponent": "Ana Kelr"}, "opponent"),
        ("/v1/stats/results", {"player": "Ana Kelr"}, "player"),
    ):
        details = problem(club.get(path, params=params), 404)
        assert details["type"] == "urn:claimlog:not-found"
        assert details.get("field") == field
        assert (details["unclear"]["kind"], details["unclear"]["count"]) == ("player", 0)
        assert details["unclear"]["candidates"][0]["name"] == "Anna Keller"
    details = problem(club.get("/v1/events/Cupp of Brn/standings"), 404)
    assert details["unclear"]["candidates"][0]["name"] == "Cup of Bern"


def test_the_address_in_an_error_is_one(club):
    for path in ("/v1/players/Zo%C3%AB%20Kl%25", "/v1/events/Caf%C3%A9%20Cup/standings"):
        assert problem(club.get(path), 404)["instance"] == path


def test_an_export_of_nobody_is_an_error_before_it_begins(club):
    answer = club.get("/v1/games", params={"player": "Kelr"}, headers={"Accept": "text/csv"})
    assert problem(answer, 404)["unclear"]["candidates"][0]["name"] == "Anna Keller"


def test_a_game_that_is_not_there(club):
    id = club.get("/v1/games", params={"sort": "oldest"}).json()["games"][0]["id"]
    assert club.get(f"/v1/games/{id[:-1]}").json()["row"]["id"] == id
    details = problem(club.get(f"/v1/games/{id}0"), 404)
    (one,) = details["unclear"]["candidates"]
    assert (one["id"], one["name"], one["event"]) == (id, "Anna Keller - Ben Roth", "Cup of Zürich")


def test_several_may_be_meant(club):
    details = problem(club.get("/v1/games", params={"player": "anna"}), 400)
    assert details["type"] == "urn:claimlog:ambiguous"
    assert (details["field"], details["unclear"]["count"]) == ("player", 2)
    for one in details["unclear"]["candidates"]:
        assert club.get(f"/v1/players/{one['id']}").json()["player"]["games"] == one["games"] == 1


def test_events_are_renamed_and_merged(club):
    zurich = "/v1/events/Cup%20of%20Z%C3%BCrich"
    row = club.put(f"{zurich}/name", json={"name": "Z\u00fcri/Cup", "why": "short"}).json()
    assert row["name"] == "Z\u00fcri/Cup"
    assert club.get("/v1/events/Z%C3%BCri%2FCup/standings").json()["name"] == "Z\u00fcri/Cup"
    (given,) = club.get(f"{zurich}/names").json()
    assert (given["before"], given["by"], given["why"]) == ("Cup of Z\u00fcrich", "local", "short")
    assert problem(club.put(f"{zurich}/name", json={"name": " "}), 400)["field"] == "name"
    taken = club.put(f"{zurich}/name", json={"name": "Cup of Bern"})
    assert problem(taken, 409)["id"] == club.get("/v1/events/Cup%20of%20Bern").json()["id"]

    answer = club.post(f"{zurich}/aliases", json={"alias": "Cup of Bern", "why": "one cup"})
    assert answer.status_code == 201
    assert club.get(answer.headers["location"]).json()["games"] == 2
    assert problem(club.post(f"{zurich}/aliases", json={"alias": "Cup of Bern"}), 409)
    (merge,) = club.get("/v1/event-merges").json()
    problem(club.delete(f"{zurich}/aliases/nobody"), 404)
    assert club.delete(f"{zurich}/aliases/{merge['alias']}?why=two").status_code == 204
    problem(club.delete(f"{zurich}/aliases/{merge['alias']}"), 404)
    assert club.get("/v1/event-merges").json() == []
    (undone,) = club.get("/v1/event-merges?undone=true").json()
    assert (undone["undone_by"], undone["undone_why"]) == ("local", "two")
    assert problem(club.get("/v1/event-merges?undone=null"), 400)["field"] == "undone"


def test_merges_that_were_undone_are_told(club):
    club.post("/v1/games", content=game(3, Player1="Ben Rott", Player2="Cy"), headers=CLM)
    club.post("/v1/players/Ben%20Roth/aliases", json={"alias": "Ben Rott", "why": "a slip"})
    problem(club.delete("/v1/players/Anna%20Kolb/aliases/Ben%20Rott"), 404)
    assert club.delete("/v1/players/Ben%20Roth/aliases/Ben%20Rott?why=two").status_code == 204
    assert club.get("/v1/merges").json() == []
    (merge,) = club.get("/v1/merges?undone=true").json()
    assert (merge["alias_name"], merge["by"], merge["why"]) == ("Ben Rott", "local", "a slip")
    assert (merge["undone_by"], merge["undone_why"]) == ("local", "two")
    with Client(str(club.base_url)) as client:
        assert [one.undone_why for one in client.merges(undone=True)] == ["two"]
        client.merge_events("Cup of Bern", "Cup of Z\u00fcrich", by="Ruth", why="one")
        assert [one.by for one in client.event_merges()] == ["Ruth"]
        client.split_event("Cup of Bern", by="Ruth")
        assert client.event_merges() == []
        assert len(client.event_merges(undone=True)) == 1
        assert client.rename_event("Cup of Bern", "Bern", by="Ruth").name == "Bern"
        assert [one.name for one in client.event_names("Bern")] == ["Bern"]


def test_many_are_sorted_counted_and_the_small_left_out(serve):
    http = serve().http
    for number in range(1, 13):
        stored(http, game(number, Player1=f"Anna {'ABCD'[number % 4]}", Player2="Ben Roth"))
    details = http.get("/v1/players", params={"min_games": 4, "total": True, "limit": 1}).json()
    assert (details["total"], [row["name"] for row in details["players"]]) == (1, ["Ben Roth"])
    everybody = http.get("/v1/players", params={"total": True}).json()
    assert (everybody["total"], len(everybody["players"])) == (5, 5)
    for path, names in (
        ("/v1/stats/cards", ("led", "won_led_low")),
        ("/v1/players/Ben Roth/cards", ("led", "won_led_low")),
        ("/v1/stats/upcards", ("taker", "winner_low")),
        ("/v1/players/Ben Roth/upcards", ("taker", "winner_low")),
        ("/v1/explorer", ("won_trick", "result_low")),
        ("/v1/players/Ben Roth/explorer", ("won_trick", "result_low")),
    ):
        for sort in names:
            field = sort.removesuffix("_low")
            end = "low" if sort.endswith("_low") else "rate"
            answer = http.get(path, params={"sort": f"-{sort}", "min_games": 3}).json()
            rows = answer["moves"] if "explorer" in path else answer
            assert rows, path
            assert min(row[field]["count"] for row in rows) >= 3
            values = [row[field][end] for row in rows]
            assert values == sorted(values)
        details = problem(http.get(path, params={"sort": "luck"}), 400)
        assert details["field"] == "sort"
        assert names[1] in details["detail"]
    for field in ("turned", "after", "upcard", "played"):
        assert problem(http.get("/v1/explorer", params={field: "Z9"}), 400)["field"] == field


def test_a_server_completes_as_its_archive_does(serve):
    """Words are completed from their beginning, names that begin so come first."""
    served = serve()
    names = ["Zoe Kell", "Kelly Zorn", "Anna Marie-Kell", "Ökell Ann", "Mackell Bo", "Kéll Ada"]
    for number, name in enumerate(names):
        served.archive.store(game(number + 1, Player1=name, Event=f"Cup of {name}"))
    with Client(served.url) as client:
        for kind, text in itertools.product(
            ("player", "event"), ("", "kell", "KÉLL", "ell", "okell", "zoe kell", "of k", "bo", "x")
        ):
            for limit in (1, 2, 50):
                wanted = served.archive.beginning(kind, text, limit=limit)
                assert client.beginning(kind, text, limit=limit) == wanted, (kind, text, limit)
