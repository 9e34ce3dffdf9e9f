"""`claimlog replay` as a process: its output, and how it ends.

After an intended change ``GOLDEN=write pytest tests/cli`` rewrites the golden texts.
"""

import gzip
import os
import subprocess
import sys

import pytest
from replaying import BROKEN, GAMES, GOLDEN, SCRIPT, claimlog, environment, games

TWO = GOLDEN / "two-goblins.clm"
BAD = GOLDEN / "broken.clm"


def check(name, text):
    path = GOLDEN / name
    if os.environ.get("GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


# What is printed ----------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_whole_replay(path, lang):
    code, out, err = claimlog("replay", path, "--lang", lang)
    assert (code, err) == (1 if path == BAD else 0, "")
    assert max(map(len, out.splitlines())) <= 80
    check(f"{path.stem}.{lang}.txt", out)


POSITIONS = [
    ("two-goblins", 10, None),
    ("two-gnomes", 20, None),
    ("two-gnomes", 20, "2"),
    ("three", 5, "spectator"),
    ("three", 20, None),
    ("four", 18, None),
    ("four-gnomes", 3, "4"),
    ("broken", 3, None),
]


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize(("name", "trick", "hide"), POSITIONS)
def test_one_position(name, trick, hide, lang):
    hidden = () if hide is None else ("--hide", hide)
    code, out, err = claimlog(
        "replay", GOLDEN / f"{name}.clm", "--trick", trick, *hidden, "--lang", lang
    )
    assert (code, err) == (1 if name == "broken" else 0, "")
    assert max(map(len, out.splitlines())) <= 80
    seen = f".hide-{hide}" if hide else ""
    check(f"{name}.trick{trick}{seen}.{lang}.txt", out)


def test_no_english_word_in_the_german_replay():
    english = {
        *("trick", "hands", "follow", "lead", "leads", "led", "win", "wins", "takes", "draws"),
        *("card", "cards", "pile", "round", "table", "seat", "side", "rules", "result", "faction"),
        *("most", "unknown", "none", "discards", "upcard", "upcards", "votes", "winner", "end"),
    }
    for path in GAMES:
        if path != BAD:  # messages of problems are English
            text = (GOLDEN / f"{path.stem}.de.txt").read_text(encoding="utf-8")
            lines = [line for line in text.splitlines() if "Kommentar" not in line]
            lines = [line for line in lines if not line.startswith("  Ort ")]
            lines = [line for line in lines if "Warnung" not in line and "held" not in line]
            words = set("\n".join(lines).lower().replace(":", " ").split())
            assert words.isdisjoint(english), path


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_broken_records_are_replayed_as_far_as_they_go(path):
    replayed = games(path)
    code, out, err = claimlog("replay", path)
    assert (code, err) == (0 if all(game.legal for game in replayed) else 1, "")
    for game in replayed:
        for problem in game.problems:
            assert f"line {problem.line}, column {problem.column}" in out.replace("\n    ", " ")
    assert out.count("Trick ") == sum(len(game.tricks) for game in replayed)


def test_all_games_of_a_file():
    text = b"\n".join(path.read_bytes() for path in GAMES)
    code, out, _ = claimlog("replay", "-", stdin=text)
    assert code == 1
    assert [line for line in out.splitlines() if line.startswith("Game ")] == [
        next(
            line.replace("Game 1", f"Game {number}")
            for line in (GOLDEN / f"{path.stem}.en.txt").read_text(encoding="utf-8").splitlines()
        )
        for number, path in enumerate(GAMES, 1)
    ]


def test_one_game_of_a_file():
    text = b"\n".join(path.read_bytes() for path in GAMES)
    number = 1 + [path.stem for path in GAMES].index("three")
    code, out, _ = claimlog("replay", "-", "--game", number, stdin=text)
    expected = (GOLDEN / "three.en.txt").read_text(encoding="utf-8")
    assert code == 0
    assert out.lstrip("\n") == expected.replace("Game 1", f"Game {number}", 1)


def test_packed_files(tmp_path):
    packed = tmp_path / "games.clm.gz"
    packed.write_bytes(gzip.compress(TWO.read_bytes()))
    assert claimlog("replay", packed) == claimlog("replay", TWO)
    from backports import zstd

    packed = tmp_path / "games.clm.zst"
    packed.write_bytes(zstd.compress(TWO.read_bytes()))
    assert claimlog("replay", packed) == claimlog("replay", TWO)


def test_output_without_a_terminal_has_no_colours():
    for env in ({}, {"FORCE_COLOR": "1"}, {"NO_COLOR": "1"}):
        assert "\x1b" not in claimlog("replay", TWO, **env)[1]


def test_text_of_records_cannot_steer_the_terminal():
    record = '[Event "a\x1b[2Jb\u202ec"] [Deck "GKUWX"]\n1. U7: G5 {\x1b]0;x\x07} *\n'
    record = record.replace("] [", "]\n[")
    code, out, _ = claimlog("replay", "-", stdin=record.encode())
    assert code == 0
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "\x07" not in out


def test_output_that_cannot_show_everything():
    code, out, _ = claimlog("replay", TWO, PYTHONIOENCODING="ascii")
    assert code == 0
    assert "Trick 26" in out


# Languages ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("env", "word"),
    [
        ({"LC_ALL": "de_DE.UTF-8"}, "Stich 1"),
        ({"LC_ALL": "", "LC_MESSAGES": "de_CH", "LANG": "en_GB"}, "Stich 1"),
        ({"LC_ALL": "", "LANG": "de_AT.UTF-8"}, "Stich 1"),
        ({"LC_ALL": "C.UTF-8", "LANG": "de_AT.UTF-8"}, "Trick 1"),
        ({"LC_ALL": "", "LANG": "fr_FR.UTF-8"}, "Trick 1"),
        ({"LC_ALL": ""}, "Trick 1"),
    ],
)
def test_the_language_is_that_of_the_locale(env, word):
    assert f"\n{word}\n" in claimlog("replay", TWO, PYTHONIOENCODING="utf-8", **env)[1]


