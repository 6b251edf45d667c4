"""What checking and carrying out a tool call costs besides the engine's own work."""

from __future__ import annotations

import inspect
import sys
from collections import Counter
from types import FrameType
from typing import Any

import pytest

from ebbing.engine import Engine
from ebbing.interfaces.tool_calls import call
from ebbing.interfaces.tools import REQUIRED, TOOLS
from tests.conftest import OpenEngine
from tests.tables import each_row

CALLS: dict[str, dict[str, Any]] = {
    "remember": {"text": "Deploys happen on Tuesdays"},
    "recall": {"query": "when do deploys happen?"},
    "memory_status": {},
}


@pytest.mark.parametrize("name", CALLS)
def test_no_call_reads_a_signature_again(open_engine: OpenEngine, name: str) -> None:
    """Reading the engine's signature for every absent parameter took longer than the recall itself."""
    engine = open_engine()
    call(TOOLS[name], engine, CALLS[name])
    counted: Counter[str] = Counter()

    def count(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code is inspect.signature.__code__:
            counted[frame.f_code.co_name] += 1

    sys.setprofile(count)
    try:
        call(TOOLS[name], engine, CALLS[name])
    finally:
        sys.setprofile(None)
    assert counted == {}


# What only a program gives, or what goes without saying: calling sweep is the trigger.
NOT_DECLARED = {"self", "progress", "trigger"}


@each_row("name", TOOLS)
def test_a_declaration_is_the_signature_of_its_method(name: str) -> None:
    """Parameters and defaults are declared once for every interface, and the library has the same."""
    tool = TOOLS[name]
    signature = inspect.signature(getattr(Engine, tool.verb)).parameters
    wanted = {name: one.default for name, one in signature.items() if name not in NOT_DECLARED}
    declared = {
        name: inspect.Parameter.empty if one.default is REQUIRED else one.default
        for name, one in tool.parameters.items()
    }
    assert declared == wanted
