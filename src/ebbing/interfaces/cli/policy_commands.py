"""`ebbing policy …`: read a policy, check one before it is trusted, lay two side by side. No store is opened."""

from __future__ import annotations

from typing import Annotated

import typer

from ...domain.errors import InvalidPolicy
from . import views
from .command_context import Shell
from .typer_app import CARE, EXIT_CODES, command, group

policy = group("policy", "Show, check and compare policies.", panel=CARE)

_WHICH = "A preset's name or the path of a policy file."


@command(
    "show",
    of=policy,
    panel=CARE,
    examples=("ebbing policy show", "ebbing policy show patient.toml > whole.toml"),
)
def show(
    shell: Shell,
    name: Annotated[str | None, typer.Argument(metavar="POLICY", help=f"{_WHICH} Otherwise the one in use.")] = None,
) -> None:
    """Print a whole policy as TOML that loads again. It holds what it takes from those it extends."""
    from ...domain.policy.loader import load
    from ...domain.policy.writer import dump, table

    chosen = load(shell.settings.policy if name is None else name)
    shell.print(table(chosen), dump(chosen))


@command("check", of=policy, panel=CARE, examples=("ebbing policy check patient.toml",))
def check(shell: Shell, name: Annotated[str, typer.Argument(metavar="POLICY", help=_WHICH)]) -> None:
    """Tell the faults of a policy, or what it does. Every fault with its line and exit code 2; or plain words."""
    from ...domain.policy.loader import load
    from ...domain.policy.writer import in_words

    try:
        sentences = in_words(load(name))
    except InvalidPolicy as error:
        shell.print({"ok": False, "policy": name, "faults": list(error.faults), "does": []}, f"{error}\n")
        raise typer.Exit(EXIT_CODES[error.code]) from error
    told = [f"{name} is fine.", *sentences]
    shell.print({"ok": True, "policy": name, "faults": [], "does": sentences}, "\n".join(told) + "\n")


@command("diff", of=policy, panel=CARE, examples=("ebbing policy diff default patient.toml",))
def diff(
    shell: Shell,
    one: Annotated[str, typer.Argument(metavar="ONE", help=_WHICH)],
    other: Annotated[str, typer.Argument(metavar="OTHER", help=_WHICH)],
) -> None:
    """Tell in what two policies differ. Setting by setting, with both values."""
    from ...domain.policy.loader import load
    from ...domain.policy.writer import differences

    found = differences(load(one), load(other))
    shell.show(found, lambda answer: views.differences(answer, one, other))
