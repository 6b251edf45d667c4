"""What a reader gives: the memories of another program, in words that are nobody's in particular.

Values only. A reader says what its file says; what may come in, and where it goes, is decided by `import_records.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Version:
    """What a memory said before its text was changed."""

    text: str
    said_at: datetime
    until: datetime  # when the next text took its place


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One memory of another program."""

    id: str  # in that program, or made of where it stands; the same each time the same file is read
    text: str
    where: str  # the line, row or file that it is from, for whoever is to look at it
    said_at: datetime | None = None  # when its text was written; None: the file does not say
    last_used_at: datetime | None = None
    uses: int = 0
    user: str | None = None  # whose it is, where the program keeps several users'
    scope: str = "/"  # below the scope that the import is given
    category: str | None = None
    importance: float | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    session: str | None = None
    private_to: str | None = None  # the one agent that may see it
    expires_at: datetime | None = None
    ended: str | None = None  # why that program does not use it any more: deleted, expired, archived
    versions: tuple[Version, ...] = ()  # oldest first


@dataclass(frozen=True, slots=True)
class Contents:
    """All that a file holds."""

    records: Sequence[Record]
    days: Mapping[str | None, Sequence[date]] = field(default_factory=dict)  # by user, the days on which it was used
    notes: tuple[str, ...] = ()  # what a reader left where it was, and why
