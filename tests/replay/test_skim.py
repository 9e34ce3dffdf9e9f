"""What a `Skimmer` accepts at a glance is what the judge finds no fault with."""

from __future__ import annotations

import itertools
import random
import re
import runpy
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import lawbook
import pytest

from claimlog import compiled
from claimlog.notation.problems import REVOKE
from claimlog.notation.sheet import Sheet
from claimlog.replay.judge import Judge
from claimlog.replay.skim import Skimmer
from claimlog.results import RESULT_BYTES

damaged = runpy.run_path(str(Path(__file__).parents[1] / "scripts" / "compare_paths.py"))["damaged"]


class Outcome(NamedTuple):
    """What is the same for a game whichever way it is judged."""

    end: int
    lines: int
    result: int
    counted: tuple[list[int], ...]
    piles: tuple[list[int], ...]


def outcome(judge: Judge, end: int, lines: int) -> Outcome:
    count, table = judge.count, judge.table
    return Outcome(
        end,
        lines,
        judge.result,
        (list(count.votes), list(count.share), list(count.won_by)),
        (list(table.count), list(table.mask), list(table.display), list(table.followers)),
    )


def at_a_glance(text: bytes) -> Outcome | None:
    skimmer = Skimmer()
    end = skimmer.glance(Sheet(), text, 0)
    if end < 0:
        return None
    assert skimmer.complete
    return outcome(skimmer, end, skimmer.read_lines)


def as_judged(text: bytes) -> Outcome | None:
    """The same if the game is complete and has no problems."""
    judge, sheet = Judge(), Sheet()
    end = sheet.read(text, 0, True)
    if not judge.judge(sheet) or not judge.complete:
        return None
    return outcome(judge, end, sheet.lines)


def legal(number: int) -> bytes:
    """A legal game, with two to four players, of any deck and rulings, all of it known."""
    chance = random.Random(f"skim {number}")
    return lawbook.random_record(chance, lawbook.random_rules(chance, 2 + number % 3)).encode()


SEATS = (2, 3, 4)
GAMES = [
    next(
        game
        for game in map(legal, itertools.count(seats - 2, 3))
        if b"raccoons=pile" not in game and re.search(rb'(?s)Deck "\w*R.* -[A-Z].*~', game)
    )
    for seats in SEATS
]
"""For each number of seats a game in which nearly everything occurs that a trick may have."""


@pytest.mark.no_cover
@pytest.mark.parametrize("first", range(0, 300, 100))
def test_whole_games_need_no_second_reading(first: int) -> None:
    read = 0
    for number in range(first, first + 100):
        game = legal(number)
        text = game + legal(number + 1)
        seen = at_a_glance(text)
        # With this ruling the piles are checked, too.
        assert seen == (None if b"raccoons=pile" in game else as_judged(text))
        read += seen is not None
    assert read > 50


@pytest.mark.parametrize("first", range(0, 1500, 500))
def test_nothing_is_accepted_that_the_judge_objects_to(first: int) -> None:
    accepted = 0
    for number in range(first, first + 500):
        text = damaged(number) + b"\n" + legal(0)
        seen = at_a_glance(text)
        assert seen is None or seen == as_judged(text), text
        accepted += seen is not None
    assert accepted > 5


def same(text: bytes) -> bool:
    """Whether a game is accepted at a glance; if so, the judge must say the same."""
    seen = at_a_glance(text)
    assert seen is None or seen == as_judged(text), text
    return seen is not None


@pytest.mark.no_cover
@pytest.mark.parametrize("game", GAMES, ids=SEATS)
def test_every_character_counts(game: bytes) -> None:
    text = game + GAMES[0]
    accepted = 0
    for at in range(0, len(game) + 2, 1 if compiled() else 19):
        for other in b" \n\r+=~/-,:.[_019G":
            accepted += same(text[:at] + bytes([other]) + text[at + 1 :])
            accepted += same(text[:at] + bytes([other]) + text[at:])
        accepted += same(text[:at] + text[at + 1 :])
    assert accepted > 50


