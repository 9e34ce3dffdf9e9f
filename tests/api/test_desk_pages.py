"""The director's pages offer what can be done, and send what the API accepts."""

import html
import json
import re
from typing import get_args

import pytest
from games import game

from claimlog.directing.model import TieBreak

CLM = {"Content-Type": "text/x-claim"}
HTML = {"Accept": "text/html"}
PLAN = {"system": "by-hand", "decks": ["GKUWX"]}
NAMES = ["Ann <b>", "Bo", "Cy", "Di", "Ed"]


@pytest.fixture
def desk(serve):
    http = serve().http
    made = http.post("/v1/events", json={"name": "Cup / Open", "plan": PLAN})
    assert made.status_code == 201, made.text
    event = made.json()["event"]
    entrants = [{"name": name} for name in NAMES]
    entered = http.post(f"/v1/events/{event}/entrants", json={"entrants": entrants})
    assert entered.status_code == 200, entered.text
    return http, event


def page(http, event, language="en"):
    answer = http.get(f"/events/{event}/desk", headers=HTML, params={"lang": language})
    assert answer.status_code == 200, answer.text
    return answer.text


def forms(text):
    """The forms that are a single button, by its text: the address, and what is sent."""
    buttons = re.findall(
        r'<form class="act one" data-post="([^"]*)" data-body="([^"]*)"[^>]*><button[^>]*>([^<]*)<',
        text,
    )
    return {
        label: (html.unescape(place), json.loads(html.unescape(body)))
        for place, body, label in buttons
    }


