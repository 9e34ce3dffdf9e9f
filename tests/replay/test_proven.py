"""What is proven about hands, with a partly known deal, unknown discards and cuts.

Games are dealt and played by `lawbook`, which shares nothing with the program.  A legal game stays
legal whatever is left out of its record; in a game with revokes the judge finds exactly those that
hold whatever the unknown discards may have been.
"""

import itertools
import random
import re
from collections import Counter

import lawbook
import pytest
from examples import many
from hypothesis import given
from hypothesis import strategies as st

from claimlog.game import Game
from claimlog.replay.recorder import replay_text

UNKNOWN = "_"


def one(text: str) -> Game:
    (game,) = replay_text(text)
    return game


def deal_of(game: Game) -> tuple[dict[int, list[str]], list[str]]:
    """The starting hands, and the draw pile from the top, of a record that reveals them all."""
    hands: dict[int, list[str]] = {seat: [] for seat in range(1, game.seats + 1)}
    pile: list[str] = []
    for trick in game.tricks:
        if trick.phase == 1:
            pile += trick.upcards
            if trick.looked:
                pile.append(str(trick.hidden))
            pile += [str(card) for card in trick.drawn or []]
            for play in trick.plays:
                hands[play.seat].append(str(play.card))
    return hands, pile


def dealt(text: str, rng: random.Random, share: float) -> str:
    """The record with tags that give `share` of the deal."""
    hands, pile = deal_of(one(text))

    def some(cards: list[str], order: bool) -> str:
        if not order:
            cards = rng.sample(cards, len(cards))
        return " ".join(card if rng.random() < share else UNKNOWN for card in cards)

    tags = [
        f'[Hand{seat} "{some(hand, False)}"]\n'
        for seat, hand in hands.items()
        if rng.random() < 0.7
    ]
    if rng.random() < 0.7:
        tags.append(f'[Pile "{some(pile, True)}"]\n')
    return text.replace("\n\n", "\n" + "".join(tags) + "\n", 1)


def blurred(text: str, rng: random.Random) -> str:
    """The record without some of its draws and discards, numbers and marks."""
    head, body = text.split("]\n\n")
    body = re.sub(r"-[A-Z]\d+", lambda m: rng.choice(["-_", m[0]]), body)
    body = re.sub(r"~[A-Z]\d+", lambda m: rng.choice(["~_", m[0]]), body)
    body = re.sub(r" /\S+", lambda m: rng.choice(["", m[0]]), body)
    body = re.sub(r"^\d+\. ", lambda m: rng.choice(["", m[0]]), body, flags=re.MULTILINE)
    body = re.sub(r"\+", lambda m: rng.choice(["", m[0]]), body)
    return f"{head}]\n\n{body}"


def cut(text: str, tokens: int) -> str:
    """The record cut after this number of words of its movetext, unfinished."""
    head, body = text.split("]\n\n")
    tags = [tag for tag in f"{head}]".split("\n") if not re.match(r"\[(Result|Votes|Loot) ", tag)]
    words = body.split()
    return "\n".join(tags) + "\n\n" + " ".join(words[: min(tokens, len(words) - 2)]) + " *\n"


def a_record(seed: int, seats: int) -> str:
    rng = random.Random(seed)
    rules = lawbook.random_rules(rng, seats)
    if seed % 2 and "A" not in rules.deck:
        tens = [letter for letter in rules.deck[2:] if letter not in "AR"]
        rules.deck = rules.deck.replace(tens[0], "A") if not rules.classic else rules.deck
    return lawbook.random_record(rng, rules)


@many
@given(st.integers(0, 1 << 32), st.sampled_from([2, 3, 4]), st.floats(0, 1))
def test_nobody_is_accused_whatever_is_left_out(seed: int, seats: int, share: float) -> None:
    rng = random.Random(seed)
    text = blurred(dealt(a_record(seed, seats), rng, share), rng)
    assert not one(text).errors
    words = len(text.split("]\n\n")[1].split())
    for tokens in sorted(rng.sample(range(words), 12)):
        stopped = cut(text, tokens)
        assert not one(stopped).errors, stopped


@pytest.mark.no_cover
@pytest.mark.parametrize(("seed", "seats"), [(1, 2), (3, 3), (5, 4)])
def test_cuts_at_every_token(seed: int, seats: int) -> None:
    rng = random.Random(seed)
    text = dealt(a_record(seed, seats), rng, 0.7)
    for record in (text, blurred(text, rng)):
        for tokens in range(len(record.split("]\n\n")[1].split())):
            stopped = cut(record, tokens)
            assert not one(stopped).errors, stopped


