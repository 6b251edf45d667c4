"""Tags or a scope that call the text of a memory a secret are refused, because that text is stored in clear."""

from __future__ import annotations

from typing import Any

import pytest

from ebbing.domain.errors import Invalid
from ebbing.engine import Engine


@pytest.mark.parametrize("change", [{"tags": ["password"]}, {"scope": "/router/password"}, {"tags": ["door code"]}])
def test_an_update_that_names_a_secret_is_refused(engine: Engine, change: dict[str, Any]) -> None:
    """The update would look as if the value were redacted, as `remember` redacts it, and the old text would stay."""
    text = "7713" if change["tags" if "tags" in change else "scope"] == ["door code"] else "hunter2x"
    kept = engine.remember(text).memories[0]
    with pytest.raises(Invalid, match="say that its text is a secret"):
        engine.update(kept.id, **change)
    assert engine.get(kept.id) == kept


def test_other_changes_of_such_a_memory_stay_possible(engine: Engine) -> None:
    """A text that was stored before a rule knew it may still be weighed, moved and tagged."""
    kept = engine.remember("The router was changed in May.", tags=["password"]).memories[0]
    assert engine.update(kept.id, importance=0.9, tags=["password", "router"]).tags == ("password", "router")
