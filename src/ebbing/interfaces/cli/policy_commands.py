"""Commands about policies: show, check and compare them (no store is opened), and try one on your own past."""

from __future__ import annotations

from typing import Any

import typer

from ...domain.errors import InvalidPolicy
from ...domain.policy.loader import load
from ...domain.policy.writer import differences, dump, in_words, table
from ..cli import foresight_views
from ..tools import TOOLS
from . import views
from .command_context import Shell
from .typer_app import EXIT_CODES


def show(shell: Shell, given: dict[str, Any]) -> None:
    """A policy as TOML."""
    chosen = load(given.get("which", shell.settings.policy))
    shell.print(table(chosen), dump(chosen))


def check(shell: Shell, given: dict[str, Any]) -> None:
    """Faults, or sentences."""
    name = given["policy"]
    try:
        sentences = in_words(load(name))
    except InvalidPolicy as error:
        shell.print({"ok": False, "policy": name, "faults": list(error.faults), "does": []}, f"{error}\n")
        raise typer.Exit(EXIT_CODES[error.code]) from error
    lines = [f"{name} is valid.", *sentences]
    shell.print({"ok": True, "policy": name, "faults": [], "does": sentences}, "\n".join(lines) + "\n")


def diff(shell: Shell, given: dict[str, Any]) -> None:
    """Setting by setting."""
    one, other = given["one"], given["other"]
    found = differences(load(one), load(other))
    shell.show(found, lambda answer: views.differences(answer, one, other))


_SIMULATE, _FIT = TOOLS["simulate"], TOOLS["fit"]


def simulate(shell: Shell, given: dict[str, Any]) -> None:
    """Called directly: on this machine a policy may be a file, too."""
    with shell.engine() as engine, shell.progress("Simulating") as progress:
        answer = engine.simulate(**given, progress=progress)
    shell.show(answer, foresight_views.simulation)


def fit(shell: Shell, given: dict[str, Any]) -> None:
    """The rates, and the policy to try: shown, or saved."""
    write = given.pop("write", None)
    with shell.engine() as engine:
        found = shell.call(_FIT, engine, given)
    if write is None:
        next_step = f"To keep it, with its reasons: {shell.settings.command('fit', '--write', 'fitted.toml')}"
    else:
        shell.save(found.policy_toml, write)
        next_step = f"What it would have done: {shell.settings.command('simulate', write)}"
    shell.show(found, lambda answer: foresight_views.fit(answer, written=write, next_step=next_step))
