"""Keep passwords out of messages, logs and answers.

Libraries put the address of a database, or parts of one that they cannot read, into their errors.
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
    """Hide these texts from now on, both plain and as quoted in an address."""
    for text in texts:
        if text:
            _secrets.update((text, quote(text, safe=""), quote(text), unquote(text)))


def secrets_of(address: str) -> list[str]:
    """The parts of an address that may be a password, even if the address cannot be parsed.

    These are the user's password, including everything it may be cut into by its own characters,
    and the values of password options.
    """
    _, _, rest = address.partition("://")
    user, at, _ = rest.rpartition("@")
    secrets = [user.partition(":")[2]] if at else []
    secrets += re.findall(r"[?&](?:ssl)?password=([^&]*)", address)
    return [one for one in secrets if one]


def hidden(text: str) -> str:
    """Return a text without passwords."""
    for secret in sorted(_secrets, key=len, reverse=True):
        # Only as a word of its own, as a short password may be part of any other word.
        text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", HIDDEN, text)
    return _AS_WORD.sub(rf"\1{HIDDEN}", _IN_ADDRESS.sub(rf"\1{HIDDEN}@", text))


def shown(address: str) -> str:
    """Return an address fit to be shown, without user name and password."""
    try:
        parts = urlsplit(address)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return address.partition("://")[0] + "://" + HIDDEN
    return f"{parts.scheme}://{host}{parts.path}"


def first_line(error: BaseException) -> str:
    """The message of an error in one line, without passwords."""
    return hidden(" ".join(str(error).split()))[:300]
