"""Where an archive may be: in a file, or in a database with its lake."""

from __future__ import annotations


def is_address(path: object) -> bool:
    """Whether this is the address of an archive in PostgreSQL, not a file's path."""
    return isinstance(path, str) and path.startswith(("postgresql://", "postgres://"))


def check_move(source: object, target: object) -> None:
    """Raise ArchiveError unless one is a file and the other the address of a database."""
    if is_address(source) == is_address(target):
        from claimlog.store.model.errors import ArchiveError

        raise ArchiveError("move.places")
