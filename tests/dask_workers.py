"""A Dask scheduler with two worker processes on this machine, for the tests that need one."""

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest


class Workers:
    """The scheduler's address, and its workers."""

    def __init__(self, cluster: Any) -> None:
        self.cluster = cluster
        self.address: str = cluster.scheduler_address

    def kill_one(self) -> None:
        """Kill a worker, as a crash would; its nanny starts another."""
        nanny = next(iter(self.cluster.workers.values()))
        os.kill(nanny.pid, signal.SIGKILL)


QUIET = {
    "distributed.admin.tick.interval": "10s",
    "distributed.worker.profile.enabled": False,
}
"""Without what Dask watches itself for, it takes a fifth of the processor time while it waits."""


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    """Two workers, for one file, as they work even when idle; without Dask, skip their tests."""
    distributed = pytest.importorskip(
        "distributed", reason="the extra claimlog[cluster] is not installed"
    )
    import dask

    with (
        dask.config.set(QUIET),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            memory_limit=0,  # nothing to watch
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
        ) as cluster,
    ):
        yield Workers(cluster)
