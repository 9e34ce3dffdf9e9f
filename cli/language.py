"""The language of a run, and what the command line itself says in it.

English stands in the code; the German of each text is in `claimlog.language.de_commands`, by
its English.  What is said about games, and errors, have keys (`claimlog.language`).
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from claimlog.language import LANGUAGES, language_of, translated, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from claimlog.language import Words
    from claimlog.language.messages import Message

_chosen: list[str] = []


def choose(language: str) -> None:
    """Speak this language from now on."""
    _chosen[:] = [language]


def choose_from(arguments: Sequence[str]) -> None:
    """Speak what ``--lang`` says among the arguments, so that their errors and help do too."""
    for place, argument in enumerate(arguments):
        name, _, value = argument.partition("=")
        if argument == "--":
            return
        if name == "--lang":
            value = value or (arguments[place + 1] if place + 1 < len(arguments) else "")
            if value in LANGUAGES:
                choose(value)


def language() -> str:
    """The language of this run: what ``--lang`` says, otherwise that of the locale."""
    return _chosen[0] if _chosen else language_of(os.environ)


def current_words() -> Words:
    """The words about games in the language of this run."""
    return words(language())


def tr(text: str, /, **values: object) -> str:
    """A text of the command line in the language of this run, its placeholders filled in."""
    text = translated(language(), text)
    return text.format(**values) if values else text


def said(error: BaseException | Message | str, /, **values: object) -> str:
    """What an archive, a server or the system refuses, in the language of this run.

    It is an error, a message, or the key of a message with its values.
    """
    from claimlog.language.messages import Message, message_of

    if isinstance(error, str):
        error = Message(error, **values)
    message = error if isinstance(error, Message) else message_of(error)
    return message.worded(language())


def tr_count(one: str, other: str, number: int, /, **values: object) -> str:
    """The text for one thing or for several; ``{number}`` is how many."""
    return tr(one if number == 1 else other, number=amount(number), **values)


def agreed(question: str) -> bool:
    """Whether somebody at the terminal says yes."""
    print(f"{question} [{tr('y/N')}] ", end="", flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes", "j", "ja")


def amount(number: float, digits: int = 0) -> str:
    """A number as the language writes it: ``1,204.5`` or ``1.204,5``."""
    text = f"{number:,.{digits}f}"
    return text.translate(str.maketrans(",.", ".,")) if language() == "de" else text