@pytest.mark.parametrize("game", GAMES, ids=SEATS)
def test_cards_that_change_places(game: bytes) -> None:
    """Among the last tricks most exchanges are a revoke, if anything."""
    moves, end = re.sub(rb"\[(Votes|Result).*\n|\+", b"", game).rstrip().rsplit(b"\n", 1)
    words = re.split(rb"(\b[A-Z]\d+)", moves)
    places = range(len(words) - 40, len(words), 2)
    found = Counter[tuple[int, ...]]()
    for i, j in itertools.combinations(places, 2):
        changed = list(words)
        changed[i], changed[j] = words[j], words[i]
        text = b"".join(changed) + b"\n" + end + b"\n\n" + GAMES[0]
        if not same(text):
            judge, sheet = Judge(), Sheet()
            sheet.read(text, 0, True)
            judge.judge(sheet)
            found[tuple(finding[0] for finding in judge.findings)] += 1
    assert found[(REVOKE,)] > 0


def test_results_are_read_alike() -> None:
    tags = [*RESULT_BYTES, b"1-00", b"0-11", b"1-0 ", b"A-0"]
    accepted = 0
    for game, tag, result in itertools.product(GAMES, [b"", *tags], RESULT_BYTES):
        changed = re.sub(rb"\[Result.*\n", b'[Result "%b"]\n' % tag if tag else b"", game)
        moves = changed.rstrip().rpartition(b"\n")[0]
        accepted += same(moves + b"\n" + result + b"\n\n" + GAMES[0])
    # The right one in the movetext, and in the tag or without a tag.
    assert accepted == 2 * len(GAMES)


def test_a_value_is_written_in_digits() -> None:
    for game in GAMES:
        found = list(re.finditer(rb"([A-Z])1(\d)", game))
        assert found
        for one in found:
            after_nine = one[1] + bytes([58 + int(one[2])])
            assert not same(game[: one.start()] + after_nine + game[one.end() :] + GAMES[0])


def test_only_seers_look() -> None:
    """A game whose Seers have become Bards, which do nothing before the end."""
    decks = (rb'Deck "\w*S', rb'Deck "\w*B')
    games = [game for game in map(legal, range(200)) if b"~" in game and b"~_" not in game]
    games = [game for game in games if re.search(decks[0], game) and not re.search(decks[1], game)]
    assert len(games) > 10
    for game in games:
        changed = re.sub(rb"\[(Votes|Result|Rulings|Loot ).*\n", b"", game)
        changed = re.sub(rb"\bS(?=\d)", b"B", changed)
        changed = re.sub(rb'(Deck "\w*)S', rb"\1B", changed)
        moves = changed.rstrip().rpartition(b"\n")[0]
        for result in RESULT_BYTES:
            same(moves + b"\n" + result + b"\n" + GAMES[0])


def test_games_without_a_deck() -> None:
    for game in GAMES:
        changed = re.sub(rb"\[Deck.*\n", b'[Termination "unrecorded"]\n', game)
        assert not same(changed + b"\n" + game)


def test_skimming_tells_what_judging_tells() -> None:
    texts = [legal(n) if n % 7 else damaged(n) for n in range(200)]
    texts += [legal(n)[: 300 + n] for n in range(20)] + [legal(3)]
    text = b"\n".join(texts)
    skimmer, skimmed = Skimmer(), Sheet()
    judge, sheet = Judge(), Sheet()
    at = lines = games = completes = 0
    told, wanted = [], []
    while at < len(text):
        end = sheet.read(text, at, True)
        line = lines + sheet.line
        lines += sheet.lines
        if sheet.found():
            games += 1
            good = judge.judge(sheet)
            completes += judge.complete
            if not good:
                wanted.append((end, line, games, completes, list(judge.findings)))
        at = end
    at = 0
    while (at := skimmer.skim(skimmed, text, at)) >= 0:
        told.append((at, skimmer.line, skimmer.games, skimmer.completes, list(skimmer.findings)))
    assert told == wanted
    assert len(wanted) > 20
    assert (skimmer.games, skimmer.completes, skimmer.lines) == (games, completes, lines)