def press(http, event, label):
    place, body = forms(page(http, event))[label]
    answer = http.post(place, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.needs("openskill")
def test_ratings_lead_only_to_players_who_have_a_page(desk):
    """Of the others there are only results entered at a desk."""
    http, event = desk
    paired = {"round": 1, "tables": [{"number": 1, "players": [1, 2]}]}
    paired["byes"] = [{"entrant": n} for n in (3, 4, 5)]
    assert http.post(f"/v1/events/{event}/desk/pair", json=paired).status_code == 200
    press(http, event, "Start the round")
    sent = {"round": 1, "table": 1, "result": {"result": "1-0"}}
    assert http.post(f"/v1/events/{event}/desk/result", json=sent).status_code == 200
    game = '[Player1 "Bo"]\n[Player2 "Cy"]\n[Deck "GKUWX"]\n[Termination "time"]\n[Result "1-0"]\n'
    assert http.post("/v1/games", content=f"{game}\n1-0\n", headers=CLM).status_code == 201
    text = http.get("/stats/ratings", headers=HTML).text
    links = re.findall(r'<th scope="row"><a href="(/players/[^"]*)">([^<]*)<', text)
    assert sorted(name for _, name in links) == ["Bo", "Cy"]
    assert {http.get(place, headers=HTML).status_code for place, _ in links} == {200}
    assert "Ann &lt;b&gt;" in text


def test_a_round_is_played_by_pressing_what_is_offered(desk):
    http, event = desk
    paired = {"round": 1, "byes": [{"entrant": 5}]}
    paired["tables"] = [{"number": 1, "players": [1, 2]}, {"number": 2, "players": [3, 4]}]
    assert http.post(f"/v1/events/{event}/desk/pair", json=paired).status_code == 200
    text = page(http, event)
    assert "<bdi>Ann &lt;b&gt;</bdi> – <bdi>Bo</bdi>" in text
    assert "Start the round" in forms(text)
    assert "Close the round" not in forms(text)
    assert re.findall(">(Deck|Result|Confirmed)</th>", text) == ["Deck"]
    first = press(http, event, "Start the round")["links"]
    press(http, event, "Undo: started (round 1), by local")
    again = press(http, event, "Start the round")["links"]
    assert [link["watch"] for link in again] == [link["watch"] for link in first]
    assert [link["scorer"] for link in again] != [link["scorer"] for link in first]
    text = page(http, event)
    assert "2 results missing" in text
    assert re.findall(">(Deck|Result|Confirmed)</th>", text) == ["Result", "Confirmed"]
    rows = re.findall(r'<form class="act result" data-post="([^"]*)" data-body="([^"]*)"', text)
    for place, body in rows:
        sent = json.loads(html.unescape(body)) | {"result": {"result": "1-0"}}
        assert http.post(place, json=sent).status_code == 200
    press(http, event, "Close the round")
    assert "Reopen the round" in forms(page(http, event))
    press(http, event, "Reopen the round")
    press(http, event, "Undo: reopened (round 1), by local")
    press(http, event, "withdraw")
    assert "<s>Ed</s>" in page(http, event)
    assert 'lang="de"' in page(http, event, "de")


@pytest.mark.parametrize(("language", "words"), [("en", "nobody came"), ("de", "niemand kam")])
def test_nobody_came_is_a_choice_of_results(desk, language, words):
    http, event = desk
    v1 = f"/v1/events/{event}"
    assert http.post(f"{v1}/pair/list", json={"text": "1; 2\n3; 4"}).status_code == 200
    press(http, event, "Start the round")
    choice = f'<option value="0-0" data-forfeit="1 2"{{}}>0-0 {words}</option>'
    assert page(http, event, language).count(choice.format("")) == 2
    nobody = {"round": 1, "table": 1, "result": {"result": "0-0", "forfeit": [1, 2]}}
    assert http.post(f"{v1}/desk/result", json=nobody).status_code == 200
    text = page(http, event, language)
    (row,) = re.findall(r'<tr data-table="1".*?</tr>', text, re.S)
    assert row.count(" selected") == 1
    assert choice.format(" selected") in row


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        ({"result": "0-1-0", "forfeit": [1, 3]}, ("1 3", "0-1-0 kampflos")),
        ({"result": "0-0-0", "forfeit": [1, 2, 3]}, ("1 2 3", "0-0-0 niemand kam")),
        ({"result": "1/2-1/2-0", "forfeit": [3]}, ("3", "½-½-0 kampflos")),
    ],
)
def test_a_forfeit_at_a_table_of_three_is_the_chosen_result(desk, result, shown):
    http, _ = desk
    plan = {"system": "by-hand", "seats": 3}
    event = http.post("/v1/events", json={"name": "Trio", "plan": plan}).json()["event"]
    v1 = f"/v1/events/{event}"
    for place, sent in (
        ("entrants/list", {"text": "Ann\nBo\nCy"}),
        ("pair/list", {"text": "1; 2; 3"}),
        ("rounds/1/start", {}),
        ("desk/result", {"round": 1, "table": 1, "result": result}),
    ):
        assert http.post(f"{v1}/{place}", json=sent).is_success
    (row,) = re.findall(r'<tr data-table="1".*?</tr>', page(http, event, "de"), re.S)
    assert re.findall(r'data-forfeit="([^"]*)" selected>([^<]*)<', row) == [shown]


def test_a_system_for_two_sides_takes_tables_of_four_only_with_fixed_teams(desk):
    http, _ = desk
    plan = {"system": "round-robin", "seats": 4}
    for language, words in (("en", "otherwise choose swiss"), ("de", "nur mit festen Partnern")):
        refused = http.post(
            "/v1/events",
            json={"name": "Four", "plan": plan},
            headers={"Accept-Language": language},
        )
        assert (refused.status_code, words in refused.json()["detail"]) == (409, True)
    assert 'name="plan.fixed_teams"' in http.get("/desk", headers=HTML).text
    plan["fixed_teams"] = True
    assert http.post("/v1/events", json={"name": "Four", "plan": plan}).status_code == 201


