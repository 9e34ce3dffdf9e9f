"""`claimlog replay --format json` against the structure that the specification gives."""

import json
import re

import pytest
from replaying import BROKEN, GAMES, GOLDEN, SAMPLES, claimlog

CARD = re.compile(r"[GKNIMPABDFRSTUVWX](?:\d|1[0-3])")
CODES = re.compile(r"[a-z]+(?:-[a-z]+)*")


def keys(value, *names):
    assert list(value) == list(names)


def card(value, unknown=False):
    assert (unknown and value is None) or CARD.fullmatch(value), value


def seat(value, seats):
    assert type(value) is int
    assert 1 <= value <= seats


def by(value, number, check):
    """An object with the keys "1" to `number`."""
    assert list(value) == [str(i + 1) for i in range(number)]
    for one in value.values():
        check(one)


def trick(value, seats, number):
    keys(
        value,
        *("number", "phase", "auto", "upcards", "leader", "plays", "winner", "ranking", "taken"),
        *("scored", "removed", "waiting", "next_leader"),
    )
    tricks = {2: 13, 3: 12, 4: 9}[seats]
    assert value["number"] == number
    assert value["phase"] == (1 if number <= tricks else 2)
    assert type(value["auto"]) is bool
    for upcard in value["upcards"]:
        card(upcard)
    seat(value["leader"], seats)
    cut = value["winner"] is None
    for i, play in enumerate(value["plays"]):
        keys(play, "seat", "card", "value")
        assert play["seat"] == (value["leader"] - 1 + i) % seats + 1
        card(play["card"], unknown=True)
        assert play["value"] is None or (type(play["value"]) is int and not value["auto"])
    if cut:
        after = ("ranking", "taken", "scored", "removed", "waiting", "next_leader")
        assert all(value[name] is None for name in after)
        return
    assert len(value["plays"]) == seats
    seat(value["winner"], seats)
    assert sorted(value["ranking"]) == list(range(1, seats + 1))
    assert value["ranking"][0] == value["winner"]
    if value["phase"] == 1:
        assert len(value["upcards"]) <= (1 if seats == 2 else 2)
        by(value["taken"], seats, lambda name: card(name, unknown=True))
    else:
        assert value["upcards"] == []
        assert value["taken"] == {}
    by(value["scored"], seats, lambda cards: [card(name) for name in cards])
    for lost in value["removed"]:
        keys(lost, "seat", "card")
        seat(lost["seat"], seats)
        assert lost["card"][0] == "N"
    assert all(name[0] == "T" for name in value["waiting"])
    if number == 2 * tricks:
        assert value["next_leader"] is None
    else:
        seat(value["next_leader"], seats)


def score(value, seats, deck):
    sides = 2 if seats == 4 else seats
    keys(value, "piles", "factions", "votes", "tiebreak", "result")
    by(value["piles"], sides, lambda cards: [card(name) for name in cards])
    assert set(value["factions"]) == set(deck)
    won = dict.fromkeys(range(1, sides + 1), 0)
    for letter, faction in value["factions"].items():
        names = ("counts", "runs", "winner") if letter == "B" else ("counts", "winner")
        keys(faction, *names)
        for name in names[:-1]:
            by(faction[name], sides, lambda number: int.__index__(number))
        if faction["winner"] is not None:
            seat(faction["winner"], sides)
            won[faction["winner"]] += 1
    assert value["votes"] == {str(side): number for side, number in won.items()}
    assert value["tiebreak"] in (None, "cards", "value")
    assert re.fullmatch(r"(?:0|1|1/[23])(?:-(?:0|1|1/[23]))+", value["result"])


def problem(value, severity):
    keys(
        value,
        *("code", "severity", "message", "line", "column", "end_column", "trick", "seat", "card"),
    )
    assert CODES.fullmatch(value["code"])
    assert value["severity"] == severity
    assert value["message"]
    assert value["line"] >= 1
    assert 1 <= value["column"] < value["end_column"]
    for name in ("trick", "seat"):
        assert value[name] is None or value[name] >= 1
    assert value["card"] is None or card(value["card"]) is None


