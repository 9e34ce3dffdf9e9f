"""A recording: entries, questions, and that the file always holds the game."""

from __future__ import annotations

import os
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimlog import dumps, loads
from claimlog.cards import CARD_NAMES, all_decks, deck_letters
from claimlog.language import words
from claimlog.recording import Doubt, Journal, JournalError, Recording
from claimlog.recording.views import shown
from claimlog.rules.setup import RULINGS
from claimlog.state import State

SAY = words()


def begun(*entries: str, deck: str = "GKUWX", **options) -> Recording:
    """A recording with some entries."""
    recording = Recording(State(deck, players=["Anna", "Ben"], **options))
    for entry in entries:
        recording.enter(entry)
    return recording


def moves(recording: Recording) -> list[str]:
    return recording.text.split("\n\n", 1)[1].splitlines()


def doubted(recording: Recording, word: str, **how) -> Doubt:
    """The doubt that an entry raises, without changing anything."""
    before = recording.text, recording.due, recording.can_redo
    with pytest.raises(Doubt) as raised:
        recording.enter(word, **how)
    assert (recording.text, recording.due, recording.can_redo) == before
    return raised.value


def test_a_trick_tells_at_once_who_won_and_why() -> None:
    recording = begun("U7", "G5")
    assert recording.why(SAY) == []
    entered = recording.enter("G8")
    assert entered.closed is not None
    assert entered.closed.winner == 2
    assert [action.card for action in entered.actions] == ["G8"]
    assert recording.why(SAY)[0].startswith("Ben wins with G8")
    assert recording.why(SAY)[-1] == "Ben won and leads trick 2."
    assert recording.why(words("de"))[0].startswith("Ben gewinnt mit G8")
    assert recording.due == ("draw", 1)
    assert recording.enter("X3").closed is None
    assert recording.due == ("play", 2)


def test_draws_are_told_passed_over_or_filled_in_later() -> None:
    recording = begun("U7", "G5", "G8", "/w2", "X3", "K4", "G9", "U1", "G1")
    assert moves(recording) == ["1. U7: G5 G8+ /W2", "2. X3: K4+ G9", "3. U1: G1", "*"]
    recording.fill(2, 1, "W5")
    assert moves(recording)[1] == "2. X3: K4+ G9 /W5"
    recording.fill(2, 1, "_")
    assert moves(recording)[1] == "2. X3: K4+ G9 /_"
    for _ in range(2):
        recording.undo()
    assert moves(recording)[1] == "2. X3: K4+ G9"
    with pytest.raises(KeyError):
        recording.fill(2, 2, "W5")
    with pytest.raises(Doubt) as out:
        recording.fill(2, 1, "U7")
    assert out.value.code == "out" or out.value.code == "then"


def test_a_draw_that_is_due_is_filled_in_too() -> None:
    recording = begun("U7", "G5", "G8")
    recording.fill(1, 1, "W2")
    assert moves(recording) == ["1. U7: G5 G8+ /W2", "*"]
    recording.undo()
    assert recording.due == ("draw", 1)


def test_a_seer_may_be_told_or_passed_over() -> None:
    taken = begun("G5", "S8", "G1", deck="GKASX")
    assert taken.due == ("look", 1)
    taken.enter("~K2")
    assert moves(taken)[0] == "1. G5: S8+ G1 ~K2"
    left = begun("G5", "S8", "G1", "A1", "G2", deck="GKASX")
    assert moves(left) == ["1. G5: S8+ G1", "2. A1: G2", "*"]
    said = begun("G5", "S8", "G1", "~-", deck="GKASX")
    assert said.due == ("draw", 2)
    # A Seer's card that was left has no mark, so opening the record again asks again.
    assert Recording.resume(said.text).due == ("look", 1)
    assert Recording.resume(said.text).text == said.text


def test_automatons_discards_are_seen_or_not() -> None:
    recording = begun("G5", "A8", "A2", "K2", deck="GKASX")
    assert recording.due == ("discard", 1)
    recording.enter("_")
    recording.enter("-G3")
    assert moves(recording)[1] == "2. K2: -_ -G3"


