"""Changing a memory. New words are a new memory that supersedes the old one; everything else is changed in place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from ..domain.errors import Conflict, Invalid, NotFound
from ..domain.memory import Memory, Status
from ..domain.results import Remembered
from ..lifecycle import transitions
from ..lifecycle.conflicts import ConflictState, conflict_state, values_at
from ..lifecycle.operation_context import OperationContext
from ..ports import Tombstones
from ..text.screening.tombstone_form import purged_reason, texts_beside, tombstone_hashes
from .admit import NewMemoryRequest, RememberOptions, admit
from .write import contest

_CHANGEABLE = ("scope", "category", "importance", "lifetime", "harm", "tags", "metadata", "valid_until")


def changed_request(
    memory: Memory, text: str | None, given: Mapping[str, Any], work: OperationContext, *, version: str | None
) -> NewMemoryRequest:
    """The request that would write a memory as it is, with another text or other options.

    Refused where the memory has changed since `version` was read, and where new tags or a new scope call its text a
    secret: the text would stay stored in clear.
    """
    require(memory, version)
    before = _options_of(memory, work)
    request = _admitted(memory.text if text is None else text, replace(before, **given), work)
    is_hidden = text is None and request.text != memory.text
    if is_hidden and _admitted(memory.text, before, work).text != request.text:
        raise Invalid(
            f"memory {memory.id} was not changed: its new tags or scope say that its text is a secret, and that is "
            "stored in clear; purge it, and remember it again without the secret"
        )
    return replace(request, is_update=True, version=version)


def replacement(id_: str, outcome: Remembered) -> Memory:
    """The memory that superseded another, as the outcome of its update tells; Conflict where there is none."""
    found = [*outcome.memories, *outcome.reinforced, *outcome.quarantined]
    if not found:
        raise Conflict(f"memory {id_} was not changed: {'; '.join(one.reason for one in outcome.skipped)}")
    return found[0]


def _admitted(text: str, options: RememberOptions, work: OperationContext) -> NewMemoryRequest:
    return admit(text, options, work.policy, agent=work.view.agent, writer=work.writer)


def _options_of(memory: Memory, work: OperationContext) -> RememberOptions:
    """What `remember` would be told to write this memory as it is; its time to live begins anew.

    A limited writer may not write in the name of a source that is trusted more: the new words are its own then.
    """
    kind = work.writer.own_kind(memory.source.kind, work.policy)
    limited = work.writer.trust_max is not None
    return RememberOptions(
        scope=memory.scope,
        category=memory.category,
        importance=memory.importance,
        lifetime=memory.lifetime,
        harm=memory.harm,
        tier=memory.tier,
        tags=memory.tags,
        metadata=memory.metadata,
        subject=memory.subject,
        attribute=memory.attribute,
        pinned=memory.pinned,
        visibility=memory.visibility,
        source=memory.source if kind == memory.source.kind else None,
        trust=min(memory.trust, work.writer.ceiling(kind, work.policy)) if limited else memory.trust,
        supersedes=memory.id,
    )


def edit(
    id_: str, request: NewMemoryRequest, given: Mapping[str, Any], work: OperationContext, *, version: str | None = None
) -> Memory:
    """Change what was given, and nothing else; one event says what it was before."""
    if suspect := request.suspect_fields.intersection((*given, "fields")):
        named = ", ".join(sorted(suspect))
        raise Invalid(f"memory {id_} was not changed: what it was given ({named}) looks like an instruction to a model")
    with work.write() as unit:
        tx = unit.tx
        memory = tx.memories.get([id_]).get(id_)
        if memory is None:
            raise NotFound(f"there is no memory {id_}")
        require(memory, version)
        values: dict[str, Any] = {name: getattr(request, name) for name in _CHANGEABLE if name in given}
        if request.expires_in is not None:
            values["expires_at"] = work.now + request.expires_in
        changed = memory.with_(**values)
        if changed == memory:
            return memory
        changed = changed.with_(held_at=None)  # whether it would still leave is for the next sweep to say
        if taken := _taken(memory, changed):
            work.writer.check_takes_nothing(memory, ", ".join(taken), work.policy)
        _refuse_purged(memory, changed, tx.tombstones)
        # Moved to an address that has another value: both stay, and a person should settle it.
        is_moved = changed.scope != memory.scope and changed.status.live
        there = values_at(changed, tx.index) if is_moved else []
        rivals = [rival for rival in there if conflict_state(id_, rival.id, tx.events) is not ConflictState.SETTLED]
        step = transitions.edit(memory, changed, "asked to change it", against=tuple(one.id for one in rivals) or None)
        flagged = changed.with_(contested=changed.contested or bool(rivals))
        why = "it stood there when another value was moved in"
        unit.apply([replace(step, after=flagged), *(contest(rival, flagged, why) for rival in rivals)])
        return tx.memories.get([id_])[id_]


def _taken(memory: Memory, changed: Memory) -> list[str]:
    """The fields of which something is taken away or replaced; more weight, more time, a tag more take nothing."""
    taken = {
        "scope": changed.scope != memory.scope,
        "category": changed.category != memory.category,
        "importance": changed.importance < memory.importance,
        "lifetime": _shorter(memory, changed),
        "harm": changed.harm < memory.harm,
        # A later one says that it still holds, which whoever told it did not say.
        "end of truth": changed.valid_until != memory.valid_until,
        "tags": not set(memory.tags) <= set(changed.tags),
        "metadata": not all(
            name in changed.metadata and repr(changed.metadata[name]) == repr(value)
            for name, value in memory.metadata.items()
        ),
        "time to live": _ends_earlier(memory.expires_at, changed.expires_at),
    }
    return [name for name, is_taken in taken.items() if is_taken]


def _ends_earlier(before: datetime | None, after: datetime | None) -> bool:
    return after is not None and (before is None or after < before)


def _shorter(memory: Memory, changed: Memory) -> bool:
    if changed.lifetime is None or memory.lifetime is None:
        return changed.lifetime is not memory.lifetime
    return changed.lifetime.rank < memory.lifetime.rank


def _refuse_purged(memory: Memory, changed: Memory, tombstones: Tombstones) -> None:
    """What was purged does not come back as a tag, in metadata or as a scope; what stands there already may stay."""
    before = set(texts_beside(memory))
    hashes = {
        text: tombstone_hashes(text, tombstones.salts)
        for field, text in texts_beside(changed)
        if (field, text) not in before
    }
    buried = tombstones.matching([hash_ for several in hashes.values() for hash_ in several]) if hashes else {}
    stones = {text: buried[hash_] for text, several in hashes.items() for hash_ in several if hash_ in buried}
    if (why := purged_reason(None, changed, stones)) is not None:
        raise Conflict(f"memory {memory.id} was not changed: {why}")


def require(memory: Memory, version: str | None) -> None:
    """Raise Conflict if the memory was changed since that version of it, or cannot be changed at all."""
    if version is not None and version != memory.version:
        raise Conflict(f"memory {memory.id} has changed since it was read; read it again and decide anew")
    if memory.status is Status.QUARANTINED:
        raise Conflict(f"memory {memory.id} is quarantined; look at it, then settle(id, keep=True) releases it")
    if not memory.status.live and memory.status is not Status.ARCHIVED:
        raise Conflict(f"memory {memory.id} is {memory.status}; restore it before you change it")
