"""Spoiled records are judged as before, whatever was judged before them.

golden/spoiled.jsonl has random games of `lawbook`, spoiled in some fifty ways, with their findings:
the problems, and a digest of the replay.  From thousands, those were kept that distinguish the
judge from a mutant that no other record detects (docs/guarantees.md, "Mutations").  To rewrite the
findings after an intended change, run this file as a script; then read the difference.
"""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

from claimlog.language import Words, words
from claimlog.notation.reader import sheets
from claimlog.replay.explain import problems, reported_result
from claimlog.replay.judge import Judge
from claimlog.replay.recorder import Recorder

GOLDEN = Path(__file__).parent / "golden" / "spoiled.jsonl"
CASES = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
GROUP = 8
"""The number of records that are judged one after another."""


class Keys(Words):
    """The keys and values of messages, in place of their words."""

    def __call__(self, key: str, /, **values: object) -> str:
        return f"{key} {values}" if values else key


KEYS = Keys("en", words("en").texts)


def judged(judge: Judge, recorder: Recorder, text: str) -> list[dict[str, Any]]:
    """The findings for each game of a text."""
    problems_read = []
    for sheet, line in sheets(io.BytesIO(text.encode()).read):
        judge.judge(sheet)
        found = problems(judge, line, KEYS)
        game = recorder.record(sheet, line)
        replay = [
            game.report(),
            [trick.report() for trick in game.tricks],
            game.score and game.score.report(),
            [(problem.tag, problem.follows, problem.message) for problem in found],
        ]
        problems_read.append(
            {
                "problems": [
                    f"{p.code} {p.line}:{p.column}-{p.end_column} {p.trick} {p.seat} {p.card}"
                    for p in found
                ],
                "complete": bool(judge.complete),
                "result": reported_result(judge),
                "replay": hashlib.sha256(json.dumps(replay).encode()).hexdigest()[:12],
            }
        )
    return problems_read


@pytest.mark.parametrize("start", range(0, len(CASES), GROUP))
def test_what_is_said_of_spoiled_records(start: int) -> None:
    judge, recorder = Judge(), Recorder(KEYS)
    for case in CASES[start : start + GROUP]:
        assert judged(judge, recorder, case["record"]) == case["said"]


def test_one_token_gets_one_code() -> None:
    """Only problems of the whole game, which have no trick, may share a place."""
    for case in CASES:
        for game in case["said"]:
            split = [problem.split() for problem in game["problems"]]
            places = [place for _, place, trick, *_ in split if trick != "None"]
            assert len(places) == len(set(places)), case["record"]


if __name__ == "__main__":
    for case in CASES:
        case["said"] = judged(Judge(), Recorder(KEYS), case["record"])
    lines = [json.dumps(case, ensure_ascii=False) + "\n" for case in CASES]
    GOLDEN.write_text("".join(lines), encoding="utf-8")
