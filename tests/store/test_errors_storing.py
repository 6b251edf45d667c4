"""What cannot be stored: one error of the tree, one sentence that says what would be right, and nothing written."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from ebbing.domain.errors import EbbingError, Invalid, NotFound, TooLarge
from ebbing.domain.memory import Source
from ebbing.engine import Engine
from ebbing.ports import Vector, View
from ebbing.testing import FakeEmbedder
from tests.conftest import OpenEngine
from tests.store.test_transactions import state
from tests.tables import each_row

HALF = "\ud800"
# What is said, and a part of the sentence that tells what would be right.
REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"category": "nonsense"}, "invalid", "active_decision"),
    ({"category": 5}, "invalid", "fact"),
    ({"category": ["fact"]}, "invalid", "fact"),
    ({"expires_in": "soon"}, "invalid", "'30d'"),
    ({"expires_in": "0d"}, "invalid", "must be positive"),
    ({"expires_in": "-3d"}, "invalid", "'30d'"),
    ({"expires_in": "1e9y"}, "invalid", "'30d'"),
    ({"expires_in": "99999y"}, "invalid", "years"),
    ({"expires_in": 30}, "invalid", "'30d'"),
    ({"text": ""}, "invalid", "say something"),
    ({"text": " \n\t "}, "invalid", "say something"),
    ({"text": "\u200b\u200b"}, "invalid", "say something"),
    ({"text": None}, "invalid", "text"),
    ({"text": b"bytes"}, "invalid", "text"),
    ({"text": f"half {HALF} a character"}, "invalid", "well-formed"),
    ({"text": "x" * 40_000}, "too_large", "32,768"),
    ({"text": "ü" * 20_000}, "too_large", "32,768"),
    ({"scope": "/a/../b"}, "invalid", "/project/api"),
    ({"scope": "/a\x00b"}, "invalid", "/project/api"),
    ({"scope": 5}, "invalid", "/project/api"),
    ({"scope": "/" + "x" * 600}, "invalid", "512"),
    ({"importance": 1.5}, "invalid", "between 0 and 1"),
    ({"importance": float("nan")}, "invalid", "between 0 and 1"),
    ({"importance": "high"}, "invalid", "between 0 and 1"),
    ({"importance": True}, "invalid", "between 0 and 1"),
    ({"trust": -0.1}, "invalid", "between 0 and 1"),
    ({"tier": "eternal"}, "invalid", "procedural"),
    ({"visibility": "secret"}, "invalid", "private"),
    ({"visibility": "private"}, "invalid", "agent="),
    ({"tags": ["fine", ""]}, "invalid", "tag"),
    ({"tags": [5]}, "invalid", "tag"),
    ({"tags": ["a\x00b"]}, "invalid", "tag"),
    ({"tags": [HALF]}, "invalid", "tag"),
    ({"tags": ["x" * 300]}, "too_large", "256"),
    ({"tags": [str(number) for number in range(50)]}, "too_large", "32"),
    ({"metadata": [1]}, "invalid", "mapping"),
    ({"metadata": {1: 2}}, "invalid", "mapping"),
    ({"metadata": {"a": object()}}, "invalid", "JSON"),
    ({"metadata": {"a": float("inf")}}, "invalid", "JSON"),
    ({"metadata": {"a": "nul \x00"}}, "invalid", "metadata"),
    ({"metadata": {"a\x00": 1}}, "invalid", "metadata"),
    ({"metadata": {"a": [HALF]}}, "invalid", "metadata"),
    ({"metadata": {"a": "x" * 20_000}}, "too_large", "16,384"),
    ({"subject": "only"}, "invalid", "together"),
    ({"attribute": "only"}, "invalid", "together"),
    ({"subject": "a\x00", "attribute": "b"}, "invalid", "subject"),
    ({"source": ""}, "invalid", "source"),
    ({"source": 5}, "invalid", "source"),
    ({"source": Source(kind="user", evidence="nul \x00")}, "invalid", "evidence"),
    ({"session": "nul \x00"}, "invalid", "session"),
    ({"supersedes": "nobody"}, "not_found", "nobody"),
    ({"supersedes": ["nobody", "noone"]}, "not_found", "noone"),
    ({"supersedes": 5}, "invalid", "supersedes"),
    ({"created_at": "yesterday"}, "invalid", "ISO 8601"),
    ({"created_at": 5}, "invalid", "ISO 8601"),
    ({"created_at": "9999-12-31T23:59:59Z"}, "invalid", "time"),
    ({"created_at": "0001-01-01T00:00:00+14:00"}, "invalid", "time"),
]


@pytest.fixture
def before(engine: Engine) -> dict[str, Any]:
    engine.remember("What stood here already", subject="here", attribute="thing")
    return all_of(engine)


def all_of(engine: Engine) -> dict[str, Any]:
    with engine.store.read(View("default", every_agent=True)) as tx:
        return state(tx)


def test_what_cannot_be_meant_is_refused_with_what_would_be_right(engine: Engine, before: dict[str, Any]) -> None:
    wrong = []
    for given, code, right in REFUSED:
        said = {"text": "a plain text", **given}
        for call in (lambda said=said: engine.remember(**said), lambda said=said: engine.remember_many(["fine", said])):
            try:
                call()
            except EbbingError as error:
                if error.code != code or right not in str(error):
                    wrong.append((given, error.code, str(error)))
            except Exception as error:  # noqa: BLE001 - every other error is a finding, and all are told at once
                wrong.append((given, type(error).__name__, str(error)))
            else:
                wrong.append((given, "accepted", ""))
    assert wrong == []
    assert all_of(engine) == before


@each_row(
    ("verb", "given", "code"),
    [
        ("recall", {"query": "x", "limit": 0}, "invalid"),
        ("recall", {"query": "x", "limit": 10**9}, "invalid"),
        ("recall", {"query": "x", "limit": "ten"}, "invalid"),
        ("recall", {"query": None}, "invalid"),
        ("recall", {"query": "x", "include": ["forgotten"]}, "invalid"),
        ("recall", {"query": "x", "include": ["nonsense"]}, "invalid"),
        ("recall", {"query": "x", "categories": ["nonsense"]}, "invalid"),
        ("recall", {"query": "x", "tags": [5]}, "invalid"),
        ("recall", {"query": "x", "scope": "/../x"}, "invalid"),
        ("recall", {"query": "x", "min_score": "high"}, "invalid"),
        ("list", {"status": "nonsense"}, "invalid"),
        ("list", {"tier": "nonsense"}, "invalid"),
        ("list", {"limit": -1}, "invalid"),
        ("list", {"subject": HALF}, "invalid"),
        ("list", {"before": "a\x00b"}, "invalid"),
        ("forget", {"older_than": "whenever"}, "invalid"),
        ("forget", {"older_than": "99999y"}, "invalid"),
        ("forget", {"categories": ["nonsense"]}, "invalid"),
        ("forget", {"scope": "/", "limit": 0}, "invalid"),
        ("forget", {"ids": "nobody"}, "not_found"),
        ("get", {"id": "nobody"}, "not_found"),
        ("get", {"id": "a\x00b"}, "not_found or invalid"),
        ("get", {"id": HALF}, "not_found or invalid"),
        ("pin", {"id": "nobody"}, "not_found"),
        ("history", {"id": "a\x00b"}, "not_found or invalid"),
        ("used", {"ids": ["nobody"]}, "not_found"),
        ("purge", {"ids": "nobody"}, "not_found"),
        ("purge", {"scope": 5}, "invalid"),
        ("restore", {"batch": "a\x00b"}, "not_found or invalid"),
        ("lift", {"tombstone": "a\x00b"}, "not_found or invalid"),
        ("sweep", {"limit": 0}, "invalid"),
    ],
)
def test_what_cannot_be_asked_is_refused_too(
    engine: Engine, before: dict[str, Any], verb: str, given: dict[str, Any], code: str
) -> None:
    with pytest.raises((Invalid, NotFound)) as caught:
        getattr(engine, verb)(**given)
    assert caught.value.code in code.split(" or ")
    assert len(str(caught.value)) > 15
    assert all_of(engine) == before


def test_control_and_invisible_characters_are_removed_not_refused(engine: Engine) -> None:
    stored = engine.remember("The la\x00mp\x07 is\u200b gre\ufeffen\u202e \U000e0041now").memories[0]
    assert stored.text == "The lamp is green now"
    assert engine.get(stored.id).text == "The lamp is green now"
    family = "family 👨\u200d👩\u200d👧 and नमस्\u200dते"
    assert engine.remember(family).memories[0].text == family


def test_just_within_the_limits_is_stored_whole(engine: Engine) -> None:
    longest = "ü" * (32_768 // 2)
    tags = [f"{number:02}" + "x" * 254 for number in range(32)]
    one = engine.remember(
        longest, tags=tags, scope="/" + "ä" * 511, metadata={"a": "x" * 16_000}, subject="s" * 256, attribute="a" * 256
    ).memories[0]
    assert engine.get(one.id) == one
    assert one.text == longest
    assert list(one.tags) == tags
    assert [r.memory.id for r in engine.recall(longest, reinforce=False)] == [one.id]


class Odd(FakeEmbedder):
    """An embedder that goes wrong."""

    def __init__(self, fault: str, **given: Any) -> None:
        super().__init__(**given)
        self.fault = fault

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
        vectors = super().embed(texts, query=query)
        if self.fault == "rows":
            return vectors[:-1]
        if self.fault == "flat":
            return vectors.ravel()
        if self.fault == "nan":
            return vectors * np.float32("nan")
        if self.fault == "raises":
            raise RuntimeError("the model is not there")
        return vectors


@pytest.mark.parametrize(
    ("fault", "right"), [("rows", "one row per text"), ("flat", "one row per text"), ("nan", "finite")]
)
def test_an_embedder_that_breaks_its_promise_is_an_error(
    open_engine: OpenEngine, engine: Engine, before: dict[str, Any], fault: str, right: str
) -> None:
    odd = open_engine(embedder=Odd(fault))
    for call in (lambda: odd.remember("something"), lambda: odd.recall("something")):
        with pytest.raises(Invalid, match=right):
            call()
    assert all_of(engine) == before


def test_an_embedder_that_fails_writes_nothing(open_engine: OpenEngine, engine: Engine, before: dict[str, Any]) -> None:
    odd = open_engine(embedder=Odd("raises"))
    with pytest.raises(RuntimeError, match="not there"):
        odd.remember("something")
    assert all_of(engine) == before


@pytest.mark.parametrize("where", ["live", "archived"])
def test_another_width_under_the_same_fingerprint_is_refused(
    open_engine: OpenEngine, engine: Engine, where: str
) -> None:
    one = engine.remember("What stood here already").memories[0]
    if where == "archived":
        engine.forget(ids=one.id)
    before = all_of(engine)
    wide = open_engine(embedder=FakeEmbedder(dimensions=32, fingerprint="fake-256"))
    for call in (
        lambda: wide.remember("something"),
        lambda: wide.remember_many(["something"]),
        lambda: wide.recall("something", include=["archived"]),
    ):
        with pytest.raises(Invalid, match=r"32 dimensions.*256"):
            call()
    assert all_of(engine) == before


def test_another_model_beside_the_first_is_no_mistake(open_engine: OpenEngine, engine: Engine) -> None:
    engine.remember("The lamp is green")
    other = open_engine(embedder=FakeEmbedder(dimensions=32))
    other.remember("The lamp is red")
    for each in (engine, other):
        assert {r.memory.text for r in each.recall("lamp", reinforce=False)} == {"The lamp is green", "The lamp is red"}


def test_an_error_is_told_by_its_code_and_too_large_is_also_invalid(engine: Engine) -> None:
    with pytest.raises(Invalid) as caught:
        engine.remember("x" * 40_000)
    assert isinstance(caught.value, TooLarge)
    assert caught.value.code == "too_large"


def test_nothing_is_logged_for_a_mistake_of_the_caller(engine: Engine, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="ebbing"), pytest.raises(Invalid):
        engine.remember("x", category="nonsense")
    assert caplog.records == []
