"""One colour a faction: readable on black and on white, told apart by everybody."""

import itertools
import math
import re

import pytest
from replaying import DATA, SCRIPT, environment, sized

from claimlog.cards import LETTERS
from claimlog.cli.palette import FACTIONS, STYLES, escape, rich_style

# Machado, Oliveira, Fernandes 2009, severity 1.0: what people see who lack one kind of cone.
SIGHT = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no blue": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def linear(number):
    """The linear red, green and blue of one of xterm's 256 colours."""
    if number >= 232:
        parts = [8 + (number - 232) * 10] * 3
    else:
        level = (0, 95, 135, 175, 215, 255)
        parts = [
            level[(number - 16) // 36],
            level[(number - 16) // 6 % 6],
            level[(number - 16) % 6],
        ]
    return [p / 255 / 12.92 if p <= 10 else ((p / 255 + 0.055) / 1.055) ** 2.4 for p in parts]


def lab(parts):
    """CIE L*a*b* under daylight."""
    red, green, blue = parts
    xyz = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883,
    )
    x, y, z = (p ** (1 / 3) if p > 0.008856 else 7.787 * p + 16 / 116 for p in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def seen(number, sight):
    own = linear(number)
    return lab([min(1, max(0, sum(m * p for m, p in zip(row, own, strict=True)))) for row in sight])


def test_every_faction_has_a_colour_of_its_own():
    assert set(FACTIONS) == set(LETTERS)
    assert len(set(FACTIONS.values())) == len(FACTIONS)


@pytest.mark.parametrize("sight", SIGHT)
def test_colours_are_told_apart(sight):
    for one, other in itertools.combinations(FACTIONS, 2):
        apart = math.dist(seen(FACTIONS[one], SIGHT[sight]), seen(FACTIONS[other], SIGHT[sight]))
        assert apart > 13, (one, other, apart)


def test_colours_are_read_on_black_and_on_white():
    for letter, number in FACTIONS.items():
        red, green, blue = linear(number)
        light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        assert 1.05 / (light + 0.05) > 2.5, letter
        assert (light + 0.05) / 0.05 > 2.5, letter


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
