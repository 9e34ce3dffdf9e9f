"""A new faction needs exactly what docs/architecture.md says.

The page shows, block by block, what an invented faction needs.  This test puts the blocks into a
copy of claimlog, which is compiled and installed.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import duckdb
import pytest
from additions import ROOT, Installed, steps, take, with_step
from filelock import FileLock

HEADING = "How to add a faction"
COMPILED = [path.relative_to(ROOT) for path in (ROOT / "claimlog").rglob("*.so")]
TREE = ("claimlog", "cli", "setup.py", "pyproject.toml", "README.md", "LICENSE", "MANIFEST.in")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where claimlog with the new faction is installed; once for all pytest processes."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    installed = folder / "jesters"
    with FileLock(folder / "jesters.lock"):
        if not installed.exists():
            tree = tmp_path_factory.mktemp("tree")
            lay_out(tree)
            done = install(tree, tmp_path_factory.mktemp("site"))
            for module in COMPILED:
                if not any((done / module.parent).glob(f"{module.name.partition('.')[0]}.*.so")):
                    shutil.copy(ROOT / module, done / module)
            done.rename(installed)
    return installed


def lay_out(tree: Path) -> None:
    """Copy claimlog, and apply the steps of the page."""
    for name in TREE:
        if (ROOT / name).is_dir():
            skipped = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
            shutil.copytree(ROOT / name, tree / name, ignore=skipped)
        else:
            shutil.copy(ROOT / name, tree / name)
    changed = {Path(name).with_suffix(".pxd") for name in take(tree, HEADING)}
    # Correctness is tested, not speed: compiling everything, with optimization, would take minutes.
    # Modules that the steps do not change stay compiled as they are here, if they are.
    script = tree / "setup.py"
    text = script.read_text()
    compiled_anew = sorted(str(pxd) for pxd in changed if (tree / pxd).exists())
    for before, after in (
        ('"-O2" if name.startswith(HOT) else "-O1"', '"-O0"'),
        ('Path("claimlog").rglob("*.pxd")', f"map(Path, {compiled_anew})"),
    )[: 2 if COMPILED else 1]:
        assert text.count(before) == 1
        text = text.replace(before, after)
    script.write_text(text)


def install(tree: Path, folder: Path) -> Path:
    """Compile and install a tree into a folder; return the folder."""
    environment = {name: value for name, value in os.environ.items() if name != "CLAIMLOG_PURE"}
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation",
         "--target", str(folder), str(tree)],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


RACE = """
import sys
import claimlog
from claimlog.replay.course import race
from claimlog.replay.viewpoint import Viewpoint
least, wrong = 0, 0
for path in sys.argv[1:]:
    for game in list(claimlog.read_games(path))[:20]:
        view = Viewpoint(game)
        for trick in range(1, view.last + 1):
            for played in range(view.plays(trick) + 1):
                for one in race(view, view.at(trick, played)):
                    least = min(least, one.open)
                    won = game.score.factions[one.faction].winner
                    wrong += one.decided not in (None, won)
print(least, wrong)
"""
"""Counts the fewest open cards, and factions decided for a side that does not win them."""


CODE = """
import sys
from claimlog import read_games
from claimlog.link import CodeError, decode, encode
new, old = (next(read_games(path)) for path in sys.argv[1:])
try:
    encode(new)
except CodeError as error:
    print(error)
print(encode(decode(encode(old))) == encode(old), decode(encode(old)).score == old.score)
"""


@pytest.fixture(params=["compiled", "interpreted"])
def jesters(request: pytest.FixtureRequest, site: Path) -> Installed:
    """claimlog with the new faction."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if request.param == "compiled" and shutil.which(compiler) is None:
        pytest.skip("no C compiler")
    installed = Installed(site, "0" if request.param == "compiled" else "1")
    answer = installed.run("-c", "import claimlog; print(claimlog.compiled(), claimlog.__file__)")
    assert answer.split() == [str(request.param == "compiled"), f"{site}/claimlog/__init__.py"]
    return installed


@pytest.mark.parametrize(("name", "step"), steps(HEADING))
def test_each_step_has_its_place(name: str, step: str) -> None:
    text = (ROOT / name).read_text()
    assert len(with_step(text, step)) > len(text)


