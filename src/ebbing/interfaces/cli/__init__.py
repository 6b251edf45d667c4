"""The command line: `ebbing <verb>`. Each command parses, calls and shows; the rules are the engine's.

    app.py        the app, the options all commands share, errors and exit codes; `@command`
    opening.py    settings to an engine
    shell.py      what a command has at hand: the streams, questions, progress
    visible.py    what a terminal would obey, written out
    sheets.py     what is shown of each answer       render.py   for a terminal, or for a pipe
    sheets_foresight.py   … of foresight
    ways_in.py  review.py  ways_back.py  ways_down.py  care.py  foresight.py  policies.py  agents.py
    changes.py  serving.py  tokens.py     the commands

An error is one sentence on stderr, with `--json` also `{"error": {"code": …, "message": …}}` on stdout, and an
exit code by its kind: 0 done, 1 looked at and found wrong, or declined, 2 invalid, 3 not found, 4 conflict,
5 denied, 6 unavailable, 7 too large, 130 interrupted, 141 not read to its end.
Nothing heavy is loaded before a command needs it.
"""

from __future__ import annotations

import sys

from . import agents, care, changes, foresight, policies, review, serving, tokens, ways_back, ways_down, ways_in
from .app import EXIT_CODES, app

__all__ = [
    "EXIT_CODES",
    "agents",
    "app",
    "care",
    "changes",
    "foresight",
    "main",
    "policies",
    "review",
    "serving",
    "tokens",
    "ways_back",
    "ways_down",
    "ways_in",
]


def main() -> None:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal or pipe that cannot write a character gets a question mark, not a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    app()
