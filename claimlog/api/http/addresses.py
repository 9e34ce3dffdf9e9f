"""How addresses begin, and what stands in them."""

from typing import Final

VERSION: Final = "/v1"
"""What the addresses of the API begin with."""

PAGES: Final = "/pages"
"""What the paths of pages begin with inside the server; nobody needs to know."""

SLASH: Final = "\x1f"
"""Replaces in a path a slash that belongs to a name (``%2F``)."""
