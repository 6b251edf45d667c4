"""An edit of a memory file whose text stands there many times is refused after a few of them."""

from __future__ import annotations

import pytest

from ebbing.domain.errors import Invalid
from ebbing.interfaces.memory_files import MemoryFiles
from ebbing.testing import in_memory


def refusal(content: str, old: str) -> str:
    with in_memory() as engine:
        files = MemoryFiles(engine)
        files.run({"command": "create", "path": "/memories/a.md", "file_text": content})
        with pytest.raises(Invalid) as caught:
            files.run({"command": "str_replace", "path": "/memories/a.md", "old_str": old, "new_str": "x"})
    return str(caught.value)


def test_the_lines_of_a_text_that_stands_twice_are_named() -> None:
    """Overlapping places are two places: which of them was meant cannot be known."""
    assert "in lines: 1, 3." in refusal("tea\ncoffee\ntea\n", "tea")
    assert "in lines: 1." in refusal("aaa", "aa")


def test_only_the_first_places_are_looked_for() -> None:
    """Every place of a long text within a longer one costs the product of both lengths, and nobody reads the list."""
    told = refusal("ab\n" * 5000, "b")
    assert told.endswith("in lines: " + ", ".join(map(str, range(1, 21))) + ", …. Please ensure it is unique")
