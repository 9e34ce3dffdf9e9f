"""The scripts of a page as one, for a self-contained file or a slow phone.

It understands only the forms of ``import`` and ``export`` in our scripts and the vendored ones.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from claimlog.web import assets

if TYPE_CHECKING:
    from collections.abc import Iterator

_IMPORT: Final = re.compile(
    r"\b(?P<how>import|export)\s*"
    r"(?:(?P<whole>[\w$]+)|\*\s*as\s+(?P<all>[\w$]+)|\{(?P<names>[^{}]*)\})\s*from\s*"
    r'"\./(?P<file>[\w.-]+)";?'
)
_LIST: Final = re.compile(r"\bexport\s*\{(?P<names>[^{}]*)\};?")
_DEFAULT: Final = re.compile(r"\bexport\s+default\s+")
_HERE: Final = re.compile(
    r"^export\s+(?=(?:async\s+)?(?:function|class|const)\s+(?P<name>[\w$]+))", re.M
)
_LEFT: Final = re.compile(r"^\s*(?:import|export)\b|\bimport\s*\(|import\.meta", re.M)
_REMARK: Final = re.compile(r"^\s*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/)\n", re.M)
_INDENT: Final = re.compile(r"^ +", re.M)
"""In templates of htm indentation means nothing, either."""


@cache
def bundled(entry: str, apart: frozenset[str] = frozenset()) -> str:
    """Return the script `entry` of the page with everything it imports, as one module.

    It imports only the scripts that stay `apart`, which lie beside it and import nothing
    themselves. Raises ValueError for a form of import or export that is not supported.
    """
    order = modules(entry)
    *parts, last = order
    return "\n".join(
        [
            *(
                f'import * as m{order.index(name)} from "./{name}";'
                if name in apart
                else _wrapped(name, order)
                for name in parts
            ),
            _rewritten(last, order, {}),
        ]
    )


@cache
def modules(entry: str) -> list[str]:
    """Return the scripts that a script of the page needs, the script itself last."""
    order: list[str] = []
    _collect(entry, order)
    return order


def _source(name: str) -> str:
    return _INDENT.sub("", _REMARK.sub("", assets.unpacked(assets.page().files[name]).decode()))


def _collect(name: str, order: list[str]) -> None:
    """Append the modules that a module needs, each after its own imports."""
    for needed in _IMPORT.finditer(_source(name)):
        if needed["file"] not in order:
            _collect(needed["file"], order)
    order.append(name)


def _wrapped(name: str, order: list[str]) -> str:
    """Return a module as an object with everything it exports."""
    exports: dict[str, str] = {}
    body = _rewritten(name, order, exports)
    names = ", ".join(f"{outside}: {inside}" for outside, inside in exports.items())
    return f"const m{order.index(name)} = (() => {{\n{body}\nreturn {{ {names} }};\n}})();"


def _rewritten(name: str, order: list[str], exports: dict[str, str]) -> str:
    """Return a module's text without imports and exports; its exports are added to `exports`."""
    imports = []

    def taken(match: re.Match[str]) -> str:
        module = f"m{order.index(match['file'])}"
        if match["whole"]:
            imports.append(f"const {match['whole']} = {module}.default;")
        elif match["all"]:
            imports.append(f"const {match['all']} = {module};")
        elif match["how"] == "export":
            exports.update(
                (outside, f"{module}.{inside}") for inside, outside in _pairs(match["names"])
            )
        else:
            names = ", ".join(f"{inside}: {outside}" for inside, outside in _pairs(match["names"]))
            imports.append(f"const {{ {names} }} = {module};")
        return ""

    def listed(match: re.Match[str]) -> str:
        exports.update((outside, inside) for inside, outside in _pairs(match["names"]))
        return ""

    def here(match: re.Match[str]) -> str:
        exports[match["name"]] = match["name"]
        return ""

    text = _IMPORT.sub(taken, _source(name))
    text = _HERE.sub(here, _LIST.sub(listed, text))
    text, number = _DEFAULT.subn("const exported = ", text)
    if number:
        exports["default"] = "exported"
    if _LEFT.search(text) or "</script" in text:
        raise ValueError(f"{name} cannot be bundled: unsupported form of import or export")
    return "\n".join([*imports, text.strip()])


def _pairs(names: str) -> Iterator[tuple[str, str]]:
    """Yield the names of a list, with ``a as b`` as a pair."""
    for name in names.split(","):
        if name.strip():
            inside, _, outside = name.strip().partition(" as ")
            yield inside, outside or inside
