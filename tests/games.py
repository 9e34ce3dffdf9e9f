"""Legal games of two players with the deck GKUWX, random but always the same."""

import io
import random

from claimlog.notation.reader import sheets
from claimlog.replay.judge import Judge
from claimlog.results import result_text

DECK = (
    ["G0"] * 5
    + [f"G{n}" for n in range(1, 10)]
    + [f"K{n}" for n in range(2, 10)]
    + [f"{letter}{n}" for letter in "UWX" for n in range(10)]
)
NAMES = ["Anna Keller", "Ben Roth", "Clara Meier", "Dan O'Neill", "Émile Zürcher"]


def _strength(card: str, led: str) -> tuple[int, int]:
    value = int(card[1:])
    if led == "G" and card[0] == "K":
        return 2, value
    return (1, value) if card[0] in (led, "X") else (0, value)


def _choose(hand: list[str], led: str, chance: random.Random) -> str:
    follow = [card for card in hand if card[0] in (led, "X")] if led else hand
    must = any(card[0] == led for card in hand)
    card = chance.choice(follow if led and must else hand)
    hand.remove(card)
    return card


def game(seed: int, *, tricks: int = 26, comment: str = "", **tags: str) -> str:
    """A record; with fewer than 26 `tricks`, an unfinished one."""
    chance = random.Random(seed)
    deck = DECK[:]
    chance.shuffle(deck)
    hands = {1: deck[:13], 2: deck[13:26]}
    pile = deck[26:]
    followers: dict[int, list[str]] = {1: [], 2: []}
    leader = 1
    lines = []
    for number in range(1, tricks + 1):
        if number == 14:
            hands = followers
        other = 3 - leader
        up = pile.pop() if number <= 13 else ""
        first = _choose(hands[leader], "", chance)
        second = _choose(hands[other], first[0], chance)
        wins = _strength(second, first[0]) > _strength(first, first[0])
        words = [f"{number}.", f"{up}:" if up else "", first + "+" * (not wins)]
        words.append(second + "+" * wins)
        winner = other if wins else leader
        if up:
            drawn = pile.pop()
            followers[winner].append(up)
            followers[3 - winner].append(drawn)
            words.append(f"/{drawn}")
        lines.append(" ".join(filter(None, words)))
        leader = winner
    players = chance.sample(NAMES, 2)
    values = {
        "Event": "Zurich Claim Open",
        "Site": "Zurich",
        "Date": f"2026-11-{seed % 28 + 1:02}",
        "Round": str(seed + 1),
        "Table": str(seed + 1),
        "Player1": players[0],
        "Player2": players[1],
        "Deck": "GKUWX",
        "Leader": "1",
        "Annotator": f"number {seed}",
    } | tags
    head = "".join(f'[{name} "{value}"]\n' for name, value in values.items())
    if comment:
        lines.insert(0, f"{{{comment}}}")
    text = head + "\n" + "\n".join(lines) + "\n*\n"
    if tricks < 26:
        return text
    return text[:-2] + _result(text) + "\n"


def _result(text: str) -> str:
    """What a record proves, without the game itself, which takes five times as long to make."""
    judge = Judge()
    for sheet, _ in sheets(io.BytesIO(text.encode()).read):
        judge.judge(sheet)
    assert judge.scored
    return result_text(judge.played_result())


def games(number: int, start: int = 0) -> str:
    """Several records."""
    return "\n".join(game(seed) for seed in range(start, start + number))
