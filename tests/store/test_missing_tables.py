"""The check of a store reports tables that are gone."""

from __future__ import annotations

import pytest

from ebbing.engine import Engine
from ebbing.ports import Finding, View

pytestmark = pytest.mark.every_layout


@pytest.mark.parametrize("table", ["events", "tombstones", "tokens"])
def test_a_table_that_is_gone_is_reported(engine: Engine, table: str) -> None:
    """Without its events a memory has no history, and without tombstones what was purged can come back."""
    engine.remember("The lamp is green.")
    assert tables(engine).ok
    run(engine, f"ALTER TABLE {table} RENAME TO moved")
    found = tables(engine)
    run(engine, f"ALTER TABLE moved RENAME TO {table}")  # the next test has the same database
    assert (found.ok, found.detail) == (False, f"missing: {table}")
    assert "backup" in str(found.remedy)
    assert tables(engine).ok


def tables(engine: Engine) -> Finding:
    """What the check of the tables found."""
    return next(finding for finding in engine.store.check() if finding.check == "tables")


def run(engine: Engine, statement: str) -> None:
    with engine.store.write(View(engine.owner)) as tx:
        tx.db.run(statement, {})  # type: ignore[attr-defined] # of both stores
