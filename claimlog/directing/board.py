"""All tables of an event with their results: typed, confirmed, or recorded.

A result from the director or a player counts; otherwise that of the game's record does, if the
archive has a game of these players in this round.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

import msgspec

from claimlog.directing.acts import Stands
from claimlog.directing.desk import Absence, Announcement, RoundClock, State, Step, refuse
from claimlog.directing.model import Bye, Entrant, Plan, Table, TableResult
from claimlog.notation.matching import Names
from claimlog.notation.names import by_name, folded, tidy
from claimlog.results import parse_result, result_of, result_text
from claimlog.rules.setup import sides_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from claimlog.directing.desk import Desk, Place, Round

Source = Literal["typed", "director", "record"]


class LeftPlay(msgspec.Struct, frozen=True, kw_only=True):
    """A play of a recorded game that its scorer left to the director.

    `entrant` is who played the card, 0 if that is nobody who was entered.
    """

    trick: int
    entrant: int
    card: str


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """A game of the archive that belongs to an event; `players` are entrants by seat, or 0.

    `names` are those in the record, `at` is when it was stored.
    """

    id: str
    round: int
    players: tuple[int, ...]
    result: TableResult | None
    names: tuple[str, ...] = ()
    at: datetime | None = None
    asked: tuple[LeftPlay, ...] = ()


class Spelling(msgspec.Struct, frozen=True, kw_only=True):
    """The entrant probably meant by a name in a recorded game that has no table yet."""

    game: str
    round: int
    table: int
    name: str
    entrant: int


class BoardTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a round: who sits there, how the game ended, and the source of the result.

    `at` is since when the result is known. `confirmed` are the sides that have confirmed it; once
    `settled` only the director changes it. `differs` says that the record of the game, `game`, has
    a different result; `asked` are its plays about which the director has yet to decide.
    """

    number: int
    players: tuple[int, ...]
    table: Table
    locked: bool
    result: TableResult | None
    source: Source | None
    confirmed: tuple[int, ...]
    settled: bool
    game: str | None
    differs: bool
    at: datetime | None = None
    asked: tuple[LeftPlay, ...] = ()

    @property
    def told_by(self) -> Source | None:
        """The source as people see it: the record, if what was typed is what it says."""
        return (
            "record" if self.source == "typed" and self.game and not self.differs else self.source
        )


class BoardRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round with its tables; `missing` are the tables without a result.

    `waiting` are the entrants who have finished or have a bye, the longest waiting first.
    """

    number: int
    state: State
    by_hand: bool
    tables: tuple[BoardTable, ...]
    byes: tuple[Bye, ...]
    adjourned: tuple[int, ...]
    missing: tuple[int, ...]
    waiting: tuple[int, ...] = ()
    started: datetime | None = None
    clock: RoundClock | None = None

    @property
    def without_deck(self) -> bool:
        """Whether no game has a deck, so that no table can be opened for it."""
        return not any(one.table.deck for one in self.tables)

    @property
    def unused(self) -> int:
        """The number of the next table."""
        return max((one.number for one in self.tables), default=0) + 1

    @property
    def going(self) -> bool:
        """Whether games of it are being played, or are to be played later."""
        return self.state == "running" or (self.state == "closed" and bool(self.missing))


AnyRound = TypeVar("AnyRound", BoardRound, "Round")


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """The state of an event, with the known results.

    `act` is the number of the last act, `undoable` that of the act that can be undone, which is
    `last` in short; `strays` are games under the event's name that belong to none of its tables,
    `seeding` the entrants by seed when round 1 was paired, `spellings` the entrants probably meant
    in them, and `spelled` the names settled by the director; `notice` is the current announcement.
    """

    event: str
    name: str
    act: int
    undoable: int | None
    plan: Plan
    entrants: tuple[Entrant, ...]
    withdrawn: dict[int, int]
    absences: tuple[Absence, ...]
    rounds: tuple[BoardRound, ...]
    announcements: tuple[Announcement, ...]
    strays: tuple[str, ...]
    seeding: tuple[int, ...] = ()
    spelled: dict[str, int] = {}
    spellings: tuple[Spelling, ...] = ()
    notice: Announcement | None = None
    last: Step | None = None

    def entrant(self, number: int) -> Entrant:
        """Return an entrant by number."""
        return self.entrants[number - 1]

    def side(self, table: BoardTable, side: int) -> list[Entrant]:
        """Return the entrants on a side of a table, counted from 0, partners by name."""
        entrants = [self.entrant(number) for number in table.players[side :: table.table.sides]]
        return sorted(entrants, key=lambda one: (by_name(one.name), one.number))

    @property
    def next_round(self) -> int:
        """The number of the first round that has not begun."""
        return sum(round.state != "paired" for round in self.rounds) + 1

    @property
    def played(self) -> BoardRound | None:
        """The round being played, or else the one paired last; the next may be paired meanwhile."""
        return _played(self.rounds)

    @property
    def watched(self) -> tuple[BoardRound, ...]:
        """The round paired last, after earlier rounds of which games are still to be played."""
        return (*(round for round in self.rounds[:-1] if round.going), *self.rounds[-1:])

    @property
    def played_out(self) -> bool:
        """Whether all planned rounds have begun."""
        return self.plan.rounds is not None and self.next_round > self.plan.rounds

    @property
    def asking(self) -> list[tuple[BoardRound, BoardTable]]:
        """The tables whose games were handed in with plays left to the director, with rounds."""
        return [(round, table) for round in self.rounds for table in round.tables if table.asked]

    @property
    def lost(self) -> list[str]:
        """The `strays` of which nobody knows to which table they belong: without `spellings`."""
        guessed = {one.game for one in self.spellings}
        return [game for game in self.strays if game not in guessed]

    def sits_out(self, number: int) -> list[int]:
        """Return the rounds that have not begun and for which an entrant asked for a bye."""
        return sorted(
            one.round
            for one in self.absences
            if one.entrant == number and one.round >= self.next_round
        )


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """What all screens of an event show: the clock of the round, and the announcement.

    `left` are the seconds on the clock, negative after its end, None without a clock; a running
    clock `ends` at that moment.  Spectators see tables `late` by that many tricks.
    """

    event: str
    name: str
    round: int | None
    left: int | None
    running: bool
    ends: datetime | None
    text: str | None
    at: datetime | None
    late: int


class TableNews(msgspec.Struct, frozen=True, kw_only=True):
    """A live table of an event as its director sees it, without the spectators' delay.

    `number` is that of the table in its `round`, None if no table there has these players;
    `meant` are then the entrants who are probably meant, by name.  `at` is when its device was last
    heard of.  `asked` is how many plays are left to the director.
    """

    id: str
    round: int
    number: int | None
    players: tuple[str, ...]
    trick: int
    tricks: int
    entries: int
    at: datetime | None
    doubt: bool
    waiting: int
    confirmed: tuple[int, ...]
    over: bool
    result: str
    asked: int = 0
    meant: dict[str, int] = {}


class TableLink(msgspec.Struct, frozen=True, kw_only=True):
    """A table that a server opened for recording: the pages for its scorer and for spectators.

    `round` and `players` tell for which game; a link from before they were kept has neither.
    """

    table: int
    id: str
    scorer: str
    watch: str
    round: int = 0
    players: tuple[int, ...] = ()

    def of(self, round: BoardRound) -> bool:
        """Whether the link is of the game at its table in a round, as far as it tells."""
        if not self.players:
            return True
        seated = {table.number: table.players for table in round.tables}
        there = seated.get(self.table, ())
        return self.round == round.number and sorted(there) == sorted(self.players)


class StartedRound(msgspec.Struct, frozen=True, kw_only=True):
    """The event after a round was started; `links` are those of its tables on a server."""

    desk: Board
    links: tuple[TableLink, ...] = ()


def _played(rounds: Sequence[AnyRound]) -> AnyRound | None:
    running = [round for round in rounds if round.state == "running"]
    return next(reversed(running or rounds), None)


def notice(desk: Desk, event: str, now: datetime) -> Notice:
    """Return what the screens show of the round being played, or else of the one paired last."""
    last = _played(desk.rounds)
    clock = last.clock if last is not None and last.state == "running" else None
    announced = desk.notice
    return Notice(
        event=event,
        name=desk.name,
        round=None if last is None else last.number,
        left=None if clock is None else clock.left_at(now),
        running=clock is not None and clock.since is not None,
        ends=None if clock is None else clock.ends,
        text=None if announced is None else announced.text,
        at=None if announced is None else announced.at,
        late=desk.plan.late,
    )


def meant(board: Board, text: str) -> int:
    """Return the number of the entrant with this number or name.  Raises Refused."""
    if text.isdecimal() and 1 <= int(text) <= len(board.entrants):
        return int(text)
    matches = Names((one.number, one.name) for one in board.entrants).meant(text) if text else set()
    if len(matches) == 1:
        return next(iter(matches))
    if matches:
        refuse("entrant.several", number=len(matches), name=text)
    refuse("entrant.unknown", name=text)


def letting_stand(round: BoardRound, number: int) -> Stands:
    """Return the act that lets everything in a table's game stand.  Raises Refused."""
    for table in round.tables:
        if table.number == number:
            if table.game is None or not table.asked:
                refuse("desk.nothing-left", table=number)
            return Stands(round=round.number, table=number, game=table.game)
    refuse("desk.no-table", number=round.number, table=number)


