"""`claimlog rules`: its output is what the engine has."""

import os

import pytest
from replaying import GOLDEN, claimlog

from claimlog.cards import FACTIONS, all_decks
from claimlog.cli.rules import shown_values
from claimlog.language import words
from claimlog.rules.setup import RULINGS, default_rulings


def rules(*args, **env):
    code, out, err = claimlog("rules", *args, **env)
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    return out


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_overview(lang):
    out = rules("--lang", lang)
    for faction in FACTIONS:
        row = next(
            line
            for line in out.splitlines()
            if line.startswith(f"  {faction.letter} {faction.label(lang)} ")
        )
        assert f" {faction.size}  {shown_values(faction)}" in row
    for number in (len(all_decks(2)), len(all_decks(2, classic=True))):
        assert f" {number} " in out
    assert ("1,386" if lang == "en" else "1.386") in out
    for key, ruling in RULINGS.items():
        for value in ruling.values:
            assert f"{key}={value}" in out


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("faction", FACTIONS, ids=lambda faction: faction.letter)
def test_a_faction_by_its_letter_and_its_names(faction, lang):
    out = rules(faction.letter, "--lang", lang)
    assert out == rules(faction.letter.lower(), "--lang", lang)
    assert out == rules(faction.name.upper(), "--lang", lang)
    assert out == rules(faction.name_de, "--lang", lang)
    flat = " ".join(out.split())
    assert flat.startswith(f"{faction.label(lang)} ({faction.letter})")
    assert f"{faction.size}: {shown_values(faction)}" in flat
    assert words(lang)(f"power.{faction.letter}") in flat
    for key, ruling in RULINGS.items():
        assert (f"{key}={ruling.values[1]}" in flat) == (ruling.about == faction.letter)


def test_names_without_umlauts_and_cut_short():
    assert rules("koenige") == rules("M")
    assert rules("Doppelgaenger") == rules("X")
    assert rules("troll") == rules("T")
    assert rules("waschb") == rules("R")


@pytest.mark.parametrize(
    ("name", "lang", "words"),
    [
        ("Gobblins", "en", "There is no faction 'Gobblins'. Did you mean Goblins (G)"),
        ("Kobolt", "de", "Eine Fraktion 'Kobolt' gibt es nicht. Gemeint: Kobolde (G)"),
        ("gr", "en", "Did you mean Griffins (F)?"),
        ("Q", "en", "The factions are Goblins (G), Knights (K)"),
        ("12345", "de", "Es gibt Kobolde (G), Ritter (K)"),
    ],
)
def test_no_such_faction(name, lang, words):
    code, out, err = claimlog("rules", name, "--lang", lang)
    assert (code, out) == (2, "")
    assert words in err


def test_the_language_of_the_locale():
    assert rules("T", LC_ALL="", LANG="de_DE.UTF-8", PYTHONUTF8="1") == rules("T", "--lang", "de")


def test_the_values_as_they_are_shown():
    shown = {faction.letter: shown_values(faction) for faction in FACTIONS}
    assert shown["G"] == "0 ×5, 1–9"
    assert shown["K"] == "2–9"
    assert shown["N"] == "1 3 5 7 ×3, 9"
    assert shown["I"] == "1 3 5 7 ×2, 9"
    assert shown["R"] == "0–13"


@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_faction_has_its_phase(lang):
    for faction in FACTIONS:
        assert words(lang)(f"in.{faction.acts}") in rules(faction.letter, "--lang", lang)


def test_the_defaults_of_the_rulings_are_marked():
    out = " ".join(rules().split())
    for key, value in default_rulings("LE2023").items():
        assert f"{key}={value} (default)" in out
    for key, value in default_rulings("Classic").items():
        if value != default_rulings("LE2023")[key]:
            assert f"{key}={value} (default in Classic)" in out


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_overview_as_a_text(lang):
    path = GOLDEN / f"rules.{lang}.txt"
    out = rules("--lang", lang)
    if os.environ.get("GOLDEN") == "write":
        path.write_text(out, encoding="utf-8")
    assert out == path.read_text(encoding="utf-8")
