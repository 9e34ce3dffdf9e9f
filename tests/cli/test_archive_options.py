"""The options that select and sort games, and their definitions."""

import csv
import json
import re
from typing import get_args

import pytest
from archiving import claimlog, lay_out
from replaying import DATA

from claimlog.store.model.filter import CONDITIONS, Filter, PlayerSort, Sort
from claimlog.store.questions.results import Grouping

EVENT = "Zurich Claim Open (simulated)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("archive")
    lay_out(path)
    assert claimlog(path, "import", "zurich-open.clm")[0] == 0
    return path


def help_of(folder, *command):
    """The help of a command in one line, without frames."""
    code, out, _ = claimlog(folder, *command, "--help", COLUMNS="200")
    assert code == 0
    return " ".join(re.sub("[│╭╮╰╯─]", " ", out).split())


def test_every_condition_is_an_option_with_its_description(folder):
    assert list(CONDITIONS) == list(Filter.__struct_fields__)
    for command in (("games",), ("export",), ("events",), ("stats", "cards")):
        help = help_of(folder, *command)
        for condition in CONDITIONS.values():
            assert f"--{condition.name.replace('_', '-')} " in help
            assert condition.description.replace("`", "").removesuffix(".") in help


def test_limits_of_conditions_hold_on_the_command_line(folder):
    for condition in CONDITIONS.values():
        option = f"--{condition.name.replace('_', '-')}"
        if "le" in condition.limits:
            code, _, err = claimlog(folder, "games", option, condition.limits["le"] + 1)
            assert code == 2
            assert option in err


def test_sort_keys_and_groups_are_those_of_the_archive(folder):
    for keys, option, command in (
        (Sort, "--sort", ("games",)),
        (PlayerSort, "--sort", ("players", "list")),
        (Grouping, "--by", ("stats", "results")),
    ):
        for key in get_args(keys):
            whom = ("--player", "Ines Moser") if key in ("opponent", "partner") else ()
            assert claimlog(folder, *command, option, key, *whom)[0] == 0
        assert claimlog(folder, *command, option, "nonsense")[0] == 2


def test_a_moment_without_offset_is_utc_wherever_one_is(folder):
    moments = set()
    for zone in ("UTC", "America/New_York", "Asia/Tokyo"):
        code, out, err = claimlog(
            folder, "standings", EVENT, "--as-of", "2026-11-14T19:30:00", "-f", "json", TZ=zone
        )
        assert (code, err) == (0, "")
        moments.add(json.loads(out)["known_at"])
    assert moments == {"2026-11-14T19:30:00Z"}


def test_rates_are_sorted_by_the_lower_end_of_their_interval(folder):
    ask = ("stats", "results", "--by", "opponent", "--of", "player", "--player", "Ines Moser")
    for sort, down in (("points.low", True), ("-points.low", False)):
        code, out, _ = claimlog(folder, *ask, "--sort", sort, "--format", "csv")
        assert code == 0
        lows = [float(line.split(",")[-2]) for line in out.splitlines()[1:]]
        assert len(lows) == 8
        assert lows == sorted(lows, reverse=down)
    for sort in ("games.low", "points.high", "luck.low"):
        assert claimlog(folder, *ask, "--sort", sort)[0] == 2


@pytest.mark.parametrize(
    ("command", "listed", "key", "column"),
    [
        (("stats", "results", "--by", "player", "--sort", "-points"), "groups", "label", "player"),
        (("stats", "lengths", "--sort", "-leads"), "lengths", "length", "tricks in a row"),
        (("stats", "explore", "--sort", "points.low"), "moves", "card", "play"),
        (("players", "versus", "Ines Moser", "Paul Wyss", "--sort", "result"), "games", "id", "id"),
        (("standings", EVENT, "--sort", "-player"), "lines", "name", "player"),
        (("standings", EVENT, "--crosstable", "--sort", "player"), "rows", "name", "player"),
        (("standings", EVENT, "--ranks", "--sort", "player"), "lines", "name", "player"),
    ],
)
def test_json_has_the_rows_of_the_table(folder, command, listed, key, column):
    """Sorted, cut and without those of few games, also where they are part of an answer."""
    more = ("--limit", 3) if command[0] != "standings" else ()
    more += ("--min-games", 5) if command[0] == "stats" else ()
    _, out, _ = claimlog(folder, *command, *more, "--format", "csv")
    wanted = [row[column] for row in csv.DictReader(out.splitlines())]
    _, out, _ = claimlog(folder, *command, *more, "--format", "json")
    assert [str(row[key]) for row in json.loads(out)[listed]] == wanted != []


@pytest.mark.parametrize(
    ("command", "options"),
    [
        (("stats", "leads"), ("--limit 1", "--sort points", "--min-games 9")),
        (("players", "show", "Ines Moser"), ("--limit 1", "--sort games", "--min-games 9")),
        (("standings", EVENT, "--rounds"), ("--sort players",)),
    ],
)
def test_an_option_for_rows_is_refused_where_json_has_none(folder, command, options):
    assert claimlog(folder, *command, "-f", "json")[0] == 0
    for given in map(str.split, options):
        code, out, err = claimlog(folder, *command, *given, "-f", "json")
        assert (code, out) == (2, "")
        assert f"{given[0]} is for the rows of a table" in err
        assert claimlog(folder, *command, *given, "-f", "csv")[0] == 0


