"""Worker processes: order, exceptions, deaths, and how they end."""

import functools
import io
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from claimlog.replay.validate import Validator
from claimlog.simulate import simulate_blocks, simulate_records
from claimlog.workers import WorkerDied, Workers, may_fork

pytestmark = pytest.mark.no_cover


def echo(task: bytes) -> bytes:
    """What the tasks of these tests request."""
    word, _, rest = task.partition(b" ")
    if word == b"sleep":
        time.sleep(float(rest))
    if word == b"fail":
        raise ValueError(rest.decode())
    if word == b"die":
        os._exit(1)
    if word == b"where":
        return b"%d %d" % (os.getpid(), os.nice(0) if hasattr(os, "nice") else 0)
    if word == b"deaf":
        return str(signal.getsignal(signal.SIGINT)).encode()
    return task


@pytest.fixture(params=[True, False], ids=["forked", "started"])
def forked(request: pytest.FixtureRequest) -> bool:
    """How the processes are started."""
    if request.param and not hasattr(os, "fork"):
        pytest.skip("this system has no fork")
    return bool(request.param)


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let newly started processes find this module."""
    monkeypatch.setenv("PYTHONPATH", os.path.dirname(__file__))
    monkeypatch.setattr(echo, "__module__", "test_workers")


def forking_alone(test: Callable[..., None]) -> Callable[..., None]:
    """Let a test fork in a process of its own: this one may have threads, and Python then warns."""

    @functools.wraps(test)
    def run(forked: bool, **values: object) -> None:
        if not forked:
            return test(forked, **values)
        code = f"import test_workers as t; t.{test.__name__}.__wrapped__(True, **{values})"
        command = [sys.executable, "-W", "error", "-c", code]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")

    return run


def all_of(pool: Workers) -> Iterator[bytes]:
    while pool.owed:
        yield from pool.take(wait=True)


def gone(process: int) -> bool:
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except ProcessLookupError:
        return True
    except FileNotFoundError:
        return Path("/proc/self").exists()
    return state == "Z"  # it has ended, but its status has not been collected


@forking_alone
def test_answers_come_in_the_order_of_the_tasks(forked: bool) -> None:
    pool = Workers(2, echo, forked=forked)
    tasks = [b"sleep 0.3", *(b"%d" % i for i in range(20))]
    for i, task in enumerate(tasks):
        if i == 7:
            pool.add(b"found here")
        pool.begin(task)
    assert pool.owed == 22
    assert list(all_of(pool)) == [*tasks[:7], b"found here", *tasks[7:]]
    assert list(pool.take(wait=True)) == []
    pool.close()


@forking_alone
def test_nobody_waits_for_anybody_where_messages_are_long(forked: bool) -> None:
    """Longer than a pipe holds, in both directions at once."""
    pool = Workers(2, echo, forked=forked, ahead=8, read=len)
    for i in range(16):
        pool.begin(bytes([65 + i]) * 3_000_000)
    assert list(all_of(pool)) == [3_000_000] * 16
    pool.close()


@forking_alone
def test_a_process_has_no_more_ahead_than_is_allowed(forked: bool) -> None:
    pool = Workers(2, echo, forked=forked, ahead=2)
    begun = 0
    while pool.ready:
        pool.begin(b"sleep 1")
        begun += 1
    assert begun == 4
    next(pool.take(wait=True))
    assert pool.ready
    pool.close()


@forking_alone
def test_an_exception_is_raised_here(forked: bool) -> None:
    pool = Workers(1, echo, forked=forked)
    pool.begin(b"fail because")
    with pytest.raises(ValueError, match="because"):
        list(pool.take(wait=True))
    pool.close()


@pytest.mark.parametrize("how", ["exit", "kill"])
@forking_alone
def test_a_process_that_dies_is_noticed(forked: bool, how: str) -> None:
    pool = Workers(2, echo, forked=forked)
    pool.begin(b"where")
    process = int(next(pool.take(wait=True)).split()[0])
    if how == "exit":
        pool.begin(b"die")
    else:
        os.kill(process, signal.SIGKILL)

    def ask_both() -> None:
        for _ in range(100):
            pool.begin(b"x")
            list(pool.take(wait=True))

    with pytest.raises(WorkerDied, match="a worker process has died"):
        ask_both()
    pool.close()


@forking_alone
def test_processes_make_way_hear_no_interrupt_and_end(forked: bool) -> None:
    pool = Workers(2, echo, forked=forked, nice=5)
    for _ in range(2):
        pool.begin(b"where")
    answers = [answer.split() for answer in all_of(pool)]
    processes = {int(process) for process, _ in answers}
    assert len(processes) == 2
    assert os.getpid() not in processes
    if hasattr(os, "nice"):
        assert {int(nice) for _, nice in answers} == {min(os.nice(0) + 5, 19)}
    pool.begin(b"deaf")
    assert next(pool.take(wait=True)) == str(signal.SIG_IGN).encode()
    pool.begin(b"sleep 1000000")
    pool.close()
    assert all(map(gone, processes))


def test_processes_end_with_this_one(forked: bool) -> None:
    """Even if this one is killed and can say nothing."""
    code = (
        "import os, test_workers as t; from claimlog.workers import Workers\n"
        f"pool = Workers(3, t.echo, forked={forked})\n"
        "for _ in range(3): pool.begin(b'where')\n"
        "print(*(a.split()[0].decode() for a in t.all_of(pool)), flush=True)\n"
        "os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    processes = [int(process) for process in done.stdout.split()]
    assert len(processes) == 3, done.stderr
    for _ in range(300):
        if all(map(gone, processes)):
            return
        time.sleep(0.1)
    pytest.fail("workers outlived their parent process")


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="this system cannot block them")
def test_processes_end_that_no_signal_to_terminate_reaches(forked: bool) -> None:
    """Python drops a signal that comes while it forks."""
    lines = (
        "import signal",
        "from test_workers import Workers, echo",
        "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})",
        f"Workers(2, echo, forked={forked}).close()",
    )
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True, timeout=60)


def test_beside_other_threads_processes_are_started_not_forked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A lock that another thread holds at that moment would never be released in a forked one."""
    games = "\n".join(simulate_records(800, policy="random", seed=3))
    broken = games.replace("G5", "G6", 1).encode()
    monkeypatch.setattr("claimlog.simulate.records.BLOCK", {"random": 300})
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("forked"), raising=False)
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    try:
        assert not may_fork()
        blocks = simulate_blocks(800, jobs=2, policy="random", seed=3)
        assert b"".join(blocks).decode() == games
        reports = []
        for jobs in (1, 2):
            with Validator(jobs=jobs, everything=True) as validator:
                told = validator.validate(io.BytesIO(broken * 3).read)
                reports.append([(one.game, one.line, one.valid) for one in told])
        assert reports[0] == reports[1]
        assert len(reports[0]) == 2400
    finally:
        done.set()
        other.join()


ALONE = """
import io, os
from claimlog.replay.validate import Validator
from claimlog.simulate import records, simulate_blocks, simulate_records

forks, fork = [], os.fork
os.fork = lambda: forks.append(1) or fork()
records.BLOCK = {"random": 300}
games = "\\n".join(simulate_records(800, policy="random", seed=3))
blocks = simulate_blocks(800, jobs=2, policy="random", seed=3)
assert b"".join(blocks).decode() == games
reports = []
for jobs in (1, 2):
    with Validator(jobs=jobs, everything=True) as validator:
        told = validator.validate(io.BytesIO(games.encode() * 3).read)
        reports.append([(one.game, one.line, one.valid) for one in told])
assert reports[0] == reports[1]
print(len(forks))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_in_a_process_without_other_threads_they_are_forked() -> None:
    """The threads that listen to the first ones have ended before the next ones are forked."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", ALONE], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("3\n", "")
