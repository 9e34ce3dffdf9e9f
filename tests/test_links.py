"""Links between the documents lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [
    *ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "benchmarks").glob("*.md"),
    ROOT / "data" / "README.md",
]  # fmt: skip
_LINK = re.compile(r'(?:\]\(|<img src=")(?!https?:)([^)"#\s]*)(?:#([^)"\s]+))?[)"]')
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives the headings of a page."""
    headings = _HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_of_documents_lead_to_files_and_headings() -> None:
    broken = []
    for page in PAGES:
        for name, heading in _LINK.findall(page.read_text(encoding="utf-8")):
            target = page.parent / name if name else page
            if not target.exists() or (heading and heading not in anchors(target)):
                broken.append((page.name, name, heading))
    assert not broken


def test_the_index_names_every_page_of_docs() -> None:
    index = ROOT / "docs" / "index.md"
    named = {name for name, _ in _LINK.findall(index.read_text(encoding="utf-8"))}
    assert {page.name for page in index.parent.glob("*.md")} - {index.name} <= named
