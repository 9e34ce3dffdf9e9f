"""A table's entries: folded into a game, doubts cleared, and who may see what."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from claimlog import dumps, loads
from claimlog.cards import CARD_NAMES, all_decks, deck_letters
from claimlog.language import words
from claimlog.recording import EntryError, Recording, Table
from claimlog.recording.entries import KINDS, MOST, NOT_OF_THE_GAME
from claimlog.results import RESULTS
from claimlog.simulate import simulate_games
from claimlog.state import State

ROOT = Path(__file__).parents[1]
AGREED = {"deck": "GKUWX", "players": ["Anna", "Ben"]}


class Device:
    """Makes entries with unique ids."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.made = 0

    def __call__(self, kind: str, **fields: object) -> dict[str, object]:
        self.made += 1
        return self.table.add({"id": f"e{self.made}", "kind": kind, **fields})

    def words(self, *entries: str) -> list[dict[str, object]]:
        return [self("enter", word=word) for word in entries]


def table(*entries: str, **agreed: object) -> tuple[Table, Device]:
    made = Table({**AGREED, **agreed})
    device = Device(made)
    device.words(*entries)
    return made, device


def moves(record: str) -> list[str]:
    return record.split("\n\n", 1)[1].splitlines()


def test_a_table_is_agreed_or_goes_on_with_a_record() -> None:
    made = Table(
        {
            "deck": "xwukg",
            "players": ["Anna  Keller", "Ben\x1b"],
            "leader": 2,
            "rules": "Classic",
            "event": "Open",
            "round": 3,
            "table": "2",
            "site": "Bern",
            "date": "2026-11-22",
            "hands": {"2": "G9 U1 " + "_ " * 11},
        }
    )
    game = loads(made.record)[0]
    assert (game.deck, game.leader, game.rules, game.player(2)) == (
        "GKUWX",
        2,
        "Classic",
        "Ben\N{REPLACEMENT CHARACTER}",
    )
    assert {name: game.tags[name] for name in ("Event", "Round", "Table", "Site")} == {
        "Event": "Open",
        "Round": "3",
        "Table": "2",
        "Site": "Bern",
    }
    again = Table(made.record)
    assert again.record == made.setup == made.record
    Device(again).words("U7", "G5")
    assert moves(again.record) == ["1. U7: G5", "*"]
    for wrong in ("", '[Deck "GK"]\n*', {**AGREED, "deck": "GK"}, {**AGREED, "players": ["A"]}):
        with pytest.raises(ValueError, match=r"."):
            Table(wrong)


def test_entries_are_numbered_and_done_once() -> None:
    made, device = table()
    assert device.words("U7", "G5") == [
        {"id": "e1", "number": 1, "doubtful": False},
        {"id": "e2", "number": 2, "doubtful": False},
    ]
    assert made.add({"id": "e1", "kind": "undo"}) == {"id": "e1", "number": 1, "doubtful": False}
    assert moves(made.record) == ["1. U7: G5", "*"]
    assert made.number == 2
    assert made.since(1) == [{"number": 2, "id": "e2", "kind": "enter", "word": "G5"}]
    assert made.knows("e1")
    assert not made.knows("e3")


def test_every_kind_does_what_the_recording_does() -> None:
    made, device = table()
    recording = Recording(State("GKUWX", players=["Anna", "Ben"]))
    steps = [
        ("note", {"text": "before the game"}),
        ("tag", {"name": "Event", "value": "Open"}),
        ("agree", {"tags": {"Player1": "Ben", "Player2": "Anna", "Round": "4"}}),
        ("enter", {"word": "U7"}),
        ("enter", {"word": "G5"}),
        ("annotate", {"mark": "!"}),
        ("stamp", {"time": "0:04:30"}),
        ("enter", {"word": "G8"}),
        ("pause", {"time": "0:05:00"}),
        ("enter", {"word": "X3"}),
        ("mend", {"trick": 1, "was": "G8", "card": "G9"}),
        ("fill", {"trick": 1, "seat": 1, "card": "W2"}),
        ("let_stand", {"trick": 1, "seat": 2}),
        ("revise", {"edits": [{"do": "leader", "seat": 2}]}),
        ("enter", {"word": "K4"}),
        ("undo", {}),
        ("redo", {}),
        ("finish", {"result": "1-0", "termination": "resignation"}),
    ]
    assert {kind for kind, _ in steps} | {"confirm", "unconfirm", "clear"} == set(KINDS)
    for kind, fields in steps:
        assert device(kind, **fields)["doubtful"] is False
        getattr(recording, kind)(*fields.values())
        assert made.record == recording.text
    assert made.over
    while made.view()["can_undo"]:
        device("undo")
    assert made.record == made.setup
    number = made.number
    assert device("undo") == {"id": f"e{device.made}", "number": number + 1, "doubtful": False}
    assert made.record == made.setup


