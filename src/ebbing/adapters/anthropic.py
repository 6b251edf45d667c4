"""The memory tool of Anthropic's SDK (`memory_20250818`), on memories instead of a disk.

    memory = EbbingMemoryTool(ebbing.open("memory.db"))
    client.beta.messages.tool_runner(model=…, max_tokens=…, messages=[…], tools=[memory]).until_done()

The commands and their texts are those of `ebbing.interfaces.memory_files`. What fails is raised as the `ToolError` of
the SDK, so that the model is told that it failed, and why.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from ..domain.errors import EbbingError
from ..engine import Engine
from ..interfaces.memory_files import ROOT, MemoryFiles
from .missing_framework import MissingFramework

try:
    from anthropic.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
except ModuleNotFoundError as error:
    raise MissingFramework("the SDK of Anthropic", "anthropic") from error


class EbbingMemoryTool(BetaAbstractMemoryTool):
    """The tool, for a client that waits for its answers."""

    def __init__(self, engine: Engine, *, cache_control: Any = None) -> None:
        super().__init__(cache_control=cache_control)
        self._engine = engine
        self._files = MemoryFiles(engine)

    def call(self, input: object) -> str:
        """A command as the model wrote it: what is wrong with it is told to the model."""
        return _run(self._files, input)

    def view(self, command: Any) -> str:
        """A file with line numbers, or what is in a folder."""
        return _run(self._files, command)

    def create(self, command: Any) -> str:
        """A new file."""
        return _run(self._files, command)

    def str_replace(self, command: Any) -> str:
        """Another text in the place of one that stands once in a file."""
        return _run(self._files, command)

    def insert(self, command: Any) -> str:
        """More lines in a file."""
        return _run(self._files, command)

    def delete(self, command: Any) -> str:
        """Forget a file, or all in a folder."""
        return _run(self._files, command)

    def rename(self, command: Any) -> str:
        """Another path for a file or a folder."""
        return _run(self._files, command)

    def clear_all_memory(self) -> str:
        """Forget every file. `Engine.restore` brings them back."""
        self._engine.forget(scope=ROOT, reason="the memory was cleared")
        return "All memory cleared"


class AsyncEbbingMemoryTool(BetaAsyncAbstractMemoryTool):
    """The tool, for an asynchronous client: each command runs in a thread."""

    def __init__(self, engine: Engine, *, cache_control: Any = None) -> None:
        super().__init__(cache_control=cache_control)
        self._tool = EbbingMemoryTool(engine)

    async def call(self, input: object) -> str:
        """As `EbbingMemoryTool.call`."""
        return await asyncio.to_thread(self._tool.call, input)

    async def view(self, command: Any) -> str:
        """As `EbbingMemoryTool.view`."""
        return await self.call(command)

    async def create(self, command: Any) -> str:
        """As `EbbingMemoryTool.create`."""
        return await self.call(command)

    async def str_replace(self, command: Any) -> str:
        """As `EbbingMemoryTool.str_replace`."""
        return await self.call(command)

    async def insert(self, command: Any) -> str:
        """As `EbbingMemoryTool.insert`."""
        return await self.call(command)

    async def delete(self, command: Any) -> str:
        """As `EbbingMemoryTool.delete`."""
        return await self.call(command)

    async def rename(self, command: Any) -> str:
        """As `EbbingMemoryTool.rename`."""
        return await self.call(command)

    async def clear_all_memory(self) -> str:
        """As `EbbingMemoryTool.clear_all_memory`."""
        return await asyncio.to_thread(self._tool.clear_all_memory)


def _run(files: MemoryFiles, command: Any) -> str:
    """What the model is to read. The SDK makes an object of a command without checking it, so it is read as a mapping:
    `MemoryFiles` says what is missing."""
    given = command if isinstance(command, Mapping) else getattr(command, "__dict__", {})
    try:
        return files.run({name: value for name, value in given.items() if value is not None})
    except EbbingError as error:
        raise ToolError(str(error)) from error
