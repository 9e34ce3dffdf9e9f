"""An evening at the desk of an event, using commands only."""

import json
import os
import re
import shutil

import pytest
from archiving import claimlog, lay_out

EVENT = "Spring Cup"
GAME = (
    '[Event "spring cup"]\n[Round "1"]\n[Player1 "Di"]\n[Player2 "Cy"]\n[Deck "GKUWX"]\n'
    '[Termination "resignation"]\n[Result "1-0"]\n\n1-0\n'
)


def runs_in(folder):
    """Runs `claimlog` in a folder, and checks its exit code."""

    def run(command, *words, stdin=b"", code=0):
        ended, out, err = claimlog(folder, *command.split(), *words, stdin=stdin)
        assert ended == code, err
        return out or err

    return run


@pytest.fixture(scope="module")
def first_round(tmp_path_factory):
    """A folder with Ruth's event: five players in the first round."""
    folder = tmp_path_factory.mktemp("event")
    lay_out(folder)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setitem(os.environ, "CLAIMLOG_BY", "Ruth")
        run = runs_in(folder)
        run("event create", EVENT, "--rounds", "3", "--deck", "GKUWX", "--deck", "BDFIN")
        run("event enter", EVENT, stdin=b"Ann\nBo\n\nCy\nDi\nEd\n")
        run("event pair", EVENT, "1-2", "3-4", "5")
        run("event start", EVENT)
    return folder


@pytest.fixture
def desk(first_round, tmp_path, monkeypatch):
    """Runs `claimlog` as Ruth, with a copy of her event."""
    shutil.copytree(first_round, tmp_path, dirs_exist_ok=True)
    monkeypatch.setitem(os.environ, "CLAIMLOG_BY", "Ruth")
    return runs_in(tmp_path)


def test_an_evening(desk):
    out = desk("event result", EVENT, "1", "1-0", "3-2")
    assert out.splitlines() == ["   1  Ann – Bo  1-0 (3-2)", "without a result: 2"]
    desk("import -", stdin=GAME.encode())
    assert desk("event close", EVENT) == "round 1 is closed\n"
    rows = [json.loads(line) for line in desk("standings", EVENT, "-f", "json").splitlines()]
    assert {line["name"]: line["points"] for line in rows[0]["lines"]} == {
        **dict.fromkeys(("Ann", "Di", "Ed"), 1),
        **dict.fromkeys(("Bo", "Cy"), 0),
    }
    desk("event withdraw", EVENT, "bo")
    desk("event bye", EVENT, "ed", "--kind", "half")
    assert "ed" in desk("event pair", EVENT, "1-5", "3-4", code=1).lower()
    assert "Ann leads" in desk("event pair", EVENT, "1-3")
    board = json.loads(desk("event export", EVENT))
    assert [table["table"]["deck"] for round in board["rounds"] for table in round["tables"]] == [
        *("GKUWX", "GKUWX", "BDFIN")
    ]
    csv = desk("event export", EVENT, "-f", "csv")
    desk("event pair", EVENT, "-", stdin=csv.encode())
    assert desk("event export", EVENT, "-f", "csv") == csv
    desk("event undo", EVENT)
    csv = csv.splitlines()
    assert [line.rsplit(",", 2)[0] for line in csv[1:]] == [
        *("1,1,Ann,Bo,1-0,typed", "1,2,Cy,Di,0-1,record", "1,,Ed,,bye,pairing"),
        *("2,1,Ann,Cy,,", "2,,Ed,,bye,half"),
    ]
    assert "paired (round 2)" in desk("event undo", EVENT)
    assert "round 2 is not paired" in desk("event show", EVENT, "--round", "2", code=2)


def test_without_open_tables_there_are_no_links(desk):
    """Without a server, and with one once all tables have a result."""
    assert desk("event links", EVENT) == "no table of this round is open at a server\n"


def test_a_result_that_the_record_has_too_is_not_said_to_be_typed(desk):
    desk("event result", EVENT, "2", "0-1")
    desk("import -", stdin=GAME.encode())
    rows = desk("event show", EVENT).splitlines()
    row = next(row for row in rows if "Cy – Di" in row)
    assert "record" in row
    assert "typed" not in row