def test_names_from_right_to_left_leave_the_page_in_order(desk):
    http, event = desk
    v1 = f"/v1/events/{event}"
    name = "דוד לוי"
    assert http.post(f"{v1}/entrants/list", json={"text": name}).is_success
    paired = {"round": 1, "tables": [{"number": 1, "players": [1, 6]}]}
    paired["byes"] = [{"entrant": n} for n in (2, 3, 4, 5)]
    assert http.post(f"{v1}/desk/pair", json=paired).is_success
    text = page(http, event)
    assert f"<bdi>Ann &lt;b&gt;</bdi> – <bdi>{name}</bdi>" in text
    assert f">6 \N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}</option>" in text
    assert f'data-ask="Withdraw \N{FIRST STRONG ISOLATE}{name}' in text
    swapped = {"round": 1, "tables": [{"number": 1, "players": [2, 1]}]}
    swapped["byes"] = [{"entrant": n} for n in (3, 4, 5, 6)]
    assert http.post(f"{v1}/desk/pair", json=swapped).is_success
    assert f'<th scope="row"><bdi>{name}</bdi></th>' in page(http, event)
    for kind, before in (("standings", "<td>"), ("crosstable", "<td>"), ("certificates", "<b>")):
        text = http.get(f"/events/{event}/print/{kind}", headers=HTML).text
        assert f"{before}<bdi>{name}</bdi>" in text
    record = game(1, Player1=name).encode()
    assert http.post("/v1/games", content=record, headers=CLM).is_success
    assert f"<bdi>{name}</bdi></a>" in http.get("/players", headers=HTML).text
    # A refusal, in JSON and as a page; the values for programs are as they are.
    nobody = "משה 2"
    refused = http.get(f"/v1/players/{nobody}").json()
    apart = f"\N{FIRST STRONG ISOLATE}{nobody}\N{POP DIRECTIONAL ISOLATE}"
    assert (apart in refused["detail"], refused["values"]["name"]) == (True, nobody)
    assert apart in http.get(f"/players/{nobody}", headers=HTML).text
    wrong = http.get("/games", params={"since": nobody}, headers=HTML).text
    assert f"\N{FIRST STRONG ISOLATE}&#39;{nobody}&#39;\N{POP DIRECTIONAL ISOLATE} is not" in wrong


def test_who_withdraws_before_a_paired_round_begins_is_not_in_it(desk):
    http, event = desk
    v1 = f"/v1/events/{event}"
    assert http.post(f"{v1}/pair/list", json={"text": "1; 2\n3; 4"}).status_code == 200
    press(http, event, "withdraw")
    answer = http.get(f"{v1}/desk").json()
    assert answer["withdrawn"] == {"5": 1}


@pytest.mark.parametrize(
    ("language", "words"), [("en", "sits out round 2, 4"), ("de", "setzt in Runde 2, 4 aus")]
)
def test_a_bye_asked_for_is_shown_until_its_round_begins(desk, language, words):
    http, event = desk
    v1 = f"/v1/events/{event}"
    for round, kind in ((1, "half"), (4, "zero"), (2, "half"), (3, "full"), (3, None)):
        sent = {"entrant": 5, "round": round, "kind": kind}
        assert http.post(f"{v1}/desk/bye", json=sent).status_code == 200
    assert http.post(f"{v1}/pair/list", json={"text": "1; 2\n3; 4"}).status_code == 200
    press(http, event, "Start the round")
    assert re.findall("· ([^<]*)</span> <form[^>]*withdraw", page(http, event, language)) == [words]


def test_after_the_last_round_no_other_is_offered(desk):
    """And none is paired: players are not asked to meet again for nothing."""
    http, _ = desk
    plan = {"system": "casual", "rounds": 1}
    event = http.post("/v1/events", json={"name": "Final", "plan": plan}).json()["event"]
    v1 = f"/v1/events/{event}"
    assert http.post(f"{v1}/entrants/list", json={"text": "Ann\nBo"}).status_code == 200
    for label in ("Pair round 1", "Start the round", "Close, play the missing games later"):
        press(http, event, label)
    text = page(http, event)
    assert "Reopen the round" in forms(text)
    assert "Pair round 2" not in forms(text)
    assert "pair/list" not in text
    refused = http.post(f"{v1}/pair", json={}, headers={"Accept-Language": "de"})
    assert refused.status_code == 409
    assert refused.json()["detail"] == "Runde 1 ist die letzte des Turniers"


