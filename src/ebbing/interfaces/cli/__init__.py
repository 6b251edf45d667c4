"""The command line: `ebbing <verb>`. Each command parses, calls and shows; the rules are the engine's.

    typer_app.py         the app, the options all commands share, errors and exit codes; `@command`
    open_engine.py       settings to an engine
    command_context.py   what a command has at hand: the streams, questions, progress
    escape.py            what a terminal would obey, written out
    views.py             what is shown of each answer; foresight_views.py of foresight
    render.py            for a terminal, or for a pipe
    declared_options.py  declared parameters (../parameters.py) as options and arguments
    option_names.py      sentences of the library in the words of the command line
    *_commands.py        the commands, one file a family

An error is one sentence on stderr, with `--json` also `{"error": {"code": …, "message": …}}` on stdout, and an
exit code by its kind: 0 done, 1 looked at and found wrong, or declined, 2 invalid, 3 not found, 4 conflict,
5 denied, 6 unavailable, 7 too large, 130 interrupted, 141 not read to its end.
Nothing heavy is loaded before a command needs it.
"""

from __future__ import annotations

import sys

from . import (
    agent_commands,
    forget_commands,
    maintenance_commands,
    policy_commands,
    policy_trial_commands,
    recall_commands,
    remember_commands,
    review_commands,
    serve_command,
    token_commands,
)
from .typer_app import EXIT_CODES, app

__all__ = [
    "EXIT_CODES",
    "agent_commands",
    "app",
    "forget_commands",
    "main",
    "maintenance_commands",
    "policy_commands",
    "policy_trial_commands",
    "recall_commands",
    "remember_commands",
    "review_commands",
    "serve_command",
    "token_commands",
]


def main() -> None:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal or pipe that cannot write a character gets a question mark, not a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    app()
