"""Pages about the whole archive are up to date, or only as old as allowed."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from waiting import PATIENCE

from claimlog.api.caches.stale_while_revalidate import (
    LONGEST,
    MOST,
    OLDEST,
    TIMES,
    StaleWhileRevalidate,
)

if TYPE_CHECKING:
    from collections.abc import Callable


class World:
    """A clock, an archive that is written to, and a question that takes time."""

    def __init__(self) -> None:
        self.now = 0.0
        self.generation = 1
        self.cost = 0.01
        self.asked = 0
        self.later: list[Callable[[], object]] = []
        self.cache = StaleWhileRevalidate(
            lambda: self.generation, self.later.append, lambda: self.now
        )

    def ask(self) -> int:
        self.asked += 1
        self.now += self.cost
        return self.generation

    def get(self, key: object = "games") -> int:
        return self.cache.get(key, self.ask)


@pytest.mark.parametrize("cost", [0.01, 0.15])
def test_what_costs_little_is_always_the_newest(cost: float) -> None:
    """For example the page that a director opens after typing a result, even on a busy machine."""
    world = World()
    world.cost = cost
    assert [world.get(), world.get()] == [1, 1]
    assert world.asked == 1
    world.generation = 2
    assert world.get() == 2


@pytest.mark.parametrize("cost", [0.25, 5.0])
def test_what_costs_much_is_shown_for_a_while(cost: float) -> None:
    world = World()
    world.cost = cost
    assert world.get() == 1
    world.generation = 2
    world.now += min(LONGEST, TIMES * cost) - 0.01
    assert (world.get(), world.asked) == (1, 1)
    assert not world.later
    world.now += 0.02
    assert [world.get(), world.get(), world.asked] == [1, 1, 1]
    (renew,) = world.later
    renew()
    assert (world.get(), world.asked, world.cache.old) == (2, 2, 3)
    assert len(world.later) == 1


def test_what_is_too_old_is_not_shown() -> None:
    world = World()
    world.cost = 1.0
    assert world.get() == 1
    world.now += OLDEST
    assert (world.get(), world.asked) == (1, 1)
    world.generation = 2
    assert (world.get(), world.asked, world.cache.old) == (2, 2, 0)
    assert not world.later


def test_what_could_not_be_renewed_is_tried_again() -> None:
    world = World()
    world.cost = 1.0
    world.get()
    world.generation = 2
    world.now += LONGEST

    def fail() -> int:
        raise ValueError("no answer")

    assert world.cache.get("games", fail) == 1
    with pytest.raises(ValueError, match="no answer"):
        world.later[0]()
    assert world.get() == 1
    world.later[1]()
    assert world.get() == 2


def test_what_could_not_be_found_is_asked_again() -> None:
    world = World()

    def fail() -> int:
        raise ValueError("no answer")

    with pytest.raises(ValueError, match="no answer"):
        world.cache.get("games", fail)
    assert world.get() == 1


def test_the_oldest_answers_are_let_go_of() -> None:
    world = World()
    for number in range(MOST + 1):
        world.get(number)
    world.get(MOST)
    assert world.asked == MOST + 1
    world.get(0)
    assert world.asked == MOST + 2


def test_many_who_ask_at_once_ask_once() -> None:
    cache = StaleWhileRevalidate(lambda: 1, lambda _: None)
    go, asked = threading.Event(), []

    def ask() -> int:
        asked.append(1)
        go.wait(PATIENCE)
        return 7

    answers: list[int] = []
    threads = [
        threading.Thread(target=lambda: answers.append(cache.get("x", ask))) for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    go.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert (answers, len(asked)) == ([7] * 5, 1)
