"""What a transaction does, written once for both engines.

An engine's own class adds how a statement is run, how rows are indexed, and how they are
searched. Every write transaction holds its owner's row, so what is matched in it is still
true when it is written, in PostgreSQL as in SQLite.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, ClassVar

from ..domain.clock import Moment
from ..domain.memory import Memory, Status, Tier
from ..ports import Due, Filter, Question, Search, StatusCount, Vector, View
from . import query_loader
from .archive_moves import Lowering
from .match_index import AFTER_EVERY_ID
from .owner_row import BEFORE_EVERY_ID
from .row_codec import STATUSES, TIERS, Codec, values_of
from .session_keys import keyed


class Transaction(Lowering):
    """One owner's rows, for as long as the transaction lasts."""

    codec: ClassVar[Codec]
    queries: ClassVar[Mapping[str, str]]

    def __init__(self, view: View) -> None:
        super().__init__()
        self.view = view

    @abstractmethod
    def run(self, statement: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """One statement, its rows."""

    @abstractmethod
    def run_many(self, statement: str, several: Iterable[Mapping[str, Any]]) -> None:
        """One statement for each set of values."""

    @abstractmethod
    def take_places(self, count: int) -> int:
        """Reserve so many places for keys (session_keys.py); the first of them."""

    @abstractmethod
    def insert_side(
        self, memories: Sequence[Memory], vectors: Mapping[str, Vector], keys: Mapping[str, int], *, live: bool
    ) -> None:
        """Rows on one side under these keys, with the words and vectors that belong to them."""

    @abstractmethod
    def reindex(self, memories: Sequence[Memory]) -> None:
        """The words of live memories whose status changed without leaving the live side."""

    @abstractmethod
    def replace_vectors(self, memories: Sequence[Memory], vectors: Mapping[str, Vector]) -> None:
        """Another embedding for live memories."""

    @abstractmethod
    def vectors(self, ids: Sequence[str]) -> dict[str, Vector]:
        """Embeddings by id, from either side."""

    @abstractmethod
    def search(self, question: Question) -> Search:
        """One question, to be answered bit by bit."""

    @contextmanager
    def for_every_agent(self) -> Iterator[None]:
        narrow = self.view
        self.view = replace(narrow, every_agent=True)
        try:
            yield
        finally:
            self.view = narrow

    # How statements are named

    def ask(self, name: str, **values: Any) -> list[tuple[Any, ...]]:
        return self.run(self.queries[name], {"owner": self.view.owner, **values})

    def tell(self, name: str, several: Iterable[Mapping[str, Any]]) -> None:
        owner = self.view.owner
        self.run_many(self.queries[name], ({"owner": owner, **values} for values in several))

    def ask_filtered(self, name: str, filter_: Filter, **values: Any) -> list[tuple[Any, ...]]:
        return self.run_filtered(self.queries[name], filter_, **values)

    def run_filtered(self, statement: str, filter_: Filter, **values: Any) -> list[tuple[Any, ...]]:
        predicates, more = query_loader.where(filter_, self.view, self.queries)
        return self.run(statement.replace("/*filter*/", predicates), {"owner": self.view.owner, **more, **values})

    # Memories

    def get(self, ids: Sequence[str]) -> dict[str, Memory]:
        rows = self.ask("get_live", ids=list(ids))
        if len(rows) < len(ids):
            rows += self.ask("get_stored", ids=list(ids))
        return {memory.id: memory for memory in self.seen(rows)}

    def statuses(self, ids: Sequence[str]) -> dict[str, Status]:
        return {id_: Status(status) for id_, status, *_ in self.ask("standing", ids=list(ids))} if ids else {}

    def page(self, where: Filter, *, before: str | None = None, limit: int) -> list[Memory]:
        """Newest first, from both sides as the statuses asked for demand."""
        statuses = where.statuses if where.statuses is not None else tuple(Status)
        found: list[Memory] = []
        for query, live in (("list_live", True), ("list_stored", False)):
            if any(status.live is live for status in statuses):
                rows = self.ask_filtered(query, where, before=before or AFTER_EVERY_ID, limit=limit)
                found += (self.codec.memory(row) for row in rows)
        return sorted(found, key=lambda memory: memory.id, reverse=True)[:limit]

    def derived(self, ids: Sequence[str]) -> list[Memory]:
        rows = self.ask("derived_live", ids=list(ids)) + self.ask("derived_stored", ids=list(ids))
        return [self.codec.memory(row) for row in rows]

    def due(self, moment: Moment, limit: int) -> Due:
        by_instant = self.ask("due_at", now=moment.at, limit=limit)
        by_day = self.ask("due_day", day=moment.day, limit=limit)
        ids = list(dict.fromkeys(id_ for id_, _ in (*by_instant, *by_day)))
        by_id = {memory.id: memory for memory in map(self.codec.memory, self.ask("get_live", ids=ids))} if ids else {}
        return Due(
            [by_id[id_] for id_ in ids],
            self._instant(by_instant[-1][1]) if len(by_instant) == limit else None,
            by_day[-1][1] if len(by_day) == limit else None,
        )

    def overdue(self, moment: Moment) -> int:
        count: int = self.ask("overdue", now=moment.at, day=moment.day)[0][0]
        return count

    def iterate_live(self, *, after: str, limit: int) -> list[Memory]:
        return [self.codec.memory(row) for row in self.ask("walk_live", after=after, limit=limit)]

    def with_other_embedding_model(self, fingerprint: str, *, after: str, limit: int) -> list[Memory]:
        rows = self.ask("without_fingerprint", fingerprint=fingerprint, after=after, limit=limit)
        return [self.codec.memory(row) for row in rows]

    def embedding_dimension(self, fingerprint: str) -> int | None:
        """How many dimensions the vectors of a model have here; None when there is none of it."""
        rows = self.ask("width", fingerprint=fingerprint)
        return rows[0][0] if rows else None

    def status_counts(self) -> list[StatusCount]:
        rows = self.ask("counts_live") + self.ask("counts_stored")
        return [
            StatusCount(Status(status), category, Tier(tier), count, int(tokens), pinned)
            for status, category, tier, count, tokens, pinned in rows
        ]

    def fingerprints(self) -> dict[str | None, int]:
        return dict(self.ask("fingerprints"))

    # Changes

    def add(self, memories: Sequence[Memory], vectors: Mapping[str, Vector]) -> None:
        self.analyse()
        self.count_memories(memories)
        keys, self.row.turns = keyed(memories, self.row.turns, self.take_places)
        self._insert(memories, vectors, keys)

    def _insert(self, memories: Sequence[Memory], vectors: Mapping[str, Vector], keys: Mapping[str, int]) -> None:
        for live in (True, False):
            side = [memory for memory in memories if memory.status.live is live]
            if side:
                self.insert_side(side, vectors, keys, live=live)
        self._expect(memories)

    def change(self, memories: Sequence[Memory], was: Mapping[str, Memory] | None = None) -> None:
        before = self._recount(memories)
        staying = [memory for memory in memories if before[memory.id].live and memory.status.live]
        if staying:
            self.tell("update_memory", map(values_of, staying))
            self.tell("update_vitals", map(values_of, staying))
            self.reindex([memory for memory in staying if memory.status is not before[memory.id]])
        leaving = [memory for memory in memories if before[memory.id].live and not memory.status.live]
        if leaving:
            self.lower(leaving, was)
        rising = [memory for memory in memories if not before[memory.id].live]
        if rising:
            vectors = self.vectors([memory.id for memory in rising])
            # By the same key, so that whoever stood beside it does so again when it comes back.
            self._insert(rising, vectors, self.remove_side(rising, live=False))
        self._expect(memories)

    def _recount(self, memories: Sequence[Memory]) -> dict[str, Status]:
        """Where these stood, with what they counted as there taken off and what they count as now put on."""
        before: dict[str, Status] = {}
        rows = self.ask("standing", ids=[memory.id for memory in memories]) if memories else []
        for id_, status, scope, tier, tokens in rows:
            before[id_] = STATUSES[status]
            self.count_in(before[id_], scope, TIERS[tier], tokens, -1)
        self.count_memories(memories)
        gone = [memory.id for memory in memories if before[memory.id].live and memory.status is not Status.ACTIVE]
        self.dequeue_for_summary(gone)
        return before

    def replace(self, memories: Sequence[Memory], vectors: Mapping[str, Vector]) -> None:
        before = self._recount(memories)
        keys: dict[str, int] = {}
        for live in (True, False):
            side = [memory for memory in memories if before[memory.id].live is live]
            if side:
                keys |= self.remove_side(side, live=live)
        self._insert(memories, vectors, keys)
        # Another model's vector, or none, does not take the place of what was read into memory for its old words.
        self.row.epoch += 1

    def _expect(self, memories: Sequence[Memory]) -> None:
        """Keep the owner's next alarm no later than any memory's."""
        alarms = [memory.due_at for memory in memories if memory.due_at is not None and memory.status.live]
        if alarms:
            earliest = min(alarms)
            if self.row.next_due_at is None or earliest < self.row.next_due_at:
                self.row.next_due_at = earliest
        if any(memory.due_day is not None and memory.due_day <= self.row.swept_day for memory in memories):
            # Due on a day that was swept already: the day is not done.
            self.row.swept_day = 0

    def count_uses(self, ids: Sequence[str], moment: Moment) -> None:
        # In one order for everyone, so that two transactions can never wait for each other.
        self.tell("touch", ({"id": id_, "at": moment.at, "day": moment.day} for id_ in sorted(ids)))

    def set_due(self, memories: Sequence[Memory]) -> None:
        self.tell("arm", ({"id": m.id, "due_at": m.due_at, "due_day": m.due_day} for m in memories))
        self._expect(memories)

    def next_to_recompute_due(self, policy: str, limit: int) -> list[Memory]:
        if self.row.armed_by != policy:
            self.row.armed_by, self.row.armed_to = policy, BEFORE_EVERY_ID
        page = self.iterate_live(after=self.row.armed_to or BEFORE_EVERY_ID, limit=limit)
        self.row.armed_to = page[-1].id if len(page) == limit else None
        return page

    def reembed(self, memories: Sequence[Memory], vectors: Mapping[str, Vector]) -> None:
        self.replace_vectors(memories, vectors)
        self.tell("update_memory", map(values_of, memories))

    def erase(self, ids: Sequence[str]) -> None:
        found = list(self.get(ids).values())
        self.count_memories(found, -1)
        self.dequeue_for_summary(memory.id for memory in found)
        for live in (True, False):
            side = [memory for memory in found if memory.status.live is live]
            if side:
                self.remove_side(side, live=live)
        self.tell("redact_events", ({"memory": memory.id} for memory in found))
        self.row.epoch += 1
