"""Letta: the blocks of an agent file (`.af`), and archival passages as its API lists them.

An agent file holds no passages: they are listed by `client.agents.passages.list`. A block is what the agent always had
before it; here it is a memory, tagged with its label, and `set_block` makes core memory of it where that is wanted.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .records import Contents, Record
from .source_files import fault, json_of, mapping_in, moment_in, optional_text, text_of


def read(path: Path) -> Contents:
    """The blocks of an agent file, or a list of passages."""
    value = json_of(text_of(path), path)
    if isinstance(value, dict) and isinstance(value.get("blocks"), list):
        told = "passages are not in an agent file; import the JSON of agents.passages.list as well"
        return Contents(_blocks(value["blocks"], path), notes=(told,))
    if isinstance(value, dict) and isinstance(value.get("core_memory"), list):
        return Contents(_blocks(value["core_memory"], path))
    passages = value.get("passages") if isinstance(value, dict) else value
    if not isinstance(passages, list):
        raise fault(path, "", "it is neither an agent file (blocks) nor a list of passages")
    numbered = enumerate(passages, 1)
    return Contents([_passage(mapping_in(one, path, f"passage {n}"), path, f"passage {n}") for n, one in numbered])


def _blocks(blocks: list[Any], path: Path) -> list[Record]:
    records: list[Record] = []
    for number, item in enumerate(blocks, 1):
        where = f"block {number}"
        block = mapping_in(item, path, where)
        text, label = optional_text(block.get("value")), optional_text(block.get("label")) or "block"
        if text is None:
            continue
        about = optional_text(block.get("description"))
        more = {} if about is None else {"about": about}
        id_ = f"{label}: {text}"
        records.append(Record(id=id_[:512], text=text, where=where, tags=(f"block:{label}",), metadata=more))
    return records


def _passage(passage: Mapping[str, Any], path: Path, where: str) -> Record:
    text = optional_text(passage.get("text"))
    if text is None:
        raise fault(path, where, "its text must be text")
    tags, more = passage.get("tags"), passage.get("metadata")
    return Record(
        id=str(passage.get("id") or text),
        text=text,
        where=where,
        said_at=moment_in(passage.get("updated_at") or passage.get("created_at"), path, where),
        tags=tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else (),
        metadata=more if isinstance(more, dict) else {},
        ended="deleted" if passage.get("is_deleted") else None,
    )