def test_four_players_pick_and_draw() -> None:
    recording = Recording(State("GKADFUX", seats=4))
    for word in ("U1,U2:", "G1", "G2", "G3", "G9"):
        recording.enter(word)
    for word in ("U3", "D1", "/K2", "~_", "_"):
        doubt = doubted(recording, word)
        assert (doubt.code, doubt.seat) == ("hand" if word == "_" else "pick", 4)
        if word != "_":
            assert doubt.sentence(SAY, "Seat {}".format) == ("First: which upcard did Seat 4 take?")
    recording.enter("=u2")
    recording.enter("/K2")
    recording.enter("D1")
    assert moves(recording)[:2] == ["1. U1,U2: G1 G2 G3 G9+ =U2 /K2,_", "2. D1:"]
    recording.enter("D2")
    assert recording.due == ("play", 4)


@pytest.mark.parametrize(
    ("word", "code", "message"),
    [
        ("Q5", "card", "There is no card Q5."),
        ("M5", "deck", "Kings are not in this deck."),
        ("U7", "out", "U7 is already out: trick 1, Ben."),
        ("X3", "out", "X3 is already out: upcard of trick 2."),
        ("", "word", "'' is not an entry"),
        ("G5 G6", "word", "'G5 G6' is not an entry"),
        ("=G5", "word", "'=G5' is not expected now"),
        ("~W2", "word", "'~W2' is not expected now"),
        ("/W2", "word", "'/W2' is not expected now"),
        ("G5!!!", "word", "'G5!!!' is not an entry"),
        ("K4,K5", "word", "'K4,K5' is more than one card"),
        ("_", "hand", "_ cannot be there: its place is known, or the cards of"),
    ],
)
def test_what_cannot_be_is_asked(word: str, code: str, message: str) -> None:
    doubt = doubted(begun("W7", "G5", "U7", "X3"), word)
    assert doubt.code == code
    names = {1: "Anna", 2: "Ben"}
    sentence = doubt.sentence(SAY, names.__getitem__)
    assert (str(doubt) if code == "word" else sentence).startswith(message)
    assert doubt.sentence(words("de"), names.__getitem__) != sentence
    if code != "out":
        assert doubt.remedies == ()
        assert doubted(begun("W7", "G5", "U7", "X3"), word, anyway=True).code == code


def test_a_revoke_that_a_known_hand_shows() -> None:
    recording = begun("U7", "G5", hands={2: "G9 U1 " + "_ " * 11})
    doubt = doubted(recording, "U1")
    assert (doubt.code, doubt.remedies) == ("follow", ("anyway",))
    recording.enter("U1", anyway=True)
    assert moves(recording)[0] == "1. U7: G5+ U1^"
    recording.undo()
    recording.enter("U1^?")
    assert moves(recording)[0] == "1. U7: G5+ U1^?"


def revoked() -> Recording:
    return begun("U7", "G5", "W8", "X3", "U4")


def test_a_revoke_that_a_later_play_proves_stands_where_it_was() -> None:
    recording = revoked()
    doubt = doubted(recording, "G9")
    assert (doubt.code, doubt.trick, doubt.seat, doubt.was) == ("void", 1, 2, "W8")
    assert doubt.sentence(SAY, lambda seat: "Ben") == (
        "Ben did not follow Goblins in trick 1 (with W8), so G9 cannot be in that hand."
    )
    recording.enter("G9", anyway=True)
    assert moves(recording)[:2] == ["1. U7: G5+ W8^", "2. X3: U4+ G9"]
    (problem,) = recording.problems()
    assert (problem.code, problem.trick) == ("irregular", 1)
    recording.undo()
    assert moves(recording)[:2] == ["1. U7: G5+ W8", "2. X3: U4"]


