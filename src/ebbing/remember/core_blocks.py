"""Core memory: a few labelled blocks of text that every context contains.

A block is a pinned memory at an address of its own, so that it has a history, can be undone, exported and
purged like any other. `persona` and `scratchpad` are an agent's own where there is one; the rest is the
owner's, and every agent sees it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ..domain.clock import Moment
from ..domain.errors import Conflict, Denied, Invalid, TooLarge, shown
from ..domain.events import Created
from ..domain.ids import new_id
from ..domain.memory import Memory, Scope, Source, Status, Tier, Visibility
from ..domain.policy import Policy
from ..domain.results import Block
from ..lifecycle.filters import everything
from ..lifecycle.operation_context import OperationContext, Writer
from ..lifecycle.transitions import Transition, create, forget, supersede
from ..ports import Filter, Index, Vector, View
from ..text.terms import digest
from .admit import checked, is_buried

SUBJECT = "core"
SCOPE = Scope("/core")
_OWN = ("persona", "scratchpad")  # an agent's own
_CATEGORY = "identity"


def blocks(work: OperationContext) -> list[Block]:
    """Every block there may be, in the order they stand in the context; an empty one has no text yet."""
    with work.read() as tx:
        return [_block(label, _current(label, tx.index), most) for label, most in work.policy.budgets.core.items()]


def versions(label: str, work: OperationContext) -> list[Memory]:
    """The texts that a block has had, the latest first."""
    _limit(label, work.policy)
    with work.read() as tx:
        found = [m for m in everything(tx.memories, Filter(subject=SUBJECT, tier=Tier.CORE)) if m.attribute == label]
    return sorted(found, key=lambda memory: memory.id, reverse=True)


def set_block(label: str, text: str, work: OperationContext) -> Block:
    """Write a block; empty text clears it. Too long is an error that names the limit, and nothing is written."""
    most = _limit(label, work.policy)
    words = _checked(label, text, work.policy)
    tokens = work.models.count_tokens(words) if words else 0
    if tokens > most:
        raise TooLarge(f"block {label} would have {tokens} tokens and the limit is {most}; shorten it")
    vectors, _ = work.models.embed_if_possible([words] if words else [], work.store, work.view)
    with work.write() as unit:
        tx = unit.tx
        before = _current(label, tx.index)
        if before is not None and _is_own(label, tx.view) and before.visibility is Visibility.SHARED:
            before = None  # what all share stays as it is
        if (before.text if before else "") == words:
            return _block(label, before, most)
        _refuse_trusted_more(label, before, work)
        if words:
            work.writer.check_may_last("core memory", work.policy)
        if words and is_buried(words, tx.tombstones):
            raise Conflict(f"block {label} was not written: its text was purged; lift its tombstone to allow it")
        written = _memory(label, words, tokens, before, unit.moment, work) if words else None
        if written is not None and vectors:
            written = written.with_(fingerprint=work.models.fingerprint)
        unit.apply(_steps(label, written, before, unit.moment.at), _by_id(written, vectors))
    return _block(label, written, most)


def undo_block(label: str, work: OperationContext) -> Block:
    """Give the block its previous text again."""
    _limit(label, work.policy)
    with work.read() as tx:
        current = _current(label, tx.index)
    before = [memory for memory in versions(label, work) if current is None or memory.id < current.id]
    if current is None and not before:
        raise Conflict(f"block {label} was never written, so there is nothing to undo")
    return set_block(label, before[0].text if before else "", work)


def _checked(label: str, text: Any, policy: Policy) -> str:
    """The text as it may be kept; none at all clears the block."""
    if not isinstance(text, str):
        raise Invalid(f"the text of block {label} is {type(text).__name__}, not text")
    if not text.strip():
        return ""
    clean = checked(text, policy)
    if clean.suspicion is not None:
        raise Invalid(f"block {label} was not written: {clean.suspicion}")
    if not clean.text:
        raise Invalid(f"block {label} was not written: it held nothing but what Ebbing had placed in the context")
    return clean.text


def _steps(label: str, written: Memory | None, before: Memory | None, at: datetime) -> list[Transition]:
    """What becomes of a block: written anew, written over, or cleared."""
    why = f"block {label}"
    steps = []
    if written is not None:
        steps.append(create(written, Created(trust=written.trust, born=written.status), why))
    if before is not None:
        steps.append(forget(before, f"{why} was cleared") if written is None else supersede(before, written, at, why))
    return steps


def _by_id(written: Memory | None, vectors: Mapping[str, Vector]) -> dict[str, Vector]:
    return {} if written is None or written.fingerprint is None else {written.id: vectors[written.text]}


def _memory(
    label: str, text: str, tokens: int, before: Memory | None, moment: Moment, work: OperationContext
) -> Memory:
    policy, view = work.policy, work.view
    kind = _source_kind(work.writer, view)
    return Memory(
        id=new_id(moment.at),
        owner=view.owner,
        text=text,
        agent=view.agent,
        visibility=Visibility.PRIVATE if _is_own(label, view) else Visibility.SHARED,
        scope=SCOPE,
        category=_CATEGORY if _CATEGORY in policy.categories else policy.defaults.category,
        tier=Tier.CORE,
        importance=1.0,
        created_at=moment.at,
        created_day=moment.day,
        last_accessed_at=moment.at,
        used_day=moment.day,
        pinned=True,
        source=Source(kind=kind, actor=view.agent),
        trust=work.writer.ceiling(kind, policy),
        subject=SUBJECT,
        attribute=label,
        supersedes=() if before is None else (before.id,),
        tokens=tokens,
        digest=digest(text),
    )


def _source_kind(writer: Writer, view: View) -> str:
    """The kind of source a block is written by: an agent that calls the library counts as one."""
    return "agent" if writer.trust_max is None and view.agent is not None else writer.source


def _refuse_trusted_more(label: str, before: Memory | None, work: OperationContext) -> None:
    """A limited writer does not overwrite or clear what a source trusted more wrote."""
    writer, policy = work.writer, work.policy
    if before is None or writer.trust_max is None:
        return
    # Blocks written before trust was recorded say 1.0, whoever wrote them.
    theirs = min(before.trust, policy.trust.of(before.source.kind))
    most = writer.ceiling(writer.source, policy)
    if theirs > most:
        raise Denied(
            f"block {label} was written by source {before.source.kind}, trusted {theirs:g}, and this caller is trusted "
            f"{most:g} at most; have its owner change it"
        )


def _is_own(label: str, view: View) -> bool:
    return label in _OWN and view.agent is not None


def _current(label: str, index: Index) -> Memory | None:
    active = [m for m in index.by_subject(SUBJECT, label) if m.tier is Tier.CORE and m.status is Status.ACTIVE]
    # An agent's own before one that all share.
    return max(active, key=lambda memory: (memory.visibility is Visibility.PRIVATE, memory.id), default=None)


def _block(label: str, memory: Memory | None, most: int) -> Block:
    if memory is None:
        return Block(label, "", 0, most)
    return Block(label, memory.text, memory.tokens, most, memory.id, memory.created_at)


def _limit(label: Any, policy: Policy) -> int:
    limits = policy.budgets.core
    if not isinstance(label, str) or label not in limits:
        raise Invalid(f"there is no block {shown(label)}; blocks are {', '.join(limits)}")
    return limits[label]
