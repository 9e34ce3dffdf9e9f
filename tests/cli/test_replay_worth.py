"""What the stepper shows of an analysis, and trying another card: keys and their effects."""

from __future__ import annotations

import re

import pytest
from replaying import GOLDEN
from test_replay_reading import read
from waiting import settled

from claimlog import dumps, simulate_games
from claimlog.analysis.trial import Trial
from claimlog.cli.replay import worth
from claimlog.solve.value import UnanswerableError
from claimlog.workers import WorkerDied

GAME = next(simulate_games(1, deck="GKBSU", policy="random", seed=7))


class Here:
    """Does a process's work in this process, so that none has to be started."""

    def __init__(self, work, *, nice=0):
        self.work, self.ended = work, False

    def ask(self, task):
        if self.ended:
            raise WorkerDied("ended")
        return self.work(task)

    def end(self):
        self.ended = True


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setattr(worth, "Worker", Here)
    path = tmp_path / "game.clm"
    path.write_text(dumps(GAME))
    return path


async def done(reader):
    """Wait for all pending work."""
    await reader.app.workers.wait_for_complete()
    await settled(reader.pilot)
    return reader.text()


def test_who_is_winning_and_what_the_cards_are_worth(path):
    async def steps(reader):
        await reader.press("w")
        assert "Phase 2 will show who is winning" in reader.text()
        await reader.press("g")
        await reader.type("22")
        text = await done(reader)
        assert "▀▀▀▀▄▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀" in text
        assert "Best play wins for Random 1, 3-2." in text
        assert "3-2: B4 B6 U7   4-1: S3 S6" in text
        await reader.press("l")
        text = reader.text()
        assert "│ S3 │" in text
        assert "leads ?" in text
        assert "S3 ? gave away a faction. Better: B4, B6, U7." in text
        await reader.press("m")
        assert "U3 ?? changed the result." in reader.text()
        await reader.press("m", "w")
        assert "??" not in reader.text()
        # A seat sees only values of its own cards, a spectator none.
        await reader.press("w", "v", "g")
        await reader.type("22")
        assert "Best play wins for Random 1" in reader.text()
        assert "3-2: B4" not in reader.text()
        await reader.press("v")
        assert "3-2: B4 B6 U7" in reader.text()
        await reader.press("v")
        assert "not all hands are known" in " ".join(reader.text().split())

    read(path, steps)


def test_who_guesses_sees_what_cards_were_worth_only_then(path):
    async def steps(reader):
        await reader.press("w", "x", "g")
        await reader.type("16")
        text = await done(reader)
        assert "Which card?" in text
        assert re.search(r"▀▀▀▀·{22}", text)
        assert "3-2: " not in text
        await reader.press("enter")
        assert "U3 ?? changed" in reader.text()

    read(path, steps, size=(80, 40))


def test_another_card_is_tried_against_best_play_and_alone(path):
    """The opponent answers at once; both sides are played; taken back; then the game again."""

    async def steps(reader):
        app = reader.app
        await reader.press("g")
        await reader.type("3")
        await reader.press("t")
        assert "can only be tried in Phase 2" in reader.text()
        await reader.press("g")
        await reader.type("22")
        await reader.press("t")
        text = await done(reader)
        assert "Best play wins for Random 1, 3-2." in text
        await reader.press("b", "4")
        text = await done(reader)
        # All cards except S8 keep the win against B4.
        assert app.trying.trial.cards[0] == "B4"
        assert app.trying.trial.cards[1] in {"G2", "G4", "G5", "K9"}
        assert "Best play wins for Random 1, 3-2." in text
        await reader.press("tab", "backspace", "backspace")
        await done(reader)
        assert app.trying.trial.cards == []
        await reader.press("b", "4", "s", "8")
        text = await done(reader)
        assert app.trying.trial.cards == ["B4", "S8"]
        assert "Best play wins for Random 2, 4-1." in text
        for _ in range(8):
            await reader.press("enter")
        text = await done(reader)
        assert "The end" in text
        assert app.trying.trial.seat is None
        await reader.press("escape")
        assert "Trick 22 of 26" in reader.text()
        await reader.press("right")
        assert "│ S3 │" in reader.text()

    read(path, steps)


def test_what_is_tried_is_seen_with_all_cards_open_alone(path):
    async def steps(reader):
        await reader.press("v", "g")
        await reader.type("22")
        await reader.press("t")
        assert "To try another card, show all cards (v)." in reader.text()

    read(path, steps)


def test_with_three_players_a_card_has_what_is_secured(path):
    """Not who wins, but what each seat can secure, in the last tricks."""

    async def three(reader):
        await reader.press("g")
        await reader.type("24")
        await reader.press("w")
        assert "what the seat can secure" in " ".join((await done(reader)).split())

    read(GOLDEN / "three.clm", three)


def test_trying_refuses_what_cannot_be():
    with pytest.raises(UnanswerableError, match="Phase 2"):
        Trial(GAME, 4, 0)
    with pytest.raises(UnanswerableError, match="two players"):
        Trial(next(simulate_games(1, seats=3, seed=1)), 26, 0)
    trial = Trial(GAME, 22, 0)
    with pytest.raises(ValueError, match="G2"):
        trial.play("G2")
    four = Trial(next(simulate_games(1, seats=4, seed=1)), 18, 2)
    four.play(four.legal()[0])
    assert four.game().complete
