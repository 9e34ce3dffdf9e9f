"""`claimlog link`: the code of a game as a QR code in the terminal."""

from __future__ import annotations

import json

import pytest
import segno
from replaying import DATA, claimlog

from claimlog import loads, read_games
from claimlog.cli.archive.stored import StoredGame, source
from claimlog.language import words
from claimlog.link import decode, encode
from claimlog.link.choices import content

LIGHT = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}
"""Which half of a character is light: upper, lower."""


def test_a_link_as_a_qr_code():
    """The QR code below the link encodes it, in light and dark, with a margin around it."""
    code, out, err = claimlog(
        "link", DATA / "sample.clm", "--qr", "--url", "https://claim.example", "--lang", "de"
    )
    assert (code, err) == (0, "")
    link, *drawn = out.splitlines()
    assert link.startswith("https://claim.example/r/")
    assert "\x1b" not in out
    wide = max(map(len, drawn))
    rows = []
    for line in drawn:
        halves = [LIGHT[c] for c in line.ljust(wide)]
        rows += [[not light for light in row] for row in zip(*halves, strict=True)]
    qr = segno.make(link, error="l", micro=False)
    margin = qr.default_border_size
    inner = [row[margin : wide - margin] for row in rows[margin : margin + len(qr.matrix)]]
    assert inner == [[bool(cell) for cell in row] for row in qr.matrix]
    assert not any(map(any, rows[:margin]))


def test_commands_read_every_code_that_link_prints():
    """However short it is, and whatever it begins with."""
    lengths = set()
    for path in sorted(DATA.glob("**/*.clm")):
        code, out, _ = claimlog("link", path)
        codes = out.split()
        lengths |= set(map(len, codes))
        assert code or len(codes) == len(list(read_games(path)))
        for text in codes:
            found = source(text, None, words())
            assert isinstance(found, StoredGame)
            (game,) = loads(found.record)
            assert content(game) == content(decode(text))
    assert min(lengths) < 13 < max(lengths)


def test_a_code_that_begins_with_a_hyphen_is_no_option():
    """`link` prints such codes, too."""
    codes = map(encode, read_games(DATA / "zurich-open.clm"))
    text = next(code for code in codes if code.startswith("-"))
    assert claimlog("validate", text)[:2] == (0, "1 game, 0 invalid\n")


@pytest.mark.parametrize("word", ["MmSdiiROqzJ", "no-such-game", "nothing", "no.clm"])
def test_a_word_that_is_nothing_is_named(word):
    """A mistyped code, and words that are neither code nor id."""
    code, out, err = claimlog("replay", word)
    assert (code, out) == (2, "")
    assert word in err


def test_reports_name_codes_and_links_as_they_were_given():
    code = encode(next(read_games(DATA / "sample.clm")))
    for given in (code, f"https://claim.example/r/{code}?Player1=Anna"):
        out = claimlog("validate", given, "--format", "json")[1]
        assert json.loads(out)["file"] == given


@pytest.mark.parametrize("url", ["foo", "javascript:alert(1)", "https://", "http://a b", "http:/x"])
def test_a_link_needs_the_address_of_a_server(url):
    code, out, err = claimlog("link", DATA / "sample.clm", "--url", url)
    assert (code, out) == (2, "")
    assert f"{url!r} is not the address of a server; it is written http://" in err


def test_an_empty_file_has_no_codes(tmp_path):
    """`puzzles` says the same."""
    empty = tmp_path / "empty.clm"
    empty.write_text("\n")
    for command in ("link", "puzzles"):
        assert claimlog(command, empty) == (2, "", f"claimlog: {empty} contains no games\n")
