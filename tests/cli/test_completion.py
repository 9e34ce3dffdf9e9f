"""What the shell offers when Tab is pressed."""

import re
import subprocess

import pytest
from archiving import at, claimlog, lay_out
from commands import in_process_of_its_own
from replaying import SCRIPT

from claimlog.cards import FACTIONS
from claimlog.store import Archive


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("archive")
    lay_out(path)
    assert claimlog(path, "import", "zurich-open.clm", "team-cup.clm")[0] == 0
    return path


def tab(folder, *words, **env):
    """What bash is offered for the last word; nothing else is printed."""
    code, out, err = claimlog(
        folder,
        _CLAIMLOG_COMPLETE="complete_bash",
        COMP_WORDS="\n".join(("claimlog", *words)),
        COMP_CWORD=str(len(words)),
        **env,
    )
    assert (code, err) == (0, "")
    return out.splitlines() if out.strip() else []


@pytest.mark.parametrize("typed", ["Ann", "ann", "kell", "Anna\\ K"])
def test_players(folder, typed):
    for words in (
        ("games", "--player"),
        ("stats", "results", "--opponent"),
        ("players", "show"),
        ("players", "versus", "Ines"),
        ("players", "merge"),
    ):
        assert tab(folder, *words, typed) == ["Anna\\ Keller"]


def test_a_name_in_quotes_is_not_escaped(folder):
    assert tab(folder, "games", "--player", '"Anna K') == ["Anna Keller"]


def test_all_players_are_offered_for_nothing(folder):
    offered = tab(folder, "games", "--player", "")
    assert len(offered) == 16
    assert offered == sorted(offered)


def test_events(folder):
    for words in (("standings",), ("games", "--event"), ("export", "--event")):
        assert tab(folder, *words, "zur") == ["Zurich\\ Claim\\ Open\\ \\(simulated\\)"]
    assert len(tab(folder, "standings", "")) == 2


def test_ids_of_games(folder):
    with Archive.open(folder / "data/claimlog/games.duckdb", read_only=True) as archive:
        ids = [row.id for row in archive.games(limit=500).games]
    assert tab(folder, "game", "show", "") == ids[:50]
    for id in ids[:3]:
        assert tab(folder, "game", "delete", id[:6]) == [id]
        assert tab(folder, "game", "revisions", id[:6].upper()) == [id]


def test_factions_cards_and_sort_keys(folder):
    assert tab(folder, "rules", "go") == ["Goblins"]
    assert len(tab(folder, "rules", "")) == len(FACTIONS)
    assert "GKU" in tab(folder, "games", "--factions", "GK")
    assert "GKK" not in tab(folder, "games", "--factions", "GK")
    assert tab(folder, "games", "--led", "k") == [f"K{value}" for value in range(2, 10)]
    assert tab(folder, "games", "--sort", "ne") == ["newest"]
    assert "rate" in tab(folder, "players", "list", "--sort", "")


def test_another_archive(folder, tmp_path):
    here = tmp_path / "here.duckdb"
    assert claimlog(folder, "import", "thursday-evening.clm", "--db", here)[0] == 0
    assert len(tab(folder, "games", "--db", str(here), "--player", "")) == 3


def test_nothing_is_said_where_there_is_no_archive(tmp_path):
    assert tab(tmp_path, "games", "--player", "An") == []
    (tmp_path / "data/claimlog").mkdir(parents=True)
    (tmp_path / "data/claimlog/games.duckdb").write_text("no archive")
    assert tab(tmp_path, "games", "--player", "An") == []
    assert tab(tmp_path, "game", "show", "") == []


def test_nothing_is_said_while_the_archive_is_busy(folder, tmp_path):
    path = tmp_path / "busy.duckdb"
    asked = {
        "_CLAIMLOG_COMPLETE": "complete_bash",
        "COMP_WORDS": f"claimlog\ngames\n--db\n{path}\n--player\nAn",
        "COMP_CWORD": "5",
    }
    with Archive.open(path):
        done = in_process_of_its_own(cwd=folder, env=at(folder) | asked)
    assert (done[0], done[1].strip(), done[2]) == (0, b"", b"")


@pytest.mark.parametrize(
    ("shell", "message"),
    [("zsh", r'"Anna Keller"'), ("fish", r"Anna Keller")],
)
def test_other_shells(folder, shell, message):
    env = {"_CLAIMLOG_COMPLETE": f"complete_{shell}", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    env["_TYPER_COMPLETE_ARGS"] = "claimlog games --player an"
    code, out, err = in_process_of_its_own(cwd=folder, env=at(folder) | env)
    assert (code, err) == (0, b"")
    assert re.search(message, out.decode())


def test_in_bash_itself(folder):
    pexpect = pytest.importorskip("pexpect")
    env = at(folder) | {"HOME": str(folder), "TERM": "dumb", "PS1": "> ", "SHELL": "/bin/bash"}
    # `--show-completion` looks for a shell among the processes above, where there may be none.
    asked = {"_CLAIMLOG_COMPLETE": "source_bash"}
    script = subprocess.check_output([SCRIPT], env=env | asked, timeout=60)
    (folder / "completion.sh").write_bytes(script)
    shell = pexpect.spawn(
        "bash", ["--norc", "-i"], env=env, cwd=str(folder), encoding="utf-8", timeout=60
    )
    try:
        shell.expect("> ")
        shell.sendline(". ./completion.sh; bind 'set bell-style none'; echo rea'dy'")
        shell.expect("ready\r\n> ")
        shell.send("claimlog games --player kell\t")
        shell.expect("Anna.* Keller")
        shell.sendline(" --count")
        shell.expect(r"\r\n13\r\n")
        shell.send('claimlog games --player "Ann\t')
        shell.expect('Anna Keller"')
        shell.sendline(" --count")
        shell.expect(r"\r\n13\r\n")
    finally:
        shell.close(force=True)
