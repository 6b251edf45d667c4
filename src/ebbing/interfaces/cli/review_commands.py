"""Commands for what waits for review, and for core memory."""

from __future__ import annotations

from typing import Any

from ...domain.errors import Invalid
from ..parameters import flag, own, text
from ..tools import TOOLS
from . import views
from .command_context import Shell
from .typer_app import WRITE, command, group

_AN_ID = "01m3k9v6z0q5x8r2t7w4y1n0bc"

group("block", "Read and write core memory: labelled blocks that are always part of the context.", panel=WRITE)


@command(TOOLS["review"], panel=WRITE, examples=("ebbing review", "ebbing review --limit 5 --json"))
def review(shell: Shell, given: dict[str, Any]) -> None:
    """What waits, each with what it contradicts."""
    with shell.engine() as engine:
        shell.show(shell.call(TOOLS["review"], engine, given), views.unsettled)


@command(
    TOOLS["settle"],
    panel=WRITE,
    examples=(
        f"ebbing settle {_AN_ID} --keep",
        f"ebbing settle {_AN_ID} --drop",
        f"ebbing settle {_AN_ID} --both",
        f"ebbing settle {_AN_ID} --superseded-by 01m3ka02f7h4j6p9s1v3x5z8cd",
    ),
    more=own(
        flag("keep", "Keep it (and retire what it contradicts), or retire it.", None, option="--keep/--drop"),
        flag("both", "Keep both of two that contradict."),
        text(
            "superseded_by",
            "Keep that memory, which then supersedes this one.",
            default=None,
            metavar="ID",
            names_memory=True,
        ),
    ),
)
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


@command(TOOLS["blocks"], panel=WRITE, examples=("ebbing block list",))
def list_(shell: Shell, given: dict[str, Any]) -> None:
    """Every block, with the tokens it has and may have."""
    with shell.engine() as engine:
        shell.show(shell.call(TOOLS["blocks"], engine, given), views.blocks)


@command(
    TOOLS["set_block"],
    panel=WRITE,
    examples=(
        'ebbing block set human "Mara, in Porto; answers in Portuguese"',
        "ebbing block set persona - < persona.txt",
    ),
)
def set_(shell: Shell, given: dict[str, Any]) -> None:
    """The block as it is now."""
    with shell.engine(creates=True) as engine:
        shell.show([shell.call(TOOLS["set_block"], engine, given)], views.blocks)


@command(TOOLS["block_versions"], panel=WRITE, examples=("ebbing block history human",))
def history(shell: Shell, given: dict[str, Any]) -> None:
    """Its texts, the latest first."""
    with shell.engine() as engine:
        shell.show(shell.call(TOOLS["block_versions"], engine, given), views.memories)


@command(TOOLS["undo_block"], panel=WRITE, examples=("ebbing block undo human",))
def undo(shell: Shell, given: dict[str, Any]) -> None:
    """The block as it is now."""
    with shell.engine() as engine:
        shell.show([shell.call(TOOLS["undo_block"], engine, given)], views.blocks)