def test_without_a_deck_it_is_said_why_there_are_no_links(desk):
    desk("event create", "Other", "--system", "by-hand")
    desk("event enter", "Other", stdin=b"Ann\nBo\n")
    desk("event pair", "Other", "1-2")
    assert "without a deck" not in desk("event start", "Other")
    assert desk("event links", "Other").startswith("without a deck no tables are opened")


def test_a_deck_in_small_letters_is_printed(desk):
    desk("event plan", EVENT, "--deck", "gkuwx", "--deck", "bdfin")
    desk("event close", EVENT, "--adjourn")
    desk("event pair", EVENT, "1-3", "4-5")
    desk("event print", EVENT, "sheets", "-o", "sheets.html")
    board = json.loads(desk("event export", EVENT))
    assert board["plan"]["decks"] == ["GKUWX", "BDFIN"]
    assert board["rounds"][1]["tables"][0]["table"]["deck"] == "BDFIN"


def test_who_does_not_play_is_listed(desk):
    desk("event withdraw", EVENT, "Bo")
    desk("event bye", EVENT, "Ed", "--round", "3")
    desk("event bye", EVENT, "Ed")
    shown = desk("event show", EVENT, "--entrants", "--lang", "de").splitlines()
    assert [" ".join(line.split()) for line in shown if re.search("Runde|Cy", line)] == [
        *("2 Bo bis Runde 1", "3 Cy", "5 Ed setzt in Runde 2, 3 aus")
    ]


def test_what_was_done_is_told_in_german_too(desk):
    desk("event withdraw", EVENT, "Bo")
    desk("event close", EVENT, "--adjourn")
    desk("event pair", EVENT, "1-3", "4-5")
    desk("event lock", EVENT, "2")
    desk("event lock", EVENT, "2", "--unlock")
    shown = desk("event show", EVENT, "--acts", "--lang", "de")
    for act in ("angelegt", "abgemeldet (Runde 2, Teilnehmer 2)", "gelöst (Runde 2, Tisch 2)"):
        assert act in shown
    assert "zurückgenommen: gelöst (Runde 2, Tisch 2)," in desk("event undo", EVENT, "--lang", "de")
    rows = desk("event show", EVENT, "--acts", "-f", "csv").splitlines()
    assert rows[5].split(",", 2)[2] == '"withdrew (round 2, entrant 2)",Ruth,'


def test_a_wrong_line_stops_no_other(desk):
    lines = "x\n1 1-0-0\n9 1\n2 0-1\n"
    out = desk("event result", EVENT, stdin=lines.encode(), code=1)
    assert out.splitlines() == ["   2  Cy – Di  0-1", "without a result: 1"]
    desk("event result", EVENT, stdin=b"2 kampflos 1")
    shown = json.loads(desk("event export", EVENT))["rounds"][0]["tables"][1]["result"]
    assert (shown["result"], shown["forfeit"]) == ("0-1", [1])
    assert "without a result: 1, 2" in desk("event result", EVENT, "2 -")


def test_a_wrong_line_is_named(desk, tmp_path):
    lines = b"1 1-0\n\nx 2\n9 1; 2 = 3-2\n"
    code, out, err = claimlog(tmp_path, "event", "result", EVENT, stdin=lines)
    assert (code, out.splitlines()) == (1, ["   1  Ann – Bo  1-0", "without a result: 2"])
    assert err.splitlines() == [
        "claimlog: line 3: 'x 2': a line begins with the number of a table, as in 7 1-0",
        "claimlog: line 4: round 1 has no table 9",
        "claimlog: line 4: table 2: only sides with equally many factions can share a win, not "
        "3-2: correct the result or the factions",
    ]


def test_what_the_state_of_an_event_does_not_allow_is_refused_with_code_1(desk):
    assert "round 1 has begun" in desk("event start", EVENT, code=1)
    assert "is directed here" in desk("event create", EVENT, code=1)
    desk("event withdraw", EVENT, "bo")
    assert "Bo has withdrawn" in desk("event withdraw", EVENT, "bo", code=1)
    assert "round 3 is the last round of the event" in desk(
        "event bye", EVENT, "Ann", "--round", "9", code=1
    )
    desk("event result", EVENT, "1 1-0, 2 1-0")
    desk("event close", EVENT)
    assert "is not being played" in desk("event close", EVENT, code=1)
    desk("event result", EVENT, "1 0-1", code=1)
    desk("event create", "Empty", "--system", "by-hand")
    assert "round 1 is not paired" in desk("event start", "Empty", code=1)
    assert "by hand" in desk("event pair", "Empty", code=1)
    assert "there is no entrant Xaver" in desk("event withdraw", EVENT, "Xaver", code=2)


