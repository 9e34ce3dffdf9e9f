"""The page at the table and its files; tests/browser tests its behaviour in a browser."""

import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from claimlog.cards import FACTIONS
from claimlog.language import LANGUAGES
from claimlog.web import assets
from claimlog.web.bundle import modules

VENDOR = Path(assets.__file__).parent / "vendor"
STATIC = Path(assets.__file__).parent / "static"
FOR_EVER = "public, max-age=31536000, immutable"
TREES = [assets.page(), assets.vendor()]
FILES = [tree.address(name) for tree in TREES for name in tree.files]


@pytest.mark.parametrize("path", ["/tables", "/tables/new", "/tables/3v9k2m1q8x7tr"])
def test_the_page_is_the_same_for_every_table_and_loads_nothing_from_elsewhere(http, path):
    answer = http.get(path)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "<script>" not in answer.text
    assert " style=" not in answer.text
    addresses = re.findall(r'"(/static/[^"]+\.\w+)"', answer.text)
    # Styles and icons; all scripts in one, except for the texts, which are fetched separately.
    assert len(set(addresses)) == 5 + 2
    (script,) = (one for one in addresses if one.endswith("/main.js"))
    imported = re.findall(r'\bimport\b.*from "(.+)";', http.get(script).text)
    assert imported == ["./words.js"]
    assert {http.get(address).status_code for address in addresses} == {200}


@pytest.mark.parametrize("address", FILES, ids=lambda address: address.rpartition("/")[2])
def test_a_file_never_changes_and_is_sent_packed_or_not(http, address):
    plain = http.get(address, headers={"accept-encoding": "identity"})
    assert plain.status_code == 200
    assert "content-encoding" not in plain.headers
    assert plain.headers["cache-control"] == FOR_EVER
    assert plain.headers["vary"] == "Accept-Encoding"
    packed = http.get(address, headers={"accept-encoding": "gzip"})
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) <= int(plain.headers["content-length"])
    for one, encoding in ((plain, "identity"), (packed, "gzip")):
        headers = {"if-none-match": one.headers["etag"], "accept-encoding": encoding}
        assert http.get(address, headers=headers).status_code == 304
    policy = plain.headers.get("content-security-policy", "")
    assert ("'wasm-unsafe-eval'" in policy) == address.endswith("/engine.js")


@pytest.mark.parametrize("address", ["/static/0/main.js", "/static/main.js", "/static/{}/other.js"])
def test_a_file_that_is_not_there_is_a_problem(http, address):
    answer = http.get(address.format(TREES[0].version))
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


def test_the_service_worker_keeps_every_file_but_what_the_script_holds(http):
    answer = http.get("/sw.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    kept = json.loads(answer.text.partition("\n")[0].removeprefix("const KEPT = ").rstrip(";"))
    own = {"table.html", "sw.js", "app.webmanifest"} | {*modules("main.js")}
    own -= {"main.js", "words.js"}
    assert {*kept["page"], *kept["vendor"]} == {
        address for address in FILES if address.rpartition("/")[2] not in own
    }


def test_the_manifest_has_icons_that_are_there(http):
    manifest = http.get("/manifest.webmanifest").json()
    assert manifest["display"] == "standalone"
    assert {http.get(icon["src"]).status_code for icon in manifest["icons"]} == {200}


@pytest.mark.parametrize("path", ["/tables/new", "/v1/games"])
def test_a_page_is_not_sent_on_to_the_api(http, path):
    assert http.get(path).status_code == 200
    assert http.get("/games").status_code == 308


def test_what_others_have_written_is_what_was_fetched():
    listed = dict(line.split()[::-1] for line in (VENDOR / "SHA256SUMS").read_text().splitlines())
    packed = {path.name: path.read_bytes() for path in VENDOR.glob("*.gz")}
    assert listed == {name: hashlib.sha256(body).hexdigest() for name, body in packed.items()}
    assert sum(map(len, packed.values())) < 6_000_000
    about = (VENDOR / "README.md").read_text(encoding="utf-8")
    for name in re.findall(r"`([a-z.]+\.LICENSE\.txt)`", about):
        assert (VENDOR / name).stat().st_size > 1000
    wanted = (Path(__file__).parents[2] / ".ci" / "vendor").read_text(encoding="utf-8")
    for name, version in re.findall(r"\| (pyodide|preact|htm) ([0-9.]+) \|", about):
        assert f'"{name}": "{version}"' in wanted


def test_the_engine_needs_only_the_standard_library(tmp_path):
    archive = tmp_path / "claimlog.zip"
    archive.write_bytes(assets.engine())
    names = zipfile.ZipFile(io.BytesIO(assets.engine())).namelist()
    assert "claimlog/recording/entries.py" in names
    assert not [name for name in names if "/api/" in name or "/store/" in name]
    asked = {
        "setup": {"deck": "GKUWX", "players": ["Anna", "Ben"]},
        "entries": [{"id": "a", "kind": "enter", "word": "U7"}],
        "language": "de",
    }
    code = f"""
import sys
sys.path.insert(0, {str(archive)!r})
from claimlog.web import engine
print(engine.fold({json.dumps(asked)!r}))
print(engine.qr('{{"text": "claim"}}'))
"""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True
    )
    view, code = map(json.loads, done.stdout.splitlines())
    assert view["due"] == {"kind": "play", "seat": 1}
    assert code.startswith("<svg")


def test_every_faction_has_a_shape_and_a_colour_on_light_and_on_dark(http):
    style = http.get(assets.page().address("faces.css")).text
    shapes = http.get(assets.page().address("words-en.json")).json()["factions"]
    letters = {faction.letter for faction in FACTIONS}
    rule = r"\.of-([A-Z]) \{ --f: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\); \}"
    rules = re.findall(rule, style)
    assert {letter for letter, *_ in rules} == letters
    for theme in zip(*rules, strict=True):
        assert len(set(theme)) == len(letters)
    assert len({shapes[letter]["shape"] for letter in letters}) == len(letters)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_all_that_its_scripts_ask_for(language):
    name = f"words-{language}.json"
    texts = json.loads(gzip.decompress(assets.page().files[name].body))
    assert list(texts["factions"]) == [faction.letter for faction in FACTIONS]
    source = "".join(path.read_text(encoding="utf-8") for path in STATIC.glob("*.js"))
    said = set(re.findall(r'\bsay\(\s*"([^"]+)"', source))
    said |= {
        f"{key}.{form}"
        for key in re.findall(r'\bcount\(\s*"([^"]+)"', source)
        for form in ("one", "other")
    }
    assert len(said) > 60
    assert {f"page.{key}" for key in said} <= set(texts["texts"])
    # Some keys are put together: for each beginning there is at least one text.
    beginnings = set(re.findall(r"\bsay\(`([a-z.-]+[.-])\$\{", source))
    for begin in beginnings:
        assert any(key.startswith(f"page.{begin}") for key in texts["texts"]), begin
    unsaid = {
        key
        for key in texts["texts"]
        if key.removeprefix("page.") not in said
        and not any(key.startswith(f"page.{begin}") for begin in beginnings)
    }
    assert {key for key in unsaid if f'"{key.removeprefix("page.")}"' not in source} == set()
