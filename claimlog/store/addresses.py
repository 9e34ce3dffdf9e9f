"""Where an archive may be: a file, or a database and its lake."""

from __future__ import annotations


def is_address(path: object) -> bool:
    """Whether this is the address of an archive in PostgreSQL, not a file's path."""
    return isinstance(path, str) and path.startswith(("postgresql://", "postgres://"))
