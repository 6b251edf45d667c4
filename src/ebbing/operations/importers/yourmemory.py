"""YourMemory: its SQLite file, or the JSON of its export (`GET /users/{id}/export`).

The SQLite file also has what a JSON export lacks: the days on which each user was there, what memories said before, and
what was archived. Memories that are private to an agent come in for that agent alone.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

from ...domain.errors import Invalid
from .records import Contents, Record, Version
from .source_files import (
    columns,
    database,
    fault,
    json_of,
    mapping_in,
    moment_in,
    optional_text,
    rows,
    text_in,
    text_of,
)

_NEEDED = {"id", "user_id", "content", "created_at", "recall_count"}
_NOBODY = "user"  # the agent of what no agent wrote
_DUCKDB = b"DUCK"


def read(path: Path) -> Contents:
    """The memories of a `memories.db`, or of an export."""
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError as error:
        raise Invalid(f"{path} is not a file to import: {error.strerror}") from error
    if head[8:12] == _DUCKDB:
        raise fault(path, "", "this is a DuckDB file; give the export of its server, GET /users/{id}/export")
    if head.startswith(b"SQLite format 3"):
        with database(path) as connection:
            return _stored(connection, path)
    return Contents([*_exported(path)])


def _exported(path: Path) -> Iterator[Record]:
    value = mapping_in(json_of(text_of(path), path), path, "")
    memories = value.get("memories")
    if not isinstance(memories, list):
        raise fault(path, "", 'it is no export of YourMemory: {"user_id": …, "memories": […]}')
    for number, item in enumerate(memories, 1):
        where = f"memory {number}"
        yield _record({"user_id": value.get("user_id"), **mapping_in(item, path, where)}, (), path, where)


def _stored(connection: sqlite3.Connection, path: Path) -> Contents:
    if not columns(connection, "memories") >= _NEEDED:
        raise fault(path, "", "its table memories is not that of YourMemory")
    changes: dict[int, list[tuple[datetime, str]]] = defaultdict(list)
    for row in rows(connection, "memory_history") if columns(connection, "memory_history") else ():
        where = f"row {row['row_number']} of memory_history"
        until = moment_in(row["superseded_at"], path, where)
        if until is not None:
            changes[row["memory_id"]].append((until, text_in(row["old_content"], "old_content", path, where)))
    records = [
        _record(dict(row), changes[row["id"]], path, f"row {row['row_number']} of memories")
        for row in rows(connection, "memories")
    ]
    for row in rows(connection, "memory_archive") if columns(connection, "memory_archive") else ():
        where = f"row {row['row_number']} of memory_archive"
        text = text_in(row["content"], "content", path, where)
        id_, user = f"archived {row['orig_id']}", optional_text(row["user_id"])
        records.append(Record(id=id_, text=text, where=where, user=user, ended="archived"))
    return Contents(records, _days(connection, path))


def _record(row: Mapping[str, Any], changes: Any, path: Path, where: str) -> Record:
    created_at = moment_in(row.get("created_at"), path, where)
    agent = optional_text(row.get("agent_id"))
    agent = None if agent == _NOBODY else agent
    importance, uses = row.get("importance"), row.get("recall_count")
    versions: list[Version] = []
    said_at = created_at
    for until, text in changes:
        if said_at is not None and said_at < until:
            versions.append(Version(text, said_at, until))
        said_at = until
    paths = optional_text(row.get("context_paths"))
    return Record(
        id=str(row.get("id")),
        text=text_in(row.get("content"), "content", path, where),
        where=where,
        said_at=said_at,
        last_used_at=moment_in(row.get("last_accessed_at"), path, where),
        uses=uses if isinstance(uses, int) and uses > 0 else 0,
        user=optional_text(row.get("user_id")),
        category=optional_text(row.get("category")),
        importance=round(importance, 4) if isinstance(importance, int | float) and 0 <= importance <= 1 else None,
        tags=() if agent is None else (f"agent:{agent}",),
        metadata={} if paths is None else {"context_paths": paths},
        private_to=agent if row.get("visibility") == "private" else None,
        versions=tuple(versions),
    )


def _days(connection: sqlite3.Connection, path: Path) -> Mapping[str | None, list[date]]:
    days: dict[str | None, list[date]] = defaultdict(list)
    for row in rows(connection, "user_activity") if columns(connection, "user_activity") else ():
        try:
            days[row["user_id"]].append(date.fromisoformat(str(row["active_on"])[:10]))
        except ValueError:
            raise fault(path, f"row {row['row_number']} of user_activity", "its day is no date") from None
    return days
