"""An owner's memories in numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from ebbing import Engine, Stats, Status, Tier
from ebbing.domain.results import plain
from ebbing.testing import FakeEmbedder, FakeJudge, FrozenClock, in_memory

OpenEngine = Callable[..., Engine]


def test_an_empty_owner_has_nothing_of_anything(open_engine: OpenEngine) -> None:
    """Every status and tier is named all the same, so that a table has its rows."""
    stats = open_engine(judge=FakeJudge()).stats()
    assert (stats.total, stats.tokens, stats.pinned, stats.due, stats.days_of_use) == (0, 0, 0, 0, 0)
    assert stats.by_status == {str(status): 0 for status in Status}
    assert stats.by_tier == {str(tier): 0 for tier in Tier}
    assert (stats.by_category, stats.embedded, stats.notes) == ({}, {}, ())


def test_memories_are_counted_by_where_they_stand_and_what_they_are(
    open_engine: OpenEngine, clock: FrozenClock
) -> None:
    """Both sides of the store, every agent's; tokens of what is active, and nothing of another owner's."""
    engine = open_engine()
    kept = engine.remember_many(
        [
            {"text": "The sky is blue", "pinned": True},
            {"text": "Grass is green"},
            {"text": "Prefers tea", "category": "preference"},
            {"text": "On it", "tier": "working"},
        ]
    ).memories
    private = open_engine(agent="scout").remember("Only the scout knows", visibility="private").memories[0]
    engine.forget(ids=kept[1].id)
    open_engine("another").remember("Not this owner's")
    clock.advance(days=2)
    engine.used(kept[0].id)
    stats = engine.stats()
    assert stats.total == 5
    assert {status: count for status, count in stats.by_status.items() if count} == {"active": 4, "forgotten": 1}
    assert stats.by_category == {"fact": 4, "preference": 1}
    assert {tier: count for tier, count in stats.by_tier.items() if count} == {"semantic": 4, "working": 1}
    assert stats.tokens == sum(memory.tokens for memory in (kept[0], kept[2], kept[3], private)) > 0
    assert (stats.pinned, stats.days_of_use) == (1, 2)


def test_categories_come_with_the_most_frequent_first(open_engine: OpenEngine) -> None:
    """And by name where there are as many."""
    engine = open_engine()
    engine.remember_many(
        [{"text": f"{category} {number}", "category": category} for category in ("gotcha", "fact") for number in (1, 2)]
        + [{"text": f"finding {number}", "category": "finding"} for number in range(3)]
    )
    assert list(engine.stats().by_category) == ["finding", "fact", "gotcha"]


def test_what_the_next_sweep_would_lower_is_told(open_engine: OpenEngine, clock: FrozenClock) -> None:
    """Now, not later; and telling it lowers nothing."""
    engine = open_engine()
    engine.remember("Gone in an hour", expires_in="1h")
    open_engine(agent="scout").remember("Mine, for an hour", expires_in="1h", visibility="private")
    engine.remember("Here to stay", pinned=True)
    assert engine.stats().due == 0
    clock.advance(hours=2)
    assert engine.stats().due == 2
    assert engine.stats().by_status["active"] == 3
    engine.sweep()
    assert engine.stats().due == 0


def test_memories_of_another_model_are_counted_and_noted(open_engine: OpenEngine) -> None:
    """With what to do about it; of the archive there is nothing to be done."""
    old = open_engine(embedder=FakeEmbedder(fingerprint="old"))
    old.remember_many(["The sky is blue", "Grass is green", "Snow is white"])
    old.forget(query="snow", limit=1)
    open_engine(embedder=None).remember("Nobody embedded this")
    engine = open_engine(embedder=FakeEmbedder(fingerprint="new"), judge=FakeJudge())
    engine.remember("Coal is black")
    stats = engine.stats()
    assert stats.embedded == {"old": 2, "none": 1, "new": 1}
    assert stats.notes == (
        "2 memories were embedded by another model; run reembed",
        "1 memory was not embedded; run reembed",
    )
    engine.reembed()
    assert (engine.stats().embedded, engine.stats().notes) == ({"new": 4}, ())


def test_without_a_model_it_says_that_words_are_all_there_is(open_engine: OpenEngine) -> None:
    """Embedding again is no advice then."""
    notes = open_engine(embedder=None, judge=FakeJudge()).stats().notes
    assert notes == ("no embedder: memories are found by words alone",)


def test_the_size_on_disk_is_told(open_engine: OpenEngine) -> None:
    """It grows with what is stored."""
    engine = open_engine()
    before = engine.stats().size_bytes
    engine.remember_many([f"fact number {number} " * 50 for number in range(200)])
    assert engine.stats().size_bytes > before > 0


def test_a_store_in_memory_takes_no_disk() -> None:
    """There is no file to measure."""
    with in_memory() as engine:
        engine.remember("The sky is blue")
        assert engine.stats().size_bytes == 0


def test_stats_can_say_themselves_as_json(open_engine: OpenEngine, tmp_path: Path) -> None:
    """Every face shows the same."""
    engine = open_engine()
    engine.remember("The sky is blue")
    stats = engine.stats()
    said = json.loads(json.dumps(plain(stats)))
    assert said["by_status"]["active"] == 1
    assert set(said) == set(Stats.__dataclass_fields__)
