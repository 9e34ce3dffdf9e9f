"""The archive's tables on a terminal, in a pipe, and as CSV and JSON."""

import csv
import io
import json
import re
import subprocess
import sys

import pytest
from archiving import SCRIPT, at, claimlog, lay_out
from replaying import sized

pytest.importorskip("duckdb")

EVENT = "Zurich Claim Open (simulated)"
ESCAPES = re.compile(r"\x1b\[[\d;]*m")
COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("archive")
    lay_out(path)
    record = (path / "sample.clm").read_text(encoding="utf-8")
    for old, new in (
        ("Anna Keller", "Anna [bold]\x1b[31mKeller"),
        ("CH-1001", "CH-9"),
        ("Club evening (simulated)", "藤の花 " * 12),
    ):
        record = record.replace(old, new)
    (path / "strange.clm").write_text(record, encoding="utf-8")
    assert claimlog(path, "import", "zurich-open.clm", "team-cup.clm", "strange.clm")[0] == 0
    return path


def on_terminal(folder, *args, width=80, **env):
    """What the command writes to a terminal of that width."""
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    environment = {name: value for name, value in at(folder).items() if name != "COLUMNS"}
    text, code = pexpect.run(
        " ".join([str(SCRIPT), *(f"'{word}'" for word in args)]),
        withexitstatus=True, cwd=folder, env=environment | env, timeout=60,
        encoding="utf-8", **sized(24, width),
    )  # fmt: skip
    assert code == 0, text
    return text.replace("\r\n", "\n")


def wide(text):
    from rich.cells import cell_len

    return max(cell_len(line) for line in ESCAPES.sub("", text).splitlines())


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_tables_fit_the_terminal(folder):
    listed = on_terminal(folder, "games", "--event", EVENT, "--limit", "2")
    assert ESCAPES.sub("", listed) == (
        "id             date        round  players                   deck   result  votes\n"
        "1caa935nqz25e  2026-11-15  8      Jonas Graf - Noah Egger   NIBTV  1-0     3-2\n"
        "3brhex071t647  2026-11-15  8      Hugo Zbinden - Mia Suter  NIBTV  1-0     3-1\n"
        "No room here for: event, table.\n"
        "2 of 64 games; more with --limit\n"
    )
    for words, width in (
        (("standings", EVENT), 80),
        (("stats", "factions"), 70),
        (("events",), 40),
    ):
        text = on_terminal(folder, *words, width=width)
        assert wide(text) <= width
        assert "…" not in text


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_what_records_say_does_not_steer_the_terminal(folder):
    text = on_terminal(folder, "players", "list", "--search", "bold")
    assert "Anna [bold]\N{REPLACEMENT CHARACTER}[31mKeller" in text
    assert not COLOUR.search(text)
    assert "\x1b" not in on_terminal(folder, "games", "--text", "bold", TERM="dumb")


def test_the_help_is_not_broken_where_the_source_is(folder):
    for words, sentence in (
        (("import",), "2 a file could not be read or the archive not be used."),
        (("game", "correct"), "2 anything else."),
    ):
        code, out, _ = claimlog(folder, *words, "--help", COLUMNS="80")
        assert code == 0
        assert sentence in " ".join(out.split())
        assert max(map(len, out.split("Arguments")[0].splitlines()[2:])) > 70


def test_in_a_pipe_tables_are_as_wide_as_they_are(folder):
    code, out, err = claimlog(folder, "standings", EVENT, COLUMNS="20", NO_COLOR="1")
    assert (code, err) == (0, "")
    assert "\x1b" not in out
    assert len({len(line) for line in out.splitlines()[1:]}) == 1


LISTS = [
    (("games", "--limit", "70"), 70),
    (("players", "list"), 17),
    (("game", "revisions", "fzjgq0219kyhx"), 1),
]
WHOLES = [
    ("standings", EVENT),
    ("standings", EVENT, "--crosstable"),
    ("players", "show", "Ines Moser"),
    ("stats", "explore", "--trick", "1"),
]


def table(folder, *words):
    """What the command prints as CSV; every row has all columns."""
    code, out, err = claimlog(folder, *words, "--format", "csv")
    assert (code, err) == (0, "")
    heading, *rows = list(csv.reader(io.StringIO(out)))
    assert len(set(heading)) == len(heading)
    assert {len(row) for row in rows} == {len(heading)}
    return rows


def test_lists_for_programs(folder):
    for words, number in LISTS:
        rows = table(folder, *words)
        code, out, err = claimlog(folder, *words, "--format", "json")
        items = [json.loads(line) for line in out.splitlines()]
        assert (code, err) == (0, "")
        assert len(rows) == len(items)
        assert len(rows) == number


def test_answers_for_programs(folder):
    for words in WHOLES:
        assert table(folder, *words)
        code, out, err = claimlog(folder, *words, "--format", "json")
        assert (code, err) == (0, "")
        assert out.count("\n") == 1
        json.loads(out)


def test_a_reader_that_goes_away_is_no_error(folder):
    for words in ("export --format ndjson", "games --limit 80 --format json"):
        done = subprocess.run(
            ["bash", "-c", f"set -o pipefail; claimlog {words} | head -n 1"],
            cwd=folder, env=at(folder), capture_output=True, timeout=60,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")
        json.loads(done.stdout)
