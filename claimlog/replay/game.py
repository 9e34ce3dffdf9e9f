r"""A judged game as people and programs use it: `Replay`, trick by trick.

>>> import io
>>> game = next(replays(io.BytesIO(b'[Deck "GKUWX"]\n1. U7: G5 G8+ /W2\n*\n').read))
>>> game.tricks[0].winner, game.tricks[0].taken, game.legal
(1, {0: 'W2', 1: 'U7'}, True)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from claimlog.cards import (
    BARDS,
    CARDS,
    FACTION_COUNT,
    LETTERS,
    NAMES,
    PEASANTS,
    VALUE_OF,
)
from claimlog.notation.reader import sheets
from claimlog.notation.results import NO_RESULT, result_text
from claimlog.notation.tags import TAG_FIELDS, unescape
from claimlog.notation.tokens import IRREGULAR as IRREGULAR_FLAG
from claimlog.notation.tokens import (
    NO_CARD,
    RESULT,
    annotation_of,
)
from claimlog.replay.explain import problems
from claimlog.replay.judge import Judge
from claimlog.rules.setup import MAX_TRICKS, Setup, side_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from claimlog.notation.problems import Problem
    from claimlog.notation.sheet import Sheet
    from claimlog.words import Words

TIEBREAKS: Final = (None, "cards", "value")


@dataclass(slots=True)
class Play:
    """One play of a trick, or in an automatic trick one discard.

    `card` is its name, None if unknown; `value` the value that counted (None face down).
    """

    seat: int
    card: str | None
    value: int | None
    annotation: str = ""
    irregular: bool = False
    comments: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Trick:
    """One trick of a game.  Seats count from 0; cards are names, None where unknown.

    `auto`: an Automaton won it beforehand, `plays` are the discards.  `looked`: the winner
    took the hidden card `hidden` with a Seer; `pick` is the upcard that the first picker
    took, `drawn` what is written of the cards drawn by the others (None: nothing is).
    `taken`, `scored`, `removed`, `waiting`, `ranking`, `winner` and `next_leader` are as in
    the reports (docs/notation.md, "Reports"); None where the trick was cut short.
    """

    number: int
    phase: int
    auto: bool
    upcards: list[str]
    leader: int
    plays: list[Play]
    winner: int | None = None
    ranking: list[int] | None = None
    looked: bool = False
    hidden: str | None = None
    pick: str | None = None
    drawn: list[str | None] | None = None
    taken: dict[int, str | None] | None = None
    scored: dict[int, list[str]] | None = None
    removed: list[tuple[int, str]] | None = None
    waiting: list[str] | None = None
    next_leader: int | None = None
    comments: list[str] = field(default_factory=list)

    def report(self) -> dict[str, Any]:
        """The trick as the JSON report shows it; seats count from 1."""
        return {
            "number": self.number,
            "phase": self.phase,
            "auto": self.auto,
            "upcards": self.upcards,
            "leader": self.leader + 1,
            "plays": [
                {"seat": play.seat + 1, "card": play.card, "value": play.value}
                for play in self.plays
            ],
            "winner": None if self.winner is None else self.winner + 1,
            "ranking": None if self.ranking is None else [seat + 1 for seat in self.ranking],
            "taken": None
            if self.taken is None
            else {str(seat + 1): card for seat, card in self.taken.items()},
            "scored": None
            if self.scored is None
            else {str(seat + 1): cards for seat, cards in self.scored.items()},
            "removed": None
            if self.removed is None
            else [{"seat": seat + 1, "card": card} for seat, card in self.removed],
            "waiting": self.waiting,
            "next_leader": None if self.next_leader is None else self.next_leader + 1,
        }


@dataclass(slots=True)
class FactionScore:
    """How one faction was won: `counts` (and for Bards `runs`) by side, the winning side."""

    counts: list[int]
    winner: int | None
    runs: list[int] | None = None


@dataclass(slots=True)
class Score:
    """The end of a complete game; sides count from 0.

    `piles` are the score piles after the Peasants have moved; `moved` those Peasants,
    as (from side, card); `loot` the faction letter that a side's loot counted for, with
    the number of its loot Raccoons.
    """

    piles: list[list[str]]
    factions: dict[str, FactionScore]
    votes: list[int]
    tiebreak: str | None
    result: str
    moved: list[tuple[int, str]]
    loot: dict[int, tuple[str, int]]

    def report(self) -> dict[str, Any]:
        """The score as the JSON report shows it; sides count from 1."""
        return {
            "piles": _by_side(self.piles),
            "factions": {
                letter: {
                    "counts": _by_side(score.counts),
                    **({} if score.runs is None else {"runs": _by_side(score.runs)}),
                    "winner": None if score.winner is None else score.winner + 1,
                }
                for letter, score in self.factions.items()
            },
            "votes": _by_side(self.votes),
            "tiebreak": self.tiebreak,
            "result": self.result,
        }


def _by_side(values: list[Any]) -> dict[str, Any]:
    return {str(side + 1): value for side, value in enumerate(values)}


@dataclass(slots=True)
class Replay:
    """One game of a file, judged and played through.

    `tags` are the values by name, in the order of the text.  `deck` is a set of factions,
    `rulings` are all four as in force.  `tricks` are those of which the leader is known;
    `score` is None unless the game is complete and could be counted.  `line` is the number
    of the line on which the game begins, `comments` are those before trick 1.
    """

    line: int
    tags: dict[str, str]
    seats: int
    sides: int
    deck: int
    rules: str
    rulings: dict[str, str]
    leader: int
    complete: bool
    result: str
    tricks: list[Trick]
    score: Score | None
    problems: list[Problem]
    comments: list[str]

    @property
    def errors(self) -> list[Problem]:
        """The problems that make the game invalid."""
        return [problem for problem in self.problems if problem.severity == "error"]

    @property
    def warnings(self) -> list[Problem]:
        """The problems that do not."""
        return [problem for problem in self.problems if problem.severity == "warning"]

    @property
    def legal(self) -> bool:
        """Whether the game has no errors."""
        return not self.errors

    def setup(self) -> Setup:
        """Seats, deck, rules and rulings; raises ValueError if the record's are not the rules'."""
        loot = self.tags.get("LootCards")
        return Setup(
            seats=self.seats,
            deck=self.deck,
            rules=self.rules,
            rulings=self.rulings,
            leader=self.leader,
            loot=None
            if loot is None
            else frozenset(NAMES.index(name.upper()) for name in loot.split()),
        )

    def report(self) -> dict[str, Any]:
        """The object that ``claimlog replay --format json`` prints.

        Of an invalid game it has the tricks before the first error, and no score.
        """
        tricks = self.tricks
        errors = self.errors
        if errors:
            first = min(
                (
                    _LATE if problem.code in _AT_THE_END else problem.trick or 0
                    for problem in errors
                ),
            )
            tricks = [trick for trick in tricks if trick.number < first]
        return {
            "tags": self.tags,
            "seats": self.seats,
            "rules": self.rules,
            "rulings": self.rulings,
            "complete": self.complete,
            "result": self.result,
            "tricks": [trick.report() for trick in tricks],
            "score": None if self.score is None or errors else self.score.report(),
            "errors": [problem_report(problem) for problem in errors],
            "warnings": [problem_report(problem) for problem in self.warnings],
        }


_AT_THE_END: Final = frozenset({"incomplete", "result", "votes"})
_LATE: Final = 1000


def problem_report(problem: Problem) -> dict[str, Any]:
    """A problem as the JSON reports show it."""
    return {name: getattr(problem, name) for name in problem.__slots__}


def reported_result(judge: Judge) -> str:
    """The result as written, in the movetext or otherwise the tag; as played if in neither."""
    sheet = judge.sheet
    if sheet.size and sheet.kind[sheet.size - 1] == RESULT:
        token = sheet.size - 1
        return sheet.text[sheet.start[token] : sheet.end[token]].decode()
    if judge.tag_result == NO_RESULT and judge.scored:
        return result_text(judge.played_result())
    return result_text(judge.result)


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

    def record(self, sheet: Sheet, line: int) -> Replay:
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
        return Replay(
            line=line,
            tags=tags,
            seats=self.seats,
            sides=self.sides,
            deck=self.deck if self.deck_known else 0,
            rules=self.rules,
            rulings=dict(self.rulings),
            leader=self.leader,
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
            hidden = auto or self.cut or card >= NO_CARD
            plays.append(
                Play(
                    seat=seat,
                    card=_name(card),
                    value=(VALUE_OF[card] if self.cut and card < CARDS and not auto else None)
                    if hidden
                    else table.values[j],
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
            leader=table.leader,
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
        trick.winner = table.winner
        trick.ranking = [table.seat_of(table.ranked[j]) for j in range(self.seats)]
        trick.taken = {}
        if early:
            trick.taken = {
                seat: _name(table.followers[seat * MAX_TRICKS + table.trick - 1])
                for seat in range(self.seats)
            }
        scored: dict[int, list[str]] = {seat: [] for seat in range(self.seats)}
        for k in range(table.gained):
            scored[table.gained_seat[k]].append(NAMES[table.gained_card[k]])
        trick.scored = scored
        trick.removed = [
            (table.removed_seat[k], NAMES[table.removed_card[k]]) for k in range(table.removed)
        ]
        trick.waiting = [NAMES[table.trolls[k]] for k in range(table.waiting)]
        if table.trick < 2 * self.tricks:
            trick.next_leader = table.next_leader

    def _fill_draws(self) -> None:
        """Name the unwritten draws that Phase 2 leaves no doubt about.

        Everything that a seat plays was taken; where all its unknown cards are of one
        kind, each of them is known.
        """
        for seat in range(self.seats):
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
        by_seat: list[list[str]] = [[] for _ in range(self.seats)]
        for trick in self.log:
            for seat, cards in (trick.scored or {}).items():
                by_seat[seat] += cards
            for seat, card in trick.removed or []:
                by_seat[seat].remove(card)
        piles: list[list[str]] = [[] for _ in range(self.sides)]
        for seat in range(self.seats):
            piles[side_of(seat, self.seats)] += by_seat[seat]
        moved: list[tuple[int, str]] = []
        if self.deck >> PEASANTS & 1:
            moved = [
                (side, f"{LETTERS[PEASANTS]}{value}")
                for side in range(self.sides)
                for value in range(13)
                if count.moved[side] >> value & 1
            ]
            for side, card in moved:
                piles[side].remove(card)
            for side, card in moved:
                piles[(side + 1) % self.sides].append(card)
        factions = {}
        for faction in range(FACTION_COUNT):
            if not self.deck >> faction & 1:
                continue
            winner = count.won_by[faction]
            factions[LETTERS[faction]] = FactionScore(
                counts=[count.count[s * FACTION_COUNT + faction] for s in range(self.sides)],
                winner=winner if winner >= 0 else None,
                runs=[count.runs[s] for s in range(self.sides)] if faction == BARDS else None,
            )
        loot = {
            side: (LETTERS[count.loot_for[side]], count.loot[side])
            for side in range(self.sides)
            if count.loot[side] and count.loot_for[side] < FACTION_COUNT
        }
        return Score(
            piles=piles,
            factions=factions,
            votes=[count.votes[side] for side in range(self.sides)],
            tiebreak=TIEBREAKS[count.tiebreak],
            result=result_text(self.played_result()),
            moved=moved,
            loot=loot,
        )


def replays(read: Callable[[int], bytes]) -> Iterator[Replay]:
    """Replay every game of a stream; `read` is that of a binary file."""
    recorder = Recorder()
    for sheet, line in sheets(read):
        yield recorder.record(sheet, line)


def replay_text(text: str | bytes) -> Iterator[Replay]:
    """Replay every game of a text."""
    import io

    data = text.encode() if isinstance(text, str) else text
    return replays(io.BytesIO(data).read)
