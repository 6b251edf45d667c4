"""The gate: what may come in, and in what form. Refuses with one clear sentence, before anything is written."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from ..domain import validation
from ..domain.durations import duration
from ..domain.errors import Invalid, TooLarge
from ..domain.memory import HARM_MAX, Lifetime, Scope, Source, Tier, Visibility, instant, storable
from ..domain.policy import Policy
from ..domain.results import Fact
from ..lifecycle.operation_context import LIBRARY, Writer
from ..ports import ReadTransaction
from ..text.prompt_envelope import stripped
from ..text.screening.injection import suspicion
from ..text.screening.request import Screened, clean_name, screen, suspicion_around_secrets
from ..text.screening.secrets import Redaction, redacted
from ..text.screening.tombstone_form import tombstone_hashes

# Characters that show nothing and can hide something: zero-width, direction overrides, fillers, tags.
_INVISIBLE = frozenset(
    (
        *(0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0),
        *range(0x180B, 0x1810),
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        *range(0xFFF0, 0xFFFC),
        *range(0x1D173, 0x1D17B),
        *range(0xE0000, 0xE1000),
    )
)
# Joiners and variation selectors are part of how some scripts and emoji are written. One may stand where something
# needs it; rows of them spell out hidden text, and go.
_JOINERS = {0x200C, 0x200D}
_SELECTORS = range(0xFE00, 0xFE10)
_VIRAMA = 9  # the combining class of signs that silence a vowel
_FIRST_JOINED = 0x600  # Latin, Greek, Cyrillic and Hebrew, which lie below, never join
_KEPT_CONTROLS = "\n\t"
_EVIDENCE_MAX = 2048  # characters; it may be an address
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text as it may be kept, and what is to be said about that."""

    text: str  # empty: there was nothing in it but what Ebbing itself had placed in the context
    redacted: tuple[str, ...] = ()  # the kinds of secrets that were taken out of it
    suspicion: str | None = None  # why it looks like an injected instruction


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemoryRequest:
    """What a caller said, checked: every field is as the store will keep it."""

    text: str
    redacted: tuple[str, ...] = ()
    suspicion: str | None = None
    suspect_fields: frozenset[str] = frozenset()  # the fields beside the text that look like an injected instruction
    scope: Scope
    category: str
    categorised: bool = True  # whether the caller gave it …
    importance: float
    importance_given: bool  # … and this
    tier: Tier
    tiered: bool = True  # whether the caller gave it
    lifetime: Lifetime | None = None
    harm: int | None = None
    valid_until: datetime | None = None
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
    extract: bool = False  # whether it is the facts in it that are wanted
    is_update: bool = False  # somebody looked at what it supersedes, and wants that changed, pinned or not …
    version: str | None = None  # … as it was then


def admit(text: str, policy: Policy, *, agent: str | None, writer: Writer = LIBRARY, **given: Any) -> NewMemoryRequest:
    """The caller's words as `NewMemoryRequest`, or `Invalid` with what would be right.

    Every memory that `remember`, `remember_many` and `update` write passes here, so here its trust is limited.
    """
    category = policy.defaults.category if given["category"] is None else given["category"]
    policy.category(category)
    subject, attribute = _address(given["subject"], given["attribute"])
    source = _source(given, agent, writer, policy)
    visibility = validation.member(Visibility, given["visibility"], "visibility")
    if visibility is Visibility.PRIVATE and agent is None:
        raise Invalid("a private memory needs an agent it is private to; open the engine with agent='…'")
    clean = checked(text, policy)
    beside = {
        "scope": Scope(given["scope"]),
        "tags": _tags(given["tags"], policy),
        "metadata": _metadata(given["metadata"], policy),
        "subject": subject,
        "attribute": attribute,
        "source": source.kind,
        "actor": source.actor,
        "session": source.session,
        "evidence": source.evidence,
    }
    screened = screen_fields({"text": clean.text, **beside}, policy)
    fields, said = screened.fields, screened.fields["text"]
    return NewMemoryRequest(
        text=said,
        redacted=(*clean.redacted, *screened.redacted),
        suspicion=clean.suspicion or screened.suspicion,
        suspect_fields=frozenset(screened.suspicions),
        scope=fields["scope"],
        category=category,
        categorised=given["category"] is not None,
        importance=validation.share(given["importance"], "importance", policy.defaults.importance),
        importance_given=given["importance"] is not None,
        tier=policy.defaults.tier if given["tier"] is None else _tier(given["tier"]),
        tiered=given["tier"] is not None,
        lifetime=None if given.get("lifetime") is None else validation.member(Lifetime, given["lifetime"], "lifetime"),
        harm=None if given.get("harm") is None else validation.count(given["harm"], "harm", HARM_MAX, least=0),
        valid_until=None if given.get("valid_until") is None else instant(given["valid_until"]),
        tags=tuple(dict.fromkeys(fields["tags"])),
        metadata=fields["metadata"],
        subject=fields["subject"],
        attribute=fields["attribute"],
        supersedes=() if given["supersedes"] is None else validation.several(given["supersedes"], "supersedes"),
        pinned=validation.flag(given["pinned"], "pinned"),
        expires_in=None if given["expires_in"] is None else duration(given["expires_in"]),
        visibility=visibility,
        source=Source(*(fields[name] for name in ("source", "actor", "session", "evidence"))),
        trust=writer.trust(validation.optional_share(given["trust"], "trust"), source.kind, policy),
        created_at=None if given["created_at"] is None else instant(given["created_at"]),
        extract=validation.flag(given["extract"], "extract"),
    )


