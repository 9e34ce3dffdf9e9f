"""Stepping through games in a pseudo-terminal: keys are pressed, and the screen is read."""

import os
import re
import select
import sys
import time

import forked
import pytest
from replaying import DATA, GAMES, GOLDEN, SCRIPT, environment, sized
from waiting import PATIENCE

pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
pyte = pytest.importorskip("pyte")

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

KEYS = {
    "right": "\x1b[C",
    "left": "\x1b[D",
    "down": "\x1b[B",
    "up": "\x1b[A",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "pagedown": "\x1b[6~",
    "pageup": "\x1b[5~",
    "enter": "\r",
    "escape": "\x1b",
    "ctrl+c": "\x03",
}
TWO = GOLDEN / "two-goblins.clm"
COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]")
MANY_COLOURS = re.compile(r"\x1b\[(?:\d+;)*[34]8;")


class Terminal:
    """The command in a separate terminal, and its screen."""

    name = "replay"

    def __init__(self, *args, width=80, height=24, shell="", **env):
        self.screen = pyte.Screen(width, height)
        self.stream = pyte.ByteStream(self.screen)
        self.output = b""
        self.rest = b""
        self.over = False
        how = {"env": environment(**env), "timeout": PATIENCE}
        if shell:
            line = shell.replace("REPLAY", f"'{SCRIPT}' replay").replace(
                "ARGS", " ".join(map(str, args))
            )
            self.process = pexpect.spawn("/bin/sh", ["-c", line], **how, **sized(height, width))
        else:
            self.process = forked.on_terminal([self.name, *args], size=(height, width), **how)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.close(force=True)

    def read(self, seconds=0.05, most=1 << 16):
        """Feed new output to the screen, at most `most` bytes."""
        try:
            data = self.process.read_nonblocking(most, seconds)
        except pexpect.TIMEOUT:
            return False
        except pexpect.EOF:
            data = self.last(most)
            if not data:
                self.over = True
                return False
        self.output += data
        # Not every terminal can be asked about its keyboard; pyte cannot.
        data = re.sub(rb"\x1b\[[<>=][\d;]*[a-zA-Z]", b"", self.rest + data)
        whole = re.search(rb"(\x1b(\[[<>=\d;]*)?)?\Z", data).start()
        self.rest = data[whole:]
        self.stream.feed(data[:whole])
        return True

    def last(self, most):
        """The output of a process that has ended, which pexpect may not have waited for."""
        ready, _, _ = select.select([self.process.child_fd], [], [], 1)
        try:
            return os.read(self.process.child_fd, most) if ready else b""
        except OSError:  # Linux's end of the output
            return b""

    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display)

    def shows(self, *wanted, without=(), moving=False):
        """Wait until the screen shows all expected texts, and is stable.

        With `moving`, wait only until it has shown them: the output is then read in small pieces,
        so that no frame is missed however much was written meanwhile.
        """
        end = time.monotonic() + 30
        while time.monotonic() < end:
            still = not self.read(0.1, most=64 if moving else 1 << 16)
            if not still and not moving:
                continue  # more may come: reading the whole screen takes longer than what changed
            text = self.text()
            if all(words in text for words in wanted) and not any(w in text for w in without):
                return text
            if self.over:
                break
        raise AssertionError(f"never saw {wanted} without {without}:\n{self.text()}")

    def press(self, *keys):
        for key in keys:
            self.process.send(KEYS.get(key, key))

    def ends(self):
        """Wait for the end; return the exit code."""
        end = time.monotonic() + 60
        while not self.over:
            assert time.monotonic() < end, f"goes on:\n{self.text()}"
            self.read(1)
        self.process.close()
        return self.process.exitstatus

    def resize(self, width, height):
        self.process.setwinsize(height, width)
        self.screen.resize(height, width)


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """A file of several games: two players, two, three, four."""
    path = tmp_path_factory.mktemp("games") / "evening.clm"
    names = ("two-goblins", "two-gnomes", "three", "four")
    path.write_bytes(b"\n".join((GOLDEN / f"{name}.clm").read_bytes() for name in names))
    return path


def test_stepping_play_by_play():
    with Terminal(TWO) as terminal:
        terminal.shows("Game 1 of 1", "Anna Keller – Ben Roth", "GKADX", "q quit")
        terminal.press("right")
        terminal.shows("Trick 1 of 26 · Phase 1", "│ X4 ││ 25 │", "Anna Keller to lead.")
        terminal.press("right")
        text = terminal.shows("Ben Roth to play.")
        assert re.search(r"◆1 Anna Keller", text)
        assert re.search(r"▸ 2 Ben Roth", text)
        terminal.press("right")
        text = terminal.shows("Anna Keller won and leads trick 2.")
        assert "║G0+ ║ wins" in text
        assert "takes X4" in text
        assert "│ G0 │ draws D0" in text
        assert "Followers 1: X4" in text
        assert re.search(r"Faction +Anna Ben +open", text)
        assert "Unseen by Anna Keller" in text
        terminal.press("right")
        terminal.shows("Trick 2 of 26", "Anna Keller to lead.")
        terminal.press("left")
        terminal.shows("Trick 1 of 26", "Anna Keller won and leads trick 2.")
        terminal.press("left", "left", "left", "left")
        terminal.shows("Anna Keller – Ben Roth")
        terminal.press("q")
        assert terminal.ends() == 0


