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
