"""Keeping passwords out of what is said: of messages, logs and answers.

Libraries put the address of a database into their errors, and parts of one that they cannot read.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, unquote, urlsplit

HIDDEN: Final = "***"

_IN_ADDRESS: Final = re.compile(r"(\w+://[^\s/:@]*:)[^\s/]*@")
_AS_WORD: Final = re.compile(
    r"\b((?:password|sslpassword|secret|session_token)\s*=\s*)('(?:[^'\\]|\\.)*'|[^\s&'\"]+)",
    re.IGNORECASE,
)

_secrets: set[str] = set()


def keep_secret(*texts: str | None) -> None:
    """Never say these again, as they are or as they stand in an address."""
    for text in texts:
        if text:
            _secrets.update((text, quote(text, safe=""), quote(text), unquote(text)))


def secrets_of(address: str) -> list[str]:
    """What in an address may be a password, also where the address cannot be read.

    That of a user, with all that its own characters may have cut it into, and of an option.
    """
    _, _, rest = address.partition("://")
    user, at, _ = rest.rpartition("@")
    secrets = [user.partition(":")[2]] if at else []
    secrets += re.findall(r"[?&](?:ssl)?password=([^&]*)", address)
    return [one for one in secrets if one]


def hidden(text: str) -> str:
    """A text without passwords."""
    for secret in sorted(_secrets, key=len, reverse=True):
        # As a word of its own: a password may be part of any other word.
        text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", HIDDEN, text)
    return _AS_WORD.sub(rf"\1{HIDDEN}", _IN_ADDRESS.sub(rf"\1{HIDDEN}@", text))


def shown(address: str) -> str:
    """An address as it may be shown: a user's name and password are left out."""
    try:
        parts = urlsplit(address)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return address.partition("://")[0] + "://" + HIDDEN
    return f"{parts.scheme}://{host}{parts.path}"


def first_line(error: BaseException) -> str:
    """What an error says, in a line, without passwords."""
    return hidden(" ".join(str(error).split()))[:300]
