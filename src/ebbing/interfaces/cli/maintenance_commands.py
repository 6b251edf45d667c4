"""Commands that concern everything an owner has: counts, the log, export and import, embedding again."""

from __future__ import annotations

from typing import Any

from ...domain.import_results import Imported
from ..tools import TOOLS
from . import views
from .command_context import Shell


def stats(shell: Shell, given: dict[str, Any]) -> None:
    """Counts, and what is due."""
    with shell.engine() as engine:
        counted = shell.call(TOOLS["memory_status"], engine, given)
    hint = f"To carry out what is due: {shell.settings.command('sweep')}" if counted.due else ""
    shell.show(counted, lambda answer: views.stats(answer, hint=hint))


def events(shell: Shell, given: dict[str, Any]) -> None:
    """A page of the log, and how to see the next."""
    tool = TOOLS["events"]
    with shell.engine() as engine:
        page = shell.call(tool, engine, given)
    full = len(page) == given.get("limit", tool.default("limit"))
    hint = f"There may be more: add --after {page[-1].seq}" if full else ""
    shell.show(page, lambda answer: views.log(answer, hint))


def export(shell: Shell, given: dict[str, Any]) -> None:
    """How many memories were written."""
    with shell.engine() as engine, shell.progress("Exporting") as progress:
        written = shell.call(TOOLS["export"], engine, given, progress=progress)
    shell.show(written, lambda answer: views.fact("exported", answer, f"Everything is in {given['path']}."))


def import_(shell: Shell, given: dict[str, Any]) -> None:
    """What came of each memory in the file."""
    with shell.engine(creates=True) as engine, shell.progress("Importing") as progress:
        imported = shell.call(TOOLS["import"], engine, given, progress=progress)
    shell.show(imported, _imported)


def _imported(answer: Imported) -> views.View:
    """The counts, and the first memories that come in."""
    numbers = [*views.other_fields(answer, ("notes", "samples", "dry_run"), empty=True)]
    rows = [(one.text, one.scope, one.category or "", one.created_at, one.uses) for one in answer.samples]
    headings = ("memory", "scope", "category", "created_at", "uses")
    return views.View(headings=headings, rows=rows, facts=numbers, notes=answer.notes)


def reembed(shell: Shell, given: dict[str, Any]) -> None:
    """How many were embedded."""
    with shell.engine() as engine, shell.progress("Embedding") as progress:
        embedded = shell.call(TOOLS["reembed"], engine, given, progress=progress)
    shell.show(embedded, lambda answer: views.fact("embedded", answer, "Every live memory has its vector."))
