"""docs/api.md is accurate: every command is run, and prints what the page shows.

`PYTHONPATH=tests python tests/api/test_docs.py` writes the tables into the page.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ports import Port

from claimlog.store.model.filter import CONDITIONS
from claimlog.store.questions.asked import QUESTIONS

PAGE = Path(__file__).parents[2] / "docs" / "api.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


TABLE = r"(?<=<!-- {0} -->\n).*(?=<!-- /{0} -->)"


def filters():
    """The table of the filters, from their definitions."""
    rows = [f"| `{one.name}` | {one.help} |" for one in CONDITIONS.values()]
    return "\n".join(["| argument | which games |", "|---|---|", *rows]) + "\n"


def statistics():
    """The table of the statistics, from the questions."""
    rows = [
        f"| `{one.path}` | {one.summary} | {', '.join(f'`{name}`' for name in one.arguments)} |"
        for one in QUESTIONS
        if one.title
    ]
    return "\n".join(["| address | what | arguments |", "|---|---|---|", *rows]) + "\n"


TABLES = {"filters": filters, "statistics": statistics}


def pattern(shown):
    parts = [re.escape(part) for part in shown.strip().split("…")]
    return re.compile(r"\s*" + ".*?".join(parts) + r"\s*", re.DOTALL)


def steps():
    """The commands, and the texts shown after each."""
    blocks = []
    for language, text in BLOCK.findall(PAGE.read_text()):
        if language == "sh":
            blocks.append((text, []))
        else:
            blocks[-1][1].append(text)
    return blocks


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
def test_every_command_of_the_page(tmp_path):
    """Run them literally, except for the port and the place of scratch files."""
    port = Port()
    script = ["set -e", 'trap \'[ -z "$SERVE" ] || kill "$SERVE" 2> /dev/null\' EXIT']
    for number, (command, _) in enumerate(steps()):
        script += [command.replace("8000", str(port.number)), f"echo '<<{number}>>'"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", "\n".join(script)],
        cwd=tmp_path, capture_output=True, text=True, timeout=120,
        env=os.environ | {"LC_ALL": "C.UTF-8", "PATH": path, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    rest = done.stdout
    for number, (command, shown) in enumerate(steps()):
        output, mark, rest = rest.partition(f"<<{number}>>\n")
        assert mark
        if shown:
            text = "…".join(part.strip() for part in shown)
            assert pattern(text).fullmatch(output), f"{command}\n{output[:3000]}"


def test_the_page_names_every_operation(serve):
    served = serve()
    page = PAGE.read_text()
    page = page.replace("$EVENT", "/events/x")
    for path in served.http.get("/openapi.json").json()["paths"]:
        last = ([part for part in path.split("/") if part and "{" not in part] or [""])[-1]
        assert f"/{last}" in page, path


@pytest.mark.parametrize("name", TABLES)
def test_the_page_has_the_table_as_it_is(name):
    assert re.findall(TABLE.format(name), PAGE.read_text(), re.DOTALL) == [TABLES[name]()]


if __name__ == "__main__":
    page = PAGE.read_text()
    for name, table in TABLES.items():
        page = re.sub(TABLE.format(name), lambda _, table=table: table(), page, flags=re.DOTALL)
    PAGE.write_text(page)
