"""What limits the speed: how long each stage of validating takes, and in which functions.

Each stage includes the ones above it.  `grep`, which only looks for the games' first tags, and
pgn-extract are the peers.  If Linux' `perf` is installed, its samples are counted by function.
With --instructions valgrind counts the instructions per game, by function: slow, but the same on a
busy machine as on an idle one.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import harness

STAGES: Final = {
    "cut": "cut the file into blocks of games",
    "read": "… and split the games into tokens",
    "validate": "… and judge them, block by block",
}


def main() -> None:
    """Run the benchmark."""

    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=200_000, help="games of Claim to validate")
        parser.add_argument("--seats", type=int, default=2, choices=[2, 3, 4])
        parser.add_argument("--top", type=int, default=25, help="number of functions to show")
        parser.add_argument("--instructions", action="store_true", help="count instructions")
        parser.add_argument("--no-perf", action="store_true", help="do not profile functions")

    options = harness.arguments(__doc__.split("\n")[0], add)
    games = 300 if options.smoke else options.games
    rounds = options.rounds or (1 if options.smoke else 5)
    peers = harness.find_peers(options, "chess", "pgn-extract")
    harness.heading(options, peers, "where the time goes when claimlog validates on one core")
    with harness.scratch() as folder:
        path = folder / "games.clm"
        harness.progress(f"simulating {games} games")
        harness.simulate(path, games, options.seats, options.seed)
        size = path.stat().st_size
        jobs: dict[str, Callable[[], tuple[float, int, int]]] = {}
        grep = shutil.which("grep")
        if grep is not None:
            jobs["grep -c '^[CLM '"] = whole([grep, "-c", r"^\[CLM ", path], games, size)
        for name, text in STAGES.items():
            jobs[text] = staged(name, path, size)
        words = harness.claimlog("validate", "-j", "1", "--summary", path)
        jobs["the command, start-up included"] = whole(words, games, size)
        chess, extract = peers["chess"], peers["pgn-extract"]
        if chess.present and extract.present:
            some = 5 if options.smoke else 500
            few, pgn = folder / "few.pgn", folder / "games.pgn"
            chess.ask("generate", few, "--games", str(some), "--seed", str(options.seed))
            harness.repeat(few, pgn, 20)
            words = extract.command("-s", "-r", pgn)
            jobs["pgn-extract, chess"] = whole(words, some * 20, pgn.stat().st_size)
        runs = harness.alternate(jobs, rounds)
        rows = []
        for name, done in runs.items():
            seconds = harness.median([run[0] for run in done])
            count, bytes_read = done[0][1:]
            rows.append(
                [
                    name,
                    harness.number(count),
                    harness.number(seconds),
                    harness.spread([run[0] for run in done]),
                    harness.number(1e6 * seconds / count),
                    harness.number(count / seconds),
                    harness.number(bytes_read / seconds / harness.MB),
                ]
            )
        harness.title(options, f"Stages on one core, median of {rounds} alternating rounds")
        head = ["stage", "games", "s", "spread", "µs/game", "games/s", "MB/s"]
        harness.table(options, head, rows)
        if not options.no_perf:
            functions(options, path, folder)
        if options.instructions:
            instructions(options, folder)


def whole(words: list[str | Path], games: int, size: int) -> Callable[[], tuple[float, int, int]]:
    """A job that runs a command on this number of games and bytes."""
    return lambda: (harness.run(words).wall, games, size)


def staged(name: str, path: Path, size: int) -> Callable[[], tuple[float, int, int]]:
    """A job that runs one stage of `kernel.py`."""
    words = [sys.executable, harness.HERE / "kernel.py", name, path]

    def read() -> tuple[float, int, int]:
        answer = harness.last_json(harness.run(words).out)
        return answer["seconds"], answer["games"], size

    return read


def functions(options: argparse.Namespace, path: Path, folder: Path) -> None:
    """Print the profile of `perf`, by library and by function."""
    perf = shutil.which("perf")
    if perf is None:
        print("perf is not installed: functions are not shown")
        return
    data = folder / "perf.data"
    words = [sys.executable, str(harness.HERE / "kernel.py"), "validate", str(path)]
    command = [perf, "record", "-q", "-F", "999", "-o", str(data), "--", *words]
    done = subprocess.run(command, capture_output=True, env=harness.environment(), check=False)
    if done.returncode or not data.exists():
        print("perf cannot record here: functions are not shown")
        return
    for sort, text, count in (("dso", "library", 10), ("dso,symbol", "function", options.top)):
        command = [perf, "report", "-i", str(data), "--stdio", "--no-children", "-g", "none"]
        command += ["--sort", sort, "--percent-limit", "0.3"]
        report = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        rows = []
        for line in report.splitlines():
            match = re.match(r"\s+(\d+\.\d+)%\s+(\S+)\s*(?:\[.\]\s*(\S.*?)(?:\s+-)*\s*$)?", line)
            if match:
                rows.append([f"{match[1]} %", plain(match[2]), plain(match[3] or "")])
        rows = rows[:count]
        if sort == "dso":
            rows = [row[:2] for row in rows]
        harness.title(options, f"Share of the samples, by {text}")
        harness.table(options, ["share", "library", "function"][: len(rows[0])], rows)


def instructions(options: argparse.Namespace, folder: Path) -> None:
    """Print the instructions per game: those for 3,000 games less those for 1,000."""
    if shutil.which("valgrind") is None or shutil.which("callgrind_annotate") is None:
        print("valgrind is not installed: instructions are not counted")
        return
    sizes = (30, 90) if options.smoke else (1000, 3000)
    counts: list[dict[tuple[str, str], int]] = []
    for games in sizes:
        harness.progress(f"counting the instructions for {games} games")
        path, out = folder / f"{games}.clm", folder / f"{games}.callgrind"
        harness.simulate(path, games, options.seats, options.seed)
        words = [sys.executable, harness.HERE / "kernel.py", "validate", path]
        harness.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *words])
        report = harness.run(["callgrind_annotate", "--threshold=100", out]).out.decode()
        totals: dict[tuple[str, str], int] = {}
        for line in report.splitlines():
            cells = re.match(r"\s*([\d,]+) \([ \d.]+%\)\s+\S*?:(\S+) \[(?:.*/)?(.+)\]", line)
            if cells:
                name = (plain(cells[3]), plain(cells[2]))
                totals[name] = totals.get(name, 0) + int(cells[1].replace(",", ""))
        counts.append(totals)
    few, many = counts
    each = {
        name: (many[name] - few.get(name, 0)) / (sizes[1] - sizes[0])
        for name in many
        if many[name] > few.get(name, 0)
    }
    total = sum(each.values())
    libraries: dict[str, float] = {}
    for (library, _), count in each.items():
        libraries[library] = libraries.get(library, 0) + count
    harness.title(options, f"Instructions per game ({harness.number(total)})")
    rows = [
        [harness.number(count), f"{count / total:.1%}", library]
        for library, count in sorted(libraries.items(), key=lambda item: -item[1])[:8]
    ]
    harness.table(options, ["instructions", "share", "library"], rows)
    rows = [
        [harness.number(count), f"{count / total:.1%}", library, function]
        for (library, function), count in sorted(each.items(), key=lambda item: -item[1])
    ]
    harness.table(options, ["instructions", "share", "library", "function"], rows[: options.top])


def plain(name: str) -> str:
    """A library's or a function's name without the compiler's additions."""
    name = re.sub(r"\.cpython-\S+$|\.so[.\d]*$", "", name.strip())
    return re.sub(r"^__pyx_[a-z]+_(\d+claimlog)?(_?\d+[a-z]+)*_?\d*", "", name)


if __name__ == "__main__":
    main()
