"""The six file commands of Anthropic's memory tool (`memory_20250818`), on memories instead of a disk.

    files = MemoryFiles(engine)
    files.call({"command": "create", "path": "/memories/notes.md", "file_text": "…"})   # what the model is to read

A file is one memory, and its scope is its path: so a folder is a scope, nothing that stands in another file can
merge with it or contradict it, and `recall` finds files like anything else. An edit writes the next version, which
supersedes the last; deleting is forgetting and can be restored. A file is there until it is deleted, however faded
its memory is; where the policy protects a category, it does not fade at all. Texts and errors are those that the
tool documents.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from ..domain.errors import Conflict, EbbingError, Invalid, NotFound
from ..domain.memory import Memory, Scope
from ..engine import Engine
from ..text.screening.request import clean_name

ROOT = "/memories"
SUBJECT = "file"  # with the version as attribute its address: a version is never taken for a repetition of another
_CATEGORY = "active_decision"  # does not fade where the policy protects it
_STANDING = ("active", "detached", "archived")
_PAGE = 1000
_LINES_MOST = 999_999
_PATH_CHARACTERS_MOST = 400  # below the limit of a scope
_PLACES_MOST = 20  # that an error names
_AROUND = 4  # lines of a snippet before and after an edit
_DEPTH = 2  # levels of folders that are shown
_EMPTY = "(an empty file)"  # no memory is without words
_BLANK = "blank"  # in the metadata: what stood around the words, which a memory does not keep
_BLANK_MOST = 1000

Command = Mapping[str, Any]


class MemoryFiles:
    """The files of one owner, as one agent sees them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._commands: Mapping[str, Callable[[Command], str]] = {
            "view": self._view,
            "create": self._create,
            "str_replace": self._str_replace,
            "insert": self._insert,
            "delete": self._delete,
            "rename": self._rename,
        }

    def call(self, command: Command) -> str:
        """What the model is to read: the result, or the error in words."""
        try:
            return self.run(command)
        except EbbingError as error:
            return str(error)

    def run(self, command: Command) -> str:
        """The same, with errors raised."""
        given: Any = command
        name = given.get("command") if isinstance(given, Mapping) else None
        if not isinstance(name, str) or name not in self._commands:
            raise Invalid(f"Error: unknown command {name!r:.60}. Commands are {', '.join(self._commands)}")
        return self._commands[name](command)

    def _view(self, command: Command) -> str:
        path = _path(command)
        memory = self._file(path)
        if memory is not None:
            return f"Here's the content of {path} with line numbers:\n{_numbered(_content(memory), path, command)}"
        below = self._below(path)
        if not below and path != ROOT:
            raise NotFound(f"The path {path} does not exist. Please provide a valid path.")
        listed = "\n".join(f"{_size(size)}\t{shown}" for shown, size in _tree(path, below).items())
        head = f"Here're the files and directories up to {_DEPTH} levels deep in {path}, "
        return f"{head}excluding hidden items and node_modules:\n{listed}"

    def _create(self, command: Command) -> str:
        path, text = _path(command), _text(command, "file_text")
        if path == ROOT or self._exists(path):
            raise Conflict(f"Error: File {path} already exists")
        for above in _parents(path):
            if self._file(above) is not None:
                raise Conflict(f"Error: {above} is a file, not a directory")
        notes = self._write(path, text, None)
        return f"File created successfully at: {path}{notes}"

    def _str_replace(self, command: Command) -> str:
        path = _path(command)
        memory = self._required(path)
        content, old, new = _content(memory), _text(command, "old_str"), _text(command, "new_str", "")
        places = _occurrences(content, old)
        if not places:
            raise Invalid(f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
        if len(places) > 1:
            lines = dict.fromkeys(content.count("\n", 0, place) + 1 for place in places)
            named = ", ".join(map(str, lines)) + (", …" if len(places) == _PLACES_MOST else "")
            raise Invalid(
                f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {named}. "
                "Please ensure it is unique"
            )
        edited = content[: places[0]] + new + content[places[0] + len(old) :]
        notes = self._write(path, edited, memory)
        line = content.count("\n", 0, places[0]) + 1
        first = max(line - _AROUND, 1)
        last = line + new.count("\n") + _AROUND
        snippet = _lines(_split(edited)[first - 1 : last], first)
        return (
            "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
            f"{snippet}{notes}"
        )

    def _insert(self, command: Command) -> str:
        path = _path(command)
        memory = self._required(path)
        lines = _split(_content(memory))
        at, text = command.get("insert_line"), _text(command, "insert_text")
        if isinstance(at, bool) or not isinstance(at, int) or not 0 <= at <= len(lines):
            raise Invalid(
                f"Error: Invalid `insert_line` parameter: {at!r:.40}. It should be within the range [0, {len(lines)}]."
            )
        lines.insert(at, text.removesuffix("\n"))
        notes = self._write(path, "\n".join([*lines, ""]), memory)
        return f"The file {path} has been edited.{notes}"

    def _delete(self, command: Command) -> str:
        path = _path(command)
        if path == ROOT:
            raise Invalid(f"Error: Cannot delete the {ROOT} directory itself")
        memory = self._file(path)
        going = self._below(path) if memory is None else {path: memory}
        if not going:
            raise NotFound(f"Error: The path {path} does not exist")
        self._engine.forget(ids=[one.id for one in going.values()], reason="the file was deleted")
        return f"Successfully deleted {path}"

    def _rename(self, command: Command) -> str:
        old, new = _path(command, "old_path"), _path(command, "new_path")
        memory = self._file(old)
        moving = self._below(old) if memory is None else {old: memory}
        if not moving or old == ROOT:
            raise NotFound(f"Error: The path {old} does not exist")
        if self._exists(new) or any(self._file(above) is not None for above in _parents(new)):
            raise Conflict(f"Error: The destination {new} already exists")
        if new.startswith(f"{old}/"):
            raise Invalid(f"Error: {old} cannot be moved below itself")
        for path, one in moving.items():
            self._engine.update(one.id, scope=new + path.removeprefix(old))
        return f"Successfully renamed {old} to {new}"

    def _required(self, path: str) -> Memory:
        memory = self._file(path)
        if memory is None:
            raise NotFound(f"Error: The path {path} does not exist. Please provide a valid path.")
        return memory

    def _exists(self, path: str) -> bool:
        return path == ROOT or bool(self._below(path))

    def _file(self, path: str) -> Memory | None:
        """The latest version at a path."""
        return self._below(path).get(path)

    def _below(self, path: str) -> dict[str, Memory]:
        """Every file at a path or below it, by its own path."""
        found: dict[str, Memory] = {}
        before = None
        while page := self._engine.list(scope=path, subject=SUBJECT, status=_STANDING, before=before, limit=_PAGE):
            for memory in page:  # newest first: an older one at the same path was brought back beside it
                if str(memory.attribute).startswith("version "):
                    found.setdefault(str(memory.scope), memory)
            before = page[-1].id
        return found

    def _write(self, path: str, content: str, last: Memory | None) -> str:
        """The next version of a file; what is to be said about that."""
        words = content.strip()
        before, _, after = content.partition(words) if words else (content, "", "")
        blank = [before[-_BLANK_MOST:], after[:_BLANK_MOST]]
        number = 1 if last is None else int(str(last.attribute).removeprefix("version ")) + 1
        policy = self._engine.policy
        category = _CATEGORY if _CATEGORY in policy.protection.categories else policy.defaults.category
        # What is pinned, by hand or by a rule of the policy, gives way to nothing; an edit is asked for.
        pinned = last is not None and self._engine.get(last.id).pinned
        if last is not None and pinned:
            self._engine.unpin(last.id)
        outcome = self._engine.remember(
            words or _EMPTY,
            scope=path,
            category=category if last is None else last.category,
            importance=1.0,
            metadata={_BLANK: blank, "empty": not words},
            subject=SUBJECT,
            attribute=f"version {number}",
            supersedes=None if last is None else [last.id],
            pinned=pinned,
            source="agent",
            trust=None if last is None else last.trust,
        )
        if last is not None and pinned and not outcome.superseded:
            self._engine.pin(last.id)
        if outcome.quarantined:
            raise Invalid(
                f"Error: {path} was not changed. The text looks like an instruction to a model; "
                "it was put aside until a person has looked at it"
            )
        if outcome.skipped:
            raise Conflict(f"Error: {path} was not changed: {outcome.skipped[0].reason}")
        return "".join(f"\nNote: {note}" for note in outcome.notes if note.startswith("taken out"))


def _occurrences(content: str, old: str) -> list[int]:
    """Where a text begins in another, overlapping or not: so many places that a person can look at them."""
    places: list[int] = []
    place = content.find(old) if old else -1
    while place >= 0 and len(places) < _PLACES_MOST:
        places.append(place)
        place = content.find(old, place + 1)
    return places


def _path(command: Command, name: str = "path") -> str:
    """A path below /memories, normalised; whatever could lead elsewhere, or could be read in two ways, is refused."""
    given = command.get(name)
    if not isinstance(given, str) or not given:
        raise Invalid(f"Error: `{name}` is missing; give a path such as {ROOT}/notes.md")
    shown = repr(given)[1:-1][:80]
    if given != ROOT and not given.startswith(f"{ROOT}/"):
        raise Invalid(f"Error: Path must start with {ROOT}, got: {shown}")
    if "\\" in given or unquote(given) != given:
        raise Invalid(f"Error: The path {shown} holds a backslash or a percent escape; write the characters themselves")
    if len(given) > _PATH_CHARACTERS_MOST:
        raise Invalid(f"Error: The path has {len(given)} characters and the limit is {_PATH_CHARACTERS_MOST}")
    try:
        path = str(Scope(given))
    except Invalid:
        raise Invalid(f"Error: Path {shown} would escape {ROOT} directory, or holds invisible characters") from None
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise Invalid(f"Error: Path must start with {ROOT}, got: {shown}")
    if path != ROOT and clean_name(path, "Error: The path") != path:
        raise Invalid("Error: The path holds a secret; name the file otherwise")
    return path


def _text(command: Command, name: str, default: str | None = None) -> str:
    given = command.get(name, default)
    if not isinstance(given, str):
        raise Invalid(f"Error: `{name}` is missing; give a text")
    return given


def _parents(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(3, len(parts))]


def _content(memory: Memory) -> str:
    before, after = memory.metadata.get(_BLANK, ("", ""))
    return f"{before}{'' if memory.metadata.get('empty') else memory.text}{after}"


def _numbered(content: str, path: str, command: Command) -> str:
    lines = _split(content)
    if len(lines) > _LINES_MOST:
        raise Invalid(f"File {path} exceeds maximum line limit of {_LINES_MOST:,} lines.")
    wanted = command.get("view_range")
    if wanted is None:
        return _lines(lines, 1)
    whole = isinstance(wanted, Sequence) and len(wanted) == 2 and all(type(end) is int for end in wanted)
    first, last = wanted if whole else (0, 0)
    last = len(lines) if last == -1 else last
    if not whole or not 1 <= first <= last or first > len(lines):
        raise Invalid(
            f"Error: Invalid `view_range` parameter: {wanted!r:.40}. It should be two lines of [1, {len(lines)}]"
        )
    return _lines(lines[first - 1 : last], first)


def _split(content: str) -> list[str]:
    """The lines of a text; a line break at its end begins no other."""
    return content.removesuffix("\n").split("\n") if content else []


def _lines(lines: Sequence[str], first: int) -> str:
    return "\n".join(f"{number:6}\t{line}" for number, line in enumerate(lines, start=first))


def _tree(path: str, files: Mapping[str, Memory]) -> dict[str, int]:
    """The contents of a folder, with sizes in bytes; a folder is as large as what is in it."""
    sizes = {path: 0}
    for file, memory in sorted(files.items()):
        size = len(_content(memory).encode())
        below = file.removeprefix(path).strip("/").split("/")
        sizes[path] += size
        if any(part.startswith(".") or part == "node_modules" for part in below):
            continue
        for depth in range(1, min(len(below), _DEPTH) + 1):
            shown = "/".join([path, *below[:depth]])
            sizes[shown] = sizes.get(shown, 0) + size
    return sizes


def _size(count: int) -> str:
    """As `du -h` writes it."""
    size = float(count)
    for unit in ("B", "K", "M"):
        if size < 1024:
            return f"{count}B" if unit == "B" else f"{size:.1f}{unit}"
        size /= 1024
    return f"{size:.1f}G"
