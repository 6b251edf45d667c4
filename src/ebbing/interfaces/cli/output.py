"""Answers on stdout, where no terminal library is needed: JSON, and whether somebody watches a stream."""

from __future__ import annotations

import json
import os
from typing import Any, TextIO

from ...domain.results import plain
from .escape import visible_json


def is_watched(stream: TextIO) -> bool:
    """Whether to draw for a person: at a terminal, or where FORCE_COLOR says that one looks on behind the pipe."""
    return stream.isatty() or bool(os.environ.get("FORCE_COLOR"))


def print_json(answer: Any, **beside: Any) -> None:
    """Any answer as one JSON document on stdout; an answer of fields may have more beside them."""
    document = {**plain(answer), **beside} if beside else plain(answer)
    print(visible_json(json.dumps(document, ensure_ascii=False, indent=2)))
