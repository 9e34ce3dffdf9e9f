"""Only the rules know what factions do: no other module names one (docs/architecture.md).

A name is a constant, such as GNOMES, or a letter in a comparison.
"""

import ast
import re
from pathlib import Path

import pytest

from claimlog import cards

ROOT = Path(__file__).parents[1]
NAMED_BY = {faction.letter: faction.name.upper() for faction in cards.FACTIONS}
NAMED = set(NAMED_BY.values())
"""The constants that stand for factions, such as UNDEAD."""
SIGNS = re.compile(rf"\b(?:{'|'.join(NAMED)})\b|([\"'])[A-Z]\1")
"""What a module that names factions has somewhere; reading all others would take seconds."""
MAY = ("claimlog/cards.py", "claimlog/rules/", "claimlog/simulate/policies.py")
"""The cards, the rules, and policies, which play by what powers do."""


def names_taken(source: str) -> set[str]:
    """The factions that a module names."""
    taken = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("claimlog"):
            taken |= {alias.name for alias in node.names} & NAMED
        elif isinstance(node, ast.Attribute) and node.attr in NAMED:
            taken.add(node.attr)
        elif isinstance(node, ast.Compare):
            taken |= {
                NAMED_BY[one.value]
                for one in (node.left, *node.comparators)
                if isinstance(one, ast.Constant) and one.value in NAMED_BY
            }
    return taken


def test_there_is_a_constant_for_each_faction() -> None:
    assert {name for name in vars(cards) if name.isupper()} >= NAMED


def test_only_the_rules_name_factions() -> None:
    outside = {
        str(path): names
        for folder in ("claimlog", "cli")
        for file in sorted((ROOT / folder).rglob("*.py"))
        if not (path := file.relative_to(ROOT).as_posix()).startswith(MAY)
        and SIGNS.search(source := file.read_text(encoding="utf-8"))
        and (names := names_taken(source))
    }
    assert not outside


@pytest.mark.parametrize(
    "line", ["from claimlog.cards import GNOMES", "import claimlog.cards as c; c.GNOMES",
             "from claimlog.rules.powers import GNOMES as N", "'N' in deck", "card[0] == 'N'"],
)  # fmt: skip
def test_a_breach_is_found(line: str) -> None:
    assert names_taken(line) == {"GNOMES"}
