"""What `claimlog record` asks before the first card, and how it uses the answers."""

from __future__ import annotations

import pytest

from claimlog.cli.record import start as module
from claimlog.cli.record.known import Known
from claimlog.cli.record.start import Options, start
from claimlog.recording import Recording


class Asked:
    """A user who answers; questions and messages are kept."""

    def __init__(self, monkeypatch, *answers):
        self.answers = list(answers)
        self.lines: list[str] = []
        monkeypatch.setattr(module.typer, "prompt", self.prompt)
        monkeypatch.setattr(module.typer, "echo", self.lines.append)

    def prompt(self, question, default=None, show_default=True):
        self.lines.append(question)
        return self.answers.pop(0) or default


def head(state) -> list[str]:
    """The tags of a record, without the time."""
    lines = Recording(state).text.split("\n\n")[0].splitlines()
    return [line for line in lines if not line.startswith(("[CLM", "[Date", "[Start", "[Result"))]


def test_what_no_option_says_is_asked_and_asked_again(monkeypatch):
    asked = Asked(
        monkeypatch, "Open", "3", "", "Anna  Keller", "Ben", "", "gkuwq", "gkuw", "r, u g k w",
        "x", "2", "R2 G5", "r2 R5",
    )  # fmt: skip
    assert head(start(Options([]))) == [
        '[Event "Open"]',
        '[Round "3"]',
        '[Player1 "Anna Keller"]',
        '[Player2 "Ben"]',
        '[Deck "GKRUW"]',
        '[Leader "2"]',
        '[LootCards "R2 R5"]',
    ]
    assert not asked.answers
    page = "\n".join(asked.lines)
    for line in (
        "  G Goblins, K Knights",
        "  M Kings, P Peasants",
        "and 3 of: A Automatons, B Bards",
        "S Seers,\n    T Trolls, U Undead",
        "  'q' is not a faction",
        "  a seat is 1 to 2",
        "  G5 is not a Raccoon; they are R0 to R13",
        "Who leads trick 1: 1 Anna Keller, 2 Ben",
    ):
        assert line in page, line


def test_a_wrong_answer_is_taken_back_by_going_back_a_question(monkeypatch):
    known = {"Ana": ["Anna Keller"]}
    asked = Asked(
        monkeypatch, "-", "Opn", "-", "Open", "3", "",
        "Ana", "-", "-", "Ana", "", "Ben", "Cyril", "-", "", "gkuwx", "-", "GKARX", "-", "gkuwx",
        "classic", "2",
    )  # fmt: skip
    state = start(Options([]), lambda kind, name: known.get(name, []))
    assert head(state) == [
        '[Event "Open"]',
        '[Round "3"]',
        '[Player1 "Anna Keller"]',
        '[Player2 "Ben"]',
        '[Deck "GKUWX"]',
        '[Rules "Classic"]',
        '[Leader "2"]',
    ]
    assert not asked.answers
    assert asked.lines[:5] == [
        "Event (Enter: none)",
        "  There is no question before this one.",
        "Event (Enter: none)",
        "  (-: back to the question before)",
        "Round (Enter: none)",
    ]
    assert asked.lines.count("  (-: back to the question before)") == 1
    # What the options say is not asked for, whoever goes back, and a suggestion only once.
    asked = Asked(monkeypatch, "", "gkuwx", "-", "gkuwx", "", "-", "classic", "1")
    given = Options(["Ana", "Ben"], "", "", "")
    state = start(given, lambda kind, name: known.get(name, []))
    assert (state.tags["Player1"], state.setup.rules) == ("Anna Keller", "Classic")
    assert sum("In the archive" in line for line in asked.lines) == 1
    assert not asked.answers


def test_only_what_matters_is_asked(monkeypatch):
    """Loot if there are Raccoons, the rule set if the deck leaves a choice."""
    asked = Asked(monkeypatch, "classic")
    given = Options(["A", "B"], "", "", "", "GKUWX", leader=1, rulings=("trolls=highest",))
    state = start(given)
    assert (state.setup.rules, state.setup.rulings["trolls"]) == ("Classic", "highest")
    assert asked.lines == ["Rule set, LE2023 or Classic"]
    asked = Asked(monkeypatch, "")
    state = start(Options(["A", "B", "C"], "", "", "", "GKARUWX", "LE2023", leader=3))
    assert state.setup.loot is None
    assert len(asked.lines) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (Options([], deck="GKUWQ"), "'Q' is not a faction"),
        (Options([], deck="GKUW"), "ten-card"),
        (Options(["A", "B", "C"], deck="GKUWX"), "with 3 players"),
        (Options(["A", "B"], deck="GKUWX", leader=3), "a seat is 1 to 2"),
        (Options(["A", "B"], leader=3), "a seat is 1 to 2"),
        (Options([], rules="LE2022"), "--rules must be LE2023 or Classic"),
        (
            Options([], rulings=("trolls=row",)),
            "there is no ruling trolls=row; the rulings are trolls=",
        ),
        (Options([], loot="R2 R14"), "R14 is not a Raccoon"),
        (Options(["A", "B"], deck="GKARX", rules="Classic"), "Classic does not know"),
    ],
)
def test_an_option_that_cannot_be_is_told_before_anything_is_asked(monkeypatch, options, message):
    asked = Asked(monkeypatch)
    with pytest.raises(ValueError, match=message):
        start(options)
    assert asked.lines == []


