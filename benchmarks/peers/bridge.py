"""Bridge deals with their play in PBN, read by endplay.

endplay reads the notation; its `Deal.legal_moves` checks each play, and its `trick_winner` counts
the tricks taken.
"""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from common import Corrupted, Format, Inspection, Report, line_with, main, one_by_one, replace_line
from endplay.dealer import generate_deal
from endplay.parsers import pbn
from endplay.types import Board, Contract, Denom, Penalty, Player
from endplay.utils.play import trick_winner

SUITS = {"S": Denom.spades, "H": Denom.hearts, "D": Denom.diamonds, "C": Denom.clubs}


def generate(seed: int) -> Iterator[str]:
    """Yield random deals, contracts and legal plays."""
    rng = random.Random(seed)
    number = 0
    while True:
        number += 1
        deal = generate_deal(seed=rng.randrange(1 << 30))
        declarer = rng.choice(list(Player))
        denom = rng.choice([*SUITS.values(), Denom.nt])
        deal.first = declarer.lho
        deal.trump = denom
        start = deal.copy()
        plays = []
        while len(deal.curhand):
            card = rng.choice(deal.legal_moves())
            deal.play(card)
            plays.append(card)
        level = rng.randrange(1, 8)
        made = _tricks(plays, start.first, denom, declarer)
        contract = Contract(
            level=level,
            denom=denom,
            declarer=declarer,
            penalty=Penalty.passed,
            result=made - level - 6,
        )
        out = io.StringIO()
        board = Board(start, play=plays, board_num=number, contract=contract)
        board.info.event = "Random deals"
        board.info.north = f"Player {rng.randrange(1000)}"
        board.info.south = f"Player {1000 + rng.randrange(1000)}"
        pbn.dump([board], out)
        yield "\n".join(line for line in out.getvalue().strip().split("\n") if line[0] != "%")


def join(records: list[str]) -> str:
    """Boards with an empty line between them."""
    return "% PBN 2.1\n% EXPORT\n" + "\n\n".join(records) + "\n"


def _tricks(plays: list[Any], first: Player, trump: Denom, declarer: Player) -> int:
    """The tricks of the declarer's side."""
    taken = 0
    for i in range(0, len(plays), 4):
        first = trick_winner(plays[i : i + 4], first, trump)
        taken += first in (declarer, declarer.partner)
    return taken


def _check(board: Board, game: int) -> Iterator[Report]:
    """Replay a board; report what endplay does not allow."""
    deal = board.deal.copy()
    for k, card in enumerate(board.play):
        if card not in deal.legal_moves():
            yield Report(
                f"play {k + 1}, {card}, is not one of the legal moves", game, play=True, ours=True
            )
            return
        deal.play(card)
    if len(deal.curhand) and not board.claimed:
        yield Report("cards are left in the hands", game, ours=True)
        return
    contract = board.contract
    made = _tricks(board.play, board.deal.first, contract.denom, contract.declarer)
    if made != contract.level + 6 + contract.result:
        yield Report(
            f"the result does not match the play: {made} tricks were made", game, ours=True
        )


def read(path: Path) -> dict[str, Any]:
    """Read all boards, checking every play."""
    with path.open(encoding="utf-8") as file:
        boards = pbn.load(file)
    errors = sum(1 for board in boards for _ in _check(board, 0))
    return {"games": len(boards), "plays": sum(len(b.play) for b in boards), "errors": errors}


def inspect(path: Path) -> Inspection:
    """Read and check; an exception of the parser ends the file."""
    try:
        with path.open(encoding="utf-8") as file:
            boards = pbn.load(file)
    except Exception as error:
        line = getattr(error, "lineno", None)
        return Inspection(0, [Report(f"{type(error).__name__}: {error}", None, line)])
    reports = []
    for game, board in enumerate(boards):
        try:
            reports += list(_check(board, game))
        except Exception as error:
            reports.append(Report(f"{type(error).__name__}: {error}", game))
    return Inspection(len(boards), reports)