def test_stepping_trick_by_trick():
    with Terminal(TWO) as terminal:
        terminal.shows("Game 1 of 1")
        terminal.press("down")
        terminal.shows("Trick 1 of 26", "won and leads trick 2")
        terminal.press("down")
        terminal.shows("Trick 2 of 26")
        terminal.press("up")
        terminal.shows("Trick 1 of 26")
        terminal.press("end")
        terminal.shows("The end", "Winner: Anna Keller", "Factions won", "Result 1-0")
        terminal.press("up")
        terminal.shows("Trick 26 of 26")
        terminal.press("home")
        terminal.shows("Anna Keller – Ben Roth")
        terminal.press("q")
        assert terminal.ends() == 0


def test_going_to_a_trick():
    with Terminal(TWO) as terminal:
        terminal.shows("Game 1 of 1")
        terminal.press("g", "1")
        terminal.shows("Go to trick: 1")
        terminal.press("0", "enter")
        text = terminal.shows("Trick 10 of 26", without=["Go to trick"])
        assert "Won by an Automaton." in text
        assert "Ben Roth to discard." in text
        terminal.press("down")
        terminal.shows("Trick 10 of 26", "discards face down")
        terminal.press("g", "9", "9", "enter")
        terminal.shows("The end", "Winner")
        terminal.press("g", "3", "escape")
        terminal.shows("The end", without=["Go to trick"])
        terminal.press("escape")
        assert terminal.ends() == 0


def test_the_games_of_a_file(evening):
    with Terminal(evening) as terminal:
        terminal.shows("Game 1 of 4")
        terminal.press("p")
        terminal.shows("This is the first game.", "Game 1 of 4")
        terminal.press("n")
        terminal.shows("Game 2 of 4", "NITUW")
        terminal.press("n", "n")
        terminal.shows("Game 4 of 4", "David Huber", "side 2, partner of Ben Roth")
        terminal.press("n")
        terminal.shows("This is the last game.", "Game 4 of 4")
        terminal.press("p")
        terminal.shows("Game 3 of 4", "Clara Meier")
        terminal.press("G", "1", "enter")
        terminal.shows("Game 1 of 4", "Anna Keller – Ben Roth")
        terminal.press("G", "9", "enter")
        terminal.shows("Game 4 of 4")
        terminal.press("ctrl+c")
        assert terminal.ends() == 0


def test_beginning_with_a_game(evening):
    with Terminal(evening, "--game", 3) as terminal:
        terminal.shows("Game 3 of 4", "MPBFRVW")
        terminal.press("q")
        assert terminal.ends() == 0
    with Terminal(evening, "--game", 5, width=200) as terminal:
        terminal.shows("has 4 games")
        assert terminal.ends() == 2


def test_playing_by_itself():
    with Terminal(TWO) as terminal:
        terminal.shows("Game 1 of 1")
        terminal.press("-")
        terminal.shows("auto 2 s")
        terminal.press("+", "+", "+", "+", "+", "a")
        terminal.shows("auto 0.1 s", "Trick 3 of 26", moving=True)
        terminal.press("a")
        terminal.shows("q quit", without=["auto 0.1"])
        terminal.press("g", "2", "6", "enter", "a")
        terminal.shows("Winner: Anna Keller", without=["auto 0.1"])
        terminal.press("q")
        assert terminal.ends() == 0
    with Terminal(TWO, "--auto", "0.1") as terminal:
        terminal.shows("auto 0.1 s", "Trick 2 of 26", moving=True)
        terminal.press("q")
        assert terminal.ends() == 0


def test_the_help():
    with Terminal(TWO) as terminal:
        terminal.shows("Game 1 of 1")
        terminal.press("?")
        text = terminal.shows("Keys", "Marks", "Any key closes this.")
        assert "previous and next trick" in text
        assert "a revoke that the director let stand" in text
        terminal.press("x")
        terminal.shows("Game 1 of 1", without=["Any key"])
        terminal.press("?")
        terminal.shows("Any key closes this.")
        terminal.press("q")
        terminal.shows("Game 1 of 1", without=["Any key"])
        terminal.press("q")
        assert terminal.ends() == 0