def admit_many(
    items: Any, policy: Policy, *, agent: str | None, options: Mapping[str, Any], writer: Writer = LIBRARY
) -> list[NewMemoryRequest]:
    """Every one of many, or the first fault."""
    if isinstance(items, str | bytes | Mapping) or not isinstance(items, Iterable):
        raise Invalid(f"the items to remember are {type(items).__name__}; give a list of texts or of mappings")
    return [admit_item(item, policy, agent=agent, options=options, writer=writer) for item in items]


def admit_item(
    item: str | Mapping[str, Any],
    policy: Policy,
    *,
    agent: str | None,
    options: Mapping[str, Any],
    writer: Writer = LIBRARY,
) -> NewMemoryRequest:
    """One of many: a text, or a text with some of the options; what is left open is as `options` has it."""
    if not isinstance(item, str | Mapping):
        raise Invalid(f"an item to remember is {type(item).__name__}; give a text, or a mapping with one")
    given = {"text": item} if isinstance(item, str) else dict(item)
    unknown = sorted(str(name) for name in given if name != "text" and name not in options)
    if unknown or "text" not in given:
        wrong = f"has no {', '.join(unknown)}" if unknown else "needs a text"
        raise Invalid(f"an item to remember {wrong}; it takes text, {', '.join(options)}")
    return admit(given.pop("text"), policy, agent=agent, writer=writer, **{**options, **given})


def admit_fact(fact: Fact, whole: NewMemoryRequest, policy: Policy) -> NewMemoryRequest:
    """One fact of what was said: its own where it says something, else as the caller wanted the whole."""
    clean = checked(fact.text, policy)
    subject, attribute = (None, None) if whole.subject is not None else (fact.subject, fact.attribute)
    beside = {"scope": whole.scope, "tags": whole.tags, "subject": subject, "attribute": attribute}
    screened = screen_fields({"text": clean.text, **beside}, policy)
    fits = fact.category in policy.categories and not whole.categorised
    return replace(
        whole,
        text=screened.fields["text"],
        redacted=(*whole.redacted, *clean.redacted, *screened.redacted),
        suspicion=clean.suspicion or screened.suspicion,
        category=fact.category if fits else whole.category,
        importance=whole.importance if whole.importance_given else fact.importance,
        extract=False,
        subject=screened.fields["subject"],
        attribute=screened.fields["attribute"],
    )


def screen_fields(fields: Mapping[str, Any], policy: Policy) -> Screened:
    """Every field of a request through the gate, as far as the policy wants it."""
    return screen(fields, redact=policy.gate.redact_secrets, quarantine=policy.gate.quarantine_instructions)


def reason_of(reason: Any, policy: Policy, what: str = "reason") -> str | None:
    """A reason, a session or another name that is kept by itself; secrets are redacted, an instruction is refused."""
    name = validation.optional_name(reason, what)
    if name is None:
        return None
    return clean_name(name, what, redact=policy.gate.redact_secrets, quarantine=policy.gate.quarantine_instructions)


def checked(text: str, policy: Policy) -> Cleaned:
    """A text through the whole gate: its size, what hides in it, what Ebbing said itself, secrets, instructions."""
    shown = cleaned(text, policy.limits.text_bytes)
    said = stripped(shown).strip()
    secrets = redacted(said) if policy.gate.redact_secrets else Redaction(said, ())
    looks = suspicion_around_secrets(said, secrets) if policy.gate.quarantine_instructions else None
    if looks is None and policy.gate.quarantine_instructions and shown != text.strip():
        looks = suspicion(stripped(text))  # what was hidden in it is gone, and whoever hid it meant something
    return Cleaned(secrets.text, secrets.kinds, looks)


