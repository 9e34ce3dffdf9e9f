"""Chess games in PGN with python-chess; the same files serve pgn-extract."""

from __future__ import annotations

import logging
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import chess.pgn
from common import (
    Corrupted,
    Corruptor,
    Format,
    Inspection,
    Report,
    line_with,
    main,
    one_by_one,
    replace_line,
)

PLIES = 80
"""Games end here, by resignation or agreement, if they have not ended before."""


def generate(seed: int) -> Iterator[str]:
    """Yield random legal games of at most `PLIES` plies."""
    rng = random.Random(seed)
    number = 0
    while True:
        number += 1
        game = chess.pgn.Game()
        game.headers.update(
            {
                "Event": "Random games",
                "Site": "Nowhere",
                "Date": "2026.01.01",
                "Round": str(number),
                "White": f"Player {rng.randrange(1000)}",
                "Black": f"Player {1000 + rng.randrange(1000)}",
            }
        )
        board = chess.Board()
        node: chess.pgn.GameNode = game
        while board.ply() < PLIES and not board.is_game_over():
            move = rng.choice(list(board.legal_moves))
            board.push(move)
            node = node.add_variation(move)
        outcome = board.outcome()
        result = outcome.result() if outcome else rng.choice(["1-0", "0-1", "1/2-1/2"])
        game.headers["Result"] = result
        yield game.accept(chess.pgn.StringExporter(columns=80))


def join(records: list[str]) -> str:
    """Games with an empty line between them."""
    return "\n\n".join(records) + "\n"


class Counter(chess.pgn.BaseVisitor[tuple[int, int]]):
    """Counts moves and errors, and builds nothing: the fastest way to check a game."""

    def begin_game(self) -> None:
        """Start to count."""
        self.moves = 0
        self.errors = 0

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        """Count a legal move."""
        self.moves += 1

    def handle_error(self, error: Exception) -> None:
        """Count an error."""
        self.errors += 1

    def result(self) -> tuple[int, int]:
        """The two counts."""
        return self.moves, self.errors


def read(path: Path) -> dict[str, Any]:
    """Read all games, checking every move."""
    games = plays = errors = 0
    with path.open(encoding="utf-8") as file:
        while (visitor := chess.pgn.read_game(file, Visitor=Counter)) is not None:
            games += 1
            plays += visitor[0]
            errors += visitor[1]
    return {"games": games, "plays": plays, "errors": errors}


def inspect(path: Path) -> Inspection:
    """Read with `read_game`, check `game.errors`, compare the outcome if the game is over."""
    reports: list[Report] = []
    games = 0
    logging.disable()  # the same errors are in game.errors
    try:
        with path.open(encoding="utf-8") as file:
            while (game := chess.pgn.read_game(file)) is not None:
                for error in game.errors:
                    message = f"{type(error).__name__}: {error}"
                    reports.append(Report(message, games, play=True))
                outcome = game.end().board().outcome()
                if outcome and outcome.result() != game.headers["Result"]:
                    message = f"the result is {outcome.result()}"
                    reports.append(Report(message, games, ours=True))
                games += 1
    except (ValueError, KeyError) as error:
        reports.append(Report(f"{type(error).__name__}: {error}"))
    return Inspection(games, reports)


# Corruptions --------------------------------------------------------------------------------

MOVE = re.compile(r"[KQRBNOa-h][\w+#=-]*")


def _moves(text: str) -> tuple[int, list[tuple[int, str]]]:
    """The offset of the movetext, and its moves with their offsets."""
    start = text.index("\n\n") + 2
    return start, [(m.start(), m[0]) for m in MOVE.finditer(text, start)]


def _at(text: str, start: int, old: str, new: str) -> Corrupted:
    return Corrupted(
        text[:start] + new + text[start + len(old) :], (text.count("\n", 0, start),), new.strip()
    )


def _board_before(moves: list[tuple[int, str]], index: int) -> chess.Board:
    board = chess.Board()
    for _, san in moves[:index]:
        board.push_san(san)
    return board


