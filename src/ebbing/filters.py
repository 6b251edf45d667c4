"""What callers narrow their view by, checked against the policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import arguments
from .model import Scope
from .policy import Policy
from .ports import Filter


def filter_of(
    policy: Policy,
    *,
    scope: str | None,
    categories: str | Sequence[str] | None,
    tags: str | Sequence[str] | None,
    **more: Any,
) -> Filter:
    """The filter that these words name; a category the policy does not know is an error, not an empty answer."""
    chosen = None if categories is None else arguments.several(categories, "category")
    for category in chosen or ():
        policy.category(category)
    return Filter(
        scope=None if scope is None else Scope(scope),
        categories=chosen,
        tags=None if tags is None else arguments.several(tags, "tag"),
        **more,
    )
