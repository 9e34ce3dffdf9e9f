"""List the packages, and compile the kernel if possible.

A module under claimlog/ with a .pxd beside its .py is compiled by Cython from that same .py.
Without a C compiler, or with CLAIMLOG_PURE=1, the install succeeds and the .py is interpreted.
"""

import multiprocessing
import os
import sys
import sysconfig
import tempfile
from pathlib import Path

from setuptools import Extension, find_packages, setup

DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,  # the types come only from the .pxd
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "embedsignature": True,
    "auto_pickle": False,  # no compiled object leaves its process, and this takes time to compile
}
HOT = (
    "claimlog.replay.ledger",
    "claimlog.rules.data",
    "claimlog.rules.limits",
    "claimlog.simulate.",
    "claimlog.solve.",
)
"""Beginnings of the names of modules that -O2 makes faster.

To compile the others with -O1 takes three fifths of the time, and they are as fast.
"""
PROCESSORS = os.cpu_count() or 1


def compiles() -> bool:
    """Whether there is a compiler that finds Python's headers: Cython takes ten seconds."""
    from distutils.ccompiler import new_compiler  # from Python 3.12 on, setuptools provides it
    from distutils.sysconfig import customize_compiler

    compiler = new_compiler()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "empty.c")
        source.write_text("#include <Python.h>\n")
        try:
            customize_compiler(compiler)
            include = sysconfig.get_path("include")
            compiler.compile([str(source)], output_dir=folder, include_dirs=[include])
        except Exception as error:
            print(f"claimlog: no C compiler, will be interpreted: {error}", file=sys.stderr)
            return False
    return True


def flags(name: str) -> list[str]:
    """Return the options with which a module is compiled."""
    if os.name == "nt":
        return []
    # Sums are the same on every processor if multiplications and additions are not fused.
    fixed = ["-g0", "-fno-builtin-memcpy", "-ffp-contract=off"]
    return ["-O2" if name.startswith(HOT) else "-O1", *fixed]


def kernel() -> list[Extension]:
    """Return the modules to compile: all of them, or none if Cython fails on any.

    Also return none while pip only asks for requirements and metadata, before it builds.
    """
    if {"egg_info", "dist_info"}.intersection(sys.argv):
        return []
    sources = [pxd.with_suffix(".py") for pxd in sorted(Path("claimlog").rglob("*.pxd"))]
    if not sources or os.environ.get("CLAIMLOG_PURE", "0") not in ("", "0") or not compiles():
        return []
    try:
        from Cython.Build import cythonize

        extensions = cythonize(
            [
                Extension(name, [source.as_posix()], extra_compile_args=flags(name))
                for source in sources
                for name in [".".join(source.with_suffix("").parts)]
            ],
            build_dir="build/cython",
            compiler_directives=DIRECTIVES,
            force=True,
            # Where new processes begin by running this file again, there must be none.
            nthreads=PROCESSORS if multiprocessing.get_start_method() == "fork" else 0,
        )
    except Exception as error:
        print(f"claimlog: not compiled, will be interpreted: {error}", file=sys.stderr)
        return []
    for extension in extensions:
        extension.optional = True  # set here, because cythonize makes new Extension objects
    return extensions


setup(
    # cli/ is installed as claimlog.cli, so that nothing generic lands in site-packages.
    packages=[
        *find_packages(include=["claimlog", "claimlog.*"]),
        "claimlog.cli",
        *(f"claimlog.cli.{name}" for name in find_packages("cli")),
    ],
    package_dir={"claimlog.cli": "cli"},
    ext_modules=kernel(),
    options={"build_ext": {"parallel": PROCESSORS}},
)
