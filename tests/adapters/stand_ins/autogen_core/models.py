"""A stand-in for `autogen_core.models`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class SystemMessage:
    """What the developer says."""

    content: str
    type: str = "SystemMessage"
