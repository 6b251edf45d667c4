"""`tx.index`: looking memories up by what is derived from their texts. An engine adds search and vectors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from ..domain.memory import Memory
from ..ports import MatchLookup, Question, Search, Vector
from ..text.terms import digest
from .owner_connection import OwnerConnection
from .owner_table import OwnerTable
from .tombstone_table import TombstoneTable


class IndexLookup(ABC):
    """What both engines look up in the same way."""

    def __init__(self, connection: OwnerConnection, owner: OwnerTable, tombstones: TombstoneTable) -> None:
        self.connection = connection
        self.owner = owner
        self.tombstones = tombstones

    @abstractmethod
    def search(self, question: Question) -> Search: ...

    @abstractmethod
    def words_with_prefix(self, prefix: str, limit: int) -> list[str]: ...

    @abstractmethod
    def vectors(self, ids: Sequence[str]) -> dict[str, Vector]: ...

    @property
    def is_current(self) -> bool:
        return self.owner.is_analysed

    def lookup_matches(self, hashes: Sequence[str], digests: Sequence[str]) -> MatchLookup:
        return MatchLookup(self.tombstones.matching(hashes), self.by_digest(digests))

    def by_digest(self, digests: Sequence[str]) -> list[Memory]:
        return self.connection.visible(self.connection.execute("same_digest", digests=list(digests)))

    def by_subject(self, subject: str, attribute: str) -> list[Memory]:
        asked = {"subject": subject, "attribute": attribute}
        rows = self.connection.execute("same_address", **asked)
        return self.connection.visible(rows + self.connection.execute("same_stored_address", **asked))

    def by_alias(self, names: Sequence[str], attribute: str) -> list[Memory]:
        digests = [digest(name) for name in names]
        rows = self.connection.execute("aliases", names=list(names), digests=digests, attribute=attribute)
        return list({memory.id: memory for memory in self.connection.visible(rows)}.values())

    def dimension(self, fingerprint: str) -> int | None:
        rows = self.connection.execute("width", fingerprint=fingerprint)
        return rows[0][0] if rows else None

    def not_embedded_by(self, fingerprint: str, *, after: str, limit: int) -> list[Memory]:
        rows = self.connection.execute("without_fingerprint", fingerprint=fingerprint, after=after, limit=limit)
        return self.connection.memories(rows)

    def count_by_model(self) -> dict[str | None, int]:
        return dict(self.connection.execute("fingerprints"))
