"""The arguments and options that more than one command takes, each said once."""

from __future__ import annotations

from typing import Annotated

import typer

Id = Annotated[str, typer.Argument(metavar="ID", help="The memory's id, whole.")]
Ids = Annotated[list[str], typer.Argument(metavar="ID", help="Ids of memories, whole.")]
AnyIds = Annotated[list[str] | None, typer.Argument(metavar="ID", help="Ids of memories, whole.")]

Scope = Annotated[
    str | None, typer.Option("--scope", metavar="PATH", help="A scope such as /project/api, and what lies below it.")
]
Categories = Annotated[
    list[str] | None, typer.Option("--category", "-c", metavar="NAME", help="A category; may be given again.")
]
Tags = Annotated[
    list[str] | None, typer.Option("--tag", "-t", metavar="TAG", help="A tag; may be given again, and all must hold.")
]
Session = Annotated[str | None, typer.Option("--session", metavar="NAME", help="The conversation this happens in.")]
Reason = Annotated[str | None, typer.Option("--reason", metavar="WORDS", help="Why; kept with the change.")]
Everything = Annotated[
    bool, typer.Option("--everything", help="All there is; --scope / by itself is refused without it.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only tell what would happen; nothing is written.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
