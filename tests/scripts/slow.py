"""Rewrite tests/slow.txt from pytest's durations.

    python -m pytest -n auto --part all --durations=0 | python tests/scripts/slow.py

All parameters of a test count as one test, including its fixtures.  A test that takes at least
`--limit` seconds belongs to the rest: by default a second on an idle machine.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

LIST = Path(__file__).parents[1] / "slow.txt"
HEAD = """\
# Tests of the second part (tests/parts.py), with the seconds that they were measured to take.
# Written by tests/scripts/slow.py.
"""


def main() -> None:
    """Read a log, write the list."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=1.0)
    limit = parser.parse_args().limit
    seconds: Counter[str] = Counter()
    for line in sys.stdin:
        if match := re.match(r"\s*([\d.]+)s (?:call|setup|teardown)\s+([^\s\[]+)", line):
            seconds[match[2]] += float(match[1])
    lines = [f"{time:7.1f} {name}\n" for name, time in sorted(seconds.items()) if time >= limit]
    LIST.write_text(HEAD + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
