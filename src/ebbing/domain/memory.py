"""The values of a memory: the memory itself, its scope, tier, status and source.

Values only, all frozen. Nothing here knows a clock, a database or a policy.
"""

from __future__ import annotations

import dataclasses
import hashlib
import math
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from operator import attrgetter
from typing import Any, Self, TypeVar

from .errors import Invalid, shown

SCOPE_CHARACTERS_MAX = 512
LATEST_YEAR = 8999  # so that an instant and the longest span (durations.py) never leave the calendar together
HARM_MAX = 3  # of what it would cost to lose a memory
COUNT_MAX = 2**31 - 1  # what a counter of either store holds
Shown = TypeVar("Shown")


class Status(StrEnum):
    """The status of a memory."""

    ACTIVE = "active"  # found by recall
    DETACHED = "detached"  # out of default recall; by id, by listing, or on request
    ARCHIVED = "archived"  # out of the live tables and indexes; searchable on request, slower
    SUPERSEDED = "superseded"  # replaced by a newer memory; never returned beside it
    FORGOTTEN = "forgotten"  # put away by request
    QUARANTINED = "quarantined"  # looked like an injected instruction; waits for review

    @property
    def live(self) -> bool:
        """Whether rows of this status are in the live tables and their indexes."""
        return self in (Status.ACTIVE, Status.DETACHED)


class Tier(StrEnum):
    """How long a memory is meant to live."""

    WORKING = "working"  # minutes to hours, a fixed-size buffer per session
    EPISODIC = "episodic"  # days to weeks: what happened in a session
    SEMANTIC = "semantic"  # weeks to months: facts and preferences
    PROCEDURAL = "procedural"  # months and more: what was confirmed again and again
    CORE = "core"  # for good: the labelled blocks that every context contains


class Lifetime(StrEnum):
    """How long what a memory says is expected to stay true; the shortest first."""

    HOURS = "hours"  # a mood, a current activity
    DAYS = "days"  # an errand, a state of this week
    WEEKS = "weeks"  # a visit, a phase of a project
    MONTHS = "months"  # a course, a job for the season
    YEARS = "years"  # a home, an employer, a preference
    LIFE = "life"  # a name, a birthday, an allergy

    @property
    def rank(self) -> int:
        """0 for the shortest … 5 for the longest."""
        return _LIFETIMES.index(self)


class Visibility(StrEnum):
    """Which agents of an owner see a memory."""

    SHARED = "shared"  # every agent of the owner
    PRIVATE = "private"  # only the agent that wrote it


