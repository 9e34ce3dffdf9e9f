"""The language of a run, and the texts of the command line in it.

English texts are in the code; their German is in `claimlog.language.de_commands`, keyed by the
English.  Texts about games, and errors, have keys (`claimlog.language`).
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from claimlog.language import LANGUAGES, language_of, translated, words
from claimlog.language.isolation import harmless

if TYPE_CHECKING:
    from collections.abc import Sequence

    from claimlog.language import Words
    from claimlog.language.messages import Message

_chosen: list[str] = []


def choose(language: str) -> None:
    """Use this language from now on."""
    _chosen[:] = [language]


def choose_from(arguments: Sequence[str]) -> None:
    """Use the language given by ``--lang`` in the arguments, even for their errors and help."""
    for place, argument in enumerate(arguments):
        name, _, value = argument.partition("=")
        if argument == "--":
            return
        if name == "--lang":
            value = value or (arguments[place + 1] if place + 1 < len(arguments) else "")
            if value in LANGUAGES:
                choose(value)


def language() -> str:
    """The language of this run: that of ``--lang``, otherwise that of the locale."""
    return _chosen[0] if _chosen else language_of(os.environ)


def current_words() -> Words:
    """The words about games in the language of this run."""
    return words(language())


def tr(text: str, /, **values: object) -> str:
    """A text of the command line in the language of this run, with its placeholders filled in."""
    text = translated(language(), text)
    return harmless(text.format(**values)) if values else text


def said(error: BaseException | Message | str, /, **values: object) -> str:
    """An error of an archive, a server or the system, in the language of this run.

    It is given as an exception, a message, or a message's key with its values.
    """
    from claimlog.language.messages import Message, message_of

    if isinstance(error, str):
        error = Message(error, **values)
    message = error if isinstance(error, Message) else message_of(error)
    return harmless(message.worded(language()))


def tr_count(one: str, other: str, number: int, /, **values: object) -> str:
    """The text for one thing or for several; ``{number}`` is the number."""
    return tr(one if number == 1 else other, number=amount(number), **values)


def agreed(question: str) -> bool:
    """Whether somebody at the terminal agrees."""
    print(f"{question} [{tr('y/N')}] ", end="", flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes", "j", "ja")


def points(number: float) -> str:
    """Points in the format of the language, with as many decimals as needed, at most two."""
    return amount(number, next((n for n in (0, 1) if number == round(number, n)), 2))


def amount(number: float, digits: int = 0) -> str:
    """A number in the format of the language: ``1,204.5`` or ``1.204,5``."""
    text = f"{number:z,.{digits}f}"  # z: what is rounded to zero has no minus
    return text.translate(str.maketrans(",.", ".,")) if language() == "de" else text
