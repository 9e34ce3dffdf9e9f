"""Turn a `Filter` into SQL, in this one place for all lists, exports and statistics."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Any, Final

import msgspec

from claimlog.cards import (
    CARDS,
    FACTION_OF,
    LETTERS,
    card,
    deck_of,
)
from claimlog.language.messages import Message, message_of
from claimlog.notation.names import by_name, composed, plain_sql
from claimlog.notation.tags import TERMINATIONS
from claimlog.results import HALF_BYE, IMPOSSIBLE, NO_RESULT, parse_result
from claimlog.rules.setup import MAX_TRICKS, RULE_SETS, RULINGS
from claimlog.store.model.codes import WARNING_NAMES
from claimlog.store.model.errors import BadQuery, refuse_unfit
from claimlog.store.model.filter import By, Filter, values_of
from claimlog.store.questions.possible import refuse_impossible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from claimlog.store.ledger.identities import Identities

SEATS: Final = (1, 2, 3, 4)
OF_PLAYER: Final = ("seat", "partner", "opponent", "outcome")
"""The conditions about the filter's player."""

MOST_CARDS: Final = 10
MOST_WORDS: Final = 10
"""The largest numbers of conditions on cards, and of words, in a question."""

_DATE: Final = re.compile(r"([0-9]{4})(?:-([0-9]{2}))?(?:-([0-9]{2}))?")
_CARD: Final = re.compile(r"([A-Za-z][0-9]{0,2})(?:@([0-9]{1,2})(?:-([0-9]{1,2}))?)?")
_VOTES: Final = re.compile(r"([0-9]{1,2})([-:])([0-9]{1,2})(?:\2([0-9]{1,2}))?")
_RULING_BITS: Final = ("trolls", "dragons", "automatons", "raccoons")
_TEXTS: Final = ("n1", "n2", "n3", "n4", "event_name", "site", "round", "extra")


class Where:
    """Conditions on `games g`, joined by AND, and their parameters."""

    def __init__(self) -> None:
        self.conditions: list[str] = []
        self.parameters: list[Any] = []
        self.own: list[tuple[int, str]] = []
        self.players: set[int] | None = None
        self.events: set[int] | None = None
        """The numbers that one player of a game and its event must have, if they are given."""
        self.only_who = False
        """Whether that is all."""

    def add(self, condition: str, *parameters: Any) -> None:
        """Add a condition."""
        self.conditions.append(condition)
        self.parameters += parameters

    @property
    def empty(self) -> bool:
        """Whether it matches every game."""
        return not self.conditions

    @property
    def sql(self) -> str:
        """The conditions as one."""
        return " AND ".join(f"({condition})" for condition in self.conditions) or "true"

    @property
    def own_seats(self) -> str:
        """SQL, for selecting from `games g`: the list of the seats of the filter's player.

        Raises BadQuery if the filter has no player.
        """
        if not self.own:
            raise BadQuery("question.what-needs-player", field="player")
        seats = ", ".join(f"CASE WHEN {way} THEN {seat} END" for seat, way in self.own)
        return f"[s FOR s IN [{seats}] IF s IS NOT NULL]"

    @property
    def own_seat(self) -> str:
        """The same seats, one row each."""
        return f"unnest({self.own_seats})"

    def inside(self, column: str, parameters: list[Any]) -> str:
        """A condition that the game number in `column` is one of these games.

        Its parameters are appended to `parameters`, unless every game matches.
        """
        if self.empty:
            return "true"
        parameters += self.parameters
        return f"{column} IN (SELECT g.game FROM games g WHERE {self.sql})"


def tricks_sql(
    where: Where, columns: str, more: str = "", by: By = "anybody", *, few: bool = False
) -> tuple[str, list[Any]]:
    """SQL that begins a query over the tricks of some games, named `chosen`, and its parameters.

    By "player", each trick appears once for each seat of the filter's player, with `own`, the seat,
    and `place`, its position in the trick (1 for the lead).  Raises BadQuery if there is no player.
    `few`: `more` leaves only few tricks.
    """
    if by == "player":
        return (
            "WITH mine AS MATERIALIZED "
            f"(SELECT g.game, {where.own_seat} AS own FROM games g WHERE {where.sql}), "
            f"chosen AS MATERIALIZED (SELECT {columns}, own, "
            "(own - leader + seats) % seats + 1 AS place "
            f"FROM tricks JOIN mine USING (game) WHERE true{more}) ",
            where.parameters,
        )
    if by != "anybody":
        raise BadQuery("question.by", field="by")
    parameters: list[Any] = []
    # Few tricks are looked up once; all tricks are read in place.
    how = "NOT MATERIALIZED" if where.empty and not few else "MATERIALIZED"
    inside = where.inside("game", parameters)
    return f"WITH chosen AS {how} (SELECT {columns} FROM tricks WHERE {inside}{more}) ", parameters


