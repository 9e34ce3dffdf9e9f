"""Draw docs/recorder.svg, the picture of the recorder in docs/recording.md.

`python docs/recorder.py` draws it again.
"""

from __future__ import annotations

from pathlib import Path

from stepper import drawn

PICTURE = Path(__file__).with_name("recorder.svg")
TYPED = ("u7g5g8", "x3k49", "u1w3x8")
"""Three tricks, all but the last closed with Enter."""


def picture() -> str:
    """The screen after the third trick, as SVG."""
    from claimlog.cli.record.screen import recorder
    from claimlog.language import words
    from claimlog.recording import Recording
    from claimlog.state import State

    tags = {"Event": "Zurich Claim Open", "Round": "3", "Table": "2"}
    state = State("GKUWX", players=["Anna Keller", "Ben Roth"], tags=tags)
    app = recorder(words())(Recording(state), "r3t2.clm", words(), clock=lambda: 0.0)
    keys = [key for trick in TYPED for key in (*trick, "enter")][:-1]
    return drawn(app, keys, "claimlog record r3t2.clm")


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
