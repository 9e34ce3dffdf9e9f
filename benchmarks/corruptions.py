"""Correctness, not speed: which seeded corruptions are caught, located, explained.

Every file holds three games, the one in the middle with a single fault.  Each program reads records
of its own game in its own notation; a fault that its notation cannot express is left out.  A
correct reader catches the fault and accepts the two neighbours.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import harness
import slips

KINDS: Final = {
    "card-twice": ("a card played or dealt twice", "twice|already|only one|dealt"),
    "revoke": ("a play that the rules forbid (revoke)", "follow|illegal|possible"),
    "not-held": ("a card (piece) the player does not have", "hold|held|illegal|possible"),
    "unknown-card": ("a card (square) that does not exist", "no card|unknown|convert|illegal"),
    "not-in-deck": ("a card of a faction not in the deck", "deck"),
    "wrong-deck": ("the deck names another faction", "deck"),
    "illegal-deck": ("an impossible deck", "deck"),
    "winner-mark": ("a wrong winner (mate) mark", "did not win|mate|check"),
    "wrong-result": ("a wrong result", "result|stacks"),
    "results-differ": ("tag and token give different results", "result"),
    "wrong-votes": ("wrong votes", "votes"),
    "truncated": ("the record stops half-way", "are there|missing|stopped|not over"),
    "missing-trick": (
        "a trick (move pair) is missing",
        "this is trick|tricks are there|illegal|possible",
    ),
    "missing-play": ("a play is missing", "plays|missing|illegal|possible|nobody knows"),
    "extra-play": ("one play too many", "too many|illegal|possible|plays"),
    "plays-swapped": ("two plays swapped", "hold|follow|illegal|possible|win"),
    "trick-number": ("a wrong trick (move) number", "number|this is trick"),
    "wrong-leader": ("a wrong leader", "result|lead|votes"),
    "illegal-choice": ("a choice where none is due", "cannot take|Seer"),
    "wrong-draw": ("drawn cards swapped", "hold|held|took"),
    "bad-encoding": ("a byte that is not UTF-8", "UTF-8|utf-8|decode"),
    "unclosed-comment": ("a comment never closed", "comment"),
    "duplicate-tag": ("a duplicate tag", "twice|overwrite|duplicate"),
    "broken-tag": ("a tag without its closing quote", "tag|quote|invalid character"),
    "junk": ("a meaningless word", "cannot be read|unknown|invalid|convert"),
    "names-swapped": ("names swapped (control: nobody can tell)", "$^"),
}
"""Each kind of corruption: a description, and words that its explanations use."""

SCRIPTED: Final = ("chess", "open_spiel", "pokerkit", "endplay")
"""The peers with a script in peers/; pgn-extract reads the files of the first one."""


@dataclass(slots=True)
class Score:
    """The result of one program for one kind of corruption; `example` is its first message."""

    cases: int = 0
    caught: int = 0
    line: int = 0
    column: int = 0
    play: int = 0
    explained: int = 0
    apart: int = 0
    example: str = ""

    def cell(self) -> str:
        """For example ``20/20 lcpen``; a mark in brackets applies to only some of those caught."""
        if not self.cases:
            return "·"
        marks = ""
        for mark, count in zip(
            "lcpen", (self.line, self.column, self.play, self.explained, self.apart), strict=True
        ):
            if self.caught and count == self.caught:
                marks += mark
            elif count:
                marks += f"({mark})"
        return f"{self.caught}/{self.cases} {marks}".strip()


def judge(case: Mapping[str, Any], folder: Path, score: Score) -> None:
    """Add the result of one corrupted file to `score`."""
    kind, word = case["kind"], case["word"]
    score.cases += 1
    mine, others = [], []
    for report in case["reports"]:
        line = report["line"]
        elsewhere = (
            report["game"] != 1
            if report["game"] is not None
            else line is not None and not case["first"] <= line <= case["last"] + 2
        )
        (others if elsewhere else mine).append(report)
    if not mine:
        return
    score.caught += 1
    rows = (folder / case["file"]).read_bytes().decode(errors="replace").split("\n")
    placed = [report for report in mine if report["line"] in case["lines"]]
    score.line += bool(placed)
    score.column += any(_column_fits(rows[r["line"] - 1], r["column"], word) for r in placed)
    score.play += any(report["play"] for report in mine)
    said = [report["message"] for report in mine if not report["ours"]]
    pattern = re.compile(KINDS[kind][1], re.IGNORECASE)
    score.explained += any(pattern.search(m) or (word and word in m) for m in said)
    score.apart += not others and case["games"] == 3
    score.example = score.example or " / ".join(report["message"] for report in mine[:2])


def _column_fits(row: str, column: int | None, word: str) -> bool:
    """Whether `column` is the place of `word` in the row (for a tag, any part of it)."""
    if column is None:
        return False
    if not word or (row.startswith("[") and column == 1):
        return True
    return any(abs(match.start() + 1 - column) <= 2 for match in re.finditer(re.escape(word), row))


def scores(cases: Sequence[Mapping[str, Any]], folder: Path) -> dict[str, Score]:
    """Judge a program's answers, by kind."""
    by_kind: dict[str, Score] = {}
    for case in cases:
        judge(case, folder, by_kind.setdefault(case["kind"], Score()))
    return by_kind


PROGRESS: Final = re.compile(
    r"^(Processing .*|.*games? matched out of.*|.+ - .+ \d{4}\.\d\d\.\d\d *)$", re.MULTILINE
)
"""Lines of pgn-extract that report no problem: its file, its count, the players of a game."""


