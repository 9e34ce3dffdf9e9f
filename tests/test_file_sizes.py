"""A file has one subject, and at most 800 lines."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST = 800
PARTS = ("claimlog", "cli", "tests", "benchmarks", "docs")

LARGER = {
    "claimlog/replay/judge.py",  # one loop over all tokens, compiled as one class
}


def test_no_file_is_too_long() -> None:
    long = set()
    for path in (one for part in PARTS for one in (ROOT / part).glob("**/*.py")):
        with path.open(encoding="utf-8") as lines:
            if sum(1 for _ in lines) > MOST:
                long.add(path.relative_to(ROOT).as_posix())
    assert long - LARGER == set()
