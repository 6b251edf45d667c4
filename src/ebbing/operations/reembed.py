"""Embed again what another model embedded, or none did.

Only what is live: the archive keeps the vectors it has, and a memory that is brought back from
there is found here the next time. Stopped anywhere, the next run goes on with what is left.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..domain.errors import Invalid
from ..domain.ids import new_id
from ..domain.memory import Memory
from ..lifecycle.operation_context import OperationContext
from ..ports import Embedder, Progress, Vector
from ..ports.model_client import Models

_PAGE = 256  # texts embedded together and written in one transaction


def reembed(work: OperationContext, *, progress: Progress | None = None) -> int:
    """Give every live memory a vector of the current model; tells how many were given one."""
    fingerprint = embedder_of(work.models).fingerprint
    batch = new_id(work.now)
    with work.read() as tx:
        left = sum(count for model, count in tx.index.count_by_model().items() if model != fingerprint)
    after, looked_at, done = "", 0, 0
    while True:
        with work.read() as tx:
            page = tx.index.not_embedded_by(fingerprint, after=after, limit=_PAGE)
        if not page:
            return done
        vectors = work.models.embed([memory.text for memory in page], work.store, work.view)
        done += _write(page, vectors, fingerprint, work, batch)
        after = page[-1].id
        looked_at += len(page)
        if progress is not None:
            progress(looked_at, max(left, looked_at))


def embedder_of(models: Models) -> Embedder:
    if models.embedder is None:
        raise Invalid(
            "there is no model to embed with; open with embedder='auto', or with an object that has embed() "
            "and a fingerprint"
        )
    return models.embedder


def _write(page: Sequence[Memory], vectors: Vector, fingerprint: str, work: OperationContext, batch: str) -> int:
    """What still stands as it was read. The rest was moved, replaced or embedded by someone else meanwhile."""
    with work.write(batch, is_use=False) as unit:
        stored = unit.tx.memories.get([memory.id for memory in page])
        fresh = {
            memory.id: vector
            for memory, vector in zip(page, vectors, strict=True)
            if memory.id in stored and _awaits(stored[memory.id], memory.text, fingerprint)
        }
        if fresh:
            unit.reembed([stored[id_] for id_ in fresh], fresh, fingerprint)
    return len(fresh)


def _awaits(memory: Memory, text: str, fingerprint: str) -> bool:
    return memory.status.live and memory.text == text and memory.fingerprint != fingerprint
