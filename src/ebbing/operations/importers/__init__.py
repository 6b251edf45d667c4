"""Bring in what another program remembers: a reader for each format, and one writer that puts it through the gate.

    records.py           what a reader gives: plain values
    source_files.py      files opened safely: nothing in them is run, and sizes are bounded
    mem0.py, …           one reader for each format
    import_records.py    the writer: what comes in, in which form, and what is here already

A reader decides nothing about memories, and the writer knows no format.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ...domain.errors import Invalid, shown
from ...domain.import_results import FORMATS
from . import basic_memory, chatgpt, claude_code, langgraph, letta, mcp_memory, mem0, yourmemory
from .import_records import Request, import_records
from .records import Contents, Record, Version

__all__ = ["READERS", "Contents", "Record", "Request", "Version", "import_records", "read"]

READERS: Mapping[str, Callable[[Path], Contents]] = {
    "mem0": mem0.read,
    "mcp-memory": mcp_memory.read,
    "claude-code": claude_code.read,
    "chatgpt": chatgpt.read,
    "basic-memory": basic_memory.read,
    "yourmemory": yourmemory.read,
    "langgraph": langgraph.read,
    "letta": letta.read,
}


def read(path: Path, format: str) -> Contents:
    """All that a file or folder of another program holds; `Invalid`, naming line or row, for what is not one of its."""
    if format not in READERS:
        raise Invalid(f"format {shown(format)} is not one of ebbing, {', '.join(FORMATS)}")
    return READERS[format](path)
