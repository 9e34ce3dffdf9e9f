r"""From a record to a `Game`: judged, and kept trick by trick.

>>> import io
>>> game = next(replays(io.BytesIO(b'[Deck "GKUWX"]\n1. U7: G5 G8+ /W2\n*\n').read))
>>> game.tricks[0].winner, game.tricks[0].taken, game.legal
(2, {1: 'W2', 2: 'U7'}, True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimlog.cards import (
    CARDS,
    NAMES,
    deck_letters,
)
from claimlog.game import Game, Play, Trick
from claimlog.language import LANGUAGES
from claimlog.notation.reader import sheets
from claimlog.notation.tags import TAG_FIELDS, unescape
from claimlog.notation.tokens import IRREGULAR as IRREGULAR_FLAG
from claimlog.notation.tokens import (
    annotation_of,
)
from claimlog.replay.explain import problems, reported_result
from claimlog.replay.judge import Judge
from claimlog.rules.outcome import fill_draws, name_of, score_of, settle
from claimlog.rules.setup import MAX_TRICKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from claimlog.language import Words
    from claimlog.notation.sheet import Sheet


class Recorder(Judge):
    """A judge that keeps every trick."""

    def __init__(self, say: Words | None = None, *, reasons: bool = True) -> None:
        """`say` are the words for problems, English by default.

        Without `reasons` the tricks have none, and a game takes two thirds of the time.
        """
        super().__init__()
        self.say = say
        self.tracing = True
        self.table.noting = reasons
        self.count.noting = True
        self.log: list[Trick] = []
        self.notes: dict[int, list[str]] = {}

    def record(self, sheet: Sheet, line: int) -> Game:
        """Judge `sheet`, which begins on `line`, and return the game."""
        self.log = []
        self.notes = {}
        for token, start, end in zip(*[iter(sheet.comments)] * 3, strict=True):
            text = b" ".join(sheet.text[start:end].split()).decode(errors="replace")
            self.notes.setdefault(token, []).append(text)
        before = self.notes.pop(-1, [])
        self.judge(sheet)
        if self.notes and self.log:
            # After the last trick, for example after the result.
            last = self.log[-1]
            there = last.comments_at(len(last.plays))
            for token in sorted(self.notes):
                there += self.notes[token]
        elif self.notes:
            for token in sorted(self.notes):
                before += self.notes[token]
        tags: dict[str, str] = {}
        for place in range(sheet.tags):
            at = sheet.tag_at[place * TAG_FIELDS : (place + 1) * TAG_FIELDS]
            name = sheet.text[at[2] : at[3]].decode()
            tags.setdefault(name, unescape(sheet.text[at[4] : at[5]].decode(errors="replace")))
        score = score_of(self.count, self.log) if self.scored else None
        if self.complete and self.log:
            fill_draws(self.log, self.seats)
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
            problems=problems(self, line, self.say, LANGUAGES),
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
                    card=name_of(card),
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
            trick.drawn = [name_of(sheet.card[self.drawn[k]]) for k in range(drawn)]
        if pick >= 0:
            trick.pick = name_of(sheet.card[pick])
        if seer >= 0:
            trick.looked = True
            trick.hidden = name_of(sheet.card[seer])
        if self.notes:
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
        taken: dict[int, str | None] = {}
        if early:
            taken = {
                seat + 1: name_of(table.followers[seat * MAX_TRICKS + table.trick - 1])
                for seat in range(self.seats)
            }
        settle(trick, table, taken)


def replays(read: Callable[[int], bytes], *, reasons: bool = True) -> Iterator[Game]:
    """Replay every game of a stream.

    `read` is the method of a binary file, `reasons` is as in `Recorder`.
    """
    recorder = Recorder(reasons=reasons)
    for sheet, line in sheets(read):
        yield recorder.record(sheet, line)


def replay_text(text: str | bytes) -> Iterator[Game]:
    """Replay every game of a text."""
    import io

    data = text.encode() if isinstance(text, str) else text
    return replays(io.BytesIO(data).read)
