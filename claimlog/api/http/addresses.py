"""How addresses begin, and what they contain."""

from typing import Final

VERSION: Final = "/v1"
"""The beginning of the API's addresses."""

PAGES: Final = "/pages"
"""The beginning of the paths of pages, used only inside the server."""

SLASH: Final = "\x1f"
"""Replaces a slash that belongs to a name (``%2F``) in a path."""
