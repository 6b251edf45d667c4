"""What replaced a memory may be gone for good: `explain` says that, and not nothing."""

from __future__ import annotations

from tests.conftest import OpenEngine


def test_explain_says_that_what_replaced_a_memory_was_purged(open_engine: OpenEngine) -> None:
    """Superseded by nothing that can be found looks like a mistake, and `restore` is what one wants then."""
    engine = open_engine()
    old = engine.remember("Standup is at nine.")
    assert old.id is not None
    new = engine.remember("Standup is at ten.", supersedes=old.id)
    assert "purged" not in engine.explain(old.id).because
    engine.purge(ids=[memory.id for memory in new.memories])
    told = engine.explain(old.id)
    assert told.replaced_by is None
    assert told.because.endswith("and what replaced it was purged")
