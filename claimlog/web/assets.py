"""The files of the pages, packed, under addresses that change with their content."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zipfile
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from claimlog.cards import FACTIONS, LETTERS, PAIRS, card, tens_in_deck
from claimlog.draw import faces
from claimlog.language import LANGUAGES, words
from claimlog.results import result_of, result_text
from claimlog.rules.powers import seers
from claimlog.rules.setup import LOOTING, MAX_SEATS, RULE_SETS, RULINGS

if TYPE_CHECKING:
    from collections.abc import Iterable

MEDIA_TYPES: Final = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".zip": "application/zip",
}
"""The media types of files, by suffix."""

_ENGINE: Final = (
    "__init__.py",
    "cards.py",
    "game.py",
    "hooks.py",
    "language/__init__.py",
    "language/isolation.py",
    "language/messages.py",
    *(
        f"language/{language}{part}.py"
        for language in LANGUAGES
        for part in ("", "_errors", "_problems", "_rules")
    ),
    "notation",
    "objects.py",
    "parts.py",
    "recording",
    "replay",
    "results.py",
    "rules",
    "state",
    "web/__init__.py",
    "web/engine.py",
)
"""The parts of claimlog that run in the browser: modules and whole packages."""

_SAID_BY_THE_PAGE: Final = "page."
"""The prefix of the keys of texts that the page itself shows."""


class Asset(NamedTuple):
    """A file as it is sent: packed, or unpacked if packing gains nothing."""

    media_type: str
    body: bytes
    packed: bool


class Tree(NamedTuple):
    """Files that change together; `version` depends on their content."""

    version: str
    files: dict[str, Asset]

    def address(self, name: str) -> str:
        """Return the address of a file."""
        return f"/static/{self.version}/{name}"


def media_type(name: str) -> str:
    """Return the media type of a file."""
    return MEDIA_TYPES[Path(name).suffix]


@cache
def page() -> Tree:
    """Return our own files: the page, its words and colours, and claimlog for its engine."""
    folder = files("claimlog.web") / "static"
    contents = {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}
    for language in LANGUAGES:
        contents[f"words-{language}.json"] = json.dumps(
            _said(language), ensure_ascii=False
        ).encode()
    contents["faces.css"] = faces.css().encode()
    contents["shapes.svg"] = _shapes()
    contents["claimlog.zip"] = engine()
    kept = {name: asset for name, asset in _others().items() if not _of_the_engine(name)}
    for name, body in contents.items():
        packed = gzip.compress(body, 9, mtime=0)
        gains = len(packed) < 0.9 * len(body)
        kept[name] = Asset(media_type(name), packed if gains else body, gains)
    return _tree(kept)


def _shapes() -> bytes:
    """Return the shapes of all factions in one drawing, each under its letter."""
    symbols = "".join(
        f'<symbol id="{letter}" viewBox="0 0 24 24"><path fill-rule="evenodd" d="{face.shape}"/>'
        "</symbol>"
        for letter, face in faces.FACES.items()
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg">{symbols}</svg>'.encode()


@cache
def vendor() -> Tree:
    """Return what the engine needs: large files that seldom change."""
    return _tree({name: asset for name, asset in _others().items() if _of_the_engine(name)})


def _of_the_engine(name: str) -> bool:
    return name.startswith("py")


@cache
def _others() -> dict[str, Asset]:
    """Return the files of others (vendor/README.md), already packed."""
    folder = files("claimlog.web") / "vendor"
    return {
        each.name[:-3]: Asset(media_type(each.name[:-3]), each.read_bytes(), True)
        for each in folder.iterdir()
        if each.name.endswith(".gz")
    }


def _tree(assets: dict[str, Asset]) -> Tree:
    digest = hashlib.blake2b(digest_size=9)
    for name, asset in sorted(assets.items()):
        digest.update(f"{name} {len(asset.body)}\n".encode() + asset.body)
    return Tree(digest.hexdigest(), assets)


def unpacked(asset: Asset) -> bytes:
    """Return a file's content for the few clients that do not accept it packed."""
    return gzip.decompress(asset.body) if asset.packed else asset.body


def engine_size() -> int:
    """Return how many bytes the page's engine fetches before it starts, unpacked."""
    fetched = [asset for name, asset in vendor().files.items() if not name.endswith(".mjs")]
    return sum(_size(asset) for asset in [*fetched, page().files["claimlog.zip"]])


def _size(asset: Asset) -> int:
    """Return the size of a file when unpacked, which gzip stores at its end (RFC 1952, 2.3.1)."""
    return int.from_bytes(asset.body[-4:], "little") if asset.packed else len(asset.body)


def engine() -> bytes:
    """Return a zip file of the modules that judge a game, uncompiled, and of segno for QR codes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, path in sorted({**dict(_modules()), **dict(_segno())}.items()):
            archive.writestr(zipfile.ZipInfo(name), path.read_bytes())
    return out.getvalue()


def _modules() -> Iterable[tuple[str, Path]]:
    """Yield the modules of claimlog that run in the browser, with their names in the zip file."""
    root = Path(__file__).parents[1]
    for place in _ENGINE:
        path = root / place
        for module in path.rglob("*.py") if path.is_dir() else [path]:
            yield f"claimlog/{module.relative_to(root).as_posix()}", module


def _segno() -> Iterable[tuple[str, Path]]:
    """Yield the modules of segno."""
    spec = find_spec("segno")
    assert spec is not None
    assert spec.origin is not None
    for module in Path(spec.origin).parent.glob("*.py"):
        yield f"segno/{module.name}", module


def _said(language: str) -> dict[str, Any]:
    """Return the texts that the page itself shows, and what it must know of the rules.

    The factions (name, values, shape), the composition of a deck, the results of a game that ended
    early and who wins, by the number of sides, rule sets and rulings.
    """
    say = words(language)
    return {
        "texts": {
            key: text for key, text in say.texts.items() if key.startswith(_SAID_BY_THE_PAGE)
        },
        "factions": {
            one.letter: {
                "name": say.faction(one.letter),
                "values": list(one.values),
                "shape": faces.FACES[one.letter].shape,
            }
            for one in FACTIONS
        },
        "pairs": [list(pair) for pair in PAIRS],
        "tens": {seats: tens_in_deck(seats) for seats in range(2, MAX_SEATS + 1)},
        "looting": LETTERS[LOOTING],
        "looking": [
            one.letter for one in FACTIONS if seers(card(f"{one.letter}{min(one.values)}"))
        ],
        "results": {
            sides: [
                {
                    "result": result_text(result_of(sides, winners)),
                    "winners": [side + 1 for side in range(sides) if winners >> side & 1],
                }
                for winners in sorted(range(1, 1 << sides), key=int.bit_count)
            ]
            for sides in (2, 3)
        },
        "rules": RULE_SETS,
        "rulings": {
            key: {
                "about": ruling.about,
                "label": say(f"ruling.{key}"),
                "values": {value: say(f"ruling.{key}.{value}") for value in ruling.values},
                "classic": ruling.classic,
            }
            for key, ruling in RULINGS.items()
        },
    }
