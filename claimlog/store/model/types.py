"""What goes into the archive's functions and what comes out of them.

Seats and sides count from 1 here, as in the notation.  Points of a game are 1 for a win
and the equal share of a shared one.  All structs encode to JSON as they are.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

import msgspec

from claimlog.directing.model import TieBreak as TieBreak
from claimlog.game import Game, Problem, Seat, Side
from claimlog.language.messages import Message

Status = Literal[
    "stored", "known", "corrected", "unchanged", "invalid", "doubtful", "conflict", "deleted"
]
"""What became of a record that was handed in.

`stored`: it is new.  `known`: it was there already, as a revision of `id`.  `invalid`: it
was refused for its problems.  `deleted`: its game `id` has been deleted, and storing does
not bring it back (`Archive.undelete` does).  `corrected`: it is a new revision of `id`,
because that was asked for, or because it goes on where that game stopped unfinished.
`doubtful`: it differs from the stored game `id` and yet seems to be the same game; nothing
was stored.  `unchanged` and `conflict` answer a correction: the last one equals another
game, `id`.
"""

Doubtful = Literal["refuse", "replace", "beside"]

"""What to do with a record that differs from a stored game and yet seems to be that game."""


class Handed(NamedTuple):
    """A record handed in, and what is said of it: the arguments of `Archive.store`."""

    record: bytes
    by: str
    source: str
    doubtful: Doubtful


InCommon = Literal["table", "players", "tricks"]
"""Why two records seem to tell of one game: event, round and table are the same; event, round
and all players; the players, the deck and the first six tricks."""


# Storing ---------------------------------------------------------------------------------


class ReportedProblem(msgspec.Struct, frozen=True, kw_only=True):
    """A problem of a record with what reports say of it (docs/notation.md), and no more.

    Its fields are those of `claimlog.game.Problem` that stand in reports.
    """

    code: str
    severity: str
    message: str
    line: int
    column: int
    end_column: int
    trick: int | None = None
    seat: Seat | None = None
    card: str | None = None

    @classmethod
    def of(cls, problem: Problem) -> ReportedProblem:
        """What reports say of a problem."""
        return cls(**problem.report())

    def __str__(self) -> str:
        """Place, code and message, as of a `Problem`."""
        return f"{self.line}:{self.column}: {self.severity}: {self.code}: {self.message}"


class Doubt(msgspec.Struct, frozen=True, kw_only=True):
    """Why a record was not stored: what it has in common with the stored game.

    `others` are further stored games that it may be; `record` is the canonical record.
    """

    in_common: list[InCommon]
    others: list[str]
    record: str


class Outcome(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What became of one game handed in.

    `game` is its number in the input, `line` the line it begins on (both from 1);
    `problems` are its errors and warnings.  `id` and `revision` are None if it is invalid.
    `doubt` is there if it is doubtful, and then `id` is the game that it may be.
    """

    game: int
    line: int
    status: Status
    id: str | None = None
    revision: int | None = None
    digest: str | None = None
    complete: bool = False
    result: str = "*"
    problems: list[ReportedProblem] = msgspec.field(default_factory=list)
    doubt: Doubt | None = None


class DoubtfulPair(msgspec.Struct, frozen=True, kw_only=True):
    """Two stored games that seem to be one, and what they have in common."""

    id: str
    other: str
    in_common: list[InCommon]


class TagChange(msgspec.Struct, frozen=True, kw_only=True):
    """Another value of a tag; None where there is no such tag."""

    tag: str
    before: str | None
    after: str | None


CorrectionStatus = Literal["corrected", "invalid", "conflict", "doubtful"]


class Correction(msgspec.Struct, frozen=True, kw_only=True):
    """What other tags are to a game; `revision` is the one that they make.

    `status` "invalid": the record would have the `problems`; "conflict": it would be that of
    game `other`; "doubtful": it would seem to be.
    """

    id: str
    revision: int
    changes: list[TagChange]
    status: CorrectionStatus
    other: str | None = None
    problems: list[ReportedProblem] = []


class Corrections(msgspec.Struct, frozen=True, kw_only=True):
    """What other tags are to many games: all of it is `done`, or nothing.

    `games` is how many were looked at, `refused` how many stand in the way.  `expected` tells
    these changes to these revisions: who gives it does what a dry run has shown.
    """

    done: bool
    games: int
    corrected: int
    refused: int
    expected: str
    lines: list[Correction]


