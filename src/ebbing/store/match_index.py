"""The memories with the words or the address of a new text, and those that wait for a person."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

from ..domain.memory import Memory
from ..ports import Filter, MatchLookup
from ..text.terms import digest
from .event_log import Log

AFTER_EVERY_ID = "~"  # sorts behind any id


class Meetings(Log):
    """The part of a transaction that finds the memories a new text may repeat or replace."""

    @abstractmethod
    def ask_filtered(self, name: str, filter_: Filter, **values: Any) -> list[tuple[Any, ...]]:
        """One named statement, its rows that the view sees and a filter leaves."""

    def duplicates(self, digests: Sequence[str]) -> list[Memory]:
        return self.seen(self.ask("same_digest", digests=list(digests)))

    def at_address(self, subject: str, attribute: str) -> list[Memory]:
        rows = self.ask("same_address", subject=subject, attribute=attribute)
        return self.seen(rows + self.ask("same_stored_address", subject=subject, attribute=attribute))

    def aliases(self, names: Sequence[str], attribute: str) -> list[Memory]:
        digests = [digest(name) for name in names]
        found = self.seen(self.ask("aliases", names=list(names), digests=digests, attribute=attribute))
        return list({memory.id: memory for memory in found}.values())

    def lookup_matches(self, hashes: Sequence[str], digests: Sequence[str]) -> MatchLookup:
        return MatchLookup(self.tombstoned(hashes), self.duplicates(digests))

    def pending_review(self, *, before: str | None = None, limit: int) -> list[Memory]:
        asked = {"before": before or AFTER_EVERY_ID, "limit": limit}
        rows = [row for side in ("live", "stored") for row in self.ask_filtered(f"unsettled_{side}", Filter(), **asked)]
        found = map(self.codec.memory, rows)
        return sorted(found, key=lambda memory: memory.id, reverse=True)[:limit]

    def archived_copies(self, ids: Sequence[str], digests: Sequence[str]) -> list[Memory]:
        return self.seen(self.ask("echoes", ids=list(ids), digests=list(digests)))

    def quoting(self, texts: Sequence[str], limit: int) -> list[Memory]:
        asked = {"texts": list(texts), "limit": limit}
        return self.seen([*self.ask("quoting_live", **asked), *self.ask("quoting_stored", **asked)]) if texts else []

    def seen(self, rows: Iterable[Sequence[Any]]) -> list[Memory]:
        return [memory for memory in map(self.codec.memory, rows) if self.view.sees(memory)]