@pytest.mark.slow
def test_an_eighteenth_faction(jesters: Installed, tmp_path: Path) -> None:
    """Dealt, read, replayed, judged, stored and shown in both languages."""
    file, more = tmp_path / "two.clm", tmp_path / "more.clm"
    call = ("simulate", "-n", "40", "--seed", "3", "-o")
    jesters.claimlog(*call, str(file), "--deck", "xjuKG")
    jesters.claimlog(*call, str(more), "--deck", "NIJUWXS", "--seats", "3", "--policy", "random")
    records = file.read_text()
    # Jesters are last in the list of factions, and in alphabetical order in a deck.
    assert records.count('[Deck "GKJUX"]') == 40
    assert jesters.claimlog("format", "-", text=records.replace("GKJUX", "UJKGX")) == records
    answer = jesters.claimlog("validate", str(file), str(more))
    assert answer == "80 games, 0 invalid\n"

    moved = {1: 0, 2: 0}
    games = [
        json.loads(line)
        for path in (file, more)
        for line in jesters.claimlog("replay", "--format", "json", str(path)).splitlines()
    ]
    for game in games:
        assert game["score"]["factions"]["J"]
        for trick in game["tricks"]:
            played = sorted(p["card"] for p in trick["plays"] if p["card"][0] == "J")
            last = str(trick["ranking"][-1])
            for seat, scored in trick["scored"].items():
                here = sorted(card for card in scored if card[0] == "J")
                assert here == (played if seat == last else [])
            moved[trick["phase"]] += len(played)
        piles = [card for pile in game["score"]["piles"].values() for card in pile]
        assert sorted(card for card in piles if card[0] == "J") == sorted(
            p["card"] for t in game["tricks"] for p in t["plays"] if p["card"][0] == "J"
        )
    assert min(moved.values()) > 50

    # Cards won by an unknown power are won: the number of open cards is never negative.
    answer = jesters.run("-c", RACE, str(file), str(more))
    assert answer == "0 0\n"

    # Codes for links never change: the new faction has none, which is reported; old games keep
    # theirs.
    answer = jesters.run("-c", CODE, str(file), str(ROOT / "data" / "sample.clm"))
    assert (
        answer
        == "this game has no code: 'GKJUX' is not among the choices that a code knows\nTrue True\n"
    )

    # Pictures have its face.
    for theme, colour in (("light", "#7a5200"), ("dark", "#e0b050")):
        drawn = jesters.claimlog("picture", str(file), "-o", "-", "--theme", theme)
        assert "M12 2l10 18H2z" in drawn
        assert colour in drawn

    # A Jester that does not exist.
    number = next(n for n, line in enumerate(records.splitlines(), 1) if " J" in line)
    wrong = records.splitlines()
    wrong[number - 1] = re.sub(r" J\d", " J12", wrong[number - 1], count=1)
    answer = jesters.claimlog("validate", "-", "--format", "json", text="\n".join(wrong), code=1)
    assert "there is no card J12: the values of Jesters are 0, 1" in answer

    for language, words in (
        ("en", ("Jesters (J)", "both phases", "Jesters that are played go", "Jesters: ")),
        ("de", ("Narren (J)", "beide Phasen", "Gespielte Narren kommen", "Narren: ")),
    ):
        shown = jesters.claimlog("rules", "j", "--lang", language)
        shown += jesters.claimlog("replay", str(file), "--lang", language, "--format", "text")
        for word in words:
            assert word in shown, word

    # An archive from before the new faction accepts games with it.
    archive = str(tmp_path / "games.duckdb")
    earlier = Installed(None, jesters.environment["CLAIMLOG_PURE"])
    sample = str(ROOT / "data" / "sample.clm")
    assert earlier.claimlog("import", sample, "--db", archive) == "1 game: 1 stored\n"
    answer = jesters.claimlog("import", str(file), str(more), "--db", archive)
    assert answer == "80 games: 80 stored\n"
    answer = jesters.claimlog("export", "--factions", "J", "--seats", "2", "--db", archive)
    assert answer.count('[Deck "GKJUX"]') == answer.count("[Deck ") == 40
    with duckdb.connect(archive, read_only=True) as connection:
        decks = connection.execute(
            "SELECT deck_letters(deck), count(*) FROM games GROUP BY 1 ORDER BY 1"
        ).fetchall()
        played = connection.execute(
            "SELECT f.name, count(*) FROM plays p JOIN cards c USING (card) "
            "JOIN factions f USING (faction) WHERE f.letter = 'J' GROUP BY 1"
        ).fetchall()
    assert decks == [("GKJUX", 40), ("GKUWX", 1), ("NIJSUWX", 40)]
    assert played == [("Jesters", sum(moved.values()))]
    answer = jesters.claimlog("stats", "factions", "--format", "json", "--db", archive)
    assert '"J"' in answer
    answer = earlier.claimlog("games", "--db", archive, code=2)
    assert answer == ""


@pytest.mark.slow
def test_more_factions_than_there_is_room_for(site: Path) -> None:
    """Refused with advice, instead of reading out of bounds."""
    for room in ("1", "0"):
        code = (
            "import claimlog.cards as cards; cards.FACTION_COUNT = 25\n"
            "try:\n    import claimlog.rules.data\nexcept ImportError as error:\n    print(error)"
        )
        answer = Installed(site, room).run("-c", code)
        assert "lists 25 factions, but there is room for 24: raise FACTION_ROOM in" in answer
