"""Write: remember, update, review and core memory. Each checks its arguments and calls `ebbing.remember`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from .. import remember as remembering
from ..domain import validation
from ..domain.memory import Memory, Source
from ..domain.results import Batch, Block, Facts, Remembered, Unsettled
from ..ports import Progress
from ..remember import NewMemoryRequest, RememberOptions
from .base import EngineBase
from .obey_orders import remember_and_obey


class RememberVerbs(EngineBase):
    """The verbs that write memories."""

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
        options = RememberOptions(
            scope=scope,
            category=category,
            importance=importance,
            lifetime=lifetime,
            harm=harm,
            tier=tier,
            tags=tags,
            metadata=metadata,
            subject=subject,
            attribute=attribute,
            supersedes=supersedes,
            pinned=pinned,
            expires_in=expires_in,
            valid_until=valid_until,
            visibility=visibility,
            source=source,
            evidence=evidence,
            trust=trust,
            extract=extract,
            session=session,
            created_at=created_at,
        )
        return self._write([remembering.admit(text, options, self.policy, agent=self.agent, writer=self._writer)])

    def remember_many(
        self, items: Iterable[str | Mapping[str, Any]], *, progress: Progress | None = None
    ) -> Remembered:
        """Many texts, each a string or the arguments of `remember`. All are checked before any is written."""
        validation.callback(progress, "progress")
        requests = remembering.admit_many(items, self.policy, agent=self.agent, writer=self._writer)
        if named := {id_ for request in requests for id_ in request.supersedes}:
            remembering.refuse_core(self._context().memories(sorted(named)))
        return self._write(requests, progress)

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
        """Change a memory. A new text makes a new memory that supersedes it; other fields are changed in place.

        `version` is that of the memory as you read it: if it has changed since, `Conflict` is raised.
        """
        changes: dict[str, Any] = {"scope": scope, "category": category, "importance": importance, "tags": tags}
        changes |= {"metadata": metadata, "expires_in": expires_in, "lifetime": lifetime, "harm": harm}
        changes |= {"valid_until": valid_until}
        given = {name: value for name, value in changes.items() if value is not None}
        work = self._context()
        [memory] = work.memories([validation.identifier(id)])
        request = remembering.changed_request(memory, text, given, work, version=version)
        if request.text == memory.text or text is None:
            return remembering.edit(memory.id, request, given, work, version=version)
        return remembering.replacement(id, self._write([request]))

    def extract(self, text: str) -> Facts:
        """The facts of a text, each complete in itself; nothing is stored."""
        return remembering.extracted(text, self._context())

    def observe(
        self,
        messages: str | Iterable[Any],
        *,
        scope: str = "/",
        session: str | None = None,
        tags: Sequence[str] = (),
        metadata: Mapping[str, Any] | None = None,
        visibility: str = "shared",
        created_at: datetime | str | None = None,
    ) -> Remembered:
        """Take in a conversation: keep what is worth keeping, retire what has changed, obey what is to be forgotten.

        `messages` are a list of chat messages as OpenAI, Anthropic, LangChain or Google hold them, or a transcript as
        text ("User: … Assistant: …"). Hand the whole list over as often as you like: a message that was observed before
        changes nothing. What the user says counts as theirs; of what a model says only what the judge finds worth it;
        system messages and what tools answer are left out. Each memory quotes its message as evidence. `created_at`:
        when it was said, for messages that do not say so themselves.
        """
        options = RememberOptions(
            scope=scope,
            session=validation.optional_name(session, "session"),
            tags=tags,
            metadata=metadata,
            visibility=visibility,
            created_at=created_at,
        )
        return self._observe(remembering.read_messages(messages), options)

    def on_compaction(
        self, summary: str | Iterable[Any], *, scope: str = "/", session: str | None = None
    ) -> Remembered:
        """A conversation is about to be compressed: keep the facts it would lose, whoever said them.

        `summary` is what will stand in its place, or the list of messages, as `observe` takes it, that will be dropped.
        """
        options = RememberOptions(scope=scope, session=validation.optional_name(session, "session"))
        if isinstance(summary, str):
            return self._observe([remembering.Message(remembering.Role.SUMMARY, summary)], options)
        return self._observe(remembering.read_messages(summary), options, from_everyone=True)

    def review(self, *, limit: int = 100, before: str | None = None) -> list[Unsettled]:
        """What waits for a person to decide: contested, merged and quarantined memories, and what would have left
        recall although it would harm to lose it; newest first."""
        most = validation.count(limit, "limit", self.policy.recall.limit_max)
        after = None if before is None else validation.identifier(before, "before")
        return remembering.review(self._context(), limit=most, before=after)

    def settle(self, id: str, keep: bool | str) -> Batch:
        """Decide about one of those: keep it or not; "both" of two that contradict each other. `restore` undoes it.

        What would have left recall is as if used and restored now when it is kept, and archived when it is not.

        With the id of another memory as `keep`, that one is kept and supersedes this one, whether the two wait for a
        decision or not: `settle(related.id, keep=related.new_id)`.
        """
        kept = validation.identifier(keep, "keep") if isinstance(keep, str) else keep
        return remembering.settle(validation.identifier(id), kept, self._context())

    def blocks(self) -> list[Block]:
        """Core memory: every labelled block, what it says, and how many tokens it may have."""
        return remembering.blocks(self._context())

    def set_block(self, label: str, text: str) -> Block:
        """Write a block of core memory; an empty text clears it. Its previous text is kept."""
        return remembering.set_block(label, text, self._context())

    def block_versions(self, label: str) -> list[Memory]:
        """The texts that a block has had, the latest first."""
        return remembering.versions(label, self._context())

    def undo_block(self, label: str) -> Block:
        """Give a block its previous text again."""
        return remembering.undo_block(label, self._context())

    def _observe(
        self, messages: Sequence[remembering.Message], options: RememberOptions, *, from_everyone: bool = False
    ) -> Remembered:
        requests, left_out = remembering.conversation(messages, options, self._context(), from_everyone=from_everyone)
        return left_out + self._write(requests) if requests else left_out

    def _write(self, requests: Sequence[NewMemoryRequest], progress: Progress | None = None) -> Remembered:
        return remember_and_obey(requests, self._context(), progress, self._on_written)

    def _on_written(self, active: Mapping[str, int]) -> None:
        """Notify the background sweeper how many active memories each written scope holds."""
        if self.sweeper is not None and active:
            self.sweeper.notify(self.owner, "ingest_complete", max(active.values()))
