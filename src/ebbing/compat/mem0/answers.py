"""The words of mem0: ids as UUIDs, times, messages, and the shapes of what it answers."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from ...domain.errors import Invalid, shown
from ...domain.memory import Memory as Stored
from ...domain.memory import instant
from .filters import Belongs

ID, PROMOTED = "mem0_id", ("role", "actor_id")
_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"  # of Ebbing's ids, five bits each
_FOUND = 20  # what a search or a list gives when the caller says no number, as mem0 2


def messages_of(given: Any) -> list[dict[str, Any]]:
    """Messages as a list, however they were given."""
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    several: Any = [given] if isinstance(given, Mapping) else given
    if not isinstance(several, Sequence) or not all(isinstance(one, Mapping) for one in several):
        raise Invalid(f"messages {shown(given)} are neither text nor a list of messages with role and content")
    return [dict(one) for one in several]


def own_metadata(given: Any) -> dict[str, Any]:
    """Metadata as a caller gave it; what ties a memory to its id is not for callers to say."""
    if given is not None and not isinstance(given, Mapping):
        raise Invalid(f"metadata {shown(given)} is no mapping")
    return {key: value for key, value in (given or {}).items() if key != ID}


def text_of(message: Mapping[str, Any]) -> str:
    """The text of a message, without its pictures."""
    content = message.get("content")
    parts = content if isinstance(content, list) else [content]
    said = [one if isinstance(one, str) else one.get("text") if isinstance(one, Mapping) else None for one in parts]
    return "\n".join(one for one in said if isinstance(one, str)).strip()


def speaker_of(message: Mapping[str, Any]) -> dict[str, str]:
    """Who said a message, as metadata."""
    name = message.get("name")
    told = {"role": str(message.get("role", "user"))}
    return {**told, "actor_id": name} if isinstance(name, str) else told


def promoted(memory: Stored) -> dict[str, Any]:
    """What mem0 answers beside the metadata."""
    return {name: memory.metadata.get(name) for name in PROMOTED}


def tags_of(whose: Belongs) -> list[str]:
    """The tags of what belongs to an agent or a run."""
    return [f"{kind}:{name}" for kind, name in (("agent", whose.agent_id), ("run", whose.run_id)) if name is not None]


def count_of(given: Any) -> int:
    """How many are wanted."""
    if given is None:
        return _FOUND
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise Invalid(f"{shown(given)} is not how many are wanted; give a number from 1 on")
    return given


def time_of(given: Any) -> datetime | None:
    """A time as mem0 takes it: seconds since 1970, ISO 8601, or a day."""
    if given is None:
        return None
    if isinstance(given, int | float) and not isinstance(given, bool):
        try:
            return instant(datetime.fromtimestamp(given, UTC))
        except (OverflowError, ValueError, OSError):
            raise Invalid(f"time {shown(given)} is not in the calendar; give seconds since 1970") from None
    return instant(given)


def history_entry(
    memory_id: str, event: str, before: Stored | None, after: Stored | None, at: datetime, created_at: datetime
) -> dict[str, Any]:
    """One line of a history."""
    one = after or before
    return {
        "id": str(uuid.uuid5(uuid.NAMESPACE_OID, f"{event} {memory_id} {None if one is None else one.id}")),
        "memory_id": memory_id,
        "old_memory": None if before is None else before.text,
        "new_memory": None if after is None else after.text,
        "event": event,
        "created_at": created_at.isoformat(),
        "updated_at": at.isoformat(),
        "is_deleted": event == "DELETE",
        "actor_id": None if one is None else one.metadata.get("actor_id"),
        "role": None if one is None else one.metadata.get("role"),
    }


def external_id(memory: Stored) -> str:
    """The id that a memory has for mem0's callers."""
    return str(memory.metadata.get(ID) or as_uuid(memory.id))


def as_uuid(id_: str) -> str:
    """An id of Ebbing as a UUID: the same number in other letters."""
    number = 0
    for letter in id_:
        place = _LETTERS.find(letter)
        if place < 0:
            return id_
        number = number << 5 | place
    return str(uuid.UUID(int=number)) if number < 1 << 128 else id_


def internal_id(external: Any) -> str:
    """The id of Ebbing that a UUID is; any other text is one already."""
    try:
        number = uuid.UUID(str(external)).int
    except ValueError:
        return str(external)
    return "".join(_LETTERS[number >> shift & 31] for shift in range(125, -1, -5))
