"""How a statement is run for one owner in PostgreSQL, and what the owner's row has there besides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Any

import numpy as np
import psycopg

from ...domain.memory import Source
from ...ports import Filter, View
from .. import query_loader
from ..owner_connection import OwnerConnection, Rows
from ..owner_table import OwnerTable
from ..row_codec import Codec
from .connection import Connection, Cursor
from .statements import answers, bindings, has_one_plan


class PostgresConnection(OwnerConnection):
    """A connection of psycopg's, in a pipeline."""

    codec = Codec(
        instant=lambda at: at.astimezone(UTC),
        json=lambda value: value,
        source=lambda value: Source(**value),
        vector=lambda stored: stored.to_numpy().astype(np.float32),
        length=int,
    )
    queries = query_loader.queries("postgres", query_loader.postgres_dialect)

    def __init__(self, view: View, driver: Connection) -> None:
        super().__init__(view)
        self.driver = driver

    def run(self, statement: str, values: Mapping[str, Any]) -> Rows:
        cursor = self.send(statement, values)
        return cursor.fetchall() if answers(statement) else []

    def run_many(self, statement: str, several: Iterable[Mapping[str, Any]]) -> None:
        bound_values = [bindings(statement, values) for values in several]
        prepare = has_one_plan(statement)
        if prepare and len(bound_values) > 1:
            self.driver.cursor().executemany(statement, bound_values)
        else:
            # One by one: executemany prepares whatever it is given. A pipeline sends them together all the same.
            for values in bound_values:
                self.driver.execute(statement, values, prepare=prepare)

    def send(self, statement: str, values: Mapping[str, Any], *, binary: bool = False) -> Cursor:
        """Send a statement without waiting for it: the server works on it until its rows are fetched."""
        prepare = has_one_plan(statement)
        return self.driver.execute(statement, bindings(statement, values), prepare=prepare, binary=binary)

    def send_packed(self, statement: str, filter_: Filter, **values: Any) -> Cursor:
        """Send a filtered statement that packs each column into one value."""
        return self.send(*self.filtered(statement, filter_, values), binary=True)

    def execute_literally(self, name: str, settings: Mapping[str, str | int], **values: Any) -> Rows:
        """Run a query with its values written into it, under settings that hold until the transaction ends."""
        with psycopg.ClientCursor(self.driver) as cursor:
            for setting, value in settings.items():
                self.driver.execute(f"SET LOCAL {setting} = {value}")
            cursor.execute(self.queries[name], {"owner": self.view.owner, **values})
            return cursor.fetchall()


@dataclass
class PostgresOwnerTable(OwnerTable):
    """Its row also has the next place for a key, and which vectors have an index of their own."""

    places: int = 1
    indexed_fingerprint: str | None = None
    indexed_width: int | None = None

    def take(self, row: Sequence[Any]) -> None:
        *shared, self.places, self.indexed_fingerprint, self.indexed_width = row
        super().take(shared)

    def values(self) -> dict[str, Any]:
        return {**super().values(), "places": self.places}
