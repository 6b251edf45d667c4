"""Values under keys in a store that forgets: a namespace is one scope, and its values meet each other there.

What says the same as a stored value strengthens that one, and answers under both keys. What replaces it retires it:
the key of the older answers None from then on. A search returns what answers the question, strengthens it, and does
not return what has faded. A key finds its value as long as it stands, however faded it is.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any
from urllib.parse import unquote

from ..domain.durations import written
from ..domain.memory import Memory, instant
from ..domain.results import Remembered
from ..engine import Engine
from .key_values import Entry, Namespace, check_kept, listed, lives_for, place_of, segment, value_text

_TAG = "key:"


class MergingValues:
    """The values below one scope, with the methods of `KeyValues`."""

    def __init__(self, engine: Engine, scope: str) -> None:
        self._engine = engine
        self._scope = scope.rstrip("/")
        self._writing = threading.Lock()

    def get(self, namespace: Namespace, key: str) -> Entry | None:
        """The value that answers under a key."""
        memory = self._memory(namespace, key)
        return None if memory is None else replace(self._entry(memory), key=key)

    def put(
        self,
        namespace: Namespace,
        key: str,
        value: Mapping[str, Any],
        *,
        text: str | None,
        expires_in: timedelta | None = None,
    ) -> None:
        """Remember a value, or change what a key says."""
        words = text or value_text(value) or key
        span = None if expires_in is None else written(expires_in)
        metadata: dict[str, Any] = {"value": value}
        if expires_in is not None:
            metadata["lives_s"] = expires_in.total_seconds()
        with self._writing:
            last = self._memory(namespace, key)
            if last is None:
                scope = place_of(self._scope, namespace)
                tag = _tag(key)
                outcome = self._engine.remember(
                    words, scope=scope, tags=[tag], metadata=metadata, expires_in=span, source="agent"
                )
                if outcome.reinforced and (known := outcome.memory) is not None and tag not in known.tags:
                    self._engine.update(known.id, tags=[*known.tags, tag])
            else:
                metadata["created_at"] = self._entry(last).created_at.isoformat()
                metadata["updated_at"] = self._engine.clock.now().isoformat()
                changed = self._engine.update(last.id, text=words, metadata=metadata, expires_in=span)
                outcome = _outcome(changed)
        check_kept(outcome, key, value)

    def delete(self, namespace: Namespace, key: str) -> None:
        """Forget what answers under a key; where it answers under others too, only this key goes."""
        with self._writing:
            memory = self._memory(namespace, key)
            if memory is None:
                return
            left = [tag for tag in memory.tags if tag != _tag(key)]
            if any(tag.startswith(_TAG) for tag in left):
                self._engine.update(memory.id, tags=left)
            else:
                self._engine.forget(ids=[memory.id], reason="the key was deleted")

    def below(self, prefix: Namespace) -> Iterator[Entry]:
        """Every value in a namespace or below it, the last remembered first."""
        for memory in listed(self._engine, scope=place_of(self._scope, prefix)):
            if self._is_value(memory):
                yield self._entry(memory)

    def search(self, prefix: Namespace, query: str, *, limit: int) -> Iterator[Entry]:
        """The values that answer, the best first; being found strengthens them."""
        most = min(limit, self._engine.policy.recall.limit_max)
        for one in self._engine.recall(query, limit=most, scope=place_of(self._scope, prefix)):
            if self._is_value(one.memory):
                yield replace(self._entry(one.memory), score=one.score)

    def refresh(self, entry: Entry) -> None:
        """Let a value that was given a time to live live so long from now on."""
        if entry.lives_for is not None:
            self._engine.update(entry.id, expires_in=written(entry.lives_for))

    def _memory(self, namespace: Namespace, key: str) -> Memory | None:
        scope = place_of(self._scope, namespace)
        found = listed(self._engine, scope=scope, tags=[_tag(key)])
        return next((memory for memory in found if memory.scope == scope and self._is_value(memory)), None)

    def _is_value(self, memory: Memory) -> bool:
        current = memory.expires_at is None or memory.expires_at > self._engine.clock.now()
        return current and "value" in memory.metadata and any(tag.startswith(_TAG) for tag in memory.tags)

    def _entry(self, memory: Memory) -> Entry:
        labels = str(memory.scope).removeprefix(self._scope).strip("/").split("/")
        return Entry(
            namespace=tuple(map(unquote, labels)),
            key=unquote(next(tag for tag in memory.tags if tag.startswith(_TAG)).removeprefix(_TAG)),
            value=memory.metadata["value"],
            created_at=instant(memory.metadata.get("created_at", memory.created_at)),
            updated_at=instant(memory.metadata.get("updated_at", memory.created_at)),
            id=memory.id,
            lives_for=lives_for(memory),
        )


def _tag(key: str) -> str:
    return _TAG + segment(key)


def _outcome(changed: Memory) -> Remembered:
    quarantined = changed.status == "quarantined"
    return Remembered(quarantined=[changed]) if quarantined else Remembered(memories=[changed])
