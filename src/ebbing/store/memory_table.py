"""`tx.memories`: rows of memories, written together with their counters and indexes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from ..domain.clock import Moment
from ..domain.memory import Memory, Status, Tier
from ..ports import Due, DueCursor, Filter, StatusCount, Vector
from .index_lookup import IndexLookup
from .owner_connection import OwnerConnection
from .owner_table import BEFORE_EVERY_ID, OwnerTable
from .row_codec import STATUSES, TIERS, values_of
from .row_storage import RowStorage
from .session_keys import keyed
from .tables import EventTable, QueueTable, ScopeTable

_AFTER_EVERY_ID = "~"  # sorts behind any id
EARLIEST = datetime(1, 1, 1, tzinfo=UTC)  # before every alarm


@dataclass(slots=True)
class MemoryTable:
    """The tables of both sides, `memories` with `vitals` and `archive`, read through the views `live` and `stored`."""

    db: OwnerConnection
    owner: OwnerTable
    scopes: ScopeTable
    queue: QueueTable
    events: EventTable
    index: IndexLookup
    storage: RowStorage
    has_erased: bool = False

    def get(self, ids: Sequence[str]) -> dict[str, Memory]:
        rows = self.db.execute("get_live", ids=list(ids))
        if len(rows) < len(ids):
            rows += self.db.execute("get_stored", ids=list(ids))
        return {memory.id: memory for memory in self.db.visible(rows)}

    def statuses(self, ids: Sequence[str]) -> dict[str, Status]:
        rows = self.db.execute("standing", ids=list(ids)) if ids else []
        return {id_: Status(status) for id_, status, *_ in rows}

    def page(self, where: Filter, *, before: str | None = None, limit: int) -> list[Memory]:
        statuses = where.statuses if where.statuses is not None else tuple(Status)
        alone = where.statuses == (Status.DETACHED,)
        sides = (("list_detached" if alone else "list_live", True), ("list_stored", False))
        queries = [query for query, live in sides if any(status.live is live for status in statuses)]
        return self._newest(queries, where, before, limit)

    def pending_review(self, *, before: str | None = None, limit: int) -> list[Memory]:
        return self._newest(("unsettled_live", "unsettled_stored"), Filter(), before, limit)

    def count_in_review(self) -> int:
        return sum(int(row[0]) for row in self.db.execute("count_unsettled"))

    def _newest(self, queries: Sequence[str], where: Filter, before: str | None, limit: int) -> list[Memory]:
        """The newest of what several queries give."""
        asked = {"before": before or _AFTER_EVERY_ID, "limit": limit}
        rows = [row for query in queries for row in self.db.execute_filtered(query, where, **asked)]
        return sorted(self.db.memories(rows), key=lambda memory: memory.id, reverse=True)[:limit]

    def page_live(self, *, after: str, limit: int) -> list[Memory]:
        return self.db.memories(self.db.execute("walk_live", after=after, limit=limit))

    def working_buffer(self, agent: str | None, session: str | None) -> list[Memory]:
        return self.db.memories(self.db.execute("buffer", agent=agent, session=session))

    def summaries_of(self, ids: Sequence[str]) -> list[Memory]:
        rows = self.db.execute("derived_live", ids=list(ids))
        return self.db.memories(rows + self.db.execute("derived_stored", ids=list(ids)))

    def archived_copies(self, ids: Sequence[str], digests: Sequence[str]) -> list[Memory]:
        return self.db.visible(self.db.execute("echoes", ids=list(ids), digests=list(digests)))

    def containing(self, texts: Sequence[str], limit: int) -> list[Memory]:
        if not texts:
            return []
        asked = {"texts": list(texts), "limit": limit}
        rows = self.db.execute("quoting_live", **asked)
        return self.db.visible(rows + self.db.execute("quoting_stored", **asked))

    def due(self, moment: Moment, limit: int) -> Due:
        execute = self.db.execute
        by_instant = execute("due_at", now=moment.at, limit=limit)
        by_day = execute("due_day", day=moment.day, limit=limit)
        ids = list(dict.fromkeys(id_ for id_, _ in (*by_instant, *by_day)))
        rows = execute("get_live", ids=ids) if ids else []
        by_id = {memory.id: memory for memory in self.db.memories(rows)}
        return Due(
            [by_id[id_] for id_ in ids],
            self.db.codec.optional_instant(by_instant[-1][1]) if len(by_instant) == limit else None,
            by_day[-1][1] if len(by_day) == limit else None,
        )

    def upcoming(self, moment: Moment, limit: int, after: DueCursor | None = None) -> tuple[list[Memory], DueCursor]:
        first = DueCursor(EARLIEST, "", -1, "") if after is None else after
        more = {"limit": limit}
        by_at = self.db.execute("upcoming_at", until=moment.at, after=first.at, after_id=first.at_id, **more)
        by_day = self.db.execute("upcoming_day", until=moment.day, after=first.day, after_id=first.day_id, **more)
        ids = list(dict.fromkeys(id_ for id_, _ in (*by_at, *by_day)))
        by_id = {memory.id: memory for memory in self.db.visible(self.db.execute("get_live", ids=ids) if ids else [])}
        read = DueCursor(
            self.db.codec.instant(by_at[-1][1]) if len(by_at) == limit else moment.at,
            by_at[-1][0] if len(by_at) == limit else _AFTER_EVERY_ID,
            by_day[-1][1] if len(by_day) == limit else moment.day,
            by_day[-1][0] if len(by_day) == limit else _AFTER_EVERY_ID,
        )
        return [by_id[id_] for id_ in ids if id_ in by_id], read

    def count_due(self, moment: Moment) -> int:
        count: int = self.db.execute("overdue", now=moment.at, day=moment.day)[0][0]
        return count

    def count_by_status(self) -> list[StatusCount]:
        rows = self.db.execute("counts_live") + self.db.execute("counts_stored")
        return [
            StatusCount(Status(status), category, Tier(tier), count, int(tokens), pinned)
            for status, category, tier, count, tokens, pinned in rows
        ]

    # Writing

    def add(self, memories: Sequence[Memory], vectors: Mapping[str, Vector]) -> None:
        self.owner.mark_analysed()
        self.scopes.count(memories)
        row = self.owner.row
        keys, row.turns = keyed(memories, row.turns, self.storage.reserve_places)
        self._insert(memories, vectors, keys)

    def update(self, memories: Sequence[Memory], before: Mapping[str, Memory] | None = None) -> None:
        was = self._recount(memories)
        staying = [memory for memory in memories if was[memory.id].live and memory.status.live]
        if staying:
            self.db.execute_many("update_memory", map(values_of, staying))
            self.db.execute_many("update_vitals", map(values_of, staying))
            self.storage.change_status([memory for memory in staying if memory.status is not was[memory.id]])
        leaving = [memory for memory in memories if was[memory.id].live and not memory.status.live]
        if leaving:
            self.storage.move_to_archive(leaving, before)
        returning = [memory for memory in memories if not was[memory.id].live]
        if returning:
            vectors = self.index.vectors([memory.id for memory in returning])
            # Under the same keys, so that neighbours in a session find each other again.
            self._insert(returning, vectors, self.storage.delete(returning, live=False))
        self.owner.expect_alarms(memories)

    def replace(self, memories: Sequence[Memory], vectors: Mapping[str, Vector]) -> None:
        was = self._recount(memories)
        keys: dict[str, int] = {}
        for live in (True, False):
            side = [memory for memory in memories if was[memory.id].live is live]
            if side:
                keys |= self.storage.delete(side, live=live)
        self._insert(memories, vectors, keys)
        # Another model's vector, or none, does not displace the old one from a matrix that was read into memory.
        self.owner.row.epoch += 1

    def _insert(self, memories: Sequence[Memory], vectors: Mapping[str, Vector], keys: Mapping[str, int]) -> None:
        for live in (True, False):
            side = [memory for memory in memories if memory.status.live is live]
            if side:
                self.storage.insert(side, vectors, keys, live=live)
        self.owner.expect_alarms(memories)

    def _recount(self, memories: Sequence[Memory]) -> dict[str, Status]:
        """Count these as they are now instead of as they are stored; their stored status, by id."""
        was: dict[str, Status] = {}
        rows = self.db.execute("standing", ids=[memory.id for memory in memories]) if memories else []
        for id_, status, scope, tier, tokens in rows:
            was[id_] = STATUSES[status]
            self.scopes.count_one(was[id_], scope, TIERS[tier], tokens, -1)
        self.scopes.count(memories)
        self.queue.remove(m.id for m in memories if was[m.id].live and m.status is not Status.ACTIVE)
        return was

    def count_uses(self, ids: Sequence[str], moment: Moment) -> None:
        # In one order for everyone, so that two transactions can never wait for each other.
        rows = ({"id": id_, "at": moment.at, "day": moment.day} for id_ in sorted(ids))
        self.db.execute_many("touch", rows)

    def set_due(self, memories: Sequence[Memory]) -> None:
        rows = ({"id": memory.id, "due_at": memory.due_at, "due_day": memory.due_day} for memory in memories)
        self.db.execute_many("arm", rows)
        self.owner.expect_alarms(memories)

    def next_to_recompute_due(self, policy: str, limit: int) -> list[Memory]:
        row = self.owner.row
        if row.armed_by != policy:
            row.armed_by, row.armed_to = policy, BEFORE_EVERY_ID
        page = self.page_live(after=row.armed_to or BEFORE_EVERY_ID, limit=limit)
        row.armed_to = page[-1].id if len(page) == limit else None
        return page

    def set_vectors(self, memories: Sequence[Memory], vectors: Mapping[str, Vector]) -> None:
        self.storage.replace_vectors(memories, vectors)
        self.db.execute_many("update_memory", map(values_of, memories))

    def erase(self, ids: Sequence[str]) -> None:
        found = list(self.get(ids).values())
        self.scopes.count(found, -1)
        self.queue.remove(memory.id for memory in found)
        for live in (True, False):
            side = [memory for memory in found if memory.status.live is live]
            if side:
                self.storage.delete(side, live=live)
        self.events.redact(memory.id for memory in found)
        self.owner.row.epoch += 1
        self.has_erased = True
