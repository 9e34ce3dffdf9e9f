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


def test_two_people_who_correct_a_game_do_not_undo_each_other(folder):
    (row,) = json.loads(f"[{claimlog(folder, 'games', '--limit', '1', '-f', 'json')[1]}]")
    record = claimlog(folder, "game", "show", row["id"])[1]
    first, second = (seat["name"] for seat in row["players"])
    (folder / "ruth.clm").write_text(record.replace(f'"{first}"', '"Benjamin Roth"'))
    (folder / "tom.clm").write_text(record.replace(f'"{second}"', '"Anne Keller"'))

    def corrected(name, *more):
        words = ("game", "correct", row["id"], f"{name}.clm", "--by", name, "--why", "w", *more)
        return claimlog(folder, *words)

    assert corrected("ruth")[0] == 0
    code, out, err = corrected("tom")
    assert (code, out) == (2, "")
    assert err.startswith("claimlog: this would undo revision 2, by ruth: make the change in what ")
    assert "Benjamin Roth" in claimlog(folder, "game", "show", row["id"])[1]
    code, _, err = corrected("tom", "--revision", "1")
    assert (code, "revision" in err) == (1, True)
    assert corrected("tom", "--revision", "2")[0] == 0
    # To go back to what was there before is no slip, nor is a change of the same line.
    back = claimlog(folder, "game", "show", row["id"], "--revision", "2")[1]
    for text in (back, back.replace("Benjamin", "Ben")):
        (folder / "back.clm").write_text(text)
        assert corrected("back")[0] == 0
