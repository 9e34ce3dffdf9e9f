"""Golden replays: what happens in a game of each faction, trick by trick.

The files in golden/ were checked against the rules.  To rewrite them after an intended change, run
this file as a script; then read the difference.
"""

from collections import Counter
from pathlib import Path

import lawbook
import pytest

from claimlog.game import Game, Trick
from claimlog.notation.writer import canonical
from claimlog.replay.recorder import replays

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden"
NAMES = sorted(path.stem for path in (ROOT / "data" / "powers").glob("*.clm"))


def load(name: str) -> Game:
    with (ROOT / "data" / "powers" / f"{name}.clm").open("rb") as stream:
        return next(replays(stream.read))


def as_text(game: Game) -> str:
    """A game in plain words, one line per trick."""
    lines = [f"{game.tags['Event']}: deck {game.tags['Deck']}, seat {game.leader} leads"]
    lines += [_trick(trick) for trick in game.tricks]
    score = game.score
    if score:
        for peasant in score.moved:
            lines.append(f"{peasant.card} leaves side {peasant.side}")
        for side, loot in score.loot.items():
            lines.append(f"side {side}: loot of {loot.number} for {loot.faction}")
        for letter, faction in score.factions.items():
            runs = f", runs {list(faction.runs.values())}" if faction.runs else ""
            winner = "nobody" if faction.winner is None else f"side {faction.winner}"
            lines.append(f"{letter}: counts {list(faction.counts.values())}{runs}: {winner}")
        for side, pile in score.piles.items():
            lines.append(f"side {side} has {' '.join(sorted(pile))}")
        lines.append(
            f"votes {list(score.votes.values())}, tie-break {score.tiebreak}, result {score.result}"
        )
    return "\n".join(lines) + "\n"


def _trick(trick: Trick) -> str:
    plays = []
    for play in trick.plays:
        counts = play.value is not None and play.card is not None
        more = f" (counts {play.value})" if counts and f"{play.value}" != play.card[1:] else ""
        plays.append(f"{play.seat} {'discards ' if trick.auto else ''}{play.card}{more}")
    words = [f"{trick.number:2} {' '.join(trick.upcards):3} {', '.join(plays)}:"]
    assert trick.winner is not None
    words.append(f"{trick.winner} wins")
    if trick.taken:
        words.append(", ".join(f"{seat} takes {card}" for seat, card in trick.taken.items()))
    for seat, cards in (trick.scored or {}).items():
        if cards:
            words.append(f"; {seat} scores {' '.join(cards)}")
    words += [f"; {gone.seat} loses {gone.card}" for gone in trick.removed or []]
    if trick.waiting:
        words.append(f"; waiting: {' '.join(trick.waiting)}")
    if trick.next_leader not in (None, trick.winner):
        words.append(f"; {trick.next_leader} leads next")
    return " ".join(words).replace(" ;", ";")


@pytest.mark.parametrize("name", NAMES)
def test_golden_replay(name: str) -> None:
    assert as_text(load(name)) == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_the_second_rule_book_counts_the_same(name: str) -> None:
    game = load(name)
    if game.score is None:
        assert game.result == "*"
        return
    tags, lines, _ = lawbook.read(canonical(game))
    rules = lawbook.rules_of(tags)
    board = lawbook.Board(rules, int(tags["Leader"]))
    for number, line in enumerate(lines, 1):
        if number <= rules.tricks:
            board.recruit(number, line.lies)
        else:
            board.win(number, line.lies)
    choice = {int(w[0]): w[2] for w in tags.get("Loot", "").split()}
    final = lawbook.count(board, tags.get("LootCards", "").split(), choice)
    assert [Counter(pile) for pile in game.score.piles.values()] == list(
        map(Counter, final.piles.values())
    )
    winners = {f: s.winner for f, s in game.score.factions.items() if s.winner is not None}
    assert winners == final.factions
    assert list(game.score.votes.values()) == list(final.votes.values())
    assert game.score.result == final.result


if __name__ == "__main__":
    for stem in NAMES:
        (GOLDEN / f"{stem}.txt").write_text(as_text(load(stem)), encoding="utf-8")
