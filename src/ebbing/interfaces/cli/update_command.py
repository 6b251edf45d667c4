"""The command that changes a memory."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from ...domain.errors import Invalid
from . import shared_options, views
from .command_context import Shell
from .typer_app import WAY_IN, command


@command(
    "update",
    panel=WAY_IN,
    examples=(
        'ebbing update 01m3k9v6z0q5x8r2t7w4y1n0bc --text "Deploys happen on Thursdays"',
        "ebbing update 01m3k9v6z0q5x8r2t7w4y1n0bc --importance 0.9 --tag deploys",
    ),
)
def update(
    shell: Shell,
    id: shared_options.Id,
    text: Annotated[
        str | None, typer.Option("--text", metavar="TEXT", help="New words; - reads them from standard input.")
    ] = None,
    scope: Annotated[str | None, typer.Option(metavar="PATH", help="Where it belongs now.")] = None,
    category: Annotated[str | None, typer.Option("--category", "-c", metavar="NAME", help="Its new category.")] = None,
    importance: Annotated[float | None, typer.Option(metavar="NUMBER", help="From 0 to 1.")] = None,
    tags: Annotated[
        list[str] | None, typer.Option("--tag", "-t", metavar="TAG", help="Its tags from now on; may be given again.")
    ] = None,
    metadata: Annotated[str | None, typer.Option(metavar="JSON", help="An object to be kept beside it.")] = None,
    expires_in: Annotated[
        str | None, typer.Option(metavar="SPAN", help="How long it lives from now: 12h, 30d, 6mo, P30D.")
    ] = None,
    version: Annotated[
        str | None, typer.Option(metavar="VERSION", help="As you read it: changed since, nothing is done.")
    ] = None,
) -> None:
    """Change a memory. Another text replaces it, and the old one stays as history; the rest changes in place."""
    given: dict[str, Any] = {name: value for name, value in locals().items() if name not in ("shell", "id")}
    given |= {"text": None if text is None else shell.text(text)}
    given |= {"metadata": None if metadata is None else _object(metadata)}
    if not any(value is not None for name, value in given.items() if name != "version"):
        raise Invalid("say what to change: --text, --scope, --category, --importance, --tag, --metadata, --expires-in")
    with shell.engine() as engine:
        shell.show(engine.update(id, **given), views.memory)


def _object(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Invalid(f"metadata is not JSON: {error}") from None
