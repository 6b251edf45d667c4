"""Commands for what waits for a person, and for core memory."""

from __future__ import annotations

from typing import Annotated

import typer

from ...domain.errors import Invalid
from . import shared_options, views
from .command_context import Shell
from .typer_app import WAY_IN, command, group

block = group("block", "Read and write core memory: labelled blocks that always stand in the context.", panel=WAY_IN)

_Label = Annotated[str, typer.Argument(metavar="LABEL", help="identity, critical, human, persona or scratchpad.")]


@command(
    "review",
    panel=WAY_IN,
    examples=("ebbing review", "ebbing review --limit 5 --json"),
)
def review(
    shell: Shell,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="COUNT", help="How many at most.")] = 100,
    before: Annotated[str | None, typer.Option(metavar="ID", help="Go on behind the last memory of a page.")] = None,
) -> None:
    """List what waits for you to decide. Contradictions that may not settle themselves, merges, and what looked like an
    injected instruction."""
    with shell.engine() as engine:
        shell.show(engine.review(limit=limit, before=before), views.unsettled)


@command(
    "settle",
    panel=WAY_IN,
    examples=(
        "ebbing settle 01m3k9v6z0q5x8r2t7w4y1n0bc --keep",
        "ebbing settle 01m3k9v6z0q5x8r2t7w4y1n0bc --drop",
        "ebbing settle 01m3k9v6z0q5x8r2t7w4y1n0bc --both",
        "ebbing settle 01m3k9v6z0q5x8r2t7w4y1n0bc --superseded-by 01m3ka02f7h4j6p9s1v3x5z8cd",
    ),
)
def settle(
    shell: Shell,
    id: shared_options.Id,
    keep: Annotated[
        bool | None,
        typer.Option("--keep/--drop", help="Keep it as it is (and retire what it contradicts), or let it go."),
    ] = None,
    both: Annotated[bool, typer.Option("--both", help="Of a contradiction: both hold.")] = False,
    superseded_by: Annotated[
        str | None, typer.Option(metavar="ID", help="Keep that memory, which supersedes this one.")
    ] = None,
) -> None:
    """Decide about one of those that `review` lists, or which of two memories holds. `ebbing restore --batch` takes it
    back."""
    if (keep is not None) + both + (superseded_by is not None) != 1:
        raise Invalid("say one thing to do: --keep, --drop, --superseded-by ID, or for a contradiction --both")
    with shell.engine() as engine:
        done = engine.settle(id, superseded_by or ("both" if both else bool(keep)))
    shell.show(done, lambda answer: views.batch(answer, word="settled", undo=f"ebbing restore --batch {done.id}"))


@command("list", of=block, panel=WAY_IN, examples=("ebbing block list",))
def list_(shell: Shell) -> None:
    """Show every block, what it says and how much room it has."""
    with shell.engine() as engine:
        shell.show(engine.blocks(), views.blocks)


@command(
    "set",
    of=block,
    panel=WAY_IN,
    examples=(
        'ebbing block set human "Mara, in Porto; answers in Portuguese"',
        "ebbing block set persona - < persona.txt",
    ),
)
def set_(
    shell: Shell,
    label: _Label,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What it says; - reads it from standard input.")],
) -> None:
    """Write a block. An empty text clears it; what it said before is kept."""
    with shell.engine(creates=True) as engine:
        shell.show([engine.set_block(label, shell.text(text))], views.blocks)


@command("history", of=block, panel=WAY_IN, examples=("ebbing block history human",))
def history(shell: Shell, label: _Label) -> None:
    """Show what a block said, the latest first."""
    with shell.engine() as engine:
        shell.show(engine.block_versions(label), views.memories)


@command("undo", of=block, panel=WAY_IN, examples=("ebbing block undo human",))
def undo(shell: Shell, label: _Label) -> None:
    """Write again what a block said before."""
    with shell.engine() as engine:
        shell.show([engine.undo_block(label)], views.blocks)
