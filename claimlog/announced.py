"""Servers of this machine, found by the archive that they have open: a file beside it says so."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

import msgspec

from claimlog.client import Client
from claimlog.store.model.errors import ArchiveError
from claimlog.writing import open_private

LISTENING: Final = 2.0
"""Seconds in which a server must show that it is alive."""


class _Announced(msgspec.Struct, frozen=True, kw_only=True):
    """The content of the file beside an archive that is being served."""

    url: str
    pid: int


def _beside(archive: Path) -> Path:
    return archive.with_name(f"{archive.name}.server")


class Announcement:
    """A file beside a served archive with the server's address, readable only by its user.

    If it cannot be written, clients do not find the server by themselves.
    """

    def __init__(self, archive: Path) -> None:
        self._path = _beside(archive)
        self._made = False

    def make(self, url: str) -> None:
        """Write the address.  A server on all addresses is announced at this machine's own."""
        url = url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
        new = self._path.with_name(f"{self._path.name}.new")
        with contextlib.suppress(OSError):
            with open_private(new) as stream:
                stream.write(msgspec.json.encode(_Announced(url=url, pid=os.getpid())))
            new.replace(self._path)
            self._made = True

    def withdraw(self) -> None:
        """Remove the file: the server stops."""
        if self._made:
            self._made = False
            with contextlib.suppress(OSError):
                self._path.unlink()


def server_of(archive: Path) -> str | None:
    """The address of the server on this machine that has the archive open, or None."""
    try:
        announced = msgspec.json.decode(_beside(archive).read_bytes(), type=_Announced)
        os.kill(announced.pid, 0)
    except (OSError, OverflowError, msgspec.DecodeError):
        return None
    with (
        contextlib.suppress(ArchiveError),
        Client(announced.url, timeout=LISTENING) as client,
    ):
        return announced.url if client.alive() else None
    return None
