"""`ebbing hook`: answer a hook of Claude Code."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from ..clients import hooks
from .command_context import Shell


def hook(shell: Shell, given: dict[str, Any]) -> None:
    """The answer as JSON, if there is one."""
    answer = hooks.answer(given["event"], sys.stdin.buffer, lambda: shell.engine(creates=True), given["scope"])
    if answer.output is not None:
        print(json.dumps(answer.output))
    sys.stdout.flush()
    if answer.late:
        os._exit(0)  # a thread that does not end must not keep the session waiting
