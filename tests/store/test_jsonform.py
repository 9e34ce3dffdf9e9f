"""Games printed by `claimlog replay --format json` are read back as the same games."""

import json

import pytest

from claimlog import loads, simulate_games
from claimlog.store.model.jsonform import text_of_line


@pytest.mark.parametrize(("deck", "seats"), [("GKSUX", 2), ("NISAUXW", 3), ("MPSADUX", 4)])
def test_seers_picks_and_draws_are_worked_out(deck: str, seats: int) -> None:
    """What was taken tells a Seer's card from an upcard, whatever letter the faction has."""
    looked = 0
    for game in simulate_games(4, deck=deck, seats=seats, seed=5):
        (again,) = loads(text_of_line(json.dumps(game.report()).encode()))
        assert again.errors == []
        assert [trick.taken for trick in again.tricks] == [trick.taken for trick in game.tricks]
        assert again.score == game.score
        looked += sum(trick.looked for trick in again.tricks)
        assert sum(t.looked for t in again.tricks) == sum(t.looked for t in game.tricks)
    assert looked


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"record": 3}', "record: must be a text or null, not a whole number"),
        (b"[]", "must be an object, not a list"),
        (b'{"record": "', "it ends too early"),
        (b"not json", "malformed at byte 4"),
    ],
)
def test_what_is_no_game_is_told_in_words(line: bytes, why: str) -> None:
    """As for a single game, not in those of the library that reads it."""
    with pytest.raises(ValueError, match=r"^this is not a game in JSON: ") as raised:
        text_of_line(line)
    assert str(raised.value).endswith(f": {why}")