def _illegal(text: str, rng: random.Random, pieces: bool) -> Corrupted | None:
    """Insert an impossible move: of an existing piece or, if not `pieces`, of a missing one."""
    _, moves = _moves(text)
    index = rng.randrange(10, len(moves))
    board = _board_before(moves, index)
    square = chess.square_name(rng.randrange(64))
    for letter in rng.sample("NBRQK", 5):
        kind = chess.Piece.from_symbol(letter).piece_type
        if bool(board.pieces(kind, board.turn)) is not pieces:
            continue
        try:
            board.parse_san(letter + square)
        except chess.AmbiguousMoveError:
            continue
        except ValueError:
            return _at(text, *moves[index], letter + square)
    return None


def revoke(text: str, rng: random.Random) -> Corrupted | None:
    """A move that the rules forbid."""
    return _illegal(text, rng, pieces=True)


def not_held(text: str, rng: random.Random) -> Corrupted | None:
    """A move of a piece that the player no longer has."""
    return _illegal(text, rng, pieces=False)


def unknown_card(text: str, rng: random.Random) -> Corrupted | None:
    """A square that does not exist."""
    _, moves = _moves(text)
    index = rng.randrange(10, len(moves))
    return _at(text, *moves[index], "Nf9")


def winner_mark(text: str, rng: random.Random) -> Corrupted | None:
    """Mate announced when there is none."""
    _, moves = _moves(text)
    start, move = moves[rng.randrange(10, len(moves) - 2)]
    return None if move[-1] in "+#" else _at(text, start, move, move + "#")


def _swapped(result: str) -> str:
    return {"1-0": "0-1", "0-1": "1-0"}.get(result, "")


def _result(text: str) -> str:
    match = re.search(r'\[Result "([^"]+)"\]', text)
    return match[1] if match else ""


def wrong_result(text: str, rng: random.Random) -> Corrupted | None:
    """Tag and token give a mate to the mated side."""
    _, moves = _moves(text)
    result = _result(text)
    if not moves[-1][1].endswith("#") or not _swapped(result):
        return None
    lines = (line_with(text, "[Result"), text.rstrip("\n").count("\n"))
    return Corrupted(text.replace(result, _swapped(result)), lines, _swapped(result))


def results_differ(text: str, rng: random.Random) -> Corrupted | None:
    """The token has another result than the tag."""
    result = _result(text)
    if not _swapped(result):
        return None
    start = text.rindex(result)
    bad = _at(text, start, result, _swapped(result))
    return Corrupted(bad.text, (*bad.lines, line_with(text, "[Result")), bad.word)


