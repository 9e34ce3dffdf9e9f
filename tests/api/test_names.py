"""Names and ids that are nearly right, over HTTP."""

import pytest
from games import game
from test_games import problem, stored


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
        told = problem(club.get(path, params=params), 404)
        assert told["type"] == "urn:claimlog:not-found"
        assert told.get("field") == field
        assert (told["unclear"]["kind"], told["unclear"]["count"]) == ("player", 0)
        assert told["unclear"]["candidates"][0]["name"] == "Anna Keller"
    told = problem(club.get("/v1/events/Cupp of Brn/standings"), 404)
    assert told["unclear"]["candidates"][0]["name"] == "Cup of Bern"


def test_an_export_of_nobody_is_an_error_before_it_begins(club):
    answer = club.get("/v1/games", params={"player": "Kelr"}, headers={"Accept": "text/csv"})
    assert problem(answer, 404)["unclear"]["candidates"][0]["name"] == "Anna Keller"


def test_a_game_that_is_not_there(club):
    id = club.get("/v1/games", params={"sort": "oldest"}).json()["games"][0]["id"]
    assert club.get(f"/v1/games/{id[:-1]}").json()["row"]["id"] == id
    told = problem(club.get(f"/v1/games/{id}0"), 404)
    (one,) = told["unclear"]["candidates"]
    assert (one["id"], one["name"], one["event"]) == (id, "Anna Keller - Ben Roth", "Cup of Zürich")


def test_several_may_be_meant(club):
    told = problem(club.get("/v1/games", params={"player": "anna"}), 400)
    assert told["type"] == "urn:claimlog:ambiguous"
    assert (told["field"], told["unclear"]["count"]) == ("player", 2)
    for one in told["unclear"]["candidates"]:
        assert club.get(f"/v1/players/{one['id']}").json()["player"]["games"] == one["games"] == 1
