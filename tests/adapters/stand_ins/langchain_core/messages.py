"""A stand-in for `langchain_core.messages`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class SystemMessage:
    """What stands before a conversation."""

    content: str
    type: str = "system"

    @property
    def text(self) -> str:
        return self.content
