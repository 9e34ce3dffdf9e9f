"""`claimlog picture` and `claimlog stats --plot`, as users run them."""

import re
import subprocess
import sys
from collections import Counter
from xml.etree import ElementTree

import pytest
from archiving import at, claimlog, lay_out

from claimlog import dumps, simulate_games

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("archive")
    lay_out(path)
    assert claimlog(path, "import", "zurich-open.clm", "team-cup.clm")[0] == 0
    return path


def texts(path):
    root = ElementTree.parse(path).getroot()
    assert root.tag == f"{SVG}svg"
    return [element.text.strip() for element in root.iter(f"{SVG}text")]


def size_of(image):
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    return tuple(int.from_bytes(image[i : i + 4], "big") for i in (16, 20))


@pytest.mark.needs("resvg_py")
def test_a_moment_of_a_game(folder):
    call = ("picture", "sample.clm", "--trick", "7", "--play", "1")
    assert claimlog(folder, *call, "-o", "x.svg", "--lang", "de") == (0, "", "")
    shown = texts(folder / "x.svg")
    assert "Stich 7 von 26 · Phase 1" in shown
    assert "Ben Roth ist am Zug." in shown
    assert "K6" in shown
    code, out, _ = claimlog(folder, *call, "--seat", "1", "-o", "-")
    assert code == 0
    assert "what Anna Keller could see" in out
    assert "K6" not in out
    assert claimlog(folder, *call, "--size", "600x500", "-o", "x.png") == (0, "", "")
    assert size_of((folder / "x.png").read_bytes()) == (600, 500)


def test_a_game_by_its_code_and_one_of_an_archive(folder):
    code = claimlog(folder, "link", "sample.clm")[1].strip()
    stored = claimlog(folder, "games", "--format", "csv")[1].splitlines()[1].split(",")[0]
    for name in (code, stored):
        assert claimlog(folder, "picture", name, "-o", "y.svg") == (0, "", "")
        assert any(
            "26 · Phase 2" in text or "18 · Phase 2" in text for text in texts(folder / "y.svg")
        )


@pytest.mark.needs("matplotlib", "resvg_py")
def test_the_course_of_a_game(folder):
    assert claimlog(folder, "picture", "sample.clm", "--course", "-o", "c.svg") == (0, "", "")
    shown = texts(folder / "c.svg")
    for text in ("Goblins", "Doppelgangers", "Phase 2", "7 Ben Roth", "5 Anna Keller"):
        assert text in shown
    first = (folder / "c.svg").read_bytes()
    assert b"//" not in first.replace(b"http://www.w3.org/", b"")
    assert claimlog(folder, "picture", "sample.clm", "--course", "-o", "c.svg") == (0, "", "")
    assert (folder / "c.svg").read_bytes() == first
    call = ("picture", "team-cup.clm", "--course", "--size", "800x640", "-o", "c.png")
    assert claimlog(folder, *call) == (0, "", "")
    assert size_of((folder / "c.png").read_bytes()) == (800, 640)


def test_cards_bear_what_they_are_worth(folder):
    """Those of the seat to play, and only if they are visible."""
    game = next(simulate_games(1, deck="GKBSU", policy="random", seed=7))
    (folder / "cheap.clm").write_text(dumps(game))
    found = {}
    for view in (None, "2", "1", "spectator"):
        seat = () if view is None else ("--seat", view)
        call = ("cheap.clm", "-t", "22", "--worth", *seat, "-o", "w.svg")
        code, out, err = claimlog(folder, "picture", *call)
        assert (code, out) == (0, "")
        assert ("no card has a value here" in err) == (view in ("1", "spectator"))
        found[view] = Counter(re.findall(r"\b\d-\d\b", " ".join(texts(folder / "w.svg"))))
    assert found[None] == found["2"] == {"3-2": 3, "4-1": 2}
    assert found["1"] == found["spectator"] == {}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (("sample.clm", "-o", "x.gif"), "x.gif does not end in .svg or .png"),
        (("sample.clm", "-t", "30", "-o", "x.svg"), "Game 1 has 26 tricks; there is no trick 30."),
        (("sample.clm", "--play", "5", "-o", "x.svg"), "Trick 26 of game 1 has 2 plays"),
        (("sample.clm", "--seat", "3", "-o", "x.svg"), "Game 1 has 2 seats; there is no seat 3."),
        (("sample.clm", "--seat", "x", "-o", "x.svg"), "--seat is a seat (1 to 4) or spectator"),
        (("sample.clm", "--size", "9x99999", "-o", "x.svg"), "9x99999 is not a size"),
        (("sample.clm", "--course", "-t", "3", "-o", "x.svg"), "--course shows the whole game"),
        (("sample.clm", "-g", "2", "-o", "x.svg"), "sample.clm has 1 game; there is no game 2."),
        (("nothing.clm", "-o", "x.svg"), "nothing.clm cannot be read: no such file or directory"),
        (("sample.clm", "-o", "no/x.svg"), "no/x.svg cannot be written: no such file"),
        (("sample.clm",), "--output is missing"),
    ],
)
def test_what_cannot_be_drawn_is_told(folder, call, message):
    code, out, err = claimlog(folder, "picture", *call)
    assert (code, out) == (2, "")
    assert err.startswith(f"claimlog: {message}")


def test_a_game_that_is_not_legal_is_drawn_and_said_to_be_so(folder):
    assert claimlog(folder, "picture", "wrong.clm", "-o", "wrong.svg")[0] == 1
    assert any("1 error" in text for text in texts(folder / "wrong.svg"))


@pytest.mark.parametrize("missing", ["matplotlib", "resvg_py"])
def test_without_the_extra_one_is_told_what_to_install(folder, missing):
    call = f"""
import sys
from collections import Counter
sys.modules[{missing!r}] = None
sys.argv = ["claimlog", "picture", "sample.clm", "-o", "z.png"]
from claimlog.cli.main import run
run()
"""
    done = subprocess.run(
        [sys.executable, "-c", call], cwd=folder, env=at(folder), capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "pip install 'claimlog[pictures]'" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder / "z.png").exists()


@pytest.mark.needs("matplotlib", "resvg_py")
def test_statistics_as_a_plot(folder):
    code, out, err = claimlog(folder, "stats", "factions", "--plot", "f.svg")
    assert (code, err) == (0, "")
    assert out == claimlog(folder, "stats", "factions")[1]
    shown = texts(folder / "f.svg")
    assert "Faction: points of its winner" in shown
    labels = [text for text in shown if text[1:2] == " " and text[0].isupper()]
    assert len(labels) == 17
    sorted_by = claimlog(folder, "stats", "factions", "--sort", "points-of-its-winner")[1]
    assert [line[:1] for line in sorted_by.splitlines()[1:]] == [label[0] for label in labels]
    call = ("stats", "upcards", "--limit", "12", "--plot", "u.png", "--lang", "de")
    assert claimlog(folder, *call)[0] == 0
    assert size_of((folder / "u.png").read_bytes()) == (900, 480)
    code, out, err = claimlog(folder, "stats", "leads", "--plot", "-")
    assert (code, err) == (0, "")
    assert "won the trick led" in out
    assert ElementTree.fromstring(out).tag == f"{SVG}svg"
    code, _, err = claimlog(folder, "stats", "factions", "--plot", "f.txt")
    assert code == 2
    assert "f.txt does not end in .svg or .png" in err
    code, _, err = claimlog(folder, "stats", "leads", "--deck", "MPABD", "--plot", "f.svg")
    assert (code, err) == (2, "claimlog: nothing found\n")
