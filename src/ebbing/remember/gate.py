"""The gate: what may come in, and in what form. Refuses with one clear sentence, before anything is written."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from .. import arguments
from ..durations import duration
from ..errors import Invalid, TooLarge
from ..model import Scope, Source, Tier, Visibility, instant
from ..policy import Policy
from ..ports import Reading
from ..terms import salted

# Characters that show nothing and can hide something: zero-width, direction overrides, tags.
_INVISIBLE = dict.fromkeys(
    (
        *(0x00AD, 0x061C, 0x180E, 0xFEFF),
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        *range(0xE0000, 0xE0080),
    )
)
# Joiners are part of how some scripts and emoji are written; they go only where nothing needs them.
_JOINERS = {0x200C, 0x200D}
_KEPT_CONTROLS = "\n\t"


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a caller said, checked: every field is as the store will keep it."""

    text: str
    scope: Scope
    category: str
    importance: float
    tier: Tier
    tags: tuple[str, ...]
    metadata: Mapping[str, Any] = field(default_factory=dict)
    subject: str | None
    attribute: str | None
    supersedes: tuple[str, ...]
    pinned: bool
    expires_in: timedelta | None
    visibility: Visibility
    source: Source
    trust: float
    created_at: datetime | None


def admit(text: str, policy: Policy, *, agent: str | None, **given: Any) -> Said:
    """The caller's words as `Said`, or `Invalid` with what would be right."""
    category = policy.defaults.category if given["category"] is None else given["category"]
    policy.category(category)
    subject, attribute = _address(given["subject"], given["attribute"])
    source = given["source"]
    if not isinstance(source, Source):
        source = Source(kind=arguments.name(source, "source"), actor=agent, session=given["session"])
    visibility = arguments.member(Visibility, given["visibility"], "visibility")
    if visibility is Visibility.PRIVATE and agent is None:
        raise Invalid("a private memory needs an agent it is private to; open the engine with agent='…'")
    supersedes = given["supersedes"] or ()
    return Said(
        text=cleaned(text, policy.limits.text_bytes),
        scope=Scope(given["scope"]),
        category=category,
        importance=arguments.share(given["importance"], "importance", policy.defaults.importance),
        tier=policy.defaults.tier if given["tier"] is None else arguments.member(Tier, given["tier"], "tier"),
        tags=_tags(given["tags"], policy),
        metadata=_metadata(given["metadata"], policy),
        subject=subject,
        attribute=attribute,
        supersedes=(supersedes,) if isinstance(supersedes, str) else tuple(supersedes),
        pinned=bool(given["pinned"]),
        expires_in=None if given["expires_in"] is None else duration(given["expires_in"]),
        visibility=visibility,
        source=source,
        trust=arguments.share(given["trust"], "trust", policy.trust.of(source.kind)),
        created_at=None if given["created_at"] is None else instant(given["created_at"]),
    )


def cleaned(text: str, bytes_max: int) -> str:
    """`text` without control and invisible characters; empty or oversized is refused."""
    if not isinstance(text, str):
        raise Invalid(f"the text to remember is {type(text).__name__}, not text")
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise Invalid("the text holds half a character (a lone surrogate); give well-formed Unicode") from None
    if size > bytes_max:
        raise TooLarge(
            f"the text has {size:,} bytes and the limit is {bytes_max:,}; split it, or raise limits.text_bytes"
        )
    clean = "".join(_shown(text, index) for index in range(len(text))) if _suspicious(text) else text
    clean = clean.strip()
    if not clean:
        raise Invalid("the text to remember is empty; say something")
    return clean


def buried_among(digests: Sequence[str], tx: Reading) -> dict[str, str]:
    """Which texts, by digest, were purged and must not be learned again, and the tombstone of each."""
    hashes = {salted(digest, salt): digest for digest in digests for salt in tx.salts}
    return {hashes[hash_]: tombstone for hash_, tombstone in tx.buried(list(hashes)).items()}


def _suspicious(text: str) -> bool:
    return not text.isascii() or not text.isprintable()


def _shown(text: str, index: int) -> str:
    letter = text[index]
    code = ord(letter)
    if code in _JOINERS:
        between = 0 < index < len(text) - 1 and ord(text[index - 1]) > 0x2FF and ord(text[index + 1]) > 0x2FF
        return letter if between else ""
    if code in _INVISIBLE or (unicodedata.category(letter) == "Cc" and letter not in _KEPT_CONTROLS):
        return ""
    return letter


def _address(subject: Any, attribute: Any) -> tuple[str | None, str | None]:
    if (subject is None) != (attribute is None):
        raise Invalid("an address has two parts: give subject and attribute together, or neither")
    if subject is None:
        return None, None
    return arguments.name(subject, "subject"), arguments.name(attribute, "attribute")


def _tags(tags: Any, policy: Policy) -> tuple[str, ...]:
    several = [tags] if isinstance(tags, str) else list(tags or ())
    if len(several) > policy.limits.tags:
        raise TooLarge(f"{len(several)} tags are too many; the limit is {policy.limits.tags}")
    return tuple(dict.fromkeys(arguments.name(tag, "tag") for tag in several))


def _metadata(metadata: Any, policy: Policy) -> Mapping[str, Any]:
    if metadata is None:
        return {}
    if not isinstance(metadata, Mapping) or not all(isinstance(key, str) for key in metadata):
        raise Invalid("metadata must be a mapping from text to JSON values")
    try:
        written = json.dumps(dict(metadata), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise Invalid(f"metadata cannot be written as JSON: {error}") from None
    if len(written) > policy.limits.metadata_bytes:
        raise TooLarge(f"metadata has {len(written):,} bytes and the limit is {policy.limits.metadata_bytes:,}")
    return json.loads(written)  # type: ignore[no-any-return]
