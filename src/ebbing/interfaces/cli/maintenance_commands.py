"""Commands that look after everything an owner has, and the two that need no memories to begin with."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ...domain.errors import EbbingError
from . import views
from .command_context import Shell, print_json
from .escape import one_line
from .typer_app import CARE, EXIT_CODES, command

if TYPE_CHECKING:
    from ...domain.results import Sweep
    from ...jobs.owner_fanout import Round


@command("stats", panel=CARE, examples=("ebbing stats", "ebbing stats --owner mara --json"))
def stats(shell: Shell) -> None:
    """Count memories by status, category and tier. Tells too what is to be done about them."""
    with shell.engine() as engine:
        counted = engine.stats()
    hint = f"What is due goes down with: {shell.settings.command('sweep')}" if counted.due else ""
    shell.show(counted, lambda answer: views.stats(answer, hint=hint))


@command("events", panel=CARE, examples=("ebbing events", "ebbing events --after 1200 --limit 50 --json"))
def events(
    shell: Shell,
    after: Annotated[int, typer.Option(metavar="NUMBER", help="Go on behind the event of this number.")] = 0,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="COUNT", help="How many at most.")] = 100,
) -> None:
    """Tell what happened to anything, oldest first. Who, what, why, and the numbers it rested on."""
    with shell.engine() as engine:
        page = engine.events(after=after, limit=limit)
    hint = f"There may be more: add --after {page[-1].seq}" if len(page) == limit else ""
    shell.show(page, lambda answer: views.log(answer, hint))


@command("export", panel=CARE, examples=("ebbing export everything.jsonl",))
def export(
    shell: Shell,
    path: Annotated[
        str, typer.Argument(metavar="FILE", help="Made complete or not at all; only an export is replaced.")
    ],
) -> None:
    """Write everything to a file of JSON lines. Lossless; tells how many memories that were."""
    with shell.engine() as engine, shell.progress("Exporting") as tell:
        count = engine.export(path, progress=tell)
    shell.show(count, lambda answer: views.fact("exported", answer, f"Everything is in {path}."))


@command(
    "import",
    panel=CARE,
    examples=("ebbing import theirs.jsonl", "ebbing import my-backup.jsonl --trusted --on-conflict overwrite"),
)
def import_(
    shell: Shell,
    path: Annotated[str, typer.Argument(metavar="FILE", help="What export wrote.")],
    on_conflict: Annotated[
        str,
        typer.Option(metavar="CHOICE", help="A memory that stands here already and differs: skip, overwrite or fail."),
    ] = "skip",
    trusted: Annotated[
        bool, typer.Option("--trusted", help="It is a backup you made yourself: keep its trust, blocks and tombstones.")
    ] = False,
    tombstones: Annotated[
        bool, typer.Option("--tombstones", help="Also take what the file bars from being learned.")
    ] = False,
    blocks: Annotated[bool, typer.Option("--blocks", help="Also take its core blocks where none stands.")] = False,
) -> None:
    """Bring in an export, whoever's it was. The whole file is checked before anything is written.

    Every text passes the gate, and nothing is trusted more than an import.
    """
    with shell.engine(creates=True) as engine, shell.progress("Importing") as tell:
        imported = engine.import_(
            path, on_conflict=on_conflict, trusted=trusted, tombstones=tombstones, blocks=blocks, progress=tell
        )
    shell.show(imported, views.numbers)


@command("reembed", panel=CARE, examples=("ebbing reembed",))
def reembed(shell: Shell) -> None:
    """Embed again what another model embedded, or none. Stopped, it goes on where it was."""
    with shell.engine() as engine, shell.progress("Embedding") as tell:
        count = engine.reembed(progress=tell)
    shell.show(count, lambda answer: views.fact("embedded", answer, "Every live memory has its vector."))


@command("worker", panel=CARE, examples=("ebbing worker", "ebbing worker --once --threads 8"))
def worker(
    shell: Shell,
    once: Annotated[bool, typer.Option("--once", help="One round now, and no more.")] = False,
    threads: Annotated[int, typer.Option(metavar="COUNT", help="How many owners at a time.")] = 4,
) -> None:
    """Sweep every owner at the policy's times. Ends with Ctrl-C or a TERM signal, after the round under way."""
    import signal
    import threading

    from ...jobs.owner_fanout import sweep_owners
    from ...jobs.worker import Worker

    with shell.engine() as engine:
        if once:
            _show_round(sweep_owners(engine, threads=threads), shell)
            return
        loop = Worker(engine, threads=threads, told=lambda swept: shell.show(swept, views.round_of_sweeps))
        stop = threading.Event()
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda *_: stop.set())
        first = loop.next_at(engine.clock.now())
        print(f"sweeping at {engine.policy.sweep.cron} (UTC), first on {first:%Y-%m-%d %H:%M}", file=sys.stderr)
        loop.run(stop)