# Corruptions --------------------------------------------------------------------------------


def _rows(text: str) -> tuple[int, list[list[str]], Board]:
    """The line of the first trick, the tricks as written, and the board."""
    first = line_with(text, "[Play ") + 1
    rows = [line.split() for line in text.split("\n")[first:]]
    return first, rows, pbn.loads(text)[0]


def _put(text: str, line: int, row: list[str], word: str = "") -> Corrupted:
    return Corrupted(replace_line(text, line, " ".join(row)), (line,), word)


def card_twice(text: str, rng: random.Random) -> Corrupted | None:
    """A card that was played before."""
    first, rows, _ = _rows(text)
    t, seat = rng.randrange(2, 12), rng.randrange(4)
    card = rows[rng.randrange(t)][rng.randrange(4)]
    rows[t][seat] = card
    return _put(text, first + t, rows[t], card)


def _swap(text: str, one: tuple[int, int], two: tuple[int, int], word: str) -> Corrupted:
    """Swap the cards of two (trick, column) places."""
    first, rows, _ = _rows(text)
    (t, a), (u, b) = one, two
    rows[t][a], rows[u][b] = rows[u][b], rows[t][a]
    new = replace_line(text, first + t, " ".join(rows[t]))
    return Corrupted(replace_line(new, first + u, " ".join(rows[u])), (first + t,), word)


def revoke(text: str, rng: random.Random) -> Corrupted | None:
    """A card of another suit, though the player holds one of the suit led."""
    _, rows, board = _rows(text)
    t = rng.randrange(1, 12)
    lead = str(board.play[4 * t])  # a card's name begins with its suit's symbol
    suit = "SHDC"["♠♥♦♣".index(lead[0])] if lead[0] in "♠♥♦♣" else lead[0]
    seats = [k for k in range(4) if rows[t][k][0] == suit]
    seat = rng.choice(seats)
    if rows[t][seat][1] == lead[1]:
        return None
    later = [u for u in range(t + 1, 13) if rows[u][seat][0] != suit]
    if not later:
        return None
    u = rng.choice(later)
    return _swap(text, (t, seat), (u, seat), rows[u][seat])


def not_held(text: str, rng: random.Random) -> Corrupted | None:
    """A card of the same suit that another player holds."""
    _, rows, _ = _rows(text)
    t = rng.randrange(1, 11)
    seat, other = rng.sample(range(4), 2)
    later = [u for u in range(t + 1, 13) if rows[u][other][0] == rows[t][seat][0]]
    if not later:
        return None
    u = rng.choice(later)
    return _swap(text, (t, seat), (u, other), rows[u][other])


def unknown_card(text: str, rng: random.Random) -> Corrupted | None:
    """A card that does not exist."""
    first, rows, _ = _rows(text)
    t = rng.randrange(13)
    rows[t][rng.randrange(4)] = "S1"
    return _put(text, first + t, rows[t], "S1")


def wrong_result(text: str, rng: random.Random) -> Corrupted | None:
    """One trick more than was made."""
    made = re.search(r'\[Result "(\d+)"\]', text)
    if made is None:
        return None
    line = line_with(text, "[Result ")
    word = str((int(made[1]) + 1) % 14)
    return Corrupted(replace_line(text, line, f'[Result "{word}"]'), (line,), word)


def truncated(text: str, rng: random.Random) -> Corrupted | None:
    """The file was cut in the middle of the play."""
    first, rows, _ = _rows(text)
    lines = text.split("\n")[: first + 9]
    lines[-1] = " ".join(rows[8][:2])
    return Corrupted("\n".join(lines), (first + 8,), rows[8][1])


def missing_trick(text: str, rng: random.Random) -> Corrupted | None:
    """A line of the play is missing."""
    first, _, _ = _rows(text)
    line = first + rng.randrange(2, 11)
    lines = text.split("\n")
    del lines[line]
    return Corrupted("\n".join(lines), (line,))


