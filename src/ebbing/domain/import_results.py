"""What an import answers: of an export of Ebbing, or of another program's memories."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

# Other programs whose files are read.
FORMATS = ("mem0", "mcp-memory", "claude-code", "chatgpt", "basic-memory", "yourmemory", "langgraph", "letta")


@dataclass(frozen=True, slots=True)
class ImportSample:
    """One of the memories that come in, as it comes in."""

    text: str
    scope: str
    category: str | None  # None: it is read from the text
    created_at: datetime | None  # None: the file does not say, and it is the time of the import
    uses: int = 0


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import brought in."""

    added: int
    replaced: int
    skipped: int  # stand here already
    blocked: int  # by tombstones
    quarantined: int = 0  # of those added or replaced: they look like injected instructions, and wait for review
    merged: int = 0  # say the same as one that is here, in other words
    redacted: int = 0  # of those brought in: a secret was taken out
    ended: int = 0  # left out: deleted, expired or archived in the program they come from
    refused: int = 0  # left out: the notes say why
    dry_run: bool = False
    samples: tuple[ImportSample, ...] = field(default=(), compare=False)  # the first of them
    notes: tuple[str, ...] = field(default=(), compare=False)  # what was left out or changed, and why
