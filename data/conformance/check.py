"""Hold an implementation of CLM against the records and reports of this folder.

COMMAND is given the path of a file as its last word, and prints a JSON object for each game, a
line each, as `claimlog validate --format json` does, or with --replay as `claimlog replay
--format json` does.  README.md beside this file says what is compared.  Nothing beyond Python's
standard library is needed.

    python data/conformance/check.py -- claimlog validate --format json
    python data/conformance/check.py --replay -- claimlog replay --format json
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
DATA = HERE.parent
WORDING = ("file", "message")
"""What everybody words, or calls, as they like."""
SECONDS = 60
"""How long a file may take."""

Case = dict[str, Any]
Report = dict[str, Any]


def cases(replay: bool = False) -> list[Case]:
    """The files to read; with `replay` those of which the tricks are told, too."""
    listed: list[Case] = json.loads((HERE / "index.json").read_text(encoding="utf-8"))["cases"]
    return [case for case in listed if not replay or "replay" in case]


def expected(case: Case, replay: bool = False) -> list[Report]:
    """The reports that are right for a file, a game each."""
    if replay or "validate" in case:
        lines = (DATA / case["replay" if replay else "validate"]).read_text(encoding="utf-8")
        return [json.loads(line) for line in lines.splitlines()]
    # A record of data/broken: its problems stand beside it.
    problems = json.loads((DATA / case["problems"]).read_text(encoding="utf-8"))
    report = {"game": 1, "line": 1, **case["report"]}
    because = iter(report.pop("because"))
    for key, severity in (("errors", "error"), ("warnings", "warning")):
        report[key] = [
            problem | {"because": severity == "error" and next(because)}
            for problem in problems
            if problem["severity"] == severity
        ]
    return [report | {"valid": not report["errors"]}]


def differences(right: Any, answer: Any, place: str = "") -> list[str]:
    """Where an answer is not the right one, in words; `place` is where in the object."""
    if isinstance(right, dict) and isinstance(answer, dict):
        faults = []
        for key in [*right, *(key for key in answer if key not in right)]:
            where = f"{place}.{key}" if place else key
            if key in WORDING:
                continue
            if key not in answer:
                faults.append(f"{where} is missing")
            elif key not in right:
                faults.append(f"{where} is too much")
            else:
                faults += differences(right[key], answer[key], where)
        return faults
    if isinstance(right, list) and isinstance(answer, list):
        faults = [
            difference
            for number, (one, other) in enumerate(zip(right, answer, strict=False))
            for difference in differences(one, other, f"{place}[{number}]")
        ]
        if len(right) != len(answer):
            faults.append(f"{place} has {len(answer)}, not {len(right)}")
        return faults
    if type(right) is type(answer) and right == answer:
        return []
    return [f"{place} is {json.dumps(answer)}, not {json.dumps(right)}"]


def compare(case: Case, answers: list[Report], replay: bool = False) -> list[str]:
    """Where the reports of a file are not the right ones."""
    right = expected(case, replay)
    faults = [
        f"game {number}: {difference}"
        for number, (one, answer) in enumerate(zip(right, answers, strict=False), 1)
        for difference in differences(one, answer)
    ]
    if len(right) != len(answers):
        faults.append(f"{len(answers)} games, not {len(right)}")
    return faults


def ask(command: list[str], case: Case, replay: bool = False) -> list[str]:
    """Run the command on a file; where its answer is not the right one."""
    try:
        done = subprocess.run(
            [*command, str(DATA / case["file"])],
            capture_output=True, encoding="utf-8", timeout=SECONDS, check=False,
        )  # fmt: skip
        answers = [json.loads(line) for line in done.stdout.splitlines() if line.strip()]
    except subprocess.TimeoutExpired:
        return [f"no answer within {SECONDS} seconds"]
    except ValueError as error:
        return [f"the output is no JSON, an object a line: {error}"]
    faults = compare(case, answers, replay)
    code = int(any(report["errors"] for report in expected(case, replay)))
    if done.returncode != code:
        faults.append(f"the exit code is {done.returncode}, not {code}")
    return faults


def main() -> int:
    """Ask for every file; 0 if all answers are right, 1 if not, 2 for a wrong call."""
    parser = argparse.ArgumentParser(description="Hold an implementation of CLM against this kit.")
    parser.add_argument("--replay", action="store_true", help="compare what `replay` tells")
    parser.add_argument("command", nargs="+", help="the command; the file becomes its last word")
    options = parser.parse_args()
    asked = cases(options.replay)
    wrong = 0
    try:
        for case in asked:
            faults = ask(options.command, case, options.replay)
            wrong += bool(faults)
            for difference in faults:
                print(f"{case['file']}: {difference}")
    except OSError as error:
        print(f"{options.command[0]} cannot be run: {error}", file=sys.stderr)
        return 2
    print(f"{len(asked) - wrong} of {len(asked)} files as they should be")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
