import os

from hypothesis import settings

# No deadline: the same test runs compiled, interpreted, and under coverage on slow machines.
settings.register_profile("ci", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
