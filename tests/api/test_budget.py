"""Sharing scarce resources (`api.limits.budget`), without a server."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest
from waiting import run_alone

from claimlog.api.http.hosts import client_network, wider_network
from claimlog.api.http.problem import ApiError, too_many
from claimlog.api.limits.budget import STRANGERS, TABLES, TRUSTED, WIDE, Budget, FairQueue, Share
from claimlog.api.settings import Settings


@dataclass(frozen=True)
class Who:
    """A client that asks."""

    key: str
    network: str = ""
    pool: str = STRANGERS

    def __post_init__(self) -> None:
        object.__setattr__(self, "network", self.network or self.key)


def share(each: int = 3, together: int = 10) -> Share:
    return Share(
        "things", {STRANGERS: each, TABLES: each}, {STRANGERS: together, TABLES: together}, too_many
    )


def refused(of: Share, who: Who) -> int:
    with pytest.raises(ApiError) as caught:
        of.take(who)
    return caught.value.status


def test_a_client_has_its_part_and_gives_it_back_once() -> None:
    some = share()
    holds = [some.take(Who("a")) for _ in range(3)]
    assert refused(some, Who("a")) == 429
    some.take(Who("b"))
    for _ in range(3):
        holds[0].give_back()
    some.take(Who("a"))
    assert refused(some, Who("a")) == 429
    assert len(some) == 4


def test_a_wide_network_is_one_client_four_times() -> None:
    some = share(each=2, together=100)
    for number in range(WIDE):
        for _ in range(2):
            some.take(Who(f"net{number}", "wide"))
    assert refused(some, Who("another", "wide")) == 429
    some.take(Who("another", "elsewhere"))


def test_strangers_take_nothing_from_tables_and_from_who_may_write() -> None:
    some = share(each=10, together=10)
    for number in range(10):
        some.take(Who(str(number)))
    assert refused(some, Who("new")) == 503
    some.take(Who("scorer", pool=TABLES))
    for _ in range(100):
        some.take(Who("writer", pool=TRUSTED))


def test_who_has_most_gives_way_to_who_has_less() -> None:
    some = share(each=8, together=10)
    dropped = []
    for who, number in (("a", 8), ("b", 2)):
        for each in range(number):
            some.take(Who(who)).drop = lambda what=(who, each): dropped.append(what)
    some.take(Who("c"))
    some.take(Who("b"))
    assert dropped == [("a", 0), ("a", 1)]
    assert len(some) == 10
    # Resources that cannot be taken away stay with their owner.
    fixed = share(each=10, together=10)
    for _ in range(10):
        fixed.take(Who("a"))
    assert refused(fixed, Who("b")) == 503


def test_counts_end_at_nothing() -> None:
    some = share()
    for hold in [some.take(Who(str(number), "wide")) for number in range(6)]:
        hold.give_back()
    assert not some.taken
    assert not some._holds
    assert len(some) == 0


def test_turns_go_round() -> None:
    """A client with a hundred questions does not delay another one's first."""

    async def play() -> list[str]:
        turns = FairQueue(2, 3)
        begun: list[str] = []
        go_on = asyncio.Event()

        async def ask(who: Who) -> None:
            async with turns.taken(who):
                begun.append(who.key)
                await go_on.wait()

        tasks = [asyncio.create_task(ask(Who("many"))) for _ in range(50)]
        await asyncio.sleep(0)
        tasks += [asyncio.create_task(ask(Who(name))) for name in ("one", "two")]
        tasks.append(asyncio.create_task(ask(Who("writer", pool=TRUSTED))))
        await asyncio.sleep(0)
        assert begun == ["many", "many", "one", "writer"]
        for task in tasks[10:20]:
            task.cancel()
        go_on.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert not turns._running
        assert not turns._waiting
        assert turns._number == 0
        return begun

    begun = run_alone(play())
    assert begun.count("many") == 40
    assert begun.index("two") < 10


def test_the_networks_of_addresses() -> None:
    assert client_network("2001:db8:1:2::7") == "2001:db8:1:2::/64"
    assert wider_network("2001:db8:1:2::7") == wider_network("2001:db8:1:ffff::1")
    assert wider_network("2001:db8:1:2::7") != wider_network("2001:db8:2:2::7")
    assert wider_network("192.0.2.7") == "192.0.2.7"
    assert wider_network("::ffff:192.0.2.7") == "192.0.2.7"
    assert wider_network("") == ""


def test_one_thread_is_left_for_who_may_write() -> None:
    assert Budget(Settings(readers=8)).questions.together == 7
    assert Budget(Settings(readers=1)).questions.together == 1
