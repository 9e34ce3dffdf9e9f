"""What a director prints: everybody is on it, once, and the page loads nothing."""

import html
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


def test_a_card_has_no_link_of_another_game(desk, tmp_path):
    links = [
        {
            "table": number,
            "id": f"t{number}",
            "scorer": f"https://x.example/{number}",
            "watch": "w",
            "round": round,
            "players": players,
        }
        for number, round, players in ((1, 1, [1, 2]), (2, 1, [3, 4]))
    ]
    (tmp_path / "links.json").write_text(json.dumps(links))
    cards = ("cards", "--links", "links.json", "-o", "cards.html")
    assert desk("event print", EVENT, *cards) == ""
    desk("event result", EVENT, "2 -", "--by", "Ruth")
    desk("event exchange", EVENT, "4", "5", "--by", "Ruth")
    told = desk("event print", EVENT, *cards)
    assert "left out links of another game at table 2" in told
    assert (tmp_path / "cards.html").read_text().count("Scan to record this game") == 1
    desk("event result", EVENT, "2 1-0", "--by", "Ruth")
    desk("event close", EVENT, "--by", "Ruth")
    desk("event pair", EVENT, "1-2", "3-4", "5", "--by", "Ruth")
    assert "at table 1, 2" in desk("event print", EVENT, *cards)
    assert desk("event print", EVENT, "sheets", *cards[1:-1], "sheets.html") == ""
    assert "Scan" not in (tmp_path / "cards.html").read_text()


def test_what_there_is_not(desk):
    assert "is not one of" in desk("event print", EVENT, "poster", code=2)
    assert "there is no event" in desk("event print", "Nobody's", "cards", code=2)


@pytest.fixture
def teams(desk):
    by = ("--by", "Ruth")
    desk("event create", "Pairs", "--seats", "4", "--fixed-teams", "--deck", "GKUWXAB", *by)
    desk("event enter", "Pairs", *by, stdin="name,team\nCy,A\nDi,A\nBo,B\nAl,B\nEd,C\nFay,C")
    desk("event pair", "Pairs", "2-3-1-4", "5", "6", *by)
    desk("event start", "Pairs", *by)
    desk("event result", "Pairs", "1 1-0 4-3", *by)
    return desk


def test_teams_are_printed_as_teams_with_the_names_in_one_order(teams):
    sides = ["Al & Bo", "Cy & Di", "Ed & Fay"]
    for kind, there in (("standings", 3), ("crosstable", 3), ("certificates", 2)):
        page = html.unescape(teams("event print", "Pairs", kind, "--prizes", "2"))
        assert [one for one in sides if one in page] == sides[-there:], kind
        assert not re.search(r">\s*(Al|Bo|Cy|Di)\s*<", page), kind
    assert "1 Cy & Di – Al & Bo" in html.unescape(" ".join(
        rows_of(teams("event print", "Pairs", "pairings"))
    ))  # fmt: skip
    assert "Cy & Di – Al & Bo" in teams("event show", "Pairs")
    for command in ("event places", "standings"):
        more = ("--teams",) if command == "standings" else ()
        out = teams(command, "Pairs", *more, COLUMNS="200")
        assert all(one in out for one in sides), out
        assert "team" in out
        assert "player" not in out
    assert "Di & Cy" not in teams("standings", "Pairs", "--teams", "-f", "json")


def test_the_crosstable_of_fixed_teams_is_one_of_teams(teams):
    crosstable = ("standings", "Pairs", "--crosstable", "-f", "csv")
    assert teams(*crosstable).splitlines() == [
        "#,team,1,2,3,points",
        "1,Cy & Di,*,,1,1.0",
        "2,Ed & Fay,,*,,1.0",
        "3,Al & Bo,0,,*,0.0",
    ]
    assert "team" not in teams(*crosstable, "--players")
