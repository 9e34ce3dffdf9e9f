import os
import signal

import examples
import pytest
from dask_workers import workers
from grounds import emptied, ground, on_lake, postgres
from s3_server import s3

__all__ = ["emptied", "examples", "ground", "postgres", "s3", "workers"]
pytest_plugins = ["parts"]

# A shell starts what runs in its background deaf to SIGINT, and the commands that the tests
# interrupt would be deaf as well.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers() -> int:
    """Half as many again as there are processors: many tests wait for servers and terminals."""
    return max(2, (os.cpu_count() or 1) * 3 // 2)


def pytest_addoption(parser: pytest.Parser) -> None:
    """On what the archives of tests stand."""
    parser.addoption(
        "--ground",
        choices=("file", "lake"),
        default="file",
        help="what archives stand on: a file, or PostgreSQL and a lake (tests/grounds.py)",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip on the lake what only a file has, and what cannot be otherwise there."""
    if on_lake(config):
        for item in items:
            if mark := item.get_closest_marker("only_file"):
                item.add_marker(pytest.mark.skip(reason=f"only for a file: {mark.args[0]}"))
            if mark := item.get_closest_marker("file_is_enough"):
                item.add_marker(pytest.mark.skip(reason=f"a file is enough: {mark.args[0]}"))
