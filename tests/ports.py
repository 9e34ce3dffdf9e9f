"""Ports for servers that tests start as separate processes."""

from __future__ import annotations

import socket
from weakref import finalize


class Port:
    """A port on 127.0.0.1 that is reserved for a server as long as this object exists.

    A socket is bound to it and does not listen.  So a server can listen there, be killed and listen
    again (servers set SO_REUSEADDR), and the system gives the port to nobody else.
    """

    def __init__(self) -> None:
        held = socket.socket()
        finalize(self, held.close)
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        self.number = int(held.getsockname()[1])
