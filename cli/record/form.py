"""What was agreed, to be corrected at any time: a form of rows, checked before it is accepted."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Final, NamedTuple

from claimlog.cards import LETTERS
from claimlog.notation.tags import TAGS
from claimlog.rules.setup import LOOTING, MAX_SEATS, RULE_SETS, RULINGS, default_rulings

from ..layout import cells, clip, clip_start, wrap

if TYPE_CHECKING:
    from collections.abc import Callable

    from claimlog.language import Words
    from claimlog.recording import Doubt, Recording

    from ..layout import Line

PLACES: Final = ("Event", "Round", "Table", "Recorder")
"""Tags with a row of their own, below the rules."""
OF_PLAYERS: Final = ("Player", "Rating", "Id")
"""Tags of a seat that belong to its player."""
OTHER: Final = "*"
"""The row for any other tag with its value."""


class Row(NamedTuple):
    """A row: its tag or ruling; `choices` if there is a choice of a few values."""

    name: str
    label: str
    choices: tuple[str, ...] = ()


class Agreed:
    """The form: one row is selected, and may be edited.

    `known` returns the names in the archive that match the typed text, as the archive spells them.
    """

    def __init__(
        self, recording: Recording, words: Words, known: Callable[[str, str], list[str]]
    ) -> None:
        self.recording = recording
        self.words = words
        self.known = known
        setup, tags = recording.setup, recording.now.tags
        self.before = {
            **{f"Player{s}": tags.get(f"Player{s}", "?") for s in range(1, setup.seats + 1)},
            "Leader": str(setup.leader),
            "Deck": setup.deck,
            "Rules": setup.rules,
            **setup.rulings,
            "LootCards": " ".join(setup.loot or ()),
            **{name: tags.get(name, "") for name in PLACES},
            **{
                f"{name}{seat}": tags.get(f"{name}{seat}", "")
                for name in OF_PLAYERS[1:]
                for seat in range(1, setup.seats + 1)
            },
        }
        self.values = dict(self.before)
        self.others: dict[str, str] = {}
        """Other tags that were typed, with their values."""
        self.at = 0
        self.line: str | None = None
        """The text being typed in the selected row."""
        self.message = ""
        self.offered: list[str] = []
        """Names suggested for the one typed last."""
        self.problem: Doubt | None = None
        """The error that the changes would cause in the record."""

    def rows(self) -> list[Row]:
        """The rows that apply to these seats and this deck."""
        words, values = self.words, self.values
        seats = self._seats()
        open_seats = min(seats + (not self.recording.now.log), MAX_SEATS)
        deck = values["Deck"]
        rows = [
            Row(f"Player{seat}", words("seat", number=seat)) for seat in range(1, open_seats + 1)
        ]
        every_seat = tuple(str(seat) for seat in range(1, seats + 1))
        rows.append(Row("Leader", words("record.leader"), every_seat))
        rows.append(Row("Deck", words("Deck")))
        rows.append(Row("Rules", words("Rules"), RULE_SETS))
        rows += [
            Row(key, key, ruling.values) for key, ruling in RULINGS.items() if ruling.about in deck
        ]
        if LETTERS[LOOTING] in deck:
            rows.append(Row("LootCards", words("record.loot")))
        rows += [Row(name, words(name)) for name in PLACES]
        return [*rows, Row(OTHER, words("record.other-tag"))]

    def _seats(self) -> int:
        return sum(name.startswith("Player") and bool(self.values[name]) for name in self.values)

    def _row(self) -> Row:
        rows = self.rows()
        return rows[min(self.at, len(rows) - 1)]

    # Keys ------------------------------------------------------------------------------------

    def move(self, step: int) -> None:
        """Select another row; the text typed in this one is kept."""
        self._done()
        self.at = (self.at + step) % len(self.rows())

    def choose(self, step: int) -> None:
        """Select the next or previous choice; for a text, continue typing at its end (1)."""
        row = self._row()
        self.offered = []
        if row.choices:
            value = self.values[row.name]
            place = row.choices.index(value) if value in row.choices else -step
            self._set(row.name, row.choices[(place + step) % len(row.choices)])
        elif self.line is None and step > 0:
            self.line = self.values.get(row.name, "")

    def press(self, key: str) -> None:
        """Type a character of the selected row's new text; of choices a number or initial."""
        row = self._row()
        self.message, self.offered = "", []
        if not row.choices:
            self.line = (self.line or "") + key
            return
        matches = [one for one in row.choices if one.lower().startswith(key.lower())]
        if matches:
            self._set(row.name, matches[0])
        else:
            self.message = self.words("record.choose-one")

    def back(self) -> None:
        """Delete a character, or undo the change of the selected row."""
        row = self._row()
        self.message, self.offered = "", []
        if self.line is not None:
            self.line = self.line[:-1]
        elif row.name == OTHER:
            self.others = {}
        else:
            self._set(row.name, self.before.get(row.name, ""))

    def leave(self) -> bool:
        """Discard the text being typed; return whether there was any."""
        typing, self.line = self.line is not None, None
        return typing

    def swap(self) -> None:
        """Accept the suggested name; without one, swap two players."""
        name = self._row().name
        if self.offered:
            self._set(name, self.offered[0])
            self.offered = []
            return
        self._done()
        seats = self._seats()
        if not name.startswith("Player") or int(name[-1]) > seats:
            self.message = self.words("record.mark-seat")
            return
        seat, other, values = name[-1], int(name[-1]) % seats + 1, self.values
        for tag in OF_PLAYERS:
            one, two = f"{tag}{seat}", f"{tag}{other}"
            values[one], values[two] = values.get(two, ""), values.get(one, "")
        self.at = (self.at + 1) % seats
        self._judge()

    def enter(self) -> bool:
        """Finish the text being typed; return whether there was none, to accept the form."""
        if self.line is None:
            return True
        self._done()
        return False

    def _done(self) -> None:
        """Store the typed text as the row's value."""
        row, line = self._row(), self.line
        self.offered, self.message = [], ""
        if line is None:
            return
        self.line = None
        text = " ".join(line.split())
        if row.name == OTHER:
            self._other(*text.partition(" ")[::2])
            return
        if row.name in ("Deck", "LootCards"):
            text = text.upper().replace(",", " ")
        self._set(row.name, text.replace(" ", "") if row.name == "Deck" else text)
        kind = "player" if row.name.startswith("Player") else row.name.lower()
        if text and kind in ("player", "event"):
            near = self.known(kind, text)
            self.offered = [] if text in near else near[:3]

    def _other(self, name: str, value: str) -> None:
        """Set a tag; an unknown one must not resemble a known one."""
        names = {known.lower(): known for known in TAGS}
        name = names.get(name.lower(), name)
        if name not in TAGS and (near := get_close_matches(name.lower(), names, 1)):
            self.message = self.words("record.no-tag", name=name, near=names[near[0]])
        elif name in self.before:
            self._set(name, value)
        elif name:
            self.others[name] = value
            self._judge()

    def _set(self, name: str, value: str) -> None:
        """Set the value of a row; a rule set brings its own rulings."""
        if name.startswith("Player") and not value and int(name[-1]) <= 2:  # at least two play
            value = "?"
        self.values[name] = value
        if name == "Rules":
            self.values |= default_rulings(value)
        self._judge()

    def _judge(self) -> None:
        tags = self.tags()
        self.problem = self.recording.disagreement(tags) if tags else None

    # Result ----------------------------------------------------------------------------------

    def tags(self) -> dict[str, str]:
        """The tags that have changed, as written in a record."""
        before, after = _tags(self.before), _tags(self.values)
        seats = self._seats() != self.recording.setup.seats
        changed = {
            name: value
            for name, value in after.items()
            if before.get(name, "") != value or (seats and value and name.startswith("Player"))
        }
        return changed | self.others

    def take(self) -> None:
        """Accept the form; raises what `Recording.agree` raises."""
        if tags := self.tags():
            self.recording.agree(tags)

    # Lines -----------------------------------------------------------------------------------

    def lines(self, width: int, room: int) -> list[Line]:
        """The rows, as many as fit, including the selected one."""
        words, rows = self.words, self.rows()
        lines: list[Line] = [[(words("record.agreed"), "head")]]
        wide = max(cells(row.label) for row in rows) + 1
        top = max(min(self.at - room // 2, len(rows) - room), 0)
        for place, row in enumerate(rows[top : top + room], top):
            here = place == self.at
            changed = self.values.get(row.name, "") != self.before.get(row.name, "")
            label = row.label + " " * (wide - cells(row.label))
            line: Line = [("▸ " if here else "  ", "b"), (label, "b" if here else "")]
            if here and self.line is not None:
                line.append((f"{clip_start(self.line, width - wide - 4)}▏", "chosen"))
            else:
                room_for = width - wide - 5
                line.append((clip(self._shown(row), room_for), "chosen" if here else ""))
                line.append((" *", "warn") if changed else ("", ""))
            lines.append(line)
        return lines

    def _shown(self, row: Row) -> str:
        """A row's value in readable form."""
        words, value = self.words, self.values.get(row.name, "")
        if row.name == OTHER:
            return "  ".join(f"{name} {text}".strip() for name, text in self.others.items())
        if row.name == "Leader":
            name = self.values.get(f"Player{value}", "")
            return f"< {value} {name} >"
        if row.name == "Deck":
            known = [letter for letter in value if letter in LETTERS]
            return f"{value}  {', '.join(words.faction(letter) for letter in known)}"
        if row.name in RULINGS:
            return f"< {value} > {words(f'ruling.{row.name}.{value}')}"
        return f"< {value} >" if row.choices else value or "–"

    def said(self, width: int) -> list[Line]:
        """Errors, suggestions, and the available keys."""
        words, lines = self.words, []
        if self.message:
            lines += wrap([(self.message, "warn")], width, 2)
        if self.offered:
            text = words("record.known-as", names=", ".join(self.offered), name=self.offered[0])
            lines += wrap([(text, "warn")], width, 2)
        if self.problem is not None:
            text = self.problem.sentence(words, lambda seat: self.recording.name(seat, words))
            lines += wrap([(text, "warn")], width, 2)
        row = self._row()
        if self.line is not None:
            how = "record.agreed-typing"
        elif row.choices:
            how = "record.agreed-choice"
        elif row.name == OTHER:
            how = "record.agreed-other"
        else:
            seat = row.name.startswith("Player")
            how = "record.agreed-seat" if seat else "record.agreed-text"
        lines += wrap([(words(how), "dim")], width, 2)
        return [*lines, *wrap([(words("record.agreed-take"), "b")], width, 2)]


def _tags(values: dict[str, str]) -> dict[str, str]:
    """The values of the rows as a record's tags; "" for those to leave out."""
    deck, rules = values["Deck"], values["Rules"]
    usual = default_rulings(rules)
    rulings = [
        f"{key}={values[key]}"
        for key, ruling in RULINGS.items()
        if ruling.about in deck and values[key] != usual[key]
    ]
    tags = {name: value for name, value in values.items() if name not in RULINGS}
    tags["Rules"] = "" if rules == RULE_SETS[0] else rules
    tags["Rulings"] = " ".join(rulings)
    if LETTERS[LOOTING] not in deck:
        tags["LootCards"] = ""
    return tags
