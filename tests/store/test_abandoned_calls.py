"""A call that nobody waits for any more writes nothing; one that has written is waited for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ebbing.domain.errors import Unavailable
from ebbing.engine import Engine
from ebbing.ports import cancellation


@pytest.fixture
def call() -> Iterator[cancellation.WaitedFor]:
    """What the test does is a call that somebody waits for."""
    made = cancellation.WaitedFor()
    token = cancellation.current.set(made)
    yield made
    cancellation.current.reset(token)


def test_what_was_given_up_is_rolled_back(engine: Engine, call: cancellation.WaitedFor) -> None:
    """Whoever waited was told that nothing was written, and may have tried again."""
    assert call.give_up()
    with pytest.raises(Unavailable, match="nothing was written"):
        engine.remember("Deploys happen on Tuesdays")
    assert engine.list() == []
    assert engine.events() == []


def test_what_has_been_written_is_no_longer_given_up(engine: Engine, call: cancellation.WaitedFor) -> None:
    """To say that nothing was written would be untrue; what follows in the same call is written, too."""
    engine.remember("Deploys happen on Tuesdays")
    assert not call.give_up()
    engine.remember("The office is in Leiden")
    assert len(engine.list()) == 2


def test_the_store_serves_the_next_call_as_before(engine: Engine) -> None:
    """A transaction that was rolled back leaves no lock and no broken connection."""
    given_up = cancellation.WaitedFor()
    given_up.give_up()
    token = cancellation.current.set(given_up)
    with pytest.raises(Unavailable):
        engine.remember("Deploys happen on Tuesdays")
    cancellation.current.reset(token)
    assert [one.text for one in engine.remember("Deploys happen on Tuesdays").memories] == [
        "Deploys happen on Tuesdays"
    ]