def test_or_the_earlier_card_was_mistyped() -> None:
    recording = revoked()
    recording.enter("G9", earlier="G2")
    assert moves(recording)[:2] == ["1. U7: G5+ G2", "2. X3: U4+ G9"]
    recording = revoked()
    doubt = doubted(recording, "U7")
    assert (doubt.trick, doubt.seat, doubt.was, doubt.remedies) == (1, None, "U7", ("earlier",))
    recording.enter("U7", earlier="U9")
    assert moves(recording)[:2] == ["1. U9: G5+ W8", "2. X3: U4 U7+"]
    assert doubted(revoked(), "G9", earlier="U4").code == "then"


def test_a_draw_that_was_seen_wrongly_becomes_unknown_again() -> None:
    recording = begun("U7", "G5", "G8", "/W2", "X3")
    doubt = doubted(recording, "W2")
    assert (doubt.code, doubt.trick, doubt.seat) == ("out", 1, 1)
    recording.enter("W2", earlier="_")
    assert moves(recording)[:2] == ["1. U7: G5 G8+ /_", "2. X3: W2"]


def test_any_card_can_be_mended_where_it_stands() -> None:
    recording = begun("U7", "G5", "G8", "X3", "K4")
    recording.mend(1, "U7", "U8")
    recording.mend(1, "G5", "G6")
    assert moves(recording)[:2] == ["1. U8: G6 G8+", "2. X3: K4"]
    with pytest.raises(Doubt) as then:
        recording.mend(1, "G8", "K4")
    assert (then.value.code, then.value.trick) == ("then", 2)
    with pytest.raises(KeyError, match="no G9 in trick 1"):
        recording.mend(1, "G9", "K5")
    recording.let_stand(1, 2)
    assert moves(recording)[0] == "1. U8: G6 G8+^"


def test_undo_and_redo_go_through_every_kind_of_change() -> None:
    recording = begun()
    texts = [recording.text]
    changes = [
        lambda: recording.note("before the game"),
        lambda: recording.tag("Event", "Open"),
        lambda: recording.enter("U7"),
        lambda: recording.note("an upcard"),
        lambda: recording.enter("G5"),
        lambda: recording.annotate("!"),
        lambda: recording.stamp("0:04:30"),
        lambda: recording.enter("G8"),
        lambda: recording.note("a trick"),
        lambda: recording.pause("0:05:00"),
        lambda: recording.enter("X3"),
        lambda: recording.mend(1, "G8", "G9"),
        lambda: recording.fill(1, 1, "W2"),
        lambda: recording.tag("Leader", "2"),
        lambda: recording.enter("K4"),
        lambda: recording.finish("1-0", "resignation"),
    ]
    for change in changes:
        change()
        assert recording.text != texts[-1]
        texts.append(recording.text)
    assert recording.over
    assert doubted(recording, "K5").code == "word"
    for text in reversed(texts[:-1]):
        recording.undo()
        assert recording.text == text
    assert not recording.can_undo
    with pytest.raises(IndexError):
        recording.undo()
    for text in texts[1:]:
        recording.redo()
        assert recording.text == text
    with pytest.raises(IndexError):
        recording.redo()
    (game,) = loads(recording.text)
    assert game.tricks[0].plays[0].comments == ["[%clk 0:04:30]"]
    assert "an upcard" in game.tricks[0].comments
    assert (game.leader, game.tags["Termination"], game.result) == (2, "resignation", "1-0")


def test_a_name_keeps_its_question_mark() -> None:
    """Only `?` alone is an unknown name."""
    recording = Recording(State("GKUWX", players=["Who?", "?"]))
    assert [recording.name(seat, SAY) for seat in (1, 2)] == ["Who?", "Seat 2"]
    assert shown(recording, SAY, [])["agreed"]["players"] == ["Who?", ""]


def test_what_is_agreed_can_be_corrected() -> None:
    recording = begun("U7", "G5", "G8")
    recording.tag("Deck", "GKTUX")
    assert '[Deck "GKTUX"]' in recording.text
    for name, value in (
        ("Deck", "GKSTX"),
        ("Deck", "GK"),
        ("Leader", "3"),
        ("Date", "yesterday"),
        ("Result", "1-0"),
        ("Bad name", "x"),
    ):
        before = recording.text
        with pytest.raises(Doubt) as refused:
            recording.tag(name, value)
        assert refused.value.code == ("follows" if name == "Result" else "record")
        assert recording.text == before
    recording.tag("Player1", 'Ann "A" \\ Lee')
    assert recording.name(1, SAY) == 'Ann "A" \\ Lee'
    recording.tag("Player1", "?")
    assert recording.name(1, SAY) == "Seat 1"