# Revokes, against every way in which it may have been ------------------------------------------


def with_revokes(seed: int, seats: int, share: float) -> str:
    """A record in which some plays follow no rule; everything else is right."""
    rng = random.Random(seed)
    legal = lawbook.legal_plays

    def careless(hand: list[str], led: str) -> list[str]:
        return list(hand) if rng.random() < share else legal(hand, led)

    lawbook.legal_plays = careless
    try:
        return a_record(seed, seats)
    finally:
        lawbook.legal_plays = legal


def held_in_every_way(hand: list[str], plays: list[str | None], moment: int, faction: str) -> bool:
    """Whether a seat held `faction` at a moment, whatever its unknown plays may have been.

    `hand` lists its cards, `_` unknown; `plays` are its plays in order, None unknown.
    """
    left = [card for card in hand if card != UNKNOWN]
    unknown = hand.count(UNKNOWN)
    for card in plays:
        if card is not None and card in left:
            left.remove(card)
        elif card is not None:
            unknown -= 1
    places = [place for place, card in enumerate(plays) if card is None]
    choices = [*range(len(left)), *[-1 - i for i in range(max(unknown, 0))]]
    for chosen in itertools.permutations(choices, len(places)):
        laid = dict(zip(places, chosen, strict=True))
        holds = [card for card in plays[moment + 1 :] if card is not None]
        holds += [left[c] for place, c in laid.items() if c >= 0 and place > moment]
        holds += [card for i, card in enumerate(left) if i not in chosen]
        if not any(card[0] == faction for card in holds):
            return False
    return True


@many
@given(st.integers(0, 1 << 32), st.sampled_from([2, 3, 4]), st.floats(0.2, 1))
def test_a_revoke_is_found_if_and_only_if_it_is_proven(seed: int, seats: int, share: float) -> None:
    """Phase 1, with partly known hands and unknown discards, cut anywhere."""
    rng = random.Random(seed)
    full = with_revokes(seed, seats, 0.1)
    text = dealt(full, rng, share)
    head, body = text.split("]\n\n")
    body = re.sub(r"-[A-Z]\d+", lambda m: rng.choice(["-_", m[0]]), body)
    text = f"{head}]\n\n{body}"
    stopped = cut(text, rng.randrange(len(body.split())))
    game = one(stopped)
    tags = {name: value.split() for name, value in game.tags.items() if name.startswith("Hand")}
    first = [trick for trick in game.tricks if trick.phase == 1]
    expected = []
    for seat in range(1, seats + 1):
        plays = [play.card for trick in first for play in trick.plays if play.seat == seat]
        if plays.count(None) > 3:
            return
        size = {2: 13, 3: 12, 4: 9}[seats]
        hand = tags.get(f"Hand{seat}", [UNKNOWN] * size)
        mine = [t for t in first if any(play.seat == seat for play in t.plays)]
        for moment, trick in enumerate(mine):
            card, lead = plays[moment], trick.plays[0].card
            if trick.auto or card is None or lead is None or card[0] in (lead[0], "X"):
                continue
            if held_in_every_way(hand, plays, moment, lead[0]):
                expected.append((trick.number, seat))
    revokes = [(p.trick, p.seat) for p in game.errors if p.code == "revoke"]
    in_phase_1 = [place for place in revokes if place[0] <= {2: 13, 3: 12, 4: 9}[seats]]
    assert Counter(in_phase_1) == Counter(expected), stopped
    assert {p.code for p in game.errors} <= {"revoke"}


@many
@given(st.integers(0, 1 << 32), st.sampled_from([2, 3, 4]))
def test_a_proven_revoke_stays_found_wherever_the_record_stops(seed: int, seats: int) -> None:
    """With all draws written, Phase 2 proves the same from the play itself on."""
    text = with_revokes(seed, seats, 0.1)
    whole = one(text)
    tricks = {2: 13, 3: 12, 4: 9}[seats]
    late = {(p.trick, p.seat) for p in whole.errors if p.code == "revoke" and p.trick > tricks}
    if not late:
        return
    words = text.split("]\n\n")[1].split()
    number = 0
    for tokens, word in enumerate(words, 1):
        number = int(word[:-1]) if re.fullmatch(r"\d+\.", word) else number
        if number <= tricks or random.Random(seed + tokens).random() < 0.7:
            continue
        game = one(cut(text, tokens))
        played = {(t.number, play.seat) for t in game.tricks for play in t.plays}
        revokes = {(p.trick, p.seat) for p in game.errors if p.trick and p.trick > tricks}
        assert revokes == {place for place in late if place in played}
