"""Errors and refusals of the library, as keys and values; worded in English or German when shown.

The texts are in `claimlog.language.en_errors` and `claimlog.language.de_errors`.  A value may be a
text, a number, a message to be inserted, or a list of texts and messages.

>>> Message("event.unknown", name="Zurich").worded("de")
'ein Turnier Zurich gibt es nicht'
>>> str(Message("question.rules", names=["LE2023", "Classic"]))
'rules are LE2023 or Classic'
"""

from __future__ import annotations

import errno
from collections.abc import Iterable
from functools import cache, reduce
from importlib import import_module
from typing import TYPE_CHECKING, Any

from claimlog.language import Words, words
from claimlog.language.isolation import ISOLATE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["KeyedError", "Message", "all_of", "error_words", "message_of", "misfit"]


class Message:
    """A message: the key of a text, and the values to fill in."""

    __slots__ = ("key", "values")

    def __init__(self, key: str, /, **values: object) -> None:
        self.key = key
        self.values: dict[str, Any] = {name: _plain(value) for name, value in values.items()}

    def worded(self, language: str = "en") -> str:
        """Return the message in a language."""
        return error_words(language)(self.key, **self.values)

    def __str__(self) -> str:
        return self.worded()

    def __repr__(self) -> str:
        return f"Message({self.key!r}, {self.values!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (self.key, self.values)

    def for_json(self) -> dict[str, Any]:
        """Return key and values for JSON."""
        return {"key": self.key, "values": {k: _for_json(v) for k, v in self.values.items()}}

    def without(self, part: str) -> Message:
        """Return the message with a part removed from its values, such as the folder of a file."""
        message = Message(self.key)
        for name, value in self.values.items():
            if isinstance(value, Message):
                message.values[name] = value.without(part)
            else:
                message.values[name] = value.replace(part, "") if isinstance(value, str) else value
        return message

    def changed(self, change: Callable[[str], str]) -> Message:
        """Return the message with each text among its values changed, also in other messages."""
        message = Message(self.key)
        for name, value in self.values.items():
            message.values[name] = _changed(value, change)
        return message

    @staticmethod
    def from_json(key: str, values: Mapping[str, Any], otherwise: str) -> Message:
        """Return the message that a server sent; `otherwise` if its key is of a newer claimlog."""
        if key not in error_words().texts:
            return Message("said", **{**values, "text": otherwise})
        message = Message(key)
        for name, value in values.items():
            message.values[name] = _from_json(value)
        return message


def _remade(key: str, values: dict[str, Any]) -> Message:
    return Message(key, **values)


def _changed(value: Any, change: Callable[[str], str]) -> object:
    if isinstance(value, list):
        return [_changed(one, change) for one in value]
    if isinstance(value, Message):
        return value.changed(change)
    return change(value) if isinstance(value, str) else value


def _for_json(value: object) -> object:
    if isinstance(value, list):
        return [_for_json(one) for one in value]
    return value.for_json() if isinstance(value, Message) else value


def _from_json(value: object) -> object:
    if isinstance(value, list):
        return [_from_json(one) for one in value]
    if isinstance(value, dict):
        return Message.from_json(value["key"], value["values"], "")
    return value


def _plain(value: object) -> object:
    if isinstance(value, str | int | float | Message):
        return value
    if isinstance(value, KeyedError):
        return value.message
    if isinstance(value, Iterable):
        return [one if isinstance(one, Message) else str(one) for one in value]
    return str(value)


class KeyedError(Exception):
    """An error with a message by key; its text is English."""

    def __init__(self, key: str | Message, /, **values: object) -> None:
        super().__init__(key)
        self.message = key if isinstance(key, Message) else Message(key, **values)

    def __str__(self) -> str:
        return str(self.message)


class _ErrorWords(Words):
    """Words whose values may also be lists, messages, and numbers in the language's format."""

    def __call__(self, key: str, /, **values: Any) -> str:
        if letters := values.get("factions"):
            values["factions"] = self.either([self.faction(letter) for letter in letters])
        # If two records have several things in common, the first one suffices.
        if isinstance(common := values.get("common"), list):
            values["common"] = self.texts[f"common.{common[0]}"]
        filled = {name: _Value(value, self.language) for name, value in values.items()}
        return self.texts[key].format(**filled)