def test_a_result_that_no_game_has_is_refused() -> None:
    recording = begun("U7")
    for result, termination in (("2-0", "resignation"), ("1-0-0", "time"), ("1-0", "tired")):
        with pytest.raises(Doubt):
            recording.finish(result, termination)
    assert not recording.over
    with pytest.raises(ValueError, match="some text"):
        recording.note("  ")


def test_the_end_of_a_game_is_noted_and_taken_back_with_it() -> None:
    times = iter(["2026-11-23T20:00:00+01:00", "2026-11-23T20:05:00+01:00"])
    recording = Recording(State("GKUWX"), clock=times.__next__)
    recording.enter("U7")
    assert "End" not in recording.text
    recording.finish("1-0", "resignation")
    ended = recording.text
    assert '[End "2026-11-23T20:00:00+01:00"]' in ended
    recording.undo()
    assert "End" not in recording.text
    recording.redo()
    assert recording.text == ended


def test_what_was_undone_is_told_as_entries() -> None:
    recording = begun("U7", "G5", "G8", "/W2", "X3", "K4")
    assert recording.undone() == []
    recording.note("so")
    for _ in range(5):
        recording.undo()
    assert recording.undone() == ["G8", "/W2", "X3", "K4"]
    recording.enter("G9")
    assert recording.undone() == ["G8", "/W2", "X3", "K4"]
    recording.enter("/W2")
    assert recording.undone() == ["X3", "K4"]
    looked = begun("G5", "S8", "G1", "~K2", deck="GKASX")
    looked.undo()
    assert looked.undone() == ["~K2"]


def test_a_game_that_ended_can_be_gone_on_with_after_undo() -> None:
    recording = begun("U7", "G5")
    recording.finish("0-1", "adjudication")
    again = Recording.resume(recording.text)
    assert again.over
    again.undo()
    assert not again.over
    assert again.text == begun("U7", "G5").text


# The file --------------------------------------------------------------------------------------


def test_every_entry_is_in_the_file_and_opening_it_resumes(tmp_path) -> None:
    path = tmp_path / "game.clm"
    with Journal(path) as journal:
        assert journal.text is None
        recording = Recording(State("GKUWX"), journal.write)
        for word in ("U7", "G5", "G8", "/W2", "X3"):
            recording.enter(word)
            assert path.read_text() == recording.text
        recording.undo()
        assert path.read_text() == recording.text
        recording.redo()
    with Journal(path) as journal:
        again = Recording.resume(journal.text, journal.write)
        assert (again.text, again.due) == (recording.text, ("play", 2))
        again.undo()
        assert moves(again) == ["1. U7: G5 G8+ /W2", "*"]
        while again.can_undo:
            again.undo()
        assert moves(again) == ["*"]
        # Nothing that was taken back counts as known.
        for word in ("U7", "G5", "W8"):
            again.enter(word)
    assert sorted(os.listdir(tmp_path)) == [".game.clm.lock", "game.clm"]


