"""basic-memory, and any folder of Markdown notes in its form: observations and relations, and prose left where it is.

    - [preference] prefers short answers #style (said on Monday)     an observation
    - works_with [[Tom]]                                             a relation

An observation says nothing of whom it is about, so the note's title stands before it. Neither has a time of its own:
the note's `modified` or `created` counts, else when the file was written.
"""

from __future__ import annotations

import re
from pathlib import Path

from ...domain.errors import Invalid
from .markdown import Note, note
from .records import Contents, Record
from .source_files import changed_at, fault, files_below, moment_in, text_of

_OBSERVATION = re.compile(r"\s*[-*]\s+\[([^\[\]()]{2,64})\]\s+(\S.*)$")
_RELATION = re.compile(r"\s*[-*]\s+([^\[\]]*?)\s*\[\[([^\[\]]+)\]\]\s*(?:\(([^()]*)\))?\s*$")
_CONTEXT = re.compile(r"\s*\(([^()]*)\)\s*$")
_TAG = re.compile(r"(?<!\S)#([^\s#]+)")


def read(path: Path) -> Contents:
    """The observations and relations of every note below a folder, or of one note."""
    if not path.exists():
        raise Invalid(f"{path} is not there; give a project folder of basic-memory, or one of its notes")
    files = files_below(path, ".md") if path.is_dir() else [path]
    folder = path if path.is_dir() else path.parent
    records: list[Record] = []
    bare = 0
    for file in files:
        found = _records(file, str(file.relative_to(folder)), note(text_of(file)))
        bare += not found
        records += found
    notes = (f"{bare} notes have no observations and no relations; their prose was left where it is",) if bare else ()
    return Contents(records, notes=notes)


def _records(file: Path, name: str, page: Note) -> list[Record]:
    title = page.text("title") or file.stem
    written = page.text("modified") or page.text("created")
    said_at = moment_in(written, file, "its front matter") or changed_at(file)
    key = page.text("permalink") or name.removesuffix(".md")
    found: list[Record] = []
    fenced = False
    for number, line in enumerate(page.body.split("\n"), page.first_line):
        fenced ^= line.lstrip().startswith("```")
        if fenced:
            continue
        text = category = None
        tags = page.texts("tags")
        if relation := _RELATION.match(line):
            how = relation[1].strip("\"' ").replace("_", " ") or "relates to"
            when = f" ({relation[3]})" if relation[3] else ""
            text, tags = f"{title} {how} {relation[2].strip()}{when}", (*tags, "relation")
        elif observation := _OBSERVATION.match(line):
            category, said = observation[1].strip(), observation[2].strip()
            tags = (*tags, *_TAG.findall(said))
            context = _CONTEXT.search(said)
            said = _TAG.sub("", said if context is None else said[: context.start()]).strip()
            when = f" ({context[1]})" if context and context[1] else ""
            text = f"{title}: {' '.join(said.split())}{when}"
        if text is None:
            continue
        if "\x00" in text:
            raise fault(file, f"line {number}", "the line holds a character that no text has")
        found.append(
            Record(
                id=f"{key}: {text}",
                text=text,
                where=f"{name}, line {number}",
                said_at=said_at,
                category=category,
                tags=tuple(dict.fromkeys(tags)),
            )
        )
    return found
