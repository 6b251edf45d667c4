"""A stand-in for `agents.run`: what an input filter is given, and gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Context = TypeVar("Context")


@dataclass
class ModelInputData:
    """What the model is sent."""

    input: list[Any]
    instructions: str | None


@dataclass
class CallModelData(Generic[Context]):
    """What a filter is given."""

    model_data: ModelInputData
    agent: Any
    context: Context | None
