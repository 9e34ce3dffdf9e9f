"""The number of hypothesis examples, set in this one place.

The profile sets the default number; tests may take multiples of it.  Choose a profile by
``HYPOTHESIS_PROFILE``: `quick` between edits, `default`, `interpreted` (chosen automatically
without the compiled modules, when an example takes five times as long), `thorough` overnight.
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
    """Scale a number of examples, or of rounds of a test that draws its own, by the profile."""
    return max(1, round(settings.default.max_examples * factor))


few = settings(max_examples=number_of(0.5))
"""For tests whose examples are slow."""
many = settings(max_examples=number_of(4))
"""For tests whose examples take a millisecond, and which have much to find."""
