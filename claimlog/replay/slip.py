r"""One slip, one message: the smallest single slip that explains all errors of a game.

Copying from a paper sheet, people transpose two plays, forget a colon or skip a trick; the judge
then finds errors tricks later.  `find_slip` undoes one possible slip after another
(docs/notation.md, "Slips") and judges the game again: a slip is reported if undoing it leaves no
error, and no other slip of the same size does so.  A correction is suggested only if exactly one
text makes the game legal.

>>> explanation = find_slip(b'[Deck "GKUWX"]\n1. U7: G5 G8+ /W2 2. X3 K4+ U1 /G0 *')
>>> slip = explanation.slip
>>> slip.kind, slip.trick, slip.mended
('missing-colon', 2, 'X3:')
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from claimlog.language import words
from claimlog.notation import problems as p
from claimlog.notation.sheet import Sheet
from claimlog.replay.explain import only_warnings
from claimlog.replay.judge import Judge
from claimlog.replay.slip_kinds import Kinds
from claimlog.replay.trial import SpentError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from claimlog.language import Words
    from claimlog.replay.trial import Way
__all__ = ["KINDS", "Explanation", "Slip", "explain", "find_slip"]

KINDS: Final = (
    "replaced-card",
    "transposed-plays",
    "swapped-tricks",
    "swapped-draws",
    "missing-play",
    "missing-colon",
    "missing-draw",
    "missing-trick",
    "written-twice",
    "wrong-leader",
    "wrong-deck",
    "swapped-names",
    "missing-comma",
    "wrong-colon",
    "wrong-numbers",
    "exchanged-plays",
)
"""Every kind of slip."""

LONGEST: Final = 300
"""Tokens: a legal game has fewer, so no single slip explains a longer one."""
PLACES: Final = 6
"""The most places named if several slips explain a game."""

_HOPELESS: Final = frozenset(
    {"encoding", "version", "bad-tag", "duplicate-tag", "bad-seats", "bad-ruling"}
)
"""Errors that no slip of these kinds explains."""
_OF_THE_END: Final = frozenset({"result", "votes"})


@dataclass(frozen=True, slots=True)
class Slip:
    """One slip that explains every error of a game.

    `line`, `column` and `end_column` are as in a `claimlog.game.Problem`, and `mended` is the text
    that makes the game legal in that place, None if there is none or more than one.  `start` and
    `end` are the same place as offsets in the game's text.  If later numbers are mended too, the
    slip itself ends at `core` (0: at `end`), and `kept` characters of the text stand for it.
    """

    kind: str
    trick: int | None
    line: int
    column: int
    end_column: int
    message: str
    mended: str | None
    start: int = 0
    end: int = 0
    core: int = 0
    kept: int = 0

    def report(self) -> dict[str, Any]:
        """The object that ``claimlog validate --format json`` prints."""
        return {
            "kind": self.kind,
            "trick": self.trick,
            "line": self.line,
            "column": self.column,
            "end_column": self.end_column,
            "message": self.message,
            "mended": self.mended,
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of a game's errors: one slip, or the places of several possible ones.

    `failure` is the error of the search itself if it failed, "" otherwise.
    """

    slip: Slip | None = None
    places: list[str] = field(default_factory=list)
    failure: str = ""

    def sentence(self, say: Words | None = None) -> str:
        """The places in words, "" if there are none."""
        if not self.places:
            return ""
        say = say or words()
        return say("slip.places", places=say.either(self.places))


_NOTHING: Final = Explanation()


def _one_mending(ways: list[Way]) -> bool:
    """Whether there is exactly one way to mend a slip; names in the wrong seats count as one."""
    return len({way.text for way in ways}) == 1 and (
        ways[0].text is not None or ways[0].kind == "swapped-names"
    )


def explain(text: bytes, line: int = 1, say: Words | None = None) -> Explanation:
    """Do the same as `find_slip`, but return an error of the search instead of raising it.

    A report goes on without the slip: the judge has found the errors, and other games follow.
    """
    try:
        return find_slip(text, line, say)
    except Exception as error:  # any error: it is shown to the user, with the game's errors
        return Explanation(failure=f"{type(error).__name__}: {error}".strip(": "))


def find_slip(text: bytes, line: int = 1, say: Words | None = None) -> Explanation:
    """Find the slip that explains all errors of the one game in `text`.

    `line` is the number of the line on which the text begins, `say` are the words for the message,
    English by default.
    """
    sheet, judge = Sheet(), Judge()
    sheet.read(text, 0, True)
    if sheet.size > LONGEST:
        return _NOTHING
    judge.judge(sheet)
    if only_warnings(judge):
        return _NOTHING
    return _Search(sheet, judge, say or words()).explanation(line)


