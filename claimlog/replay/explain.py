"""Findings in words: what is wrong, where, and what would be right.

`problems` turns what a `Sheet` and a `Judge` noted into the problems of the reports.
Each finding has one small function here that writes its message.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

from claimlog.cards import (
    CARDS,
    COPIES,
    FACTION_OF,
    FACTIONS,
    LETTERS,
    NAMES,
    deck_letters,
    deck_of,
    deck_problem,
)
from claimlog.notation import problems as p
from claimlog.notation.results import result_text
from claimlog.notation.tags import CHECKS, OTHER_TAG, TAG_FIELDS, TAGS
from claimlog.notation.tokens import DISCARD, DRAW, NO_CARD, PLAY, SEER, UPCARD
from claimlog.rules.powers import may_play
from claimlog.rules.setup import MAX_TRICKS, RULINGS

if TYPE_CHECKING:
    from collections.abc import Callable

    from claimlog.notation.sheet import Sheet
    from claimlog.replay.judge import Judge

    Finding = tuple[int, int, int, int, int, int, int, int]

_BOM: Final = "\ufeff"


def problems(judge: Judge, line: int) -> list[p.Problem]:
    """The problems of the game that `judge` judged last, in the order of the text.

    `line` is the number of the line (from 1) on which the sheet's `begin` lies.
    """
    sheet = judge.sheet
    faults = [(fault, start, end, 0, -1, NO_CARD, -1, 0) for fault, start, end in sheet.faults]
    findings = _first_of_each_token(faults + judge.findings)
    page = _Page(sheet, line)
    return [page.problem(finding, _message(judge, finding)) for finding in findings]


def only_warnings(judge: Judge) -> bool:
    """Whether the judged game is legal: nothing unreadable, no finding but warnings."""
    return not judge.sheet.faults and all(
        p.CODE_OF[finding[0]] in p.WARNINGS for finding in judge.findings
    )


def _first_of_each_token(findings: list[Finding]) -> list[Finding]:
    """One token gets one code, the first of its errors in the order of precedence."""
    first: dict[int, int] = {}
    unreadable = sorted((start, end) for code, start, end, *_ in findings if code == p.ENCODING)
    unspaced = {start for code, start, *_ in findings if code == p.SYNTAX_SPACE}
    for finding, _, _, _, _, _, token, _ in findings:
        if token >= 0 and p.CODE_OF[finding] not in p.WARNINGS:
            first[token] = min(finding, first.get(token, finding))
    kept = []
    for item in findings:
        finding, start, end, token = item[0], item[1], item[2], item[6]
        if token >= 0 and p.CODE_OF[finding] not in p.WARNINGS and first[token] != finding:
            continue
        if token >= 0 and start in unspaced:
            continue
        if p.CODE_OF[finding] == "syntax" and unreadable:
            place = bisect_left(unreadable, (end, 0)) - 1
            if place >= 0 and start < unreadable[place][1]:
                continue
        kept.append(item)
    return sorted(set(kept), key=lambda item: (item[1], item[0], item[3], item[7]))


class _Page:
    """Finds lines and columns, in characters, in the text of a sheet, from top to bottom."""

    def __init__(self, sheet: Sheet, line: int) -> None:
        self.sheet = sheet
        self.line = line
        self.at = sheet.text.rfind(b"\n", 0, sheet.begin) + 1
        self.column = 1

    def go_to(self, start: int) -> None:
        """Go on to the offset `start`, which is not before the last one."""
        text = self.sheet.text
        breaks = text.count(b"\n", self.at, start)
        if breaks:
            self.line += breaks
            self.at = text.rfind(b"\n", self.at, start) + 1
            self.column = 1
        before = text[self.at : start].decode(errors="replace")
        self.column += len(before.removeprefix(_BOM) if self.column == 1 else before)
        self.at = start

    def problem(self, finding: Finding, message: str) -> p.Problem:
        code = p.CODE_OF[finding[0]]
        _, start, end, trick, seat, card = finding[:6]
        text = self.sheet.text
        self.go_to(start)
        line, column = self.line, self.column
        if end < 0:
            end = text.find(b"\n", start)
            end = len(text) if end < 0 else end
            end -= text[start:end].endswith(b"\r")
        width = len(text[start:end].decode(errors="replace"))
        return p.Problem(
            code=code,
            severity="warning" if code in p.WARNINGS else "error",
            message=message,
            line=line,
            column=column,
            end_column=column + max(width, 1),
            trick=trick or None,
            seat=seat + 1 if seat >= 0 else None,
            card=NAMES[card] if card < CARDS else None,
        )


def _message(judge: Judge, finding: Finding) -> str:
    text = _MESSAGES[finding[0]](judge, finding)
    return f"trick {finding[3]}: {text}" if finding[3] else text


# What the messages are made of ------------------------------------------------------------


def _written(judge: Judge, finding: Finding) -> str:
    """The text that a finding is about, shortened."""
    text = judge.sheet.text[finding[1] : finding[2]].decode(errors="replace")
    return text if len(text) <= 40 else text[:37] + "..."


def _seat(finding: Finding) -> str:
    return f"seat {finding[4] + 1}"


def _cards(cards: list[int], most: int = 12) -> str:
    names = [NAMES[card] for card in cards]
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")


def _tag(judge: Judge, finding: Finding) -> tuple[str, str]:
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
    """What a seat played: (trick from 1, card, "played" or "discarded")."""
    plays = []
    for t in tricks:
        card = judge.play_card[t * 4 + seat]
        if card < NO_CARD:
            face_down = judge.sheet.kind[judge.play_token[t * 4 + seat]] == DISCARD
            plays.append((t + 1, card, "discarded" if face_down else "played"))
    return plays


def _taken_by(judge: Judge, seat: int) -> list[tuple[int, int]]:
    """What a seat is known to have taken: (trick from 1, card)."""
    return [
        (t + 1, card)
        for t in range(judge.tricks)
        if (card := judge.table.followers[seat * MAX_TRICKS + t]) < NO_CARD
    ]


def _still_held(judge: Judge, finding: Finding) -> str:
    """Proof that a seat held a card of the led faction when it did not follow."""
    _, _, _, trick, seat, _, _, led = finding
    later = range(trick, _phase(judge, trick).stop)
    for number, card, how in _plays_of(judge, seat, later):
        if FACTION_OF[card] == led:
            return f"it still held {NAMES[card]}, {how} in trick {number}"
    if trick > judge.tricks:
        for number, card in _taken_by(judge, seat):
            if FACTION_OF[card] == led and _never_played(judge, seat, card):
                return f"it still held {NAMES[card]}, taken in trick {number}"
    hand = judge.hands[seat] or []
    for card in hand:
        if card < CARDS and FACTION_OF[card] == led:
            return f"it still held {NAMES[card]}, which Hand{seat + 1} gives it"
    return f"it still held {FACTIONS[led].name}"


def _never_played(judge: Judge, seat: int, card: int) -> bool:
    late = range(judge.tricks, judge.known_tricks)
    played = sum(1 for _, other, _ in _plays_of(judge, seat, late) if other == card)
    return played < sum(1 for _, other in _taken_by(judge, seat) if other == card)


def _whereabouts(judge: Judge, card: int, seat: int) -> str:
    """Where a card is known to be that `seat` cannot have taken."""
    places = []
    for other in range(judge.seats):
        for number, played, how in _plays_of(judge, other, range(judge.tricks)):
            if played == card:
                places.append(f"seat {other + 1} {how} it in trick {number}")
        if other != seat:
            for number, taken in _taken_by(judge, other):
                if taken == card:
                    places.append(f"seat {other + 1} took it in trick {number}")
    return " and ".join(places[:2])


# One message each ---------------------------------------------------------------------------


def _unknown_card(judge: Judge, finding: Finding) -> str:
    word = _written(judge, finding).strip("+^!?-=~:,/")
    faction = LETTERS.find(word[:1].upper()) if word else -1
    if faction < 0:
        return f"there is no card {word}: no faction has the letter {word[:1]}"
    values = FACTIONS[faction].values
    listed = ", ".join(map(str, values))
    return f"there is no card {word}: the values of {FACTIONS[faction].name} are {listed}"


def _not_in_deck(judge: Judge, finding: Finding) -> str:
    word = _written(judge, finding).strip("+^!?-=~:,/")
    name = FACTIONS[max(LETTERS.find(word[:1].upper()), 0)].name
    return f"{word} cannot be played: {name} are not in the deck {deck_letters(judge.deck)}"


def _card_count(judge: Judge, finding: Finding) -> str:
    card = finding[5]
    copies = COPIES[card]
    if finding[7] == 1:
        earlier = [
            f"seat {seat + 1} in trick {number}"
            for seat in range(judge.seats)
            for number, other, _ in _plays_of(
                judge, seat, range(judge.tricks, min(finding[3] - 1, judge.known_tricks))
            )
            if other == card
        ]
        where = f"; already played by {' and '.join(earlier)}" if earlier else ""
    else:
        earlier = [f"trick {number}" for number in _shown_before(judge, finding[1], card)]
        where = f"; it already stands in {' and '.join(earlier)}" if earlier else ""
    times = "only one" if copies == 1 else f"only {copies}"
    return f"there is {times} {NAMES[card]} in the deck{where}"


def _shown_before(judge: Judge, offset: int, card: int) -> list[int]:
    """The tricks (from 1) in which Phase 1 shows a card before `offset`.

    Of a trick that is endlessly long only the beginning is looked at.
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


