"""Do the tests notice mistakes?  Make one small mistake after another, and run the tests.

    CLAIMLOG_PURE=1 python tests/scripts/mutants.py claimlog/rules/powers.py \\
        --tests tests/rules --then tests/replay tests/test_game.py

Each mutant is one change of one function: a comparison, an operator, an operand left out, a number
one higher, a statement left out.  It runs in a separate process with those of the named tests that
reach the changed line: first the tests that killed another mutant of the function, then the
shortest, those after `--then` last.  A failing test kills the mutant, and so does one that takes
much longer than before.  The survivors are printed: a test is missing, or the change makes no
difference.

Texts, and code that runs when a module is imported, are not changed.  `--sample N` takes every k-th
mutant, so that about N of each module are tried; `--longest S` leaves out tests that take longer
than S seconds; `--most S` limits the tests of one mutant to S seconds in all; `--left FILE` tries
only the survivors in an earlier output, even if line numbers have changed.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import gc
import importlib
import os
import pickle
import re
import resource
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import pytest
from hypothesis import Phase, settings

ROOT = Path(__file__).parents[2]
PATIENCE = 2, 10
"""A test hangs if it takes more processor time than this many seconds, and this many times its
usual time."""
WAITING = 120
"""Seconds after which a test that waits for nothing is ended."""
MEMORY = 4 << 30
"""Bytes of memory that a mutant with unlimited growth may take."""

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
OPERATED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


Tests = dict[pytest.Item, tuple[bool, float]]
"""Tests with their sort key: whether they come later, and how long they take."""


@dataclass
class Mutant:
    """One changed function: its name and place, the change, and the code."""

    name: str
    lines: range
    change: str
    code: CodeType


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield the possible replacements of a node."""
    if isinstance(node, ast.Compare):
        for k, op in enumerate(node.ops):
            for other in COMPARED[type(op)]:
                new = copy.deepcopy(node)
                new.ops[k] = other()
                yield ast.unparse(new), new
    elif isinstance(node, ast.BoolOp):
        for k in range(len(node.values)):
            rest = [value for j, value in enumerate(node.values) if j != k]
            new_op = rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
            yield f"{ast.unparse(new_op)} (without an operand)", new_op
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield ast.unparse(node.operand), node.operand
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in OPERATED:
        changed = copy.deepcopy(node)
        changed.op = OPERATED[type(node.op)]()
        yield ast.unparse(changed), changed
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int):
        value = not node.value if isinstance(node.value, bool) else node.value + 1
        yield f"{node.value} -> {value}", ast.Constant(value)
    elif isinstance(node, ast.Return) and node.value and not is_nothing(node.value):
        yield "return None", ast.Return(ast.Constant(None))
    elif isinstance(node, ast.Break):
        yield "continue", ast.Continue()
    elif isinstance(node, ast.Continue):
        yield "pass", ast.Pass()
    if isinstance(node, ast.Assign | ast.AugAssign) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield f"without {ast.unparse(node)}", ast.Pass()
    if isinstance(node, ast.If) and not isinstance(node.test, ast.Compare | ast.BoolOp):
        negated = copy.deepcopy(node)
        negated.test = ast.UnaryOp(ast.Not(), node.test)
        yield f"if {ast.unparse(negated.test)}", negated


def is_nothing(node: ast.expr) -> bool:
    """Whether this is a constant that counts as false, like None."""
    return isinstance(node, ast.Constant) and not node.value


class Swap(ast.NodeTransformer):
    """Replaces one node by another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        """Replace the node, or visit those below it."""
        return self.new if node is self.old else self.generic_visit(node)


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """A code object and all code objects in it."""
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from codes_in(part)


def mutants_of(path: Path) -> list[Mutant]:
    """Every mutant of a module's functions and methods."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    mutants = []
    for outer in tree.body:
        inner = outer.body if isinstance(outer, ast.ClassDef) else [outer]
        for function in inner:
            if not isinstance(function, ast.FunctionDef):
                continue
            for node, lines in nodes_of(function):
                for change, new in changes(node):
                    mutated = ast.fix_missing_locations(
                        ast.copy_location(
                            Swap(node, new).visit(copy_tree(function, node)), function
                        )
                    )
                    module = ast.Module([mutated], [])  # type: ignore[list-item]
                    code = compile(module, str(path), "exec", dont_inherit=True)
                    name = function.name
                    (code_of_function,) = [c for c in code.co_consts if isinstance(c, CodeType)]
                    if isinstance(outer, ast.ClassDef):
                        name = f"{outer.name}.{name}"
                    mutants.append(Mutant(name, lines, change, code_of_function))
    return mutants


