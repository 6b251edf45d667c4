"""The generated pages and pictures are what the code would make now, and help() explains every parameter."""

from __future__ import annotations

import inspect
from pathlib import Path
from xml.etree import ElementTree as ET

import ebbing
from ebbing.engine import Engine
from ebbing.interfaces.documentation.api_page import page as api_page
from ebbing.interfaces.documentation.generated_files import generated, write
from ebbing.interfaces.documentation.tool_page import page as tool_page
from ebbing.interfaces.tools import TOOLS
from tests.tables import each_row

DOCS = Path(__file__).resolve().parents[2] / "docs"


@each_row("name", generated())
def test_a_generated_file_is_up_to_date(name: str) -> None:
    """Mend it with: python -m ebbing.interfaces.documentation"""
    assert (DOCS / name).read_text(encoding="utf-8") == generated()[name]


def test_writing_tells_what_changed(tmp_path: Path) -> None:
    """A second time nothing does."""
    assert len(write(tmp_path)) == len(generated())
    assert write(tmp_path) == []


def test_the_page_of_the_tools_names_every_tool_and_what_each_takes() -> None:
    """A tool that is declared is documented."""
    text = tool_page()
    for tool in TOOLS.values():
        assert f"## {tool.name}\n" in text
        section = text.split(f"## {tool.name}\n")[1].split("\n## ")[0]
        assert [name for name in tool.parameters if f"| `{name}` |" not in section] == []


def test_the_page_of_the_api_has_every_public_name_and_method() -> None:
    """What can be imported or called can be looked up."""
    text = api_page()
    methods = [name for name, _ in inspect.getmembers(Engine, inspect.isfunction) if not name.startswith("_")]
    assert [name for name in methods if f"### engine.{name}\n" not in text] == []
    named = {line.lstrip("# ").removeprefix("ebbing.") for line in text.splitlines() if line.startswith("#")}
    tabled = {line.split("`")[1] for line in text.splitlines() if line.startswith("| `")}
    assert set(ebbing.__all__) - named - tabled == set()


def test_every_picture_is_well_formed_and_names_its_curves() -> None:
    """It is also read without colours, by its title and its legend."""
    for name, content in generated().items():
        if name.endswith(".svg"):
            texts = [one.text for one in ET.fromstring(content).iter() if one.tag.endswith("text")]
            lines = [one for one in ET.fromstring(content).iter() if one.tag.endswith("polyline")]
            assert len(lines) >= 3
            assert len([text for text in texts if text]) > len(lines)


@each_row("name", TOOLS)
def test_help_explains_every_parameter(name: str) -> None:
    """`help(engine.recall)` is where Python programmers look first."""
    tool = TOOLS[name]
    told = inspect.getdoc(getattr(ebbing.Engine, tool.verb)) or ""
    assert [one for one in tool.parameters if f"\n    {one}: " not in told] == []
