"""A caller of limited trust does not write under a name that is read as a source trusted more."""

from __future__ import annotations

import pytest

from ebbing.domain.errors import Invalid
from ebbing.engine import Engine


@pytest.mark.parametrize(
    "name", ["User", "USER", "user\u200b", "us\u0435r", "\uff55\uff53\uff45\uff52", "u.s.e.r", "us\u00e9r"]
)
def test_a_source_that_is_read_as_the_user_is_refused(engine: Engine, name: str) -> None:
    """It has little trust, but whoever reads the memory sees the user's name."""
    with pytest.raises(Invalid, match="is read as user"):
        engine.limited_to("agent").remember("I moved to Lima.", source=name)
    assert engine.list() == []


@pytest.mark.parametrize("name", ["agent", "web", "Agent", "users-forum", "crm"])
def test_other_names_stay_allowed(engine: Engine, name: str) -> None:
    """Only names of what is trusted more than the caller are taken."""
    assert engine.limited_to("agent").remember("I moved to Lima.", source=name).memories
