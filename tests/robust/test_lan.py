"""A laptop and a phone without internet: two network namespaces with a virtual cable."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from waiting import PATIENCE

from claimlog.api.http.hosts import in_url

pytest.importorskip("ifaddr", reason="needs the packages of claimlog[lan]")
pytest.importorskip("cryptography", reason="needs the packages of claimlog[lan]")

if TYPE_CHECKING:
    from collections.abc import Iterator

SAMPLE = Path(__file__).parents[2] / "data" / "sample.clm"
LAPTOP, PHONE = "10.77.5.1", "10.77.5.2"


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)


@pytest.fixture
def network() -> Iterator[tuple[list[str], list[str]]]:
    """Functions that run a command on the laptop, and on the phone."""
    names = [f"claimlog-{who}-{os.getpid()}" for who in ("laptop", "phone")]
    ends = [f"cl{end}{os.getpid() % 10**6}" for end in "ab"]
    if shutil.which("ip") is None:
        pytest.skip("ip (iproute2) not found")
    try:
        for name in names:
            ip("netns", "add", name)
        ip("link", "add", ends[0], "type", "veth", "peer", "name", ends[1])
        for name, end, address in zip(names, ends, (LAPTOP, PHONE), strict=True):
            ip("link", "set", end, "netns", name)
            ip("-n", name, "addr", "add", f"{address}/24", "dev", end)
            ip("-n", name, "link", "set", end, "up")
            ip("-n", name, "link", "set", "lo", "up")
        yield tuple(["ip", "netns", "exec", name] for name in names)  # type: ignore[misc]
    except subprocess.CalledProcessError as error:
        pytest.skip(f"network namespaces are not allowed here: {error.stderr.strip()}")
    finally:
        for name in names:
            with contextlib.suppress(subprocess.CalledProcessError):
                ip("netns", "delete", name)


COMMAND = "from claimlog.cli.main import run; run()"
SERVE = [sys.executable, "-u", "-c", COMMAND, "serve", "--lan", str(SAMPLE)]
ON_THE_PHONE = """
import ssl, sys
from urllib.error import URLError
from urllib.request import urlopen

first, place = sys.argv[1:]
page = urlopen(first + "/en").read().decode()
assert f'data-server="{place}"' in page, page
try:
    urlopen(place + "/health")
except URLError as error:
    assert isinstance(error.reason, ssl.SSLCertVerificationError), error.reason
else:
    raise AssertionError("trusted without the certificate")
certificate = urlopen(first + "/claimlog.crt").read()
trusting = ssl.create_default_context(cadata=certificate)
assert b'"ok"' in urlopen(place + "/health", context=trusting).read()
assert urlopen(place + "/tables", context=trusting).status == 200
print(page)
"""


def test_a_phone_that_installs_the_certificate_trusts_the_server(
    network: tuple[list[str], list[str]], tmp_path: Path
) -> None:
    laptop, phone = network
    with subprocess.Popen(
        [*laptop, *SERVE, "--port", "0"], env=os.environ | {"XDG_DATA_HOME": str(tmp_path)},
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as server:  # fmt: skip
        try:
            assert server.stdout is not None
            output = ""
            while "fingerprint" not in output:
                line = server.stdout.readline()
                assert line, output
                output += line
            place = re.search(rf"https://{LAPTOP}:\d+", output)
            first = re.search(rf"http://{LAPTOP}:\d+", output)
            assert place is not None, output
            assert first is not None, output
            seen = subprocess.run(
                [*phone, sys.executable, "-c", ON_THE_PHONE, first[0], place[0]],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert seen.returncode == 0, seen.stderr
            assert output.split()[-1] in seen.stdout  # the fingerprint, on both screens
        finally:
            server.terminate()


def test_a_phone_may_knock_before_the_page_answers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The port is announced before the thread that serves it is running."""
    from claimlog.api import lan  # needs the packages checked above

    knocked = threading.Event()
    run = threading.Thread.run

    def late(thread: threading.Thread) -> None:
        assert knocked.wait(PATIENCE)
        run(thread)

    monkeypatch.setattr(threading.Thread, "run", late)
    authority = lan.Authority(tmp_path / "lan")
    with lan.trust_page("https://10.0.0.1:8000", "127.0.0.1", 0, authority) as port:
        try:
            phone = socket.create_connection(("127.0.0.1", port), PATIENCE)
        finally:
            knocked.set()
        with phone:
            phone.sendall(b"GET /claimlog.crt HTTP/1.0\r\n\r\n")
            assert phone.recv(15) == b"HTTP/1.1 200 OK"


