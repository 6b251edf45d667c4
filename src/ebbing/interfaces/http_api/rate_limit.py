"""A rate limit: a token bucket that fills evenly and holds a burst."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from dataclasses import dataclass

_REMEMBERED_MOST = 10_000  # callers; the one that asked least lately is forgotten, and begins with a full bucket
_BURST_SECONDS = 10.0  # worth of requests at once


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class RateLimiter:
    """One bucket for each caller. Used on the event loop alone."""

    def __init__(self, per_minute: int) -> None:
        self._per_second = per_minute / 60
        self._most = max(1.0, self._per_second * _BURST_SECONDS)
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def wait_seconds(self, who: str) -> int:
        """0 and one less in the bucket, or how many seconds to wait."""
        if not self._per_second:
            return 0
        now = time.monotonic()
        bucket = self._buckets.setdefault(who, _Bucket(self._most, now))
        self._buckets.move_to_end(who)
        if len(self._buckets) > _REMEMBERED_MOST:
            self._buckets.popitem(last=False)
        bucket.left = min(self._most, bucket.left + (now - bucket.at) * self._per_second)
        bucket.at = now
        if bucket.left < 1:
            return math.ceil((1 - bucket.left) / self._per_second)
        bucket.left -= 1
        return 0
