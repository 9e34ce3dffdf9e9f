"""What an archive, a server or the system refuses, in another language than English.

The English stands where the error arises; its German is looked up in
`claimlog.language.de_errors`, by what the English looks like.

>>> told_in("de", "the question has been cancelled")
'die Frage wurde abgebrochen'
"""

from __future__ import annotations

import re
from functools import cache


def told_in(language: str, message: str) -> str:
    """A message in a language; one whose German stands nowhere stays as it is."""
    return _in_german(message) if language == "de" else message


def _in_german(message: str) -> str:
    for pattern, german in _patterns():
        if match := pattern.fullmatch(message):
            values = match.groupdict()
            return german.format(
                **{
                    name: _list_in_german(value) if name in _LISTS else _in_german(value)
                    for name, value in values.items()
                }
            )
    head, colon, rest = message.partition(": ")
    return f"{_in_german(head)}{colon}{_in_german(rest)}" if colon else message


_LISTS = ("names", "common", "there", "rounds")
"""Placeholders for several words."""


def _list_in_german(words: str) -> str:
    for one, other in ((" and ", " und "), (" or ", " oder ")):
        words = words.replace(one, other)
    return words


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """What the English of an error looks like, the most telling first, and its German."""
    from claimlog.language.de_errors import TEXTS

    patterns = []
    for english, german in TEXTS.items():
        parts = re.split(r"\{(\w+)\}", english)
        pattern = "".join(
            f"(?P<{part}>.+?)" if place % 2 else re.escape(part) for place, part in enumerate(parts)
        )
        fixed = sum(map(len, parts[::2]))
        patterns.append((fixed, re.compile(pattern, re.DOTALL | re.IGNORECASE), german))
    patterns.sort(key=lambda item: -item[0])
    return [(pattern, german) for _, pattern, german in patterns]
