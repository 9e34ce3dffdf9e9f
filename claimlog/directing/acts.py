"""What a director does: one act for each thing done, as it is kept in the ledger.

An event's state is what its acts make of each other (`claimlog.directing.desk`).  An act says what
was decided, not what it was made of: a round that was paired is kept table by table.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from claimlog.directing.model import Bye, ByeKind, Entrant, Number, Plan, Table, TableResult
from claimlog.notation.names import LONGEST

Side = Annotated[int, msgspec.Meta(ge=1, le=3)]


class _Act(msgspec.Struct, frozen=True, kw_only=True, tag_field="act", forbid_unknown_fields=True):
    """What all acts have in common."""


class Created(_Act, frozen=True, kw_only=True, tag="created"):
    """An event begins: its name, and how it is to be played."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST)]
    plan: Plan


class Planned(_Act, frozen=True, kw_only=True, tag="planned"):
    """The event is played by another plan from now on."""

    plan: Plan


class Entered(_Act, frozen=True, kw_only=True, tag="entered"):
    """These take part."""

    entrants: Annotated[tuple[Entrant, ...], msgspec.Meta(min_length=1, max_length=5000)]


class Changed(_Act, frozen=True, kw_only=True, tag="changed"):
    """An entrant's name, club, rating or seed changes."""

    entrant: Entrant


class Spelled(_Act, frozen=True, kw_only=True, tag="spelled"):
    """Records call an entrant by this name, too."""

    entrant: Number
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST)]


class Withdrew(_Act, frozen=True, kw_only=True, tag="withdrew"):
    """An entrant withdraws, from a round on."""

    entrant: Number
    round: Number


class Returned(_Act, frozen=True, kw_only=True, tag="returned"):
    """An entrant who had withdrawn plays again."""

    entrant: Number


class AskedForBye(_Act, frozen=True, kw_only=True, tag="asked-for-bye"):
    """An entrant does not play in a round, and gets what the plan gives for it; null: plays."""

    entrant: Number
    round: Number
    kind: ByeKind | None


class Paired(_Act, frozen=True, kw_only=True, tag="paired"):
    """Who plays whom in a round: found out, or `by_hand`; in place of what was paired before."""

    round: Number
    tables: tuple[Table, ...]
    byes: tuple[Bye, ...] = ()
    by_hand: bool = False


class Exchanged(_Act, frozen=True, kw_only=True, tag="exchanged"):
    """Two entrants change places in a round; one of them may have the bye."""

    round: Number
    entrants: Annotated[tuple[Number, ...], msgspec.Meta(min_length=2, max_length=2)]


class Locked(_Act, frozen=True, kw_only=True, tag="locked"):
    """A table stays as it is when the round is paired again; or is unlocked."""

    round: Number
    table: Number
    locked: bool = True


class Started(_Act, frozen=True, kw_only=True, tag="started"):
    """A round is played from now on."""

    round: Number


class Clocked(_Act, frozen=True, kw_only=True, tag="clock"):
    """The clock of a round starts or stops, and gets more minutes or fewer.

    With `running` null it goes on as before.  A new clock begins with the minutes of the plan.
    """

    round: Number
    running: bool | None = None
    minutes: Annotated[int, msgspec.Meta(ge=-10_000, le=10_000)] = 0


class ResultTyped(_Act, frozen=True, kw_only=True, tag="result"):
    """How a game ended, as somebody typed it; null: it is taken back."""

    round: Number
    table: Number
    result: TableResult | None


class Confirmed(_Act, frozen=True, kw_only=True, tag="confirmed"):
    """Sides confirm the result of their table; where all have, only the director changes it."""

    round: Number
    table: Number
    sides: Annotated[tuple[Side, ...], msgspec.Meta(min_length=1, max_length=3)]
    result: TableResult
    """What they confirm: it may have come from the record of the game."""


class Corrected(_Act, frozen=True, kw_only=True, tag="corrected"):
    """The director sets a result, whatever was typed or recorded; null: what was set is gone."""

    round: Number
    table: Number
    result: TableResult | None


class Closed(_Act, frozen=True, kw_only=True, tag="closed"):
    """A round is over; the games of `adjourned` tables are played later."""

    round: Number
    adjourned: tuple[Number, ...] = ()


class Reopened(_Act, frozen=True, kw_only=True, tag="reopened"):
    """A round that was closed is open again."""

    round: Number


class Announced(_Act, frozen=True, kw_only=True, tag="announced"):
    """A message to everybody; an empty one removes the one on the screens."""

    text: Annotated[str, msgspec.Meta(max_length=1000)]


class Undone(_Act, frozen=True, kw_only=True, tag="undone"):
    """The last act that stands is undone; `number` says which that is."""

    number: Annotated[int, msgspec.Meta(ge=2)]


InRound = (
    Exchanged | Locked | Started | Clocked | ResultTyped | Confirmed | Corrected | Closed | Reopened
)
"""Acts in a round that was paired."""

Act = (
    Created
    | Planned
    | Entered
    | Changed
    | Spelled
    | Withdrew
    | Returned
    | AskedForBye
    | Paired
    | InRound
    | Announced
    | Undone
)

DIRECT: Final[dict[str, type[Act]]] = {
    "plan": Planned,
    "change": Changed,
    "spell": Spelled,
    "withdraw": Withdrew,
    "return": Returned,
    "bye": AskedForBye,
    "pair": Paired,
    "exchange": Exchanged,
    "lock": Locked,
    "clock": Clocked,
    "result": ResultTyped,
    "confirm": Confirmed,
    "correct": Corrected,
    "reopen": Reopened,
    "announce": Announced,
}
"""Acts that need just their own fields, by name; for the others see `Archive`."""

_DECODER: Final[msgspec.json.Decoder[Act]] = msgspec.json.Decoder(Act)


def write_act(act: Act) -> str:
    """An act as it is kept."""
    return msgspec.json.encode(act).decode()


def read_act(text: str) -> Act:
    """An act that was kept."""
    return _DECODER.decode(text)
