"""What a director does, one act at a time, as stored in the ledger.

An event's state follows from its acts (`claimlog.directing.desk`).  An act stores a decision, not
what led to it: a paired round is stored table by table.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from claimlog.directing.model import (
    Bye,
    ByeKind,
    Entrant,
    Number,
    Plan,
    Short,
    Table,
    TableResult,
)
from claimlog.notation.names import LONGEST

Side = Annotated[int, msgspec.Meta(ge=1, le=3)]


class _Act(msgspec.Struct, frozen=True, kw_only=True, tag_field="act", forbid_unknown_fields=True):
    """The base of all acts."""


class Created(_Act, frozen=True, kw_only=True, tag="created"):
    """Create an event: its name, and how it is to be played."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST)]
    plan: Plan


class Planned(_Act, frozen=True, kw_only=True, tag="planned"):
    """Change the plan of the event."""

    plan: Plan


class Entered(_Act, frozen=True, kw_only=True, tag="entered"):
    """Enter entrants."""

    entrants: Annotated[tuple[Entrant, ...], msgspec.Meta(min_length=1, max_length=5000)]


class Changed(_Act, frozen=True, kw_only=True, tag="changed"):
    """Change an entrant's name, club, rating or seed."""

    entrant: Entrant


class Spelled(_Act, frozen=True, kw_only=True, tag="spelled"):
    """Add another name under which an entrant appears in records."""

    entrant: Number
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST)]


class Withdrew(_Act, frozen=True, kw_only=True, tag="withdrew"):
    """Withdraw an entrant from a round on."""

    entrant: Number
    round: Number


class Returned(_Act, frozen=True, kw_only=True, tag="returned"):
    """Let an entrant who has withdrawn play again."""

    entrant: Number


class AskedForBye(_Act, frozen=True, kw_only=True, tag="asked-for-bye"):
    """Give an entrant a bye for a round; a null `kind` means that they play after all."""

    entrant: Number
    round: Number
    kind: ByeKind | None


class Paired(_Act, frozen=True, kw_only=True, tag="paired"):
    """Set the pairings of a round, computed or `by_hand`, in place of earlier ones."""

    round: Number
    tables: tuple[Table, ...]
    byes: tuple[Bye, ...] = ()
    by_hand: bool = False


class Exchanged(_Act, frozen=True, kw_only=True, tag="exchanged"):
    """Exchange the places of two entrants in a round.

    One of them may have the bye, or not be in the round: then the other one leaves it.
    """

    round: Number
    entrants: Annotated[tuple[Number, ...], msgspec.Meta(min_length=2, max_length=2)]


class Seated(_Act, frozen=True, kw_only=True, tag="seated"):
    """Add a table to a round, for entrants with a bye or not in it, also while it is played."""

    round: Number
    table: Number
    players: Annotated[tuple[Number, ...], msgspec.Meta(min_length=2, max_length=4)]
    leader: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    deck: Short = ""

    @property
    def added(self) -> Table:
        """The table."""
        return Table(number=self.table, players=self.players, leader=self.leader, deck=self.deck)


class Locked(_Act, frozen=True, kw_only=True, tag="locked"):
    """Lock a table to keep it as it is when the round is paired again, or unlock it."""

    round: Number
    table: Number
    locked: bool = True


class Started(_Act, frozen=True, kw_only=True, tag="started"):
    """Start a round."""

    round: Number


class Clocked(_Act, frozen=True, kw_only=True, tag="clock"):
    """Start or stop the clock of a round, or change its minutes.

    With `running` null the clock keeps running or stopped.  A new clock starts with the plan's
    minutes.
    """

    round: Number
    running: bool | None = None
    minutes: Annotated[int, msgspec.Meta(ge=-10_000, le=10_000)] = 0


class ResultTyped(_Act, frozen=True, kw_only=True, tag="result"):
    """Enter the result of a game; null removes it."""

    round: Number
    table: Number
    result: TableResult | None


class Confirmed(_Act, frozen=True, kw_only=True, tag="confirmed"):
    """Confirm the result of a table for some sides; once all have, only the director changes it."""

    round: Number
    table: Number
    sides: Annotated[tuple[Side, ...], msgspec.Meta(min_length=1, max_length=3)]
    result: TableResult
    """The result they confirm, which may have come from the record of the game."""


class Corrected(_Act, frozen=True, kw_only=True, tag="corrected"):
    """Set a result as the director, overriding typed and recorded ones; null removes it."""

    round: Number
    table: Number
    result: TableResult | None


class Stands(_Act, frozen=True, kw_only=True, tag="stands"):
    """Let the plays stand that the scorer of a table's game left to the director."""

    round: Number
    table: Number
    game: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    """The id of the game, as another one may take its place."""


class Closed(_Act, frozen=True, kw_only=True, tag="closed"):
    """Close a round; the games of `adjourned` tables are played later."""

    round: Number
    adjourned: tuple[Number, ...] = ()


class Reopened(_Act, frozen=True, kw_only=True, tag="reopened"):
    """Reopen a closed round."""

    round: Number


class Announced(_Act, frozen=True, kw_only=True, tag="announced"):
    """Announce a message to everybody; an empty one removes the current message."""

    text: Annotated[str, msgspec.Meta(max_length=1000)]


class Undone(_Act, frozen=True, kw_only=True, tag="undone"):
    """Undo the last act not undone yet; `number` is that act's number."""

    number: Annotated[int, msgspec.Meta(ge=2)]


InRound = (
    Exchanged
    | Seated
    | Locked
    | Started
    | Clocked
    | ResultTyped
    | Confirmed
    | Corrected
    | Stands
    | Closed
    | Reopened
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
    "seat": Seated,
    "lock": Locked,
    "clock": Clocked,
    "result": ResultTyped,
    "confirm": Confirmed,
    "correct": Corrected,
    "stands": Stands,
    "reopen": Reopened,
    "announce": Announced,
}
"""Acts that need only their own fields, by name; for the others see `Archive`."""

_DECODER: Final[msgspec.json.Decoder[Act]] = msgspec.json.Decoder(Act)


def write_act(act: Act) -> str:
    """Return an act as stored."""
    return msgspec.json.encode(act).decode()


def read_act(text: str) -> Act:
    """Return a stored act."""
    return _DECODER.decode(text)
