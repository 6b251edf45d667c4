"""The engine is synchronous; the server is not. Calls go to a bounded number of threads, and wait in line for one.

Waiting ends after a while, and then nothing was begun. A call that has begun is never given up: it would go on, and
its caller would have been told that nothing was written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.to_thread

from .problems import RETRY_SECONDS, Refused

Answer = TypeVar("Answer")


class Threads:
    """As many calls at once as the store has connections for."""

    def __init__(self, count: int, patience_seconds: float) -> None:
        self._count = count
        self._patience_seconds = patience_seconds
        self._places: anyio.Semaphore | None = None
        self._limiter: anyio.CapacityLimiter | None = None

    async def run(self, call: Callable[[], Answer]) -> Answer:
        """What the call answers, or raises; a refusal when every thread has been busy for too long."""
        if self._places is None or self._limiter is None:  # they belong to the loop they are made in
            self._places = anyio.Semaphore(self._count, fast_acquire=True)
            self._limiter = anyio.CapacityLimiter(self._count)
        try:
            with anyio.fail_after(self._patience_seconds):
                await self._places.acquire()
        except TimeoutError:
            detail = "every thread has been busy for too long; nothing was begun: try again in a while"
            raise Refused(503, detail, {"Retry-After": str(RETRY_SECONDS)}) from None
        try:
            return await anyio.to_thread.run_sync(call, limiter=self._limiter)
        finally:
            self._places.release()
