"""The measure of many calls in one event loop: what it counts as lost, and as late."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bench.event_loop import measured


def test_every_call_is_counted(tmp_path: Path) -> None:
    """With the models that users have."""
    figures = asyncio.run(measured(str(tmp_path / "memory.db"), 20))
    assert (figures["calls"], figures["lost"]) == (20, 0)
    assert figures["longest_ms"] >= figures["p95_ms"] >= 0