class Revision(msgspec.Struct, frozen=True, kw_only=True):
    """One revision of a game: when (UTC), who and why; `deleted` for the trace of a deletion."""

    id: str
    revision: int
    at: datetime
    by: str
    why: str
    source: str = ""
    digest: str | None = None
    deleted: bool = False


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A revision with its canonical record (None if it is the trace of a deletion)."""

    revision: Revision
    record: str | None


# Games -----------------------------------------------------------------------------------


class SeatRow(msgspec.Struct, frozen=True, kw_only=True):
    """Who sat where: the name as written (None: unknown), and the player in the archive."""

    seat: int
    name: str | None
    player: str | None
    tag_id: str | None = None
    rating: float | None = None


class GameRow(msgspec.Struct, frozen=True, kw_only=True):
    """A game in a list.

    `seats` is how many there are, `players` who sat where.  `votes` (factions won) and `points`
    are by side, from 1, None while unfinished; without tricks the votes are those of the Votes
    tag, if any.  `factions` says which side won which faction (None: nobody), and is None unless
    counted; `phase1_winner` is the seat that won Phase 1's last trick; `deck` is empty where a
    game without tricks does not tell it, `tricks` counts the tricks recorded.  `date` is as
    written, with
    `??` for unknown parts.
    """

    id: str
    revision: int
    digest: str
    stored_at: datetime
    event: str | None
    event_id: str | None
    site: str | None
    date: str | None
    round: str | None
    table: str | None
    seats: int
    players: list[SeatRow]
    deck: str
    rules: str
    rulings: dict[str, str]
    leader: int
    complete: bool
    result: str
    points: dict[Side, float] | None
    votes: dict[Side, int] | None
    factions: dict[str, int | None] | None
    tiebreak: str | None
    termination: str
    tricks: int
    phase1_winner: int | None


class GamePage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One page of games; `cursor` asks for the next one, None after the last.

    `total` is how many there are in all, if that was asked for.
    """

    games: list[GameRow]
    cursor: str | None
    total: int | None = None


class StoredGame(msgspec.Struct, frozen=True, kw_only=True):
    """One game of the archive: its row and its canonical record."""

    row: GameRow
    record: str

    def game(self) -> Game:
        """The game itself, trick by trick."""
        from claimlog.replay.recorder import replay_text

        return next(replay_text(self.record))


# Who or what is meant --------------------------------------------------------------------

Kind = Literal["player", "event", "game"]


class Candidate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A player, event or game that may be meant, and what tells it from others.

    `name` is that of the player or event, or the game's players; `games` counts those of the
    player or event; `last_date` is the newest game's date, or the game's; `rating` is the
    player's last one, `tag_id` the ``Id`` tag, `event` where the game was played.
    """

    kind: Kind
    id: str
    name: str
    games: int | None = None
    last_date: str | None = None
    rating: float | None = None
    tag_id: str | None = None
    event: str | None = None
    deleted: bool = False


MOST_CANDIDATES: Final = 10


class Unclear(msgspec.Struct, frozen=True, kw_only=True):
    """A name or an id that nobody has, or several: `count` says how many may be meant.

    `candidates` are up to ten of them, those with most games first; if it is nobody, those
    most like it.  `field` is the argument in which it stood, "" if it named the thing itself.
    """

    kind: Kind
    text: str
    field: str
    count: int
    candidates: list[Candidate]


# Players ---------------------------------------------------------------------------------


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """`count` observations that brought `points`, their rate, and where it lies (Wilson, 95 %).

    The three are None if there is nothing to count.  Where tricks are counted, the interval
    allows for those of one game hanging together (docs/archive.md, "Intervals").  `expected` is
    what the rate would be if nothing depended on what it is counted by, for that mix of games
    (docs/archive.md, "Expected shares"); None where there is no such thing.
    """

    count: int
    points: float
    rate: float | None
    low: float | None
    high: float | None
    expected: float | None = None


class PlayerRow(msgspec.Struct, frozen=True, kw_only=True):
    """A player in a list; `names` are all names and ids merged into this player."""

    id: str
    name: str
    names: list[str]
    games: int
    result: Rate
    first_date: str | None
    last_date: str | None
    last_rating: float | None


class PlayerPage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One page of players; `cursor` asks for the next one, None after the last.

    `total` is how many there are in all, if that was asked for.
    """

    players: list[PlayerRow]
    cursor: str | None
    total: int | None = None


