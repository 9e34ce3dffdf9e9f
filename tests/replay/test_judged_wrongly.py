"""Records that were once judged wrongly, and the right findings for each (docs/notation.md).

Those of the records in data/conformance/ that are named here broke earlier builds; the short ones
are in the tables below.
"""

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

from claimlog.game import Game
from claimlog.notation.writer import canonical, compact
from claimlog.replay.recorder import replay_text
from claimlog.replay.validate import Validator
from claimlog.replay.viewpoint import SPECTATOR, Viewpoint

DATA = Path(__file__).parents[2] / "data"
CASES = DATA / "conformance" / "records"
CLAIMLOG = (sys.executable, "-c", "from claimlog.cli.main import run; run()")

Found = list[tuple[str, int | None, int | None, str | None]]

JUDGEMENTS: dict[str, Found] = {
    "bad-seats-for-a-missing-play": [("play-count", 1, None, None)],
    "compact-swallows-game": [],
    "crash-result-without-tricks": [("incomplete", None, None, None)],
    "false-card-count-after-short-trick": [("play-count", 2, None, None)],
    "false-card-count-pile-and-cut-trick": [],
    "false-not-held-after-card-count": [
        ("card-count", 9, None, "D0"),
        ("not-held", 16, 2, "S9"),
        ("not-held", 21, 3, "D0"),
        ("irregular", 22, 2, "K3"),
    ],
    "false-play-count-one-of-two-draws": [],
    "false-revoke-hand-and-unknown-discard": [],
    "griffin-value-in-cut-trick": [],
    "hide-shows-proof": [("irregular", 1, 2, "W1")],
    "missed-revoke-before-cut-last-trick": [("revoke", 25, 1, "K2")],
    "missed-revoke-before-short-trick": [
        ("revoke", 1, 2, "K8"),
        ("play-count", 3, None, None),
    ],
    "missed-revoke-hand-and-unknown-discard": [("revoke", 1, 1, "A5")],
    "raccoon-must-be-in-hand": [],
}


def case(name: str) -> str:
    return (CASES / f"{name}.clm").read_text(encoding="utf-8")


def one(text: str) -> Game:
    (game,) = replay_text(text)
    return game


def found(text: str) -> Found:
    return [(p.code, p.trick, p.seat, p.card) for p in one(text).problems]


@pytest.mark.parametrize("name", JUDGEMENTS)
def test_cases(name: str) -> None:
    assert found(case(name)) == JUDGEMENTS[name]


def test_every_case_has_a_judgement() -> None:
    cases = {path.stem for path in CASES.glob("*.clm")}
    slips = {name for name in cases if name.startswith("slip")}  # see test_slip.py
    assert cases - slips - {"four-players", "rulings"} == set(JUDGEMENTS)


def test_a_cut_trick_takes_back_no_proof() -> None:
    text = case("missed-revoke-before-cut-last-trick")
    assert found(text.replace("26. \n", "")) == found(text)


def test_a_revoke_is_the_same_where_the_record_stops_earlier() -> None:
    text = case("missed-revoke-hand-and-unknown-discard")
    stopped = re.sub(r"^13\. .*\n", "", text, flags=re.MULTILINE)
    assert found(stopped) == found(text)


def test_a_comment_with_a_brace_ends_its_line_in_the_compact_form() -> None:
    game = one(case("compact-swallows-game"))
    short = compact(game)
    assert short == '[Deck "GKUWX"]\n; a } brace\nU7:G5G8+/W2 X3:K4 *\n'
    assert canonical(one(short)) == canonical(game)


def test_the_value_in_a_cut_trick_has_the_griffins_bonus() -> None:
    game = one(case("griffin-value-in-cut-trick"))
    assert [(play.card, play.value) for play in game.tricks[-1].plays] == [("K7", 12)]


# What a viewpoint may not see ------------------------------------------------------------------

LATER = '[Deck "GKUWX"]\n\n1. U7: G5+ W8{} /W2\n2. X9: K2+ G9 /G0\n*\n'
"""The Goblin that proves the revoke of seat 2 is played a trick later."""