def pgn_extract_cases(peer: harness.Peer, folder: Path) -> list[dict[str, Any]]:
    """Let pgn-extract read the corrupted chess games."""
    cases = []
    for case in json.loads((folder / "cases.json").read_text()):
        done = subprocess.run(
            [str(word) for word in peer.command("-r", folder / case["file"])],
            capture_output=True,
            check=False,
        )
        text = done.stderr.decode(errors="replace")
        games = re.search(r"(\d+) games? matched out of (\d+)", text)
        reports = []
        for block in re.split(r"(?=^File .*: Line number: \d+$)", text, flags=re.MULTILINE):
            message = PROGRESS.sub("", block)
            message = " ".join(message.split())
            if message:
                line = re.match(r"File .*: Line number: (\d+)", block)
                play = bool(case["word"]) and case["word"] in message
                reports.append(
                    {
                        "message": re.sub(r"^File .*?: Line number: \d+ ", "", message),
                        "game": None,
                        "line": int(line[1]) if line else None,
                        "column": None,
                        "play": play or "Failed to make move" in message,
                        "ours": False,
                    }
                )
        cases.append({**case, "games": int(games[2]) if games else 0, "reports": reports})
    return cases


def claimlog_cases(folder: Path, count: int, seed: int) -> list[dict[str, Any]]:
    """Make corrupted games of Claim, and let claimlog read them."""
    script = harness.HERE / "peers" / "claim.py"
    size = ["--count", str(count), "--seed", str(seed)]
    harness.run([sys.executable, script, "corrupt", folder, *size])
    done = harness.run([sys.executable, script, "inspect", folder])
    cases: list[dict[str, Any]] = harness.last_json(done.out)["cases"]
    return cases


def peer_scores(
    peer: harness.Peer, folder: Path, count: int, options: argparse.Namespace
) -> dict[str, Score]:
    """Let a peer's script make corrupted files and read them."""
    peer.ask("corrupt", folder, "--count", str(count), "--seed", str(options.seed))
    return scores(peer.ask("inspect", folder)["cases"], folder)


def main() -> None:
    """Run the benchmark."""

    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--count", type=int, default=20, help="number of files of each kind")
        parser.add_argument("--messages", action="store_true", help="show a message of each kind")

    options = harness.arguments(__doc__.split("\n")[0], add)
    count = 1 if options.smoke else options.count
    peers = harness.find_peers(options, "pgn-extract", *SCRIPTED)
    claim = "claimlog catches every kind of corruption, says where and why, and reads on"
    harness.heading(options, peers, claim)
    results: dict[str, dict[str, Score]] = {}
    with harness.scratch() as folder:
        harness.progress("claimlog")
        results["claimlog"] = scores(
            claimlog_cases(folder / "claim", count, options.seed), folder / "claim"
        )
        for name in SCRIPTED:
            if not peers[name].present:
                continue
            harness.progress(peers[name].label)
            try:
                results[peers[name].label] = peer_scores(peers[name], folder / name, count, options)
                if name == "chess" and peers["pgn-extract"].present:
                    harness.progress("pgn-extract")
                    cases = pgn_extract_cases(peers["pgn-extract"], folder / name)
                    results["pgn-extract"] = scores(cases, folder / name)
            except harness.BenchmarkError as error:
                print(f"{peers[name].label} failed: {error}\n")
        if peers["pgn-extract"].present and not peers["chess"].present:
            print("pgn-extract was not run: its files come from python-chess, which is absent")
    show(options, results)
    harness.title(options, "Slips of the pen: named, and the right repair offered")
    measured = slips.measure(2 if options.smoke else 10 * count, options.seed)
    head, rows = slips.rows(measured)
    harness.table(options, head, rows)
    print(slips.LEGEND)


def show(options: argparse.Namespace, results: Mapping[str, Mapping[str, Score]]) -> None:
    """Print the table, its legend and the totals."""
    none = Score()
    harness.title(options, "Seeded corruptions: caught, located, explained")
    rows = [
        [text, *(scores.get(kind, none).cell() for scores in results.values())]
        for kind, (text, _) in KINDS.items()
    ]
    harness.table(options, ["one fault in the middle game of three", *results], rows)
    print(
        "caught/files; l: the right line is named, c: and the column, p: the play is named,\n"
        "e: the program's own message explains it, n: both neighbouring games are read and not\n"
        "blamed; (in brackets: not in every caught case); ·: the notation cannot express it.\n"
        "Where a program only answers yes or no (is the move legal?) or only gives the result,\n"
        "the script compares: caught, but not explained.\n"
    )
    harness.title(options, "Totals")
    rows = []
    for name, scores in results.items():
        real = [score for kind, score in scores.items() if kind != "names-swapped"]
        cases = sum(score.cases for score in real)
        row = [name, str(len(real)), str(cases)]
        for key in ("caught", "line", "column", "play", "explained", "apart"):
            share = sum(getattr(score, key) for score in real) / cases if cases else 0
            row.append(f"{share:.0%}")
        rows.append(row)
    head = ["program", "kinds", "files", "caught", "line", "column", "play", "explained", "apart"]
    harness.table(options, head, rows)
    if options.messages:
        harness.title(options, "The first message of each kind")
        rows = [
            [KINDS[kind][0], name, scores[kind].example[:160] or "–"]
            for kind in KINDS
            for name, scores in results.items()
            if kind in scores
        ]
        harness.table(options, ["fault", "program", "message"], rows)


if __name__ == "__main__":
    main()
