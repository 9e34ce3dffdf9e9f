"""The tests that `.ci/run` names exist."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_test_that_is_named_is_there() -> None:
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8").replace("\\\n", " ")
    words = " ".join(word for word in re.split(r"[\s=]+", text) if word.startswith("tests/"))
    expanded = subprocess.run(
        ["bash", "-c", f"printf '%s\\n' {words}"], capture_output=True, text=True, check=True
    ).stdout.split()
    assert len(expanded) > 30
    for word in expanded:
        name, _, test = word.partition("::")
        path = ROOT / name
        assert path.exists(), word
        assert not test or re.search(rf"^def {test}\(", path.read_text("utf-8"), re.M), word
