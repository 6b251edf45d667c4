"""Settings to an engine."""

from __future__ import annotations

from pathlib import Path

from ...domain.errors import NotFound
from ...engine import Engine
from ...wiring import open as open_
from .settings import Settings


def open_engine(settings: Settings, *, creates: bool = False) -> Engine:
    """The engine these settings name. A file that was named and is not there is made only by what fills it."""
    address = settings.db
    if address is not None and not creates and address != ":memory:" and "://" not in address:
        path = Path(address).expanduser()
        if address.strip() and not path.exists():
            raise NotFound(f"there is no memory at {address}; check the path, or remember something there first")
    return open_(
        address,
        owner=settings.owner,
        agent=settings.agent,
        policy=settings.policy,
        judge=settings.judge,
        embedder=settings.embedder,
        llm=settings.llm,
        reranker=settings.reranker,
    )
