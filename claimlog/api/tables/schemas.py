"""Input and output types of the API for tables at which a game is being recorded."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from claimlog import game as model
from claimlog.api.http import schemas
from claimlog.api.http.schemas import Seat, Side, Text, Value
from claimlog.store.model.types import Standings

Id = Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{1,64}$")]
Word = Annotated[str, msgspec.Meta(pattern="^[!-~]{1,40}$")]
Card = Annotated[str, msgspec.Meta(pattern="^([A-Za-z][0-9]{1,2}|_)$")]
Clock = Annotated[str, msgspec.Meta(pattern="^[0-9]{1,3}:[0-9]{2}(:[0-9]{2})?$")]
TagName = Annotated[str, msgspec.Meta(pattern="^[A-Za-z][A-Za-z0-9_]{0,39}$")]
Note = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]
Number = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
TrickNumber = Annotated[int, msgspec.Meta(ge=1, le=26)]
Phase = Annotated[int, msgspec.Meta(ge=1, le=2)]
State = Literal["open", "finished", "abandoned"]
RowState = Literal["open", "finished", "abandoned", "damaged"]
Due = Literal["turn-up", "play", "discard", "look", "pick", "draw", "loot", "over"]


# Entries ---------------------------------------------------------------------------------------


class _Entry(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True
):
    """What all entries have; the number is set by the server, and ignored when sent."""

    id: Id
    number: Annotated[int, msgspec.Meta(ge=1)] | UnsetType = UNSET


class Enter(_Entry, frozen=True, kw_only=True, tag="enter"):
    """A word of the notation: a card, a draw, a Seer's choice, a pick, a discard, loot."""

    word: Word
    anyway: bool | UnsetType = UNSET
    earlier: Card | UnsetType = UNSET


class Undo(_Entry, frozen=True, kw_only=True, tag="undo"):
    """Undo the last change."""


class Redo(_Entry, frozen=True, kw_only=True, tag="redo"):
    """Redo the last change undone."""


class NoteEntry(_Entry, frozen=True, kw_only=True, tag="note"):
    """A comment."""

    text: Note


class Annotate(_Entry, frozen=True, kw_only=True, tag="annotate"):
    """A mark for the last play; empty: no mark."""

    mark: Literal["!", "?", "!!", "??", "!?", "?!", ""]


class Stamp(_Entry, frozen=True, kw_only=True, tag="stamp"):
    """The time of the clock."""

    time: Clock


class Pause(_Entry, frozen=True, kw_only=True, tag="pause"):
    """A pause that begins at a time of the clock."""

    time: Clock


class Fill(_Entry, frozen=True, kw_only=True, tag="fill"):
    """A hidden card that a seat drew or took with a Seer."""

    trick: TrickNumber
    seat: Seat
    card: Card


class Mend(_Entry, frozen=True, kw_only=True, tag="mend"):
    """The right card in place of a wrong one in a trick."""

    trick: TrickNumber
    was: Card
    card: Card


class Edit(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    rename={"what": "do"},
    omit_defaults=True,
):
    """One change to a trick already entered, with the fields that it needs."""

    what: Literal[
        "card", "swap", "turn", "pick", "look", "insert", "delete", "leader", "ask", "settle"
    ]
    trick: TrickNumber | UnsetType = UNSET
    seat: Seat | UnsetType = UNSET
    place: Seat | UnsetType = UNSET
    other: Seat | UnsetType = UNSET
    was: Card | UnsetType = UNSET
    card: Card | UnsetType = UNSET
    words: Annotated[list[Word], msgspec.Meta(min_length=1, max_length=30)] | UnsetType = UNSET


class Revise(_Entry, frozen=True, kw_only=True, tag="revise"):
    """Corrections of earlier tricks; everything after them is judged again."""

    edits: Annotated[list[Edit], msgspec.Meta(min_length=1, max_length=30)]
    anyway: bool | UnsetType = UNSET
    cut: bool | UnsetType = UNSET


class LetStand(_Entry, frozen=True, kw_only=True, tag="let_stand"):
    """A revoke that the director lets stand."""

    trick: TrickNumber
    seat: Seat


class TagEntry(_Entry, frozen=True, kw_only=True, tag="tag"):
    """A tag of the record; an empty value removes it."""

    name: TagName
    value: Value


