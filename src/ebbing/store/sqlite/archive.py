"""Rows, words and vectors that leave where they stood in SQLite, and what moves to the other side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...domain.memory import Memory, Status
from ..row_codec import Json
from ..transaction import Transaction
from ..vector_cache import words_in
from .search import indexed
from .values import bound


class SqliteMoves(Transaction):
    """The part of a transaction that takes rows away, or moves them."""

    def remove_side(self, memories: Sequence[Memory], *, live: bool) -> dict[str, int]:
        leaving = self._standing(memories, live=live)
        keys = {id_: key for id_, key, _, _ in leaving}
        rows, ids = list(keys.values()), list(keys)
        for _, _, status, record in leaving:
            self.resize(Status(status), -1, -words_in(record) if record else 0)
        if live:
            self.ask("delete_words", keys=rows)
            self.ask("delete_vectors", keys=rows)
            self.ask("delete_vitals", ids=ids)
            self.ask("delete_memories", ids=ids)
        else:
            self.ask("delete_stored_words", keys=rows)
            self.ask("delete_stored", ids=ids)
        return keys

    def store_rows(self, memories: Sequence[Memory]) -> None:
        self.ask("store_live", moved=Json([[m.id, m.status.value, bound(m.due_at), m.due_day] for m in memories]))

    def index_stored(self, memories: Sequence[Memory], keys: Mapping[str, int]) -> None:
        words = self.words_of(memories, keys)
        self.tell("insert_stored_words", words)
        self.count_words(memories, keys, words)

    def reindex(self, memories: Sequence[Memory]) -> None:
        if not memories:
            return
        keys = self._keys(memories)
        self.ask("delete_words", keys=list(keys.values()))
        words = self.words_of(memories, keys)
        self.tell("insert_words", words)
        lengths = _lengths(words)
        for memory in memories:
            # It came from the other status that is live.
            before = Status.DETACHED if memory.status is Status.ACTIVE else Status.ACTIVE
            self.resize(before, -1, -lengths[keys[memory.id]])
            self.resize(memory.status, 1, lengths[keys[memory.id]])

    def count_words(
        self, memories: Sequence[Memory], keys: Mapping[str, int], words: Sequence[Mapping[str, Any]]
    ) -> None:
        """Rows that came to stand under their status, with the words they are found by."""
        lengths = _lengths(words)
        for memory in memories:
            self.resize(memory.status, 1, lengths[keys[memory.id]])

    def _keys(self, memories: Sequence[Memory]) -> dict[str, int]:
        """The keys of live memories."""
        return {id_: key for id_, key, _, _ in self._standing(memories, live=True)}

    def _standing(self, memories: Sequence[Memory], *, live: bool) -> list[tuple[Any, ...]]:
        """Where memories stand on a side: id, key, status, and FTS5's record of their length."""
        side = "standing_live" if live else "standing_stored"
        return self.ask(side, ids=[memory.id for memory in memories]) if memories else []

    def words_of(self, memories: Sequence[Memory], keys: Mapping[str, int]) -> list[dict[str, Any]]:
        """The words of memories as the index takes them."""
        # In the order of their keys: for each that goes back, FTS5 would write out what it holds.
        ordered = sorted(memories, key=lambda memory: keys[memory.id])
        return [{"key": keys[one.id], **indexed(one.text, one.owner, one.status)} for one in ordered]


def _lengths(words: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    """How many words rows have, by their keys."""
    return {row["key"]: row["length"] for row in words}
