"""Schema changes, in order, one folder per engine: `0001_first.sql`, `0002_…`. None is ever edited once released."""

from __future__ import annotations

import functools
import re
from importlib import resources

_TABLE = re.compile(r"^(CREATE|DROP) (?:VIRTUAL )?(?:TABLE|VIEW) (\w+)", re.MULTILINE)


@functools.cache
def scripts(engine: str) -> list[tuple[int, str]]:
    """Every migration of an engine as (number, SQL), in order."""
    folder = resources.files("ebbing.store.migrations") / engine
    found = (
        (int(entry.name[:4]), entry.read_text("utf-8")) for entry in folder.iterdir() if entry.name.endswith(".sql")
    )
    return sorted(found)


@functools.cache
def tables(engine: str) -> frozenset[str]:
    """The names of the tables and views after all migrations of an engine."""
    exists: dict[str, bool] = {}
    for _, script in scripts(engine):
        exists |= {name: verb == "CREATE" for verb, name in _TABLE.findall(script)}
    return frozenset(name for name, present in exists.items() if present)
