"""One colour per faction: readable on black and on white, distinguishable for everybody."""

import itertools
import re

import pytest
from colours import SIGHT, apart, contrast, linear
from replaying import DATA, SCRIPT, environment, sized

from claimlog.cards import LETTERS
from claimlog.cli.palette import FACTIONS, STYLES, escape, rich_style


def xterm(number):
    """One of xterm's 256 colours."""
    if number >= 232:
        return linear(*[8 + (number - 232) * 10] * 3)
    level = (0, 95, 135, 175, 215, 255)
    return linear(
        level[(number - 16) // 36], level[(number - 16) // 6 % 6], level[(number - 16) % 6]
    )


def test_every_faction_has_a_colour_of_its_own():
    assert set(FACTIONS) == set(LETTERS)
    assert len(set(FACTIONS.values())) == len(FACTIONS)


@pytest.mark.parametrize("sight", SIGHT)
def test_colours_are_told_apart(sight):
    for one, other in itertools.combinations(FACTIONS, 2):
        assert apart(xterm(FACTIONS[one]), xterm(FACTIONS[other]), sight) > 11, (one, other)


@pytest.mark.parametrize(
    ("paper", "least"),
    [
        ((0, 0, 0), 3.5),
        ((0x1E, 0x1E, 0x1E), 3),  # the black of editors and of many terminals
        ((0x30, 0x0A, 0x24), 3),  # Ubuntu's
        ((0x00, 0x2B, 0x36), 2.5),  # Solarized
        ((255, 255, 255), 2.5),
    ],
)
def test_colours_are_read_on_dark_and_on_white(paper, least):
    for letter, number in FACTIONS.items():
        assert contrast(xterm(number), linear(*paper)) > least, letter


def test_both_ways_of_writing_a_style_say_the_same(monkeypatch):
    from rich.color import ColorSystem
    from rich.style import Style

    monkeypatch.setenv("TERM", "xterm-256color")
    for style in (*STYLES, *(f"faction {letter}" for letter in LETTERS)):
        theirs = Style.parse(rich_style(style)).render("x", color_system=ColorSystem.EIGHT_BIT)
        assert f"{escape(style)}x\x1b[0m" == theirs
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("COLORTERM", raising=False)
    assert escape("faction G") == rich_style("faction G") == ""


def test_the_same_colour_in_every_deck():
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    decks = set()
    for name in ("sample.clm", "powers/peasants.clm"):
        text = pexpect.run(
            f"{SCRIPT} replay {DATA / name} --format text", env=environment(), encoding="utf-8",
            **sized(24, 80),
        )  # fmt: skip
        decks.add(re.search(r'Deck "(\w+)"', (DATA / name).read_text()).group(1))
        assert f"\x1b[38;5;{FACTIONS['U']}mU" in text
    assert len(decks) == 2
