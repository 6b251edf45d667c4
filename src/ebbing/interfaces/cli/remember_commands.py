"""Commands of the way in: what an agent or a person tells Ebbing."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from ...domain.errors import Invalid
from . import shared_options, views
from .command_context import Shell
from .typer_app import WAY_IN, command


@command(
    "remember",
    panel=WAY_IN,
    examples=(
        'ebbing remember "Deploys happen on Tuesdays" --category strategy --scope /project',
        'ebbing remember "The API runs on port 8080" --subject API --attribute port',
        "ebbing remember --lines notes.txt --tag notes",
        "ebbing remember --extract - < meeting.txt",
        "git log -1 --format=%B | ebbing remember -",
    ),
)
def remember(
    shell: Shell,
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="What to remember; - reads it from standard input.")
    ] = None,
    lines: Annotated[
        str | None, typer.Option("--lines", metavar="FILE", help="One memory a line; - reads standard input.")
    ] = None,
    scope: Annotated[str, typer.Option(metavar="PATH", help="Where it belongs: a path such as /project/api.")] = "/",
    category: Annotated[
        str | None, typer.Option("--category", "-c", metavar="NAME", help="Its category; the policy has them.")
    ] = None,
    importance: Annotated[float | None, typer.Option(metavar="NUMBER", help="From 0 to 1.")] = None,
    tier: Annotated[str | None, typer.Option(metavar="TIER", help="working, episodic, semantic or procedural.")] = None,
    tags: Annotated[
        list[str] | None, typer.Option("--tag", "-t", metavar="TAG", help="A tag; may be given again.")
    ] = None,
    metadata: Annotated[str | None, typer.Option(metavar="JSON", help="An object to be kept beside it.")] = None,
    subject: Annotated[
        str | None, typer.Option(metavar="NAME", help="With --attribute an address: writing there replaces.")
    ] = None,
    attribute: Annotated[str | None, typer.Option(metavar="NAME", help="What of the subject this is.")] = None,
    supersedes: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="A memory this replaces; may be given again.")
    ] = None,
    pinned: Annotated[bool, typer.Option("--pin", help="Never let it fade.")] = False,
    expires_in: Annotated[
        str | None, typer.Option(metavar="SPAN", help="How long it lives: 12h, 30d, 6mo, P30D.")
    ] = None,
    visibility: Annotated[str, typer.Option(metavar="WHOM", help="shared, or private to --agent.")] = "shared",
    source: Annotated[
        str | None, typer.Option(metavar="KIND", help="Who said it: user (left out), agent, tool, document, web …")
    ] = None,
    evidence: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What it rests on: a quotation, an address.")
    ] = None,
    trust: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="From 0 to 1; otherwise what its source is worth.")
    ] = None,
    extract: Annotated[
        bool, typer.Option("--extract", help="Remember each fact in the text instead of the text itself.")
    ] = False,
    session: shared_options.Session = None,
    created_at: Annotated[
        str | None, typer.Option(metavar="TIME", help="When it was said, as ISO 8601; otherwise now.")
    ] = None,
) -> None:
    """Remember a text as one memory. What is known already is strengthened, what it replaces is retired."""
    given: dict[str, Any] = {name: value for name, value in locals().items() if name not in ("shell", "text", "lines")}
    given |= {"tags": tags or (), "metadata": None if metadata is None else _object(metadata)}
    if (text is None) == (lines is None):
        raise Invalid("say what to remember: either a text, - for standard input, or --lines with a file")
    said = shell.text(text) if text is not None else [{"text": line, **given} for line in shell.lines(lines or "")]
    with shell.engine(creates=True) as engine:
        if isinstance(said, str):
            outcome = engine.remember(said, **given)
        else:
            with shell.progress("Remembering") as tell:
                outcome = engine.remember_many(said, progress=tell)
        shell.show(outcome, lambda answer: views.remembered(answer, shell.settings.command))


@command(
    "extract",
    panel=WAY_IN,
    examples=('ebbing extract "Anna, our new CTO, moved to Porto and prefers tea."', "ebbing extract - < meeting.txt"),
)
def extract(
    shell: Shell,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The text; - reads it from standard input.")],
) -> None:
    """Show the facts in a text. Nothing is stored."""
    with shell.engine(creates=True) as engine:
        shell.show(engine.extract(shell.text(text)), views.facts)


def _object(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Invalid(f"metadata is not JSON: {error}") from None