@pytest.mark.parametrize("text", [case("hide-shows-proof"), LATER.format(""), LATER.format("^")])
@pytest.mark.parametrize("view", [1, SPECTATOR])
def test_a_problem_does_not_tell_what_the_view_hides(text: str, view: int) -> None:
    game = one(text)
    assert any("G9" in problem.message or "held" in problem.message for problem in game.problems)
    position = Viewpoint(game, view).at(1)
    messages = " ".join(f"{problem.message} {problem.card}" for problem in position.problems)
    assert not re.search(r"[A-Z]\d|held|Goblins", messages)
    assert len(position.problems) == (0 if game.legal else 1)
    own = Viewpoint(game, 2)
    assert own.problems == game.problems


def test_whether_a_mark_was_needed_is_not_told() -> None:
    hand = '[Hand2 "K8 K2 K3 U1 U2 U3 W1 W2 W3 X1 X2 X3 X4"]\n'
    needless = one(f'[Deck "GKUWX"]\n{hand}\n1. U7: G5+ U1^ /W4\n*\n')
    assert [problem.code for problem in needless.problems] == ["needless-irregular"]
    assert Viewpoint(needless, 1).problems == []
    assert Viewpoint(needless, 2).problems == needless.problems


@pytest.mark.parametrize(
    "text",
    [
        '[Deck "GKUWX"]\n[Pile "U7 W2 _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _"]\n\n'
        "1. U7: G5 G8+ /W3\n*\n",
        '[Deck "GKUWX"]\n[Hand2 "G9 G1 U1 U2 U3 W1 W3 W4 X1 X2 X3 X4 X5"]\n\n1. U7: G5 G8+ *\n',
        '[Deck "GKUWX"]\n\n1. U7: G5 G8+ /W3\n2. X3: K4+ U1 /W3\n*\n',
        '[Deck "GKAUX"]\n\n1. U7: A5+ K3 /G0\n2. X3: G1 A2 /U0\n*\n',
        '[Deck "GKUWX"]\n[Hand2 "G9 Z1 U1 U2 U3 W1 W3 W4 X1 X2 X3 X4 X5"]\n\n*\n',
    ],
)
def test_of_an_error_that_is_hidden_the_place_is_told(text: str) -> None:
    game = one(text)
    shown = Viewpoint(game, 1).problems
    assert [(p.code, p.line, p.column) for p in shown] == [
        (p.code, p.line, p.column) for p in game.problems if p.severity == "error"
    ]
    assert all(re.fullmatch("what is wrong here.*", problem.message) for problem in shown)
    assert all(problem.card is None for problem in shown)


