"""The bounds of the numbers of a policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ..memory import COUNT_MAX


@dataclass(frozen=True, slots=True)
class Between:
    """The bounds of a number, both included."""

    low: float
    high: float = float("inf")


Share = Annotated[float, Between(0, 1)]
Count = Annotated[int, Between(1, COUNT_MAX)]
Amount = Annotated[float, Between(0)]
