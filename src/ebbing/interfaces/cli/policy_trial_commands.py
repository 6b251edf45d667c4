"""Commands that try policies on your own past: what one would have done, and which one your past asks for."""

from __future__ import annotations

from typing import Any

from ..tools import TOOLS
from . import foresight_views
from .command_context import Shell

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
