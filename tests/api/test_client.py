"""What `Client` sends, and how it reports bad answers, with a fake server."""

import http.server
import threading

import pytest
from waiting import PATIENCE

from claimlog.client import Client, ServerError, TokenRefused


class Badly(http.server.BaseHTTPRequestHandler):
    """Answers each count, breaks off exports, and hangs up after each answer on request."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.asked.append((self.path, dict(self.headers)))
        self.send_response(200)
        if self.headers["Accept"] == "text/x-claim":
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"3\r\n*G*\r\n")
            self.close_connection = True
            return
        body = b'{"games":%d}' % len(self.server.asked)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = self.server.hangs_up

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    """Records when it has hung up."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Badly)
        self.asked = []
        self.hangs_up = False
        self.hung_up = threading.Event()

    def shutdown_request(self, request):
        super().shutdown_request(request)
        self.hung_up.set()


@pytest.fixture
def badly():
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_an_export_that_breaks_off(badly):
    with Client(f"http://127.0.0.1:{badly.server_port}") as client:
        pieces = client.export("clm")
        assert next(pieces) == b"*G*"
        with pytest.raises(ServerError, match="stopped answering"):
            next(pieces)
        # An export that is not read to its end does not block the next question either.
        next(client.export("clm"))
        assert client.count() == 3


def test_a_server_that_hung_up_meanwhile_is_called_again(badly):
    badly.hangs_up = True
    with Client(f"http://127.0.0.1:{badly.server_port}") as client:
        for number in (1, 2, 3):
            assert client.count() == number
            assert badly.hung_up.wait(PATIENCE)
            badly.hung_up.clear()


def test_what_a_request_carries(badly, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    url = f"http://me:secret@127.0.0.1:{badly.server_port}/behind/"
    with Client(url, "abc") as client:
        client.count()
        with pytest.raises(ServerError, match="is not a claimlog server"):
            client.game("..")
    (path, headers), (odd, _) = badly.asked
    assert path == "/behind/v1/stats/count"
    assert headers["Authorization"] == "Bearer abc"
    assert "secret" not in str(headers)
    assert odd == "/behind/v1/games/%2E%2E"


@pytest.mark.parametrize("token", ["a-secret\n", "ein-Schlüssel"])
def test_a_token_that_cannot_be_sent_is_not_repeated(token):
    with pytest.raises(TokenRefused) as refused:
        Client("http://127.0.0.1:9", token)
    assert token.strip() not in str(refused.value)


def test_an_address_that_is_too_long(badly):
    with Client(f"http://127.0.0.1:{badly.server_port}") as client, pytest.raises(ServerError):
        client.game("x" * 100_000)
    assert not badly.asked


def test_what_neither_an_archive_nor_a_server_can_do(badly):
    with Client(f"http://127.0.0.1:{badly.server_port}") as client:
        assert not hasattr(client, "stat")
        with pytest.raises(AttributeError, match="stat"):
            client.stat()
        with pytest.raises(ServerError, match="needs the archive's file"):
            client.rebuild()