def revoked() -> tuple[Table, Device]:
    return table("U7", "G5", "W8", "X3", "U4")


def test_what_cannot_be_waits_until_it_is_cleared() -> None:
    made, device = revoked()
    assert device("enter", word="G9") == {"id": "e6", "number": 6, "doubtful": True}
    assert [o["doubtful"] for o in device.words("X5", "G1")] == [False, False]
    view = made.view()
    assert view["waiting"] == 2
    assert view["doubt"] == {
        "entry": "e6",
        "number": 6,
        "kind": "enter",
        "word": "G9",
        "mark": "",
        "code": "void",
        "sentence": "Ben did not follow Goblins in trick 1 (with W8), "
        "so G9 cannot be in that hand.",
        "card": "G9",
        "seat": 2,
        "trick": 1,
        "was": "W8",
        "remedies": ["anyway", "earlier"],
        "because": "",
        "later": False,
        "behind": ["X5", "G1"],
    }
    assert made.view(words("de"))["doubt"]["sentence"] != view["doubt"]["sentence"]
    assert moves(made.record) == ["1. U7: G5+ W8", "2. X3: U4", "*"]
    device("clear", entry="e6", anyway=True)
    assert moves(made.record) == ["1. U7: G5+ W8^", "2. X3: U4+ G9", "3. X5: G1", "*"]
    assert made.view()["doubt"] is None
    assert made.view()["problems"][0]["code"] == "irregular"
    assert made.outcome("e6")["doubtful"] is False


def test_a_doubt_is_cleared_by_another_word_the_earlier_card_or_dropped() -> None:
    made, device = revoked()
    device.words("G9", "X5")
    device("clear", entry="e6", word="U2")
    assert moves(made.record)[1:3] == ["2. X3: U4+ U2", "3. X5:"]
    made, device = revoked()
    device.words("G9", "X5")
    device("clear", entry="e6", earlier="G2")
    assert moves(made.record)[:3] == ["1. U7: G5+ G2", "2. X3: U4+ G9", "3. X5:"]
    made, device = revoked()
    device.words("G9", "U2")
    device("clear", entry="e6", drop=True)
    assert moves(made.record)[1] == "2. X3: U4+ U2"


def test_a_clear_that_cannot_be_changes_nothing_but_what_is_said() -> None:
    made, device = revoked()
    device.words("G9")
    device("clear", entry="e1", drop=True)
    device("clear", entry="nobody", drop=True)
    assert made.view()["doubt"]["because"] == ""
    device("clear", entry="e6", earlier="U4")
    doubt = made.view()["doubt"]
    assert (doubt["code"], doubt["remedies"]) == ("void", ["anyway", "earlier"])
    assert doubt["because"] == "Then trick 2 could not have gone as it did."
    device("clear", entry="e6", word="U7")
    doubt = made.view()["doubt"]
    assert (doubt["word"], doubt["code"], doubt["because"]) == ("U7", "out", "")
    device("clear", entry="e6", word="U2")
    assert made.view()["doubt"] is None
    assert device("clear", entry="e6", drop=True)["doubtful"] is False
    assert moves(made.record)[1] == "2. X3: U4+ U2"


