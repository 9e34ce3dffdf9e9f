"""Run all benchmarks one after another and print one Markdown page.

Options are passed on: ``python benchmarks/everything.py --smoke`` tries everything.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Final

import harness

SCRIPTS: Final = (
    "speed",
    "cores",
    "interpreted",
    "growth",
    "first_problem",
    "analysis",
    "startup",
    "corruptions",
    "stages",
    "archive",
    "bulk",
    "api",
    "tables",
    "pages",
    "large_event",
    "postgresql",
)


def main() -> None:
    """Run the benchmarks; the exit code is 1 if one of them failed."""
    failed = []
    for name in SCRIPTS:
        print(f"## {name.replace('_', ' ').capitalize()}\n", flush=True)
        script = str(harness.HERE / f"{name}.py")
        command = [sys.executable, script, "--markdown", *sys.argv[1:]]
        if subprocess.run(command, check=False).returncode:
            failed.append(name)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
