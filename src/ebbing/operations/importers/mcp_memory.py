"""The official MCP memory server: entities, their observations and relations, one JSON object a line.

It keeps no ids and no times. What is noted later in the list was observed later, and that order is kept. An observation
alone does not say whom it is about, so the entity's name stands before it.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from .records import Contents, Record
from .source_files import fault, json_lines, mapping_in, text_in

_KINDS = ("entity", "relation")


def read(path: Path) -> Contents:
    """The memories of a `memory.jsonl` (or the older `memory.json`, which is the same)."""
    records: list[Record] = []
    said: Counter[str] = Counter()
    for number, value in json_lines(path):
        where = f"line {number}"
        line = mapping_in(value, path, where)
        kind = line.get("type")
        if kind not in _KINDS:
            raise fault(path, where, f"its type must be entity or relation, and is {kind!r}")
        if kind == "relation":
            one, how, other = (text_in(line.get(name), name, path, where) for name in ("from", "relationType", "to"))
            texts = [f"{one} {how.replace('_', ' ')} {other}"]
            tags: tuple[str, ...] = ("relation",)
        else:
            name = text_in(line.get("name"), "name", path, where)
            noted = line.get("observations", [])
            if not isinstance(noted, list):
                raise fault(path, where, "its observations must be a list of texts")
            observed = [text_in(one, "observation", path, where) for one in noted]
            texts = [one if _names(one, name) else f"{name.replace('_', ' ')}: {one}" for one in observed]
            sort = line.get("entityType")
            tags = (sort,) if isinstance(sort, str) and sort.strip() else ()
        for text in texts:
            said[text] += 1
            id_ = text if said[text] == 1 else f"{text} ({said[text]})"
            records.append(Record(id=id_, text=text, where=where, tags=tags))
    return Contents(records)


def _names(observation: str, entity: str) -> bool:
    """Whether an observation already says whom it is about."""
    return entity.replace("_", " ").casefold() in observation.replace("_", " ").casefold()