def test_what_had_to_come_first_is_entered_before_the_entry_in_doubt() -> None:
    players = ["Anna", "Ben", "Clara", "Dan"]
    made, device = table("S6", "A0", "T1", "T7", "T3", "T2", deck="NISTABF", players=players)
    device.words("B4", "K2", "B5")
    assert (made.view()["doubt"]["code"], made.view()["waiting"]) == ("pick", 2)
    device("clear", entry="e7", first="=B9")
    doubt = made.view()["doubt"]
    assert (doubt["word"], doubt["because"]) == ("B4", "First: which upcard did Ben take?")
    device("clear", entry="e7", first="=S6")
    assert moves(made.record)[:2] == ["1. S6,A0: T1 T7+ T3 T2 =S6", "2. B4:"]
    assert made.view()["doubt"]["code"] == "deck"
    device("clear", entry="e8", drop=True)
    assert moves(made.record)[1] == "2. B4,B5:"
    device("undo")
    device("undo")
    device("undo")
    assert made.view()["due"]["kind"] == "pick"


def test_what_had_to_come_first_stays_where_the_entry_still_cannot_be() -> None:
    players = ["Anna", "Ben", "Clara", "Dan"]
    made, device = table("S6", "A0", "T1", "T7", "T3", "T2", deck="NISTABF", players=players)
    device.words("T7")
    device("clear", entry="e7", first="=S6")
    doubt = made.view()["doubt"]
    assert (doubt["code"], doubt["trick"], doubt["was"]) == ("out", 1, "T7")
    assert moves(made.record)[0] == "1. S6,A0: T1 T7+ T3 T2 =S6"


def test_a_view_lists_the_tricks_that_were_won() -> None:
    made, _ = table("U7", "G5", "G8", "X3", "K4")
    assert [(one["number"], one["leader"], one["winner"]) for one in made.view()["played"]] == [
        (1, 1, 2)
    ]
    assert [play["card"] for play in made.view()["played"][0]["plays"]] == ["G5", "G8"]
    assert made.seen()["played"] == made.view()["played"]


def test_one_doubt_after_another() -> None:
    made, device = revoked()
    device.words("G9", "U7", "X5")
    device("clear", entry="e6", drop=True)
    assert (made.view()["doubt"]["entry"], made.view()["waiting"]) == ("e7", 1)
    assert made.outcome("e7")["doubtful"] is True
    device("clear", entry="e7", word="U1")
    assert moves(made.record)[1:3] == ["2. X3: U4+ U1", "3. X5:"]


def test_undo_takes_back_what_waits_first() -> None:
    made, device = revoked()
    device.words("G9", "X5")
    device("undo")
    assert (made.view()["doubt"]["entry"], made.view()["waiting"]) == ("e6", 0)
    device("undo")
    assert made.view()["doubt"] is None
    device("redo")
    assert made.view()["doubt"]["entry"] == "e6"
    device("redo")
    assert made.view()["waiting"] == 1
    for _ in range(3):
        device("undo")
    assert moves(made.record)[1] == "2. X3:"
    assert made.view()["can_redo"]


