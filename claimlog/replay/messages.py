"""The content of each finding's message: one small function each.

The texts are in the catalogues of `claimlog.language`.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from claimlog.cards import (
    CARDS,
    COPIES,
    FACTION_OF,
    FACTIONS,
    LETTERS,
    NAMES,
    DeckError,
    deck_letters,
    deck_of,
    deck_problem,
)
from claimlog.notation import problems as p
from claimlog.notation.marks import FOR_THE_DIRECTOR
from claimlog.notation.names import LONGEST, MARKS
from claimlog.notation.tags import CHECKS, OTHER_TAG, TAG_FIELDS, TAGS, TERMINATIONS, unescape
from claimlog.notation.tokens import DISCARD, DRAW, HIGHEST_NUMBER, NO_CARD, PLAY, SEER, UPCARD
from claimlog.replay.spoken import spoken_card
from claimlog.results import NO_RESULT, result_text
from claimlog.rules.powers import may_play
from claimlog.rules.setup import MAX_TRICKS, RULE_SETS, RULINGS, upcards_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from claimlog.language import Words
    from claimlog.replay.judge import Judge

    Finding = tuple[int, int, int, int, int, int, int, int]
    _Teller = Callable[[Words, Judge, Finding], str]

# Parts of messages -------------------------------------------------------------------------


def _written(judge: Judge, finding: Finding) -> str:
    """The text that a finding is about, shortened."""
    text = judge.sheet.text[finding[1] : finding[2]].decode(errors="replace")
    return text if len(text) <= 40 else text[:37] + "..."


def _seat(say: Words, seat: int) -> str:
    return say("problem.seat", number=seat + 1)


def _faction(say: Words, faction: int) -> str:
    return say.faction(LETTERS[faction])


def _cards(cards: list[int], most: int = 12) -> str:
    names = [NAMES[card] for card in cards]
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")


def tag_of(judge: Judge, finding: Finding) -> tuple[str, str]:
    """Name and value of the tag that a finding points at."""
    sheet = judge.sheet
    place = bisect_right(range(sheet.tags), finding[1], key=lambda i: sheet.tag_at[i * TAG_FIELDS])
    if place:
        at = sheet.tag_at[(place - 1) * TAG_FIELDS : place * TAG_FIELDS]
        if at[0] <= finding[1] < at[1]:
            return (
                sheet.text[at[2] : at[3]].decode(),
                sheet.text[at[4] : at[5]].decode(errors="replace"),
            )
    return "", ""


def _phase(judge: Judge, trick: int) -> range:
    """The tricks (from 0) of the phase that trick `trick` (from 1) lies in."""
    first = 0 if trick <= judge.tricks else judge.tricks
    return range(first, min(first + judge.tricks, judge.known_tricks))


def _plays_of(judge: Judge, seat: int, tricks: range) -> list[tuple[int, int, str]]:
    """The cards that a seat played: (trick from 1, card, "played" or "discarded")."""
    plays = []
    for t in tricks:
        card = judge.play_card[t * 4 + seat]
        if card < NO_CARD:
            face_down = judge.sheet.kind[judge.play_token[t * 4 + seat]] == DISCARD
            plays.append((t + 1, card, "discarded" if face_down else "played"))
    return plays


def _taken_by(judge: Judge, seat: int) -> list[tuple[int, int]]:
    """The cards that a seat is known to have taken: (trick from 1, card)."""
    return [
        (t + 1, card)
        for t in range(judge.tricks)
        if (card := judge.table.followers[seat * MAX_TRICKS + t]) < NO_CARD
    ]


def _still_held(say: Words, judge: Judge, finding: Finding) -> str:
    """Proof that a seat held a card of the led faction when it did not follow."""
    _, _, _, trick, seat, _, _, led = finding
    later = range(trick, _phase(judge, trick).stop)
    for number, card, how in _plays_of(judge, seat, later):
        if FACTION_OF[card] == led:
            return say(f"problem.held-{how}", card=NAMES[card], number=number)
    if trick > judge.tricks:
        for number, card in _taken_by(judge, seat):
            if FACTION_OF[card] == led and _never_played(judge, seat, card):
                return say("problem.held-taken", card=NAMES[card], number=number)
    elif left := [card for card in _left_of_hand(judge, seat) if FACTION_OF[card] == led]:
        unread = any(judge.play_card[t * 4 + seat] >= NO_CARD for t in range(trick - 1))
        if len(left) == 1 or not unread:
            return say("problem.held-hand", card=NAMES[left[0]], seat=seat + 1)
        return say("problem.held-hand-one", cards=_cards(sorted(left)), seat=seat + 1)
    return say("problem.held", faction=_faction(say, led))


def _left_of_hand(judge: Judge, seat: int) -> list[int]:
    """The cards of a Hand tag that never come to light."""
    if not judge.dealt or judge.hands[seat] is None:
        return []
    return judge.left_of_hand(seat, min(judge.known_tricks, judge.tricks))[0]


def _never_played(judge: Judge, seat: int, card: int) -> bool:
    late = range(judge.tricks, judge.known_tricks)
    played = sum(1 for _, other, _ in _plays_of(judge, seat, late) if other == card)
    return played < sum(1 for _, other in _taken_by(judge, seat) if other == card)


def _whereabouts(say: Words, judge: Judge, card: int, seat: int) -> str:
    """The places where a card that `seat` cannot have taken is known to be."""
    places = []
    for other in range(judge.seats):
        for number, played, how in _plays_of(judge, other, range(judge.tricks)):
            if played == card:
                places.append(say(f"problem.it-{how}", seat=_seat(say, other), number=number))
        if other != seat:
            for number, taken in _taken_by(judge, other):
                if taken == card:
                    places.append(say("problem.it-took", seat=_seat(say, other), number=number))
    return say.join(places[:2])


# Messages -------------------------------------------------------------------------------------


def _token(say: Words, judge: Judge, finding: Finding) -> str:
    """A card written as it is spoken has its own message."""
    card = spoken_card(judge.sheet.text[finding[1] : finding[2]].decode(errors="replace"))
    if card < CARDS:
        return say("problem.spoken-card", written=_written(judge, finding), card=NAMES[card])
    return _with_text("problem.token")(say, judge, finding)


def _unknown_card(say: Words, judge: Judge, finding: Finding) -> str:
    word = _written(judge, finding).strip("+^!?-=~:,/")
    faction = LETTERS.find(word[:1].upper()) if word else -1
    if faction < 0:
        return say("problem.no-letter", card=word, letter=word[:1])
    values = ", ".join(map(str, FACTIONS[faction].values))
    return say("problem.no-value", card=word, faction=_faction(say, faction), values=values)


def _not_in_deck(say: Words, judge: Judge, finding: Finding) -> str:
    word = _written(judge, finding).strip("+^!?-=~:,/")
    faction = _faction(say, max(LETTERS.find(word[:1].upper()), 0))
    token = finding[6]
    played = token >= 0 and judge.sheet.kind[token] in (PLAY, DISCARD)
    key = "problem.not-in-deck" if played else "problem.not-in-deck-shown"
    return say(key, card=word, faction=faction, deck=deck_letters(judge.deck))


def _card_count(say: Words, judge: Judge, finding: Finding) -> str:
    card = finding[5]
    tag, _ = tag_of(judge, finding)
    before = len(judge.sheet.text) if tag else finding[1]
    places = [say("problem.trick", number=n) for n in _shown_before(judge, before, card)]
    if tag:
        places = _other_tags(judge, card, tag) + places
    if finding[7] == 1:
        tricks = range(judge.tricks, min(finding[3] - 1, judge.known_tricks))
        places = [
            say("problem.seat-in-trick", seat=_seat(say, seat), number=number)
            for seat in range(judge.seats)
            for number, other, _ in _plays_of(judge, seat, tricks)
            if other == card
        ]
    text = say.count("problem.count", COPIES[card], card=NAMES[card])
    if not places:
        return text
    there = say.join(list(dict.fromkeys(places)))
    if finding[7] == 1:
        return text + say("problem.played-by", places=there)
    return text + say.count("problem.stands-in", COPIES[card], places=there)


def _other_tags(judge: Judge, card: int, tag: str) -> list[str]:
    """The tags of the deal that list a card, `tag` only if it lists the card twice."""
    deal = {f"Hand{seat}": hand for seat, hand in enumerate(judge.hands, 1)} | {"Pile": judge.pile}
    return [
        name
        for name, cards in deal.items()
        if (cards or []).count(card) > (1 if name == tag else 0)
    ]


def _shown_before(judge: Judge, offset: int, card: int) -> list[int]:
    """The tricks (from 1) in which Phase 1 shows a card before `offset`.

    Only the beginning of an endlessly long trick is examined.
    """
    sheet = judge.sheet
    first = judge.first_token
    return [
        t + 1
        for t in range(min(judge.table.trick, judge.tricks))
        for token in range(first[t], min(first[t + 1], first[t] + 200, sheet.size))
        if sheet.card[token] == card
        and sheet.kind[token] in _SHOWING
        and sheet.start[token] < offset
    ]


_SHOWING: Final = frozenset({UPCARD, PLAY, DISCARD, SEER, DRAW})
"""The kinds of token that show a card of the deal in Phase 1."""


def _trick_number(say: Words, judge: Judge, finding: Finding) -> str:
    number, written = finding[3], finding[7]
    key = "problem.number" if written > number else "problem.number-again"
    text = written if written < HIGHEST_NUMBER else _written(judge, finding).rstrip(".")
    return say(key, number=number, written=text)


def _auto_play(say: Words, judge: Judge, finding: Finding) -> str:
    card = _written(judge, finding).strip("+^!?")
    return say("problem.auto-play", seat=_seat(say, finding[7]), card=card)


def _many_upcards(say: Words, judge: Judge, _finding: Finding) -> str:
    expected = upcards_of(judge.seats)
    return say("problem.upcards-many", seats=judge.seats, wanted=expected)


def _few_upcards(say: Words, judge: Judge, finding: Finding) -> str:
    if judge.seats == 2:
        return say("problem.upcards-few-2", number=finding[7])
    return say("problem.upcards-few", seats=judge.seats, number=finding[7])


def _late_upcards(say: Words, judge: Judge, _finding: Finding) -> str:
    return say("problem.upcards-late", number=judge.tricks + 1)


def _few_plays(say: Words, judge: Judge, finding: Finding) -> str:
    return say("problem.plays-few", number=finding[7], seats=judge.seats)


def _game_over(say: Words, judge: Judge, _finding: Finding) -> str:
    if judge.bye:
        return say("problem.bye-tricks")
    return say("problem.over", number=2 * judge.tricks)


def _draw_count(say: Words, _judge: Judge, finding: Finding) -> str:
    drawn, expected = divmod(finding[7], 4)
    if not expected:
        return say("problem.no-draw")
    return say.count("problem.draws", expected, drawn=drawn)


def _revoke(say: Words, judge: Judge, finding: Finding) -> str:
    held = sorted(
        {
            card
            for _, card, _ in _plays_of(
                judge, finding[4], range(finding[3], _phase(judge, finding[3]).stop)
            )
            if may_play(1 << finding[7], finding[7], FACTION_OF[card])
        }
    )
    proof = _still_held(say, judge, finding)
    if len(held) > 1:
        proof = say("problem.legal", proof=proof, cards=_cards(held))
    faction = _faction(say, finding[7])
    return say("problem.revoke", seat=_seat(say, finding[4]), faction=faction, proof=proof)


def _irregular(say: Words, judge: Judge, finding: Finding) -> str:
    asked = _left_to_the_director(judge, finding)
    key = "problem.irregular-asked" if asked else "problem.irregular"
    return say(key, revoke=_revoke(say, judge, finding))


def _left_to_the_director(judge: Judge, finding: Finding) -> bool:
    """Whether a comment on a play asks the director to decide."""
    sheet = judge.sheet
    return any(
        token == finding[6] and sheet.text[start:end].decode(errors="replace") == FOR_THE_DIRECTOR
        for token, start, end in zip(*[iter(sheet.comments)] * 3, strict=True)
    )


def _needless_irregular(say: Words, _judge: Judge, finding: Finding) -> str:
    return say("problem.needless", seat=_seat(say, finding[4]), card=NAMES[finding[5]])


def _not_held(say: Words, judge: Judge, finding: Finding) -> str:
    seat, card = finding[4], finding[5]
    reason = _whereabouts(say, judge, card, seat) or say("problem.all-known")
    missing = sorted(
        {
            say("problem.taken-in", card=NAMES[other], number=number)
            for number, other in _taken_by(judge, seat)
            if _never_played(judge, seat, other)
        }
    )
    if judge.complete and missing:
        reason = say("problem.never-plays", reason=reason, cards=", ".join(missing[:4]))
    return say("problem.not-held", seat=_seat(say, seat), card=NAMES[card], reason=reason)


def _hand_size(say: Words, judge: Judge, finding: Finding) -> str:
    name, _ = tag_of(judge, finding)
    return say.count(
        "problem.hand-size", finding[7], tag=name, seats=judge.seats, wanted=judge.tricks
    )


def _pile_size(say: Words, judge: Judge, finding: Finding) -> str:
    return say.count("problem.pile-size", finding[7], wanted=judge.seats * judge.tricks)


def _hand_play(say: Words, judge: Judge, finding: Finding) -> str:
    seat = finding[4]
    hand = [card for card in judge.hands[seat] or () if card < CARDS]
    return say(
        "problem.hand-play",
        seat=_seat(say, seat),
        card=NAMES[finding[5]],
        number=seat + 1,
        cards=_cards(hand, 13),
    )


def _pile_card(say: Words, _judge: Judge, finding: Finding) -> str:
    return say("problem.pile-card", wanted=NAMES[finding[7]], card=NAMES[finding[5]])


def _winner_mark(say: Words, judge: Judge, finding: Finding) -> str:
    trick, winner = finding[3], finding[7]
    if judge.led[trick - 1] >= len(FACTIONS):
        return say("problem.mark-discard", winner=_seat(say, winner))
    return say(
        "problem.mark-lost",
        card=NAMES[finding[5]],
        seat=_seat(say, finding[4]),
        best=NAMES[judge.play_card[(trick - 1) * 4 + winner]],
        winner=_seat(say, winner),
        faction=_faction(say, judge.led[trick - 1]),
    )


def _missing_loot(say: Words, judge: Judge, finding: Finding) -> str:
    side = finding[7]
    return say("problem.no-loot", side=side + 1, factions=_fewest(judge, side))


def _fewest(judge: Judge, side: int) -> str:
    return ", ".join(deck_letters(judge.count.fewest[side]))


def _illegal_loot(say: Words, judge: Judge, finding: Finding) -> str:
    side, faction = divmod(finding[7], 32)
    return say(
        "problem.bad-loot",
        side=side + 1,
        faction=_faction(say, faction),
        factions=_fewest(judge, side),
    )


def _no_loot_due(say: Words, _judge: Judge, finding: Finding) -> str:
    return say("problem.needless-loot", side=finding[7] + 1)


def _incomplete(say: Words, judge: Judge, finding: Finding) -> str:
    return say("problem.incomplete", number=finding[7], total=2 * judge.tricks)


def _result_written(judge: Judge, finding: Finding) -> str:
    name, value = tag_of(judge, finding)
    return value if name == "Result" else _written(judge, finding)


def _as_played(say: Words, judge: Judge, text: str) -> str:
    """`text`, and how the game really ended, if known."""
    if not judge.scored:
        return text
    return say("problem.ended", text=text, result=result_text(judge.played_result()))


def _result_parts(say: Words, judge: Judge, finding: Finding) -> str:
    written = _result_written(judge, finding)
    key = "problem.result-parts"
    if judge.bye:
        key = "problem.result-bye"
    elif judge.result >> 3 == judge.sides:
        key = "problem.result-nobody"
    return _as_played(say, judge, say(key, result=written, sides=judge.sides))


def _result_differ(say: Words, judge: Judge, _finding: Finding) -> str:
    sheet = judge.sheet
    place = judge.tag_of[TAGS.index("Result")] * TAG_FIELDS
    tag = sheet.text[sheet.tag_at[place + 4] : sheet.tag_at[place + 5]].decode(errors="replace")
    result = sheet.text[sheet.start[sheet.size - 1] : sheet.end[sheet.size - 1]].decode()
    return _as_played(say, judge, say("problem.result-differ", tag=tag, result=result))


def _result_wrong(say: Words, judge: Judge, finding: Finding) -> str:
    written = _result_written(judge, finding)
    return _as_played(say, judge, say("problem.result-wrong", result=written))


def _result_open(say: Words, judge: Judge, _finding: Finding) -> str:
    if judge.bye:
        return say("problem.result-bye", result="*")
    written = say("problem.result-open" if _open(judge) else "problem.result-missing")
    return _as_played(say, judge, written)


def _open(judge: Judge) -> bool:
    """Whether ``*`` is written."""
    return judge.tag_result != NO_RESULT or judge.sheet.result != NO_RESULT


def _votes_wrong(say: Words, judge: Judge, finding: Finding) -> str:
    votes = "-".join(str(judge.count.votes[side]) for side in range(judge.sides))
    return say("problem.votes", written=tag_of(judge, finding)[1], votes=votes)


def _tag_length(say: Words, judge: Judge, finding: Finding) -> str:
    name, value = tag_of(judge, finding)
    if len(name) > LONGEST:
        return say("problem.tag-name-long", tag=f"{name[:20]}…", number=len(name), most=LONGEST)
    return say("problem.tag-long", tag=name, number=len(unescape(value)), most=LONGEST)


def _tag_marks(say: Words, judge: Judge, finding: Finding) -> str:
    return say("problem.tag-marks", tag=tag_of(judge, finding)[0], most=MARKS)


def _bad_tag(say: Words, judge: Judge, finding: Finding) -> str:
    name, value = tag_of(judge, finding)
    tag = TAGS.index(name) if name in TAGS else OTHER_TAG
    key = "cards"
    if tag in CHECKS:
        key = CHECKS[tag](value) or "votes-sides"
    elif name in _WANTED:
        key = _WANTED[name]
    key = f"wanted.{key}"
    if f"{key}.one" in say.texts:  # a bye has one seat
        key += ".one" if judge.seats == 1 else ".other"
    expected = say(
        key,
        value=value,
        names=", ".join(TERMINATIONS if name == "Termination" else RULE_SETS),
        seats=judge.seats,
        sides=judge.sides,
    )
    shown = value if finding[7] < len(TAGS) else _written(judge, finding)
    return say("problem.bad-tag", tag=name, shown=shown, wanted=expected)


_WANTED: Final = {
    "Leader": "leader",
    "Result": "result",
    "Loot": "loot",
    "LootCards": "loot-cards",
}
"""The expected content of tags whose values the judge reads; all others expect cards."""


def _bad_seats(say: Words, judge: Judge, finding: Finding) -> str:
    highest, played = finding[7] & 7, finding[7] >> 3
    if judge.seats == played:
        names = [
            f"Player{seat}" for seat in range(min(highest, played) + 1, 1 + max(highest, played))
        ]
        key = "problem.more-plays" if highest < played else "problem.fewer-plays"
        return say.count(key, len(names), names=say.join(names), plays=played)
    if _is_bye(judge):
        return say("problem.bye")
    if finding[7] == 1:
        return say("problem.alone")
    missing = [
        f"Player{seat + 1}"
        for seat in range(finding[7])
        if judge.tag_of[TAGS.index(f"Player{seat + 1}")] < 0
    ]
    return say.count("problem.gap", len(missing), names=say.join(missing))


def _is_bye(judge: Judge) -> bool:
    tag = TAGS.index("Termination")
    return judge.tag_of[tag] >= 0 and judge._value(tag) == b"bye"


def _bad_deck(say: Words, judge: Judge, finding: Finding) -> str:
    name, value = tag_of(judge, finding)
    if name != "Deck":
        return say("problem.no-deck")
    if not value:
        return say("problem.empty-deck")
    try:
        problem = deck_problem(deck_of(value), judge.seats, classic=judge.classic)
    except DeckError as error:
        problem = error
    return say("problem.deck", deck=value, problem=say.deck(problem) if problem else "")


def _bad_ruling(say: Words, judge: Judge, finding: Finding) -> str:
    known = "; ".join(f"{key}={'|'.join(ruling.values)}" for key, ruling in RULINGS.items())
    return say("problem.ruling", value=tag_of(judge, finding)[1], known=known)


def _with_seats(key: str) -> _Teller:
    """A message with the number of players."""
    return lambda say, judge, _finding: say(key, seats=judge.seats)


def _with_seat(key: str) -> _Teller:
    """A message with one seat."""
    return lambda say, _judge, finding: say(key, seat=_seat(say, finding[4]))


def _with_text(key: str) -> _Teller:
    """A message with the text written."""
    return lambda say, judge, finding: say(
        key, written=_written(judge, finding), tag=tag_of(judge, finding)[0]
    )


def _bad_bytes(say: Words, judge: Judge, finding: Finding) -> str:
    """NUL is valid UTF-8, but not text; letters of Windows-1252 stand in words, or one by one."""
    text = judge.sheet.text[finding[1] : finding[2]]
    if b"\0" in text:
        return _with_text("problem.null")(say, judge, finding)
    meant = bytes(text).decode("cp1252", "replace")
    # 0xFF is hardly ever meant, and UTF-16 begins with it.
    if meant.isalpha() and len(meant) <= 2 and "ÿ" not in meant:
        return say("problem.windows-1252", meant=meant)
    return _with_text("problem.encoding")(say, judge, finding)


_MESSAGES: Final[dict[int, _Teller]] = {
    p.ENCODING: _bad_bytes,
    p.SYNTAX_TOKEN: _token,
    p.SYNTAX_TAG: _with_text("problem.tag"),
    p.SYNTAX_AFTER_TAG: _with_text("problem.after-tag"),
    p.SYNTAX_COMMENT: _with_text("problem.open-comment"),
    p.SYNTAX_SPACE: _with_text("problem.space"),
    p.SYNTAX_COLON: _with_text("problem.colon"),
    p.SYNTAX_MARK: _with_text("problem.mark"),
    p.SYNTAX_LIST: _with_text("problem.list"),
    p.SYNTAX_ORDER: _with_text("problem.order"),
    p.SYNTAX_LENGTH: _with_text("problem.length"),
    p.NO_RECORD: _with_text("problem.no-record"),
    p.VERSION: _with_text("problem.version"),
    p.TAG_LENGTH: _tag_length,
    p.TAG_MARKS: _tag_marks,
    p.BAD_TAG: _bad_tag,
    p.DUPLICATE_TAG: _with_text("problem.duplicate-tag"),
    p.BAD_SEATS: _bad_seats,
    p.BAD_DECK: _bad_deck,
    p.BAD_RULING: _bad_ruling,
    p.UNKNOWN_CARD: _unknown_card,
    p.NOT_IN_DECK: _not_in_deck,
    p.CARD_COUNT: _card_count,
    p.RACCOON_COUNT: _with_text("problem.raccoons"),
    p.TRICK_NUMBER: _trick_number,
    p.AUTO_PLAY: _auto_play,
    p.AUTO_DISCARD: _with_text("problem.auto-discard"),
    p.MANY_UPCARDS: _many_upcards,
    p.FEW_UPCARDS: _few_upcards,
    p.LATE_UPCARDS: _late_upcards,
    p.MANY_PLAYS: _with_seats("problem.plays-many"),
    p.FEW_PLAYS: _few_plays,
    p.GAME_OVER: _game_over,
    p.DRAW_COUNT: _draw_count,
    p.DRAW_TWICE: _with_text("problem.draws-twice"),
    p.REVOKE: _revoke,
    p.NOT_HELD: _not_held,
    p.HAND_SIZE: _hand_size,
    p.PILE_SIZE: _pile_size,
    p.HAND_PLAY: _hand_play,
    p.PILE_CARD: _pile_card,
    p.HAND_RACCOON: _with_text("problem.hand-raccoon"),
    p.WINNER_MARK: _winner_mark,
    p.MISSING_PICK: _with_seat("problem.no-pick"),
    p.MISSING_LOOT: _missing_loot,
    p.ILLEGAL_PICK: _with_seat("problem.bad-pick"),
    p.NO_PICK_DUE: _with_text("problem.pick-for-two"),
    p.NO_SEER_DUE: _with_seat("problem.no-seer"),
    p.LATE_CHOICE: _with_text("problem.late-choice"),
    p.CHOICE_TWICE: _with_text("problem.choice-twice"),
    p.ILLEGAL_LOOT: _illegal_loot,
    p.NO_LOOT_DUE: _no_loot_due,
    p.INCOMPLETE: _incomplete,
    p.RESULT_PARTS: _result_parts,
    p.RESULT_DIFFER: _result_differ,
    p.RESULT_WRONG: _result_wrong,
    p.RESULT_OPEN: _result_open,
    p.VOTES_WRONG: _votes_wrong,
    p.LOOT_UNKNOWN: _with_text("problem.loot-unknown"),
    p.TROLLS_ADVISED_AGAINST: _with_seats("problem.trolls"),
    p.IRREGULAR_PLAY: _irregular,
    p.NEEDLESS_IRREGULAR: _needless_irregular,
}


def message_of(say: Words, judge: Judge, finding: Finding) -> str:
    """The message of a finding, in the words of a language."""
    text = _MESSAGES[finding[0]](say, judge, finding)
    return say("problem.in-trick", number=finding[3], text=text) if finding[3] else text
