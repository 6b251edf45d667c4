"""A stand-in for `pydantic_ai.capabilities`."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

Deps = TypeVar("Deps")


class AbstractCapability(Generic[Deps]):
    """What an agent can do beside its tools."""

    def get_instructions(self) -> Any:
        return None

    async def after_run(self, ctx: Any, *, result: Any) -> Any:
        return result
