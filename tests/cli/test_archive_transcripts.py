"""The archive's commands as people use them: transcripts of input and output."""

import pytest
from archiving import TRANSCRIPTS, check, claimlog, lay_out

FILLED = {"export", "games", "names", "people", "standings", "stats"}
"""The transcripts that begin with the sample tournaments in the archive."""


@pytest.mark.parametrize("name", sorted(path.stem for path in TRANSCRIPTS.glob("*.txt")))
def test_what_is_seen(name, tmp_path):
    lay_out(tmp_path)
    if name in FILLED:
        files = ("zurich-open.clm", "team-cup.clm", "thursday-evening.clm")
        assert claimlog(tmp_path, "import", *files)[0] == 0
    check(name, tmp_path)
