"""Slips of the pen: are they named at the right trick, and is the right repair offered?

Games for 2, 3 and 4 players, with decks of every faction and every ruling, are dealt and played by
tests/lawbook.py, which shares nothing with claimlog, and written with everything that is known.
Each gets one slip; then claimlog is asked what is wrong.

    python benchmarks/slips.py [--count 200] [--seed 1]
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import lawbook

from claimlog import compiled
from claimlog.replay.slip import find_slip
from claimlog.replay.validate import judge_block

Rng = random.Random
Corrupted = tuple[str, int] | None
"""A record with a slip and the trick that it is in (0: a tag); None if the slip is impossible here.
"""

CARD: Final = r"[A-Z]\d+"


@dataclass(slots=True)
class Record:
    """A canonical record: its tags, its tricks and its result."""

    head: str
    rows: list[str]
    result: str
    rules: lawbook.Rules

    @classmethod
    def of(cls, rng: Rng, seats: int) -> Record:
        """A random game."""
        rules = lawbook.random_rules(rng, seats)
        head, body = lawbook.random_record(rng, rules).split("]\n\n")
        *rows, result, _ = body.split("\n")
        return cls(head + "]\n\n", rows, result, rules)

    def text(self, rows: list[str] | None = None) -> str:
        """The record, or one with other tricks."""
        return self.head + "\n".join([*(rows or self.rows), self.result, ""])

    def with_row(self, number: int, row: str) -> str:
        """The record with another row for a trick."""
        return self.text([*self.rows[: number - 1], row, *self.rows[number:]])


def plays_of(row: str) -> list[re.Match[str]]:
    """The plays in a row."""
    return list(re.finditer(rf"(?<= ){CARD}\+?(?= |$)", row))


def unnumbered(text: str) -> str:
    """The record as one run of words, without numbers."""
    head, body = text.split("]\n\n")
    return head + "]\n\n" + " ".join(re.sub(r"(?m)^\d+\. ", "", body).split("\n"))


def replaced_card(game: Record, rng: Rng) -> Corrupted:
    """One card of the deck written instead of another."""
    number = rng.randrange(1, len(game.rows) + 1)
    row = game.rows[number - 1]
    match = rng.choice(list(re.finditer(CARD, row)))
    other = rng.choice([f"{f}{v}" for f in game.rules.deck for v in sorted(set(lawbook.BOX[f]))])
    if other == match[0]:
        return None
    return game.with_row(number, row[: match.start()] + other + row[match.end() :]), number


def transposed_plays(game: Record, rng: Rng) -> Corrupted:
    """Two plays of a trick in the wrong order, the mark with its card."""
    number = rng.randrange(1, len(game.rows) + 1)
    row = game.rows[number - 1]
    plays = plays_of(row)
    if len(plays) < 2:
        return None
    one, two = sorted(rng.sample(plays, 2), key=lambda match: match.start())
    if one[0].rstrip("+") == two[0].rstrip("+"):
        return None
    changed = row[: one.start()] + two[0] + row[one.end() : two.start()] + one[0] + row[two.end() :]
    return game.with_row(number, changed), number


def swapped_tricks(game: Record, rng: Rng) -> Corrupted:
    """Two neighbouring tricks in the wrong order, under right numbers."""
    number = rng.randrange(1, len(game.rows))
    if number == game.rules.tricks:
        return None
    one, two = (re.sub(r"^\d+\. ", "", game.rows[number - 1 + k]) for k in (0, 1))
    rows = list(game.rows)
    rows[number - 1], rows[number] = f"{number}. {two}", f"{number + 1}. {one}"
    return game.text(rows), number


def swapped_draws(game: Record, rng: Rng) -> Corrupted:
    """Two drawn cards of different tricks swapped, or an upcard and a drawn card of one trick."""
    early = range(1, game.rules.tricks + 1)
    if rng.random() < 0.5:
        number = rng.choice(early)
        row = game.rows[number - 1]
        match = re.search(rf" ({CARD})([:,].* /)({CARD})", row)
        if not match or match[1] == match[3]:
            return None
        new = f" {match[3]}{match[2]}{match[1]}"
        changed = row[: match.start()] + new + row[match.end() :]
        return game.with_row(number, changed), number
    one, two = sorted(rng.sample(early, 2))
    first, second = (re.search(rf"/({CARD})", game.rows[n - 1]) for n in (one, two))
    if not first or not second or first[1] == second[1]:
        return None
    rows = list(game.rows)
    rows[one - 1] = rows[one - 1].replace(first[0], second[0])
    rows[two - 1] = rows[two - 1].replace(second[0], first[0])
    return game.text(rows), one


def missing_play(game: Record, rng: Rng) -> Corrupted:
    """A play left out."""
    number = rng.randrange(1, len(game.rows) + 1)
    row = game.rows[number - 1]
    plays = plays_of(row)
    if not plays:
        return None
    gone = rng.choice(plays)
    return game.with_row(number, row[: gone.start() - 1] + row[gone.end() :]), number


def missing_play_unnumbered(game: Record, rng: Rng) -> Corrupted:
    """A play left out of a run of words without numbers."""
    made = missing_play(game, rng)
    return made and (unnumbered(made[0]), made[1])


def missing_colon(game: Record, rng: Rng) -> Corrupted:
    """The colon after the upcards left out."""
    number = rng.randrange(1, game.rules.tricks + 1)
    return game.with_row(number, game.rows[number - 1].replace(":", "", 1)), number


def missing_colon_unnumbered(game: Record, rng: Rng) -> Corrupted:
    """The same in a run of words without numbers."""
    text, number = missing_colon(game, rng) or ("", 0)
    return unnumbered(text), number


def missing_draw(game: Record, rng: Rng) -> Corrupted:
    """One of two drawn cards left out."""
    number = rng.randrange(1, game.rules.tricks + 1)
    row = game.rows[number - 1]
    match = re.search(rf"/({CARD}),({CARD})", row)
    if not match:
        return None
    left = match[rng.choice((1, 2))]
    return game.with_row(number, f"{row[: match.start()]}/{left}{row[match.end() :]}"), number


def missing_trick(game: Record, rng: Rng) -> Corrupted:
    """A trick left out, so that a number is missing."""
    number = rng.randrange(1, len(game.rows) + 1)
    return game.text([*game.rows[: number - 1], *game.rows[number:]]), number


def missing_trick_unnumbered(game: Record, rng: Rng) -> Corrupted:
    """A trick left out of a run of words without numbers."""
    text, number = missing_trick(game, rng) or ("", 0)
    return unnumbered(text), number


def card_twice(game: Record, rng: Rng) -> Corrupted:
    """A play written twice."""
    number = rng.randrange(1, len(game.rows) + 1)
    row = game.rows[number - 1]
    plays = plays_of(row)
    if not plays:
        return None
    twice = rng.choice(plays)
    return game.with_row(number, f"{row[: twice.end()]} {twice[0]}{row[twice.end() :]}"), number


def trick_twice(game: Record, rng: Rng) -> Corrupted:
    """A trick written twice, with its number or with the next ones."""
    number = rng.randrange(1, len(game.rows) + 1)
    rows = [*game.rows[:number], *game.rows[number - 1 :]]
    if rng.random() < 0.5:
        rows = [re.sub(r"^\d+\.", f"{n}.", row) for n, row in enumerate(rows, 1)]
    return game.text(rows), number + 1


def wrong_leader(game: Record, rng: Rng) -> Corrupted:
    """Another seat in the tag Leader."""
    seat = re.search(r'Leader "(\d)"', game.head)
    other = rng.choice(
        [str(s) for s in range(1, game.rules.seats + 1) if seat and str(s) != seat[1]]
    )
    return re.sub(r'Leader "\d"', f'Leader "{other}"', game.text()), 0


def wrong_deck(game: Record, rng: Rng) -> Corrupted:
    """Another ten-card faction in the deck."""
    deck = game.rules.deck
    others = [letter for letter in lawbook.TENS if letter not in deck]
    changed = deck.replace(rng.choice(deck[2:]), rng.choice(others))
    return game.text().replace(f'[Deck "{deck}"]', f'[Deck "{changed}"]'), 0


def swapped_names(game: Record, rng: Rng) -> Corrupted:
    """The result and the votes as if two players had swapped seats."""
    sides = game.rules.sides
    one, two = rng.sample(range(sides), 2)

    def exchanged(value: str) -> str:
        parts = value.split("-")
        parts[one], parts[two] = parts[two], parts[one]
        return "-".join(parts)

    if exchanged(game.result) == game.result:
        return None
    head = re.sub(
        r'\[(Result|Votes) "(.*)"\]', lambda m: f'[{m[1]} "{exchanged(m[2])}"]', game.head
    )
    return head + "\n".join([*game.rows, exchanged(game.result), ""]), 0


def missing_comma(game: Record, rng: Rng) -> Corrupted:
    """3 or 4 players: a space instead of the comma between the upcards."""
    number = rng.randrange(1, game.rules.tricks + 1)
    row = game.rows[number - 1]
    if not re.match(rf"\d+\. {CARD},", row):
        return None
    return game.with_row(number, row.replace(",", " ", 1)), number


def wrong_colon(game: Record, rng: Rng) -> Corrupted:
    """A dot or a semicolon instead of the colon after the upcards."""
    number = rng.randrange(1, game.rules.tricks + 1)
    return game.with_row(number, game.rows[number - 1].replace(":", rng.choice(".;"), 1)), number


def wrong_numbers(game: Record, rng: Rng) -> Corrupted:
    """From some trick on all numbers are one too high or too low."""
    number = rng.randrange(2, len(game.rows) + 1)
    by = rng.choice((-1, 1))
    rows = [
        re.sub(r"^\d+", str(n + by if n >= number else n), row)
        for n, row in enumerate(game.rows, 1)
    ]
    return game.text(rows), number


def exchanged_plays(game: Record, rng: Rng) -> Corrupted:
    """The plays in one place of two neighbouring Phase 2 tricks exchanged, with their marks."""
    number = rng.randrange(game.rules.tricks + 1, 2 * game.rules.tricks)
    one, two = game.rows[number - 1], game.rows[number]
    place = rng.randrange(game.rules.seats)
    first, second = plays_of(one)[place], plays_of(two)[place]
    if first[0].rstrip("+") == second[0].rstrip("+"):
        return None
    rows = list(game.rows)
    rows[number - 1] = one[: first.start()] + second[0] + one[first.end() :]
    rows[number] = two[: second.start()] + first[0] + two[second.end() :]
    return game.text(rows), number


SLIPS: Final[dict[str, tuple[str, Callable[[Record, Rng], Corrupted]]]] = {
    "replaced card": ("replaced-card", replaced_card),
    "transposed plays": ("transposed-plays", transposed_plays),
    "swapped tricks": ("swapped-tricks", swapped_tricks),
    "swapped draws, or upcard and draw": ("swapped-draws", swapped_draws),
    "missing play": ("missing-play", missing_play),
    "missing play, no numbers": ("missing-play", missing_play_unnumbered),
    "missing colon": ("missing-colon", missing_colon),
    "missing colon, no numbers": ("missing-colon", missing_colon_unnumbered),
    "missing draw (3 and 4 players)": ("missing-draw", missing_draw),
    "missing trick": ("missing-trick", missing_trick),
    "missing trick, no numbers": ("missing-trick", missing_trick_unnumbered),
    "play written twice": ("written-twice", card_twice),
    "trick written twice": ("written-twice", trick_twice),
    "wrong leader": ("wrong-leader", wrong_leader),
    "wrong deck letter": ("wrong-deck", wrong_deck),
    "names in the wrong seats": ("swapped-names", swapped_names),
    "comma between upcards (3 and 4 players)": ("missing-comma", missing_comma),
    "dot or semicolon for the colon": ("wrong-colon", wrong_colon),
    "numbers off from a trick on": ("wrong-numbers", wrong_numbers),
    "plays of two tricks exchanged": ("exchanged-plays", exchanged_plays),
}
"""Each slip: its description, its kind, and the function that makes it."""


@dataclass(slots=True)
class Score:
    """The results for the games with one slip.

    `legal`: the slip leaves a legal game, so nobody can tell.  `several`: slips of the same size
    explain it, and their places are given, in `among` of them including the right one.  Of the
    others `named` have the right kind at the right trick; `wrong` name something else and `unnamed`
    nothing.  Of the repairs offered `repaired` restore the original, `other` give another legal
    game, `spoiled` none.
    """

    games: int = 0
    legal: int = 0
    several: int = 0
    among: int = 0
    named: int = 0
    repaired: int = 0
    other: int = 0
    spoiled: int = 0
    wrong: int = 0
    unnamed: int = 0
    messages: list[int] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)

    @property
    def determined(self) -> int:
        """The games whose record determines the slip."""
        return self.games - self.legal - self.several


def ask(kind: str, original: str, text: str, trick: int, score: Score) -> None:
    """Ask what is wrong with a record, and add the answer to a score."""
    score.games += 1
    data = text.encode()
    block = judge_block(data, 1, False)
    errors = [problem for report in block.reports for problem in report.errors]
    if not errors:
        score.legal += 1
        return
    start = time.process_time()
    explanation = find_slip(data)
    score.times.append(time.process_time() - start)
    slip = explanation.slip
    score.messages.append(1 if slip or explanation.places else len(errors))
    if slip is None and explanation.places:
        score.several += 1
        score.among += any(
            not trick or re.search(rf"trick {trick}\b", p) for p in explanation.places
        )
    elif slip is None:
        score.unnamed += 1
        score.examples.append(text)
    elif slip.kind != kind or (slip.trick or 0) != trick:
        score.wrong += 1
        score.examples.append(f"{slip}\n{text}")
    else:
        score.named += 1
    if slip is not None and slip.mended is not None:
        mended = data[: slip.start] + slip.mended.encode() + data[slip.end :]
        if content(mended.decode()) == content(original):
            score.repaired += 1
        else:
            reports = judge_block(mended, 1, False).reports
            score.other += all(report.valid for report in reports)
            score.spoiled += not all(report.valid for report in reports)
            score.examples.append(f"spoiled: {slip}\n{text}")


def content(text: str) -> list[str]:
    """A record's words without numbers and marks, which are optional."""
    return [word.rstrip("+") for word in text.split() if not re.fullmatch(r"\d+\.", word)]


