"""A summary is dated like its oldest text, so `today` of another day has no place in it."""

from __future__ import annotations

from ebbing.domain.memory import Memory
from ebbing.engine import Engine
from ebbing.testing import FrozenClock


def summaries(
    engine: Engine, clock: FrozenClock, texts: list[str], *, days_apart: int, **given: object
) -> list[Memory]:
    for text in texts:
        engine.remember(text, importance=0.29, **given)  # type: ignore[arg-type] # whatever the test gives
        clock.advance(days=days_apart)
    clock.advance(days=9)
    return engine.compact(scope="/").summaries


DONE = ("broke", "passed", "timed out")


def test_what_happened_today_on_several_days_is_not_summarized(engine: Engine, clock: FrozenClock) -> None:
    """`The build: broke today; passed today` says that both happened on the first of these days."""
    texts = [f"The nightly build of the api {done} today." for done in DONE]
    assert summaries(engine, clock, texts, days_apart=1) == []


def test_what_happened_today_on_one_day_is_summarized(engine: Engine, clock: FrozenClock) -> None:
    """The summary is of that day."""
    texts = [f"The nightly build of the api {done} today." for done in DONE]
    (made,) = summaries(engine, clock, texts, days_apart=0)
    assert made.text == "The nightly build of the api: broke today; passed today; timed out today"


def test_what_names_its_day_is_summarized_whenever_it_was_written(engine: Engine, clock: FrozenClock) -> None:
    """A date is the same on every day."""
    texts = [f"The nightly build of the api {done} on {day} May 2026." for day, done in enumerate(DONE, 3)]
    (made,) = summaries(engine, clock, texts, days_apart=1)
    assert "passed on 4 May 2026" in made.text


def test_metadata_is_shared_whatever_the_order_of_its_keys(engine: Engine, clock: FrozenClock) -> None:
    """Two programs that write the same object in another order say the same."""
    given = ({"build": {"os": "linux", "cpu": 4}}, {"build": {"cpu": 4, "os": "linux"}})
    for place, done in enumerate(DONE):
        text = f"The nightly build of the api {done} on 3 May 2026."
        engine.remember(text, importance=0.29, metadata=given[place % 2])
    clock.advance(days=9)
    (made,) = engine.compact(scope="/").summaries
    assert dict(made.metadata) == given[0]
