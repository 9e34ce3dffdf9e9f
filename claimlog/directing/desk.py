"""The state of an event, derived from its director's acts, one after another, by a pure fold.

`claimlog.directing.allowed` decides whether an act is allowed, `folded` computes the state after
all acts, as if undone ones had never been.  A stored act is never checked again.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal, NoReturn

import msgspec

from claimlog.directing import acts
from claimlog.directing.model import Bye, ByeKind, Entrant, Plan, Table, TableResult, seeded
from claimlog.language.messages import KeyedError
from claimlog.results import readable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

State = Literal["paired", "running", "closed"]


class Refused(KeyedError):  # noqa: N818 — the name says it
    """An act that does not fit the state of the event; the message is for people."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """An act with its number within the event, and when, by whom and why it was done."""

    number: int
    at: datetime
    by: str
    why: str
    act: acts.Act


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """An act in short: what was done, by whom, and what it is about.

    `result` is that of the table after it, if it is about one; "" if it was taken back.
    """

    number: int
    act: str
    by: str
    round: int | None = None
    table: int | None = None
    entrant: int | None = None
    result: str | None = None

    @classmethod
    def of(cls, entry: Entry) -> Step:
        """Return an act in short."""
        fields = msgspec.to_builtins(entry.act)
        entrant = fields.get("entrant")
        return cls(
            number=entry.number,
            act="unlocked" if fields.get("locked") is False else fields["act"],
            by=entry.by,
            round=fields.get("round"),
            table=fields.get("table"),
            entrant=entrant["number"] if isinstance(entrant, dict) else entrant,
            result=(fields["result"] or {}).get("result", "") if "result" in fields else None,
        )

    def described(self, say: Callable[[str], str]) -> str:
        """Return what was done, and in brackets what it is about; `say` translates a word."""
        about = {"round": self.round, "table": self.table, "entrant": self.entrant}
        words = [f"{say(name)} {number}" for name, number in about.items() if number is not None]
        what = say(self.act)
        if self.result is not None:
            what += f" {readable(self.result) or '–'}"
        return f"{what} ({', '.join(words)})" if words else what


class RoundClock(msgspec.Struct, frozen=True, kw_only=True):
    """The clock of a round: `left` seconds at its last change, running `since` a moment."""

    left: int
    since: datetime | None = None

    @property
    def ends(self) -> datetime | None:
        """When the time is over, if the clock is running."""
        return None if self.since is None else self.since + timedelta(seconds=self.left)

    def left_at(self, now: datetime) -> int:
        """Return the seconds left at a moment; negative after the end."""
        return self.left - (0 if self.since is None else int((now - self.since).total_seconds()))


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a table of a round: who sits there, and how their game ended.

    `confirmed` are the sides that have confirmed the result, `at` is when it was reported, `first`
    when one was first reported; `corrected` says that the director set it, `stands` is the game of
    which the director let everything stand.
    """

    table: Table
    locked: bool = False
    result: TableResult | None = None
    confirmed: tuple[int, ...] = ()
    corrected: bool = False
    stands: str = ""
    at: datetime | None = None
    first: datetime | None = None

    @property
    def settled(self) -> bool:
        """Whether only the director may change the result."""
        return self.corrected or (self.result is not None and self.confirmed == self.sides)

    @property
    def sides(self) -> tuple[int, ...]:
        """The numbers of all sides."""
        return tuple(range(1, self.table.sides + 1))


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """A round that was paired, last at `paired`."""

    number: int
    state: State
    paired: datetime
    tables: tuple[Place, ...]
    byes: tuple[Bye, ...] = ()
    by_hand: bool = False
    adjourned: tuple[int, ...] = ()
    started: datetime | None = None
    clock: RoundClock | None = None

    def place(self, table: int) -> Place:
        """Return a table by its number.  Raises Refused."""
        for place in self.tables:
            if place.table.number == table:
                return place
        refuse("desk.no-table", number=self.number, table=table)


