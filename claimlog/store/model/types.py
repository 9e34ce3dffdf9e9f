"""The arguments and answers of the archive's functions.

Seats and sides count from 1 here, as in the notation.  The points of a game are 1 for a win and an
equal share of a shared one.  All structs encode to JSON as they are.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

import msgspec

from claimlog.directing.model import Criterion as Criterion
from claimlog.directing.model import TieBreak as TieBreak
from claimlog.game import Game, Problem, Seat, Side
from claimlog.language.messages import Message

Status = Literal[
    "stored", "known", "corrected", "unchanged", "invalid", "doubtful", "conflict", "deleted"
]
"""What happened to a submitted record.

`stored`: it is new.  `known`: it is already there, as a revision of `id`.  `invalid`: it was
refused because of its problems.  `deleted`: its game `id` has been deleted, and storing does not
restore it (`Archive.undelete` does).  `corrected`: it is a new revision of `id`, because that was
requested, or because it continues that game, which stopped unfinished. `doubtful`: it differs from
the stored game `id` and yet seems to be the same game; nothing was stored.  `unchanged` and
`conflict` answer a correction: the latter is equal to another game, `id`.
"""

Doubtful = Literal["refuse", "replace", "beside"]

"""What to do with a record that differs from a stored game and yet seems to be that game."""


class Handed(NamedTuple):
    """A submitted record with the other arguments of `Archive.store`."""

    record: bytes
    by: str
    source: str
    doubtful: Doubtful


InCommon = Literal["table", "players", "tricks"]
"""What makes two records seem to be of the same game.

They have in common: event, round and table; event, round and all players; or the players, the deck
and the first six tricks.
"""


# Storing ---------------------------------------------------------------------------------


class ReportedProblem(msgspec.Struct, frozen=True, kw_only=True):
    """A problem of a record, with just what reports say about it (docs/notation.md).

    Its fields are those of `claimlog.game.Problem` that are in reports.
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
        """What reports say about a problem."""
        return cls(**problem.report())

    def __str__(self) -> str:
        """Place, code and message, like that of a `Problem`."""
        return f"{self.line}:{self.column}: {self.severity}: {self.code}: {self.message}"


class Doubt(msgspec.Struct, frozen=True, kw_only=True):
    """Why a record was not stored: what it has in common with the stored game.

    `others` are further stored games that it may be; `record` is the canonical record.
    """

    in_common: list[InCommon]
    others: list[str]
    record: str


