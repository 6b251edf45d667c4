"""The engine is synchronous; the server is not. Calls run in a bounded number of threads, and wait in line for one.

Each kind of call has threads of its own, so that slow ones (extraction, simulation, an import) never keep a search
waiting. Waiting in line ends after a while, and then nothing was begun. A call that has begun has a time limit: if it
has written nothing by then it is given up, and what it would still write is rolled back (ports/cancellation.py). Its
thread stays taken until it ends, so that there are never more threads than places.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import anyio
import anyio.to_thread

from ...ports import cancellation
from ..tools import Pool
from .problems import Busy
from .settings import Settings

Answer = TypeVar("Answer")


class Threads:
    """As many calls at once as the store has connections for, by kind."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._counts: Mapping[Pool, int] = {
            Pool.SEARCH: settings.search_threads,
            Pool.WRITE: settings.write_threads,
            Pool.SLOW: settings.slow_threads,
        }
        self._places: dict[Pool, anyio.Semaphore] = {}
        self._limiter: anyio.CapacityLimiter | None = None
        self._running: set[asyncio.Task[Any]] = set()

    async def run(self, call: Callable[[], Answer], pool: Pool = Pool.SEARCH, seconds: float | None = None) -> Answer:
        """What the call answers, or raises; `Busy` when no thread was free for too long, or the call took too long."""
        if self._limiter is None:  # they belong to the loop they are made in
            self._limiter = anyio.CapacityLimiter(sum(self._counts.values()))
            self._places = {kind: anyio.Semaphore(count, fast_acquire=True) for kind, count in self._counts.items()}
        try:
            with anyio.fail_after(self._settings.queue_seconds):
                await self._places[pool].acquire()
        except TimeoutError:
            raise Busy("every thread has been busy for too long; nothing was begun: try again in a while") from None
        waited = cancellation.WaitedFor()
        task = asyncio.get_running_loop().create_task(self._in_thread(call, waited, pool))
        self._running.add(task)
        task.add_done_callback(self._ended)
        limit = self._settings.call_seconds if seconds is None else seconds
        done, _ = await asyncio.wait({task}, timeout=limit)
        if not done and waited.give_up():
            raise Busy(f"this took longer than {limit:g} s and was given up; nothing was written: try again in a while")
        return await asyncio.shield(task)

    async def _in_thread(self, call: Callable[[], Answer], waited: cancellation.WaitedFor, pool: Pool) -> Answer:
        """The call in a thread; its place is taken until it has ended, whoever still waits for it."""
        cancellation.current.set(waited)
        try:
            return await anyio.to_thread.run_sync(call, limiter=self._limiter)
        finally:
            self._places[pool].release()

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # of a call that was given up: otherwise asyncio reports it as never retrieved
