"""Whatever thread a signal comes to, a screen that waits for keys hears of it at once."""

import asyncio
import signal
import threading
import time

from waiting import PATIENCE

from claimlog.cli.waking import woken_by_signals


def test_a_signal_that_another_thread_takes_is_heard() -> None:
    heard = threading.Event()

    async def wait() -> bool:
        """Whether it is heard while nothing else goes on."""
        loop, over = asyncio.get_running_loop(), asyncio.get_running_loop().create_future()

        def send() -> None:
            time.sleep(0.2)  # until the loop waits: sooner, it would be heard in any case
            signal.pthread_kill(threading.get_ident(), signal.SIGWINCH)
            loop.call_soon_threadsafe(over.set_result, heard.wait(PATIENCE))

        with woken_by_signals():
            threading.Thread(target=send).start()
            return await over

    before = signal.signal(signal.SIGWINCH, lambda *_: heard.set())
    try:
        assert asyncio.run(wait())
    finally:
        signal.signal(signal.SIGWINCH, before)
