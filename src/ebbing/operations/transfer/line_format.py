"""What may stand on a line of an export: each kind's shape, written and read.

The shapes are stricter than JSON asks: whatever passes them can be stored by either engine.
"""

from __future__ import annotations

import base64
import binascii
import dataclasses
import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ...domain.errors import Invalid
from ...domain.events import Event, EventKind
from ...domain.memory import COUNT_MAX, LATEST_YEAR, Memory, Visibility, instant, storable
from ...ports import Tombstone, Vector
from ...text.terms import digest
from .event_details import event_faults

FORMAT = 1
KINDS = ("header", "salt", "day", "tombstone", "memory", "event", "end")  # in the order in which they follow
OPENING = b'{"kind":"header"'

_SALT_BYTES = 32
_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
_HALF = np.dtype("<f2")
_LENGTH_MOST = 1.01  # half precision rounds
_DAY_MOST = date(LATEST_YEAR, 12, 31).toordinal()
# Of a memory: the header names the owner, the rest follows from what is written.
_LEFT_OUT = {"owner", "digest", "due_at", "due_day"}
_SINCE = ("lifetime", "harm", "held_at")  # exports of earlier versions have none of these
_COUNTED = {"created_day", "used_day"}  # in the owner's own counting of days

Line = dict[str, Any]


class Rule(NamedTuple):
    """What a field must be, in words and as a test."""

    says: str
    holds: Callable[[Any], bool]


