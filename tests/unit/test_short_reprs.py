"""What is shown of a value in a shell, a log or a failed assertion: one short line that says which one it is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

import ebbing
from ebbing.domain.memory import Memory, excerpt
from ebbing.domain.policy.loader import load
from ebbing.domain.results import (
    Batch,
    Block,
    Context,
    Doubt,
    Fact,
    Receipt,
    Recollection,
    Recollections,
    Remembered,
    Stats,
    Sweep,
    Unsettled,
)

AT = datetime(2026, 1, 1, tzinfo=UTC)


def memory(text: str = "I live in Berlin.") -> Memory:
    return Memory(id="01a", owner="mara", text=text, created_at=AT, created_day=0, last_accessed_at=AT, used_day=0)


SHOWN = {
    "a memory": (memory(), "<Memory 01a active fact 'I live in Berlin.'>"),
    "nothing remembered": (Remembered(), "<Remembered nothing>"),
    "one remembered": (
        Remembered(memories=[memory()], superseded=[memory()], batch="01b"),
        "<Remembered 01a 1 new, 1 superseded>",
    ),
    "a recollection": (
        Recollection(memory(), 0.5, 0.4, 0.3, {}),
        "<Recollection 0.50 <Memory 01a active fact 'I live in Berlin.'>>",
    ),
    "recollections": (Recollections([]), "[]"),
    "a batch": (Batch("01b", [memory()]), "<Batch 01b 1 memory>"),
    "a dry run": (Batch("01b", [memory(), memory()], dry_run=True), "<Batch 01b 2 memories, dry run>"),
    "a receipt": (Receipt("01r", 2, [], True, AT), "<Receipt 01r 2 erased, verified>"),
    "a sweep": (Sweep("01s", [], True, "manual", 0), "<Sweep 01s 0 actions, dry run>"),
    "a fact": (Fact("Mara plays chess."), "<Fact fact 'Mara plays chess.'>"),
    "a block": (Block("human", "Mara plays chess.", 4, 500), "<Block human 4 of 500 tokens 'Mara plays chess.'>"),
    "what waits for review": (
        Unsettled(Doubt.CONTESTED, memory(), [memory()], "it contradicts another"),
        "<Unsettled contested <Memory 01a active fact 'I live in Berlin.'> against 1 memory>",
    ),
    "statistics": (
        Stats(12, {"active": 9}, {"fact": 12}, {"semantic": 12}, 5, 0, {"none": 12}, 2, {"archive": 2}, AT, 1, 4096),
        "<Stats 12 memories, 9 active, 2 due>",
    ),
    "a policy": (load("default"), f"<Policy default {load('default').fingerprint}>"),
    "a context": (Context("…", [memory()], 12), "<Context 1 memory, 12 tokens>"),
}


@pytest.mark.parametrize("what", SHOWN)
def test_values_are_shown_in_one_short_line(what: str) -> None:
    """Forty fields of each of ten memories fill a screen, and what was looked for is not seen."""
    value, shown = SHOWN[what]
    assert repr(value) == shown


def test_a_long_text_is_shown_by_its_beginning() -> None:
    """In one line, and quickly however long it is."""
    assert len(repr(memory("a very\nlong story " * 10_000))) < 120
    assert "\n" not in repr(memory("two\nlines"))
    assert excerpt("short") == "short"
    assert excerpt("x" * 61) == "x" * 60 + "…"


def test_the_version_can_be_asked_for() -> None:
    """As of any other package."""
    assert ebbing.__version__[0].isdigit()
    assert "__version__" in dir(ebbing)
