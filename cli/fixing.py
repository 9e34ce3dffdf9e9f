"""``--fix``: mend the slips in files, after showing the changes."""

from __future__ import annotations

import os
import sys

from claimlog.notation.reader import find_files
from claimlog.objects import is_object
from claimlog.writing import replacing

from .files import fail, read_errors, say, tell
from .language import agreed, current_words, said, tr, tr_count


def fix_files(files: list[str], *, yes: bool) -> bool:
    """Mend the slips that can be mended in only one way; return whether all files were written.

    Every repair is shown, followed by a question whether to write them, unless `yes`.  A file is
    replaced by a complete new one or left as it is.
    """
    written = True
    for path in find_files(files):
        if path == "-":
            fail(tr("--fix needs a file: standard input cannot be written"))
        check_writable(path)
        try:
            written = _fix_file(path, yes=yes) and written
        except read_errors() as error:
            say(tr("{file} cannot be repaired: {why}", file=path, why=said(error)))
            written = False
    return written


def check_writable(path: str) -> None:
    """End with an error if a file is of a kind that can only be read."""
    if is_object(path):
        fail(tr("{file}: files in S3 are read, not written; copy it first", file=path))
    if path.endswith((".gz", ".zst")):
        fail(tr("{file}: packed files are read, not written; unpack it first", file=path))
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        fail(tr("{file}: pipes and devices are read, not written; name a file", file=path))


def _fix_file(path: str, *, yes: bool) -> bool:
    from claimlog.replay.mending import mend

    with open(path, "rb") as stream:
        data = stream.read()
    mended, repairs = mend(data, current_words())
    if not repairs:
        return True
    for repair in repairs:
        slip = repair.slip
        what = f"{current_words()('slip')}: {slip.kind}: {slip.message}"
        tell(f"{path}:{slip.line}:{slip.column}: {what}")
        for sign, lines in (("-", repair.before), ("+", repair.after)):
            for line in lines.splitlines():
                tell(f"  {sign} {line}")
    number = tr_count("{number} repair", "{number} repairs", len(repairs))
    if not yes and not _agreed(tr("Write {repairs} to {file}?", repairs=number, file=path)):
        print(tr("{file} is unchanged", file=path))
        return True
    with replacing(path) as out:
        out.write(mended)
    print(tr("{repairs} written to {file}", repairs=number, file=path))
    return True


def _agreed(question: str) -> bool:
    """Whether somebody at a terminal agrees."""
    if not sys.stdin.isatty():
        say(tr("--fix needs --yes if it cannot ask"))
        return False
    return agreed(question)
