"""Visit many owners, several at a time: each by one thread, and none in another's way.

What fails for one owner is not the others' business: the round goes on, and ends with an
`ExceptionGroup` of what failed, each error noted with its owner. What was done for the others is
committed and stays done; a round is safe to repeat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import TypeVar

from .. import arguments
from ..answers import Sweep
from ..engine import Engine
from ..ports import Progress
from ..reembed import embedder_of

_THREADS_MAX = 64
Answer = TypeVar("Answer")


def sweep_owners(engine: Engine, *, threads: int = 4) -> dict[str, Sweep]:
    """A sweep for every owner for whom anything could be due now; the others are not even looked at."""
    owners = engine.store.owners(due=engine.clock.now(), policy=engine.policy.fingerprint)
    return _visit(owners, lambda owner: engine.for_owner(owner).sweep(trigger="cron"), threads)


def reembed_owners(engine: Engine, *, threads: int = 4, progress: Progress | None = None) -> dict[str, int]:
    """For every owner, how many memories were embedded again. `progress` counts owners, in the caller's thread."""
    embedder_of(engine.models)
    return _visit(engine.store.owners(), lambda owner: engine.for_owner(owner).reembed(), threads, progress)


def _visit(
    owners: Sequence[str], visit: Callable[[str], Answer], threads: int, progress: Progress | None = None
) -> dict[str, Answer]:
    pool = ThreadPoolExecutor(arguments.count(threads, "threads", _THREADS_MAX), thread_name_prefix="ebbing-round")
    futures: dict[Future[Answer], str] = {}
    try:
        futures.update({pool.submit(visit, owner): owner for owner in dict.fromkeys(owners)})
        for done, _ in enumerate(as_completed(futures), 1):
            if progress is not None:
                progress(done, len(futures))
    finally:
        # Interrupted, the round ends with the visits under way; those not begun are left for the next one.
        pool.shutdown(cancel_futures=True)
    return _answers(futures)


def _answers(futures: dict[Future[Answer], str]) -> dict[str, Answer]:
    errors = []
    for future, owner in futures.items():
        error = future.exception()
        if error is not None:
            error.add_note(f"while visiting owner {owner!r}")
            errors.append(error)
    if errors:
        raise BaseExceptionGroup(f"{len(errors)} of {len(futures)} owners could not be visited", errors)
    return {owner: future.result() for future, owner in futures.items()}