def nodes_of(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, range]]:
    """Every node of a function's body, with the first and last line of its statement."""

    def below(node: ast.AST, lines: range) -> Iterator[tuple[ast.AST, range]]:
        if isinstance(node, ast.stmt):
            lines = range(node.lineno, node.lineno + 1)
        elif isinstance(node, ast.expr):
            lines = range(lines.start, node.lineno + 1)
        yield node, lines
        for inner in ast.iter_child_nodes(node):
            yield from below(inner, lines)

    for part in function.body:
        yield from below(part, range(0))


def copy_tree(tree: ast.AST, kept: ast.AST) -> ast.AST:
    """A copy of a tree that shares one node."""
    return copy.deepcopy(tree, {id(kept): kept})


def functions_of(module: ModuleType) -> dict[str, FunctionType]:
    """A module's functions and methods by name."""
    functions = {}

    def add(name: str, thing: object) -> None:
        thing = getattr(thing, "fget", None) or getattr(thing, "__func__", thing)
        thing = getattr(thing, "__wrapped__", thing)
        if isinstance(thing, FunctionType) and thing.__module__ == module.__name__:
            functions[name] = thing

    for name, thing in vars(module).items():
        add(name, thing)
        if isinstance(thing, type) and thing.__module__ == module.__name__:
            for method, inner in vars(thing).items():
                add(f"{name}.{method}", inner)
    return functions


