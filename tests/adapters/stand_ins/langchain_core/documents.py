"""A stand-in for `langchain_core.documents`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Document:
    """A text with what is known of it."""

    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    id: str | None = None
