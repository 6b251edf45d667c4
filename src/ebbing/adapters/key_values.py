"""Values under keys, with versions, as the key-value stores of frameworks have them; kept as memories.

A key is a scope of its own below its namespace: so equal texts under two keys stay two, and nothing that stands under
another key can merge with a value or contradict it. Writing a key again writes the next version, which supersedes the
last. Deleting is forgetting, and can be restored. A value is read back from the metadata exactly as it was given; the
text of the memory is what it is found by. A value that differs, because a secret was redacted, is told as a warning.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from unicodedata import is_normalized
from urllib.parse import quote, unquote

from ..domain.durations import written
from ..domain.errors import Conflict, Invalid
from ..domain.memory import Memory, instant
from ..domain.results import Remembered
from ..engine import Engine
from ..text.screening.request import clean_name

logger = logging.getLogger(__name__)

STANDING = ("active", "detached", "archived")  # a value is there until it is deleted, however faded its memory is
_SUBJECT = "item"  # with the version as attribute its address: a version is never taken for a repetition of another
_KEY = "="  # before a key in a scope; labels have none, so that no key is taken for a namespace
_CATEGORY = "active_decision"  # does not fade where the policy protects it
_UNINDEXED = "(a value that no question finds)"
_PAGE = 1000

Namespace = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A value and where it stands."""

    namespace: Namespace
    key: str
    value: dict[str, Any]
    created_at: datetime  # of its first version
    updated_at: datetime
    id: str  # of the memory that holds it
    lives_for: timedelta | None = None  # after it was written or read; None: it does not expire
    indexed: bool = True
    score: float | None = None  # how well it answers a question; None: nobody asked, or it is not indexed


class KeyValues:
    """The values below one scope."""

    def __init__(self, engine: Engine, scope: str) -> None:
        self._engine = engine
        self._scope = scope.rstrip("/")
        self._writing = threading.Lock()  # the last version is read, and then the next one written

    def get(self, namespace: Namespace, key: str) -> Entry | None:
        """The latest value of a key."""
        versions = self._versions(place_of(self._scope, namespace, key))
        return self._entry(versions[0]) if versions and self._is_current(versions[0]) else None

    def put(
        self,
        namespace: Namespace,
        key: str,
        value: Mapping[str, Any],
        *,
        text: str | None,
        expires_in: timedelta | None = None,
    ) -> None:
        """Write a value. `text` is what it is found by; None: only its key finds it."""
        place = place_of(self._scope, namespace, key)
        if clean_name(place, "the key with its namespace") != place:
            raise Invalid(f"key {key!r:.60} holds a secret; choose another")
        metadata: dict[str, Any] = {"value": value, "indexed": text is not None}
        if expires_in is not None:
            metadata["lives_s"] = expires_in.total_seconds()
        with self._writing:
            versions = self._versions(place)
            if versions and self._is_current(versions[0]):
                metadata["created_at"] = self._entry(versions[0]).created_at.isoformat()
            outcome = self._write(place, text or _UNINDEXED, metadata, versions, expires_in)
        check_kept(outcome, key, value)

    def delete(self, namespace: Namespace, key: str) -> None:
        """Forget a key. `Engine.restore` brings it back."""
        with self._writing:
            if going := [memory.id for memory in self._versions(place_of(self._scope, namespace, key))]:
                self._engine.forget(ids=going, reason="the key was deleted")

    def below(self, prefix: Namespace) -> Iterator[Entry]:
        """Every value in a namespace or below it, the last written first."""
        seen: set[str] = set()
        scope = place_of(self._scope, prefix)
        for memory in listed(self._engine, scope=scope, subject=_SUBJECT):
            if memory.scope not in seen and "value" in memory.metadata:
                seen.add(memory.scope)
                if self._is_current(memory):
                    yield self._entry(memory)

    def search(self, prefix: Namespace, query: str, *, limit: int) -> Iterator[Entry]:
        """The values in a namespace or below it, those that answer best first. What answers nothing comes after them
        with score 0, as in a store that ranks by vectors; then what is not indexed.

        Nothing fades here, and no value is a newer telling of another: so what counts is the probability that a value
        answers, before strength and age.
        """
        found = self._engine.recall(
            query,
            limit=min(limit, self._engine.policy.recall.limit_max),
            scope=place_of(self._scope, prefix),
            metadata={"indexed": True},
            include=STANDING[1:],
            min_score=0,
            reinforce=False,
        )
        values = [one for one in found if one.memory.subject == _SUBJECT and self._is_current(one.memory)]
        for one in sorted(values, key=lambda one: one.parts["probability"], reverse=True):
            yield replace(self._entry(one.memory), score=one.parts["probability"])
        shown = {one.memory.id for one in values}
        rest = [entry for entry in self.below(prefix) if entry.id not in shown]
        yield from (replace(entry, score=0.0) for entry in rest if entry.indexed)
        yield from (entry for entry in rest if not entry.indexed)

    def refresh(self, entry: Entry) -> None:
        """Let a value that was given a time to live live so long from now on."""
        if entry.lives_for is not None:
            self._engine.update(entry.id, expires_in=written(entry.lives_for))

    def _versions(self, place: str) -> list[Memory]:
        """What stands at a key, the latest first: more than one only where two processes wrote at once."""
        found = self._engine.list(scope=place, subject=_SUBJECT, status=STANDING)
        return sorted(found, key=_version, reverse=True)

    def _is_current(self, memory: Memory) -> bool:
        return memory.expires_at is None or memory.expires_at > self._engine.clock.now()

    def _write(
        self,
        place: str,
        text: str,
        metadata: Mapping[str, Any],
        versions: Sequence[Memory],
        expires_in: timedelta | None,
    ) -> Remembered:
        """The next version. What a rule has pinned gives way, as an edited file does, and the next is pinned."""
        engine = self._engine
        pinned = [memory.id for memory in versions if memory.pinned]
        for id_ in pinned:
            engine.unpin(id_)
        outcome = engine.remember(
            text.encode()[: engine.policy.limits.text_bytes].decode(errors="ignore"),
            scope=place,
            category=_CATEGORY if _CATEGORY in engine.policy.protection.categories else None,
            importance=1.0,
            metadata=metadata,
            subject=_SUBJECT,
            attribute=f"version {1 + max(map(_version, versions), default=0)}",
            supersedes=[memory.id for memory in versions] or None,
            pinned=bool(pinned),
            expires_in=None if expires_in is None else written(expires_in),
            source="agent",
        )
        for id_ in [] if outcome.memories else pinned:
            engine.pin(id_)
        return outcome

    def _entry(self, memory: Memory) -> Entry:
        labels = str(memory.scope)[len(self._scope) + 1 :].split("/")
        return Entry(
            namespace=tuple(map(unquote, labels[:-1])),
            key=unquote(labels[-1].removeprefix(_KEY)),
            value=memory.metadata["value"],
            created_at=instant(memory.metadata.get("created_at", memory.created_at)),
            updated_at=memory.created_at,
            id=memory.id,
            lives_for=lives_for(memory),
            indexed=bool(memory.metadata.get("indexed", True)),
        )


