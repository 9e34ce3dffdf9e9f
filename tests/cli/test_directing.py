"""What a director does: events renamed and merged, many games corrected."""

import json

import pytest
from archiving import claimlog, lay_out


@pytest.fixture
def folder(tmp_path):
    lay_out(tmp_path)
    text = "".join(
        f'[Event "{event}"]\n[Site "Zurich"]\n[Round "{number}"]\n[Player1 "Ana Kelr"]\n'
        f'[Player2 "Bo"]\n[Deck "GKUWX"]\n\n*\n\n'
        for number, event in ((1, "Cup"), (2, "Cpu"))
    )
    assert claimlog(tmp_path, "import", "-", stdin=text.encode())[0] == 0
    return tmp_path


def test_events_are_renamed_merged_and_split(folder):
    assert claimlog(folder, "event", "merge", "Cpu", "Cup", "--by", "R")[0] == 0
    assert (
        claimlog(folder, "event", "rename", "Cup", "Spring Cup", "--by", "R", "--why", "w")[0] == 0
    )
    _, out, _ = claimlog(folder, "events", "--format", "json")
    assert [(row["name"], row["games"]) for row in map(json.loads, out.splitlines())] == [
        ("Spring Cup", 2)
    ]
    _, out, _ = claimlog(folder, "event", "names", "cup", "--format", "csv")
    assert out.splitlines()[1].startswith("Cup,Spring Cup,")
    assert claimlog(folder, "event", "split", "Cpu", "--by", "R")[0] == 0
    code, _, err = claimlog(folder, "event", "split", "Cpu", "--by", "R")
    assert (code, "is not merged" in err) == (2, True)


def test_many_games_are_corrected(folder):
    words = ("game", "correct-all", "--site", "zurich", "--by", "R", "--why", "w")
    change = ("--rename", "ana kelr=Anna Keller", "--set", "Site=Bern", "--set", "Round=")
    code, out, _ = claimlog(folder, *words, *change)
    assert code == 0
    assert "--yes" in out
    assert claimlog(folder, "games", "--site", "bern")[1].count("Keller") == 0
    code, out, _ = claimlog(folder, *words, *change, "--yes")
    assert (code, out.splitlines()[-1]) == (0, "2 games corrected")
    assert claimlog(folder, "games", "--site", "bern")[1].count("Anna Keller") == 2
    back = ("--site", "bern", "--set", "Date=x")
    code, out, _ = claimlog(
        folder, "game", "correct-all", *back, "--by", "R", "--why", "w", "--yes"
    )
    assert (code, out.splitlines()[-1]) == (1, "nothing was corrected: 2 refused")
    for wrong in ("Deck=GKUWX", "Site"):
        code, _, err = claimlog(folder, *words, "--set", wrong)
        assert code == 2
        assert "Traceback" not in err
