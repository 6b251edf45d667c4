"""`ebbing policy …`: read a policy, check one before it is used, compare two. No store is opened."""

from __future__ import annotations

from typing import Any

import typer

from ...domain.errors import InvalidPolicy
from ...domain.policy.loader import load
from ...domain.policy.writer import differences, dump, in_words, table
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
