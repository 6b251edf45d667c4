"""A short answer and the question it needs: `Which city do you live in?` `Munich`.

Only where the answer says nothing by itself, and the question is about whoever answers: what somebody offers to do
(`Shall I run the tests?`) is no question about them, and a yes to it no fact.
"""

from __future__ import annotations

import re

from ..lazy_regex import lazily
from ..protected_spans import sentence_spans, spans
from .questions import stated
from .structure import main_clause
from .tagger import tagged
from .tokenizer import Kind

_WORDS_MAX = 15  # of an answer: who says more says it in full
_QUESTION_MAX = 300  # characters
_SHORT = lazily(
    r"(?:yes|yeah|yep|yup|no|nope|nah|correct|right|exactly|ja|nein|oui|non|si|sí|sì)\b"
    r"|(?:i|we) (?:do|don['’]t|am|have|haven['’]t)\b",
    re.IGNORECASE,
)
_OPEN = frozenset("it that this them those these there one ones both neither either".split())
_OFFER = lazily(
    r"\b(?:(?:shall|should|can|could|may|do|must) (?:i|we)\b|(?:want|like|need|prefer) (?:me|us) to\b|let me\b"
    r"|i (?:can|could|should)\b|(?:anything|something) else\b"
    r"|(?:does|is|do|did|was) (?:that|this|it) (?:help|work|make sense|clear|ok|okay)"
    r"|ready\b|proceed\b|continue\b|go ahead\b|sound good)",
    re.IGNORECASE,
)
_ADDRESSED = lazily(r"\b(?:you|your|yours|yourself)\b", re.IGNORECASE)


def answered_question(before: str, answer: str) -> str | None:
    """The question at the end of what was said before, where the answer to it cannot be understood alone."""
    if len(answer) > _QUESTION_MAX or len(answer.split()) > _WORDS_MAX or not _needs_question(answer):
        return None
    found = list(sentence_spans(before, spans(before)))
    last = " ".join(before[slice(*found[-1])].split()) if found else ""
    if not last.endswith("?") or len(last) > _QUESTION_MAX or not _ADDRESSED.search(last) or _OFFER.search(last):
        return None
    return last


def _needs_question(answer: str) -> bool:
    if answer.rstrip().endswith(("?", "？", "؟")) or stated(answer) is not None:
        return False
    if _SHORT.match(answer):
        return True
    tokens = tagged(answer)
    main = main_clause(tokens)
    if main is None:
        return not (tokens and tokens[0].kind is Kind.BASE)  # an order: `run the tests`
    return any(token.lower in _OPEN for token in tokens[: main.verb + 2])
