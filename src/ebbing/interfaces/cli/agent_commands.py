"""Commands for agents and the programs they live in: the MCP server, setting clients up, and hooks."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...domain.errors import Invalid, Unavailable
from ..parameters import PARAMETERS, flag, own, text
from .command_context import Shell, print_json
from .open_engine import Settings
from .serve_command import ALLOW_HOST, ALLOW_ORIGIN, HOST, PORT, WRITE_AS_USER
from .typer_app import MAINTENANCE, Program, command

if TYPE_CHECKING:
    from ..clients.mcp_config import Change

CLIENTS = ("claude-code", "claude-desktop", "cursor", "vscode", "codex", "windsurf")
HOOKS = ("session-start", "prompt", "compact", "stop")


@command(
    Program(
        "mcp",
        "Serve memories to agents over MCP. Over stdio for the program that starts it; over http as `serve` does.",
        own(
            text("transport", "How the client connects.", default="stdio", choices=("stdio", "http")),
            HOST,
            PORT,
            ALLOW_HOST,
            ALLOW_ORIGIN,
            WRITE_AS_USER,
        ),
    ),
    panel=MAINTENANCE,
    examples=("ebbing mcp", "ebbing mcp --db memory.db --agent reviewer", "ebbing mcp --transport http --port 8080"),
)
def mcp(shell: Shell, given: dict[str, Any]) -> None:
    """Runs until the client goes, or until it is interrupted."""
    transport, write_as_user = given["transport"], given["write_as_user"]
    if transport not in ("stdio", "http"):
        raise Invalid(f"transport {transport!r:.40} is neither stdio nor http")
    with _more_packages(), shell.engine(creates=True) as engine:
        from .. import mcp_server
        from ..access import EVERYTHING, Caller, ToolDispatcher
        from ..tools import Right

        if transport == "stdio":
            if sys.stdin.isatty():
                print("this speaks MCP with a program; `ebbing setup` tells one about it", file=sys.stderr)
            rights = EVERYTHING | {Right.WRITE_AS_USER} if write_as_user else EVERYTHING
            mcp_server.run_stdio(ToolDispatcher(engine), Caller(engine.owner, engine.agent, rights))
            return
        from .. import http_api

        http_api.serve(
            engine,
            http_api.Binding(given["host"], given["port"]),
            http_api.Settings(
                allow_hosts=tuple(given["allow_host"]),
                allow_origins=tuple(given["allow_origin"]),
                write_as_user=write_as_user,
            ),
            worker=False,
            ready=lambda address, _: print(f"serving MCP at {address}{mcp_server.PATH}", file=sys.stderr, flush=True),
        )


@command(
    Program(
        "setup",
        "Tell a program about this memory. Other entries of its configuration stay, and the old file is kept.",
        own(
            text("client", "The program.", choices=CLIENTS),
            flag("print", "Show what would be written, and where."),
            text(
                "scope",
                "user: your own configuration; project: that of the folder you are in.",
                default="user",
                choices=("user", "project"),
            ),
            flag("hooks", "Claude Code: also recall and capture by themselves, without a tool call."),
            flag("remove", "Take it out again."),
        ),
    ),
    panel=MAINTENANCE,
    examples=(
        "ebbing setup claude-code --hooks",
        "ebbing setup cursor --scope project",
        "ebbing setup codex --print",
        "ebbing setup vscode --remove",
    ),
)
def setup(shell: Shell, given: dict[str, Any]) -> None:
    """What was changed, file by file."""
    from ..clients import mcp_config

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


@command(
    Program(
        "hook",
        "Answer a hook of Claude Code, whose JSON is on standard input. Whatever happens, the exit code is 0.",
        own(
            text("event", "Which hook.", choices=HOOKS),
            PARAMETERS["scope"].but(default=None, about="Where to keep what is captured; by default /project/FOLDER."),
        ),
    ),
    panel=MAINTENANCE,
    examples=("ebbing hook session-start < event.json",),
)
def hook(shell: Shell, given: dict[str, Any]) -> None:
    """The answer as JSON, if there is one."""
    import json

    from ..clients import hooks

    answer = hooks.answer(given["event"], sys.stdin.buffer, lambda: shell.engine(creates=True), given["scope"])
    if answer.output is not None:
        print(json.dumps(answer.output))
    sys.stdout.flush()
    if answer.late:
        os._exit(0)  # a thread that does not end must not keep the session waiting


@contextlib.contextmanager
def _more_packages() -> Iterator[None]:
    """Where something may be missing that only servers need."""
    try:
        yield
    except ImportError as error:
        raise Unavailable(f"the MCP server needs more packages: pip install 'ebbing[server]' ({error})") from None


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
