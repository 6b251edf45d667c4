"""What checking and carrying out a tool call costs besides the engine's own work."""

from __future__ import annotations

import inspect
import sys
from collections import Counter
from types import FrameType
from typing import Any

import pytest

from ebbing.engine import Engine
from ebbing.interfaces.tools import REQUIRED, TOOLS
from tests.conftest import OpenEngine

CALLS: dict[str, dict[str, Any]] = {
    "remember": {"text": "Deploys happen on Tuesdays"},
    "recall": {"query": "when do deploys happen?"},
    "memory_status": {},
}


@pytest.mark.parametrize("name", CALLS)
def test_no_call_reads_a_signature_again(open_engine: OpenEngine, name: str) -> None:
    """Reading the engine's signature for every absent parameter took longer than the recall itself."""
    engine = open_engine()
    TOOLS[name].call(engine, CALLS[name])
    counted: Counter[str] = Counter()

    def count(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code is inspect.signature.__code__:
            counted[frame.f_code.co_name] += 1

    sys.setprofile(count)
    try:
        TOOLS[name].call(engine, CALLS[name])
    finally:
        sys.setprofile(None)
    assert counted == {}


def test_defaults_are_those_of_the_engines_methods() -> None:
    """Read once, and still the same."""
    parameters = inspect.signature(Engine.recall).parameters
    tool = TOOLS["recall"]
    assert {name: tool.default(name) for name in tool.parameters} == {
        name: parameters[name].default for name in tool.parameters
    }
    assert tool.default("query") is REQUIRED