def test_in_no_network_it_says_so(network: tuple[list[str], list[str]], tmp_path: Path) -> None:
    laptop, _ = network
    ip("-n", laptop[-1], "addr", "flush", "scope", "global")
    answer = subprocess.run(
        [*laptop, *SERVE], env=os.environ | {"XDG_DATA_HOME": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "connect it to the router" in answer.stderr


def serve_and_read(tmp_path: Path, *words: str) -> tuple[int | None, str]:
    """Serve until everything is shown; return the code, None if it had to be stopped, and that."""
    server = subprocess.Popen(
        [*SERVE, *words], env=os.environ | {"XDG_DATA_HOME": str(tmp_path), "LC_ALL": "C.UTF-8"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert server.stdout is not None
    output = ""
    try:
        for line in server.stdout:
            output += line
            if line.startswith(("SHA-256 fingerprint", "without HTTPS")):
                return None, output
        return server.wait(PATIENCE), output
    finally:
        server.terminate()
        server.wait(PATIENCE)
        server.stdout.close()


def test_a_name_needs_a_certificate_for_it(tmp_path: Path) -> None:
    for words in (("--name", "club.example"), ("--host", "club.example")):
        code, output = serve_and_read(tmp_path, *words)
        assert code == 2
        assert output == (
            "claimlog: the certificate that --lan makes is for addresses, not for names such as "
            "club.example: give an address, a certificate with --certificate, or --plain\n"
        )
    assert not list(tmp_path.rglob("*.pem"))
    code, output = serve_and_read(tmp_path, "--name", "club.example", "--plain", "--port", "0")
    assert code is None
    assert re.search(r"phones open http://club\.example:\d+/tables\n", output)


def test_the_last_port(tmp_path: Path) -> None:
    """The page for phones is on the next port, or on a free one if there is none."""
    with socket.socket() as listener:
        try:
            listener.bind(("0.0.0.0", 65535))
        except OSError:
            pytest.skip("port 65535 is in use")
    code, output = serve_and_read(tmp_path, "--port", "65535")
    if code is not None and "not on a network" in output:
        pytest.skip("this machine is not on a network")
    assert code is None, output
    assert re.search(r"phones open http://[\d.]+:\d+ first", output)


def test_an_address_of_ipv6(tmp_path: Path) -> None:
    """URLs have it in brackets."""
    from claimlog.api import lan  # needs the packages checked above

    assert in_url("fd00::2") == "[fd00::2]"
    assert in_url("10.0.0.1") == "10.0.0.1"
    authority = lan.Authority(tmp_path / "lan")
    try:
        with lan.trust_page("https://[fd00::2]:8000", "::1", 0, authority) as port:
            socket.create_connection(("::1", port), PATIENCE).close()
    except OSError as error:
        pytest.skip(f"no IPv6 here: {error}")
    code, output = serve_and_read(tmp_path, "--host", "::")
    assert code == 2
    assert output.endswith("--lan needs an address that others can reach, not ::\n")


def test_an_authority_that_cannot_issue(tmp_path: Path) -> None:
    from claimlog.api.lan import Authority, AuthorityError  # needs the packages checked above

    authority = Authority(tmp_path / "lan")
    (tmp_path / "lan" / "server.pem.new").mkdir()
    with pytest.raises(AuthorityError, match=r"server\.pem\.new: "):
        authority.issue(["10.0.0.1"])
    (tmp_path / "lan" / "key.pem").write_text("damaged")
    with pytest.raises(AuthorityError, match="move it away") as caught:
        Authority(tmp_path / "lan")
    assert "brauchbare Zertifizierungsstelle" in caught.value.message.worded("de")