def test_without_a_deck_the_desk_says_that_no_tables_are_opened(desk):
    http, event = desk
    answer = http.post(f"/v1/events/{event}/desk/plan", json={"plan": {**PLAN, "decks": []}})
    assert answer.status_code == 200, answer.text
    paired = {"round": 1, "tables": [{"number": 1, "players": [1, 2]}]}
    assert http.post(f"/v1/events/{event}/desk/pair", json=paired).status_code == 200
    said = "Without a deck no tables are opened for phones"
    assert said in page(http, event)
    assert press(http, event, "Start the round")["links"] == []
    text = page(http, event)
    assert said in text
    assert "Cards with codes for the tables" not in forms(text)


def test_forms_send_what_a_director_fills_in(desk):
    http, event = desk
    v1 = f"/v1/events/{event}"
    text = page(http, event)
    for place in ("entrants/list", "desk/change", "pair/list", "desk/plan", "desk/bye"):
        assert f'data-post="/v1/events/{event}/{place}"' in text
    german = {"Accept-Language": "de"}
    answer = http.post(
        f"{v1}/entrants/list", json={"text": "Name;Kategorie\nFay;Jugend\nbo;\n"}, headers=german
    ).json()
    assert answer["desk"]["entrants"][-1]["category"] == "Jugend"
    assert [one["text"] for one in answer["problems"]] == ["Zeile 3: bo ist schon gemeldet, als Bo"]
    assert answer["left"] == "Name;Kategorie\nbo;"
    wrong = http.post(f"{v1}/pair/list", json={"text": "1; 2\nCy; Xaver"}, headers=german)
    assert wrong.status_code == 409
    assert wrong.json()["detail"] == "Zeile 2: niemand ist als 'Xaver' gemeldet"
    answer = http.post(f"{v1}/pair/list", json={"text": "1; 2\nCy; 4\nFay; Ed"}).json()
    assert [table["players"] for table in answer["desk"]["rounds"][0]["tables"]] == [
        [1, 2], [3, 4], [6, 5],
    ]  # fmt: skip
    links = http.post(f"{v1}/rounds/1/start", json={}).json()["links"]
    again = press(http, event, "Cards with codes for the tables")
    assert [link["id"] for link in again] == [link["id"] for link in links]
    assert {link["scorer"] for link in again}.isdisjoint(link["scorer"] for link in links)
    places = http.get(f"/events/{event}/places", params={"entrant": 6, "lang": "de"}, headers=HTML)
    assert "Jugend" in places.text
    assert "gleichauf mit" in places.text
    assert "in dieser Reihenfolge: Punkte, " in places.text
    shown = http.get(f"/events/{event}", headers=HTML).text
    assert "<bdi>Fay</bdi> – <bdi>Ed</bdi>" in shown
    assert "/players/" not in re.sub("<header.*?</header>", "", shown, flags=re.S)


