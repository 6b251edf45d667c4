"""What callers narrow their view by, checked against the policy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from . import arguments
from .errors import Invalid
from .model import Memory, Scope
from .policy import Policy
from .ports import Filter, Reading

_PAGE = 500


def filter_of(
    policy: Policy,
    *,
    scope: str | None,
    categories: str | Sequence[str] | None,
    tags: str | Sequence[str] | None,
    **more: Any,
) -> Filter:
    """The filter that these words name; a category the policy does not know is an error, not an empty answer."""
    chosen = _some(categories, "categories", "category")
    for category in chosen or ():
        policy.category(category)
    if scope == "":
        raise Invalid("scope '' names nothing; the root is '/'")
    return Filter(
        scope=None if scope is None else Scope(scope), categories=chosen, tags=_some(tags, "tags", "tag"), **more
    )


def _some(values: str | Sequence[str] | None, what: str, one: str) -> tuple[str, ...] | None:
    """At least one, or no filter at all: an empty list would mean everything to one reader and nothing to another."""
    if values is None:
        return None
    several = arguments.several(values, one)
    if not several:
        raise Invalid(f"{what} is empty; name at least one {one}, or leave it out")
    return several


def everything(tx: Reading, where: Filter) -> Iterator[Memory]:
    """What matches, newest first, read a page at a time."""
    before = None
    while page := tx.page(where, before=before, limit=_PAGE):
        yield from page
        before = page[-1].id
