"""Structured logs: one JSON object a line, on standard error."""

from __future__ import annotations

import logging
import re
import sys
import threading
import time
import traceback
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import msgspec

from claimlog.store.model.hiding import hidden

if TYPE_CHECKING:
    from typing import BinaryIO

FLUSH: Final = 0.5
"""Seconds that a request's line may wait for others, so that they share one write."""

_encoder: Final = msgspec.json.Encoder()

_TOKEN: Final = re.compile(rb"(clm_[0-9a-f]{8}_)[A-Za-z0-9_-]{8,}")
"""A token's text: its id may be logged, the rest is a secret."""


class Log:
    """Writes log lines: those of requests in batches, warnings and errors at once."""

    def __init__(self, stream: BinaryIO | None = None) -> None:
        self.stream = stream
        self._lines: list[bytes] = []
        self._last = 0.0
        self._lock = threading.Lock()

    def line(self, level: str, event: str, /, **members: Any) -> None:
        """Write one line; warnings and errors are on disk when this returns."""
        now = time.time()
        head = {"time": datetime.fromtimestamp(now, UTC), "level": level, "event": event}
        line = _encoder.encode(head | members)
        if b"clm_" in line:
            line = _TOKEN.sub(rb"\1...", line)
        self._lines.append(line + b"\n")
        if level != "info" or now - self._last > FLUSH or len(self._lines) > 500:
            self._last = now
            self.flush()

    def failure(self, event: str, error: BaseException, /, **members: Any) -> None:
        """Log an error with its traceback, without passwords."""
        trace = hidden("".join(traceback.format_exception(error)))
        self.line("error", event, error=hidden(repr(error)), traceback=trace, **members)

    def flush(self) -> None:
        """Write the waiting lines."""
        with self._lock:
            lines, self._lines = self._lines, []
            if not lines:
                return
            stream = self.stream or sys.stderr.buffer
            try:
                stream.write(b"".join(lines))
                stream.flush()
            except (OSError, ValueError):
                pass  # nobody reads the log any more, which must not end the server


class Handler(logging.Handler):
    """Sends what libraries log to a `Log`."""

    def __init__(self, log: Log) -> None:
        super().__init__()
        self.log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, unless its exception has been logged already."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, Aborted):
            return
        members: dict[str, Any] = {"logger": record.name, "message": hidden(record.getMessage())}
        level = record.levelname.lower()
        if error is None:
            self.log.line(level, "log", **members)
        else:
            self.log.failure("log", error, **members)


class Aborted(Exception):  # noqa: N818 — no error of its own
    """Ends a connection in the middle of an answer; the reason has been logged."""


class ClientLeft(Aborted):
    """The client has left."""