def _raccoon_count(_judge: Judge, _finding: Finding) -> str:
    return (
        "this would be an eleventh Raccoon: four of the fourteen are removed, ten are in the deck"
    )


def _trick_number(judge: Judge, finding: Finding) -> str:
    return f"this is trick {finding[3]}, not {finding[7]}"


def _auto_play(judge: Judge, finding: Finding) -> str:
    return (
        f"seat {finding[7] + 1} wins this trick by its Automaton: everybody discards "
        f"a card face down, written -{_written(judge, finding).strip('+^!?')}, the winner first"
    )


def _auto_discard(_judge: Judge, _finding: Finding) -> str:
    return "a card is discarded face down only in a trick that an Automaton has already won"


def _many_upcards(judge: Judge, _finding: Finding) -> str:
    wanted = 1 if judge.seats == 2 else 2
    return f"too many upcards: {judge.seats} players turn up {wanted}"


def _few_upcards(judge: Judge, finding: Finding) -> str:
    wanted = "1 upcard, written U7:" if judge.seats == 2 else "2 upcards, written U7,W3:"
    return f"a Phase 1 trick with {judge.seats} players has {wanted}; here are {finding[7]}"


def _late_upcards(judge: Judge, _finding: Finding) -> str:
    return f"Phase 2 (from trick {judge.tricks + 1} on) has no upcards"


