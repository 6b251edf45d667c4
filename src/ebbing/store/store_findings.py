"""What both engines ask and report about the store as a whole."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime

from ..domain.clock import calendar_day
from ..ports import Finding
from .owner_connection import Rows


def owners_of(
    outside: Callable[..., Rows], *, due: datetime | None, policy: str | None, budgets: str | None
) -> list[str]:
    """Every owner, or those a sweep at that instant could change; `outside` runs a query that concerns no owner."""
    if due is None:
        rows = outside("list_owners")
    else:
        rows = outside("owners_due", now=due, today=calendar_day(due), policy=policy, budgets=budgets)
    return [row[0] for row in rows]


def tables_finding(missing: Collection[str]) -> Finding:
    """Whether every table exists; one that is gone took its rows along, and they are derived from nothing else."""
    if not missing:
        return Finding("tables", True, "every table is there")
    named = ", ".join(sorted(missing))
    remedy = "bring back a backup; an export saves what can still be read"
    return Finding("tables", False, f"missing: {named}", remedy)


def analysis_finding(owners: int) -> Finding:
    """Whether the words and digests of all owners were derived by the rules of this program."""
    if not owners:
        return Finding("analysis", True, "words and digests were derived by the rules of this version")
    return Finding(
        "analysis",
        False,
        f"the words and digests of {owners} owners were derived by the rules of another version, so that memories may "
        "not be found, and repetitions and contradictions may not be seen",
        "run `ebbing doctor --repair`",
    )