def report(value):
    """Check one line of the output strictly."""
    keys(
        value,
        *("tags", "seats", "rules", "rulings", "complete", "result", "tricks", "score", "errors"),
        "warnings",
    )
    assert all(isinstance(text, str) for pair in value["tags"].items() for text in pair)
    assert value["seats"] in ((1,) if value["tags"].get("Termination") == "bye" else (2, 3, 4))
    assert value["rules"] in ("LE2023", "Classic")
    keys(value["rulings"], "trolls", "dragons", "automatons", "raccoons")
    assert type(value["complete"]) is bool
    for number, one in enumerate(value["tricks"], 1):
        trick(one, value["seats"], number)
    for severity in ("error", "warning"):
        for one in value[f"{severity}s"]:
            problem(one, severity)
    if value["score"] is not None:
        assert value["complete"]
        assert not value["errors"]
        score(value["score"], value["seats"], value["tags"]["Deck"].upper())
    else:
        assert value["errors"] or not value["complete"]


@pytest.mark.parametrize("path", [*GAMES, *SAMPLES, *BROKEN], ids=lambda path: path.stem)
def test_the_report_has_the_shape_of_the_specification(path):
    code, out, err = claimlog("replay", path, "--format", "json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert err == ""
    assert code == (1 if any(line["errors"] for line in lines) else 0)
    assert lines
    for line in lines:
        report(line)


def test_a_whole_report():
    record = '[Deck "GKUWX"]\n[Leader "2"]\n1. U7: G5 G8+ /W2\n2. X3: K4\n*\n'
    code, out, _ = claimlog("replay", "-", "--format", "json", stdin=record.encode())
    assert code == 0
    assert json.loads(out) == {
        "tags": {"Deck": "GKUWX", "Leader": "2"},
        "seats": 2,
        "rules": "LE2023",
        "rulings": {
            "trolls": "highest",
            "dragons": "last-card",
            "automatons": "won-by",
            "raccoons": "deck",
        },
        "complete": False,
        "result": "*",
        "tricks": [
            {
                "number": 1,
                "phase": 1,
                "auto": False,
                "upcards": ["U7"],
                "leader": 2,
                "plays": [
                    {"seat": 2, "card": "G5", "value": 5},
                    {"seat": 1, "card": "G8", "value": 8},
                ],
                "winner": 1,
                "ranking": [1, 2],
                "taken": {"1": "U7", "2": "W2"},
                "scored": {"1": [], "2": []},
                "removed": [],
                "waiting": [],
                "next_leader": 1,
            },
            {
                "number": 2,
                "phase": 1,
                "auto": False,
                "upcards": ["X3"],
                "leader": 1,
                "plays": [{"seat": 1, "card": "K4", "value": 4}],
                "winner": None,
                "ranking": None,
                "taken": None,
                "scored": None,
                "removed": None,
                "waiting": None,
                "next_leader": None,
            },
        ],
        "score": None,
        "errors": [],
        "warnings": [],
    }


def test_one_line_a_game_in_utf8_whatever_the_locale():
    text = b"\n".join(path.read_bytes() for path in GAMES)
    for env in ({}, {"PYTHONIOENCODING": "ascii"}):
        _, out, _ = claimlog("replay", "-", "--format", "json", stdin=text, **env)
        lines = out.splitlines()
        assert len(lines) == len(GAMES)
        assert "Jörg Öztürk" in out
    third = claimlog("replay", "-", "--format", "json", "--game", "3", stdin=text)[1]
    assert third == lines[2] + "\n"


def test_an_invalid_game_has_the_tricks_before_its_first_error():
    _, out, _ = claimlog("replay", GOLDEN / "broken.clm", "--format", "json")
    value = json.loads(out)
    assert [trick["number"] for trick in value["tricks"]] == [1]
    assert value["score"] is None
    assert len(value["errors"]) == 6


def test_reports_for_programs_are_in_english_whatever_the_language():
    path = GOLDEN / "broken.clm"
    code, out, err = claimlog("replay", "--format", "json", path)
    assert "seat 2 did not follow Knights" in out
    assert claimlog("replay", "--format", "json", "--lang", "de", path) == (code, out, err)
    assert claimlog("replay", "--format", "json", path, LC_ALL="de_DE.UTF-8")[1] == out
    german = claimlog("replay", path, LC_ALL="de_DE.UTF-8")[1]
    assert "Sitz 2 hat Ritter nicht bedient" in german
    assert "did not" not in german
    assert "hat Ritter nicht bedient" in claimlog("validate", path, LC_ALL="de_DE.UTF-8")[1]
    for words in (
        ("validate", "--format", "json"),
        ("validate", "--format", "json", "--lang", "de"),
    ):
        assert "did not follow Knights" in claimlog(*words, path, LC_ALL="de_DE.UTF-8")[1]
