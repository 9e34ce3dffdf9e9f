"""The functions of claimlog's engine that the page calls in the browser, with JSON in and out.

Runs under Pyodide, with the standard library and segno.

>>> asked = {"setup": {"deck": "GKUWX", "players": ["Anna", "Ben"]}, "language": "de"}
>>> asked["entries"] = [{"id": "a", "kind": "enter", "word": "U7"}]
>>> json.loads(fold(json.dumps(asked)))["due"]
{'kind': 'play', 'seat': 1}
"""

from __future__ import annotations

import json
from typing import Any

from claimlog.language import words
from claimlog.recording.entering import Doubt
from claimlog.recording.entries import Table

__all__ = ["fold", "qr", "revision"]

_folded: dict[str, Table] = {}
"""The table that was folded last, by its set-up: mostly only one more entry has come."""


def fold(request: str) -> str:
    """Return what a screen shows of a table, from its `setup` and `entries`, in a `language`."""
    asked = json.loads(request)
    view = _table(asked["setup"], asked["entries"]).view(words(asked["language"]))
    return json.dumps(view)


def revision(request: str) -> str:
    """Return the result of some `edits` of a table, or why (`wrong`) they are not possible."""
    asked = json.loads(request)
    said = words(asked["language"])
    try:
        return json.dumps(_table(asked["setup"], asked["entries"]).revision(asked["edits"], said))
    except Doubt as doubt:
        return json.dumps({"wrong": doubt.sentence(said, str)})


def _table(setup: Any, entries: list[dict[str, Any]]) -> Table:
    """Return the table with these entries."""
    key = json.dumps(setup)
    table = _folded.get(key)
    if table is None or table.entries != entries[: len(table.entries)]:
        table = Table(setup)
        _folded.clear()
        _folded[key] = table
    for entry in entries[len(table.entries) :]:
        table.add(entry)
    return table


def qr(request: str) -> str:
    """Return a QR code of a `text`, as SVG."""
    import segno

    code = segno.make(json.loads(request)["text"], error="l", micro=False)
    return json.dumps(code.svg_inline(scale=4, border=4, light="white"))