class Agree(_Entry, frozen=True, kw_only=True, tag="agree"):
    """Tags that are set together, as one change; an empty value removes a tag."""

    tags: Annotated[dict[TagName, Text], msgspec.Meta(min_length=1, max_length=30)]


class Finish(_Entry, frozen=True, kw_only=True, tag="finish"):
    """The result of a game that ended early."""

    result: Note
    termination: Note


class Confirm(_Entry, frozen=True, kw_only=True, tag="confirm"):
    """A side confirms the result of the game."""

    side: Side


class Unconfirm(_Entry, frozen=True, kw_only=True, tag="unconfirm"):
    """A side takes its confirmation back, until the game is handed in."""

    side: Side


class Clear(_Entry, frozen=True, kw_only=True, tag="clear"):
    """What to do with the entry in doubt."""

    entry: Id
    word: Word | UnsetType = UNSET
    anyway: bool | UnsetType = UNSET
    earlier: Card | UnsetType = UNSET
    drop: bool | UnsetType = UNSET
    first: Word | UnsetType = UNSET
    later: bool | UnsetType = UNSET


Entry = (
    Enter
    | Undo
    | Redo
    | NoteEntry
    | Annotate
    | Stamp
    | Pause
    | Fill
    | Mend
    | Revise
    | LetStand
    | TagEntry
    | Agree
    | Finish
    | Confirm
    | Unconfirm
    | Clear
)


# Requests --------------------------------------------------------------------------------------


Hand = Annotated[str, msgspec.Meta(max_length=100)]


class Hands(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    rename=lambda name: name.removeprefix("seat_"),
):
    """Hands by seat, the cards separated by spaces, `_` for an unknown card."""

    seat_1: Hand = ""
    seat_2: Hand = ""
    seat_3: Hand = ""
    seat_4: Hand = ""


class NewTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is agreed at a table: deck and players, or an unfinished record as `text`."""

    deck: Annotated[str, msgspec.Meta(max_length=20)] = ""
    players: Annotated[list[Value], msgspec.Meta(max_length=4)] = []
    leader: Seat | None = None
    rules: Value | None = None
    rulings: dict[Value, Value] = {}
    loot: Annotated[list[Card], msgspec.Meta(max_length=14)] | None = None
    event: Value | None = None
    round: Value | None = None
    table: Value | None = None
    site: Value | None = None
    date: Value | None = None
    recorder: Value | None = None
    hands: Hands = Hands()
    delay: Annotated[int, msgspec.Meta(ge=0, le=26)] = 0
    text: str | None = None


class Actions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Entries of a device, in order."""

    device: Id
    after: Number
    entries: Annotated[list[Entry], msgspec.Meta(max_length=500)]
    take_over: bool = False


class Abandonment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The reason why a table is abandoned."""

    reason: Text = ""


class NewTableToken(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The name for a new token of a table."""

    name: Value = ""


# Answers ---------------------------------------------------------------------------------------

if TYPE_CHECKING:

    class ReplayProblem(msgspec.Struct):
        """One problem of a record."""

else:
    ReplayProblem = schemas._struct(model.Problem)


class TableDue(msgspec.Struct, frozen=True, kw_only=True):
    """What is due next, and whose turn it is."""

    kind: Due
    seat: Seat | None


class TablePlay(msgspec.Struct, frozen=True, kw_only=True):
    """A card that was played."""

    seat: Seat
    card: str | None
    irregular: bool


class OnTable(msgspec.Struct, frozen=True, kw_only=True):
    """The trick being played."""

    upcards: list[str]
    plays: list[TablePlay]
    trolls: list[str]


class PlayedTrick(msgspec.Struct, frozen=True, kw_only=True):
    """A completed trick."""

    number: TrickNumber
    phase: Phase
    auto: bool
    leader: Seat
    upcards: list[str]
    plays: list[TablePlay]
    winner: Seat
    taken: dict[str, str | None]
    next_leader: Seat | None


class WonTrick(PlayedTrick, frozen=True, kw_only=True):
    """The last completed trick, and why it was won."""

    why: list[str]


