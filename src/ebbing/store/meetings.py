"""Whom a newcomer meets: those with its words, its address or its points; and those that wait for a person."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

from ..model import Memory
from ..ports import Familiar, Filter
from .log import Log

AFTER_EVERY_ID = "~"  # sorts behind any id


class Meetings(Log):
    """The part of a transaction that finds who stands where somebody else comes to stand."""

    @abstractmethod
    def ask_filtered(self, name: str, filter_: Filter, **values: Any) -> list[tuple[Any, ...]]:
        """One named statement, its rows that the view sees and a filter leaves."""

    @abstractmethod
    def ask_meeting(self, points: Sequence[str], limit: int) -> list[tuple[Any, ...]]:
        """A point and a memory that stands under it, in each row: live ones and archived ones, so many of each."""

    def duplicates(self, digests: Sequence[str]) -> list[Memory]:
        return self.seen(self.ask("same_digest", digests=list(digests)))

    def at_address(self, subject: str, attribute: str) -> list[Memory]:
        rows = self.ask("same_address", subject=subject, attribute=attribute)
        return self.seen(rows + self.ask("same_stored_address", subject=subject, attribute=attribute))

    def meeting(self, points: Sequence[str], limit: int) -> dict[str, list[Memory]]:
        return self.by_point(self.ask_meeting(list(points), limit)) if points else {}

    def by_point(self, rows: Iterable[Sequence[Any]]) -> dict[str, list[Memory]]:
        """A point and a memory that stands under it, in each row."""
        found: dict[str, list[Memory]] = {}
        for point, *row in rows:
            for memory in self.seen([row]):
                found.setdefault(point, []).append(memory)
        return found

    def familiar(self, hashes: Sequence[str], digests: Sequence[str], points: Sequence[str], limit: int) -> Familiar:
        return Familiar(self.buried(hashes), self.duplicates(digests), self.meeting(points, limit))

    def unsettled(self, *, before: str | None = None, limit: int) -> list[Memory]:
        asked = {"before": before or AFTER_EVERY_ID, "limit": limit}
        rows = [row for side in ("live", "stored") for row in self.ask_filtered(f"unsettled_{side}", Filter(), **asked)]
        found = map(self.codec.memory, rows)
        return sorted(found, key=lambda memory: memory.id, reverse=True)[:limit]

    def echoes(self, ids: Sequence[str], digests: Sequence[str]) -> list[Memory]:
        return self.seen(self.ask("echoes", ids=list(ids), digests=list(digests)))

    def seen(self, rows: Iterable[Sequence[Any]]) -> list[Memory]:
        return [memory for memory in map(self.codec.memory, rows) if self.view.sees(memory)]
