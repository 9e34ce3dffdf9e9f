"""English and German on the command line: help, tables and errors alike."""

import ast
import re
from functools import cache
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest
import typer
from archiving import claimlog, lay_out

import claimlog as package
from claimlog.cli.archive.stats import COLUMNS
from claimlog.cli.main import COMMANDS, Commands, app
from claimlog.directing.acts import Act
from claimlog.directing.model import Criterion
from claimlog.language.de_commands import TEXTS
from claimlog.store.questions.asked import QUESTIONS
from claimlog.store.questions.columns import columns, listed
from claimlog.store.questions.results import Grouping

pytest.importorskip("duckdb")

ROOT = Path(package.__file__).parents[1]
EVENT = "Zurich Claim Open (simulated)"
KEPT = {"#", "Deck", "deck", "Buchholz", "buchholz", "schema", "open"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("archive")
    lay_out(path)
    assert claimlog(path, "import", "zurich-open.clm")[0] == 0
    return path


def helped():
    """All texts of the help: of commands, arguments, options and their groups."""
    group = Commands()
    texts = set()

    def add(command):
        texts.update(filter(None, (command.help or "").split("\n\n")))
        for parameter in command.params:
            texts.update(
                filter(
                    None, (getattr(parameter, name, None) for name in ("help", "rich_help_panel"))
                )
            )
        for part in getattr(command, "commands", {}).values():
            add(part)

    add(typer.main.get_command(app))
    for name in COMMANDS:
        add(group.get_command(typer.Context(group), name))
    return texts


@cache
def written():
    """The texts that the code passes to `tr` and `tr_count` and the headings of columns; all."""
    spoken, texts = set(), set()
    for path in (ROOT / "cli").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", "")
                number = {"tr": 1, "Column": 1, "tr_count": 2}.get(name, 0)
                spoken.update(
                    argument.value
                    for argument in node.args[:number]
                    if isinstance(argument, ast.Constant)
                )
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts |= {node.value, " ".join(node.value.split())}
    return spoken, texts


def told_of_statistics():
    """The texts on pages and in tables of statistics: titles, and the headings of columns."""
    pages = [one for one in QUESTIONS if one.title]
    own = [one for one in pages if one.name not in COLUMNS]
    texts = {column.title for one in own for column in columns(listed(one.answers)[1])}
    return texts | {one.title for one in pages}


def told_of_acts():
    """What the director did, in a word."""
    return {one.__struct_config__.tag for one in get_args(Act)}


def head(text):
    """The part of a help text that is translated, without a list of names at its end."""
    return text if text in TEXTS else text.partition(": ")[0]


def test_every_text_has_its_german(monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    missing = {
        text
        for text in helped() | written()[0] | told_of_statistics() | told_of_acts()
        if head(text) not in TEXTS
    }
    assert missing <= KEPT


def test_no_german_without_its_english():
    words = set(written()[1])
    words |= {*get_args(Grouping), *get_args(Criterion)} | told_of_statistics() | told_of_acts()
    words |= {head(text) for text in helped()} | {
        "corrected",
        "conflict",
        "unchanged",
        *("paired", "running", "closed", "director", "entrant", "unlocked"),
        "with warnings",
        "error",
        "warning",
    }
    assert set(TEXTS) - words == set()


def test_placeholders_are_the_same():
    def names(of):
        return sorted(name for _, name, _, _ in Formatter().parse(of) if name is not None)

    for english, german in TEXTS.items():
        assert names(english) == names(german), english
        assert german.strip(), english


def test_the_language_of_option_and_locale(folder):
    for words, env in (
        (("games", "--lang", "de"), {}),
        (("--lang", "de", "games"), {}),
        (("games",), {"LC_ALL": "de_CH.UTF-8", "PYTHONUTF8": "1"}),
    ):
        out = claimlog(folder, *words, "--limit", "1", **env)[1]
        assert re.match(r"Kennung +Datum +Turnier ", out)
        assert "15.11.2026" in out
        assert "und 63 weitere (--limit)" in out
    out = claimlog(folder, "games", "--lang", "en", "--limit", "1", LC_ALL="de_CH.UTF-8")[1]
    assert "15 Nov 2026" in out
    assert claimlog(folder, "games", "--lang", "fr")[0] == 2


def test_the_help_in_german(folder):
    for words in (("games", "--help", "--lang", "de"), ("--lang", "de", "games", "--help")):
        code, out, _ = claimlog(folder, *words, COLUMNS="120")
        assert code == 0
        for text in ("Partien auflisten.", "Optionen", "Welche Partien", "Diese Hilfe zeigen."):
            assert text in out
        assert "[Vorgabe: newest]" in out
    out = claimlog(folder, "--help", "--lang", "de", COLUMNS="120")[1]
    assert "Partien auflisten." in out


def named():
    """All commands, by the words that call them."""
    group = Commands()
    for name in COMMANDS:
        command = group.get_command(typer.Context(group), name)
        for part, one in getattr(command, "commands", {"": command}).items():
            yield f"{name} {part}".split(), one


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_help_is_cut_off_at_80_columns(tmp_path, language):
    for words, _ in named():
        out = claimlog(tmp_path, *words, "--help", "--lang", language)[1]
        rest = out.replace("postgresql://…", "").replace("time …", "")
        assert "…" not in rest, (words, [line for line in rest.splitlines() if "…" in line])


def test_an_option_too_long_for_the_help_is_folded(tmp_path):
    out = claimlog(tmp_path, "event", "create", "--help", "--lang", "de")[1]
    assert "--changing-partners" in out
    text = re.sub(r"[│\s]", "", out)
    assert "win=3,draw=1,bye=2,half_bye=1" in text
    assert "[Umgebungsvariable:CLAIMLOG_LAKE]" in text


def test_german_help_names_options_that_the_command_has_or_the_english_names(monkeypatch):
    def texts(command):
        yield command.help or ""
        yield from (getattr(one, "help", "") or "" for one in command.params)

    def options(text):
        return set(re.findall(r"--[a-z][a-z-]*", text))

    monkeypatch.setattr("claimlog.cli.language._chosen", ["en"])
    english = {" ".join(words): list(texts(one)) for words, one in named()}
    monkeypatch.setattr("claimlog.cli.language._chosen", ["de"])
    for words, one in named():
        own = {name for parameter in one.params for name in parameter.opts}
        for text, before in zip(texts(one), english[" ".join(words)], strict=True):
            assert options(text) <= own | options(before), (words, text)


def test_every_command_takes_who_makes_the_change_from_the_environment():
    found = {}
    for words, command in named():
        for one in command.params:
            if one.name == "by" and "Who makes the change" in (one.help or ""):
                found[" ".join(words)] = one.envvar
    assert {"event rename", "players split", "game delete", "desk"} <= set(found)
    assert set(found.values()) == {"CLAIMLOG_BY"}


ERRORS = [
    (("gmaes",), "there is no command gmaes; did you mean games?"),
    (("event", "open"), "there is no command open; did you mean reopen?"),
    (("db", "restor", "x"), "there is no command restor; did you mean restore?"),
    (("games", "--seats", "7"), "--seats: 7 is not in the range 1<=x<=4"),
    (("games", "--seats", "two"), "--seats: two is not a whole number"),
    (("games", "--outcome", "drawn"), "--outcome: drawn is not one of won, lost, shared"),
    (("games", "--limt", "3"), "there is no option --limt; did you mean --limit?"),
    (("game", "show"), "ID is missing"),
    (("games", "--limit"), "--limit needs a value"),
    (("events", "surplus"), "unexpected argument surplus"),
]


@pytest.mark.parametrize(("words", "message"), ERRORS, ids=lambda value: str(value))
def test_a_wrong_call_is_told_like_other_errors(folder, words, message):
    code, out, err = claimlog(folder, *words)
    assert (code, out) == (2, "")
    assert err.splitlines()[0] == f"claimlog: {message}"
    assert all(line.startswith("see claimlog ") for line in err.splitlines()[1:])
    german = claimlog(folder, *words, "--lang", "de")[2] if words[-1] != "--limit" else ""
    assert message not in german


def test_names_in_csv_and_json_stay_english(folder):
    for form in ("csv", "json"):
        for words in (("games", "--limit", "3"), ("stats", "factions"), ("standings", EVENT)):
            english, german = (
                claimlog(folder, *words, "--format", form, "--lang", language)[1]
                for language in ("en", "de")
            )
            assert english == german


def test_german_numbers(folder):
    out = claimlog(folder, "stats", "leads", "--lang", "de")[1]
    assert re.search(r"spielte zu Stich 1 aus +64 +\d+,\d % ±", out)


def test_problems_are_told_in_german_and_reports_for_programs_in_english(folder):
    code, out, _ = claimlog(folder, "validate", "wrong.clm", "--lang", "de")
    assert code == 1
    assert "Fehler: revoke: Stich 1: Sitz 2 hat Kobolde nicht bedient" in out
    assert out.endswith("1 Partie, 1 ungültig\n")
    for form in ("json", "github"):
        english, german = (
            claimlog(folder, "validate", "wrong.clm", "--format", form, "--lang", language)[1]
            for language in ("en", "de")
        )
        assert english == german


def test_dative_plurals_and_editions(folder):
    out = " ".join(claimlog(folder, "rules", "goblins", "--lang", "de")[1].split())
    assert "Ein Paar mit Rittern (K)" in out
    assert "Aus dem Grundspiel" in out
    assert "From Claim 2" in claimlog(folder, "rules", "trolls")[1]
    assert "New in the limited edition of 2023" in claimlog(folder, "rules", "vikings")[1]


def test_every_faction_has_an_edition():
    from claimlog.cards import FACTIONS
    from claimlog.cli.rules import EDITIONS

    assert sorted("".join(EDITIONS.values())) == sorted(f.letter for f in FACTIONS if f.classic)


@pytest.mark.parametrize("spoken", ["en", "de"])
def test_the_list_of_commands_says_what_their_own_help_says(monkeypatch, spoken):
    """The list is made without the commands' options, which take long to build."""
    monkeypatch.setattr("claimlog.cli.language._chosen", [spoken])
    help = claimlog_help(spoken)
    for name in COMMANDS:
        group = Commands()
        whole = group.get_command(typer.Context(group), name)
        first = " ".join(whole.help.split("\n\n")[0].split())
        assert f"{name} {first}" in help, name


def claimlog_help(spoken):
    """The help of all commands, without its frames and line breaks."""
    text = claimlog(Path.cwd(), "--help", "--lang", spoken, COLUMNS="200")[1]
    return " ".join(re.sub(r"[│╭╮╰╯─]", " ", text).split())
