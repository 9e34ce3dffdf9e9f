"""Live tables: scored and watched by many at once, with a server that has one core.

Every table gets an action a second, each sent after the previous one was answered and a second has
passed, at moments that are spread evenly.  Watchers are spread evenly over the tables, as
spectators.  Measured are the time until an action is acknowledged (and on disk), and the time from
sending it until a watcher has the resulting state.  The sending and watching processes have the
other cores.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import harness
import web

MEDIAN_GOAL: Final = 20.0
"""Milliseconds until an action is acknowledged."""

SERVER_CORE: Final = 0


@dataclass(slots=True)
class Table:
    """A table: what is sent to it and when, and what was received from it."""

    id: str
    words: list[str]
    sent: list[float] = field(default_factory=list)
    acknowledged: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    lost: int = 0


def main() -> None:
    """Run the benchmark."""

    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--tables", type=int, default=200, help="number of tables")
        parser.add_argument("--watchers", type=int, default=500, help="number of watchers")
        parser.add_argument("--seconds", type=int, default=60, help="actions at each table")

    options = harness.arguments(__doc__.split("\n")[0], add)
    tables, watchers, seconds = (
        (5, 10, 3) if options.smoke else (options.tables, options.watchers, options.seconds)
    )
    claim = "200 tables with an action a second each and 500 watchers: one core is enough"
    harness.heading(options, {}, claim)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    scripts = [words(options.seed + number) for number in range(min(tables, 20))]
    with harness.scratch() as folder:
        port = web.free_port()
        command = harness.claimlog(
            "serve", "--db", folder / "games.duckdb", "--no-log-requests", "--port", str(port)
        )
        with web.Server(pinned(command), port) as server:
            those = [
                Table(opened(server), scripts[number % len(scripts)]) for number in range(tables)
            ]
            # The first question with arguments makes the OpenAPI document.
            server.get("/v1/tables?limit=1")
            cpu, begin = server.cpu(), time.perf_counter()
            asyncio.run(play(port, those, watchers, seconds))
            used = (server.cpu() - cpu) / (time.perf_counter() - begin)
            # The connection was idle for too long; the next question opens another.
            server.client.close()
            check(server, those)
    print_all(options, those, watchers, seconds, used)


def pinned(command: Sequence[str | Path]) -> list[str | Path]:
    """A command pinned to one core, if the system can do that; this process has the others."""
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_setaffinity") else set()
    if len(cores) < 2 or not harness.has_command("taskset"):
        return list(command)
    os.sched_setaffinity(0, cores - {SERVER_CORE})
    return ["taskset", "-c", str(SERVER_CORE), *command]


def words(seed: int) -> list[str]:
    """The words of a random game, without draws."""
    from claimlog import State

    chance = random.Random(seed)
    state, entered = State.dealt("GKUWX", seed=seed), []
    while not state.over:
        kind = state.to_act.kind
        if kind == "draw":
            state.draw()
        elif kind == "turn-up":
            entered.append(str(state.turn_up().card))
        else:
            entered.append(str(state.apply(chance.choice(state.choices())).card))
    return entered


def opened(server: web.Server) -> str:
    """Open a table; return its id."""
    agreed = {"deck": "GKUWX", "players": ["Anna Keller", "Ben Roth"], "event": "Zurich Open"}
    answer = server.post("/v1/tables", json.dumps(agreed).encode(), "application/json")[1]
    return str(json.loads(answer)["id"])


async def play(port: int, tables: list[Table], watchers: int, seconds: int) -> None:
    """Let all tables be scored and watched."""
    coming = asyncio.Semaphore(50)
    ready = [asyncio.Event() for _ in range(watchers)]
    watching = [
        asyncio.create_task(watch(port, tables[number % len(tables)], seconds, coming, event))
        for number, event in enumerate(ready)
    ]
    await asyncio.gather(*(event.wait() for event in ready))
    step = 1 / len(tables)
    await asyncio.gather(
        *(score(port, table, number * step, seconds) for number, table in enumerate(tables))
    )
    await asyncio.wait_for(asyncio.gather(*watching), timeout=30)


async def score(port: int, table: Table, wait: float, seconds: int) -> None:
    """Send an action a second."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    begin = time.perf_counter() + wait
    for number in range(seconds):
        await asyncio.sleep(max(begin + number - time.perf_counter(), 0))
        entry = entry_of(table, number)
        body = json.dumps({"device": "phone", "after": number, "entries": [entry]}).encode()
        head = (
            f"POST /v1/tables/{table.id}/actions HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        table.sent.append(time.perf_counter())
        writer.write(head.encode() + body)
        status = await reader.readline()
        length = 0
        while (line := await reader.readline()) != b"\r\n":
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        answer = await reader.readexactly(length)
        table.acknowledged.append(time.perf_counter() - table.sent[-1])
        if b" 200 " not in status:
            raise harness.BenchmarkError(f"{status!r} {answer[:300]!r}")
    writer.close()


def entry_of(table: Table, number: int) -> dict[str, Any]:
    """The game's next word; after its end alternately undo and redo."""
    id = f"e{number + 1}"
    if number < len(table.words):
        return {"id": id, "kind": "enter", "word": table.words[number]}
    return {"id": id, "kind": "redo" if (number - len(table.words)) % 2 else "undo"}


async def watch(
    port: int, table: Table, last: int, coming: asyncio.Semaphore, ready: asyncio.Event
) -> None:
    """Follow a table until the last entry has arrived; connections are staggered."""
    await coming.acquire()
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    path = f"/v1/tables/{table.id}/events?view=spectator"
    writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    seen = 0
    while seen < last:
        line = await reader.readline()
        if not line:
            break
        if line.startswith(b"id: "):
            seen = int(line[4:])
            if not ready.is_set():
                coming.release()
                ready.set()
            if seen:
                table.late.append(time.perf_counter() - table.sent[seen - 1])
    table.lost += last - seen
    ready.set()
    writer.close()


def check(server: web.Server, tables: list[Table]) -> None:
    """Check that nothing acknowledged is lost."""
    for table in tables:
        table_now = json.loads(server.get(f"/v1/tables/{table.id}?after=0")[1])
        ids = [entry["id"] for entry in table_now["entries"]]
        if ids != [f"e{number + 1}" for number in range(len(table.acknowledged))]:
            raise harness.BenchmarkError(f"table {table.id} has entries other than those sent")


def print_all(
    options: argparse.Namespace, tables: list[Table], watchers: int, seconds: int, used: float
) -> None:
    """Print the table."""
    acknowledged = sorted(1000 * one for table in tables for one in table.acknowledged)
    late = sorted(1000 * one for table in tables for one in table.late)
    title = f"{len(tables)} tables, {watchers} watchers, {seconds} s, the server on one core"
    harness.title(options, title)
    rows = []
    for name, times in (("an action is acknowledged", acknowledged), ("a watcher sees it", late)):
        part = [times[int(len(times) * share)] for share in (0.5, 0.95, 0.99)]
        rows.append([name, harness.number(len(times)), *map(harness.number, [*part, times[-1]])])
    harness.table(options, ["ms until", "times", "median", "95 %", "99 %", "longest"], rows)
    lost = sum(table.lost for table in tables)
    print(f"missed last states: {lost}; the server used {used:.0%} of its core\n")
    median = acknowledged[len(acknowledged) // 2]
    goal = f"an action is acknowledged within {MEDIAN_GOAL:g} ms (median)"
    harness.goal(options, goal, median < MEDIAN_GOAL, f"{median:.1f} ms")


if __name__ == "__main__":
    main()
