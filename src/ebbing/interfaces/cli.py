"""The command line: `ebbing <verb>`. Each command parses, calls and renders; the rules are the engine's.

An error of ours is one sentence on stderr and an exit code by its kind, never a traceback:
2 invalid or too large, 3 not found, 4 conflict, 5 denied, 6 unavailable.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text
from typer.core import TyperGroup

from ..answers import plain
from ..errors import EbbingError

EXIT_CODES = {"invalid": 2, "too_large": 2, "not_found": 3, "conflict": 4, "denied": 5, "unavailable": 6}


class _Commands(TyperGroup):
    """The commands, with our errors said in one sentence."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except EbbingError as error:
            Console(stderr=True, highlight=False, soft_wrap=True).print(Text(f"error: {error}", "red"))
            raise typer.Exit(EXIT_CODES.get(error.code, 1)) from error


app = typer.Typer(
    name="ebbing",
    help="Memory for LLM agents that knows how to forget.",
    cls=_Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"ebbing {version('ebbing')}")
        raise typer.Exit


@app.callback()
def root(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Memory for LLM agents that knows how to forget."""


@app.command()
def demo(
    fast: Annotated[
        bool | None, typer.Option("--fast/--slow", help="Without pauses, or with longer ones; neither: just right.")
    ] = None,
    policy: Annotated[str, typer.Option(help="A preset's name or the path of a policy file.")] = "default",
    width: Annotated[int | None, typer.Option(min=60, max=120, help="Columns to draw in.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Only the closing numbers, as JSON.")] = False,
) -> None:
    """Live a year of an agent's memory in half a minute, on a virtual clock."""
    from . import demo as story
    from .demo_stage import BEAT_SECONDS, SLOW_BEAT_SECONDS, Pace

    console = Console(width=width, highlight=False, quiet=as_json)
    beat = SLOW_BEAT_SECONDS if fast is False else BEAT_SECONDS
    # Asked of the stream, not of Rich: colours may be forced upon a pipe, a reader may not.
    watched = sys.stdout.isatty() and not fast and not as_json
    closing = story.run(console, Pace(beat if watched else 0.0), policy)
    if as_json:
        print_json(closing)


@app.command()
def doctor(
    db: Annotated[
        str | None,
        typer.Option(envvar="EBBING_DB", help="A file or postgresql://…; otherwise the one in your data folder."),
    ] = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Build the indexes again from the rows before looking.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The findings as JSON.")] = False,
) -> None:
    """Check a store, its indexes and the embedder; exit code 1 when something is wrong."""
    from .doctor import examine, show

    diagnosis = examine(db, repair=repair)
    if as_json:
        print_json({"ok": diagnosis.ok, **plain(diagnosis)})
    else:
        show(diagnosis, Console(highlight=False))
    raise typer.Exit(0 if diagnosis.ok else 1)


def print_json(answer: Any) -> None:
    """Any answer as JSON on stdout."""
    print(json.dumps(plain(answer), ensure_ascii=False, indent=2))


def main() -> None:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal or pipe that cannot write a character gets a question mark, not a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    app()