def test_what_has_no_place_is_doubtful_too() -> None:
    made, device = table("U7", "G5", "G8")
    for kind, fields in (
        ("mend", {"trick": 1, "was": "G9", "card": "K5"}),
        ("fill", {"trick": 9, "seat": 1, "card": "K5"}),
        ("let_stand", {"trick": 2, "seat": 1}),
        ("tag", {"name": "Leader", "value": "7"}),
        ("finish", {"result": "2-0", "termination": "time"}),
    ):
        before = made.record
        id = device(kind, **fields)["id"]
        doubt = made.view()["doubt"]
        assert (doubt["entry"], doubt["kind"]) == (id, kind)
        assert doubt["code"] == ("record" if kind in ("tag", "finish") else "place")
        assert doubt["sentence"]
        device("clear", entry=id, drop=True)
        assert made.record == before
    device("mend", trick=1, was="G8", card="G5")
    device("clear", entry=f"e{device.made}", word="G9")
    assert moves(made.record)[0] == "1. U7: G5 G9+"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (None, "an entry is an object"),
        ([], "an entry is an object"),
        ({"kind": "undo"}, "the id of an entry must be 1 to 64"),
        ({"id": "a b", "kind": "undo"}, "the id of an entry must be 1 to 64"),
        ({"id": "a" * 65, "kind": "undo"}, "the id of an entry must be 1 to 64"),
        ({"id": 1, "kind": "undo"}, "the id of an entry must be 1 to 64"),
        ({"id": "a", "kind": "jump"}, "entry a: its kind must be one of enter, undo"),
        ({"id": "a"}, "entry a: its kind must be one of"),
        ({"id": "a", "kind": "enter"}, "entry a: enter needs word"),
        ({"id": "a", "kind": "enter", "word": ""}, "entry a: word must be a word of the notation"),
        ({"id": "a", "kind": "enter", "word": 5}, "entry a: word must be a word of the notation"),
        ({"id": "a", "kind": "enter", "word": "G5", "anyway": 1}, "anyway must be true or false"),
        ({"id": "a", "kind": "enter", "word": "G5", "any": True}, "enter has no 'any', but word"),
        ({"id": "a", "kind": "undo", "of": "b"}, "undo has no 'of', and no other fields"),
        ({"id": "a", "kind": "note", "text": " "}, "text must be a text of at most 1000"),
        ({"id": "a", "kind": "note", "text": "x" * 1001}, "text must be a text of at most 1000"),
        ({"id": "a", "kind": "annotate", "mark": "!!!"}, "mark must be one of ! [?]"),
        ({"id": "a", "kind": "stamp", "time": "soon"}, "time must be a clock time"),
        (
            {"id": "a", "kind": "fill", "trick": True, "seat": 1, "card": "G5"},
            "trick must be a trick",
        ),
        (
            {"id": "a", "kind": "fill", "trick": 1, "seat": 5, "card": "G5"},
            "seat must be a seat, 1",
        ),
        (
            {"id": "a", "kind": "mend", "trick": 27, "was": "G5", "card": "G5"},
            "trick must be a trick",
        ),
        ({"id": "a", "kind": "mend", "trick": 1, "was": "5", "card": "G5"}, "was must be a card"),
        ({"id": "a", "kind": "tag", "name": "A b", "value": ""}, "name must be the name of a tag"),
        ({"id": "a", "kind": "confirm", "side": 4}, "side must be a side"),
        ({"id": "a", "kind": "clear", "entry": "b", "drop": True, "word": "G5"}, "clear needs one"),
    ],
)
def test_what_is_no_entry_is_refused_and_changes_nothing(entry: object, message: str) -> None:
    made, _ = table("U7")
    before = json.dumps(made.view())
    with pytest.raises(EntryError, match=message):
        made.add(entry)
    assert json.dumps(made.view()) == before
    assert made.number == 1


def test_a_table_does_not_grow_for_ever() -> None:
    made, device = table()
    for _ in range(MOST):
        device("undo")
    with pytest.raises(EntryError, match="at most"):
        device("undo")
    assert made.add({"id": "e1", "kind": "undo"})["number"] == 1


def whole(seed: int, deck: str = "GKUWX", seats: int = 2) -> list[str]:
    """The words of a whole game, with draws."""
    state = State.dealt(deck, seed=seed, seats=seats)
    chance, entered = Random(seed), []
    while not state.over:
        kind = state.to_act.kind
        if kind == "turn-up":
            entered.append(str(state.turn_up().card))
        elif kind == "draw":
            entered.append(f"/{state.draw().card}")
        else:
            choice = chance.choice(state.choices())
            action = state.apply(choice)
            if kind == "look":
                entered.append("~-" if choice == "leave" else f"~{action.card}")
            else:
                entered.append(choice)
    return entered


def test_the_sides_confirm_and_then_nothing_changes() -> None:
    made, device = table(*whole(1))
    view = made.view()
    assert (view["over"], view["due"], view["confirmed"]) == (
        True,
        {"kind": "over", "seat": None},
        [],
    )
    assert view["verdict"]
    assert sum(view["votes"]) <= 5
    device("confirm", side=2)
    device("confirm", side=3)
    assert made.view()["confirmed"] == [2]
    device("undo")
    assert made.view()["confirmed"] == []
    device("redo")
    device("confirm", side=1)
    assert not made.closed
    device("confirm", side=2)
    assert made.closed
    record = made.record
    device("undo")
    device("note", text="late")
    assert made.record == record
    assert not made.view()["can_undo"]


