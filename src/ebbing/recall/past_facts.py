"""What was true until a time that is over stands behind what holds now, and the answer says so."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ..domain.policy import Policy
from ..domain.results import Recollection
from ..domain.retention import is_past


def behind_present(
    found: Sequence[Recollection], at: datetime, policy: Policy
) -> tuple[list[Recollection], tuple[str, ...]]:
    """The same, best first, each past one where the share of its score belongs that the policy leaves it; and a note.

    The scores stay: a past fact answers a question as well as ever, and is not what holds.
    """
    past = [one for one in found if is_past(one.memory, at)]
    if not past:
        return list(found), ()
    share = policy.recall.past_share
    ordered = [one for one in found if not is_past(one.memory, at)]
    for one in past:
        ordered.insert(sum(other.score > one.score * share for other in ordered), one)
    note = f"{len(past)} of these {'was' if len(past) == 1 else 'were'} true until a day that is over (valid_until)"
    return ordered, (note,)
