"""Completion in a shell: what can be typed is offered, not only the names of commands and options."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = str(Path(sys.executable).with_name("ebbing"))


def completed(line: str, **environment: str) -> list[str]:
    """What bash is offered for the last word of a line."""
    words = line.split(" ")
    asked = {"_EBBING_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    settings = {**os.environ, **asked, **environment}
    ended = subprocess.run([PROGRAM], capture_output=True, encoding="utf-8", env=settings, check=False)
    return ended.stdout.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("ebbing list --status a", ["active", "archived"]),
        ("ebbing list --tier e", ["episodic"]),
        ("ebbing recall tea --category pref", ["preference"]),
        ("ebbing simulate her", ["hermes"]),
        ("ebbing recall tea --policy her", ["hermes"]),
        ("ebbing block set per", ["persona"]),
        ("ebbing setup cl", ["claude-code", "claude-desktop"]),
        ("ebbing rec", ["recall"]),
    ],
)
def test_values_are_offered(line: str, offered: list[str]) -> None:
    """They come from the declarations, so a new value is offered as soon as it is declared."""
    assert completed(line) == offered


@pytest.mark.parametrize("by", ["option", "environment"])
def test_categories_are_those_of_the_policy_in_use(tmp_path: Path, by: str) -> None:
    """A policy of one's own has categories of its own."""
    path = tmp_path / "kitchen.toml"
    path.write_text('name = "kitchen"\n[categories.recipe]\ndecay_per_day = 0.02\nweight = 0.8\n')
    if by == "option":
        assert completed(f"ebbing recall tea --policy {path} --category rec") == ["recipe"]
    else:
        assert completed("ebbing recall tea --category rec", EBBING_POLICY=str(path)) == ["recipe"]


def test_a_policy_that_cannot_be_read_leaves_the_default_categories() -> None:
    """Whoever completes a word is not told of faults elsewhere."""
    assert completed("ebbing recall tea --policy nowhere.toml --category pref") == ["preference"]
