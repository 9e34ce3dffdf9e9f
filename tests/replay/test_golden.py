"""Golden replays: what happens in a game of each faction, trick by trick.

The files in golden/ were read against the rules.  To write them anew after a change that is
meant, run this file as a script; then read the difference.
"""

from collections import Counter
from pathlib import Path

import lawbook
import pytest

from claimlog.notation.writer import canonical
from claimlog.replay.game import Replay, Trick, replays

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden"
NAMES = sorted(path.stem for path in (ROOT / "data" / "powers").glob("*.clm"))


def load(name: str) -> Replay:
    with (ROOT / "data" / "powers" / f"{name}.clm").open("rb") as stream:
        return next(replays(stream.read))


def told(game: Replay) -> str:
    """A game in plain words, a line for each trick."""
    lines = [f"{game.tags['Event']}: deck {game.tags['Deck']}, seat {game.leader + 1} leads"]
    lines += [_trick(trick) for trick in game.tricks]
    score = game.score
    if score:
        for side, card in score.moved:
            lines.append(f"{card} leaves side {side + 1}")
        for side, (letter, number) in score.loot.items():
            lines.append(f"side {side + 1}: loot of {number} for {letter}")
        for letter, faction in score.factions.items():
            runs = f", runs {faction.runs}" if faction.runs else ""
            winner = "nobody" if faction.winner is None else f"side {faction.winner + 1}"
            lines.append(f"{letter}: counts {faction.counts}{runs}: {winner}")
        for side, pile in enumerate(score.piles):
            lines.append(f"side {side + 1} has {' '.join(sorted(pile))}")
        lines.append(f"votes {score.votes}, tie-break {score.tiebreak}, result {score.result}")
    return "\n".join(lines) + "\n"


def _trick(trick: Trick) -> str:
    plays = []
    for play in trick.plays:
        counts = play.value is not None and play.card is not None
        more = f" (counts {play.value})" if counts and f"{play.value}" != play.card[1:] else ""
        plays.append(f"{play.seat + 1} {'discards ' if trick.auto else ''}{play.card}{more}")
    words = [f"{trick.number:2} {' '.join(trick.upcards):3} {', '.join(plays)}:"]
    assert trick.winner is not None
    words.append(f"{trick.winner + 1} wins")
    if trick.taken:
        words.append(", ".join(f"{seat + 1} takes {card}" for seat, card in trick.taken.items()))
    for seat, cards in (trick.scored or {}).items():
        if cards:
            words.append(f"; {seat + 1} scores {' '.join(cards)}")
    for seat, card in trick.removed or []:
        words.append(f"; {seat + 1} loses {card}")
    if trick.waiting:
        words.append(f"; waiting: {' '.join(trick.waiting)}")
    if trick.next_leader not in (None, trick.winner):
        words.append(f"; {trick.next_leader + 1} leads next")
    return " ".join(words).replace(" ;", ";")


@pytest.mark.parametrize("name", NAMES)
def test_golden_replay(name: str) -> None:
    assert told(load(name)) == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


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
    assert [Counter(pile) for pile in game.score.piles] == list(map(Counter, final.piles.values()))
    winners = {f: s.winner + 1 for f, s in game.score.factions.items() if s.winner is not None}
    assert winners == final.factions
    assert game.score.votes == list(final.votes.values())
    assert game.score.result == final.result


if __name__ == "__main__":
    for stem in NAMES:
        (GOLDEN / f"{stem}.txt").write_text(told(load(stem)), encoding="utf-8")
