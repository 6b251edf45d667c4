"""The memory tool of Anthropic's SDK over Ebbing."""

from __future__ import annotations

import asyncio

import pytest
from anthropic.tools import ToolError

from ebbing.adapters.anthropic import AsyncEbbingMemoryTool, EbbingMemoryTool
from ebbing.engine import Engine
from tests.tables import each_row

PATH = "/memories/mara.md"


def test_a_file_is_written_edited_and_read(memory: Engine) -> None:
    """As a model does it, with the commands as it wrote them."""
    tool = EbbingMemoryTool(memory)
    tool.call({"command": "create", "path": PATH, "file_text": "Tone: dry\n"})
    tool.call({"command": "str_replace", "path": PATH, "old_str": "dry", "new_str": "warm"})
    tool.call({"command": "insert", "path": PATH, "insert_line": 1, "insert_text": "Length: short"})
    told = tool.call({"command": "view", "path": PATH})
    assert told.splitlines()[1:] == ["     1\tTone: warm", "     2\tLength: short"]
    tool.call({"command": "rename", "old_path": PATH, "new_path": "/memories/a/b.md"})
    assert "/memories/a/b.md" in tool.call({"command": "view", "path": "/memories"})


@each_row(
    "given, told",
    [
        ({"command": "view"}, "`path` is missing"),
        ({"command": "fly", "path": PATH}, "unknown command 'fly'"),
        ({}, "unknown command None"),
        ("view", "unknown command None"),
        (None, "unknown command None"),
        ({"command": "view", "path": "/etc/passwd"}, "Path must start with /memories"),
        ({"command": "view", "path": "/memories/../x"}, "would escape /memories"),
        ({"command": "insert", "path": PATH, "insert_line": None, "insert_text": "x"}, "does not exist"),
    ],
)
def test_a_mistake_is_told_to_the_model_and_never_crashes_the_runner(given: object, told: str) -> None:
    """The SDK checks nothing: whatever a model sends gets a sentence, as an error of the tool."""
    from ebbing.testing import in_memory

    with in_memory() as engine, pytest.raises(ToolError, match=told):
        EbbingMemoryTool(engine).call(given)


def test_the_tool_is_declared_as_the_api_knows_it(memory: Engine) -> None:
    """Type and name are fixed; a cache breakpoint is passed on."""
    assert EbbingMemoryTool(memory).to_dict() == {"type": "memory_20250818", "name": "memory"}
    marked = AsyncEbbingMemoryTool(memory, cache_control={"type": "ephemeral"})
    assert marked.to_dict()["cache_control"] == {"type": "ephemeral"}


def test_clearing_forgets_and_never_purges(memory: Engine) -> None:
    """Every file goes and can come back; what is remembered elsewhere stays."""
    memory.remember("Mara prefers short answers")
    tool = EbbingMemoryTool(memory)
    for name in ("a", "b/c"):
        tool.call({"command": "create", "path": f"/memories/{name}", "file_text": name})
    assert tool.clear_all_memory() == "All memory cleared"
    assert tool.call({"command": "view", "path": "/memories"}).splitlines()[1:] == ["0B\t/memories"]
    assert len(memory.list(status=["forgotten"])) == 2
    assert [one.text for one in memory.list()] == ["Mara prefers short answers"]


def test_an_asynchronous_client_writes_many_files_at_once(memory: Engine) -> None:
    """Commands run in threads; the loop is never blocked and nothing is lost."""
    tool = AsyncEbbingMemoryTool(memory)

    async def write() -> str:
        commands = [{"command": "create", "path": f"/memories/{n}.md", "file_text": f"file {n}"} for n in range(8)]
        await asyncio.gather(*map(tool.call, commands))
        return await tool.call({"command": "view", "path": "/memories"})

    assert asyncio.run(write()).count(".md") == 8
    assert asyncio.run(tool.clear_all_memory()) == "All memory cleared"
