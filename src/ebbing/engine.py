"""The facade: one method per verb. Each checks what it is given, does the slow work, then calls the verb's folder."""

# long because it is the contract: one method for each verb, its arguments spelled out
from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import Any, Self

from . import forget as forgetting
from . import recall as recalling
from . import remember as remembering
from .domain import validation
from .domain.clock import Activity, CheckedClock, Clock
from .domain.durations import duration
from .domain.errors import Conflict, Denied, Invalid, NotFound, TooLarge
from .domain.events import Event, EventKind
from .domain.memory import Memory, Scope, Source, Status, Tier, instant
from .domain.policy import Policy
from .domain.policy.loader import load
from .domain.results import (
    Batch,
    Block,
    Context,
    Explanation,
    Facts,
    Imported,
    Receipt,
    Recollection,
    Recollections,
    Remembered,
    Skipped,
    Stats,
    Sweep,
    Unsettled,
)
from .lifecycle.deferred_writes import Later
from .lifecycle.filters import confirm_everything, filter_of
from .lifecycle.operation_context import LIBRARY, OperationContext, Writer
from .operations import foresight, transfer
from .operations import reembed as reembedding
from .operations import stats as counting
from .operations.foresight import Fit, Simulation
from .ports import Attendant, Filter, Progress, Store, View
from .ports.model_client import Models
from .text.forget_orders import Order
from .text.screening.tombstone_form import tombstone_hashes

Memories = list[Memory]  # in the class below `list` is a verb
Requests = Sequence[remembering.NewMemoryRequest]
Events = list[Event]
Blocks = list[Block]
Reviewed = list[Unsettled]
_INCLUDABLE = (Status.DETACHED, Status.ARCHIVED, Status.SUPERSEDED)
_MOST = 2**31
_SEQ_MOST = 2**63 - 1  # the largest number of an event
_DAYS_MOST = 3650
_WAITED_FOR = ("manual", "memory_pressure")
_BUDGET_MOST = 1_000_000  # tokens: more than any model reads at once
_TOKENS_A_LINE = 12  # a memory in a context takes at least about so many …
_LINES_MOST = 200  # … and nobody reads more of them
_BATCH = 256  # texts embedded together and written in one transaction


