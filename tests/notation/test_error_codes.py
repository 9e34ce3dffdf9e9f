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
