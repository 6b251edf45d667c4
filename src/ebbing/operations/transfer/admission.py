"""Which lines of an export are accepted, and how: a file is untrusted input, whatever owner its header names.

Every text is screened as in `remember`: secrets are redacted, and what looks like an injected instruction is
quarantined, whatever its status in the file. A memory has at most the trust of an import. Core blocks and tombstones
are taken on request only. `trusted` is for a backup that you made yourself: it keeps its trust, blocks and tombstones,
and is screened all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from ...domain.errors import Denied, Invalid
from ...domain.event_values import with_trust_at_most
from ...domain.events import Event
from ...domain.memory import Memory, Scope, Source, Status, Tier
from ...domain.policy import Policy
from ...lifecycle.operation_context import AHEAD_MAX, OperationContext
from ...ports import Vector, View
from ...text.prompt_envelope import stripped
from ...text.screening.request import clean_name, screen, suspicion_around_secrets, without_secrets
from ...text.screening.secrets import Redaction, redacted
from ...text.terms import digest
from .validate_file import Contents

CountTokens = Callable[[str], int]
Pair = tuple[Memory, Vector | None]
_NAMES = ("category", "agent", "subject", "attribute")  # free texts of a memory that are kept as they are
_WITHHELD = "[withheld: it looked like an instruction to a model]"


@dataclass(frozen=True, slots=True)
class Terms:
    """What the caller of an import allows."""

    trusted: bool = False
    tombstones: bool = False
    blocks: bool = False
    trust_max: float = 1.0
    count_tokens: CountTokens | None = None


def terms(work: OperationContext, *, trusted: bool, tombstones: bool, blocks: bool) -> Terms:
    """What the caller of one import allows, as far as it may; Denied where a caller of limited trust asks for a trusted
    import."""
    limit = work.writer.trust_max
    if trusted and limit is not None and limit < work.policy.trust.of("user"):
        raise Denied(
            "a trusted import brings in what the user is said to have written, and this caller is trusted "
            f"{limit:g} at most; import it without trusted, or as a caller with the right write-as-user"
        )
    ceiling = work.writer.ceiling("import", work.policy)
    return Terms(trusted, tombstones, blocks, ceiling, work.models.count_tokens)


@dataclass(slots=True)
class Admission:
    """The memories and events of one file, as they may come in."""

    contents: Contents
    policy: Policy
    terms: Terms
    reader: View  # what this caller sees: an agent brings in nothing for other agents alone
    now: datetime
    left_out: dict[str, str] = field(default_factory=dict)  # id → why a memory does not come in
    quarantined: dict[str, str] = field(default_factory=dict)  # id → why it comes in quarantined
    redacted: dict[str, tuple[str, ...]] = field(default_factory=dict)  # id → the kinds of secrets taken out
    _clean: dict[str, int] = field(default_factory=dict)  # id → the hash of what was found harmless, read once before

    @property
    def owner(self) -> str:
        """Whose export the file says it is."""
        wants = self.policy.gate
        return str(_event_text(self.contents.owner, wants.redact_secrets, wants.quarantine_instructions))

    @property
    def takes_tombstones(self) -> bool:
        return self.terms.trusted or self.terms.tombstones

    def memories(self, owner: str) -> Iterator[Pair]:
        """Those of the file, screened, without those that are left out."""
        for memory, vector in self.contents.memories(owner):
            why = self._refusal(memory)
            if why is not None:
                self.left_out[memory.id] = why
                continue
            screened, kept_vector = self._screened(memory, vector)
            if screened.text:
                yield self._believed(screened), kept_vector
            else:
                self.left_out[memory.id] = "it held only what Ebbing had placed in a context"

    def events(self) -> Iterator[Event]:
        """Those of the file, screened. Of an untrusted file only the history of memories that come in with it."""
        for event in self.contents.events():
            if self._is_ahead(event.at):
                continue
            known = event.memory in self.contents.ids and event.memory not in self.left_out
            if known or self.terms.trusted or (self.terms.tombstones and event.memory not in self.left_out):
                yield self._screened_event(event)

    def notes(self) -> tuple[str, ...]:
        """What the caller should know about what was left out or changed."""
        kinds = sorted({kind for several in self.redacted.values() for kind in several})
        why: dict[str, int] = {}
        for reason in self.left_out.values():
            why[reason] = why.get(reason, 0) + 1
        left_out = [f"{count} left out: {reason}" for reason, count in why.items()]
        if self.quarantined:
            left_out.append(
                f"{len(self.quarantined)} quarantined: they look like injected instructions; `review` lists them"
            )
        if kinds:
            left_out.append(f"taken out before it was stored: {', '.join(kinds)}")
        if self.contents.tombstones and not self.takes_tombstones:
            left_out.append(f"{len(self.contents.tombstones)} tombstones left out; tombstones=True takes them")
        return tuple(left_out)

    def _refusal(self, memory: Memory) -> str | None:
        """Why a memory of another agent, of the future or of the core does not come in; None for what may."""
        if not self.reader.sees(memory):
            return "private memories of other agents"
        if any(map(self._is_ahead, (memory.created_at, memory.last_accessed_at, memory.restored_at))):
            return "dated more than a day ahead; trusted=True takes them from a backup that you made yourself"
        if memory.tier is not Tier.CORE or self.terms.trusted:
            return None
        if not self.terms.blocks:
            return "core blocks; blocks=True takes them"
        most = self.policy.budgets.core.get(str(memory.attribute))
        count = self.terms.count_tokens
        if most is not None and count is not None and count(memory.text) > most:
            return "core blocks that are longer than their label allows"
        return None

    def _is_ahead(self, at: datetime | None) -> bool:
        """Whether an untrusted file dates something further ahead than clocks differ. It would win over whatever is
        said until then, and fade from then on only."""
        return not self.terms.trusted and at is not None and at - self.now > AHEAD_MAX

    def _believed(self, memory: Memory) -> Memory:
        """The memory with no more trust than an import has, and no more than its own kind of source has."""
        if self.terms.trusted:
            return memory
        granted = self.policy.trust
        most = min(granted.of("import"), granted.of(memory.source.kind), self.terms.trust_max)
        count = self.terms.count_tokens
        tokens = memory.tokens if count is None else count(memory.text)
        return memory.with_(trust=min(memory.trust, most), tokens=tokens)

    def _screened(self, memory: Memory, vector: Vector | None) -> Pair:
        """A memory through the gate. What was harmless when the file was first read is not looked at again."""
        seen = hash((memory.text, memory.scope, memory.tags, repr(memory.metadata), memory.source, memory.fingerprint))
        seen ^= hash(tuple(getattr(memory, name) for name in _NAMES))
        if self._clean.get(memory.id) == seen:
            return memory, vector
        wants = self.policy.gate
        text = stripped(memory.text).strip()
        secrets = redacted(text) if wants.redact_secrets and text else Redaction(text, ())
        why = suspicion_around_secrets(text, secrets) if wants.quarantine_instructions else None
        text, kinds = secrets.text, secrets.kinds
        fields = {"text": text, **_fields_beside(memory)}
        screened = screen(fields, redact=wants.redact_secrets, quarantine=wants.quarantine_instructions)
        why = why or screened.suspicion
        kept, same = _rebuilt(memory, screened.fields)
        if why is None and kept == memory:
            self._clean[memory.id] = seen
            return memory, vector
        if kinds or screened.redacted:
            self.redacted[memory.id] = (*kinds, *screened.redacted)
        if why is not None and not self._released(memory):
            kept = self._apart(kept, why)
        return kept, vector if same else None

    def _released(self, memory: Memory) -> bool:
        """Whether a person released it after a review: only a backup of one's own is believed to say so."""
        return self.terms.trusted and memory.id in self.contents.released

    def _apart(self, memory: Memory, why: str) -> Memory:
        self.quarantined[memory.id] = why
        tier = self.policy.defaults.tier if memory.tier is Tier.CORE else memory.tier
        waits = {"contested": False, "held_at": None}
        return memory.with_(status=Status.QUARANTINED, pinned=False, superseded_by=None, tier=tier, **waits)

    def _screened_event(self, event: Event) -> Event:
        wants = self.policy.gate
        flags = (wants.redact_secrets, wants.quarantine_instructions)
        return replace(
            event,
            actor=_event_text(event.actor, *flags),
            session=_event_text(event.session, *flags),
            reason=_event_text(event.reason, *flags),
            detail=self._believed_detail(_event_value(event.detail, *flags)),
        )

    def _believed_detail(self, detail: dict[str, Any]) -> Mapping[str, Any]:
        """The details of an event without more trust than a restore may give back: that of an import."""
        if self.terms.trusted:
            return detail
        return with_trust_at_most(detail, min(self.policy.trust.of("import"), self.terms.trust_max))


