"""Workers of a cluster that goes away in the middle."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from ports import Port
from waiting import wait_until

from claimlog import spread
from claimlog.spread import ClusterError, Spread

pytest.importorskip("distributed", reason="the extra claimlog[cluster] is not installed")


class Cluster:
    """A scheduler with one worker, each a process that can be killed."""

    def __init__(self) -> None:
        self.port = Port()
        self.address = f"tcp://127.0.0.1:{self.port.number}"
        words = "--host", "127.0.0.1", "--port", str(self.port.number)
        self.scheduler = self._start("scheduler", *words)
        self.worker = self._start("worker", self.address, "--nthreads", "1", "--no-nanny")

    def _start(self, what: str, *words: str) -> subprocess.Popen[bytes]:
        module = f"distributed.cli.dask_{what}"
        return subprocess.Popen(
            [sys.executable, "-m", module, *words, "--no-dashboard"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def close(self) -> None:
        for process in (self.worker, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    monkeypatch.setattr(spread, "_knock", lambda _: None)  # it is only just starting
    monkeypatch.setattr(spread, "WAIT", 60)
    with closing(Cluster()) as made:
        yield made


@pytest.mark.parametrize("seconds", [0, 3600])
def test_a_scheduler_that_is_killed(cluster: Cluster, seconds: int) -> None:
    """Answers that it still had to hand over used to end in a traceback."""
    with Spread(cluster.address) as there:
        answers = there.map(time.sleep, [0, seconds])
        assert next(answers) is None
        known = there._client.futures
        wait_until(lambda: seconds or all(one.status == "finished" for one in known.values()))
        cluster.scheduler.kill()
        with pytest.raises(ClusterError, match="no longer answers"):
            next(answers)


def test_all_workers_are_killed(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their tasks used to be waited for without end, in silence."""
    monkeypatch.setattr(spread, "CHECK", 0.1)
    monkeypatch.setattr(spread, "LONELY", 0.1)
    with Spread(cluster.address) as there:
        answers = there.map(time.sleep, [0, 3600])
        assert next(answers) is None
        cluster.worker.kill()
        with pytest.raises(ClusterError, match="has no workers"):
            next(answers)