@pytest.mark.parametrize(
    ("language", "messages"),
    [
        (
            "en",
            (
                "there is no card N2: the values of Gnomes are 1, 3, 5, 7, 9",
                "Hand1 has 3 cards; with 2 players a hand has 13",
                "there is only one K3 in the deck; it is already in Hand1",
            ),
        ),
        (
            "de",
            (
                "eine Karte N2 gibt es nicht: Gnome haben die Werte 1, 3, 5, 7, 9",
                "Hand1 hat 3 Karten; bei 2 Spielern hat eine Hand 13",
                "im Deck ist nur eine K3; sie steht schon in Hand1",
            ),
        ),
    ],
)
def test_a_wrong_hand_is_told_in_the_language_and_only_that_one_asked_again(
    monkeypatch, language, messages
):
    """ "-" goes back to the hand before: it may be that one which has the other's card."""
    rest = "G0 G1 G2 G3 G4 G5 G6 G7 G8 G9 K2"
    first, second = f"{rest} K3 K4", "U0 U1 U2 U3 U4 U5 U6 U7 U8 U9 X1 X2"
    monkeypatch.setattr("claimlog.cli.language._chosen", [language])
    asked = Asked(
        monkeypatch, f"{rest} K4 N2", "g1 g2 g3", first.lower(), f"{second} K3", "-",
        f"{rest} K5 K4", f"{second} K3",
    )  # fmt: skip
    state = start(Options(["A", "B"], "", "", "", "GKUWX", "LE2023", leader=1, hands=True))
    assert not asked.answers
    assert state.tags["Hand1"] == f"{rest} K5 K4"
    assert state.tags["Hand2"] == f"{second} K3"
    questions = [line for line in asked.lines if not line.startswith("  ")]
    assert ["B" in line.partition("(")[0] for line in questions] == [
        False, False, False, True, True, False, True,
    ]  # fmt: skip
    assert [line.strip() for line in asked.lines if line.startswith("  ")] == list(messages)


def test_a_given_leader_who_is_not_at_the_table_is_asked_for(monkeypatch):
    asked = Asked(monkeypatch, "A", "B", "", "2")
    state = start(Options([], "", "", "", "GKUWX", "LE2023", leader=3))
    assert not asked.answers
    assert state.setup.leader == 2


@pytest.mark.slow
def test_other_spellings_are_offered_as_the_known_player(monkeypatch, tmp_path):
    """With an archive: case and the order of words, a slip; "-" keeps what was typed."""
    from claimlog.store import Archive

    path = tmp_path / "games.duckdb"
    record = '[Event "Basel Cup"]\n[Date "2026-01-05"]\n[Round "1"]\n[Table "2"]\n'
    record += '[Player1 "Ben Roth"]\n[Player2 "David Frei"]\n[Deck "GKUWX"]\n'
    with Archive.open(path, create=True) as archive:
        stored = archive.store(f'{record}[Termination "unrecorded"]\n\n1-0\n')
    known = Known(path)
    assert known("player", "frei, david") == ["David Frei"]
    assert known("player", "Davd Frey") == ["David Frei"]
    assert known("event", "basel cup") == ["Basel Cup"]
    assert Known(tmp_path / "none.duckdb")("player", "David Frei") == []
    asked = Asked(monkeypatch, "basel cup", "", "Ben Rot", "-", "Zoe Neu", "", "1")
    agreed = ("1", "2", "GKUWX", "LE2023")
    state = start(Options([], None, *agreed, recorder="Rita  Frei"), known)
    assert [line for line in head(state) if "Event" in line or "Play" in line or "Rec" in line] == [
        '[Event "Basel Cup"]',
        '[Player1 "Ben Rot"]',
        '[Player2 "Zoe Neu"]',
        '[Recorder "Rita Frei"]',
    ]
    assert not asked.answers
    tags = {"Event": "Basel Cup", "Round": "1", "Table": "2", "Date": "2026-01-05"}
    (tmp_path / "other.clm").write_text(f"{record}\n1. U7: G5 G8\n*\n")
    there = known.twins(tags, tmp_path / "new.clm")
    assert there == [str(tmp_path / "other.clm"), stored.id]
    assert known.twins(tags | {"Table": "3"}, tmp_path / "new.clm") == []
