"""The names of LangGraph's own stores, over Ebbing: what its suites are run against beside the reference.

No judge reads here: the texts of the suites are "aaa" and "bbb", of which no reader of sentences can say anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import ebbing
from ebbing.adapters.langgraph import EbbingStore


class _Store(EbbingStore):
    def __init__(self, *, address: str = ":memory:", index: Any = None) -> None:
        self.index_config = index  # kept to be looked at: Ebbing ranks by its own embedder
        fields = (index or {}).get("fields") or (index or {}).get("text_fields") or ("$",)
        self.engine = ebbing.open(address, judge="off")
        super().__init__(self.engine, fields=fields)

    def setup(self) -> None:
        """Nothing is to be set up."""


class InMemoryStore(_Store):
    """In memory."""


class SqliteStore(_Store):
    """In memory or in a file."""

    @classmethod
    @contextmanager
    def from_conn_string(cls, address: str, *, index: Any = None) -> Iterator[SqliteStore]:
        store = cls(address=address, index=index)
        with store.engine:
            yield store
