import socket

import pytest
from ports import Port


def listening(number: int) -> socket.socket:
    """A listening socket as asyncio, uvicorn and PostgreSQL open it."""
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(("127.0.0.1", number))
    server.listen()
    return server


def test_a_server_can_listen_on_a_kept_port_and_again() -> None:
    port = Port()
    for _ in range(2):
        with listening(port.number), socket.create_connection(("127.0.0.1", port.number)):
            pass


def test_a_kept_port_is_given_to_nobody_else() -> None:
    port = Port()
    with socket.socket() as other, pytest.raises(OSError, match="in use"):
        other.bind(("127.0.0.1", port.number))
