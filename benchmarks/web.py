"""Servers and questions over HTTP, for the benchmarks of the archive and the API."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import socket
import statistics
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final

import harness

PATIENCE: Final = 60
"""Seconds that a server may take to start or to answer."""


def free_port() -> int:
    """A free port."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


class Server:
    """A server in a separate process, with a connection to it; a context manager."""

    def __init__(
        self, command: Sequence[str | Path], port: int, env: Mapping[str, str] | None = None
    ) -> None:
        """`env`: changes to the environment."""
        self.port = port
        begin = time.perf_counter()
        self.process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=harness.environment(env),
        )
        self.client = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        while not self._answers():
            if self.process.poll() is not None or time.perf_counter() > begin + PATIENCE:
                self.stop()
                raise harness.BenchmarkError(f"{command[0]} does not start")
            time.sleep(0.005)
        self.start = time.perf_counter() - begin

    def _answers(self) -> bool:
        try:
            return self.get("/health")[1] != b""
        except (OSError, http.client.HTTPException):
            self.client.close()
            return False

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End the process."""
        self.client.close()
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def get(self, path: str, accept: str = "application/json") -> tuple[float, bytes]:
        """Send a GET request; return the seconds until the answer, and the answer."""
        return self._ask("GET", path, None, "", accept)

    def post(self, path: str, body: bytes, kind: str) -> tuple[float, bytes]:
        """Send a POST request; return the seconds until it was acknowledged, and the answer."""
        return self._ask("POST", path, body, kind)

    def _ask(
        self,
        method: str,
        path: str,
        body: bytes | None,
        kind: str,
        accept: str = "application/json",
    ) -> tuple[float, bytes]:
        headers = {"Accept": accept}
        if kind:
            headers["Content-Type"] = kind
        begin = time.perf_counter()
        self.client.request(method, path, body=body, headers=headers)
        answer = self.client.getresponse()
        data = answer.read()
        seconds = time.perf_counter() - begin
        if answer.status >= 300:
            raise harness.BenchmarkError(f"{method} {path}: {answer.status} {data[:300]!r}")
        return seconds, data

    def rest(self) -> float:
        """Wait until the server was idle for a second; return its processor seconds until then."""
        end = time.perf_counter() + PATIENCE
        before, now = -1.0, self.cpu()
        while now > before + 0.02 and time.perf_counter() < end:
            time.sleep(1)
            before, now = now, self.cpu()
        return now

    def cpu(self) -> float:
        """Processor seconds that the server has used so far; 0 if unknown."""
        ticks = 0
        for pid in harness.tree(self.process.pid):
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK") if ticks else 0.0


def together(
    servers: Sequence[Server], path: str, bodies: Sequence[bytes], kind: str, clients: int
) -> tuple[float, float]:
    """Send bodies from several clients at once, each to one of the servers.

    Returns how many a second were acknowledged, and the median time in ms.
    """
    # An idle connection may have been closed meanwhile; the next question opens another.
    for server in servers:
        server.client.close()
    waiting = iter(bodies)
    lock = threading.Lock()
    refused: list[int] = []
    times: list[float] = []

    def send(which: int) -> None:
        port = servers[which % len(servers)].port
        client = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        while True:
            with lock:
                body = next(waiting, None)
            if body is None:
                client.close()
                return
            sent = time.perf_counter()
            client.request("POST", path, body=body, headers={"Content-Type": kind})
            answer = client.getresponse()
            answer.read()
            times.append(time.perf_counter() - sent)
            if answer.status >= 300:
                refused.append(answer.status)

    threads = [threading.Thread(target=send, args=(which,)) for which in range(clients)]
    begin = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - begin
    if refused:
        raise harness.BenchmarkError(f"POST {path}: {refused[0]}")
    return len(bodies) / seconds, 1000 * statistics.median(times)


@dataclass(frozen=True, slots=True)
class Load:
    """A server's work under load: requests, seconds, its own processor seconds."""

    requests: int
    seconds: float
    cpu: float

    @property
    def rate(self) -> float:
        """Requests per second."""
        return self.requests / self.seconds

    @property
    def micros(self) -> float:
        """The server's processor time per request, in microseconds."""
        return 1e6 * self.cpu / self.requests


def load_tool() -> str:
    """The program that generates the load."""
    return "wrk, 1 thread, 32 connections" if shutil.which("wrk") else "2 threads of Python"


def load(server: Server, paths: Sequence[str], seconds: float, folder: Path) -> Load:
    """Ask for `paths` over and over, as fast as the server answers."""
    wrk = shutil.which("wrk")
    # An idle connection may have been closed meanwhile; the next question opens another.
    server.client.close()
    cpu = server.cpu()
    if wrk is None:
        requests, passed = _load(server.port, paths, seconds)
    else:
        script = folder / "paths.lua"
        listed = ", ".join(f'"{path}"' for path in paths)
        script.write_text(
            f"local paths = {{{listed}}}\nlocal i = 0\n"
            "request = function() i = i % #paths + 1; "
            'return wrk.format("GET", paths[i], {["Accept"] = "application/json"}) end\n'
        )
        url = f"http://127.0.0.1:{server.port}"
        words = ["-t1", "-c32", f"-d{max(1, round(seconds))}s", "-s", script, url]
        out = harness.run([wrk, *words]).out.decode()
        match = re.search(r"(\d+) requests in ([\d.]+)s", out)
        if match is None or "Non-2xx" in out or "Socket errors" in out:
            raise harness.BenchmarkError(f"wrk: {out}")
        requests, passed = int(match[1]), float(match[2])
    return Load(requests, passed, server.cpu() - cpu)


def _load(port: int, paths: Sequence[str], seconds: float) -> tuple[int, float]:
    counts = [0, 0]
    begin = time.perf_counter()

    def ask(which: int) -> None:
        client = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        while time.perf_counter() < begin + seconds:
            client.request("GET", paths[counts[which] % len(paths)])
            answer = client.getresponse()
            answer.read()
            if answer.status >= 300:
                raise harness.BenchmarkError(f"{answer.status} under load")
            counts[which] += 1
        client.close()

    threads = [threading.Thread(target=ask, args=(which,)) for which in range(len(counts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts), time.perf_counter() - begin


def millis(server: Server, paths: Sequence[str]) -> tuple[float, float]:
    """The median and the largest time of an answer to each of `paths`, in milliseconds."""
    times = [1000 * server.get(path)[0] for path in paths]
    return statistics.median(times), max(times)