class _Value:
    """A value as it appears in a text."""

    def __init__(self, value: object, language: str) -> None:
        self.value = value
        self.language = language

    def __format__(self, form: str) -> str:
        value: Any = self.value
        if isinstance(value, Message):
            return value.worded(self.language)
        if isinstance(value, list):
            names = [
                one.worded(self.language) if isinstance(one, Message) else one for one in value
            ]
            return _listed(names, form, words(self.language))
        text = format(value, form)
        if form and self.language == "de" and isinstance(value, int | float):
            return text.translate(str.maketrans(",.", ".,"))
        return text

    def __repr__(self) -> str:
        value = self.value
        if isinstance(value, str) and value[:1] + value[-1:] == ISOLATE:
            # Around the quotes; within them the marks would be written as escapes.
            return ISOLATE[0] + repr(value[1:-1]) + ISOLATE[1]
        return repr(value)


def _listed(names: Sequence[str], form: str, say: Words) -> str:
    """Return names in words, as the text requests: "a or b", "a and b", otherwise "a, b"."""
    if form == "or":
        return say.either(names)
    return say.join(names) if form == "and" else ", ".join(names)


@cache
def error_words(language: str = "en") -> Words:
    """Return the words of `language`, including those for errors."""
    errors = import_module(f"claimlog.language.{language}_errors").TEXTS
    return _ErrorWords(language, words(language).texts | errors)


_UNPACKERS = ("gzip", "zlib", "backports.zstd", "compression.zstd")
"""The modules whose errors say that a compressed file is damaged."""


def message_of(error: BaseException) -> Message:
    """Return what is wrong, in a few words: for a file the system's own text, in English."""
    from claimlog.cards import DeckError

    if isinstance(error, KeyedError):
        return error.message
    if isinstance(error, DeckError):
        return Message(f"deck.{error.key}", factions=error.factions, **error.values)
    if isinstance(error, UnicodeError):
        return Message("shape.unicode")
    if type(error).__module__ == "msgspec":
        return misfit(str(error))
    if isinstance(error, EOFError):
        return Message("file.cut-off", text=str(error) or "EOF")
    if type(error).__module__ in _UNPACKERS:
        return Message("file.damaged", text=str(error))
    if not isinstance(error, OSError):
        return Message("said", text=str(error) or type(error).__name__)
    number = errno.ETIMEDOUT if isinstance(error, TimeoutError) else error.errno or 0
    text = error.strerror or str(error) or type(error).__name__
    if text[1:2].islower():  # not "CRC check failed"
        text = text[0].lower() + text[1:]
    name = f"system.{errno.errorcode.get(number, number)}"
    system = Message(name if name in error_words().texts else "said", text=text)
    # Errors from `claimlog.objects` and `claimlog.notation.reader` carry the key of their text.
    key, values = getattr(error, "keyed", ("", {}))
    if key not in error_words().texts:
        return system
    return Message(key, text=text, why=system, **values)


_KINDS = ("array", "bool", "date", "datetime", "float", "int", "null", "object", "str")
"""Kinds of values, as msgspec calls them, that have a name here."""


def misfit(text: str) -> Message:
    """Return msgspec's text about an invalid value as a message.

    >>> message = misfit("Expected `int | null`, got `str` - at `$.seats`")
    >>> str(message)
    'seats: must be a whole number or null, not a text'
    >>> message.worded("de")
    'seats: muss eine ganze Zahl oder null sein, nicht ein Text'
    """
    from claimlog.language.shapes import taken_apart

    key, parts, place = taken_apart(text)
    values: dict[str, object] = dict(parts)
    for name in ("kind", "other"):
        if name in parts:
            values[name] = _kinds(parts[name])
    message = Message(key, **values)
    return Message("named", name=place, why=message) if place else message


def all_of(messages: Sequence[Message]) -> Message:
    """Combine several messages into one."""
    return reduce(lambda first, second: Message("shape.and", first=first, second=second), messages)


def _kinds(text: str) -> Message:
    """Return kinds of values, ``int | null``, in words."""
    kinds = [
        Message(f"kind.{kind}") if kind in _KINDS else Message("said", text=kind)
        for kind in text.split(" | ")
    ]
    return reduce(lambda first, second: Message("shape.or", first=first, second=second), kinds)
