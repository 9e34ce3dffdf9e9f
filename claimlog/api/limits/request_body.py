"""Request bodies: read within limits, unpacked, never trusted."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, Final

from claimlog.api.http.problem import ApiError
from claimlog.api.settings import MB

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from litestar.connection import Request

STEP: Final = 1 << 18
"""Bytes unpacked at a time."""

_UNSUSPICIOUS: Final = 16 * MB
"""Bytes that any body may unpack to, however small it is."""


def encoding(request: Request[Any, Any, Any]) -> str:
    """The body's content coding: "" or "gzip"."""
    name = request.headers.get("content-encoding", "").strip().lower()
    if name in ("", "identity"):
        return ""
    if name in ("gzip", "x-gzip"):
        return "gzip"
    raise ApiError(
        415, "unsupported-media-type", "body.encoding", headers={"Accept-Encoding": "gzip"}
    )


class Unpacker:
    """Unpacks gzip piece by piece, and refuses bodies that expand too much."""

    def __init__(self, max_ratio: int) -> None:
        self.max_ratio = max_ratio
        self.packed = 0
        self.unpacked = 0
        self._stream: zlib._Decompress | None = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Unpack `data`; yields the pieces."""
        self.packed += len(data)
        while data:
            if self._stream is None:
                self._stream = zlib.decompressobj(31)
            try:
                piece = self._stream.decompress(data, STEP)
            except zlib.error as error:
                raise ApiError(400, "bad-request", "body.not-gzip") from error
            data = self._stream.unconsumed_tail
            self.unpacked += len(piece)
            if self.unpacked > max(_UNSUSPICIOUS, self.packed * self.max_ratio):
                raise ApiError(413, "too-large", "body.expands", number=self.max_ratio)
            if piece:
                yield piece
            if self._stream.eof:
                # Another member may follow; zeros after the last one are padding.
                data = self._stream.unused_data.lstrip(b"\0")
                self._stream = None

    def finish(self) -> None:
        """Raise ApiError if the end is missing."""
        if self._stream is not None:
            raise ApiError(400, "bad-request", "body.cut-off")


async def pieces(body: AsyncIterator[bytes], packed: str, max_ratio: int) -> AsyncIterator[bytes]:
    """Yield a body's pieces, unpacked."""
    if not packed:
        async for data in body:
            yield data
        return
    unpacker = Unpacker(max_ratio)
    async for data in body:
        for piece in unpacker.feed(data):
            yield piece
    unpacker.finish()


async def small_body(request: Request[Any, Any, Any], limit: int) -> bytes:
    """Return a whole body of at most `limit` bytes, unpacked."""
    parts: list[bytes] = []
    size = 0
    async for piece in pieces(request.stream(), encoding(request), 1 << 30):
        size += len(piece)
        if size > limit:
            raise ApiError(413, "too-large", "body.too-large", limit=limit)
        parts.append(piece)
    return b"".join(parts)
