"""How many examples hypothesis takes: said here, and nowhere else.

The profile says what a test takes that says nothing; the others are multiples of it.  Choose one
by ``HYPOTHESIS_PROFILE``: `quick` between edits, `default`, `interpreted` (chosen by itself
without the compiled modules, where an example takes five times as long), `thorough` over night.
"""

from __future__ import annotations

import os

from hypothesis import settings

from claimlog import compiled

__all__ = ["few", "many", "number_of"]

_PROFILES = {"quick": 8, "default": 40, "interpreted": 10, "thorough": 1000}

for _name, _number in _PROFILES.items():
    # No deadline: the same test runs compiled, interpreted, and under coverage on slow machines.
    settings.register_profile(_name, deadline=None, print_blob=True, max_examples=_number)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE", "default" if compiled() else "interpreted")
)


def number_of(factor: float) -> int:
    """A number of examples, or of rounds of a test that draws its own: a multiple of the usual."""
    return max(1, round(settings.default.max_examples * factor))


few = settings(max_examples=number_of(0.5))
"""For tests of which an example takes long."""
many = settings(max_examples=number_of(4))
"""For tests of which an example takes a millisecond, and that have much to find."""
