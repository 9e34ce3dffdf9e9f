"""A worker that never finishes on request."""

import threading


def work(task: bytes) -> bytes:
    """Never answer a record of the event "For ever"; answer any other at once."""
    if b"For ever" in task:
        threading.Event().wait()
    return b"{}"
