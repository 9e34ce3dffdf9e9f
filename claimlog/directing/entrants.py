r"""Entry lists: read from CSV, from pasted text, from a TRF16 file.

CSV has a header row, in English or German, and commas, semicolons or tabs.  Pasted text has one
name a line, with or without a number before it, and club and rating after a tab or semicolon. Lines
that cannot be read are reported, and all others are read.

>>> found = read_entrants("1. Jörg Müller; Kiel; 1850\n2. Anna Keller\n3. MUELLER, Joerg")
>>> [(one.name, one.club, one.rating) for one in found.entrants]
[('Jörg Müller', 'Kiel', 1850.0), ('Anna Keller', '', None)]
>>> found.problems[0].worded()
'line 3: MUELLER, Joerg is entered already, in line 1, as Jörg Müller'
"""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from claimlog.directing.model import Entrant
from claimlog.language.messages import error_words
from claimlog.notation.matching import spellings
from claimlog.notation.names import LONGEST, excess, tidy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_HEADINGS: Final[dict[str, str]] = {
    **dict.fromkeys(("name", "player", "spieler", "spielerin", "teilnehmer"), "name"),
    **dict.fromkeys(("first name", "firstname", "given name", "vorname"), "first"),
    **dict.fromkeys(("last name", "lastname", "surname", "nachname"), "last"),
    **dict.fromkeys(("club", "verein", "from", "ort"), "club"),
    **dict.fromkeys(("team", "mannschaft"), "team"),
    **dict.fromkeys(("category", "class", "kategorie", "klasse", "gruppe"), "category"),
    **dict.fromkeys(("rating", "elo", "wertung", "wertungszahl", "stärke"), "rating"),
    **dict.fromkeys(("seed", "setzplatz", "setznummer"), "seed"),
    **dict.fromkeys(("id", "kennung"), "id"),
}
"""Names of columns, and the fields of an entrant they stand for."""

_NUMBERED: Final = re.compile(r"\s*(?:[0-9]{1,4}[.):]\s*|[-*•]\s+)")


class EntryProblem(NamedTuple):
    """A line that could not be read, and why; `key` is the key of the text."""

    line: int
    key: str
    values: dict[str, str | int]

    def worded(self, language: str = "en") -> str:
        """Return the problem as a sentence."""
        say = error_words(language)
        return say("entry.line", line=self.line, text=say(self.key, **self.values))


class EntryList(NamedTuple):
    """The entrants that were read, not numbered yet, and the lines that could not be.

    `left` are these lines as they stand, below the list's heading if it has one.
    """

    entrants: list[Entrant]
    problems: list[EntryProblem]
    left: str


def read_entrants(text: str, known: Sequence[Entrant] = ()) -> EntryList:
    """Read an entry list of any kind; `known` are entered already.

    Names are compared as in the archive: case, accents, punctuation and order do not matter.
    """
    text = text.removeprefix("\ufeff")
    lines = text.splitlines()
    heading: list[str] = []
    if any(re.match(r"001 +[0-9]+ ", line) for line in lines):
        rows = _trf_rows(lines)
    elif (table := _csv_rows(lines)) is not None:
        rows = table
        heading = [next(filter(str.strip, lines))]
    else:
        rows = _pasted_rows(lines)
    taken: dict[str, tuple[int, str]] = {}
    for one in known:
        for spelling in spellings(one.name):
            taken[spelling] = (0, one.name)
    entrants: list[Entrant] = []
    problems: list[EntryProblem] = []
    for line, values in rows:
        made = _made(values)
        if isinstance(made, Entrant):
            twice = next((taken[one] for one in spellings(made.name) if one in taken), None)
            if twice is None:
                entrants.append(made)
                taken.update(dict.fromkeys(spellings(made.name), (line, made.name)))
                continue
            before, name = twice
            key = "entry.twice" if before else "entry.known"
            made = EntryProblem(0, key, {"name": made.name, "other": name, "before": before})
        problems.append(made._replace(line=line))
    left = [lines[line - 1] for line in dict.fromkeys(one.line for one in problems)]
    return EntryList(entrants, problems, "\n".join([*heading, *left] if left else []))


def _made(values: dict[str, str]) -> Entrant | EntryProblem:
    """Return the entrant in a line, or what is wrong with it."""
    name = tidy(values.get("name") or f"{values.get('first', '')} {values.get('last', '')}")
    if not name or not any(letter.isalpha() for letter in name):
        return EntryProblem(0, "entry.no-name", {"text": name})
    if excess(name):
        return EntryProblem(0, "entry.long", {"most": LONGEST})
    fields: dict[str, Any] = {
        field: tidy(values.get(field, ""))[:LONGEST] for field in ("id", "club", "team", "category")
    }
    if rating := values.get("rating", "").strip():
        try:
            fields["rating"] = float(rating.replace(",", "."))
        except ValueError:
            fields["rating"] = -1.0
        if not 0 <= fields["rating"] <= 10_000:
            return EntryProblem(0, "entry.rating", {"text": rating})
    if seed := values.get("seed", "").strip():
        if not re.fullmatch("[0-9]{1,4}", seed) or not int(seed):
            return EntryProblem(0, "entry.seed", {"text": seed})
        fields["seed"] = int(seed)
    return Entrant(name=name, **fields)


def _csv_rows(lines: list[str]) -> Iterator[tuple[int, dict[str, str]]] | None:
    """Return the rows of a table with a header row; None if it has none."""
    first = next((k for k, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return None
    for mark in (";", "\t", ","):
        heading = [
            _HEADINGS.get(cell.strip().casefold(), "")
            for cell in next(csv.reader([lines[first]], delimiter=mark))
        ]
        if "name" in heading or "last" in heading:
            return _table(lines, first + 1, heading, mark)
    return None


def _table(
    lines: list[str], start: int, heading: list[str], mark: str
) -> Iterator[tuple[int, dict[str, str]]]:
    for number, line in enumerate(lines[start:], start + 1):
        if line.strip():
            cells = next(csv.reader([line], delimiter=mark))
            yield (
                number,
                {field: cell for field, cell in zip(heading, cells, strict=False) if field},
            )


def _pasted_rows(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the entrants of lines: the name, then club and rating in any order."""
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, *others = re.split(r"[;\t]", _NUMBERED.sub("", line, count=1))
        values = {"name": name}
        for cell in map(str.strip, others):
            rating = re.fullmatch(r"[0-9]{1,5}([.,][0-9]+)?", cell)
            if cell:
                values["rating" if rating else "club" if "club" not in values else "team"] = cell
        yield number, values


def _trf_rows(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the players of a TRF16 file, by its columns."""
    for number, line in enumerate(lines, 1):
        if line.startswith("001"):
            yield number, {"name": line[14:47], "rating": line[48:52], "club": ""}