class Scope(str):
    """A path such as `/project/api`, normalised; `/a` contains `/a/b` and never `/ab`.

    A string, so it can be printed, compared and stored as it is; made by the constructor, so
    there is no way to hold one that is not normalised.
    """

    __slots__ = ()

    def __new__(cls, path: str = "/") -> Self:
        if not isinstance(path, str):
            raise Invalid(f"scope {shown(path)} is not text; write a path such as '/project/api'")
        parts = [part.strip() for part in unicodedata.normalize("NFC", path).split("/")]
        parts = [part for part in parts if part]
        if any(part in (".", "..") for part in parts):
            raise Invalid(f"scope {shown(path)} climbs with dots; write the path itself, such as '/project/api'")
        if any(unicodedata.category(letter) in _UNSEEN for part in parts for letter in part) or any(map(_blank, parts)):
            raise Invalid(f"scope {shown(path)} holds invisible characters; write a plain path such as '/project/api'")
        if not parts and path != "/":
            # An empty variable is not a request for everything: the root has to be written.
            raise Invalid(
                f"scope {shown(path)} must not be empty; the root is '/', a scope is a path such as '/project/api'"
            )
        normal = "/" + "/".join(parts)
        if len(normal) > SCOPE_CHARACTERS_MAX:
            raise Invalid(f"a scope of {len(normal)} characters is too long; the limit is {SCOPE_CHARACTERS_MAX}")
        return super().__new__(cls, normal)

    @property
    def is_root(self) -> bool:
        return self == "/"

    def contains(self, other: str) -> bool:
        """Whether `other` is this scope or lies below it, by whole path segments."""
        return self.is_root or other == self or other.startswith(self + "/")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a memory came from."""

    kind: str = "user"  # who said it: user, model, tool, document, import …
    actor: str | None = None  # the agent or person that wrote it
    session: str | None = None  # the conversation it was said in
    evidence: str | None = None  # a reference to what it rests on


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One thing remembered, with everything that decides how long it stays."""

    id: str
    owner: str
    text: str
    agent: str | None = None
    visibility: Visibility = Visibility.SHARED
    scope: Scope = field(default_factory=Scope)
    category: str = "fact"
    tier: Tier = Tier.SEMANTIC
    status: Status = Status.ACTIVE
    importance: float = 0.5
    lifetime: Lifetime | None = None  # how long it is expected to stay true; None: unknown, its category decides
    harm: int = 0  # what it would cost to lose it: 0 nothing, 1 a nuisance, 2 a loss, 3 dangerous
    created_at: datetime
    created_day: int  # the owner's day of use at creation (clock.py)
    last_accessed_at: datetime
    used_day: int  # the owner's day of use at the last access
    recall_count: int = 0
    level: float = 1.0  # what the stretched curve decays from
    pinned: bool = False
    contested: bool = False  # waits for a person to settle it: contradicted, or merged with another
    expires_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    restored_at: datetime | None = None  # brought back from a rung; starts a new grace period
    held_at: datetime | None = None  # would have left recall then; harmful to lose, so it waits in review
    source: Source = field(default_factory=Source)
    trust: float = 1.0  # the minimum over what it was derived from
    subject: str | None = None  # with `attribute`, an address: writing there again replaces
    attribute: str | None = None
    supersedes: tuple[str, ...] = ()
    superseded_by: str | None = None
    derived_from: tuple[str, ...] = ()
    compaction_depth: int = 0
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)  # a dict has no hash; the memory has one
    tokens: int = 0
    digest: str = ""  # of the normalised text; equal digests are duplicates
    fingerprint: str | None = None  # of the model that made the embedding; None: there is none
    due_at: datetime | None = None  # look at it again no later than this instant …
    due_day: int | None = None  # … or than this day of the owner's use

    def __repr__(self) -> str:
        return f"<Memory {self.id} {self.status} {self.category} {excerpt(self.text)!r}>"

    def with_(self, **changes: Any) -> Memory:
        """This memory with some fields changed."""
        unknown = changes.keys() - _SLOTS.keys()
        if unknown:
            raise TypeError(f"a memory has no field {', '.join(sorted(unknown))}")
        # Slot by slot, past the guard that freezes it, as nobody has seen this one yet: `dataclasses.replace` takes
        # three times as long, and a sweep makes several of each memory it lowers.
        made = object.__new__(Memory)
        for put, value in zip(_SLOTS.values(), _values(self), strict=True):
            put(made, value)
        for name, value in changes.items():
            _SLOTS[name](made, value)
        return made

    @property
    def version(self) -> str:
        """Changes with every field that the owner may change; a use or a new alarm does not change it."""
        content = [self.text, self.scope, self.category, self.tier, self.status, self.importance, self.pinned]
        content += [self.expires_at, self.tags, sorted(self.metadata.items()), self.superseded_by, self.contested]
        content += [self.lifetime, self.harm, self.valid_until]
        return hashlib.blake2b(repr(content).encode(), digest_size=8).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON types; `from_dict` gives the same memory back."""
        plain = {name: getattr(self, name) for name in _FIELDS}
        plain["source"] = dataclasses.asdict(self.source)
        for name, value in plain.items():
            if isinstance(value, datetime):
                plain[name] = value.isoformat()
            elif isinstance(value, tuple):
                plain[name] = list(value)
            elif isinstance(value, str):
                plain[name] = str(value)
        plain["metadata"] = dict(self.metadata)
        return plain

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Memory:
        """The memory that `to_dict` wrote; unknown fields are refused, and values that no memory has."""
        if not isinstance(plain, Mapping):
            raise Invalid(f"this is not a memory: {shown(plain)} is not an object")
        unknown = sorted(str(name) for name in plain if name not in _FIELDS)
        if unknown:
            raise Invalid(f"a memory has no field {', '.join(unknown)}")
        try:
            values = dict(plain)
            for name, fits in _FITS.items():
                if name in values and not fits(values[name]):
                    raise Invalid(f"this is not a memory: its {name} cannot be {shown(values[name])}")
            for name in _INSTANTS & values.keys():
                if values[name] is not None:
                    values[name] = instant(values[name])
            for name, kind in _KINDS.items():
                if name in values:
                    values[name] = kind(values[name])
            return cls(**values)
        except (TypeError, ValueError, RecursionError) as error:
            raise Invalid(f"this is not a memory: {error}") from error


def instant(value: str | datetime) -> datetime:
    """`value` as an instant in UTC; a time without a zone is taken as UTC."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise Invalid(
                f"time {shown(value)} is not understood; write ISO 8601, such as '2026-05-31T14:00:00Z'"
            ) from None
    if not isinstance(value, datetime):
        raise Invalid(f"time {shown(value)} is not a time; give a datetime or ISO 8601 text")
    try:
        at = value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    except OverflowError:
        raise Invalid(f"time {value.isoformat()!r} is not in the calendar once it is taken to UTC") from None
    if at.year > LATEST_YEAR:
        raise Invalid(f"time {value.isoformat()!r} is too far off; the last year is {LATEST_YEAR}")
    return at


