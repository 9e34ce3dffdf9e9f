"""Everything that can be wrong with a record: codes, and the findings behind them.

A *finding* is what the reader or the judge notes: a number from the list below, a place and a few
integers.  A *problem* (`claimlog.game.Problem`) is a finding in words, with line and column; every
report (docs/notation.md, "Problems") consists of problems.  Several findings share a code.

The findings are in order of precedence: if there are several on one token, only the first is
reported (docs/notation.md, "Problems").
"""

from __future__ import annotations

from typing import Final

(
    ENCODING,
    SYNTAX_TOKEN,
    SYNTAX_TAG,
    SYNTAX_AFTER_TAG,
    SYNTAX_COMMENT,
    SYNTAX_SPACE,
    SYNTAX_COLON,
    SYNTAX_MARK,
    SYNTAX_LIST,
    SYNTAX_ORDER,
    SYNTAX_LENGTH,
    NO_RECORD,
    VERSION,
    TAG_LENGTH,
    TAG_MARKS,
    BAD_TAG,
    DUPLICATE_TAG,
    BAD_SEATS,
    BAD_DECK,
    BAD_RULING,
    UNKNOWN_CARD,
    NOT_IN_DECK,
    CARD_COUNT,
    RACCOON_COUNT,
    TRICK_NUMBER,
    AUTO_PLAY,
    AUTO_DISCARD,
    MANY_UPCARDS,
    FEW_UPCARDS,
    LATE_UPCARDS,
    MANY_PLAYS,
    FEW_PLAYS,
    GAME_OVER,
    DRAW_COUNT,
    DRAW_TWICE,
    REVOKE,
    NOT_HELD,
    HAND_SIZE,
    PILE_SIZE,
    HAND_PLAY,
    PILE_CARD,
    HAND_RACCOON,
    WINNER_MARK,
    MISSING_PICK,
    MISSING_LOOT,
    ILLEGAL_PICK,
    NO_PICK_DUE,
    NO_SEER_DUE,
    LATE_CHOICE,
    CHOICE_TWICE,
    ILLEGAL_LOOT,
    NO_LOOT_DUE,
    INCOMPLETE,
    RESULT_PARTS,
    RESULT_DIFFER,
    RESULT_WRONG,
    RESULT_OPEN,
    VOTES_WRONG,
    LOOT_UNKNOWN,
    TROLLS_ADVISED_AGAINST,
    IRREGULAR_PLAY,
    NEEDLESS_IRREGULAR,
) = range(1, 63)

_CODES: Final = {
    "encoding": (ENCODING,),
    "syntax": range(SYNTAX_TOKEN, NO_RECORD + 1),
    "version": (VERSION,),
    "bad-tag": range(TAG_LENGTH, BAD_TAG + 1),
    "duplicate-tag": (DUPLICATE_TAG,),
    "bad-seats": (BAD_SEATS,),
    "bad-deck": (BAD_DECK,),
    "bad-ruling": (BAD_RULING,),
    "unknown-card": (UNKNOWN_CARD,),
    "not-in-deck": (NOT_IN_DECK,),
    "card-count": (CARD_COUNT, RACCOON_COUNT),
    "trick-number": (TRICK_NUMBER,),
    "auto-trick": (AUTO_PLAY, AUTO_DISCARD),
    "play-count": range(MANY_UPCARDS, DRAW_TWICE + 1),
    "revoke": (REVOKE,),
    "not-held": (NOT_HELD,),
    "deal": range(HAND_SIZE, HAND_RACCOON + 1),
    "winner-mark": (WINNER_MARK,),
    "missing-choice": (MISSING_PICK, MISSING_LOOT),
    "illegal-choice": range(ILLEGAL_PICK, NO_LOOT_DUE + 1),
    "incomplete": (INCOMPLETE,),
    "result": range(RESULT_PARTS, RESULT_OPEN + 1),
    "votes": (VOTES_WRONG,),
    "loot-unknown": (LOOT_UNKNOWN,),
    "trolls-advised-against": (TROLLS_ADVISED_AGAINST,),
    "irregular": (IRREGULAR_PLAY,),
    "needless-irregular": (NEEDLESS_IRREGULAR,),
}

CODES: Final = tuple(_CODES)
"""Every code, errors before warnings, in the order of precedence."""

CODE_OF: Final = {finding: code for code, findings in _CODES.items() for finding in findings}
"""The code of each finding."""

WARNINGS: Final = frozenset(CODES[CODES.index("loot-unknown") :])
"""The codes that are warnings."""