def where(filter: Filter, identities: Identities) -> Where:
    """Compile a filter.  Raises BadQuery, NotFound or Ambiguous."""
    where = Where()
    filter = _composed(filter)
    _check_size(filter)
    _players(where, filter, identities)
    _occasion(where, filter, identities)
    _agreement(where, filter)
    _outcome(where, filter)
    for field in ("played", "led", "won", "upcard"):
        for text in getattr(filter, field):
            _trick(where, field, text)
    refuse_impossible(filter)
    if filter.text is not None:
        # `contains_words` also finds ø as o, but takes four times as long for so many columns.
        hits = " OR ".join(
            f"contains(lower(strip_accents(g.{column})), lower(strip_accents(?)))"
            for column in _TEXTS
        )
        for word in filter.text.split():
            where.add(hits, *[word] * len(_TEXTS))
    where.only_who = msgspec.structs.replace(filter, player=None, event=None) == Filter()
    return where


def contains_words(text: str, words: str) -> tuple[str, list[str]]:
    """A condition that SQL text contains all words, ignoring case and accents; parameters."""
    refuse_unfit(search=words)
    sought = [by_name(word)[0] for word in composed(words).split()]
    one = f"contains({plain_sql(text)}, ?)"
    return " AND ".join([one] * len(sought)) or "true", sought


def _composed(filter: Filter) -> Filter:
    """The filter with its texts normalized like stored names.  Raises BadQuery."""
    changed: dict[str, Any] = {}
    for name in filter.__struct_fields__:
        value = getattr(filter, name)
        texts = [text for text in values_of(value) if isinstance(text, str)]
        for text in texts:
            refuse_unfit(**{name: text})
        if not all(map(str.isascii, texts)):
            made = tuple(map(composed, texts))
            changed[name] = made[0] if isinstance(value, str) else made
    return msgspec.structs.replace(filter, **changed) if changed else filter


def _check_size(filter: Filter) -> None:
    """Refuse more conditions than anybody needs; each is looked for in every trick or text."""
    cards = [name for name in _COLUMNS for _ in getattr(filter, name)]
    if len(cards) > MOST_CARDS:
        raise BadQuery("question.most-cards", most=MOST_CARDS, field=cards[-1])
    if filter.text is not None and len(filter.text.split()) > MOST_WORDS:
        raise BadQuery("question.most-words", most=MOST_WORDS, field="text")


# Who ---------------------------------------------------------------------------------------


def one_of(column: str, numbers: Iterable[int]) -> str:
    """SQL: whether a number is one of these."""
    listed = sorted(numbers)
    if len(listed) == 1:
        # Within an OR, DuckDB finds an equal number in half the time of an IN.
        return f"{column} = {listed[0]}"
    return f"{column} IN ({', '.join(map(str, listed))})" if listed else "false"


def won_sql(outcome: str, seat: int | str) -> str:
    """A condition that a seat won alone, shared the win or lost."""
    mask = f"(1 << (({seat} - 1) % (g.result // 8)))"
    half = "true" if outcome == "shared" else "false"
    held = {
        "won": f"g.result & 7 = {mask}",
        "shared": f"g.result & {mask} > 0 AND bit_count(g.result & 7) > 1",
        "lost": f"g.result & {mask} = 0",
    }[outcome]
    none = f"WHEN g.result = 0 THEN false WHEN g.result = {HALF_BYE} THEN {half}"
    return f"CASE {none} ELSE {held} END"


def _players(where: Where, filter: Filter, identities: Identities) -> None:
    others = _numbers(filter.not_player, identities, "not_player")
    for seat in SEATS if others else ():
        where.add(f"g.p{seat} IS NULL OR NOT {one_of(f'g.p{seat}', others)}")
    for field in OF_PLAYER:
        if filter.player is None and getattr(filter, field) is not None:
            raise BadQuery("question.needs-player", field=field)
    if filter.player is None:
        return
    if filter.seat is not None and filter.seat not in SEATS:
        raise BadQuery("question.seat", field="seat")
    if filter.outcome not in (None, "won", "lost", "shared"):
        raise BadQuery("question.outcome", field="outcome")
    me, partner, opponent = (
        _numbers(getattr(filter, field), identities, field)
        for field in ("player", "partner", "opponent")
    )
    where.players = me
    for seat in SEATS if filter.seat is None else (filter.seat,):
        way = [one_of(f"g.p{seat}", me)]
        if filter.partner is not None:
            mate = (seat + 1) % 4 + 1
            way.append(f"g.seats = 4 AND {one_of(f'g.p{mate}', partner)}")
        if filter.opponent is not None:
            way.append(
                " OR ".join(
                    f"({one_of(f'g.p{other}', opponent)}"
                    + (" AND g.seats <> 4)" if (other - seat) % 2 == 0 else ")")
                    for other in SEATS
                    if other != seat
                )
            )
        if filter.outcome is not None:
            way.append(won_sql(filter.outcome, seat))
        where.own.append((seat, " AND ".join(f"({condition})" for condition in way)))
    where.add(" OR ".join(f"({way})" for _, way in where.own))


