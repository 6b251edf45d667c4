"""`Memory` of mem0 over an engine: each method is one or two calls of the engine, and its answer in mem0's words."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import time, timedelta
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote, unquote

from ...domain.errors import Invalid, NotFound, shown
from ...domain.memory import Memory as Stored
from ...domain.memory import Scope, Status
from ...domain.results import Remembered
from ...engine import Engine
from ...wiring import open as open_engine
from .answers import (
    ID,
    PROMOTED,
    as_uuid,
    count_of,
    external_id,
    history_entry,
    internal_id,
    messages_of,
    own_metadata,
    promoted,
    speaker_of,
    tags_of,
    text_of,
    time_of,
)
from .filters import OWNERS, Belongs, belongs, holds

_NOBODY = "/shared"  # of what belongs to no user
_PAGE = 200
_SEARCHED_MAX = 1000
_DAY = timedelta(days=1)


class MissingOwner(Invalid, ValueError):
    """None of user_id, agent_id and run_id was given, and one is needed."""


class MissingMemory(NotFound, ValueError):
    """There is no memory with this id."""


def engine_of(config: Any) -> Engine:
    """The engine that a configuration asks for."""
    settings = config.get("ebbing", {}) if isinstance(config, Mapping) else None
    if not isinstance(settings, Mapping):
        raise Invalid('config takes a mapping such as {"ebbing": {"path": "memory.db"}}')
    return open_engine(**settings)


class Memory:
    """mem0's `Memory` over an engine of Ebbing; without one it opens the store that `ebbing.open()` opens."""

    def __init__(self, engine: Engine | None = None, *, scope: str = "/mem0", reinforce: bool = True) -> None:
        self._reinforces = reinforce  # whether being found strengthens
        self._engine = open_engine() if engine is None else engine
        self._root = Scope(scope)

    @classmethod
    def from_config(cls, config: Any) -> Self:
        """A memory as `config["ebbing"]` says, in the words of `ebbing.open`; mem0's own settings of models and stores
        have no meaning here."""
        return cls(engine_of(config))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the engine."""
        self._engine.close()

    def add(
        self,
        messages: str | Mapping[str, Any] | Sequence[Mapping[str, Any]],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        filters: Mapping[str, Any] | None = None,
        timestamp: Any = None,
        expiration_date: Any = None,
        infer: bool = True,
        **_: Any,
    ) -> dict[str, Any]:
        """Learn from messages: with `infer` what is worth keeping, without each message of user and assistant as it is.

        The answer lists what is new (ADD), what took the place of something (UPDATE) and what was put away (DELETE).
        """
        whose = self._whose(filters, user_id=user_id, agent_id=agent_id, run_id=run_id)
        talk = messages_of(messages)
        given: dict[str, Any] = {"scope": self._scope(whose), "tags": tags_of(whose), "session": whose.run_id}
        given["created_at"] = time_of(timestamp)
        ends_in = self._lifetime(expiration_date)
        if infer:
            told = self._engine.observe(talk, metadata=own_metadata(metadata), **given)
        else:
            more = {} if ends_in is None else {"expires_in": ends_in}
            told = self._engine.remember_many(
                [
                    {"text": text, "metadata": {**own_metadata(metadata), **speaker_of(one)}, **given, **more}
                    for one in talk
                    if one.get("role", "user") in ("user", "assistant") and (text := text_of(one))
                ]
            )
        return {"results": [*self._changes(told, ends_in if infer else None, is_kept=not infer)]}

    def search(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        threshold: float | None = None,
        show_expired: bool = False,
        **_: Any,
    ) -> dict[str, Any]:
        """What answers a question, best first. A score is Ebbing's: the probability that a memory answers."""
        whose = self._whose(filters, user_id=user_id, agent_id=agent_id, run_id=run_id)
        most = count_of(top_k if limit is None else limit)
        wanted = most if not whose.conditions else min(_SEARCHED_MAX, self._engine.policy.recall.limit_max)
        found = self._engine.recall(
            query,
            limit=wanted,
            min_score=threshold,
            reinforce=self._reinforces and not whose.conditions,
            **self._within(whose),
        )
        shown_ = [self._shown(one.memory, one.score) for one in found if show_expired or not self._is_over(one.memory)]
        return {"results": [one for one in shown_ if holds(whose.conditions, one)][:most]}

    def get_all(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        filters: Mapping[str, Any] | None = None,
        limit: int | None = None,
        top_k: int | None = None,
        show_expired: bool = False,
        **_: Any,
    ) -> dict[str, Any]:
        """Everything that belongs to somebody, newest first."""
        whose = self._whose(filters, user_id=user_id, agent_id=agent_id, run_id=run_id)
        most = count_of(top_k if limit is None else limit)
        results: list[dict[str, Any]] = []
        for memory in self._everything(whose):
            told = self._shown(memory)
            if (show_expired or not self._is_over(memory)) and holds(whose.conditions, told):
                results.append(told)
            if len(results) >= most:
                break
        return {"results": results}

    def get(self, memory_id: str) -> dict[str, Any] | None:
        """One memory; None where there is none."""
        memory = self._current(memory_id)
        return None if memory is None else {**self._shown(memory), "score": None}

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        expiration_date: Any = None,
        data: str | None = None,
    ) -> dict[str, str]:
        """Give a memory another text or other metadata; its id stays."""
        memory = self._existing(memory_id)
        text = data if text is None else text
        changes: dict[str, Any] = {}
        if text is not None or metadata is not None:
            changes["metadata"] = {**memory.metadata, **own_metadata(metadata), ID: external_id(memory)}
        if text is not None:
            changes["text"] = text
        if (ends_in := self._lifetime(expiration_date)) is not None:
            changes["expires_in"] = ends_in
        if not changes:
            raise Invalid("there is nothing to change: give text, metadata or expiration_date")
        self._engine.update(memory.id, **changes)
        return {"message": "Memory updated successfully!"}

    def delete(self, memory_id: str, **_: Any) -> dict[str, str]:
        """Put one memory away; `restore` of the engine brings it back."""
        self._engine.forget(ids=[self._existing(memory_id).id], reason="deleted")
        return {"message": "Memory deleted successfully!"}

    def delete_all(
        self,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        filters: Mapping[str, Any] | None = None,
    ) -> dict[str, str]:
        """Put away everything that belongs to somebody."""
        whose = self._whose(filters, user_id=user_id, agent_id=agent_id, run_id=run_id)
        if whose.conditions:
            raise Invalid("delete_all takes user_id, agent_id and run_id, and no other filter")
        self._engine.forget(reason="deleted", **self._within(whose))
        return {"message": "Memories deleted successfully!"}

    def reset(self) -> dict[str, str]:
        """Put away everything that was added here, whoever it belongs to."""
        self._engine.forget(scope=self._root, reason="deleted")
        return {"message": "Memories reset successfully!"}

    def history(self, memory_id: str) -> list[dict[str, Any]]:
        """What a memory said, oldest first, and whether it was deleted; of an unknown id nothing."""
        chain = [*self._chain(memory_id)]
        told: list[dict[str, Any]] = []
        before: Stored | None = None
        for memory in chain:
            event = "ADD" if before is None else "UPDATE"
            told.append(history_entry(memory_id, event, before, memory, memory.created_at, chain[0].created_at))
            before = memory
        if before is not None and before.status is Status.FORGOTTEN:
            at = self._engine.history(before.id)[-1].at
            told.append(history_entry(memory_id, "DELETE", before, None, at, chain[0].created_at))
        return told

    def _whose(self, filters: Any, **given: str | None) -> Belongs:
        whose = belongs(filters, **given)
        if whose.is_anybody:
            raise MissingOwner(f"give at least one of {', '.join(OWNERS)}, by itself or in filters")
        return whose

    def _scope(self, whose: Belongs) -> str:
        """Where what is added belongs."""
        return self._root + (_NOBODY if whose.user_id is None else f"/user/{quote(whose.user_id, safe='')}")

    def _within(self, whose: Belongs) -> dict[str, Any]:
        """Where to look: with a user in that scope, else everywhere here."""
        return {
            "scope": self._root if whose.user_id is None else self._scope(whose),
            "tags": tags_of(whose) or None,
        }

    def _everything(self, whose: Belongs) -> Iterator[Stored]:
        before: str | None = None
        while page := self._engine.list(before=before, limit=_PAGE, **self._within(whose)):
            yield from page
            before = page[-1].id

    def _lifetime(self, expiration_date: Any) -> timedelta | None:
        """How long until the end of that day."""
        ends = time_of(expiration_date)
        if ends is None:
            return None
        if ends.time() == time():
            ends += _DAY
        now = self._engine.clock.now()
        if ends <= now:
            raise Invalid(f"expiration_date {shown(expiration_date)} is over; give a day to come")
        return ends - now

    def _is_over(self, memory: Stored) -> bool:
        return memory.expires_at is not None and memory.expires_at <= self._engine.clock.now()

    def _changes(self, told: Remembered, ends_in: timedelta | None, *, is_kept: bool) -> Iterator[dict[str, Any]]:
        """What came of an addition, in the words of mem0."""
        for memory in told.memories:
            if memory.status is not Status.ACTIVE:
                continue  # something newer stands already
            replaced = [old for old in told.superseded if old.superseded_by == memory.id]
            changes: dict[str, Any] = {} if ends_in is None else {"expires_in": ends_in}
            if replaced:
                changes["metadata"] = {**memory.metadata, ID: external_id(replaced[0])}
            new = self._engine.update(memory.id, **changes) if changes else memory
            answer = {"id": external_id(new), "memory": new.text, "event": "UPDATE" if replaced else "ADD"}
            if replaced:
                answer["previous_memory"] = replaced[0].text
            yield {**answer, **promoted(new)} if is_kept else answer
        for memory in told.reinforced if is_kept else ():
            yield {"id": external_id(memory), "memory": memory.text, "event": "NONE", **promoted(memory)}
        for memory in told.forgotten:
            yield {"id": external_id(memory), "memory": memory.text, "event": "DELETE"}

    def _native(self, id_: str) -> Stored | None:
        try:
            return self._engine.get(id_)
        except NotFound:
            return None

    def _chain(self, memory_id: str) -> Iterator[Stored]:
        """The memory that an id was given for, and those that took its place under it."""
        memory = self._native(internal_id(memory_id))
        while memory is not None and self._root.contains(memory.scope) and external_id(memory) == memory_id:
            yield memory
            later = memory.superseded_by
            memory = self._native(later) if memory.status is Status.SUPERSEDED and later is not None else None

    def _current(self, memory_id: str) -> Stored | None:
        last = next(reversed([*self._chain(memory_id)]), None)
        return last if last is not None and (last.status.live or last.status is Status.ARCHIVED) else None

    def _existing(self, memory_id: str) -> Stored:
        memory = self._current(memory_id)
        if memory is None:
            raise MissingMemory(f"Memory with id {shown(memory_id)} not found. Please provide a valid 'memory_id'")
        return memory

    def _shown(self, memory: Stored, score: float | None = None) -> dict[str, Any]:
        """A memory as mem0 answers it."""
        external = external_id(memory)
        first = memory if as_uuid(memory.id) == external else self._native(internal_id(external)) or memory
        hidden = (ID, *PROMOTED)
        metadata = {key: value for key, value in memory.metadata.items() if key not in hidden}
        told: dict[str, Any] = {
            "id": external,
            "memory": memory.text,
            "hash": hashlib.md5(memory.text.encode(), usedforsecurity=False).hexdigest(),
            "metadata": metadata or None,
            "created_at": first.created_at.isoformat(),
            "updated_at": memory.created_at.isoformat(),
        }
        if score is not None:
            told["score"] = score
        told |= {name: value for name, value in self._owners(memory).items() if value is not None}
        told |= {name: value for name, value in promoted(memory).items() if value is not None}
        if memory.expires_at is not None:
            told["expiration_date"] = (memory.expires_at - timedelta(microseconds=1)).date().isoformat()
        return told

    def _owners(self, memory: Stored) -> dict[str, str | None]:
        path = memory.scope.removeprefix(self._root).split("/")
        named = dict(tag.split(":", 1) for tag in memory.tags if tag.startswith(("agent:", "run:")))
        user = unquote(path[2]) if path[1:2] == ["user"] and len(path) > 2 else None
        return {"user_id": user, "agent_id": named.get("agent"), "run_id": named.get("run")}
