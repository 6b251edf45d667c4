"""What an answer need not wait for: written beside the caller right behind it, and seen by whoever looks next.

A recall is answered before its uses are counted. They are counted by a thread, which begins at once; the next call
for the same owner waits until it is done, and so do closing the engine and the end of the program. Only a crash
within that moment, usually a millisecond or two, costs a count; never anything that was said.
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
_WAITING_MAX = 64  # jobs; with more than these under way, whoever brings one does it himself


class Threaded(Protocol):
    """What has threads of its own."""

    def begin_anew(self) -> None: ...


_all: weakref.WeakSet[Threaded] = weakref.WeakSet()


def begin_anew_when_forked(one: Threaded) -> None:
    """A process that was forked has no threads but the one it began with; its parent does what was begun there."""
    _all.add(one)


class Later:
    """Jobs of the engines of one store, by owner, in threads that are there once there was one."""

    def __init__(self) -> None:
        self._closed = False
        self.begin_anew()
        begin_anew_when_forked(self)

    def begin_anew(self) -> None:
        """Know of no job and no thread."""
        self._lock = threading.Lock()
        self._threads: ThreadPoolExecutor | None = None
        self._under_way: dict[str, set[Future[None]]] = {}  # by owner

    def do(self, owner: str, job: Callable[[], None]) -> None:
        """Have a job done for an owner; right here where too many wait already, or no thread is to begin any more."""
        if not self._taken(owner, job):
            job()

    def wait(self, owner: str) -> None:
        """Until everything that was to be done for an owner is done. What went wrong with it was told in the log."""
        if owner in self._under_way:
            with self._lock:
                jobs = set(self._under_way.get(owner, ()))
            wait(jobs)

    def close(self) -> None:
        """Begin nothing more, and let what is under way end."""
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
        one.begin_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_parent)
