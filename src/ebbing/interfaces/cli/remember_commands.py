"""Commands that store: remember, observe, extract, update."""

from __future__ import annotations

import json
from typing import Any

from ...domain.errors import Invalid
from ..tools import TOOLS
from . import views
from .command_context import Shell

_REMEMBER, _OBSERVE, _EXTRACT, _UPDATE = (TOOLS[name] for name in ("remember", "observe", "extract", "update_memory"))


def remember(shell: Shell, given: dict[str, Any]) -> None:
    """One text, or each line of a file as a memory of its own."""
    lines = given.pop("lines", None)
    if ("text" in given) == (lines is not None):
        raise Invalid("give the text to remember: TEXT, - for standard input, or --lines with a file")
    texts = [] if lines is None else shell.lines(lines)
    with shell.engine(creates=True) as engine:
        if lines is None:
            outcome = shell.call(_REMEMBER, engine, given)
        else:
            given = shell.with_whole_ids(_REMEMBER, engine, given)
            items = [{"text": line, **given} for line in texts]
            with shell.progress("Remembering") as progress:
                outcome = engine.remember_many(items, progress=progress)
        shell.show(outcome, lambda answer: views.remembered(answer, shell.settings.command))


def observe(shell: Shell, given: dict[str, Any]) -> None:
    """A conversation: JSON, JSON Lines, or a transcript."""
    messages = _read_json(given["messages"])
    with shell.engine(creates=True) as engine:
        outcome = shell.call(_OBSERVE, engine, {**given, "messages": messages})
        shell.show(outcome, lambda answer: views.remembered(answer, shell.settings.command))


def _read_json(text: str) -> Any:
    """The messages where a text is JSON, or an object a line; else the text, which is a transcript."""
    if text.lstrip()[:1] not in ("[", "{"):
        return text
    lines = [line for line in text.splitlines() if line.strip()]
    for parts in ([text], lines):
        try:
            read = [json.loads(part) for part in parts]
        except (ValueError, RecursionError):
            continue
        return read[0] if len(read) == 1 and isinstance(read[0], list) else read
    return text


def extract(shell: Shell, given: dict[str, Any]) -> None:
    """Facts, shown and not stored."""
    with shell.engine(creates=True) as engine:
        shell.show(shell.call(_EXTRACT, engine, given), views.facts)


def update(shell: Shell, given: dict[str, Any]) -> None:
    """A memory changed, as it is now."""
    if not given.keys() - {"id", "version"}:
        options = ", ".join(
            f"--{name.replace('_', '-')}" for name in _UPDATE.parameters if name not in ("id", "version")
        )
        raise Invalid(f"give what to change: {options.replace('--tags', '--tag')}")
    with shell.engine() as engine:
        shell.show(shell.call(_UPDATE, engine, given), views.memory)
