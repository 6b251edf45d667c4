"""Commands of foresight: what a policy would have done with your past, and which one your past asks for."""

from __future__ import annotations

from typing import Annotated

import typer

from . import foresight_views
from .command_context import Shell
from .typer_app import CARE, command


@command("simulate", panel=CARE, examples=("ebbing simulate hermes", "ebbing simulate patient.toml --days 365"))
def simulate(
    shell: Shell,
    policy: Annotated[str, typer.Argument(metavar="POLICY", help="A preset's name or the path of a policy file.")],
    days: Annotated[
        int, typer.Option("--days", metavar="COUNT", help="How long to go on in which nobody touches anything.")
    ] = 180,
) -> None:
    """Tell what another policy would have done with your past. Names each recall that would have missed."""
    with shell.engine() as engine, shell.progress("Simulating") as tell:
        told = engine.simulate(policy, days=days, progress=tell)
    shell.show(told, foresight_views.simulation)


@command("fit", panel=CARE, examples=("ebbing fit", "ebbing fit --write fitted.toml"))
def fit(
    shell: Shell,
    write: Annotated[
        str | None, typer.Option("--write", metavar="FILE", help="Save the policy to try; nothing is overwritten.")
    ] = None,
) -> None:
    """Learn decay rates from your own history of use. With how sure they are, and a policy to try."""
    with shell.engine() as engine:
        found = engine.fit()
    if write is None:
        next_step = f"To keep it, with its reasons: {shell.settings.command('fit', '--write', 'fitted.toml')}"
    else:
        shell.save(found.policy_toml, write)
        next_step = f"What it would have done: {shell.settings.command('simulate', write)}"
    shell.show(found, lambda answer: foresight_views.fit(answer, written=write, next_step=next_step))
