"""Directing an event: record the director's acts in the ledger, and read the event's state.

The results of archived games under the event's name are merged into its rounds here.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import reduce
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from claimlog.directing import acts
from claimlog.directing.allowed import check, check_plan
from claimlog.directing.board import (
    Board,
    BoardTable,
    LeftPlay,
    Notice,
    Recorded,
    board,
    meant,
    notice,
)
from claimlog.directing.counting import FORFEIT
from claimlog.directing.desk import Desk, Entry, Refused, folded, followed
from claimlog.directing.meanwhile import replaced_by
from claimlog.directing.model import Entrant, TableResult
from claimlog.directing.overruled import ROUND, Overruled, Overruling
from claimlog.directing.pairing.outcome import PairedRound, PairerMissing, Remark, Unpairable
from claimlog.directing.pairing.pair import deck_for, overtaken, pair, remarks
from claimlog.directing.stages import knockout_from
from claimlog.directing.standings import (
    NO_GAME,
    explained,
    order_of,
    played,
    standings,
    teams_of,
    up_to_day,
)
from claimlog.notation import names
from claimlog.notation.marks import FOR_THE_DIRECTOR
from claimlog.notation.matching import Names
from claimlog.replay.questions import left_to_director
from claimlog.replay.recorder import replay_text
from claimlog.results import readable, result_text, share_of
from claimlog.rules.setup import sides_of
from claimlog.store.ledger.acts import ActRow, acts_of, add_act, directed
from claimlog.store.model import types as t
from claimlog.store.model.errors import (
    BadQuery,
    Declined,
    NotFound,
    PackageMissing,
    RevisionChanged,
    refuse_null,
    refuse_unfit,
)
from claimlog.store.model.ids import event_number, number_of, read_id, tidy, write_id
from claimlog.store.questions.moments import games_at, in_utc

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from claimlog.directing.counting import Played
    from claimlog.directing.model import Plan
    from claimlog.directing.pairing.outcome import Relaxation
    from claimlog.directing.standings import PlaceReason
    from claimlog.game import Play
    from claimlog.store.backend import LedgerCursor
    from claimlog.store.questions.games import Games

_SEATS: Final = ", ".join(f"g.p{seat}" for seat in (1, 2, 3, 4))
_NAMES: Final = ", ".join(f"g.n{seat}" for seat in (1, 2, 3, 4))
_VOTES: Final = ", ".join(f"g.votes{side}" for side in (1, 2, 3))


class Outline(NamedTuple):
    """What lists of events show of a directed event."""

    event: int
    name: str
    entrants: int
    rounds: int
    site: str
    day: str


class Desks:
    """The events that are directed here."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self.database = games.database
        self.identities = games.identities
        self._folded = games.directed

    # Finding -------------------------------------------------------------------------------

    def find(self, text: str) -> int:
        """Find the event meant; raises NotFound unless it is directed here."""
        refuse_unfit(event=text)
        directed_here = directed(self.database)
        event = self.identities.event_root(event_number(text))
        if event not in directed_here:
            event = self.identities.event(text)
        if event not in directed_here:
            if event_number(text) in directed_here:
                title = self.identities.event_title(event, "")
                raise NotFound("desk.merged", name=text, other=title)
            raise NotFound("desk.not-directed", name=text)
        return event

    def directed(self, event: int) -> bool:
        """Whether an event is directed here."""
        return event in directed(self.database)

    def all(self) -> list[int]:
        """The events that are directed here, the one started first first."""
        return list(directed(self.database))

    def listed(self) -> list[Board]:
        """All events directed here, the one started last first."""
        return [self._board(event) for event in reversed(directed(self.database))]

    # Reading -------------------------------------------------------------------------------

    def board(self, text: str) -> Board:
        """See `Archive.desk`."""
        return self._board(self.find(text))

    def notice(self, text: str) -> Notice:
        """See `Archive.notice`."""
        event = self.find(text)
        desk = self._now(event)
        title = self.identities.event_title(event, desk.name)
        return notice(msgspec.structs.replace(desk, name=title), write_id(event), datetime.now(UTC))

    def board_after(self, text: str, round: int | None) -> Board:
        """The state, for a question about it after a round.  Raises NotFound without that round."""
        board = self.board(text)
        if round is not None and not 1 <= round <= len(board.rounds):
            raise NotFound("desk.not-paired", number=round)
        return board

    def board_of(self, event: int) -> Board:
        """The same, by the event's number."""
        return self._board(event)

    def entries(self, text: str) -> list[Entry]:
        """See `Archive.desk_acts`."""
        event = self.find(text)
        with self.database.ledger() as cursor:
            return list(map(_entry, acts_of(cursor, event)))

    def outlines(self) -> list[Outline]:
        """All events directed here, with the day on which their desks were created."""
        here = [one for one in directed(self.database) if self.identities.event_root(one) == one]
        if not here:
            return []
        # Most desks have not changed since they were last looked at.
        rows = self.database.ask_ledger(
            "SELECT event, min(stored_at), max(number) FROM acts GROUP BY event"
        )
        known = {event: (made, last) for event, made, last in rows}
        outlines = []
        with self.database.ledger() as cursor:
            for event in here:
                made, last = known[event]
                desk = self._folded.get(event)
                if desk is None or desk.number != last:
                    desk = self._folded[event] = self._desk(cursor, event)
                name = self.identities.event_title(event, desk.name)
                day = made.date().isoformat()
                counts = len(desk.entrants), len(desk.rounds)
                outlines.append(Outline(event, name, *counts, desk.plan.site, day))
        return outlines

    def size(self, event: int) -> tuple[int, int]:
        """The numbers of entrants and of rounds of an event directed here."""
        desk = self._now(event)
        return len(desk.entrants), len(desk.rounds)

    def entered(self, name: str) -> int | None:
        """The player, perhaps an alias, who is an entrant with this name; None if there is none."""
        called = names.folded(tidy(name))
        with self.database.ledger() as cursor:
            for event in directed(self.database):
                for one in self._desk(cursor, event).entrants:
                    if names.folded(tidy(one.name)) == called:
                        return _player_of(one)
        return None

    def player(self, text: str) -> int:
        """The one player meant, perhaps an entrant who is in no recorded game, aliases resolved.

        Raises NotFound or Ambiguous.
        """
        refuse_unfit(player=text)
        entered: dict[int, str] = {}
        with self.database.ledger() as cursor:
            for event in directed(self.database):
                for one in self._desk(cursor, event).entrants:
                    entered.setdefault(_player_of(one), one.name)
        rows = self.database.rows(
            "SELECT player FROM players WHERE player IN (SELECT unnest(?::UBIGINT[]))",
            [list(entered)],
        )
        for (recorded,) in rows:
            del entered[recorded]
        called, id = names.folded(tidy(text)), read_id(text)
        for number, name in entered.items():
            if number == id or names.folded(tidy(name)) == called:
                return self.identities.root(number)
        try:
            return self.identities.player(text)
        except NotFound:
            meant = set(map(self.identities.root, Names(entered.items()).meant(text)))
            if len(meant) != 1:
                raise
            return meant.pop()

    def meeting(self, one: set[int], other: set[int]) -> tuple[str, int] | None:
        """An event and a round in which players of both sets sat at one table, if there is any."""
        for event in directed(self.database):
            desk = self._now(event)
            those = {entrant.number: _player_of(entrant) for entrant in desk.entrants}
            if one.isdisjoint(those.values()) or other.isdisjoint(those.values()):
                continue
            for round in desk.rounds:
                for place in round.tables:
                    players = {those[number] for number in place.table.players}
                    if players & one and players & other:
                        return self.identities.event_title(event, desk.name), round.number
        return None

    def entrant_name(self, player: int) -> str:
        """The name under which a player, perhaps an alias, was entered; "" if they were not."""
        with self.database.ledger() as cursor:
            for event in directed(self.database):
                for one in self._desk(cursor, event).entrants:
                    if _player_of(one) == player:
                        return one.name
        return ""

    def first_name(self, event: int) -> str:
        """The name of an event when it was started."""
        with self.database.ledger() as cursor:
            return folded([_entry(acts_of(cursor, event)[0])]).name

    def reasons(self, text: str, entrant: str, round: int | None) -> list[PlaceReason]:
        """See `Archive.place_reasons`."""
        seen = self.board_after(text, round)
        try:
            number = meant(seen, entrant)
        except Refused as error:
            raise NotFound(error.message) from error
        return explained(standings(seen, round), number)

    def _desk(self, cursor: LedgerCursor, event: int) -> Desk:
        """The state of an event after its acts; only new ones are applied if possible."""
        desk = self._folded.get(event)
        new = [] if desk is None else [_entry(row) for row in acts_of(cursor, event, desk.number)]
        if desk is None or any(isinstance(entry.act, acts.Undone) for entry in new):
            desk = folded([_entry(row) for row in acts_of(cursor, event)])
        else:
            desk = reduce(followed, new, desk)
        return desk

    def _now(self, event: int) -> Desk:
        """The present state of an event."""
        with self.database.ledger() as cursor:
            desk = self._folded[event] = self._desk(cursor, event)
        return desk

    def _board(self, event: int) -> Board:
        return self._seen(event, self._now(event))

    def _seen(self, event: int, desk: Desk) -> Board:
        """The state of an event with all known results."""
        title = self.identities.event_title(event, desk.name)
        return board(
            msgspec.structs.replace(desk, name=title), self._recorded(event, desk), write_id(event)
        )

    def players(self, entrants: Iterable[Entrant]) -> dict[int, int]:
        """The player of each entrant, by the entrant's number."""
        return dict(self._pairs(entrants))

    def _pairs(self, entrants: Iterable[Entrant]) -> Iterator[tuple[int, int]]:
        """The numbers of entrants with their players."""
        for one in entrants:
            yield one.number, self.identities.root(_player_of(one))

    def _recorded(self, event: int, desk: Desk, known_at: datetime | None = None) -> list[Recorded]:
        """The games of an event that have a round, as the archive knew them at a moment."""
        if not desk.rounds:
            return []
        also = [Entrant(number=number, name=name) for name, number in desk.spelled.items()]
        entrants = {
            player: number
            for those in (also, desk.entrants)
            for number, player in self._pairs(those)
        }
        which = ", ".join(map(str, sorted(self.identities.with_event_aliases(event))))
        rows = self.database.rows(
            f"SELECT g.gid, g.stored_at, g.round, g.seats, g.result, g.termination, {_VOTES}, "
            f"{_SEATS}, {_NAMES}, g.game, contains(g.extra, '{FOR_THE_DIRECTOR}') "
            f"FROM {games_at(known_at)} g "
            f"WHERE g.event IN ({which}) AND g.round IS NOT NULL ORDER BY g.game"
        )
        asked = [row[-2] for row in rows if row[-1]] if known_at is None else []
        plays_of = self._left(asked)
        games = []
        for gid, stored_at, round, seats, result, termination, *rest in rows:
            number = ROUND.fullmatch(round)
            if number is None or seats < 2:
                continue
            votes, seated, called = rest[:3], rest[3 : 3 + seats], rest[7 : 7 + seats]
            players = tuple(
                0
                if one is None
                # Who was entered by name only may have an Id in the record.
                else entrants.get(self.identities.root(one), 0)
                or entrants.get(self.identities.root(_player_named(name)), 0)
                for one, name in zip(seated, called, strict=True)
            )
            ended = None
            if result:
                sides = sides_of(seats)
                counted = votes[:sides]
                absent = [side for side in range(1, sides + 1) if not share_of(result, side)]
                ended = TableResult(
                    result=result_text(result),
                    votes=() if None in counted else tuple(counted),
                    forfeit=tuple(absent) if termination == FORFEIT else (),
                )
            games.append(
                Recorded(
                    id=write_id(gid),
                    round=int(number[1]),
                    players=players,
                    result=ended,
                    names=tuple(name or "" for name in called),
                    at=stored_at.replace(tzinfo=UTC),
                    asked=tuple(
                        LeftPlay(trick=trick, entrant=players[play.seat - 1], card=play.card or "_")
                        for trick, play in plays_of.get(rest[-2], ())
                    ),
                )
            )
        return games

    def _left(self, games: list[int]) -> dict[int, list[tuple[int, Play]]]:
        """The plays left to the director, by game; these games are few."""
        if not games:
            return {}
        with self.database.snapshot() as cursor:
            texts = self.database.texts(cursor, games)
        return {
            game: left_to_director(replay)
            for game, text in texts.items()
            for replay in replay_text(text)
        }

    def overruled(self, rows: Iterable[t.GameRow]) -> dict[str, Overruled]:
        """See `Archive.overruled`."""
        here = directed(self.database)
        known: dict[int, Overruling] = {}
        counted = {}
        for row in rows:
            event = None if row.event_id is None else read_id(row.event_id)
            if event is None or event not in here:
                continue
            if event not in known:
                known[event] = Overruling(board(self._now(event), (), write_id(event)))
            names = [seat.name or "" for seat in row.players]
            if (other := known[event].of(row.round, names, row.result)) is not None:
                counted[row.id] = other
        return counted

    def name(self, event: int) -> str:
        """The name of an event when directing began; "" if it is not directed here."""
        return directed(self.database).get(event, "")

    def tiebreaks(self, event: int, known_at: datetime | None = None) -> list[t.Criterion]:
        """What decides in an event directed here, which its plan says; [] for others."""
        if not self.directed(event):
            return []
        desk = self._desk_at(event, known_at)
        return [] if desk is None else list(order_of(desk.plan))

    def knockout_from(self, event: int, known_at: datetime | None) -> int | None:
        """The first round of a directed event's knock-out; None if there is none."""
        desk = self._desk_at(event, known_at)
        return None if desk is None else knockout_from(desk)

    def teams(self, event: int, known_at: datetime | None) -> dict[int, str]:
        """The team of each player, if partners stay together in a directed event."""
        desk = self._desk_at(event, known_at)
        team_of = {} if desk is None else teams_of(desk)
        players = self.players(desk.entrants) if desk is not None and team_of else {}
        return {players[number]: team for number, team in team_of.items()}

    def rounds(self, event: int) -> list[str]:
        """The rounds of an event that are paired."""
        return [str(round.number) for round in self._now(event).rounds]

    def _desk_at(self, event: int, known_at: datetime | None) -> Desk | None:
        """The state of an event at a moment, or now; None before its first act."""
        if known_at is None:
            return self._now(event)
        moment = in_utc(known_at)
        with self.database.ledger() as cursor:
            known = [_entry(row) for row in acts_of(cursor, event) if row.at <= moment]
        return folded(known) if known else None

    def played(
        self,
        event: int,
        recorded: Mapping[int, Played],
        until: date | None,
        known_at: datetime | None,
    ) -> list[tuple[Played, list[float] | None]] | None:
        """All games and byes of an event, as standings count them, with the scores of each.

        With `until`, those up to a day; with `known_at`, as the desk and the archive were at that
        moment, None before the event's first act.  `recorded` are the event's games by id.
        Entrants who have not played yet are included, except with `until`: they may have entered
        later.
        """
        desk = self._desk_at(event, known_at)
        if desk is None:
            return None
        seen = board(desk, self._recorded(event, desk, known_at), write_id(event))
        players = self.players(seen.entrants)

        def record(table: BoardTable) -> Played:
            gid = None if table.game is None else read_id(table.game)
            return NO_GAME if gid is None else recorded.get(gid, NO_GAME)

        last = None
        if until is not None:
            seen = up_to_day(seen, desk, until, lambda table: record(table).day)
            last = len(seen.rounds)
        return [
            (_by_player(game, players), given) for game, given in played(seen, last, record=record)
        ]

    # Doing ---------------------------------------------------------------------------------

    def create(self, name: str, plan: Plan, by: str, why: str) -> Board:
        """See `Archive.create_event`."""
        refuse_unfit(name=name)
        refuse_null(by=by, why=why)
        name = tidy(name)
        if not name:
            raise BadQuery("event.name", field="name")
        with self.database.decide() as cursor:
            event = self.identities.event_named(name)
            if acts_of(cursor, event):
                title = self.identities.event_title(event, name)
                if names.folded(title) != names.folded(name):
                    raise Declined("desk.name-was-used", name=name, other=title)
                raise Declined("desk.is-directed", name=name)
            try:
                check_plan(plan)
            except Refused as error:
                raise Declined(error.message) from error
            self._add(cursor, event, 1, acts.Created(name=name, plan=plan), by, why)
        return self._board(event)

    def do(
        self,
        text: str,
        act: acts.Act,
        by: str,
        why: str,
        expected: int | None,
        seen: int | None = None,
    ) -> Board:
        """See `Archive.direct`."""
        if isinstance(act, acts.Paired):
            deck = deck_for(self.board(text), act.round)
            act = msgspec.structs.replace(
                act,
                tables=tuple(
                    one if one.deck else msgspec.structs.replace(one, deck=deck)
                    for one in act.tables
                ),
            )
        elif isinstance(act, acts.Seated) and not act.deck:
            act = msgspec.structs.replace(act, deck=deck_for(self.board(text), act.round))
        return self._do(text, lambda _: act, by, why, expected, seen)

    def enter(self, text: str, entrants: Sequence[Entrant], by: str, why: str) -> Board:
        """See `Archive.enter`."""
        for one in entrants:
            refuse_unfit(name=one.name, id=one.id, club=one.club, team=one.team)

        def act(desk: Desk) -> acts.Act:
            first = len(desk.entrants) + 1
            return acts.Entered(
                entrants=tuple(
                    msgspec.structs.replace(one, name=tidy(one.name) or one.name, number=number)
                    for number, one in enumerate(entrants, first)
                )
            )

        return self._do(text, act, by, why, None)

    def pair(
        self, text: str, relax: Collection[Relaxation], by: str, why: str, seen: int | None
    ) -> PairedRound:
        """See `Archive.pair_round`."""
        # Others may write meanwhile, as this takes seconds with hundreds of entrants.
        before = self.board(text)
        number = before.next_round
        with self.database.ledger() as cursor:
            act = acts.Paired(round=number, tables=())
            self._check_seen(cursor, self.find(text), act, seen)
        if before.played_out:
            raise Declined("desk.rounds", number=before.plan.rounds)
        try:
            pairing = pair(before, number, relax)
        except PairerMissing as error:
            raise PackageMissing(error.message) from error
        except Unpairable as error:
            raise Declined(error.message) from error
        act = acts.Paired(round=number, tables=pairing.tables, byes=pairing.byes)
        # Results that came meanwhile are remarked upon, if they matter (`overtaken`).
        desk = self.do(text, act, by, why, None, before.act)
        return PairedRound(desk=desk, remarks=pairing.remarks)

    def remarks(self, text: str, round: int) -> list[Remark]:
        """See `Archive.pairing_remarks`."""
        event = self.find(text)
        desk = self._now(event)
        if not 1 <= round <= len(desk.rounds):
            raise NotFound("desk.not-paired", number=round)
        seen = self._seen(event, desk)
        paired = seen.rounds[round - 1]
        notes = overtaken(seen, desk.rounds[round - 1])
        return notes + remarks(seen, round, [table.table for table in paired.tables], paired.byes)

    def close(self, text: str, round: int, adjourn: bool, by: str, why: str) -> Board:
        """See `Archive.close_round`."""

        def act(desk: Desk) -> acts.Act:
            known = desk.round(round).number
            if desk.round(round).state == "paired":
                raise Refused("desk.not-begun", number=round)
            seen = self._board(self.find(text)).rounds[known - 1]
            if seen.missing and not adjourn:
                if len(seen.missing) == 1:
                    raise Refused("desk.result-missing", number=round, table=seen.missing[0])
                tables = ", ".join(map(str, seen.missing))
                raise Refused("desk.results-missing", number=round, tables=tables)
            return acts.Closed(round=round, adjourned=seen.missing)

        return self._do(text, act, by, why, None)

    def undo(self, text: str, by: str, why: str, expected: int | None) -> Board:
        """See `Archive.undo_act`."""

        def act(desk: Desk) -> acts.Act:
            if desk.undoable is None:
                raise Refused("desk.nothing-to-undo")
            return acts.Undone(number=desk.undoable)

        return self._do(text, act, by, why, expected)

    def _do(
        self,
        text: str,
        make: Callable[[Desk], acts.Act],
        by: str,
        why: str,
        expected: int | None,
        seen: int | None = None,
    ) -> Board:
        """Add the act that `make` returns for the event's current state, if it is allowed."""
        refuse_null(by=by, why=why)
        event = self.find(text)
        with self.database.decide() as cursor:
            desk = self._desk(cursor, event)
            if expected is not None and expected != desk.number:
                raise RevisionChanged("desk.overtaken", revision=desk.number, expected=expected)
            try:
                act = make(desk)
                self._check_seen(cursor, event, act, seen)
                check(desk, act, self._record(event, desk, act))
                self._check_left(event, desk, act)
            except Refused as error:
                raise Declined(error.message) from error
            self._add(cursor, event, desk.number + 1, act, by, why)
        return self._board(event)

    def _check_seen(
        self, cursor: LedgerCursor, event: int, act: acts.Act, seen: int | None
    ) -> None:
        """Raise RevisionChanged if an act would undo what others did after the act `seen`."""
        if seen is None or not acts_of(cursor, event, seen):
            return
        entries = [_entry(row) for row in acts_of(cursor, event)]
        entry = replaced_by(act, entries, seen)
        if entry is None:
            return
        values: dict[str, Any] = {"by": entry.by, "revision": entries[-1].number}
        if not isinstance(entry.act, acts.ResultTyped | acts.Corrected | acts.Confirmed):
            raise RevisionChanged("desk.changed-meanwhile", **values)
        values["table"] = entry.act.table
        if entry.act.result is None:
            raise RevisionChanged("desk.result-gone-meanwhile", **values)
        result = readable(entry.act.result.result)
        raise RevisionChanged("desk.result-meanwhile", result=result, **values)

    def _record(self, event: int, desk: Desk, act: acts.Act) -> TableResult | None:
        """The recorded result of the table that an act confirms, if no other counts."""
        if isinstance(act, acts.Confirmed):
            for round in board(desk, self._recorded(event, desk), "").rounds:
                for table in round.tables:
                    if (round.number, table.number) == (act.round, act.table):
                        return table.result if table.source == "record" else None
        return None

    def _check_left(self, event: int, desk: Desk, act: acts.Act) -> None:
        """Raise Refused if nothing in the game that an act lets stand was left to the director."""
        if isinstance(act, acts.Stands):
            seen = self._seen(event, desk)
            here = [(round.number, table.number, table.game) for round, table in seen.asking]
            if (act.round, act.table, act.game) not in here:
                raise Refused("desk.nothing-left", table=act.table)

    def _add(
        self, cursor: LedgerCursor, event: int, number: int, act: acts.Act, by: str, why: str
    ) -> None:
        add_act(self.database, cursor, event, number, by, why, acts.write_act(act))


def _player_of(one: Entrant) -> int:
    """The player whose games carry an entrant's Id tag or name."""
    return number_of("id", one.id) if one.id else _player_named(one.name)


def _player_named(name: str | None) -> int:
    """The player whose games carry a name and no Id tag."""
    return number_of("name", names.folded(tidy(name or "")))


def _by_player(game: Played, players: Mapping[int, int]) -> Played:
    """A game with the players instead of the entrants' numbers."""
    seats: dict[str, Any] = {
        seat: None if (number := getattr(game, seat)) is None else players[number]
        for seat in ("p1", "p2", "p3", "p4")
    }
    return game._replace(**seats)


def _entry(row: ActRow) -> Entry:
    return Entry(
        number=row.number,
        at=row.at.replace(tzinfo=UTC),
        by=row.who,
        why=row.why,
        act=acts.read_act(row.act),
    )
