"""Recording on the screen: keys are pressed, and the screen is read."""

from __future__ import annotations

import os
import statistics
from random import Random

import pytest
from replaying import DATA, GOLDEN
from textual.events import Key
from waiting import run_alone, settled

from claimlog import loads, read_games
from claimlog.cards import CARD_NAMES
from claimlog.cli.record.screen import recorder
from claimlog.cli.record.typed import is_card, typed, word_of
from claimlog.language import words
from claimlog.recording import Journal, Recording
from claimlog.state import State

KEYS = {
    "~": "tilde", "/": "slash", "_": "underscore", "-": "minus", ".": "full_stop", " ": "space",
    "+": "plus", "!": "exclamation_mark", "#": "number_sign", "?": "question_mark",
    "=": "equals_sign",
}  # fmt: skip


class Table:
    """A recording on a screen of 80 columns and 24 lines, in a language."""

    def __init__(self, pilot, app, recording):
        self.pilot, self.app, self.recording = pilot, app, recording
        self.pressed = 0
        self.bells = 0
        app.bell = self.ring

    def ring(self) -> None:
        self.bells += 1

    async def press(self, *keys: str) -> None:
        """Press keys without pauses, and wait for the screen."""
        for key in keys:
            for one in [key] if len(key) > 1 and key in NAMED else key:
                name = KEYS.get(one, one)
                self.app.post_message(Key(name, one if len(one) == 1 else None))
                self.pressed += 1
        await settled(self.pilot)

    def text(self) -> str:
        """The text on the screen, without trailing blanks."""
        rows = self.app.screen._compositor.render_strips()
        return "\n".join("".join(part.text for part in row).rstrip() for row in rows)

    async def choose(self, answer: str) -> None:
        """Answer the question: go to the line that begins like this, and press Enter."""
        for _ in range(9):
            await self.press("down")
            if f"▸ {answer}" in self.text():
                await self.press("enter")
                return
        raise AssertionError(f"no answer {answer!r}:\n{self.text()}")


NAMED = {
    "enter",
    "escape",
    "backspace",
    "up",
    "down",
    "left",
    "right",
    "tab",
    "delete",
    "insert",
} | {f"ctrl+{c}" for c in "ynolezqdtpw"}


def recorded(steps, *, language="en", state=None, keep=None, size=(80, 24), recording=None, **more):
    """Run `steps` at a table, and return their result."""
    seconds = [0.0]
    recording = recording or Recording(
        state or State("GKUWX", players=["Anna Keller", "Ben Roth"], tags={"Event": "Open"}), keep
    )
    say = words(language)
    app = recorder(say)(recording, "game.clm", say, clock=lambda: seconds[0], **more)

    async def run():
        async with app.run_test(size=size) as pilot:
            table = Table(pilot, app, recording)
            table.seconds = seconds
            result = await steps(table)
            await settled(pilot)
            return result if result is not None else table.text()

    return run_alone(run())


def moves(recording: Recording) -> list[str]:
    return recording.text.split("\n\n", 1)[1].splitlines()