def test_whose_cards_are_seen():
    with Terminal(TWO, "--hide", "2") as terminal:
        terminal.shows("what Ben Roth could see")
        terminal.press("down")
        text = terminal.shows("Trick 1 of 26", "what Ben Roth could see")
        assert text.count("│░░" * 11 + "│░░░│") == 1
        assert re.search(r"(│[A-Z]\d){12} │", text)
        assert re.search(r"Followers 1: D0\b.*\n.* 2 Ben Roth", text)
        terminal.press("v")
        text = terminal.shows("what a spectator could see")
        assert text.count("│░░" * 11 + "│░░░│") == 2
        assert "Followers 1: 1 unknown" in text
        assert "draws a hidden card" in text
        terminal.press("v")
        terminal.shows("All cards are open.", without=["unknown", "░"])
        terminal.press("v")
        terminal.shows("what Anna Keller could see")
        terminal.press("q")
        assert terminal.ends() == 0


@pytest.mark.parametrize(("lang", "word"), [("en", "q quit"), ("de", "q Ende")])
def test_every_page_fits_80_columns_and_names_its_keys(lang, word, tmp_path):
    """Of every sample game: the tags, a trick of each phase, the last one, the end."""
    path = tmp_path / "all.clm"
    path.write_bytes(b"\n".join(path.read_bytes() for path in GAMES))
    with Terminal(path, "--lang", lang) as terminal:
        terminal.shows(word, f"1 {'of' if lang == 'en' else 'von'} {len(GAMES)}")
        for number in range(1, len(GAMES) + 1):
            for keys in ("g4\r", "end", "up"):
                before = terminal.text()
                terminal.press(*([keys] if keys in KEYS else keys))
                text = terminal.shows(word, without=[before])
                assert len(text.splitlines()) == 24
            if number < len(GAMES):
                terminal.press("n")
                terminal.shows(word, f" {number + 1} ", without=[text])
        terminal.press("q")
        assert terminal.ends() in (0, 1)


def test_long_pages_scroll():
    with Terminal(GOLDEN / "four.clm", height=16) as terminal:
        terminal.shows("Game 1 of 1")
        terminal.press("g", "1", "5", "enter")
        terminal.shows("Trick 15 of 18", "q quit")
        terminal.press("down")
        terminal.shows("wins", "▼", without=["X Doppelgangers"])
        terminal.press("pagedown")
        terminal.shows("Score piles", "Trick 15 of 18")
        terminal.press("pagedown")
        terminal.shows("X Doppelgangers", "Trick 15 of 18")
        terminal.press("pageup")
        terminal.shows("wins", without=["X Doppelgangers"])
        terminal.press("q")
        assert terminal.ends() == 0


def test_a_wide_terminal_shows_more_at_once():
    with Terminal(GOLDEN / "two-gnomes.clm", width=170, height=40) as terminal:
        terminal.shows("Game 1 of 1")
        terminal.press("g", "2", "0", "enter")
        terminal.shows("Trick 20 of 26", "q quit")
        terminal.press("down")
        text = terminal.shows("Trick 20 of 26", "wins", "Score piles")
        assert "Faction" in text.splitlines()[2]  # beside the table
        assert re.search(r"  1 ◆?\w+\+? +◆?\w+", text)  # and all tricks before
        assert re.search(r">20  N5  ◆N5\+", text)
        assert re.search(r"║ +Gnomes +║", text)  # large cards
        terminal.resize(80, 24)
        text = terminal.shows("Trick 20 of 26", "║N5+ ║", without=["Score piles"])
        assert re.search(r">20  N5  ◆N5\+", text)
        terminal.press("q")
        assert terminal.ends() == 0


@pytest.mark.parametrize(
    ("args", "env"),
    [([], {"NO_COLOR": "1"}), (["--no-color"], {"TERM": "xterm"})],
)
def test_without_colours(args, env):
    with Terminal(TWO, *args, **env) as terminal:
        terminal.shows("q quit")
        terminal.press("down")
        text = terminal.shows("Trick 1 of 26", "wins", "leads", "║G0+ ║", "open")
        terminal.press("?")
        terminal.shows("Any key closes this.")
        terminal.press("x")
        terminal.shows(text)
        terminal.press("end")
        terminal.shows("Winner")
        assert not COLOUR.search(terminal.output.decode())
        terminal.press("q")
        assert terminal.ends() == 0
    with Terminal(TWO, NO_COLOR="") as terminal:
        terminal.shows("q quit")
        terminal.press("down")
        terminal.shows(text)
        assert COLOUR.search(terminal.output.decode())


