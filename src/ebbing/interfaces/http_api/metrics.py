"""What the server counts, in the text format of Prometheus: routes and numbers; no owner, no id, no memory's words."""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Iterator, Mapping

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BOUNDS_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """Counters of one process. They are changed on the event loop alone, so they need no lock."""

    def __init__(self) -> None:
        self.in_flight = 0
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._seconds: dict[str, list[int]] = {}
        self._sums: dict[str, float] = {}

    def count(self, route: str, method: str, status: int, seconds: float) -> None:
        """One request, answered."""
        self._requests[route, method, status] += 1
        buckets = self._seconds.setdefault(route, [0] * (len(BOUNDS_SECONDS) + 1))
        buckets[bisect.bisect_left(BOUNDS_SECONDS, seconds)] += 1
        self._sums[route] = self._sums.get(route, 0.0) + seconds

    def text(self, memories: Mapping[str, int]) -> str:
        """All metrics, with the caller's memories by status."""
        return "\n".join([*self._lines(memories), ""])

    def _lines(self, memories: Mapping[str, int]) -> Iterator[str]:
        yield "# HELP ebbing_http_requests_total Requests answered."
        yield "# TYPE ebbing_http_requests_total counter"
        for (route, method, code), count in sorted(self._requests.items()):
            yield f'ebbing_http_requests_total{{route="{route}",method="{method}",status="{code}"}} {count}'
        yield "# HELP ebbing_http_request_seconds How long answers took."
        yield "# TYPE ebbing_http_request_seconds histogram"
        for route, buckets in sorted(self._seconds.items()):
            seen = 0
            for bound, here in zip((*map(str, BOUNDS_SECONDS), "+Inf"), buckets, strict=True):
                seen += here
                yield f'ebbing_http_request_seconds_bucket{{route="{route}",le="{bound}"}} {seen}'
            yield f'ebbing_http_request_seconds_sum{{route="{route}"}} {self._sums[route]:.6f}'
            yield f'ebbing_http_request_seconds_count{{route="{route}"}} {seen}'
        yield "# HELP ebbing_http_in_flight Requests being answered."
        yield "# TYPE ebbing_http_in_flight gauge"
        yield f"ebbing_http_in_flight {self.in_flight}"
        yield "# HELP ebbing_memories Memories of the owner whose token asks, by status."
        yield "# TYPE ebbing_memories gauge"
        for status, count in sorted(memories.items()):
            yield f'ebbing_memories{{status="{status}"}} {count}'
