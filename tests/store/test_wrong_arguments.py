"""Whatever an engine is given, it answers or raises an error of ours: nothing raw comes out of any public method."""

from __future__ import annotations

import inspect
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

import ebbing
from ebbing.domain.errors import EbbingError, Invalid, shown
from ebbing.engine import Engine
from ebbing.testing import FakeEmbedder


def nested(levels: int, kind: type) -> Any:
    value: Any = kind()
    for _ in range(levels):
        value = [value] if kind is list else {"a": value}
    return value


class Letters(str):
    """A string of a type of the caller's own."""

    __slots__ = ()


LOOP: list[Any] = []
LOOP.append(LOOP)
WRONG: dict[str, Any] = {
    "nothing": None,
    "a flag": True,
    "zero": 0,
    "below zero": -1,
    "more than 64 bits": 2**63,
    "four hundred digits": 10**400,
    "more digits than Python writes": 10**5000,
    "not a number": float("nan"),
    "infinity": float("inf"),
    "a complex number": 1j,
    "bytes": b"x",
    "half a character": "\ud800",
    "a NUL": "a\0b",
    "no text": "",
    "blank text": " ",
    "long text": "x" * 100_000,
    "text of another type": Letters("abc"),
    "digits without end": "9" * 5000,
    "an empty list": [],
    "lists in a list": [[]],
    "half a character in a list": ["\ud800"],
    "bytes in a list": [b"x"],
    "nothing in a list": [None],
    "a huge number in a list": [10**5000],
    "an empty mapping": {},
    "numbers as keys": {1: 2},
    "half characters in a mapping": {"\ud800": "\ud800"},
    "a huge number in a mapping": {"a": 10**5000},
    "not a number in a mapping": {"a": float("nan")},
    "a time in a mapping": {"a": datetime(2026, 1, 1, tzinfo=UTC)},
    "lists nested deep": nested(100_000, list),
    "mappings nested deep": nested(100_000, dict),
    "mappings nested half as deep as Python calls": nested(500, dict),
    "a list in itself": LOOP,
    "messages that are none": [{"role": 1, "content": 2}],
    "a message nested deep": [{"role": "user", "content": nested(100_000, list)}],
    "items that are none": [{"text": 1, "colour": 2}],
    "a set": {1},
    "an object": object(),
    "a type": int,
    "a function": len,
    "a date": date(2026, 1, 1),
    "a time without a zone": datetime(2026, 1, 1),  # noqa: DTZ001 - that is the point
    "the first instant": datetime(1, 1, 1, tzinfo=UTC),
    "an instant before the calendar": datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))),
    "the last instant": datetime(9999, 12, 31, 23, 59, tzinfo=UTC),
    "an instant before the calendar, as text": "0001-01-01T00:00:00+14:00",
    "a span longer than the calendar": "P99999999999999999Y",
    "a path that is nowhere": Path("/nowhere/at/all"),
}
# Ends the engine, or is called with another engine's rights; nothing of what they take is a value to store.
METHODS = sorted(
    name for name, _ in inspect.getmembers(Engine, inspect.isfunction) if not name.startswith("_") and name != "close"
)


@pytest.fixture
def given(engine: Engine, tmp_path: Path) -> dict[str, Any]:
    """A right value for every parameter that has no default."""
    one = engine.remember("Mara lives in Porto").memories[0]
    return {
        "id": one.id,
        "ids": [one.id],
        "text": "The door is red",
        "query": "Mara",
        "label": "human",
        "items": ["The lamp is green"],
        "summary": "We decided to use PostgreSQL",
        "messages": [{"role": "user", "content": "The gate is blue"}],
        "memories": [one],
        "keep": True,
        "scope": "/a",
        "tombstone": "none",
        "policy": "default",
        "path": tmp_path / "out.jsonl",
        "owner": "other",
        "source": "user",
    }


@pytest.mark.parametrize("method", METHODS)
def test_a_wrong_value_for_any_parameter_is_an_error_of_ours(
    method: str, engine: Engine, given: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host catches EbbingError; whatever else comes out ends its process, and says nothing about what to mend."""
    monkeypatch.chdir(tmp_path)  # some of these are names of files to write
    parameters = [
        one for one in inspect.signature(getattr(engine, method)).parameters.values() if one.name != "progress"
    ]
    raw = []
    for parameter in parameters:
        rest = {one.name: given[one.name] for one in parameters if one.default is one.empty and one is not parameter}
        for name, value in WRONG.items():
            try:
                getattr(engine, method)(**rest, **{parameter.name: value})
            except EbbingError as error:
                str(error).encode()  # a sentence that can be printed
            except Exception as error:  # noqa: BLE001 - whatever it is, it is what this test looks for
                raw.append((parameter.name, name, type(error).__name__))
    assert raw == []


@pytest.mark.parametrize("value", WRONG.values(), ids=WRONG)
def test_what_was_given_is_shown_short_whatever_it_is(value: Any) -> None:
    """An error that cannot be written down because of what it is about helps nobody."""
    assert 0 < len(shown(value)) <= 100
    shown(value).encode()


class Clock:
    def __init__(self, at: Any) -> None:
        self.at = at

    def now(self) -> Any:
        return self.at


@pytest.mark.parametrize(
    "at",
    [
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(9999, 12, 31, tzinfo=UTC),
        datetime(1969, 12, 31, tzinfo=UTC),
        datetime(1970, 1, 1, tzinfo=timezone(timedelta(hours=14))),
        datetime(2026, 1, 1),  # noqa: DTZ001 - that is the point
        date(2026, 1, 1),
        "2026-01-01",
        None,
    ],
    ids=str,
)
def test_a_clock_that_cannot_be_right_is_told_so(at: Any) -> None:
    """Ids begin with the time and spans are added to it: a clock outside the calendar would break both."""
    with ebbing.open(":memory:", clock=Clock(at), embedder=FakeEmbedder()) as engine:
        for verb in (lambda: engine.remember("Mara"), lambda: engine.recall("Mara"), engine.sweep, engine.stats):
            with pytest.raises(Invalid, match="the clock says"):
                verb()


@pytest.mark.parametrize("parameter", inspect.signature(ebbing.open).parameters)
def test_opening_a_store_with_a_wrong_value_is_an_error_of_ours(
    parameter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first call that anybody makes, and often with what stands in a configuration file."""
    monkeypatch.chdir(tmp_path)
    raw = []
    for name, value in WRONG.items():
        options: dict[str, Any] = {"path": ":memory:", "embedder": FakeEmbedder(), parameter: value}
        try:
            ebbing.open(**options).close()
        except EbbingError as error:
            str(error).encode()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what this test looks for
            raw.append((name, type(error).__name__))
    assert raw == []
