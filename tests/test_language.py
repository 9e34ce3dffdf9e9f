"""The two catalogues: the same keys, the same placeholders, no unused text."""

import re
from pathlib import Path
from string import Formatter

import pytest

import claimlog
from claimlog.cards import FACTIONS
from claimlog.language import LANGUAGES, language_of, words
from claimlog.notation.problems import CODES
from claimlog.notation.reader import sheets
from claimlog.notation.tags import TERMINATIONS
from claimlog.replay.narration import SHOWN_TAGS
from claimlog.replay.recorder import Recorder
from claimlog.rules.reasons import REASONS
from claimlog.rules.setup import RULINGS

pytestmark = pytest.mark.no_cover

ROOT = Path(claimlog.__file__).parents[1]
TELLING = ("language", "recording", "replay", "web")
"""The packages that take texts from the catalogues, besides the command line."""


def placeholders(text):
    return sorted({name for _, name, _, _ in Formatter().parse(text) if name is not None})


def test_the_catalogues_have_the_same_keys_in_the_same_order():
    english, german = (list(words(language).texts) for language in LANGUAGES)
    assert english == german


def test_the_texts_have_the_same_placeholders():
    for key in words().texts:
        english, german = (words(language).texts[key] for language in LANGUAGES)
        assert placeholders(english) == placeholders(german), key
        assert english.strip(), key
        assert german.strip(), key


def test_the_factions_and_rulings_have_their_words():
    for language in LANGUAGES:
        texts = words(language).texts
        assert {key for key in texts if key.startswith("power.")} == {
            f"power.{faction.letter}" for faction in FACTIONS
        }
        assert {key for key in texts if key.startswith("ruling.")} == {
            name
            for key, ruling in RULINGS.items()
            for name in (f"ruling.{key}", *(f"ruling.{key}.{value}" for value in ruling.values))
        }
        assert {key for key in texts if key.startswith("termination.")} == {
            f"termination.{name}" for name in TERMINATIONS
        }


def test_every_reason_has_its_words():
    """Double counts and the longest run have no text: the table of the score shows them."""
    for language in LANGUAGES:
        texts = words(language).texts
        missing = {code for code in REASONS if code not in texts and f"{code}.one" not in texts}
        assert missing == {"counts.viking", "counts.run"}


def test_every_text_is_used():
    source = "".join(
        path.read_text(encoding="utf-8")
        for folder in (
            "cli",
            "claimlog/analysis",
            "claimlog/api/handlers",
            "claimlog/directing",
            "claimlog/draw",
            "claimlog/language",
            "claimlog/recording",
            "claimlog/replay",
            "claimlog/web",
        )
        for path in (ROOT / folder).rglob("*.py")
        if not re.match("(en|de)[._]", path.name)
    )
    named = set(re.findall(r"""["']([a-zA-Z0-9.-]+)["']""", source))
    named |= {f"problem.{how}-{did}" for how in ("held", "it") for did in ("played", "discarded")}
    named |= set(SHOWN_TAGS)
    named |= set(REASONS) | {f"taken.{how}-unknown" for how in ("seer", "upcard", "hidden")}
    # Put together in the code: by faction, ruling and so on.
    composed = {"analysis", "power", "ruling", "doubt", "due", "try"}
    composed |= {"termination", "in", "phase-1", "phase-2", "wanted", "deck", "slip"}
    composed |= {"by", "order", "early"}
    composed |= {"none", "none-but", "several", "from-base", "from-claim-2", "from-limited"}
    unused = [
        key
        for key in words().texts
        if key not in named
        and key.removesuffix(".one").removesuffix(".other") not in named
        and key.split(".")[0] not in composed
        # Used by scripts (tests/api/test_pages.py, test_replay_html.py).
        and not key.startswith(("page.", "viewer.", "worth."))
    ]
    assert unused == []


def test_lists_in_words():
    assert words().join([]) == ""
    assert words().join(["a"]) == "a"
    assert words().join(["a", "b", "c"]) == "a, b and c"
    assert words("de").join(["a", "b"]) == "a und b"
    with pytest.raises(ValueError, match="no such language"):
        words("fr")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de"}, "de"),
        ({"LANG": "DE-at"}, "de"),
        ({"LC_MESSAGES": "de_CH@euro", "LANG": "en_US"}, "de"),
        ({"LC_ALL": "POSIX", "LANG": "de_DE"}, "en"),
        ({"LC_ALL": "", "LANG": "de_DE"}, "de"),
        ({"LANG": "nl_NL"}, "en"),
    ],
)
def test_the_language_of_a_locale(environment, language):
    assert language_of(environment) == language


def test_every_problem_is_told_in_both_languages():
    """Every finding has a different message in each language, in the records of data/broken."""
    folder = ROOT / "data" / "broken"
    messages = {language: {} for language in LANGUAGES}
    for path in sorted(folder.glob("*.clm")):
        for language in LANGUAGES:
            recorder = Recorder(words(language))
            with path.open("rb") as stream:
                found = [recorder.record(*item).problems for item in sheets(stream.read)]
            messages[language][path.stem] = [problem for game in found for problem in game]
    english, german = messages.values()
    places = {
        language: [
            (name, problem.code, problem.line, problem.column)
            for name, problems in messages[language].items()
            for problem in problems
        ]
        for language in LANGUAGES
    }
    assert places["en"] == places["de"]
    assert {code for _, code, _, _ in places["en"]} == set(CODES)
    for name, problems in english.items():
        for one, other in zip(problems, german[name], strict=True):
            assert one.message != other.message, name
            # Text quoted from the record is the same in both.
            assert one.card is None or (one.card in one.message) == (one.card in other.message)
