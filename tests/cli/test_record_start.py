"""What `claimlog record` asks before the first card, and what it makes of the answers."""

from __future__ import annotations

import pytest

from claimlog.cli.record import start as module
from claimlog.cli.record.start import Options, start
from claimlog.recording import Recording


class Asked:
    """Somebody who answers; what was asked and said is kept."""

    def __init__(self, monkeypatch, *answers):
        self.answers = list(answers)
        self.lines: list[str] = []
        monkeypatch.setattr(module.typer, "prompt", self.prompt)
        monkeypatch.setattr(module.typer, "echo", self.lines.append)

    def prompt(self, question, default=None, show_default=True):
        self.lines.append(question)
        return self.answers.pop(0) or default


def head(state) -> list[str]:
    """The tags of a record, without the time."""
    lines = Recording(state).text.split("\n\n")[0].splitlines()
    return [line for line in lines if not line.startswith(("[CLM", "[Date", "[Start", "[Result"))]


def test_what_no_option_says_is_asked_and_asked_again(monkeypatch):
    asked = Asked(
        monkeypatch, "Open", "3", "", "Anna  Keller", "Ben", "", "gkuwq", "gkuw", "r, u g k w",
        "x", "2", "R2 G5", "r2 R5",
    )  # fmt: skip
    assert head(start(Options([]))) == [
        '[Event "Open"]',
        '[Round "3"]',
        '[Player1 "Anna Keller"]',
        '[Player2 "Ben"]',
        '[Deck "GKRUW"]',
        '[Leader "2"]',
        '[LootCards "R2 R5"]',
    ]
    assert not asked.answers
    page = "\n".join(asked.lines)
    for line in (
        "  G Goblins, K Knights",
        "  M Kings, P Peasants",
        "and 3 of: A Automatons, B Bards",
        "  'q' is not a faction",
        "  a seat is 1 to 2",
        "  G5 is not a Raccoon; they are R0 to R13",
        "Who leads trick 1: 1 Anna Keller, 2 Ben",
    ):
        assert line in page, line


def test_only_what_matters_is_asked(monkeypatch):
    """Loot where there are Raccoons, the rule set where the deck leaves a choice."""
    asked = Asked(monkeypatch, "classic")
    given = Options(["A", "B"], "", "", "", "GKUWX", leader=1, rulings=("trolls=highest",))
    state = start(given)
    assert (state.setup.rules, state.setup.rulings["trolls"]) == ("Classic", "highest")
    assert asked.lines == ["Rule set, LE2023 or Classic"]
    asked = Asked(monkeypatch, "")
    state = start(Options(["A", "B", "C"], "", "", "", "GKARUWX", "LE2023", leader=3))
    assert state.setup.loot is None
    assert len(asked.lines) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (Options([], deck="GKUWQ"), "'Q' is not a faction"),
        (Options([], deck="GKUW"), "ten-card"),
        (Options(["A", "B", "C"], deck="GKUWX"), "with 3 players"),
        (Options(["A", "B"], deck="GKUWX", leader=3), "seat 3"),
        (Options([], rules="LE2022"), "--rules must be LE2023 or Classic"),
        (Options([], rulings=("trolls=row",)), "no such ruling: trolls=row; there are trolls="),
        (Options([], loot="R2 R14"), "R14 is not a Raccoon"),
        (Options(["A", "B"], deck="GKARX", rules="Classic"), "Classic does not know"),
    ],
)
def test_an_option_that_cannot_be_is_told_before_anything_is_asked(monkeypatch, options, message):
    asked = Asked(monkeypatch)
    with pytest.raises(ValueError, match=message):
        start(options)
    assert asked.lines == []