class Announcement(msgspec.Struct, frozen=True, kw_only=True):
    """The director's message to everybody."""

    at: datetime
    by: str
    text: str


class Absence(msgspec.Struct, frozen=True, kw_only=True):
    """An entrant who does not play in a round, and the bye for it."""

    entrant: int
    round: int
    kind: ByeKind


class Desk(msgspec.Struct, frozen=True, kw_only=True):
    """The state of an event after act `number`."""

    name: str
    plan: Plan
    number: int
    entrants: tuple[Entrant, ...] = ()
    spelled: dict[str, int] = {}
    """Other names of entrants in records, with the entrants' numbers."""
    withdrawn: dict[int, int] = {}
    """The first round without an entrant, by entrant."""
    absences: tuple[Absence, ...] = ()
    rounds: tuple[Round, ...] = ()
    seeding: tuple[int, ...] = ()
    """All entrants, best seed first, when round 1 was paired."""
    announcements: tuple[Announcement, ...] = ()
    notice: Announcement | None = None
    """The current announcement: until the next one, or until the next round begins."""
    last: Step | None = None
    """The act that `Undone` undoes, in short."""

    @property
    def undoable(self) -> int | None:
        """The number of the act that `Undone` undoes."""
        return None if self.last is None else self.last.number

    def entrant(self, number: int) -> Entrant:
        """Return an entrant by number.  Raises Refused."""
        for entrant in self.entrants:
            if entrant.number == number:
                return entrant
        refuse("entrant.unknown", name=number)

    def round(self, number: int) -> Round:
        """Return a round by number.  Raises Refused."""
        if not 1 <= number <= len(self.rounds):
            refuse("desk.not-paired", number=number)
        return self.rounds[number - 1]

    def gone(self, round: int) -> set[int]:
        """Return the numbers of those who have withdrawn before a round."""
        return {entrant for entrant, first in self.withdrawn.items() if first <= round}

    def present(self, round: int) -> list[Entrant]:
        """Return the entrants who are to play in a round."""
        away = {one.entrant for one in self.absences if one.round == round} | self.gone(round)
        return [entrant for entrant in self.entrants if entrant.number not in away]


def requested(
    absences: Iterable[Absence], withdrawn: Mapping[int, int], round: int
) -> dict[int, ByeKind]:
    """Return the byes requested for a round, by entrant, except by those who have withdrawn."""
    return {
        one.entrant: one.kind
        for one in absences
        if one.round == round and withdrawn.get(one.entrant, round + 1) > round
    }


def refuse(key: str, **values: object) -> NoReturn:
    """Raise Refused."""
    raise Refused(key, **values)


# Folding -----------------------------------------------------------------------------------------