def test_results_are_typed_on_one_line_also_of_an_earlier_round(desk):
    http, event = desk
    v1 = f"/v1/events/{event}"
    german = {"Accept-Language": "de"}
    early = http.post(f"{v1}/results/list", json={"text": "1 1-0"}, headers=german)
    assert (early.status_code, early.json()["detail"]) == (404, "Runde 1 ist nicht gepaart")
    assert "results/list" not in page(http, event)
    rounds = (("1; 2\n3; 4", "1 1-0, 2 0,5-0,5 2-2"), ("1; 3\n2; 4", "1 2;2 ff 1"))
    for number, (pairs, typed) in enumerate(rounds, 1):
        assert http.post(f"{v1}/pair/list", json={"text": pairs}).status_code == 200
        press(http, event, "Start the round")
        answer = http.post(f"{v1}/results/list", json={"text": f"{typed}\n3 1, x"}, headers=german)
        assert [(one["line"], one["text"]) for one in answer.json()["problems"]] == [
            (2, f"Zeile 2: Runde {number} hat keinen Tisch 3"),
            (2, "Zeile 2: 'x': eine Zeile beginnt mit der Nummer eines Tisches, wie in 7 1-0"),
        ]
        result = answer.json()["desk"]["rounds"][-1]["tables"][0]["result"]
        both = {"round": number, "table": 1, "sides": [1, 2], "result": result}
        assert http.post(f"{v1}/desk/confirm", json=both).status_code == 200
        press(http, event, "Close the round")
    assert f'data-post="{v1}/results/list"' in page(http, event)
    wrong = {"text": "1 0-1", "round": 1, "why": "sides mixed up"}
    assert http.post(f"{v1}/results/list", json=wrong).json()["problems"][0]["key"] == (
        "desk.confirmed"
    )
    answer = http.post(f"{v1}/results/list", json=wrong | {"correct": True}).json()
    assert answer["problems"] == []
    results = [
        (table["result"]["result"], table["result"]["votes"], table["result"]["forfeit"])
        for round in answer["desk"]["rounds"]
        for table in round["tables"]
    ]
    assert results == [("0-1", [], []), ("1/2-1/2", [2, 2], []), ("0-1", [], []), ("0-1", [], [1])]
    assert http.get(f"{v1}/acts").json()[-1]["why"] == "sides mixed up"


def test_earlier_results_are_typed_while_the_next_round_is_paired(desk):
    http, event = desk
    v1 = f"/v1/events/{event}"
    for pairs in ("1; 2\n3; 4", "1; 3\n2; 4"):
        assert http.post(f"{v1}/pair/list", json={"text": pairs}).status_code == 200
        if pairs.startswith("1; 2"):
            press(http, event, "Start the round")
            press(http, event, "Close, play the missing games later")
    text = page(http, event)
    assert f'data-post="{v1}/results/list"' in text
    assert "<summary>round 1</summary>" in text
    assert '<option value="1">1</option></select>' in text  # Round 2 takes no results yet.
    assert http.post(f"{v1}/desk/reopen", json={"round": 1}).status_code == 200
    text = page(http, event)
    assert re.search(r"<h2>round 1 <span[^>]*>running · 2 results missing", text)
    assert "Start the round" in forms(text)
    answer = http.post(f"{v1}/results/list", json={"text": "1 1-0"})
    assert answer.json()["desk"]["rounds"][0]["tables"][0]["result"]["result"] == "1-0"
    assert re.search(r"<h2>round 1 <span[^>]*>running · 1 result missing", page(http, event))
    board = press(http, event, "Close, play the missing games later")
    assert [round["state"] for round in board["rounds"]] == ["closed", "paired"]
    text = page(http, event)
    assert re.search(r"<h2>round 2 .*<h2>round 1 <span[^>]*>closed · 1 result missing", text, re.S)
    assert {"Start the round", "Reopen the round"} < {*forms(text)}
    assert "Close the round" not in forms(text)
    assert http.post(f"{v1}/results/list", json={"text": "2 1-0", "round": 1}).status_code == 200
    assert "<h2>round 1" not in page(http, event)


def test_a_record_that_differs_is_named_also_in_an_earlier_round(desk):
    http, event = desk
    v1 = f"/v1/events/{event}"
    assert http.post(f"{v1}/pair/list", json={"text": "Bo; Cy"}).status_code == 200
    press(http, event, "Start the round")
    record = game(1, Event="Cup / Open", Round="1", Player1="Cy", Player2="Bo")
    assert http.post("/v1/games", content=record.encode(), headers=CLM).status_code == 201
    assert "the record differs" not in page(http, event)
    (table,) = http.get(f"{v1}/desk").json()["rounds"][0]["tables"]
    other = "0-1" if table["result"]["result"] == "1-0" else "1-0"
    assert http.post(f"{v1}/results/list", json={"text": f"1 {other}"}).status_code == 200
    press(http, event, "Close the round")
    assert http.post(f"{v1}/pair/list", json={"text": "Bo; Di"}).status_code == 200
    assert "the record differs" in page(http, event)
    assert "the record differs" not in http.get(f"/events/{event}", headers=HTML).text


