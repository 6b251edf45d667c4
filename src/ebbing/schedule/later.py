"""What an answer need not wait for: written beside the caller right behind it, and seen by whoever looks next.

A recall is answered before its uses are counted. They are counted by a thread, which begins at once; the next call
for the same owner waits until it is done, and so do closing the engine and the end of the program. Only a crash
within that moment, usually a millisecond or two, costs a count; never anything that was said.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

_WAITING_MAX = 64  # jobs; with more than these under way, whoever brings one does it himself


class Later:
    """Jobs of the engines of one store, one after the other, in a thread that is there once there was one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: ThreadPoolExecutor | None = None
        self._process = os.getpid()
        self._latest: dict[str, Future[None]] = {}  # by owner
        self._waiting = 0
        self._closed = False

    def do(self, owner: str, job: Callable[[], None]) -> None:
        """Have a job done for an owner; right here where too many wait already, or nothing is to begin any more."""
        with self._lock:
            self._forget_parent()
            if not self._closed and self._waiting < _WAITING_MAX:
                self._thread = self._thread or ThreadPoolExecutor(1, "ebbing-later")
                self._waiting += 1
                self._latest[owner] = self._thread.submit(self._do, job)
                return
        job()

    def wait(self, owner: str) -> None:
        """Until everything that was to be done for an owner is done; what went wrong with the last of it is raised."""
        latest = self._latest.get(owner)
        if latest is None or self._process != os.getpid():
            return
        try:
            latest.result()
        finally:
            with self._lock:
                if self._latest.get(owner) is latest:
                    del self._latest[owner]

    def close(self) -> None:
        """Begin nothing more, and let what is under way end."""
        with self._lock:
            self._forget_parent()
            self._closed = True
        if self._thread is not None:
            self._thread.shutdown()

    def _do(self, job: Callable[[], None]) -> None:
        try:
            job()
        finally:
            with self._lock:
                self._waiting -= 1

    def _forget_parent(self) -> None:
        """A process that was forked has no threads but the one it began with; its parent does what was begun there."""
        if self._process != os.getpid():
            self._process, self._thread, self._waiting = os.getpid(), None, 0
            self._latest = {}
