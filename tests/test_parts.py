"""The list of slow tests names tests that there are."""

from __future__ import annotations

import re
from pathlib import Path

import parts

ROOT = Path(__file__).parents[1]


def test_what_is_listed_as_slow_is_there() -> None:
    names: dict[str, set[str]] = {}
    for listed in parts.listed():
        path, _, test = listed.partition("::")
        if path not in names:
            text = (ROOT / path).read_text(encoding="utf-8")
            names[path] = set(re.findall(r"^(?:async )?def (test_\w+)", text, re.MULTILINE))
        assert test in names[path], f"{listed}: python tests/scripts/slow.py writes the list anew"
