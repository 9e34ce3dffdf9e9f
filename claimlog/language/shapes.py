"""Messages of msgspec and Litestar about invalid values, taken apart.

They have only English sentences, without codes.  There are few, and only this module knows them.

>>> taken_apart("Expected `int` <= 4 - at `$.seats`")
('shape.most', {'number': '4'}, 'seats')
>>> taken_apart("Something else")
('said', {'text': 'Something else'}, '')
"""

from __future__ import annotations

import re
from typing import Final

_NUMBER: Final = r"`(?:int|float|decimal)`"

_FORMS: Final = tuple(
    (key, re.compile(form))
    for key, form in (
        ("shape.kind-not", "Expected `(?P<kind>[^`]+)`, got `(?P<other>[^`]+)`"),
        ("shape.kind", "Expected `(?P<kind>[^`]+)`"),
        ("shape.least", rf"Expected {_NUMBER} >= (?P<number>\S+)"),
        ("shape.most", rf"Expected {_NUMBER} <= (?P<number>\S+)"),
        ("shape.empty", r"Expected `\w+` of length >= 1"),
        ("shape.short", r"Expected `str` of length >= (?P<number>\d+)"),
        ("shape.long", r"Expected `str` of length <= (?P<number>\d+)"),
        ("shape.few", r"Expected `(?:array|object)` of length >= (?P<number>\d+)"),
        ("shape.many", r"Expected `(?:array|object)` of length <= (?P<number>\d+)"),
        ("shape.pattern", r"Expected `str` matching regex ['\"](?P<pattern>.*)['\"]"),
        ("shape.unknown", "Object contains unknown field `(?P<name>.*)`"),
        ("shape.missing", "Object missing required field `(?P<name>.*)`"),
        ("shape.choice", "Invalid (?:enum )?value (?P<value>.*)"),
        ("shape.moment", r"Invalid RFC3339 encoded \w+"),
        ("shape.moment", "Expected `datetime` with a timezone component"),
        ("shape.range", "(?:Integer value|Number|Timestamp is|Duration is) out of range"),
        ("shape.byte", r"JSON is malformed: .* \(byte (?P<number>\d+)\)"),
        ("shape.cut-off", "Input data was truncated"),
        ("shape.body", "'data'"),  # all that Litestar says if a request has no body
        ("shape.argument", "Missing required query parameter '(?P<name>[^']*)' for path .*"),
    )
)


def taken_apart(text: str) -> tuple[str, dict[str, str], str]:
    """Return a sentence's key and values, and the place in the value that it is about.

    Any other text is returned unchanged, with the key "said".
    """
    sentence, _, place = text.partition(" - at `$")
    for key, form in _FORMS:
        if match := form.fullmatch(sentence):
            return key, match.groupdict(), place.rstrip("`").removeprefix(".")
    return "said", {"text": text}, ""
