"""Work that stops halfway, as a process does that dies: at a place that a test chooses."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from ebbing.engine import Engine
from ebbing.ports import Store, View, WriteTransaction


class Stopped(Exception):
    """Someone pressed the button."""


class StoppingStore:
    """A store whose writes stop working after some of them."""

    def __init__(self, store: Store, writes: int) -> None:
        self._store = store
        self._writes = writes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @contextlib.contextmanager
    def write(self, view: View, *, durable: bool = True) -> Iterator[WriteTransaction]:
        if not self._writes:
            raise Stopped
        with self._store.write(view, durable=durable) as tx:
            yield tx
            self._writes -= 1


def stopping(engine: Engine, writes: int) -> Engine:
    store: Any = StoppingStore(engine.store, writes)
    return Engine(
        store=store,
        policy=engine.policy,
        clock=engine.clock,
        models=engine.models,
        owner=engine.owner,
        agent=engine.agent,
    )
