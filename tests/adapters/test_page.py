"""The examples of docs/adapters.md run against the framework they are for, in `make test-adapters`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.adapters.table import FRAMEWORKS, REAL, ROOT

PAGE = ROOT / "docs" / "adapters.md"
BLOCK = re.compile(r"(?ms)^<!-- not run: it needs (?P<name>\w+);[^\n]*-->\n```python\n(?P<code>.*?)^```$")


def examples() -> list[tuple[str, str]]:
    """Each example, with the framework it is for."""
    return [(match["name"], match["code"]) for match in BLOCK.finditer(PAGE.read_text("utf-8"))]


def test_every_adapter_has_an_example() -> None:
    """A page that leaves one out would leave its readers alone."""
    assert {name for name, _ in examples()} == set(FRAMEWORKS)


@pytest.mark.skipif(REAL is None, reason="the frameworks are installed by `make test-adapters` alone")
def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As they stand, in order, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    for name, code in examples():
        if name == REAL:
            exec(compile(code, PAGE.name, "exec"), {"__name__": "example"})