@pytest.mark.needs("openskill")
def test_ratings_of_few_games_can_be_left_out(folder):
    rows = [
        {
            row["games"]
            for row in csv.DictReader(
                claimlog(folder, "stats", "ratings", "-f", "csv", *least)[1].splitlines()
            )
        }
        for least in ((), ("--min-games", "8"))
    ]
    assert rows[0] >= {"8"}
    assert rows[1] == {"8"}
    # A table with rates has the option already, once.
    assert help_of(folder, "stats", "results").count("--min-games") == 1


def test_a_missing_player_is_asked_for_by_the_option(folder):
    missing = "--player is missing: name the player, as in --player 'Anna Keller'\n"
    for given in (("stats", "results", "--by", "opponent"), ("stats", "cards", "--by", "player")):
        assert claimlog(folder, *given) == (2, "", f"claimlog: {missing}")
    assert claimlog(folder, "games", "--seat", "2")[2] == f"claimlog: --seat: {missing}"
    german = claimlog(folder, "stats", "results", "--of", "player", "--lang", "de")[2]
    assert german == "claimlog: --player fehlt: den Spieler nennen, etwa --player 'Anna Keller'\n"


def test_an_export_is_what_its_file_is_called(folder, tmp_path):
    """Unless --format says otherwise; a table in name only is of no use to a program."""
    for name, more, begins in (
        ("a.csv", (), b"id,"),
        ("a.Parquet", (), b"PAR1"),
        ("a.ndjson", (), b'{"row"'),
        ("csv", (), b"[CLM"),
        ("a.clm", (), b"[CLM"),
        ("games", (), b"[CLM"),
        ("b.csv", ("--format", "clm"), b"[CLM"),
    ):
        assert claimlog(folder, "export", *more, "--output", tmp_path / name)[0] == 0
        assert (tmp_path / name).read_bytes().startswith(begins)


def test_several_values_of_a_condition(folder):
    def count(*arguments):
        return int(claimlog(folder, "games", "--count", *arguments)[1])

    assert count("--round", "1", "--round", "2") == count("--round", "1") + count("--round", "2")
    assert count("--not-player", "Ines Moser") == 64 - count("--player", "Ines Moser")
    assert count("--warning", "irregular", "--warning", "loot-unknown") == 64 - count("--clean")
    assert claimlog(folder, "players", "list", "--count")[1] == "16\n"
    assert claimlog(folder, "players", "list", "--count", "--min-games", "9")[1] == "0\n"
    assert claimlog(folder, "events", "--count")[1] == "1\n"


def test_unfinished_games_are_those_without_a_result(tmp_path):
    decided = (DATA / "without-tricks.clm").read_text(encoding="utf-8")
    open_game = decided.split("\n\n[CLM")[0].replace("1-0", "*").replace('"1"]\n[T', '"9"]\n[T')
    open_game = open_game.replace("Village", "Town").replace('[Votes "3-2"]\n', "")
    (tmp_path / "decided.clm").write_text(decided, encoding="utf-8")
    (tmp_path / "open.clm").write_text(open_game + "\n", encoding="utf-8")
    done = claimlog(tmp_path, "import", "decided.clm")
    assert done == (0, f"{decided.count('[CLM')} games: {decided.count('[CLM')} stored\n", "")
    assert "unfinished" not in claimlog(tmp_path, "standings", "village")[1]
    assert claimlog(tmp_path, "import", "open.clm")[1] == "1 game: 1 stored (1 unfinished)\n"
    assert "1 unfinished game does not count" in claimlog(tmp_path, "standings", "town")[1]


def test_a_game_that_a_third_player_won_counts_for_neither_of_two(folder):
    """It was lost for both."""
    record = (
        '[Player1 "Ann"]\n[Player2 "Bob"]\n[Player3 "Zoe"]\n[Deck "GKABDFS"]\n'
        '[Termination "resignation"]\n[Result "0-0-1"]\n\n0-0-1\n'
    )
    (folder / "three.clm").write_text(record + record.replace("0-0-1", "1-0-0"), encoding="utf-8")
    assert claimlog(folder, "import", "three.clm", "--db", "three.duckdb")[0] == 0
    for players, said in (
        (("Ann", "Bob"), "Ann - Bob: won 1, lost 0, shared 0, won by neither 1; factions 0:0"),
        (("Bob", "Ann"), "Bob - Ann: won 0, lost 1, shared 0, won by neither 1; factions 0:0"),
        (("Zoe", "Bob"), "Zoe - Bob: won 1, lost 0, shared 0, won by neither 1; factions 0:0"),
    ):
        _, out, err = claimlog(folder, "players", "versus", *players, "--db", "three.duckdb")
        assert out.splitlines()[0] == said, err
