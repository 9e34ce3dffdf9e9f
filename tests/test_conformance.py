"""The kit for other implementations: claimlog answers as the kit says, and the kit is complete.

After an intended change ``GOLDEN=write pytest tests/test_conformance.py`` rewrites the reports
(those of data/broken are in the kit's index, and are changed by hand).
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import commands
import pytest

from claimlog.notation.problems import CODES
from claimlog.replay.slip import KINDS

DATA = Path(__file__).parents[1] / "data"
KIT = DATA / "conformance"


def loaded() -> ModuleType:
    """The kit's program."""
    spec = importlib.util.spec_from_file_location("conformance_check", KIT / "check.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


check = loaded()


def without_wording(answer: Any) -> Any:
    """An answer as the kit keeps it."""
    if isinstance(answer, dict):
        return {
            key: without_wording(value) for key, value in answer.items() if key not in check.WORDING
        }
    return [without_wording(one) for one in answer] if isinstance(answer, list) else answer


@pytest.mark.parametrize("replay", [False, True], ids=["validate", "replay"])
def test_ours_answers_as_the_kit_says(replay: bool) -> None:
    kind = "replay" if replay else "validate"
    cases = check.cases(replay)
    files = [DATA / case["file"] for case in cases]
    answers = []
    # `replay` takes one file.
    for group in [[file] for file in files] if replay else [files]:
        code, out, err = commands.claimlog(kind, "--format", "json", *group)
        assert code in (0, 1), err
        answers += [json.loads(line) for line in out.splitlines()]
    wrong = []
    for case in cases:
        number = len(check.expected(case, replay))
        mine, answers = answers[:number], answers[number:]
        if os.environ.get("GOLDEN") == "write" and kind in case:
            lines = [f"{json.dumps(without_wording(one), ensure_ascii=False)}\n" for one in mine]
            (DATA / case[kind]).write_text("".join(lines), encoding="utf-8")
        wrong += [f"{case['file']}: {fault}" for fault in check.compare(case, mine, replay)]
    assert not wrong
    assert not answers


def reports() -> list[dict[str, Any]]:
    """All reports of `validate` in the kit."""
    return [report for case in check.cases() for report in check.expected(case)]


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_record(code: str) -> None:
    assert any(
        problem["code"] == code
        for report in reports()
        for problem in (*report["errors"], *report["warnings"])
    )


def test_every_kind_of_slip_has_a_record() -> None:
    assert {report["slip"]["kind"] for report in reports() if report["slip"]} == set(KINDS)


def test_every_file_is_listed_once() -> None:
    cases = check.cases()
    files = [case["file"] for case in cases]
    assert len(set(files)) == len(files)
    there = {path.relative_to(DATA).as_posix() for path in DATA.rglob("*.clm")}
    assert set(files) <= there
    assert {name for name in there if name.startswith(("broken/", "conformance/"))} <= set(files)
    kept = {path.relative_to(DATA).as_posix() for path in KIT.rglob("*.jsonl")}
    assert kept == {case[kind] for case in cases for kind in ("validate", "replay") if kind in case}


RIGHT = {"game": 1, "valid": False, "errors": [{"code": "revoke", "column": 3}], "slip": None}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (RIGHT | {"file": "x"}, []),
        (RIGHT | {"game": 2}, ["game is 2, not 1"]),
        (RIGHT | {"game": True}, ["game is true, not 1"]),
        (RIGHT | {"slip": {"kind": "x"}}, ['slip is {"kind": "x"}, not null']),
        (RIGHT | {"errors": []}, ["errors has 0, not 1"]),
        (
            RIGHT | {"errors": [{"code": "deal", "seat": 1, "message": "m"}]},
            ['errors[0].code is "deal", not "revoke"', "errors[0].column is missing",
             "errors[0].seat is too much"],
        ),
    ],
)  # fmt: skip
def test_what_differs_is_said(answer: dict[str, Any], said: list[str]) -> None:
    assert check.differences(RIGHT, answer) == said


def test_as_a_process(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    first = check.cases()[0]
    broken = next(case for case in check.cases() if case["file"] == "broken/revoke.clm")
    monkeypatch.setattr(check, "cases", lambda replay: [first, broken])

    def checked(*command: object) -> tuple[int, list[str]]:
        monkeypatch.setattr(sys, "argv", ["check.py", "--", *map(str, command)])
        return check.main(), capsys.readouterr().out.splitlines()

    right = checked(commands.SCRIPT, "validate", "--format", "json")
    assert right == (0, ["2 of 2 files as they should be"])
    mute = checked(sys.executable, "-c", "print('[]')")
    assert mute == (
        1,
        [
            f"{first['file']}: game 1: " + check.differences(check.expected(first)[0], [])[0],
            f"broken/revoke.clm: game 1: {check.differences(check.expected(broken)[0], [])[0]}",
            "broken/revoke.clm: the exit code is 0, not 1",
            "0 of 2 files as they should be",
        ],
    )
    assert checked(sys.executable, "-c", "print('no')")[1][0].startswith(
        f"{first['file']}: the output is no JSON, an object a line: "
    )
    assert checked("no-such-command")[0] == 2