class NamedRate(msgspec.Struct, frozen=True, kw_only=True):
    """A rate of something: a seat, a deck, a faction, another player."""

    key: str
    label: str
    result: Rate


class PlayerProfile(msgspec.Struct, frozen=True, kw_only=True):
    """What the archive knows about a player's games.

    `with_faction` is the result with a faction in the deck, `factions_won` how often the
    player's side won the faction; `phase1_won` the result where the player won Phase 1's last
    trick.  `votes_for` and `votes_against` are means over the games that were counted.
    """

    player: PlayerRow
    by_seat: list[NamedRate]
    by_seats: list[NamedRate]
    leading: Rate
    following: Rate
    phase1_won: Rate
    phase1_lost: Rate
    with_faction: list[NamedRate]
    factions_won: list[NamedRate]
    opponents: list[NamedRate]
    partners: list[NamedRate]
    events: list[NamedRate]
    votes_for: float | None
    votes_against: float | None


class HeadToHead(msgspec.Struct, frozen=True, kw_only=True):
    """Two players against each other, from the first one's side, and together as partners."""

    player: PlayerRow
    opponent: PlayerRow
    against: Rate
    won: int
    lost: int
    shared: int
    votes_for: int
    votes_against: int
    together: Rate
    games: list[GameRow]


class Streak(msgspec.Struct, frozen=True, kw_only=True):
    """Games of a player in a row: how many, the ids and dates of the first and the last."""

    length: int
    first: str
    last: str
    first_date: str | None
    last_date: str | None


class Streaks(msgspec.Struct, frozen=True, kw_only=True):
    """A player's longest streaks over `games` finished games (None: there is none).

    `unbeaten` games are those won or shared, `winless` those lost or shared.  `current` is the
    one that goes on: of wins, shared wins or losses, as `current_kind` says.
    """

    player: str
    name: str
    games: int
    won: Streak | None
    lost: Streak | None
    unbeaten: Streak | None
    winless: Streak | None
    current: Streak | None
    current_kind: Literal["won", "lost", "shared"] | None


class Performance(msgspec.Struct, frozen=True, kw_only=True):
    """A player's rating performance (docs/archive.md, "Performance").

    `games` are those that count: with two sides, a result and all opponents rated; `opponents`
    is the mean of their ratings, `result` the points.  `low` and `high` belong to the interval
    of `result`.
    """

    player: str
    name: str
    games: int
    opponents: float | None
    result: Rate
    performance: float | None
    low: float | None
    high: float | None


class PlayerInFull(msgspec.Struct, frozen=True, kw_only=True):
    """A player: profile, streaks, performance and the games played last."""

    profile: PlayerProfile
    streaks: Streaks
    performance: Performance
    games: list[GameRow]


class Merge(msgspec.Struct, frozen=True, kw_only=True):
    """An alias that a director merged into another player; who undid that, when and why."""

    alias: str
    alias_name: str
    player: str
    at: datetime
    by: str
    why: str
    undone_at: datetime | None = None
    undone_by: str | None = None
    undone_why: str | None = None


# Events ----------------------------------------------------------------------------------


class EventMerge(msgspec.Struct, frozen=True, kw_only=True):
    """An event that a director merged into another; who undid that, when and why."""

    alias: str
    alias_name: str
    event: str
    at: datetime
    by: str
    why: str
    undone_at: datetime | None = None
    undone_by: str | None = None
    undone_why: str | None = None


class EventName(msgspec.Struct, frozen=True, kw_only=True):
    """A name that a director gave to an event that was called `before`."""

    event: str
    name: str
    before: str
    at: datetime
    by: str
    why: str


class EventRow(msgspec.Struct, frozen=True, kw_only=True):
    """An event in a list."""

    id: str
    name: str
    sites: list[str]
    games: int
    complete: int
    players: int
    rounds: int
    first_date: str | None
    last_date: str | None
    tiebreaks: list[TieBreak]


class EventPage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One page of events; `cursor` asks for the next one, None after the last.

    `total` is how many there are in all, if that was asked for.
    """

    events: list[EventRow]
    cursor: str | None
    total: int | None = None


class RoundRow(msgspec.Struct, frozen=True, kw_only=True):
    """One round of an event: its games by table."""

    round: str | None
    games: int
    complete: int
    tables: list[GameRow]


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the standings; players with equal `values` share the `rank`.

    `values` are the tie-breaks in the event's order.
    """

    rank: int
    player: str
    name: str
    games: int
    won: int
    shared: int
    lost: int
    points: float
    votes_for: int
    votes_against: int
    values: list[float]


