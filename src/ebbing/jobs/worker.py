"""Sweeps in the background: when a scope is full, in threads; and at the times of the policy, in a loop.

`sweeps` decides whether a trigger leads to a sweep: a scope at its soft limit leads to one, and to another when a tenth
more has come or the policy's rest is over. Only here is every error caught: it is logged, because no caller waits for a
background sweep, what was committed stays, and the next sweep continues.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from cronsim import CronSim

from ..domain import validation
from ..domain.policy import Policy
from ..domain.results import Sweep
from ..engine import Engine
from ..lifecycle.deferred_writes import reset_when_forked
from .owner_fanout import THREADS_MAX, sweep_owners

_TENTH = 10


class Trigger(StrEnum):
    """What asks for a sweep."""

    INGEST_COMPLETE = "ingest_complete"  # something was remembered, and its scope is at the soft limit
    QUERY_COMPLETE = "query_complete"  # something was recalled, and a scope is at the soft limit
    CRON = "cron"  # the policy's time has come
    MEMORY_PRESSURE = "memory_pressure"  # the host asks for room: always
    MANUAL = "manual"  # a caller asks: always


@dataclass(frozen=True, slots=True)
class Asked:
    """When a trigger last led to a sweep, and the active memories of the fullest scope then; 0 if unknown."""

    at: datetime
    active: int


def sweeps(trigger: Trigger, active: int | None, last: Asked | None, now: datetime, policy: Policy) -> bool:
    """Whether a trigger leads to a sweep. `active`: the active memories in the fullest scope that was touched.

    A recall touches no scope, so `active` is unknown for it: it is looked up only if this returns True.
    """
    if trigger not in (Trigger.INGEST_COMPLETE, Trigger.QUERY_COMPLETE):
        return True
    if active is not None and active < policy.sweep.soft_limit:
        return False
    if last is None or not last.at <= now < last.at + policy.sweep.rest:
        return True
    return active is not None and active >= last.active + max(1, last.active // _TENTH)


logger = logging.getLogger(__name__)

_THREADS_MAX = 2  # few, because answers need the processor and the store's connections more
_ASKED_MAX = 1024  # owners in the queue; a trigger beyond it is dropped, and the next one or a round sweeps that owner
_KNOWN_MAX = 10_000  # remembered triggers; after one is evicted, its owner may be swept once before the rest is over
_LONGEST_WAIT_SECONDS = 60.0  # so that a clock that was set, or a machine that slept, is noticed


class ThreadedSweeper:
    """Sweeps for the owners of a store in threads of their own, so that no answer waits for one.

    There is a thread only while there is something to do: one for an owner, and a few in all, behind which other
    owners wait their turn. Asked while an owner's sweep is under way, it goes once more.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._closed = False
        self.reset_after_fork()
        reset_when_forked(self)

    def reset_after_fork(self) -> None:
        """Know of no sweep and no thread."""
        self._lock = threading.Lock()
        self._threads: dict[str, threading.Thread] = {}  # by owner
        self._asked: dict[str, Trigger] = {}  # not begun yet, by owner, who asked first first
        self._last: OrderedDict[tuple[str, Trigger], Asked] = OrderedDict()

    def notify(self, owner: str, trigger: str, active: int | None = None) -> None:
        """Something happened to an owner. `active`: how many memories the fullest scope it touched holds, if known."""
        now = self.engine.clock.now()
        kind = Trigger(trigger)
        with self._lock:
            full = len(self._asked) >= _ASKED_MAX and owner not in self._asked
            if self._closed or full or not self._leads_to_a_sweep(owner, kind, active, now):
                return
            self._asked[owner] = kind
            self._begin()

    def wait(self, owner: str) -> None:
        """Until nothing is under way for an owner. Who still waits for other owners' sweeps is not waited for."""
        with self._lock:
            thread = self._threads.get(owner)
        if thread is not None:
            thread.join()

    def close(self) -> None:
        """Begin nothing more, and let what is under way end."""
        with self._lock:
            self._closed = True
            self._asked.clear()
            threads = list(self._threads.values())
        for thread in threads:
            thread.join()

    def _leads_to_a_sweep(self, owner: str, kind: Trigger, active: int | None, now: datetime) -> bool:
        if not sweeps(kind, active, self._last.get((owner, kind)), now, self.engine.policy):
            return False
        self._last[owner, kind] = Asked(now, active or 0)
        self._last.move_to_end((owner, kind))
        if len(self._last) > _KNOWN_MAX:
            self._last.popitem(last=False)
        return True

    def _begin(self) -> None:
        """A thread for each who waits and has none, as long as there are not too many. The lock is held."""
        for owner in [owner for owner in self._asked if owner not in self._threads]:
            if len(self._threads) >= _THREADS_MAX:
                return
            thread = threading.Thread(target=self._run, args=(owner,), name="ebbing-sweep", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # no more threads are to be had; whatever happens next asks for one again
                return
            self._threads[owner] = thread

    def _run(self, owner: str) -> None:
        while True:
            with self._lock:
                kind = self._asked.pop(owner, None)
                if kind is None:
                    del self._threads[owner]
                    self._begin()
                    return
            try:
                engine = self.engine.for_owner(owner)
                if kind is not Trigger.QUERY_COMPLETE or engine.crowded():
                    engine.sweep(trigger=kind)
            except Exception:
                logger.exception("a sweep after %s failed; the next one goes on where it stopped", kind)


class Worker:
    """Sweeps every owner at the times of the policy."""

    def __init__(self, engine: Engine, *, threads: int = 4, on_swept: Callable[[dict[str, Sweep]], None] | None = None):
        self.engine = engine
        self.threads = validation.count(threads, "threads", THREADS_MAX)
        self.on_swept = on_swept

    def next_at(self, after: datetime) -> datetime:
        """The next time of the policy's cron expression, in UTC."""
        at: datetime = next(CronSim(self.engine.policy.sweep.cron, after.astimezone(UTC)))
        return at

    def step(self) -> dict[str, Sweep]:
        """One round over all owners with anything due; `on_swept` gets the results, errors are logged."""
        try:
            done = sweep_owners(self.engine, threads=self.threads)
        except Exception:
            logger.exception("a round of sweeps did not begin; the next one tries again")
            return {}
        for owner, error in done.errors.items():
            logger.error("owner %r was not swept; the next round tries again: %s", owner, error, exc_info=error)
        if self.on_swept is not None and (done.answers or not done.errors):
            self.on_swept(done.answers)
        return done.answers

    def run(self, stop: threading.Event) -> None:
        """Run rounds until `stop` is set."""
        due = self.next_at(self.engine.clock.now())
        while not stop.is_set():
            left = (due - self.engine.clock.now()).total_seconds()
            if left > 0:
                stop.wait(min(left, _LONGEST_WAIT_SECONDS))
                continue
            self.step()
            due = self.next_at(self.engine.clock.now())
