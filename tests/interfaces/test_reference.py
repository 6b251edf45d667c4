"""The page of the reference is what the declarations say."""

from __future__ import annotations

from pathlib import Path

from ebbing.interfaces.reference import page
from ebbing.interfaces.tools import TOOLS


def test_the_page_in_the_docs_is_made_from_the_declarations() -> None:
    """Mend it with: python -m ebbing.interfaces.reference > docs/reference.md"""
    stands = Path(__file__).resolve().parents[2] / "docs" / "reference.md"
    assert stands.read_text(encoding="utf-8") == page()


def test_it_names_every_tool_and_what_each_takes() -> None:
    text = page()
    for tool in TOOLS.values():
        assert f"## {tool.name}\n" in text
        section = text.split(f"## {tool.name}\n")[1].split("\n## ")[0]
        assert [name for name in tool.parameters if f"| `{name}` |" not in section] == []
