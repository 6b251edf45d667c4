"""The names of the SDK's own tools, over Ebbing: what its suite is run against beside the reference.

The suite looks at files in a folder, so `base_path` is a folder with what the memory files hold at that moment.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import ebbing
from ebbing.adapters.anthropic import AsyncEbbingMemoryTool, EbbingMemoryTool
from ebbing.engine import Engine


def _written(engine: Engine, folder: str) -> Path:
    """The files as they are now, written below a folder."""
    home = Path(folder)
    shutil.rmtree(home, ignore_errors=True)
    for memory in engine.list(scope="/memories", status=["active", "detached", "archived"]):
        before, after = memory.metadata["blank"]
        path = home / str(memory.scope).lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{before}{memory.text}{after}", "utf-8")
    return home


class BetaLocalFilesystemMemoryTool(EbbingMemoryTool):
    """For a client that waits."""

    def __init__(self, base_path: str) -> None:
        self.engine = ebbing.open(":memory:")
        self.folder = base_path
        super().__init__(self.engine)

    @property
    def base_path(self) -> Any:
        return _written(self.engine, self.folder)


class BetaAsyncLocalFilesystemMemoryTool(AsyncEbbingMemoryTool):
    """For an asynchronous client."""

    def __init__(self, base_path: str) -> None:
        self.engine = ebbing.open(":memory:")
        self.folder = base_path
        super().__init__(self.engine)

    @property
    def base_path(self) -> Any:
        return _written(self.engine, self.folder)
