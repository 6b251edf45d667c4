"""What callers narrow their view by, checked against the policy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from ..domain import validation
from ..domain.errors import Invalid, shown
from ..domain.memory import Memory, Scope, instant, storable
from ..domain.policy import Policy
from ..ports import Filter, MemoryRows

_PAGE = 500
_SCOPES_MAX = 100
_NUMBER_MAX = 2**53  # whole numbers beyond it are not the same in every reader of JSON


def filter_of(
    policy: Policy,
    *,
    scope: str | Sequence[str] | None = None,
    categories: str | Sequence[str] | None = None,
    tags: str | Sequence[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
    created_after: datetime | str | None = None,
    created_before: datetime | str | None = None,
    exclude: str | Sequence[str] | None = None,
    scopes: Sequence[str] | None = None,
    **more: Any,
) -> Filter:
    """The filter that these words name; a category the policy does not know is an error, not an empty answer."""
    chosen = validation.optional_some(categories, "categories", "category")
    for category in chosen or ():
        policy.category(category)
    if scope is not None and scopes is not None:
        raise Invalid("give scope or scopes, not both")
    named = scope if scopes is None else scopes
    within = () if named is None else _scopes(named)
    return Filter(
        scope=within[0] if len(within) == 1 else None,
        scopes=within if len(within) > 1 else None,
        categories=chosen,
        tags=validation.optional_some(tags, "tags", "tag"),
        metadata=None if metadata is None else _metadata(metadata),
        exclude=None if exclude is None else validation.several(exclude, "exclude") or None,
        created_after=None if created_after is None else instant(created_after),
        created_before=None if created_before is None else instant(created_before),
        **more,
    )


def _scopes(given: str | Sequence[str]) -> tuple[Scope, ...]:
    """One scope or several, none of which lies in another."""
    if isinstance(given, str):
        return (Scope(given),)
    if not isinstance(given, Iterable):
        raise Invalid(f"scope {shown(given)} is not text, nor several paths")
    several = tuple(dict.fromkeys(map(Scope, given)))
    if not several:
        raise Invalid("scopes is empty; name at least one path, or leave it out")
    if len(several) > _SCOPES_MAX:
        raise Invalid(f"scopes names {len(several)} paths, and the limit is {_SCOPES_MAX}; name one that holds them")
    return tuple(one for one in several if not any(other != one and other.contains(one) for other in several))


def _metadata(given: Any) -> Mapping[str, Any]:
    """Names with the value that each must have: text, numbers, true, false or null."""
    if not isinstance(given, Mapping) or not given:
        raise Invalid(f"metadata {shown(given)} is no filter; give names with their values, as {{'ticket': 'A-1'}}")
    for key, value in given.items():
        if not (value is None or isinstance(value, str | int | float)):
            raise Invalid(f"metadata {shown(key)} is looked for by one text, number, true, false or null")
        if not isinstance(key, str) or not storable({key: value}):
            raise Invalid(f"metadata {shown(key)} cannot be looked for; names are text and values are JSON")
        if isinstance(value, int) and abs(value) > _NUMBER_MAX:
            raise Invalid(f"metadata {shown(key)} is looked for by a number of at most {_NUMBER_MAX:,}")
    return dict(given)


def confirm_everything(verb: str, where: Filter, everything: bool) -> Filter:
    """The filter of a verb that takes memories away, once it is certain that the whole store is meant if it is named.

    The root scope with no other filter takes `everything=True` as well; that alone means the root too.
    """
    if everything and (where.ids is not None or where.scope not in (None, "/")):
        raise Invalid(f"{verb} of everything takes neither ids nor a scope below '/'; leave one of them out")
    if where == Filter(scope=Scope("/")) and not everything:
        raise Invalid(f"{verb} of scope '/' is {verb} of everything; add everything=True if that is meant")
    return replace(where, scope=Scope("/")) if everything else where


def everything(rows: MemoryRows, where: Filter) -> Iterator[Memory]:
    """What matches, newest first, read a page at a time."""
    before = None
    while page := rows.page(where, before=before, limit=_PAGE):
        yield from page
        before = page[-1].id
