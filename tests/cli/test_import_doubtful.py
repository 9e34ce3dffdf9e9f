"""`claimlog import` of games that are already stored in another version."""

import sys

import forked
import pytest
from archiving import at, claimlog
from replaying import DATA

pytest.importorskip("duckdb")

SAMPLE = (DATA / "sample.clm").read_text(encoding="utf-8")
CHANGED = SAMPLE.replace("Anna Keller", "Anna Kellerhals")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "sample.clm").write_text(SAMPLE, encoding="utf-8")
    (tmp_path / "again.clm").write_text(CHANGED, encoding="utf-8")
    assert claimlog(tmp_path, "import", "sample.clm")[0] == 0
    return tmp_path


def games(folder):
    return claimlog(folder, "games", "--count")[1].strip()


def test_without_a_terminal_it_is_refused_with_what_to_do(folder):
    code, out, err = claimlog(folder, "import", "again.clm")
    assert (code, err) == (1, "")
    assert "again.clm:1: this seems to be game 8emz5k5amwvkk" in out
    assert '- [Player1 "Anna Keller"]' in out
    assert '+ [Player1 "Anna Kellerhals"]' in out
    assert "--replace" in out
    assert "--beside" in out
    assert "1 in doubt, not stored" in out
    assert claimlog(folder, "games", "--count")[1] == "1\n"


def test_replace_and_beside(folder):
    code, out, _ = claimlog(folder, "import", "again.clm", "--replace")
    assert (code, out) == (0, "1 game: 1 new revisions of stored games\n")
    assert games(folder) == "1"
    code, out, _ = claimlog(folder, "import", "sample.clm", "again.clm")
    assert (code, out) == (0, "2 games: 2 known already\n")
    (folder / "third.clm").write_text(SAMPLE.replace("Ben Roth", "Ben Rothe"), encoding="utf-8")
    assert claimlog(folder, "import", "third.clm", "--beside")[:2] == (0, "1 game: 1 stored\n")
    assert games(folder) == "2"
    assert "8emz5k5amwvkk" in claimlog(folder, "db", "doubtful")[1]
    code, _, err = claimlog(folder, "import", "third.clm", "--beside", "--replace")
    assert code == 2
    assert "cannot be combined" in err


