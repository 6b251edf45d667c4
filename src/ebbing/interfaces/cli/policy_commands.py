"""`ebbing policy …`: read a policy, check one before it is used, compare two. No store is opened."""

from __future__ import annotations

from typing import Any

import typer

from ...domain.errors import InvalidPolicy
from ..parameters import own, preset_names, text
from . import views
from .command_context import Shell
from .typer_app import EXIT_CODES, MAINTENANCE, Program, command, group

group("policy", "Show, check and compare policies.", panel=MAINTENANCE)

_POLICY = text("policy", "A preset's name or the path of a policy file.", suggestions=preset_names)
# An argument that need not be given.
_SHOWN = _POLICY.but(name="which", about=f"{_POLICY.about} By default the one in use.", metavar="POLICY")


@command(
    Program(
        "policy show",
        "Print a whole policy as TOML that loads again. It includes what it takes from those it extends.",
        own(_SHOWN),
    ),
    panel=MAINTENANCE,
    examples=("ebbing policy show", "ebbing policy show patient.toml > whole.toml"),
    optional=("which",),
)
def show(shell: Shell, given: dict[str, Any]) -> None:
    """A policy as TOML."""
    from ...domain.policy.loader import load
    from ...domain.policy.writer import dump, table

    chosen = load(given.get("which", shell.settings.policy))
    shell.print(table(chosen), dump(chosen))


@command(
    Program(
        "policy check",
        "List the faults of a policy, each with its line and exit code 2; or say in plain words what it does.",
        own(_POLICY),
    ),
    panel=MAINTENANCE,
    examples=("ebbing policy check patient.toml",),
)
def check(shell: Shell, given: dict[str, Any]) -> None:
    """Faults, or sentences."""
    from ...domain.policy.loader import load
    from ...domain.policy.writer import in_words

    name = given["policy"]
    try:
        sentences = in_words(load(name))
    except InvalidPolicy as error:
        shell.print({"ok": False, "policy": name, "faults": list(error.faults), "does": []}, f"{error}\n")
        raise typer.Exit(EXIT_CODES[error.code]) from error
    lines = [f"{name} is valid.", *sentences]
    shell.print({"ok": True, "policy": name, "faults": [], "does": sentences}, "\n".join(lines) + "\n")


@command(
    Program(
        "policy diff",
        "List the settings in which two policies differ, with both values.",
        own(_POLICY.but(name="one"), _POLICY.but(name="other")),
    ),
    panel=MAINTENANCE,
    examples=("ebbing policy diff default patient.toml",),
)
def diff(shell: Shell, given: dict[str, Any]) -> None:
    """Setting by setting."""
    from ...domain.policy.loader import load
    from ...domain.policy.writer import differences

    one, other = given["one"], given["other"]
    found = differences(load(one), load(other))
    shell.show(found, lambda answer: views.differences(answer, one, other))
