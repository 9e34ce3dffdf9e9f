"""Recording on the screen: keys are pressed, and the page is read."""

from __future__ import annotations

import asyncio
import os
import statistics

import pytest
from replaying import DATA, GOLDEN

from claimlog import loads, read_games
from claimlog.cards import CARD_NAMES
from claimlog.cli.record.screen import completed, recorder
from claimlog.language import words
from claimlog.recording import Recording
from claimlog.state import State

KEYS = {"~": "tilde", "/": "slash", "_": "underscore", "-": "minus", ".": "full_stop", " ": "space"}


class Table:
    """A recording on a screen of 80 columns and 24 lines, in a language."""

    def __init__(self, pilot, app, recording):
        self.pilot, self.app, self.recording = pilot, app, recording
        self.pressed = 0

    async def press(self, *keys: str) -> None:
        for key in keys:
            for one in [key] if len(key) > 1 and key in NAMED else key:
                await self.pilot.press(KEYS.get(one, one))
                self.pressed += 1

    def text(self) -> str:
        """What the screen shows, without what is empty at the right."""
        rows = self.app.screen._compositor.render_strips()
        return "\n".join("".join(part.text for part in row).rstrip() for row in rows)


NAMED = {"enter", "escape", "backspace", "ctrl+y", "ctrl+z", "ctrl+p"}


def recorded(steps, *, language="en", state=None, keep=None, size=(80, 24)):
    """Do `steps` at a table, and return what it returns."""
    seconds = [0.0]
    recording = Recording(
        state or State("GKUWX", players=["Anna Keller", "Ben Roth"], tags={"Event": "Open"}), keep
    )
    say = words(language)
    app = recorder(say)(recording, "game.clm", say, clock=lambda: seconds[0])

    async def run():
        async with app.run_test(size=size) as pilot:
            table = Table(pilot, app, recording)
            table.seconds = seconds
            found = await steps(table)
            await pilot.pause()
            return found if found is not None else table.text()

    return asyncio.run(run())


def moves(recording: Recording) -> list[str]:
    return recording.text.split("\n\n", 1)[1].splitlines()


async def some_tricks(table: Table) -> None:
    """Two tricks, in the second a value alone; the third begins."""
    table.seconds[0] = 75.0
    await table.press("u7", "g5", "g8", "enter", "x3", "k4", "9", "/w5", "enter", "u1")


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_screen(language: str, request: pytest.FixtureRequest) -> None:
    """Golden pages: a trick won, a card asked about, the next trick, the end of a game."""

    async def won(table: Table) -> str:
        await table.press("u7", "g5", "g8")
        first = table.text()
        await table.press("/w2", "enter", "x3", "w4", "u3", "g1", "k5", "w8")
        asked = table.text()
        await table.press("2")
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
        word, whole = completed(name.lower())
        assert word == name
        assert whole or name == "R1" or any(other[:-1] == name for other in CARD_NAMES)

    async def moved(table: Table):
        await some_tricks(table)
        return moves(table.recording)

    assert recorded(moved) == ["1. U7: G5 G8+", "2. X3: K4 K9+ /W5", "3. U1:", "*"]


def keys_of(game) -> list[list[str]]:
    """The keys for each play of a game, with what else its trick needs."""
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
        for keys in plays:
            await table.press(*keys)
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
        told = []
        await table.press("u7", "g5", "w8", "x3", "u4", "g9")
        told.append(table.text())
        await table.press("1")
        told.append(moves(table.recording)[1])
        await table.press("g9", "2")
        told.append(moves(table.recording)[:2])
        await table.press("backspace", "g9", "3")
        told.append(table.text())
        await table.press("g2")
        told.append(moves(table.recording)[:2])
        return told

    asked, mistyped, happened, instead, mended = recorded(steps)
    assert "did not follow Goblins in trick 1 (with W8)" in asked
    assert "1 mistyped   2 it happened so   3 W8 in trick 1 was another card" in asked
    assert mistyped == "2. X3: U4"
    assert happened == ["1. U7: G5+ W8^", "2. X3: U4+ G9"]
    assert "Instead of W8 in trick 1:" in instead
    assert mended == ["1. U7: G5+ G2", "2. X3: U4+ G9"]


def test_undo_redo_notes_clock_and_the_end() -> None:
    async def steps(table: Table):
        await table.press("u7", "g5", "g8")
        table.seconds[0] = 95.0
        await table.press(".", "c", "a close one", "enter", "ctrl+z", "ctrl+z", "ctrl+y")
        await table.press("ctrl+y", "h", "1 1 w2", "enter", "o", "1 g8 g9", "enter")
        first = moves(table.recording)
        await table.press("ctrl+p")
        paused = table.text()
        table.seconds[0] = 200.0
        await table.press("x3")
        resumed = table.text()
        await table.press("o", "9 g8 g9", "enter")
        unknown = table.text()
        await table.press("l", "Leader 2", "enter", "l", "Round 3", "enter")
        await table.press("e", "1-0 tired", "enter")
        refused = table.text()
        await table.press("e", "1-0 resignation", "enter")
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
    assert "2 it happened so" in asked


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
        await table.press("k5")
        return due, moves(table.recording), table.text()

    due, lines, page = recorded(steps, state=State("GKADFUX", seats=4), keep=keep)
    assert "Seat 4 picks an upcard." in due
    assert lines == ["1. U1,U2: G1 G2 G3 G9+ =U2 /K2,_", "2. D1,D2:", "*"]
    assert "no space left" in page