def _fields_beside(memory: Memory) -> dict[str, Any]:
    source = memory.source
    named = {name: getattr(memory, name) for name in _NAMES}
    origin = {"source": source.kind, "actor": source.actor, "session": source.session, "evidence": source.evidence}
    others = {"scope": memory.scope, "tags": memory.tags, "metadata": memory.metadata, "model": memory.fingerprint}
    return {**others, **named, **origin}


def _rebuilt(memory: Memory, fields: Mapping[str, Any]) -> tuple[Memory, bool]:
    """The memory with these fields, and whether its vector is still that of its text and its model."""
    same = fields["text"] == memory.text and fields["model"] == memory.fingerprint
    kept = memory.with_(
        text=fields["text"],
        digest=memory.digest if fields["text"] == memory.text else digest(fields["text"]),
        scope=Scope(fields["scope"]),
        tags=tuple(dict.fromkeys(fields["tags"])),
        metadata=fields["metadata"],
        source=Source(*(fields[name] for name in ("source", "actor", "session", "evidence"))),
        fingerprint=memory.fingerprint if same else None,
        **{name: fields[name] for name in _NAMES},
    )
    return kept, same


def _event_value(value: Any, redact: bool, quarantine: bool) -> Any:
    """A detail of an event with every text in it screened."""
    if isinstance(value, str):
        return _event_text(value, redact, quarantine)
    if isinstance(value, Mapping):
        clean = without_secrets(value)[0] if redact else value
        return {
            _event_text(str(key), redact, quarantine): _event_value(part, redact, quarantine)
            for key, part in clean.items()
        }
    if isinstance(value, list | tuple):
        return [_event_value(part, redact, quarantine) for part in value]
    return value


@lru_cache(maxsize=4096)
def _event_text(text: str | None, redact: bool, quarantine: bool) -> str | None:
    """A text of the log; most are reasons that repeat."""
    if not text:
        return text
    try:
        return clean_name(text, "it", redact=redact, quarantine=quarantine)
    except Invalid:
        return _WITHHELD
