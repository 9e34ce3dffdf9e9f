r"""From a record to a `Game`: judged, and kept trick by trick.

>>> import io
>>> game = next(replays(io.BytesIO(b'[Deck "GKUWX"]\n1. U7: G5 G8+ /W2\n*\n').read))
>>> game.tricks[0].winner, game.tricks[0].taken, game.legal
(1, {1: 'U7', 2: 'W2'}, True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimlog.cards import (
    BARDS,
    CARDS,
    FACTION_COUNT,
    LETTERS,
    NAMES,
    PEASANTS,
    deck_letters,
)
from claimlog.game import FactionScore, Game, Loot, Play, Score, SeatCard, SideCard, Trick
from claimlog.notation.reader import sheets
from claimlog.notation.results import NO_RESULT, UNFINISHED, result_text
from claimlog.notation.tags import TAG_FIELDS, TAGS, unescape
from claimlog.notation.tokens import IRREGULAR as IRREGULAR_FLAG
from claimlog.notation.tokens import (
    RESULT,
    annotation_of,
)
from claimlog.replay.explain import problems
from claimlog.replay.judge import Judge
from claimlog.rules.setup import MAX_TRICKS, side_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from claimlog.language import Words
    from claimlog.notation.sheet import Sheet

TIEBREAKS: Final = (None, "cards", "value")


def reported_result(judge: Judge) -> str:
    """The result as written, in the movetext or otherwise the tag; as played if in neither."""
    sheet = judge.sheet
    if sheet.size and sheet.kind[sheet.size - 1] == RESULT:
        token = sheet.size - 1
        return sheet.text[sheet.start[token] : sheet.end[token]].decode()
    if judge.tag_result != NO_RESULT:
        return judge.text_of(TAGS.index("Result"))
    return result_text(judge.played_result() if judge.scored else UNFINISHED)


def _name(card: int) -> str | None:
    return NAMES[card] if card < CARDS else None


class Recorder(Judge):
    """A judge that keeps every trick."""

    def __init__(self, say: Words | None = None) -> None:
        """`say` are the words for problems, English unless given."""
        super().__init__()
        self.say = say
        self.tracing = True
        self.log: list[Trick] = []
        self.notes: dict[int, list[str]] = {}

    def record(self, sheet: Sheet, line: int) -> Game:
        """Judge `sheet`, which begins on `line`, and keep what happened."""
        self.log = []
        self.notes = {}
        for token, start, end in sheet.comments:
            text = b" ".join(sheet.text[start:end].split()).decode(errors="replace")
            self.notes.setdefault(token, []).append(text)
        before = self.notes.pop(-1, [])
        self.judge(sheet)
        if self.notes and self.log:
            # Behind the last trick, for example after the result.
            for token in sorted(self.notes):
                self.log[-1].comments += self.notes[token]
        elif self.notes:
            for token in sorted(self.notes):
                before += self.notes[token]
        tags: dict[str, str] = {}
        for place in range(sheet.tags):
            at = sheet.tag_at[place * TAG_FIELDS : (place + 1) * TAG_FIELDS]
            name = sheet.text[at[2] : at[3]].decode()
            tags.setdefault(name, unescape(sheet.text[at[4] : at[5]].decode(errors="replace")))
        score = self._final_score() if self.scored else None
        if self.complete and self.log:
            self._fill_draws()
        return Game(
            line=line,
            tags=tags,
            seats=self.seats,
            deck=deck_letters(self.deck) if self.deck_known else "",
            rules=self.rules,
            rulings=dict(self.rulings),
            leader=self.leader + 1,
            complete=self.complete,
            result=reported_result(self),
            tricks=self.log,
            score=score,
            problems=problems(self, line, self.say),
            comments=before,
        )

    def trace(self, ups: int, lies: int, drawn: int, pick: int, seer: int) -> None:
        """Keep the trick that the table has just settled, or that was cut short."""
        if not (ups or lies or drawn or pick >= 0 or seer >= 0):
            return
        sheet, table = self.sheet, self.table
        early = table.trick <= self.tricks
        auto = bool(table.auto)
        plays = []
        for j in range(lies):
            token = self.lies[j]
            seat = table.seat_of(j)
            card = self.play_card[(table.trick - 1) * 4 + seat]
            value = None
            if not auto and card < CARDS:
                value = table.value_of(seat, card) if self.cut else table.values[j]
            plays.append(
                Play(
                    seat=seat + 1,
                    card=_name(card),
                    value=value,
                    annotation=annotation_of(sheet.flags[token]),
                    irregular=bool(sheet.flags[token] & IRREGULAR_FLAG),
                    comments=self.notes.pop(token, []),
                )
            )
        trick = Trick(
            number=table.trick,
            phase=1 if early else 2,
            auto=auto,
            upcards=[NAMES[c] for c in table.upcards[: min(ups, 2)] if c < CARDS] if early else [],
            leader=table.leader + 1,
            plays=plays,
        )
        if drawn:
            trick.drawn = [_name(sheet.card[self.drawn[k]]) for k in range(drawn)]
        if pick >= 0:
            trick.pick = _name(sheet.card[pick])
        if seer >= 0:
            trick.looked = True
            trick.hidden = _name(sheet.card[seer])
        last = max(
            [self.lies[j] for j in range(lies)]
            + [self.ups[j] for j in range(min(ups, 2))]
            + [self.drawn[k] for k in range(drawn)]
            + [pick, seer]
        )
        for token in sorted(self.notes):
            if token <= last:
                trick.comments += self.notes.pop(token)
        self.log.append(trick)
        if self.cut:
            return
        trick.winner = table.winner + 1
        trick.ranking = [table.seat_of(table.ranked[j]) + 1 for j in range(self.seats)]
        trick.taken = {}
        if early:
            trick.taken = {
                seat + 1: _name(table.followers[seat * MAX_TRICKS + table.trick - 1])
                for seat in range(self.seats)
            }
        scored: dict[int, list[str]] = {seat: [] for seat in range(1, self.seats + 1)}
        for k in range(table.gained):
            scored[table.gained_seat[k] + 1].append(NAMES[table.gained_card[k]])
        trick.scored = scored
        trick.removed = [
            SeatCard(table.removed_seat[k] + 1, NAMES[table.removed_card[k]])
            for k in range(table.removed)
        ]
        trick.waiting = [NAMES[table.trolls[k]] for k in range(table.waiting)]
        if table.trick < 2 * self.tricks:
            trick.next_leader = table.next_leader + 1

    def _fill_draws(self) -> None:
        """Name the unwritten draws that Phase 2 leaves no doubt about.

        Everything that a seat plays was taken; where all its unknown cards are of one
        kind, each of them is known.
        """
        for seat in range(1, self.seats + 1):
            played = [
                play.card
                for trick in self.log
                for play in trick.plays
                if trick.phase == 2 and play.seat == seat and play.card
            ]
            unknown = []
            for trick in self.log:
                if trick.phase == 1 and trick.taken:
                    card = trick.taken[seat]
                    if card is None:
                        unknown.append(trick)
                    elif card in played:
                        played.remove(card)
            if len(unknown) == len(played) and len(set(played)) == 1:
                for trick in unknown:
                    assert trick.taken is not None
                    trick.taken[seat] = played[0]

    def _final_score(self) -> Score:
        """The count at the end, with the piles in the order in which they grew."""
        count = self.count
        sides = range(1, self.sides + 1)
        by_seat: dict[int, list[str]] = {seat: [] for seat in range(1, self.seats + 1)}
        for trick in self.log:
            for seat, cards in (trick.scored or {}).items():
                by_seat[seat] += cards
            for gnome in trick.removed or []:
                by_seat[gnome.seat].remove(gnome.card)
        piles: dict[int, list[str]] = {side: [] for side in sides}
        for seat, cards in by_seat.items():
            piles[side_of(seat - 1, self.seats) + 1] += cards
        moved: list[SideCard] = []
        if self.deck >> PEASANTS & 1:
            moved = [
                SideCard(side, f"{LETTERS[PEASANTS]}{value}")
                for side in sides
                for value in range(13)
                if count.moved[side - 1] >> value & 1
            ]
            for peasant in moved:
                piles[peasant.side].remove(peasant.card)
            for peasant in moved:
                piles[peasant.side % self.sides + 1].append(peasant.card)
        factions = {}
        for faction in range(FACTION_COUNT):
            if not self.deck >> faction & 1:
                continue
            winner = count.won_by[faction]
            factions[LETTERS[faction]] = FactionScore(
                counts={s: count.count[(s - 1) * FACTION_COUNT + faction] for s in sides},
                winner=winner + 1 if winner >= 0 else None,
                runs={s: count.runs[s - 1] for s in sides} if faction == BARDS else None,
            )
        loot = {
            side: Loot(LETTERS[count.loot_for[side - 1]], count.loot[side - 1])
            for side in sides
            if count.loot[side - 1] and count.loot_for[side - 1] < FACTION_COUNT
        }
        return Score(
            piles=piles,
            factions=factions,
            votes={side: count.votes[side - 1] for side in sides},
            tiebreak=TIEBREAKS[count.tiebreak],
            result=result_text(self.played_result()),
            moved=moved,
            loot=loot,
        )


def replays(read: Callable[[int], bytes]) -> Iterator[Game]:
    """Replay every game of a stream; `read` is that of a binary file."""
    recorder = Recorder()
    for sheet, line in sheets(read):
        yield recorder.record(sheet, line)


def replay_text(text: str | bytes) -> Iterator[Game]:
    """Replay every game of a text."""
    import io

    data = text.encode() if isinstance(text, str) else text
    return replays(io.BytesIO(data).read)