@pytest.mark.parametrize("term", ["xterm", "linux"])
def test_sixteen_colours_are_enough(term):
    with Terminal(TWO, TERM=term, COLORTERM="") as terminal:
        terminal.shows("q quit")
        terminal.press("down")
        terminal.shows("Trick 1 of 26", "wins")
        terminal.press("end")
        terminal.shows("Winner")
        output = terminal.output.decode()
        assert COLOUR.search(output)
        assert not MANY_COLOURS.search(output)
        terminal.press("q")
        assert terminal.ends() == 0


def test_an_invalid_game_is_shown_as_far_as_it_goes():
    with Terminal(GOLDEN / "broken.clm") as terminal:
        terminal.shows("6 errors", "6 of 26 tricks are there")
        terminal.press("g", "2", "enter")
        terminal.shows("Trick 2 of 26", without=["did not follow"])
        terminal.press("down")
        terminal.shows("Error, line 9, column 12: trick 2: seat 2 did not")
        terminal.press("end")
        text = terminal.shows("Only 4 tricks of the game are known.", "End of the record")
        assert "line 12, column 11: trick 5: there is no card K1" in text
        terminal.press("q")
        assert terminal.ends() == 1


def test_the_first_page_does_not_tell_how_it_ends():
    with Terminal(DATA / "without-tricks.clm") as terminal:
        first = terminal.shows("Anna Keller", "Village round", "Rules")
        assert not re.search("Result|Termination|Factions won|1-0|3-2|not recorded", first)
        terminal.press("end")
        terminal.shows("No trick is known.", "tricks not recorded", "3-2", "Result", "1-0")
    with Terminal(DATA / "sample.clm") as terminal:
        first = terminal.shows("Anna Keller", "Club evening", "Rules")
        assert not re.search("Result|Factions won|0-1|2-3", first)
        terminal.press("end")
        terminal.shows("Winner: Ben Roth", "Result 0-1")


def test_german():
    with Terminal(GOLDEN / "four.clm", LC_ALL="de_DE.UTF-8", PYTHONUTF8="1") as terminal:
        terminal.shows("Partie 1 von 1", "Sitz 1", "? Hilfe")
        terminal.press("g", "7")
        terminal.shows("Gehe zu Stich: 7")
        terminal.press("enter")
        terminal.shows("Stich 7 von 18 · Phase 1", "│ K5 ││ K3 │", "spielt aus", "Handkarten")
        terminal.press("?")
        terminal.shows("Tasten", "Jede Taste schließt die Hilfe.")
        terminal.press("x")
        terminal.shows("Stich 7 von 18", without=["Jede Taste"])
        terminal.press("end")
        terminal.shows("Spielende", "Gewonnene Fraktionen", "Sieg: ")
        terminal.press("q")
        assert terminal.ends() == 0


def test_games_from_a_pipe_and_keys_from_the_terminal(evening):
    with Terminal(evening, shell="cat ARGS | REPLAY -") as terminal:
        terminal.shows("Game 1 of 4")
        terminal.press("n", "n")
        terminal.shows("Game 3 of 4")
        terminal.press("p", "down")
        terminal.shows("Game 2 of 4", "Trick 1 of 26")
        terminal.press("q")
        assert terminal.ends() == 0
    with Terminal(evening, shell="REPLAY ARGS < /dev/null") as terminal:
        terminal.shows("Game 1 of 4")
        terminal.press("q")
        assert terminal.ends() == 0


def test_printing_on_a_terminal():
    """Also --trick and --format print, in the terminal's width and colours."""
    with Terminal(TWO, "--trick", "3", width=100) as terminal:
        terminal.shows("Trick 3 of 26", "Game 1")
        assert terminal.ends() == 0
        assert COLOUR.search(terminal.output.decode())
    with Terminal(TWO, "--trick", "3", NO_COLOR="1") as terminal:
        terminal.shows("Trick 3 of 26")
        assert terminal.ends() == 0
        assert b"\x1b" not in terminal.output
    with Terminal(TWO, "--format", "text", height=400) as terminal:
        terminal.shows("Winner: Anna Keller")
        assert terminal.ends() == 0
    with Terminal(TWO, TERM="dumb", height=400) as terminal:
        terminal.shows("Winner: Anna Keller")
        assert terminal.ends() == 0
        assert b"\x1b" not in terminal.output


def test_a_file_that_breaks_off(tmp_path):
    import gzip
    import random

    text = b"\n".join(
        (GOLDEN / "two-goblins.clm")
        .read_bytes()
        .replace(b"Round", b"Note%d" % random.getrandbits(64))
        for _ in range(4000)
    )
    path = tmp_path / "cut.clm.gz"
    packed = gzip.compress(text)
    path.write_bytes(packed[: len(packed) - 1000])
    with Terminal(path) as terminal:
        terminal.shows("Game 1", without=["Game 1 of"])
        terminal.press("G", "4", "0", "0", "0", "enter")
        terminal.shows("cannot be read", "ended before", "Game 1")
        terminal.press("q")
        assert terminal.ends() == 2
