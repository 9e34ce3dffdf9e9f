"""Games of Claim, treated in the same way as the peers' records.

Runs in claimlog's environment.  Records come from ``claimlog simulate``, two players, random decks;
``claimlog validate --format json`` reports the faults of a file. `claimlog.replay.recorder` says
who played which card, so that a corruption is certainly one.
"""

from __future__ import annotations

import io
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from common import Corrupted, Format, Inspection, Report, line_with, main, replace_line

from claimlog.cards import COPIES as COPIES_OF
from claimlog.cards import FACTIONS, NAMES, card
from claimlog.game import Game
from claimlog.replay.recorder import replays

Place = tuple[int, int]
"""A play: its trick, from 0, and its seat, from 1."""

PHASE = 13
"""Tricks in each phase with two players."""


def command(*words: str) -> list[str]:
    """The command line of claimlog, run by this Python."""
    return [sys.executable, "-P", "-c", "from claimlog.cli.main import run; run()", *words]


def generate(seed: int) -> Iterator[str]:
    """Yield random legal games of two players."""
    while True:
        words = ["-n", "200", "--seats", "2", "--deck", "random", "--seed", str(seed)]
        text = subprocess.run(
            command("simulate", *words, "--policy", "random"),
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        starts = [match.start() for match in re.finditer(r"^\[CLM ", text, re.MULTILINE)]
        for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
            yield text[start:end].strip("\n")
        seed += 1_000_000


def join(records: list[str]) -> str:
    """Games with an empty line between them."""
    return "\n\n".join(records) + "\n"


def read(path: Path) -> dict[str, Any]:
    """Count what `claimlog validate` reports."""
    done = subprocess.run(
        command("validate", "--format", "json", str(path)), capture_output=True, check=False
    )
    games = [json.loads(line) for line in done.stdout.splitlines()]
    return {"games": len(games), "errors": sum(not game["valid"] for game in games)}


def inspect(paths: list[Path]) -> list[Inspection]:
    """Run `claimlog validate` on all files at once."""
    inspections = {str(path): Inspection(0) for path in paths}
    counts = dict.fromkeys(inspections, 0)
    done = subprocess.run(
        command("validate", "--format", "json", *inspections), capture_output=True, check=False
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"claimlog validate: {done.stderr.decode(errors='replace')[-300:]}")
    for line in done.stdout.splitlines():
        game = json.loads(line)
        counts[game["file"]] += 1
        for error in game["errors"]:
            inspections[game["file"]].reports.append(
                Report(
                    error["message"],
                    game["game"] - 1,
                    error["line"],
                    error["column"],
                    play=error["card"] is not None,
                )
            )
    return [Inspection(counts[name], inspections[name].reports) for name in inspections]


# Corruptions --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Known:
    """A record, judged: `first` is the line of trick 1, `played` says who played what."""

    game: Game
    first: int
    played: dict[Place, str]
    order: dict[Place, int]


@lru_cache(maxsize=4096)
def known(text: str) -> Known:
    """Judge a legal record."""
    game = next(iter(replays(io.BytesIO(text.encode() + b"\n").read)))
    played = {}
    order = {}
    for t, trick in enumerate(game.tricks):
        for k, play in enumerate(trick.plays):
            if play.card is not None and not trick.auto:
                played[t, play.seat] = play.card
                order[t, play.seat] = k
    return Known(game, text.split("\n").index("") + 1, played, order)


def _put(text: str, changes: dict[Place, str]) -> str:
    """Replace the cards of plays; winner marks stay where they are."""
    facts = known(text)
    lines = text.split("\n")
    for (t, seat), new in changes.items():
        words = lines[facts.first + t].split(" ")
        at = [i for i, word in enumerate(words) if re.fullmatch(r"[A-Z]\d+\+?", word)]
        place = at[facts.order[t, seat]]
        words[place] = new + words[place][len(words[place].rstrip("+")) :]
        lines[facts.first + t] = " ".join(words)
    return "\n".join(lines)


def _line(text: str, t: int) -> int:
    return known(text).first + t


def _other_line(text: str, t: int, new: str, word: str = "") -> Corrupted:
    line = _line(text, t)
    return Corrupted(replace_line(text, line, new), (line,), word)


def _safe(text: str, place: Place, new: str) -> bool:
    """Whether replacing the follower's card by `new` certainly leaves the winner unchanged.

    True only if both the old and the new card lose because they are of another faction than the led
    one, and if no power could make a difference.
    """
    facts = known(text)
    t = place[0]
    led = next(facts.played[t, s] for s in (1, 2) if facts.order.get((t, s)) == 0)
    old = facts.played[place]
    if facts.order[place] == 0 or "GK" in facts.game.tags["Deck"]:
        return False
    return all(name[0] not in (led[0], "X", "D", "A", "S") for name in (old, new))


def _plays(text: str, phase: int) -> list[Place]:
    return [place for place in known(text).played if place[0] // PHASE == phase - 1]


def _single(name: str) -> bool:
    return COPIES_OF[card(name)] == 1


def card_twice(text: str, rng: random.Random) -> Corrupted | None:
    """A card that was played before, of the same faction as the one it replaces."""
    facts = known(text)
    place = rng.choice(_plays(text, rng.choice((1, 2))))
    phase = place[0] // PHASE + 1
    name = facts.played[place]
    earlier = [
        facts.played[other]
        for other in _plays(text, phase)
        if other[0] < place[0] and facts.played[other][0] == name[0]
    ]
    earlier = [other for other in earlier if other != name and _single(other)]
    if not earlier:
        return None
    twice = rng.choice(earlier)
    line = _line(text, place[0])
    return Corrupted(_put(text, {place: twice}), (line,), twice)


def revoke(text: str, rng: random.Random) -> Corrupted | None:
    """A card of another faction, though the led one was held; both plays are exchanged."""
    facts = known(text)
    t, seat = place = rng.choice(_plays(text, rng.choice((1, 2))))
    led = next((facts.played[t, s] for s in (1, 2) if facts.order.get((t, s)) == 0), "")
    mine = facts.played[place]
    winner = facts.game.tricks[t].winner
    if not led or facts.order[place] == 0 or mine[0] != led[0] or winner == seat:
        return None
    for u in range(t + 1, (t // PHASE + 1) * PHASE):
        later = facts.played.get((u, seat), led)
        # Both played off suit or lost: the winners, and so the leaders, stay the same.
        if later[0] in (led[0], "X", "A", "D", "S", "K") or mine[0] in "XADSK":
            continue
        if _safe(text, (u, seat), mine) and facts.game.tricks[u].winner != seat:
            bad = _put(text, {place: later, (u, seat): mine})
            return Corrupted(bad, (_line(text, t),), later)
    return None


def not_held(text: str, rng: random.Random) -> Corrupted | None:
    """Phase 2: each player plays a card that the other one took."""
    facts = known(text)
    t, seat = place = rng.choice(_plays(text, 2))
    mine = facts.played[place]
    for u in rng.sample(range(PHASE, 2 * PHASE), PHASE):
        other = (u, 3 - seat)
        name = facts.played.get(other, mine)
        if u == t or name == mine or not (_single(name) and _single(mine)):
            continue
        if name[0] == mine[0] and _safe(text, place, name) and _safe(text, other, mine):
            lines = (_line(text, min(t, u)), _line(text, max(t, u)))
            return Corrupted(_put(text, {place: name, other: mine}), lines, name)
    return None


def unknown_card(text: str, rng: random.Random) -> Corrupted | None:
    """A card that does not exist."""
    place = rng.choice(list(known(text).played))
    name = rng.choice(["G12", "Q5", "W11", "N2"])
    return Corrupted(_put(text, {place: name}), (_line(text, place[0]),), name)


def not_in_deck(text: str, rng: random.Random) -> Corrupted | None:
    """A card of a faction that is not in this deck."""
    place = rng.choice(list(known(text).played))
    deck = known(text).game.tags["Deck"]
    name = rng.choice([name for name in NAMES if name[0] not in deck])
    return Corrupted(_put(text, {place: name}), (_line(text, place[0]),), name)


def wrong_deck(text: str, rng: random.Random) -> Corrupted | None:
    """A Deck tag that names another faction instead of one in the deck."""
    line = line_with(text, "[Deck ")
    deck = known(text).game.tags["Deck"]
    others = [f.letter for f in FACTIONS if f.letter not in deck and not f.pair]
    new = deck[:-1] + rng.choice(others)
    # It also shows wherever a card of the lost faction is.
    rows = text.split("\n")
    lines = [i for i in range(rows.index(""), len(rows)) if deck[-1] in rows[i]]
    return Corrupted(replace_line(text, line, f'[Deck "{new}"]'), (line, *lines), deck[-1])


def illegal_deck(text: str, rng: random.Random) -> Corrupted | None:
    """A Deck tag that is not a deck: a faction is missing."""
    line = line_with(text, "[Deck ")
    deck = known(text).game.tags["Deck"]
    return Corrupted(replace_line(text, line, f'[Deck "{deck[:-1]}"]'), (line,), deck[:-1])


def winner_mark(text: str, rng: random.Random) -> Corrupted | None:
    """The winner mark is on the other play."""
    t = rng.choice(list(known(text).played))[0]
    line = text.split("\n")[_line(text, t)]
    words = line.split(" ")
    at = [i for i, word in enumerate(words) if re.fullmatch(r"[A-Z]\d+\+?", word)]
    if len(at) != 2 or "+" not in line:
        return None
    for i in at:
        words[i] = words[i].rstrip("+") if words[i].endswith("+") else words[i] + "+"
    marked = next(words[i] for i in at if words[i].endswith("+"))
    return _other_line(text, t, " ".join(words), marked)


SWAPPED = {"1-0": "0-1", "0-1": "1-0"}


def _result_lines(text: str) -> tuple[int, int]:
    return line_with(text, "[Result "), len(text.split("\n")) - 1


def wrong_result(text: str, rng: random.Random) -> Corrupted | None:
    """Tag and token give the win to the loser."""
    result = known(text).game.result
    if result not in SWAPPED:
        return None
    lines = _result_lines(text)
    new = replace_line(text, lines[0], f'[Result "{SWAPPED[result]}"]')
    return Corrupted(replace_line(new, lines[1], SWAPPED[result]), lines, SWAPPED[result])


def results_differ(text: str, rng: random.Random) -> Corrupted | None:
    """The token has another result than the tag."""
    result = known(text).game.result
    if result not in SWAPPED:
        return None
    lines = _result_lines(text)
    return Corrupted(replace_line(text, lines[1], SWAPPED[result]), lines, SWAPPED[result])


def wrong_votes(text: str, rng: random.Random) -> Corrupted | None:
    """A Votes tag with one vote too many for the winner."""
    score = known(text).game.score
    if score is None or not max(score.votes):
        return None
    votes = list(score.votes)
    votes[votes.index(max(votes))] -= 1
    lines = [row for row in text.split("\n") if not row.startswith("[Votes ")]
    line = next(i for i, row in enumerate(lines) if row.startswith("[Result "))
    lines.insert(line, f'[Votes "{votes[0]}-{votes[1]}"]')
    return Corrupted("\n".join(lines), (line,), f"{votes[0]}-{votes[1]}")


def truncated(text: str, rng: random.Random) -> Corrupted | None:
    """The file was cut in the middle of the movetext."""
    lines = text.split("\n")[: _line(text, rng.randrange(10, 20))]
    places = (line_with(text, "[Result "), len(lines) - 1, 0)
    return Corrupted("\n".join(lines), places)


def missing_trick(text: str, rng: random.Random) -> Corrupted | None:
    """A whole trick is missing."""
    line = _line(text, rng.randrange(3, 22))
    lines = text.split("\n")
    del lines[line]
    return Corrupted("\n".join(lines), (line,))


def _row(text: str, t: int) -> tuple[list[str], list[int]]:
    """The words of a trick's line, and the indexes of the plays or discards among them."""
    words = text.split("\n")[_line(text, t)].split(" ")
    return words, [i for i, w in enumerate(words) if re.fullmatch(r"-?[A-Z]\d+\+?", w)]


def missing_play(text: str, rng: random.Random) -> Corrupted | None:
    """One play of a trick is missing."""
    t = rng.randrange(3, 22)
    words, at = _row(text, t)
    words.pop(rng.choice(at))
    return _other_line(text, t, " ".join(words))


def extra_play(text: str, rng: random.Random) -> Corrupted | None:
    """A trick has a play too many: the next trick's first card."""
    t = rng.randrange(3, 22)
    words, at = _row(text, t)
    following, places = _row(text, t + 1)
    extra = following[places[0]].rstrip("+")
    words.insert(at[-1] + 1, extra)
    bad = _other_line(text, t, " ".join(words), extra)
    return Corrupted(bad.text, (bad.lines[0], bad.lines[0] + 1), extra)


def plays_swapped(text: str, rng: random.Random) -> Corrupted | None:
    """Phase 2: the two plays of a trick are swapped; each is then the other player's."""
    t = rng.randrange(PHASE, 2 * PHASE)
    words, at = _row(text, t)
    a, b = at
    if words[a].rstrip("+") == words[b].rstrip("+"):
        return None
    words[a], words[b] = words[b], words[a]
    return _other_line(text, t, " ".join(words), words[a].rstrip("+"))


def trick_number(text: str, rng: random.Random) -> Corrupted | None:
    """A number that is not the trick's."""
    t = rng.randrange(2, 24)
    words, _ = _row(text, t)
    words[0] = f"{t + 8}."
    return _other_line(text, t, " ".join(words), words[0])


def wrong_leader(text: str, rng: random.Random) -> Corrupted | None:
    """The other player is given as the leader, so that the result is the other player's."""
    if known(text).game.result not in SWAPPED:
        return None
    line = line_with(text, "[Leader ")
    if line < 0:
        return None
    new = "2" if '"1"' in text.split("\n")[line] else "1"
    lines = (line, *_result_lines(text), line_with(text, "[Votes "))
    return Corrupted(replace_line(text, line, f'[Leader "{new}"]'), lines, new)


def illegal_choice(text: str, rng: random.Random) -> Corrupted | None:
    """A Seer's choice although no Seer won."""
    t = rng.randrange(2, PHASE)
    words, at = _row(text, t)
    winner = next((words[i] for i in at if words[i].endswith("+")), "S")
    if winner[0] == "S" or "/" not in words[-1]:
        return None
    words[-1] = "~" + words[-1][1:]
    return _other_line(text, t, " ".join(words), words[-1])


def wrong_draw(text: str, rng: random.Random) -> Corrupted | None:
    """The cards drawn in two tricks are swapped; each player plays what the other drew."""
    facts = known(text)
    rows = {}
    for t, trick in enumerate(facts.game.tricks[:PHASE]):
        words, _ = _row(text, t)
        if trick.winner is not None and words[-1][0] == "/" and _single(words[-1][1:]):
            rows[t] = (words, 1 - trick.winner)
    pairs = [(t, u) for t in rows for u in rows if t < u and rows[t][1] != rows[u][1]]
    if not pairs:
        return None
    t, u = rng.choice(pairs)
    one, two = rows[t][0][-1], rows[u][0][-1]
    new = replace_line(text, _line(text, t), " ".join([*rows[t][0][:-1], two]))
    new = replace_line(new, _line(text, u), " ".join([*rows[u][0][:-1], one]))
    # It shows when those cards are played.
    names = (one[1:], two[1:])
    lines = [_line(text, place[0]) for place in _plays(text, 2) if facts.played[place] in names]
    return Corrupted(new, (_line(text, t), _line(text, u), *lines), one[1:])


def bad_encoding(text: str, rng: random.Random) -> Corrupted | None:
    """A byte that is not UTF-8, in a name."""
    line = line_with(text, "[Player1 ")
    return Corrupted(text.encode().replace(b'[Player1 "', b'[Player1 "\xe9', 1), (line,))


def unclosed_comment(text: str, rng: random.Random) -> Corrupted | None:
    """A comment that is never closed."""
    t = rng.randrange(3, 22)
    words, _ = _row(text, t)
    return _other_line(text, t, " ".join([*words, "{ a good trick"]), "{")


def duplicate_tag(text: str, rng: random.Random) -> Corrupted | None:
    """A tag occurs twice, with different values."""
    line = line_with(text, "[Player1 ")
    lines = text.split("\n")
    lines.insert(line + 1, '[Player1 "Somebody Else"]')
    return Corrupted("\n".join(lines), (line, line + 1), "Player1")


def broken_tag(text: str, rng: random.Random) -> Corrupted | None:
    """A tag without its closing quote."""
    line = line_with(text, "[Player1 ")
    lines = text.split("\n")
    lines.insert(line, '[Site "Nowhere]')
    return Corrupted("\n".join(lines), (line,), "Site")


def junk(text: str, rng: random.Random) -> Corrupted | None:
    """A word that means nothing."""
    t = rng.randrange(3, 22)
    words, at = _row(text, t)
    words.insert(rng.choice(at), "xyzzy")
    return _other_line(text, t, " ".join(words), "xyzzy")


def names_swapped(text: str, rng: random.Random) -> Corrupted | None:
    """The players' names are swapped: the record cannot reveal that."""
    line = line_with(text, "[Player1 ")
    swap = {"Player1": "Player2", "Player2": "Player1"}
    return Corrupted(re.sub(r"\[(Player[12]) ", lambda m: f"[{swap[m[1]]} ", text), (line,))


FORMAT = Format(
    ".clm",
    generate,
    join,
    read,
    inspect,
    {
        "card-twice": card_twice,
        "revoke": revoke,
        "not-held": not_held,
        "unknown-card": unknown_card,
        "not-in-deck": not_in_deck,
        "wrong-deck": wrong_deck,
        "illegal-deck": illegal_deck,
        "winner-mark": winner_mark,
        "wrong-result": wrong_result,
        "results-differ": results_differ,
        "wrong-votes": wrong_votes,
        "truncated": truncated,
        "missing-trick": missing_trick,
        "missing-play": missing_play,
        "extra-play": extra_play,
        "plays-swapped": plays_swapped,
        "trick-number": trick_number,
        "wrong-leader": wrong_leader,
        "illegal-choice": illegal_choice,
        "wrong-draw": wrong_draw,
        "bad-encoding": bad_encoding,
        "unclosed-comment": unclosed_comment,
        "duplicate-tag": duplicate_tag,
        "broken-tag": broken_tag,
        "junk": junk,
        "names-swapped": names_swapped,
    },
)

if __name__ == "__main__":
    os.environ.pop("CLAIMLOG_PURE", None)
    main(FORMAT)