def test_replay_hide_as_a_process() -> None:
    for hide in ("1", "spectator"):
        done = subprocess.run(
            [*CLAIMLOG, "replay", "--hide", hide, str(CASES / "hide-shows-proof.clm")],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0
        assert "let stand" in done.stdout
        assert "G9" not in done.stdout
        assert "held" not in done.stdout


# Short ones ------------------------------------------------------------------------------------

PLAYERS = {
    seats: "".join(f'[Player{seat} "p"]\n' for seat in range(1, seats + 1)) for seats in (2, 3, 4)
}
PILE = '[Pile "{} ' + "_ " * 22 + '"]\n'
HAND = '[Hand1 "A9 G5 K2 K3 K4 K5 K6 K7 W0 W1 W2 W3 W4"]\n'
AUTO = "1. W5: A9+ K9 /W6 2. W7: -_ -_ /W8 "


@pytest.mark.parametrize(
    ("seats", "deck", "tags", "moves", "expected"),
    [
        # Unknown discards and a Hand: two Goblins, one of them may be gone.
        (2, "GKAWX", HAND, AUTO + "3. W9: K2 K8+ /X1 4. X2: G1 K3+ *", []),
        (2, "GKAWX", HAND.replace("W4", "G6"), AUTO + "3. W9: K2 K8+ /X1 4. X2: G1 K3+ *",
         [("revoke", 4, 1, "K3")]),
        # If all cards are known, it does not matter which of them is face down.
        (2, "GKAWX", HAND.replace("G5", "W7"), "1. W5: A9+ K9 /W6 2. W8: -_ -_ /W9 "
         "3. X7: K2 K8+ /X1 4. X2: G1 K3+^ *", [("needless-irregular", 4, 1, "K3")]),
        (2, "GKAWX", HAND, AUTO + "3. W9: K2 K8+ /X1 4. X2: G1 K3+^ *", []),
        # Cut tricks and the Pile.
        (2, "GKUWX", PILE.format("U7 W2 X3 G0"), "1. U7: G5 G8 /W2 2. X3: G1 *", []),
        (2, "GKUWX", PILE.format("U7 W2 X3 G0"), "1. U7: G5 G8 /W2 2. X3: G1 /G0 *", []),
        (2, "GKUWX", PILE.format("U7 W2 X3 X3"), "1. U7: G5 G8 /W2 2. X3: *",
         [("card-count", None, None, "X3")]),
        (2, "GKUWX", PILE.format("U7 W2 X3 G0"), "1. U7: G5 G8 /W2 2. X4: *",
         [("deal", 2, None, "X4")]),
        # The thread is lost: nobody knows whose card it was.
        (2, "GKUWX", '[Hand1 "G5 K4 W4 _ _ _ _ _ _ _ _ _ _"]\n',
         "1. U7: G5+ G3 2. X3: K4 3. W1: G8 W4 *", [("play-count", 2, None, None)]),
        (2, "GKUWX", '[Hand1 "G5 K4 W4 _ _ _ _ _ _ _ _ _ _"]\n',
         "1. U7: G5+ G3 2. X3: K2 3. W4: G8 G9 *",
         [("card-count", None, 1, "W4"), ("play-count", 2, None, None)]),
        (2, "GKUWX", '[Hand2 "K8 K2 G3 _ _ _ _ _ _ _ _ _ _"]\n',
         "1. U7: G5 K8+ 2. X3: K2 3. W4: G8 G3 *",
         [("revoke", 1, 2, "K8"), ("play-count", 2, None, None)]),
        # One of two draws only if the record stops there.
        (4, "GKUWXDS", "", "1. U7,W3: G5 G8+ G1 G2 =U7 /W2,_ *", []),
        (4, "GKUWXDS", "", "1. U7,W3: G5 G8+ G1 G2 =U7 /W2 2. X3,X4: *",
         [("play-count", 1, None, "W2")]),
        (4, "GKUWXDS", "", "1. U7,W3: G5 G8+ G1 G2 =U7 /W2 1-0",
         [("play-count", 1, None, "W2"), ("incomplete", None, None, None)]),
        (4, "GKUWXDS", "", "1. U7,W3: S5+ G8 G1 G2 ~K2 =U7 /W2,W4 *",
         [("play-count", 1, None, "W2")]),
        # A Pile identifies the first draw.
        (4, "GKUWXDS", '[Pile "U7 W3 W2 W4' + " _" * 32 + '"]\n',
         "1. U7,W3: G5 G8+ G1 G2 =U7 /X1 *", [("deal", 1, None, "X1")]),
        # Impossible cards as choices or extra tokens.
        (3, "GKUWXDS", "", "1. U7,W3: G5 G8+ G1 =T4 /W2 *", [("not-in-deck", 1, 2, "T4")]),
        (3, "GKUWXDS", "", "1. U7,W3: G5 G8+ G1 =U12 /W2 *", [("unknown-card", 1, 2, None)]),
        (3, "GKUWXDS", "", "1. U7,W3: G5 G8+ G1 =U7 =T4 /W2 *", [("not-in-deck", 1, None, "T4")]),
        (2, "GKUWX", "", "1. U7: G5 G8+ =T4 /W2 *", [("not-in-deck", 1, 2, "T4")]),
        (2, "GKUWX", "", "1. U7: G5 G8+ T4 /W2 *", [("not-in-deck", 1, None, "T4")]),
        # Numbers: a wrong one does not make the next right one wrong.
        (2, "GKUWX", "", "1. U7: G5 G8+ 3. X3: K4+ U1 X4: K5+ U2 4. X5: K6+ U3 *",
         [("trick-number", 2, None, None)]),
        (2, "GKUWX", "", "1. U7: G5 G8+ 5. X3: K4+ U1 6. X4: K5+ U2 4. X5: K6+ U3 5. X6: *",
         [("trick-number", 2, None, None), ("trick-number", 3, None, None)]),
        (2, "GKUWX", "", "1. U7: G5 G8+ 3. X3: K4+ U1 X4: K5+ U2 5. X5: K6+ U3 6. X6: *",
         [("trick-number", 2, None, None)]),
        (2, "GKUWX", "", "1. U7: G5 G8+ X3: K4+ U1 X4: K5+ U2 3. X5: K6+ U3 4. X6: *",
         [("trick-number", 4, None, None)]),
        # Unreadable text belongs to its trick.
        (2, "GKUWX", "", "1. U7: G5 G8+ /W2 2. X3: pass U1 *", [("syntax", 2, None, None)]),
        (2, "GKUWX", "", "1. U7: G5+ G3 /W2 + *",
         [("syntax", 1, None, None)]),
        (2, "GKUWX", "", "1. U7: G5 G8+ 2. X3: {the end", [("syntax", 2, None, None)]),
        (2, "GKUWX", "", "{the end", [("syntax", None, None, None)]),
        # ^ on a play to an unreadable lead proves nothing.
        (2, "GKUWX", "", "1. U7: G12 K8+^ *", [("unknown-card", 1, 1, None)]),
        # An unreadable play may have been the card that Hand lists.
        (2, "GKUWX", '[Hand2 "G3 W8 _ _ _ _ _ _ _ _ _ _ _"]\n',
         "1. U7: G5+ G33 2. X3: G6+ W8 *", [("unknown-card", 1, 2, None)]),
        # Nobody knows who took the upcards: a seat that plays one later may have.
        (3, "GKUWXDS", "", "1. U7,W3: G5 G8+ G1 /W2 2. X1,X2: G9 G4 G2 =X1 *",
         [("missing-choice", 1, 2, None)]),
    ],
)  # fmt: skip
def test_short_ones(seats: int, deck: str, tags: str, moves: str, expected: Found) -> None:
    text = f'{PLAYERS[seats]}[Deck "{deck}"]\n{tags}\n{moves}\n'
    assert found(text) == expected


def test_needless_in_an_unfinished_phase_2_where_all_cards_are_known() -> None:
    text = re.sub(r" ?\{[^}]*\}", "", (DATA / "sample.clm").read_text(encoding="utf-8"))
    game = one(text)
    for trick in game.tricks[13:20]:
        second = trick.plays[1]
        led = trick.plays[0].card or ""
        if (second.card or "X")[0] in (led[0], "X"):
            continue
        lines = text.split("\n")
        row = next(i for i, line in enumerate(lines) if line.startswith(f"{trick.number}. "))
        line = re.sub(rf"\b{second.card}\b", f"{second.card}^", lines[row])
        cut = re.sub(r'\[(Result|Votes) ".*"\]\n', "", "\n".join([*lines[:row], line, "*\n"]))
        assert found(cut) == [("needless-irregular", trick.number, second.seat, second.card)]
        return
    raise AssertionError("the sample has no such play")


def test_upcards_of_an_unknown_picker_may_be_played_later() -> None:
    """Without ``=`` one problem, and no seat is accused of playing a card that it has taken."""
    text = (DATA / "thursday-evening.clm").read_text(encoding="utf-8").split("\n\n[CLM")[0]
    without = re.sub(r"^(5\. .*) =[A-Z]\d+", r"\1", text, flags=re.MULTILINE)
    assert without != text
    assert [problem[:2] for problem in found(without + "\n")] == [("missing-choice", 5)]


def test_one_trick_without_a_play_says_nothing_of_the_seats() -> None:
    """Two whole tricks do, if the deck fits both numbers of seats."""
    head = "".join(f'[Player{seat} "p"]\n' for seat in range(1, 5)) + '[Deck "GKUWXDS"]\n\n'
    one_trick = "1. U7,W3: G5 G8+ G1 =U7 /W2 "
    assert [code for code, *_ in found(f"{head}{one_trick}2. X3,X4:\n*\n")] == ["play-count"]
    two = one_trick + "2. X3,X4: G2+ G0 G0 =X3 /W4 3. X5,X6:"
    assert [code for code, *_ in found(f"{head}{two}\n*\n")] == ["bad-seats"]


def test_a_tag_counts_wherever_it_stands() -> None:
    """Also after hundreds of others."""
    others = "".join(f'[X{i} "x"]\n' for i in range(254))
    tags = f'[X "x"]\n{others}[Deck "GKUWX"]\n[Leader "2"]\n[Date "soon"]\n\n'
    late = one(f"{tags}1. U7: G5 G8+\n*\n")
    assert (late.deck, late.leader) == ("GKUWX", 2)
    assert [(problem.code, problem.tag) for problem in late.problems] == [("bad-tag", "Date")]


def test_a_bye_of_nobody_is_told_at_its_beginning() -> None:
    """And not at the tag that precedes the players in the list of all tags."""
    head = '[Event "Cup"]\n[End "2026-01-01T10:00:00Z"]\n[Termination "bye"]\n\n'
    assert [(p.code, p.line, p.tag) for p in one(head + "*\n").errors] == [("bad-seats", 5, "")]


def test_what_cannot_be_read_gets_one_code_in_a_bye() -> None:
    codes = [code for code, *_ in found('[Player1 "A"]\n[Termination "bye"]\n\nx\n')]
    assert codes == ["result", "syntax"]


@pytest.mark.parametrize("seats", [3, 4])
def test_players_left_out(seats: int) -> None:
    """The tricks and the deck tell how many there are, so this is the only problem."""
    name = "thursday-evening.clm" if seats == 3 else "team-cup.clm"
    text = (DATA / name).read_text(encoding="utf-8").split("\n\n[CLM")[0] + "\n"
    assert not one(text).errors
    without = re.sub(rf'\[Player{seats} ".*"\]\n', "", text)
    errors = one(without).errors
    assert [(p.code, p.line) for p in errors] == [
        ("bad-seats", next(i for i, line in enumerate(without.split("\n"), 1)
                           if line.startswith(f"[Player{seats - 1} ")))
    ]  # fmt: skip
    assert errors[0].message == f"the tricks have {seats} plays, but Player{seats} is missing"
    nobody = re.sub(r'\[Player\d ".*"\]\n', "", text)
    assert [p.code for p in one(nobody).errors] == ["bad-seats"]
    if seats == 3:
        more = text.replace("[Deck", '[Player4 "Zoe"]\n[Deck')
        assert [p.message for p in one(more).errors] == [
            "the tricks have 3 plays, but there is Player4"
        ]


def test_a_finished_game_without_a_result_points_at_its_end() -> None:
    text = re.sub(r" ?\{[^}]*\}", "", (DATA / "sample.clm").read_text(encoding="utf-8"))
    text = re.sub(r'\[Result ".*"\]\n', "", text).rsplit("\n", 2)[0] + "\n"
    (problem,) = one(text).problems
    lines = text.split("\n")
    assert (problem.code, problem.line) == ("result", len(lines) - 1)
    assert problem.end_column == len(lines[-2]) + 1
    assert problem.message.startswith("all tricks are there, but the result is missing")


@pytest.mark.parametrize(
    ("tag", "token", "reported"),
    [("1-1", "", "1-1"), ("", "1-1", "1-1"), ("1-1", "1-0", "1-0"), ("2-0", "", "2-0"),
     ("1-0-0", "", "1-0-0"), ("1", "", "1"), ("0-0", "", "0-0"), ("", "0-0", "0-0"),
     ("1/2-0", "", "1/2-0"), ("1/3", "", "1/3")],
)  # fmt: skip
def test_an_impossible_result_is_shown_as_written(tag: str, token: str, reported: str) -> None:
    tags = '[Deck "GKUWX"]\n[Termination "time"]\n' + (f'[Result "{tag}"]\n' if tag else "")
    game = one(f"{tags}\n1. U7: G5 G8+ /W2\n{token}\n")
    assert [p.code for p in game.problems] == ["result"]
    assert game.result == reported
    assert (tag or token) in game.problems[0].message


def test_problems_stand_in_one_order() -> None:
    """By line, column, end, code, seat and card, however they are found."""
    names = " ".join(f"{f}{v}" for f in "GKUW" for v in (5, 6, 7, 8))
    head = f'[Deck "GKUWX"]\n[Hand1 "{names}"]\n[Hand2 "{names}"]\n[Pile "{names}"]\n\n'
    text = head + "".join(f"{n}. K5: K5 K6 K7 /K8\n" for n in range(1, 9)) + "*\n"
    orders = []
    for block in (text, '[Deck "GKUWX"]\n\n*\n\n' * 3000 + text):
        for jobs in (1, 2):
            with Validator(jobs=jobs, slips=False) as validator:
                (report,) = validator.validate(io.BytesIO(block.encode()).read)
            orders.append([(p.line - report.line, p.column, p.end_column, p.code, p.seat or 0,
                          p.card or "") for p in report.problems])  # fmt: skip
    assert len(orders[0]) > 20
    assert all(places == sorted(orders[0]) for places in orders)


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_an_empty_input_says_so(text: str) -> None:
    done = subprocess.run(
        [*CLAIMLOG, "validate", "-"], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "<stdin> contains no games" in done.stderr