def standing(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries that were not undone."""
    left: list[Entry] = []
    for entry in entries:
        if isinstance(entry.act, acts.Undone):
            left.pop()
        else:
            left.append(entry)
    return left


def folded(entries: Sequence[Entry]) -> Desk:
    """Return the state of an event after its acts; the first is `Created`."""
    kept = standing(entries)
    first = kept[0].act
    assert isinstance(first, acts.Created)
    desk = Desk(name=first.name, plan=first.plan, number=1)
    for entry in kept[1:]:
        desk = _applied(desk, entry)
    last = Step.of(kept[-1]) if len(kept) > 1 else None
    return msgspec.structs.replace(desk, number=entries[-1].number, last=last)


def followed(desk: Desk, entry: Entry) -> Desk:
    """Return an event after one more act, which must not be `Undone`."""
    return msgspec.structs.replace(_applied(desk, entry), number=entry.number, last=Step.of(entry))


def _applied(desk: Desk, entry: Entry) -> Desk:
    change = msgspec.structs.replace
    match entry.act:
        case acts.Planned(plan=plan):
            return change(desk, plan=plan)
        case acts.Entered(entrants=entrants):
            return change(desk, entrants=desk.entrants + entrants)
        case acts.Changed(entrant=new):
            same = tuple(new if one.number == new.number else one for one in desk.entrants)
            return change(desk, entrants=same, spelled=desk.spelled | _left_in_records(desk, new))
        case acts.Spelled(entrant=entrant, name=name):
            return change(desk, spelled=desk.spelled | {name: entrant})
        case acts.Withdrew(entrant=entrant, round=number):
            return change(desk, withdrawn=desk.withdrawn | {entrant: number})
        case acts.Returned(entrant=entrant):
            left = {one: first for one, first in desk.withdrawn.items() if one != entrant}
            return change(desk, withdrawn=left)
        case acts.AskedForBye(entrant=entrant, round=number, kind=kind):
            desk = change(desk, absences=_absences(desk, entrant, number, kind))
            return change(desk, rounds=_as_requested(desk, entrant, number))
        case acts.Announced(text=text):
            if not text:
                return change(desk, notice=None)
            announcement = Announcement(at=entry.at, by=entry.by, text=text)
            return change(
                desk, announcements=(*desk.announcements, announcement), notice=announcement
            )
        case acts.Paired(round=number) as paired:
            rounds = (*desk.rounds[: number - 1], _paired(desk, paired, entry.at))
            if number > 1:
                return change(desk, rounds=rounds)
            by_seed = tuple(one.number for one in seeded(list(desk.entrants)))
            return change(desk, rounds=rounds, seeding=by_seed)
        case acts.Undone() | acts.Created():
            return desk
        case act:
            played = list(desk.rounds)
            played[act.round - 1] = _played_on(played[act.round - 1], act, entry.at, desk)
            notice = None if isinstance(act, acts.Started) else desk.notice
            return change(desk, rounds=tuple(played), notice=notice)


def _left_in_records(desk: Desk, new: Entrant) -> dict[str, int]:
    """Return the name an entrant had until now, if records of started rounds may have it."""
    before = desk.entrant(new.number).name
    played = any(
        new.number in place.table.players
        for round in desk.rounds
        if round.state != "paired"
        for place in round.tables
    )
    return {before: new.number} if played and before != new.name else {}


def _absences(desk: Desk, entrant: int, number: int, kind: ByeKind | None) -> tuple[Absence, ...]:
    """Return the absences after an entrant has requested one or taken it back."""
    others = [one for one in desk.absences if (one.entrant, one.round) != (entrant, number)]
    if kind is not None:
        others.append(Absence(entrant=entrant, round=number, kind=kind))
    return tuple(others)


def _as_requested(desk: Desk, entrant: int, number: int) -> tuple[Round, ...]:
    """Return the rounds with an entrant's bye in a paired one as it is requested now.

    Without a request, a bye is that of somebody left over.  An entrant at a table stays there.
    """
    rounds = list(desk.rounds)
    for round in desk.rounds[number - 1 : number]:
        kind = requested(desk.absences, desk.withdrawn, number).get(entrant)
        bye = Bye(entrant=entrant, kind=kind or "pairing")
        byes = [bye if one.entrant == entrant else one for one in round.byes]
        seated = any(entrant in place.table.players for place in round.tables)
        if kind and bye not in byes and not seated:
            byes.append(bye)
        rounds[number - 1] = msgspec.structs.replace(round, byes=tuple(byes))
    return tuple(rounds)


def _paired(desk: Desk, paired: acts.Paired, at: datetime) -> Round:
    """Return the paired round; tables that were locked stay locked, requested byes as requested."""
    before = desk.rounds[paired.round - 1 : paired.round]
    locked = {
        place.table.number: place.table for one in before for place in one.tables if place.locked
    }
    return Round(
        number=paired.round,
        state="paired",
        paired=at,
        tables=tuple(
            Place(table=table, locked=locked.get(table.number) == table) for table in paired.tables
        ),
        byes=_with_requested(desk, paired),
        by_hand=paired.by_hand,
    )


def _with_requested(desk: Desk, paired: acts.Paired) -> tuple[Bye, ...]:
    """Return the byes of a round as paired, and those requested for it."""
    wanted = requested(desk.absences, desk.withdrawn, paired.round)
    byes = [
        Bye(entrant=bye.entrant, kind=wanted.pop(bye.entrant, "pairing"))
        if bye.kind == "pairing"
        else bye
        for bye in paired.byes
    ]
    placed = {player for table in paired.tables for player in table.players}
    placed |= {bye.entrant for bye in byes}
    left = [Bye(entrant=one, kind=kind) for one, kind in wanted.items() if one not in placed]
    return (*byes, *left)


def _played_on(round: Round, act: acts.InRound, at: datetime, desk: Desk) -> Round:
    """Return a round after an act in it."""
    change = msgspec.structs.replace
    match act:
        case acts.Started():
            return change(round, state="running", started=at)
        case acts.Clocked():
            return change(round, clock=_clocked(round, act, at, desk.plan))
        case acts.Reopened():
            return change(round, state="running", adjourned=())
        case acts.Closed(adjourned=adjourned):
            clock = round.clock and RoundClock(left=round.clock.left_at(at))
            return change(round, state="closed", adjourned=adjourned, clock=clock)
        case acts.Exchanged(entrants=entrants):
            wanted = requested(desk.absences, desk.withdrawn, round.number)
            return exchanged(round, entrants, wanted)
        case acts.Seated():
            byes = tuple(bye for bye in round.byes if bye.entrant not in act.players)
            return change(round, tables=(*round.tables, Place(table=act.added)), byes=byes)
        case acts.Locked(table=table, locked=locked):
            return _with(round, change(round.place(table), locked=locked))
        case acts.ResultTyped(table=table, result=result):
            place = change(round.place(table), result=result, confirmed=(), at=at)
            return _with(round, _reported(place, at))
        case acts.Corrected(table=table, result=result):
            place = round.place(table)
            sides = place.confirmed if place.result == result else ()
            place = change(
                place, result=result, confirmed=sides, corrected=result is not None, at=at
            )
            return _with(round, _reported(place, at))
        case acts.Stands(table=table, game=game):
            return _with(round, change(round.place(table), stands=game))
        case acts.Confirmed(table=table, sides=sides, result=result):
            place = round.place(table)
            both = tuple(sorted({*place.confirmed, *sides}))
            place = change(place, result=result, confirmed=both, at=place.at or at)
            return _with(round, _reported(place, at))


def _reported(place: Place, at: datetime) -> Place:
    """Return a table whose result was reported, or taken back, at a moment."""
    first = None if place.result is None else place.first or at
    return msgspec.structs.replace(place, first=first)


def _clocked(round: Round, act: acts.Clocked, at: datetime, plan: Plan) -> RoundClock:
    """Return the clock of a round after an act."""
    clock = round.clock or RoundClock(left=60 * (plan.minutes or 0))
    running = clock.since is not None if act.running is None else act.running
    return RoundClock(left=clock.left_at(at) + 60 * act.minutes, since=at if running else None)


def _with(round: Round, place: Place) -> Round:
    """Return a round with a new state of a table."""
    number = place.table.number
    tables = tuple(place if one.table.number == number else one for one in round.tables)
    return msgspec.structs.replace(round, tables=tables)


def exchanged(round: Round, both: Sequence[int], wanted: Mapping[int, ByeKind]) -> Round:
    """Return a round in which two entrants have exchanged places.

    If one was not in the round, the other one no longer is.  Whoever gets a bye gets the one
    requested, if any, and not that of the other.
    """
    change = msgspec.structs.replace
    one, other = both
    swap = {one: other, other: one}
    tables = []
    for place in round.tables:
        players = tuple(swap.get(player, player) for player in place.table.players)
        if players == place.table.players:
            tables.append(place)
        else:
            tables.append(Place(table=change(place.table, players=players), locked=place.locked))
    byes = tuple(
        Bye(entrant=swap[bye.entrant], kind=wanted.get(swap[bye.entrant], "pairing"))
        if bye.entrant in swap
        else bye
        for bye in round.byes
    )
    return change(round, tables=tuple(tables), byes=byes)
