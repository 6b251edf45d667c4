"""`ebbing worker`: sweep every owner at the policy's times."""

from __future__ import annotations

import signal
import sys
import threading
from typing import Any

import typer

from ...domain.errors import EbbingError
from ...domain.results import Sweep
from ...jobs.owner_fanout import Round, sweep_owners
from ...jobs.worker import Worker
from . import views
from .command_context import Shell
from .output import one_line, print_json
from .typer_app import EXIT_CODES


def worker(shell: Shell, given: dict[str, Any]) -> None:
    """Rounds of sweeps."""
    threads = given["threads"]
    with shell.engine() as engine:
        if given["once"]:
            _show_round(sweep_owners(engine, threads=threads), shell)
            return
        loop = Worker(engine, threads=threads, on_swept=lambda swept: shell.show(swept, views.round_of_sweeps))
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
