"""The past in a question and in a result.

Superseded memories are searched without `include=` only where a question asks about the past: `what did I use before?`,
`my former address`. A memory that was true until a day that is over ranks behind those that hold now.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from ..domain.policy import Policy
from ..domain.results import Recollection
from ..domain.retention import is_past
from ..text.lazy_regex import lazily

_PAST = lazily(
    r"\b(?:previous(?:ly)?|former(?:ly)?|used\s+to|in\s+the\s+past|back\s+then|no\s+longer|not\s+any\s*more|any\s*more"
    r"|originally|at\s+first|ex-\w+|earlier\s+on|until\s+(?:recently|then))\b"
    r"|\b(?:before|earlier)\s*(?:[?.!]|$|that\b|this\b|it\b|then\b|now\b)"
    r"|\bbefore\s+(?:I|we|you|he|she|they|the|my|our|his|her|their)\b"
    r"|\b(?:my|our|his|her|their|the|'s|’s)\s+old\b",
    re.IGNORECASE,
)


def asks_about_past(question: str) -> bool:
    """Whether what is superseded may be the answer."""
    return _PAST.search(question) is not None


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