class Outcome(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What happened to one submitted game.

    `game` is its number in the input, `line` its first line (both from 1); `problems` are its
    errors and warnings.  `id` and `revision` are None if it is invalid. `doubt` is set if it is
    doubtful; `id` is then the game that it may be.
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
    """Two stored games that seem to be the same, and what they have in common."""

    id: str
    other: str
    in_common: list[InCommon]


class TagChange(msgspec.Struct, frozen=True, kw_only=True):
    """A new value of a tag; None if the tag is missing."""

    tag: str
    before: str | None
    after: str | None


CorrectionStatus = Literal["corrected", "invalid", "conflict", "doubtful"]


class Correction(msgspec.Struct, frozen=True, kw_only=True):
    """The effect of new tags on a game; `revision` is the revision they make.

    `status` "invalid": the record would have these `problems`; "conflict": it would be the record
    of game `other`; "doubtful": it would seem to be that game.
    """

    id: str
    revision: int
    changes: list[TagChange]
    status: CorrectionStatus
    other: str | None = None
    problems: list[ReportedProblem] = []


class Corrections(msgspec.Struct, frozen=True, kw_only=True):
    """The effect of new tags on many games: everything is `done`, or nothing.

    `games` is the number of games looked at, `refused` the number that stand in the way.
    `expected` identifies these changes to these revisions: a request that names it does what a dry
    run has shown.
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

    `seats` is the number of seats, `players` who sat where.  `votes` (factions won) and `points`
    are by side, from 1, None while unfinished; without tricks, the votes are those of the Votes
    tag, if any.  `factions` says which side won which faction (None: nobody), and is None if not
    scored; `phase1_winner` is the seat that won Phase 1's last trick; `deck` is empty if a game
    without tricks does not name it, `tricks` is the number of recorded tricks.  `date` is as
    written, with `??` for unknown parts.
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
    """One page of games; `cursor` requests the next one, None after the last.

    `total` is the number of all games, if requested.
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
    """A player, event or game that may be meant, with what tells it apart from others.

    `name` is that of the player or event, or the game's players; `games` is the number of games of
    the player or event; `last_date` is the date of the newest game, or of the game itself; `rating`
    is the player's last one, `tag_id` the ``Id`` tag, `event` where the game was played.
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
    """A name or an id that matches nobody, or several; `count` is the number of matches.

    `candidates` are up to ten of them, those with the most games first; if nothing matches, those
    most like it.  `field` is the argument that had it, "" if it named the thing itself.
    """

    kind: Kind
    text: str
    field: str
    count: int
    candidates: list[Candidate]


# Players ---------------------------------------------------------------------------------


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """`count` observations that brought `points`, their rate, and its 95 % interval (Wilson).

    The rate and the interval are None if there is nothing to count.  If tricks are counted, the
    interval allows for the correlation of tricks within a game (docs/archive.md, "Intervals").
    `expected` is what the rate would be, for the same mix of games, if nothing depended on the
    grouping (docs/archive.md, "Expected shares"); None if there is no such value.
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
    """One page of players; `cursor` requests the next one, None after the last.

    `total` is the number of all players, if requested.
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

    `with_faction` is the result with a faction in the deck, `factions_won` how often the player's
    side won the faction; `phase1_won` the result where the player won Phase 1's last trick.
    `votes_for` and `votes_against` are means over the scored games.
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
    neither: int = 0  # servers of 1.0.0 do not say
    votes_for: int
    votes_against: int
    together: Rate
    games: list[GameRow]


class Streak(msgspec.Struct, frozen=True, kw_only=True):
    """Consecutive games of a player: how many, and the ids and dates of the first and the last."""

    length: int
    first: str
    last: str
    first_date: str | None
    last_date: str | None


class Streaks(msgspec.Struct, frozen=True, kw_only=True):
    """A player's longest streaks over `games` finished games (None: there is none).

    Byes, and forfeits without a trick, are left out.
    `unbeaten` games were won or shared, `winless` games lost or shared.  `current` is the streak
    still running: of wins, shared wins or losses, according to `current_kind`.
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

    `games` is the number of games that count: played, with two sides, a result and all opponents
    rated; `opponents` is the mean of the opponents' ratings, `result` the points.  `low` and `high`
    belong to the interval of `result`.
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
    """A player: profile, streaks, performance and the latest games."""

    profile: PlayerProfile
    streaks: Streaks
    performance: Performance
    games: list[GameRow]


class Merge(msgspec.Struct, frozen=True, kw_only=True):
    """An alias that a director merged into another player; who undid that, when and why."""

    alias: str
    alias_name: str
    player: str
    player_name: str = ""
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
    event_name: str = ""
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
    tiebreaks: list[Criterion]


class EventPage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One page of events; `cursor` requests the next one, None after the last.

    `total` is the number of all events, if requested.
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
    """The standings of an event, over `games` finished games.

    If it is directed here, the desk's results and byes count.  With a filter other than `until`,
    records alone do.
    """

    event: str
    name: str
    tiebreaks: list[Criterion]
    until_round: str | None
    until: str | None
    known_at: datetime | None
    games: int
    unfinished: int
    lines: list[Standing]


class TeamStanding(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the team standings: the partners, and the fields of `Standing`."""

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
    """The standings of an event's teams: partners in games with four players.

    Games count as in `Standings`.
    """

    event: str
    name: str
    tiebreaks: list[Criterion]
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
    """The standings after each round of an event, in the order after the last one.

    Games count as in `Standings`.
    """

    event: str
    name: str
    tiebreaks: list[Criterion]
    rounds: list[str]
    lines: list[RankLine]


class CrossCell(msgspec.Struct, frozen=True, kw_only=True):
    """A player's score against another one: points, number of games and their ids."""

    opponent: str
    points: float
    games: int
    ids: list[str]


class CrossRow(msgspec.Struct, frozen=True, kw_only=True):
    """A player's line in a crosstable; only opponents met have a cell."""

    rank: int
    player: str
    name: str
    points: float
    cells: list[CrossCell]


class Crosstable(msgspec.Struct, frozen=True, kw_only=True):
    """Everybody against everybody, in the order of the standings.

    Games count as in `Standings`.
    """

    event: str
    name: str
    rows: list[CrossRow]


class TeamCrossCell(msgspec.Struct, frozen=True, kw_only=True):
    """A team's score against another one: points, number of games and their ids."""

    opponents: list[str]
    points: float
    games: int
    ids: list[str]


class TeamCrossRow(msgspec.Struct, frozen=True, kw_only=True):
    """A team's line in a crosstable: the partners; only teams met have a cell."""

    rank: int
    players: list[str]
    names: list[str]
    points: float
    cells: list[TeamCrossCell]


class TeamCrosstable(msgspec.Struct, frozen=True, kw_only=True):
    """Every team against every other, in the order of the team standings.

    Games count as in `Standings`.
    """

    event: str
    name: str
    rows: list[TeamCrossRow]


class EventInFull(msgspec.Struct, frozen=True, kw_only=True):
    """An event: its row, the number of games per round, its standings, its crosstable.

    `games` are those of the last round, by table, or all if there are no rounds.
    """

    event: EventRow
    rounds: dict[str, int]
    games: list[GameRow]
    standings: Standings
    teams: TeamStandings
    crosstable: Crosstable | None


# The archive itself ----------------------------------------------------------------------


class Info(msgspec.Struct, frozen=True, kw_only=True):
    """The archive: its path, size and schema, and counts."""

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
    """A disagreement that `check` found.

    `message` is in English; `key` and `values` are for other languages.
    """

    what: str
    id: str | None
    message: str
    key: str = ""
    values: dict[str, Any] = {}

    @classmethod
    def of(cls, what: str, id: str | None, message: Message) -> Fault:
        """The fault that a message describes."""
        return cls(what=what, id=id, message=str(message), **message.for_json())


Resume = Literal["no", "yes", "afresh"]
"""Whether a check can be continued if it is interrupted, and continues one that was."""


class CheckReport(msgspec.Struct, frozen=True, kw_only=True):
    """What `check` looked at, and what disagrees (at most 100 faults are listed).

    `behind`: revisions that have not reached the lake yet and were not compared.  `head` is that of
    the chain (`claimlog.store.ledger.chain`), "" if nothing has been recorded yet.  `continued`:
    when the check began that was interrupted and continued by this one; what that one had looked at
    was not looked at again.
    """

    games: int
    revisions: int
    faults: list[Fault]
    fault_count: int
    behind: int = 0
    head: str = ""
    continued: datetime | None = None

    @property
    def good(self) -> bool:
        """Whether everything agrees."""
        return self.fault_count == 0


class Rebuilt(msgspec.Struct, frozen=True, kw_only=True):
    """What `rebuild` made: the number of games; faults are records that are no longer legal.

    `continued`: when the rebuild began that was interrupted and continued by this one.
    """

    games: int
    faults: list[Fault]
    fault_count: int
    continued: datetime | None = None


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """What a move copied, and where it is now.

    `faults` of the chain existed before the move; `head` is that of the chain.  `continued`: when
    the move began that was interrupted and continued by this one; `given_up`: when one began that
    could not be continued.
    """

    path: str
    games: int
    revisions: int
    faults: int
    head: str
    continued: datetime | None = None
    given_up: datetime | None = None


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """The progress of a long task."""

    done: int
    total: int
