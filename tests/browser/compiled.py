"""The rules, compiled for phones.

Each phone compiles them whenever it starts them, which takes longer than all the rest of that.
Only Pyodide's own Python writes bytecode that it can read.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path

from claimlog.web import assets

COMPILE = """
import { readFileSync, writeFileSync } from "node:fs";
const [folder] = process.argv.slice(1);
const { loadPyodide } = await import(`${folder}/pyodide.mjs`);
const python = await loadPyodide({ indexURL: `${folder}/` });
python.FS.writeFile("/rules.zip", readFileSync(`${folder}/claimlog.zip`));
python.runPython(`
import marshal, zipfile
from importlib.util import MAGIC_NUMBER

with zipfile.ZipFile("/rules.zip") as old, zipfile.ZipFile("/compiled.zip", "w") as new:
    for name in old.namelist():
        code = compile(old.read(name), f"/claimlog.zip/{name}", "exec", dont_inherit=True)
        new.writestr(name + "c", MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
`);
writeFileSync(`${folder}/compiled.zip`, python.FS.readFile("/compiled.zip"));
"""


def compiled() -> bytes | None:
    """Return the zip file of the rules with compiled modules, if there is Node.js to do it."""
    node = _node()
    if node is None:
        return None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, asset in assets.vendor().files.items():
            (folder / file).write_bytes(assets.unpacked(asset))
        (folder / "claimlog.zip").write_bytes(assets.engine())
        command = [node, "--liftoff-only", "--input-type=module", "--eval", COMPILE, name]
        subprocess.run(command, check=True)
        return (folder / "compiled.zip").read_bytes()


def _node() -> str | None:
    """Return the path of Playwright's Node.js, or of another one."""
    playwright = find_spec("playwright")
    if playwright is None or playwright.origin is None:
        return None
    driver = Path(playwright.origin).parent / "driver"
    return shutil.which("node", path=driver) or shutil.which("node")
