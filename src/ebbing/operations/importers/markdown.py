"""Markdown with front matter, as people and programs write notes: its fields, and the text below them.

Front matter is read line by line as the plain part of YAML that such files use: names with texts, lists and one level
of fields below a name. Nothing is evaluated, and what is not understood is left as text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_FIELD = re.compile(r"(\s*)([A-Za-z_][\w .-]*?):(?:\s+(.*))?$")
_ITEM = re.compile(r"\s*-\s+(.*)$")


@dataclass(frozen=True, slots=True)
class Note:
    """One file."""

    fields: Mapping[str, Any]
    body: str
    first_line: int  # of the body

    def text(self, name: str) -> str | None:
        """A field that is a text with something in it; a dot leads to a field below another."""
        value: Any = self.fields
        for part in name.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        return value if isinstance(value, str) and value.strip() else None

    def texts(self, name: str) -> tuple[str, ...]:
        """A field that is a list of texts, or one text with commas."""
        value = self.fields.get(name)
        several = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
        return tuple(one.strip() for one in several if one.strip())


def note(text: str) -> Note:
    """A file's text, taken apart."""
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[0].strip() != "---":
        return Note({}, text, 1)
    end = next((place for place, line in enumerate(lines[1:], 1) if line.strip() in ("---", "...")), None)
    if end is None:
        return Note({}, text, 1)
    return Note(_fields(lines[1:end]), "\n".join(lines[end + 1 :]), end + 2)


def _fields(lines: list[str]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    last = ""  # the field that items and fields further in belong to
    for line in lines:
        item, field = _ITEM.match(line), _FIELD.match(line)
        within = fields.get(last)
        if item and last and (not within or isinstance(within, list)):
            fields[last] = [*(within or []), _plain(item[1])]
        elif field and field[1] and last and (not within or isinstance(within, dict)):
            fields[last] = {**(within or {}), field[2]: _value(field[3])}
        elif field and not field[1]:
            last = field[2]
            fields[last] = _value(field[3])
    return fields


def _value(written: str | None) -> Any:
    text = "" if written is None else written.strip()
    if text.startswith("[") and text.endswith("]"):
        return [_plain(part) for part in text[1:-1].split(",") if part.strip()]
    return _plain(text)


def _plain(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text
