"""mem0: what `get_all` answers, its local Qdrant store, and the history beside it.

The JSON of `Memory.get_all` (or of a page of the hosted service) is the whole truth of what is there now. A local
Qdrant store is read without Qdrant: its points are pickles, and they are read as values, never run. `history.db` adds
what memories said before and which were deleted; alone it gives the texts without their users.
"""

from __future__ import annotations

import base64
import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ...domain.memory import storable
from .pickle_values import plain_value
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

_OWN = frozenset(  # fields of mem0 itself; the others are the metadata that was given
    "data memory hash created_at updated_at user_id agent_id run_id role actor_id id expiration_date text_lemmatized "
    "category importance score metadata".split()
)


def read(path: Path) -> Contents:
    """The memories of a JSON file, of a Qdrant folder or storage file, or of a `history.db`."""
    stores, history = _files(path)
    if not stores and history is None:
        return Contents([_from_answer(*one, path) for one in _answered(path)])
    past = _Past(history) if history is not None else None
    records = [record for store in stores for record in _points(store)]
    if not stores and past is not None:
        return Contents(past.alone(), notes=("history.db does not say whose a memory is; give the Qdrant folder too",))
    return Contents(past.added_to(records) if past is not None else records)


def _files(path: Path) -> tuple[list[Path], Path | None]:
    """The storage files of Qdrant, and the history."""
    if path.is_dir():
        stores = sorted(path.glob("collection/*/storage.sqlite")) + sorted(path.glob("*/collection/*/storage.sqlite"))
        beside = [place for place in (path / "history.db", path.parent / "history.db") if place.is_file()]
        if not stores and not beside:
            raise fault(path, "", "there is no collection of Qdrant and no history.db below this folder")
        return stores, beside[0] if beside else None
    if not path.is_file() or path.suffix not in (".db", ".sqlite"):
        return [], None
    with database(path) as connection:
        if columns(connection, "points"):
            return [path], None
        if columns(connection, "history"):
            return [], path
    raise fault(path, "", "it has neither the table points (Qdrant) nor history (mem0)")


def _answered(path: Path) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The memories in what `get_all` answered."""
    value = json_of(text_of(path), path)
    for key in ("results", "memories"):
        if isinstance(value, dict) and key in value:
            value = value[key]
    if not isinstance(value, list):
        raise fault(path, "", 'it is not an answer of get_all: {"results": [{"id": …, "memory": …}]}')
    for number, item in enumerate(value, 1):
        where = f"result {number}"
        yield mapping_in(item, path, where), where


def _from_answer(item: Mapping[str, Any], where: str, path: Path) -> Record:
    text = text_in(item.get("memory"), "memory", path, where)
    more = item.get("metadata")
    flat = {**(more if isinstance(more, dict) else {}), **{key: one for key, one in item.items() if key != "metadata"}}
    return _record(text_in(item.get("id"), "id", path, where), text, flat, path, where)


def _points(path: Path) -> Iterator[Record]:
    with database(path) as connection:
        for row in rows(connection, "points"):
            where = f"row {row['row_number']} of points"
            try:
                point = plain_value(row["point"])
                id_ = point.get("id") or plain_value(base64.b64decode(row["id"]))
            except (ValueError, TypeError, AttributeError) as error:
                raise fault(path, where, f"this is no point of Qdrant: {error}") from None
            payload = point.get("payload")
            if not isinstance(payload, dict) or not isinstance(payload.get("data"), str):
                continue  # another collection's: entities, migrations
            yield _record(str(id_), payload["data"], payload, path, where)


def _record(id_: str, text: str, said: Mapping[str, Any], path: Path, where: str) -> Record:
    agent, run = optional_text(said.get("agent_id")), optional_text(said.get("run_id"))
    ends = moment_in(said.get("expiration_date"), path, where)
    if ends is not None and len(str(said.get("expiration_date"))) == len("2026-12-31"):
        ends += timedelta(days=1)  # to the end of that day
    importance = said.get("importance")
    is_share = isinstance(importance, int | float) and not isinstance(importance, bool) and 0 <= importance <= 1
    return Record(
        id=id_,
        text=text,
        where=where,
        said_at=moment_in(said.get("updated_at") or said.get("created_at"), path, where),
        user=optional_text(said.get("user_id")),
        category=optional_text(said.get("category")),
        importance=importance if is_share else None,
        tags=tuple(f"{kind}:{name}" for kind, name in (("agent", agent), ("run", run)) if name),
        metadata={key: one for key, one in said.items() if key not in _OWN and one is not None and storable(one)},
        session=run,
        expires_at=ends,
    )


class _Past:
    """What `history.db` tells: the texts of each memory in their order, and which were deleted."""

    def __init__(self, path: Path) -> None:
        self._texts: dict[str, list[tuple[datetime, str]]] = defaultdict(list)
        self._deleted: dict[str, str] = {}  # by id, the last text
        with database(path) as connection:
            if not columns(connection, "history") >= {"memory_id", "old_memory", "new_memory", "event", "updated_at"}:
                raise fault(path, "", "its table history is not that of mem0")
            for row in rows(connection, "history"):
                where = f"row {row['row_number']} of history"
                at = moment_in(row["updated_at"] or row["created_at"], path, where) or datetime.fromtimestamp(0, UTC)
                memory = text_in(row["memory_id"], "memory_id", path, where)
                if row["event"] == "DELETE":
                    self._deleted[memory] = row["old_memory"] or ""
                elif isinstance(row["new_memory"], str):
                    self._texts[memory].append((at, row["new_memory"]))

    def alone(self) -> list[Record]:
        """Memories as far as the history knows them."""
        latest = {memory: texts[-1] for memory, texts in self._texts.items()}
        where = "history"
        there = [Record(id=memory, text=text, where=where, said_at=at) for memory, (at, text) in latest.items()]
        return self.added_to(there)

    def added_to(self, records: Sequence[Record]) -> list[Record]:
        """The records with what they said before, and those that were deleted."""
        gone = self._deleted.keys()
        known = {one.id for one in records}
        deleted = [
            Record(id=memory, text=text, where="history", ended="deleted")
            for memory, text in self._deleted.items()
            if memory not in known
        ]
        told = [
            replace(one, versions=self._versions(one), ended="deleted" if one.id in gone else one.ended)
            for one in records
        ]
        return [*told, *deleted]

    def _versions(self, record: Record) -> tuple[Version, ...]:
        texts = self._texts.get(record.id, [])
        changes = [(said, one, until) for (said, one), (until, _) in itertools.pairwise(texts)]
        return tuple(Version(one, said, until) for said, one, until in changes if one != record.text)
