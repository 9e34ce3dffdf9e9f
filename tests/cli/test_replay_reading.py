"""What a reader does besides stepping: guessing, commenting, saving, pointing with the mouse."""

from __future__ import annotations

import gzip
import re
import shutil
from collections import Counter

import pytest
from replaying import GOLDEN, claimlog, games
from textual.events import Key, MouseScrollDown
from waiting import run_alone, settled

from claimlog import dumps, simulate_games
from claimlog.cards import CARD_NAMES
from claimlog.cli.replay.guess import Guesses, Others
from claimlog.cli.replay.screen import stepper
from claimlog.cli.replay.shelf import Shelf
from claimlog.language import words
from claimlog.replay.recorder import replay_text

TWO = GOLDEN / "two-goblins.clm"


class Reader:
    """A reader at the stepper."""

    def __init__(self, pilot, app):
        self.pilot, self.app = pilot, app

    async def press(self, *keys):
        for key in keys:
            await self.pilot.press(*([key] if len(key) > 1 and key.islower() else key))
        await settled(self.pilot)

    async def type(self, text):
        await self.pilot.press(*("space" if c == " " else c for c in text), "enter")
        await settled(self.pilot)

    def text(self):
        rows = self.app.screen._compositor.render_strips()
        return "\n".join("".join(part.text for part in row).rstrip() for row in rows)


def read(path, steps, *, language="en", view=None, size=(80, 24), **given):
    """Run `steps` in the stepper of a file."""
    say = words(language)

    async def run(shelf):
        app = stepper(say)(shelf, 1, view, say, **given)
        async with app.run_test(size=size) as pilot:
            reader = Reader(pilot, app)
            await settled(pilot)
            await steps(reader)
            return reader.text()

    with Shelf(str(path), say) as shelf:
        return run_alone(run(shelf))


def test_going_to_a_trick_shows_it_before_its_first_card():
    async def steps(reader):
        await reader.press("g")
        await reader.type("7")
        text = reader.text()
        assert "Trick 7 of 26" in text
        assert "Anna Keller to lead." in text
        assert "> 7 ◆\n" in text
        await reader.press("space", "l")
        assert "K7+" in reader.text()
        await reader.press("h", "j", "k")
        assert "Trick 6 of 26" in reader.text()
        await reader.press("home")
        assert "Club evening" not in reader.text()
        await reader.press("a")
        assert "auto 1 s" in reader.text()
        await reader.press("a")
        assert "auto 1 s" not in reader.text()

    read(TWO, steps)


def test_no_key_is_lost_where_all_come_at_once():
    """There is no pause between the keys, as when text is pasted or a machine is slow."""

    async def steps(reader):
        async def at_once(*keys):
            for key in keys:
                character = {"enter": "\r", "escape": "\x1b", "ctrl+c": "\x03"}.get(key, key)
                name = "question_mark" if key == "?" else key
                reader.app.post_message(Key(name, character))
            await settled(reader.pilot)

        reader.app.pace = 1000.0  # autoplay does not reach the end, however long this takes
        await at_once("g", "2", "6", "enter", "a")
        assert "Trick 26 of 26" in reader.text()
        assert "auto 1000 s" in reader.text()
        await at_once("g", "7", "enter", "g", "9", "enter", "space", "l")
        assert "> 9 " in reader.text()
        assert "auto" not in reader.text()
        assert (reader.app.trick, reader.app.played) == (9, 2)
        await at_once("g", "3", "escape", "home", "c", *"one two", "enter", "a", "a", "v")
        assert [game.comments for game in reader.app.notes.games.values()] == [["one two"]]
        assert "what Anna Keller could see" in reader.text()
        await at_once("?", "x", "?", "?", "g", "4", "enter")
        assert "Trick 4 of 26" in reader.text()
        assert len(reader.app.screen_stack) == 1
        await at_once("g", "4", "ctrl+c", "ctrl+c")
        assert reader.app.return_code == 0

    read(TWO, steps)


def test_guessing():
    """The next card is asked for, by keys, by its name and by the mouse; the score is kept."""

    async def steps(reader):
        await reader.press("x", "right")
        text = reader.text()
        assert "Trick 1 of 26" in text
        assert "Which card? » G0" in text
        await reader.press("right", "left", "left")
        assert "» X9" in reader.text()
        await reader.press("g", "5")
        text = reader.text()
        assert "You chose G5; G0 was played. 0 of 1 right." in text
        assert "╭────╮ leads" in text
        # It is Ben's turn: only his Goblins may be played.
        assert "Which card? » G0" in text
        await reader.press("enter")
        text = reader.text()
        assert "Right: G0. 1 of 2 right." in text
        assert "Anna Keller won and leads trick 2." in text
        # An answered question is not asked again.
        await reader.press("backspace", "backspace")
        assert "Which card" not in reader.text()
        await reader.press("right", "right")
        assert "Trick 2 of 26" in reader.text()
        assert "Which card? » " in reader.text()
        spot = next(one for one in reader.app.spots if one.value == "D4")
        await reader.pilot.click(offset=(spot.column + 1, spot.row + 3))
        assert "You chose D4" in reader.text() or "Right: D4" in reader.text()
        await reader.press("escape")
        assert "Which card" not in reader.text()

    read(TWO, steps, size=(90, 30))


