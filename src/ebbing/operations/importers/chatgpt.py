"""A data export of ChatGPT: its saved memories, and what the user said in conversations.

Read is the ZIP archive, the folder it was unpacked to, or one of its files: `conversations.json` (or
`conversations-000.json` and so on) and `memory.json` where there is one. Only the user's own words of the branch that a
conversation ended on come in, one message a memory; answers are not what a user said. A plain text file is taken for
saved memories copied from the settings, one a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .records import Contents, Record
from .source_files import fault, json_of, mapping_in, moment_in, optional_text, text_of, texts_in_zip

_NAMES = ("conversations.json", "conversations-[0-9]*.json", "memory.json", "memories.json")
_DEPTH_MAX = 100_000  # messages of one branch


def read(path: Path) -> Contents:
    """The memories of an export."""
    records: list[Record] = []
    found = 0
    for name, text in _texts(path):
        found += 1
        if name.endswith(".txt"):
            records += _lines(text)
            continue
        value = json_of(text, path, name if name != path.name else "")
        if not isinstance(value, list):
            raise fault(path, name, "a list was expected")
        for number, item in enumerate(value, 1):
            where = f"{name}, entry {number}"
            entry = mapping_in(item, path, where)
            records += _conversation(entry, path, where) if "mapping" in entry else _saved(entry, path, where)
    if not found:
        raise fault(path, "", "there is no conversations.json and no memory.json in it")
    return Contents(records)


def _texts(path: Path) -> Iterator[tuple[str, str]]:
    if path.is_dir():
        names = sorted({file for pattern in _NAMES for file in path.glob(pattern)})
        return ((file.name, text_of(file)) for file in names)
    if path.suffix == ".zip":
        return texts_in_zip(path, _NAMES)
    return iter([(path.name, text_of(path))])


def _lines(text: str) -> Iterator[Record]:
    for number, line in enumerate(text.split("\n"), 1):
        said = line.strip().lstrip("-*• ").strip()
        if said:
            yield Record(id=said, text=said, where=f"line {number}", tags=("saved",))


def _saved(entry: Mapping[str, Any], path: Path, where: str) -> Iterator[Record]:
    """One saved memory."""
    text = entry.get("content") or entry.get("memory") or entry.get("text")
    if not isinstance(text, str):
        raise fault(path, where, "it is neither a conversation (mapping) nor a saved memory (content)")
    said_at = moment_in(
        entry.get("updated_at") or entry.get("created_at") or entry.get("created_timestamp"), path, where
    )
    yield Record(
        id=str(entry.get("id") or text),
        text=text,
        where=where,
        said_at=said_at,
        tags=("saved",),
        ended="switched off" if entry.get("enabled") is False else None,
    )


def _conversation(entry: Mapping[str, Any], path: Path, where: str) -> Iterator[Record]:
    """What the user said in one conversation, oldest first."""
    nodes = mapping_in(entry["mapping"], path, where)
    session = optional_text(entry.get("conversation_id")) or optional_text(entry.get("id"))
    title = optional_text(entry.get("title"))
    for node_id, message in _branch(nodes, entry.get("current_node"), path, where):
        author = message.get("author")
        content = message.get("content")
        if not isinstance(author, Mapping) or author.get("role") != "user" or not isinstance(content, Mapping):
            continue
        hidden = message.get("metadata")
        if isinstance(hidden, Mapping) and hidden.get("is_visually_hidden_from_conversation"):
            continue
        if content.get("content_type") not in ("text", "multimodal_text"):
            continue
        parts = content.get("parts")
        said = [one for one in parts if isinstance(one, str)] if isinstance(parts, list) else []
        text = "\n".join(said).strip()
        if not text:
            continue
        at = message.get("create_time") or entry.get("create_time")
        yield Record(
            id=str(message.get("id") or node_id),
            text=text,
            where=where,
            said_at=moment_in(at, path, where),
            metadata={} if title is None else {"conversation": title},
            session=session,
        )


def _branch(nodes: Mapping[str, Any], last: Any, path: Path, where: str) -> list[tuple[str, Mapping[str, Any]]]:
    """The messages from the first to the last node; edited and repeated prompts lie on other branches."""
    found: list[tuple[str, Mapping[str, Any]]] = []
    at = last if isinstance(last, str) else next(reversed([*nodes]), None)
    seen: set[str] = set()
    while isinstance(at, str) and at in nodes:
        if at in seen or len(seen) > _DEPTH_MAX:
            raise fault(path, where, "its messages go round in a circle")
        seen.add(at)
        node = mapping_in(nodes[at], path, where)
        if isinstance(node.get("message"), Mapping):
            found.append((at, node["message"]))
        at = node.get("parent")
    return found[::-1]
