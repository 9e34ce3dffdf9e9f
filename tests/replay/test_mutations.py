"""Records that were changed in one place are judged as `lawbook` judges them.

`lawbook` is a second implementation of rules and record, which shares nothing with the program.
Every game that it deals must be legal and canonical; every change to one must be found legal by
both or by neither.
"""

import random
import re

import lawbook
import pytest
from examples import number_of

from claimlog.notation.sheet import Sheet
from claimlog.notation.writer import canonical
from claimlog.replay.explain import only_warnings
from claimlog.replay.judge import Judge
from claimlog.replay.recorder import replay_text

STEP = max(1, 120 // number_of(1))
"""Change every k-th card of a game."""
GAMES = number_of(1.25)

JUDGE, SHEET = Judge(), Sheet()
CARD = re.compile(r"[A-Z]\d+|_")


def is_legal(text: str) -> bool:
    SHEET.read(text.encode(), 0, True)
    return bool(JUDGE.judge(SHEET)) or only_warnings(JUDGE)


def disagreement(text: str) -> str:
    """Where the program and the lawbook differ about a record, or ""."""
    legal, reason = is_legal(text), lawbook.why_illegal(text)
    if legal == (not reason):
        return ""
    problems = [problem.message for problem in next(replay_text(text)).errors]
    return f"the lawbook says {reason or 'legal'!r}, the program {problems}:\n{text}"


def a_game(seed: int, seats: int, draws: bool = True) -> tuple[str, str, lawbook.Rules]:
    rng = random.Random(seed)
    rules = lawbook.random_rules(rng, seats)
    head, body = lawbook.random_record(rng, rules, draws).split("]\n\n")
    return f"{head}]\n\n", body, rules


def kinds(rules: lawbook.Rules) -> list[str]:
    """Every card of a deck, and some that are in none."""
    cards = {f + str(value) for f in rules.deck for value in lawbook.BOX[f]}
    return [*sorted(cards), "_", "G12", "Q5", "K1", "N2"]


def unfinished(head: str, body: str, tricks: int) -> tuple[str, str]:
    """The beginning of a game."""
    head = re.sub(r'\[(Result|Votes|Loot) ".*"\]\n', "", head)
    return head, "\n".join([*body.split("\n")[:tricks], "*\n"])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_games_are_legal_and_canonical(seats: int) -> None:
    for seed in range(GAMES):
        head, body, _ = a_game(seed, seats, draws=seed % 3 > 0)
        game = next(replay_text(head + body))
        assert disagreement(head + body) == ""
        assert not game.errors
        assert game.complete
        assert canonical(game) == head + body


@pytest.mark.parametrize(
    ("seats", "seed", "draws", "tricks"),
    [(2, 1, True, 26), (2, 2, False, 26), (2, 3, True, 9), (3, 4, True, 24), (4, 5, True, 18)],
)
def test_every_single_card_mutation(seats: int, seed: int, draws: bool, tricks: int) -> None:
    """Each card of a game becomes each other card."""
    head, body, rules = a_game(seed, seats, draws)
    if tricks < 2 * rules.tricks:
        head, body = unfinished(head, body, tricks)
    cards = kinds(rules)
    spots = [match.span() for match in CARD.finditer(body)]
    legal = tried = 0
    for start, end in spots[::STEP]:
        for card in cards:
            if card != body[start:end]:
                changed = f"{head}{body[:start]}{card}{body[end:]}"
                assert disagreement(changed) == ""
                tried += 1
                legal += is_legal(changed)
    assert tried >= 2 * len(cards)
    assert legal < tried / 2


def corruptions(rng: random.Random, head: str, body: str, cards: list[str]) -> list[str]:
    """A record damaged in ways typical of scorers; sometimes it stays legal."""
    spots = [match.span() for match in CARD.finditer(body)]
    (a, b), (c, d) = sorted(rng.sample(spots, 2))
    rows = body.split("\n")
    row = rng.randrange(len(rows) - 3)
    plus = [match.start() for match in re.finditer(r"\+", body)]
    mark = rng.choice(plus)
    words = [(m.start(), m.end()) for m in re.finditer(r"(?<= )\S+", body)]
    u, v = rng.choice(words)
    at = rng.choice(spots)
    number = rng.choice(list(re.finditer(r"^\d+\.", body, re.MULTILINE)))
    plays = list(re.finditer(r"(?<= )[A-Z]\d+(?=[ \n])", body))
    other = rng.choice(plays)
    return [
        head + body[:a] + body[c:d] + body[b:c] + body[a:b] + body[d:],  # two cards swapped
        head + "\n".join(rows[:row] + rows[row + 1 :]),  # a trick dropped
        head + "\n".join([*rows[:row], rows[row], *rows[row:]]),  # a trick twice
        head + "\n".join([*rows[:row], rows[row + 1], rows[row], *rows[row + 2 :]]),  # swapped
        head + body[:mark] + body[mark + 1 :],  # a mark dropped: still legal
        head + body[: other.end()] + "+" + body[other.end() :],  # a mark too many
        head + body[: u - 1] + body[v:],  # a word dropped
        head + body[:v] + " " + body[u:v] + body[v:],  # a word twice
        head + body[: at[0]] + rng.choice(cards) + body[at[1] :],  # another card
        head + body[: at[1]] + "^" + body[at[1] :] if body[at[1]] in " +\n" else head + body,
        head + body[: number.start()] + "31." + body[number.end() :],  # a wrong number
        head + re.sub(r"\n[01/23-]+\n$", "\n*\n", body),  # the result open
        re.sub(r'(\[Votes ")(\d)-(\d)', r"\g<1>\3-\2", head) + body,  # the votes reversed
        re.sub(r'\[Leader "\d"\]', '[Leader "1"]', head) + body,
        re.sub(r'\[Rulings ".*"\]\n', "", head) + body,
        re.sub(r'(\[Rulings ")', r"\1trolls=line ", head) + body,
        re.sub(r'\[Loot ".*"\]\n', "", head) + body,
        re.sub(r'\[LootCards ".*"\]', '[LootCards "R1 R3 R5 R7"]', head) + body,
        re.sub(r'\[Rules "Classic"\]\n', "", head) + body,
    ]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_other_corruptions(seats: int) -> None:
    verdicts = set()
    for seed in range(GAMES):
        head, body, rules = a_game(1000 + seed, seats, draws=seed % 4 > 0)
        rng = random.Random(seed)
        if seed % 5 == 0:
            head, body = unfinished(head, body, rng.randrange(3, 2 * rules.tricks))
        for number, changed in enumerate(corruptions(rng, head, body, kinds(rules)[:-5])):
            if _plain(changed):
                assert disagreement(changed) == ""
                verdicts.add((number, is_legal(changed)))
    assert {number for number, _ in verdicts} >= set(range(6))
    assert {legal for _, legal in verdicts} == {True, False}
    assert (4, False) not in verdicts
    assert (5, True) not in verdicts


def _plain(text: str) -> bool:
    """Whether the lawbook can read it: it knows only the canonical order of tokens."""
    for row in text.split("]\n\n")[1].split("\n"):
        words = row.split()
        shape = "".join(
            ":" if word.endswith(":") else "-" if word[0] == "-" else word[0] if word[0] in "~=/"
            else "." if word.endswith(".") else "p"
            for word in words
        )  # fmt: skip
        if not re.fullmatch(r"\.?:?(p*|-*)~?=?/?", shape):
            return False
    return True
