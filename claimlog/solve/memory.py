"""Memory for the table of answers of a search."""

import mmap
import sys
from contextlib import suppress


def words_of_zeros(number: int) -> memoryview:
    """Memory for `number` words of 64 bits; it costs nothing until it is written.

    Uses large pages if the system has them: a search reads at random places, and would wait for the
    address of each small page.
    """
    if sys.platform == "win32":
        return memoryview(mmap.mmap(-1, 8 * number)).cast("Q")
    # Private: forked processes search on their own.
    room = mmap.mmap(-1, 8 * number, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if sys.platform == "linux":
        # Not every kernel supports them.
        with suppress(OSError):
            room.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(room).cast("Q")
