"""The recorder's screen says what is due, whatever that is, and after the end that it is over."""

from __future__ import annotations

import pytest
from replaying import DATA
from test_record_screen import Table, moves, recorded

from claimlog.cli.record.screen import HELP, recorder
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
        assert "the director decided." in table.text()
        return asked

    recording = Recording(State("GKABDFS", players=["Ann", "Bo", "Cy"]))
    assert "1/2-1/2-0 resignation" in recorded(ended, recording=recording)
    written = result.replace("½", "1/2").replace("⅓", "1/3")
    assert f'[Result "{written}"]' in recording.text


@pytest.mark.parametrize(
    ("language", "typed", "termination"),
    [
        ("de", "1-0 Aufgabe", "resignation"),
        ("de", "1-0 zeit", "time"),
        ("de", "½-½ schiedsspruch", "adjudication"),
        ("de", "1-0 resignation", "resignation"),
        ("en", "1-0 Resign", "resignation"),
    ],
)
def test_how_a_game_ended_is_typed_in_the_language(
    language: str, typed: str, termination: str
) -> None:
    async def ended(table: Table):
        await table.press("ctrl+e")
        asked = table.text()
        await table.press(typed, "enter")
        return asked

    recording = Recording(State("GKUWX", players=["Ann", "Bo"]))
    asked = recorded(ended, recording=recording, language=language)
    assert words(language)("termination.resignation") in asked
    assert f'[Termination "{termination}"]' in recording.text


def test_nothing_is_cut_off_in_a_narrow_terminal() -> None:
    """Keys, answers, all cards of a trick, all factions."""
    four = State("GKUWXBS", players=["Anna Keller", "Ben Roth", "Cleo Meier", "Dan O'Neill"])

    async def steps(table: Table) -> None:
        words = table.app.words
        await table.press("?")
        shown = ""
        while "▼" in table.text():
            shown += table.text()
            await table.press("?")
        shown += table.text()
        for keys, _ in HELP:
            assert f" {keys} " in shown
        await table.press("?")
        assert "▸" not in table.text()
        await table.press("u7u6g5g8k2x3")
        for card in ("U7", "U6", "G5", "G8", "K2+", "X3"):
            assert f"{card}│" in table.text().replace(" ", "")
        await table.press("ctrl+l")
        assert " U7 U6 | 1 G5 2 G8 3 K2+ 4 X3" in table.text()
        assert words("record.tricks-keys") in table.text()
        await table.press("escape")
        await table.press("u7")
        await table.press("g5")
        said = " ".join(table.text().split())
        for answer in table.app.keyboard.answers(table.app.keyboard.waiting):
            assert answer.text in said
        assert words("record.choose").split()[-1] in said

    for language in ("en", "de"):
        recorded(steps, language=language, state=four, size=(40, 24))

    async def beginning(table: Table) -> str:
        await table.press("u7")
        return table.text()

    shown = recorded(beginning, size=(40, 24))
    for letter in "GKUWX":
        assert f"\n {letter}  " in shown


def test_the_list_of_tricks_changes_who_took_which_card() -> None:
    """The keys are shown where there was something to choose."""
    three = State("GKDFSUX", players=["Anna Keller", "Ben Roth", "Cleo Meier"])

    def shown(table: Table) -> str:
        return " ".join(table.text().split())

    async def steps(table: Table) -> list[str]:
        words = table.app.words
        pick, look = words("record.mend-pick"), words("record.mend-look")
        await table.press("u7u6g5g8k2=u7x3x4s1s2s3=x3g1g2")
        await table.press("ctrl+l")
        assert pick not in shown(table)
        await table.press("up")
        assert pick in shown(table)
        assert look in shown(table)
        await table.press("=", "~", "enter")
        table.bells = 0
        await table.press("ctrl+l", "up", "up")
        assert pick in shown(table)
        assert look not in shown(table)
        await table.press("=", "enter", "ctrl+l", "=")
        assert (words("doubt.place") in shown(table), table.bells) == (True, 1)
        return table.recording.text.split("\n\n", 1)[1].splitlines()

    for language in ("en", "de"):
        assert recorded(steps, language=language, state=three, size=(110, 30))[:2] == [
            "1. U7,U6: G5 G8 K2+ =U6",
            "2. X3,X4: S1 S2 S3+ ~_ =X4",
        ]


def test_while_another_card_is_typed_other_keys_say_so() -> None:
    async def steps(table: Table):
        await table.press("u7", "g5", "w8", "x3", "u4", "g9")
        await table.choose("G9 was mistyped")
        told = []
        for key in ("?", "up", "ctrl+n"):
            await table.press(key)
            told.append(
                "First type the right card; Esc: back to the other answers." in table.text()
            )
        await table.press("escape")
        back = table.text()
        await table.choose("G9 was mistyped")
        await table.press("u5")
        return told, back, moves(table.recording)

    told, back, lines = recorded(steps)
    assert told == [True] * 3
    assert "it really happened" in back
    assert lines[1] == "2. X3: U4 U5+"
