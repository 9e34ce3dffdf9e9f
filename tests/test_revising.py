"""Changes of earlier tricks: the effect on all that follows, previewed, as one undo step."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimlog import dumps, loads
from claimlog.language import words
from claimlog.notation.marks import FOR_THE_DIRECTOR
from claimlog.recording import Doubt, EntryError, Recording, Table
from claimlog.recording.revising import EDITS
from claimlog.replay.narration import plain
from claimlog.rules.setup import RULINGS
from claimlog.state import State
from claimlog.web import engine

WORDS = ("U7", "G5", "G8", "/W2", "X3", "K4", "K2", "U1", "W5", "W9")


def begun(*words: str, deck: str = "GKUWX", seats: int = 2, **more) -> Recording:
    recording = Recording(State(deck, seats=seats, **more))
    for word in words or WORDS:
        recording.enter(word)
    return recording


def moves(recording: Recording) -> list[str]:
    return recording.text.split("\n\n", 1)[1].splitlines()


def test_a_card_is_another_and_what_follows_goes_to_others() -> None:
    recording = begun()
    assert moves(recording)[:3] == ["1. U7: G5 G8+ /W2", "2. X3: K4+ K2", "3. U1: W5 W9+"]
    before = recording.text
    revision = recording.revise([{"do": "card", "trick": 1, "was": "G8", "card": "G3"}])
    assert revision.numbers == [1, 2, 3]
    assert moves(recording)[:3] == ["1. U7: G5+ G3 /W2", "2. X3: K4+ K2", "3. U1: W5 W9+"]
    assert [play.seat for play in recording.game.tricks[1].plays] == [1, 2]
    recording.undo()
    assert recording.text == before
    recording.redo()
    assert moves(recording)[0] == "1. U7: G5+ G3 /W2"


def test_the_order_is_turned_and_two_plays_are_swapped() -> None:
    recording = begun()
    recording.revise([{"do": "turn", "trick": 2}])
    assert moves(recording)[1] == "2. X3: K2 K4+"
    recording.revise([{"do": "swap", "trick": 2, "place": 1, "other": 2}])
    assert moves(recording)[1] == "2. X3: K4+ K2"
    four = begun("U1,U2", "G1", "G2", "G3", "G9", "=U2", deck="GKADFUX", seats=4)
    four.revise([{"do": "turn", "trick": 1}])
    assert moves(four)[0] == "1. U1,U2: G9+ G1 G2 G3 =U2"
    four.revise([{"do": "swap", "trick": 1, "place": 2, "other": 4}])
    assert moves(four)[0] == "1. U1,U2: G9+ G3 G2 G1 =U2"


def test_the_upcards_went_the_other_way() -> None:
    recording = begun("U1,U2", "G1", "G2", "G9", "=U2", "K5,A3", "G4", deck="GKADFUX", seats=3)
    taken = recording.game.tricks[0].taken
    assert recording.revise([{"do": "pick", "trick": 1}]).rest == []
    assert moves(recording)[0] == "1. U1,U2: G1 G2 G9+ =U1"
    assert recording.game.tricks[0].taken == {3: "U1", 2: "U2", 1: None} != taken
    recording.undo()
    assert moves(recording)[0] == "1. U1,U2: G1 G2 G9+ =U2"
    for trick in (2, 3):  # Nobody has picked yet, or ever.
        with pytest.raises(KeyError):
            recording.revise([{"do": "pick", "trick": trick}])
    with pytest.raises(KeyError):
        begun().revise([{"do": "pick", "trick": 1}])


def test_a_seer_took_the_hidden_card_after_all_or_left_it() -> None:
    two = begun("G5", "S3", "S8", "A1", "G2", deck="GKADS")
    two.revise([{"do": "look", "trick": 1}])
    assert moves(two)[0] == "1. G5: S3 S8+ ~_"
    assert two.game.tricks[0].taken == {2: None, 1: "G5"}
    two.revise([{"do": "look", "trick": 1}])
    assert moves(two)[0] == "1. G5: S3 S8+"
    # With three the second picks then, and the hidden card that the third drew is nobody's.
    three = begun("U1,U2", "S1", "S2", "S9", "=U2", "/X3", "K5,A3", deck="GKADSUX", seats=3)
    assert three.revise([{"do": "look", "trick": 1}]).dropped == ["/X3"]
    assert moves(three)[0] == "1. U1,U2: S1 S2 S9+ ~_ =U2"
    assert three.game.tricks[0].taken == {3: None, 2: "U2", 1: "U1"}
    # Where no Seer won, there was no choice.
    assert begun().revise([{"do": "look", "trick": 1}]).dropped == ["~_"]


def test_who_led_trick_1_is_another() -> None:
    recording = begun()
    recording.revise([{"do": "leader", "seat": 2}])
    assert recording.setup.leader == 2
    assert [play.seat for play in recording.game.tricks[0].plays] == [2, 1]
    assert moves(recording)[:3] == ["1. U7: G5 G8+ /W2", "2. X3: K4+ K2", "3. U1: W5 W9+"]


def test_a_forgotten_trick_is_put_in_and_one_too_many_is_taken_out() -> None:
    recording = begun()
    recording.note("a note")
    before = recording.text
    recording.revise([{"do": "insert", "trick": 2, "words": ["x9", "u3", "u6", "/k3"]}])
    assert moves(recording)[:4] == [
        "1. U7: G5 G8+ /W2", "2. X9: U3 U6+ /K3", "3. X3: K4+ K2", "4. U1: W5 W9+ {a note}",
    ]  # fmt: skip
    recording.revise([{"do": "delete", "trick": 2}])
    assert recording.text == before
    recording.revise([{"do": "insert", "trick": 4, "words": ["x9", "u3"]}])
    assert moves(recording)[3] == "4. X9: U3"


def test_what_only_a_revoke_explains_is_marked_if_that_is_said() -> None:
    recording = begun()
    edits = [{"do": "card", "trick": 2, "was": "K2", "card": "W3"}]
    recording.enter("X5")
    recording.enter("K7")
    recording.enter("K8")  # by seat 1, who then did not follow Knights in trick 2
    before = recording.text
    seen = recording.revision(edits)
    assert [(doubt.code, doubt.seat, doubt.trick) for doubt in seen.marked] == [("void", 1, 2)]
    with pytest.raises(Doubt) as doubt:
        recording.revise(edits)
    assert doubt.value.code == "void"
    assert recording.text == before
    recording.revise(edits, anyway=True)
    assert moves(recording)[1] == "2. X3: K4+ W3^"


def test_where_it_cannot_go_on_it_may_be_cut_and_the_rest_is_done_again() -> None:
    recording = begun()
    edits = [{"do": "card", "trick": 1, "was": "G8", "card": "U1"}]
    before = recording.text
    with pytest.raises(Doubt) as doubt:
        recording.revise(edits)
    assert (doubt.value.code, doubt.value.trick) == ("then", 3)
    assert recording.text == before
    revision = recording.revise(edits, cut=True)
    assert revision.rest == ["U1", "W5", "W9"]
    assert moves(recording) == ["1. U7: G5+ U1 /W2", "2. X3: K4+ K2", "*"]
    assert recording.undone() == ["U1", "W5", "W9"]
    with pytest.raises(Doubt):
        recording.redo()
    recording.enter("U2")
    assert recording.take_aside() == "U1"
    while recording.can_redo:
        recording.redo()
    assert moves(recording)[1:3] == ["2. X3: K4+ K2", "3. U2: W5 W9+"]


def test_what_was_noted_goes_with_the_cards_and_what_is_not_due_is_left_out() -> None:
    recording = begun("G5", "S8", "G1", "~K2", "A1", "G2", deck="GKASX")
    recording.undo()
    recording.undo()
    recording.note("slowly")
    recording.enter("A1")
    recording.enter("G2!")
    revision = recording.revise([{"do": "card", "trick": 1, "was": "S8", "card": "G8"}])
    assert revision.dropped == ["~K2"]
    assert moves(recording)[:2] == ["1. {slowly} G5: G8+ G1", "2. A1: G2!"]


def test_an_end_that_was_noted_stays() -> None:
    recording = begun()
    recording.finish("1-0", "resignation")
    recording.revise([{"do": "turn", "trick": 2}])
    assert recording.over
    assert '[Termination "resignation"]' in recording.text
    assert recording.text.endswith("1-0\n")
    recording.undo()
    recording.undo()
    assert not recording.over


@pytest.mark.parametrize(
    "edit",
    [
        {"do": "card", "trick": 1, "was": "G7", "card": "G3"},
        {"do": "card", "trick": 9, "was": "G5", "card": "G3"},
        {"do": "swap", "trick": 1, "place": 1, "other": 3},
        {"do": "insert", "trick": 5, "words": ["G1"]},
        {"do": "delete", "trick": 4},
        {"do": "leader", "seat": 3},
    ],
)
def test_a_place_that_is_none_is_said(edit) -> None:
    recording = begun()
    before = recording.text
    with pytest.raises(KeyError):
        recording.revise([edit])
    assert recording.text == before


# At a table ------------------------------------------------------------------------------------


def table(*words: str, deck: str = "GKUWX", players: tuple[str, ...] = ("Anna", "Ben")) -> Table:
    made = Table({"deck": deck, "players": list(players)})
    for number, word in enumerate(words or WORDS):
        made.add({"id": f"w{number}", "kind": "enter", "word": word})
    return made


def lines(made: Table) -> list[str]:
    return made.record.split("\n\n", 1)[1].splitlines()


def test_an_entry_revises_and_is_undone_as_one() -> None:
    made = table()
    before = made.record
    edits = [
        {"do": "card", "trick": 1, "was": "G8", "card": "G3"},
        {"do": "insert", "trick": 2, "words": ["X9", "U3", "U6"]},
        {"do": "turn", "trick": 3},
    ]
    assert made.add({"id": "r", "kind": "revise", "edits": edits})["doubtful"] is False
    assert lines(made)[:3] == ["1. U7: G5+ G3 /W2", "2. X9: U3 U6+", "3. X3: K2 K4+"]
    made.add({"id": "z", "kind": "undo"})
    assert made.record == before
    made.add({"id": "y", "kind": "redo"})
    assert lines(made)[3] == "4. U1: W5 W9+"


def test_a_revision_is_seen_before_it_is_taken() -> None:
    made = table()
    asked = {
        "setup": {"deck": "GKUWX", "players": ["Anna", "Ben"]},
        "entries": made.entries,
        "language": "en",
        "edits": [{"do": "card", "trick": 1, "was": "G8", "card": "U1"}],
    }
    seen = json.loads(engine.revision(json.dumps(asked)))
    assert (seen["stopped"], seen["rest"], seen["marked"]) == (3, ["U1", "W5", "W9"], 0)
    assert [doubt["sentence"] for doubt in seen["doubts"]] == ["U1 is already out: trick 1, Ben."]
    assert [(trick["number"], trick["winner"], trick["changed"]) for trick in seen["tricks"]] == [
        (1, 1, True), (2, 1, True),
    ]  # fmt: skip
    asked["edits"] = [{"do": "insert", "trick": 2, "words": ["X9", "U6", "U3"]}]
    seen = json.loads(engine.revision(json.dumps(asked)))
    assert [(trick["before"], trick["changed"]) for trick in seen["tricks"]] == [
        (1, False), (0, True), (2, False), (3, False),
    ]  # fmt: skip
    assert (seen["stopped"], seen["doubts"], seen["rest"]) == (None, [], [])
    assert seen["deleted"] == []
    asked["edits"] = [{"do": "delete", "trick": 3}]
    seen = json.loads(engine.revision(json.dumps(asked)))
    assert (seen["deleted"], [trick["changed"] for trick in seen["tricks"]]) == (
        [3],
        [False, False],
    )
    asked["edits"] = [{"do": "delete", "trick": 7}]
    assert json.loads(engine.revision(json.dumps(asked)))["wrong"] == (
        "There is nothing to change there."
    )


def test_a_revision_that_cannot_be_waits_as_a_doubt() -> None:
    made = table()
    before = made.record
    edits = [{"do": "card", "trick": 1, "was": "G8", "card": "U1"}]
    assert made.add({"id": "r", "kind": "revise", "edits": edits})["doubtful"]
    assert made.view()["doubt"]["sentence"] == "Then trick 3 could not have gone as it did."
    made.add({"id": "d", "kind": "clear", "entry": "r", "drop": True})
    assert made.record == before
    made.add({"id": "s", "kind": "revise", "edits": edits, "cut": True})
    assert made.view()["undone"] == ["U1", "W5", "W9"]
    made.add({"id": "t", "kind": "redo"})
    assert made.view()["doubt"]["word"] == "U1"
    made.add({"id": "u", "kind": "clear", "entry": "t", "word": "U2"})
    for number in range(2):
        made.add({"id": f"v{number}", "kind": "redo"})
    assert lines(made)[2] == "3. U2: W5 W9+"
    assert not made.view()["can_redo"]


@pytest.mark.parametrize(
    "edits",
    [
        None, [], [{}], [{"do": "jump"}], [{"do": "turn"}], [{"do": "turn", "trick": 27}],
        [{"do": "turn", "trick": 1, "seat": 1}], [{"do": "insert", "trick": 1, "words": [5]}],
        [{"do": "card", "trick": 1, "was": "5", "card": "G5"}], [{"do": "turn", "trick": 1}] * 31,
    ],
)  # fmt: skip
def test_what_are_no_edits_is_refused(edits: object) -> None:
    made = table()
    with pytest.raises(EntryError, match="edits must be a list of 1 to 30 edits"):
        made.add({"id": "r", "kind": "revise", "edits": edits})
    assert made.number == len(WORDS)


# Left to the director --------------------------------------------------------------------------


def test_a_revoke_is_left_to_the_director_and_settled() -> None:
    made = table("U7", "G5", "W8", "X3", "U4", "G9")  # Ben did not follow Goblins in trick 1
    made.add({"id": "l", "kind": "clear", "entry": "w5", "anyway": True, "later": True})
    view = made.view()
    assert view["doubt"] is None
    assert view["asked"] == [{"trick": 1, "seat": 2, "card": "W8"}]
    assert lines(made)[0] == "1. U7: G5+ W8^ {[%director]}"
    assert FOR_THE_DIRECTOR not in json.dumps(made.seen())
    assert made.seen()["problems"] == []

    def remarks(language: str = "en") -> list[str]:
        return [plain(one["message"]) for one in made.view(words(language))["problems"]]

    proof = "seat 2 (Ben) did not follow Goblins; it still held G9, played in trick 2; marked ^"
    assert remarks() == [f"trick 1: {proof}, and left to the director"]
    german = "mit ^ bezeichnet und der Turnierleitung überlassen"
    assert [one[-len(german) :] for one in remarks("de")] == [german]
    assert "Sitz 2 (Ben) hat Kobolde nicht bedient" in remarks("de")[0]
    edits = [{"do": "settle", "trick": 1, "place": 2}]
    made.add({"id": "s", "kind": "revise", "edits": edits})
    assert made.view()["asked"] == []
    assert remarks() == [f"trick 1: {proof}, the director let it stand"]
    assert lines(made)[0] == "1. U7: G5+ W8^"


def test_what_cannot_be_explained_waits_for_the_director_and_nobody_is_asked() -> None:
    made = table("U7", "G5", "G8", "X3", "G8")
    made.add({"id": "l", "kind": "clear", "entry": "w4", "later": True})
    made.add({"id": "m", "kind": "enter", "word": "K2"})
    view = made.view()
    assert (view["doubt"]["later"], view["waiting"]) == (True, 1)
    made.add({"id": "n", "kind": "clear", "entry": "w4", "word": "K5"})
    assert made.view()["doubt"] is None
    assert lines(made)[1] == "2. X3: K5+ K2"


# Whatever comes --------------------------------------------------------------------------------


@given(st.integers(0, 2**32), st.sampled_from([2, 2, 3, 4]))
def test_whatever_is_edited_the_record_is_legal_and_undo_brings_it_back(seed, seats) -> None:
    chance = Random(seed)
    deck = {2: "GKSAX", 3: "GKSAXUR", 4: "GKSAXUR"}[seats]
    rulings = {key: chance.choice(ruling.values) for key, ruling in RULINGS.items()}
    game = State.dealt(deck, seats=seats, seed=seed, rulings=rulings, loot="R2 R5")
    recording = Recording(State(deck, seats=seats, rulings=rulings, loot="R2 R5"))
    for _ in range(chance.randrange(10, 70)):
        kind = game.to_act.kind
        if kind == "over":
            break
        if kind in ("turn-up", "draw"):
            action = game.turn_up() if kind == "turn-up" else game.draw()
        else:
            action = game.apply(chance.choice(game.choices()))
        mark = {"draw": "/", "look": "~"}.get(kind, "")
        recording.enter(f"{mark}{action.card or '-'}")
    before = recording.text
    same = recording.revise([{"do": "swap", "trick": 1, "place": 1, "other": 1}])
    assert (recording.text, same.marked, same.doubt, same.dropped) == (before, [], None, [])
    number = len(recording.game.tricks)
    edits = [any_edit(chance, number, seats, deck) for _ in range(chance.randint(1, 3))]
    start = recording.text
    try:
        recording.revise(edits, anyway=True, cut=True)
    except KeyError:
        assert recording.text == start
        return
    (made,) = loads(recording.text)
    assert recording.due.kind == "loot" or made.errors == []
    assert dumps(made) == recording.text
    while recording.can_redo:
        try:
            recording.redo()
        except Doubt:
            recording.take_aside()
    while recording.text != start and recording.can_undo:
        recording.undo()
    assert recording.text == start


def any_edit(chance: Random, tricks: int, seats: int, deck: str) -> dict[str, object]:
    """An edit that may be possible."""
    values: dict[str, object] = {
        "trick": chance.randint(1, tricks),
        "seat": chance.randint(1, seats),
        "place": chance.randint(1, seats),
        "other": chance.randint(1, seats),
        "was": f"{chance.choice(deck)}{chance.randint(0, 9)}",
        "card": f"{chance.choice(deck)}{chance.randint(0, 9)}",
        "words": [f"{chance.choice(deck)}{chance.randint(0, 9)}" for _ in range(seats + 1)],
    }
    what = chance.choice(list(EDITS))
    return {"do": what} | {name: values[name] for name in EDITS[what][0]}
