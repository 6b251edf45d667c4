"""Commands for other programs: write their configuration (`ebbing setup`), and answer their hooks (`ebbing hook`)."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path
from typing import Any

from ...domain.errors import Invalid
from ..clients import hooks, mcp_config
from ..clients.mcp_config import Change
from .command_context import Shell
from .output import print_json
from .settings import Settings


def setup(shell: Shell, given: dict[str, Any]) -> None:
    """What was changed, file by file."""
    client, scope, remove, only_print = (given[name] for name in ("client", "scope", "remove", "print"))
    known = mcp_config.client(client)
    if given["hooks"] and client != "claude-code":
        raise Invalid(f"hooks are for claude-code; {known.title} has none")
    entry: dict[str, Any] = {"scope": scope, "flags": _flags(shell.settings, scope), "remove": remove}
    changes = [mcp_config.set_up(client, **entry, dry_run=only_print)]
    if given["hooks"] or (remove and client == "claude-code"):
        changes.append(mcp_config.set_up_hooks(**entry, dry_run=only_print))
    if shell.settings.as_json:
        print_json([_plain(change) for change in changes])
        return
    if importlib.util.find_spec("mcp") is None:
        print("the server needs more packages: pip install 'ebbing[server]'", file=sys.stderr)
    for change in changes:
        print(f"# {change.path}\n{change.snippet}" if only_print else _sentence(change, remove))
    if any(change.changed for change in changes) and not remove:
        print(f"{known.title} is set up. {known.then}")


def _flags(settings: Settings, scope: str) -> list[str]:
    """The flags that were typed, as the client is to give them: a path must mean the same wherever it runs."""
    flags: list[str] = []
    for name, value in settings.flags:
        if name not in ("db", "owner", "agent", "policy"):
            continue
        if "://" in value and scope == "project":
            raise Invalid("the file of a project is shared, and an address may hold a password; use --scope user")
        is_file = (name == "db" and "://" not in value) or (name == "policy" and value.endswith(".toml"))
        flags += [f"--{name}", str(Path(value).expanduser().resolve()) if is_file else value]
    return flags


def _plain(change: Change) -> dict[str, Any]:
    backup = None if change.backup is None else str(change.backup)
    return {"path": str(change.path), "changed": change.changed, "backup": backup, "snippet": change.snippet}


def _sentence(change: Change, remove: bool) -> str:
    if not change.changed:
        return f"{change.path}: nothing to {'take out' if remove else 'change'}."
    kept = f" The old one is {change.backup.name}." if change.backup is not None else ""
    return f"{change.path} was {'changed' if change.backup else 'made'}.{kept}"


def hook(shell: Shell, given: dict[str, Any]) -> None:
    """The answer as JSON, if there is one."""
    answer = hooks.answer(given["event"], sys.stdin.buffer, lambda: shell.engine(creates=True), given["scope"])
    if answer.output is not None:
        print(json.dumps(answer.output))
    sys.stdout.flush()
    if answer.late:
        os._exit(0)  # a thread that does not end must not keep the session waiting
