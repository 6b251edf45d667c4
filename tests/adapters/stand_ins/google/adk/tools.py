"""A stand-in for `google.adk.tools`."""

from __future__ import annotations


class BaseTool:
    """A tool of an agent."""

    def __init__(self, *, name: str, description: str) -> None:
        self.name, self.description = name, description
