"""Writing a file as a whole."""

from __future__ import annotations

import contextlib
import os
import stat
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def open_private(path: Path) -> IO[bytes]:
    """Create a file that only its owner may read, in place of an old one.  Raises OSError."""
    path.unlink(missing_ok=True)
    return open(path, "xb", opener=lambda name, flags: os.open(name, flags, 0o600))


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file to write its new content, which takes the place of the old one at the end.

    If the block raises an exception, the file is left as it was.  Links are followed, and a file
    keeps its mode.  A pipe or a device is written to directly.  Raises OSError.
    """
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        with open(path, "wb") as stream:
            yield stream
        return
    target = os.path.realpath(path)
    new = os.path.join(os.path.dirname(target), f".claimlog-{os.urandom(8).hex()}")
    # Nobody may read the new file who may not read the old one.
    allowed = 0o666 if mode is None else stat.S_IMODE(mode)
    try:
        with open(new, "xb", opener=lambda name, flags: os.open(name, flags, allowed)) as stream:
            yield stream
            if mode is not None:
                stream.flush()
                os.fsync(stream.fileno())
        if mode is not None:
            os.chmod(new, allowed)
        os.replace(new, target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(new)
        if isinstance(error, OSError) and error.filename == new:
            # Whoever asked for the file knows nothing of the new one.
            raise OSError(error.errno, error.strerror, os.fspath(path)) from error
        raise
