"""An S3 server on this machine, which moto keeps in memory, for the tests that need one."""

import socket
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest


class S3:
    """A server with a bucket "claim"; it can stop and come back with the same contents."""

    def __init__(self) -> None:
        import boto3

        self.port = 0
        self.start()
        self.ask("reset")
        self.client = boto3.client("s3", endpoint_url=self.address)
        self.client.create_bucket(Bucket="claim")

    def start(self) -> None:
        from moto.server import ThreadedMotoServer

        self.moto = ThreadedMotoServer("127.0.0.1", self.port, verbose=False)
        self.moto.start()
        self.port = self.moto.get_host_and_port()[1]

    def stop(self) -> None:
        self.moto.stop()
        self.moto._server.server_close()

    @contextmanager
    def silent(self) -> Iterator[list[socket.socket]]:
        """Accept connections but never answer; returns those so far."""
        self.stop()
        held: list[socket.socket] = []

        def accept() -> None:
            with suppress(OSError):
                while True:
                    held.append(listening.accept()[0])

        with socket.create_server(("127.0.0.1", self.port), backlog=50) as listening:
            accepting = threading.Thread(target=accept)
            accepting.start()
            try:
                yield held
            finally:
                listening.shutdown(socket.SHUT_RDWR)
                accepting.join()
                for one in held:
                    one.close()
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(self, what: str, message: bytes = b"") -> None:
        """Send moto a request outside the S3 protocol."""
        urllib.request.urlopen(
            urllib.request.Request(
                f"{self.address}/moto-api/{what}", message, {"Content-Type": "text/plain"}
            )
        ).close()

    def put(self, key: str, data: bytes) -> str:
        """Create an object; return its path."""
        self.client.put_object(Bucket="claim", Key=key, Body=data)
        return f"s3://claim/{key}"


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[S3]:
    """A server, named by the environment; without moto, skip the tests that need it."""
    pytest.importorskip("moto.server", reason="moto is not installed")
    for name, value in {
        "AWS_ACCESS_KEY_ID": "us",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
    }.items():
        monkeypatch.setenv(name, value)
    made = S3()
    monkeypatch.setenv("AWS_ENDPOINT_URL", made.address)
    yield made
    made.stop()