def _many_plays(judge: Judge, _finding: Finding) -> str:
    return f"a play too many: the trick has its {judge.seats} plays already"


def _few_plays(judge: Judge, finding: Finding) -> str:
    return (
        f"the trick has {finding[7]} of {judge.seats} plays; from here on nobody knows who "
        "leads, and only the cards are checked"
    )


def _game_over(judge: Judge, _finding: Finding) -> str:
    return f"the game is over after {2 * judge.tricks} tricks; nothing may follow but the result"


def _draw_count(_judge: Judge, finding: Finding) -> str:
    drawn, wanted = divmod(finding[7], 4)
    if not wanted:
        return "nobody draws a hidden card here: the Seer's player took it"
    return f"{_number(wanted, 'hidden card')} drawn in this trick, not {drawn}"


def _number(number: int, what: str) -> str:
    return f"{number} {what} is" if number == 1 else f"{number} {what}s are"


def _revoke(judge: Judge, finding: Finding) -> str:
    led = FACTIONS[finding[7]].name
    held = sorted(
        {
            card
            for _, card, _ in _plays_of(
                judge, finding[4], range(finding[3], _phase(judge, finding[3]).stop)
            )
            if may_play(1 << finding[7], finding[7], FACTION_OF[card])
        }
    )
    legal = f" (legal: {_cards(held)})" if len(held) > 1 else ""
    return f"{_seat(finding)} did not follow {led}; {_still_held(judge, finding)}{legal}"


