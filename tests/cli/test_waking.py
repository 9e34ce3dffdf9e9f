"""A screen that waits for keys notices a signal at once, whichever thread receives it."""

import subprocess
import sys

import pytest
from waiting import PATIENCE

SCRIPT = """
import asyncio, signal, sys, threading, time
from claimlog.cli.waking import woken_by_signals

heard = threading.Event()
signal.signal(signal.SIGWINCH, lambda *_: heard.set())

async def wait():
    loop, over = asyncio.get_running_loop(), asyncio.get_running_loop().create_future()

    def send():
        time.sleep(0.2)  # until the loop waits: sooner, it would be heard in any case
        signal.pthread_kill(threading.get_ident(), signal.SIGWINCH)
        loop.call_soon_threadsafe(over.set_result, heard.wait(float(sys.argv[1])))

    with woken_by_signals():
        threading.Thread(target=send).start()
        return await over

print(asyncio.run(wait()))
"""


@pytest.mark.slow
def test_a_signal_that_another_thread_takes_is_heard() -> None:
    """In a separate process: only a main thread receives signals, and no other loop runs there."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(PATIENCE / 2)],
        capture_output=True, text=True, check=True, timeout=PATIENCE,
    )  # fmt: skip
    assert done.stdout == "True\n", done.stderr