def test_categories_and_seeds_are_shown(desk):
    text = "Name,Category,Seed\nFay,Youth,3\nGus,Ladies,\nHal,Ältere,\n"
    desk("event create", "Open")
    desk("event enter", "Open", stdin=text.encode())
    rows = desk("event show", "Open", "--entrants", "-f", "csv").splitlines()
    assert rows[0].split(",") == ["number", "player", "club", "team", "category", "rating", "seed",
                                  "plays"]  # fmt: skip
    assert rows[1].split(",")[4:7] == ["Youth", "", "3"]
    assert "Fay" in desk("event places", "Open", "--category", "youth")
    assert "Yuoth is not one of Ältere, Ladies, Youth" in desk(
        "event places", "Open", "--category", "Yuoth", code=2
    )
    assert "has a category" in desk("event places", EVENT, "--category", "Youth", code=2)


def test_no_option_of_standings_is_ignored(desk):
    for options in (
        ("--rounds", "--crosstable"),
        ("--ranks", "--teams"),
        ("--rounds", "--round=1"),
    ):
        assert "cannot be combined" in desk("standings", EVENT, *options, code=2)


def test_only_the_director_changes_what_is_confirmed(desk):
    desk("event result", EVENT, "1 1-0")
    desk("event confirm", EVENT, "1", "--side", "1")
    desk("event result", EVENT, "1 0-1")
    desk("event confirm", EVENT, "1")
    desk("event result", EVENT, "1 1-0", code=1)
    assert "1-0" in desk("event result", EVENT, "1 1-0", "--correct", "--why", "heard wrong")
    assert "noch kein Ergebnis" in desk("event confirm", EVENT, "2", "--lang", "de", code=1)
    assert "fehlt ein Ergebnis, an Tisch 2" in desk("event close", EVENT, "--lang", "de", code=1)
    assert "played later: 2" in desk("event close", EVENT, "--adjourn")
    assert desk("event result", EVENT, "2 =").splitlines()[1] == (
        "all tables of round 1 have a result"
    )


def test_the_clock_and_what_stands_on_the_screens(desk):
    assert desk("event clock", EVENT) == "there is no clock\n"
    assert "has no time yet" in desk("event clock", EVENT, "--start", code=1)
    assert desk("event clock", EVENT, "--add", "50") == "50:00, stopped\n"
    assert desk("event clock", EVENT, "--start", "--add", "15").startswith(("1:05:00", "1:04:5"))
    assert desk("event clock", EVENT, "--stop", "--add", "-70", "--lang", "de").startswith("-0")
    assert desk("event announce", EVENT, "Pizza") == "Pizza\n"
    assert desk("event announce", EVENT, "--lang", "de") == "es wird keine Nachricht gezeigt\n"


def test_a_round_is_played_on_while_the_next_one_is_paired(desk):
    desk("event clock", EVENT, "--add", "50")
    desk("event pair", EVENT, "1-3", "2-4", "5")
    assert desk("event clock", EVENT) == "50:00, stopped\n"
    assert desk("event clock", EVENT, "--add", "5") == "55:00, stopped\n"
    assert "1-0" in desk("event result", EVENT, "1 1-0")
    assert "1-0" in desk("event confirm", EVENT, "1")
    assert "1-0" in desk("event show", EVENT, "--round", "1")
    assert desk("event close", EVENT, "--adjourn").startswith("round 1 is closed\n")
    assert desk("event reopen", EVENT) == "round 1 is open again\n"


def test_a_result_that_a_paired_round_does_not_know_is_named(desk):
    desk("event plan", EVENT, "--system", "casual")
    desk("event result", EVENT, "1 1-0, 2 1-0")
    desk("event close", EVENT)
    desk("event pair", EVENT)
    old = "Round 1, table 1 has a new result since this round was paired"
    assert old in desk("event result", EVENT, "1 0-1", "--round", "1", "--correct")
    german = desk("event result", EVENT, "1 1-0", "--round", "1", "--correct", "--lang", "de")
    assert "Runde 1, Tisch 1 hat ein neues Ergebnis" in german
    assert old not in desk("event pair", EVENT)
    desk("event pair", EVENT, "1-3", "2-4", "5")  # by hand, whatever the results
    assert old not in desk("event result", EVENT, "1 0-1", "--round", "1", "--correct")