def test_games_are_shown_with_the_result_that_counts_instead(desk):
    """In the order of the record's sides, wherever games are listed, and on the game's page."""
    http, event = desk
    v1 = f"/v1/events/{event}"
    assert http.post(f"{v1}/pair/list", json={"text": "Bo; Cy"}).status_code == 200
    press(http, event, "Start the round")
    record = game(1, Event="Cup / Open", Round="1", Player1="Cy", Player2="Bo")
    made = http.post("/v1/games", content=record.encode(), headers=CLM).json()
    player = http.get(f"/v1/games/{made['id']}").json()["row"]["players"][0]["player"]
    lists = ["/", "/games", f"/events/{event}", f"/players/{player}", f"/games/{made['id']}"]

    def remarks(language="en"):
        pages = [http.get(f"{one}?lang={language}", headers=HTML).text for one in lists]
        found = [re.findall(r'<small class="dim counts">([^<]*)</small>', text) for text in pages]
        assert all(one == found[0] for one in found), found
        return found[0]

    assert remarks() == []
    assert remarks() == []
    recorded = record.split()[-1]
    other = {"1-0": "0-1", "0-1": "1-0"}[recorded]
    # At the table Bo is side 1, in the record Cy.
    typed = {"round": 1, "table": 1, "result": {"result": recorded}}
    assert http.post(f"{v1}/desk/result", json=typed).status_code == 200
    assert remarks() == [f"at the desk: {other}"]
    assert http.post(f"{v1}/desk/correct", json=typed).status_code == 200
    assert remarks() == [f"director: {other}"]
    assert remarks("de") == [f"Turnierleitung: {other}"]
    for one in ("/games", f"/events/{event}"):
        assert "director:" not in http.get(f"{one}?results=hidden", headers=HTML).text
    same = {"round": 1, "table": 1, "result": {"result": other}}
    assert http.post(f"{v1}/desk/correct", json=same).status_code == 200
    assert remarks() == []
    assert remarks() == []


def test_a_play_left_to_the_director_is_shown_as_it_was_decided(desk):
    """On the game's page; the record itself stays as it was handed in."""
    http, event = desk
    v1 = f"/v1/events/{event}"
    assert http.post(f"{v1}/pair/list", json={"text": "Bo; Cy"}).status_code == 200
    press(http, event, "Start the round")
    tags = {"Event": "Cup / Open", "Round": 1, "Player1": "Bo", "Player2": "Cy", "Deck": "GKUWX"}
    lines = [f'[{name} "{value}"]' for name, value in tags.items()]
    moves = "1. U7: G5+ W8^ {[%director]}\n2. X3: U4+ G9\n1-0"
    record = "\n".join([*lines, '[Termination "resignation"]', '[Result "1-0"]', "", moves])
    made = http.post("/v1/games", content=f"{record}\n", headers=CLM)
    assert made.status_code == 201, made.text
    address = f"/games/{made.json()['id']}"

    def said():
        """What the page says of the play, also to the viewer, and whether the record has it."""
        text = http.get(address, headers=HTML).text
        views = http.get(f"{address}/views", headers=HTML).json()
        whole = json.dumps(views["record"])
        assert "[%director]" in text
        texts = (text, json.dumps(views["sentences"]))
        return ["left to the director" in one for one in texts], "[%director]" in whole

    assert said() == ([True, True], True)
    asked = {"round": 1, "table": 1, "game": made.json()["id"]}
    assert http.post(f"{v1}/desk/stands", json=asked).status_code == 200
    assert said() == ([False, False], True)


