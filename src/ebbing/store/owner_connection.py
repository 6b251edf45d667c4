"""Statements by their names in `queries/`, run for one owner: what every group of a transaction works with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from ..domain.memory import Memory
from ..ports import Filter, View
from . import query_loader
from .row_codec import Codec

Rows = list[tuple[Any, ...]]


class OwnerConnection(ABC):
    """A connection for as long as a transaction lasts. Every statement is given the owner of its view."""

    codec: ClassVar[Codec]
    queries: ClassVar[Mapping[str, str]]

    def __init__(self, view: View) -> None:
        self.view = view

    @abstractmethod
    def run(self, statement: str, values: Mapping[str, Any]) -> Rows:
        """Run a statement; its rows."""

    @abstractmethod
    def run_many(self, statement: str, several: Iterable[Mapping[str, Any]]) -> None:
        """Run a statement once for each set of values."""

    def execute(self, name: str, **values: Any) -> Rows:
        """Run the query of this name; its rows."""
        return self.run(self.queries[name], {"owner": self.view.owner, **values})

    def execute_many(self, name: str, several: Iterable[Mapping[str, Any]]) -> None:
        """Run the query of this name once for each set of values."""
        owner = self.view.owner
        self.run_many(self.queries[name], ({"owner": owner, **values} for values in several))

    def execute_filtered(self, name: str, filter_: Filter, **values: Any) -> Rows:
        """Run the query of this name; its rows that the view sees and the filter selects."""
        return self.run(*self.filtered(self.queries[name], filter_, values))

    def filtered(self, statement: str, filter_: Filter, values: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """A statement with the predicates of a filter and of the view in it, and all its values."""
        predicates, more = query_loader.where(filter_, self.view, self.queries)
        return statement.replace("/*filter*/", predicates), {"owner": self.view.owner, **more, **values}

    def memories(self, rows: Iterable[Sequence[Any]]) -> list[Memory]:
        """Rows of `live` or `stored` as memories."""
        return list(map(self.codec.memory, rows))

    def visible(self, rows: Iterable[Sequence[Any]]) -> list[Memory]:
        """The same, without those that the view does not see."""
        return [memory for memory in map(self.codec.memory, rows) if self.view.sees(memory)]