def truncated(text: str, rng: random.Random) -> Corrupted | None:
    """The file was cut in the middle of the movetext."""
    _, moves = _moves(text)
    start, move = moves[len(moves) * 2 // 3]
    cut = text[: start + len(move)]
    return Corrupted(cut, (cut.count("\n"),), move)


def _pair(moves: list[tuple[int, str]], rng: random.Random) -> int:
    return 2 * rng.randrange(5, len(moves) // 2 - 2)


def _must_fail(bad: Corrupted | None) -> Corrupted | None:
    """Only a record whose moves can no longer be made is certainly corrupted."""
    if bad is None:
        return None
    _, moves = _moves(str(bad.text))
    board = chess.Board()
    for start, san in moves:
        try:
            board.push_san(san)
        except ValueError:
            # The place where the game cannot continue is a good place to report, too.
            line = str(bad.text).count("\n", 0, start)
            return Corrupted(bad.text, (*bad.lines, line), bad.word)
    return None


def missing_trick(text: str, rng: random.Random) -> Corrupted | None:
    """A whole move, White's and Black's, is missing."""
    _, moves = _moves(text)
    index = _pair(moves, rng)
    start, end = moves[index][0], moves[index + 2][0]
    gap = text[start:end]
    number = f"{index // 2 + 1}. "
    begin = text.rindex(number.strip(), 0, start)
    cut = text[:begin] + re.sub(r"^.*?(?=\d+\.)", "", gap, flags=re.DOTALL) + text[end:]
    return _must_fail(Corrupted(cut, (text.count("\n", 0, begin),), moves[index][1]))


def missing_play(text: str, rng: random.Random) -> Corrupted | None:
    """One move of one side is missing."""
    _, moves = _moves(text)
    start, move = moves[_pair(moves, rng) + 1]
    return _must_fail(_at(text, start, move + " ", ""))


def extra_play(text: str, rng: random.Random) -> Corrupted | None:
    """A move occurs twice in a row."""
    _, moves = _moves(text)
    start, move = moves[_pair(moves, rng) + 1]
    return _must_fail(_at(text, start, move, f"{move} {move}"))


def plays_swapped(text: str, rng: random.Random) -> Corrupted | None:
    """White's and Black's moves are swapped."""
    _, moves = _moves(text)
    index = _pair(moves, rng)
    (first, white), (second, black) = moves[index : index + 2]
    between = text[first + len(white) : second]
    return _must_fail(_at(text, first, white + between + black, black + between + white))


def trick_number(text: str, rng: random.Random) -> Corrupted | None:
    """A move number that is not the move's."""
    start, moves = _moves(text)
    number = _pair(moves, rng) // 2 + 1
    match = re.compile(rf"\b{number}\. ").search(text, start)
    return _at(text, match.start(), f"{number}.", f"{number + 7}.") if match else None


def bad_encoding(text: str, rng: random.Random) -> Corrupted | None:
    """A byte that is not UTF-8, in a name."""
    line = line_with(text, "[White ")
    data = text.encode().replace(b'[White "P', b'[White "\xe9')
    return Corrupted(data, (line,))


def unclosed_comment(text: str, rng: random.Random) -> Corrupted | None:
    """A comment that is never closed."""
    _, moves = _moves(text)
    start, move = moves[rng.randrange(10, len(moves) - 2)]
    return _at(text, start, move, move + " { a good move")


def duplicate_tag(text: str, rng: random.Random) -> Corrupted | None:
    """A tag occurs twice, with different values."""
    line = line_with(text, "[White ")
    lines = text.split("\n")
    lines.insert(line + 1, '[White "Somebody Else"]')
    return Corrupted("\n".join(lines), (line, line + 1), "White")


def broken_tag(text: str, rng: random.Random) -> Corrupted | None:
    """A tag without its closing quote."""
    line = line_with(text, "[Site ")
    return Corrupted(replace_line(text, line, '[Site "Nowhere]'), (line,), "Site")


def junk(text: str, rng: random.Random) -> Corrupted | None:
    """A word that means nothing."""
    _, moves = _moves(text)
    start, move = moves[rng.randrange(10, len(moves) - 2)]
    return _at(text, start, move, f"xyzzy {move}")


def names_swapped(text: str, rng: random.Random) -> Corrupted | None:
    """The players' names are swapped: the record cannot reveal that."""
    swap = {"White": "Black", "Black": "White"}
    line = line_with(text, "[White ")
    return Corrupted(re.sub(r"\[(White|Black) ", lambda m: f"[{swap[m[1]]} ", text), (line,))


def _in_long_games(corrupt: Corruptor) -> Corruptor:
    """Skip a corruption if the game ended early."""
    return lambda text, rng: corrupt(text, rng) if len(_moves(text)[1]) > 40 else None


FORMAT = Format(
    ".pgn",
    generate,
    join,
    read,
    one_by_one(inspect),
    {
        "revoke": _in_long_games(revoke),
        "not-held": _in_long_games(not_held),
        "unknown-card": _in_long_games(unknown_card),
        "winner-mark": _in_long_games(winner_mark),
        "wrong-result": wrong_result,
        "results-differ": _in_long_games(results_differ),
        "truncated": _in_long_games(truncated),
        "missing-trick": _in_long_games(missing_trick),
        "missing-play": _in_long_games(missing_play),
        "extra-play": _in_long_games(extra_play),
        "plays-swapped": _in_long_games(plays_swapped),
        "trick-number": _in_long_games(trick_number),
        "bad-encoding": _in_long_games(bad_encoding),
        "unclosed-comment": _in_long_games(unclosed_comment),
        "duplicate-tag": _in_long_games(duplicate_tag),
        "broken-tag": _in_long_games(broken_tag),
        "junk": _in_long_games(junk),
        "names-swapped": _in_long_games(names_swapped),
    },
)

if __name__ == "__main__":
    main(FORMAT)
