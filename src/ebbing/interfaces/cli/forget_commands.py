"""Commands of the way down, and of the way up again."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ...domain.errors import Invalid
from . import shared_options, views
from .command_context import Shell
from .typer_app import WAY_DOWN, command


@command(
    "forget",
    panel=WAY_DOWN,
    examples=(
        'ebbing forget --scope /project/pilot --reason "the pilot was cancelled"',
        "ebbing forget --category session_state --older-than 2w --dry-run",
        'ebbing forget --query "the old billing system"',
    ),
)
def forget(
    shell: Shell,
    ids: shared_options.AnyIds = None,
    scope: shared_options.Scope = None,
    older_than: Annotated[
        str | None, typer.Option(metavar="SPAN", help="Made longer ago than 12h, 30d, 6mo, P30D …")
    ] = None,
    categories: shared_options.Categories = None,
    tags: shared_options.Tags = None,
    query: Annotated[
        str | None,
        typer.Option(metavar="QUERY", help="What fits this question well; shown before you are asked. - reads it."),
    ] = None,
    everything: shared_options.Everything = False,
    limit: Annotated[int | None, typer.Option("--limit", "-n", metavar="COUNT", help="How many at most.")] = None,
    reason: shared_options.Reason = None,
    dry_run: shared_options.DryRun = False,
    yes: shared_options.Yes = False,
) -> None:
    """Put memories away, softly. Every filter given must hold; restore brings them back exactly."""
    named: dict[str, Any] = {"ids": ids, "scope": scope, "older_than": older_than, "categories": categories}
    named |= {"tags": tags, "query": None if query is None else shell.text(query), "limit": limit}
    named["everything"] = everything
    with shell.engine() as engine:
        if query is not None and shell.can_ask and not (yes or dry_run):
            candidates = engine.forget(**named, dry_run=True).memories
            shell.lay_before(views.memories(candidates))
            if candidates:
                shell.agree("Forget them?")
                # What was shown is what is meant, whatever the question would find by now.
                named = {"ids": [memory.id for memory in candidates]}
        batch = engine.forget(**named, dry_run=dry_run, reason=reason)
        undo = shell.settings.command("restore", "--batch", batch.id)
        shell.show(batch, lambda answer: views.batch(answer, word="forgotten", undo=undo))


@command(
    "restore",
    panel=WAY_DOWN,
    examples=(
        "ebbing restore --batch 01m3k9v6z0q5x8r2t7w4y1n0bc",
        "ebbing restore 01m3k9v6z0q5x8r2t7w4y1n0bc 01m3k9v6z1a2b3c4d5e6f7g8hj",
    ),
)
def restore(
    shell: Shell,
    ids: shared_options.AnyIds = None,
    batch: Annotated[str | None, typer.Option(metavar="ID", help="What was put away together.")] = None,
) -> None:
    """Bring memories back. By id, or the batch that was put away together."""
    with shell.engine() as engine:
        shell.show(engine.restore(ids, batch=batch), lambda answer: views.batch(answer, word="restored"))


@command(
    "purge",
    panel=WAY_DOWN,
    examples=(
        'ebbing purge 01m3k9v6z0q5x8r2t7w4y1n0bc --reason "asked by the person it was about"',
        "ebbing purge --scope /project/pilot --yes",
        "ebbing purge --everything --owner mara",
    ),
)
def purge(
    shell: Shell,
    ids: shared_options.AnyIds = None,
    scope: shared_options.Scope = None,
    everything: shared_options.Everything = False,
    reason: shared_options.Reason = None,
    yes: shared_options.Yes = False,
) -> None:
    """Erase memories for good, with all that was made from them. The one command that cannot be undone."""
    if not yes and not shell.can_ask:
        raise Invalid("purge erases for good and there is no terminal to ask on; add --yes if it is meant")
    if not everything and bool(ids) == (scope is not None):
        raise Invalid("purge needs exactly one of ids, --scope or --everything")
    what = [*(ids or ()), *([f"everything under {scope}"] if scope is not None else ())]
    what += [f"everything of owner {shell.settings.owner}"] if everything else []
    if not yes:
        shell.agree(f"Erase {', '.join(what)} for good? It cannot be undone.")
    with shell.engine() as engine:
        receipt = engine.purge(ids=ids, scope=scope, everything=everything, reason=reason)
        shell.show(receipt, views.receipt)


@command("lift", panel=WAY_DOWN, examples=("ebbing lift 01m3k9v6z0q5x8r2t7w4y1n0bc",))
def lift(
    shell: Shell, tombstone: Annotated[str, typer.Argument(metavar="TOMBSTONE", help="From the receipt of a purge.")]
) -> None:
    """Allow a purged text to be learned again."""
    with shell.engine() as engine:
        engine.lift(tombstone)
    shell.show(None, lambda _: views.fact("lifted", tombstone, "The text may be learned again."))


@command("pin", panel=WAY_DOWN, examples=("ebbing pin 01m3k9v6z0q5x8r2t7w4y1n0bc",))
def pin(shell: Shell, id: shared_options.Id) -> None:
    """Protect a memory. It never fades and is never pruned or overwritten."""
    with shell.engine() as engine:
        shell.show(engine.pin(id), lambda answer: views.memories([answer]))


@command("unpin", panel=WAY_DOWN, examples=("ebbing unpin 01m3k9v6z0q5x8r2t7w4y1n0bc",))
def unpin(shell: Shell, id: shared_options.Id) -> None:
    """Let a memory fade again."""
    with shell.engine() as engine:
        shell.show(engine.unpin(id), lambda answer: views.memories([answer]))


@command("sweep", panel=WAY_DOWN, examples=("ebbing sweep --dry-run", "ebbing sweep --policy patient.toml"))
def sweep(
    shell: Shell,
    dry_run: shared_options.DryRun = False,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", metavar="COUNT", help="How many at most, longest overdue first.")
    ] = None,
) -> None:
    """Let go of what has faded or expired. Tells what went where and why, and how to undo it."""
    with shell.engine() as engine:
        with shell.progress("Sweeping") as tell:
            swept = engine.sweep(dry_run=dry_run, limit=limit, progress=tell)
        undo = shell.settings.command("restore", "--batch", swept.batch)
        shell.show(swept, lambda answer: views.sweep(answer, engine.policy.ladder, undo=undo))


@command("compact", panel=WAY_DOWN, examples=("ebbing compact /project/api --dry-run", "ebbing compact /project/api"))
def compact(
    shell: Shell,
    scope: Annotated[str, typer.Argument(metavar="SCOPE", help="A path such as /project/api.")],
    dry_run: shared_options.DryRun = False,
) -> None:
    """Make one summary of each topic in a scope. What it was made from is archived; restore undoes it."""
    with shell.engine() as engine:
        batch = engine.compact(scope=scope, dry_run=dry_run)
        undo = shell.settings.command("restore", "--batch", batch.id)
        shell.show(batch, lambda answer: views.batch(answer, word="summarized", undo=undo))
