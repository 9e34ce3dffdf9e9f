"""The work of a process that takes for ever where that is wanted."""

import threading


def work(task: bytes) -> bytes:
    """Never answer a record of the event "For ever"; any other at once."""
    if b"For ever" in task:
        threading.Event().wait()
    return b"{}"
