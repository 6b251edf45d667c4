"""Schema changes, in order, one folder per engine: `0001_first.sql`, `0002_…`. None is ever edited once released."""

from __future__ import annotations

import functools
from importlib import resources


@functools.cache
def scripts(engine: str) -> list[tuple[int, str]]:
    """Every migration of an engine as (number, SQL), in order."""
    folder = resources.files("ebbing.store.migrations") / engine
    found = (
        (int(entry.name[:4]), entry.read_text("utf-8")) for entry in folder.iterdir() if entry.name.endswith(".sql")
    )
    return sorted(found)