class Standings(msgspec.Struct, frozen=True, kw_only=True):
    """The standings of an event, over `games` finished games."""

    event: str
    name: str
    tiebreaks: list[TieBreak]
    until_round: str | None
    until: str | None
    known_at: datetime | None
    games: int
    unfinished: int
    lines: list[Standing]


class TeamStanding(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the standings of teams: the partners, and what `Standing` has."""

    rank: int
    players: list[str]
    names: list[str]
    games: int
    won: int
    shared: int
    lost: int
    points: float
    votes_for: int
    votes_against: int
    values: list[float]


class TeamStandings(msgspec.Struct, frozen=True, kw_only=True):
    """The standings of the teams of an event: who sat on one side in games of four."""

    event: str
    name: str
    tiebreaks: list[TieBreak]
    games: int
    unfinished: int
    lines: list[TeamStanding]


class RankLine(msgspec.Struct, frozen=True, kw_only=True):
    """A player's rank and points after each round; None before the first game."""

    player: str
    name: str
    ranks: list[int | None]
    points: list[float | None]


class Ranks(msgspec.Struct, frozen=True, kw_only=True):
    """Who stood where after each round of an event, in the order of the last one."""

    event: str
    name: str
    tiebreaks: list[TieBreak]
    rounds: list[str]
    lines: list[RankLine]


class CrossCell(msgspec.Struct, frozen=True, kw_only=True):
    """What a player scored against another one: points, number of games and their ids."""

    opponent: str
    points: float
    games: int
    ids: list[str]


class CrossRow(msgspec.Struct, frozen=True, kw_only=True):
    """A player's line of a crosstable; only opponents met have a cell."""

    rank: int
    player: str
    name: str
    points: float
    cells: list[CrossCell]


class Crosstable(msgspec.Struct, frozen=True, kw_only=True):
    """Everybody against everybody, in the order of the standings."""

    event: str
    name: str
    rows: list[CrossRow]


class EventInFull(msgspec.Struct, frozen=True, kw_only=True):
    """An event: its row, how many games each round has, its standings, its crosstable.

    `games` are those of the last round by their tables, or of all where there are no rounds.
    """

    event: EventRow
    rounds: dict[str, int]
    games: list[GameRow]
    standings: Standings
    teams: TeamStandings
    crosstable: Crosstable | None


# The archive itself ----------------------------------------------------------------------


class Info(msgspec.Struct, frozen=True, kw_only=True):
    """The archive: where, how big, which schema, how many."""

    path: str
    bytes: int
    schema: int
    read_only: bool
    games: int
    complete: int
    revisions: int
    deleted: int
    players: int
    events: int
    generation: int


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """Something that `check` found to disagree.

    `message` is in English; `key` and `values` are for other languages.
    """

    what: str
    id: str | None
    message: str
    key: str = ""
    values: dict[str, Any] = {}

    @classmethod
    def of(cls, what: str, id: str | None, message: Message) -> Fault:
        """The fault that a message tells."""
        return cls(what=what, id=id, message=str(message), **message.for_json())


class CheckReport(msgspec.Struct, frozen=True, kw_only=True):
    """What `check` looked at, and what disagrees (at most 100 faults are listed).

    `behind`: revisions that have not come to the lake yet and were not compared.  `head` is that
    of the chain (`claimlog.store.ledger.chain`), "" if nothing has been told yet.
    """

    games: int
    revisions: int
    faults: list[Fault]
    fault_count: int
    behind: int = 0
    head: str = ""

    @property
    def good(self) -> bool:
        """Whether everything agrees."""
        return self.fault_count == 0


class Rebuilt(msgspec.Struct, frozen=True, kw_only=True):
    """What `rebuild` made: the number of games; faults are records that are not legal any more."""

    games: int
    faults: list[Fault]
    fault_count: int


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """What a move brought, and where it is now.

    `faults` of the chain were there before; `head` is that of the chain.
    """

    path: str
    games: int
    revisions: int
    faults: int
    head: str


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a long task has come."""

    done: int
    total: int