def shown_as(say: Callable[[Any], str]) -> Callable[[type[Shown]], type[Shown]]:
    """A class whose values are shown as `say` tells them, in one short line."""

    def with_repr(kind: type[Shown]) -> type[Shown]:
        kind.__repr__ = say  # type: ignore[method-assign]
        return kind

    return with_repr


def excerpt(text: str, most: int = 60) -> str:
    """The beginning of a text in one line, enough to recognise it."""
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most and len(text) <= 4 * most else f"{line[:most].rstrip()}…"


def storable(value: Any) -> bool:
    """Whether every store can keep it: JSON through and through, finite, and text without NUL or half characters."""
    if isinstance(value, str):
        return not _UNSTORABLE.search(value)
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, list | tuple):
        return all(storable(item) for item in value)
    if isinstance(value, Mapping):
        return all(isinstance(key, str) and storable(key) and storable(item) for key, item in value.items())
    return value is None or isinstance(value, int)


def _blank(part: str) -> bool:
    """Whether nothing of it can be seen: it is made of fillers, or of marks that stand on no letter."""
    return all(letter in _FILLERS or unicodedata.category(letter).startswith("M") for letter in part)


_FILLERS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and signs that are drawn as empty space
_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")  # controls, formats, half characters, line and paragraph separators
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
_LIFETIMES = tuple(Lifetime)
_FIELDS = tuple(entry.name for entry in dataclasses.fields(Memory))
_values = attrgetter(*_FIELDS)
_SLOTS: dict[str, Callable[[Memory, Any], None]] = {name: getattr(Memory, name).__set__ for name in _FIELDS}
_INSTANTS = {name for name in _FIELDS if name.endswith("_at") or name.startswith("valid_")}
_KINDS: dict[str, Any] = {
    "scope": Scope,
    "visibility": Visibility,
    "tier": Tier,
    "status": Status,
    "lifetime": lambda value: None if value is None else Lifetime(value),
    "source": lambda value: Source(**dict(value)),
    "supersedes": tuple,
    "derived_from": tuple,
    "tags": tuple,
}


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and storable(value)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= COUNT_MAX


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


# What each kind of field may hold, by its annotation; the kinds not named here are checked by their constructors.
_BY_KIND: dict[str, Callable[[Any], bool]] = {
    "str": _is_text,
    "str | None": lambda value: value is None or _is_text(value),
    "bool": lambda value: isinstance(value, bool),
    "int": _is_count,
    "int | None": lambda value: value is None or _is_count(value),
    "float": _is_share,
    "tuple[str, ...]": lambda value: isinstance(value, list | tuple) and all(map(_is_text, value)),
    "Mapping[str, Any]": lambda value: isinstance(value, Mapping) and storable(value),
    "datetime": lambda value: value is not None,
    "Source": lambda value: (
        isinstance(value, Mapping)
        and all(_is_text(part) or (part is None and name != "kind") for name, part in value.items())
    ),
}
_FITS = {entry.name: _BY_KIND[entry.type] for entry in dataclasses.fields(Memory) if entry.type in _BY_KIND}
_FITS["harm"] = lambda value: _is_count(value) and value <= HARM_MAX
