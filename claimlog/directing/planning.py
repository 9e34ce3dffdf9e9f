"""A plan made from a director's settings: options of a command, or words of a line.

>>> plan = changed(Plan(), settings(["rounds=7", "punkte=win=3,draw=1", "zuschauer=nein"]))
>>> plan.rounds, plan.points.win, plan.spectators
(7, 3.0, False)
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, get_args

import msgspec

from claimlog.directing.model import Plan, Points, System, TieBreak
from claimlog.language.messages import KeyedError, Message, message_of
from claimlog.rules.setup import RULE_SETS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NAMES: Final[dict[str, str]] = {
    **dict.fromkeys(("system",), "system"),
    **dict.fromkeys(("rounds", "runden"), "rounds"),
    **dict.fromkeys(("seats", "plätze"), "seats"),
    **dict.fromkeys(("decks", "deck"), "decks"),
    **dict.fromkeys(("draw", "auslosen"), "draw"),
    **dict.fromkeys(("rules", "regeln"), "rules"),
    **dict.fromkeys(("minutes", "minuten"), "minutes"),
    **dict.fromkeys(("points", "punkte"), "points"),
    **dict.fromkeys(("tiebreaks", "feinwertung"), "tiebreaks"),
    **dict.fromkeys(("teams", "fixed_teams", "mannschaften"), "fixed_teams"),
    **dict.fromkeys(("groups", "gruppen"), "groups"),
    **dict.fromkeys(("advance", "weiter"), "advance"),
    **dict.fromkeys(("spectators", "zuschauer"), "spectators"),
    **dict.fromkeys(("delay", "verzug"), "delay"),
    **dict.fromkeys(("site", "ort"), "site"),
}
"""Names of settings in a line, in English or German, and the fields of a plan they stand for."""

FOR_TWO_SIDES: Final[tuple[System, ...]] = ("round-robin", "knock-out", "groups")
"""The systems for two players, or two teams, at a table."""

_YES: Final = {
    **dict.fromkeys(("yes", "ja", "on", "an"), True),
    **dict.fromkeys(("no", "nein", "off", "aus"), False),
}
_CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "system": get_args(System),
    "rules": tuple(RULE_SETS),
    "tiebreaks": get_args(TieBreak),
}
_OPTIONAL: Final = ("rounds", "minutes")
_NUMBERS: Final = (*_OPTIONAL, "seats", "groups", "advance", "delay")
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_NOTHING: Final = ("", "-", "none", "keine")
_PLACE: Final = re.compile(r"(?P<field>\w+)(\[[^]]*\])?\.?(?P<part>.*)")
"""Where in a plan a value is wrong: ``points.win``, ``decks[0]``."""
_VALUE: Final = re.compile(r"[0-9]{1,4}(\.[0-9]{1,3})?")


class Unplannable(KeyedError, ValueError):  # noqa: N818 — the name says it
    """A setting that no plan can have; the message says which, and what is possible."""


def changed(plan: Plan, given: Mapping[str, Any]) -> Plan:
    """Return a plan with other settings, by the names of its fields.  Raises Unplannable."""
    for name, known in _CHOICES.items():
        value = given.get(name)
        for one in [value] if isinstance(value, str) else value or ():
            if one not in known:
                raise Unplannable("plan.choice", value=one, names=known)
    try:
        return msgspec.convert(msgspec.to_builtins(plan) | dict(given), Plan)
    except msgspec.ValidationError as error:
        raise Unplannable("plan.none", why=_in_words(message_of(error))) from error


def misfit(plan: Plan) -> Message | None:
    """Return why a plan's system pairs no round of such tables, and which systems do; or None."""
    if plan.system not in FOR_TWO_SIDES or plan.seats == 2 or plan.of_teams:
        return None
    others = [one for one in get_args(System) if one not in FOR_TWO_SIDES]
    return Message(
        "plan.for-two-sides" if plan.seats == 3 else "plan.for-teams",
        system=Message(f"plan.system.{plan.system}"),
        systems=[Message(f"plan.system.{one}") for one in others],
    )


def _in_words(why: Message) -> Message:
    """Return why a plan is none, with the setting named as directors of the language name it."""
    place = _PLACE.match(str(why.values.get("name", "")))
    if place is None or place["field"] not in NAMES.values():
        return why
    inner = why.values["why"]
    if place["part"]:
        inner = Message("named", name=place["part"], why=inner)
    return Message("named", name=Message(f"plan.name.{place['field']}"), why=inner)


def settings(words: Iterable[str]) -> dict[str, Any]:
    """Read settings from words, ``rounds=7`` or ``runden=7``.  Raises Unplannable."""
    settings: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        field = NAMES.get(name.lower())
        if field is None or not equals:
            names = [Message(f"plan.name.{one}") for one in dict.fromkeys(NAMES.values())]
            raise Unplannable("plan.setting", word=word, names=names)
        settings[field] = _read(field, value)
    return settings


def _read(field: str, value: str) -> Any:
    """Return the value of a setting as written in a line."""
    if field in ("decks", "tiebreaks"):
        return [] if value in _NOTHING else value.split(",")
    if field == "points":
        return points(value)
    if field in _OPTIONAL and value in _NOTHING:
        return None
    if field in ("draw", "fixed_teams", "spectators"):
        if value.lower() not in _YES:
            raise Unplannable("plan.yes-no", value=value)
        return _YES[value.lower()]
    if field not in _NUMBERS:
        return value
    if not _NUMBER.fullmatch(value):
        why = Message("plan.number-or-none" if field in _OPTIONAL else "plan.number")
        raise Unplannable("named", name=Message(f"plan.name.{field}"), why=why)
    return int(value)


def points(text: str) -> dict[str, float]:
    """Read points by what they are for, from ``win=3,draw=1``.  Raises Unplannable."""
    points = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.strip().partition("=")
        if name not in Points.__struct_fields__ or not _VALUE.fullmatch(value):
            raise Unplannable("plan.points", text=part, names=Points.__struct_fields__)
        points[name] = float(value)
    return points


def rulings(words: Iterable[str]) -> dict[str, str]:
    """Read rulings by name, from ``name=value``; the desk checks whether they exist."""
    return dict(word.partition("=")[::2] for word in words)