def _numbers(names: Any, identities: Identities, field: str) -> set[int]:
    """All numbers of the named players."""
    return set().union(*(identities.numbers(name, field) for name in values_of(names)))


# When and where ------------------------------------------------------------------------------


def _bound(text: str, field: str, last: bool) -> date:
    """The first or last day of a date that may lack month or day.  Raises BadQuery."""
    match = _DATE.fullmatch(text)
    if match:
        year, month, day = (int(part) if part else 0 for part in match.groups())
        try:
            if day:
                return date(year, month, day)
            if not last:
                return date(year, month or 1, 1)
            if month in (0, 12):
                return date(year, 12, 31)
            return date.fromordinal(date(year, month + 1, 1).toordinal() - 1)
        except ValueError:
            pass
    raise BadQuery("question.date", text=text, field=field)


def _any(where: Where, condition: str, values: Sequence[Any]) -> None:
    """Add that a condition holds for one of the values."""
    if values:
        where.add(" OR ".join([condition] * len(values)), *values)


def _occasion(where: Where, filter: Filter, identities: Identities) -> None:
    for field, none in (("event", ""), ("not_event", "g.event IS NULL OR NOT ")):
        if names := values_of(getattr(filter, field)):
            events = set().union(*(identities.events(name, field) for name in names))
            if field == "event":
                where.events = events
            where.add(none + one_of("g.event", events))
    sites = [by_name(" ".join(site.split()))[0] for site in values_of(filter.site)]
    _any(where, f"{plain_sql('g.site')} = ?", sites)
    _any(where, "g.round = ?", values_of(filter.round))
    _any(where, "g.tbl = ?", values_of(filter.table))
    if filter.since is not None:
        where.add("g.day >= ?", _bound(filter.since, "since", last=False))
    if filter.until is not None:
        where.add("g.day <= ?", _bound(filter.until, "until", last=True))
    if filter.since is not None and filter.until is not None:
        first, last = (
            _bound(filter.since, "since", last=False),
            _bound(filter.until, "until", last=True),
        )
        if first > last:
            raise BadQuery("question.range", one=filter.since, other=filter.until, field="until")


# What was agreed -------------------------------------------------------------------------------


def _letters(text: str, field: str) -> int:
    if not text:
        raise BadQuery("question.letters", field=field)
    try:
        return deck_of(text)
    except ValueError as error:
        # A word is reported as a whole, not by the first of its letters.
        word = sum(letter not in LETTERS for letter in text.upper()) > 1
        why = Message("question.no-factions", text=text) if word else message_of(error)
        raise BadQuery("named", name=field, why=why, field=field) from None


def _agreement(where: Where, filter: Filter) -> None:
    if filter.deck is not None:
        where.add(one_of("g.deck", {_letters(deck, "deck") for deck in values_of(filter.deck)}))
    if filter.factions is not None:
        mask = _letters(filter.factions, "factions")
        where.add(f"g.deck & {mask} = {mask}")
    if filter.without is not None:
        where.add(f"g.deck & {_letters(filter.without, 'without')} = 0")
    if filter.rules is not None:
        rules = values_of(filter.rules)
        if not set(rules) <= set(RULE_SETS):
            raise BadQuery("question.rules", names=RULE_SETS, field="rules")
        where.add(one_of("g.rules", map(RULE_SETS.index, rules)))
    if filter.rulings is not None:
        for word in filter.rulings.split(" "):
            key, _, value = word.partition("=")
            if key not in RULINGS or value not in RULINGS[key].values:
                raise BadQuery("question.ruling", text=word, field="rulings")
            bit = RULINGS[key].values.index(value)
            where.add(f"(g.rulings >> {_RULING_BITS.index(key)}) & 1 = {bit}")
    if filter.seats is not None:
        if not set(values_of(filter.seats)) <= {1, 2, 3, 4}:
            raise BadQuery("question.seats", field="seats")
        where.add(one_of("g.seats", values_of(filter.seats)))
    if filter.leader is not None:
        if not set(values_of(filter.leader)) <= set(SEATS):
            raise BadQuery("question.leader", field="leader")
        where.add(one_of("g.leader", values_of(filter.leader)))
    if filter.min_rating is not None:
        where.add("g.min_rating >= ?", filter.min_rating)


# How it went -------------------------------------------------------------------------------------


