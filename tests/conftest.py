import gc
import inspect
import os
import signal
import ssl

import examples
import httpx
import pytest
from backends import emptied, lakes, on_lake, postgres
from dask_workers import workers
from s3_server import s3
from waiting import PATIENCE

__all__ = ["emptied", "examples", "lakes", "postgres", "s3", "workers"]
pytest_plugins = ["parts"]

# A shell starts background jobs with SIGINT ignored, and the commands that the tests interrupt
# would inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A server on a busy machine may answer later than httpx's 5 seconds; and loading all certificate
# authorities, which plain HTTP does not need, takes each client 40 ms.
for _call in (*vars(httpx).values(), httpx.Client.__init__, httpx.AsyncClient.__init__):
    _defaults = inspect.isfunction(_call) and inspect.unwrap(_call).__kwdefaults__
    if _defaults and "timeout" in _defaults:
        _defaults |= {"timeout": PATIENCE, "verify": ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)}


def pytest_xdist_auto_num_workers() -> int:
    """Use as many workers as processors, but at least two; by itself xdist counts only cores."""
    return int(os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS") or max(2, os.cpu_count() or 1))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options for the backend of the tests' archives, and for slow browsers."""
    parser.addoption(
        "--backend",
        choices=("file", "lake"),
        default="file",
        help="the backend of archives: a file, or PostgreSQL and a lake (tests/backends.py)",
    )
    parser.addoption(
        "--late",
        choices=("requests", "answers", "disk", "engine", "effects"),
        help="what is late on the pages of the browser's tests (tests/browser/late.py)",
    )


def pytest_collection_finish() -> None:
    """Exclude the collected items from garbage collection, which took an eighth of all time."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On the lake, skip the tests that only apply to files or cannot differ there."""
    if on_lake(config):
        for item in items:
            if mark := item.get_closest_marker("only_file"):
                item.add_marker(pytest.mark.skip(reason=f"only for a file: {mark.args[0]}"))
            if mark := item.get_closest_marker("file_is_enough"):
                item.add_marker(pytest.mark.skip(reason=f"a file is enough: {mark.args[0]}"))