def test_a_correction_that_makes_it_another_game_is_refused(folder):
    other = (DATA / "zurich-open.clm").read_text(encoding="utf-8").split("\n\n[CLM")[0] + "\n"
    (folder / "other.clm").write_text(other, encoding="utf-8")
    assert claimlog(folder, "import", "other.clm")[0] == 0
    _, out, _ = claimlog(folder, "games", "--event", "Zurich", "--format", "csv")
    id = out.splitlines()[1].split(",")[0]
    correct = ("game", "correct", id, "again.clm", "--by", "Eva", "--why", "typed wrongly")
    refused = (1, "this seems to be game 8emz5k5amwvkk: not corrected\n", "")
    assert claimlog(folder, *correct) == refused
    assert claimlog(folder, "game", "show", id)[1] == other
    code, out, _ = claimlog(folder, *correct, "--lang", "de")
    assert (code, out) == (1, "das scheint Partie 8emz5k5amwvkk zu sein: nicht berichtigt\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_in_german_it_asks_in_german(folder):
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    child = forked.on_terminal(
        ["import", "again.clm", "--lang", "de"], cwd=folder, env=at(folder),
        encoding="utf-8", timeout=60,
    )  # fmt: skip
    child.expect_exact("das scheint Partie 8emz5k5amwvkk zu sein")
    child.expect_exact("[e]rsetzen, [b]eide behalten oder diese über[s]pringen?")
    child.sendline("x")
    child.expect_exact("e, b oder s; E, B oder S für alle weiteren auch")
    child.sendline("e")
    child.expect_exact("neue Fassungen vorhandener Partien: 8emz5k5amwvkk")
    child.expect(pexpect.EOF)
    assert games(folder) == "1"


def test_what_is_refused_is_told_in_german_too(folder):
    (folder / "revoke.clm").write_bytes((DATA / "broken" / "revoke.clm").read_bytes())
    code, out, _ = claimlog(folder, "import", "revoke.clm", "--lang", "de")
    line = "revoke.clm:8:11: Fehler: revoke: Stich 1: Sitz 2 hat Kobolde nicht bedient"
    assert code == 1
    assert out.startswith(line)
    assert out.endswith("1 Partie: 1 abgewiesen\n")
    who = ("--by", "Eva", "--why", "x", "--lang", "de")
    code, out, _ = claimlog(folder, "game", "correct", "8emz5", "revoke.clm", *who)
    assert code == 1
    assert out.startswith(line)
    code, out, _ = claimlog(folder, "import", "revoke.clm", "--json", "--lang", "de")
    assert "seat 2 did not follow Goblins" in out


def test_a_file_without_games_is_said_to_have_none(folder):
    (folder / "empty.clm").write_text("; nothing yet\n", encoding="utf-8")
    for words in (("import", "empty.clm"), ("format", "empty.clm"), ("validate", "empty.clm")):
        code, _, err = claimlog(folder, *words)
        assert (code, err) == (0, "claimlog: empty.clm contains no games\n")
    assert (folder / "empty.clm").read_text(encoding="utf-8") == "; nothing yet\n"
    code, out, err = claimlog(folder, "import", "empty.clm", "again.clm", "--beside")
    assert (code, out) == (0, "1 game: 1 stored\n")
    assert err == "claimlog: empty.clm contains no games\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    ("answer", "message", "number", "code"),
    [
        ("r", "new revisions of stored games: 8emz5k5amwvkk", "1", 0),
        ("b", "stored: ", "2", 0),
        ("s", "1 in doubt, not stored", "1", 1),
        ("", "1 in doubt, not stored", "1", 1),
        ("B", "stored: ", "2", 0),
    ],
)
def test_on_a_terminal_it_asks(folder, answer, message, number, code):
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    child = forked.on_terminal(
        ["import", "again.clm"], cwd=folder, env=at(folder), encoding="utf-8", timeout=60
    )
    child.expect("kip it")
    child.sendline("x")
    child.expect("r, b or s")
    child.expect("kip it")
    child.sendline(answer)
    child.expect(pexpect.EOF)
    assert message in child.before
    child.close()
    assert child.exitstatus == code
    assert games(folder) == number


def test_pairs_and_revisions_are_sorted_by_their_columns(folder):
    names = ("Anna Adler", "Anna Zweig")
    for name in names:
        other = SAMPLE.replace("Anna Keller", name)
        (folder / "other.clm").write_text(other, encoding="utf-8")
        assert claimlog(folder, "import", "other.clm", "--beside")[0] == 0

    def column(place, *words):
        code, out, err = claimlog(folder, *words, "--format", "csv")
        assert (code, err) == (0, "")
        return [line.split(",")[place] for line in out.splitlines()[1:]]

    others = column(1, "db", "doubtful", "--sort", "other-game")
    assert len(set(others)) > 1
    assert others == sorted(others)
    assert column(1, "db", "doubtful", "--sort", "-other-game") == others[::-1]
    assert column(1, "db", "doubtful", "--sort", "other-game", "--limit", "1") == others[:1]

    why = ("--by", "Eva", "--why", "a name")
    (folder / "once more.clm").write_text(SAMPLE.replace("Keller", "Koller"), encoding="utf-8")
    assert claimlog(folder, "game", "correct", "8emz5", "once more.clm", *why)[0] == 0
    revisions = ("game", "revisions", "8emz5", "--sort")
    assert column(0, *revisions, "-at") == ["2", "1"]
    assert column(0, *revisions, "-revision") == ["1", "2"]
    assert column(0, *revisions, "by") == ["2", "1"]