def test_a_confirmation_is_taken_back_and_nothing_else() -> None:
    made, device = table(*whole(1))
    record = made.record
    device("unconfirm", side=2)
    device("confirm", side=2)
    device("unconfirm", side=1)
    assert made.view()["confirmed"] == [2]
    device("unconfirm", side=2)
    assert (made.view()["confirmed"], made.over, made.record) == ([], True, record)
    for side in (2, 1):
        device("confirm", side=side)
    device("unconfirm", side=3)
    assert made.closed
    device("unconfirm", side=1)
    assert (made.closed, made.view()["confirmed"]) == (False, [2])
    device("undo")
    assert (made.over, made.view()["confirmed"]) == (False, [])


def test_what_leaves_the_game_as_it_is_leaves_it_confirmed() -> None:
    made, device = table(*whole(1))
    device("confirm", side=1)
    device("note", text="close")
    device("agree", tags={"Recorder": "Rita Frei"})
    device("undo")
    device("undo")
    device("redo")
    assert made.view()["confirmed"] == [1]
    device("agree", tags={"Player1": "Bea Roth"})
    assert made.view()["confirmed"] == []


def test_a_ledger_of_1_0_0_loses_nothing_behind_its_notes() -> None:
    """There a note took confirmations back, so that not all sides had confirmed."""
    made, device = table(*whole(1))
    device("confirm", side=1)
    device("note", text="close")
    device("confirm", side=2)
    device("undo")
    device("undo")
    device("enter", word=whole(1)[-1])
    assert (made.over, made.closed, made.waiting) == (True, False, 0)


def test_nobody_confirms_before_the_end() -> None:
    made, device = table("U7", "G5")
    device("confirm", side=1)
    assert made.view()["confirmed"] == []


# Who sees what --------------------------------------------------------------------------------


def test_a_view_tells_what_a_screen_shows() -> None:
    made, _ = table("U7", "G5", "G8", "/W2", "X3", "K4")
    view = made.view()
    assert json.loads(json.dumps(view)) == view
    assert made.view() is view
    assert view["players"] == ["Anna", "Ben"]
    assert view["due"] == {"kind": "play", "seat": 1}
    assert (view["trick"], view["tricks"], view["phase"], view["leader"]) == (2, 26, 1, 2)
    assert view["table"] == {
        "upcards": ["X3"],
        "plays": [{"seat": 2, "card": "K4", "irregular": False}],
        "trolls": [],
    }
    last = view["last"]
    assert (last["number"], last["winner"], last["taken"]) == (1, 2, {"1": "W2", "2": "U7"})
    assert last["why"][0].startswith("Ben wins with G8")
    assert view["unseen"]["X"] == [c for c in view["unseen"]["X"] if c != "X3"]
    assert "W2" not in view["unseen"]["W"]
    assert "K5" in view["possible"]
    assert view["race"]["G"] == [0, 0]
    assert view["seats"][1]["won"] == 1


def test_at_the_end_a_view_shows_what_was_counted() -> None:
    """Gnomes join the pile, Vikings count twice: the count differs from the number of cards won."""
    game = next(simulate_games(1, deck="NISTV", seed=2))
    made = Table(dumps(game))
    view = made.view()
    assert view["over"]
    assert game.score is not None
    for letter, score in game.score.factions.items():
        assert view["race"][letter] == list(score.counts.values())
        assert view["won_by"][letter] == score.winner
    assert sum(view["race"]["N"]) > 0
    assert "won_by" not in table("U7")[0].view()


