"""Whatever archive, server and system refuse is told in German too, at the command line."""

import ast
import re
from pathlib import Path

import pytest

import claimlog
from claimlog.cli.language import choose, said
from claimlog.language.de_errors import TEXTS
from claimlog.store.intake.checks import _COUNTS

ROOT = Path(claimlog.__file__).parents[1]
ERRORS = {
    *("ArchiveError", "ArchiveMissing", "ArchiveLocked", "ArchiveDamaged", "ArchiveTooNew"),
    *("ArchiveReadOnly", "ArchiveClosed", "Cancelled", "DiskFull", "OutOfMemory", "NotFound"),
    *("GameDeleted", "InvalidRecord", "Conflict", "RevisionChanged", "BadQuery", "Ambiguous"),
    *("ServerError", "TokenError", "ArchiveUnreachable", "Overtaken", "ClusterError"),
}


@pytest.fixture(autouse=True)
def in_german(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimlog.cli.language._chosen", ["de"])


def written(node: ast.expr) -> str:
    """The text of an expression, with X for all that is put into it."""
    match node:
        case ast.Constant():
            return str(node.value)
        case ast.JoinedStr():
            return "".join(map(written, node.values))
    return "X"


def raised() -> list[str]:
    """The messages that store and client refuse with."""
    texts = set()
    for path in (
        *(ROOT / "claimlog" / "store").rglob("*.py"),
        ROOT / "claimlog" / "client.py",
        ROOT / "claimlog" / "spread.py",
        ROOT / "claimlog" / "api" / "tokens.py",
    ):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
                if name in ERRORS:
                    texts.add(written(node.args[0]))
    assert len(texts) > 80
    return sorted(texts)


@pytest.mark.parametrize("message", raised())
def test_every_refusal_has_its_german(message: str) -> None:
    if not re.sub(r"X|HTTP|[: ]", "", message):
        return
    # What is filled in is a word of its own in a few: nothing else could stand there.
    for word in ("is empty", "player", "its rounds are 1"):
        filled = message.replace("X, but", f"{word}, but").replace("no X X", f"no {word} X")
        filled = filled.replace("X Xs may", f"X {word}s may").replace(": X", f": {word}")
        if said(filled) != filled:
            return
    pytest.fail(f"no German for {message!r}")


@pytest.mark.parametrize("message", [message for _, message, _ in _COUNTS])
def test_every_fault_has_its_german(message: str) -> None:
    assert said(message) != message


@pytest.mark.parametrize("english", TEXTS)
def test_the_german_of_each_is_its_own(english: str) -> None:
    """No other text catches it, and what is filled in stands in the German too."""
    filled = re.sub(r"\{(\w+)\}", "<\\1>", english)
    assert said(filled) == re.sub(r"\{(\w+)\}", "<\\1>", TEXTS[english])


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("a.db cannot be written: Permission denied",
         "a.db kann nicht geschrieben werden: keine Berechtigung"),
        ("http://h:1: connection refused", "http://h:1: dort antwortet niemand"),
        ("http://h:1: A token is needed: this needs a token with the scope record",
         "http://h:1: Es braucht ein Token: das braucht ein Token mit der Berechtigung record"),
        ("rules are LE2023 or Classic", "Regeln sind LE2023 oder Classic"),
        ("deck: 'Z' is not a faction", "deck: 'Z' ist keine Fraktion"),
        ("the event has no round 9: its rounds are 1, 2",
         "das Turnier hat keine Runde 9, nur 1, 2"),
        ("something that nobody knows: really", "something that nobody knows: really"),
    ],
)  # fmt: skip
def test_what_is_filled_in_is_told_in_german_too(english: str, german: str) -> None:
    assert said(english) == german


def test_english_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimlog.cli.language._chosen", [])
    choose("en")
    assert said("there is no token x") == "there is no token x"
