"""A text as sentences: which of them say nothing, and which can be understood without the others.

What a summary is made of (summary.py). Reads only; whether a sentence is left out is decided there.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .anchors import Span, between, is_inside, is_name, sentence_spans, spaced, spans
from .patterns import lazily
from .terms import normalised

_FILLER_WORDS = (
    r"(?:oh|ah|aw+|wow|well|hey|hi|hello|ok|okay|anyway|btw|haha|lol|by\ the\ way|thanks|thank\ you|cheers"
    r"|as\ (?:i\ |we\ |already\ )*(?:mentioned|said|discussed|noted)(?:\ (?:earlier|before|above))?)"
    r"(?:\ there|\ again|\ so\ much|\ very\ much|\ a\ lot|\ everyone|\ everybody|\ all)?"
)
# Said before a sentence and apart from it. Not `I think` or `sure`: those say how sure somebody is, or agree.
_ASIDE = lazily(rf"(?:{_FILLER_WORDS}\s*[,!.…]+\s+)+", re.VERBOSE | re.IGNORECASE)
_FILLER = lazily(
    rf"""\W*+(?:(?:{_FILLER_WORDS}|good\ (?:morning|afternoon|evening|night)|(?:good)?bye|you['’]re\ welcome|see\ you
      |have\ a\ (?:nice|good|great|lovely)\ (?:day|evening|weekend|time))[\s,!.…]*+)+\W*+""",
    re.VERBOSE | re.IGNORECASE,
)
_SENTENCE_WORDS_MIN = 3  # fewer behind an aside are a part of it: `Thanks, will do`
_SPEAKER = lazily(r"\s*[^\W\d_][^:\n]{0,40}:\s")  # `Ada: I like tea`
_FIRST_PERSON = lazily(r"(?:I|We|My|Our)(?=['’\s])")
# Words by which a sentence speaks of what another one named.
_REFERENCE = lazily(
    r"""\b(?:he|she|it|they|him|her|them|his|hers|its|their|theirs|this|that|these|those|ones?|others?|another|same
      |former|latter|such|so|too|also|there|here|then|either|neither|both|instead|otherwise|again|else|still)\b""",
    re.VERBOSE | re.IGNORECASE,
)
# The same, where the very first words do: nobody who reads only this text knows who or what is meant. Of other
# languages the pronouns that open a sentence. `This repository` points at where it is said, `this is` at nothing.
_OPENING_REFERENCE = lazily(
    r"""\W*+(?:(?:and|but|so|or|also|then|because|since|when|while|if|after|before)\ )?
      (?:(?:he|she|it|they|him|her|them|his|hers|its|their|theirs|who|which|whose|same|ditto|likewise|also|too|both
        |neither|either|others?|another|er|sie|es|ihr|ihre|ihn|ihm|sein|seine|dessen|deren|il|elle|ils|elles|lui|leur
        |leurs|él|ella|ellos|ellas)\b(?!['’-]?\w)(?!\s*:)
      |(?:it|he|she|they|that)['’](?:s|d|ll|re|ve)\b
      |(?:this|that|these|those)\ (?:is|was|are|were|has|had|have|will|would|can|could|should|must|may|means?|did|does
        |do|one|ones)\b
      |(?:(?:the|this|that|my|her|his|their|our|your|its|a|an|each|any)\ )?(?:[\w-]+\ )?ones?
        (?=\ (?:is|was|are|were|has|had|have|will|would|can|could|should|must|for|in|on|at|to|from|i|we|he|she|they)\b
          |[,.:]|$)
      |the\ (?:other|others|former|latter|rest|same)\b)""",
    re.VERBOSE | re.IGNORECASE,
)
_OBJECT_PRONOUN = lazily(r"\b(?:him|her)\b", re.IGNORECASE)
_KEPT_CHARACTERS_MAX = 4000  # a longer text is read again: what is kept of a thousand must not fill the memory


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a text, without an aside before it."""

    span: Span
    text: str  # as it is written, on one line unless it is code
    key: str  # equal for the same words in the same order
    is_filler: bool  # greets or thanks, and says nothing else
    stands_alone: bool  # says whom it is about, and refers to no other sentence


def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text, in order."""
    return _kept(text) if len(text) <= _KEPT_CHARACTERS_MAX else tuple(_read(text))


def is_incomplete(text: str) -> bool:
    """Whether a text speaks of somebody or something that it does not name: `She likes tea`, `New one is blue`.

    Beside the text of another it would seem to speak of what that one names.
    """
    held = spans(text)
    for start, end in sentence_spans(text, held):
        begin = _without_aside(text, start, end, held)
        if _FILLER.fullmatch(text, begin, end):
            continue
        if _OPENING_REFERENCE.match(text, begin, end):
            return True
        pronoun = _OBJECT_PRONOUN.search(text, begin, end)
        return pronoun is not None and not any(is_name(text[slice(*one)]) for one in between(held, 0, pronoun.start()))
    return False


@functools.lru_cache(maxsize=1024)
def _kept(text: str) -> tuple[Sentence, ...]:
    """Kept, because what waits for its topic is tried with one group after another; about what a scope has waiting."""
    return tuple(_read(text))


def _read(text: str) -> Iterator[Sentence]:
    held = spans(text)
    has_speaker = _SPEAKER.match(text) is not None
    for start, end in sentence_spans(text, held):
        begin = _without_aside(text, start, end, held)
        inside = between(held, begin, end)
        written = text[begin:end]
        if "```" not in written:
            written = spaced(written)
        yield Sentence(
            (begin, end),
            written,
            normalised(written),
            not inside and _FILLER.fullmatch(text, begin, end) is not None,
            _names_its_subject(text, begin, inside, has_speaker) and not _REFERENCE.search(text, begin, end),
        )


def _without_aside(text: str, start: int, end: int, held: Sequence[Span]) -> int:
    """Where a sentence proper begins; an aside that names anything is a part of it."""
    aside = _ASIDE.match(text, start, end)
    if aside is None or is_inside(aside.end(), held) or between(held, start, aside.end()):
        return start
    return aside.end() if len(text[aside.end() : end].split()) >= _SENTENCE_WORDS_MIN else start


def _names_its_subject(text: str, begin: int, inside: Sequence[Span], has_speaker: bool) -> bool:
    """Whether a sentence opens with a name, or with `I` where nobody else can be meant than whoever wrote the text."""
    if inside and inside[0][0] == begin:
        return is_name(text[slice(*inside[0])])
    return not has_speaker and _FIRST_PERSON.match(text, begin) is not None