def measure(count: int, seed: int) -> dict[str, Score]:
    """Make `count` games with each slip and ask about them."""
    scores = {}
    for name, (kind, make) in SLIPS.items():
        rng = random.Random(f"{seed} {name}")
        score = scores[name] = Score()
        number = 0
        while score.games < count:
            number += 1
            game = Record.of(rng, 2 + number % 3)
            made = make(game, rng)
            if made is not None:
                numbered = "no numbers" not in name
                original = game.text() if numbered else unnumbered(game.text())
                ask(kind, original, made[0], made[1], score)
    return scores


LEGEND: Final = (
    "legal: the game is legal, so nobody can tell; several: slips of the same size explain it,\n"
    "and in (there) games the right place is among those given; named: the right kind at the\n"
    "right trick, of the games whose record determines it; mended: the repair offered restores\n"
    "the original; other: it makes another legal game; spoiled: it does not help; messages:\n"
    "median of a game; ms: time to find the slip, median, 95 % and longest."
)


def rows(scores: dict[str, Score]) -> tuple[list[str], list[list[str]]]:
    """The head and the rows of the table."""
    head = ["slip", "legal", "several", "(there)", "named", "of", "%", "mended", "other", "spoiled",
            "messages", "ms", "95 %", "longest"]  # fmt: skip
    table = []
    total = Score()
    for name, score in [*scores.items(), ("all", total)]:
        if score is not total:
            for key in (
                "games",
                "legal",
                "several",
                "among",
                "named",
                "repaired",
                "other",
                "spoiled",
            ):
                setattr(total, key, getattr(total, key) + getattr(score, key))
            total.messages += score.messages
            total.times += score.times
        times = sorted(score.times) or [0.0]
        share = 100 * score.named / score.determined if score.determined else 100.0
        cells = (
            name, score.legal, score.several, score.among, score.named, score.determined,
            f"{share:.1f}", score.repaired, score.other, score.spoiled,
            f"{statistics.median(score.messages or [0]):g}",
            f"{1000 * statistics.median(times):.1f}",
            f"{1000 * times[int(0.95 * (len(times) - 1))]:.1f}",
            f"{1000 * times[-1]:.1f}",
        )  # fmt: skip
        table.append([str(cell) for cell in cells])
    return head, table


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=200, help="number of games with each slip")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", type=int, default=0, help="number of unnamed slips to show")
    options = parser.parse_args()
    print(f"{options.count} games a slip, {'compiled' if compiled() else 'interpreted'}\n")
    scores = measure(options.count, options.seed)
    head, table = rows(scores)
    print("| " + " | ".join(head) + " |")
    print("|---" * len(head) + "|")
    for row in table:
        print("| " + " | ".join(row) + " |")
    print(f"\n{LEGEND}")
    for name, score in scores.items():
        for example in score.examples[: options.examples]:
            print(f"\n--- {name}\n{example}")


if __name__ == "__main__":
    main()
