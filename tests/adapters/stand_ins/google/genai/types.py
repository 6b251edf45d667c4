"""A stand-in for `google.genai.types`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(kw_only=True)
class Part:
    """A part of a content."""

    text: str | None = None
    thought: bool | None = None


@dataclass(kw_only=True)
class Content:
    """What somebody said."""

    parts: list[Part] = field(default_factory=list)
    role: str | None = None


@dataclass(kw_only=True)
class FunctionDeclaration:
    """What a model is told of a tool."""

    name: str
    description: str
    parameters_json_schema: Any
