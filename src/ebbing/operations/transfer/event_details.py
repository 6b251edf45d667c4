"""Check the details of imported events.

`restore`, `explain`, `simulate` and others read earlier states from the log. A file with wrong details would make them
fail, or do something else, long after the import; so it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ...domain.event_values import MEMORY_FIELDS
from ...domain.events import EventKind, codecs_of
from ...domain.memory import instant

Detail = Mapping[str, Any]
_FIRST_YEAR = 1970  # before it no clock of this program has recorded anything
# Without these an event of its kind says nothing.
_NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    EventKind.RESTORED: ("to",),
    EventKind.FORGOTTEN: ("was",),
    EventKind.CONTESTED: ("by",),
}


def event_faults(kind: str, at: str, detail: Detail) -> Iterator[str]:
    """What is wrong with an event of the right shape; nothing when all is well."""
    if instant(at).year < _FIRST_YEAR:
        yield f"at is {at}, and nothing was recorded before the year {_FIRST_YEAR}"
    codecs = codecs_of(EventKind(kind))
    for key, value in detail.items():
        codec = codecs.get(key)
        if codec is not None and codec.is_checked and not codec.holds(value):
            yield f"detail.{key}{' of an edit' if kind == EventKind.EDITED else ''} must be {codec.says}"
    if "was_tier" in detail and "tier" not in detail:
        yield "detail.was_tier needs detail.tier"
    if kind == EventKind.EDITED and isinstance(fields := detail.get("was"), Mapping):
        for name, codec in MEMORY_FIELDS.items():
            if name in fields and not codec.holds(fields[name]):
                yield f"detail.was.{name} must be {codec.says}"


def missing_details(kind: str, detail: Detail) -> Iterator[str]:
    """What is missing in an event of a memory in the file. The events of a purged memory are empty."""
    if missing := [name for name in _NEEDED.get(kind, ()) if name not in detail]:
        yield f"the detail of {kind} has no {', '.join(missing)}"