class TableSeat(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat has won."""

    seat: Seat
    side: Side
    won: int
    pile: list[str]
    gnomes: list[str]


class TableDoubt(msgspec.Struct, frozen=True, kw_only=True):
    """An entry that is impossible, and the ways to resolve it."""

    entry: Id
    number: int
    kind: str
    word: str
    mark: str
    code: str
    sentence: str
    card: str
    seat: Seat | None
    trick: int | None
    was: str
    remedies: list[Literal["anyway", "earlier"]]
    because: str
    later: bool
    behind: list[str]


class AskedPlay(msgspec.Struct, frozen=True, kw_only=True):
    """A play that the director has to decide about."""

    trick: TrickNumber
    seat: Seat
    card: str | None


class TableAgreed(msgspec.Struct, frozen=True, kw_only=True):
    """What was agreed at the table."""

    seats: int
    players: list[str]
    leader: Seat
    deck: str
    rules: str
    rulings: dict[str, str]
    loot: list[str] | None
    event: str
    round: str
    table: str
    recorder: str


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """All that a screen shows; what only the scorer needs is left out for others."""

    number: int
    players: list[str]
    deck: str
    tricks: int
    trick: TrickNumber
    decided: int
    phase: Phase
    auto: bool
    leader: Seat
    order: list[Seat]
    due: TableDue
    table: OnTable
    played: list[PlayedTrick]
    last: WonTrick | None
    unseen: dict[str, list[str]]
    seats: list[TableSeat]
    race: dict[str, list[int]]
    ahead: dict[str, Side | None]
    problems: list[ReplayProblem]
    over: bool
    result: str
    votes: list[int] | None
    termination: str | None
    verdict: list[str]
    tags: dict[str, str]
    agreed: TableAgreed
    confirmed: list[Side]
    closed: bool
    record: str
    possible: list[str] | UnsetType = UNSET
    doubt: TableDoubt | UnsetType | None = UNSET
    waiting: int | UnsetType = UNSET
    can_undo: bool | UnsetType = UNSET
    can_redo: bool | UnsetType = UNSET
    won_by: dict[str, Side | None] | UnsetType = UNSET
    played_from: Annotated[int, msgspec.Meta(ge=0)] | UnsetType = UNSET
    undone: list[str] | UnsetType = UNSET
    wrong_player: list[Edit] | UnsetType = UNSET
    asked: list[AskedPlay] | UnsetType = UNSET


class LiveTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table, as the caller may see it."""

    id: str
    state: State
    created: datetime
    delay: int
    number: int
    seen_as: Literal["spectator", "all", "1", "2", "3", "4"]
    game: str | None
    view: TableView
    device: str | UnsetType | None = UNSET
    seen_at: datetime | UnsetType | None = UNSET
    begin: str | UnsetType = UNSET
    entries: list[Entry] | UnsetType = UNSET


class OpenedTable(LiveTable, frozen=True, kw_only=True):
    """A table that was just opened, with its token, which is shown only once."""

    token: str


class TableRow(msgspec.Struct, frozen=True, kw_only=True):
    """A table in a list, as spectators see it; of a damaged one only its known beginning."""

    id: str
    state: RowState
    created: datetime
    delay: int
    number: int
    players: list[str]
    deck: str
    event: str | None
    round: str | None
    table: str | None
    site: str | None
    date: str | None
    trick: int
    tricks: int
    decided: int
    due: TableDue
    over: bool
    result: str
    race: dict[str, list[int]]
    votes: list[int] | None
    game: str | None
    adjourned: bool = False


class TablePage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One page of tables; `cursor` leads to the next one."""

    tables: list[TableRow]
    cursor: str | None
    total: int | None = None


class Acknowledged(msgspec.Struct, frozen=True, kw_only=True):
    """An entry that has been saved."""

    id: Id
    number: int
    doubtful: bool


class Acted(msgspec.Struct, frozen=True, kw_only=True):
    """The saved entries, and the table after them."""

    number: int
    entries: list[Acknowledged]
    table: LiveTable


class TableToken(msgspec.Struct, frozen=True, kw_only=True):
    """A token for one table, shown only once."""

    id: str
    name: str
    table: str
    token: str
    expires: datetime


class KeptTableToken(msgspec.Struct, frozen=True, kw_only=True):
    """A token for one table, without its text."""

    id: str
    name: str
    expires: datetime


class LiveEvent(msgspec.Struct, frozen=True, kw_only=True):
    """The tables of an event, and its standings."""

    event: str | None
    name: str
    tables: list[TableRow]
    standings: Standings | None


def plain(entries: list[Entry]) -> list[dict[str, Any]]:
    """Return entries as `claimlog.recording.Table` takes them."""
    made: list[dict[str, Any]] = msgspec.to_builtins(entries)
    for entry in made:
        entry.pop("number", None)
    return made
