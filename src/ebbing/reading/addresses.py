"""Where a fact belongs: whose, and what of it; for statements that are the one value of one thing."""

from __future__ import annotations

import re

from .assertions.lexicon import PERSONAL
from .assertions.phrases import USER
from .assertions.tokens import Sort
from .claims import Claim, claims

# How claims name what they are about, in words; each gives a subject and an attribute.
_SHAPES = tuple(
    re.compile(shape, re.IGNORECASE)
    for shape in (
        r"when (?:the )?(?P<subject>[^,]+?)(?:['’]s (?P<attribute>[^,]+))? is",
        r"(?:where|what|(?P<how>how \w+)) (?:the )?(?P<subject>user|[^,']+?) (?P<attribute>\w+(?: (?:as|at|in|for))?)",
        r"whom (?:the )?(?P<subject>user|[^,']+?) (?:is )?(?P<attribute>\w+) to",
        r"(?:the )?(?P<subject>[^,]+?)['’]s (?P<attribute>[^,]+)",
        r"the (?P<attribute>[^,]+?) of (?:the )?(?P<subject>[^,]+)",
        r"the (?P<subject>\w+(?: \w+)*) (?P<attribute>\w+)",
    )
)


_OF_ONE = PERSONAL | {"age", "locat in"}
_FIXED = frozenset({Sort.NAME, Sort.NUMBER, Sort.DATE, Sort.CLOCK, Sort.LITERAL})
_MORE = re.compile(r"[,;:] |\b(?:which|who|whose|where|because|but|and|or)\b", re.IGNORECASE)


def address(text: str) -> tuple[str, str] | None:
    """Subject and attribute; None where a statement has several values, several claims, or only perhaps holds."""
    told = claims(text)
    if len(told) != 1 or not _is_plain(told[0]) or _MORE.search(text.rstrip(" .,;:")):
        return None
    for shape in _SHAPES:
        if found := shape.fullmatch(told[0].topic):
            named = found.groupdict()
            return named["subject"], named.get("how") or named["attribute"] or "date"
    return None


def _is_plain(claim: Claim) -> bool:
    """Whether this is the one value there is, and nothing besides: what comes to an address replaces what was there."""
    if claim.extra or not (claim.single and claim.sure and claim.mood == "fact"):
        return False
    if claim.negated or claim.ended or claim.past or claim.condition or claim.when or claim.event:
        return False
    return claim.relation in _OF_ONE or _is_attribute(claim)


def _is_attribute(claim: Claim) -> bool:
    """`my phone number`, `the port of the staging database`; not `the day`, of which there is one after another."""
    if claim.bare or claim.subject == USER:
        return False
    is_numbered = claim.filled.sort is Sort.NUMBER and claim.relation == claim.filled.label
    is_described = any("|is|" in key for key in claim.keys)
    return is_numbered or (is_described and (claim.filled.sort in _FIXED or USER in claim.about))