def check_kept(outcome: Remembered, key: str, value: Mapping[str, Any]) -> None:
    """Raise where a value was not stored; log a warning where the stored value is not the given one."""
    if outcome.quarantined:
        raise Invalid(
            f"key {key!r:.60} was not written: its value looks like an instruction to a model; it was put aside until "
            "a person has looked at it (`ebbing review`)"
        )
    if outcome.memory is None:
        why = "; ".join([*(one.reason for one in outcome.skipped), *outcome.notes]) or "nothing of it was kept"
        raise Conflict(f"key {key!r:.60} was not written: {why}")
    if any(note.startswith("taken out") for note in outcome.notes):
        kept = outcome.memory.metadata.get("value")
        same = json.dumps(kept, sort_keys=True) == json.dumps(value, sort_keys=True)
        if not same:
            logger.warning("the value of key %.60r was stored without its secrets: %s", key, "; ".join(outcome.notes))


def lives_for(memory: Memory) -> timedelta | None:
    """The time to live that a value was given."""
    seconds = memory.metadata.get("lives_s")
    return None if seconds is None else timedelta(seconds=seconds)


def listed(engine: Engine, **where: Any) -> Iterator[Memory]:
    """Every memory that matches, newest first, read a page at a time."""
    before = None
    while page := engine.list(**where, status=STANDING, before=before, limit=_PAGE):
        yield from page
        before = page[-1].id


def place_of(scope: str, namespace: Namespace, key: str | None = None) -> str:
    """The scope of a namespace, or of a key in it."""
    parts = [scope, *map(segment, namespace), *([] if key is None else [_KEY + segment(key)])]
    return "/".join(parts) or "/"


def segment(label: str) -> str:
    """A label as one part of a scope, which it is read back from by unquoting, whatever its characters are."""
    if not isinstance(label, str):
        raise Invalid(f"label {label!r:.60} is {type(label).__name__}; labels and keys are text")
    composed = is_normalized("NFC", label)
    try:
        quoted = [one if composed and (one.isalnum() or one in "_-") else quote(one, safe="") for one in label]
        return "".join(quoted).replace(".", "%2E")  # which a path may be made of, and a label too
    except UnicodeEncodeError:
        raise Invalid(f"label {label!r:.60} holds half a character; labels and keys are text") from None


def value_text(value: Any) -> str:
    """A value as words to find it by: its texts and numbers, each after the name it has."""
    leaves = list(_leaves(value, ""))
    if len(leaves) == 1:
        return leaves[0][1]
    return "\n".join(f"{name}: {text}" if name else text for name, text in leaves)


def _leaves(value: Any, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _leaves(part, str(key))
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _leaves(part, name)
    elif value is not None and str(value).strip():
        yield name, str(value)


def _version(memory: Memory) -> int:
    return int(str(memory.attribute).removeprefix("version "))
