"""What the fields are in what the API takes and gives of directed events (see `fields`)."""

from __future__ import annotations

from typing import Final

from claimlog.directing.acts import DIRECT, InRound

_ACTS: Final = {kind.__name__: kind for kind in DIRECT.values()}
_DOING: Final = {f"Desk{name}": kind for name, kind in _ACTS.items()}
_KEPT: Final = {kind.__name__: kind for kind in (*DIRECT.values(), *InRound.__args__)}

_OF_ACTS: Final = {
    "round": "The round, from 1.",
    "table": "The number of the table.",
    "result": "How the game ended; null for not yet.",
    "kind": "What the bye gives; null: the entrant plays.",
    "tables": "The tables with the entrants at them.",
    "text": "What everybody is told.",
    "expected": "The number of the last act: it is refused if there are others since.",
}

DESK_FIELDS: Final = {
    **{
        f"{name}.{field}": text
        for name, kind in (_KEPT | _DOING).items()
        for field, text in _OF_ACTS.items()
        if field in kind.__struct_fields__ or (field == "expected" and name in _DOING)
    },
    "Undoing.expected": _OF_ACTS["expected"],
    "Undone.number": "The number of the act that is undone.",
    "absences": "Who pauses in which round, and what they get for it.",
    "act": "What kind of act it is.",
    "Board.act": "The number of the last act.",
    "Entry.act": "What was done.",
    "adjourn": "Whether games without a result are played later.",
    "adjourned": "The tables whose games are played later.",
    "announcements": "What everybody was told.",
    "by_hand": "Whether it was paired by hand.",
    "byes": "Who has a bye, and why.",
    "category": "The category in which the entrant may win a prize.",
    "club": "The entrant's club.",
    "decks": "The letters of the deck of each round in turn.",
    "desk": "The event after it.",
    "differs": "Whether the record of the game tells another result.",
    "draw": "Whether the deck of each round is drawn.",
    "Points.draw": "What a win shared by all sides gives; null: the part of `win`.",
    "entrant": "The number of the entrant.",
    "Changed.entrant": "The entrant as they are from now on.",
    "DeskChanged.entrant": "The entrant as they are to be from now on.",
    "entrants": "Who takes part.",
    "Exchanged.entrants": "The numbers of the two.",
    "DeskExchanged.entrants": "The numbers of the two who change places.",
    "fixed_teams": "Whether partners stay together.",
    "forfeit": "The sides that did not come.",
    "Points.forfeit": "What a side gets that did not come.",
    "Points.bye": "What a bye gives.",
    "Points.half_bye": "What a bye of half a point gives.",
    "Points.zero_bye": "What a bye without points gives.",
    "Points.loss": "What a lost game gives.",
    "Points.win": "What a win gives; a shared one gives each side its part.",
    "groups": "How many groups there are, for the system of that name.",
    "advance": "How many of each group go on.",
    "links": "The tables that were opened for recording.",
    "locked": "Whether the table stays as it is when the round is paired again.",
    "minutes": "The time of a round; null for no limit.",
    "missing": "The tables that have no result.",
    "plan": "How the event is played.",
    "scorer": "The page of who records the game, with the token of the table.",
    "watch": "The page of who watches.",
    "relax": "What may be relaxed for this round: two may meet again, somebody may have a second "
    "bye, or lead a third time in a row, a shared win may go to the better seed.",
    "remarks": "What the director should know of it.",
    "Remark.key": "What the remark is: the key of its text.",
    "Remark.entrants": "The numbers of those whom it is about.",
    "Remark.table": "The table that it is about; null for none.",
    "Remark.values": "What the text is filled in with.",
    "seed": "The entrant's place before the first round.",
    "settled": "Whether only the director may change the result.",
    "Confirmed.sides": "The sides that confirmed it.",
    "DeskConfirmed.sides": "The sides that confirm it.",
    "spectators": "Whether games can be watched.",
    "strays": "Games under the event's name that belong to none of its tables.",
    "system": "How rounds are paired.",
    "team": "The entrant's team.",
    "undoable": "The number of the act that can be undone; null if there is none.",
    "withdrawn": "By number of an entrant who left the first round without them.",
    "Absence.kind": "What the entrant gets for it.",
    "Absence.round": "The round in which the entrant pauses.",
    "Announcement.text": "What was told.",
    "Board.event": "The event's lasting id.",
    "Board.name": "What the event is called.",
    "Board.rounds": "The rounds that were paired.",
    "BoardRound.number": "The round's number, from 1.",
    "BoardRound.state": "Whether it is paired, running or closed.",
    "BoardRound.tables": "The tables, with what is known of their games.",
    "BoardTable.confirmed": "The sides that have confirmed the result.",
    "BoardTable.game": "The id of the recorded game; null without one.",
    "BoardTable.number": "The table's number.",
    "BoardTable.players": "The numbers of the entrants by seat.",
    "BoardTable.result": "How the game ended; null for not known yet.",
    "BoardTable.source": "From whom the result is known: typed by somebody, set by the director, "
    "or from the record of the game.",
    "BoardTable.table": "Who sits there, who leads, and the deck.",
    "Bye.kind": "Why: nobody was left to play, or a bye was asked for.",
    "Entrant.id": "The tag that tells players of one name apart.",
    "Entrant.number": "The entrant's number in the event; 0 for one not yet entered.",
    "Plan.points": "What games and byes give.",
    "Plan.rounds": "How many rounds; null where that is not fixed.",
    "Plan.site": "Where it is played.",
    "Plan.tiebreaks": "The tie-breaks in their order; without any the usual ones.",
    "Table.deck": "The letters of the deck; empty where the table chooses it.",
    "Table.leader": "The seat that leads trick 1.",
    "Table.number": "The number of this table.",
    "Table.players": "The numbers of the entrants, by seat.",
    "TableLink.id": "The id of the live table.",
    "TableLink.table": "The table of the round.",
    "TableResult.result": "The result as in a record.",
    "TableResult.votes": "Factions won, by side; empty where nobody told them.",
}