def test_a_name_written_otherwise_is_said_and_mended(desk):
    desk("import -", stdin=GAME.replace('"Cy"', '"Cyril"').encode())
    shown = desk("event show", EVENT)
    assert "Cyril is probably Cy: claimlog event spell" in shown
    assert "belong to no table" not in shown
    assert desk("event spell", EVENT, "cy", "Cyril") == "Cyril is Cy\n"
    shown = desk("event show", EVENT)
    assert "record" in shown
    assert "waiting longest: Ed, Cy, Di" in shown
    assert "spell" not in shown


def test_a_locked_table_stays_as_it_is(desk):
    desk("event undo", EVENT)
    assert desk("event lock", EVENT, "1") == "table 1 is locked\n"
    assert "table 1 is locked" in desk("event exchange", EVENT, "1", "3", code=1)
    assert "table 1 is unlocked" in desk("event lock", EVENT, "1", "--unlock")
    assert "Cy – Bo" in desk("event exchange", EVENT, "1", "3")


def test_a_play_left_to_the_director_is_listed_until_it_stands(desk, tmp_path):
    record = (
        '[Event "Spring Cup"]\n[Round "1"]\n[Player1 "Cy"]\n[Player2 "Di"]\n[Deck "GKUWX"]\n'
        '[Termination "resignation"]\n[Result "1-0"]\n\n'
        "1. U7: G5+ W8^ {[%director]}\n2. X3: U4+ G9\n1-0\n"
    )
    (tmp_path / "left.clm").write_text(record)
    desk("import", "left.clm")
    left = "left to the director: round 1, table 2, trick 1, W8 of Di"
    assert f"{left}: claimlog event stands" in " ".join(desk("event show", EVENT).split())
    assert "nothing in the game of table 1" in desk("event stands", EVENT, "1", code=1)
    told = desk("event stands", EVENT, "2", "--why", "it changed nothing")
    assert told == "the game of table 2 stands as it was recorded\n"
    assert left not in desk("event show", EVENT)
    assert "stands (round 1, table 2)" in desk("event show", EVENT, "--acts")
    assert "steht (Runde 1, Tisch 2)" in desk("event undo --lang de", EVENT)
    assert left in desk("event show", EVENT)


def test_a_table_is_added_for_the_bye_and_somebody_late(desk):
    desk("event enter", EVENT, "Flo Late")
    shown = desk("event seat", EVENT, "flo", "Ed")
    assert "3  Flo Late – Ed" in shown
    assert "bye" not in shown
    assert "Ed is in round 1 twice" in desk("event seat", EVENT, "Ed", "Flo Late", code=1)
    assert "undone: seated (round 1, table 3)" in desk("event undo", EVENT)


def test_how_it_is_played_changes_on_the_way(desk):
    shown = desk("event plan", EVENT, "--rounds", "5", "--points", "win=3,draw=1", "--closed")
    assert re.search(r"rounds +5\n", shown)
    assert "win=3, draw=1, loss=0" in shown
    assert re.search(r"spectators +no\n", shown)
    assert re.search(r"Zuschauer +ja\n", desk("event plan", EVENT, "--open", "--lang", "de"))
    plan = json.loads(desk("event plan", EVENT, "-f", "json"))
    assert (plan["rounds"], plan["decks"], plan["points"]["win"]) == (5, ["GKUWX", "BDFIN"], 3)
    assert "dutch is not one of swiss" in desk("event plan", EVENT, "--system", "dutch", code=2)
    assert "win=x is not a list of points like win=3,draw=1" in desk(
        "event plan", EVENT, "--points", "win=x", code=2
    )


def test_an_entrant_is_put_right(desk):
    shown = desk("event change", EVENT, "Cy", "--name", "Cyril Ott", "--club", "Kiel")
    assert shown == "   3  Cyril Ott; Kiel\n"
    assert "Cyril Ott" in desk("event show", EVENT)
    assert "nothing to change" in desk("event change", EVENT, "1", code=2)


def test_who_is_entered_already_is_a_name(desk):
    said = "claimlog: line 1: Ann is entered already, as Ann\n"
    assert desk("event enter", EVENT, "Ann", code=1) == said