class Engine:
    """One owner's memories, seen by one agent, under one policy. Threads may share it."""

    def __init__(
        self,
        *,
        store: Store,
        policy: Policy,
        clock: Clock,
        models: Models,
        owner: str = "default",
        agent: str | None = None,
        later: Later | None = None,
        writer: Writer = LIBRARY,
    ) -> None:
        self._store = store
        self.policy = policy
        self.clock: Clock = CheckedClock(clock)
        self.models = models
        self.owner = validation.name(owner, "owner")
        self.agent = None if agent is None else validation.name(agent, "agent")
        self.attendant: Attendant | None = None  # sweeps beside the callers of a store, where there is one
        self.later = later if later is not None else Later()
        self._writer = writer
        self._view = View(self.owner, self.agent)
        self._all = View(self.owner, self.agent, every_agent=True)

    def __repr__(self) -> str:
        return f"<Engine of {self.owner}{'' if self.agent is None else f' for agent {self.agent}'}>"

    def for_owner(self, owner: str, agent: str | None = None) -> Engine:
        """The same store, policy, models and limit of trust for another owner, seen by an agent of theirs or none."""
        return self._like(owner, agent, self._writer)

    def limited_to(self, source: str = "agent", *, trust_max: float | None = None, may_forget: bool = True) -> Engine:
        """The same engine for a caller who may not say how far it is to be believed: an interface binds its callers so.

        What such a caller writes comes from `source` unless the call names another source, and is trusted as the policy
        trusts that source, at most `trust_max` (left out: what the policy grants `source`). A source that is trusted
        more ("user", for an agent) and a `trust=` above the ceiling are refused as `invalid`, naming the ceiling; what
        the user said is given as `evidence=`. `update` and `set_block` are limited in the same way. A limit that
        stands already is never widened.
        """
        kind = validation.name(source, "source")
        granted = self._writer.ceiling(kind, self.policy)
        most = min(granted, validation.share(trust_max, "trust_max", granted))
        return self._like(self.owner, self.agent, Writer(kind, most, may_forget and self._writer.may_forget))

    def trust_ceiling(self, source: str | None = None) -> float:
        """The trust that a memory written here gets from a source of this kind; left out, from the caller's own."""
        kind = self._writer.source if source is None else validation.name(source, "source")
        return self._writer.ceiling(kind, self.policy)

    def _like(self, owner: str, agent: str | None, writer: Writer) -> Engine:
        engine = Engine(
            store=self._store,
            policy=self.policy,
            clock=self.clock,
            models=self.models,
            owner=owner,
            agent=agent,
            later=self.later,
            writer=writer,
        )
        engine.attendant = self.attendant
        return engine

    @property
    def store(self) -> Store:
        """Where the memories are, once what earlier answers to this owner did not wait for is written there."""
        self.later.wait(self.owner)
        return self._store

    # The way in

    def remember(
        self,
        text: str,
        *,
        scope: str = "/",
        category: str | None = None,
        importance: float | None = None,
        lifetime: str | None = None,
        harm: int | None = None,
        tier: str | None = None,
        tags: Sequence[str] = (),
        metadata: Mapping[str, Any] | None = None,
        subject: str | None = None,
        attribute: str | None = None,
        supersedes: str | Sequence[str] | None = None,
        pinned: bool = False,
        expires_in: str | None = None,
        valid_until: datetime | str | None = None,
        visibility: str = "shared",
        source: str | Source | None = None,
        evidence: str | None = None,
        trust: float | None = None,
        extract: bool = False,
        session: str | None = None,
        created_at: datetime | str | None = None,
    ) -> Remembered:
        """Keep one text as one memory, or with `extract` each fact in it; known already, it is strengthened instead.

        What it plainly replaces is superseded; secrets are taken out; what looks like an injected instruction is
        quarantined until `settle` decides about it. `source` is "user" unless the engine is limited to another kind;
        `evidence` is what the memory rests on: a quotation, an address.
        """
        given = {name: value for name, value in locals().items() if name not in ("self", "text")}
        said = remembering.admit(text, self.policy, agent=self.agent, writer=self._writer, **given)
        return self._remember_all([said])

    def remember_many(
        self, items: Iterable[str | Mapping[str, Any]], *, progress: Progress | None = None
    ) -> Remembered:
        """Many texts, each a string or the arguments of `remember`. All are checked before any is written."""
        validation.callback(progress, "progress")
        said = remembering.admit_many(items, self.policy, agent=self.agent, options=_OPEN, writer=self._writer)
        named = {id_ for one in said for id_ in one.supersedes}
        if named:
            remembering.refuse_core(self._found(sorted(named)))
        return self._remember_all(said, progress)

    def update(
        self,
        id: str,
        *,
        text: str | None = None,
        scope: str | None = None,
        category: str | None = None,
        importance: float | None = None,
        lifetime: str | None = None,
        harm: int | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        expires_in: str | None = None,
        valid_until: datetime | str | None = None,
        version: str | None = None,
    ) -> Memory:
        """Change a memory. Another text is a new memory that supersedes it; anything else is changed in place.

        `version` is that of the memory as it was read: if somebody has changed it since, nothing is done.
        """
        asked: dict[str, Any] = {"scope": scope, "category": category, "importance": importance, "tags": tags}
        asked |= {"metadata": metadata, "expires_in": expires_in, "lifetime": lifetime, "harm": harm}
        asked |= {"valid_until": valid_until}
        given = {name: value for name, value in asked.items() if value is not None}
        memory = self.get(id)
        remembering.require(memory, version)
        options = {**_OPEN, **remembering.options_of(memory, self._work()), **given}
        words = memory.text if text is None else text
        said = remembering.admit(words, self.policy, agent=self.agent, writer=self._writer, **options)
        if text is None:
            self._refuse_naming_a_secret(memory, said)
        if text is None or said.text == memory.text:
            return remembering.edit(memory.id, said, given, self._work(), version=version)
        outcome = self._remember_all([replace(said, is_update=True, version=version)])
        found = [*outcome.memories, *outcome.reinforced, *outcome.quarantined]
        if not found:
            raise Conflict(f"memory {id} was not changed: {'; '.join(one.reason for one in outcome.skipped)}")
        return found[0]

    def _refuse_naming_a_secret(self, memory: Memory, said: remembering.NewMemoryRequest) -> None:
        """Refuse tags or a scope that call the text of a memory a secret: the text would stay as it is, in clear."""
        if said.text == memory.text:
            return
        options = {**_OPEN, **remembering.options_of(memory, self._work())}
        before = remembering.admit(memory.text, self.policy, agent=self.agent, writer=self._writer, **options)
        if before.text != said.text:
            raise Invalid(
                f"memory {memory.id} was not changed: its new tags or scope say that its text is a secret, and that is "
                "stored in clear; purge it, and remember it again without the secret"
            )

    def extract(self, text: str) -> Facts:
        """The facts of a text, each complete in itself; nothing is stored."""
        return remembering.extracted(text, self._work())

    def on_compaction(
        self, summary: str | Sequence[Mapping[str, Any]], *, scope: str = "/", session: str | None = None
    ) -> Remembered:
        """A conversation is about to be compressed: keep the facts it would lose.

        `summary` is what will stand in its place, or the list of messages (role, content) that will be dropped.
        """
        told = remembering.turns(summary, self.policy.limits.text_bytes)
        kinds = [self._writer.own_kind(turn.source, self.policy) for turn in told]
        items = [
            {"text": turn.text, "source": kind, "extract": True, "scope": scope, "session": session}
            for turn, kind in zip(told, kinds, strict=True)
        ]
        return self.remember_many(items)

    def review(self, *, limit: int = 100, before: str | None = None) -> Reviewed:
        """What waits for a person to decide: contested, merged and quarantined memories, newest first."""
        most = validation.count(limit, "limit", self.policy.recall.limit_max)
        return remembering.review(self._work(), limit=most, before=None if before is None else _id(before, "before"))

    def settle(self, id: str, keep: bool | str) -> Batch:
        """Decide about one of those: keep it or not; "both" of two that contradict each other. `restore` undoes it.

        With the id of another memory as `keep`, that one is kept and supersedes this one, whether the two wait for a
        decision or not: `settle(related.id, keep=related.new_id)`.
        """
        kept = _id(keep, "keep") if isinstance(keep, str) else keep
        return remembering.settle(_id(id), kept, self._work())

    def blocks(self) -> Blocks:
        """Core memory: every labelled block, what it says, and how many tokens it may have."""
        return remembering.blocks(self._work())

    def set_block(self, label: str, text: str) -> Block:
        """Write a block of core memory; empty text clears it. What it said before is kept."""
        return remembering.set_block(label, text, self._work())

    def block_versions(self, label: str) -> Memories:
        """What a block said, the latest first."""
        return remembering.versions(label, self._work())

    def undo_block(self, label: str) -> Block:
        """Write again what a block said before."""
        return remembering.undo_block(label, self._work())

    def _remember_all(
        self, admitted: Sequence[remembering.NewMemoryRequest], progress: Progress | None = None
    ) -> Remembered:
        """In pieces of a size, each embedded together and written in one transaction."""
        for at in [one.created_at for one in admitted if one.created_at is not None]:
            self._writer.check_created_at(at, self.clock.now())
        return self._obeyed(admitted, progress)

    def _kept(self, admitted: Sequence[remembering.NewMemoryRequest], progress: Progress | None) -> Remembered:
        if len(admitted) == 1 and not admitted[0].extract and progress is None:
            return self._remember(admitted)
        outcome = Remembered()
        for start in range(0, len(admitted), _BATCH):
            said: list[remembering.NewMemoryRequest] = []
            for one in admitted[start : start + _BATCH]:
                facts, notes = remembering.extract_requests(one, self._work()) if one.extract else ([one], ())
                said += facts
                outcome.notes.extend(note for note in notes if note not in outcome.notes)
                if not facts:
                    outcome.skipped.append(Skipped(one.text, "there is no fact in it that would be worth keeping"))
            # Facts may be more than the texts they are from: still no more at once than a transaction should take.
            for first in range(0, len(said), _BATCH):
                outcome += self._remember(said[first : first + _BATCH])
            if progress is not None:
                progress(min(start + _BATCH, len(admitted)), len(admitted))
        return outcome

    def _obeyed(self, admitted: Sequence[remembering.NewMemoryRequest], progress: Progress | None = None) -> Remembered:
        """Keep texts, and carry out the orders to forget that are said in them. What is said before an order is kept
        before it is carried out: it may be what the order means."""
        outcome, left, done = Remembered(), list[remembering.NewMemoryRequest](), 0

        def on_the_way(kept: int, _: int) -> None:
            if progress is not None:
                progress(done + kept, len(admitted))

        told = None if progress is None else on_the_way
        for place, one in enumerate(admitted):
            heard = None if one.is_update else forgetting.heard(one.text, one.trust, one.suspicion, self._work())
            if heard is None:
                left.append(one)
                continue
            if left:
                outcome += self._kept(left, told)
            self._obey(heard.orders, one, outcome)
            left = [replace(one, text=heard.rest)] if heard.rest else []
            done = place + (not left)
            if not left:
                outcome.skipped.append(Skipped("", "it is an order to forget, and nothing of it is kept"))
                on_the_way(0, 0)
        return outcome + self._kept(left, told) if left or not admitted else outcome

    def _obey(self, orders: Sequence[Order], said: remembering.NewMemoryRequest, outcome: Remembered) -> None:
        """Put away what the orders of one text mean, together; the notes say what was done and what was not."""
        if not self._writer.may_forget:
            outcome.notes.append("it is an order to forget, and this caller may not forget")
            return
        if not forgetting.gives_orders(said.source, self._work()):
            outcome.notes.append(f"it is an order to forget, and source {said.source.kind} gives none")
            return
        meant = [forgetting.ordered(order, self._found_for(order, said), self._work(), said) for order in orders]
        outcome.notes.extend(f"nothing was forgotten: {one.why}" for one in meant if one.why is not None)
        left = list(dict.fromkeys(memory.id for one in meant for memory in one.left))
        if left:
            why = "pinned, trusted more, or somebody else's"
            outcome.notes.append(f"not forgotten, because {why}: {', '.join(left)}; forget(ids=…) puts them away")
        ids = tuple(dict.fromkeys(memory.id for one in meant for memory in one.memories))
        if not ids:
            return
        erases = self.policy.orders.erase and self._writer.trust_max is None and any(one.erases for one in orders)
        batch = forgetting.forget(Filter(ids=ids), self._work(), reason="asked for in words")
        outcome.forgotten.extend(batch.memories)
        if erases:
            forgetting.purge(self._work(), Filter(ids=ids), reason="asked for in words")
            outcome.notes.append(f"{len(batch.memories)} erased for good, as was asked")
            return
        outcome.notes.append(f"forgotten: {len(batch.memories)}; restore(batch={batch.id!r}) brings them back")

    def _found_for(self, order: Order, said: remembering.NewMemoryRequest) -> Memories:
        """The memories that an order could mean, the likeliest first, wherever they stand."""
        if order.last_said:
            return forgetting.said_last(said, self._work())
        asked = recalling.Asked(
            query=order.what,
            limit=self.policy.recall.limit_max,
            where=Filter(scope=said.scope),
            include=_INCLUDABLE,
            vector=self.models.question(order.what, self.store, self._view),
            fingerprint=self.models.fingerprint,
            min_score=0.0,
            exact=True,
        )
        return [one.memory for one in recalling.recall(asked, self._work())[0]]

    def _remember(self, said: Sequence[remembering.NewMemoryRequest]) -> Remembered:
        models = self.models
        empty = [Skipped("", "it held only what Ebbing had placed in the context") for one in said if not one.text]
        said = [one for one in said if one.text]
        if not said:
            return Remembered(skipped=empty)
        texts = [*dict.fromkeys(one.text for one in said)]
        vectors, notes = models.embed_if_possible(texts, self.store, self._view)
        model = models.fingerprint if vectors else None
        said, readings, more = remembering.read(said, self.policy, models, self.clock.now())
        notes += more
        drafts = [
            remembering.PreparedMemory.of(one, models.count_tokens(one.text), model, readings.get(one.text))
            for one in said
        ]
        outcome, active = remembering.remember(drafts, vectors, self._work())
        if self.attendant is not None and active:
            self.attendant.ring(self.owner, "ingest_complete", max(active.values()))
        kinds = [kind for one in said for kind in one.redacted]
        notes += [f"taken out before it was stored: {', '.join(kinds)}"] if kinds else []
        outcome.notes[:0], outcome.skipped[:0] = notes, empty
        return outcome

    # The way back

    def recall(
        self,
        query: str,
        *,
        limit: int = 10,
        scope: str | Sequence[str] | None = None,
        scopes: Sequence[str] | None = None,
        categories: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        created_after: datetime | str | None = None,
        created_before: datetime | str | None = None,
        exclude: Sequence[str] = (),
        include: Sequence[str] = (),
        as_of: datetime | str | None = None,
        min_score: float | None = None,
        reinforce: bool = True,
        session: str | None = None,
    ) -> Recollections:
        """The memories that answer `query`, best first; none where nothing does. Being found strengthens them, unless
        `reinforce` is False.

        What scores less than `min_score` (left out: the policy's floor) is not returned; 0 gives the long list.
        `exclude` are ids that were shown already: asked again with them, the next ones come. `as_of` answers as of an
        earlier time: what was known and held then, at the strength it had; nothing is strengthened by that.
        """
        session = self._screened(session, "session")
        asked = recalling.Asked(
            query=(query := self._as_read(query)),
            limit=validation.count(limit, "limit", self.policy.recall.limit_max),
            where=filter_of(
                self.policy,
                scope=scope,
                scopes=scopes,
                categories=categories,
                tags=tags,
                metadata=metadata,
                created_after=created_after,
                created_before=created_before,
                exclude=exclude,
            ),
            include=validation.members(Status, include, "include", _INCLUDABLE),
            vector=self.models.question(query, self.store, self._view),
            fingerprint=self.models.fingerprint,
            min_score=None if min_score is None else validation.share(min_score, "min_score", 0.0),
            as_of=None if as_of is None else instant(as_of),
        )
        work = self._work()
        found, activity = recalling.recall(asked, work)
        if validation.flag(reinforce, "reinforce") and as_of is None:
            self._reinforce_later(found, activity, work, session)
        if self.attendant is not None:
            self.attendant.ring(self.owner, "query_complete")
        return found

    def _reinforce_later(
        self, found: Sequence[Recollection], activity: Activity, work: OperationContext, session: str | None
    ) -> None:
        """Right behind the answer, which does not wait for it."""
        if recalling.changes_anything(found, activity, work):
            told = tuple(found)  # the list itself is the caller's by then
            self.later.do(self.owner, lambda: recalling.reinforce_found(told, work, session=session))

    def context(
        self,
        query: str,
        *,
        budget_tokens: int = 1000,
        scope: str | Sequence[str] | None = None,
        scopes: Sequence[str] | None = None,
        min_score: float | None = None,
        reinforce: bool = True,
        session: str | None = None,
    ) -> Context:
        """Core memory, what is pinned and what answers `query`, as one block of data within a budget of tokens.

        Room that nothing answers stays empty, unless `min_score=0` asks for the long list.
        """
        budget = validation.count(budget_tokens, "budget_tokens", _BUDGET_MOST)
        session = self._screened(session, "session")
        limit = min(max(budget // _TOKENS_A_LINE, 1), self.policy.recall.limit_max, _LINES_MOST)
        found = self.recall(query, limit=limit, scope=scope, scopes=scopes, min_score=min_score, reinforce=False)
        work = self._work()
        where = filter_of(self.policy, scope=scope, scopes=scopes, categories=None, tags=None)
        told = recalling.context(found, remembering.blocks(work), where, work, budget_tokens=budget)
        if validation.flag(reinforce, "reinforce"):
            standing = {memory.id for memory in told.memories}
            placed = [one for one in found if one.memory.id in standing]
            with work.read() as tx:
                activity = tx.activity
            self._reinforce_later(placed, activity, work, session)
        return told

    def used(self, ids: str | Sequence[str], *, session: str | None = None) -> None:
        """These memories were really used: strengthen them as a recall would."""
        session = self._screened(session, "session")
        memories = self._found(validation.several(ids, "id"))
        recalling.reinforce(memories, self._work(), session=session, reason="used", durable=True)

    def get(self, id: str) -> Memory:
        """One memory, wherever on the ladder it stands."""
        return self._found([_id(id)])[0]

    def list(
        self,
        *,
        scope: str | Sequence[str] | None = None,
        scopes: Sequence[str] | None = None,
        categories: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        created_after: datetime | str | None = None,
        created_before: datetime | str | None = None,
        status: str | Sequence[str] = ("active", "detached"),
        tier: str | None = None,
        pinned: bool | None = None,
        subject: str | None = None,
        before: str | None = None,
        limit: int = 100,
    ) -> Memories:
        """Memories that match every filter given, newest first; `before` an id goes on from a page's last."""
        where = filter_of(
            self.policy,
            scope=scope,
            scopes=scopes,
            categories=categories,
            tags=tags,
            metadata=metadata,
            created_after=created_after,
            created_before=created_before,
            statuses=validation.members(Status, status, "status"),
            tier=None if tier is None else validation.member(Tier, tier, "tier"),
            pinned=None if pinned is None else validation.flag(pinned, "pinned"),
            subject=None if subject is None else _id(subject, "subject"),
        )
        before = None if before is None else _id(before, "before")
        with self.store.read(self._view) as tx:
            return tx.page(where, before=before, limit=validation.count(limit, "limit", self.policy.recall.limit_max))

    def history(self, id: str) -> Events:
        """Everything that happened to a memory, oldest first; also to one that was purged."""
        id = _id(id)
        with self.store.read(self._view) as tx:
            events = tx.history(id)
            found = tx.get([id])
        purged = bool(events) and events[-1].kind is EventKind.PURGED
        if id not in found and not purged:
            raise NotFound(f"there is no memory {id}")
        return events

    def explain(self, id: str) -> Explanation:
        """How strong a memory is, why it stands where it stands, what becomes of it, and what would change that."""
        return forgetting.explain(self.get(id), self._work())

    def pin(self, id: str) -> Memory:
        """Protect a memory: it never fades and is never pruned or overwritten."""
        return forgetting.set_pinned(_id(id), True, self._work())

    def unpin(self, id: str) -> Memory:
        """Let a memory fade again."""
        return forgetting.set_pinned(_id(id), False, self._work())

    # The way down

    def forget(
        self,
        *,
        scope: str | None = None,
        older_than: str | None = None,
        categories: Sequence[str] | None = None,
        ids: str | Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        query: str | None = None,
        everything: bool = False,
        dry_run: bool = False,
        limit: int | None = None,
        reason: str | None = None,
    ) -> Batch:
        """Put away what every given filter names. Soft: `restore(batch=…)` brings it back exactly.

        The root scope as the only filter needs `everything=True` as well.
        """
        now = self.clock.now()
        reason = self._screened(reason, "reason")
        where = filter_of(
            self.policy,
            scope=scope,
            categories=categories,
            tags=tags,
            ids=None if ids is None else validation.several(ids, "id"),
            created_before=None if older_than is None else now - duration(older_than),
        )
        if where.ids is not None:
            self._found(where.ids)
        most = None if limit is None else validation.count(limit, "limit", _MOST)
        if query is not None:
            where = self._asked_for(query, where, most)
        where = confirm_everything("forget", where, validation.flag(everything, "everything"))
        look = validation.flag(dry_run, "dry_run")
        return forgetting.forget(where, self._work(), limit=most, reason=reason, dry_run=look)

    def _asked_for(self, query: str, where: Filter, limit: int | None) -> Filter:
        """The filter narrowed to what a question means; capped, because a question is only a description."""
        limits = self.policy.limits
        if self._is_cut(query):  # the end of it may name what is meant
            raise TooLarge(f"the query has {len(query):,} characters, and the limit is {limits.text_bytes:,}")
        most = min(limit or limits.query_forget, limits.query_forget)
        asked = recalling.Asked(
            query=query,
            # More than may be taken: many that resemble the question may stand before the one that it names.
            limit=self.policy.recall.limit_max,
            where=where,
            include=_INCLUDABLE,
            vector=self.models.question(query, self.store, self._view),
            fingerprint=self.models.fingerprint,
            min_score=0.0,
            exact=True,
        )
        found, _ = recalling.recall(asked, self._work())
        near = [one.memory for one in found if one.relevance >= limits.query_relevance]
        meant = forgetting.meant_by(query, near, self._work())
        return replace(where, ids=tuple(memory.id for memory in meant[:most]))

    def restore(self, ids: str | Sequence[str] | None = None, *, batch: str | None = None) -> Batch:
        """Bring memories back, by id or as the batch that was put away together."""
        if (ids is None) == (batch is None):
            raise Invalid("restore needs either ids or a batch")
        return forgetting.restore(
            self._work(),
            ids=None if ids is None else validation.several(ids, "id"),
            batch=None if batch is None else _id(batch, "batch"),
        )

    def purge(
        self,
        *,
        ids: str | Sequence[str] | None = None,
        scope: str | None = None,
        everything: bool = False,
        reason: str | None = None,
    ) -> Receipt:
        """Erase for good, with every version and everything derived; the text cannot be learned again until its
        tombstone is lifted.

        `everything` is all that the owner has; for an engine bound to an agent, all that this agent may see. The root
        scope needs it as well.
        """
        if not validation.flag(everything, "everything") and (ids is None) == (scope is None):
            raise Invalid("purge needs exactly one of ids, scope or everything=True")
        where = Filter(
            ids=None if ids is None else validation.several(ids, "id"),
            scope=None if scope is None else Scope(scope),
        )
        where = confirm_everything("purge", where, everything)
        return forgetting.purge(
            self._work(self._all if everything and self.agent is None else None),
            where,
            reason=self._screened(reason, "reason"),
        )

    def lift(self, tombstone: str) -> None:
        """Allow a purged text to be learned again."""
        forgetting.lift(_id(tombstone, "tombstone"), self._work())

    def sweep(
        self,
        *,
        dry_run: bool = False,
        trigger: str = "manual",
        limit: int | None = None,
        progress: Progress | None = None,
    ) -> Sweep:
        """Let go of what has faded or expired, every agent's; told is what this one sees. A dry run tells the plan."""
        validation.callback(progress, "progress")
        work = self._work(self._all)
        most = None if limit is None else validation.count(limit, "limit", _MOST)
        trigger = validation.name(trigger, "trigger")
        if self.attendant is not None and trigger in _WAITED_FOR:
            # Whoever asks wants all of it, not what a sweep that began by itself leaves over.
            self.attendant.wait(self.owner)
        if validation.flag(dry_run, "dry_run"):
            sweep = forgetting.plan(work, trigger=trigger, limit=most, progress=progress)
        else:
            sweep = forgetting.sweep(work, trigger=trigger, limit=most, progress=progress)
        sees = self._view.sees
        return replace(
            sweep,
            actions=[action for action in sweep.actions if sees(action.memory)],
            summaries=[memory for memory in sweep.summaries if sees(memory)],
        )

    def pressure(self) -> Sweep:
        """The host is short of room: sweep now, whatever the limits say."""
        return self.sweep(trigger="memory_pressure")

    def crowded(self) -> bool:
        """Whether a scope has reached its soft limit of active memories."""
        with self.store.read(self._view) as tx:
            return tx.crowded(self.policy.sweep.soft_limit)

    def compact(self, *, scope: str, dry_run: bool = False) -> Batch:
        """Summarize a scope's topics now: each topic's entries past their grace become one. `restore` undoes it."""
        look = validation.flag(dry_run, "dry_run")
        return forgetting.compact(self._work(), scope=Scope(scope), dry_run=look)

    # Foresight: of everything the owner has

    def simulate(
        self, policy: str | os.PathLike[str] | Policy, *, days: int = 180, progress: Progress | None = None
    ) -> Simulation:
        """What another policy would have done: your past replayed under it, and `days` more in which nobody touches
        anything. Tells what would be forgotten when, and which recalls would have missed what they found."""
        validation.callback(progress, "progress")
        other = load(policy)
        ahead = validation.count(days, "days", _DAYS_MOST)
        with self.store.read(self._all) as tx:
            memories, events, used = foresight.gather(tx)
        foreseen = foresight.simulate(
            memories,
            events,
            used,
            other,
            now=self.clock.now(),
            ahead_days=ahead,
            recorded=self.policy,
            progress=progress,
        )
        return foreseen.silent_about({memory.id for memory in memories if not self._view.sees(memory)})

    def fit(self) -> Fit:
        """Decay rates that your own history of use asks for, with their uncertainty, and a policy to try."""
        work = self._work(self._all)
        with work.read() as tx:
            memories, events, used = foresight.gather(tx)
            moment = work.moment(tx)
        return foresight.fit(events, {memory.id: memory for memory in memories}, used, self.policy, moment)

    # Care: of everything the owner has, whichever agent's it is

    def stats(self) -> Stats:
        """The owner's memories in numbers, and what is to be done about them."""
        due = forgetting.plan(self._work(self._all), trigger="manual")
        return counting.stats(store=self.store, view=self._all, models=self.models, due=due)

    def export(self, path: str | os.PathLike[str], *, progress: Progress | None = None) -> int:
        """Write everything to a file of JSON lines, as of one moment; tells how many memories that were.

        Everything the owner has; an engine bound to an agent writes what that agent sees.
        """
        validation.callback(progress, "progress")
        view = self._all if self.agent is None else self._view
        return transfer.export(path, store=self.store, view=view, now=self.clock.now(), progress=progress)

    def import_(
        self,
        path: str | os.PathLike[str],
        on_conflict: str = "skip",
        *,
        trusted: bool = False,
        tombstones: bool = False,
        blocks: bool = False,
        progress: Progress | None = None,
    ) -> Imported:
        """Bring in an export, whoever's it was. The whole file is checked before anything is written.

        A file is untrusted input: every text passes the gate, and nothing is trusted more than the policy trusts the
        source `import`. `tombstones` also takes what the file bars from being learned, `blocks` its core blocks where
        none stands. `trusted` is for a backup that you made yourself: with its own trust, tombstones and blocks;
        secrets are redacted and instructions quarantined all the same.

        A memory that stands here already and differs is left (`skip`), replaced (`overwrite`), or makes the import
        refuse the file (`fail`). What was purged here stays out. Stopped halfway, run it again. As with `export`, an
        engine bound to an agent brings in, and changes, what that agent may see.
        """
        validation.callback(progress, "progress")
        return transfer.import_(
            path,
            store=self.store,
            view=self._all,
            policy=self.policy,
            now=self.clock.now(),
            on_conflict=on_conflict,
            cleaned=remembering.cleaned,
            terms=self._import_terms(trusted, tombstones, blocks),
            progress=progress,
        )

    def _import_terms(self, trusted: bool, tombstones: bool, blocks: bool) -> transfer.Terms:
        limit = self._writer.trust_max
        if validation.flag(trusted, "trusted") and limit is not None and limit < self.policy.trust.of("user"):
            raise Denied(
                "a trusted import brings in what the user is said to have written, and this caller is trusted "
                f"{limit:g} at most; import it without trusted, or as a caller with the right write-as-user"
            )
        return transfer.Terms(
            trusted,
            validation.flag(tombstones, "tombstones"),
            validation.flag(blocks, "blocks"),
            self._writer.ceiling("import", self.policy),
            self.models.count_tokens,
        )

    def events(self, *, after: int = 0, limit: int = 100) -> Events:
        """What happened to anything the owner has, oldest first, behind the event of that number.

        As with `export`, an engine bound to an agent tells of what that agent sees.
        """
        most = validation.count(limit, "limit", self.policy.recall.limit_max)
        after = validation.count(after, "after", _SEQ_MOST, least=0)
        told: Events = []
        with self.store.read(self._all if self.agent is None else self._view) as tx:
            while len(told) < most and (page := tx.log(after=after, limit=most)):
                after = page[-1].seq
                seen = tx.get([event.memory for event in page if event.memory is not None])
                told += [event for event in page if self.agent is None or event.memory in seen]
        return told[:most]

    def reembed(self, *, progress: Progress | None = None) -> int:
        """Embed again what is live and was embedded by another model, or by none; stopped, it goes on where it was."""
        validation.callback(progress, "progress")
        return reembedding.reembed(self._work(self._all), progress=progress)

    def close(self) -> None:
        """Let go of the store, once what was begun is done; whatever was said was committed before it was answered."""
        if self.attendant is not None:
            self.attendant.close()
        self.later.close()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # What the verbs share

    def _work(self, view: View | None = None) -> OperationContext:
        return OperationContext(
            self.store, view or self._view, self.policy, self.models, self.clock.now(), self.clock, self._writer
        )

    def _screened(self, name: str | None, what: str) -> str | None:
        """A reason or a session as it is kept in the log: without secrets; an injected instruction is refused, and what
        was purged."""
        clean = remembering.reason_of(name, self.policy, what)
        if clean is not None and " " in clean:  # as in `texts_beside`: to purge the text "work" bars no such reason
            with self.store.read(self._view) as tx:
                stone = next(iter(tx.tombstoned(tombstone_hashes(clean, tx.salts)).values()), None)
            if stone is not None:
                raise Conflict(f"{what} says what was purged; say it in other words, or lift tombstone {stone}")
        return clean

    def _as_read(self, query: Any) -> Any:
        """A question as far as a memory may be long; what is no text is refused where it is embedded."""
        return query[: self.policy.limits.text_bytes] if self._is_cut(query) else query

    def _is_cut(self, query: Any) -> bool:
        return isinstance(query, str) and len(query) > self.policy.limits.text_bytes

    def _found(self, ids: Sequence[str]) -> Memories:
        with self.store.read(self._view) as tx:
            found = tx.get(ids)
        missing = [id_ for id_ in ids if id_ not in found]
        if missing:
            raise NotFound(f"there is no memory {', '.join(missing)}")
        return [found[id_] for id_ in ids]


def _id(value: str, what: str = "id") -> str:
    """One name of something; several, or one that no store could hold, is a mistake."""
    return validation.several([value], what)[0]


# What `remember` may be told besides the text, and what it assumes.
_OPEN = {
    name: parameter.default
    for name, parameter in inspect.signature(Engine.remember).parameters.items()
    if name not in ("self", "text")
}
