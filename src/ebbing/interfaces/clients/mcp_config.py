"""Setting up the programs people use: where each keeps its MCP servers, and the entry to write.

For one user the entry names this very program, so that it works where no shell has set a path. For a project, whose
file is shared, it names a program that everybody can have.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import platformdirs

from ...domain.errors import Invalid
from . import config_files as files

NAME = "ebbing"
SCOPES = ("user", "project")
ANYWHERE = ("uvx", "--from", "ebbing[server]", "ebbing")  # available wherever uv is
_HOOK = re.compile(r"ebbing(?:\.exe)?[\"']? hook (?:session-start|prompt|compact|stop)\b")
# Event of Claude Code, hook of ours, seconds it may take, whether the session goes on meanwhile.
_HOOKS = (
    ("SessionStart", "session-start", 15, False),
    ("UserPromptSubmit", "prompt", 15, False),
    ("PreCompact", "compact", 60, False),
    ("Stop", "stop", 60, True),
    ("SessionEnd", "stop", 60, False),
)


@dataclass(frozen=True, slots=True)
class Client:
    """One program, and where it keeps its servers."""

    title: str
    user: Callable[[], Path]
    project: str | None  # relative to the project; None: it knows no projects
    key: str = "mcpServers"
    more: Mapping[str, Any] = field(default_factory=dict)  # what an entry says besides
    toml: bool = False
    then: str = "Start it again, and ask it what it remembers."


def _settings_of(program: str) -> Path:
    return Path(platformdirs.user_config_dir(program, appauthor=False, roaming=True))


CLIENTS: Mapping[str, Client] = {
    "claude-code": Client("Claude Code", lambda: Path.home() / ".claude.json", ".mcp.json", more={"type": "stdio"}),
    "claude-desktop": Client("Claude Desktop", lambda: _settings_of("Claude") / "claude_desktop_config.json", None),
    "cursor": Client("Cursor", lambda: Path.home() / ".cursor" / "mcp.json", ".cursor/mcp.json"),
    "vscode": Client(
        "VS Code",
        lambda: _settings_of("Code") / "User" / "mcp.json",
        ".vscode/mcp.json",
        key="servers",
        more={"type": "stdio"},
    ),
    "codex": Client(
        "Codex",
        lambda: Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex") / "config.toml",
        ".codex/config.toml",
        key="mcp_servers",
        toml=True,
    ),
    "windsurf": Client("Windsurf", lambda: Path.home() / ".codeium" / "windsurf" / "mcp_config.json", None),
}


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be done to one file, or was."""

    path: Path
    snippet: str  # the entry to write
    changed: bool
    backup: Path | None = None


def program(scope: str) -> tuple[str, ...]:
    """How the client is to call Ebbing."""
    if scope == "project" or any(part.startswith(("archive-v", "environments-v")) for part in Path(sys.prefix).parts):
        return ANYWHERE  # a project is shared; and what uvx runs from is cleaned up one day
    candidates = [Path(sys.executable).with_name(name) for name in ("ebbing", "ebbing.exe")]
    found = next((str(path) for path in candidates if path.exists()), None) or shutil.which("ebbing")
    return (found,) if found else ANYWHERE


def client(name: str) -> Client:
    """One of those we know."""
    if name not in CLIENTS:
        raise Invalid(f"client {name!r:.40} is not known; choose one of {', '.join(CLIENTS)}")
    return CLIENTS[name]


def set_up(
    name: str, *, scope: str = "user", flags: Sequence[str] = (), remove: bool = False, dry_run: bool = False
) -> Change:
    """Write the server into the client's file, or take it out; a dry run tells what would be written."""
    known = client(name)
    path = _path(known, scope)
    command, *words = program(scope)
    entry = {**known.more, "command": command, "args": [*words, "mcp", *flags]}
    snippet = _snippet(known, entry)
    if dry_run:
        return Change(path, snippet, False)
    return _change(path, snippet, lambda text: _changed(known, text, None if remove else entry, path))


