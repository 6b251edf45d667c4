"""Embed again what another model embedded, or none did.

Only what is live: the archive keeps the vectors it has, and a memory that is brought back from
there is found here the next time. Stopped anywhere, the next run goes on with what is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ..domain.errors import Invalid
from ..domain.events import EventKind
from ..domain.ids import new_id
from ..domain.memory import Memory
from ..ports import Embedder, NewEvent, Progress, Store, Vector, View
from ..ports.model_client import Models

_PAGE = 256  # texts embedded together and written in one transaction


def reembed(*, store: Store, view: View, models: Models, now: datetime, progress: Progress | None = None) -> int:
    """Give every live memory a vector of the current model; tells how many were given one."""
    fingerprint = embedder_of(models).fingerprint
    batch = new_id(now)
    with store.read(view) as tx:
        left = sum(count for model, count in tx.fingerprints().items() if model != fingerprint)
    after, looked_at, done = "", 0, 0
    while True:
        with store.read(view) as tx:
            page = tx.foreign(fingerprint, after=after, limit=_PAGE)
        if not page:
            return done
        vectors = models.embed([memory.text for memory in page], store, view)
        done += _write(page, vectors, fingerprint, store, view, now, batch)
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


def _write(
    page: Sequence[Memory], vectors: Vector, fingerprint: str, store: Store, view: View, now: datetime, batch: str
) -> int:
    """What still stands as it was read. The rest was moved, replaced or embedded by someone else meanwhile."""
    with store.write(view) as tx:
        standing = tx.get([memory.id for memory in page])
        fresh = {
            memory.id: vector
            for memory, vector in zip(page, vectors, strict=True)
            if memory.id in standing and _awaits(standing[memory.id], memory.text, fingerprint)
        }
        if fresh:
            tx.reembed([standing[id_].with_(fingerprint=fingerprint) for id_ in fresh], fresh)
            tx.record([_change(standing[id_], fingerprint) for id_ in fresh], at=now, batch=batch)
    return len(fresh)


def _awaits(memory: Memory, text: str, fingerprint: str) -> bool:
    return memory.status.live and memory.text == text and memory.fingerprint != fingerprint


def _change(memory: Memory, fingerprint: str) -> NewEvent:
    return NewEvent(EventKind.REEMBEDDED, memory.id, None, {"from": memory.fingerprint, "to": fingerprint})
