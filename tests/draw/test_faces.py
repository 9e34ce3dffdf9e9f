"""How factions look: readable on light and dark paper, distinguishable for everybody."""

import itertools

import pytest
from colours import SIGHT, apart, contrast, linear

from claimlog.cards import LETTERS
from claimlog.draw.faces import FACES
from claimlog.draw.svg import PAPERS
from claimlog.web import assets

THEMES = ("light", "dark")


def colours(theme):
    return {letter: parts(getattr(face, theme)) for letter, face in FACES.items()}


def parts(text):
    return linear(*bytes.fromhex(text.removeprefix("#")))


def test_every_faction_has_a_face_of_its_own():
    assert list(FACES) == list(LETTERS)
    for field in range(4):
        assert len({face[field] for face in FACES.values()}) == len(FACES)


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("theme", THEMES)
def test_colours_are_told_apart(theme, sight):
    for one, other in itertools.combinations(colours(theme).values(), 2):
        assert apart(one, other, sight) > 12


def test_pictures_lie_on_the_paper_of_the_pages_and_colours_are_read_on_it():
    style = assets.unpacked(assets.page().files["theme.css"]).decode()
    for theme, rules in zip(
        THEMES, style.split("@media (prefers-color-scheme: dark)"), strict=True
    ):
        for name in ("paper", "sheet", "ink", "dim"):
            assert f"--{name}: {PAPERS[theme][name]};" in rules
        for letter, colour in colours(theme).items():
            assert contrast(colour, parts(PAPERS[theme]["sheet"])) >= 4.5, letter
