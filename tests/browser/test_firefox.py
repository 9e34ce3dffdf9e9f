"""The main actions of a reader and a scorer work in Firefox, too.

No registry has Playwright's Firefox, and Playwright cannot drive Debian's. Puppeteer can; it is not
installed with the other tools, so this test is run by hand:

    apt-get install firefox-esr
    npm install --no-save --ignore-scripts puppeteer-core@24.43.1
    python -m pytest tests/browser/test_firefox.py
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from phones import Server
from states import puzzle_out

from claimlog.simulate import simulate_games, simulate_records
from claimlog.store import Archive
from claimlog.web.replay import export_html

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
PAGES = [
    ("/", ".today img"),
    ("/games?factions=G&seats=2", ".games .who"),
    ("/players", "tbody a"),
    ("/events/Spring%20Cup", ".standings"),
    ("/events/Spring%20Cup/wall", "#page"),
    ("/stats/factions", ".interval"),
    ("/explorer?phase=2", "tbody .chip"),
    ("/factions/T", "h1"),
    ("/puzzles/daily", ".acts .hand button"),
    ("/desk", "form.act"),
    ("/tables", "#app main"),
]
"""Pages, and what each shows."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server with games and puzzles."""
    server = Server(tmp_path)
    with Archive.open(server.archive) as archive:
        tags = {"Event": "Spring Cup", "Round": "1"}
        for record in simulate_records(4, deck="GKBSU", policy="random", seed=44, tags=tags):
            archive.store(record, doubtful="beside")
        puzzle_out(archive)
    server.start()
    yield server
    server.stop()


@pytest.mark.skipif(FIREFOX is None, reason="needs Firefox: apt-get install firefox-esr")
@pytest.mark.skipif(
    not (ROOT / "node_modules" / "puppeteer-core").is_dir(),
    reason="needs puppeteer-core, which is installed by hand (tests/browser/test_firefox.py)",
)
def test_pages_are_read_and_a_game_is_recorded(server: Server, tmp_path: Path) -> None:
    game = httpx.get(f"{server.url}/v1/games?limit=1", timeout=60).json()["games"][0]["id"]
    file = tmp_path / "game.html"
    file.write_bytes(export_html(next(simulate_games(1, seed=5)), views=[None, 1]))
    table = server.open_table()
    script = Path(__file__).with_name("firefox.mjs")
    words = [FIREFOX, server.url, json.dumps(PAGES), game, file.as_uri(), table.scoring]
    done = subprocess.run(["node", script, *words], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode() + done.stdout.decode()
    assert table.words() == ["U7", "G5", "G8"]
