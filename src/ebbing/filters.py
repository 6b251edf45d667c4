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
    chosen = arguments.optional_some(categories, "categories", "category")
    for category in chosen or ():
        policy.category(category)
    within = None if scope is None else scope_of(scope)
    return Filter(scope=within, categories=chosen, tags=arguments.optional_some(tags, "tags", "tag"), **more)


def scope_of(scope: str) -> Scope:
    """A scope to look in. Nothing is not the root: whoever's variable was empty did not mean everything."""
    if scope == "":
        raise Invalid("scope '' names nothing; the root is '/'")
    return Scope(scope)


def everything(tx: Reading, where: Filter) -> Iterator[Memory]:
    """What matches, newest first, read a page at a time."""
    before = None
    while page := tx.page(where, before=before, limit=_PAGE):
        yield from page
        before = page[-1].id
