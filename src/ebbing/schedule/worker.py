"""The loops that sweep by themselves: beside the caller when a scope is full, and at the times of the policy.

The only place where any error is caught: a sweep that nobody waits for has nobody to tell. It is
logged, what was done is committed, and the next one goes on.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime

from cronsim import CronSim

from ..answers import Sweep
from ..engine import Engine
from .rounds import sweep_owners
from .triggers import Asked, Trigger, sweeps

logger = logging.getLogger(__name__)

_LONGEST_WAIT_SECONDS = 60.0  # so that a clock that was set, or a machine that slept, is noticed


class Beside:
    """Sweeps for an engine in a thread of its own, so that no answer waits for it.

    There is a thread only while there is something to do. Asked while one is under way, it goes once more.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._pending: Trigger | None = None
        self._last: dict[Trigger, Asked] = {}
        self._looked: datetime | None = None
        self._closed = False

    def ring(self, trigger: str, active: int | None = None) -> None:
        """Something happened. `active`: how many memories the fullest scope it touched holds, if that is known."""
        now = self.engine.clock.now()
        kind = Trigger(trigger)
        if active is None:
            # A question touches no scope; whether one is full is looked up beside, and not for each question.
            if self._looked is not None and self._looked <= now < self._looked + self.engine.policy.sweep.rest:
                return
            self._looked = now
        elif not self._leads_to_a_sweep(kind, active, now):
            return
        with self._lock:
            if self._closed:
                return
            self._pending = kind
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="ebbing-sweep", daemon=True)
                self._thread.start()

    def wait(self) -> None:
        """Until nothing is under way."""
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()

    def close(self) -> None:
        """Begin nothing more, and let what is under way end."""
        with self._lock:
            self._closed = True
            self._pending = None
        self.wait()

    def _leads_to_a_sweep(self, kind: Trigger, active: int, now: datetime) -> bool:
        if not sweeps(kind, active, self._last.get(kind), now, self.engine.policy):
            return False
        self._last[kind] = Asked(now, active)
        return True

    def _run(self) -> None:
        while True:
            with self._lock:
                kind, self._pending = self._pending, None
                if kind is None:
                    self._thread = None
                    return
            try:
                if kind is not Trigger.QUERY_COMPLETE or self.engine.crowded():
                    self.engine.sweep(trigger=kind)
            except Exception:
                logger.exception("a sweep after %s failed; the next one goes on where it stopped", kind)


class Worker:
    """Sweeps every owner at the times of the policy."""

    def __init__(self, engine: Engine, *, threads: int = 4, told: Callable[[dict[str, Sweep]], None] | None = None):
        self.engine = engine
        self.threads = threads
        self.told = told

    def next_at(self, after: datetime) -> datetime:
        """The next time of the policy's cron expression, in UTC."""
        at: datetime = next(CronSim(self.engine.policy.sweep.cron, after.astimezone(UTC)))
        return at

    def step(self) -> dict[str, Sweep]:
        """One round over all owners for whom anything could be due."""
        try:
            swept = sweep_owners(self.engine, threads=self.threads)
        except Exception:
            logger.exception("a round of sweeps did not reach every owner; the next one tries again")
            return {}
        if self.told is not None:
            self.told(swept)
        return swept

    def run(self, stop: threading.Event) -> None:
        """Round after round, until told to stop."""
        due = self.next_at(self.engine.clock.now())
        while not stop.is_set():
            left = (due - self.engine.clock.now()).total_seconds()
            if left > 0:
                stop.wait(min(left, _LONGEST_WAIT_SECONDS))
                continue
            self.step()
            due = self.next_at(self.engine.clock.now())
