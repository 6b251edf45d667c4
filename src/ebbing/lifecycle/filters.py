"""What callers narrow their view by, checked against the policy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..domain import validation
from ..domain.errors import Invalid
from ..domain.memory import Memory, Scope
from ..domain.policy import Policy
from ..ports import Filter, Reading

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
    chosen = validation.optional_some(categories, "categories", "category")
    for category in chosen or ():
        policy.category(category)
    within = None if scope is None else Scope(scope)
    return Filter(scope=within, categories=chosen, tags=validation.optional_some(tags, "tags", "tag"), **more)


def confirm_everything(verb: str, where: Filter, everything: bool) -> Filter:
    """The filter of a verb that takes memories away, once it is certain that the whole store is meant if it is named.

    The root scope with no other filter takes `everything=True` as well; that alone means the root too.
    """
    if everything and (where.ids is not None or where.scope not in (None, "/")):
        raise Invalid(f"{verb} of everything takes neither ids nor a scope below '/'; leave one of them out")
    if where == Filter(scope=Scope("/")) and not everything:
        raise Invalid(f"{verb} of scope '/' is {verb} of everything; add everything=True if that is meant")
    return replace(where, scope=Scope("/")) if everything else where


def everything(tx: Reading, where: Filter) -> Iterator[Memory]:
    """What matches, newest first, read a page at a time."""
    before = None
    while page := tx.page(where, before=before, limit=_PAGE):
        yield from page
        before = page[-1].id
