"""Names as they are compared: composed (NFC), their white space in order.

A letter with its accent may be one character or two; people and events are the same.

>>> tidy(" Jo\N{COMBINING DIAERESIS}rg  K ") == "J\N{LATIN SMALL LETTER O WITH DIAERESIS}rg K"
True
"""

from __future__ import annotations

import unicodedata


def composed(text: str) -> str:
    """A text in Unicode's composed form, NFC."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def tidy(text: str) -> str:
    """A name composed, with one space between its words and none around them."""
    return composed(" ".join(text.split()))


def folded(text: str) -> str:
    """A text in any case, composed."""
    return composed(text.casefold())
