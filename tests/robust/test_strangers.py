"""Each attack of `strangers` for a moment; the script runs for any time."""

import sys
from collections.abc import Iterator

import pytest
from games import game

from .strangers import WAYS, Served

pytestmark = [
    pytest.mark.slow,
    pytest.mark.only_file("the server's file"),
    pytest.mark.skipif(sys.platform != "linux", reason="needs several local addresses"),
]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    made = Served(tmp_path_factory.mktemp("strangers"), [game(n) for n in range(30)], seed=1)
    yield made
    made.close()


@pytest.mark.parametrize("way", WAYS)
def test_others_are_answered(served: Served, way: str) -> None:
    assert served.round_of(way, connections=40, times=1) == []


def test_all_is_given_back(served: Served) -> None:
    assert served.left() == []