def test_a_record_typed_by_hand_is_gone_on_with(tmp_path) -> None:
    path = tmp_path / "typed.clm"
    path.write_text('﻿[Deck "xwukg"]\r\n[Club "Bern"]\r\n; typed\r\nu7:g5 g8/w2\r\nx3: k4 {so} ')
    with Journal(path) as journal:
        recording = Recording.resume(journal.text, journal.write)
        assert path.read_bytes().startswith(b"\xef\xbb\xbf")
        recording.enter("k9")
    assert path.read_text() == (
        '[Deck "GKUWX"]\n[Club "Bern"]\n[Result "*"]\n\n'
        "{typed}\n1. U7: G5 G8+ /W2\n2. X3: K4 {so} K9+\n*\n"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "one game, not 0"),
        ('[Deck "GKUWX"]\n*\n\n[Deck "GKUWX"]\n*\n', "one game, not 2"),
        ('[Deck "GKUWX"]\n\n1. U7: U7', "3:8: card-count: "),
        ('[Deck "GKUWX"]\n\n1. U7: G5 K8 2. X3: G9 G8', "3:11: revoke: "),
        ('[Termination "unrecorded"]\n[Player1 "A"]\n[Player2 "B"]\n\n1-0', "needs a Deck tag"),
    ],
)
def test_what_is_no_recording_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Recording.resume(text)


def test_only_one_process_records_a_file(tmp_path) -> None:
    path = tmp_path / "game.clm"
    with Journal(path), pytest.raises(JournalError, match="another process is recording"):
        Journal(path)
    Journal(path).close()


def test_somebody_elses_change_is_not_overwritten(tmp_path) -> None:
    path = tmp_path / "game.clm"
    with Journal(path) as journal:
        recording = Recording(State("GKUWX"), journal.write)
        path.write_text("mine")
        before = recording.text
        with pytest.raises(JournalError, match="another program has changed"):
            recording.enter("U7")
        assert recording.text == before
        assert path.read_text() == "mine"


def test_what_cannot_be_written_was_not_entered(tmp_path) -> None:
    with pytest.raises(JournalError, match="there is no folder"):
        Journal(tmp_path / "none" / "game.clm")
    path = tmp_path / "latin.clm"
    path.write_bytes(b'[Player1 "\xe4"]')
    with pytest.raises(JournalError, match="is not UTF-8"):
        Journal(path)

    def full(text: str) -> None:
        if "G5" in text:
            raise JournalError("no space left")

    recording = Recording(State("GKUWX"), full)
    recording.enter("U7")
    with pytest.raises(JournalError):
        recording.enter("G5")
    assert (recording.due, moves(recording)) == (("play", 1), ["1. U7:", "*"])
    recording.enter("G6")


# Whatever comes --------------------------------------------------------------------------------

COMMENTS = st.text(st.characters(codec="utf-8"), max_size=12)


@st.composite
def scripts(draw):
    """A table, and possible actions there: usually legal, now and then not."""
    seats = draw(st.sampled_from([2, 2, 3, 4]))
    classic = draw(st.booleans())
    state = State(
        deck_letters(draw(st.sampled_from(all_decks(seats, classic=classic)))),
        seats=seats,
        rules="Classic" if classic else "LE2023",
        rulings={key: draw(st.sampled_from(ruling.values)) for key, ruling in RULINGS.items()},
        leader=draw(st.integers(1, seats)),
        loot="R2 R5 R8 R11 R13",
    )
    steps = draw(st.one_of(st.integers(0, 140), st.just(300)))
    return state, draw(st.integers(0, 2**32)), steps, draw(COMMENTS)


def step(recording: Recording, rng: Random, comment: str) -> None:
    """Do an action; a refused one changes nothing."""
    chance = rng.random()
    tricks = recording.game.tricks
    trick = rng.choice(tricks) if tricks else None
    card = rng.choice(CARD_NAMES)
    seats = recording.state.seats
    if chance < 0.80:
        kind = recording.due.kind
        if rng.random() < 0.1:
            word = card
        elif kind == "draw" and rng.random() < 0.5:
            word = "/" + rng.choice([*recording.state.choices(), "_"])
        elif kind == "look" and rng.random() < 0.7:
            word = rng.choice(["~_", "~-", "~" + card])
        else:
            word = rng.choice(recording.possible() or ["_"])
            word += rng.choice(["^", "!"]) if kind == "play" and rng.random() < 0.05 else ""
        recording.enter(
            word,
            anyway=rng.random() < 0.3,
            earlier=rng.choice([None, None, None, rng.choice(CARD_NAMES)]),
        )
    elif chance < 0.84:
        recording.note(comment)
    elif chance < 0.88 and trick and trick.plays:
        recording.mend(trick.number, rng.choice(trick.plays).card or "_", card)
    elif chance < 0.91 and trick:
        recording.fill(trick.number, rng.randint(1, seats), rng.choice([card, "_"]))
    elif chance < 0.92 and trick:
        recording.let_stand(trick.number, rng.randint(1, seats))
    elif chance < 0.97:
        recording.undo()
    elif chance < 0.98:
        recording.tag(rng.choice(["Event", "Leader", "Deck", "Club"]), comment)
    else:
        recording.redo()


