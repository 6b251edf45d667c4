"""Where a fact belongs: whose, and what of it; for statements that are the one value of one thing."""

from __future__ import annotations

import re

from .claims import Claim, claims

# How claims name what they are about, in words; each gives a subject and an attribute.
_SHAPES = tuple(
    re.compile(shape, re.IGNORECASE)
    for shape in (
        r"when (?:the )?(?P<subject>[^,]+?)(?:['’]s (?P<attribute>[^,]+))? is",
        r"(?:where|what|(?P<how>how \w+)) (?:the )?(?P<subject>user|[^,']+?) (?P<attribute>\w+(?: (?:as|at|in|for))?)",
        r"(?:the )?(?P<subject>[^,]+?)['’]s (?P<attribute>[^,]+)",
        r"the (?P<attribute>[^,]+?) of (?:the )?(?P<subject>[^,]+)",
        r"the (?P<subject>\w+(?: \w+)*) (?P<attribute>\w+)",
    )
)


def address(text: str) -> tuple[str, str] | None:
    """Subject and attribute; None where a statement has several values, several claims, or only perhaps holds."""
    told = claims(text)
    if len(told) != 1 or not _is_plain(told[0]):
        return None
    for shape in _SHAPES:
        if found := shape.fullmatch(told[0].topic):
            named = found.groupdict()
            return named["subject"], named.get("how") or named["attribute"] or "date"
    return None


def _is_plain(claim: Claim) -> bool:
    holds = claim.single and claim.sure and claim.mood == "fact"
    return holds and not (claim.negated or claim.ended or claim.past or claim.condition or claim.when or claim.event)
