"""A stand-in for `smolagents`."""

from __future__ import annotations

from typing import Any


class Tool:
    """A tool of an agent."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.is_initialized = False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.forward(*args, **kwargs)
