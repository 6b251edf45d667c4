"""A stand-in for `agno.tools.function`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Function:
    """A function that a model may call."""

    name: str
    description: str | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    entrypoint: Any = None
    skip_entrypoint_processing: bool = False