def cleaned(text: str, bytes_max: int) -> str:
    """`text` without control and invisible characters; empty or oversized is refused."""
    if not isinstance(text, str):
        raise Invalid(f"the text to remember is {type(text).__name__}, not text")
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise Invalid("the text contains a lone surrogate (half a character); give well-formed Unicode") from None
    if size > bytes_max:
        raise TooLarge(
            f"the text has {size:,} bytes and the limit is {bytes_max:,}; split it, or raise limits.text_bytes"
        )
    clean = (shown(_LINE_ENDS.sub("\n", text)) if _suspicious(text) else text).strip()
    if not clean:
        raise Invalid("the text to remember is empty; say something")
    return clean


def is_buried(text: str, tx: ReadTransaction) -> bool:
    """Whether this text was purged and must not be learned again."""
    return bool(tx.tombstoned(tombstone_hashes(text, tx.salts)))


def _suspicious(text: str) -> bool:
    return not text.isascii() or not text.isprintable()


def shown(text: str) -> str:
    """What of a text can be seen, with its line ends and tabs."""
    kept: list[str] = []
    for index, letter in enumerate(text):
        code = ord(letter)
        before, after = "".join(kept[-1:]), text[index + 1 : index + 2]
        if code in _JOINERS:
            # Behind a virama a joiner shapes the letter before it, also at the end of a word.
            shows = _joins(before) and (_joins(after) or unicodedata.combining(before) == _VIRAMA)
        elif code in _SELECTORS:
            shows = _is_drawn_in_variants(before)
        else:
            shows = code not in _INVISIBLE and (unicodedata.category(letter) != "Cc" or letter in _KEPT_CONTROLS)
        if shows:
            kept.append(letter)
    return "".join(kept)


def _joins(letter: str) -> bool:
    """Whether a joiner beside it means something: letters and marks of joining scripts, and emoji, also future ones."""
    if not letter or ord(letter) < _FIRST_JOINED or ord(letter) in _INVISIBLE:
        return False
    return unicodedata.category(letter) in ("Lo", "Lm", "Mn", "Mc", "So", "Sk", "Cn")


def _is_drawn_in_variants(letter: str) -> bool:
    """Whether a selector behind it means something: symbols, emoji, keycaps, ideographs; not letters, not selectors."""
    if not letter or ord(letter) in _SELECTORS:
        return False
    return letter in "#*0123456789" or unicodedata.category(letter) in ("Lo", "Mn", "So", "Sm", "Sk", "Cn")


def _source(given: Mapping[str, Any], agent: str | None, writer: Writer, policy: Policy) -> Source:
    """Where the memory comes from: as the call says, else the writer's own kind of source."""
    source = given["source"]
    if not isinstance(source, Source):
        source = Source(writer.source if source is None else source, actor=agent, session=given["session"])
    if given["evidence"] is not None:
        source = replace(source, evidence=given["evidence"])
    kind = validation.name(source.kind, "source")
    writer.check_source(kind, policy)
    return Source(
        kind=kind,
        actor=None if source.actor is None else validation.name(source.actor, "actor"),
        session=None if source.session is None else validation.name(source.session, "session"),
        evidence=None if source.evidence is None else validation.name(source.evidence, "evidence", _EVIDENCE_MAX),
    )


def _tier(tier: Any) -> Tier:
    member = validation.member(Tier, tier, "tier")
    if member is Tier.CORE:
        raise Invalid("core memory is written as a block; use set_block(label, text)")
    return member


def _address(subject: Any, attribute: Any) -> tuple[str | None, str | None]:
    if (subject is None) != (attribute is None):
        raise Invalid("an address has two parts: give subject and attribute together, or neither")
    if subject is None:
        return None, None
    return validation.name(subject, "subject"), validation.name(attribute, "attribute")


def _tags(tags: Any, policy: Policy) -> tuple[str, ...]:
    several = () if tags is None else validation.several(tags, "tag")
    if len(several) > policy.limits.tags:
        raise TooLarge(f"{len(several)} tags are too many; the limit is {policy.limits.tags}")
    return tuple(dict.fromkeys(validation.name(tag, "tag") for tag in several))


def _metadata(metadata: Any, policy: Policy) -> Mapping[str, Any]:
    if metadata is None:
        return {}
    try:
        if not isinstance(metadata, Mapping) or not storable(metadata):
            raise Invalid("metadata must be a mapping from text to JSON values, finite and without NUL")
        written = json.dumps(dict(metadata), allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise Invalid(f"metadata cannot be written as JSON: {error}") from None
    size = len(written.encode())
    if size > policy.limits.metadata_bytes:
        raise TooLarge(f"metadata has {size:,} bytes and the limit is {policy.limits.metadata_bytes:,}")
    return json.loads(written)  # type: ignore[no-any-return]