@given(scripts())
def test_the_file_is_always_the_game(script) -> None:
    """Whatever comes, it reads back; undoing everything and redoing it gives the same bytes."""
    state, seed, steps, comment = script
    kept: list[str] = []
    recording = Recording(state, kept.append)
    rng = Random(seed)
    for _ in range(steps):
        before = recording.text
        try:
            step(recording, rng, comment)
        except (ValueError, IndexError, KeyError):
            assert recording.text == before
    texts = [recording.text]
    for turn in range(2):
        assert recording.text == kept[-1] == texts[-1]
        if recording.due.kind != "loot":
            (game,) = loads(recording.text)
            assert game.errors == []
            assert game == recording.game
            assert dumps(game) == recording.text
        if turn == 0:
            again = Recording.resume(recording.text)
            due = again.due
            assert again.text == recording.text
            while again.can_undo:
                again.undo()
            while again.can_redo:
                again.redo()
            assert again.text == recording.text
        assert due == recording.due or due.kind == "look"
        if turn == 0:
            while recording.can_undo:
                recording.undo()
                texts.append(recording.text)
            assert recording.game.tricks == []
            for text in reversed(texts[:-1]):
                recording.redo()
                assert recording.text == text
            texts = texts[:1]


def test_what_would_be_wrong_with_the_record_is_told_in_german() -> None:
    recording = begun("U7", "G5", "G8")

    def refusal(change) -> str:
        with pytest.raises(Doubt) as refused:
            change()
        return refused.value.sentence(words("de"), str)

    assert refusal(lambda: recording.tag("Deck", "GKUWQ")) == (
        "So stimmt die Aufzeichnung nicht: das Deck GKUWQ: 'Q' ist keine Fraktion"
    )
    assert refusal(lambda: recording.tag("Date", "today")).startswith(
        "So stimmt die Aufzeichnung nicht: Date ist nicht lesbar: 'today'; ein Datum"
    )
    assert refusal(lambda: recording.tag("Result", "1-0")) == (
        "Result ergibt sich aus der Partie oder daraus, wie sie beendet wurde."
    )
    assert "Termination ist nicht lesbar" in refusal(lambda: recording.finish("1-0", "luck"))


def test_what_is_entered_again_after_an_undo_keeps_the_redo_of_the_rest() -> None:
    recording = begun("U7", "G5", "G8", "X3", "K4")
    whole = recording.text
    for _ in range(4):
        recording.undo()
    recording.enter("g5")
    recording.redo()
    recording.enter("X3")
    assert recording.can_redo
    recording.redo()
    assert recording.text == whole
    assert not recording.can_redo
    for _ in range(5):
        recording.undo()
    recording.enter("U8")
    assert recording.undone() == ["U7", "G5", "G8", "X3", "K4"]
    recording.enter("G5")
    recording.redo()
    assert moves(recording)[0] == "1. U8: G5 G8+"


def test_a_card_before_the_pick_asks_for_the_pick() -> None:
    recording = Recording(State("NISTABF", players=["Anna", "Ben", "Clara", "Dan"]))
    for word in ("S6", "A0", "T1", "T7", "T3", "T2"):
        recording.enter(word)
    with pytest.raises(Doubt) as doubt:
        recording.enter("B4")
    assert (doubt.value.code, doubt.value.seat) == ("pick", 2)
    assert doubt.value.sentence(words("en"), lambda seat: f"seat {seat}") == (
        "First: which upcard did seat 2 take?"
    )