def test_what_a_key_did_is_said():
    """Guessing starts on the first page; a mark is named, because the page may not show it."""

    async def steps(reader):
        await reader.press("x")
        assert "Guess each card before it is shown." in reader.text()
        await reader.press("right")
        assert "Which card? » G0" in reader.text()
        await reader.press("escape")
        assert "Guessing has stopped. x starts again." in reader.text()
        await reader.press("right", "!")
        assert "G0 is marked !. ! again: the next mark; s saves." in reader.text()
        await reader.press("!!!!!!")
        assert "G0 has no mark now." in reader.text()

    read(TWO, steps)


def test_guessing_what_one_seat_plays(tmp_path):
    """The others play by themselves; a card that is the only legal one is not asked for."""

    async def steps(reader):
        await reader.press("right")
        text = reader.text()
        assert "was Ben Roth sehen konnte" in text
        assert "╭────╮ spielt aus" in text
        assert "Welche Karte? » G0" in text
        await reader.press("right", "enter")
        text = reader.text()
        assert "Geraten G1, gespielt wurde G0. 0 von 1 richtig." in text
        await reader.press("right")
        assert "Ben Roth ist am Zug" in reader.text()

    read(TWO, steps, language="de", view=2, guesses=Guesses(2))


def test_what_others_played_there(tmp_path):
    """Shown if there is an archive; without one nothing is said."""
    db = tmp_path / "games.duckdb"
    simulated = list(simulate_games(40, deck="GKADX", seed=3))
    (tmp_path / "simulated.clm").write_text("\n".join(map(dumps, simulated)))
    assert claimlog("import", TWO, tmp_path / "simulated.clm", "--db", db)[0] == 0

    async def steps(reader):
        await reader.press("right", "enter", "enter")
        lines.append(reader.app.guesses.last)
        await reader.app.workers.wait_for_complete()
        await settled(reader.pilot)

    lines = []
    others = Others(db)
    text = read(TWO, steps, size=(120, 40), guesses=Guesses(), others=others)
    others.close()
    # The plays of two players on G0 in Phase 1, counted by hand.
    played = Counter(
        trick.plays[1].card
        for game in (*games(TWO), *simulated)
        for trick in game.tricks
        if trick.phase == 1 and not trick.auto and trick.plays[0].card == "G0"
    )
    of = {card: played[card] for card in lines[0].choices if played[card]}
    assert played.total() > sum(of.values()) > max(of.values()) > 1
    shares = [
        f"{card} {100 * count / played.total():.0f} %"
        for card, count in sorted(of.items(), key=lambda one: (-one[1], CARD_NAMES.index(one[0])))
    ]
    assert f"Others played here ({played.total()} plays): {', '.join(shares[:5])}" in text
    text = read(TWO, steps, guesses=Guesses(), others=Others(tmp_path / "none.duckdb"))
    assert "others" not in text


def test_comments_are_saved_where_the_game_came_from(tmp_path):
    """Only the text of that game is rewritten; leaving without saving asks first."""
    path = tmp_path / "evening.clm"
    first, second, third = ((GOLDEN / f"{n}.clm").read_bytes() for n in ("three", "four", "broken"))
    messy = second.replace(b"\n", b"\r\n").replace(b"1. ", b"1.   ", 1)
    path.write_bytes(first.replace(b"2. ", b"2.  ", 1) + b"\n\n" + messy + b"\r\n\r\n" + third)
    before = path.read_bytes()

    async def steps(reader):
        await reader.press("n", "c")
        assert "Comment on the game:" in reader.text()
        await reader.type("A fine evening")
        assert "Comment: A fine evening" in reader.text()
        await reader.press("right", "right", "c")
        assert "Comment on T" in reader.text()
        await reader.type("Trolls first, } or not")
        await reader.press("!", "down", "c")
        assert "Comment on trick 1:" in reader.text()
        await reader.type("all of it")
        assert "4 unsaved (s)" in reader.text()
        await reader.press("q")
        question = "4 notes are not saved: s saves them, q leaves without saving, Esc stays."
        assert question in reader.text()
        await reader.press("s")
        assert "Saved in evening.clm." in reader.text()
        await reader.press("left")
        assert "unsaved" not in reader.text()
        # Games with errors cannot be rewritten.
        await reader.press("n", "c")
        assert "This record has errors" in reader.text()

    read(path, steps)
    after = path.read_bytes()
    head, tail = before.split(messy.strip())
    assert after.startswith(head)
    assert after.endswith(tail)
    games = list(replay_text(after))
    game = games[1]
    assert game == next(replay_text(after[len(head) : -len(tail)]))
    assert game.comments == ["A fine evening"]
    play = game.tricks[0].plays[0]
    assert (play.annotation, play.comments) == ("!", ["Trolls first, } or not"])
    assert "all of it" in [*game.tricks[0].comments, *game.tricks[0].plays[-1].comments]
    assert b"\r\n1. " in after[len(head) :]
    assert claimlog("replay", path, "--game", 2, "--trick", 1)[1].count("Comment") == 2