def _irregular(judge: Judge, finding: Finding) -> str:
    return f"{_revoke(judge, finding)}; marked ^, the director let it stand"


def _needless_irregular(_judge: Judge, finding: Finding) -> str:
    return f"the mark ^ is not needed: {_seat(finding)} was free to play {NAMES[finding[5]]}"


def _not_held(judge: Judge, finding: Finding) -> str:
    seat, card = finding[4], finding[5]
    where = _whereabouts(judge, card, seat)
    reason = f": {where}" if where else ": all cards that it took in Phase 1 are known"
    missing = sorted(
        {
            f"{NAMES[other]} (taken in trick {number})"
            for number, other in _taken_by(judge, seat)
            if _never_played(judge, seat, other)
        }
    )
    never = ""
    if judge.complete and missing:
        never = f"; it never plays {', '.join(missing[:4])}"
    return f"{_seat(finding)} cannot hold {NAMES[card]}{reason}{never}"


def _hand_size(judge: Judge, finding: Finding) -> str:
    name, _ = _tag(judge, finding)
    return f"{name} has {finding[7]} cards; with {judge.seats} players a hand has {judge.tricks}"


def _pile_size(judge: Judge, finding: Finding) -> str:
    return f"the Pile has {finding[7]} cards; the draw pile has {judge.seats * judge.tricks}"


def _hand_play(judge: Judge, finding: Finding) -> str:
    hand = [card for card in judge.hands[finding[4]] or () if card < CARDS]
    return (
        f"{_seat(finding)} played {NAMES[finding[5]]}, which Hand{finding[4] + 1} does not have; "
        f"it lists {_cards(hand, 13)}"
    )


def _pile_card(_judge: Judge, finding: Finding) -> str:
    return f"the Pile has {NAMES[finding[7]]} here, not {NAMES[finding[5]]}"


def _hand_raccoon(_judge: Judge, _finding: Finding) -> str:
    return "with the ruling raccoons=pile no Raccoon is in a starting hand"


def _winner_mark(judge: Judge, finding: Finding) -> str:
    trick, winner = finding[3], finding[7]
    if judge.led[trick - 1] >= len(FACTIONS):
        return f"a card discarded face down wins nothing; seat {winner + 1} wins by its Automaton"
    row = (trick - 1) * 4
    card = judge.play_card[row + winner]
    return (
        f"{NAMES[finding[5]]} of {_seat(finding)} did not win; "
        f"{NAMES[card]} of seat {winner + 1} did ({FACTIONS[judge.led[trick - 1]].name} were led)"
    )


def _missing_pick(_judge: Judge, finding: Finding) -> str:
    return f"the upcard that {_seat(finding)} picked is missing, written =U7"


def _missing_loot(judge: Judge, finding: Finding) -> str:
    side = finding[7]
    return (
        f'side {side + 1} has loot and must say what it counts for: [Loot "{side + 1}=..."] '
        f"with one of {_fewest(judge, side)}"
    )


def _fewest(judge: Judge, side: int) -> str:
    return ", ".join(deck_letters(judge.count.fewest[side]))


def _illegal_pick(judge: Judge, finding: Finding) -> str:
    return f"{_seat(finding)} can pick only one of the trick's upcards"


def _no_pick_due(_judge: Judge, _finding: Finding) -> str:
    return "with 2 players nobody picks: the winner takes the upcard"


def _no_seer_due(_judge: Judge, finding: Finding) -> str:
    return f"{_seat(finding)} did not win with a Seer and cannot take the hidden card"


def _late_choice(_judge: Judge, _finding: Finding) -> str:
    return "Phase 2 has no draws and no choices"


def _choice_twice(_judge: Judge, _finding: Finding) -> str:
    return "this choice stands twice in the trick"


def _illegal_loot(judge: Judge, finding: Finding) -> str:
    side, faction = divmod(finding[7], 32)
    return (
        f"side {side + 1}'s loot cannot count for {FACTIONS[faction].name}: "
        f"it has the fewest cards of {_fewest(judge, side)}"
    )


