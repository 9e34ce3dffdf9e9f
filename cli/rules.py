"""`claimlog rules`: cards, powers and rulings, as implemented."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Final

import typer

from claimlog.cards import (
    FACTIONS,
    LETTERS,
    PAIRS,
    USED,
    all_decks,
    tens_in_deck,
)
from claimlog.rules.setup import RULINGS

from .archive import completing
from .files import fail, quiet_pipe
from .language import current_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from claimlog.cards import Faction
    from claimlog.language import Words

WIDTH: Final = 80

EDITIONS: Final = {"base": "GKUWX", "claim-2": "NIDST"}
"""The factions of the base game and of Claim 2; all others are from the limited edition."""


def rules(
    faction: Annotated[
        str | None,
        typer.Argument(
            help="A faction, by its letter or name.", autocompletion=completing.factions
        ),
    ] = None,
) -> None:
    """Show the cards and powers of a faction, or of all, and the rulings."""
    words = current_words()
    lines = _overview(words) if faction is None else _one(_find(faction, words), words)
    try:
        for line in lines:
            print(line)
        sys.stdout.flush()
    except BrokenPipeError:
        quiet_pipe()


def _find(name: str, words: Words) -> Faction:
    """The faction called `name`; ends with suggestions if there is none."""
    from difflib import get_close_matches

    names = {}
    for faction in FACTIONS:
        for known in (faction.letter, faction.name, faction.name_de):
            names[_folded(known)] = faction
    folded = _folded(name)
    if folded in names:
        return names[folded]
    longer = [known for known in names if len(known) > 1]
    close = [known for known in longer if len(folded) > 1 and known.startswith(folded)]
    if len(folded) > 2 and len({names[known].letter for known in close}) == 1:
        return names[close[0]]
    close = close or get_close_matches(folded, longer)
    message = words("no-faction", name=name)
    if close:
        names_meant = dict.fromkeys(_called(names[known], words) for known in close)
        fail(f"{message} {words('did-you-mean', names=words.either(list(names_meant)))}")
    everybody = words.join([_called(faction, words) for faction in FACTIONS])
    fail(f"{message} {words('factions-are', names=everybody)}")


def _folded(name: str) -> str:
    """A name for comparison: case-folded, with umlauts spelled out."""
    name = name.strip().casefold()
    for umlaut, letters in (("ä", "ae"), ("ö", "oe"), ("ü", "ue")):
        name = name.replace(umlaut, letters)
    return name


def _called(faction: Faction, words: Words, *, dative: bool = False) -> str:
    name = words.faction(faction.letter, dative=dative)
    return words("rules-of", name=name, letter=faction.letter)


def shown_values(faction: Faction) -> str:
    """The values of a faction's cards and their copies, such as ``0 ×5, 1–9``."""
    groups: list[tuple[list[int], int]] = []
    for value, copies in faction.values.items():
        if groups and groups[-1][1] == copies:
            groups[-1][0].append(value)
        else:
            groups.append(([value], copies))
    parts = []
    for values, copies in groups:
        if len(values) > 2 and values == list(range(values[0], values[-1] + 1)):
            text = f"{values[0]}–{values[-1]}"
        else:
            text = " ".join(map(str, values))
        parts.append(f"{text} ×{copies}" if copies > 1 else text)
    return ", ".join(parts)


def _edition(faction: Faction) -> str:
    return next((key for key, letters in EDITIONS.items() if faction.letter in letters), "limited")


def _overview(words: Words) -> Iterator[str]:
    """All factions, the decks and the rulings."""
    yield words("rules-title")
    yield ""
    heads = [words("faction"), words("cards"), words("values"), words("acts")]
    rows = [
        [
            f"{faction.letter} {faction.label(words.language)}",
            str(faction.size),
            shown_values(faction),
            words(f"in.{faction.acts}"),
        ]
        for faction in FACTIONS
    ]
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(4)]
    for row in [heads, *rows]:
        cells = [
            cell.rjust(width) if i == 1 else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(["", *cells]).rstrip()
    for faction, used in zip(FACTIONS, USED, strict=True):
        if used < faction.size:
            note = words("raccoons-used", number=used, total=faction.size)
            yield from _wrapped(f"{faction.label(words.language)}: {note}", "  ")
    yield ""
    yield words("decks")
    yield ""
    pairs = ", ".join(PAIRS)
    for seats, key in ((2, "decks-2"), (3, "decks-more")):
        decks = all_decks(seats)
        yield from _wrapped(
            words(
                key,
                pairs=pairs,
                tens=tens_in_deck(seats),
                cards=_cards_in(decks[0]),
                number=f"{len(decks):,}".replace(",", words("thousands")),
            ),
            "  ",
        )
    classic = " ".join(faction.letter for faction in FACTIONS if faction.classic)
    yield from _wrapped(
        words(
            "decks-classic",
            letters=classic,
            two=len(all_decks(2, classic=True)),
            more=len(all_decks(3, classic=True)),
        ),
        "  ",
    )
    yield ""
    yield words("rulings-title")
    yield ""
    yield from _wrapped(words("rulings-lead"), "  ")
    for key in RULINGS:
        yield ""
        yield from _ruling(key, words)
    yield ""
    yield words("rules-hint")


def _cards_in(deck: int) -> int:
    """The number of cards in a deck."""
    return sum(used for index, used in enumerate(USED) if deck >> index & 1)


def _one(faction: Faction, words: Words) -> Iterator[str]:
    """One faction: its cards, its power and its rulings."""
    title = _called(faction, words)
    other = faction.name if words.language == "de" else faction.name_de
    yield f"{title} · {other}"
    yield ""
    rows = [
        (words("cards"), f"{faction.size}: {shown_values(faction)}"),
        (words("acts"), words(f"in.{faction.acts}")),
    ]
    width = max(len(label) for label, _ in rows)
    for label, value in rows:
        yield f"  {label.ljust(width)}  {value}"
    yield ""
    yield from _wrapped(words(f"power.{faction.letter}"), "  ")
    yield ""
    if faction.pair:
        letter = faction.pair.replace(faction.letter, "")
        mate = FACTIONS[LETTERS.index(letter)]
        yield from _wrapped(words("pair-with", name=_called(mate, words, dative=True)), "  ")
    else:
        yield f"  {words('ten')}"
    used = USED[LETTERS.index(faction.letter)]
    if used < faction.size:
        note = words("raccoons-used", number=used, total=faction.size)
        yield from _wrapped(note, "  ")
    yield from _wrapped(words(f"from-{_edition(faction)}"), "  ")
    for key, ruling in RULINGS.items():
        if ruling.about == faction.letter:
            yield ""
            yield from _ruling(key, words)


def _ruling(key: str, words: Words) -> Iterator[str]:
    """One ruling: its question, and the meaning of each value."""
    ruling = RULINGS[key]
    yield f"  {words('rulings-of', key=key)}: {words(f'ruling.{key}')}"
    for value in ruling.values:
        marks = []
        if value == ruling.values[0]:
            marks.append(words("default"))
        if value == ruling.classic and ruling.classic != ruling.values[0]:
            marks.append(words("default-classic"))
        mark = f" ({', '.join(marks)})" if marks else ""
        text = f"{key}={value}{mark}: {words(f'ruling.{key}.{value}')}"
        yield from _wrapped(text, "    ", "      ")


def _wrapped(text: str, indent: str, later: str | None = None) -> list[str]:
    from textwrap import wrap

    return wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent if later is None else later,
        break_on_hyphens=False,
    )
