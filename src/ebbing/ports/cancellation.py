"""A call that somebody waits for in another thread, and may stop waiting for until it has written something.

A thread cannot be stopped. So whoever waits marks the call as given up, and the store asks before each commit: a call
that was given up is rolled back, and one that has committed can no longer be given up. Whoever was told that nothing
was written can rely on it.
"""

from __future__ import annotations

import threading
from contextvars import ContextVar

from ..domain.errors import Unavailable


class WaitedFor:
    """One such call."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._given_up = False
        self._committed = False

    def give_up(self) -> bool:
        """Stop waiting; False when something was written already, and the call is to be waited for."""
        with self._lock:
            self._given_up = not self._committed
            return self._given_up

    def commit(self) -> None:
        """About to commit; `Unavailable` when it was given up."""
        with self._lock:
            if self._given_up:
                raise Unavailable("this took too long, and nobody waits for it any more; nothing was written")
            self._committed = True


current: ContextVar[WaitedFor | None] = ContextVar("ebbing_waited_for", default=None)


def check_before_commit() -> None:
    """For a store: refuse to commit what was given up."""
    call = current.get()
    if call is not None:
        call.commit()
