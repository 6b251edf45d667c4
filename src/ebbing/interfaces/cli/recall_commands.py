"""Commands that read: asking, looking at memories, and reporting what was of use."""

from __future__ import annotations

from typing import Any

from ..tools import TOOLS
from . import views
from .command_context import Shell
from .escape import visible
from .typer_app import SEARCH, command

_AN_ID = "01m3k9v6z0q5x8r2t7w4y1n0bc"


@command(
    TOOLS["recall"],
    panel=SEARCH,
    examples=(
        'ebbing recall "where is the deploy key?"',
        'ebbing recall "what about billing?" --scope /project --include archived -n 3',
        "echo $QUESTION | ebbing recall - --json",
    ),
)
def recall(shell: Shell, given: dict[str, Any]) -> None:
    """Memories, best first."""
    with shell.engine() as engine:
        found = shell.call(TOOLS["recall"], engine, given)
        shell.show(found, lambda answer: views.recollections(answer, engine.policy.ladder))


@command(
    TOOLS["context"],
    panel=SEARCH,
    examples=('ebbing context "what are we deploying today?" --budget 500', "ebbing context - < prompt.txt"),
)
def context(shell: Shell, given: dict[str, Any]) -> None:
    """The block alone, as a model gets it."""
    with shell.engine() as engine:
        found = shell.call(TOOLS["context"], engine, given)
        shell.print(found, f"{visible(found.text)}\n" if found.text else "")


@command(
    TOOLS["list_memories"],
    panel=SEARCH,
    examples=(
        "ebbing list --scope /project --category decision",
        "ebbing list --status archived --limit 20",
        f"ebbing list --before {_AN_ID}",
    ),
)
def list_(shell: Shell, given: dict[str, Any]) -> None:
    """A page of memories, and how to see the next."""
    tool = TOOLS["list_memories"]
    with shell.engine() as engine:
        page = shell.call(tool, engine, given)
    full = len(page) == given.get("limit", tool.default("limit"))
    hint = f"There may be more: add --before {page[-1].id}" if full else ""
    shell.show(page, lambda answer: views.memories(answer, hint))


@command(TOOLS["get_memory"], panel=SEARCH, examples=(f"ebbing show {_AN_ID}",))
def show(shell: Shell, given: dict[str, Any]) -> None:
    """All fields of a memory."""
    with shell.engine() as engine:
        shell.show(shell.call(TOOLS["get_memory"], engine, given), views.memory)


@command(TOOLS["history"], panel=SEARCH, examples=(f"ebbing history {_AN_ID}",))
def history(shell: Shell, given: dict[str, Any]) -> None:
    """Events of a memory, oldest first."""
    with shell.engine() as engine:
        shell.show(shell.call(TOOLS["history"], engine, given), views.events)


@command(TOOLS["explain"], panel=SEARCH, examples=(f"ebbing explain {_AN_ID}",))
def explain(shell: Shell, given: dict[str, Any]) -> None:
    """Why a memory has its status, with a chart of what lies ahead."""
    with shell.engine() as engine:
        found = shell.call(TOOLS["explain"], engine, given)
        shell.show(found, lambda answer: views.explanation(answer, engine.policy.ladder))


@command(TOOLS["used"], panel=SEARCH, examples=(f"ebbing used {_AN_ID} --session today",))
def used(shell: Shell, given: dict[str, Any]) -> None:
    """The ids that were strengthened."""
    with shell.engine() as engine:
        shell.call(TOOLS["used"], engine, given)
    shell.show(None, lambda _: views.View("Strengthened.", facts=[("used", id_) for id_ in given["ids"]]))