def set_up_hooks(
    *, scope: str = "user", flags: Sequence[str] = (), remove: bool = False, dry_run: bool = False
) -> Change:
    """The hooks of Claude Code, beside whatever hooks there are."""
    path = (Path.home() if scope == "user" else Path.cwd()) / ".claude" / "settings.json"
    ours = {event: _hook(event, scope, flags) for event, *_ in _HOOKS}
    snippet = json.dumps({"hooks": {event: [entry] for event, entry in ours.items()}}, indent=2)
    if dry_run:
        return Change(path, snippet, False)

    def changed(text: str) -> str:
        held = files.json_object(text, path)
        hooks = held.get("hooks", {})
        if not isinstance(hooks, dict):
            raise files.Unreadable(f"hooks in {path} is not an object")
        new = {event: _others(entries, path) for event, entries in hooks.items()}
        if not remove:
            new |= {event: [*new.get(event, []), entry] for event, entry in ours.items()}
        new = {event: entries for event, entries in new.items() if entries or event not in ours}
        wanted = files.with_entry(held, ("hooks",), new or None, path)
        return text if wanted == held else files.json_text(wanted, text)

    return _change(path, snippet, changed)


def _hook(event: str, scope: str, flags: Sequence[str]) -> dict[str, Any]:
    [(_, ours, seconds, matcher)] = [hook for hook in _HOOKS if hook[0] == event]
    run: dict[str, Any] = {"type": "command", "command": shlex.join((*program(scope), "hook", ours, *flags))}
    run["timeout"] = seconds
    if matcher:
        run["async"] = True
    return {"hooks": [run]}


def _others(entries: Any, path: Path) -> list[Any]:
    """The hooks of an event that are not ours."""
    if not isinstance(entries, list):
        raise files.Unreadable(f"the hooks in {path} are not lists")
    kept = []
    for entry in entries:
        hooks = entry.get("hooks") if isinstance(entry, dict) else None
        if not isinstance(hooks, list):
            kept.append(entry)
            continue
        others = [one for one in hooks if not (isinstance(one, dict) and _HOOK.search(str(one.get("command"))))]
        if others or not hooks:
            kept.append({**entry, "hooks": others})
    return kept


def _path(known: Client, scope: str) -> Path:
    if scope not in SCOPES:
        raise Invalid(f"scope {scope!r:.40} is neither user nor project")
    if scope == "user":
        return known.user()
    if known.project is None:
        raise Invalid(f"{known.title} keeps nothing in a project; leave --scope out")
    return Path.cwd() / known.project


def _snippet(known: Client, entry: Mapping[str, Any]) -> str:
    if known.toml:
        return files.toml_text(known.key, NAME, entry).rstrip("\n")
    return json.dumps({known.key: {NAME: entry}}, indent=2, ensure_ascii=False)


def _changed(known: Client, text: str, entry: Mapping[str, Any] | None, path: Path) -> str:
    if known.toml:
        return files.with_table(text, known.key, NAME, _kept(files.toml_table(text, path), known, entry), path)
    held = files.json_object(text, path)
    wanted = files.with_entry(held, (known.key, NAME), _kept(held, known, entry), path)
    return text if wanted == held else files.json_text(wanted, text)


def _kept(held: Mapping[str, Any], known: Client, entry: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Our entry, with what somebody added to it, such as an environment."""
    servers = held.get(known.key)
    there = servers.get(NAME) if isinstance(servers, Mapping) else None
    return {**there, **entry} if entry is not None and isinstance(there, Mapping) else entry


def _change(path: Path, snippet: str, changed: Callable[[str], str]) -> Change:
    try:
        text = files.read(path)
        new = changed(text)
    except files.Unreadable as error:
        raise Invalid(f"{error}, so it was left as it is. Add this by hand:\n{snippet}") from None
    if new == text or (not path.exists() and not new.strip(" \n{}")):
        return Change(path, snippet, False)
    return Change(path, snippet, True, files.write(path, new))
