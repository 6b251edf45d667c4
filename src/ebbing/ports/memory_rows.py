"""The two groups of a transaction that give memories: `tx.memories`, by id or filter, and `tx.index`, by content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from ..domain.clock import Moment
from ..domain.memory import Memory, Status
from .models import Vector
from .search import Filter, Question, Search
from .store_values import Due, DueCursor, MatchLookup, StatusCount


class MemoryRows(Protocol):
    """`tx.memories`: rows by id, by filter and by what they were made of."""

    def get(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Those of these that exist and that the view sees, by id."""
        ...

    def statuses(self, ids: Sequence[str]) -> dict[str, Status]:
        """The status of each of these that exists, without reading the rest of it."""
        ...

    def page(self, where: Filter, *, before: str | None = None, limit: int) -> list[Memory]:
        """The first `limit` that the filter selects, newest first; `before`: of ids lower than this one."""
        ...

    def page_live(self, *, after: str, limit: int) -> list[Memory]:
        """The first `limit` live memories with an id above `after`, in the order of their ids."""
        ...

    def pending_review(self, *, before: str | None = None, limit: int) -> list[Memory]:
        """Memories that a person must decide about, newest first: contested, merged, quarantined, about to leave."""
        ...

    def count_in_review(self) -> int:
        """How many of those there are."""
        ...

    def working_buffer(self, agent: str | None, session: str | None) -> list[Memory]:
        """The active working memories of a session, oldest first."""
        ...

    def summaries_of(self, ids: Sequence[str]) -> list[Memory]:
        """The summaries that were made of any of these."""
        ...

    def archived_copies(self, ids: Sequence[str], digests: Sequence[str]) -> list[Memory]:
        """Memories that are not live and have one of these digests, or were superseded by or merged into one of these
        ids."""
        ...

    def containing(self, texts: Sequence[str], limit: int) -> list[Memory]:
        """Memories that hold one of these texts in any field, whatever its case: at most `limit` live ones and as many
        others. Reads every row."""
        ...

    def due(self, moment: Moment, limit: int) -> Due:
        """Memories whose alarm has come, longest overdue first: at most `limit` by the wall clock, and as many by days
        of use."""
        ...

    def upcoming(self, moment: Moment, limit: int, after: DueCursor | None = None) -> tuple[list[Memory], DueCursor]:
        """Memories whose alarm comes by that moment, behind the cursor: at most `limit` by the wall clock and as many
        by days of use, soonest first. And the cursor for those behind them."""
        ...

    def count_due(self, moment: Moment) -> int:
        """How many memories have an alarm that has come."""
        ...

    def count_by_status(self) -> list[StatusCount]:
        """How many memories there are of each status, category and tier."""
        ...


class WritableMemoryRows(MemoryRows, Protocol):
    """`tx.memories` of a write transaction: rows with their words, vectors and alarms."""

    def add(self, memories: Sequence[Memory], vectors: Mapping[str, Vector]) -> None:
        """Insert new memories; `vectors` by the ids of those that have one."""
        ...

    def update(self, memories: Sequence[Memory], before: Mapping[str, Memory] | None = None) -> None:
        """Write every field but the text (`replace` writes that too). A row whose new status is not live moves to the
        archive with its words and vector, or back. `before`: the rows as stored, by id, where the caller has read them
        in this transaction already."""
        ...

    def replace(self, memories: Sequence[Memory], vectors: Mapping[str, Vector]) -> None:
        """Write every field of the rows with these ids, text and vector too."""
        ...

    def count_uses(self, ids: Sequence[str], moment: Moment) -> None:
        """Count one more use of each of these, at this moment."""
        ...

    def set_vectors(self, memories: Sequence[Memory], vectors: Mapping[str, Vector]) -> None:
        """Replace the vectors of live memories; `fingerprint` of each names the model that made the new one."""
        ...

    def erase(self, ids: Sequence[str]) -> None:
        """Delete rows, words and vectors, and clear what events say about them."""
        ...

    def set_due(self, memories: Sequence[Memory]) -> None:
        """Write only the alarms (`due_at`, `due_day`) of these."""
        ...

    def next_to_recompute_due(self, policy: str, limit: int) -> list[Memory]:
        """The next memories whose alarms were set under another policy than the one with this fingerprint; fewer than
        `limit`: these are the last."""
        ...


class Index(Protocol):
    """`tx.index`: finding memories by words, vectors, digests, and subject with attribute."""

    @property
    def is_current(self) -> bool:
        """Whether the words and digests of all memories were derived by the rules of this program
        (text/analysis_fingerprint.py)."""
        ...

    def search(self, question: Question) -> Search:
        """Start a search; nothing is looked up before its methods are called."""
        ...

    def lookup_matches(self, hashes: Sequence[str], digests: Sequence[str]) -> MatchLookup:
        """What `tombstones.matching` and `by_digest` give, in one round trip."""
        ...

    def by_digest(self, digests: Sequence[str]) -> list[Memory]:
        """Live memories whose normalised words have one of these digests: exact duplicates."""
        ...

    def by_subject(self, subject: str, attribute: str) -> list[Memory]:
        """Live and archived memories with this subject and attribute, in any scope."""
        ...

    def by_alias(self, names: Sequence[str], attribute: str) -> list[Memory]:
        """Active memories with this attribute whose subject is one of these names, or whose text is."""
        ...

    def words_with_prefix(self, prefix: str, limit: int) -> list[str]:
        """The first `limit` words of active memories that begin with `prefix`, in ascending order."""
        ...

    def vectors(self, ids: Sequence[str]) -> dict[str, Vector]:
        """The vectors of those of these that have one, by id."""
        ...

    def dimension(self, fingerprint: str) -> int | None:
        """How many numbers the vectors of a model have here; None where there are none of it."""
        ...

    def not_embedded_by(self, fingerprint: str, *, after: str, limit: int) -> list[Memory]:
        """The first `limit` live memories with an id above `after` that have no vector of this model, in the order of
        their ids."""
        ...

    def count_by_model(self) -> dict[str | None, int]:
        """How many live memories have a vector of each model, by its fingerprint; None: without a vector."""
        ...
