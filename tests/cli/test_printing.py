"""What a director prints: everybody is on it, once, and the page loads nothing."""

import json
import re

import pytest
from archiving import claimlog, lay_out

from claimlog.web.printing import KINDS

EVENT = "Spring Cup"
NAMES = ["Ann <b>", "Bo & Co", "Cy", "Di", "Ed"]


@pytest.fixture
def desk(tmp_path):
    lay_out(tmp_path)

    def run(command, *words, stdin="", code=0, **env):
        ended, out, err = claimlog(tmp_path, *command.split(), *words, stdin=stdin.encode(), **env)
        assert ended == code, err
        return out or err

    by = ("--by", "Ruth")
    run("event create", EVENT, "--deck", "GKUWX", *by)
    run("event enter", EVENT, *by, stdin="\n".join(NAMES))
    run("event pair", EVENT, "1-2", "3-4", "5", *by)
    run("event start", EVENT, "--links", "links.json", *by)
    run("event result", EVENT, "1 1-0 3-2, 2 0-1", *by)
    return run


def rows_of(page):
    body = page[page.index("<body") :]
    return [re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", row)).strip() for row in body.split("</tr>")]


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_kind_names_everybody_and_needs_nothing_else(desk, language):
    for kind in KINDS:
        page = desk("event print", EVENT, kind, "--prizes", "9", LC_ALL=f"{language}.UTF-8")
        assert f'<html lang="{language}">' in page
        assert not re.search(r"<script|<link|src=", page)
        for name in ("Ann &lt;b&gt;", "Bo &amp; Co", "Cy", "Di"):
            assert len(re.findall(rf">[^<]*\b{name}(?!\w)[^<]*<", page)) == 1, (kind, name)


def test_the_list_on_the_wall(desk):
    rows = rows_of(desk("event print", EVENT, "pairings"))
    assert rows[1:4] == [
        "1 Ann &lt;b&gt; – Bo &amp; Co 1-0 (3–2)",
        "2 Cy – Di 0-1",
        "– Ed bye",
    ]
    assert "round 2 is not paired" in desk("event print", EVENT, "pairings", "--round", "2", code=2)


def test_certificates_go_to_the_first_ranks(desk):
    page = desk("event print", EVENT, "certificates", "--prizes", "1")
    ranks = [
        line
        for line in json.loads(desk("standings", EVENT, "-f", "json"))["lines"]
        if line["rank"] == 1
    ]
    assert page.count('class="certificate"') == len(ranks) > 0


def test_a_card_has_the_link_of_its_table(desk, tmp_path):
    plain = desk("event print", EVENT, "cards")
    assert "Scan" not in plain
    links = [
        {"table": number, "id": f"t{number}", "scorer": f"https://x.example/{number}", "watch": "w"}
        for number in (1, 2)
    ]
    (tmp_path / "links.json").write_text(json.dumps(links))
    page = desk("event print", EVENT, "cards", "--links", "links.json")
    assert page.count("Scan to record this game") == 2
    assert len(set(re.findall(r'<path[^>]* class="qrline"[^>]*d="([^"]+)"', page))) == 2
    (tmp_path / "links.json").write_text("{")
    assert "has no links" in desk("event print", EVENT, "cards", "--links", "links.json", code=2)


def test_what_there_is_not(desk):
    assert "is not one of" in desk("event print", EVENT, "poster", code=2)
    assert "there is no event" in desk("event print", "Nobody's", "cards", code=2)