def test_a_file_is_no_name(desk):
    shown = desk("event enter", EVENT, "entrants.csv", code=2)
    assert "entrants.csv is a file, not a name" in shown
    assert "ist eine Datei" in desk("event enter", EVENT, "./Fay", "--lang", "de", code=2)


def test_a_name_may_have_a_slash(desk, tmp_path):
    assert desk("event enter", EVENT, "Fay/Gus", "Hal / Ida") == "   6  Fay/Gus\n   7  Hal / Ida\n"
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "more").write_text("Jo\n")
    for path in ("lists/more", "lists/none.csv", "/lists/none"):
        assert "is a file, not a name" in desk("event enter", EVENT, path, code=2)
    assert desk("event withdraw", EVENT, "Fay/Gus")


TRF_LINE = "001    1      {name:33} 1500                             1.0    1  \n"


@pytest.mark.needs("py4swiss")
def test_lists_may_be_in_windows_1252(desk, tmp_path):
    def given(*words, text, code=0, env=None):
        stdin = text.encode("cp1252")
        ended, out, err = claimlog(tmp_path, "event", *words, stdin=stdin, **(env or {}))
        assert ended == code, err
        return out, err

    out, err = given("enter", EVENT, text="Fay\r\nJörg Müller; Köln\r\nZoë Œuvre\r\n")
    assert [line.split(maxsplit=1)[1] for line in out.splitlines()] == [
        *("Fay", "Jörg Müller", "Zoë Œuvre")
    ]
    assert err == "claimlog: line 2 is not UTF-8; read as Windows-1252\n"
    desk("event create", "Copy")
    _, err = given("import", "Copy", "--lang", "de", text=TRF_LINE.format(name="Ötzi, Jörg"))
    assert "Zeile 1 ist kein UTF-8; als Windows-1252 gelesen" in err
    assert "Ötzi, Jörg" in desk("event show", "Copy")
    _, err = given("result", EVENT, text="1 ½-½\n2 1-0\n")
    assert err == "claimlog: line 1 is not UTF-8; read as Windows-1252\n"
    desk("event close", EVENT)
    out, _ = given("pair", EVENT, "-", text="Ann; jörg müller\nCy; Ed\n")
    assert "Ann – Jörg Müller" in out


@pytest.mark.parametrize(
    "text", [b"Anna\nJ\x94rg\n", b"Anna\nB\x81ck\n", "Bo\nJörg\n".encode("utf-16")]
)
def test_what_is_no_list_in_windows_1252_either_is_refused(desk, text):
    before = desk("event show", EVENT, "--entrants")
    for language, said in (("en", "is not UTF-8: save"), ("de", "ist kein UTF-8: Die Liste")):
        assert said in desk("event enter", EVENT, "--lang", language, stdin=text, code=2)
    assert desk("event show", EVENT, "--entrants") == before


@pytest.mark.parametrize(
    "words",
    [
        ("create", "J\udcf6rg"),
        ("announce", EVENT, "K\udce4se"),
        ("enter", EVENT, "J\udcf6rg"),
        ("pair", EVENT, "\udcbd"),
        ("result", EVENT, "1", "\udcbd"),
        ("change", EVENT, "1", "--club", "K\udcf6ln"),
        ("show", EVENT, "--db", "\udcf6.duckdb"),
    ],
    ids=lambda words: words[0],
)
def test_an_argument_that_is_not_utf8_is_refused(desk, words):
    assert "\ufffd" in (said := desk(f"event {words[0]}", *words[1:], code=2))
    assert "is not UTF-8: the terminal or the script" in said


def test_nor_is_the_environment_read_otherwise(desk, monkeypatch):
    monkeypatch.setitem(os.environ, "CLAIMLOG_BY", "J\udcf6rg")
    assert "is not UTF-8" in desk("event announce", EVENT, "x", code=2)


def test_an_event_without_games_has_its_name_when_it_is_renamed_and_merged(desk):
    assert desk("event rename", EVENT, "May Cup") == "Spring Cup is now called May Cup\n"
    for other in ("Copy", "Third"):
        desk("event create", other)
        merged = desk("event merge", other, "May Cup")
        assert re.fullmatch(rf"{other} \(\w+\) now counts for May Cup \(\w+\)\n", merged)
    desk("event create", "Copy 2")
    assert "has a desk" in desk("event merge", "May Cup", "Copy 2", code=1)


