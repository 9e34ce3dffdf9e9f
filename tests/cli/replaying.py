"""Shared by the tests of `claimlog replay`: sample games, and the command."""

import os
from pathlib import Path

import commands

from claimlog.replay.recorder import replay_text

GOLDEN = Path(__file__).with_name("golden")
GAMES = sorted(GOLDEN.glob("*.clm"))
DATA = Path(__file__).parents[2] / "data"
BROKEN = sorted((DATA / "broken").glob("*.clm"))
KIT = (DATA / "conformance").rglob("*.clm")
SAMPLES = sorted({*DATA.rglob("*.clm")} - {*BROKEN, *KIT})
SCRIPT = commands.SCRIPT

LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE", "NO_COLOR", "COLUMNS", "LINES", "TERM")


def environment(**changes):
    """The environment without variables for language, colours or width, and with `changes`."""
    env = {name: value for name, value in os.environ.items() if name not in LOCALE}
    return env | {"LC_ALL": "C.UTF-8", "TERM": "xterm-256color"} | changes


def sized(height, width):
    """Options of pexpect for a terminal of this size, set before the command begins."""
    import termios

    return {
        "dimensions": (height, width),
        "preexec_fn": lambda: termios.tcsetwinsize(0, (height, width)),
    }


def claimlog(*args, stdin=b"", **env):
    """Run the command; return its exit code, output and error output."""
    code, out, err = commands.claimlog(*args, stdin=stdin, env=environment(**env))
    return code, out.decode(), err.decode()


def game(name):
    """A sample game."""
    return next(replay_text((GOLDEN / f"{name}.clm").read_bytes()))


def games(path):
    """All games of a file."""
    return list(replay_text(path.read_bytes()))