def test_escape_cancels_leaving_without_saving(tmp_path):
    """Also while guessing or trying, where Esc and letters mean something else; q, q leaves."""

    async def steps(reader):
        async def asked(*keys):
            await reader.press(*keys)
            return "1 note is not saved: s saves it, q leaves" in reader.text()

        await reader.press("right", "right", "!")
        assert await asked("escape")
        assert not await asked("escape")
        assert await asked("escape")
        assert not await asked("right")
        assert await asked("q")
        assert not await asked("escape")
        await reader.press("x")
        assert await asked("q")
        assert not await asked("escape")
        assert reader.app.guessing
        assert await asked("q")
        await reader.press("s")
        assert not reader.app.notes.unsaved
        await reader.press("escape", "!", "g")
        await reader.type("20")
        await reader.press("t")
        assert reader.app.trying is not None
        assert await asked("q")
        assert not await asked("escape")
        assert reader.app.trying is not None
        assert await asked("q")
        assert not await asked("right")
        assert await asked("q")
        assert reader.app.return_code is None
        await reader.press("q")
        assert reader.app.return_code == 0

    path = tmp_path / "game.clm"
    shutil.copy(TWO, path)
    read(path, steps)


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path):
    path = tmp_path / "game.clm"
    shutil.copy(TWO, path)

    async def steps(reader):
        await reader.press("c")
        await reader.type("mine")
        path.write_text(path.read_text() + "\n")
        await reader.press("s")
        assert "game.clm has changed meanwhile; nothing was written." in reader.text()
        await reader.press("q", "q")

    read(path, steps)
    assert "mine" not in path.read_text()


def test_what_came_from_elsewhere_is_saved_in_a_new_file(tmp_path, monkeypatch):
    """Packed files, pipes, codes, stored games: into a new file, never over an existing one."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "games.clm.gz"
    path.write_bytes(gzip.compress(TWO.read_bytes() + b"\n" + (GOLDEN / "four.clm").read_bytes()))

    async def steps(reader):
        await reader.press("s")
        assert "There is nothing to save." in reader.text()
        await reader.press("c")
        await reader.type("packed")
        await reader.press("s")
        assert "Save as (new file):" in reader.text()
        await reader.type("games.clm.gz")
        assert "exists already; nothing was written" in reader.text()
        await reader.press("s")
        await reader.type("new.clm")
        assert "Saved in new.clm." in reader.text()

    read(path, steps, size=(120, 30))
    games = list(replay_text((tmp_path / "new.clm").read_bytes()))
    assert [game.comments for game in games] == [["packed"], []]
    assert games[0].legal


@pytest.mark.parametrize(
    ("language", "keys"),
    [
        (
            "en",
            "←→ play ↑↓ trick g go to x guess ? help q quit n p game v view c comment w worth",
        ),
        (
            "de",
            "←→ Karte ↑↓ Stich g geh zu x raten ? Hilfe q Ende n p Partie v Sicht c Notiz w Wert",
        ),
    ],
)
def test_no_key_at_the_bottom_is_cut(language, keys):
    """On a narrow terminal the last ones are left out, except for help and leaving."""
    whole = re.split(" (?=[gx?qvcw] |↑|n p )", keys)
    others = [key for key in whole if key[0] not in "?q"]
    possible = [
        " ".join(key for key in whole if key not in others[number:])
        for number in range(1, len(others) + 1)
    ]

    async def steps(reader):
        for width in (40, 60, 72, 80, 120):
            await reader.pilot.resize_terminal(width, 20)
            await settled(reader.pilot)
            shown = reader.text().splitlines()[-1].removesuffix("▼").strip()
            assert shown in possible
            assert "? " in shown
            assert " q " in shown
        assert shown == keys

    read(TWO, steps, language=language, size=(80, 20))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_the_mouse(size):
    async def steps(reader):
        wide = size[0]
        for _ in range(5):
            await reader.pilot._post_mouse_events([MouseScrollDown], offset=(10, 10))
        await settled(reader.pilot)
        assert "Trick 2 of 26" in reader.text()
        await reader.pilot.click(offset=(wide // 2 - 8, 12))
        await settled(reader.pilot)
        assert "Ben Roth to play." not in reader.text()
        await reader.pilot.click(offset=(wide // 2 + 2, 2))
        await settled(reader.pilot)
        assert "Trick 2 of 26" in reader.text()
        spot = next(one for one in reader.app.spots if one.what == "trick")
        await reader.pilot.click(offset=(spot.column + 2, spot.row + 2))
        await settled(reader.pilot)
        assert "Trick 1 of 26" in reader.text()
        assert "won and leads trick 2" in reader.text()
        await reader.pilot.click("FooterKey")
        await settled(reader.pilot)
        assert "Trick 2 of 26" in reader.text()

    read(TWO, steps, size=size)
