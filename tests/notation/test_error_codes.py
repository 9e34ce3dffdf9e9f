"""Every code that docs/notation.md lists, from records that are broken in just that way.

The expectations beside the records in data/broken/ were worked out from the format's specification,
not taken from the program's output.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from claimlog import loads
from claimlog.notation.problems import CODES, WARNINGS
from claimlog.notation.reader import open_games
from claimlog.replay.recorder import replays
from claimlog.replay.validate import judge_block

BROKEN = Path(__file__).parents[2] / "data" / "broken"
RECORDS = sorted(BROKEN.glob("*.clm"))
FIELDS = ("code", "severity", "line", "column", "end_column", "trick", "seat", "card")
CLAIMLOG = (sys.executable, "-c", "from claimlog.cli.main import run; run()")


def expected(record: Path) -> list[dict[str, Any]]:
    problems: list[dict[str, Any]] = json.loads(record.with_suffix(".json").read_text())
    return problems


def fields(problem: dict[str, Any]) -> dict[str, Any]:
    return {name: problem[name] for name in FIELDS}


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_broken_record(record: Path) -> None:
    with open_games(str(record)) as stream:
        games = list(replays(stream.read))
    assert len(games) == 1
    problems = [problem.report() for problem in games[0].problems]
    assert [fields(problem) for problem in problems] == expected(record)
    assert all(problem["message"] for problem in problems)
    assert games[0].legal == all(problem["code"] in WARNINGS for problem in problems)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_broken_record_between_good_ones(record: Path) -> None:
    """As `claimlog validate` reads them: the same problems, and the neighbours stay good."""
    good = b'[CLM "1"]\n[Deck "GKUWX"]\n\n1. U7: G5 G8+ /W2\n*\n\n'
    report = judge_block(good + record.read_bytes() + b"\n" + good, 1, False)
    assert report.games == 3
    assert [found.game for found in report.reports] == [2]
    problems = [problem.report() for problem in report.reports[0].problems]
    lines = good.count(b"\n")
    moved = [problem | {"line": problem["line"] - lines} for problem in problems]
    assert [fields(problem) for problem in moved] == expected(record)


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_produced(code: str) -> None:
    assert any(problem["code"] == code for record in RECORDS for problem in expected(record))


def test_every_record_has_an_expectation() -> None:
    assert {record.stem for record in RECORDS} == {p.stem for p in BROKEN.glob("*.json")}
    for record in RECORDS:
        assert record.stem.startswith(expected(record)[0]["code"])


@pytest.mark.parametrize("name", ["revoke", "encoding-in-the-movetext", "trolls-advised-against"])
def test_validate_as_a_process(name: str) -> None:
    record = BROKEN / f"{name}.clm"
    done = subprocess.run(
        [*CLAIMLOG, "validate", "--format", "json", str(record)],
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(done.stdout)
    problems = report["errors"] + report["warnings"]
    assert [fields(problem) for problem in problems] == expected(record)
    assert done.returncode == (1 if report["errors"] else 0)
    assert report["file"] == str(record)
    assert (report["game"], report["line"], report["complete"]) == (1, 1, False)


TWO = '[Deck "GKUWX"]\n\n'
THREE = '[Player1 "a"]\n[Player2 "b"]\n[Player3 "c"]\n[Deck "GKUASXD"]\n\n'


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (f"{TWO}_: G5 G8 *", ["syntax 3:1-3"]),
        (f"{TWO}1. U7: G5 G8 3. K4 U1 *", ["trick-number 3:14-16"]),
        (f"{THREE}U7,X3: S5 S8 S2^ U8,X4: S4 S1 G1 =U8 *", ["missing-choice 6:14-17"]),
        (f"{THREE}U7,X3: S5 S8 A1 U8,X4: S4 S2 G1 =U8 *", ["revoke 6:14-16"]),
        (f"{TWO}U7: G5 G8 -G3 *", ["auto-trick 3:11-14"]),
        (f"{TWO}U7: -G5 G8 *", ["auto-trick 3:5-8"]),
        (f"{TWO}U7: G5 G8 G3 *", ["play-count 3:11-13"]),
        (f"{TWO}U7: G5 G8 -Q3 *", ["unknown-card 3:11-14"]),
    ],
)
def test_one_token_gets_the_first_code_of_the_table(text: str, problems: list[str]) -> None:
    """Whether the problem is what stands there or what is missing after it."""
    (game,) = loads(text)
    assert [f"{p.code} {p.line}:{p.column}-{p.end_column}" for p in game.problems] == problems


@pytest.mark.parametrize(
    ("numbers", "found", "slip"),
    [
        ((300, 301), "300", "the numbers from trick 1 on are 299 too high"),
        ((257, 258), "257", "the numbers from trick 1 on are 256 too high"),
        ((1, 258), "258", "the numbers from trick 2 on are 256 too high"),
        ((65536, 65537), "65536", None),
        ((1, 10**20), "1" + 20 * "0", None),
    ],
)
def test_numbers_are_read_however_high(
    numbers: tuple[int, int], found: str, slip: str | None
) -> None:
    text = '[Deck "GKUWX"]\n\n{}. U7: G5 G8\n{}. X3: K4 U1\n*'.format(*numbers).encode()
    (report,) = judge_block(text, 1, True, slips=True).reports
    assert report.errors[0].code == "trick-number"
    assert f"found trick {found}" in report.errors[0].message
    assert (report.slip and report.slip.message) == slip


HAND = "G0 G1 G2 G3 G4 G5 G6 G7 G8 G9 K2 K3 K4"


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        (f'[Hand1 "{HAND}"]\n[Hand2 "{HAND}"]', "only one G1 in the deck; it is already in Hand1"),
        ('[Pile "_ _ U7 _ _ _ _ _ _ _ _ _ _ U7 _ _ _ _ _ _ _ _ _ _ _ _"]',
         "only one U7 in the deck; it is already in Pile and trick 1"),
        ('[Hand1 "G5"]', "Hand1 has 1 card; with 2 players a hand has 13"),
        ('[Pile "U7"]', "the Pile has 1 card; the draw pile has 26"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_the_deal(tags: str, message: str) -> None:
    (game,) = loads(f'[Deck "GKUWX"]\n{tags}\n\n1. U7: G5 W8\n*\n')
    assert any(message in problem.message for problem in game.errors), game.errors


@pytest.mark.parametrize(
    ("text", "english", "german"),
    [
        ('[Termination "bye"]\n[Player1 "a"]\n[Votes "3-2"]\n\n1', "there is one side, one number",
         "hier ist es eine Seite, also eine Zahl"),
        ('[Termination "bye"]\n[Player1 "a"]\n[Leader "2"]\n\n1', "there is only seat 1",
         "es gibt nur Sitz 1"),
        ((BROKEN / "card-count-goblins.clm").read_text(), "; they are already in trick 1",
         "; sie stehen schon in Stich 1"),
    ],
)  # fmt: skip
def test_one_and_several_are_worded_as_such(text: str, english: str, german: str) -> None:
    for language, words in (("en", english), ("de", german)):
        (report,) = judge_block(text.encode(), 1, True, language=language).reports
        assert any(words in problem.message for problem in report.problems), report.problems