def _show_round(done: Round[Sweep], shell: Shell) -> None:
    """What was done; whoever could not be visited has a line on stderr, and the first of them the exit code."""
    failed = {owner: error for owner, error in done.errors.items() if isinstance(error, EbbingError)}
    if len(failed) < len(done.errors):
        done.complete()  # a fault that nobody has named must be seen as it is
    lines = [f"owner {owner} was not swept: {error}" for owner, error in failed.items()]
    codes = [error.code for error in failed.values()]
    if failed and shell.settings.as_json:
        print_json({"error": {"code": codes[0], "message": "; ".join(lines)}, "swept": done.answers})
    elif done.answers or not failed:
        shell.show(done.answers, views.round_of_sweeps)
    for line in lines:
        print(f"ebbing: {one_line(line)}", file=sys.stderr)
    if failed:
        raise typer.Exit(EXIT_CODES.get(codes[0], 1))


@command("doctor", panel=CARE, examples=("ebbing doctor", "ebbing doctor --db memory.db --repair"))
def doctor(
    shell: Shell,
    repair: Annotated[
        bool, typer.Option("--repair", help="Build the indexes again from the rows before looking.")
    ] = False,
) -> None:
    """Check a store, its indexes, the models and the schedule. Exit code 1 when something is wrong."""
    from rich.console import Console

    from ...domain.results import plain
    from ..doctor import examine
    from ..doctor import show as show_findings

    settings = shell.settings
    with shell.progress("Repairing" if repair else "Looking") as tell:
        diagnosis = examine(
            settings.db,
            repair=repair,
            policy=settings.policy,
            judge=settings.judge,
            embedder=settings.embedder,
            llm=settings.llm,
            progress=tell,
        )
    if shell.settings.as_json:
        print_json({"ok": diagnosis.ok, **plain(diagnosis)})
    else:
        show_findings(diagnosis, Console(highlight=False))
    raise typer.Exit(0 if diagnosis.ok else 1)


@command("demo", panel=CARE, examples=("ebbing demo", "ebbing demo --fast --policy patient.toml"))
def demo(
    shell: Shell,
    fast: Annotated[
        bool | None, typer.Option("--fast/--slow", help="Without pauses, or with longer ones; neither: just right.")
    ] = None,
    width: Annotated[int | None, typer.Option(metavar="COUNT", min=60, max=120, help="Columns to draw in.")] = None,
) -> None:
    """Live a year of an agent's memory in half a minute. The clock is virtual, all else is real."""
    from rich.console import Console

    from .. import demo as story
    from ..demo.console import BEAT_SECONDS, SLOW_BEAT_SECONDS, Pace

    settings = shell.settings
    beat = SLOW_BEAT_SECONDS if fast is False else BEAT_SECONDS
    watched = sys.stdout.isatty() and not fast and not settings.as_json
    console = Console(width=width, highlight=False, quiet=settings.as_json)
    closing = story.run(console, Pace(beat if watched else 0.0), settings.policy, settings.judge)
    if settings.as_json:
        print_json(closing)
