"""Errors are keys and values: each key is worded in both languages, and raised somewhere."""

import ast
import errno
import json
import os
import pickle
import re
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

import claimlog
from claimlog.cards import deck_of
from claimlog.language import LANGUAGES
from claimlog.language.messages import KeyedError, Message, error_words, message_of

ROOT = Path(claimlog.__file__).parents[1]
OWN = {
    language: __import__(f"claimlog.language.{language}_errors", fromlist=["TEXTS"]).TEXTS
    for language in LANGUAGES
}
OF_OTHERS = ("s3.", "system.", "file.unseen", "file.cut-off", "file.damaged")
"""Complete English messages of the system, or of Python."""
KEY_AT = {"ApiError": 2, "add": 2, "_refuse": 2}
"""Which argument is the key, if it is not the first."""


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


MAKERS = {"KeyedError", "Message", "busy", "too_many", "unauthorized", "_refuse", "refuse", "said"}
"""What makes errors and messages, besides the classes of errors."""


def name_of(node: ast.expr) -> str:
    return getattr(node, "id", getattr(node, "attr", ""))


@cache
def parts() -> tuple[list[tuple[str, set[str]]], list[tuple[Path, ast.Call]]]:
    """The classes of claimlog with their bases; the calls of classes and `MAKERS`, with files."""
    classes = []
    made = []
    for folder in ("claimlog", "cli"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    name = name_of(node.func)
                    if name[:1].isupper() or name in MAKERS or name == "add":
                        made.append((path.relative_to(ROOT), node))
                elif isinstance(node, ast.ClassDef) and folder == "claimlog":
                    classes.append((node.name, set(map(name_of, node.bases))))
    return classes, made


def errors() -> set[str]:
    """The names of all error classes with keys, and of functions that make them."""
    known = {"KeyedError"}
    while True:
        more = {name for name, bases in parts()[0] if bases & known}
        if more <= known:
            return MAKERS | known
        known |= more


@cache
def calls() -> list[tuple[str, ast.expr, set[str]]]:
    """Each place that makes an error or a message: its key, and the names of its values."""
    names = errors()
    found = []
    for path, node in parts()[1]:
        name = name_of(node.func)
        of_faults = name == "add" and ast.unparse(node.func) == "faults.add"
        if name == "said" and path.parts[0] != "cli":
            continue  # of the pages
        if not (name in names or of_faults):
            continue
        place = f"{path}:{node.lineno}"
        given = {keyword.arg or "**" for keyword in node.keywords}
        at = KEY_AT.get(name, 0)
        if len(node.args) > at:
            key = node.args[at]
            if of_faults and isinstance(key, ast.Constant):
                key = ast.Constant(f"fault.{key.value}")
            elif of_faults and isinstance(key, ast.JoinedStr):
                key = ast.JoinedStr([ast.Constant("fault."), *key.values])
            found.append((place, key, given))
    assert len(found) > 250
    return found


def test_the_catalogues_have_the_same_keys_in_the_same_order() -> None:
    assert list(OWN["en"]) == list(OWN["de"])


def test_each_key_is_worded_in_both_languages() -> None:
    for key in OWN["en"]:
        check_words(key)


def check_words(key: str) -> None:
    english, german = (OWN[language][key] for language in LANGUAGES)
    if key.startswith(OF_OTHERS):
        assert english == "{text}"
    else:
        assert placeholders(english) == placeholders(german)
    values = {
        name: 7.5 if re.search(rf"\{{{name}:[.,]", english) else f"<{name}>"
        for name in placeholders(english) | placeholders(german)
    }
    for name in re.findall(r"\{(\w+):(?:or|and)\}", english):
        values[name] = [f"<{name}>", "another"]
    values = {name: 2 if f"{{{name}:g}}" in english else value for name, value in values.items()}
    for text, language in ((english, "en"), (german, "de")):
        said = Message(key, **values).worded(language)
        assert not set("{}") & set(said)
        for name in placeholders(text):
            assert f"<{name}>" in said or values[name] in (2, 7.5), said
        assert said.strip() == said


def pattern(key: ast.JoinedStr) -> re.Pattern[str]:
    """A pattern for keys that are put together."""
    parts = [re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".*"
             for part in key.values]  # fmt: skip
    return re.compile("".join(parts))


def test_each_error_has_its_key_and_its_values() -> None:
    wrong = []
    for place, key, given in calls():
        if isinstance(key, ast.Constant):
            text = OWN["en"].get(str(key.value))
            if text is None or ("**" not in given and not placeholders(text) <= given):
                wrong.append(f"{place}: {key.value}")
        elif isinstance(key, ast.JoinedStr) and "deck." not in ast.unparse(key):
            possible = pattern(key)
            if not any(map(possible.fullmatch, OWN["en"])):
                wrong.append(f"{place}: {possible.pattern}")
    assert wrong == []


def test_each_key_is_raised_somewhere() -> None:
    source = "".join(
        path.read_text(encoding="utf-8")
        for folder in ("claimlog", "cli")
        for path in (ROOT / folder).rglob("*.py")
        if not re.match("(en|de)[_.]", path.name)  # the catalogues
    )
    said = set(re.findall(r"""["']([A-Za-z0-9.-]+)["']""", source))
    said |= {f"{begin}.{name}" for begin in ("common", "fault", "entry", "limit") for name in said}
    said |= {f"record.{name}" for name in said} | {f"{name}-all" for name in said}
    put_together = [pattern(key) for _, key, _ in calls() if isinstance(key, ast.JoinedStr)]
    put_together = [one for one in put_together if one.pattern.strip(".*")]
    unused = [
        key
        for key in OWN["en"]
        if key not in said
        and not key.startswith(("s3.", "system.", "title."))
        and not any(one.fullmatch(key) for one in put_together)
    ]
    assert unused == []


def test_values_are_told_in_the_language_of_the_text() -> None:
    error = KeyedError("file.not-written", path=Path("a.db"), why=message_of(OSError(13, "No")))
    assert str(error) == "a.db cannot be written: no"
    assert error.message.worded("de") == "a.db kann nicht geschrieben werden: keine Berechtigung"
    rules = Message("question.rules", names=("LE2023", "Classic"))
    assert (str(rules), rules.worded("de")) == (
        "rules are LE2023 or Classic",
        "Regeln sind LE2023 oder Classic",
    )
    slow = Message("limit.rate", rate=2.5, seconds=0.44)
    assert str(slow) == "at most 2.5 requests per second are allowed; wait 0.4 s"
    assert slow.worded("de").startswith("höchstens 2,5 Anfragen pro Sekunde")


@pytest.mark.parametrize(
    ("message", "german"),
    [
        (
            Message("server.failed", url="http://h:1", why=Message("system.ECONNREFUSED", text="")),
            "http://h:1: dort antwortet niemand",
        ),
        (
            Message("server.refused", url="http://h:1", title=Message("title.unauthorized"),
                    why=Message("token.scope", scope="record")),
            "http://h:1: Ein Token ist nötig: das braucht ein Token mit der Berechtigung record",
        ),
        (
            Message("event.no-round", round="9", rounds=["1", "2"]),
            "das Turnier hat keine Runde 9, nur 1, 2",
        ),
        (Message("said", text="something that nobody knows: really"),
         "something that nobody knows: really"),
    ],
)  # fmt: skip
def test_what_is_filled_in_is_told_in_german_too(message: Message, german: str) -> None:
    assert message.worded("de") == german


def test_what_is_wrong_with_a_deck() -> None:
    with pytest.raises(ValueError, match="twice") as caught:
        deck_of("GG")
    said = message_of(caught.value)
    assert str(said) == str(caught.value)
    assert said.worded("de") == "Kobolde (G) sind doppelt aufgeführt"
    with pytest.raises(ValueError, match="is not a faction") as caught:
        deck_of("Z")
    field = Message("named", name="deck", why=message_of(caught.value))
    assert field.worded("de") == "deck: 'Z' ist keine Fraktion"


@pytest.mark.parametrize(
    ("error", "german"),
    [
        (OSError(errno.ENOENT, os.strerror(errno.ENOENT), "x"), "Datei oder Ordner nicht gefunden"),
        (OSError(-2, "Name or service not known"), "der Name ist unbekannt"),
        (TimeoutError("timed out"), "keine Antwort innerhalb der Frist"),
        (OSError(errno.EIO, "Input/output error"), "input/output error"),
        (RuntimeError("really"), "really"),
        (RuntimeError(), "RuntimeError"),
    ],
)
def test_errors_of_the_system(error: Exception, german: str) -> None:
    assert message_of(error).worded("de") == german


def test_an_error_survives_a_process_and_a_server() -> None:
    inner = Message("line.numbered", number=3, what=Message("line.no-json"))
    error = KeyedError("ledger.damaged", path="t.log", what=inner)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) == "t.log is damaged: line 3 is not JSON"
    sent = error.message.for_json()
    assert sent["values"]["what"]["values"]["what"] == {"key": "line.no-json", "values": {}}
    back = Message.from_json(sent["key"], sent["values"], "")
    assert back.worded("de") == "t.log ist beschädigt: Zeile 3 ist kein JSON"
    assert str(Message.from_json("of-2031", {"number": 1}, "It is so")) == "It is so"
    listed = Message("plan.choice", value="x", names=[Message("plan.name.rounds"), "y"])
    sent = listed.for_json()
    assert sent["values"]["names"] == [{"key": "plan.name.rounds", "values": {}}, "y"]
    back = Message.from_json(sent["key"], json.loads(json.dumps(sent["values"])), "")
    assert back.worded("de") == listed.worded("de") == "x ist nicht möglich; möglich sind runden, y"


def test_no_text_stands_in_two_catalogues() -> None:
    from claimlog.language import words

    for language in LANGUAGES:
        assert set(OWN[language]) & set(words(language).texts) == set()
        assert len(error_words(language).texts) > 700


def test_each_kind_of_error_over_http_has_its_title() -> None:
    from claimlog.api.http.problem import KINDS

    titles = {key.removeprefix("title.") for key in OWN["en"] if key.startswith("title.")}
    assert titles == set(KINDS)
    used = {
        node.args[1].value
        for _, node in parts()[1]
        if getattr(node.func, "id", "") == "ApiError" and isinstance(node.args[1], ast.Constant)
    }
    assert used <= set(KINDS)


def test_an_acronym_of_the_system_stays_one() -> None:
    assert str(message_of(OSError("CRC check failed"))) == "CRC check failed"
    assert str(message_of(OSError("S3 is down"))) == "S3 is down"
    assert str(message_of(OSError("Not a gzipped file"))) == "not a gzipped file"
