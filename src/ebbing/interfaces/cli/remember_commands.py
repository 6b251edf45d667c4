"""Commands that store: remember, extract, update."""

from __future__ import annotations

from typing import Any

from ...domain.errors import Invalid
from ..parameters import own, text
from ..tools import TOOLS
from . import views
from .command_context import Shell
from .typer_app import WRITE, command

_REMEMBER, _EXTRACT, _UPDATE = TOOLS["remember"], TOOLS["extract"], TOOLS["update_memory"]


@command(
    _REMEMBER,
    panel=WRITE,
    examples=(
        'ebbing remember "Deploys happen on Tuesdays" --category strategy --scope /project',
        'ebbing remember "The API runs on port 8080" --subject API --attribute port',
        "ebbing remember --lines notes.txt --tag notes",
        "ebbing remember --extract - < meeting.txt",
        "git log -1 --format=%B | ebbing remember -",
    ),
    more=own(text("lines", "One memory a line of this file; - reads standard input.", default=None, metavar="FILE")),
    optional=("text",),
)
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


@command(
    _EXTRACT,
    panel=WRITE,
    examples=('ebbing extract "Anna, our new CTO, moved to Porto and prefers tea."', "ebbing extract - < meeting.txt"),
)
def extract(shell: Shell, given: dict[str, Any]) -> None:
    """Facts, shown and not stored."""
    with shell.engine(creates=True) as engine:
        shell.show(shell.call(_EXTRACT, engine, given), views.facts)


@command(
    _UPDATE,
    panel=WRITE,
    examples=(
        'ebbing update 01m3k9v6z0q5x8r2t7w4y1n0bc --text "Deploys happen on Thursdays"',
        "ebbing update 01m3k9v6z0q5x8r2t7w4y1n0bc --importance 0.9 --tag deploys",
    ),
)
def update(shell: Shell, given: dict[str, Any]) -> None:
    """A memory changed, as it is now."""
    if not given.keys() - {"id", "version"}:
        options = ", ".join(
            f"--{name.replace('_', '-')}" for name in _UPDATE.parameters if name not in ("id", "version")
        )
        raise Invalid(f"give what to change: {options.replace('--tags', '--tag')}")
    with shell.engine() as engine:
        shell.show(shell.call(_UPDATE, engine, given), views.memory)
