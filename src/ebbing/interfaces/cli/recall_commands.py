"""Commands that read: asking, looking at memories, and reporting what was of use."""

from __future__ import annotations

from typing import Any

from ..tools import TOOLS
from . import views
from .command_context import Shell
from .output import visible


def recall(shell: Shell, given: dict[str, Any]) -> None:
    """Memories, best first."""
    with shell.engine() as engine:
        found = shell.call(TOOLS["recall"], engine, given)
        shell.show(found, lambda answer: views.recollections(answer, engine.policy.ladder))


def context(shell: Shell, given: dict[str, Any]) -> None:
    """The block alone, as a model gets it."""
    with shell.engine() as engine:
        found = shell.call(TOOLS["context"], engine, given)
        shell.print(found, f"{visible(found.text)}\n" if found.text else "")


def list_(shell: Shell, given: dict[str, Any]) -> None:
    """A page of memories, and how to see the next."""
    tool = TOOLS["list_memories"]
    with shell.engine() as engine:
        page = shell.call(tool, engine, given)
    full = len(page) == given.get("limit", tool.default("limit"))
    hint = f"There may be more: add --before {page[-1].id}" if full else ""
    shell.show(page, lambda answer: views.memories(answer, hint))


def show(shell: Shell, given: dict[str, Any]) -> None:
    """All fields of a memory."""
    with shell.engine() as engine:
        shell.show(shell.call(TOOLS["get_memory"], engine, given), views.memory)


def history(shell: Shell, given: dict[str, Any]) -> None:
    """Events of a memory, oldest first."""
    with shell.engine() as engine:
        shell.show(shell.call(TOOLS["history"], engine, given), views.events)


def explain(shell: Shell, given: dict[str, Any]) -> None:
    """Why a memory has its status, with a chart of what lies ahead."""
    with shell.engine() as engine:
        found = shell.call(TOOLS["explain"], engine, given)
        shell.show(found, lambda answer: views.explanation(answer, engine.policy.ladder))


def used(shell: Shell, given: dict[str, Any]) -> None:
    """The ids that were strengthened."""
    with shell.engine() as engine:
        shell.call(TOOLS["used"], engine, given)
    shell.show(None, lambda _: views.View("Strengthened.", facts=[("used", id_) for id_ in given["ids"]]))
