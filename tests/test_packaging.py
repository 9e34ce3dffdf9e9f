import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib
from importlib.machinery import EXTENSION_SUFFIXES, PathFinder
from pathlib import Path

import pytest
import typer

import claimlog
from claimlog._pure import PureFinder
from claimlog.cli.main import COMMANDS

ROOT = Path(__file__).parents[1]
KERNEL = sorted(pxd.with_suffix(".py") for pxd in (ROOT / "claimlog").rglob("*.pxd"))
HEAVY = {
    "asyncio",
    "backports.zstd",
    "duckdb",
    "httpx",
    "litestar",
    "msgspec",
    "platformdirs",
    "pydantic",
    "rapidfuzz",
    "rich",
    "textual",
    "uvicorn",
}


def module_name(source: Path) -> str:
    return ".".join(source.relative_to(ROOT).with_suffix("").parts)


def python(code: str, pure: str | None = None) -> list[str]:
    """Run code in a new interpreter and return the words that it prints."""
    env = {name: value for name, value in os.environ.items() if name != "CLAIMLOG_PURE"}
    if pure is not None:
        env["CLAIMLOG_PURE"] = pure
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True
    )
    return done.stdout.split()


def test_version_is_the_installed_one():
    assert importlib.metadata.version("claimlog") == claimlog.__version__


def test_every_dependency_is_explained():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert list(extras) == [
        "pictures",
        "events",
        "s3",
        "cluster",
        "lan",
        "test",
        "test-all",
        "test-cluster",
    ]
    asked = list(project["dependencies"])
    asked += [*extras["pictures"], *extras["s3"], *extras["cluster"], *extras["lan"]]
    asked += extras["events"]
    asked.remove("claimlog[s3]")
    wanted = [re.split(r"[^A-Za-z0-9.-]", each)[0] for each in asked]
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z0-9.-]+) \| .+ \| .+ \|$", page, re.MULTILINE)
    assert sorted(set(rows) - {"package"}) == sorted(set(wanted))


def test_every_dependency_has_a_lower_and_an_upper_bound():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    asked = [*project["dependencies"], *extras["pictures"], *extras["s3"], *extras["test"]]
    asked += [each for each in extras["test-all"] if each != "claimlog[events,lan,pictures,test]"]
    for each in asked:
        assert re.fullmatch(r"[A-Za-z0-9.-]+>=[0-9.]+,<[0-9.]+(; .+)?", each), each


PRIVATE = re.compile(
    r"""
    ^[ ]*(?: from[ ](?!\.|claimlog\b)(?: \S*\._\w* | (?!__)\S+[ ]import[ ](?:.*,[ ])?_\w* )
    | import[ ](?!claimlog\b)\S*\._\w* )
    """,
    re.VERBOSE | re.MULTILINE,
)
"""Modules that import a private name of another package."""


def test_nothing_private_is_imported_from_others():
    assert PRIVATE.search("    from typer._click import Command\n")
    assert PRIVATE.search("from typer import Typer, _click\n")
    assert PRIVATE.search("import typer._click.core\n")
    imported = {
        str(path.relative_to(ROOT)): taken
        for folder in ("claimlog", "cli", "tests", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
        if (taken := PRIVATE.findall(path.read_text(encoding="utf-8")))
    }
    assert not imported


def test_version_option():
    script = Path(sys.executable).with_name("claimlog")
    done = subprocess.run([script, "--version"], check=True, capture_output=True, text=True)
    assert done.stdout == f"claimlog {claimlog.__version__}\n"


def test_importing_the_library_imports_next_to_nothing():
    code = "import sys; old = set(sys.modules); import claimlog; print(*set(sys.modules) - old)"
    assert set(python(code)) == {"claimlog", "claimlog.hooks"}


def test_importing_the_command_line_imports_nothing_heavy():
    assert HEAVY.isdisjoint(python("import sys, claimlog.cli.main; print(*sys.modules)"))


def imported_by(*words):
    """The modules that a command has imported at its end, and its output."""
    code = (
        "import atexit, gc, sys; "
        "atexit.register(lambda: print(*sys.modules, gc.get_freeze_count(), file=sys.stderr)); "
        f"sys.argv = {['claimlog', *words]}; from claimlog.cli.main import run; run()"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    *imported, frozen = done.stderr.split()
    # Otherwise the garbage collector looks at it all at the end, which takes a tenth of the time.
    assert int(frozen) > 10_000
    return set(imported), done.stdout


def test_the_list_of_commands_imports_none_of_them():
    imported, output = imported_by("--help")
    assert "validate" in output
    commands = {f"claimlog.cli.{place.partition(':')[0]}" for place, _ in COMMANDS.values()}
    # Rich draws the list.
    assert not (HEAVY - {"rich"} | commands | {"claimlog.store"}) & imported


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_listed_as_its_help_begins(name):
    module, _, function = COMMANDS[name][0].partition(":")
    command = getattr(importlib.import_module(f"claimlog.cli.{module}"), function)
    text = command.info.help if isinstance(command, typer.Typer) else command.__doc__
    assert " ".join(text.split("\n\n")[0].split()) == COMMANDS[name][1]


def test_validating_a_good_game_imports_nothing_to_report_problems():
    imported, output = imported_by("validate", str(ROOT / "data" / "sample.clm"))
    assert output == "1 game, 0 invalid\n"
    assert "claimlog.replay.judge" in imported
    assert not (HEAVY | {"claimlog.replay.game_report", "claimlog.cli.fixing"}) & imported


def test_pure_finder_passes_over_a_compiled_module(tmp_path):
    source = tmp_path / "kernel.py"
    source.touch()
    (tmp_path / f"kernel{EXTENSION_SUFFIXES[0]}").touch()
    (tmp_path / "namespace").mkdir()
    path = [str(tmp_path)]
    finder = PureFinder()

    assert PathFinder.find_spec("claimlog.kernel", path).origin != str(source)
    assert finder.find_spec("claimlog.kernel", path).origin == str(source)
    assert finder.find_spec("claimlog.namespace", path) is None
    assert finder.find_spec("claimlog.absent", path) is None
    assert finder.find_spec("other.kernel", path) is None


@pytest.mark.parametrize("value", ["1", "yes"])
def test_pure_runs_the_source(value):
    names = [module_name(source) for source in KERNEL]
    code = f"""
import importlib, claimlog
print(claimlog.compiled(), *(importlib.import_module(name).__file__ for name in {names}))
"""
    assert python(code, pure=value) == ["False", *map(str, KERNEL)]


@pytest.mark.parametrize("value", [None, "", "0"])
def test_without_pure_no_finder_is_installed(value):
    code = "import sys, claimlog; print('claimlog._pure' in sys.modules)"
    assert python(code, pure=value) == ["False"]


@pytest.mark.parametrize("source", KERNEL, ids=module_name)
def test_compiled_module_is_not_older_than_its_source(source):
    compiled = [p for s in EXTENSION_SUFFIXES if (p := source.with_suffix(s)).exists()]
    if not compiled:
        pytest.skip("not compiled")
    newest = max(source.stat().st_mtime, source.with_suffix(".pxd").stat().st_mtime)
    assert compiled[0].stat().st_mtime >= newest, "install again: a stale build would be tested"