@pytest.mark.parametrize(
    ("deck", "result", "how", "english", "german"),
    [
        (
            *("GKUWX", "0-1", "resignation"),
            "Ben wins: Anna resigned.",
            "Ben gewinnt: Anna hat aufgegeben.",
        ),
        ("GKUWX", "1-0", "time", "Anna wins: the time was up.", "Anna gewinnt: Die Zeit war um."),
        (
            *("GKUWX", "1/2-1/2", "adjudication"),
            "Anna and Ben share the win: the director decided.",
            "Anna und Ben teilen den Sieg: Die Turnierleitung hat entschieden.",
        ),
        (
            *("GKUWX", "*", "abandoned"),
            "Nobody wins: the game was abandoned.",
            "Niemand gewinnt: Die Partie wurde abgebrochen.",
        ),
        ("GKUWXBS", "0-1-0", "resignation", "Ben wins: resignation.", "Ben gewinnt: Aufgabe."),
    ],
)
def test_a_view_tells_why_a_game_ended_early(
    deck: str, result: str, how: str, english: str, german: str
) -> None:
    made, device = table(deck=deck, players=["Anna", "Ben", "Cleo"][: len(deck) // 2])
    assert made.view()["termination"] is None
    device("finish", result=result, termination=how)
    assert (made.view()["termination"], made.view()["result"]) == (how, result)
    assert made.seen(words("en"))["verdict"] == [english]
    assert made.seen(words("de"))["verdict"] == [german]
    device("undo")
    assert (made.view()["termination"], made.view()["verdict"]) == (None, [])


SECRETS = ("W2", "U1", "K9", "secret")


def hidden_game() -> tuple[Table, Device]:
    hands = {1: "G5 K4 " + "_ " * 11, 2: "G8 G9 K9 " + "_ " * 10}
    made, device = table("U7", "G5", "G8", "/W2", hands=hands)
    device("note", text="secret")
    device.words("X3", "G9", "K4")
    return made, device


def test_spectators_see_no_hands_no_draws_no_comments_and_no_doubt() -> None:
    made, device = hidden_game()
    device("enter", word="W2")
    assert made.view()["doubt"] is not None
    shown = made.seen()
    text = json.dumps({**shown, "unseen": {}})
    assert not [secret for secret in SECRETS if secret in text], text
    assert shown["unseen"]["W"] == [name for name in CARD_NAMES if name[0] == "W"]
    assert "K9" in shown["unseen"]["K"]
    for name in ("doubt", "possible", "waiting", "can_undo"):
        assert name not in shown
    assert [trick["number"] for trick in shown["played"]] == [1, 2]
    assert shown["played"][0]["taken"] == {"1": None, "2": "U7"}
    assert shown["ahead"] == {"G": None, "K": None, "U": None, "W": None, "X": None}
    assert (shown["last"]["number"], shown["last"]["taken"]) == (2, {"1": "X3", "2": None})
    assert moves(made.seen_record())[0] == "1. U7: G5 G8+ /_"
    assert "Hand" not in made.seen_record()


def test_a_seat_sees_what_is_its_own() -> None:
    made, _ = hidden_game()
    first, second = (json.dumps({**made.seen(seat=seat), "unseen": {}}) for seat in (1, 2))
    assert "W2" in first
    assert "K9" not in first
    assert "W2" not in second
    assert "K9" in second
    assert "W2" not in made.seen(seat=1)["unseen"]["W"]
    assert "W2" in made.seen(seat=2)["unseen"]["W"]
    assert '[Hand1 "' in made.seen_record(1)
    assert '[Hand2 "' not in made.seen_record(1)


def test_a_seers_card_and_discards_are_hidden_from_others() -> None:
    made, _ = table("G5", "S8", "G1", "~K2", "A1", "G2", deck="GKASX")
    assert moves(made.record)[0] == "1. G5: S8+ G1 ~K2"
    assert moves(made.seen_record())[0] == "1. G5: S8+ G1 ~_"
    assert moves(made.seen_record(1))[0] == "1. G5: S8+ G1 ~K2"
    assert moves(made.seen_record(2))[0] == "1. G5: S8+ G1 ~_"
    made, _ = table("G5", "A8", "A2", "K2", "G3", "G4", deck="GKASX")
    assert moves(made.record)[1] == "2. K2: -G3 -G4"
    assert moves(made.seen_record())[1] == "2. K2: -_ -_"
    assert moves(made.seen_record(1))[1] == "2. K2: -G3 -_"
    assert "G3" not in json.dumps({**made.seen(), "unseen": {}})


def test_with_a_delay_tricks_are_shown_later() -> None:
    made, device = table("U7", "G5", "G8", "X3")
    shown = made.seen(delay=1)
    assert (shown["decided"], shown["last"], shown["number"]) == (0, None, 0)
    assert moves(shown["record"]) == ["*"]
    assert "G8" not in json.dumps({**shown, "unseen": {}})
    device.words("K4", "K5")
    shown = made.seen(delay=1)
    assert moves(shown["record"]) == ["1. U7: G5 G8+", "*"]
    assert shown["due"] == {"kind": "draw", "seat": 1}
    assert moves(made.seen(delay=2)["record"]) == ["*"]
    assert moves(made.seen()["record"])[1] == "2. X3: K4 K5+"


def test_a_delay_lasts_until_the_end_is_confirmed() -> None:
    """Whoever watches does not learn of a result that may be taken back."""
    made, device = table("U7", "G5", "G8", "X3", "K4", "K5")
    before = made.seen(delay=1)
    device("finish", result="1-0", termination="resignation")
    assert made.seen(delay=1) == before
    assert made.seen_record(delay=1) == before["record"]
    device("confirm", side=1)
    assert made.seen(delay=1) == before
    device("confirm", side=2)
    assert made.seen(delay=1)["record"] == made.record == made.seen_record(delay=1)
    assert made.seen(delay=1)["termination"] == "resignation"


def test_what_was_shown_once_stays_shown_with_a_delay() -> None:
    """Taking a confirmation back hides nothing; what is played anew is delayed as ever."""
    made, device = table("U7", "G5", "G8", "X3", "K4", "K5")
    device("finish", result="1-0", termination="resignation")
    for side in (1, 2):
        device("confirm", side=side)
    ended = made.seen(delay=2)
    device("unconfirm", side=2)
    after = made.seen(delay=2)
    assert (after["confirmed"], after["closed"]) == ([1], False)
    changed = {key for key in ended if after[key] != ended[key]}
    assert changed == {"confirmed", "closed", "number"}
    assert made.seen_record(delay=2) == made.record
    device("undo")  # the end
    assert moves(made.seen(delay=2)["record"]) == ["1. U7: G5 G8+", "2. X3: K4 K5+", "*"]
    device("finish", result="0-1", termination="time")  # not the end that they know
    assert moves(made.seen(delay=2)["record"])[-1] == "*"
    device("undo")
    device.words("U5", "W1", "W2")
    assert len(moves(made.seen(delay=2)["record"])) == 3
    for _ in range(5):
        device("undo")
    assert moves(made.seen(delay=2)["record"]) == ["1. U7: G5 G8+", "*"]
    device.words("K6", "K7")
    assert moves(made.record) == ["1. U7: G5 G8+", "2. X3: K6 K7+", "*"]
    assert moves(made.seen(delay=2)["record"]) == ["1. U7: G5 G8+", "*"]


def test_at_the_end_all_is_shown() -> None:
    made, device = table(*whole(3))
    assert made.seen()["record"] == made.record
    assert made.seen(delay=3)["decided"] == 23
    for side in (1, 2):
        device("confirm", side=side)
    assert made.seen_record(delay=3) == made.record
    assert "doubt" not in made.seen()


def test_chance_entries_never_break_a_table_and_a_view_hides_what_it_must() -> None:
    """Whatever comes is folded; from the journal it folds to the same; others see less."""
    for seed in range(12):
        chance = Random(seed)
        seats = chance.choice([2, 3, 4])
        deck = deck_letters(chance.choice(all_decks(seats)))
        players = [f"P{seat}" for seat in range(1, seats + 1)]
        game = iter(whole(seed, deck, seats))
        made = Table({"deck": deck, "players": players})
        device = Device(made)
        for _ in range(90):
            kind, fields = chance_entry(chance, made, game)
            device(kind, **fields)
            if chance.random() < 0.2:
                delay = chance.randint(0, 2)
                for seat in range(seats + 1):
                    seen = made.seen(seat=seat, delay=delay)
                    assert seen["record"] == made.seen_record(seat, delay)
                    assert loads(seen["record"])[0].errors == [] or seen["due"]["kind"] == "loot"
        again = Table(made.setup)
        for entry in json.loads(json.dumps(made.entries)):
            again.add(entry)
        assert again.record == made.record
        assert again.view() == made.view()


def chance_entry(chance: Random, made: Table, game) -> tuple[str, dict[str, object]]:
    """An entry: usually the next word of a game, often something else."""
    view = made.view()
    doubt = view["doubt"]
    number = chance.randint(1, max(view["trick"], 1))
    seat, card, was = chance.randint(1, 4), chance.choice(CARD_NAMES), chance.choice(CARD_NAMES)
    if doubt and chance.random() < 0.5:
        ways = [{"drop": True}, {"anyway": True}, {"earlier": card}, {"word": card}]
        return "clear", {"entry": doubt["entry"], **chance.choice(ways)}
    if chance.random() < 0.75:
        return "enter", {"word": next(game, "_") if chance.random() < 0.8 else card}
    return chance.choice(
        [
            ("undo", {}),
            ("redo", {}),
            ("fill", {"trick": number, "seat": seat, "card": card}),
            ("mend", {"trick": number, "was": was, "card": card}),
            ("let_stand", {"trick": number, "seat": seat}),
            ("note", {"text": "noted } so"}),
            ("annotate", {"mark": "!"}),
        ]
    )


def test_only_the_standard_library_is_needed() -> None:
    """The page at the table runs it where nothing is installed."""
    program = (
        "import sys; import claimlog.recording.entries as e;"
        "t = e.Table({'deck': 'GKUWX', 'players': ['A', 'B']}); t.view(); t.seen();"
        "t.add({'id': 'a', 'kind': 'enter', 'word': 'U7'}); t.seen(delay=1);"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        capture_output=True, text=True, check=True, cwd=ROOT,
        env=os.environ | {"CLAIMLOG_PURE": "1"},
    )  # fmt: skip
    modules = set(done.stdout.split()) - sys.stdlib_module_names
    assert modules == {"claimlog", "__main__"}


def test_a_game_of_three_ends_early_with_any_result_of_three_sides() -> None:
    deck = deck_letters(next(iter(all_decks(3))))
    for result in [one for one in RESULTS if one.count("-") == 2 and one != "0-0-0"]:
        made, device = table(deck=deck, players=["Anna", "Ben", "Cleo"])
        device("finish", result=result, termination="adjudication")
        view = made.view()
        assert (view["result"], view["doubt"]) == (result, None)
        made, device = table(deck=deck, players=["Anna", "Ben", "Cleo"])
        device("finish", result="0-1/2-1/2", termination="resignation")
        assert made.view()["verdict"] == ["Ben and Cleo share the win: Anna resigned."]


def test_sentences_keep_a_name_from_right_to_left_in_its_place() -> None:
    name = "דוד לוי"
    made, _ = table("U7", "G5", "G8", players=["Ben", name])
    apart = f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"
    view = made.view(words("en"))
    assert any(apart in sentence for sentence in view["last"]["why"])
    assert view["players"] == ["Ben", name]
    made, device = table("U7", "G5", players=["Ben", name])
    device("enter", word="G5")
    doubt = made.view(words("en"))["doubt"]
    assert doubt is not None
    assert name not in doubt["sentence"].replace(apart, "")


def test_the_phone_agrees_about_what_leaves_a_confirmed_game_as_it_is() -> None:
    """Without a connection it decides by itself what "undo" takes back."""
    script = (ROOT / "claimlog/web/static/session.js").read_text(encoding="utf-8")

    def listed(name: str) -> list[str]:
        found = re.search(rf"^const {name} = new Set\((\[.*\])\);$", script, re.MULTILINE)
        assert found
        return json.loads(found[1])  # type: ignore[no-any-return]

    assert sorted(listed("WRITTEN_BY")) == sorted(NOT_OF_THE_GAME)
    assert set(listed("REMARKS")) <= {*KINDS}
