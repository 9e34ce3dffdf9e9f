"""docs/notation.md is accurate: every example, every tag, every code and message."""

import json
import re
from pathlib import Path

import pytest

from claimlog.cards import FACTIONS
from claimlog.notation.problems import CODES, WARNINGS
from claimlog.notation.tags import TAGS, TERMINATIONS
from claimlog.notation.tokens import ANNOTATIONS
from claimlog.notation.writer import canonical, compact
from claimlog.replay.recorder import replay_text
from claimlog.replay.validate import judge_block
from claimlog.results import RESULTS
from claimlog.rules.setup import RULE_SETS, RULINGS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
RECORDS = re.findall(r"```clm\n(.*?)```", TEXT, re.DOTALL)
REPORTS = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)]
ROWS = re.findall(r"^\| `([a-z-]+)` \| (.*?) \| `([a-z0-9-]+)`: (.*) \|$", TEXT, re.MULTILINE)


def test_records() -> None:
    first, _, short = (next(replay_text(text)) for text in RECORDS)
    assert not first.problems
    assert not short.problems
    assert first.tricks[0].taken == {1: "U7", 2: "W2"}
    assert [play.seat for play in first.tricks[0].plays] == [2, 1]
    assert compact(short) == RECORDS[2]
    assert canonical(first) == RECORDS[0].replace("K4 U1", "K4+ U1")


def test_games_without_tricks() -> None:
    games = list(replay_text(RECORDS[1]))
    assert [game.result for game in games] == ["1", "1-0", "0-0"]
    assert not any(game.problems for game in games)
    assert "\n".join(map(canonical, games)) == RECORDS[1]


def test_reports() -> None:
    validated, replayed = REPORTS
    block = judge_block(RECORDS[2].encode(), 1, True)
    assert block.reports[0].report("games.clm") == validated
    assert next(replay_text(RECORDS[2])).report() == replayed


def test_every_code_is_listed_in_order_with_a_message_that_the_program_writes() -> None:
    assert tuple(code for code, *_ in ROWS) == CODES
    assert {code for code, what, *_ in ROWS if what.startswith("warning")} == WARNINGS


@pytest.mark.parametrize(("code", "name", "message"), [(row[0], *row[2:]) for row in ROWS])
def test_messages(code: str, name: str, message: str) -> None:
    record = (ROOT / "data" / "broken" / f"{name}.clm").read_bytes()
    messages = {p.code: p.message for game in replay_text(record) for p in game.problems}
    assert messages[code] == message.replace("\\|", "|")


def test_every_tag_and_word_is_listed() -> None:
    tags = TEXT.split("## Tags")[1].split("## Movetext")[0]
    for name in TAGS:
        start = re.sub(r"[2-4]$", "", name)
        assert start in tags, name
    for word in (*TERMINATIONS, *RULE_SETS, *RULINGS):
        assert word in tags, word
    for faction in FACTIONS:
        assert f"{faction.letter} {faction.name} |" in TEXT
    for annotation in ANNOTATIONS[1:]:
        assert f"`{annotation}`" in TEXT
    for share in ("1/2-1/2", "1/2-0-1/2", "1/3-1/3-1/3"):
        assert share in RESULTS
        assert share in tags