def missing_play(text: str, rng: random.Random) -> Corrupted | None:
    """One card of a trick is missing."""
    first, rows, _ = _rows(text)
    t = rng.randrange(2, 11)
    word = rows[t].pop(rng.randrange(4))
    return _put(text, first + t, rows[t], word)


def extra_play(text: str, rng: random.Random) -> Corrupted | None:
    """A trick with five cards."""
    first, rows, _ = _rows(text)
    t = rng.randrange(2, 11)
    rows[t].append(rows[t + 1][0])
    return _put(text, first + t, rows[t], rows[t][-1])


def plays_swapped(text: str, rng: random.Random) -> Corrupted | None:
    """Two cards of one trick are swapped."""
    first, rows, _ = _rows(text)
    t = rng.randrange(1, 12)
    a, b = rng.sample(range(4), 2)
    rows[t][a], rows[t][b] = rows[t][b], rows[t][a]
    return _put(text, first + t, rows[t], rows[t][a])


def wrong_leader(text: str, rng: random.Random) -> Corrupted | None:
    """Another player is given as the leader."""
    line = line_with(text, "[Play ")
    old = text.split("\n")[line][7]
    new = rng.choice([hand for hand in "NESW" if hand != old])
    return Corrupted(replace_line(text, line, f'[Play "{new}"]'), (line,), new)


def bad_encoding(text: str, rng: random.Random) -> Corrupted | None:
    """A byte that is not UTF-8, in a name."""
    line = line_with(text, "[North ")
    return Corrupted(text.encode().replace(b'[North "P', b'[North "\xe9'), (line,))


def unclosed_comment(text: str, rng: random.Random) -> Corrupted | None:
    """A comment that is never closed."""
    line = line_with(text, "[Dealer ")
    lines = text.split("\n")
    lines.insert(line, "{ a good deal")
    return Corrupted("\n".join(lines), (line,), "{")


def duplicate_tag(text: str, rng: random.Random) -> Corrupted | None:
    """A tag occurs twice, with different values."""
    line = line_with(text, "[North ")
    lines = text.split("\n")
    lines.insert(line + 1, '[North "Somebody Else"]')
    return Corrupted("\n".join(lines), (line, line + 1), "North")


def broken_tag(text: str, rng: random.Random) -> Corrupted | None:
    """A tag without its closing quote."""
    line = line_with(text, "[Site ")
    return Corrupted(replace_line(text, line, '[Site "Nowhere]'), (line,), "Site")


def junk(text: str, rng: random.Random) -> Corrupted | None:
    """A word that means nothing."""
    first, rows, _ = _rows(text)
    t = rng.randrange(2, 11)
    rows[t].insert(rng.randrange(4), "xyzzy")
    return _put(text, first + t, rows[t], "xyzzy")


def names_swapped(text: str, rng: random.Random) -> Corrupted | None:
    """The players' names are swapped: the record cannot reveal that."""
    swap = {"North": "South", "South": "North"}
    line = line_with(text, "[North ")
    return Corrupted(re.sub(r"\[(North|South) ", lambda m: f"[{swap[m[1]]} ", text), (line,))


FORMAT = Format(
    ".pbn",
    generate,
    join,
    read,
    one_by_one(inspect),
    {
        "card-twice": card_twice,
        "revoke": revoke,
        "not-held": not_held,
        "unknown-card": unknown_card,
        "wrong-result": wrong_result,
        "truncated": truncated,
        "missing-trick": missing_trick,
        "missing-play": missing_play,
        "extra-play": extra_play,
        "plays-swapped": plays_swapped,
        "wrong-leader": wrong_leader,
        "bad-encoding": bad_encoding,
        "unclosed-comment": unclosed_comment,
        "duplicate-tag": duplicate_tag,
        "broken-tag": broken_tag,
        "junk": junk,
        "names-swapped": names_swapped,
    },
)

if __name__ == "__main__":
    main(FORMAT)
