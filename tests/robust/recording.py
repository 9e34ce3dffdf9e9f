"""Kill the recorder at random moments, many times: no acknowledged entry may be lost.

A child opens the record, enters possible and impossible words, undoes and redoes, notes and mends,
and prints the digest of the record after each change, once the change has returned.  It is killed
after a random time (SIGKILL); then the file must read as the last record it reported, or as the
next one, and opening it must continue that game.

    cd tests; python -m robust.recording --rounds 200
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path
from threading import Thread

from test_recording import step

from claimlog.cards import all_decks, deck_letters
from claimlog.recording import Journal, Recording
from claimlog.state import State

TESTS = Path(__file__).parent.parent


def digest(text: str) -> str:
    """A short digest of a record."""
    return sha256(text.encode()).hexdigest()[:16]


def say(word: str, text: str) -> None:
    """Write a line to the parent."""
    os.write(1, f"{word} {digest(text)}\n".encode())


def child(path: str, seed: int) -> None:
    """Record endlessly, starting again when a game is over."""
    chance = random.Random(seed)
    with Journal(path) as journal:

        def keep(text: str) -> None:
            say("writing", text)
            journal.write(text)

        if journal.text is None:
            recording = Recording(table(chance), keep)
        else:
            recording = Recording.resume(journal.text, keep)
        say("open", recording.text)
        while True:
            if recording.over:
                recording = Recording(table(chance), keep)
            try:
                step(recording, chance, f"note {chance.random()}")
            except (ValueError, IndexError, KeyError):
                continue
            say("has", recording.text)


def table(chance: random.Random) -> State:
    """A new game."""
    seats = chance.choice([2, 3, 4])
    return State(deck_letters(chance.choice(all_decks(seats))), seats=seats)


def round_of(path: Path, seed: int, longest: float) -> tuple[int, list[str]]:
    """Start a child, kill it, and check; return how many changes it reported, and the faults."""
    process = subprocess.Popen(
        [sys.executable, "-m", "robust.recording", "--child", str(path), str(seed)],
        stdout=subprocess.PIPE,
        cwd=TESTS,
        start_new_session=True,
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    heard: list[bytes] = []
    ear = Thread(target=lambda pipe: heard.append(pipe.read()), args=[process.stdout])
    ear.start()
    time.sleep(random.random() * longest)
    os.killpg(process.pid, signal.SIGKILL)
    ear.join()
    process.wait()
    screen = (first + heard[0].rpartition(b"\n")[0]).decode().split("\n")
    lines = [line.split() for line in screen if line]
    acknowledged = [place for place, (word, _) in enumerate(lines) if word != "writing"]
    last = acknowledged[-1] if acknowledged else 0
    # The change that it was writing when it was killed may be stored or not.
    allowed = {code for _, code in lines[last:]}
    with Journal(path) as journal:
        text = journal.text or ""
        faults = [] if digest(text) in allowed else ["the file differs from what was acknowledged"]
        if faults == [] and Recording.resume(text).text != text:
            faults.append("resuming the file changes it")
    return len(acknowledged), faults


def main() -> int:
    """Run the rounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--longest", type=float, default=0.5, help="seconds until the kill")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", nargs=2)
    options = parser.parse_args()
    if options.child:
        child(options.child[0], int(options.child[1]))
        return 0
    random.seed(options.seed)
    bad = changes = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(1, options.rounds + 1):
            path = Path(folder) / "game.clm"
            done, faults = round_of(path, options.seed * 100_000 + number, options.longest)
            changes += done
            for fault in faults:
                print(f"round {number}: {fault}", flush=True)
            bad += bool(faults)
    print(f"{options.rounds} rounds, {changes} changes acknowledged, {bad} rounds with faults")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
