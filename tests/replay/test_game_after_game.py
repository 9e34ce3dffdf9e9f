"""The findings about a game do not depend on the games before it."""

from pathlib import Path
from random import Random

from claimlog import loads

DATA = Path(__file__).parents[2] / "data"
FOLDERS = ("broken", "powers", "conformance/records")


def problems_of(text: str) -> list[list[object]]:
    """What is read and reported for each game, without the lines of the text."""
    return [
        [game, [(p.code, p.severity, p.message, p.trick, p.column) for p in game.problems]]
        for game in loads(text)
    ]


def test_a_game_is_judged_as_if_it_came_alone() -> None:
    alone = {}
    for folder in FOLDERS:
        for path in sorted((DATA / folder).glob("*.clm")):
            text = path.read_text(encoding="utf-8", errors="ignore")
            # Without its end, this game would swallow the next one's text.
            if text.count("[Deck") <= 2 and text.rstrip().endswith(("*", "-0", "-1", "1/2")):
                alone[text] = problems_of(text)
    texts = list(alone)
    assert len(texts) > 60
    Random(7).shuffle(texts)
    together = problems_of("\n\n".join(texts))
    for one in texts:
        number = len(alone[one])
        assert together[:number] == alone[one]
        del together[:number]
    assert together == []