def test_a_result_that_the_record_has_too_is_not_said_to_be_typed(desk):
    """As those are that all sides have confirmed on a phone before the game was handed in."""
    http, event = desk
    v1 = f"/v1/events/{event}"
    assert http.post(f"{v1}/pair/list", json={"text": "Bo; Cy"}).status_code == 200
    press(http, event, "Start the round")
    record = game(1, Event="Cup / Open", Round="1", Player1="Bo", Player2="Cy")
    result = record.split()[-1]
    both = {"round": 1, "table": 1, "sides": [1, 2], "result": {"result": result}}
    assert http.post(f"{v1}/desk/confirm", json=both).status_code == 200
    assert '<small class="dim">typed</small>' in page(http, event)
    assert http.post("/v1/games", content=record.encode(), headers=CLM).status_code == 201
    assert '<small class="dim">record</small>' in page(http, event)


def test_an_event_without_a_game_has_its_names_and_its_wall(desk):
    http, event = desk
    assert http.get(f"/v1/events/{event}/names").json() == []
    assert http.get(f"/events/{event}/wall", headers=HTML).status_code == 200
    renamed = http.put(f"/v1/events/{event}/name", json={"name": "Cup 2"})
    assert renamed.status_code == 200, renamed.text
    (name,) = http.get(f"/v1/events/{event}/names").json()
    assert (name["before"], name["name"]) == ("Cup / Open", "Cup 2")


def test_the_plan_has_a_field_for_every_tie_break(desk):
    """What the form leaves out, its button would remove."""
    http, event = desk
    order = [*get_args(TieBreak)][::-1]
    changed = http.post(f"/v1/events/{event}/desk/plan", json={"plan": PLAN | {"tiebreaks": order}})
    assert changed.status_code == 200, changed.text
    fields = page(http, event).split('name="plan.tiebreaks"')[1:]
    assert [re.findall(r'value="([^"]*)" selected', field) for field in fields] == [
        [one] for one in order
    ]


def test_all_desks_are_listed(desk):
    http, event = desk
    text = http.get("/desk", headers=HTML).text
    assert f'href="/events/{event}/desk"' in text
    assert "Cup / Open" in text
    assert "5 players" in text


def test_what_is_printed(desk):
    http, event = desk
    for kind, status in (("standings", 200), ("pairings", 404), ("poster", 400)):
        answer = http.get(f"/events/{event}/print/{kind}", headers=HTML)
        assert answer.status_code == status, (kind, answer.text)


def test_results_of_a_closed_round_are_corrected_where_they_are_shown(desk):
    http, event = desk
    v1 = f"/v1/events/{event}"
    assert http.post(f"{v1}/pair/list", json={"text": "1; 2\n3; 4"}).status_code == 200
    press(http, event, "Start the round")
    sent = {"round": 1, "table": 1, "result": {"result": "1-0"}}
    assert http.post(f"{v1}/desk/result", json=sent).status_code == 200
    press(http, event, "Close, play the missing games later")
    places = re.findall(r'<form class="act result" data-post="([^"]*)"', page(http, event))
    assert [place.rsplit("/", 1)[-1] for place in places] == ["correct", "result"]
    for table, place in enumerate(places, 1):
        again = {"round": 1, "table": table, "result": {"result": "0-1"}}
        assert http.post(html.unescape(place), json=again).status_code == 200


def test_a_game_that_belongs_to_no_table_is_on_the_desk(desk):
    http, event = desk
    v1 = f"/v1/events/{event}"
    assert http.post(f"{v1}/pair/list", json={"text": "1; 2\n3; 4"}).status_code == 200
    press(http, event, "Start the round")
    tags = {"Event": "Cup / Open", "Round": "1", "Player1": "Bo", "Player2": "Cy"}
    text = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    made = http.post(
        "/v1/games",
        content=f'{text}[Deck "GKUWX"]\n[Termination "time"]\n[Result "1-0"]\n\n1-0\n',
        headers=CLM,
    )
    assert made.status_code == 201, made.text
    link = f'<a href="/games/{made.json()["id"]}">A recorded game belongs to no table</a>'
    assert link in page(http, event)
