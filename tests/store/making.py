"""Memories made by hand, for tests that speak to the store itself; and what several ask of an engine."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from ebbing.domain.clock import calendar_day
from ebbing.domain.ids import new_id
from ebbing.domain.memory import Lifetime, Memory, Scope, Source, Status, Tier, Visibility
from ebbing.domain.results import Receipt
from ebbing.engine import Engine
from ebbing.ports import Filter, Found, Question, ReadTransaction, Vector, View, WriteTransaction
from ebbing.testing import FakeEmbedder
from ebbing.text.terms import digest, question_terms

NOW = datetime(2026, 1, 1, 9, tzinfo=UTC)
TODAY = calendar_day(NOW)
MINE = View("mine", every_agent=True)


class HalfEmbedder(FakeEmbedder):
    """Vectors that lose nothing when they are kept at half precision."""

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
        return np.asarray(super().embed(texts, query=query), dtype=np.float16).astype(np.float32)


EMBEDDER = HalfEmbedder(dimensions=16)

_numbers = itertools.count(1)


def memory(text: str | None = None, **given: Any) -> Memory:
    """A memory of `MINE`, made now, with a text of its own and a vector's fingerprint."""
    text = f"thing number {next(_numbers)}" if text is None else text
    values: dict[str, Any] = {
        "id": new_id(NOW),
        "owner": MINE.owner,
        "text": text,
        "created_at": NOW,
        "created_day": TODAY,
        "last_accessed_at": NOW,
        "used_day": TODAY,
        "digest": digest(text),
        "fingerprint": EMBEDDER.fingerprint,
    }
    if "scope" in given:
        given["scope"] = Scope(given["scope"])
    return Memory(**{**values, **given})


def full_memory(**given: Any) -> Memory:
    """A memory in which no field is left as it would be anyway."""
    values: dict[str, Any] = {
        "agent": "scout",
        "visibility": Visibility.PRIVATE,
        "scope": "/projekt/größe 100%_\\'\"",
        "category": "gotcha",
        "tier": Tier.PROCEDURAL,
        "importance": 0.123456789012345678,
        "lifetime": Lifetime.YEARS,
        "harm": 2,
        "created_at": datetime(2019, 2, 28, 23, 59, 59, 999_999, tzinfo=UTC),
        "created_day": TODAY - 2500,
        "last_accessed_at": datetime(2025, 12, 31, 0, 0, 0, 1, tzinfo=UTC),
        "used_day": TODAY - 1,
        "recall_count": 2**31 - 1,
        "level": 0.1 + 0.2,
        "pinned": True,
        "contested": True,
        "expires_at": NOW + timedelta(days=400, microseconds=1),
        "valid_from": NOW - timedelta(days=3000),
        "valid_until": NOW + timedelta(days=3000),
        "restored_at": NOW - timedelta(microseconds=7),
        "held_at": NOW - timedelta(days=2),
        "source": Source("tool", "scout", "session \N{SNOWMAN}", "page 3, “quoted”"),
        "trust": 1 / 3,
        "subject": "the customer's name",
        "attribute": "naïve",
        "supersedes": ("older-1", "older-2"),
        "superseded_by": "newer",
        "derived_from": ("a", "b"),
        "compaction_depth": 2,
        "tags": ("zebra", "apple", "naïve tag", 'with "quotes"', "50%"),
        "metadata": {"deep": {"list": [1, 2.5, None, True, "ü"]}, "empty": {}, "text": "line\nbreak"},
        "tokens": 17,
        "due_at": NOW + timedelta(days=1, microseconds=3),
        "due_day": TODAY + 9,
    }
    return memory(
        'Ünï — "quoted", it\'s 100% \N{GRINNING FACE}\n\tsecond line; DROP TABLE memories', **{**values, **given}
    )


def vectors_of(memories: Sequence[Memory]) -> dict[str, Vector]:
    """A vector for every memory that names a model."""
    embedded = [one for one in memories if one.fingerprint is not None]
    return dict(zip([one.id for one in embedded], EMBEDDER.embed([one.text for one in embedded]), strict=True))


def add(tx: WriteTransaction, *memories: Memory) -> None:
    tx.memories.add(memories, vectors_of(memories))


def ids(memories: Sequence[Memory] | Mapping[str, Memory]) -> list[str]:
    several = memories.values() if isinstance(memories, Mapping) else memories
    return [one.id for one in several]


def question(words: str = "", *, near: str | None = None, archived: bool = False, **where: Any) -> Question:
    """A search for words, for nearness to a text, or for both."""
    return Question(
        terms=tuple(question_terms(words)),
        vector=None if near is None else np.asarray(EMBEDDER.embed([near])[0]),
        fingerprint=None if near is None else EMBEDDER.fingerprint,
        filter=Filter(**where),
        archived=archived,
    )


def found(tx: ReadTransaction, asked: Question, *, nearest: int = 1000) -> dict[str, tuple[float, float]]:
    """Everything a search finds, as id → (lexical, semantic)."""
    search = tx.index.search(asked)
    result: dict[str, tuple[float, float]] = {}
    for part in (search.semantic(nearest), search.lexical()):
        result |= _by_id(search.traces(part.handles), part)
    return result


def _by_id(traces: Any, part: Found) -> dict[str, tuple[float, float]]:
    place = {handle: index for index, handle in enumerate(part.handles.tolist())}
    at = [place[handle] for handle in traces.handles.tolist()]
    return {
        id_: (float(part.lexical[index]), float(part.semantic[index]))
        for id_, index in zip(traces.ids, at, strict=True)
    }


def with_status(status: Status, **given: Any) -> Memory:
    return memory(status=status, **given)


def differing(one: Memory, other: Memory) -> list[str]:
    """The fields in which two memories differ."""
    return [
        entry.name for entry in dataclasses.fields(Memory) if getattr(one, entry.name) != getattr(other, entry.name)
    ]


def told(engine: Engine, text: str, **given: Any) -> Memory:
    return engine.remember(text, **given).memories[0]


def standing(engine: Engine) -> list[str]:
    return sorted(memory.text for memory in engine.list(status="active"))


def waiting(engine: Engine) -> dict[str, list[str]]:
    """What waits for a decision, and against whom it stands."""
    return {one.memory.text: sorted(other.text for other in one.others) for one in engine.review()}


def own_notes(receipt: Receipt) -> list[str]:
    """What a receipt notes, without the sentence about the write-ahead log that stands on every receipt of a server."""
    return [note for note in receipt.notes if "pg_wal" not in note]
