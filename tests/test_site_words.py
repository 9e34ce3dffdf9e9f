"""Every text that a template or the viewer's scripts use is in both catalogues."""

import re
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from claimlog.api.pages.events import OTHER_WORDS
from claimlog.cli.language import amount, points
from claimlog.language import LANGUAGES, site_words
from claimlog.web import rendering, replay

STATIC = Path(rendering.__file__).parent / "static"
VIEWER = "".join(
    (STATIC / f"{name}.js").read_text(encoding="utf-8")
    for name in ("replay", *(path.stem for path in sorted(STATIC.glob("viewer*.js"))))
)
TEMPLATES = sorted((Path(rendering.__file__).parent / "templates").glob("*.html"))


def asked(path):
    """A template's texts: catalogue, key or its beginning, and whether it takes a number."""
    tree = Environment(autoescape=True).parse(path.read_text(encoding="utf-8"))
    for call in tree.find_all(nodes.Call):
        called = call.node
        counts = isinstance(called, nodes.Getattr) and called.attr == "count"
        name = called.node if counts else called
        if not isinstance(name, nodes.Name) or name.name not in ("say", "words") or not call.args:
            continue
        key = call.args[0]
        begins = isinstance(key, nodes.Concat)
        if begins:
            key = key.nodes[0]
        if isinstance(key, nodes.Const):
            number = counts or (name.name == "say" and len(call.args) > 1)
            yield ("site." if name.name == "say" else "") + key.value, begins, number


def test_what_is_rounded_to_zero_has_no_minus():
    for language, zero in (("en", "0.00"), ("de", "0,00")):
        words = site_words(language)
        assert rendering.number(words, -0.004, 2) == zero
        assert rendering.points(words, -0.0) == "0"
        assert rendering.percent(words, -0.0001).startswith(zero[:3])
    assert points(-0.004) == "0.00"
    assert (amount(-0.0), amount(-1204.5, 1)) == ("0", "-1,204.5")


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_template_asks_for_no_word_that_is_not_there(path, language):
    texts = site_words(language).texts
    for key, begins, number in asked(path):
        if begins:
            assert any(known.startswith(key) for known in texts), key
        elif number:
            assert {f"{key}.one", f"{key}.other"} <= set(texts), key
        else:
            assert key in texts, key


def test_the_templates_ask_for_many():
    assert len({key for path in TEMPLATES for key, *_ in asked(path)}) > 80


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_viewer_asks_for_no_word_that_does_not_come_with_the_game(language):
    """api/test_pages.py checks the table's page."""
    texts = replay._texts(language)
    said = set(re.findall(r'\btext\(\s*"([^"]+)"', VIEWER))
    said |= {
        f"{key}.{form}"
        for key in re.findall(r'\bseveral\(\s*"([^"]+)"', VIEWER)
        for form in ("one", "other")
    }
    # The table of keys: anything that is not a key is shown as it is.
    (table,) = re.findall(r"const HELP = \[(.*?)\n\];", VIEWER, re.DOTALL)
    said |= {
        key for pair in re.findall(r'\["(.*?)", "(.*?)"\]', table) for key in pair if "." in key
    }
    said |= {f"viewer.{key}" for key in re.findall(r'\bbutton\("\w+", "([^"]+)"', VIEWER)}
    said.discard("x  1 2 3 …")
    assert len(said) > 40
    assert said - set(texts) == set()
    beginnings = set(re.findall(r"\btext\(`([a-z.-]+[.-])\$\{", VIEWER))
    assert {
        begin for begin in beginnings if not any(key.startswith(begin) for key in texts)
    } == set()


def test_every_text_of_the_site_and_of_the_viewer_is_used():
    """As its key in a template or a script, or put together from a beginning that occurs."""
    asks = [one for path in TEMPLATES for one in asked(path)]
    named = {key for key, begins, _ in asks if not begins}
    beginnings = {key for key, begins, _ in asks if begins} | {"site.wall.", "wall."}
    sources = Path(rendering.__file__).parents[1].rglob("*.py")
    source = "".join(
        path.read_text(encoding="utf-8") for path in sources if path.parent.name != "language"
    )
    quoted = set(re.findall(r"""["'`]([\w.-]+)["'`]""", source + VIEWER))
    beginnings |= set(re.findall(r"""f"((?:site|viewer)\.[\w.-]*[.-])\{""", source))
    unused = [
        key
        for key in site_words().texts
        if key.startswith(("site.", "viewer."))
        and not {key, stem := key.removesuffix(".one").removesuffix(".other")} & (named | quoted)
        and stem.partition(".")[2] not in quoted
        and not any(key.startswith(begin) for begin in beginnings)
    ]
    assert unused == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_wall_has_the_words_that_its_script_asks_for_and_no_others(language):
    """A tie-break's text is looked up by its name, if there is a shorter one than its title."""
    script = (STATIC / "wall.js").read_text(encoding="utf-8")
    said = set(re.findall(r"\bwords\.(\w+)", script))
    texts = site_words(language).texts
    there = {key.removeprefix("site.wall.") for key in texts if key.startswith("site.wall.")}
    there |= OTHER_WORDS.keys()
    tiebreaks = {key.removeprefix("site.tiebreak.") for key in texts if "site.tiebreak." in key}
    assert len(said) > 8
    assert said - there == set()
    assert there - said - tiebreaks == set()


def test_the_page_of_a_puzzle_has_the_words_that_its_script_asks_for_and_no_others():
    script = (STATIC / "puzzle.js").read_text(encoding="utf-8")
    begin = "site.puzzle.say."
    there = {key.removeprefix(begin) for key in site_words().texts if key.startswith(begin)}
    assert there == set(re.findall(r'\bphrase\(\s*"(\w+)"', script)) != set()
