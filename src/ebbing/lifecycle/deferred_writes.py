"""Deferred writes: they run in a thread after the reply, and the next call for the same owner waits for them.

A recall returns before its uses are counted. A thread counts them at once; the next call for the same owner, closing
the engine and the end of the program wait for it. A crash in that moment, usually a millisecond or two, loses a count
and no memory.
"""

from __future__ import annotations

import logging
import os
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Protocol

logger = logging.getLogger(__name__)

_THREADS = 4  # one owner's job may have to wait for a lock, and others' should not wait with it
_WAITING_MAX = 64  # jobs under way; beyond that a caller runs its job itself


class Threaded(Protocol):
    """An object that has threads."""

    def reset_after_fork(self) -> None: ...


_all: weakref.WeakSet[Threaded] = weakref.WeakSet()


def reset_when_forked(one: Threaded) -> None:
    """Have `reset_after_fork` called in a forked process: it has none of the threads of its parent."""
    _all.add(one)


class DeferredWrites:
    """Jobs of the engines of one store, by owner, in threads that are started with the first job."""

    def __init__(self) -> None:
        self._closed = False
        self.reset_after_fork()
        reset_when_forked(self)

    def reset_after_fork(self) -> None:
        """Start with no jobs and no threads."""
        self._lock = threading.Lock()
        self._threads: ThreadPoolExecutor | None = None
        self._under_way: dict[str, set[Future[None]]] = {}  # by owner

    def do(self, owner: str, job: Callable[[], None]) -> None:
        """Run a job for an owner in a thread; in this one if too many are under way or no thread can start."""
        if not self._taken(owner, job):
            job()

    def wait(self, owner: str) -> None:
        """Wait until all jobs of an owner are done. Their errors are logged, not raised."""
        if owner in self._under_way:
            with self._lock:
                jobs = set(self._under_way.get(owner, ()))
            wait(jobs)

    def close(self) -> None:
        """Start no more jobs, and wait for those under way."""
        with self._lock:
            self._closed = True
            threads = self._threads
        if threads is not None:
            threads.shutdown()

    def _taken(self, owner: str, job: Callable[[], None]) -> bool:
        with self._lock:
            if self._closed or sum(map(len, self._under_way.values())) >= _WAITING_MAX:
                return False
            self._threads = self._threads or ThreadPoolExecutor(_THREADS, "ebbing-later")
            try:
                begun = self._threads.submit(job)
            except RuntimeError:  # the interpreter is about to end
                return False
            self._under_way.setdefault(owner, set()).add(begun)
        begun.add_done_callback(lambda done: self._ended(owner, done))
        return True

    def _ended(self, owner: str, done: Future[None]) -> None:
        error = done.exception()
        if error is not None:
            logger.error("what was to be written behind an answer was not: %s", error, exc_info=error)
        with self._lock:
            jobs = self._under_way.get(owner, set())
            jobs.discard(done)
            if not jobs:
                self._under_way.pop(owner, None)


def _forget_parent() -> None:
    for one in _all:
        one.reset_after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_parent)