def _no_loot_due(_judge: Judge, finding: Finding) -> str:
    return f"side {finding[7] + 1} has no Raccoon that shows loot"


def _incomplete(judge: Judge, finding: Finding) -> str:
    return (
        f"{finding[7]} of {2 * judge.tricks} tricks are there; a game that was stopped has the "
        "result * or a Termination"
    )


def _result_parts(judge: Judge, finding: Finding) -> str:
    return (
        f"the result {_result_written(judge, finding)} does not fit a game with {judge.sides} "
        f"sides{_as_played(judge)}"
    )


def _result_written(judge: Judge, finding: Finding) -> str:
    name, value = _tag(judge, finding)
    return value if name == "Result" else _written(judge, finding)


def _as_played(judge: Judge) -> str:
    return f"; the game ended {result_text(judge.played_result())}" if judge.scored else ""


def _result_differ(judge: Judge, _finding: Finding) -> str:
    return (
        f"the Result tag says {result_text(judge.tag_result)}, "
        f"the movetext {result_text(judge.sheet.result)}{_as_played(judge)}"
    )


def _result_wrong(judge: Judge, finding: Finding) -> str:
    return (
        f"the result {_result_written(judge, finding)} is not that of the game{_as_played(judge)}"
    )


def _result_open(judge: Judge, _finding: Finding) -> str:
    return f"all tricks are there, but the result is *{_as_played(judge)}"


def _votes_wrong(judge: Judge, finding: Finding) -> str:
    votes = "-".join(str(judge.count.votes[side]) for side in range(judge.sides))
    return f"the votes {_tag(judge, finding)[1]} are not those of the game: {votes}"


def _bad_tag(judge: Judge, finding: Finding) -> str:
    name, value = _tag(judge, finding)
    tag = TAGS.index(name) if name in TAGS else OTHER_TAG
    wanted = ""
    if tag in CHECKS:
        wanted = CHECKS[tag](value)
    elif name == "Leader":
        wanted = f"it is a seat from 1 to {judge.seats}"
    elif name == "Result":
        wanted = "it is written 1-0, 1/2-1/2 or *"
    elif name == "Loot":
        wanted = f"it is written 1=W 2=G, with sides from 1 to {judge.sides} and faction letters"
    elif name == "LootCards":
        wanted = "it lists Raccoons, as in R2 R5"
    elif name:
        wanted = "it lists cards, separated by spaces, _ for an unknown one"
    shown = value if finding[7] == 0 else _written(judge, finding)
    return f"{name} cannot be read: {shown!r}; {wanted}"


def _bad_seats(judge: Judge, finding: Finding) -> str:
    if finding[7] == 1:
        return "one player alone is no game: Claim has 2 to 4 players"
    missing = [
        f"Player{seat + 1}"
        for seat in range(finding[7])
        if judge.tag_of[TAGS.index(f"Player{seat + 1}")] == OTHER_TAG
    ]
    return f"{' and '.join(missing)} is missing: players are numbered without a gap"


def _bad_deck(judge: Judge, finding: Finding) -> str:
    name, value = _tag(judge, finding)
    if name != "Deck":
        return 'the tag Deck is missing; it names the factions, as in [Deck "GKUWX"]'
    if not value:
        return 'the deck is empty; it names the factions, as in [Deck "GKUWX"]'
    try:
        problem = deck_problem(deck_of(value), judge.seats, classic=judge.classic)
    except ValueError as error:
        problem = str(error)
    return f"the deck {value}: {problem}"


def _bad_ruling(judge: Judge, finding: Finding) -> str:
    known = "; ".join(f"{key}={'|'.join(ruling.values)}" for key, ruling in RULINGS.items())
    return f"no such ruling in {_tag(judge, finding)[1]!r}; there are {known}"


def _loot_unknown(_judge: Judge, _finding: Finding) -> str:
    return "Raccoons are in the deck, but LootCards is missing: no Raccoon counts twice"


def _trolls_advised_against(judge: Judge, _finding: Finding) -> str:
    return f"the rules advise against Trolls with {judge.seats} players"


