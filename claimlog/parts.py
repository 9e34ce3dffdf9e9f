"""What all parts of the model share: reports, seats and sides, problems.

Their reports are what ``claimlog replay --format json`` prints; ``metadata`` marks the fields that
reports leave out, and the API's schemas follow it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any, Final, TypeAlias

__all__ = ["IF_ANY", "KEPT", "Part", "Problem", "Seat", "Side", "known", "reported"]

Seat: TypeAlias = Annotated[int, "seat"]
"""A seat, from 1 to 4."""

Side: TypeAlias = Annotated[int, "side"]
"""A side, from 1 to 3: with four players seats 1 and 3 are side 1; otherwise each seat is a side.
"""

KEPT: Final = {"report": False}
"""Metadata of a field that reports leave out."""
IF_ANY: Final = {"report": "if any"}
"""Metadata of a field that reports leave out if it is None."""


def known(value: str) -> str:
    """A tag's value, "" if it is wholly unknown.

    >>> known("?"), known("????-??-??"), known("2026-??-??"), known("Why?")
    ('', '', '2026-??-??', 'Why?')
    """
    value = value.strip()
    return "" if value in ("?", "????-??-??") else value


def reported(kind: type) -> dict[str, bool]:
    """Map the fields in a class's reports to whether they are always present."""
    names = _REPORTED.get(kind)
    if names is None:
        names = _REPORTED[kind] = {
            part.name: part.metadata.get("report", True) is True
            for part in fields(kind)
            if part.metadata.get("report", True)
        }
    return names


_REPORTED: Final[dict[type, dict[str, bool]]] = {}


def _report(value: Any) -> Any:
    """A value as JSON shows it."""
    kind = type(value)
    if kind is list:
        # All items of a list are of one kind.
        return [part.report() for part in value] if value and isinstance(value[0], Part) else value
    if kind is dict:
        return {str(key): _report(item) for key, item in value.items()}
    if kind is tuple:
        return list(value)
    return value.report() if isinstance(value, Part) else value


class Part:
    """A part of a game: it has a report, and its repr shows only the fields that are set."""

    __slots__ = ()

    def report(self) -> dict[str, Any]:
        """The object that the JSON reports show (docs/notation.md, "Reports")."""
        shown = {}
        for name, always in reported(type(self)).items():
            value = getattr(self, name)
            if always or value is not None:
                shown[name] = _report(value)
        return shown

    def __repr__(self) -> str:
        """The fields that are set."""
        shown = (part.name for part in fields(self) if part.repr)  # type: ignore[arg-type]
        pairs = ((name, getattr(self, name)) for name in shown)
        values = ", ".join(
            f"{name}={value!r}" for name, value in pairs if value not in (None, "", False, [], ())
        )
        return f"{type(self).__name__}({values})"


@dataclass(frozen=True, slots=True)
class Problem(Part):
    """One problem of a record, as in every report.

    `line`, `column` and `end_column` count from 1, in characters, the end exclusive; `trick`,
    `seat` (from 1) and `card` are None where they do not apply.  `tag` is the name of the tag
    concerned, "" if none is.  `follows`: it concerns Loot, Votes or Result and may merely follow
    from the errors of the movetext.  `texts` is the message in other languages.
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
    tag: str = field(default="", metadata=KEPT)
    follows: bool = field(default=False, metadata=KEPT)
    texts: dict[str, str] = field(default_factory=dict, metadata=KEPT, compare=False, repr=False)

    def __str__(self) -> str:
        """Place, code and message, as ``claimlog validate`` prints them."""
        return f"{self.line}:{self.column}: {self.severity}: {self.code}: {self.message}"

    def in_language(self, language: str) -> Problem:
        """The same problem, with its message in a language if it is known."""
        return replace(self, message=self.texts.get(language, self.message))