def stands(board: Board, game: str) -> bool:
    """Whether what the scorer of a game left to the director is decided, and the game stands."""
    return any(
        table.game == game and not table.asked and not table.differs
        for round in board.rounds
        for table in round.tables
    )


def board(desk: Desk, games: Iterable[Recorded], event: str) -> Board:
    """Combine what the director did with what the archive knows."""
    by_players: dict[tuple[int, frozenset[int]], list[Recorded]] = {}
    for game in games:
        by_players.setdefault((game.round, frozenset(game.players)), []).append(game)
    rounds = tuple(_round(round, by_players) for round in desk.rounds)
    strays = [game for left in by_players.values() for game in left]
    return Board(
        event=event,
        name=desk.name,
        act=desk.number,
        undoable=desk.undoable,
        last=desk.last,
        plan=desk.plan,
        entrants=desk.entrants,
        withdrawn=desk.withdrawn,
        absences=desk.absences,
        rounds=rounds,
        announcements=desk.announcements,
        strays=tuple(game.id for game in strays),
        seeding=desk.seeding,
        spelled=desk.spelled,
        notice=desk.notice,
        spellings=tuple(spelling for game in strays for spelling in _spellings(desk, rounds, game)),
    )


def meant_at(board: Board, round: BoardRound, names: Sequence[str]) -> dict[str, int]:
    """Return the entrants probably meant by unknown names at a live table; {} if unclear."""
    number_of = called(board)
    players = tuple(number_of.get(folded(tidy(name)), 0) for name in names)
    game = Recorded(id="", round=round.number, players=players, result=None, names=tuple(names))
    return {one.name: one.entrant for one in _spellings(board, board.rounds, game)}


def called(board: Board) -> dict[str, int]:
    """Return the numbers of entrants by all their names in records, in lower case."""
    names = board.spelled | {one.name: one.number for one in board.entrants}
    return {folded(tidy(name)): number for name, number in names.items()}


class Seating(NamedTuple):
    """What is asked of an event for every table at which a game is recorded."""

    number_of: dict[str, int]
    """See `called`."""
    names: dict[str, str]
    """The entrants' names by other spellings, folded."""
    ended: frozenset[tuple[str, frozenset[int]]]
    """The rounds and players of tables of closed rounds that have a result."""
    adjourned: frozenset[tuple[str, frozenset[int]]]
    """The same of those without: they are played later."""
    begun: dict[str, frozenset[frozenset[int]]]
    """The players of all tables of rounds that have begun, by round."""


def seating(board: Board) -> Seating:
    """Return what is asked of an event for every table at which a game is recorded."""
    tables: dict[bool, set[tuple[str, frozenset[int]]]] = {True: set(), False: set()}
    for round in board.rounds:
        for table in round.tables if round.state == "closed" else ():
            tables[table.result is not None].add((str(round.number), frozenset(table.players)))
    names = {
        folded(tidy(name)): board.entrant(number).name for name, number in board.spelled.items()
    }
    begun = {
        str(round.number): frozenset(frozenset(table.players) for table in round.tables)
        for round in board.rounds
        if round.state != "paired"
    }
    return Seating(called(board), names, frozenset(tables[True]), frozenset(tables[False]), begun)


