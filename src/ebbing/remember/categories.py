"""Which category a fact belongs to, guessed from its words: modest cues, and `fact` where there is none.

English cues only; what is written in another language is a fact.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from ..patterns import lazily

DEFAULT: Final = "fact"

_SAYS = r"(?:found|shows?|showed|suggests?|suggested|confirmed|revealed)"
_CALLINGS = "engineer|doctor|nurse|teacher|student|lawyer|vegan|vegetarian|developer|designer|citizen|widow|widower"
# The first that fits decides.
_CUES: Final = (
    (
        "assumption",
        (
            r"probably|presumably|maybe|perhaps|possibly|apparently|supposedly|allegedly",
            r"(?:I|we|they|he|she|[A-Z]\w+) (?:think|thinks|guess|guesses|believes?|supposes?|assumes?|suspects?)",
            r"assum(?:ed|ing|ption|ptions)|might be|may be|seems? to|likely to",
        ),
    ),
    (
        "identity",
        (
            r"(?:my|his|her|their|\w+'s) (?:full )?name is|was born|were born|pronouns are|blood type",
            r"allerg(?:ic|y|ies)|native (?:speaker|language)|nationality|date of birth",
            rf"(?:I am|I'm|[A-Z]\w+ is) (?:a|an) (?:\w+ ){{0,3}}(?:{_CALLINGS})",
        ),
    ),
    (
        "preference",
        (
            r"prefers?|preferred|favou?rites?|dislikes?|disliked|hates?|hated|can't stand|would rather|fan of|fond of",
            r"(?:I|we|they|you|he|she|[A-Z]\w+)(?: \w+ly| also| always| don't| doesn't)? (?:likes?|loves?|enjoys?)",
        ),
    ),
    (
        "decision",
        (
            r"decided|decision|chose|chosen|agreed (?:to|on|that)|approved|opted|settled on|going with|picked(?! up)",
            r"(?<!would )(?<!really )recommend(?:s|ed)?|will (?:use|adopt|go with|switch to|migrate to)",
        ),
    ),
    (
        "gotcha",
        (
            r"gotcha|beware|be careful|watch out|caveat|pitfall|don't forget|must not|must never|only works",
            r"never (?:use|run|call|commit|deploy)|always (?:run|use|call|check|set)",
            r"(?:breaks|fails) (?:if|when|unless)",
        ),
    ),
    (
        "failure",
        (
            r"failed|fails|failing|failure|crash(?:ed|es|ing)?|errors?|exceptions?|timed out|outage|rolled back|bugs?",
            r"(?:did not|didn't|does not|doesn't) work|broke(?: down)?",
        ),
    ),
    (
        "project_status",
        (
            r"in progress|blocked|on track|behind schedule|milestone|shipped|deployed|merged|sprint|backlog|went live",
            r"is (?:done|complete|finished)|\d+ ?% (?:done|complete)|deadline|release (?:is|date)|go-live",
        ),
    ),
    (
        "strategy",
        (r"strategy|works best|best practice|lessons? learned|workaround|the trick is|playbook|rule of thumb",),
    ),
    (
        "finding",
        (
            rf"(?:study|survey|analysis|research|benchmarks?|tests?|results?|experiment) {_SAYS}|{_SAYS} that",
            r"discovered|measured|turn(?:s|ed) out|flagged|according to",
        ),
    ),
    ("observation", (r"noticed|observed|saw that|looks like|appears to",)),
)
_PATTERNS: Final = tuple((name, lazily(rf"\b(?:{'|'.join(cues)})(?!\w)")) for name, cues in _CUES)
# One look for all: most facts have none of them.
_ANY: Final = lazily(rf"\b(?:{'|'.join(cue for _, cues in _CUES for cue in cues)})(?!\w)")


def category_of(fact: str, categories: Collection[str]) -> str:
    """The category a fact most likely has, of those there are."""
    plain = fact[:1].lower() + fact[1:].replace("’", "'")
    if _ANY.search(plain) or _ANY.search(fact):
        for name, pattern in _PATTERNS:
            if name in categories and (pattern.search(plain) or pattern.search(fact)):
                return name
    return DEFAULT
