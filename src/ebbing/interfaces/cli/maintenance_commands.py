"""Commands that look after everything an owner has, and the two that need no memories to begin with."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import typer

from ...domain.errors import EbbingError
from ..parameters import count, flag, own
from ..tools import TOOLS
from . import views
from .command_context import Shell, print_json
from .escape import one_line
from .typer_app import EXIT_CODES, MAINTENANCE, Program, command

if TYPE_CHECKING:
    from ...domain.results import Sweep
    from ...jobs.owner_fanout import Round


@command(TOOLS["memory_status"], panel=MAINTENANCE, examples=("ebbing stats", "ebbing stats --owner mara --json"))
def stats(shell: Shell, given: dict[str, Any]) -> None:
    """Counts, and what is due."""
    with shell.engine() as engine:
        counted = shell.call(TOOLS["memory_status"], engine, given)
    hint = f"To carry out what is due: {shell.settings.command('sweep')}" if counted.due else ""
    shell.show(counted, lambda answer: views.stats(answer, hint=hint))


@command(TOOLS["events"], panel=MAINTENANCE, examples=("ebbing events", "ebbing events --after 1200 --limit 50 --json"))
def events(shell: Shell, given: dict[str, Any]) -> None:
    """A page of the log, and how to see the next."""
    tool = TOOLS["events"]
    with shell.engine() as engine:
        page = shell.call(tool, engine, given)
    full = len(page) == given.get("limit", tool.default("limit"))
    hint = f"There may be more: add --after {page[-1].seq}" if full else ""
    shell.show(page, lambda answer: views.log(answer, hint))


@command(TOOLS["export"], panel=MAINTENANCE, examples=("ebbing export everything.jsonl",))
def export(shell: Shell, given: dict[str, Any]) -> None:
    """How many memories were written."""
    with shell.engine() as engine, shell.progress("Exporting") as progress:
        written = shell.call(TOOLS["export"], engine, given, progress=progress)
    shell.show(written, lambda answer: views.fact("exported", answer, f"Everything is in {given['path']}."))


@command(
    TOOLS["import"],
    panel=MAINTENANCE,
    examples=("ebbing import theirs.jsonl", "ebbing import my-backup.jsonl --trusted --on-conflict overwrite"),
)
def import_(shell: Shell, given: dict[str, Any]) -> None:
    """What came of each memory in the file."""
    with shell.engine(creates=True) as engine, shell.progress("Importing") as progress:
        imported = shell.call(TOOLS["import"], engine, given, progress=progress)
    shell.show(imported, views.numbers)


@command(TOOLS["reembed"], panel=MAINTENANCE, examples=("ebbing reembed",))
def reembed(shell: Shell, given: dict[str, Any]) -> None:
    """How many were embedded."""
    with shell.engine() as engine, shell.progress("Embedding") as progress:
        embedded = shell.call(TOOLS["reembed"], engine, given, progress=progress)
    shell.show(embedded, lambda answer: views.fact("embedded", answer, "Every live memory has its vector."))


@command(
    Program(
        "worker",
        "Sweep every owner at the policy's times. Ends with Ctrl-C or a TERM signal, after the round under way.",
        own(flag("once", "One round now, and no more."), count("threads", "How many owners at a time.", 64, default=4)),
    ),
    panel=MAINTENANCE,
    examples=("ebbing worker", "ebbing worker --once --threads 8"),
)
def worker(shell: Shell, given: dict[str, Any]) -> None:
    """Rounds of sweeps."""
    import signal
    import threading

    from ...jobs.owner_fanout import sweep_owners
    from ...jobs.worker import Worker

    threads = given["threads"]
    with shell.engine() as engine:
        if given["once"]:
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
    """What was done. An owner that failed has a line on stderr; the first failure sets the exit code."""
    failed = {owner: error for owner, error in done.errors.items() if isinstance(error, EbbingError)}
    if len(failed) < len(done.errors):
        done.complete()  # an unexpected error is raised as it is
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


@command(
    Program(
        "doctor",
        "Check a store, its indexes, the models and the schedule. Exit code 1 when something is wrong.",
        own(flag("repair", "Rebuild the indexes from the rows before looking.")),
    ),
    panel=MAINTENANCE,
    examples=("ebbing doctor", "ebbing doctor --db memory.db --repair"),
)
def doctor(shell: Shell, given: dict[str, Any]) -> None:
    """Findings, one a line."""
    from rich.console import Console

    from ...domain.results import plain
    from ..doctor import examine
    from ..doctor import show as show_findings

    settings, repair = shell.settings, given["repair"]
    with shell.progress("Repairing" if repair else "Looking") as progress:
        diagnosis = examine(
            settings.db,
            repair=repair,
            policy=settings.policy,
            judge=settings.judge,
            embedder=settings.embedder,
            llm=settings.llm,
            progress=progress,
        )
    if shell.settings.as_json:
        print_json({"ok": diagnosis.ok, **plain(diagnosis)})
    else:
        show_findings(diagnosis, Console(highlight=False))
    raise typer.Exit(0 if diagnosis.ok else 1)


@command(
    Program(
        "demo",
        "Live a year of an agent's memory in half a minute. The clock is virtual, all else is real.",
        own(
            flag("fast", "Without pauses, or with longer ones.", None, option="--fast/--slow"),
            count("width", "Columns to draw in, from 60 to 120.", 120, least=60, default=None),
        ),
    ),
    panel=MAINTENANCE,
    examples=("ebbing demo", "ebbing demo --fast --policy patient.toml"),
)
def demo(shell: Shell, given: dict[str, Any]) -> None:
    """A story, told in the terminal."""
    from rich.console import Console

    from .. import demo as story
    from ..demo.console import BEAT_SECONDS, SLOW_BEAT_SECONDS, Pace

    settings, fast = shell.settings, given["fast"]
    beat = SLOW_BEAT_SECONDS if fast is False else BEAT_SECONDS
    watched = sys.stdout.isatty() and not fast and not settings.as_json
    console = Console(width=given["width"], highlight=False, quiet=settings.as_json)
    closing = story.run(console, Pace(beat if watched else 0.0), settings.policy, settings.judge)
    if settings.as_json:
        print_json(closing)
