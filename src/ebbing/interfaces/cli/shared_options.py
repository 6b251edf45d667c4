"""The arguments and options that more than one command takes, each said once."""

from __future__ import annotations

import re
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


def as_options(sentence: str) -> str:
    """A sentence of the library as the command line says it: everything=True is --everything, settle(id, keep=True) is
    ebbing settle ID --keep."""
    sentence = sentence.replace("set_block(label, text)", "ebbing block set LABEL TEXT")
    sentence = re.sub(r"\b([a-z]+)\(id, ([a-z]+=True)\)", r"ebbing \1 ID \2", sentence)
    return re.sub(r"\b([a-z]+(?:_[a-z]+)*)=True\b", lambda found: f"--{found[1].replace('_', '-')}", sentence)