def _text(words: str) -> Callable[[Judge, Finding], str]:
    def message(judge: Judge, finding: Finding) -> str:
        return words.format(written=_written(judge, finding), tag=_tag(judge, finding)[0])

    return message


_MESSAGES: Final[dict[int, Callable[[Judge, Finding], str]]] = {
    p.ENCODING: _text("this is not UTF-8; it was read as if the bad bytes were {written!r}"),
    p.SYNTAX_TOKEN: _text(
        "{written!r} cannot be read: here stands a card (G5), a number (7.) or a result"
    ),
    p.SYNTAX_TAG: _text('this tag cannot be read; a tag is a line like [Event "Zurich Open"]'),
    p.SYNTAX_AFTER_TAG: _text("{written!r} after the tag: a tag stands alone on its line"),
    p.SYNTAX_COMMENT: _text("this comment is never closed with }}"),
    p.SYNTAX_SPACE: _text("white space must stand before {written!r}"),
    p.SYNTAX_COLON: _text("upcards end with a colon: {written}:"),
    p.SYNTAX_MARK: _text("{written!r} cannot stand here; +, ^ and one annotation follow a play"),
    p.SYNTAX_LIST: _text("a card must follow the comma"),
    p.SYNTAX_ORDER: _text(
        "draws and choices follow all plays of a trick; {written} comes after them"
    ),
    p.SYNTAX_LENGTH: _text("this game is longer than any game can be; the rest of it was skipped"),
    p.VERSION: _text("this version of the format is not known; it is 1"),
    p.BAD_TAG: _bad_tag,
    p.DUPLICATE_TAG: _text("the tag {tag} stands twice; the first one counts"),
    p.BAD_SEATS: _bad_seats,
    p.BAD_DECK: _bad_deck,
    p.BAD_RULING: _bad_ruling,
    p.UNKNOWN_CARD: _unknown_card,
    p.NOT_IN_DECK: _not_in_deck,
    p.CARD_COUNT: _card_count,
    p.RACCOON_COUNT: _raccoon_count,
    p.TRICK_NUMBER: _trick_number,
    p.AUTO_PLAY: _auto_play,
    p.AUTO_DISCARD: _auto_discard,
    p.MANY_UPCARDS: _many_upcards,
    p.FEW_UPCARDS: _few_upcards,
    p.LATE_UPCARDS: _late_upcards,
    p.MANY_PLAYS: _many_plays,
    p.FEW_PLAYS: _few_plays,
    p.GAME_OVER: _game_over,
    p.DRAW_COUNT: _draw_count,
    p.DRAW_TWICE: _text("drawn cards stand twice in this trick"),
    p.REVOKE: _revoke,
    p.NOT_HELD: _not_held,
    p.HAND_SIZE: _hand_size,
    p.PILE_SIZE: _pile_size,
    p.HAND_PLAY: _hand_play,
    p.PILE_CARD: _pile_card,
    p.HAND_RACCOON: _hand_raccoon,
    p.WINNER_MARK: _winner_mark,
    p.MISSING_PICK: _missing_pick,
    p.MISSING_LOOT: _missing_loot,
    p.ILLEGAL_PICK: _illegal_pick,
    p.NO_PICK_DUE: _no_pick_due,
    p.NO_SEER_DUE: _no_seer_due,
    p.LATE_CHOICE: _late_choice,
    p.CHOICE_TWICE: _choice_twice,
    p.ILLEGAL_LOOT: _illegal_loot,
    p.NO_LOOT_DUE: _no_loot_due,
    p.INCOMPLETE: _incomplete,
    p.RESULT_PARTS: _result_parts,
    p.RESULT_DIFFER: _result_differ,
    p.RESULT_WRONG: _result_wrong,
    p.RESULT_OPEN: _result_open,
    p.VOTES_WRONG: _votes_wrong,
    p.LOOT_UNKNOWN: _loot_unknown,
    p.TROLLS_ADVISED_AGAINST: _trolls_advised_against,
    p.IRREGULAR_PLAY: _irregular,
    p.NEEDLESS_IRREGULAR: _needless_irregular,
}