def test_a_round_that_has_not_begun_is_not_closed(desk):
    desk("event undo", EVENT)
    for words in ((), ("--adjourn",)):
        assert "round 1 has not begun" in desk("event close", EVENT, *words, code=1)
    assert "hat nicht begonnen" in desk("event close", EVENT, "--lang", "de", code=1)


def test_trf16_is_for_games_of_two(desk):
    desk("event create", "Three", "--seats", "3")
    shown = desk("event export", "Three", "-f", "trf", code=2)
    assert shown == "claimlog: TRF16 is for games of two, not for tables of 3\n"


def test_a_system_for_two_sides_is_refused_at_tables_of_three(desk):
    words = ("--system", "knock-out", "--seats", "3")
    assert desk("event create", "Three", *words, code=1) == (
        "claimlog: knock-out is for two sides, not for tables of three: choose swiss, casual, "
        "rotation or by-hand\n"
    )
    desk("event create", "Three", "--seats", "3")
    shown = desk("event plan", "Three", *words[:2], "--lang", "de", code=1)
    assert "nicht für Tische zu dritt; möglich sind" in shown


def test_places_after_a_round_there_is_not_are_refused(desk):
    for command in ("places", "why"):
        words = (EVENT, *(["Ann"] if command == "why" else []))
        assert "round 9 is not paired" in desk(f"event {command}", *words, "--round", "9", code=2)
        desk(f"event {command}", *words, "--round", "1")


@pytest.mark.parametrize("text", [b"", b"\n# nothing\n", b"round,table,player1,player2\n"])
def test_a_list_without_pairings_replaces_none(desk, text):
    desk("event undo", EVENT)
    assert "no pairings in the input" in desk("event pair", EVENT, "-", stdin=text, code=1)
    assert "Ann – Bo" in desk("event show", EVENT)


def test_why_somebody_is_where_they_are_and_prizes(desk):
    desk("event change", EVENT, "Bo", "--category", "youth")
    desk("event change", EVENT, "Di", "--category", "youth", "--team", "A")
    desk("event result", EVENT, "1 1-0, 2 1-0")
    assert desk("event why", EVENT, "bo").startswith("behind Ann by points: 0 to 1\n")
    assert "gleichauf mit" in desk("event why", EVENT, "bo", "--lang", "de")
    shown = desk("event places", EVENT)
    assert "level in all tie-breaks: Ann, Cy" in shown
    assert "(Di)" in shown
    rows = desk("event places", EVENT, "--category", "youth", "-f", "csv").splitlines()[1:]
    assert [row.split(",")[1::3] for row in rows] == [["Bo", "1"], ["Di", "1"]]
    page = desk("event print", EVENT, "prizes")
    assert "<h3>youth</h3>" in page


def test_out_and_in_again(desk):
    """CSV restores pairings, TRF16 the whole event."""
    pytest.importorskip("py4swiss", reason="needs the packages of claimlog[events]")
    desk("event result", EVENT, "1 1-0, 2 =")
    desk("event close", EVENT)
    desk("event pair", EVENT, "1-3", "2-5", "4")
    csv, trf = (desk("event export", EVENT, "-f", form) for form in ("csv", "trf"))
    desk("event undo", EVENT)
    shown = desk("event pair", EVENT, "-", stdin=csv.encode())
    assert shown.splitlines()[1:4] == [
        *("   1  Ann – Cy  Ann leads", "   2  Bo – Ed  Bo leads", "      Di has a bye")
    ]
    desk("event create", "Copy")
    assert desk("event import", "Copy", stdin=trf.encode()) == "Copy: 5 players; rounds: 2\n"
    assert desk("event export", "Copy", "-f", "csv").splitlines()[1:4] == [
        *("1,1,Ann,Bo,1-0,typed,,", "1,2,Cy,Di,1/2-1/2,typed,,", "1,,Ed,,bye,pairing,,")
    ]
    assert desk("event export", "Copy", "-f", "trf").replace("Copy", EVENT) == trf
    assert "has entrants" in desk("event import", "Copy", stdin=trf.encode(), code=1)
    wrong = desk("event pair", EVENT, "-", stdin=b"Ann; Nobody\nBo; Bo", code=1)
    assert "line 1: there is no entrant 'Nobody'; line 2: Bo is" in wrong