def _spellings(
    desk: Desk | Board, rounds: tuple[BoardRound, ...], game: Recorded
) -> Iterable[Spelling]:
    """Find the entrants meant by unknown names of a game: the players of one open table."""
    if not 1 <= game.round <= len(rounds):
        return
    entered = {player for player in game.players if player}
    strange = [name for name, player in zip(game.names, game.players, strict=False) if not player]
    candidates: list[tuple[int, dict[str, int]]] = []
    for table in rounds[game.round - 1].tables:
        if table.game is None and entered < {*table.players}:
            left = [player for player in table.players if player not in entered]
            if len(left) == len(strange):
                meant = _meant(desk, left, strange, sure=bool(entered) and len(left) == 1)
                candidates += [(table.number, meant)] if meant else []
    if len(candidates) == 1:
        ((number, meant),) = candidates
        for name, entrant in meant.items():
            yield Spelling(game=game.id, round=game.round, table=number, name=name, entrant=entrant)


def _meant(
    desk: Desk | Board, left: list[int], strange: list[str], *, sure: bool
) -> dict[str, int]:
    """Match each name with the entrant of the nearest name; {} unless all have one."""
    if sure:
        return {strange[0]: left[0]}
    names = Names((one, desk.entrant(one).name) for one in left)
    like = {name: near[0] for name in strange if (near := names.nearest(name))}
    return like if len({*like.values()}) == len(strange) else {}


def _waiting(round: Round, tables: list[BoardTable]) -> tuple[int, ...]:
    """Return those waiting while others play: byes first, then by the time of their result."""
    if round.state != "running":
        return ()
    over = sorted(
        (table for table in tables if table.result is not None and table.at is not None),
        key=lambda table: (table.at, table.number),
    )
    byes = tuple(bye.entrant for bye in round.byes if bye.kind == "pairing")
    return byes + tuple(player for table in over for player in table.players)


def _round(round: Round, games: dict[tuple[int, frozenset[int]], list[Recorded]]) -> BoardRound:
    """Return a round; games found for its tables are removed from `games`."""
    tables = []
    for place in round.tables:
        recorded_games = games.get((round.number, frozenset(place.table.players)), [])
        tables.append(_table(place, recorded_games.pop() if recorded_games else None))
    return BoardRound(
        number=round.number,
        state=round.state,
        by_hand=round.by_hand,
        tables=tuple(tables),
        byes=round.byes,
        adjourned=round.adjourned,
        missing=tuple(table.number for table in tables if table.result is None),
        waiting=_waiting(round, tables),
        started=round.started,
        clock=round.clock,
    )


def _table(place: Place, game: Recorded | None) -> BoardTable:
    recorded = None if game is None or game.result is None else turned(place.table, game)
    source: Source | None = None
    if place.result is not None:
        source = "director" if place.corrected else "typed"
    elif recorded is not None:
        source = "record"
    known = place.result or recorded
    # A result of the director's decides whatever was open about the game.
    decided = game is None or place.corrected or place.stands == game.id
    return BoardTable(
        number=place.table.number,
        players=place.table.players,
        table=place.table,
        locked=place.locked,
        result=known,
        source=source,
        confirmed=place.confirmed,
        settled=place.settled,
        game=None if game is None else game.id,
        differs=recorded is not None and known is not None and recorded.result != known.result,
        at=place.at if place.result is not None or game is None else game.at,
        asked=() if game is None or decided else game.asked,
    )


def turned(table: Table, game: Recorded) -> TableResult | None:
    """Return a game's result by the sides of its table, whatever the seating.

    None if partners at the table are opponents in the game.
    """
    result = game.result
    assert result is not None
    sides = sides_of(len(table.players))
    side_of = {player: seat % sides for seat, player in enumerate(table.players)}
    turn: dict[int, int] = {}
    for seat, player in enumerate(game.players):
        if turn.setdefault(seat % sides, side_of[player]) != side_of[player]:
            return None
    if all(side == other for side, other in turn.items()):
        return result
    winners = parse_result(result.result) % 8
    turned = sum(1 << turn[side] for side in range(sides) if winners >> side & 1)
    votes = [0] * len(result.votes)
    for side, count in enumerate(result.votes):
        votes[turn[side]] = count
    return msgspec.structs.replace(
        result,
        result=result_text(result_of(sides, turned)),
        votes=tuple(votes),
        forfeit=tuple(sorted(turn[side - 1] + 1 for side in result.forfeit)),
    )
