"""Settings to a ready engine: the only module that knows stores and models both."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from . import arguments
from .clock import Clock, SystemClock
from .engine import Engine
from .models import Models
from .policy import Policy
from .policy_file import load
from .ports import Embedder
from .providers import count_tokens, make_embedder
from .store import open_store


def default_path() -> Path:
    """Where memories are kept when nobody says: the user's data folder."""
    return Path(platformdirs.user_data_dir("ebbing", appauthor=False)) / "memory.db"


def open(
    path: str | os.PathLike[str] | None = None,
    *,
    owner: str = "default",
    agent: str | None = None,
    policy: str | os.PathLike[str] | Policy = "default",
    embedder: str | Embedder | None = "auto",
    llm: None = None,
    clock: Clock | None = None,
) -> Engine:
    """An engine on a file, on `:memory:` or on `postgresql://…`.

    Everything is checked before the store is opened, so a mistake leaves no file behind.
    """
    arguments.later("llm", llm)
    ready = load(policy if isinstance(policy, str | Policy) else Path(policy))
    models = Models(make_embedder(embedder), count_tokens)
    address = str(default_path() if path is None else os.fspath(path))
    engine_clock = clock if clock is not None else SystemClock()
    store = open_store(address)
    try:
        return Engine(store=store, policy=ready, clock=engine_clock, models=models, owner=owner, agent=agent)
    except BaseException:
        store.close()
        raise
