"""A stand-in for `haystack.tools`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class Tool:
    """A tool of an agent."""

    name: str
    description: str
    parameters: dict[str, Any]
    function: Any = None
    async_function: Any = None

    def invoke(self, **given: Any) -> Any:
        return self.function(**given)