async def some_tricks(table: Table) -> None:
    """Two tricks, the second with a bare value; the third begins."""
    table.seconds[0] = 75.0
    await table.press("u7", "g5", "g8", "enter", "x3", "k4", "9", "/w5", "enter", "u1")


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_screen(language: str, request: pytest.FixtureRequest) -> None:
    """Golden screens: a trick won, a card in doubt, the next trick, the end of a game."""

    async def won(table: Table) -> str:
        await table.press("u7", "g5", "g8")
        first = table.text()
        await table.press("/w2", "enter", "x3", "w4", "u3", "g1", "k5", "w8")
        asked = table.text()
        await table.press("k5")
        await table.choose(words(language)("record.happened"))
        await table.press("escape")
        return f"{first}\n{'=' * 80}\n{asked}\n{'=' * 80}\n{table.text()}\n"

    shown = recorded(won, language=language)
    path = GOLDEN / "record" / f"{language}.txt"
    if os.environ.get("GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(shown)
    assert shown == path.read_text()
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_cards_are_whole_after_one_or_two_keys() -> None:
    for name in CARD_NAMES:
        line = word = ""
        for key in name.lower():
            assert not word
            line, word, again = typed(line, key)
            assert not again
        assert word_of(word or line) == name
        assert is_card(name)
        assert bool(word) is not any(other[:-1] == name for other in CARD_NAMES)

    async def moved(table: Table):
        await some_tricks(table)
        return moves(table.recording)

    assert recorded(moved) == ["1. U7: G5 G8+", "2. X3: K4 K9+ /W5", "3. U1:", "*"]


def keys_of(game) -> list[list[str]]:
    """The keys for each play of a game, with everything else that its trick needs."""
    needed = []
    for trick in game.tricks:
        before = list(trick.upcards)
        led = trick.plays[0].card
        for place, play in enumerate(trick.plays):
            card = play.card or "_"
            if place and not trick.auto and card[0] == led[0]:
                card = card[1:]
            keys = [*"".join(before), *card]
            before = []
            if place == len(trick.plays) - 1:
                if trick.drawn and trick.drawn[0]:
                    keys += ["/", *trick.drawn[0]]
                keys.append("enter")
            needed.append([key.lower() if key != "enter" else key for key in keys])
    return needed


def test_a_whole_game_takes_three_keys_a_play() -> None:
    """Typed key by key, the record is the game; the keys are counted on the way."""
    game = next(read_games(DATA / "sample.clm"))
    for trick in game.tricks:
        trick.drawn = None
    plays = keys_of(game)
    state = State(game.deck, players=["Anna", "Ben"], leader=game.leader)

    async def typed(table: Table):
        await table.press(*(key for keys in plays for key in keys))
        return moves(table.recording), table.text(), table.pressed

    lines, page, pressed = recorded(typed, state=state)
    assert pressed == sum(map(len, plays))
    assert statistics.median(map(len, plays)) <= 3
    assert lines[-1] == game.result
    assert len(lines) == len(game.tricks) + 1
    head = f'[Deck "{game.deck}"]\n[Leader "{game.leader}"]\n\n'
    (read,) = loads(head + "\n".join(lines))
    assert read.errors == []
    assert [[play.card for play in trick.plays] for trick in read.tricks] == [
        [play.card for play in trick.plays] for trick in game.tricks
    ]
    assert "Factions won" in page
    assert "Enter: done" in page


def test_what_cannot_be_is_asked_about_and_settled() -> None:
    async def steps(table: Table):
        pages = []
        await table.press("u7", "g5", "w8", "x3", "u4", "g9")
        pages.append(table.text())
        await table.choose("G9 was not played")
        pages.append(moves(table.recording)[1])
        await table.press("g9")
        await table.choose("it really happened")
        pages.append(moves(table.recording)[:2])
        await table.press("backspace", "g9")
        await table.choose("W8 in trick 1 was another card")
        pages.append(table.text())
        await table.press("u4")
        pages.append(table.text())
        await table.choose("W8 in trick 1")
        await table.press("g2")
        pages.append(moves(table.recording)[:2])
        await table.press("backspace", "g", "backspace", "u", "4")
        await table.choose("U4 was mistyped")
        await table.press("u5")
        return [*pages, moves(table.recording)[:2]]

    asked, dropped, happened, instead, then, mended, retyped = recorded(steps)
    assert "did not follow Goblins in trick 1 (with W8)" in asked
    for answer in (
        "  G9 was mistyped: type the right card",
        "  it really happened: a revoke that stands",
        "  W8 in trick 1 was another card: type that",
        "  G9 was not played: remove it",
    ):
        assert f"\n{answer}\n" in asked
    assert dropped == "2. X3: U4"
    assert happened == ["1. U7: G5+ W8^", "2. X3: U4+ G9"]
    assert "Instead of W8 in trick 1:" in instead
    assert "G9: Ben Roth did not follow Goblins" in then
    assert "Then trick 2 could not have gone as it did." in then
    assert mended == ["1. U7: G5+ G2", "2. X3: U4+ G9"]
    assert retyped == ["1. U7: G5+ W8", "2. X3: U4 U5+"]


def test_undo_redo_notes_clock_and_the_end() -> None:
    async def steps(table: Table):
        await table.press("u7", "g5", "g8")
        table.seconds[0] = 95.0
        await table.press(".", "ctrl+n", "a close one", "enter", "ctrl+z", "ctrl+z", "ctrl+y")
        await table.press("ctrl+y", "ctrl+d", "1 1 w2", "enter", "ctrl+o", "1 g8 g9", "enter")
        first = moves(table.recording)
        await table.press("ctrl+p")
        paused = table.text()
        table.seconds[0] = 200.0
        await table.press("x3")
        resumed = table.text()
        await table.press("ctrl+o", "9 g8 g9", "enter")
        unknown = table.text()
        await table.press("ctrl+t", "down", "down", "right")  # who leads, then the round
        await table.press("down", "down", "down", "down", "3", "enter", "enter")
        await table.press("ctrl+e", "1-0 tired", "enter")
        refused = table.text()
        await table.press("ctrl+e", "1-0 resignation", "enter")
        return first, paused, resumed, unknown, refused, table.recording.text, table.text()

    first, paused, resumed, unknown, refused, text, page = recorded(steps)
    assert first[0] == "1. U7: G5 G9+ {[%clk 0:01:35]} {a close one} /W2"
    assert "0:01:35 pause" in paused
    assert "0:01:35  ✓ saved" in resumed
    assert "Not understood: 9 g8 g9" in unknown
    assert "The record would be wrong" in refused
    assert '[Round "3"]' in text
    assert '[Leader "2"]' in text
    assert '[Termination "resignation"]\n[Result "1-0"]' in text
    assert "Enter: done" in page


def test_the_clock_goes_on_from_the_last_time_noted() -> None:
    state = State("GKUWX")
    state.turn_up("U7")
    state.play("G5")
    state.clock("1:04:30")

    async def steps(table: Table):
        table.seconds[0] = 31.0
        await table.press("g8")

    assert " 1:05:01 " in recorded(steps, state=state)


def test_hands_that_are_known_tell_what_is_legal() -> None:
    hands = {2: "G9 G4 U1 U2 U3 U4 U5 U6 U8 U9 W1 W2 W3"}

    async def steps(table: Table):
        await table.press("u7", "g5")
        legal = table.text()
        await table.press("u1")
        return legal, table.text()

    state = State("GKUWX", hands={1: "_ " * 13, **hands})
    legal, asked = recorded(steps, state=state)
    assert "Legal: G4 G9\n" in legal
    assert "must follow" in asked
    assert "\n  it really happened" in asked


def test_four_players_and_a_full_disk() -> None:
    full = []

    def keep(text: str) -> None:
        if full:
            raise OSError("no space left")

    async def steps(table: Table):
        await table.press("u1", "u2", "g1", "2", "3", "9")
        due = table.text()
        await table.press("u2", "/k2", "d1", "d2")
        full.append(True)
        await table.press("k5", "8")
        failed = moves(table.recording), table.text(), table.bells
        full.clear()
        await table.choose("try to save again")
        return due, failed, moves(table.recording), table.text()

    due, failed, lines, page = recorded(steps, state=State("GKADFUX", seats=4), keep=keep)
    assert "Which upcard did Seat 4 take: U1 U2?" in due
    assert "Enter: next trick" not in due
    assert failed[0] == ["1. U1,U2: G1 G2 G3 G9+ =U2 /K2,_", "2. D1,D2:", "*"]
    assert "K5: no space left" in failed[1]
    assert "✗ NOT SAVED" in failed[1]
    assert "Typed since, and waiting: 8" in failed[1]
    assert failed[2] == 2
    assert lines[1] == "2. D1,D2: K5 K8"
    assert "✓ saved" in page
    assert "NOT SAVED" not in page


def test_no_card_answers_a_doubt_and_what_is_typed_waits() -> None:
    async def steps(table: Table):
        await table.press("u1", "x9", "k3", "g1", "x5", "x2")
        bells = [table.bells]
        await table.press("k2", "k4", "enter")
        waiting, lines = table.text(), moves(table.recording)
        bells.append(table.bells)
        await table.press("ctrl+z", "ctrl+o", "ctrl+y", "?", ".")
        first = table.text()
        bells.append(table.bells)
        await table.press("ctrl+q")
        leaving = table.text()
        await table.press("escape")
        assert "again to leave" not in table.text()
        assert "Typed since, and waiting: k2k4\n" in table.text()
        await table.choose("it really happened")
        return bells, waiting, lines, first, leaving, moves(table.recording), table.text()

    state = State("GKUWX", players=["Anna", "Ben"], leader=2)
    bells, waiting, lines, first, leaving, after, page = recorded(steps, state=state)
    assert bells == [1, 6, 10]
    assert "X2: Anna did not follow Doppelgangers in trick 1 (with K3)" in waiting
    assert "Typed since, and waiting: k2k4⏎\n" in waiting
    assert lines == ["1. U1: X9+ K3", "2. G1: X5", "*"]
    assert "Typed since, and waiting: k2k4\n" in first
    assert "First decide about X2" in first
    assert "X2k2k4. Press ^q again to leave anyway, Esc to stay." in " ".join(leaving.split())
    assert after == ["1. U1: X9+ K3^", "2. G1: X5+ X2", "3. K2: K4", "*"]
    assert "waiting" not in page


@pytest.mark.parametrize(
    ("typed", "why", "lines"),
    [
        ("g1m5d3d1", "M5: Kings are not in this deck.", ["1. G1:", "*"]),
        ("g1q5d3", "Q5: There is no card Q5.", ["1. G1:", "*"]),
        ("g15d3", "5: which faction? A value alone is for following.", ["1. G1:", "*"]),
        ("g1kd3", "K: which value? Knights came without one", ["1. G1:", "*"]),
        ("g1#d3", "#: is not a card.", ["1. G1:", "*"]),
        ("g1chloe", "C: is not a card.", ["1. G1:", "*"]),
        ("g1d3k1g2", "K1: There is no card K1.", ["1. G1: D3", "*"]),
        ("g1g2g3g1", "G1 is already out", ["1. G1: G2 G3+", "*"]),
    ],
)
def test_a_wrong_key_never_jams_the_line(typed: str, why: str, lines: list[str]) -> None:
    """It rings, stays visible with what follows, and Esc or backspaces remove it."""

    async def steps(table: Table):
        await table.press(*typed, "enter")
        shown, recorded_so_far = table.text(), moves(table.recording)
        bells = table.bells
        await table.press("escape")
        cleared = table.text()
        await table.press("backspace")
        return shown, recorded_so_far, bells, cleared, moves(table.recording)

    shown, recorded_so_far, bells, cleared, undone = recorded(steps, state=State("GKDRX"))
    assert f"\n{why}" in shown
    assert bells
    assert recorded_so_far == lines
    assert "Removed: " in cleared
    assert undone != lines


def test_a_card_in_the_list_of_tricks_is_mended_once_it_is_marked(tmp_path) -> None:
    """Shown before it is applied, one undo step; without a mark letters are the next card."""

    async def steps(table: Table):
        await some_tricks(table)
        before = moves(table.recording)
        await table.press("ctrl+l", "up", "up", "right", "right", "right", "g3")
        seen, unchanged = table.text(), moves(table.recording)
        await table.press("x")  # not a card yet, and ignored
        await table.press("backspace", "enter")
        taken = moves(table.recording)
        await table.press("backspace")
        undone = moves(table.recording)
        await table.press("ctrl+l", "u5")
        return before, seen, unchanged, taken, undone, moves(table.recording)

    before, seen, unchanged, taken, undone, after = recorded(steps)
    assert "▸  1. U7 | Anna Keller G5+ Ben Roth G3   *" in seen
    assert " 2. X3 | Anna Keller K4  Ben Roth K9+  *" in seen
    assert "2 tricks change (*)." in seen
    assert before == unchanged == undone
    assert taken[:2] == ["1. U7: G5+ G3", "2. X3: K4 K9+ /W5"]
    assert after[2] == "3. U1: U5"


def test_the_list_of_tricks_swaps_turns_inserts_and_deletes() -> None:
    async def steps(table: Table):
        await some_tricks(table)
        await table.press("ctrl+l", "up", "right", "tab")
        refused = table.text()
        await table.press("right")
        offered = table.text()
        await table.press("tab", "ctrl+w", "ctrl+w", "+", "x9 u3 u6", "enter", "enter")
        made = moves(table.recording)
        await table.press("ctrl+l", "up", "up", "delete", "enter")
        return refused, offered, made, moves(table.recording), table.bells

    refused, offered, made, deleted, bells = recorded(steps)
    assert "First mark a card that was played" in refused
    assert "Tab: swap" not in refused
    assert "Tab: swap" in offered
    assert made[:3] == ["1. U7: G5 G8+", "2. X9: U3 U6+", "3. X3: K9+ K4 /W5"]
    assert deleted[:2] == ["1. U7: G5 G8+", "2. X3: K9+ K4 /W5"]
    assert bells == 1


def test_what_cannot_go_on_is_told_before_it_is_taken_and_comes_back_with_redo() -> None:
    async def steps(table: Table):
        await some_tricks(table)
        await table.press("ctrl+l", "up", "up", "right", "right", "right", "x3")
        seen = table.text()
        await table.press("enter", "escape")
        return seen, moves(table.recording), table.text()

    seen, lines, after = recorded(steps)
    assert "The game cannot continue in trick 2: X3 is already out: trick 1, Ben Roth." in seen
    assert "To be entered again (^y): X3 K4 K9 /W5 U1" in seen
    assert lines == ["1. U7: G5+ X3", "*"]
    assert "Removed: X3 K4 K9 /W5 U1" in after


def test_a_doubt_is_left_to_the_director_and_listed_until_it_is_settled() -> None:
    async def steps(table: Table):
        await table.press("u7", "g5", "w8", "x3", "u4", "g9")
        await table.choose("decide later: it stands for now")
        await table.press("x5", "x3")
        await table.choose("decide later: what is typed waits")
        before = table.bells
        await table.press("k4")
        quiet, waits = table.bells == before, table.text()
        await table.press("escape", "ctrl+e", "1-0 resignation", "enter")
        ended = table.text()
        await table.press(
            "backspace", "ctrl+l", "up", "up", "right", "right", "right", "!", "enter"
        )
        return moves(table.recording), quiet, waits, ended

    lines, quiet, waits, ended = recorded(steps)
    assert quiet
    assert "Typed since, and waiting: k4" in waits
    assert "For the director: trick 1, W8 of Ben Roth" in ended
    assert lines[0] == "1. U7: G5+ W8^"


def test_one_key_says_that_it_was_the_other_player() -> None:
    async def steps(table: Table):
        await table.press("u7", "g5", "ctrl+w")
        first = moves(table.recording), table.recording.setup.leader
        await table.press("g8", "x3", "k4", "ctrl+w")
        refused, second = table.text(), table.bells
        await table.press("k9", "ctrl+w")
        return first, refused, second, moves(table.recording)

    first, refused, bells, lines = recorded(steps)
    assert first == (["1. U7: G5", "*"], 2)
    assert "Who leads follows from the trick before" in refused
    assert bells == 1
    assert lines[:2] == ["1. U7: G5 G8+", "2. X3: K9+ K4"]


def test_a_letter_that_no_card_begins_with_is_told_at_once() -> None:
    async def steps(table: Table):
        await table.press("g1", "m")
        shown = table.text()
        await table.press("backspace", "d3")
        return shown, table.bells, moves(table.recording)

    shown, bells, lines = recorded(steps, state=State("GKDRX"))
    assert "Kings are not in this deck. In the deck: G Goblins, K Knights, D Dragons" in shown
    assert " M▏" in shown
    assert bells == 1
    assert lines == ["1. G1: D3", "*"]


def test_one_of_a_raccoon_ends_with_the_next_key() -> None:
    async def steps(table: Table):
        await table.press("r1")
        pending = table.text()
        await table.press("g5", "r1", "0", "enter", "r13", "r1", "5")
        return pending, moves(table.recording), table.bells, table.text()

    pending, lines, bells, page = recorded(steps, state=State("GKDRX"))
    assert "R1▏ Enter: R1" in pending
    assert lines == ["1. R1: G5+ R10", "2. R13:", "*"]
    assert bells == 2
    assert "R1 is already out" in page
    assert "Typed since, and waiting: 5" in page


def test_the_upcard_is_asked_for_first_and_what_was_typed_follows() -> None:
    async def steps(table: Table):
        await table.press("u1", "u2", "g1", "2", "3", "9", "d1", "d2", "k5")
        asked = table.text()
        await table.choose("Seat 4 took U2")
        return asked, moves(table.recording)

    asked, lines = recorded(steps, state=State("GKADFUX", seats=4))
    assert "D1: First: which upcard did Seat 4 take?" in asked
    assert "Typed since, and waiting: d2k5" in asked
    assert lines == ["1. U1,U2: G1 G2 G3 G9+ =U2", "2. D1,D2: K5", "*"]


def test_what_was_taken_back_is_there_until_it_is_typed_or_forgotten() -> None:
    """A trick was forgotten: undo, type it, and the rest comes back, entry by entry."""

    async def steps(table: Table):
        await table.press("u7", "g5", "g8", "x3", "u4", "u5", "left", "ctrl+l")
        looked = table.text()
        assert table.bells == 1
        await table.press("enter", "backspace", "backspace", "backspace", "u1")
        undone = table.text()
        await table.press("k4", "k5", "ctrl+y", "ctrl+y", "ctrl+y")
        again = moves(table.recording)
        await table.press("backspace", "ctrl+n", "so", "enter")
        noted = table.text()
        await table.press("escape")
        return looked, undone, again, noted, table.text()

    looked, undone, again, noted, forgotten = recorded(steps)
    assert "The tricks so far" in looked
    assert "1. U7 | Anna Keller G5  Ben Roth G8+" in looked
    assert "Undone: X3 U4 U5   (^y enters the next again, Esc forgets them)" in undone
    assert again == ["1. U7: G5 G8+", "2. U1: K4 K5+", "3. X3: U4 U5+", "*"]
    assert "Undone: U5 " in noted
    assert "Removed: U5" in forgotten
    assert "Undone" not in forgotten


def due_for_loot() -> State:
    """A game in which only the loot's faction is open, for a side with a tie for fewest."""
    for seed in range(200):
        state = State.dealt("GKRUX", seed=seed, loot="R2 R5 R8 R11")
        chance = Random(seed)
        while state.to_act.kind not in ("loot", "over"):
            state.apply(chance.choice(state.choices()))
        if state.to_act.kind == "loot":
            return state
    raise AssertionError("no such game")


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_loot_counts_for_is_asked_and_the_end_says_what_was_assumed(language: str) -> None:
    state = due_for_loot()
    letters = state.choices()
    wrong = next(letter for letter in state.deck if letter not in letters)

    async def steps(table: Table):
        asked = table.text()
        await table.press(wrong.lower())
        refused, bells = table.text(), table.bells
        await table.press("backspace", letters[0].lower())
        while not table.recording.over:
            await table.press(table.recording.possible()[0].lower())
        return asked, refused, bells, table.recording.text, table.text()

    asked, refused, bells, text, page = recorded(steps, state=state, language=language)
    say = words(language)
    options = ", ".join(f"{letter} {say.faction(letter)}" for letter in letters)
    assert options in asked
    assert ("Beute" if language == "de" else "loot") in asked
    assert f"\n{wrong}: " in refused
    assert bells == 1
    assert f"={letters[0]}" in text
    assert "LE2023, raccoons=deck, LootCards R2 R5 R8 R11" in page


def test_loot_that_nobody_knows_is_said_at_the_end() -> None:
    async def steps(table: Table):
        before = table.text()
        await table.press("ctrl+t", "up", "Rulings raccoons=pile", "enter", "enter")
        await table.press("ctrl+e", "1-0 resignation", "enter")
        return before, table.text()

    before, page = recorded(steps, state=State("GKRUX"))
    assert "show loot is not recorded" not in before
    assert "is not recorded (LootCards): no Raccoon counts twice" in " ".join(page.split())
    assert "Counted by: LE2023, raccoons=pile" in page


def test_what_is_typed_again_as_it_was_leaves_the_rest_to_redo() -> None:
    async def steps(table: Table):
        await table.press("u7", "g5", "g8", "x3", "u4", *["backspace"] * 4, "g5", "ctrl+y")
        before = moves(table.recording)
        await table.press("ctrl+y", "ctrl+y")
        return before, moves(table.recording), table.text(), table.bells

    before, after, page, bells = recorded(steps)
    assert before == ["1. U7: G5 G8+", "*"]
    assert after == ["1. U7: G5 G8+", "2. X3: U4", "*"]
    assert "Undone" not in page
    assert bells == 0


def test_a_long_name_in_the_form_is_seen_at_its_end() -> None:
    async def steps(table: Table):
        await table.press("ctrl+t", "right", *["backspace"] * 11, *("Wolfgang " * 9), "Z")
        return table.text()

    text = recorded(steps)
    row = next(line for line in text.splitlines() if "▸ Seat 1" in line)
    assert "…" in row
    assert row.rstrip().endswith("Wolfgang Z▏")


@pytest.mark.slow
def test_what_was_agreed_is_mended_by_a_form_as_one_change() -> None:
    """Names, seats, leader, deck, rules, rulings, loot, event: shown first, undone as one."""

    async def to(table: Table, label: str) -> None:
        for _ in range(20):
            if f"▸ {label}" in table.text():
                return
            await table.press("down")
        raise AssertionError(f"no row {label!r}:\n{table.text()}")

    async def steps(table: Table):
        await table.press("u7", "g5", "g8", "ctrl+t")
        shown = table.text()
        await table.press("right", *["backspace"] * 6, "Köhler", "enter")
        offered = table.text()
        await table.press("tab")  # the archive's spelling
        await table.press("tab")  # and the players change seats
        await to(table, "Leads trick 1")
        await table.press("2")
        await to(table, "Deck")
        await table.press("gkuwr", "enter")
        await to(table, "raccoons")
        await table.press("right")
        await to(table, "Loot")
        await table.press("r2 R5", "enter")
        await to(table, "Round")
        await table.press("4", "enter")
        await to(table, "Another tag")
        await table.press("Leeder 2", "enter")
        unknown, bells = table.text(), table.bells
        await table.press("Site Berne", "enter", "enter")
        text, page = table.recording.text, table.text()
        await table.press("backspace")
        undone = table.recording.text
        await table.press("ctrl+t")
        await to(table, "Deck")
        await table.press("gksdx", "enter", "enter")
        wrong = table.text()
        await table.press("escape")
        return shown, offered, unknown, bells, text, page, undone, wrong, table.recording.text

    def known(kind: str, text: str) -> list[str]:
        return ["Anna Koehler"] if (kind, text) == ("player", "Anna Köhler") else []

    shown, offered, unknown, bells, text, page, undone, wrong, after = recorded(steps, known=known)
    assert "▸ Seat 1        Anna Keller" in shown
    assert "In the archive: Anna Koehler. Tab takes Anna Koehler." in offered
    assert "There is no tag Leeder. Did you mean Leader?" in unknown
    assert bells == 1
    for tag in (
        '[Player1 "Ben Roth"]', '[Player2 "Anna Koehler"]', '[Leader "2"]', '[Deck "GKRUW"]',
        '[Rulings "raccoons=pile"]', '[LootCards "R2 R5"]', '[Round "4"]', '[Site "Berne"]',
    ):  # fmt: skip
        assert tag in text, text
    assert text.endswith("1. U7: G5 G8+\n*\n")
    assert "Changed. ⌫ takes it back." in page
    assert undone == after
    assert '[Player1 "Anna Keller"]' in undone
    assert "The record would be wrong" in wrong
    assert "▸ Deck" in wrong


def test_seats_are_added_before_the_first_card() -> None:
    async def steps(table: Table):
        await table.press("ctrl+t", "down", "down", "Clara", "enter")
        wrong = table.text()
        await table.press("down", "down", "down", "gkuwxbs", "enter", "enter")
        return wrong, table.recording.setup.seats, table.recording.text

    wrong, seats, text = recorded(steps)
    assert "The record would be wrong" in wrong
    assert seats == 3
    assert '[Player3 "Clara"]\n[Deck "GKBSUWX"]' in text


def test_what_waits_and_what_was_undone_outlive_a_kill(tmp_path) -> None:
    """They are kept after the record, and restored; no word is entered twice."""
    path = tmp_path / "game.clm"

    async def first(table: Table):
        await table.press("u7", "g5", "w8", "x3", "u4", "k9", "backspace", "g9", "k4k2", "enter")
        return table.text()

    async def second(table: Table):
        again = table.text()
        await table.choose("it really happened")
        return again

    with Journal(path) as journal:
        asked = recorded(first, keep=journal.write, journal=journal)
    text = path.read_text()
    assert text.endswith('*\n; waiting "G9k4k2\\n"\n; undone "K9"\n')
    with Journal(path) as journal:
        recording = Recording.resume(journal.text, journal.write)
        again = recorded(second, recording=recording, journal=journal)
        assert "G9: Ben Roth did not follow" in asked
        assert "Typed since, and waiting: k4k2⏎" in asked
        assert "G9: Ben Roth did not follow" in again
        assert "Typed since, and waiting: k4k2⏎" in again
        assert moves(recording) == ["1. U7: G5+ W8^", "2. X3: U4+ G9", "3. K4: K2", "*"]
        recording.undo()
    assert path.read_text().endswith("3. K4:\n*\n")


def test_what_was_put_off_is_not_asked_again_after_a_kill(tmp_path) -> None:
    path = tmp_path / "game.clm"

    async def first(table: Table):
        await table.press("u7", "g5", "w8", "x3", "u4", "u4")
        await table.choose("decide later: what is typed waits")
        await table.press("k4")

    async def second(table: Table):
        before = table.bells
        await table.press("k2")
        return table.bells == before, table.text()

    with Journal(path) as journal:
        recorded(first, keep=journal.write, journal=journal)
    assert path.read_text().endswith('*\n; waiting "U4k4"\n; later "U4"\n')
    with Journal(path) as journal:
        recording = Recording.resume(journal.text, journal.write)
        quiet, page = recorded(second, recording=recording, journal=journal)
    assert quiet
    assert "Typed since, and waiting: k4k2" in page
    assert "decide later" not in page


def test_saved_is_never_said_beside_what_was_not() -> None:
    async def steps(table: Table):
        await table.press("u7")
        table.recording._keep = refuse
        await table.press("ctrl+n", "so", "enter")
        refused = table.text()
        table.recording._keep = None
        await table.press("g5")
        return refused, table.bells, table.text()

    def refuse(text: str) -> None:
        raise OSError("another program has changed it")

    refused, bells, page = recorded(steps)
    assert "✗ NOT SAVED" in refused
    assert "another program has changed it" in refused
    assert "✓" not in refused
    assert bells == 1
    assert "✓ saved" in page
