"""The archive's tables on a terminal, in a pipe, and as CSV and JSON."""

import csv
import io
import json
import re
import subprocess
import sys

import forked
import pytest
from archiving import at, claimlog, lay_out

from claimlog.simulate import simulate_records
from claimlog.store import Archive

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


def on_terminal(folder, *args, width=80, typed=None, **env):
    """The command's output on a terminal of that width; `typed` are answers to what it asks."""
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    environment = {name: value for name, value in at(folder).items() if name != "COLUMNS"}
    child = forked.on_terminal(
        args, size=(24, width), cwd=folder, env=environment | env, timeout=60, encoding="utf-8"
    )
    answers = typed or {}
    text = ""
    while question := child.expect([pexpect.EOF, *answers]):
        text += child.before + child.after
        child.send([*answers.values()][question - 1])
    text += child.before
    child.close()
    assert child.exitstatus == 0, text
    return text.replace("\r\n", "\n")


def wide(text):
    from rich.cells import cell_len

    return max(cell_len(line) for line in ESCAPES.sub("", text).splitlines())


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_no_number_or_id_is_broken_beside_a_long_name(folder, tmp_path):
    """In statistics, whose columns follow from the fields of their rows, too."""
    archive = tmp_path / "games.duckdb"
    name = "Zoë-Marie von Müller-Lüdenscheidt"
    with Archive.open(archive) as made:
        for record in simulate_records(3, deck="GKBSU", policy="random", seed=7):
            made.store(record.replace("Random 1", name))
        made.analyse(redeals=1)
    for words, language in ((("luck",), "en"), (("given-away", "--by", "player"), "de")):
        call = ("stats", *words, "--db", str(archive), "--lang", language)
        said = ESCAPES.sub("", on_terminal(folder, *call))
        assert wide(said) <= 80
        (row,) = (line for line in said.splitlines() if line.startswith("Zoë-Marie"))
        whole = claimlog(folder, *call)[1]
        assert set(row.split()) <= set(whole.split())
        assert set(said.partition("Random 2")[0].split()) <= set(whole.splitlines()[0].split())
    narrow = ESCAPES.sub("", on_terminal(folder, "stats", "luck", "--db", str(archive), width=64))
    assert "columns left out: id" in narrow


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_tables_fit_the_terminal(folder):
    listed = on_terminal(folder, "games", "--event", EVENT, "--limit", "2")
    assert ESCAPES.sub("", listed) == (
        "id             date         event               players                   result\n"
        "1caa935nqz25e  15 Nov 2026  Zurich Claim Open…  Jonas Graf - Noah Egger   1-0\n"
        "3brhex071t647  15 Nov 2026  Zurich Claim Open…  Hugo Zbinden - Mia Suter  1-0\n"
        "and 62 more (--limit)\n"
        "columns left out: round, table, deck, votes (--wide, or a wider terminal)\n"
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
def test_at_80_columns_what_matters_stays(folder):
    text = ESCAPES.sub("", on_terminal(folder, "standings", EVENT, "--crosstable"))
    assert wide(text) <= 80
    heading, first = text.splitlines()[1:3]
    assert heading.split() == ["#", "player", *map(str, range(1, 17)), "points"]
    assert first.startswith(" 1 Ines Moser ")
    assert first.endswith(" 7")
    text = ESCAPES.sub("", on_terminal(folder, "players", "list", "--limit", "1"))
    assert text.splitlines()[0].split()[-1] == "rating"
    text = ESCAPES.sub(
        "", on_terminal(folder, "games", "--event", "team cup", "--round", "1", "--table", "1")
    )
    assert "Team Cup of the " in text
    line = " ".join(text.split())
    # Long names are wrapped, not left out.
    for name in ("Anna", "Keller", "Klara", "Weiss", "Ben", "Roth", "Lukas", "Hofer"):
        assert name in line


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_all_columns_where_they_are_wanted(folder):
    text = on_terminal(folder, "games", "--limit", "1", "--wide")
    assert "votes" in text.splitlines()[0]
    assert "left out" not in text
    assert wide(text) > 80


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_long_statistics_end_with_how_many_follow(folder):
    whole = len(table(folder, "stats", "cards"))
    text = on_terminal(folder, "stats", "cards")
    assert f"and {whole - 40} more (--limit)" in text
    assert "more" not in on_terminal(folder, "stats", "cards", "--limit", str(whole))
    short = on_terminal(folder, "stats", "cards", "--limit", "3")
    assert f"and {whole - 3} more (--limit)" in short


def test_every_list_that_is_cut_says_how_many_follow(folder):
    for words in (
        ("players", "list"), ("events",), ("games",), ("stats", "explore"),
        ("players", "show", "Greta Lang"), ("players", "versus", "Anna Keller", "Ben Roth"),
    ):  # fmt: skip
        rows = len(table(folder, *words, "--limit", "1000"))
        _, out, _ = claimlog(folder, *words, "--limit", "1")
        more = f"and {rows - 1} more (--limit)\n"
        assert out.endswith(more) if rows > 1 else "more" not in out, words
        assert "more" not in claimlog(folder, *words, "--limit", "1000")[1]


def test_who_counts_too_little_is_left_out_before_a_list_is_cut(folder):
    rows = table(folder, "players", "list", "--limit", "1000")
    many = [row for row in rows if int(row[3]) >= 8]
    assert 2 < len(many) < len(rows)
    words = ("players", "list", "--sort", "games", "--min-games", "8", "--limit", "2")
    assert len(table(folder, *words)) == 2
    words = ("players", "list", "--sort", "-games", "--min-games", "8", "--limit", "2")
    _, out, _ = claimlog(folder, *words)
    assert f"and {len(many) - 2} more (--limit)\n" in out
    assert f"{len(rows) - len(many)} with fewer than 8 left out (--min-games)\n" in out


def test_crosstables_rounds_and_meetings_are_sorted_by_every_column(folder):
    def column(heading, *words):
        _, out, _ = claimlog(folder, *words, "--format", "csv")
        return [row[heading] for row in csv.DictReader(io.StringIO(out))]

    names = column("player", "standings", EVENT, "--crosstable", "--sort", "player")
    assert names == sorted(names)
    results = column("result", "standings", EVENT, "--rounds", "--sort", "-result")
    assert results == sorted(results, reverse=True)
    for heading in ("id", "date", "result"):
        words = ("players", "versus", "Anna Keller", "Greta Lang", "--sort", heading)
        assert column(heading, *words) == sorted(column(heading, *words))


def test_crosstables_have_points_in_the_format_of_the_language(tmp_path):
    end = '[Termination "unrecorded"]\n[Result "1/2-1/2"]\n\n1/2-1/2\n'
    record = f'[Event "Cup"]\n[Round "1"]\n[Player1 "Ann"]\n[Player2 "Bob"]\n{end}'
    (tmp_path / "cup.clm").write_text(record)
    assert claimlog(tmp_path, "import", "cup.clm")[0] == 0
    crosstable = ("standings", "Cup", "--crosstable")
    for words, cell in (((), "0.5"), (("--lang", "de"), "0,5")):
        line = claimlog(tmp_path, *crosstable, *words)[1].splitlines()[2]
        assert line.split() == ["1", "Ann", "*", cell, cell]
        assert "1,Ann,*,0.5,0.5\n" in claimlog(tmp_path, *crosstable, *words, "--format", "csv")[1]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_factions_have_their_colours_in_tables_too(folder):
    from claimlog.cli.palette import FACTIONS

    text = on_terminal(folder, "stats", "factions")
    assert f"\x1b[38;5;{FACTIONS['U']}mU Undead" in text
    assert not COLOUR.search(on_terminal(folder, "stats", "factions", NO_COLOR="1"))


def test_rates_with_bar_or_interval(folder):
    columns = ("stats", "leads")
    rows = [row for row in table(folder, *columns) if row[0] == "led trick 1"]
    count, rate, low, high = (float(part) for part in rows[0][2:])
    shown, exact = (claimlog(folder, *columns, *more)[1] for more in ((), ("--intervals",)))
    percent = f"{100 * rate:.1f} %"
    assert f"{percent} ±{50 * (high - low):.0f}" in shown
    assert f"{percent} ({100 * low:.1f}–{100 * high:.1f})" in exact
    assert re.search(rf"led trick 1 +{count:.0f} +{percent}", shown)
    assert "█" in shown
    assert "█" not in exact


def test_a_bar_is_as_long_as_its_rate():
    from claimlog.cli.archive.tables import bar

    assert [bar(rate) for rate in (0, 0.5, 0.525, 1)] == ["·····", "██▌··", "██▋··", "█████"]


def test_rates_of_few_games_are_left_out(folder):
    every = table(folder, "stats", "upcards")
    some = table(folder, "stats", "upcards", "--min-games", "6")
    assert some == [row for row in every if int(row[2]) >= 6]
    assert 0 < len(some) < len(every)
    out = claimlog(folder, "stats", "upcards", "--min-games", "6")[1]
    assert f"{len(every) - len(some)} with fewer than 6 left out (--min-games)" in out


SORTED = [
    ("stats", "results", "--by", "deck"), ("stats", "factions"), ("stats", "cards"),
    ("stats", "upcards"), ("stats", "leads"), ("stats", "lengths"),
    ("stats", "explore", "--trick", "1"), ("players", "show", "Ines Moser"), ("standings", EVENT),
]  # fmt: skip


@pytest.mark.parametrize("words", SORTED, ids=" ".join)
def test_sorting_by_every_column(folder, words):
    from claimlog.cli.archive.tables import RATE

    code, out, _ = claimlog(folder, *words, "--format", "csv")
    assert code == 0
    heading, *rows = list(csv.reader(io.StringIO(out)))
    for place, name in enumerate(heading):
        column, _, part = name.rpartition(" ")
        if part in RATE and column and part != "rate":
            continue
        key = (column if part == "rate" else name).lower().replace(" ", "-")
        for sort in (key, f"-{key}"):
            values = [row[place] for row in table(folder, *words, "--sort", sort)]
            assert sorted(values) == sorted(row[place] for row in rows)
            known = [value for value in values if value]
            assert values[: len(known)] == known
            try:
                numbers = [float(value) for value in known]
            except ValueError:
                folded = [value.casefold() for value in known]
                assert folded == sorted(folded, reverse=sort != key)
            else:
                assert numbers == sorted(numbers, reverse=sort == key)
    code, _, err = claimlog(folder, *words, "--sort", "luck")
    assert code == 2
    assert "luck" in err


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_what_records_say_does_not_steer_the_terminal(folder):
    text = on_terminal(folder, "players", "list", "--search", "bold")
    assert "[bold]\N{REPLACEMENT CHARACTER}[31mKeller" in text
    assert not COLOUR.search(text)
    assert "\x1b" not in on_terminal(folder, "games", "--text", "bold", TERM="dumb")


def test_the_help_is_not_broken_where_the_source_is(folder):
    for words, sentence in (
        (("import",), "2 a file could not be read or the archive could not be used."),
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
    """The command's CSV output; every row has all columns."""
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


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_on_forty_columns_words_stay_whole(folder, tmp_path):
    db = ("--db", str(tmp_path / "games.duckdb"))
    names = [f"{name} von Hohenzollern" for name in ("Anna", "Ben", "Cy", "Dora")]
    entries = "Name;Mannschaft\n" + "\n".join(f"{name};Kiel 1" for name in names)
    by = ("--by", "Ruth", *db)
    for words, text in (
        (("create", "Cup", "--system", "casual", *by), ""),
        (("enter", "Cup", *by), entries),
        (("pair", "Cup", *by), ""),
        (("start", "Cup", *by), ""),
        (("result", "Cup", "1 1-0 3-2", *by), ""),
    ):
        assert claimlog(folder, "event", *words, stdin=text.encode())[0] == 0
    for words in (
        ("event", "show", "Cup", *db),
        ("event", "show", "Cup", "--acts", *db),
        ("event", "places", "Cup", *db),
        ("event", "plan", "Cup", *db),
        ("event", "why", "Cup", names[3], *db),
    ):
        said = ESCAPES.sub("", on_terminal(folder, *words, width=40))
        assert wide(said) <= 40
        whole = claimlog(folder, *words)[1]
        assert set(said.partition("columns left out")[0].split()) <= set(whole.split())
    call = ("puzzles", "--simulate", "--date", "2026-11-24")
    asked = ESCAPES.sub("", on_terminal(folder, *call, width=40, typed={"> ": "=\n"}))
    whole = claimlog(folder, *call, stdin=b"=\n")[1]
    assert set(asked[asked.index("is to play") :].split()) <= set(whole.split()) | {"="}