class _Search(Kinds):
    """Undoes slips in one game, the smallest first."""

    # The search ------------------------------------------------------------------------------

    def explanation(self, line: int) -> Explanation:
        """Return the slip, or the places of several."""
        if self.codes & _HOPELESS or not self.tokens or self._one_wrong_mark():
            return _NOTHING
        if self.faults:
            steps: list[list[Callable[[], Iterator[Way]]]] = [
                [self._faulty, self._wrong_colon, self._list_fault]
            ]
        elif "bad-deck" in self.codes or not self.deck or len(self.strange) > 1:
            steps = [[self._wrong_deck]]
        elif self.strange:
            steps = [[self._replaced, self._wrong_deck]]
        elif self.codes <= _OF_THE_END:
            # Other seats and another leader mean the same game; nothing else is as close.
            steps = [
                [self._wrong_leader, self._swapped_names],
                [self._transposed, self._swapped_draws, self._swapped_tricks],
            ]
        else:
            steps = [
                [
                    self._missing_colon,
                    self._missing_comma,
                    self._wrong_colon,
                    self._wrong_numbers,
                    self._token_twice,
                    self._wrong_deck,
                    self._wrong_leader,
                    self._missing_draw,
                    self._missing_play,
                    self._replaced,
                ],
                [self._transposed, self._swapped_draws, self._swapped_tricks],
                [self._exchanged_near],
                [self._trick_twice, self._missing_trick],
                [self._exchanged_far],
            ]
        return self._smallest(steps, line)

    def _one_wrong_mark(self) -> bool:
        """Whether all errors are wrong ``+`` in one trick.

        Marking the winner instead is smaller than any slip, and the error itself names the winner:
        changing cards to fit the mark must not look like the only repair.
        """
        tricks = {finding[3] for finding in self.findings if finding[0] == p.WINNER_MARK}
        return self.codes == {"winner-mark"} and len(tricks) == 1

    def _smallest(self, steps: list[list[Callable[[], Iterator[Way]]]], line: int) -> Explanation:
        """Return the smallest slip, preferring one with a single mending to those with several.

        Each step has slips of one size, the first step the smallest.
        """
        open_ones: list[list[Way]] = []
        whole = True
        for step in steps:
            alternatives, whole = self._explained_by(step)
            sure = [ways for ways in alternatives if _one_mending(ways)]
            if sure:
                # Unless all were tried, there may be more, so none is unique.
                if whole and len(sure) == 1:
                    return Explanation(self._slip(sure[0], line))
                return Explanation(None, self._places(sure))
            open_ones = open_ones or alternatives
            if not whole:
                break
        if whole and len(open_ones) == 1:
            return Explanation(self._slip(open_ones[0], line))
        return Explanation(None, self._places(open_ones)) if open_ones else _NOTHING

    def _explained_by(
        self, step: list[Callable[[], Iterator[Way]]]
    ) -> tuple[list[list[Way]], bool]:
        """The slips of one size that explain the game, and whether all were tried."""
        by_key: dict[object, list[Way]] = {}
        try:
            for kind in step:
                for way in kind():
                    by_key.setdefault(way.key, []).append(way)
                    if sum(map(_one_mending, by_key.values())) > PLACES + 1:
                        return list(by_key.values()), True
        except SpentError:
            return list(by_key.values()), False
        return list(by_key.values()), True

    def _slip(self, ways: list[Way], line: int) -> Slip:
        way = ways[0]
        texts = {other.text for other in ways}
        mended = way.text if len(texts) == 1 else None
        values = dict(way.values)
        key = f"slip.{values.pop('key', way.kind)}"
        if mended is not None:
            values["mended"] = mended
        elif f"{key}.open" in self.say.texts:
            key += ".open"
        text = self.text
        before = text.rfind(b"\n", 0, way.start) + 1
        lead = text[before : way.start].decode(errors="replace").removeprefix("\ufeff")
        message = self.say(key, **values)
        if way.trick and key.removesuffix(".open") not in _OWN_PLACE:
            message = self.say("problem.in-trick", number=way.trick, text=message)
        column = len(lead) + 1
        width = len(text[way.start : way.end].decode(errors="replace"))
        return Slip(
            kind=way.kind,
            trick=way.trick or None,
            line=line + text.count(b"\n", 0, way.start),
            column=column,
            end_column=column + max(width, 1),
            message=message,
            mended=mended,
            start=way.start,
            end=way.end,
            core=way.core,
            kept=way.kept,
        )

    def _places(self, alternatives: list[list[Way]]) -> list[str]:
        """The possible places of the slip, in the order of the text."""
        ways = sorted((ways[0] for ways in alternatives), key=lambda way: way.start)
        say = self.say
        kinds: dict[str, dict[int, list[str]]] = {}
        for way in ways[:PLACES]:
            written = self.text[way.start : way.core or way.end].decode(errors="replace")
            written = " ".join(written.split())
            if way.kind == "exchanged-plays":
                written = say.join([str(way.values["one"]), str(way.values["two"])])
            if way.kind in _OF_TAGS:
                written = _OF_TAGS[way.kind].format(**way.values)
            shown = kinds.setdefault(way.kind, {}).setdefault(way.trick, [])
            shown.append(written if len(written) <= 24 else written[:21] + "...")
        places = []
        for kind, tricks in kinds.items():
            name = say(f"slip.name.{kind}")
            where = [
                f"{say('problem.trick', number=trick)} ({', '.join(shown)})"
                for trick, shown in tricks.items()
                if trick
            ]
            if 0 in tricks:
                name = f"{name} ({', '.join(tricks[0])})"
            if len(ways) > PLACES and kind == list(kinds)[-1]:
                where.append("...")
            places.append(say("slip.in", name=name, where=say.either(where)) if where else name)
        return places


_OWN_PLACE: Final = frozenset(
    {
        *("slip.swapped-tricks", "slip.missing-trick"),
        *("slip.trick-twice", "slip.trick-twice-numbered"),
        *("slip.wrong-numbers", "slip.wrong-numbers-low"),
    }
)
"""Messages that name the trick themselves."""
_OF_TAGS: Final = {
    "wrong-leader": "Leader",
    "wrong-deck": "Deck",
    "swapped-names": "{one}, {two}",
}
"""The tags of slips in tags, by kind."""