def test_the_option_beats_the_locale():
    assert "\nTrick 1\n" in claimlog("replay", TWO, "--lang", "en", LANG="de_DE", LC_ALL="")[1]


# How it ends ----------------------------------------------------------------------------------


def test_a_file_that_cannot_be_read(tmp_path):
    cut = tmp_path / "cut.clm.gz"
    cut.write_bytes(gzip.compress(TWO.read_bytes() * 50)[:300])
    for path, words in (
        (tmp_path / "none.clm", "no such file"),
        (tmp_path, "is a directory"),
        (cut, "ended before"),
    ):
        for more in ((), ("--trick", "99"), ("--format", "json")):
            code, _, err = claimlog("replay", path, *more)
            assert code == 2
            assert words in err
            assert "Traceback" not in err
            assert str(path) in err


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--game", "2"], "has 1 game; there is no game 2"),
        (["--trick", "27"], "Game 1 has 26 tricks; there is no trick 27"),
        (["--hide", "3"], "Game 1 has 2 seats; there is no seat 3"),
        (["--hide", "5"], "--hide is a seat (1 to 4) or spectator, not 5"),
        (["--hide", "me", "--lang", "de"], "--hide ist ein Sitz"),
        (["--format", "json", "--trick", "3"], "cannot be combined with --trick or --hide"),
        (["--format", "json", "--hide", "1"], "cannot be combined with --trick or --hide"),
        (["--format", "xml"], "--format"),
        (["--lang", "fr"], "--lang"),
        (["--trick", "0"], "--trick"),
    ],
)
def test_wrong_calls(args, words):
    code, out, err = claimlog("replay", TWO, *args)
    assert (code, out) == (2, "")
    assert words in err
    assert "Traceback" not in err


def test_an_empty_file_has_no_game():
    assert claimlog("replay", "-")[0] == 2
    assert claimlog("replay", "-", "--format", "json") == (0, "", "")


def test_a_trick_behind_the_error():
    code, out, err = claimlog("replay", BAD, "--trick", "9")
    assert (code, out) == (1, "")
    assert "Game 1 has 4 tricks; there is no trick 9" in err
    assert "there is no card K1" in err


def test_a_reader_that_goes_away(tmp_path):
    many = tmp_path / "many.clm"
    many.write_bytes((TWO.read_bytes() + b"\n") * 200)
    with subprocess.Popen(
        [SCRIPT, "replay", many],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) in (0, 1)


# Start-up -------------------------------------------------------------------------------------

HEAVY = {"asyncio", "duckdb", "hashlib", "litestar", "msgspec", "rich", "tempfile", "textual"}


@pytest.mark.parametrize(
    "args",
    [
        ["replay", str(TWO), "--trick", "3"],
        ["replay", str(TWO)],
        ["replay", str(TWO), "--format", "json"],
        ["rules"],
        ["rules", "T"],
    ],
    ids=" ".join,
)
def test_nothing_heavy_is_imported(args):
    code = f"""
import sys
from claimlog.cli.main import app
try:
    app({args!r})
except SystemExit as end:
    assert not end.code, end.code
print(*sys.modules, file=sys.stderr)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True
    )
    assert HEAVY.isdisjoint(done.stderr.split())
