"""`tx.index`: looking memories up by what is derived from their texts. An engine adds search and vectors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from ..domain.memory import Memory
from ..ports import MatchLookup, Question, Search, Vector
from ..text.terms import digest
from .owner_connection import OwnerConnection
from .owner_table import OwnerTable
from .tables import TombstoneTable


@dataclass(slots=True)
class IndexLookup(ABC):
    """What both engines look up in the same way."""

    db: OwnerConnection
    owner: OwnerTable
    tombstones: TombstoneTable

    @abstractmethod
    def search(self, question: Question) -> Search: ...

    @abstractmethod
    def words_with_prefix(self, prefix: str, limit: int) -> list[str]: ...

    @property
    def is_current(self) -> bool:
        return self.owner.is_analysed

    def lookup_matches(self, hashes: Sequence[str], digests: Sequence[str]) -> MatchLookup:
        return MatchLookup(self.tombstones.matching(hashes), self.by_digest(digests))

    def by_digest(self, digests: Sequence[str]) -> list[Memory]:
        return self.db.visible(self.db.execute("same_digest", digests=list(digests)))

    def by_subject(self, subject: str, attribute: str) -> list[Memory]:
        asked = {"subject": subject, "attribute": attribute}
        rows = self.db.execute("same_address", **asked)
        return self.db.visible(rows + self.db.execute("same_stored_address", **asked))

    def by_alias(self, names: Sequence[str], attribute: str) -> list[Memory]:
        digests = [digest(name) for name in names]
        rows = self.db.execute("aliases", names=list(names), digests=digests, attribute=attribute)
        return list({memory.id: memory for memory in self.db.visible(rows)}.values())

    def vectors(self, ids: Sequence[str]) -> dict[str, Vector]:
        rows = self.db.execute("vectors_live", ids=list(ids))
        rows += self.db.execute("vectors_stored", ids=list(ids))
        return {id_: self.db.codec.vector(stored) for id_, stored in rows}

    def dimension(self, fingerprint: str) -> int | None:
        rows = self.db.execute("width", fingerprint=fingerprint)
        return rows[0][0] if rows else None

    def not_embedded_by(self, fingerprint: str, *, after: str, limit: int) -> list[Memory]:
        rows = self.db.execute("without_fingerprint", fingerprint=fingerprint, after=after, limit=limit)
        return self.db.memories(rows)

    def count_by_model(self) -> dict[str | None, int]:
        return dict(self.db.execute("fingerprints"))
