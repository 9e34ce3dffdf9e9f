"""Speed: whole files of records read and fully checked, compared with other games' programs.

claimlog checks everything: notation, legality, proofs across tricks, winners, result. Each peer
reads records of its own game with every play checked for legality.  claimlog and pgn-extract are
timed as whole processes, including start-up; the Python peers time themselves, without their
start-up, which is in their favour.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import harness

GOALS: Final = {2: 300_000, 3: 100_000, 4: 100_000}
"""The goals: games per second on one core, by seats."""

GAMES: Final = {"chess": 800, "open_spiel": 15_000, "pokerkit": 400, "endplay": 80}
"""Records for each peer: about a second's work."""

REPEATED: Final = 20
"""pgn-extract gets the chess games this many times over, because it is faster."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One timed reading: seconds, processor seconds, peak memory."""

    seconds: float
    cpu: float
    peak: int


@dataclass(slots=True)
class Subject:
    """A program with a file to read: its size, and a function that reads it once."""

    name: str
    games: int
    plays: int
    size: int
    read: Callable[[], Measured]


def claimlog_subject(folder: Path, seats: int, games: int, seed: int) -> Subject:
    """Let claimlog validate random games with this number of players, on one core."""
    path = folder / f"claim-{seats}.clm"
    harness.progress(f"simulating {games} games with {seats} players")
    harness.simulate(path, games, seats, seed)

    def read() -> Measured:
        done = harness.run(harness.claimlog("validate", "-j", "1", "--summary", path))
        return Measured(done.wall, done.cpu, done.peak)

    plays = games * harness.plays_of(seats)
    return Subject(f"claimlog, {seats} players", games, plays, path.stat().st_size, read)


def peer_subjects(peer: harness.Peer, folder: Path, games: int, seed: int) -> list[Subject]:
    """Let a peer with its own script read records that it made."""
    path = folder / f"{peer.name}.txt"
    harness.progress(f"generating {games} records for {peer.label}")
    peer.ask("generate", path, "--games", str(games), "--seed", str(seed))
    first = peer.ask("read", path)
    if first["errors"] or first["games"] != games:
        raise harness.BenchmarkError(f"{peer.label} finds errors in its own records")

    def read() -> Measured:
        done = harness.run(peer.command("read", path))
        answer: dict[str, Any] = harness.last_json(done.out)
        return Measured(answer["seconds"], answer["cpu"], done.peak)

    return [Subject(peer.label, games, first["plays"], path.stat().st_size, read)]


def pgn_extract_subject(peer: harness.Peer, chess: Subject, folder: Path, times: int) -> Subject:
    """Let pgn-extract read python-chess' games, this many times over."""
    path = folder / "many.pgn"
    harness.repeat(folder / "chess.txt", path, times)

    def read() -> Measured:
        done = harness.run(peer.command("-s", "-r", path))
        return Measured(done.wall, done.cpu, done.peak)

    return Subject(peer.label, chess.games * times, chess.plays * times, chess.size * times, read)


def main() -> None:
    """Run the benchmark."""

    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=200_000, help="games of Claim to validate")

    options = harness.arguments(__doc__.split("\n")[0], add)
    games = 300 if options.smoke else options.games
    rounds = options.rounds or (1 if options.smoke else 5)
    names = ("chess", "pgn-extract", "open_spiel", "pokerkit", "endplay")
    peers = harness.find_peers(options, *names)
    claim = "claimlog validates at least 300 000 two-player games a second on one core"
    harness.heading(options, peers, f"{claim}, 100 000 with 3 or 4 players")
    with harness.scratch() as folder:
        subjects = [claimlog_subject(folder, seats, games, options.seed) for seats in GOALS]
        for name, peer in peers.items():
            if not peer.present or name == "pgn-extract":
                continue
            count = 5 if options.smoke else GAMES[name]
            try:
                peer_results = peer_subjects(peer, folder, count, options.seed)
                if name == "chess" and peers["pgn-extract"].present:
                    times = 2 if options.smoke else REPEATED
                    peer_results.append(
                        pgn_extract_subject(peers["pgn-extract"], peer_results[0], folder, times)
                    )
                subjects += peer_results
            except harness.BenchmarkError as error:
                print(f"{peer.label} failed: {error}\n")
        harness.progress(f"{rounds} rounds")
        runs = harness.alternate({subject.name: subject.read for subject in subjects}, rounds)
    show(options, subjects, runs, rounds)


def show(
    options: argparse.Namespace,
    subjects: list[Subject],
    runs: dict[str, list[Measured]],
    rounds: int,
) -> None:
    """Print the table, and compare the figures with the goals."""
    rows = []
    speeds = {}
    ratio_to = 0.0
    for subject in subjects:
        seconds = harness.median([run.seconds for run in runs[subject.name]])
        cpu = harness.median([run.cpu for run in runs[subject.name]])
        speeds[subject.name] = subject.games / seconds
        ratio_to = ratio_to or subject.plays / seconds
        rows.append(
            [
                subject.name,
                harness.number(subject.games),
                f"{subject.size / subject.games:.0f}",
                harness.number(seconds),
                harness.spread([run.seconds for run in runs[subject.name]]),
                harness.number(subject.games / seconds),
                harness.number(subject.games / cpu),
                harness.number(subject.plays / seconds),
                harness.number(subject.size / seconds / harness.MB),
                harness.peak_text([run.peak for run in runs[subject.name]]),
                harness.number(speeds[subjects[0].name] / speeds[subject.name]) + " ×",
                harness.number(ratio_to / (subject.plays / seconds)) + " ×",
            ]
        )
    harness.title(options, f"One core, median of {rounds} alternating rounds")
    head = ["program", "games", "B/game", "s", "spread", "games/s", "games/CPU s", "plays/s"]
    head += ["MB/s", "peak MB", "× games/s", "× plays/s"]
    harness.table(options, head, rows)
    for seats, goal in GOALS.items():
        name = f"claimlog, {seats} players"
        figure = harness.number(speeds[name])
        text = f"{harness.number(goal)} games/s with {seats} players"
        harness.goal(options, text, speeds[name] >= goal, figure)
    print("\n×: claimlog's speed with two players as a multiple of the row's.")


if __name__ == "__main__":
    main()
