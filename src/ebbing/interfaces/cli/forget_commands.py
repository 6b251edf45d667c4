"""Commands that put memories away, protect them, or bring them back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...domain.errors import Invalid
from ...domain.memory import Memory, excerpt
from ...engine import Engine
from ..parameters import STATUSES
from ..tools import TOOLS
from . import views
from .command_context import Shell

_PURGED_SHOWN = 20


def forget(shell: Shell, given: dict[str, Any]) -> None:
    """What a query selects is shown before it is forgotten."""
    yes, look = given.pop("yes", False), given.get("dry_run", False)
    if "query" in given and not look:
        given["dry_run"] = not yes
    with shell.engine() as engine:
        batch = shell.call(TOOLS["forget"], engine, given)
        if batch.dry_run and not look and shell.can_ask:
            shell.lay_before(views.memories(batch.memories))
            if batch.memories:
                shell.agree("Forget them?")
                # What was shown is what is meant, whatever the query would find by now.
                chosen = {"ids": [memory.id for memory in batch.memories]}
                chosen |= {name: value for name, value in given.items() if name == "reason"}
                batch = shell.call(TOOLS["forget"], engine, chosen)
        undo = shell.settings.command("restore", "--batch", batch.id)
        how = "" if look else "; add --yes to forget them"
        shell.show(batch, lambda answer: views.batch(answer, word="forgotten", undo=undo, how=how))


def restore(shell: Shell, given: dict[str, Any]) -> None:
    """The memories that came back."""
    with shell.engine() as engine:
        batch = shell.call(TOOLS["restore"], engine, given)
    shell.show(batch, lambda answer: views.batch(answer, word="restored"))


def purge(shell: Shell, given: dict[str, Any]) -> None:
    """Asks first, because it cannot be undone, and tells what was erased: after that nothing else can."""
    yes, everything = given.pop("yes", False), given.get("everything", False)
    if not yes and not shell.can_ask:
        raise Invalid("purge erases for good and there is no terminal to ask on; add --yes if it is meant")
    if not everything and ("ids" in given) == ("scope" in given):
        raise Invalid("purge needs exactly one of ids, --scope or --everything")
    with shell.engine() as engine:
        given = shell.with_whole_ids(TOOLS["purge"], engine, given)
        meant = _meant_by_purge(engine, given)
        if not yes:
            _agree_to_purge(shell, given, meant)
        receipt = shell.call(TOOLS["purge"], engine, given)
    erased = [{"id": memory.id, "text": excerpt(memory.text)} for memory in meant[:_PURGED_SHOWN]]
    shell.show(receipt, lambda answer: views.receipt(answer, erased), erased=erased)


def _meant_by_purge(engine: Engine, given: Mapping[str, Any]) -> list[Memory]:
    """What will be erased: one memory more than is shown of them, where it has that many."""
    if "ids" in given:
        return [engine.get(id_) for id_ in given["ids"]]
    return engine.list(scope=given.get("scope"), status=STATUSES, limit=_PURGED_SHOWN + 1)


def _agree_to_purge(shell: Shell, given: Mapping[str, Any], meant: Sequence[Memory]) -> None:
    """Show the texts that will be erased, and ask."""
    if given.get("everything"):
        what = f"everything of owner {shell.settings.owner}"
    elif "scope" in given:
        what = f"everything under {given['scope']}"
    else:
        what = "this memory" if len(meant) == 1 else f"these {len(meant):,} memories"
    hint = "… and more" if len(meant) > _PURGED_SHOWN else ""
    shell.lay_before(views.memories(meant[:_PURGED_SHOWN], hint))
    shell.agree(f"Erase {what}, with all that was made from it, for good? This cannot be undone.")


def lift(shell: Shell, given: dict[str, Any]) -> None:
    """The tombstone that was lifted."""
    with shell.engine() as engine:
        shell.call(TOOLS["lift"], engine, given)
    shell.show(None, lambda _: views.fact("lifted", given["tombstone"], "The text may be learned again."))


def pin(shell: Shell, given: dict[str, Any]) -> None:
    """The memory, pinned."""
    with shell.engine() as engine:
        shell.show(shell.call(TOOLS["pin"], engine, given), lambda answer: views.memories([answer]))


def unpin(shell: Shell, given: dict[str, Any]) -> None:
    """The memory, no longer pinned."""
    with shell.engine() as engine:
        shell.show(shell.call(TOOLS["unpin"], engine, given), lambda answer: views.memories([answer]))


def sweep(shell: Shell, given: dict[str, Any]) -> None:
    """What moved where, and the command that undoes it."""
    with shell.engine() as engine:
        with shell.progress("Sweeping") as progress:
            swept = shell.call(TOOLS["sweep"], engine, given, progress=progress)
        undo = shell.settings.command("restore", "--batch", swept.batch)
        shell.show(swept, lambda answer: views.sweep(answer, engine.policy.ladder, undo=undo))


def compact(shell: Shell, given: dict[str, Any]) -> None:
    """The summaries that were made, and the command that undoes it."""
    with shell.engine() as engine:
        batch = shell.call(TOOLS["compact"], engine, given)
        undo = shell.settings.command("restore", "--batch", batch.id)
        shell.show(batch, lambda answer: views.batch(answer, word="summarized", undo=undo))
