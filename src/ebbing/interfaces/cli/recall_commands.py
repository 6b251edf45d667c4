"""Commands of the way back: asking, looking, and saying what was of use."""

from __future__ import annotations

from typing import Annotated

import typer

from . import shared_options, views
from .command_context import Shell
from .escape import visible
from .typer_app import WAY_BACK, command


@command(
    "recall",
    panel=WAY_BACK,
    examples=(
        'ebbing recall "where is the deploy key?"',
        'ebbing recall "what about billing?" --scope /project --include archived -n 3',
        "echo $QUESTION | ebbing recall - --json",
    ),
)
def recall(
    shell: Shell,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="The question; - reads it from standard input.")],
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="COUNT", help="How many at most.")] = 10,
    scope: shared_options.Scope = None,
    categories: shared_options.Categories = None,
    tags: shared_options.Tags = None,
    include: Annotated[
        list[str] | None,
        typer.Option(metavar="STATUS", help="Also detached, archived or superseded ones; may be given again."),
    ] = None,
    as_of: Annotated[
        str | None, typer.Option(metavar="TIME", help="Answer as of this earlier time, as ISO 8601.")
    ] = None,
    min_score: Annotated[float, typer.Option(metavar="NUMBER", help="Leave out what scores below this.")] = 0.0,
    reinforce: Annotated[bool, typer.Option(help="Being found strengthens a memory, or only look.")] = True,
    session: shared_options.Session = None,
) -> None:
    """Find the memories that answer a question best. They are ranked by words, meaning and present strength."""
    with shell.engine() as engine:
        found = engine.recall(
            shell.text(query),
            limit=limit,
            scope=scope,
            categories=categories,
            tags=tags,
            include=include or (),
            as_of=as_of,
            min_score=min_score,
            reinforce=reinforce,
            session=session,
        )
        shell.show(found, lambda answer: views.recollections(answer, engine.policy.ladder))


@command(
    "context",
    panel=WAY_BACK,
    examples=('ebbing context "what are we deploying today?" --budget 500', "ebbing context - < prompt.txt"),
)
def context(
    shell: Shell,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What it is for; - reads it from standard input.")],
    budget_tokens: Annotated[int, typer.Option("--budget", metavar="TOKENS", help="How long it may be.")] = 1000,
    scope: shared_options.Scope = None,
    reinforce: Annotated[bool, typer.Option(help="Being placed strengthens a memory, or only look.")] = True,
    session: shared_options.Session = None,
) -> None:
    """Print a block of memories to place before a model. Core memory, what is pinned, what answers best."""
    with shell.engine() as engine:
        told = engine.context(
            shell.text(query), budget_tokens=budget_tokens, scope=scope, reinforce=reinforce, session=session
        )
        shell.print(told, f"{visible(told.text)}\n" if told.text else "")


@command(
    "list",
    panel=WAY_BACK,
    examples=(
        "ebbing list --scope /project --category decision",
        "ebbing list --status archived --limit 20",
        "ebbing list --before 01m3k9v6z0q5x8r2t7w4y1n0bc",
    ),
)
def list_(
    shell: Shell,
    scope: shared_options.Scope = None,
    categories: shared_options.Categories = None,
    tags: shared_options.Tags = None,
    status: Annotated[
        list[str] | None,
        typer.Option(metavar="STATUS", help="A status, otherwise active and detached; may be given again."),
    ] = None,
    tier: Annotated[str | None, typer.Option(metavar="TIER", help="working, episodic, semantic or procedural.")] = None,
    pinned: Annotated[bool | None, typer.Option("--pinned/--unpinned", help="Only those, or only the others.")] = None,
    subject: Annotated[str | None, typer.Option(metavar="NAME", help="Only what is said about this subject.")] = None,
    before: Annotated[str | None, typer.Option(metavar="ID", help="Go on behind the last memory of a page.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="COUNT", help="How many at most.")] = 100,
) -> None:
    """List memories, newest first. Every filter given must hold."""
    with shell.engine() as engine:
        page = engine.list(
            scope=scope,
            categories=categories,
            tags=tags,
            status=status or ("active", "detached"),
            tier=tier,
            pinned=pinned,
            subject=subject,
            before=before,
            limit=limit,
        )
    hint = f"There may be more: add --before {page[-1].id}" if len(page) == limit else ""
    shell.show(page, lambda answer: views.memories(answer, hint))


@command("show", panel=WAY_BACK, examples=("ebbing show 01m3k9v6z0q5x8r2t7w4y1n0bc",))
def show(shell: Shell, id: shared_options.Id) -> None:
    """Show everything about one memory. It may stand anywhere on the ladder."""
    with shell.engine() as engine:
        shell.show(engine.get(id), views.memory)


@command("history", panel=WAY_BACK, examples=("ebbing history 01m3k9v6z0q5x8r2t7w4y1n0bc",))
def history(shell: Shell, id: shared_options.Id) -> None:
    """Tell everything that happened to a memory. Oldest first; also of one that was purged."""
    with shell.engine() as engine:
        shell.show(engine.history(id), views.events)


@command("explain", panel=WAY_BACK, examples=("ebbing explain 01m3k9v6z0q5x8r2t7w4y1n0bc",))
def explain(shell: Shell, id: shared_options.Id) -> None:
    """Explain why a memory stands where it stands. Tells too when it goes where, and what would change that."""
    with shell.engine() as engine:
        shell.show(engine.explain(id), lambda answer: views.explanation(answer, engine.policy.ladder))


@command("used", panel=WAY_BACK, examples=("ebbing used 01m3k9v6z0q5x8r2t7w4y1n0bc --session today",))
def used(shell: Shell, ids: shared_options.Ids, session: shared_options.Session = None) -> None:
    """Say which memories were really of use. They are strengthened as a recall would."""
    with shell.engine() as engine:
        engine.used(ids, session=session)
    shell.show(None, lambda _: views.Sheet("They were of use.", facts=[("used", id_) for id_ in ids]))
