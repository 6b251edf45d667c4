"""A LangGraph store in SQLite, LangMem's memories among it: each item is a memory, each namespace somebody's.

Which label of a namespace names a user is known to the program alone. So a namespace counts as whose its items are, and
a file with several is brought in one at a time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .records import Contents, Record
from .source_files import columns, database, fault, json_of, moment_in, optional_text, rows, text_in


def read(path: Path) -> Contents:
    """The items of a `SqliteStore`."""
    records: list[Record] = []
    with database(path) as connection:
        if not columns(connection, "store") >= {"prefix", "key", "value", "updated_at"}:
            raise fault(path, "", "it has no table store as LangGraph makes it; a checkpointer's file has no memories")
        for row in rows(connection, "store"):
            where = f"row {row['row_number']} of store"
            namespace = text_in(row["prefix"], "prefix", path, where)
            written = row["value"]
            try:
                text = written.decode() if isinstance(written, bytes) else text_in(written, "value", path, where)
            except UnicodeDecodeError:
                raise fault(path, where, "its value is not UTF-8 text") from None
            value = json_of(text, path, where)
            kind = optional_text(value.get("kind")) if isinstance(value, dict) else None
            records.append(
                Record(
                    id=f"{namespace}/{row['key']}",
                    text=_text(value),
                    where=where,
                    said_at=moment_in(row["updated_at"], path, where),
                    user=namespace,
                    scope="/" + "/".join(quote(label, safe=" ").replace(".", "%2E") for label in namespace.split(".")),
                    category=None if kind is None else kind.lower(),
                    expires_at=moment_in(row["expires_at"], path, where) if "expires_at" in row.keys() else None,  # noqa: SIM118 - of a row `in` asks for values
                )
            )
    return Contents(records)


def _text(value: Any) -> str:
    """What an item says: its content, or all of it as JSON."""
    content = value.get("content") if isinstance(value, Mapping) else None
    if isinstance(content, Mapping) and isinstance(content.get("content"), str):
        about = content.get("context")
        return f"{content['content']} ({about})" if isinstance(about, str) and about else str(content["content"])
    return (
        content if isinstance(content, str) else json.dumps(value if content is None else content, ensure_ascii=False)
    )
