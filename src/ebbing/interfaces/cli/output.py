"""What is written without a terminal library: JSON on stdout, and texts with their control characters escaped.

Texts, names and metadata may come from anybody. Characters that move a cursor, change a colour or turn the direction of
writing are written as escapes: `\\x1b`, `\\u202e`.
"""

from __future__ import annotations

import json
import os
from typing import Any, TextIO

from ...domain.results import plain

_CONTROLS = (*range(0x20), *range(0x7F, 0xA0))
_TURNS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))  # what follows would be written from the other side
_KEPT = "\n\t"
_ESCAPES = {code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" for code in (*_CONTROLS, *_TURNS)}
_ONE_LINE = str.maketrans({**_ESCAPES, "\n": "\\n", "\t": "\\t", "\r": "\\r"})
_SEVERAL_LINES = {code: escape for code, escape in _ONE_LINE.items() if chr(code) not in _KEPT}
_JSON = {code: f"\\u{code:04x}" for code in _ESCAPES if code >= 0x7F}  # the others JSON escapes itself


def visible(text: str) -> str:
    """A text in which only line breaks and tabs still do something."""
    return text.translate(_SEVERAL_LINES)


def one_line(text: str) -> str:
    """A text in which nothing does anything, not even a line break."""
    return text.translate(_ONE_LINE)


def visible_json(document: str) -> str:
    """A JSON document that says the same, with the escapes that JSON has."""
    return document.translate(_JSON)


def is_watched(stream: TextIO) -> bool:
    """Whether to draw for a person: at a terminal, or where FORCE_COLOR says that one looks on behind the pipe."""
    return stream.isatty() or bool(os.environ.get("FORCE_COLOR"))


def print_json(answer: Any, **beside: Any) -> None:
    """Any answer as one JSON document on stdout; an answer of fields may have more beside them."""
    document = {**plain(answer), **beside} if beside else plain(answer)
    print(visible_json(json.dumps(document, ensure_ascii=False, indent=2)))
