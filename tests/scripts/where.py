"""Print each test, and which steps of .ci/run run it, from pytest's own collection.

python tests/scripts/where.py >after.txt; diff before.txt after.txt
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
_RUN = re.compile(r"python\"? -m pytest ((?:.*\\\n)*.*)")


def steps() -> dict[str, list[str]]:
    """The arguments of each pytest run in .ci/run, by the name of its step and a number."""
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    runs = {"first": []}
    for name, body in re.findall(r"^(\w+)\(\) \{\n(.*?)^\}", text, re.DOTALL | re.MULTILINE):
        for number, arguments in enumerate(_RUN.findall(body)):
            command = arguments.partition("||")[0]
            step = f"{name}-{number + 1}" if number else name
            runs[step] = ["bash", "-c", f"printf '%s\\n' {command}"]
    return {
        name: subprocess.run(
            command, cwd=ROOT, check=True, capture_output=True, text=True
        ).stdout.split()
        if command
        else []
        for name, command in runs.items()
    }


def collected(arguments: list[str]) -> list[str]:
    """The tests that pytest would run."""
    left_out = {"-n", "auto", "-rs", "--dist", "loadfile", "worksteal", "--cov"}
    kept = [argument for argument in arguments if argument not in left_out]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "--color=no", *kept],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTEST_ADDOPTS": "-o addopts=--strict-markers"},
        check=False,
    )
    tests = [line for line in done.stdout.splitlines() if "::" in line]
    if not tests:
        raise SystemExit(done.stdout + done.stderr)
    return tests


def main() -> None:
    """Collect each step, print the tests in order."""
    where = defaultdict(list)
    for name, arguments in steps().items():
        for test in collected(arguments):
            where[test].append(name)
    for test in sorted(where):
        print(test, *where[test])


if __name__ == "__main__":
    main()
