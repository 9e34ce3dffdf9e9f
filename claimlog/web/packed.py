"""Packed files: sent as they are to most clients, and unpacked once for the few others."""

from __future__ import annotations

import asyncio
import gzip
from collections import OrderedDict
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from claimlog.web.assets import Asset

KEPT: Final = 24 << 20
"""Bytes of unpacked files that are cached: a little more than all of them."""


@lru_cache(maxsize=100)
def takes_gzip(accept_encoding: str) -> bool:
    """Whether an Accept-Encoding header accepts gzip.

    >>> [takes_gzip(text) for text in ("", "br, gzip", "gzip;q=0", "*", "x-gzip")]
    [False, True, False, True, True]
    """
    best: dict[str, float] = {}
    for part in accept_encoding[:1000].split(","):
        name, *parameters = (word.strip().lower() for word in part.split(";"))
        quality = 1.0
        for parameter in parameters:
            if parameter.startswith("q="):
                try:
                    quality = float(parameter[2:])
                except ValueError:
                    quality = 0.0
        best[name] = quality
    known = [best[name] for name in ("gzip", "x-gzip") if name in best]
    return max(known or [best.get("*", 0.0)]) > 0


class Unpacked:
    """Unpacks files, each in a thread and once for all who ask at the same time."""

    def __init__(self, size: int = KEPT) -> None:
        self.size = size
        self.used = 0
        self._files: OrderedDict[Asset, bytes] = OrderedDict()
        self._going_on: dict[Asset, asyncio.Task[bytes]] = {}

    async def of(self, asset: Asset) -> bytes:
        """Return the bytes of a file."""
        if not asset.packed:
            return asset.body
        if asset in self._files:
            self._files.move_to_end(asset)
            return self._files[asset]
        task = self._going_on.get(asset)
        if task is None or task.done():
            task = self._going_on[asset] = asyncio.create_task(self._unpack(asset))
        # A caller that leaves must not cancel it for the others.
        return await asyncio.shield(task)

    async def _unpack(self, asset: Asset) -> bytes:
        try:
            body = await asyncio.to_thread(gzip.decompress, asset.body)
        finally:
            del self._going_on[asset]
        self._files[asset] = body
        self.used += len(body)
        while self.used > self.size and len(self._files) > 1:
            self.used -= len(self._files.popitem(last=False)[1])
        return body
