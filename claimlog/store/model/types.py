"""What goes into the archive's functions and what comes out of them.

Seats and sides count from 1 here, as in the notation.  Points of a game are 1 for a win
and the equal share of a shared one.  All structs encode to JSON as they are.
"""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Final, Literal

import msgspec

from claimlog.game import Game, Problem, Seat, Side

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

TieBreak = Literal[
    "points", "votes", "vote-difference", "head-to-head", "buchholz", "sonneborn-berger", "wins"
]


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


# Statistics ------------------------------------------------------------------------------

Grouping = Literal[
    "seat",
    "side",
    "leader",
    "deck",
    "faction",
    "rules",
    "rulings",
    "seats",
    "termination",
    "event",
    "year",
    "month",
    "round",
    "site",
    "table",
    "votes",
    "tiebreak",
    "player",
    "opponent",
    "partner",
]


class GroupStat(msgspec.Struct, frozen=True, kw_only=True):
    """The games of a group, and how those with a result went.

    By seat, side, leader and player `result` is that seat's (side's, player's), by opponent
    and partner the filter's player's; otherwise that of the side that led trick 1, and a game
    without a trick, which nobody led, does not count in it.  Of the filter's player it is
    always the player's.  `label` is the name of the player that `key` is, otherwise `key`.
    `shared` counts shared wins.
    """

    key: str
    label: str
    games: int
    share: Rate
    result: Rate
    shared: int


class ResultStats(msgspec.Struct, frozen=True, kw_only=True):
    """Results, grouped."""

    by: Grouping
    games: int
    complete: int
    groups: list[GroupStat]


class TimeStat(msgspec.Struct, frozen=True, kw_only=True):
    """How long games with so many seats took, in seconds."""

    seats: int
    games: int
    mean: float
    median: float
    shortest: int
    longest: int


class TimeStats(msgspec.Struct, frozen=True, kw_only=True):
    """How long games took, from the tags Start and End, in seconds.

    `games` are all that were looked at, `timed` those with both tags; the others are None if
    there is none.
    """

    games: int
    timed: int
    mean: float | None
    median: float | None
    shortest: int | None
    longest: int | None
    by_seats: list[TimeStat]


class FactionStat(msgspec.Struct, frozen=True, kw_only=True):
    """A faction over complete games.

    `in_deck`: how often it is in the deck; `decided`: how often somebody won it (of the
    games in which it was in the deck); `by_leader`: how often the side that led trick 1
    won it, of those decided; `margin`: the mean lead in cards of who won it; `worth`: how
    the side that won it did; `worth_margin`: the rate of `worth` less that of a side that
    did not win it.
    """

    faction: str
    name: str
    in_deck: Rate
    decided: Rate
    by_leader: Rate
    margin: float | None
    worth: Rate
    worth_margin: float | None


class CardStat(msgspec.Struct, frozen=True, kw_only=True):
    """A card over all tricks judged: how often, and how the game went for who did it.

    `led`, `followed` and `discarded` (face down) are disjoint; their points are those of
    the game.  `won_led` and `won_followed` say how often the play won its trick.
    """

    RATES: ClassVar[tuple[str, ...]] = ("led", "followed", "discarded", "won_led", "won_followed")

    card: str
    faction: str
    plays: int
    led: Rate
    followed: Rate
    discarded: Rate
    won_led: Rate
    won_followed: Rate


class UpcardStat(msgspec.Struct, frozen=True, kw_only=True):
    """An upcard: how often, how the game went for who took it, for who won the trick.

    `worth` is the rate of `taker` less what was expected: that of all takers in such games.
    """

    RATES: ClassVar[tuple[str, ...]] = ("taker", "winner")

    card: str
    faction: str
    shown: int
    taker: Rate
    winner: Rate
    worth: float | None


class LeadStats(msgspec.Struct, frozen=True, kw_only=True):
    """What leading and winning Phase 1 are worth: points of those who did.

    `first_lead` those of who led trick 1, `phase1_last` of who won Phase 1's last trick,
    `phase1_most` of the sides that won most of its tricks, `phase2_first` of who led
    Phase 2.  `trick_won` says how often who led a trick won it, unfinished games included.
    """

    games: int
    first_lead: Rate
    phase1_last: Rate
    phase1_most: Rate
    phase2_first: Rate
    by_seats: list[NamedRate]
    trick_won: Rate
    trick_won_by_phase: list[NamedRate]


class LengthStat(msgspec.Struct, frozen=True, kw_only=True):
    """Leads of one length: the number of tricks in a row led by the same seat."""

    length: int
    count: int
    share: Rate
    result: Rate


class LeadLengths(msgspec.Struct, frozen=True, kw_only=True):
    """How long leads last; `mean` in tricks."""

    leads: int
    mean: float | None
    longest: int
    lengths: list[LengthStat]


class ExplorerMove(msgspec.Struct, frozen=True, kw_only=True):
    """One continuation: how often (of all in this context), and how it went.

    `won_trick`: how often the play won its trick; `result`: the game's points of the seat
    that played it; `examples` are ids of games, newest first.
    """

    RATES: ClassVar[tuple[str, ...]] = ("won_trick", "result")

    card: str
    faction: str
    share: Rate
    won_trick: Rate
    result: Rate
    examples: list[str]


class Context(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A moment in a trick: number, upcards, what has been played so far, in order.

    Cards are names, or a faction's letter for any of its cards.  With an empty `played`
    the moves are leads; `trick` None means any trick of `phase` (None: any).
    """

    trick: int | None = None
    phase: int | None = None
    upcard: str | None = None
    played: list[str] = []
    seats: int | None = None


class Explorer(msgspec.Struct, frozen=True, kw_only=True):
    """What was played in a context, the most frequent first."""

    context: Context
    count: int
    result: Rate
    moves: list[ExplorerMove]
    examples: list[str]


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
    """Something that `check` found to disagree."""

    what: str
    id: str | None
    message: str


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
