"""The memory files that Claude Code writes: one file with front matter is one memory, its index is none.

Read are the topic files of a `memory` folder, of a project's folder, or of all projects. `CLAUDE.md` and rules are
instructions that people wrote for the agent, and stay where they are; transcripts are no memories.
"""

from __future__ import annotations

from pathlib import Path

from ...domain.errors import Invalid
from .markdown import note
from .records import Contents, Record
from .source_files import changed_at, files_below, moment_in, text_of

_INSTRUCTIONS = ("CLAUDE.md", "CLAUDE.local.md")
_INDEX = "MEMORY.md"
_CATEGORIES = {"user": "preference", "feedback": "strategy", "project": "fact", "reference": "fact"}


def read(path: Path) -> Contents:
    """The topic files below a folder, or one such file."""
    if not path.exists():
        raise Invalid(f"{path} is not there; give a memory folder such as ~/.claude/projects/NAME/memory")
    files = files_below(path, ".md") if path.is_dir() else [path]
    folder = path if path.is_dir() else path.parent
    records: list[Record] = []
    passed = 0
    for file in files:
        if file.name in _INSTRUCTIONS or "rules" in file.relative_to(folder).parts[:-1]:
            passed += 1
            continue
        if file.name == _INDEX:
            continue  # links to the files beside it
        page = note(text_of(file))
        body = page.body.strip()
        about = page.text("description")
        text = body or about
        if text is None:
            continue
        kind = page.text("metadata.type") or page.text("type")
        name = str(file.relative_to(folder))
        written = page.text("metadata.modified") or page.text("modified")
        records.append(
            Record(
                id=name,
                text=text,
                where=name,
                said_at=moment_in(written, file, "its front matter") or changed_at(file),
                scope=_scope(file, folder),
                category=_CATEGORIES.get(kind or ""),
                tags=(kind,) if kind else (),
                metadata={key: value for key, value in (("name", page.text("name")), ("about", about)) if value},
                session=page.text("metadata.originSessionId"),
            )
        )
    told = (f"{passed} files of instructions (CLAUDE.md, rules) were left where they are",) if passed else ()
    return Contents(records, notes=told)


def _scope(file: Path, folder: Path) -> str:
    """`/project/<name>` where the file lies in the memory folder of a project, which is named for its path."""
    parts = (*folder.resolve().parts, *file.relative_to(folder).parts)
    if "projects" not in parts or "memory" not in parts:
        return "/"
    project = parts[parts.index("projects") + 1]
    return "/" if project == "memory" else f"/project/{project.strip('-').rpartition('-')[2] or project}"
