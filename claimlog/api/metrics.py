"""Counters for Prometheus, in its text format."""

from __future__ import annotations

from bisect import bisect_left
from math import inf
from typing import Final

BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Upper bounds in seconds."""


class Metrics:
    """The server's counters.  Used from the event loop only."""

    def __init__(self) -> None:
        self.requests: dict[tuple[str, str, int], int] = {}
        self.times: dict[str, list[float]] = {}
        self.outcomes: dict[str, int] = {}
        self.sent = 0
        self.received = 0
        self.in_flight = 0
        self.answered = -inf
        """When the last request was answered, by `time.perf_counter`."""
        self.cache_hits = 0
        self.failures = 0

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one request."""
        key = (method, route, status)
        self.requests[key] = self.requests.get(key, 0) + 1
        times = self.times.get(route)
        if times is None:
            times = self.times[route] = [0.0] * (len(BUCKETS) + 2)
        times[bisect_left(BUCKETS, seconds)] += 1
        times[-1] += seconds

    def outcome(self, status: str) -> None:
        """Count the outcome of a record."""
        self.outcomes[status] = self.outcomes.get(status, 0) + 1

    def text(self, gauges: dict[str, tuple[str, float]]) -> str:
        """Return all metrics as text, with `gauges` (help and value by name)."""
        lines: list[str] = []

        def family(name: str, kind: str, help: str) -> None:
            lines.append(f"# HELP {name} {help}")
            lines.append(f"# TYPE {name} {kind}")

        family("claimlog_requests_total", "counter", "Requests answered.")
        for (method, route, status), number in sorted(self.requests.items()):
            labels = f'method="{method}",route="{route}",status="{status}"'
            lines.append(f"claimlog_requests_total{{{labels}}} {number}")
        family("claimlog_request_seconds", "histogram", "Time until the answer was sent.")
        for route, times in sorted(self.times.items()):
            total = 0.0
            for bound, part in zip((*map(str, BUCKETS), "+Inf"), times, strict=False):
                total += part
                labels = f'route="{route}",le="{bound}"'
                lines.append(f"claimlog_request_seconds_bucket{{{labels}}} {total:.0f}")
            lines.append(f'claimlog_request_seconds_sum{{route="{route}"}} {times[-1]:.6f}')
            lines.append(f'claimlog_request_seconds_count{{route="{route}"}} {total:.0f}')
        family("claimlog_records_total", "counter", "Records handed in, by what became of them.")
        for outcome, count in sorted(self.outcomes.items()):
            lines.append(f'claimlog_records_total{{status="{outcome}"}} {count}')
        for name, help, value in (
            ("sent_bytes_total", "Bytes of bodies sent.", self.sent),
            ("received_bytes_total", "Bytes of bodies received.", self.received),
            ("cache_hits_total", "Answers taken from the cache.", self.cache_hits),
            ("failures_total", "Requests that failed for a fault of the server.", self.failures),
        ):
            family(f"claimlog_{name}", "counter", help)
            lines.append(f"claimlog_{name} {value}")
        gauges = {"requests_in_flight": ("Requests being answered.", self.in_flight)} | gauges
        for name, (help, level) in gauges.items():
            family(f"claimlog_{name}", "gauge", help)
            lines.append(f"claimlog_{name} {level:.15g}")
        return "\n".join(lines) + "\n"
