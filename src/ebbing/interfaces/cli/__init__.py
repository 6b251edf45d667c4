"""The command line: `ebbing <verb>`. Each command parses, calls and shows; the rules are the engine's.

    typer_app.py              the app, the options all commands share, errors and exit codes
    tool_command_table.py     the commands that are made from tools, each with the place of its function
    program_command_table.py  the commands that are programs of their own
    *_command(s).py           those functions, one file a family, loaded when a command runs (loading.py)
    settings.py               which store, whose memories, which models
    command_context.py        what a command has at hand: an engine, the streams, questions, progress
    views.py                  what is shown of each answer; foresight_views.py of foresight
    render.py                 views as lines for a pipe; draw.py for a terminal
    output.py                 JSON on stdout; control characters written as escapes
    declared_options.py       declared parameters (../parameters.py) as options and arguments

An error is one sentence on stderr, with `--json` also `{"error": {"code": …, "message": …}}` on stdout, and an
exit code by its kind: 0 done, 1 looked at and found wrong, or declined, 2 invalid, 3 not found, 4 conflict,
5 denied, 6 unavailable, 7 too large, 130 interrupted, 141 not read to its end.
Nothing heavy is loaded before a command needs it.
"""

from __future__ import annotations

import sys

from . import program_command_table, tool_command_table
from .typer_app import EXIT_CODES, app

__all__ = ["EXIT_CODES", "app", "main", "program_command_table", "tool_command_table"]


def main() -> None:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal or pipe that cannot write a character gets a question mark, not a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    app()