def _moment(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(instant(value))
    except Invalid:
        return False


def _date(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(date.fromisoformat(value))
    except ValueError:
        return False


def _bytes(value: Any) -> bytes | None:
    try:
        return base64.b64decode(value, validate=True) if isinstance(value, str) else None
    except (binascii.Error, ValueError):
        return None


def _vector(value: Any) -> bool:
    packed = _bytes(value)
    if not packed or len(packed) % _HALF.itemsize:
        return False
    numbers = np.frombuffer(packed, dtype=_HALF).astype(np.float32)
    # Those that this program writes have length 1. A longer one would stand above all others in every search.
    return bool(np.isfinite(numbers).all()) and float(np.linalg.norm(numbers)) <= _LENGTH_MOST


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= COUNT_MAX


def _or_null(rule: Rule) -> Rule:
    return Rule(f"{rule.says}, or null", lambda value: value is None or rule.holds(value))


def _list_of(rule: Rule) -> Rule:
    return Rule(f"a list of {rule.says}", lambda v: isinstance(v, list) and all(rule.holds(part) for part in v))


ANY = Rule("anything", lambda _: True)  # `Memory` itself knows what it may be
TEXT = Rule("text without NUL or half characters", lambda v: isinstance(v, str) and storable(v))
FILLED = Rule(f"{TEXT.says} that is not empty", lambda v: TEXT.holds(v) and bool(v.strip()))
ID = Rule("an id, up to 64 letters, digits, - or _", lambda v: isinstance(v, str) and bool(_ID.fullmatch(v)))
COUNT = Rule(f"a whole number from 0 to {COUNT_MAX}", _count)
# The first day of use has the number of its date in the calendar, and each further one the next number.
DAY = Rule(f"a whole number from 0 to {_DAY_MOST}", lambda v: _count(v) and v <= _DAY_MOST)
MOMENT = Rule("an ISO 8601 time", _moment)
OBJECT = Rule("an object that can be stored", lambda v: isinstance(v, Mapping) and storable(v))

SHAPES: Mapping[str, Mapping[str, Rule]] = {
    "header": {"format": COUNT, "owner": FILLED, "at": MOMENT, "memories": COUNT},
    "salt": {"salt": Rule(f"{_SALT_BYTES} bytes in base64", lambda v: len(_bytes(v) or b"") == _SALT_BYTES)},
    "day": {"date": Rule("an ISO 8601 date", _date), "day": DAY},
    "tombstone": {"id": ID, "hash": ID, "receipt": ID, "at": MOMENT},
    "memory": {entry.name: ANY for entry in dataclasses.fields(Memory) if entry.name not in _LEFT_OUT}
    | {
        "id": ID,
        "text": FILLED,
        "category": FILLED,
        "agent": _or_null(FILLED),
        "subject": _or_null(FILLED),
        "attribute": _or_null(FILLED),
        "supersedes": _list_of(ID),
        "superseded_by": _or_null(ID),
        "derived_from": _list_of(ID),
        "vector": _or_null(Rule("finite half-precision numbers in base64, of length 1 at most", _vector)),
    },
    "event": {
        "at": MOMENT,
        "event": Rule(f"one of {', '.join(EventKind)}", lambda v: isinstance(v, str) and v in list(EventKind)),
        "memory": _or_null(ID),
        "batch": ID,
        "actor": _or_null(TEXT),
        "session": _or_null(TEXT),
        "reason": _or_null(TEXT),
        "detail": OBJECT,
    },
    "end": {"events": COUNT},
}


def header_line(owner: str, at: datetime, memories: int) -> Line:
    return {"kind": "header", "format": FORMAT, "owner": owner, "at": at.isoformat(), "memories": memories}


def salt_line(salt: bytes) -> Line:
    return {"kind": "salt", "salt": base64.b64encode(salt).decode()}


def day_line(day: date, number: int) -> Line:
    return {"kind": "day", "date": day.isoformat(), "day": number}


def tombstone_line(stone: Tombstone) -> Line:
    fields = {"id": stone.id, "hash": stone.hash, "receipt": stone.receipt, "at": stone.at.isoformat()}
    return {"kind": "tombstone", **fields}


def memory_line(memory: Memory, vector: Vector | None) -> Line:
    """A memory and its embedding. One whose embedding is lost says that it has none, so that `reembed` finds it."""
    fields = {name: value for name, value in memory.to_dict().items() if name not in _LEFT_OUT}
    if vector is None:
        return {"kind": "memory", **fields, "fingerprint": None, "vector": None}
    return {"kind": "memory", **fields, "vector": base64.b64encode(vector.astype(_HALF).tobytes()).decode()}


def event_line(event: Event) -> Line:
    """An event. Its number is not written: numbers are each store's own, and the order of lines is the order."""
    return {
        "kind": "event",
        "at": event.at.isoformat(),
        "event": event.kind.value,
        "memory": event.memory,
        "batch": event.batch,
        "actor": event.actor,
        "session": event.session,
        "reason": event.reason,
        "detail": dict(event.detail),
    }


def end_line(events: int) -> Line:
    return {"kind": "end", "events": events}


def written(line: Line) -> str:
    return json.dumps(line, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def parsed(raw: bytes) -> Line:
    """The object on a line, or a `ValueError` that says why there is none."""
    try:
        line = json.loads(raw.decode(), parse_constant=_no_number)
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON: {error.msg} at character {error.pos + 1}") from None
    except ValueError as error:
        raise ValueError(f"is not JSON: {error}") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    if not isinstance(line, dict):
        raise ValueError("is not a JSON object")  # noqa: TRY004 - a fault of the file, not of the call
    return line


def faults(line: Line) -> Iterator[str]:
    """What is wrong with a line of a known kind; nothing when all is well."""
    shape = SHAPES[line["kind"]]
    wrong = []
    since = _SINCE if line["kind"] == "memory" else ()
    if missing := [name for name in shape if name not in line and name not in since]:
        wrong.append(f"it has no {', '.join(missing)}")
    if unknown := sorted(set(line) - {"kind", *shape}):
        wrong.append(f"it has what a {line['kind']} has not: {', '.join(unknown)}")
    for name, rule in shape.items():
        if name in line and not rule.holds(line[name]):
            wrong.append(f"{name} is {_short(line[name])}, and must be {rule.says}")
    yield from wrong
    if line["kind"] == "memory" and not wrong:
        yield from _memory_faults(line)
    if line["kind"] == "event" and not wrong:
        yield from event_faults(line["event"], line["at"], line["detail"])


def _memory_faults(line: Line) -> Iterator[str]:
    try:
        to_memory(line, "owner")
    except Invalid as error:
        yield str(error)
        return
    for one, other in (("fingerprint", "vector"), ("subject", "attribute")):
        if (line[one] is None) != (line[other] is None):
            yield f"{one} and {other} belong together: give both, or null for both"
    if line["visibility"] == Visibility.PRIVATE and line["agent"] is None:
        yield "it is private, and names no agent"


def to_memory(line: Line, owner: str) -> Memory:
    fields = {name: value for name, value in line.items() if name not in ("kind", "vector")}
    return Memory.from_dict({**fields, "owner": owner, "digest": digest(line["text"])})


def to_vector(line: Line) -> Vector | None:
    packed = _bytes(line["vector"])
    return None if packed is None else np.frombuffer(packed, dtype=_HALF).astype(np.float32)


def to_event(line: Line) -> Event:
    fields = {name: value for name, value in line.items() if name not in ("kind", "event", "at")}
    return Event(seq=0, at=instant(line["at"]), kind=EventKind(line["event"]), **fields)


def to_tombstone(line: Line) -> Tombstone:
    return Tombstone(line["id"], line["hash"], line["receipt"], instant(line["at"]))


def to_day(line: Line) -> tuple[date, int]:
    return date.fromisoformat(line["date"]), line["day"]


def to_salt(line: Line) -> bytes:
    return base64.b64decode(line["salt"])


def same(one: Memory, other: Memory) -> bool:
    """Whether two memories say the same, whoever has them and however their days are counted."""
    fields, others = one.to_dict(), other.to_dict()
    return all(fields[name] == others[name] for name in fields if name not in _LEFT_OUT | _COUNTED)


def _short(value: Any) -> str:
    shown = json.dumps(value)
    return shown if len(shown) <= 40 else f"{shown[:39]}…"


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")
