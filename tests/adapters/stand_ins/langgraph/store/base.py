"""A stand-in for `langgraph.store.base`: the operations, and the methods that make operations of calls."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple, TypedDict

NOT_PROVIDED: Any = object()


class InvalidNamespaceError(ValueError):
    """A namespace that no store takes."""


class TTLConfig(TypedDict, total=False):
    """How long values live."""

    refresh_on_read: bool
    default_ttl: float | None


class GetOp(NamedTuple):
    namespace: tuple[str, ...]
    key: str
    refresh_ttl: bool = True


class SearchOp(NamedTuple):
    namespace_prefix: tuple[str, ...]
    filter: dict[str, Any] | None = None
    limit: int = 10
    offset: int = 0
    query: str | None = None
    refresh_ttl: bool = True


class PutOp(NamedTuple):
    namespace: tuple[str, ...]
    key: str
    value: dict[str, Any] | None
    index: Any = None
    ttl: float | None = None


class MatchCondition(NamedTuple):
    match_type: str
    path: tuple[str, ...]


class ListNamespacesOp(NamedTuple):
    match_conditions: tuple[MatchCondition, ...] | None = None
    max_depth: int | None = None
    limit: int = 100
    offset: int = 0


class Item:
    """A value and where it stands."""

    def __init__(self, *, value: Any, key: str, namespace: Any, created_at: Any, updated_at: Any) -> None:
        self.value, self.key, self.namespace = value, key, tuple(namespace)
        self.created_at, self.updated_at = created_at, updated_at


class SearchItem(Item):
    """One that was found."""

    def __init__(
        self, namespace: Any, key: str, value: Any, created_at: Any, updated_at: Any, score: float | None = None
    ) -> None:
        super().__init__(value=value, key=key, namespace=namespace, created_at=created_at, updated_at=updated_at)
        self.score = score


def get_text_at_path(obj: Any, path: Any) -> list[str]:
    """The texts at a path, of plain names alone."""
    for part in path.split("."):
        obj = obj.get(part) if isinstance(obj, dict) else None
    return [] if obj is None else [str(obj)]


class BaseStore(ABC):
    """Calls become operations, in a batch of one."""

    supports_ttl: bool = False
    ttl_config: Any = None

    @abstractmethod
    def batch(self, ops: Any) -> list[Any]: ...

    @abstractmethod
    async def abatch(self, ops: Any) -> list[Any]: ...

    def get(self, namespace: Any, key: str, *, refresh_ttl: bool | None = None) -> Any:
        return self.batch([GetOp(namespace, key, _refresh(self, refresh_ttl))])[0]

    def search(
        self,
        namespace_prefix: Any,
        /,
        *,
        query: str | None = None,
        filter: Any = None,
        limit: int = 10,
        offset: int = 0,
        refresh_ttl: bool | None = None,
    ) -> Any:
        return self.batch([SearchOp(namespace_prefix, filter, limit, offset, query, _refresh(self, refresh_ttl))])[0]

    def put(self, namespace: Any, key: str, value: Any, index: Any = None, *, ttl: Any = NOT_PROVIDED) -> None:
        self.batch([PutOp(namespace, key, value, index, _ttl(self, ttl))])

    def delete(self, namespace: Any, key: str) -> None:
        self.batch([PutOp(namespace, key, None)])

    def list_namespaces(
        self, *, prefix: Any = None, suffix: Any = None, max_depth: int | None = None, limit: int = 100, offset: int = 0
    ) -> Any:
        given = (("prefix", prefix), ("suffix", suffix))
        conditions = tuple(MatchCondition(kind, tuple(path)) for kind, path in given if path)
        return self.batch([ListNamespacesOp(conditions or None, max_depth, limit, offset)])[0]

    async def aget(self, namespace: Any, key: str, *, refresh_ttl: bool | None = None) -> Any:
        return (await self.abatch([GetOp(namespace, key, _refresh(self, refresh_ttl))]))[0]

    async def asearch(
        self,
        namespace_prefix: Any,
        /,
        *,
        query: str | None = None,
        filter: Any = None,
        limit: int = 10,
        offset: int = 0,
        refresh_ttl: bool | None = None,
    ) -> Any:
        op = SearchOp(namespace_prefix, filter, limit, offset, query, _refresh(self, refresh_ttl))
        return (await self.abatch([op]))[0]

    async def aput(self, namespace: Any, key: str, value: Any, index: Any = None, *, ttl: Any = NOT_PROVIDED) -> None:
        await self.abatch([PutOp(namespace, key, value, index, _ttl(self, ttl))])

    async def adelete(self, namespace: Any, key: str) -> None:
        await self.abatch([PutOp(namespace, key, None)])

    async def alist_namespaces(
        self, *, prefix: Any = None, suffix: Any = None, max_depth: int | None = None, limit: int = 100, offset: int = 0
    ) -> Any:
        given = (("prefix", prefix), ("suffix", suffix))
        conditions = tuple(MatchCondition(kind, tuple(path)) for kind, path in given if path)
        return (await self.abatch([ListNamespacesOp(conditions or None, max_depth, limit, offset)]))[0]


def _refresh(store: BaseStore, given: bool | None) -> bool:
    return bool((store.ttl_config or {}).get("refresh_on_read", True)) if given is None else given


def _ttl(store: BaseStore, given: Any) -> float | None:
    return (store.ttl_config or {}).get("default_ttl") if given is NOT_PROVIDED else given
