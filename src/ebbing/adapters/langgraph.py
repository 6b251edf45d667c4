"""LangGraph's store over Ebbing: what `BaseStore` promises, and with it LangMem and the agents of LangChain.

    store = EbbingStore(ebbing.open("memory.db"))
    graph = builder.compile(store=store)

With `merge=True` it is a store that forgets: see `merging_values`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from itertools import islice
from typing import Any

from ..engine import Engine
from .json_filter import check_filter, matches
from .key_values import Entry, KeyValues, Namespace, value_text
from .merging_values import MergingValues
from .missing_framework import MissingFramework

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        MatchCondition,
        PutOp,
        SearchItem,
        SearchOp,
        TTLConfig,
        get_text_at_path,
    )
except ModuleNotFoundError as error:
    raise MissingFramework("LangGraph", "langgraph") from error

_MANY = 1_000_000_000  # of a filtered search: nobody knows how many do not match


class EbbingStore(BaseStore):
    """A store whose values are memories below `scope`."""

    supports_ttl = True

    def __init__(
        self,
        engine: Engine,
        *,
        merge: bool = False,
        scope: str = "/langgraph",
        fields: Sequence[str] = ("$",),
        ttl: TTLConfig | None = None,
    ) -> None:
        self.ttl_config = ttl
        self._fields = tuple(fields)
        self._values = MergingValues(engine, scope) if merge else KeyValues(engine, scope)

    def batch(self, ops: Iterable[Any]) -> list[Any]:
        """The answer of each operation; all of them read what stood before the batch, and of several puts to one key
        the last counts."""
        given = list(ops)
        answers = [self._read(op) for op in given]
        puts = {(op.namespace, op.key): op for op in given if isinstance(op, PutOp)}
        for op in puts.values():
            self._put(op)
        return answers

    async def abatch(self, ops: Iterable[Any]) -> list[Any]:
        """The same in a thread: the engine blocks while it embeds and writes."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: Any) -> Any:
        match op:
            case GetOp():
                return self._get(op)
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return self._namespaces(op)
            case PutOp():
                return None
        raise ValueError(f"unknown operation {type(op).__name__}; it is none of get, search, put and list namespaces")

    def _get(self, op: GetOp) -> Item | None:
        entry = self._values.get(tuple(op.namespace), op.key)
        if entry is None:
            return None
        self._refresh([entry], op.refresh_ttl)
        return Item(**_item(entry))

    def _search(self, op: SearchOp) -> list[SearchItem]:
        check_filter(op.filter or {})
        prefix, wanted = tuple(op.namespace_prefix), op.offset + op.limit
        if op.query:
            found = self._values.search(prefix, op.query, limit=_MANY if op.filter else wanted)
        else:
            found = self._values.below(prefix)
        fitting = (entry for entry in found if matches(entry.value, op.filter or {}))
        entries = list(islice(fitting, op.offset, wanted))
        self._refresh(entries, op.refresh_ttl)
        return [SearchItem(**_item(entry), score=entry.score) for entry in entries]

    def _put(self, op: PutOp) -> None:
        namespace = tuple(op.namespace)
        if op.value is None:
            self._values.delete(namespace, op.key)
            return
        text = None if op.index is False else self._text(op.value, op.index or self._fields)
        span = None if op.ttl is None else timedelta(minutes=op.ttl)
        self._values.put(namespace, op.key, dict(op.value), text=text, expires_in=span)

    def _text(self, value: Mapping[str, Any], fields: Sequence[str]) -> str | None:
        """What a value is found by: the texts at the paths of some fields; None where it has none of them."""
        if "$" in fields:
            return value_text(value) or None
        return "\n".join(text for path in fields for text in get_text_at_path(value, path)) or None

    def _refresh(self, entries: Iterable[Entry], wanted: bool) -> None:
        """A value that was read lives on for as long as it was given, if that is wanted."""
        for entry in entries if wanted else ():
            self._values.refresh(entry)

    def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        prefixes = [_literal(one.path) for one in conditions if one.match_type == "prefix"]
        longest = max(prefixes, key=len, default=())
        found = {entry.namespace for entry in self._values.below(longest)}
        fitting = {one[: op.max_depth] for one in found if all(_fits(one, condition) for condition in conditions)}
        return sorted(fitting)[op.offset : op.offset + op.limit]


def _item(entry: Entry) -> dict[str, Any]:
    return {
        "value": entry.value,
        "key": entry.key,
        "namespace": entry.namespace,
        "created_at": entry.created_at,
        "updated_at": entry.updated_at,
    }


def _literal(path: Sequence[str]) -> Namespace:
    """The labels of a path before its first wildcard."""
    labels = tuple(path)
    return labels[: labels.index("*")] if "*" in labels else labels


def _fits(namespace: Namespace, condition: MatchCondition) -> bool:
    """Whether a namespace begins or ends with the labels of a path; "*" stands for any one label."""
    path = tuple(condition.path)
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for label, wanted in zip(part, path, strict=True))
