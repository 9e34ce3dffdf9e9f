"""Do the tests see a mistake?  Makes one small mistake after another, and runs the tests.

    CLAIMLOG_PURE=1 python tests/scripts/mutants.py claimlog/rules/powers.py tests/rules

Each mutant is one change of one function: a comparison, an operator, an operand left out, a
number one higher, a statement left out.  A process of its own gets it and runs, the shortest
first, those of the named tests that call the function; one that fails kills it.  What is left
is printed: a test is missing, or the change changes nothing.

Left alone are texts, and what a module computes when it is imported.  `--sample N` takes every
so manieth mutant, so that about N are tried; `--longest S` passes over tests that take longer.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import importlib
import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

import pytest
from hypothesis import Phase, settings

ROOT = Path(__file__).parents[2]
PATIENCE = 120
"""Seconds after which a mutant that hangs counts as killed."""

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


@dataclass
class Mutant:
    """One changed function: its name and place, what was changed, and the code."""

    name: str
    line: int
    change: str
    code: CodeType
    first: int


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What may stand in the place of a node."""
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
    elif isinstance(node, ast.Return) and node.value is not None:
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


class Swap(ast.NodeTransformer):
    """Puts another node in the place of one."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        """Swap the node, or go on below it."""
        return self.new if node is self.old else self.generic_visit(node)


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """A code object and all inside it."""
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
            for node in [n for part in function.body for n in ast.walk(part)]:
                for change, new in changes(node):
                    mutated = ast.fix_missing_locations(
                        ast.copy_location(
                            Swap(node, new).visit(copy_tree(function, node)), function
                        )
                    )
                    module = ast.Module([mutated], [])
                    code = compile(module, str(path), "exec", dont_inherit=True)
                    name = function.name
                    (found,) = [c for c in code.co_consts if isinstance(c, CodeType)]
                    if isinstance(outer, ast.ClassDef):
                        name = f"{outer.name}.{name}"
                    mutants.append(
                        Mutant(name, getattr(node, "lineno", 0), change, found, function.lineno)
                    )
    return mutants


def copy_tree(tree: ast.AST, kept: ast.AST) -> ast.AST:
    """A copy of a tree in which one node is the same object."""
    return copy.deepcopy(tree, {id(kept): kept})


def functions_of(module: ModuleType) -> dict[str, FunctionType]:
    """A module's functions and methods by name."""
    found = {}

    def add(name: str, thing: object) -> None:
        thing = getattr(thing, "fget", None) or getattr(thing, "__func__", thing)
        thing = getattr(thing, "__wrapped__", thing)
        if isinstance(thing, FunctionType) and thing.__module__ == module.__name__:
            found[name] = thing

    for name, thing in vars(module).items():
        add(name, thing)
        if isinstance(thing, type) and thing.__module__ == module.__name__:
            for method, inner in vars(thing).items():
                add(f"{name}.{method}", inner)
    return found


class Mutating:
    """A pytest plugin: instead of running the tests once it runs them for every mutant."""

    def __init__(self, path: Path, sample: int, longest: float) -> None:
        self.path, self.sample, self.longest = path, sample, longest
        self.output = os.fdopen(os.dup(1), "w", buffering=1)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Find out which test calls what, then try the mutants."""
        name = ".".join(self.path.relative_to(ROOT).with_suffix("").parts)
        module = importlib.import_module(name)
        assert (module.__file__ or "").endswith(".py"), "set CLAIMLOG_PURE=1"
        functions = functions_of(module)
        codes = {function.__code__: name for name, function in functions.items()}
        callers: dict[str, list[tuple[float, pytest.Item]]] = {}
        for item in session.items:
            called: set[str] = set()

            def profile(frame: object, event: str, _: object, called: set[str] = called) -> None:
                if event == "call" and (name := codes.get(frame.f_code)):  # type: ignore[attr-defined]
                    called.add(name)

            begun = time.process_time()
            sys.setprofile(profile)
            run(item)
            sys.setprofile(None)
            assert not session.testsfailed, item.nodeid
            took = time.process_time() - begun
            if took <= self.longest:
                for each in called:
                    callers.setdefault(each, []).append((took, item))
        mutants = mutants_of(self.path)
        step = max(1, len(mutants) // self.sample) if self.sample else 1
        tried = mutants[::step]
        killed = 0
        for mutant in tried:
            items = [item for _, item in sorted(callers.get(mutant.name, []), key=lambda x: x[0])]
            function = functions.get(mutant.name)
            if function is None:
                continue
            if self.kills(session, function, mutant.code, items):
                killed += 1
            else:
                where = f"{self.path.relative_to(ROOT)}:{mutant.line}: {mutant.name}"
                print(f"left: {where}: {mutant.change} ({len(items)} tests)", file=self.output)
        print(
            f"{self.path.name}: {len(mutants)} mutants, {len(tried)} tried, {killed} killed",
            file=self.output,
        )
        return True

    def kills(
        self, session: pytest.Session, function: FunctionType, code: CodeType,
        items: list[pytest.Item],
    ) -> bool:  # fmt: skip
        """Whether one of the tests fails, or never ends, with other code in a function."""
        child = os.fork()
        if not child:
            signal.alarm(PATIENCE)
            with contextlib.suppress(BaseException):
                function.__code__ = code.replace(
                    co_name=function.__code__.co_name, co_freevars=function.__code__.co_freevars
                )
                for item in items:
                    run(item)
                    if session.testsfailed:
                        os._exit(1)
                os._exit(0)
            os._exit(2)
        return os.waitpid(child, 0)[1] != 0


def run(item: pytest.Item) -> None:
    """Run one test."""
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)


def main() -> int:
    """Read the call, and try the mutants."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("module", type=Path)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--longest", type=float, default=2.0)
    called = parser.parse_args()
    settings.register_profile(
        "mutants", deadline=None, database=None, phases=(Phase.explicit, Phase.generate)
    )
    os.environ["HYPOTHESIS_PROFILE"] = "mutants"
    plugin = Mutating(called.module.resolve(), called.sample, called.longest)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what pytest prints of each test
    return int(pytest.main(["-p", "no:cacheprovider", "-s", *called.tests], [plugin]))


if __name__ == "__main__":
    raise SystemExit(main())
