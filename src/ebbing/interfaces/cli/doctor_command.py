"""`ebbing doctor`: check a store, its indexes, the models and the schedule."""

from __future__ import annotations

from typing import Any

import typer
from rich.console import Console

from ...domain.results import plain
from ..doctor import examine
from ..doctor import show as show_findings
from .command_context import Shell
from .output import print_json


def doctor(shell: Shell, given: dict[str, Any]) -> None:
    """Findings, one a line."""
    settings, repair = shell.settings, given["repair"]
    with shell.progress("Repairing" if repair else "Looking") as progress:
        diagnosis = examine(
            settings.db,
            repair=repair,
            policy=settings.policy,
            judge=settings.judge,
            embedder=settings.embedder,
            llm=settings.llm,
            progress=progress,
        )
    if shell.settings.as_json:
        print_json({"ok": diagnosis.ok, **plain(diagnosis)})
    else:
        show_findings(diagnosis, Console(highlight=False))
    raise typer.Exit(0 if diagnosis.ok else 1)
