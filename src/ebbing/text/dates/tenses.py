"""Whether a clause looks back or ahead: what decides which Monday `on Monday` is.

Only the verb next to the place is believed, and only where it leaves no doubt: `I went on Monday` looks back,
`I will go on Monday` ahead; `I wanted to go on Monday` and `I go on Monday` may be either.
"""

from __future__ import annotations

import re
from enum import IntEnum

from ..lazy_regex import lazily

_REACH = 160  # characters: a verb farther away speaks of something else
_NEAR = 12  # characters between `has` and `moved`


class Tense(IntEnum):
    """Where a clause looks; the value is the direction on the calendar."""

    PAST = -1
    UNKNOWN = 0
    FUTURE = 1


# Verbs whose past has no other meaning: not `put`, `read` or `left-handed`.
_PAST = "|".join(
    """was were did had went saw got made took came met bought ate drank ran began told said found gave left felt kept
    lost won built sent spent taught thought brought caught fell flew forgot grew heard held knew led paid rode rang
    rose sang sat sold slept spoke stood stole swam threw understood woke wore wrote broke chose drove drew fought
    dreamt learnt became overslept hung froze shook shot swept sank hid laid dealt lent dug fled wasn't weren't didn't
    hadn't""".split()
)
_NO_PAST = "need feed seed speed bleed breed indeed hundred sacred naked wicked embed shed exceed proceed succeed"
_BE = r"(?:\b(?:am|is|are|isn't|aren't)\b|(?<=\w)['’](?:m|re|s)\b)"
_SOON = r"(?:planned|booked|scheduled|due|set|expected|invited|supposed|meant|about|ready)"
# What the words of a clause show. `open` is a verb, or a word beside one, that leaves it open.
_VERB = lazily(
    rf"""(?:(?<![a-z])(?=[a-z])|(?=['’]))(?:  # at the beginning of a word only, or every letter would be tried
      (?P<open>\b(?:wanted|planned|hoped|needed|intended|decided|promised|agreed|asked|told|expected|wished|offered
            |arranged|(?:was|were)\ (?:going|supposed|about|due|meant)|used)\ (?:\w+\ ){{0,2}}to\b
          | \b(?:would|could|might|has|have|haven't|hasn't|been|if|every|each|always|usually|often|never|sometimes)\b
            (?!\ to\b)(?!\ you\b)
          | (?<=\w)['’](?:ve|d)\b)
      | (?P<ahead>\b(?:will|won['’]t|shall|gonna|let['’]s|must|should|see\ you|can\ (?:you|we)|could\ you)\b
          | \b(?:want|plan|hope|need|intend|expect|aim|promise|ha(?:ve|s)|remember|able|going|supposed)s?\ to\b
          | (?<=\w)['’]ll\b
          | {_BE}\ (?:(?:i|we|you|he|she|it|they|not|still|also|now|all|both|just)\ ){{0,2}}(?:{_SOON}\b|[a-z]+ing\b)
          | {_BE}(?=\ (?:on|at|in)?\ ?$))
      | (?P<still>(?:{_BE}|\b(?:feel|get|look|seem)s?)\ (?:\w+\ )?[a-z]+ed\b)
      | (?P<past>\b(?:{_PAST})\b|\b(?!(?:{_NO_PAST.replace(" ", "|")})\b)[a-z]{{2,}}ed\b))""".replace("'t", "['’]t"),
    re.IGNORECASE | re.VERBOSE,
)
_SENTENCE_END = lazily(r"[.!?;:]\s|\n|[()]")
_CLAUSE_END = lazily(
    r",|\b(?:and|but|because|so|which|that|when|while|although|though|since|before|after|as)\b", re.IGNORECASE
)
_DOING = lazily(r"\s*(?:\w+ly\s+)?(?:[a-z]{2,}ing|due|effective)\b", re.IGNORECASE)
_BARE = lazily(r".*,\s*(?:(?:not|never|now|all|just|yet|still|already)\s+)*", re.IGNORECASE)
_SUBJECT = lazily(r"\b(?:i|we|you|he|she|it|they|who)\s+\w", re.IGNORECASE)


def tense(text: str, start: int, end: int) -> Tense:
    """Where the clause around a stretch of text looks."""
    before = _SENTENCE_END.split(text[max(0, start - _REACH) : start])[-1]
    behind = _SENTENCE_END.split(text[end : end + _REACH])[0]
    own = max((match.end() for match in _CLAUSE_END.finditer(before)), default=0)
    verbs = list(_VERB.finditer(before))
    inside = [verb for verb in verbs if verb.start() >= own]
    if not inside and own and _DOING.match(before, own):
        return Tense.UNKNOWN  # `I got the job, starting on Monday`: that is not told by `got`
    if inside or _SUBJECT.search(before, own):  # a subject without a verb that is known has one that is not
        return Tense.UNKNOWN if _is_other(before, own, inside) else _told(inside)
    behind_it = _VERB.search(behind)
    if behind_it and _BARE.fullmatch(behind[: behind_it.start()]):
        return Tense.UNKNOWN  # `£75 due on 20 March, not paid yet`: nobody did that on that day
    # `I sold it, harvest in August`: a clause without a verb is not told by the verb of another.
    return _told([behind_it] if behind_it else [] if own else verbs)


def _is_other(before: str, own: int, verbs: list[re.Match[str]]) -> bool:
    """Whether the last verb that is known is not the one of this clause: `I said I can't go in May`, `Room: booked`."""
    if not verbs:
        return False
    last = verbs[-1]
    is_bare = last.lastgroup == "past" and not before[own : last.start()].strip()
    if last[0].lower() in ("did", "was", "were", "had"):
        return False  # `did you go on Monday`
    return is_bare or bool(_SUBJECT.search(before, last.end()))


def _told(verbs: list[re.Match[str]]) -> Tense:
    kind = verbs[-1].lastgroup if verbs else None
    if kind == "past":
        # `has moved` and `would be moved` are not over.
        helped = len(verbs) > 1 and verbs[-2].lastgroup == "open" and verbs[-1].start() - verbs[-2].end() < _NEAR
        return Tense.UNKNOWN if helped else Tense.PAST
    return Tense.FUTURE if kind == "ahead" else Tense.UNKNOWN