def _outcome(where: Where, filter: Filter) -> None:
    if filter.result is not None:
        results = {text: parse_result(text, alone=True) for text in values_of(filter.result)}
        for text, result in results.items():
            if result in (NO_RESULT, IMPOSSIBLE):
                raise BadQuery("question.result", text=text, field="result")
        where.add(one_of("g.result", results.values()))
    if filter.votes is not None:
        where.add(" OR ".join(f"({_votes(text)})" for text in values_of(filter.votes)))
    if filter.termination is not None:
        ends = values_of(filter.termination)
        if not set(ends) <= set(TERMINATIONS):
            raise BadQuery("question.terminations", names=TERMINATIONS, field="termination")
        where.add(one_of("g.termination", map(TERMINATIONS.index, ends)))
    if filter.clean is not None:
        where.add(f"g.warnings {'=' if filter.clean else '<>'} 0")
    if filter.warning is not None:
        names = values_of(filter.warning)
        if not set(names) <= set(WARNING_NAMES):
            raise BadQuery("question.warnings", names=WARNING_NAMES, field="warning")
        where.add(f"g.warnings & {sum(1 << WARNING_NAMES.index(name) for name in set(names))} <> 0")
    if filter.complete is not None:
        where.add("g.complete" if filter.complete else "NOT g.complete")
    if filter.min_tricks is not None:
        where.add("g.tricks >= ?", filter.min_tricks)
    if filter.max_tricks is not None:
        where.add("g.tricks <= ?", filter.max_tricks)
        least = filter.min_tricks or 0
        if least > filter.max_tricks:
            raise BadQuery("question.range", one=least, other=filter.max_tricks, field="max_tricks")


def _votes(text: str) -> str:
    """A condition on the factions won by each side."""
    match = _VOTES.fullmatch(text)
    if not match:
        raise BadQuery("question.votes", field="votes")
    votes = [int(part) for part in (match[1], match[3], match[4]) if part]
    columns = [f"g.votes{side + 1}" for side in range(len(votes))]
    if match[2] == ":":
        held = f"list_sort([{', '.join(columns)}]) = {sorted(votes)}::UTINYINT[]"
    else:
        held = " AND ".join(f"{column} = {n}" for column, n in zip(columns, votes, strict=True))
    return f"{held} AND g.votes3 IS {'NOT ' if len(votes) == 3 else ''}NULL"


# Tricks ------------------------------------------------------------------------------------------


def cards_sql(columns: Iterable[str], text: str, field: str) -> str:
    """A condition that one of `columns` is a card, or any card of a faction."""
    first, last = card_range(text, field)
    if first == last:
        return " OR ".join(f"{column} = {first}" for column in columns)
    return " OR ".join(f"{column} BETWEEN {first} AND {last}" for column in columns)


def card_range(text: str, field: str) -> tuple[int, int]:
    """The first and the last card that ``K5`` or ``K`` means.  Raises BadQuery."""
    if len(text) == 1 and text.isascii() and text.upper() in LETTERS:
        faction = LETTERS.index(text.upper())
        first = FACTION_OF.index(faction)
        return first, first + FACTION_OF.count(faction) - 1
    try:
        number = card(text)
    except ValueError:
        raise BadQuery("question.card-or-faction", text=text, field=field) from None
    assert number < CARDS
    return number, number


_COLUMNS: Final = {
    "played": ("c1", "c2", "c3", "c4"),
    "led": ("c1",),
    "won": ("best",),
    "upcard": ("up1", "up2"),
}


def _trick(where: Where, field: str, text: str) -> None:
    """Add a condition on a card played, led, winning or turned up in a trick."""
    match = _CARD.fullmatch(text)
    if not match:
        raise BadQuery("question.card", text=text, field=field)
    conditions = [f"({cards_sql(_COLUMNS[field], match[1], field)})"]
    if field in ("played", "led"):
        conditions.append("auto = 0")
    if match[2]:
        first, last = int(match[2]), int(match[3] or match[2])
        if first > last:
            raise BadQuery("question.range", one=first, other=last, field=field)
        if not 1 <= first <= last <= 2 * MAX_TRICKS:
            raise BadQuery("question.trick", field=field)
        conditions.append(f"n = {first}" if first == last else f"n BETWEEN {first} AND {last}")
    # This implies that the deck has the card's faction; stating it leaves fewer games to search.
    faction = FACTION_OF[card_range(match[1], field)[0]]
    where.add(f"g.deck & {1 << faction} <> 0")
    where.add(f"g.game IN (SELECT game FROM tricks WHERE {' AND '.join(conditions)})")


def in_phase(phase: int | None) -> str:
    """SQL for the tricks of a phase, to be appended to other conditions."""
    if phase is None:
        return ""
    if phase not in (1, 2):
        raise BadQuery("question.phase", field="phase")
    return f" AND phase = {phase}"
