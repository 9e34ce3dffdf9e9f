"""Shared by the benchmarks: running, timing, peers, data, tables.

A benchmark runs whole commands, each as a separate process, alternately (A B A B …), and compares
medians.  This process stays small: a child's peak memory cannot be measured below that of the
process that starts it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import platform
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeVar

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent

MB: Final = 1_000_000

T = TypeVar("T")


# Running ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a command: wall-clock and processor seconds, peak memory, output."""

    wall: float
    cpu: float
    peak: int
    code: int
    out: bytes
    err: bytes


class BenchmarkError(Exception):
    """A command did not do what the benchmark needs, so there is no figure to show."""


def environment(changes: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for a child: this one without CLAIMLOG_PURE, with `changes`."""
    env = {key: value for key, value in os.environ.items() if key != "CLAIMLOG_PURE"}
    env["PYTHONHASHSEED"] = "0"
    env.update(changes or {})
    return env


def run(
    command: Sequence[str | Path],
    *,
    env: Mapping[str, str] | None = None,
    codes: Sequence[int] = (0,),
) -> Run:
    """Run `command` to its end; raise `BenchmarkError` if its exit code is not in `codes`.

    `peak` is the peak resident memory of the largest process of the command.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env=environment(env),
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        result = Run(
            wall,
            usage.ru_utime + usage.ru_stime,
            _bytes_of_maxrss(usage.ru_maxrss),
            process.returncode,
            out.read(),
            err.read(),
        )
    if result.code not in codes:
        last = (result.err or result.out).decode(errors="replace").strip().splitlines()[-3:]
        shown = " ".join(str(word) for word in command)
        raise BenchmarkError(f"{shown}: exit code {result.code}: {' / '.join(last)}")
    return result


def _bytes_of_maxrss(value: int) -> int:
    return value if sys.platform == "darwin" else value * 1024


def own_peak() -> int:
    """The peak resident memory of this process, the floor of what `run` can measure."""
    return _bytes_of_maxrss(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def peak_text(peaks: Sequence[int]) -> str:
    """The largest of some peaks in MB; "≤" if this process itself hides a smaller one."""
    peak = max(peaks)
    return f"{'≤ ' if peak <= own_peak() else ''}{peak / MB:.0f}"


def goal(options: argparse.Namespace, text: str, reached: bool, figure: str) -> None:
    """Say whether a goal was reached; never in a smoke run, whose figures mean nothing."""
    if not options.smoke:
        print(f"goal {text}: {'reached' if reached else 'MISSED'} with {figure}")


def tree_peak(command: Sequence[str | Path], *, codes: Sequence[int] = (0,)) -> int | None:
    """Run `command` and return the peak memory of all its processes together.

    The proportional set sizes are added up every 20 ms, so a short peak may be missed and the
    command is slowed down: do not time this run.  None if the system has no /proc.
    """
    if not Path("/proc/self/smaps_rollup").exists():
        return None
    process = subprocess.Popen(
        [str(word) for word in command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
    )
    peak = 0
    done = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.02):
            peak = max(peak, sum(_proportional(pid) for pid in tree(process.pid)))

    watcher = threading.Thread(target=watch)
    watcher.start()
    code = process.wait()
    done.set()
    watcher.join()
    if code not in codes:
        raise BenchmarkError(f"{command[0]}: exit code {code}")
    return peak


def tree(pid: int) -> Iterator[int]:
    """A process and its descendants, as far as the system reports them."""
    yield pid
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
        for task in tasks:
            for child in Path(f"/proc/{pid}/task/{task}/children").read_text().split():
                yield from tree(int(child))
    except OSError:
        return


def _proportional(pid: int) -> int:
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    match = re.search(r"^Pss:\s+(\d+) kB", rollup, re.MULTILINE)
    return int(match[1]) * 1024 if match else 0


def alternate(jobs: Mapping[str, Callable[[], T]], rounds: int) -> dict[str, list[T]]:
    """Do every job once per round, so that a disturbance affects all of them alike."""
    results: dict[str, list[T]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            results[name].append(job())
    return results


def median(values: Sequence[float]) -> float:
    """The median; NaN if there are no values."""
    return statistics.median(values) if values else math.nan


def spread(values: Sequence[float]) -> str:
    """The smallest and the largest value, as a percentage of the median."""
    middle = median(values)
    if len(values) < 2 or not middle:
        return ""
    low, high = min(values) / middle - 1, max(values) / middle - 1
    return f"{low:+.0%} {high:+.0%}"


# The command line ---------------------------------------------------------------------------


def arguments(
    description: str, add: Callable[[argparse.ArgumentParser], None] | None = None
) -> argparse.Namespace:
    """Parse the options that every benchmark has, and those that `add` adds.

    If claimlog is not installed for this Python, the script starts again in a separate environment
    in which this checkout is installed.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--smoke",
        action="store_true",
        help="smallest sizes, one round; install nothing, use only peers already installed",
    )
    parser.add_argument("--rounds", type=int, help="number of runs of each command")
    parser.add_argument("--seed", type=int, default=1, help="seed of all generated data")
    parser.add_argument(
        "--peers", help="the peers to run, comma-separated, or 'none' (default: all)"
    )
    parser.add_argument("--no-install", action="store_true", help="do not install peers")
    parser.add_argument("--markdown", action="store_true", help="print tables as Markdown")
    if add is not None:
        add(parser)
    options = parser.parse_args()
    options.no_install = options.no_install or options.smoke
    _need_claimlog(options.no_install)
    return options


def _need_claimlog(no_install: bool) -> None:
    probe = [sys.executable, "-P", "-c", "import claimlog.cli.main"]
    if subprocess.run(probe, cwd=HERE, capture_output=True, check=False).returncode == 0:
        return
    if no_install or "CLAIMLOG_BENCHMARK_CHILD" in os.environ:
        sys.exit(f"claimlog is not installed for {sys.executable}: pip install .")
    python = _make_venv(cache() / "claimlog", [str(ROOT)])
    env = {**os.environ, "CLAIMLOG_BENCHMARK_CHILD": "1"}
    sys.exit(subprocess.run([str(python), *sys.argv], env=env, check=False).returncode)


def cache() -> Path:
    """The folder for installed peers: $CLAIMLOG_BENCHMARK_CACHE, or the user's cache."""
    named = os.environ.get("CLAIMLOG_BENCHMARK_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    folder = Path(named or Path(base) / "claimlog-benchmarks").expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for generated data, removed at the end."""
    with tempfile.TemporaryDirectory(prefix="claimlog-benchmark-") as folder:
        yield Path(folder)


def progress(text: str) -> None:
    """Report progress on the error stream."""
    print(f"# {text}", file=sys.stderr, flush=True)


# claimlog -----------------------------------------------------------------------------------


def claimlog(*words: str | Path) -> list[str | Path]:
    """The command ``claimlog words…``, run by this Python."""
    script = Path(sys.executable).with_name("claimlog")
    if script.exists():
        return [script, *words]
    return [sys.executable, "-P", "-c", "from claimlog.cli.main import run; run()", *words]


def has_command(name: str) -> bool:
    """Whether this claimlog has the command `name` (or, with "", a help at all)."""
    command = [str(word) for word in claimlog(*name.split(), "--help")]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


DISTINCT: Final = 20_000
"""This many different games are simulated; a larger file repeats them."""


def simulate(path: Path, games: int, seats: int, seed: int) -> None:
    """Write `games` random legal games with random decks to `path`."""
    distinct = min(games, DISTINCT)
    few = path.with_name(f"few-{distinct}-{seats}-{seed}.clm")
    if not few.exists():
        words = ["-n", str(distinct), "--seats", str(seats), "--seed", str(seed)]
        words += ["--deck", "random", "--policy", "random", "--output", str(few)]
        run(claimlog("simulate", *words))
        with few.open("ab") as out:
            out.write(b"\n")
    repeat(few, path, games // distinct)
    if rest := games % distinct:
        others = path.with_name(f"few-{rest}-{seats}-{seed + 1}.clm")
        simulate(others, rest, seats, seed + 1)
        with path.open("ab") as out, others.open("rb") as data:
            shutil.copyfileobj(data, out)


def repeat(source: Path, target: Path, times: int) -> None:
    """Write the contents of `source` to `target`, `times` times over."""
    with target.open("wb") as out:
        for _ in range(times):
            with source.open("rb") as data:
                shutil.copyfileobj(data, out)


def plays_of(seats: int) -> int:
    """The number of plays and discards in one whole game."""
    return {2: 52, 3: 72, 4: 72}[seats]


def claimlog_version() -> str:
    """The version of claimlog and how it runs, as the child processes see it."""
    code = "import claimlog; print(claimlog.__version__, claimlog.compiled())"
    version, compiled = (
        subprocess.run(
            [sys.executable, "-P", "-c", code],
            capture_output=True,
            text=True,
            check=True,
            cwd=HERE,
            env=environment(),
        )
        .stdout.strip()
        .split()
    )
    return f"{version} ({'compiled' if compiled == 'True' else 'interpreted'})"


# Peers --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Peer:
    """Another program of its kind; `python` or `binary` runs it, if it is installed."""

    name: str
    label: str
    version: str = ""
    python: Path | None = None
    binary: Path | None = None
    missing: str = ""
    script: Path = field(default=HERE)

    @property
    def present(self) -> bool:
        """Whether it can be run."""
        return not self.missing

    def command(self, *words: str | Path) -> list[str | Path]:
        """The command that runs the peer's script in `peers/`, or its binary."""
        if self.binary is not None:
            return [self.binary, *words]
        if self.python is None:
            raise BenchmarkError(f"{self.label}: {self.missing}")
        return [self.python, "-E", "-s", self.script, *words]

    def ask(self, *words: str | Path) -> dict[str, Any]:
        """Run the peer's script and read the JSON object that it prints last."""
        return last_json(run(self.command(*words)).out)


def last_json(out: bytes) -> dict[str, Any]:
    """The JSON object on the last line of a program's output."""
    answer: dict[str, Any] = json.loads(out.decode().strip().splitlines()[-1])
    return answer


LABELS: Final = {
    "chess": "python-chess",
    "pgn-extract": "pgn-extract",
    "open_spiel": "OpenSpiel hearts",
    "pokerkit": "PokerKit",
    "endplay": "endplay",
    "fastapi": "FastAPI + SQLite",
    "flask": "Flask + SQLite",
}
"""The peers, and their names in the tables."""

SCRIPTS: Final = {
    "chess": "pgn.py",
    "open_spiel": "hearts.py",
    "pokerkit": "poker.py",
    "endplay": "bridge.py",
    "fastapi": "fastapi_games.py",
    "flask": "flask_games.py",
}


def find_peers(options: argparse.Namespace, *names: str) -> dict[str, Peer]:
    """Return the peers `names`, installing missing ones if `options` allow it.

    A peer that cannot be installed is still returned, with the reason in `missing`.
    """
    chosen = None if options.peers is None else options.peers.split(",")
    if chosen is not None and (unknown := set(chosen) - set(LABELS) - {"none"}):
        sys.exit(f"no such peer: {', '.join(sorted(unknown))}; the peers are {', '.join(LABELS)}")
    peers = {}
    for name in names:
        if chosen is not None and name not in chosen:
            peers[name] = Peer(name, LABELS[name], missing="not requested")
        elif name in SCRIPTS:
            peers[name] = _python_peer(name, options.no_install)
        else:
            peers[name] = _pgn_extract(options.no_install)
    return peers


def _python_peer(name: str, no_install: bool) -> Peer:
    label = LABELS[name]
    requirements = HERE / "requirements" / f"{name}.txt"
    digest = hashlib.sha256(requirements.read_bytes() + sys.version.encode()).hexdigest()[:12]
    folder = cache() / f"{name}-{digest}"
    ready = folder / "ready"
    if not ready.exists():
        if no_install:
            return Peer(name, label, missing="not installed")
        progress(f"installing {label}")
        try:
            _make_venv(folder, ["-r", str(requirements)])
        except BenchmarkError as error:
            shutil.rmtree(folder, ignore_errors=True)
            return Peer(name, label, missing=f"not installed: {error}")
        ready.touch()
    python = _venv_python(folder)
    code = f"from importlib.metadata import version; print(version({name!r}))"
    done = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=False)
    if done.returncode:
        return Peer(name, label, missing="not installed: its environment is broken")
    script = HERE / "peers" / SCRIPTS[name]
    return Peer(name, label, done.stdout.strip(), python=python, script=script)


def _venv_python(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _make_venv(folder: Path, packages: Sequence[str]) -> Path:
    python = _venv_python(folder)
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "-q", "install", *packages]
    for command in ([sys.executable, "-m", "venv", str(folder)], pip):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            lines = (done.stderr or done.stdout).strip().splitlines()
            raise BenchmarkError(lines[-1] if lines else f"{command[0]} failed")
    return python


def _pgn_extract(no_install: bool) -> Peer:
    name, label = "pgn-extract", LABELS["pgn-extract"]
    binary = _find_pgn_extract()
    can_install = os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get") is not None
    if binary is None and not no_install and can_install:
        progress("installing pgn-extract")
        for command in (["apt-get", "update"], ["apt-get", "install", "-y", "pgn-extract"]):
            subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        binary = _find_pgn_extract()
    if binary is None:
        return Peer(name, label, missing="not installed")
    done = subprocess.run([binary, "--version"], capture_output=True, text=True, check=False)
    match = re.search(r"v([\d.-]+)", done.stdout + done.stderr)
    return Peer(name, label, match[1] if match else "unknown version", binary=Path(binary))


def _find_pgn_extract() -> str | None:
    return shutil.which("pgn-extract", path=os.environ.get("PATH", "") + ":/usr/games")


# What is printed ----------------------------------------------------------------------------


def number(value: float | None) -> str:
    """A figure with three significant digits and a thin thousands separator; NaN as a dash."""
    if value is None or math.isnan(value):
        return "–"
    if value >= 100:
        digits = max(0, len(str(int(value))) - 3)
        return f"{round(value, -digits):,.0f}".replace(",", " ")
    return f"{value:.3g}" if value >= 1 else f"{value:.2g}"


_FIGURE: Final = re.compile(r"|–|≤ \\d+|not run.*|[+-]?\d[\d .,]*( ?[A-Za-z/%×]{1,5})?")


def table(options: argparse.Namespace, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table, with the first column left-aligned and the figures right-aligned."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    right = [i > 0 and all(_FIGURE.fullmatch(row[i]) for row in rows) for i in range(len(head))]

    def line(cells: Sequence[str]) -> list[str]:
        return [
            cell.rjust(width) if flush else cell.ljust(width)
            for cell, width, flush in zip(cells, widths, right, strict=True)
        ]

    if options.markdown:
        print("| " + " | ".join(line(head)) + " |")
        print(
            "|"
            + "|".join(
                "-" * (w + 1) + (":" if r else "-") for w, r in zip(widths, right, strict=True)
            )
            + "|"
        )
        for row in rows:
            print("| " + " | ".join(line(row)) + " |")
    else:
        print("  ".join(line(head)).rstrip())
        print("  ".join("-" * width for width in widths))
        for row in rows:
            print("  ".join(line(row)).rstrip())
    print(flush=True)


def title(options: argparse.Namespace, text: str) -> None:
    """Print the heading of a table."""
    print(f"### {text}\n" if options.markdown else text + "\n")


def heading(options: argparse.Namespace, peers: Mapping[str, Peer], claim: str) -> None:
    """Print the claim, and when, where and with what it is measured."""
    command = " ".join(["python", f"benchmarks/{Path(sys.argv[0]).name}", *sys.argv[1:]])
    versions = [f"claimlog {claimlog_version()}", f"Python {platform.python_version()}"]
    versions += [f"{peer.label} {peer.version}" for peer in peers.values() if peer.present]
    lines = [
        claim,
        f"date: {datetime.now(UTC):%Y-%m-%d %H:%M} UTC; command: {command}",
        f"machine: {machine()}",
        f"versions: {', '.join(versions)}",
    ]
    absent = [f"{peer.label}: {peer.missing}" for peer in peers.values() if not peer.present]
    if absent:
        lines.append(f"absent peers: {'; '.join(absent)}")
    if options.smoke:
        lines.append("SMOKE RUN: too small and too short for meaningful figures")
    print("\n".join(f"- {line}" if options.markdown else line for line in lines))
    print(flush=True)


def machine() -> str:
    """Processor, cores, memory, system and load of the machine."""
    parts = [
        _processor(),
        f"{len(os.sched_getaffinity(0))} cores"
        if hasattr(os, "sched_getaffinity")
        else f"{os.cpu_count()} cores",
    ]
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        parts.append(f"{memory / 2**30:.0f} GiB")
    parts.append(f"{platform.system()} {platform.release()}")
    if hasattr(os, "getloadavg"):
        parts.append(f"load before the run {os.getloadavg()[0]:.1f}")
    return ", ".join(parts)


def _processor() -> str:
    try:
        info = Path("/proc/cpuinfo").read_text()
    except OSError:
        info = ""
    match = re.search(r"^model name\s*: (.+)$", info, re.MULTILINE)
    return match[1] if match else platform.processor() or platform.machine()
