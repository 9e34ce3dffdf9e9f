"""A statistic, a command and a page need exactly what docs/architecture.md says.

The page shows, block by block, what each needs.  These tests put the blocks into a copy of
claimlog.
"""

import os
import shutil
import subprocess
import sys
from collections import Counter
from datetime import date
from pathlib import Path

import httpx
import pytest
from additions import ROOT, Installed, steps, take, with_step

import claimlog

pytest.importorskip("duckdb")

KINDS = ("statistic", "command", "page")
DOCUMENTS = {"docs/api.md", "docs/cli.md", "CHANGELOG.md"}
GAMES = ROOT / "data" / "zurich-open.clm"
ASK = """
import sys
from claimlog.client import Client
from claimlog.store import Archive, Filter
place = sys.argv[1]
with Client(place) if "://" in place else Archive.open(place, read_only=True) as one:
    rows = one.weekday_stats(), one.weekday_stats(Filter(until="1999")), one.weekday_stats(least=99)
print([[(row.weekday, row.games) for row in found] for found in rows])
"""


@pytest.fixture(scope="module")
def added(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """A copy of claimlog with all three: links, except for changed files."""
    tree = tmp_path_factory.mktemp("tree")
    for name in ("claimlog", "cli"):
        skipped = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, tree / name, copy_function=os.symlink, ignore=skipped)
    (tree / "claimlog" / "cli").symlink_to(tree / "cli")
    for kind in KINDS:
        take(tree, f"How to add a {kind}")
    return Installed(tree, os.environ.get("CLAIMLOG_PURE", "0"))


@pytest.mark.parametrize("kind", KINDS)
def test_each_step_has_its_place(kind: str) -> None:
    for name, step in steps(f"How to add a {kind}"):
        file = ROOT / name
        text = file.read_text() if file.exists() else ""
        assert len(with_step(text, step)) > len(text)


def test_a_statistic_is_in_few_files() -> None:
    files = {name for name, _ in steps("How to add a statistic")} | DOCUMENTS
    assert len(files) <= 6


@pytest.mark.slow
@pytest.mark.only_file("tests a copy, whose statistic is one query")
def test_what_was_added_is_everywhere(added: Installed, tmp_path: Path) -> None:
    days = [game.tags["Date"].replace(".", "-") for game in claimlog.read_games(GAMES)]
    count = sorted(Counter(date.fromisoformat(day).isoweekday() for day in days).items())
    assert added.claimlog("tally", str(GAMES)) == f"{len(days)} games\n"
    assert "Die Partien einer Datei" in added.claimlog("tally", "--help", "--lang", "de")

    db = str(tmp_path / "games.duckdb")
    added.claimlog("import", str(GAMES), "--db", db)
    asked = f"{[count, [], []]}\n"
    assert added.run("-c", ASK, db) == asked
    for language, heading in (("en", "weekday"), ("de", "Wochentag")):
        shown = added.claimlog("stats", "weekdays", "--lang", language, "--db", db).splitlines()
        assert shown[0].split()[0] == heading
        assert [tuple(map(int, line.split()[:2])) for line in shown[1:]] == count
    assert added.claimlog("stats", "weekdays", "--least", "99", "--db", db) == "nothing found\n"
    assert "Nur Tage mit so vielen" in added.claimlog("stats", "weekdays", "--help", "--lang", "de")

    call = "from claimlog.cli.main import run; run()"
    with subprocess.Popen(
        [sys.executable, "-c", call, "serve", "--db", db, "--port", "0"],
        env=added.environment, stdout=subprocess.PIPE, text=True, cwd=sys.prefix,
    ) as server:  # fmt: skip
        try:
            assert server.stdout
            line = server.stdout.readline()
            url = next(word for word in line.split() if word.startswith("http")).rstrip(",;:")
            assert added.run("-c", ASK, url) == asked
            see(url, count)
        finally:
            server.terminate()


def see(url: str, count: list[tuple[int, int]]) -> None:
    """The API, its description and the pages have the additions."""
    with httpx.Client(base_url=url, headers={"Accept": "text/html"}) as http:
        rows = http.get("/v1/stats/weekdays", headers={"Accept": "application/json"}).json()
        assert [(row["weekday"], row["games"]) for row in rows] == count
        described = http.get("/openapi.json").json()
        operation = described["paths"]["/v1/stats/weekdays"]["get"]
        assert operation["summary"] == "On which days of the week games were played."
        own = [one for one in operation["parameters"] if one.get("name") == "least"]
        assert own[0]["description"] == "Only days with so many games."
        fields = described["components"]["schemas"]["WeekdayStat"]["properties"]
        assert all(field["description"] for field in fields.values())
        for language, title, heading, size in (
            ("en", "Weekdays", "Weekday", "Size"),
            ("de", "Wochentage", "Wochentag", "Größe"),
        ):
            page = http.get(f"/stats/weekdays?lang={language}", follow_redirects=True).text
            assert f"<title>{title} · claimlog</title>" in page
            assert f">{heading}</th>" in page
            assert page.count("<tr>") == 1 + len(count)
            page = http.get(f"/size?lang={language}", follow_redirects=True).text
            assert f"<h1>{size}</h1>" in page
