"""The filters of recall and list: several scopes, metadata, times of creation, and what was shown already."""

from __future__ import annotations

from typing import Any

import pytest

from ebbing.domain.errors import Invalid, TooLarge
from ebbing.engine import Engine
from tests.conftest import OpenEngine

APPLE = "red apple"


@pytest.fixture
def engine(open_engine: OpenEngine) -> Engine:
    """Apples in several scopes, with metadata, told in several years."""
    engine = open_engine()
    for number, (scope, metadata) in enumerate(
        [
            ("/a", {"ticket": "A-1", "open": True}),
            ("/a/b", {"ticket": "A-2", "open": False, "size": 3}),
            ("/ab", {"ticket": "A-1", "size": 3.5, "by": None}),
            ("/c", {"open": 1, "labels": ["x"], "it's": 'a "b"'}),
        ]
    ):
        engine.remember(
            f"{APPLE} {number}", scope=scope, metadata=metadata, created_at=f"{2020 + number}-06-01T00:00:00Z"
        )
    return engine


def both(engine: Engine, **given: Any) -> list[int]:
    """The apples that recall and list find alike, by their number."""
    found = sorted(int(one.memory.text[-1]) for one in engine.recall(APPLE, reinforce=False, **given))
    assert found == sorted(int(one.text[-1]) for one in engine.list(**given))
    return found


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"scopes": ["/a", "/c"]}, [0, 1, 3]),
        ({"scopes": ["/a/b", "/ab"]}, [1, 2]),
        ({"scopes": ["/a", "/a/b"]}, [0, 1]),
        ({"scopes": ["/", "/c"]}, [0, 1, 2, 3]),
        ({"scope": ["/ab", "/c"]}, [2, 3]),
        ({"scopes": ["/nowhere"]}, []),
        ({"metadata": {"ticket": "A-1"}}, [0, 2]),
        ({"metadata": {"ticket": "A-1", "open": True}}, [0]),
        ({"metadata": {"open": 1}}, [3]),
        ({"metadata": {"size": 3}}, [1]),
        ({"metadata": {"size": 3.0}}, [1]),
        ({"metadata": {"by": None}}, [2]),
        ({"metadata": {"it's": 'a "b"'}}, [3]),
        ({"metadata": {"ticket": "a-1"}}, []),
        ({"metadata": {"ticket": "A-1"}, "scopes": ["/a", "/c"]}, [0]),
        ({"created_after": "2021-06-01T00:00:00Z"}, [1, 2, 3]),
        ({"created_before": "2021-06-01T00:00:00Z"}, [0]),
        ({"created_after": "2021-01-01", "created_before": "2023-01-01"}, [1, 2]),
    ],
)
def test_every_filter_narrows_recall_and_list_alike(engine: Engine, given: dict[str, Any], found: list[int]) -> None:
    assert both(engine, **given) == found


def test_what_was_shown_is_left_out_and_the_next_ones_come(engine: Engine) -> None:
    """Page by page, each once, until there is no more."""
    shown: list[str] = []
    while page := engine.recall(APPLE, limit=2, exclude=shown, reinforce=False):
        assert not {one.memory.id for one in page} & set(shown)
        shown += [one.memory.id for one in page]
    assert len(shown) == len(set(shown)) == 4


def test_a_context_may_be_of_several_scopes(engine: Engine) -> None:
    assert {memory.scope for memory in engine.context(APPLE, scopes=["/a/b", "/c"]).memories} == {"/a/b", "/c"}


def test_as_of_and_a_time_of_creation_both_hold(engine: Engine) -> None:
    """Whichever is earlier."""
    found = engine.recall(APPLE, as_of="2022-12-31", created_after="2021-01-01", reinforce=False)
    assert sorted(one.memory.text for one in found) == [f"{APPLE} 1", f"{APPLE} 2"]
    early = engine.recall(APPLE, as_of="2022-12-31", created_before="2021-01-01", reinforce=False)
    assert [one.memory.text for one in early] == [f"{APPLE} 0"]


@pytest.mark.parametrize(
    "given",
    [
        {"scopes": []},
        {"scopes": 3},
        {"scope": "/a", "scopes": ["/b"]},
        {"scopes": ["/a", "../b"]},
        {"metadata": {}},
        {"metadata": "ticket"},
        {"metadata": {"labels": ["x"]}},
        {"metadata": {"a": {"b": 1}}},
        {"metadata": {"n": float("nan")}},
        {"metadata": {"n": 2**60}},
        {"metadata": {"n": "\x00"}},
        {"created_after": "yesterday"},
        {"created_before": 3},
    ],
)
def test_a_filter_that_means_nothing_is_refused(engine: Engine, given: dict[str, Any]) -> None:
    for verb in (lambda: engine.recall(APPLE, **given), lambda: engine.list(**given)):
        with pytest.raises(Invalid):
            verb()


def test_a_question_is_read_as_far_as_a_memory_may_be_long(engine: Engine) -> None:
    """A megabyte of words kept one recall busy for fourteen seconds; to forget by such a question is refused."""
    most = engine.policy.limits.text_bytes
    kept = engine.remember("The kestrel nests on the mill").id
    filling = ("zebra " * most)[:most]
    found = engine.recall(f"kestrel mill {filling}", min_score=0.0)
    assert [one.memory.id for one in found] == [kept]
    assert [one.parts["lexical"] for one in engine.recall(f"{filling} kestrel mill", min_score=0.0)] in ([], [0.0])
    with pytest.raises(TooLarge):
        engine.forget(query=f"kestrel {filling}")
