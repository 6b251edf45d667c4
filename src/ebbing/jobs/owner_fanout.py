"""Run a job for many owners, several at a time, each in one thread.

A failure for one owner does not stop the round: it goes on and returns results and errors in the end. Finished work
is committed; a round is safe to repeat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Generic, TypeVar

from ..domain import validation
from ..domain.results import Sweep
from ..engine import Engine
from ..operations.reembed import embedder_of
from ..ports import Progress

THREADS_MAX = 64
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Round(Generic[Answer]):
    """What a round brought, by owner."""

    answers: dict[str, Answer]
    errors: dict[str, BaseException]  # of those who could not be visited

    def complete(self) -> dict[str, Answer]:
        """Every owner's answer; where one is missing, all errors are raised together, each noted with its owner."""
        if self.errors:
            count = len(self.answers) + len(self.errors)
            failed = f"{len(self.errors)} of {count} owners could not be visited"
            raise BaseExceptionGroup(failed, list(self.errors.values()))
        return self.answers


def sweep_owners(engine: Engine, *, threads: int = 4) -> Round[Sweep]:
    """A sweep for every owner for whom anything could be due now; the others are not even looked at."""
    policy = engine.policy
    owners = engine.store.owners(due=engine.clock.now(), policy=policy.fingerprint, budgets=policy.budgets.fingerprint)
    return _visit(owners, lambda owner: engine.for_owner(owner).sweep(trigger="cron"), threads)


def reembed_owners(engine: Engine, *, threads: int = 4, progress: Progress | None = None) -> Round[int]:
    """For every owner, how many memories were embedded again. `progress` counts owners, in the caller's thread."""
    embedder_of(engine.models)
    return _visit(engine.store.owners(), lambda owner: engine.for_owner(owner).reembed(), threads, progress)


def _visit(
    owners: Sequence[str], visit: Callable[[str], Answer], threads: int, progress: Progress | None = None
) -> Round[Answer]:
    pool = ThreadPoolExecutor(validation.count(threads, "threads", THREADS_MAX), thread_name_prefix="ebbing-round")
    futures: dict[Future[Answer], str] = {}
    try:
        futures.update({pool.submit(visit, owner): owner for owner in dict.fromkeys(owners)})
        for done, _ in enumerate(as_completed(futures), 1):
            if progress is not None:
                progress(done, len(futures))
    finally:
        # Interrupted, the round ends with the visits under way; those not begun are left for the next one.
        pool.shutdown(cancel_futures=True)
    errors = {owner: error for future, owner in futures.items() if (error := future.exception()) is not None}
    for owner, error in errors.items():
        error.add_note(f"while visiting owner {owner!r}")
    return Round({owner: future.result() for future, owner in futures.items() if owner not in errors}, errors)
