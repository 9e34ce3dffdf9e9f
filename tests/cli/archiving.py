"""Shared by the tests of the archive's commands: a folder with games, and transcripts.

A transcript (`transcripts/*.txt`) shows what a user types and sees: lines that begin with ``$`` are
commands, run one after the other in the folder; then come their output, their error output with
``!`` before each line, and ``= 2`` if the exit code is 2.  After an intended change ``GOLDEN=write
pytest tests/cli`` rewrites the transcripts.
"""

import os
import re
import shutil
from pathlib import Path

import commands
from replaying import DATA, SCRIPT, environment

TRANSCRIPTS = Path(__file__).with_name("transcripts")
MOMENT = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?Z?")
BYTES = re.compile(r"[\d,]+ bytes|\b[\d,]+(?= after$)|(?<=^bytes      )[\d,]+", re.MULTILINE)
STAMP = re.compile(r"before-\d{8}-\d{6}")
HEAD = re.compile(r"\d+-[0-9a-f]{32}\b")


def lay_out(folder):
    """Put the files that the transcripts use into `folder`."""
    for name in ("zurich-open.clm", "team-cup.clm", "thursday-evening.clm", "sample.clm"):
        shutil.copy(DATA / name, folder)
    shutil.copy(DATA / "broken" / "revoke.clm", folder / "wrong.clm")
    record = (DATA / "sample.clm").read_text(encoding="utf-8")
    (folder / "sample-corrected.clm").write_text(
        record.replace("Anna Keller", "Anna Kellerhals"), encoding="utf-8"
    )
    wrong = (DATA / "broken" / "winner-mark.clm").read_text(encoding="utf-8")
    stopped = record[: record.index("\n5.")].replace('[Result "0-1"]\n', "") + "\n*\n"
    (folder / "mixed.clm").write_text(f"{record}\n{wrong}\n{stopped}", encoding="utf-8")


def claimlog(folder, *args, stdin=b"", **env):
    """Run the command in `folder`, which also holds its data directory."""
    code, out, err = commands.claimlog(*args, stdin=stdin, cwd=folder, env=at(folder) | env)
    return code, out.decode(), err.decode()


def at(folder):
    """The environment of a user whose data directory is in `folder`."""
    path = f"{SCRIPT.parent}{os.pathsep}{os.environ['PATH']}"
    return environment(XDG_DATA_HOME=str(folder / "data"), COLUMNS="80", PATH=path)


def check(name, folder):
    """Run the commands of a transcript, and compare their output."""
    path = TRANSCRIPTS / f"{name}.txt"
    transcript = path.read_text(encoding="utf-8")
    seen = []
    for command in re.findall(r"^\$ (.*)$", transcript, re.MULTILINE):
        code, out, err = commands.shell(command, cwd=folder, env=at(folder))
        output = out.decode() + re.sub("^", "! ", err.decode(), flags=re.MULTILINE)
        output = output.removesuffix("! ").replace(str(folder), "FOLDER")
        output = MOMENT.sub("(a moment)", STAMP.sub("before-(a moment)", output))
        output = HEAD.sub("(a head)", output)
        seen.append(f"$ {command}\n{BYTES.sub('(a number)', output)}")
        if code:
            seen[-1] += f"= {code}\n"
    text = "\n".join(seen)
    if os.environ.get("GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == transcript
