"""Commands for what waits for review, and for core memory."""

from __future__ import annotations

from typing import Any

from ...domain.errors import Invalid
from ..tools import TOOLS
from . import views
from .command_context import Shell


def review(shell: Shell, given: dict[str, Any]) -> None:
    """What waits, each with what it contradicts."""
    with shell.engine() as engine:
        shell.show(shell.call(TOOLS["review"], engine, given), views.unsettled)


def settle(shell: Shell, given: dict[str, Any]) -> None:
    """One decision, and the command that undoes it."""
    ways = {"keep": given.get("keep"), "both": "both" if given.get("both") else None}
    chosen = [way for way in (*ways.values(), given.get("superseded_by")) if way is not None]
    if len(chosen) != 1:
        raise Invalid("give exactly one of --keep, --drop, --superseded-by ID, or for a contradiction --both")
    with shell.engine() as engine:
        done = shell.call(TOOLS["settle"], engine, {"id": given["id"], "keep": chosen[0]})
    undo = shell.settings.command("restore", "--batch", done.id)
    shell.show(done, lambda answer: views.batch(answer, word="settled", undo=undo))


def list_(shell: Shell, given: dict[str, Any]) -> None:
    """Every block, with the tokens it has and may have."""
    with shell.engine() as engine:
        shell.show(shell.call(TOOLS["blocks"], engine, given), views.blocks)


def set_(shell: Shell, given: dict[str, Any]) -> None:
    """The block as it is now."""
    with shell.engine(creates=True) as engine:
        shell.show([shell.call(TOOLS["set_block"], engine, given)], views.blocks)


def history(shell: Shell, given: dict[str, Any]) -> None:
    """Its texts, the latest first."""
    with shell.engine() as engine:
        shell.show(shell.call(TOOLS["block_versions"], engine, given), views.memories)


def undo(shell: Shell, given: dict[str, Any]) -> None:
    """The block as it is now."""
    with shell.engine() as engine:
        shell.show([shell.call(TOOLS["undo_block"], engine, given)], views.blocks)