class Mutating:
    """A pytest plugin that runs the tests for every mutant instead of once."""

    def __init__(
        self,
        paths: list[Path],
        later: list[Path],
        sample: int,
        longest: float,
        most: float,
        left: set[str] | None,
    ) -> None:
        self.paths, self.later, self.sample = paths, later, sample
        self.longest, self.most = longest, most
        self.left = left
        self.output = os.fdopen(os.dup(1), "w", buffering=1)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Find out which test reaches which line, then try the mutants."""
        modules = []
        for path in self.paths:
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            modules.append(importlib.import_module(name))
            assert modules[-1].__file__ == str(path), "set CLAIMLOG_PURE=1"
        reached = self.reached(session, modules)
        gc.freeze()
        for path, module in zip(self.paths, modules, strict=True):
            self.try_all(session, path, module, reached[str(path)])
        return True

    def reached(
        self, session: pytest.Session, modules: list[ModuleType]
    ) -> dict[str, dict[int, Tests]]:
        """Return, by file and line, the tests that reach it, and their place in the order."""
        by_line: dict[str, dict[int, Tests]] = {
            module.__file__ or "": defaultdict(dict) for module in modules
        }
        for item in session.items:
            progress, telling = os.pipe()
            child = os.fork()
            if not child:
                with open(telling, "wb") as output:
                    pickle.dump(self.lines_of(session, item, modules), output)
                os._exit(0)
            os.close(telling)
            with open(progress, "rb") as output:
                answer = output.read()
            os.waitpid(child, 0)
            if not answer:
                continue  # it took too long
            failed, took, lines = pickle.loads(answer)
            assert not failed, item.nodeid
            later = any(item.path.is_relative_to(path) for path in self.later)
            for file, line in lines:
                by_line[file][line][item] = later, took
        return by_line

    def lines_of(
        self, session: pytest.Session, item: pytest.Item, modules: list[ModuleType]
    ) -> tuple[bool, float, set[tuple[str, int]]]:
        """Run a test; return whether it failed, how long it took, and which lines it reached.

        The process ends if the test takes too long.
        """
        files = {module.__file__ for module in modules}
        lines: set[tuple[str, int]] = set()
        for module in modules:
            forget(module)

        def trace(frame: FrameType, event: str, _: object) -> Any:
            if frame.f_code.co_filename not in files:
                return None
            lines.add((frame.f_code.co_filename, frame.f_lineno))
            return trace

        signal.setitimer(signal.ITIMER_PROF, self.longest)
        signal.alarm(WAITING)
        begun = time.process_time()
        sys.settrace(trace)
        run(item)
        sys.settrace(None)
        return bool(session.testsfailed), time.process_time() - begun, lines

    def try_all(
        self, session: pytest.Session, path: Path, module: ModuleType, reached: dict[int, Tests]
    ) -> None:
        """Try the mutants of a module, and print the survivors."""
        functions = functions_of(module)
        mutants = [mutant for mutant in mutants_of(path) if mutant.name in functions]
        step = max(1, len(mutants) // self.sample) if self.sample else 1
        tried = mutants[::step]
        if self.left is not None:
            tried = [mutant for mutant in tried if f"{mutant.name}: {mutant.change}" in self.left]
        killed = 0
        killers: dict[str, list[pytest.Item]] = defaultdict(list)
        for mutant in tried:
            tests: Tests = {}
            for line in mutant.lines:
                tests |= reached.get(line, {})
            before = killers[mutant.name]
            items = [item for item in before if item in tests]
            items += sorted(tests.keys() - set(items), key=lambda item: (*tests[item], item.nodeid))
            if self.most:
                ends = accumulate(tests[item][1] for item in items)
                items = [item for item, end in zip(items, ends, strict=True) if end <= self.most]
            limits = [max(PATIENCE[0], PATIENCE[1] * tests[item][1]) for item in items]
            killer = self.killer(session, functions[mutant.name], mutant.code, items, limits)
            if killer:
                killed += 1
                if killer in before:
                    before.remove(killer)
                before.insert(0, killer)
            else:
                where = f"{path.relative_to(ROOT)}:{mutant.lines[-1]}: {mutant.name}"
                print(f"left: {where}: {mutant.change} ({len(items)} tests)", file=self.output)
        print(
            f"{path.name}: {len(mutants)} mutants, {len(tried)} tried, {killed} killed",
            file=self.output,
        )

    def killer(
        self, session: pytest.Session, function: FunctionType, code: CodeType,
        items: list[pytest.Item], limits: list[float],
    ) -> pytest.Item | None:  # fmt: skip
        """The first test that fails, or never ends, with other code in a function."""
        progress, telling = os.pipe()
        child = os.fork()
        if not child:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            with contextlib.suppress(BaseException):
                function.__code__ = code.replace(
                    co_name=function.__code__.co_name, co_freevars=function.__code__.co_freevars
                )
                forget(sys.modules[function.__module__])
                for item, limit in zip(items, limits, strict=True):
                    os.write(telling, b".")
                    signal.setitimer(signal.ITIMER_PROF, limit)
                    signal.alarm(WAITING)
                    run(item)
                    if session.testsfailed:
                        os._exit(1)
                os._exit(0)
            os._exit(2)
        os.close(telling)
        with open(progress, "rb") as lines:
            begun = len(lines.read())
        return items[begun - 1] if os.waitpid(child, 0)[1] else None


def forget(module: ModuleType) -> None:
    """Empty the caches of a module's functions."""
    for thing in vars(module).values():
        if empty := getattr(thing, "cache_clear", None):
            empty()


def run(item: pytest.Item) -> None:
    """Run one test."""
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)


def main() -> int:
    """Parse the arguments, and try the mutants."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("modules", nargs="+", type=Path)
    parser.add_argument("--tests", nargs="+", required=True)
    parser.add_argument("--then", nargs="+", type=Path, default=[])
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--longest", type=float, default=2.0)
    parser.add_argument("--most", type=float, default=0.0)
    parser.add_argument("--left", type=Path)
    called = parser.parse_args()
    settings.register_profile(
        "mutants",
        deadline=None,
        database=None,
        derandomize=True,
        max_examples=40,
        phases=(Phase.explicit, Phase.generate),
    )
    os.environ["HYPOTHESIS_PROFILE"] = "mutants"
    paths = [path.resolve() for path in called.modules]
    later = [path.resolve() for path in called.then]
    left = None
    if called.left:
        text = called.left.read_text(encoding="utf-8")
        left = set(re.findall(r"(?m)^left: \S+:\d+: (.*) \(\d+ tests\)$", text))
    plugin = Mutating(paths, later, called.sample, called.longest, called.most, left)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what pytest prints of each test
    how = ["-p", "no:cacheprovider", "-s", "--tb=no", "--assert=plain"]
    return int(pytest.main([*how, *called.tests, *map(str, later)], [plugin]))


if __name__ == "__main__":
    raise SystemExit(main())
