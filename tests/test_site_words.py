"""Every word that a template of the pages asks for is in both catalogues, found by parsing them."""

from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from claimlog.language import LANGUAGES, site_words
from claimlog.web import rendering

TEMPLATES = sorted((Path(rendering.__file__).parent / "templates").glob("*.html"))


def asked(path):
    """What a template asks for: whose words, the key or how it begins, and whether for a number."""
    tree = Environment(autoescape=True).parse(path.read_text(encoding="utf-8"))
    for call in tree.find_all(nodes.Call):
        called = call.node
        counts = isinstance(called, nodes.Getattr) and called.attr == "count"
        name = called.node if counts else called
        if not isinstance(name, nodes.Name) or name.name not in ("say", "told") or not call.args:
            continue
        key = call.args[0]
        begins = isinstance(key, nodes.Concat)
        if begins:
            key = key.nodes[0]
        if isinstance(key, nodes.Const):
            number = counts or (name.name == "say" and len(call.args) > 1)
            yield ("site." if name.name == "say" else "") + key.value, begins, number


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
