"""What a director does in an archive; a part of `Archive`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimlog.directing import acts
from claimlog.directing.board import StartedRound
from claimlog.directing.model import Plan
from claimlog.store.model.ids import read_id

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from claimlog.directing.acts import Act
    from claimlog.directing.board import Board, Notice, TableLink, TableNews
    from claimlog.directing.desk import Entry
    from claimlog.directing.model import Entrant
    from claimlog.directing.overruled import Overruled
    from claimlog.directing.pairing.outcome import PairedRound, Relaxation, Remark
    from claimlog.directing.uploads import EnteredList
    from claimlog.store.model.types import GameRow
    from claimlog.store.questions.desks import Desks


class AtDesk:
    """The methods of the directed events of an archive (docs/directing.md)."""

    _desks: Desks

    def create_event(self, name: str, plan: Plan | None = None, *, by: str, why: str = "") -> Board:
        """Start directing an event with this plan (docs/directing.md).

        Raises ArchiveError if it is being directed already.
        """
        return self._desks.create(name, plan or Plan(), by, why)

    def desks(self) -> list[Board]:
        """All events directed here, the one started last first."""
        return self._desks.listed()

    def directed(self, event: str) -> bool:
        """Whether the event with this id is directed here."""
        number = read_id(event)
        return number is not None and self._desks.directed(number)

    def desk(self, event: str) -> Board:
        """The current state of an event directed here.  Raises NotFound."""
        return self._desks.board(event)

    def overruled(self, rows: Iterable[GameRow]) -> dict[str, Overruled]:
        """The results that count instead of the recorded ones of these games, by the games' ids."""
        return self._desks.overruled(rows)

    def notice(self, event: str) -> Notice:
        """What all screens of an event show now: its clock and the announcement."""
        return self._desks.notice(event)

    def desk_tables(self, event: str) -> list[TableNews]:
        """The live tables of an event's last round; only a server has any."""
        self._desks.find(event)
        return []

    def desk_acts(self, event: str) -> list[Entry]:
        """Everything done at an event's desk, with who, when and why, including what was undone."""
        return self._desks.entries(event)

    def direct(
        self,
        event: str,
        act: Act,
        *,
        by: str,
        why: str = "",
        expected: int | None = None,
        seen: int | None = None,
    ) -> Board:
        """Perform an act at an event's desk; it is on disk when this returns.

        Raises ArchiveError if the act is impossible in the event's current state, RevisionChanged
        if the last act is not the `expected` one, or if the plan, the entrant, the table or the
        pairing was changed after the act that was `seen`.
        """
        return self._desks.do(event, act, by, why, expected, seen)

    def enter(self, event: str, entrants: Sequence[Entrant], *, by: str, why: str = "") -> Board:
        """Add entrants; they get the next numbers."""
        return self._desks.enter(event, entrants, by, why)

    def enter_list(self, event: str, entries: str, *, by: str, why: str = "") -> EnteredList:
        """Add the entrants of a list: CSV with a heading, one name per line, or TRF16.

        Lines that cannot be read are reported; all others are entered.
        """
        from claimlog.store.questions import desk_lists

        return desk_lists.enter_list(self._desks, event, entries, by, why)

    def enter_trf(self, event: str, trf: str, *, by: str, why: str = "") -> EnteredList:
        """Take over an event with two players per game from TRF16: entrants, pairings, results.

        Raises ArchiveError if there are entrants already.
        """
        from claimlog.store.questions import desk_lists

        return desk_lists.read_event(self._desks, event, trf, by, why)

    def pair_list(self, event: str, pairings: str, *, by: str, why: str = "") -> PairedRound:
        """Pair the next round exactly as a list says, by names or numbers.

        Raises ArchiveError with all lines that cannot be read; nothing is paired in that case.
        """
        from claimlog.store.questions import desk_lists

        return desk_lists.pair_list(self._desks, event, pairings, by, why)

    def enter_results(
        self,
        event: str,
        results: str,
        *,
        by: str,
        why: str = "",
        round: int | None = None,
        correct: bool = False,
    ) -> EnteredList:
        """Enter results as a director types them, for the round being played or for `round`.

        For example `7 1-0, 8 ½-½ 3-2, 9 forfeit 2`, or one per line; `correct` also overrides
        confirmed or recorded results.  What cannot be read or done is reported; everything else is
        entered.
        """
        from claimlog.store.questions import desk_lists

        return desk_lists.enter_results(self._desks, event, results, round, correct, by, why)

    def pair_round(
        self,
        event: str,
        *,
        by: str,
        why: str = "",
        relax: Collection[Relaxation] = (),
        seen: int | None = None,
    ) -> PairedRound:
        """Pair the next round by the event's system, or re-pair the round that has not begun.

        Raises ArchiveError if it cannot be paired, with the reason, the entrants concerned and what
        could be relaxed; RevisionChanged if a round was paired, changed, started or closed after
        the act that was `seen`.
        """
        return self._desks.pair(event, relax, by, why, seen)

    def pairing_remarks(self, event: str, round: int) -> list[Remark]:
        """What the director should know about a round as paired: rematches, second byes."""
        return self._desks.remarks(event, round)

    def start_round(self, event: str, round: int, *, by: str, why: str = "") -> StartedRound:
        """Start a round; only a server opens tables for it and returns links."""
        return StartedRound(desk=self._desks.do(event, acts.Started(round=round), by, why, None))

    def round_links(self, event: str, round: int, *, by: str) -> list[TableLink]:
        """New links to the open tables of a round; only a server has any."""
        self._desks.find(event)
        return []

    def close_round(
        self, event: str, round: int, *, by: str, why: str = "", adjourn: bool = False
    ) -> Board:
        """Close a round; if `adjourn`, games without a result are played later.

        Raises ArchiveError if there are such games and `adjourn` is false.
        """
        return self._desks.close(event, round, adjourn, by, why)

    def undo_act(self, event: str, *, by: str, why: str = "", expected: int | None = None) -> Board:
        """Undo the last act at an event's desk that is not undone yet; its trace is kept."""
        return self._desks.undo(event, by, why, expected)
