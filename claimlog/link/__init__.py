r"""A whole game in a code that fits into a link, and back.

>>> from claimlog import simulate_games
>>> game = next(simulate_games(1, seed=7))
>>> code = encode(game)
>>> len(code) <= 52, decode(code).tricks[0].plays == game.tricks[0].plays
(True, True)

A code holds the game: what was agreed (seats, deck, rule set, rulings, who led, loot) and what was
done (upcards, plays, draws, choices, revokes that stood, how it ended).  Names and event stand
beside it in a link; comments, clocks and ratings are left out.  Every legal record has a code,
however it is written: draws that nobody noted stay open, tags that say what holds anyway count
for nothing.

How: a game is a row of choices, and whoever knows the rules knows what could be chosen, and how
likely that was.  The deal is one of all deals, a play one of the legal ones.  The row is written
as one whole number (an arithmetic coder in exact numbers, "rANS"), a check of 20 bits is added,
and the whole is written in 64 characters that need no escaping in an address.

What a code means never changes: the characters, orders and weights in `coder` and `choices` are
part of the format.  The first choice of a code is its version; another format is another version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, urlencode

from claimlog.language.messages import Message, message_of
from claimlog.link.choices import content, read, ways, write
from claimlog.link.coder import ALPHABET, CodeError, Reader, Writer, letters, number_of
from claimlog.notation.writer import canonical
from claimlog.replay.recorder import replay_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from claimlog.game import Game

__all__ = ["ALPHABET", "LONGEST", "PATH", "CodeError", "decode", "encode", "link_of", "read_link"]

PATH: Final = "/r/"
"""Where a server shows the game of a code."""
LONGEST: Final = 400
"""No code has more characters: the longest games need some 130."""

_NAMES: Final = (
    *("Player1", "Player2", "Player3", "Player4"),
    *("Event", "Site", "Date", "Round", "Table"),
)
"""The tags that stand in a link beside the code."""


def encode(game: Game) -> str:
    """The code of a legal game, complete or not.  Raises CodeError for a game with errors."""
    return _code_of(game)


def _code_of(game: Game, read_from: str = "") -> str:
    """The code of a game, which was perhaps read from one."""
    if game.legal:
        # A game that is being played may know more than its record tells.
        (game,) = replay_text(canonical(game))
    if game.errors:
        raise CodeError("code.none", why=game.errors[0].message)
    why = Message("code.choices")
    for family in ways(game):
        codes = []
        for way in family:
            coder = Writer()
            try:
                write(coder, game, way)
                codes.append(letters(coder.number()))
            except ValueError as error:
                why = message_of(error)
        for code in sorted(codes, key=len):
            if code == read_from or (len(code) <= LONGEST and _holds(code, game)):
                return code
    raise CodeError("code.none", why=why)


def _holds(code: str, game: Game) -> bool:
    """Whether a code is read as this game."""
    try:
        return content(read(Reader(number_of(code)))) == content(game)
    except ValueError:
        return False


def decode(code: str, tags: Mapping[str, str] | None = None) -> Game:
    """The game of a code, with `tags` (names, event) besides.

    Raises CodeError for a text that is not exactly what `encode` makes of a legal game.
    """
    if not 0 < len(code) <= LONGEST or not set(code) <= set(ALPHABET):
        raise CodeError("code.not-one", code=code[:60])
    try:
        game = read(Reader(number_of(code)))
        good = _code_of(game, code) == code
    except (ValueError, IndexError):
        good = False
    if not good:
        raise CodeError("code.mistyped", code=code[:60])
    unknown = {f"Player{seat}": "?" for seat in range(1, game.seats + 1)}
    game.tags = unknown | game.tags | dict(tags or {})
    return game


def link_of(game: Game, server: str = "") -> str:
    """The address of a game at a server, or the part behind it: its code, and names and event.

    >>> from claimlog import State
    >>> state = State("GKUWX", players=["Ann Lee", "Bo"])
    >>> for word in ("U7", "G5", "G8"):
    ...     action = state.apply(word)
    >>> link_of(state.game(), "https://claim.example")
    'https://claim.example/r/KrtbggyAytk?Player1=Ann+Lee&Player2=Bo'
    """
    names = {name: value for name in _NAMES if (value := game.tags.get(name, "").strip("?"))}
    address = f"{server.rstrip('/')}{PATH}{encode(game)}"
    return f"{address}?{urlencode(names)}" if names else address


def read_link(text: str) -> Game:
    """The game of a code, or of a link with one.  Raises CodeError if it is none."""
    before, path, rest = text.strip().partition(PATH)
    code, _, query = (rest if path else before).partition("#")[0].partition("?")
    tags = {
        name: " ".join(value.split())
        for name, value in parse_qsl(query, max_num_fields=100)
        if name in _NAMES and len(value) <= LONGEST
    }
    return decode(code, tags)
