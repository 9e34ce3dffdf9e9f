"""``--fix``: mend the slips of files, after showing what would be written."""

from __future__ import annotations

import os
import sys

from .files import fail, find_files, read_errors, say, why


def fix_files(files: list[str], *, yes: bool) -> bool:
    """Mend the slips that can be mended in one way only; return whether all could be written.

    Every repair is shown; then it is asked whether to write them, unless `yes`.  A file is
    replaced by a whole new one or left as it is.
    """
    written = True
    for path in find_files(files):
        if path == "-":
            fail("--fix needs a file: standard input cannot be written")
        if path.endswith((".gz", ".zst")):
            fail(f"{path}: packed files are read, not written; unpack it first")
        try:
            written = _fix_file(path, yes=yes) and written
        except read_errors() as error:
            say(f"{path} cannot be mended: {why(error)}")
            written = False
    return written


def _fix_file(path: str, *, yes: bool) -> bool:
    from claimlog.replay.mending import mend

    with open(path, "rb") as stream:
        data = stream.read()
    mended, repairs = mend(data)
    if not repairs:
        return True
    for repair in repairs:
        slip = repair.slip
        print(f"{path}:{slip.line}:{slip.column}: slip: {slip.kind}: {slip.message}")
        for sign, lines in (("-", repair.before), ("+", repair.after)):
            for line in lines.splitlines():
                print(f"  {sign} {line}")
    number = f"{len(repairs)} repair{'' if len(repairs) == 1 else 's'}"
    if not yes and not _agreed(f"Write {number} to {path}?"):
        print(f"{path} is left as it is")
        return True
    replace_file(path, mended)
    print(f"{number} written to {path}")
    return True


def _agreed(question: str) -> bool:
    """Whether somebody at a terminal says yes."""
    if not sys.stdin.isatty():
        say("--fix writes without being asked only with --yes")
        return False
    print(f"{question} [y/N] ", end="", flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes", "j", "ja")


def replace_file(path: str, data: bytes) -> None:
    """Replace what a file holds through a new one beside it, so that it is never half written."""
    import shutil
    import tempfile

    target = os.path.realpath(path)
    new = ""
    try:
        with tempfile.NamedTemporaryFile(
            "wb", dir=os.path.dirname(target), prefix=f".{os.path.basename(target)}.", delete=False
        ) as out:
            new = out.name
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        shutil.copymode(target, new)
        os.replace(new, target)
        new = ""
    finally:
        if new:
            os.unlink(new)
