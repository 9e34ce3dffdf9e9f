"""The recorder's screen says what is due, whatever that is, and after the end that it is over."""

from __future__ import annotations

import pytest
from replaying import DATA
from test_record_screen import Table, recorded

from claimlog.cli.record.screen import recorder
from claimlog.language import words
from claimlog.recording import Recording
from claimlog.state import State
from claimlog.state.entries import KINDS, Turn


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_card_typed_after_the_end_is_told_that_the_game_is_over(language: str) -> None:
    """Played to the end, or ended early."""
    whole = (DATA / "sample.clm").read_text(encoding="utf-8")
    ended = '[Deck "GKUWX"]\n[Termination "resignation"]\n\n1. U7: G5\n0-1\n'

    async def typed_on(table: Table):
        before = table.recording.text
        await table.press("g")
        typing = table.text()
        await table.press("5")
        assert words(language)("doubt.word", card="G5") in table.text()
        await table.press("escape")
        assert table.recording.text == before
        return typing

    for text in (whole, ended):
        recording = Recording.resume(text)
        assert recording.over
        shown = recorded(typed_on, recording=recording, language=language)
        assert f"{words(language)('due.over')} G▏" in shown


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_due_has_a_text(
    kind: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the screen, and on the phone's page, which takes some of them together."""
    recording = Recording(State("GKRUX", players=["Ann", "Bo"]))
    monkeypatch.setattr(Recording, "due", Turn(kind, 1))
    monkeypatch.setattr(Recording, "over", kind == "over")
    monkeypatch.setattr(Recording, "possible", lambda self: ["G"])
    say = words(language)
    assert recorder(say)(recording, "game.clm", say)._due()
    of_the_page = {"draw": ("turn-up", "lead"), "play": ("play", "lead")}.get(kind, (kind,))
    assert all(say(f"page.due.{one}", name="Ann") for one in of_the_page)


@pytest.mark.parametrize("result", ["½-0-½", "1/2-0-1/2", "1/3-1/3-1/3", "⅓-⅓-⅓", "0-1-0"])
def test_a_game_of_three_is_ended_early_with_any_result(result: str) -> None:
    async def ended(table: Table):
        await table.press("ctrl+e")
        asked = table.text()
        await table.press(f"{result} adjudication", "enter")
        return asked

    recording = Recording(State("GKABDFS", players=["Ann", "Bo", "Cy"]))
    assert "1/2-1/2-0 resignation" in recorded(ended, recording=recording)
    written = result.replace("½", "1/2").replace("⅓", "1/3")
    assert f'[Result "{written}"]' in recording.text
