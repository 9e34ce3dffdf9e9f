import os
import signal

from hypothesis import settings

# No deadline: the same test runs compiled, interpreted, and under coverage on slow machines.
settings.register_profile("ci", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# A shell starts what runs in its background deaf to SIGINT, and the commands that the tests
# interrupt would be deaf as well.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers() -> int:
    """Half as many again as there are processors: many tests wait for servers and terminals."""
    return max(2, (os.cpu_count() or 1) * 3 // 2)