def test_a_package_that_is_missing_is_no_matter_of_the_event(desk, tmp_path):
    """Exit code 2, as without any other package."""
    lacking = tmp_path / "lacking"
    lacking.mkdir()
    (lacking / "py4swiss.py").write_text("raise ImportError\n")
    desk("event create", "Copy")
    for command, name, message in (
        ("pair", EVENT, "the Dutch system needs the package py4swiss"),
        ("export -f trf", EVENT, "TRF16 needs the package py4swiss"),
        ("import", "Copy", "TRF16 needs the package py4swiss"),
    ):
        words = ("event", *command.split(), name)
        code, _, err = claimlog(tmp_path, *words, stdin=b"001", PYTHONPATH=str(lacking))
        assert (code, message in err) == (2, True)


def test_standings_are_those_of_teams_if_partners_stay_together(desk):
    desk("event create", "Pairs", "--seats", "4", "--fixed-teams", "--system", "round-robin")
    entrants = "name;team\nA1;A\nA2;A\nB1;B\nB2;B\n"
    desk("event enter", "Pairs", stdin=entrants.encode())
    desk("event pair", "Pairs")
    desk("event start", "Pairs")
    desk("event result", "Pairs", "1 1-0")
    for how in ((), ("--teams",)):
        (table,) = map(json.loads, desk("standings", "Pairs", *how, "-f", "json").splitlines())
        assert [sorted(line["names"]) for line in table["lines"]] in (
            [["A1", "A2"], ["B1", "B2"]],
            [["B1", "B2"], ["A1", "A2"]],
        )
    (table,) = map(json.loads, desk("standings", "Pairs", "--players", "-f", "json").splitlines())
    assert len(table["lines"]) == 4
    printed = desk("event print", "Pairs", "standings", "--round", "1", "-o", "-")
    assert re.search("A1 &amp; A2|A2 &amp; A1", printed)
    desk("publish", "Pairs", "pairs")


def test_a_result_of_the_director_s_is_published_beside_the_recorded_one(desk, tmp_path):
    (tmp_path / "game.clm").write_text(GAME)
    desk("import", "game.clm")
    desk("event result", EVENT, "2 1-0", "--correct")  # Cy, who has seat 2 in the record
    desk("publish", EVENT, "site")
    for page in ("index.html", "rounds/1.html"):
        assert "director: 0-1" in (tmp_path / "site" / page).read_text()


def test_results_without_a_record_are_rated_and_published(desk, tmp_path):
    pytest.importorskip("openskill", reason="needs the packages of claimlog[events]")
    desk("event result", EVENT, "1 1-0 3-2, 2 kampflos 1")
    rows = [json.loads(row) for row in desk("stats ratings", "-f", "json").splitlines()]
    assert [(row["player"], row["games"]) for row in rows] == [("Ann", 1), ("Bo", 1)]
    assert rows[0]["rating"] > 25 > rows[1]["rating"]
    desk("event result", EVENT, "1 0-1")
    rows = [json.loads(row) for row in desk("stats ratings", "-f", "json").splitlines()]
    assert [row["player"] for row in rows] == ["Bo", "Ann"]
    desk("publish", EVENT, "site")
    desk("publish", EVENT, "again")
    files = {
        folder: {path.name: path.read_bytes() for path in (tmp_path / folder).rglob("*.*")}
        for folder in ("site", "again")
    }
    assert files["site"] == files["again"]
    # Links are followed.
    kept = tmp_path / "kept.html"
    (tmp_path / "again" / "index.html").rename(kept)
    (tmp_path / "again" / "index.html").symlink_to(kept)
    kept.write_bytes(b"")
    desk("publish", EVENT, "again")
    assert (tmp_path / "again" / "index.html").is_symlink()
    assert kept.read_bytes() == files["again"]["index.html"]
    assert "<bdi>Ann</bdi> – <bdi>Bo</bdi>" in files["site"]["index.html"].decode()
    results = files["site"]["results.csv"].decode().splitlines()
    assert results[0] == "round,table,player1,player2,result,source,game,forfeit"
    # Side 1 of table 2 did not come.
    assert {"1,1,Ann,Bo,0-1,typed,,", "1,2,Cy,Di,0-1,typed,,1"} <= {*results}
