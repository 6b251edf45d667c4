"""Settings to a ready engine: the only module that knows stores and models both."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import platformdirs

from .domain import validation
from .domain.clock import Clock, SystemClock
from .domain.errors import Invalid, shown
from .domain.memory import storable
from .domain.policy import Policy
from .domain.policy.loader import load
from .engine import Engine
from .jobs.worker import ThreadedSweeper
from .ports import Embedder, Judge, Llm, Reranker
from .ports.model_client import Models
from .providers import count_tokens, make_embedder, make_judge, make_llm, make_reranker
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
    judge: str | Judge | None = "auto",
    llm: str | Llm | None = None,
    clock: Clock | None = None,
    reranker: str | Reranker | None = None,
) -> Engine:
    """An engine on a file, on `:memory:` or on `postgresql://…`.

    `embedder` is `"auto"` for the one that ships, None for words alone, `"onnx:folder"`,
    `"model@http://host:port/v1"`, `"fastembed:model"`, `"sentence-transformers:model"`, or an object of your own;
    `judge` is `"auto"` for the trained model that ships, `"off"` or None for exact rules alone, or an object of yours;
    `reranker` is `"onnx:folder"` or an object of your own.
    `llm` is `"model@http://host:port/v1"`, `"auto"` for what EBBING_LLM_MODEL and EBBING_LLM_BASE_URL say (the
    key of either is in EBBING_LLM_API_KEY), or an object of your own; without it no language model is asked.
    Everything is checked before the store is opened, so a mistake leaves no file behind.
    """
    ready = load(policy)
    models = Models(make_embedder(embedder), count_tokens, make_llm(llm), make_reranker(reranker))
    models.judge, models.no_judge = make_judge(judge)
    if not ready.judge.enabled:
        models.judge, models.no_judge = None, "the policy says [judge] enabled = false"
    address = _address(path)
    engine_clock = clock if clock is not None else SystemClock()
    if not callable(getattr(engine_clock, "now", None)):
        raise Invalid(f"clock {shown(clock)} does not know the time; give an object with now(), or None")
    owner = validation.name(owner, "owner")
    agent = None if agent is None else validation.name(agent, "agent")
    store = open_store(address)
    try:
        engine = Engine(store=store, policy=ready, clock=engine_clock, models=models, owner=owner, agent=agent)
        engine.sweeper = ThreadedSweeper(engine)
        return engine
    except BaseException:
        store.close()
        raise


def _address(path: Any) -> str:
    if path is None:
        return str(default_path())
    address = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(address, str) or not address.strip() or not storable(address):
        raise Invalid(f"{shown(path)} is no address of a store; give a file path, ':memory:' or 'postgresql://…'")
    return os.path.expanduser(address) if address.startswith("~") else address  # noqa: PTH111 - an address, not a path
