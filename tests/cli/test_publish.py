"""The site of an event: every link leads to a file, and the same games give the same bytes."""

import re
import shutil
from pathlib import Path
from urllib.parse import unquote, urljoin

import pytest
from archiving import DATA, claimlog, lay_out


@pytest.fixture
def folder(tmp_path):
    lay_out(tmp_path)
    for name in ("team-cup.clm", "without-tricks.clm"):
        shutil.copy(DATA / name, tmp_path)
        assert claimlog(tmp_path, "import", name)[0] == 0
    return tmp_path


def files_of(site: Path) -> dict[str, bytes]:
    return {str(file.relative_to(site)): file.read_bytes() for file in site.rglob("*.*")}


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_link_leads_to_a_file_of_the_site(folder, language):
    code, out, err = claimlog(folder, "publish", "team cup", "site", LC_ALL=f"{language}.UTF-8")
    assert (code, err) == (0, "")
    files = files_of(folder / "site")
    assert str(len(files)) in out
    pages = {path: body.decode() for path, body in files.items() if path.endswith(".html")}
    for path, page in pages.items():
        for link in re.findall(r'(?:href|src)="([^"#]*)', page):
            if not link.startswith("data:"):
                assert unquote(urljoin(path, link)) in files, (path, link)
        assert f'lang="{language}"' in page
        # If the site is opened from a folder, a browser draws nothing from another file.
        assert "<use" not in page
    assert 'aria-label="' in pages["index.html"]
    games = claimlog(folder, "games", "--event", "team cup", "--format", "csv")[1]
    ids = {line.split(",")[0] for line in games.splitlines()[1:]}
    assert {Path(path).stem for path in pages if path.startswith("games/")} == ids
    for id in ids:
        assert f"games/{id}.html" in "".join(
            page for path, page in pages.items() if path.startswith("rounds/")
        )
    standings = claimlog(folder, "standings", "team cup", "--format", "csv")[1]
    for line in standings.splitlines()[1:]:
        assert line.split(",")[1] in pages["index.html"]
    assert files["games.clm"].decode().count("[CLM ") == len(ids)


def test_the_same_games_give_the_same_bytes(tmp_path):
    folder = tmp_path
    # Two rounds at two tables: the page of each game takes a tenth of a second.
    games = ("[CLM" + game for game in (DATA / "team-cup.clm").read_text().split("[CLM")[1:])
    few = [game for game in games if re.search(r'"[12]"\]\n\[Table "[12]"\]', game)]
    assert len(few) == 4
    (folder / "few.clm").write_text("".join(few))
    assert claimlog(folder, "import", "few.clm")[0] == 0
    for name in ("one", "two", "two"):
        assert claimlog(folder, "publish", "team cup", name)[0] == 0
    assert len(list((folder / "two" / "games").iterdir())) == 4
    assert files_of(folder / "one") == files_of(folder / "two")


def test_games_without_tricks_have_no_page(folder):
    names = claimlog(folder, "events", "--format", "csv")[1].splitlines()[1:]
    event = next(line.split(",")[0] for line in names if "eam" not in line)
    assert claimlog(folder, "publish", event, "site")[0] == 0
    files = files_of(folder / "site")
    assert not [path for path in files if path.startswith("games/")]
    assert [path for path in files if path.startswith("players/")]


def test_what_cannot_be_published(folder):
    (folder / "file").write_text("")
    code, _, err = claimlog(folder, "publish", "team cup", "file")
    assert (code, "cannot be written" in err) == (2, True)
    code, _, err = claimlog(folder, "publish", "nobody's cup", "site")
    assert code == 2
    assert "nobody's cup" in err
    assert not (folder / "site").exists()
