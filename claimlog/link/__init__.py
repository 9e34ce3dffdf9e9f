r"""Encode a whole game as a code short enough for a link, and decode it.

>>> from claimlog import simulate_games
>>> game = next(simulate_games(1, seed=7))
>>> code = encode(game)
>>> len(code) <= 52, decode(code).tricks[0].plays == game.tricks[0].plays
(True, True)

A code holds what was agreed (seats, deck, rule set, rulings, leader, loot) and what was done
(upcards, plays, draws, choices, revokes that stood, how the game ended).  The names and the event
are separate parameters of a link; comments, clock times and ratings are left out.  Every legal
record has a code, whichever way it is written: draws that nobody noted stay unknown, and tags that
only restate a default make no difference.

How it works: a game is a sequence of choices, and the rules tell which options each choice had and
how likely each of them was.  The deal is one of all deals, a play one of the legal ones.  The
sequence becomes one integer (an arithmetic coder with exact integers, "rANS"), a 20-bit check is
added, and the result is written with 64 characters that need no escaping in a URL.

The meaning of a code never changes: the characters, orders and weights in `coder` and `choices` are
part of the format.  The first choice in a code is its version; a changed format is a new version.
Version 2 holds what version 1 cannot: choices of a last trick that lacks something before them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, urlencode

from claimlog.language.messages import Message, message_of
from claimlog.link.choices import content, read, ways, write
from claimlog.link.coder import ALPHABET, CodeError, Reader, Writer, letters, number_of
from claimlog.notation.writer import canonical
from claimlog.parts import known
from claimlog.replay.recorder import replay_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from claimlog.game import Game

__all__ = ["ALPHABET", "LONGEST", "PATH", "CodeError", "decode", "encode", "link_of", "read_link"]

PATH: Final = "/r/"
"""The path at which a server shows the game of a code."""
LONGEST: Final = 400
"""The maximum length of a code in characters; the longest games need about 130."""

_NAMES: Final = (
    *("Player1", "Player2", "Player3", "Player4"),
    *("Event", "Site", "Date", "Round", "Table"),
)
"""The tags that a link carries beside the code."""


def encode(game: Game) -> str:
    """Return the code of a legal game, complete or not.  Raises CodeError if it has errors."""
    return _code_of(game)


def _code_of(game: Game, read_from: str = "") -> str:
    """Return the code of a game; `read_from` is the code it was decoded from, if any."""
    if game.legal:
        # A game in progress may know more than its record says.
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
    """Whether a code decodes to this game."""
    try:
        return content(read(Reader(number_of(code)))) == content(game)
    except ValueError:
        return False


def decode(code: str, tags: Mapping[str, str] | None = None) -> Game:
    """Return the game of a code, with `tags` (names, event) added.

    Raises CodeError for any text other than exactly what `encode` returns for a legal game.
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
    """Return a game's URL at a server, or only its path: the code with names and event.

    >>> from claimlog import State
    >>> state = State("GKUWX", players=["Ann Lee", "Bo"])
    >>> for word in ("U7", "G5", "G8"):
    ...     action = state.apply(word)
    >>> link_of(state.game(), "https://claim.example")
    'https://claim.example/r/KrtbggyAytk?Player1=Ann+Lee&Player2=Bo'
    """
    names = {name: value for name in _NAMES if (value := known(game.tags.get(name, "")))}
    address = f"{server.rstrip('/')}{PATH}{encode(game)}"
    return f"{address}?{urlencode(names)}" if names else address


def read_link(text: str) -> Game:
    """Return the game of a code, or of a link that holds one.  Raises CodeError otherwise."""
    before, path, rest = text.strip().partition(PATH)
    code, _, query = (rest if path else before).partition("#")[0].partition("?")
    tags = {
        name: " ".join(value.split())
        for name, value in parse_qsl(query, max_num_fields=100)
        if name in _NAMES and len(value) <= LONGEST
    }
    return decode(code, tags)
