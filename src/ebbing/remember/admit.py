"""The gate: what may come in, and in what form. Refuses with one clear sentence, before anything is written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from typing import Any

from ..domain import validation
from ..domain.durations import duration
from ..domain.errors import Conflict, Invalid, TooLarge
from ..domain.memory import HARM_MAX, Lifetime, Scope, Source, Tier, Visibility, instant, storable
from ..domain.policy import Policy
from ..domain.results import Fact
from ..lifecycle.operation_context import LIBRARY, OperationContext, Writer
from ..ports import Tombstones
from ..text.prompt_envelope import stripped
from ..text.screening.injection import suspicion
from ..text.screening.request import Screened, clean_name, screen, suspicion_around_secrets
from ..text.screening.secrets import Redaction, redacted
from ..text.screening.tombstone_form import tombstone_hashes
from ..text.visible_text import clean_text
from .messages import Turn

_EVIDENCE_MAX = 2048  # characters; it may be an address


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberOptions:
    """The options of one text, with what is assumed where they are left out; nothing of it is checked yet."""

    scope: str = "/"
    category: str | None = None  # None: the policy's default
    importance: float | None = None  # None: as the text says
    lifetime: str | Lifetime | None = None  # None: as the text says
    harm: int | None = None  # None: as the text says
    tier: str | Tier | None = None  # None: the policy's default
    tags: Sequence[str] = ()
    metadata: Mapping[str, Any] | None = None
    subject: str | None = None
    attribute: str | None = None
    supersedes: str | Sequence[str] | None = None
    pinned: bool = False
    expires_in: str | timedelta | None = None  # None: as the policy says
    valid_until: datetime | str | None = None  # None: as the text says
    visibility: str = "shared"
    source: str | Source | None = None  # None: the caller
    evidence: str | None = None
    trust: float | None = None  # None: what the policy grants the source
    extract: bool = False
    session: str | None = None
    created_at: datetime | str | None = None  # None: now


OPTION_NAMES = tuple(one.name for one in fields(RememberOptions))


@dataclass(frozen=True, slots=True)
class PastUse:
    """What the program that had a memory before tells of its use; told of one that is brought in, and of no other."""

    last_used_at: datetime | None = None
    uses: int = 0
    is_counted: bool = False  # the owner's days of use are those of its past; else it ages from now on only


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
    turn: Turn | None = None  # the message of a conversation that it is
    is_update: bool = False  # somebody looked at what it supersedes, and wants that changed, pinned or not …
    version: str | None = None  # … as it was then
    past: PastUse | None = None  # it is brought in from another program


def admit(
    text: str, options: RememberOptions, policy: Policy, *, agent: str | None, writer: Writer = LIBRARY
) -> NewMemoryRequest:
    """The caller's words as `NewMemoryRequest`, or `Invalid` with what would be right.

    Every memory that `remember`, `remember_many` and `update` write passes here, so here its trust is limited.
    """
    category = policy.defaults.category if options.category is None else options.category
    policy.category(category)
    subject, attribute = _address(options.subject, options.attribute)
    source = _source(options, agent, writer, policy)
    visibility = validation.member(Visibility, options.visibility, "visibility")
    if visibility is Visibility.PRIVATE and agent is None:
        raise Invalid("a private memory needs an agent it is private to; open the engine with agent='…'")
    pinned, expires_in = _lasting(options, writer, policy)
    clean = checked(text, policy)
    others = {
        "scope": Scope(options.scope),
        "tags": _tags(options.tags, policy),
        "metadata": _metadata(options.metadata, policy),
        "subject": subject,
        "attribute": attribute,
        "source": source.kind,
        "actor": source.actor,
        "session": source.session,
        "evidence": source.evidence,
    }
    screened = screen_fields({"text": clean.text, **others}, policy)
    fields = screened.fields
    return NewMemoryRequest(
        text=fields["text"],
        redacted=(*clean.redacted, *screened.redacted),
        suspicion=clean.suspicion or screened.suspicion,
        suspect_fields=frozenset(screened.suspicions),
        scope=fields["scope"],
        category=category,
        categorised=options.category is not None,
        importance=validation.share(options.importance, "importance", policy.defaults.importance),
        importance_given=options.importance is not None,
        tier=policy.defaults.tier if options.tier is None else _tier(options.tier),
        tiered=options.tier is not None,
        lifetime=None if options.lifetime is None else validation.member(Lifetime, options.lifetime, "lifetime"),
        harm=None if options.harm is None else validation.count(options.harm, "harm", HARM_MAX, least=0),
        valid_until=None if options.valid_until is None else instant(options.valid_until),
        tags=tuple(dict.fromkeys(fields["tags"])),
        metadata=fields["metadata"],
        subject=fields["subject"],
        attribute=fields["attribute"],
        supersedes=() if options.supersedes is None else validation.several(options.supersedes, "supersedes"),
        pinned=pinned,
        expires_in=expires_in,
        visibility=visibility,
        source=Source(*(fields[name] for name in ("source", "actor", "session", "evidence"))),
        trust=writer.trust(validation.optional_share(options.trust, "trust"), source.kind, policy),
        created_at=None if options.created_at is None else instant(options.created_at),
        extract=validation.flag(options.extract, "extract"),
    )


def admit_many(items: Any, policy: Policy, *, agent: str | None, writer: Writer = LIBRARY) -> list[NewMemoryRequest]:
    """Every one of many, or the first fault."""
    if isinstance(items, str | bytes | Mapping) or not isinstance(items, Iterable):
        raise Invalid(f"the items to remember are {type(items).__name__}; give a list of texts or of mappings")
    return [admit_item(item, policy, agent=agent, writer=writer) for item in items]


def admit_item(
    item: str | Mapping[str, Any], policy: Policy, *, agent: str | None, writer: Writer = LIBRARY
) -> NewMemoryRequest:
    """One of many: a text, or a mapping with a text and some of the options."""
    if not isinstance(item, str | Mapping):
        raise Invalid(f"an item to remember is {type(item).__name__}; give a text, or a mapping with one")
    given = {"text": item} if isinstance(item, str) else dict(item)
    unknown = sorted(str(name) for name in given if name != "text" and name not in OPTION_NAMES)
    if unknown or "text" not in given:
        wrong = f"has no {', '.join(unknown)}" if unknown else "needs a text"
        raise Invalid(f"an item to remember {wrong}; it takes text, {', '.join(OPTION_NAMES)}")
    text = given.pop("text")
    return admit(text, RememberOptions(**given), policy, agent=agent, writer=writer)


def admit_fact(fact: Fact, whole: NewMemoryRequest, policy: Policy) -> NewMemoryRequest:
    """One fact of what was said: its own where it says something, else as the caller wanted the whole."""
    clean = checked(fact.text, policy)
    subject, attribute = (None, None) if whole.subject is not None else (fact.subject, fact.attribute)
    fields = {"scope": whole.scope, "tags": whole.tags, "subject": subject, "attribute": attribute}
    evidence = _quoted(fact, whole)
    screened = screen_fields({"text": clean.text, **fields, "evidence": evidence}, policy)
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
        source=replace(whole.source, evidence=screened.fields["evidence"]),
    )


def _quoted(fact: Fact, whole: NewMemoryRequest) -> str | None:
    """What a fact rests on: of a conversation who said what in which message, else what the caller named."""
    named, turn = whole.source.evidence, whole.turn
    if turn is None or fact.evidence is None:
        return named or fact.evidence
    said = f"{turn.name or turn.role}: “{fact.evidence}”"
    asked = "" if turn.question is None else f"assistant: “{turn.question}” "
    return f"{named or ''}{', ' if named else ''}{asked}{said}"[:_EVIDENCE_MAX]


def screen_fields(fields: Mapping[str, Any], policy: Policy) -> Screened:
    """Every field of a request through the gate, as far as the policy wants it."""
    return screen(fields, redact=policy.gate.redact_secrets, quarantine=policy.gate.quarantine_instructions)


def admit_name(given: Any, what: str, work: OperationContext) -> str | None:
    """A reason or a session as it is kept in the log: secrets are redacted; an instruction is refused, and what was
    purged."""
    name = validation.optional_name(given, what)
    if name is None:
        return None
    gate = work.policy.gate
    clean = clean_name(name, what, redact=gate.redact_secrets, quarantine=gate.quarantine_instructions)
    if " " in clean:  # as in `texts_beside`: to purge the text "work" bars no such reason
        with work.read() as tx:
            stone = next(iter(tx.tombstones.matching(tombstone_hashes(clean, tx.tombstones.salts)).values()), None)
        if stone is not None:
            raise Conflict(f"{what} says what was purged; say it in other words, or lift tombstone {stone}")
    return clean


def checked(text: str, policy: Policy) -> Cleaned:
    """A text through the whole gate: its size, what hides in it, what Ebbing said itself, secrets, instructions."""
    clean = clean_text(text, policy.limits.text_bytes)
    own = stripped(clean).strip()
    secrets = redacted(own) if policy.gate.redact_secrets else Redaction(own, ())
    looks = suspicion_around_secrets(own, secrets) if policy.gate.quarantine_instructions else None
    if looks is None and policy.gate.quarantine_instructions and clean != text.strip():
        looks = suspicion(stripped(text))  # what was hidden in it is gone, and whoever hid it meant something
    return Cleaned(secrets.text, secrets.kinds, looks)


def is_buried(text: str, tombstones: Tombstones) -> bool:
    """Whether this text was purged and must not be learned again."""
    return bool(tombstones.matching(tombstone_hashes(text, tombstones.salts)))


def _source(options: RememberOptions, agent: str | None, writer: Writer, policy: Policy) -> Source:
    """Where the memory comes from: as the call says, else the writer's own kind of source."""
    source = options.source
    if not isinstance(source, Source):
        source = Source(writer.source if source is None else source, actor=agent, session=options.session)
    if options.evidence is not None:
        source = replace(source, evidence=options.evidence)
    kind = validation.name(source.kind, "source")
    writer.check_source(kind, policy)
    return Source(
        kind=kind,
        actor=None if source.actor is None else validation.name(source.actor, "actor"),
        session=None if source.session is None else validation.name(source.session, "session"),
        evidence=None if source.evidence is None else validation.name(source.evidence, "evidence", _EVIDENCE_MAX),
    )


def _lasting(options: RememberOptions, writer: Writer, policy: Policy) -> tuple[bool, timedelta | None]:
    """Whether it is pinned, and its time to live: as far as this writer may say so."""
    pinned = validation.flag(options.pinned, "pinned")
    expires_in = None if options.expires_in is None else duration(options.expires_in)
    if pinned:
        writer.check_may_last("pinning", policy)
    if None not in (expires_in, policy.trust.lifetime) and expires_in > policy.trust.lifetime:  # type: ignore[operator]
        writer.check_may_last(f"expires_in {options.expires_in}", policy)
    return pinned, expires_in


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
